/* Editions that a report must survive: names of any characters, no prices, a class without data,
 * two thousand devices. The whole stage runs on the three cards with other names or fewer rows. */
#include "../base/file.h"
#include "../render/render.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

static const char *path_in(const char *dir, struct str name, struct arena *a)
{
	return str_c(a, file_join(a, str_of(dir), name));
}

static struct str replaced(struct str s, struct str from, struct str to, struct arena *a)
{
	struct strbuf out = { .arena = a };
	size_t at = 0;

	for (size_t hit; (hit = str_find(s, from, at)) < s.len; at = hit + from.len) {
		strbuf_add(&out, str_slice(s, at, hit));
		strbuf_add(&out, to);
	}
	strbuf_add(&out, str_slice(s, at, s.len));
	return strbuf_str(&out);
}

/* The three cards with `from` read as `to` in every file. */
static bool copy_data(const char *dir, struct str from, struct str to, struct arena *a)
{
	struct file_list files = { .n = 0 };
	struct error err = { .code = ERR_NONE };
	struct str text;

	if (!file_make_dirs(path_in(dir, STR("data"), a), &err)
	    || !file_list("tests/render/three/data", ".csv", false, a, &files, NULL, &err))
		return false;
	for (size_t i = 0; i < files.n; i++)
		if (!file_read(path_in("tests/render/three/data", files.v[i], a), 0, a, &text, &err)
		    || !file_write(path_in(dir, file_join(a, STR("data"), files.v[i]), a),
				   replaced(text, from, to, a), &err))
			return false;
	return true;
}

static void clean(const char *dir, struct arena *a)
{
	static const char *const folders[] = { "figures/src",         "figures/zh-Hans/src",
					       "figures/zh-Hant/src", "figures/zh-Hans",
					       "figures/zh-Hant",     "figures",
					       "data",                "" };
	struct file_list files = { .n = 0 };
	struct error err = { .code = ERR_NONE };

	file_list(dir, "", true, a, &files, NULL, &err);
	for (size_t i = 0; i < files.n; i++)
		remove(path_in(dir, files.v[i], a));
	for (size_t i = 0; i < LEN(folders); i++)
		remove(path_in(dir, str_of(folders[i]), a));
}

static bool render(const char *dir, struct arena *a, struct error *err)
{
	const struct render_options opt = { .out_dir = dir,
					    .templates_dir = "templates",
					    .source_date_epoch = -1,
					    .version = STR("test") };
	struct messages messages = { .arena = a };

	return render_run(&opt, NULL, a, &messages, err);
}

static struct str output(const char *dir, const char *name, struct arena *a)
{
	struct error err = { .code = ERR_NONE };
	struct str text = STR("");

	file_read(path_in(dir, str_of(name), a), 0, a, &text, &err);
	return text;
}

static bool contains(struct str s, const char *part)
{
	return str_find(s, str_of(part), 0) < s.len;
}

/* csv: as a cell; html: how the page shows it. */
static const struct {
	const char *name;
	struct str csv;
	const char *html;
} names[] = {
	{ "sixty characters",
	  STR_INIT("Graphics card with a name of sixty characters, which is long"),
	  "Graphics card with a name of sixty characters, which is long" },
	{ "one word of sixty characters",
	  STR_INIT("GraphicsCardWithANameOfSixtyCharactersAndNotASingleBlankInIt"),
	  "GraphicsCardWithANameOfSixtyCharactersAndNotASingleBlankInIt" },
	{ "a script", STR_INIT("<script>alert(1)</script>"),
	  "&lt;script&gt;alert(1)&lt;/script&gt;" },
	{ "ampersand and quotes", STR_INIT("R&D \"x\" 'y'"), "R&amp;D &quot;x&quot; &#39;y&#39;" },
	{ "backquotes", STR_INIT("`touch /tmp/gpuguide-owned`"),
	  "&#96;touch /tmp/gpuguide-owned&#96;" },
	{ "marks of a plot", STR_INIT("{}_^@ $x^2$ %s \\n"), "{}_^@ $x^2$ %s \\n" },
	{ "emoji", STR_INIT("Card \xF0\x9F\x9A\x80"), "Card \xF0\x9F\x9A\x80" },
	{ "right to left", STR_INIT("\xD7\x9B\xD7\xA8\xD7\x98\xD7\x99\xD7\xA1"),
	  "\xD7\x9B\xD7\xA8\xD7\x98\xD7\x99\xD7\xA1" },
	{ "Chinese", STR_INIT("\xE6\x98\xBE\xE5\x8D\xA1 4090"), "\xE6\x98\xBE\xE5\x8D\xA1 4090" },
};

/* The name as a quoted cell would hold it; the files quote no device, so the quotes come along. */
static struct str cell(struct str name, struct arena *a)
{
	return str_printf(a, "\"" STR_FMT "\"",
			  STR_ARG(replaced(name, STR("\""), STR("\"\""), a)));
}

static void test_names(struct test *t, const char *dir, struct arena *a)
{
	for (size_t i = 0; i < LEN(names); i++) {
		struct error err = { .code = ERR_NONE };
		struct str to = cell(names[i].csv, a);
		bool good = copy_data(dir, STR("TPUv2"), to, a) && render(dir, a, &err);
		test_ok(t, good, names[i].name);
		if (!good)
			printf("# %s: %s\n", err.pos.file ? err.pos.file : "", err.msg);
		struct str page = output(dir, "index.html", a);
		test_ok(t, contains(page, names[i].html), "it stands in the page, escaped");
		test_ok(t, !contains(page, "<script>alert"), "and is no element of it");
		test_ok(t, str_starts(output(dir, "report.pdf", a), STR("%PDF-")),
			"there is a PDF");
		clean(dir, a);
	}
	test_ok(t, !file_exists("/tmp/gpuguide-owned"), "no name was run");
}

/* Only the header of a file is left. */
static bool empty_file(const char *dir, const char *name, struct arena *a)
{
	struct error err = { .code = ERR_NONE };
	const char *path = path_in(dir, str_printf(a, "data/%s", name), a);
	struct str text;

	return file_read(path, 0, a, &text, &err)
	       && file_write(path, str_slice(text, 0, str_find(text, STR("\n"), 0) + 1), &err);
}

static void test_no_prices(struct test *t, const char *dir, struct arena *a)
{
	static const char *const files[] = { "prices.csv",	     "values.csv", "systems.csv",
					     "price_conditions.csv", "breakeven.csv",
					     "lens_moves.csv",	     "avoid.csv",  "upgrades.csv",
					     "picks.csv",	     "pick_removed.csv" };
	struct error err = { .code = ERR_NONE };
	bool good = copy_data(dir, STR("?"), STR("?"), a);

	for (size_t i = 0; i < LEN(files); i++)
		good &= empty_file(dir, files[i], a);
	test_ok(t, good && render(dir, a, &err), "an edition without any price");
	if (err.code != ERR_NONE)
		printf("# %s\n", err.msg);
	struct str page = output(dir, "index.html", a);
	test_ok(t, contains(page, "No device of this edition has a price"), "says so first");
	test_ok(t, contains(page, "No device of this edition has both a score and a price"),
		"and in the chapter of values");
	test_ok(t, !contains(page, ">nan") && !contains(page, ">NaN") && !contains(page, ">$0"),
		"nothing is counted as nought");
	test_ok(t, !contains(page, "id=\"frontier\"") && !contains(page, "id=\"systems\""),
		"chapters of costs are left out");
	clean(dir, a);
}

static void test_empty_class(struct test *t, const char *dir, struct arena *a)
{
	struct error err = { .code = ERR_NONE };
	const char *path = path_in(dir, STR("data/scores.csv"), a);
	struct str text;
	bool good =
	    copy_data(dir, STR("?"), STR("?"), a) && file_read(path, 0, a, &text, &err);

	if (good) {
		text = replaced(text,
				STR("RTX 2080 Ti,rnn-word,1,0.95,1.05,measured,,,,1,3,2,lab-two,,"
				    "fp32 fp16"),
				STR("RTX 2080 Ti,rnn-word,,,,excluded,,,,,,,,nobody measured it,"),
				a);
		text = replaced(text,
				STR("RTX 2070,rnn-word,0.7125,0.57,0.890625,scaled,RTX 2080 Ti,"
				    "linear bandwidth_gbs,25,,,,,,"),
				STR("RTX 2070,rnn-word,,,,excluded,,,,,,,,nobody measured it,"), a);
		good = file_write(path, text, &err) && empty_file(dir, "values.csv", a)
		       && render(dir, a, &err);
	}
	test_ok(t, good, "a class in which nothing has a score");
	if (err.code != ERR_NONE)
		printf("# %s\n", err.msg);
	test_ok(t, contains(output(dir, "index.html", a), "nobody measured it"),
		"the reason stands in the page");
	clean(dir, a);
}

/* Long tables break over pages and take their time in proportion. */
static void test_long(struct test *t, const char *dir, struct arena *a)
{
	enum { DEVICES = 2000 };
	struct strbuf scores = { .arena = a }, prices = { .arena = a };
	struct error err = { .code = ERR_NONE };
	bool good = copy_data(dir, STR("?"), STR("?"), a);

	strbuf_add(&scores, output(dir, "data/scores.csv", a));
	strbuf_add(&prices, output(dir, "data/prices.csv", a));
	/* the file is by class: further devices of the last one */
	for (int i = 0; i < DEVICES; i++) {
		strbuf_printf(&scores,
			      "Card %d,transformer,0.%04d,,,measured,,,,1,1,1,lab-one,,fp16\n", i,
			      i + 1);
		strbuf_printf(&prices, "Card %d,card,%d,,,amazon,1,2019-05-28,3,ok\n", i, 100 + i);
	}
	good = good
	       && file_write(path_in(dir, STR("data/scores.csv"), a), strbuf_str(&scores), &err)
	       && file_write(path_in(dir, STR("data/prices.csv"), a), strbuf_str(&prices), &err)
	       && render(dir, a, &err);
	test_ok(t, good, "two thousand devices");
	if (err.code != ERR_NONE)
		printf("# %s\n", err.msg);
	struct str page = output(dir, "index.html", a);
	test_ok(t, contains(page, ">Card 0<") && contains(page, ">Card 1999<"),
		"the first and the last stand in the appendix");
	clean(dir, a);
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };
	char dir[] = "/tmp/hostile_test_XXXXXX";

	if (!mkdtemp(dir)) {
		test_ok(&t, false, "a folder for the output");
		return test_done(&t);
	}
	test_names(&t, dir, &a);
	test_no_prices(&t, dir, &a);
	test_empty_class(&t, dir, &a);
	test_long(&t, dir, &a);
	clean(dir, &a);
	arena_free(&a);
	return test_done(&t);
}
