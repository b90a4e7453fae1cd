/* gpuguide pick from the outside: its answers, its exit status and what it says to a wrong word. */
#include "catalogue_fixture.h"

#include "../cli/commands.h"

#include <fcntl.h>
#include <limits.h>
#include <math.h>

/* Cards of the shipped catalogue, since the command reads that. CNN a USD: RTX 2060 0.5/300, RTX
 * 2070 0.75/500 the best of those with 8 GB, RTX 2080 Ti 1/1200. */
static const struct {
	const char *name, *text;
} files[] = {
	{ "edition.csv", "key,value\nname,three\ndate,2019-05-29\nreference,RTX 2080 Ti\n"
			 "classes,\"cnn, transformer\"\n" },
	{ "scores.csv", "device,class,score,low,high,origin,machines,reason,peer_low,peer_high\n"
			"RTX 2060,cnn,0.5,0.5,0.5,measured,1,,0.5,0.5\n"
			"RTX 2070,cnn,0.75,0.75,0.75,measured,1,,0.75,0.75\n"
			"RTX 2080 Ti,cnn,1,1,1,measured,2,,1,1\n"
			"RTX 2070,transformer,0.5,0.5,0.5,measured,1,,0.5,0.5\n"
			"RTX 2080 Ti,transformer,,,,excluded,,\"not \x1b[31mrun\",,\n" },
	{ "prices.csv",
	  "device,lens,price_usd,low,high,markets,observations,newest_date,age_days,status\n"
	  "RTX 2060,card,300,300,300,amazon,3,2019-05-28,1,ok\n"
	  "RTX 2070,card,500,500,500,amazon,3,2019-05-28,1,ok\n"
	  "RTX 2080 Ti,card,1200,1200,1200,amazon,3,2019-05-28,1,ok\n" },
	{ "systems.csv", "device,gpus,cards_usd,purchase_usd,total_usd,flags\n"
			 "RTX 2060,1,300,1300,1500,ok\nRTX 2060,2,600,1700,2100,ok\n"
			 "RTX 2070,1,500,1500,1700,ok\nRTX 2070,2,1000,2100,2500,ok\n" },
};

static struct options ask(struct fixture *f)
{
	return (struct options){ .root = ".",
				 .out = fixture_path(f, "out"),
				 .date = { INT_MIN },
				 .budget_usd = NAN,
				 .memory_gb = NAN,
				 .gpus = -1 };
}

/* What the command prints, taken from standard output. */
static bool run(struct fixture *f, const struct options *o, int *status, struct str *text,
		struct error *err)
{
	const char *path = fixture_path(f, "stdout");
	struct error read = { 0 };
	int keep, fd;
	bool good;

	*err = (struct error){ 0 };
	*status = 0;
	*text = STR("");
	fflush(stdout);
	keep = dup(STDOUT_FILENO);
	fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);
	dup2(fd, STDOUT_FILENO);
	close(fd);
	good = command_pick(o, &f->arena, status, err);
	fflush(stdout);
	dup2(keep, STDOUT_FILENO);
	close(keep);
	file_read(path, 0, &f->arena, text, &read);
	unlink(path);
	return good;
}

static bool has(struct str text, const char *words)
{
	return str_find(text, str_of(words), 0) < text.len;
}

/* Whether the words stand there, wherever lines break. */
static bool says(struct fixture *f, struct str text, const char *words)
{
	struct strbuf b = { .arena = &f->arena };

	for (size_t i = 0; i < text.len; i++) {
		char c = text.p[i] == '\n' ? ' ' : text.p[i];
		if (c != ' ' || b.len == 0 || b.p[b.len - 1] != ' ')
			strbuf_addc(&b, c);
	}
	return has(strbuf_str(&b), words);
}

static void test_answers(struct test *t, struct fixture *f)
{
	struct options o = ask(f);
	struct error err;
	struct str text;
	int status;

	o.class_name = "cnn";
	o.memory_gb = 8;
	test_ok(t, run(f, &o, &status, &text, &err) && status == 0, "found: status 0");
	test_ok(t, has(text, "Edition 2019-05-29 (three), prices up to 2019-05-29."),
		"the edition and its date");
	test_ok(t, has(text, "1. RTX 2070 for $500\n"), "the pick");
	test_ok(t, has(text, "RTX 2080 Ti; it wins below $667"),
		"the runner-up and the flip price");
	test_ok(t, has(text, "too little memory 1 (RTX 2060)"), "who was removed and why");
	o.memory_gb = NAN;
	o.budget_usd = 10;
	test_ok(t, run(f, &o, &status, &text, &err) && status == 1, "not to be had: status 1");
	test_ok(
	    t,
	    has(text, "No card meets the wish. The nearest possible:\n1. RTX 2060 for $300\n"),
	    "the nearest possible");
	o.format = FORMAT_CSV;
	test_ok(t,
		run(f, &o, &status, &text, &err)
		    && str_starts(text, STR("persona,rank,device,rule,"))
		    && has(text, "\n,1,RTX 2060,"),
		"csv");
	o.format = FORMAT_JSON;
	test_ok(t,
		run(f, &o, &status, &text, &err) && has(text, "\"status\": \"nearest\"")
		    && has(text, "\"device\": \"RTX 2060\""),
		"json");
	o.format = FORMAT_TEXT;
	o.budget_usd = NAN;
	o.class_name = "transformer";
	test_ok(t,
		run(f, &o, &status, &text, &err)
		    && says(f, text, "no score 2 (RTX 2060, RTX 2080 Ti)") && !has(text, "\x1b"),
		"a class with hostile text in it");
	o.class_name = NULL;
	test_ok(t,
		run(f, &o, &status, &text, &err) && says(f, text, "performance (CNN, Transformer)"),
		"nothing is said of the work: the classes of the first persona");
	o.class_name = "cnn, transformer";
	test_ok(t, run(f, &o, &status, &text, &err) && has(text, "1. RTX 2070 for $500\n"),
		"two classes");
	/* 0.5/850 and 0.75/1050 a USD of a machine of two: the dearer card wins. */
	o.class_name = "cnn";
	o.lens = "system";
	o.gpus = 2;
	test_ok(t, run(f, &o, &status, &text, &err) && has(text, "1. 2 x RTX 2070 for $2,100\n"),
		"a whole system of two");
	o.lens = NULL;
	o.gpus = -1;
	o.persona = "kaggle";
	o.memory_gb = 11;
	o.budget_usd = 5000;
	o.class_name = "cnn";
	test_ok(t,
		run(f, &o, &status, &text, &err) && has(text, "1. RTX 2080 Ti for $1,200\n")
		    && has(text, "Kaggle: "),
		"options go before the persona's own");
	o.gpus = 3;
	test_ok(t,
		run(f, &o, &status, &text, &err) && has(text, "1. 3 x RTX 2080 Ti for $3,600\n")
		    && says(f, text, "3 cards run 3 independent jobs"),
		"three cards side by side, with boards that have a blower");
	o.data_center = true;
	test_ok(t,
		run(f, &o, &status, &text, &err) && status == 1
		    && says(f, text, "its driver licence bars it from data centers"),
		"none of these may stand in a data center");
}

static void test_wrong(struct test *t, struct fixture *f)
{
	const struct options plain = ask(f);
	struct options class = plain, empty = plain, lens = plain,
		       condition = plain, persona = plain, out = plain, system = plain;
	system.class_name = "cnn";
	system.lens = "system";
	system.gpus = 3;
	class.class_name = "gan";
	empty.class_name = "";
	lens.class_name = condition.class_name = out.class_name = "cnn";
	lens.lens = "rent";
	condition.condition = "broken";
	persona.persona = "nobody";
	out.out = "/none";
	const struct {
		const struct options *o;
		enum error_code code;
		const char *begin;
	} cases[] = {
		{ &class, ERR_USAGE,
		  "--class: 'gan' is not a class of the edition: cnn, transformer" },
		{ &empty, ERR_USAGE,
		  "--class: no class is named; the edition has cnn, transformer" },
		{ &lens, ERR_USAGE, "--lens: 'rent' is not card, system, system+power or cloud" },
		{ &condition, ERR_USAGE, "--condition: 'broken' is not new, used or any" },
		{ &system, ERR_USAGE, "--gpus: the edition has systems of 1, 2 cards, none of 3" },
		{ &persona, ERR_USAGE,
		  "--persona: there is no 'nobody'; there are best-overall, " },
		{ &out, ERR_ENVIRONMENT,
		  "/none: no edition is there; `gpuguide report -o /none` makes one" },
	};
	for (size_t i = 0; i < LEN(cases); i++) {
		struct error err;
		struct str text;
		int status;

		bool good = run(f, cases[i].o, &status, &text, &err);
		test_ok(t,
			!good && err.code == cases[i].code
			    && str_starts(str_of(err.msg), str_of(cases[i].begin)) && text.len == 0,
			cases[i].begin);
		if (!str_starts(str_of(err.msg), str_of(cases[i].begin)))
			printf("# %s\n", err.msg);
	}
}

int main(void)
{
	struct test t = { 0 };
	struct fixture f;
	struct error err = { 0 };

	test_ok(&t,
		fixture_open(&f) && file_make_dirs(fixture_path(&f, "out/2019-05-29/data"), &err),
		"a folder for the test");
	for (size_t i = 0; i < LEN(files); i++)
		file_write(
		    fixture_path(&f, str_c(&f.arena, str_printf(&f.arena, "out/2019-05-29/data/%s",
								files[i].name))),
		    str_of(files[i].text), &err);
	test_answers(&t, &f);
	test_wrong(&t, &f);
	file_remove_tree(fixture_path(&f, "out"), &err);
	fixture_close(&f);
	return test_done(&t);
}
