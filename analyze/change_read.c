/* Reads an edition's folder back, trusting none of it: change.h says what is checked. */
#include "change.h"
#include "seal.h"

#include "../base/csv_read.h"
#include "../base/file.h"
#include "../catalogue/class.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What is read into where. */
struct reading {
	const char *dir;
	struct arena *arena;
	struct change_edition *e;
};

struct score_record {
	struct str device, class, origin, anchor, predictor, reason;
	double score;
	int machines;
	struct pos pos;
};

static const struct csv_field score_fields[] = {
	{ "device", CSV_TEXT, true, offsetof(struct score_record, device) },
	{ "class", CSV_TEXT, true, offsetof(struct score_record, class) },
	{ "score", CSV_NUMBER, false, offsetof(struct score_record, score) },
	{ "origin", CSV_TEXT, true, offsetof(struct score_record, origin) },
	{ "anchor", CSV_TEXT, false, offsetof(struct score_record, anchor) },
	{ "predictor", CSV_TEXT, false, offsetof(struct score_record, predictor) },
	{ "machines", CSV_COUNT, false, offsetof(struct score_record, machines) },
	{ "reason", CSV_TEXT, false, offsetof(struct score_record, reason) },
};

struct value_record {
	struct str device, class, lens, status;
	double cost_usd;
	int rank;
	struct pos pos;
};

static const struct csv_field value_fields[] = {
	{ "device", CSV_TEXT, true, offsetof(struct value_record, device) },
	{ "class", CSV_TEXT, true, offsetof(struct value_record, class) },
	{ "lens", CSV_TEXT, true, offsetof(struct value_record, lens) },
	{ "cost_usd", CSV_NUMBER, false, offsetof(struct value_record, cost_usd) },
	{ "rank", CSV_COUNT, false, offsetof(struct value_record, rank) },
	{ "status", CSV_TEXT, false, offsetof(struct value_record, status) },
};

struct price_record {
	struct str device, lens, markets, status;
};

static const struct csv_field price_fields[] = {
	{ "device", CSV_TEXT, true, offsetof(struct price_record, device) },
	{ "lens", CSV_TEXT, true, offsetof(struct price_record, lens) },
	{ "markets", CSV_TEXT, false, offsetof(struct price_record, markets) },
	{ "status", CSV_TEXT, false, offsetof(struct price_record, status) },
};

static const struct csv_field setting_fields[] = {
	{ "key", CSV_TEXT, true, offsetof(struct change_setting, key) },
	{ "value", CSV_TEXT, true, offsetof(struct change_setting, value) },
};

static const struct csv_field input_fields[] = {
	{ "path", CSV_TEXT, true, offsetof(struct change_input, path) },
	{ "sha256", CSV_TEXT, true, offsetof(struct change_input, sha256) },
};

static const char *path_of(const struct reading *r, const char *name)
{
	return str_c(r->arena, file_join(r->arena, str_of(r->dir), str_of(name)));
}

/* Records know their line; where one is at fault the file is looked at again for the column. */
static struct pos cell_pos(const struct reading *r, struct pos row, const char *column)
{
	struct csv_table t;
	struct error ignored = { 0 };

	if (!csv_read(row.file, r->arena, &t, &ignored))
		return row;
	for (size_t i = 0; i < t.n; i++)
		if (t.rows[i].line == row.line)
			return csv_cell(&t, &t.rows[i], csv_column(&t, str_of(column))).pos;
	return row;
}

static struct str card_key(struct arena *a, struct str device, struct str class)
{
	return str_printf(a, STR_FMT "\n" STR_FMT, STR_ARG(device), STR_ARG(class));
}

static bool check_score(const struct reading *r, const struct score_record *s, struct error *err)
{
	enum origin origin;
	enum class_id class;

	if (!class_parse(s->class, &class))
		return error_at(err, ERR_UNKNOWN, cell_pos(r, s->pos, "class"),
				"class: '" STR_FMT "' is not a class", STR_ARG(s->class));
	if (!origin_parse(s->origin, &origin))
		return error_at(err, ERR_UNKNOWN, cell_pos(r, s->pos, "origin"),
				"origin: '" STR_FMT
				"' is not measured, scaled, estimated or excluded",
				STR_ARG(s->origin));
	if (!isnan(s->score) && !(s->score > 0 && isfinite(s->score)))
		return error_at(err, ERR_RANGE, cell_pos(r, s->pos, "score"),
				"score: %g is not above 0", s->score);
	if (isnan(s->score) != (origin == ORIGIN_EXCLUDED))
		return error_at(err, ERR_DATA, cell_pos(r, s->pos, "score"),
				"score: %s, but origin says " STR_FMT,
				isnan(s->score) ? "there is none" : "there is one",
				STR_ARG(s->origin));
	return true;
}

static void note_class(struct change_edition *e, struct str class, struct arena *a)
{
	for (size_t i = 0; i < e->nclasses; i++)
		if (str_eq(e->classes[i], class))
			return;
	struct str *grown = arena_array(a, e->nclasses + 1, sizeof *grown);
	for (size_t i = 0; i < e->nclasses; i++)
		grown[i] = e->classes[i];
	grown[e->nclasses++] = class;
	e->classes = grown;
}

static bool read_scores(const struct reading *r, struct error *err)
{
	struct change_edition *e = r->e;
	void *records;
	size_t n;

	if (!csv_read_records(path_of(r, "data/scores.csv"), score_fields, LEN(score_fields),
			      sizeof(struct score_record), offsetof(struct score_record, pos),
			      r->arena, &records, &n, err))
		return false;
	const struct score_record *s = records;
	e->cards = arena_array(r->arena, n, sizeof *e->cards);
	e->by_key.arena = r->arena;
	for (size_t i = 0; i < n; i++) {
		bool fresh;

		if (!check_score(r, &s[i], err))
			return false;
		map_put(&e->by_key, card_key(r->arena, s[i].device, s[i].class), i, &fresh);
		if (!fresh)
			return error_at(err, ERR_DATA, cell_pos(r, s[i].pos, "device"),
					"device: '" STR_FMT "' stands in class " STR_FMT " twice",
					STR_ARG(s[i].device), STR_ARG(s[i].class));
		note_class(e, s[i].class, r->arena);
		e->cards[i] =
		    (struct change_card){ .device = s[i].device,
					  .class = s[i].class,
					  .origin = s[i].origin,
					  .anchor = s[i].anchor,
					  .predictor = s[i].predictor,
					  .why_none = isnan(s[i].score) ? s[i].reason : STR(""),
					  .score = s[i].score,
					  .cost_usd = NAN,
					  .machines = s[i].machines,
					  .pos = s[i].pos };
	}
	e->ncards = n;
	return true;
}

static bool take_value(const struct reading *r, const struct value_record *v, bool *seen,
		       struct error *err)
{
	const size_t *at = map_get(&r->e->by_key, card_key(r->arena, v->device, v->class));

	if (!at)
		return error_at(err, ERR_DATA, cell_pos(r, v->pos, "device"),
				"device: '" STR_FMT
				"' has no line in scores.csv for class " STR_FMT,
				STR_ARG(v->device), STR_ARG(v->class));
	struct change_card *card = &r->e->cards[*at];
	if (seen[*at])
		return error_at(err, ERR_DATA, cell_pos(r, v->pos, "device"),
				"device: '" STR_FMT "' stands in class " STR_FMT
				" and lens " STR_FMT " twice",
				STR_ARG(v->device), STR_ARG(v->class), STR_ARG(v->lens));
	seen[*at] = true;
	if (!isnan(v->cost_usd) && !(v->cost_usd > 0 && isfinite(v->cost_usd)))
		return error_at(err, ERR_RANGE, cell_pos(r, v->pos, "cost_usd"),
				"cost_usd: %g is not above 0", v->cost_usd);
	if (v->rank == 0 || (v->rank > 0 && (isnan(v->cost_usd) || isnan(card->score))))
		return error_at(err, ERR_DATA, cell_pos(r, v->pos, "rank"), "rank: %d, %s", v->rank,
				v->rank ? "but the card has no score or no cost"
					: "but ranks count from 1");
	card->cost_usd = v->cost_usd;
	card->rank = v->rank > 0 ? v->rank : 0;
	card->value_status = v->status;
	return true;
}

static bool read_values(const struct reading *r, struct error *err)
{
	const char *path = path_of(r, "data/values.csv");
	bool *seen = arena_array(r->arena, r->e->ncards, sizeof *seen), any = false;
	void *records;
	size_t n;

	if (!csv_read_records(path, value_fields, LEN(value_fields), sizeof(struct value_record),
			      offsetof(struct value_record, pos), r->arena, &records, &n, err))
		return false;
	const struct value_record *v = records;
	for (size_t i = 0; i < n; i++) {
		if (!str_eq(v[i].lens, r->e->lens))
			continue;
		any = true;
		if (!take_value(r, &v[i], seen, err))
			return false;
	}
	return any
	       || error_at(err, ERR_DATA, (struct pos){ path, 1, 0 },
			   "lens: no row of lens " STR_FMT, STR_ARG(r->e->lens));
}

static void take_price(const struct reading *r, const struct price_record *p, struct str card_lens)
{
	struct change_edition *e = r->e;

	for (size_t c = 0; c < e->nclasses; c++) {
		const size_t *at =
		    map_get(&e->by_key, card_key(r->arena, p->device, e->classes[c]));
		if (at && str_eq(p->lens, card_lens))
			e->cards[*at].markets = p->markets;
		if (at && str_eq(p->lens, e->lens))
			e->cards[*at].price_status = p->status;
	}
}

/* Only the markets and the status are wanted from here: the cost stands in values.csv. */
static bool read_prices(const struct reading *r, struct error *err)
{
	struct str lens = str_eq(r->e->lens, STR("cloud")) ? r->e->lens : STR("card");
	void *records;
	size_t n;

	if (!csv_read_records(path_of(r, "data/prices.csv"), price_fields, LEN(price_fields),
			      sizeof(struct price_record), SIZE_MAX, r->arena, &records, &n, err))
		return false;
	const struct price_record *p = records;
	for (size_t i = 0; i < n; i++)
		take_price(r, &p[i], lens);
	return true;
}

struct str change_setting(const struct change_edition *e, struct str key)
{
	for (size_t i = 0; i < e->nsettings; i++)
		if (str_eq(e->settings[i].key, key))
			return e->settings[i].value;
	return STR("");
}

/* The classes in the edition's own order come first; one that only scores.csv has stays behind
 * them. */
static bool order_classes(const struct reading *r, struct pos pos, struct error *err)
{
	struct change_edition *e = r->e;
	struct str rest = change_setting(e, STR("classes")), piece, *found = e->classes;
	size_t nfound = e->nclasses;
	enum class_id known;

	e->classes = NULL;
	e->nclasses = 0;
	while (str_cut(&rest, ',', &piece)) {
		if (!class_parse(str_trim(piece), &known))
			return error_at(err, ERR_UNKNOWN, pos,
					"classes: '" STR_FMT "' is not a class",
					STR_ARG(str_trim(piece)));
		note_class(e, str_trim(piece), r->arena);
	}
	for (size_t i = 0; i < nfound; i++)
		note_class(e, found[i], r->arena);
	return true;
}

static bool check_settings(const struct reading *r, const char *path, struct error *err)
{
	static const char *const needed[] = { "date", "reference", "classes" };
	const struct change_edition *e = r->e;
	struct map by_key = { .arena = r->arena };

	for (size_t i = 0; i < e->nsettings; i++) {
		bool fresh;
		size_t first = *map_put(&by_key, e->settings[i].key, i, &fresh);

		if (!fresh)
			return error_at(err, ERR_DATA, cell_pos(r, e->settings[i].pos, "key"),
					"key: '" STR_FMT "' stands in line %d already",
					STR_ARG(e->settings[i].key), e->settings[first].pos.line);
	}
	for (size_t i = 0; i < LEN(needed); i++)
		if (change_setting(e, str_of(needed[i])).len == 0)
			return error_at(err, ERR_DATA, (struct pos){ path, 1, 0 },
					"key: no line '%s'", needed[i]);
	return true;
}

static bool read_settings(const struct reading *r, struct error *err)
{
	struct change_edition *e = r->e;
	const char *path = path_of(r, "data/edition.csv");
	void *records;

	if (!csv_read_records(path, setting_fields, LEN(setting_fields),
			      sizeof(struct change_setting), offsetof(struct change_setting, pos),
			      r->arena, &records, &e->nsettings, err))
		return false;
	e->settings = records;
	if (!check_settings(r, path, err))
		return false;
	for (size_t i = 0; i < e->nsettings; i++) {
		const struct change_setting *s = &e->settings[i];

		if (str_eq(s->key, STR("date")) && !date_parse(s->value, &e->date))
			return error_at(err, ERR_SYNTAX, cell_pos(r, s->pos, "value"),
					"date: '" STR_FMT "' is not a date YYYY-MM-DD",
					STR_ARG(s->value));
		if (str_eq(s->key, STR("classes"))
		    && !order_classes(r, cell_pos(r, s->pos, "value"), err))
			return false;
	}
	return true;
}

static int by_path(const void *pa, const void *pb)
{
	const struct change_input *a = pa, *b = pb;

	return str_cmp(a->path, b->path);
}

/* What the edition was made from: the paths "input:PATH" of its MANIFEST. */
static void take_inputs(const struct reading *r, const struct seal *seal)
{
	static const struct str mark = STR_INIT("input:");
	struct change_edition *e = r->e;

	e->inputs = arena_array(r->arena, seal->n, sizeof *e->inputs);
	for (size_t i = 0; i < seal->n; i++)
		if (str_starts(seal->v[i].path, mark))
			e->inputs[e->ninputs++] =
			    (struct change_input){ str_slice(seal->v[i].path, mark.len,
							     seal->v[i].path.len),
						   seal->v[i].sha256 };
}

/* An edition that is still being made has its list of inputs, but no MANIFEST yet. */
static bool read_inputs(const struct reading *r, const struct seal *seal, struct error *err)
{
	struct change_edition *e = r->e;
	const char *list = path_of(r, "data/inputs.csv");
	void *records;

	if (seal->file) {
		take_inputs(r, seal);
	} else if (file_exists(list)) {
		if (!csv_read_records(list, input_fields, LEN(input_fields),
				      sizeof(struct change_input), SIZE_MAX, r->arena, &records,
				      &e->ninputs, err))
			return false;
		e->inputs = records;
	}
	e->has_inputs = e->ninputs > 0;
	if (e->ninputs)
		qsort(e->inputs, e->ninputs, sizeof *e->inputs, by_path);
	for (size_t i = 1; i < e->ninputs; i++)
		if (str_eq(e->inputs[i].path, e->inputs[i - 1].path))
			return error_at(err, ERR_DATA, (struct pos){ r->dir, 0, 0 },
					"input '" STR_FMT "' is listed twice",
					STR_ARG(str_plain(r->arena, e->inputs[i].path)));
	return true;
}

/* Where the program's version stands: the small file, or in older editions the large one. */
static const struct program_place {
	const char *file;
	struct str key;
} program_places[] = {
	{ "summary.json", STR_INIT("\"program\": \"") },
	{ "report.json", STR_INIT("\"generator\": \"") },
};

static const struct program_place *program_place(const struct reading *r)
{
	return &program_places[!file_exists(path_of(r, program_places[0].file))];
}

/* The word of the program; an edition without such a file, or without the word, does not say. */
static bool read_program(const struct reading *r, struct error *err)
{
	const struct program_place *place = program_place(r);
	const char *path = path_of(r, place->file);
	struct str text;

	if (!file_exists(path))
		return true;
	if (!file_read(path, 0, r->arena, &text, err))
		return false;
	size_t from = str_find(text, place->key, 0) + place->key.len;
	r->e->program = str_slice(text, from, str_find(text, STR("\""), from));
	return true;
}

/* "out/2019-05-31/" is 2019-05-31. */
static struct str folder_name(struct str path)
{
	size_t from;

	while (path.len > 1 && path.p[path.len - 1] == '/')
		path.len--;
	for (from = path.len; from > 0 && path.p[from - 1] != '/';)
		from--;
	return from < path.len ? str_slice(path, from, path.len) : path;
}

bool change_read_edition(const char *dir, struct str lens, struct arena *a,
			 struct change_edition *out, struct error *err)
{
	struct reading r = { dir, a, out };
	const char *const files[] = { "data/scores.csv", "data/edition.csv", "data/values.csv",
				      "data/prices.csv", program_place(&r)->file };
	struct seal seal;

	*out = (struct change_edition){ .lens = lens,
					.date = { INT_MIN },
					.name = str_plain(a, folder_name(str_of(dir))) };
	if (!file_is_dir(dir))
		return error_set(err, ERR_ENVIRONMENT, "%s: not a folder, so no edition", dir);
	return seal_read(dir, a, &seal, err) && seal_check(&seal, files, LEN(files), err)
	       && read_scores(&r, err) && read_settings(&r, err) && read_values(&r, err)
	       && read_prices(&r, err) && read_inputs(&r, &seal, err) && read_program(&r, err);
}
