/* Tiers of trust and quotas of a file. Signatures: sshsig_test.c, and end to end
 * tests/e2e/signed.sh. */
#include "collect_fixture.h"

#include "../catalogue/trust.h"
#include "../collect/limits.h"

#include <time.h>

#define COLUMNS "machine,device,workload,precision,metric,value,unit,framework,source"
#define HEAD COLUMNS "\n"
#define TAIL ",RTX 2080 Ti,resnet50,fp32,throughput,101,images/s,"

static void test_names(struct test *t)
{
	static const char *const names[TRUST_COUNT] = { "anonymous", "known", "signed" };
	enum trust out;

	for (int i = 0; i < TRUST_COUNT; i++)
		test_ok(t, str_eq(trust_name((enum trust)i), str_of(names[i]))
				  && trust_parse(str_of(names[i]), &out) && (int)out == i,
			names[i]);
	test_ok(t, !trust_parse(STR("Signed"), &out) && !trust_parse(STR(""), &out),
		"no other name");
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

/* A file that is over a quota beside a sound one. place: "LINE,COLUMN" that it is refused at */
static void over(struct test *t, struct str text, const char *place, const char *words,
		 const char *name)
{
	struct stage s;

	stage_open(&s);
	fixture_put(&s.f, "in/lab/good.csv", HEAD "good" TAIL ",\n");
	fixture_put(&s.f, "in/lab/x.csv", str_chars(text));
	bool ran = stage_run(&s);
	struct str want = str_printf(
	    &s.f.arena, "lab/x.csv,%s,limit,,\"the file is refused: %s, at most", place, words);
	struct str rejects = stage_rows(&s, "out/data/rejects.csv");

	test_ok(t, ran && s.summary.accepted == 1 && s.summary.files_refused == 1
			  && s.summary.machines == 1 && str_starts(rejects, want),
		name);
	if (!str_starts(rejects, want))
		printf("# got '" STR_FMT "'\n", STR_ARG(str_slice(rejects, 0, 200)));
	stage_close(&s);
}

/* A header of n columns, `first` nine of them, and rows as wide.
 * place  out: of the first column too many */
static struct str wide_file(const char *first, int n, struct arena *a, struct str *place)
{
	enum { ROWS = 20 };
	struct strbuf b = { .arena = a };

	strbuf_printf(&b, "%s", first);
	for (int i = 9; i < n; i++) {
		if (i == LIMIT_COLUMNS)
			*place = str_printf(a, "1,%zu", b.len + 2);
		strbuf_printf(&b, ",c%d", i);
	}
	for (int row = 0; row < ROWS; row++) {
		strbuf_addc(&b, '\n');
		for (int i = 1; i < n; i++)
			strbuf_addc(&b, ',');
	}
	strbuf_addc(&b, '\n');
	return strbuf_str(&b);
}

/* Whatever else is wrong with the header: it is refused for its width, at the first column too
 * many, and is not looked at for long. */
static void test_columns(struct test *t)
{
	static const struct {
		const char *name, *first;
		int n;
		const char *words;
	} cases[] = {
		{ "1,001 columns", COLUMNS, 1001, "columns: 1001 found" },
		{ "100,000 columns", COLUMNS, 100000, "columns: 100000 found" },
		{ "1,001 columns, none of ours", "a,b,c,d,e,f,g,h,i", 1001, "columns: 1001 found" },
		{ "100,000 columns, one of ours twice", "unit,unit,c,d,e,f,g,h,i", 100000,
		  "columns: 100000 found" },
	};

	for (size_t i = 0; i < LEN(cases); i++) {
		struct arena a = { 0 };
		struct str place = STR("");
		struct str text = wide_file(cases[i].first, cases[i].n, &a, &place);
		clock_t begin = clock();
		over(t, text, str_chars(place), cases[i].words, cases[i].name);
		double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
		printf("# %.3f s\n", seconds);
		test_ok(t, seconds < 2, "in no time");
		arena_free(&a);
	}
}

static void test_quotas(struct test *t)
{
	struct arena a = { 0 };
	struct strbuf machines = { .arena = &a }, names = { .arena = &a };

	strbuf_add(&machines, STR(HEAD));
	strbuf_add(&names, STR(HEAD));
	for (int i = 0; i <= LIMIT_MACHINES; i++) {
		strbuf_printf(&machines, "m%d" TAIL ",\n", i);
		strbuf_printf(&names, "m" TAIL "f%d,\n", i);
	}
	over(t, strbuf_str(&machines), "1,1", "machines: 100001 found", "machines");
	over(t, strbuf_str(&names), "1,1", "frameworks: 100001 found", "frameworks");
	arena_free(&a);
}

int main(void)
{
	struct test t = { 0 };

	test_names(&t);
	test_series(&t);
	test_median(&t);
	test_limit_check(&t);
	test_columns(&t);
	test_quotas(&t);
	return test_done(&t);
}
