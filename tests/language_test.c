/* The shipped languages: each says what English says, with the same numbers; nothing that the
 * shipped data say is left untranslated. */
#include "report_dump.h"
#include "test.h"
#include "../analyze/analyze.h"
#include "../analyze/gates.h"
#include "../analyze/pick.h"
#include "../catalogue/claim_list.h"
#include "../catalogue/keyfile.h"
#include "../catalogue/text.h"
#include "../collect/collect.h"
#include "../render/build.h"
#include "../render/data.h"
#include "../base/file.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { LANGUAGES_MAX = 16, NUMBERS_MAX = 4096 };

struct languages {
	struct text_catalogue v[LANGUAGES_MAX]; /* English first */
	size_t n;
};

static bool read_languages(struct test *t, struct arena *a, struct languages *out)
{
	struct file_list files = { .n = 0 };
	struct error err = { .code = ERR_NONE };
	const struct str stem = STR("text."), ending = STR(".ini");

	out->n = 1;
	bool good = text_read("templates/text.en.ini", a, &out->v[0], &err)
		    && file_list("templates", ".ini", false, a, &files, NULL, &err);
	for (size_t i = 0; good && i < files.n && out->n < LANGUAGES_MAX; i++) {
		struct str name = files.v[i];
		if (!str_starts(name, stem) || str_eq(name, STR("text.en.ini")))
			continue;
		struct str tag = str_slice(name, stem.len, name.len - ending.len);
		good = text_read_language("templates", tag, a, &out->v[out->n++], &err);
		test_ok(t, good, str_c(a, name));
	}
	if (!good)
		error_print(stdout, &err);
	test_ok(t, good && out->n >= 3, "English, simplified and traditional Chinese");
	return good;
}

/* ---- the numbers of a text ---- */

struct numbers {
	long v[NUMBERS_MAX];
	size_t n;
};

static int compare_long(const void *x, const void *y)
{
	long a = *(const long *)x, b = *(const long *)y;

	return (a > b) - (a < b);
}

/* June is the 6 of "2016 年 6 月". */
static const struct str months[] = {
	STR_INIT("January"),   STR_INIT("February"), STR_INIT("March"),    STR_INIT("April"),
	STR_INIT("May"),       STR_INIT("June"),     STR_INIT("July"),     STR_INIT("August"),
	STR_INIT("September"), STR_INIT("October"),  STR_INIT("November"), STR_INIT("December"),
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Every run of digits as a number, in order of size; a decimal fraction is two, a date three. */
static void take_numbers(struct str s, struct numbers *out)
{
	out->n = 0;
	for (size_t i = 0; i < s.len && out->n < NUMBERS_MAX;) {
		struct str rest = str_slice(s, i, s.len);
		for (size_t m = 0; m < LEN(months); m++)
			if (str_starts(rest, months[m]))
				out->v[out->n++] = (long)m + 1;
		if (!is_digit(s.p[i])) {
			i++;
			continue;
		}
		long v = 0;
		for (; i < s.len && is_digit(s.p[i]); i++)
			v = v * 10 % 1000000007 + (s.p[i] - '0');
		out->v[out->n++] = v;
	}
	qsort(out->v, out->n, sizeof *out->v, compare_long);
}

static bool same_numbers(struct str x, struct str y)
{
	struct numbers a, b;

	take_numbers(x, &a);
	take_numbers(y, &b);
	return a.n == b.n && memcmp(a.v, b.v, a.n * sizeof *a.v) == 0;
}

/* The text of a message without the names of its arguments. */
static struct str without_names(struct arena *a, struct str s)
{
	struct strbuf b = { .arena = a };
	bool inside = false;

	for (size_t i = 0; i < s.len; i++) {
		if (s.p[i] == '{')
			inside = true;
		else if (s.p[i] == '}' || s.p[i] == '?')
			inside = false;
		else if (!inside)
			strbuf_addc(&b, s.p[i]);
	}
	return strbuf_str(&b);
}

/* Digits of a message are names and bounds: they are the same in every language. */
static void test_messages(struct test *t, struct arena *a, const struct languages *l)
{
	const struct str data = STR("data.");

	for (size_t k = 1; k < l->n; k++) {
		size_t bad = 0;
		for (size_t i = 0; i < l->v[k].n; i++) {
			const struct text_message *m = &l->v[k].v[i];
			const size_t *at = map_get(&l->v[0].by_key, m->key);
			struct str english =
			    at ? l->v[0].v[*at].text : str_slice(m->key, data.len, m->key.len);
			if (same_numbers(without_names(a, english), without_names(a, m->text)))
				continue;
			printf("# %s:%d: other numbers than in English\n", m->pos.file,
			       m->pos.line);
			bad++;
		}
		test_ok(t, bad == 0, "no message changes a number");
	}
}

/* ---- keys ---- */

/* Sections whose keys stand in analyze/ as they are. */
static bool is_analysis(struct str key)
{
	static const struct str sections[] = {
		STR_INIT("pick."),  STR_INIT("gate."),       STR_INIT("scale."),
		STR_INIT("score."), STR_INIT("claim."),      STR_INIT("score-note."),
		STR_INIT("money."), STR_INIT("multi-note."),
	};

	for (size_t i = 0; i < LEN(sections); i++)
		if (str_starts(key, sections[i]))
			return true;
	return false;
}

/* Marks every quoted key in a source; returns how many are no message. A branch that no data of
 * today reaches must not be the first to find that its words are missing. */
static size_t mark_keys(const struct text_catalogue *c, struct str source, const char *file,
			struct arena *a, bool *used)
{
	size_t unknown = 0;
	struct str piece;

	while (str_cut(&source, '"', &piece)) {
		const size_t *at = map_get(&c->by_key, piece);
		if (at)
			used[*at] = true;
		else if (is_analysis(piece) && str_find(piece, STR(" "), 0) == piece.len
			 && !str_ends(piece, STR(".h")) && !str_ends(piece, STR(".csv"))) {
			printf("# %s: no message '%s'\n", file, str_c(a, piece));
			unknown++;
		}
	}
	return unknown;
}

static void test_keys(struct test *t, struct arena *a, const struct text_catalogue *c)
{
	struct file_list files = { .n = 0 };
	struct error err = { .code = ERR_NONE };
	bool *used = arena_array(a, c->n, sizeof *used);
	size_t unknown = 0, unused = 0;

	bool good = file_list("analyze", ".c", false, a, &files, NULL, &err) && files.n > 40;
	for (size_t i = 0; good && i < files.n; i++) {
		const char *path = str_c(a, file_join(a, STR("analyze"), files.v[i]));
		struct str source;
		good = file_read(path, 0, a, &source, &err);
		if (good)
			unknown += mark_keys(c, source, path, a, used);
	}
	test_ok(t, good && unknown == 0, "every key in the analysis is a message");
	for (size_t i = 0; i < c->n; i++)
		if (is_analysis(c->v[i].key) && !used[i]) {
			printf("# %s:%d: nobody says that\n", c->file, c->v[i].pos.line);
			unused++;
		}
	test_ok(t, unused == 0, "and every message has somebody who says it");
}

static bool has(const struct text_catalogue *c, const char *section, struct str word,
		struct arena *a)
{
	const char *key = str_c(a, str_printf(a, "%s." STR_FMT, section, STR_ARG(word)));

	if (!text_has(c, key))
		printf("# %s is missing\n", key);
	return text_has(c, key);
}

/* Words of enums and of the catalogue of devices: each is a message. */
static void test_words(struct test *t, struct arena *a, const struct text_catalogue *c)
{
	struct devices devices;
	struct error err = { .code = ERR_NONE };
	bool good = devices_read("data", a, &devices, &err);

	for (int i = 0; i < CLASS_COUNT; i++)
		good = has(c, "class", class_name((enum class_id)i), a)
		       && has(c, "class-name", class_name((enum class_id)i), a) && good;
	for (int i = 0; i <= ORIGIN_EXCLUDED; i++)
		good = has(c, "origin", origin_name((enum origin)i), a) && good;
	for (int i = 0; i < GATE_COUNT; i++)
		good = has(c, "gate-name", gate_key((enum gate)i), a) && good;
	for (int i = PICK_FOUND; i <= PICK_NONE; i++)
		good = has(c, "pick-status", pick_status_name((enum pick_status)i), a) && good;
	for (int i = 0; i <= LENS_CLOUD; i++)
		good = has(c, "lens-name", lens_name((enum lens)i), a)
		       && has(c, "pick-cost", lens_name((enum lens)i), a) && good;
	for (int i = CONDITION_NEW; i <= CONDITION_USED; i++)
		good = has(c, "condition", persona_condition_name((enum persona_condition)i), a)
		       && good;
	for (unsigned flag = 1; flag <= PRICE_FLAG_PER_CHIP; flag <<= 1)
		good = has(c, "flag", price_flags_text(a, flag), a)
		       && has(c, "flag-name", price_flags_text(a, flag), a) && good;
	for (size_t i = 0; i < devices.n; i++)
		if (devices.v[i].cooling.len)
			good = has(c, "cooling", devices.v[i].cooling, a) && good;
	test_ok(t, good, "every word of an enum and every cooler has its message");
	for (int i = 0; i < CLASS_COUNT; i++) {
		struct str title;
		const char *key = str_c(
		    a, str_printf(a, "class." STR_FMT, STR_ARG(class_name((enum class_id)i))));
		text_plain(c, key, NULL, a, &title, &err);
		test_str(t, title, class_title((enum class_id)i),
			 "English names a class as the program does");
	}
}

/* ---- sentences of data files ---- */

struct sentences {
	struct str_list all; /* those that must be translated */
	struct strbuf files; /* all files that a translation may be of */
	size_t cap;
	struct arena *arena;
};

static void want(struct sentences *s, struct str text)
{
	s->all.v = arena_grow(s->arena, s->all.v, &s->cap, s->all.n + 1, sizeof *s->all.v);
	s->all.v[s->all.n++] = text;
}

static bool has_file(struct sentences *s, const char *path, struct error *err)
{
	struct str text;

	if (!file_read(path, 0, s->arena, &text, err))
		return false;
	strbuf_add(&s->files, text);
	return true;
}

/* A pick of the guide is a list of cards, which need no words, or has some. */
static bool has_words(struct str s)
{
	return str_find(s, STR(" with "), 0) < s.len || str_find(s, STR(" or "), 0) < s.len;
}

static bool is_sentence(const struct keyfile_pair *p)
{
	return str_eq(p->key, STR("title")) || str_eq(p->key, STR("asks"))
	       || str_ends(p->key, STR(".why")) || str_starts(p->key, STR("blower."))
	       || str_starts(p->key, STR("only_if.")) || str_eq(p->key, STR("summary"))
	       || str_starts(p->section, STR("notes"))
	       || (str_starts(p->key, STR("guide.")) && has_words(p->value));
}

static bool gather_ini(struct sentences *s, const char *path, struct error *err)
{
	struct keyfile f;

	if (!keyfile_read(path, s->arena, &f, err) || !has_file(s, path, err))
		return false;
	for (size_t i = 0; i < f.n; i++) {
		if (is_sentence(&f.v[i]))
			want(s, f.v[i].value);
		strbuf_addc(&s->files, '\n'); /* a long value stands there in pieces */
		strbuf_add(&s->files, f.v[i].value);
	}
	return true;
}

static bool gather(struct sentences *s, struct error *err)
{
	static const char *const inis[] = { "data/personas.ini", "editions/current.ini",
					    "editions/guide-2019-04.ini",
					    "editions/guide-2016-06.ini" };
	static const char *const others[] = { "data/claims.csv", "data/estimates.csv",
					      "data/series.csv", "data/system/electricity.csv" };
	struct claim_list claims;

	for (size_t i = 0; i < LEN(inis); i++)
		if (!gather_ini(s, inis[i], err))
			return false;
	for (size_t i = 0; i < LEN(others); i++)
		if (!has_file(s, others[i], err))
			return false;
	if (!claim_list_read("data", s->arena, &claims, err))
		return false;
	for (size_t i = 0; i < claims.n; i++) {
		want(s, claims.v[i].claim);
		want(s, claims.v[i].guide_value);
	}
	return true;
}

static void test_data(struct test *t, struct arena *a, const struct languages *l)
{
	struct sentences s = { .files.arena = a, .arena = a };
	struct error err = { .code = ERR_NONE };
	const struct str data = STR("data.");
	struct str out;

	test_ok(t, gather(&s, &err) && s.all.n > 150, "the sentences of the shipped data");
	for (size_t k = 1; k < l->n; k++) {
		const struct text_catalogue *c = &l->v[k];
		size_t missing = 0, surplus = 0;
		for (size_t i = 0; i < s.all.n; i++)
			if (!text_data(c, s.all.v[i], a, &out)) {
				const char *key =
				    str_c(a, str_printf(a, "data." STR_FMT, STR_ARG(s.all.v[i])));
				missing += !text_has(c, key);
				if (!text_has(c, key))
					printf("# not translated: " STR_FMT "\n",
					       STR_ARG(s.all.v[i]));
			}
		for (size_t i = 0; i < c->n; i++) {
			struct str english = str_slice(c->v[i].key, data.len, c->v[i].key.len);
			if (!str_starts(c->v[i].key, data)
			    || str_find(strbuf_str(&s.files), english, 0) < s.files.len)
				continue;
			printf("# %s:%d: no data file says that\n", c->file, c->v[i].pos.line);
			surplus++;
		}
		test_ok(t, missing == 0, "all are translated");
		test_ok(t, surplus == 0, "and no others");
	}
}

/* ---- whole reports ---- */

static struct str dump(const struct report_data *d, const struct text_catalogue *c, struct arena *a,
		       struct error *err)
{
	struct report r = { .language = c->language,
			    .generator = STR("gpuguide test"),
			    .edition_id = STR("id"),
			    .arena = a };

	return report_build(d, c, &r, err) ? report_dump(&r, a) : STR("");
}

/* What is cut to a length holds other numbers where the words are shorter. */
static bool is_cut(struct str line)
{
	return str_find(line, STR("…"), 0) < line.len;
}

static void compare(struct test *t, struct str english, struct str other, const char *name)
{
	struct str x = english, y = other, line, own;
	size_t bad = 0, n = 0;
	bool more_x, more_y;

	for (;; n++) {
		more_x = str_cut(&x, '\n', &line);
		more_y = str_cut(&y, '\n', &own);
		if (!more_x || !more_y)
			break;
		if (is_cut(line) || is_cut(own) || same_numbers(line, own))
			continue;
		if (bad++ < 5)
			printf("# " STR_FMT "\n# " STR_FMT "\n", STR_ARG(line), STR_ARG(own));
	}
	test_ok(t, more_x == more_y && n > 300, "as many lines");
	test_ok(t, bad == 0, name);
}

/* Collects and analyses the shipped data as of the edition's date. */
static bool analysed(const char *edition_file, const char *date, const char *dir, struct arena *a,
		     struct error *err)
{
	static const char *const paths[] = { "data/contributions" };
	struct devices devices;
	struct edition edition;
	struct prices prices;
	struct messages messages = { .arena = a };
	struct collect_summary sum;

	if (!devices_read("data", a, &devices, err)
	    || !edition_read(edition_file, &devices, a, &edition, err)
	    || !prices_read("data", &devices, a, &prices, &messages, err)
	    || !date_parse(str_of(date), &edition.date))
		return false;
	struct collect_options collect = { "data", dir, paths, 1, &edition, NULL, 0, 0 };
	struct analyze_options analyze = { .data_dir = "data",
					   .out_dir = dir,
					   .edition = &edition,
					   .refused_prices = &messages,
					   .templates_dir = "templates",
					   .previous_date = { INT_MIN } };
	return collect_run(&collect, &devices, a, &messages, &sum, err)
	       && analyze_run(&analyze, &devices, &prices, a, &messages, err);
}

static void test_reports(struct test *t, const struct languages *l, const char *edition,
			 const char *date)
{
	struct arena a = { 0 };
	struct error err = { .code = ERR_NONE };
	struct report_data d;
	char dir[] = "/tmp/gpuguide-test-XXXXXX";
	bool good = mkdtemp(dir) && file_make_dirs(str_c(&a, str_printf(&a, "%s/data", dir)), &err)
		    && analysed(edition, date, dir, &a, &err)
		    && data_read(str_printf(&a, "%s/data", dir), &a, &d, &err);

	test_ok(t, good, edition);
	struct str english = good ? dump(&d, &l->v[0], &a, &err) : STR("");
	for (size_t k = 1; good && k < l->n; k++)
		compare(t, english, dump(&d, &l->v[k], &a, &err),
			"every line has the same numbers");
	test_ok(t, err.code == ERR_NONE, "without a fault");
	if (err.code)
		error_print(stdout, &err);
	file_remove_tree(dir, &err);
	arena_free(&a);
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };
	struct languages l;

	if (read_languages(&t, &a, &l)) {
		test_keys(&t, &a, &l.v[0]);
		test_words(&t, &a, &l.v[0]);
		test_messages(&t, &a, &l);
		test_data(&t, &a, &l);
		test_reports(&t, &l, "editions/current.ini", "2025-06-30");
		test_reports(&t, &l, "editions/guide-2019-04.ini", "2019-05-31");
	}
	arena_free(&a);
	return test_done(&t);
}
