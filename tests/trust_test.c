/* Tiers of trust and quotas of a file. Signatures: sshsig_test.c, and end to end tests/e2e/signed.sh. */
#include "collect_fixture.h"

#include "../catalogue/trust.h"
#include "../collect/limits.h"

#define HEAD "machine,device,workload,precision,metric,value,unit,framework,source\n"
#define TAIL ",RTX 2080 Ti,resnet50,fp32,throughput,101,images/s,"

static void test_names(struct test *t)
{
	static const char *const names[TRUST_COUNT] = { "anonymous", "known", "signed" };
	enum trust out;

	for (int i = 0; i < TRUST_COUNT; i++)
		test_ok(t, str_eq(trust_name((enum trust)i), str_of(names[i]))
				  && trust_parse(str_of(names[i]), &out) && (int)out == i,
			names[i]);
	test_ok(t, !trust_parse(STR("Signed"), &out) && !trust_parse(STR(""), &out), "no other name");
}

static void test_series(struct test *t)
{
	static const struct {
		struct str url;
		enum trust want;
	} cases[] = {
		{ STR_INIT("https://example.org/x"), TRUST_KNOWN },
		{ STR_INIT("http://example.org/x"), TRUST_KNOWN },
		{ STR_INIT(""), TRUST_ANONYMOUS },
		{ STR_INIT("see the source of each row"), TRUST_ANONYMOUS },
		{ STR_INIT("collect/bench/README.md"), TRUST_ANONYMOUS },
		{ STR_INIT("javascript:alert(1)"), TRUST_ANONYMOUS },
	};

	for (size_t i = 0; i < LEN(cases); i++) {
		struct series s = { .url = cases[i].url };
		test_ok(t, trust_of_series(&s) == cases[i].want, cases[i].url.p);
	}
	test_ok(t, trust_of_series(NULL) == TRUST_ANONYMOUS, "a series that nobody described");
}

/* counts: anonymous, known, signed */
static void test_median(struct test *t)
{
	static const struct {
		const char *name;
		size_t counts[TRUST_COUNT];
		enum trust want;
	} cases[] = {
		{ "none", { 0, 0, 0 }, TRUST_ANONYMOUS },
		{ "one signed", { 0, 0, 1 }, TRUST_SIGNED },
		{ "half is not enough: a median of two is a mean", { 1, 0, 1 }, TRUST_ANONYMOUS },
		{ "two of three", { 1, 0, 2 }, TRUST_SIGNED },
		{ "half signed, half known", { 0, 2, 2 }, TRUST_KNOWN },
		{ "signed and known together", { 2, 1, 2 }, TRUST_KNOWN },
		{ "signed and known together are half", { 3, 1, 2 }, TRUST_ANONYMOUS },
		{ "known", { 1, 2, 0 }, TRUST_KNOWN },
		{ "anonymous", { 5, 0, 0 }, TRUST_ANONYMOUS },
	};

	for (size_t i = 0; i < LEN(cases); i++)
		test_ok(t, trust_of_median(cases[i].counts) == cases[i].want, cases[i].name);
}

static void test_limit_check(struct test *t)
{
	struct error err = { 0 };
	struct pos pos = { "x.csv", 3, 4 };

	test_ok(t, limit_check(10, 10, "columns", pos, &err), "as many as allowed");
	test_ok(t, !limit_check(11, 10, "columns", pos, &err) && err.code == ERR_RANGE
			  && err.pos.line == 3 && err.pos.col == 4,
		"one more");
	test_str(t, str_of(err.msg), STR("columns: 11 found, at most 10 in one contribution"),
		 "what was found, what is allowed");
}

/* A file that is over a quota beside a sound one. */
static void over(struct test *t, struct str text, const char *words, const char *name)
{
	struct stage s;

	stage_open(&s);
	fixture_put(&s.f, "in/lab/good.csv", HEAD "good" TAIL ",\n");
	fixture_put(&s.f, "in/lab/x.csv", str_chars(text));
	bool ran = stage_run(&s);
	struct str want = str_printf(&s.f.arena, "lab/x.csv,1,1,limit,,\"the file is refused: %s, at most", words);
	struct str rejects = stage_rows(&s, "out/data/rejects.csv");

	test_ok(t, ran && s.summary.accepted == 1 && s.summary.files_refused == 1
			  && s.summary.machines == 1 && str_starts(rejects, want),
		name);
	if (!str_starts(rejects, want))
		printf("# got '" STR_FMT "'\n", STR_ARG(str_slice(rejects, 0, 200)));
	stage_close(&s);
}

static void test_quotas(struct test *t)
{
	struct arena a = { 0 };
	struct strbuf columns = { .arena = &a }, machines = { .arena = &a }, names = { .arena = &a };

	strbuf_add(&columns, str_slice(STR(HEAD), 0, sizeof HEAD - 2));
	for (int i = 9; i <= LIMIT_COLUMNS; i++)
		strbuf_printf(&columns, ",c%d", i);
	strbuf_add(&columns, STR("\n"));
	over(t, strbuf_str(&columns), "columns: 1001 found", "columns");
	strbuf_add(&machines, STR(HEAD));
	strbuf_add(&names, STR(HEAD));
	for (int i = 0; i <= LIMIT_MACHINES; i++) {
		strbuf_printf(&machines, "m%d" TAIL ",\n", i);
		strbuf_printf(&names, "m" TAIL "f%d,\n", i);
	}
	over(t, strbuf_str(&machines), "machines: 100001 found", "machines");
	over(t, strbuf_str(&names), "frameworks: 100001 found", "frameworks");
	arena_free(&a);
}

int main(void)
{
	struct test t = { 0 };

	test_names(&t);
	test_series(&t);
	test_median(&t);
	test_limit_check(&t);
	test_quotas(&t);
	return test_done(&t);
}
