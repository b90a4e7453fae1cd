/* A unit test program: prints TAP lines and ends with 1 when one failed.
 *   int main(void) { struct test t = { 0 }; …; test_ok(&t, x == 3, "three"); return test_done(&t);
 *   } */
#ifndef TESTS_TEST_H
#define TESTS_TEST_H

#include "../base/str.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

struct test { int n, failed; };

static inline void test_ok(struct test *t, bool good, const char *name)
{
	printf("%sok %d - %s\n", good ? "" : "not ", ++t->n, name);
	t->failed += !good;
}

static inline void test_str(struct test *t, struct str got, struct str want, const char *name)
{
	test_ok(t, str_eq(got, want), name);
	if (!str_eq(got, want))
		printf("# got  '" STR_FMT "'\n# want '" STR_FMT "'\n", STR_ARG(got), STR_ARG(want));
}

static inline void test_near(struct test *t, double got, double want, double tolerance,
			     const char *name)
{
	bool good = fabs(got - want) <= tolerance;

	test_ok(t, good, name);
	if (!good)
		printf("# got %.17g want %.17g\n", got, want);
}

static inline int test_done(const struct test *t)
{
	printf("1..%d\n", t->n);
	return t->failed > 0;
}

#endif
