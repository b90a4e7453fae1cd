/* Folders of editions that are torn or hostile: what is said, and where. */
#include "change_fixture.h"

/* Every file in turn as a stranger might hand it over: what is said, and where. */
static const struct fault {
	const char *name;
	struct folder f; /* members left NULL are those of spring */
	enum error_code code;
	const char *file;
	int line, col;
	const char *msg;
} faults[] = {
	{ "scores: no column",
	  { .scores = "device,class,score\n" },
	  ERR_SYNTAX,
	  "data/scores.csv",
	  1,
	  0,
	  "the header has no column 'origin'" },
	{ "scores: an empty file", { .scores = "" }, ERR_SYNTAX, "data/scores.csv", 1, 0, NULL },
	{ "scores: torn in a quote",
	  { .scores = SCORES "\"R,cnn,1" },
	  ERR_SYNTAX,
	  "data/scores.csv",
	  2,
	  0,
	  NULL },
	{ "scores: torn in a row",
	  { .scores = SCORES "R,cnn,1,," },
	  ERR_SYNTAX,
	  "data/scores.csv",
	  2,
	  0,
	  "origin: the cell is empty" },
	{ "scores: not a number",
	  { .scores = SCORES "R,cnn,fast,,,measured\n" },
	  ERR_SYNTAX,
	  "data/scores.csv",
	  2,
	  7,
	  "score: 'fast' is not a number" },
	{ "scores: 0",
	  { .scores = SCORES "R,cnn,0,,,measured\n" },
	  ERR_RANGE,
	  "data/scores.csv",
	  2,
	  7,
	  "score: 0 is not above 0" },
	{ "scores: below 0",
	  { .scores = SCORES "R,cnn,-1,,,measured\n" },
	  ERR_RANGE,
	  "data/scores.csv",
	  2,
	  7,
	  "score: -1 is not above 0" },
	{ "scores: an origin of its own",
	  { .scores = SCORES "R,cnn,1,,,guessed\n" },
	  ERR_UNKNOWN,
	  "data/scores.csv",
	  2,
	  11,
	  "origin: 'guessed' is not measured, scaled, estimated or excluded" },
	{ "scores: measured without a score",
	  { .scores = SCORES "R,cnn,,,,measured\n" },
	  ERR_DATA,
	  "data/scores.csv",
	  2,
	  7,
	  "score: there is none, but origin says measured" },
	{ "scores: excluded with a score",
	  { .scores = SCORES "R,cnn,1,,,excluded\n" },
	  ERR_DATA,
	  "data/scores.csv",
	  2,
	  7,
	  "score: there is one, but origin says excluded" },
	{ "scores: a class of its own",
	  { .scores = SCORES "R,poetry,1,,,measured\n" },
	  ERR_UNKNOWN,
	  "data/scores.csv",
	  2,
	  3,
	  "class: 'poetry' is not a class" },
	{ "scores: a card twice",
	  { .scores = SCORES "R,cnn,1,,,measured\nR,cnn,2,,,measured\n" },
	  ERR_DATA,
	  "data/scores.csv",
	  3,
	  1,
	  "device: 'R' stands in class cnn twice" },
	{ "scores: not UTF-8",
	  { .scores = SCORES "R\xff,cnn,1,,,measured\n" },
	  ERR_SYNTAX,
	  "data/scores.csv",
	  2,
	  0,
	  NULL },
	{ "values: a card that has no score line",
	  { .values = VALUES "X,cnn,card,1,1,,,1,no,ok\n" },
	  ERR_DATA,
	  "data/values.csv",
	  2,
	  1,
	  "device: 'X' has no line in scores.csv for class cnn" },
	{ "values: a card twice",
	  { .values = VALUES "R,cnn,card,1,1,,,1,no,ok\nR,cnn,card,1,1,,,1,no,ok\n" },
	  ERR_DATA,
	  "data/values.csv",
	  3,
	  1,
	  "device: 'R' stands in class cnn and lens card twice" },
	{ "values: free of charge",
	  { .values = VALUES "R,cnn,card,0,1,,,1,no,ok\n" },
	  ERR_RANGE,
	  "data/values.csv",
	  2,
	  12,
	  "cost_usd: 0 is not above 0" },
	{ "values: rank 0",
	  { .values = VALUES "R,cnn,card,1,1,,,0,no,ok\n" },
	  ERR_DATA,
	  "data/values.csv",
	  2,
	  18,
	  "rank: 0, but ranks count from 1" },
	{ "values: ranked without a cost",
	  { .values = VALUES "R,cnn,card,,,,,1,no,ok\n" },
	  ERR_DATA,
	  "data/values.csv",
	  2,
	  16,
	  "rank: 1, but the card has no score or no cost" },
	{ "values: ranked without a score",
	  { .values = VALUES "F,cnn,card,100,,,,1,no,ok\n" },
	  ERR_DATA,
	  "data/values.csv",
	  2,
	  19,
	  "rank: 1, but the card has no score or no cost" },
	{ "values: another lens only",
	  { .values = VALUES "R,cnn,cloud,1,1,,,1,no,ok\n" },
	  ERR_DATA,
	  "data/values.csv",
	  1,
	  0,
	  "lens: no row of lens card" },
	{ "prices: no column",
	  { .prices = "device,price_usd\n" },
	  ERR_SYNTAX,
	  "data/prices.csv",
	  1,
	  0,
	  "the header has no column 'lens'" },
	{ "edition: no date",
	  { .edition = "key,value\nreference,R\nclasses,cnn\n" },
	  ERR_DATA,
	  "data/edition.csv",
	  1,
	  0,
	  "key: no line 'date'" },
	{ "edition: no such day",
	  { .edition = "key,value\ndate,2019-02-30\nreference,R\nclasses,cnn\n" },
	  ERR_SYNTAX,
	  "data/edition.csv",
	  2,
	  6,
	  "date: '2019-02-30' is not a date YYYY-MM-DD" },
	{ "edition: a key twice",
	  { .edition = "key,value\ndate,2019-05-01\nclasses,cnn\ndate,2019-05-01\n" },
	  ERR_DATA,
	  "data/edition.csv",
	  4,
	  1,
	  "key: 'date' stands in line 2 already" },
	{ "edition: a class of its own",
	  { .edition = "key,value\ndate,2019-05-01\nreference,R\nclasses,\"cnn, poetry\"\n" },
	  ERR_UNKNOWN,
	  "data/edition.csv",
	  4,
	  9,
	  "classes: 'poetry' is not a class" },
	{ "MANIFEST: empty",
	  { .manifest = "" },
	  ERR_SYNTAX,
	  "MANIFEST",
	  0,
	  0,
	  "the file does not end with a line end: half of it is missing" },
	{ "MANIFEST: torn",
	  { .manifest = HASH "0  -  input:data/pri" },
	  ERR_SYNTAX,
	  "MANIFEST",
	  0,
	  0,
	  "the file does not end with a line end: half of it is missing" },
	{ "MANIFEST: no hash",
	  { .manifest = HASH "0  -  a\nhello\n" },
	  ERR_SYNTAX,
	  "MANIFEST",
	  2,
	  1,
	  "'hello' is not a line of \"sha256  size  path\"" },
	{ "MANIFEST: a short hash",
	  { .manifest = HASH "  -  a\n" },
	  ERR_SYNTAX,
	  "MANIFEST",
	  1,
	  1,
	  NULL },
	{ "MANIFEST: no path", { .manifest = HASH "0  -\n" }, ERR_SYNTAX, "MANIFEST", 1, 1, NULL },
	{ "MANIFEST: words for a terminal",
	  { .manifest = "\x1b[2J\n" },
	  ERR_SYNTAX,
	  "MANIFEST",
	  1,
	  1,
	  "'?[2J' is not a line of \"sha256  size  path\"" },
	{ "MANIFEST: an input twice",
	  { .manifest = HASH "0  -  input:a\n" HASH "1  -  input:a\n" },
	  ERR_DATA,
	  "",
	  0,
	  0,
	  "input 'a' is listed twice" },
};

static void test_fault(struct bench *b, const struct fault *f)
{
	const char *dir;
	struct folder all = spring;
	struct change_edition e;
	struct error err = { 0 };
	bool read;

	all.scores = f->f.scores ? f->f.scores : all.scores;
	all.values = f->f.values ? f->f.values : all.values;
	all.prices = f->f.prices ? f->f.prices : all.prices;
	all.edition = f->f.edition ? f->f.edition : all.edition;
	all.manifest = f->f.manifest ? f->f.manifest : all.manifest;
	dir = make(b, &all);
	read = change_read_edition(dir, STR("card"), b->arena, &e, &err);
	struct str want = f->file[0] ? str_printf(b->arena, "%s/%s", dir, f->file) : str_of(dir);
	bool good = !read && err.code == f->code
		    && str_eq(str_of(err.pos.file ? err.pos.file : ""), want)
		    && err.pos.line == f->line && (f->col == 0 || err.pos.col == f->col)
		    && (!f->msg || strcmp(err.msg, f->msg) == 0);
	test_ok(b->t, good, f->name);
	if (!good)
		printf("# %s code %d, %s:%d:%d: %s\n", read ? "read it all the same," : "",
		       (int)err.code, err.pos.file ? err.pos.file : "", err.pos.line, err.pos.col,
		       err.msg);
}

static void test_absent(struct bench *b)
{
	struct folder f = spring;
	struct change_edition e;
	struct error err = { 0 };

	test_ok(b->t,
		!change_read_edition(str_c(b->arena, str_printf(b->arena, "%s/nowhere", b->root)),
				     STR("card"), b->arena, &e, &err)
		    && err.code == ERR_ENVIRONMENT
		    && strstr(err.msg, "not a folder, so no edition"),
		"no folder");
	f.values = NULL;
	err = (struct error){ 0 };
	test_ok(b->t,
		!change_read_edition(make(b, &f), STR("card"), b->arena, &e, &err)
		    && err.code == ERR_ENVIRONMENT && strstr(err.msg, "values.csv"),
		"no values.csv");
	f = spring;
	f.manifest = NULL;
	const char *dir = make(b, &f);
	put(b, dir, "data/inputs.csv", "path,sha256,bytes\ndata/prices/may.csv," HASH "1,9\n");
	err = (struct error){ 0 };
	test_ok(b->t,
		change_read_edition(dir, STR("card"), b->arena, &e, &err) && e.has_inputs
		    && e.ninputs == 1 && str_eq(e.inputs[0].path, STR("data/prices/may.csv")),
		"inputs.csv stands in for MANIFEST");
	test_str(b->t, e.program, STR("gpuguide 0.1.0"), "the program's version");
	put(b, dir, "summary.json", "{\n\"program\": \"gpuguide 0.2.0\",\n}\n");
	test_ok(b->t, change_read_edition(dir, STR("card"), b->arena, &e, &err),
		"summary.json too");
	test_str(b->t, e.program, STR("gpuguide 0.2.0"),
		 "the small file goes before the large one");
}

/* A sound edition whose file is cut at a line end, taken away, or joined by another's. */
static void test_seal(struct bench *b)
{
	static const struct {
		const char *name, *file, *text; /* text NULL: the file goes */
		const char *want;
	} cases[] = {
		{ "a file cut at a line end", "data/prices.csv", PRICES,
		  "data/prices.csv: not the file that MANIFEST lists (its SHA-256 differs)" },
		{ "one byte of report.json", "report.json",
		  "{\n \"generator\": \"gpuguide 0.1.1\",\n}\n",
		  "report.json: not the file that MANIFEST lists (its SHA-256 differs)" },
		{ "a summary.json that is not listed", "summary.json", "{}\n",
		  "summary.json: not listed in MANIFEST" },
		{ "a file taken away", "data/prices.csv", NULL,
		  "data/prices.csv: missing, but MANIFEST lists it" },
		{ "a MANIFEST cut at a line end", "MANIFEST", HASH "0  -  input:a\n",
		  "data/scores.csv: not listed in MANIFEST" },
	};
	struct change_edition e;

	for (size_t i = 0; i < LEN(cases); i++) {
		struct error err = { 0 };
		const char *dir = make(b, &spring);
		put(b, dir, cases[i].file, cases[i].text);
		if (!cases[i].text)
			remove(str_c(b->arena,
				     file_join(b->arena, str_of(dir), str_of(cases[i].file))));
		test_ok(b->t,
			!change_read_edition(dir, STR("card"), b->arena, &e, &err)
			    && err.code == ERR_DATA && strstr(err.msg, cases[i].want),
			cases[i].name);
	}
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };
	char root[] = "/tmp/gpuguide-change-read-XXXXXX";
	struct bench b;

	if (!bench_open(&b, &t, &a, root))
		return test_done(&t);
	for (size_t i = 0; i < LEN(faults); i++)
		test_fault(&b, &faults[i]);
	test_absent(&b);
	test_seal(&b);
	bench_close(&b);
	arena_free(&a);
	return test_done(&t);
}
