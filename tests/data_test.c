/* Reading DIR/data/ back: what is indexed, and every message about a faulty file. */
#include "../base/file.h"
#include "../render/data.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SCORES_HEAD                                                                                \
	"device,class,score,low,high,origin,anchor,predictor,error_pct,machines,runs,workloads,"   \
	"series,reason,precisions\n"
#define VALUES_HEAD "device,class,lens,cost_usd,value,low,high,rank,tie,status\n"

/* A sound folder of one card; each case replaces one file. */
static const struct {
	const char *name;
	struct str text;
} sound[] = {
	{ "edition.csv", STR_INIT("key,value\ndate,2019-05-31\n") },
	{ "scores.csv", STR_INIT(SCORES_HEAD "A,cnn,1,,,measured,,,,1,1,1,s,,fp32\n") },
	{ "prices.csv", STR_INIT("device,lens,price_usd,low,high,markets,observations,newest_date,"
				 "age_days,status\n") },
	{ "values.csv", STR_INIT(VALUES_HEAD) },
	{ "backtest.csv", STR_INIT("class,method,n,median_error_pct,p90_error_pct,case\n") },
	{ "sources.csv",
	  STR_INIT("series,title,files,rows,accepted,rejected,set_aside,machines,devices,"
		   "first_date,last_date,comparable,software,licence,url\n") },
	{ "rejects.csv", STR_INIT("file,line,column,code,value,reason,action\n") },
};

static const struct {
	const char *name, *file;
	struct str text;
	enum error_code want;
	int line;
	const char *msg;
} faults[] = {
	{ "unknown class", "scores.csv", STR_INIT(SCORES_HEAD "A,cmm,1,,,measured,,,,1,1,1,s,,\n"),
	  ERR_UNKNOWN, 2, "class: 'cmm' is not a class" },
	{ "unknown origin", "scores.csv", STR_INIT(SCORES_HEAD "A,cnn,1,,,guessed,,,,1,1,1,s,,\n"),
	  ERR_UNKNOWN, 2, "origin: 'guessed' is not an origin" },
	{ "score of 0", "scores.csv", STR_INIT(SCORES_HEAD "A,cnn,0,,,measured,,,,1,1,1,s,,\n"),
	  ERR_RANGE, 2, "score: '0' is not from 1e-12 to 1e+12" },
	{ "score missing", "scores.csv", STR_INIT(SCORES_HEAD "A,cnn,,,,scaled,,,,1,1,1,s,,\n"),
	  ERR_RANGE, 2, "score: expected a number above 0" },
	{ "score twice", "scores.csv",
	  STR_INIT(SCORES_HEAD
		   "A,cnn,1,,,measured,,,,1,1,1,s,,\nA,cnn,2,,,measured,,,,1,1,1,s,,\n"),
	  ERR_DATA, 3, "device and class are given twice" },
	{ "no scores", "scores.csv", STR_INIT(SCORES_HEAD), ERR_DATA, 0, "no rows" },
	{ "value of an unknown class", "values.csv",
	  STR_INIT(VALUES_HEAD "A,cmm,card,1,1,,,1,no,ok\n"), ERR_UNKNOWN, 2,
	  "class: 'cmm' is not a class" },
	{ "value without a score", "values.csv", STR_INIT(VALUES_HEAD "B,cnn,card,1,1,,,1,no,ok\n"),
	  ERR_UNKNOWN, 2, "'B' has no row in scores.csv" },
	{ "negative value", "values.csv", STR_INIT(VALUES_HEAD "A,cnn,card,1,-1,,,1,no,ok\n"),
	  ERR_RANGE, 2, "value: '-1' is not from 1e-12 to 1e+12" },
	{ "value without a price", "values.csv", STR_INIT(VALUES_HEAD "A,cnn,card,1,1,,,1,no,ok\n"),
	  ERR_DATA, 2, "'A' has a value but no price in prices.csv" },
	{ "value twice", "values.csv",
	  STR_INIT(VALUES_HEAD "A,cnn,card,1,1,,,1,no,ok\nA,cnn,card,1,1,,,1,no,ok\n"), ERR_DATA, 3,
	  "device and class are given twice" },
	{ "value of a system without a score", "values.csv",
	  STR_INIT(VALUES_HEAD "B,cnn,system,1,1,,,1,no,ok\n"), ERR_UNKNOWN, 2,
	  "'B' has no row in scores.csv" },
	{ "system value twice", "values.csv",
	  STR_INIT(VALUES_HEAD "A,cnn,system,1,1,,,1,no,ok\nA,cnn,cloud,1,1,,,1,no,ok\nA,cnn,"
			       "system,1,1,,,1,no,ok\n"),
	  ERR_DATA, 4, "device and class are given twice" },
	{ "cloud value of 0", "values.csv", STR_INIT(VALUES_HEAD "A,cnn,cloud,1,0,,,1,no,ok\n"),
	  ERR_RANGE, 2, "value: '0' is not from 1e-12 to 1e+12" },
	{ "optional file with a bad count", "systems.csv",
	  STR_INIT("device,gpus,total_usd\nA,two,1\n"), ERR_SYNTAX, 2,
	  "gpus: 'two' is not a whole number" },
	{ "optional file with a bad number", "memory.csv",
	  STR_INIT("workload,precision,device,needed_gb\nx,fp32,A,1\nx,fp32,A,8 GB\n"), ERR_SYNTAX,
	  3, "needed_gb: '8 GB' is not a number" },
	{ "optional file without a column", "picks.csv", STR_INIT("rank\n1\n"), ERR_SYNTAX, 1,
	  "the header has no column 'persona'" },
	{ "no date", "edition.csv", STR_INIT("key,value\ntitle,x\n"), ERR_DATA, 0,
	  "date: expected a row with a date such as 2026-11-30" },
	{ "bad date", "edition.csv", STR_INIT("key,value\ndate,2026-02-30\n"), ERR_DATA, 0,
	  "date: expected a row with a date such as 2026-11-30" },
};

static bool put(const char *dir, const char *name, struct str text, struct arena *a)
{
	struct error err = { .code = ERR_NONE };

	return file_write(str_c(a, file_join(a, str_of(dir), str_of(name))), text, &err);
}

static void test_faults(struct test *t, const char *dir, struct arena *a)
{
	for (size_t i = 0; i < LEN(faults); i++) {
		struct error err = { .code = ERR_NONE };
		struct report_data d;
		put(dir, faults[i].file, faults[i].text, a);
		test_ok(t,
			!data_read(str_of(dir), a, &d, &err) && err.code == faults[i].want
			    && err.pos.line == faults[i].line,
			faults[i].name);
		test_str(t, str_of(err.msg), str_of(faults[i].msg), faults[i].name);
		remove(str_c(a, file_join(a, str_of(dir), str_of(faults[i].file))));
		for (size_t k = 0; k < LEN(sound); k++)
			put(dir, sound[k].name, sound[k].text, a);
	}
}

static void test_sound(struct test *t, struct arena *a)
{
	struct error err = { .code = ERR_NONE };
	struct report_data d;

	if (!data_read(STR("tests/render/three/data"), a, &d, &err)) {
		test_ok(t, false, err.msg);
		return;
	}
	test_ok(t, d.ndevices == 3 && d.nclasses == 3, "three cards, three classes");
	test_str(t, d.devices[2], STR("TPUv2"), "in the order of scores.csv");
	test_ok(t, d.classes[1] == CLASS_RNN_WORD, "classes too");
	test_ok(t, d.measured_devices == 2, "two are measured");
	test_near(t, data_score(&d, 1, 0)->score, 0.62, 0, "a score");
	test_ok(t,
		data_score(&d, 2, 1)->origin == ORIGIN_EXCLUDED
		    && isnan(data_score(&d, 2, 1)->score),
		"an excluded one has none");
	test_near(t, data_value(&d, LENS_CARD, 1, 0)->value, 1, 0, "a value");
	test_ok(t, isnan(data_value(&d, LENS_CARD, 2, 0)->value), "no price, no value");
	test_near(t, data_value(&d, LENS_SYSTEM, 0, 0)->value, 0.9, 0, "the value of a system");
	test_near(t, data_value(&d, LENS_SYSTEM_POWER, 0, 0)->cost_usd, 2099, 0,
		  "and its cost with power");
	test_ok(t, !data_value(&d, LENS_CLOUD, 1, 0), "no row of that lens");
	test_ok(t, data_class_no(&d, STR("rnn-word")) == 1, "the number of a class");
	test_ok(t, data_class_no(&d, STR("cmm")) == 3 && data_class_no(&d, STR("llm")) == 3,
		"no such class, or not in this edition");
	test_ok(t, d.nsystems == 4 && isnan(d.systems[3].power_usd), "a missing number");
	test_ok(t, d.picks[4].rank == 1 && d.picks[6].rank == -1, "a missing count");
	test_str(t, data_setting(&d, STR("reference")), STR("RTX 2080 Ti"), "a setting");
	test_str(t, data_setting(&d, STR("none")), STR(""), "no such setting");
	test_ok(t, data_has_word(STR("stale single-source"), STR("single-source")),
		"a word of a list");
	test_ok(t, !data_has_word(STR("single-source"), STR("single")), "not a part of a word");
}

/* The only figures that may lie below 0: a rank correlation, a price less a resale, moves. */
static bool may_be_negative(struct str column)
{
	static const struct str names[] = { STR_INIT("kendall_tau"), STR_INIT("net_usd"),
					    STR_INIT("from_price_pct"), STR_INIT("from_data_pct"),
					    STR_INIT("from_method_pct") };

	for (size_t i = 0; i < LEN(names); i++)
		if (str_eq(names[i], column))
			return true;
	return false;
}

/* A file of one row: `text` in the cell of `column`, in the others what they can hold. */
static struct str one_cell(const struct data_format *f, size_t column, const char *text,
			   struct arena *a)
{
	static const char *const cells[] = {
		[CSV_TEXT] = "x",         [CSV_NUMBER] = "1", [CSV_POSITIVE] = "1",
		[CSV_AMOUNT] = "1",       [CSV_SIGNED] = "1", [CSV_COUNT] = "1",
		[CSV_DATE] = "2019-05-31"
	};
	struct strbuf b = { .arena = a };

	for (size_t i = 0; i < f->nfields; i++)
		strbuf_printf(&b, "%s%s", i ? "," : "", f->fields[i].name);
	strbuf_addc(&b, '\n');
	for (size_t i = 0; i < f->nfields; i++)
		strbuf_printf(&b, "%s%s", i ? "," : "",
			      i == column ? text : cells[f->fields[i].type]);
	strbuf_addc(&b, '\n');
	return strbuf_str(&b);
}

/* Whether the cell is refused as a number out of bounds, at its own place. */
static bool refused(const char *dir, const struct data_format *f, size_t column, const char *text,
		    struct arena *a)
{
	struct error err = { .code = ERR_NONE };
	const char *path = str_c(a, file_join(a, str_of(dir), STR("bounds.csv")));
	struct str whole = one_cell(f, column, text, a);
	size_t row = str_find(whole, STR("\n"), 0) + 1, at = row, n;
	void *records;

	for (size_t i = 0; i < column; i++)
		at = str_find(whole, STR(","), at) + 1;
	put(dir, "bounds.csv", whole, a);
	bool good = csv_read_records(path, f->fields, f->nfields, f->size, f->pos_offset, a,
				     &records, &n, &err);
	remove(path);
	return !good && err.code == ERR_RANGE && err.pos.line == 2
	       && err.pos.col == (int)(at - row) + 1;
}

/* Every number of every file: 1e308 and what overflows a quotient never, below 0 where it may be.
 */
static void test_bounds(struct test *t, const char *dir, struct arena *a)
{
	for (const struct data_format *f = data_formats; f->name; f++)
		for (size_t i = 0; i < f->nfields; i++) {
			const struct csv_field *c = &f->fields[i];
			bool signed_one = may_be_negative(str_of(c->name));

			if (c->type == CSV_TEXT || c->type == CSV_COUNT || c->type == CSV_DATE)
				continue;
			const char *name = str_c(a, str_printf(a, "%s.%s", f->name, c->name));
			test_ok(t,
				refused(dir, f, i, "1e308", a) && refused(dir, f, i, "-1.1e12", a),
				name);
			test_ok(t, refused(dir, f, i, "-1", a) == !signed_one, name);
			test_ok(t, refused(dir, f, i, "1e-320", a) == !signed_one, name);
			test_ok(t, !refused(dir, f, i, "999999999999", a), name);
		}
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };
	char dir[] = "/tmp/data_test_XXXXXX";
	struct error err = { .code = ERR_NONE };
	struct report_data d;

	test_sound(&t, &a);
	if (!mkdtemp(dir))
		return 1;
	for (size_t k = 0; k < LEN(sound); k++)
		put(dir, sound[k].name, sound[k].text, &a);
	test_ok(&t, data_read(str_of(dir), &a, &d, &err) && d.ndevices == 1, "a sound folder");
	test_ok(&t, d.npicks == 0 && d.nmemory == 0, "of an edition without the optional files");
	test_faults(&t, dir, &a);
	test_bounds(&t, dir, &a);
	for (size_t k = 0; k < LEN(sound); k++)
		remove(str_c(&a, file_join(&a, str_of(dir), str_of(sound[k].name))));
	test_ok(&t, !data_read(str_of(dir), &a, &d, &err) && err.code == ERR_ENVIRONMENT,
		"missing files");
	remove(dir);
	arena_free(&a);
	return test_done(&t);
}
