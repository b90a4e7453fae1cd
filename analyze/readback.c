#include "readback.h"
#include "seal.h"

#include "../base/csv_read.h"
#include "../base/file.h"
#include "../base/map.h"
#include "../base/num.h"

#include <dirent.h>
#include <limits.h>
#include <math.h>

/* One file being read. */
struct reader {
	const char *dir;
	const struct devices *devices;
	struct arena *arena;
	struct readback *out;
	struct error *err;
};

/* A column of our own files that holds a word, and its row. */
struct cell_at {
	const char *column;
	struct str text;
	struct pos pos;
};

static const char *data_path(const struct reader *r, const char *name)
{
	struct str data = file_join(r->arena, str_of(r->dir), STR("data"));

	return str_c(r->arena, file_join(r->arena, data, str_of(name)));
}

static bool bad_word(const struct reader *r, const struct cell_at *c, const char *why)
{
	return error_at(r->err, ERR_UNKNOWN, c->pos, "%s: '" STR_FMT "' %s", c->column,
			STR_ARG(c->text), why);
}

static bool parse_device(const struct reader *r, struct str text, struct pos pos, size_t *out)
{
	*out = device_index(r->devices, text);
	return *out < r->devices->n
	       || bad_word(r, &(struct cell_at){ "device", text, pos }, "is not in the catalogue");
}

static bool parse_class(const struct reader *r, struct str text, struct pos pos, enum class_id *out)
{
	return class_parse(text, out)
	       || bad_word(r, &(struct cell_at){ "class", text, pos }, "is not a class");
}

static bool parse_lens(const struct reader *r, struct str text, struct pos pos, enum lens *out)
{
	return lens_parse(text, out)
	       || bad_word(r, &(struct cell_at){ "lens", text, pos }, "is not a lens");
}

/* "stale single-source" to bits: the words are those that price_flags_text() gives for one bit. */
static bool parse_flags(const struct reader *r, const char *column, struct str text, struct pos pos,
			unsigned *out)
{
	struct str rest = text, word;

	*out = 0;
	while (str_cut(&rest, ' ', &word)) {
		unsigned bit = 0;
		if (word.len == 0 || str_eq(word, STR("ok")))
			continue;
		while (bit < sizeof(unsigned) * CHAR_BIT
		       && !str_eq(word, price_flags_text(r->arena, 1u << bit)))
			bit++;
		if (bit == sizeof(unsigned) * CHAR_BIT)
			return bad_word(r, &(struct cell_at){ column, word, pos }, "is not known");
		*out |= 1u << bit;
	}
	return true;
}

/* Text of a file that anybody may have touched: it must reach no terminal as it is. */
static struct str plain(const struct reader *r, struct str s)
{
	return str_plain(r->arena, s);
}

/* Far beyond any score or cost, and no product or quotient of two of them overflows. */
static const double least = 1e-12, most = 1e12;

/* A number that must be above 0 with an interval around it, or is missing. */
static bool check_range(const struct reader *r, const char *column, double v, double low,
			double high, struct pos pos)
{
	if (!isnan(v) && !(v > 0))
		return error_at(r->err, ERR_RANGE, pos, "%s: %g is not above 0", column, v);
	if (v < least || v > most || low < least || high > most)
		return error_at(r->err, ERR_RANGE, pos, "%s: a number is not from %g to %g", column,
				least, most);
	if ((!isnan(low) && !(low > 0 && low <= v)) || (!isnan(high) && !(high >= v)))
		return error_at(r->err, ERR_RANGE, pos, "%s: %g is not between low %g and high %g",
				column, v, low, high);
	return true;
}

/* Two rows for the same thing: which of them counts would be chance. */
static bool check_once(const struct reader *r, struct map *seen, size_t device, int kind,
		       struct pos pos)
{
	bool fresh;

	map_put(seen, str_printf(r->arena, "%zu %d", device, kind), (size_t)pos.line, &fresh);
	return fresh
	       || error_at(r->err, ERR_DATA, pos, "the device stands here once more for the same");
}

struct setting {
	struct str key, value;
	struct pos pos;
};

static const struct csv_field setting_fields[] = {
	{ "key", CSV_TEXT, true, offsetof(struct setting, key) },
	{ "value", CSV_TEXT, false, offsetof(struct setting, value) },
};

static bool set_classes(const struct reader *r, const struct setting *s)
{
	struct edition *e = &r->out->edition;
	struct str rest = s->value, item;

	while (str_cut(&rest, ',', &item)) {
		if (e->nclasses == CLASS_COUNT)
			return error_at(r->err, ERR_SYNTAX, s->pos, "classes: more than there are");
		if (!parse_class(r, str_trim(item), s->pos, &e->classes[e->nclasses++].id))
			return false;
	}
	return true;
}

static bool set_setting(const struct reader *r, const struct setting *s)
{
	struct edition *e = &r->out->edition;

	if (str_eq(s->key, STR("name")))
		e->name = plain(r, s->value);
	else if (str_eq(s->key, STR("title")))
		e->title = plain(r, s->value);
	else if (str_eq(s->key, STR("reference")))
		e->reference = plain(r, s->value);
	else if (str_eq(s->key, STR("classes")))
		return set_classes(r, s);
	else if (str_eq(s->key, STR("date")) && !date_parse(s->value, &e->date))
		return error_at(r->err, ERR_SYNTAX, s->pos,
				"date: '" STR_FMT "' is not a date YYYY-MM-DD", STR_ARG(s->value));
	else if (str_eq(s->key, STR("stale_days")) && !num_parse_int(s->value, &e->stale_days))
		return error_at(r->err, ERR_SYNTAX, s->pos,
				"stale_days: '" STR_FMT "' is not a whole number",
				STR_ARG(s->value));
	return true;
}

static bool read_edition(const struct reader *r)
{
	const char *path = data_path(r, "edition.csv");
	void *records;
	size_t n;

	r->out->edition = (struct edition){ .date.day = INT_MIN };
	if (!csv_read_records(path, setting_fields, LEN(setting_fields), sizeof(struct setting),
			      offsetof(struct setting, pos), r->arena, &records, &n, r->err))
		return false;
	const struct setting *s = records;
	for (size_t i = 0; i < n; i++)
		if (!set_setting(r, &s[i]))
			return false;
	if (r->out->edition.date.day == INT_MIN || r->out->edition.nclasses == 0)
		return error_at(r->err, ERR_SYNTAX, (struct pos){ path, 0, 0 },
				"the keys date and classes are needed");
	return true;
}

/* The reason is taken in English: the terminal speaks no other language. */
struct score_record {
	struct str device, class, origin, reason;
	struct score s;
	struct pos pos;
};

#define SCORE(member) (offsetof(struct score_record, s) + offsetof(struct score, member))
static const struct csv_field score_fields[] = {
	{ "device", CSV_TEXT, true, offsetof(struct score_record, device) },
	{ "class", CSV_TEXT, true, offsetof(struct score_record, class) },
	{ "score", CSV_NUMBER, false, SCORE(score) },
	{ "low", CSV_NUMBER, false, SCORE(low) },
	{ "high", CSV_NUMBER, false, SCORE(high) },
	{ "origin", CSV_TEXT, true, offsetof(struct score_record, origin) },
	{ "anchor", CSV_TEXT, false, SCORE(anchor) },
	{ "predictor", CSV_TEXT, false, SCORE(predictor) },
	{ "error_pct", CSV_NUMBER, false, SCORE(error_pct) },
	{ "machines", CSV_COUNT, false, SCORE(machines) },
	{ "runs", CSV_COUNT, false, SCORE(runs) },
	{ "workloads", CSV_COUNT, false, SCORE(workloads) },
	{ "series", CSV_TEXT, false, SCORE(series) },
	{ "reason", CSV_TEXT, false, offsetof(struct score_record, reason) },
	{ "precisions", CSV_TEXT, false, SCORE(precisions) },
	{ "peer_low", CSV_NUMBER, false, SCORE(peer_low) },
	{ "peer_high", CSV_NUMBER, false, SCORE(peer_high) },
	{ "trust", CSV_TEXT, false, SCORE(trust) },
};

static bool take_score(const struct reader *r, const struct score_record *rec, struct score *out)
{
	*out = rec->s;
	out->anchor = plain(r, out->anchor);
	out->predictor = plain(r, out->predictor);
	out->series = plain(r, out->series);
	out->reason = rec->reason.len ? say_plain(r->arena, plain(r, rec->reason))
				      : (struct say){ STR("") };
	out->precisions = plain(r, out->precisions);
	out->trust = plain(r, out->trust);
	out->machines = out->machines < 0 ? 0 : out->machines;
	out->runs = out->runs < 0 ? 0 : out->runs;
	out->workloads = out->workloads < 0 ? 0 : out->workloads;
	if (!parse_device(r, rec->device, rec->pos, &out->device)
	    || !parse_class(r, rec->class, rec->pos, &out->class))
		return false;
	if (!origin_parse(rec->origin, &out->origin))
		return bad_word(r, &(struct cell_at){ "origin", rec->origin, rec->pos },
				"is not an origin");
	if (out->origin != ORIGIN_EXCLUDED && isnan(out->score))
		return error_at(r->err, ERR_RANGE, rec->pos,
				"score: the cell of a " STR_FMT " score is empty",
				STR_ARG(rec->origin));
	return check_range(r, "score", out->score, out->low, out->high, rec->pos)
	       && check_range(r, "score", out->score, out->peer_low, out->peer_high, rec->pos);
}

static bool read_scores(const struct reader *r)
{
	void *records;
	size_t n;

	if (!csv_read_records(data_path(r, "scores.csv"), score_fields, LEN(score_fields),
			      sizeof(struct score_record), offsetof(struct score_record, pos),
			      r->arena, &records, &n, r->err))
		return false;
	const struct score_record *rec = records;
	r->out->scores = (struct scores){ arena_array(r->arena, n, sizeof(struct score)), n };
	struct map seen = { .arena = r->arena };
	for (size_t i = 0; i < n; i++) {
		struct score *s = &r->out->scores.v[i];
		if (!take_score(r, &rec[i], s)
		    || !check_once(r, &seen, s->device, (int)s->class, rec[i].pos))
			return false;
	}
	return true;
}

/* A row of prices.csv or, with a condition in the place of the lens, of price_conditions.csv. */
struct price_record {
	struct str device, kind, status;
	struct card_price p;
	struct pos pos;
};

#define PRICE(member) (offsetof(struct price_record, p) + offsetof(struct card_price, member))
static const struct csv_field price_fields[] = {
	{ "lens", CSV_TEXT, true,
	  offsetof(struct price_record, kind) }, /* renamed for conditions */
	{ "device", CSV_TEXT, true, offsetof(struct price_record, device) },
	{ "price_usd", CSV_NUMBER, false, PRICE(price_usd) },
	{ "low", CSV_NUMBER, false, PRICE(low) },
	{ "high", CSV_NUMBER, false, PRICE(high) },
	{ "markets", CSV_TEXT, false, PRICE(markets) },
	{ "observations", CSV_COUNT, false, PRICE(observations) },
	{ "newest_date", CSV_DATE, false, PRICE(newest_date) },
	{ "age_days", CSV_COUNT, false, PRICE(age_days) },
	{ "status", CSV_TEXT, true, offsetof(struct price_record, status) },
};

static bool read_price_records(const struct reader *r, const char *name, const char *kind,
			       const struct price_record **out, size_t *n)
{
	struct csv_field fields[LEN(price_fields)];
	void *records;

	for (size_t i = 0; i < LEN(fields); i++)
		fields[i] = price_fields[i];
	fields[0].name = kind;
	if (!csv_read_records(data_path(r, name), fields, LEN(fields), sizeof(struct price_record),
			      offsetof(struct price_record, pos), r->arena, &records, n, r->err))
		return false;
	*out = records;
	return true;
}

static bool take_price(const struct reader *r, const struct price_record *rec,
		       struct card_price *out)
{
	*out = rec->p;
	out->markets = plain(r, out->markets);
	if (!parse_device(r, rec->device, rec->pos, &out->device)
	    || !parse_flags(r, "status", rec->status, rec->pos, &out->flags)
	    || !check_range(r, "price_usd", out->price_usd, out->low, out->high, rec->pos))
		return false;
	if (!isnan(out->price_usd) && (out->newest_date.day == INT_MIN || out->age_days < 0))
		return error_at(r->err, ERR_RANGE, rec->pos,
				"newest_date, age_days: a price without its date");
	return true;
}

static bool read_prices(const struct reader *r)
{
	const struct price_record *rec;
	struct card_prices *out = &r->out->prices;
	size_t n;

	if (!read_price_records(r, "prices.csv", "lens", &rec, &n))
		return false;
	*out = (struct card_prices){ .v = arena_array(r->arena, n, sizeof *out->v), .n = n };
	struct map seen = { .arena = r->arena };
	for (size_t i = 0; i < n; i++)
		if (!take_price(r, &rec[i], &out->v[i])
		    || !parse_lens(r, rec[i].kind, rec[i].pos, &out->v[i].lens)
		    || !check_once(r, &seen, out->v[i].device, (int)out->v[i].lens, rec[i].pos))
			return false;
	return true;
}

static bool read_conditions(const struct reader *r)
{
	const struct price_record *rec;
	struct price_conditions *out = &r->out->conditions;
	size_t n;

	if (!file_exists(data_path(r, "price_conditions.csv")))
		return true;
	if (!read_price_records(r, "price_conditions.csv", "condition", &rec, &n))
		return false;
	*out = (struct price_conditions){ .v = arena_array(r->arena, n, sizeof *out->v), .n = n };
	struct map seen = { .arena = r->arena };
	for (size_t i = 0; i < n; i++) {
		if (!take_price(r, &rec[i], &out->v[i].price))
			return false;
		if (!price_condition_parse(rec[i].kind, &out->v[i].condition))
			return bad_word(r,
					&(struct cell_at){ "condition", rec[i].kind, rec[i].pos },
					"is not a condition");
		out->v[i].price.lens = LENS_CARD;
		if (!check_once(r, &seen, out->v[i].price.device, (int)out->v[i].condition,
				rec[i].pos))
			return false;
	}
	return true;
}

struct system_record {
	struct str device, flags;
	struct system s;
	struct pos pos;
};

#define SYSTEM(member) (offsetof(struct system_record, s) + offsetof(struct system, member))
static const struct csv_field system_fields[] = {
	{ "device", CSV_TEXT, true, offsetof(struct system_record, device) },
	{ "gpus", CSV_COUNT, true, SYSTEM(gpus) },
	{ "cards_usd", CSV_NUMBER, false, SYSTEM(cards_usd) },
	{ "host_usd", CSV_NUMBER, false, SYSTEM(host_usd) },
	{ "purchase_usd", CSV_NUMBER, false, SYSTEM(purchase_usd) },
	{ "total_usd", CSV_NUMBER, false, SYSTEM(total_usd) },
	{ "flags", CSV_TEXT, false, offsetof(struct system_record, flags) },
};

/* The range of the cards is not in the file: it is that of one card, n times. */
static bool take_system(const struct reader *r, const struct system_record *rec, struct system *out)
{
	const struct card_price *card;

	*out = rec->s;
	if (!parse_device(r, rec->device, rec->pos, &out->device)
	    || !parse_flags(r, "flags", rec->flags, rec->pos, &out->flags))
		return false;
	if (out->gpus < 1)
		return error_at(r->err, ERR_RANGE, rec->pos, "gpus: %d is not at least 1",
				out->gpus);
	card = price_lens_find(&r->out->prices, out->device, LENS_CARD);
	out->cards_low_usd = card ? out->gpus * card->low : NAN;
	out->cards_high_usd = card ? out->gpus * card->high : NAN;
	return check_range(r, "purchase_usd", out->purchase_usd, NAN, NAN, rec->pos)
	       && check_range(r, "total_usd", out->total_usd, NAN, NAN, rec->pos);
}

static bool read_systems(const struct reader *r)
{
	struct systems *out = &r->out->systems;
	void *records;
	size_t n;

	if (!file_exists(data_path(r, "systems.csv")))
		return true;
	if (!csv_read_records(data_path(r, "systems.csv"), system_fields, LEN(system_fields),
			      sizeof(struct system_record), offsetof(struct system_record, pos),
			      r->arena, &records, &n, r->err))
		return false;
	const struct system_record *rec = records;
	*out = (struct systems){ .v = arena_array(r->arena, n, sizeof *out->v), .n = n };
	struct map seen = { .arena = r->arena };
	for (size_t i = 0; i < n; i++)
		if (!take_system(r, &rec[i], &out->v[i])
		    || !check_once(r, &seen, out->v[i].device, out->v[i].gpus, rec[i].pos))
			return false;
	return true;
}

static void collect_devices(const struct reader *r)
{
	struct readback *out = r->out;
	bool *seen = arena_array(r->arena, r->devices->n, sizeof *seen);

	for (size_t i = 0; i < out->scores.n; i++)
		seen[out->scores.v[i].device] = true;
	out->indices = arena_array(r->arena, r->devices->n, sizeof *out->indices);
	for (size_t i = 0; i < r->devices->n; i++)
		if (seen[i])
			out->indices[out->nindices++] = i;
}

static struct str last_part(struct arena *a, const char *dir)
{
	struct str rest = str_of(dir), piece, last = STR("");

	while (str_cut(&rest, '/', &piece))
		last = piece.len ? piece : last;
	return str_plain(a, last); /* the name of a folder is bytes */
}

bool readback_open(const char *dir, const struct devices *devices, struct arena *a,
		   struct readback *out, struct error *err)
{
	static const char *const files[] = { "data/edition.csv", "data/scores.csv",
					     "data/prices.csv", "data/price_conditions.csv",
					     "data/systems.csv" };
	struct reader r = { dir, devices, a, out, err };
	struct seal seal;

	*out = (struct readback){ .dir = str_plain(a, str_of(dir)), .folder = last_part(a, dir) };
	if (!seal_read(dir, a, &seal, err) || !seal_check(&seal, files, LEN(files), err)
	    || !read_edition(&r) || !read_scores(&r) || !read_prices(&r) || !read_conditions(&r)
	    || !read_systems(&r))
		return false;
	collect_devices(&r);
	return true;
}

static bool is_edition(struct arena *a, struct str dir)
{
	return file_exists(str_c(a, file_join(a, dir, STR("data/edition.csv"))));
}

/* "2025-06-30" is revision 1, "2025-06-30-r2" revision 2. */
static bool parse_folder(struct str name, struct date *date, int *revision)
{
	*revision = 1;
	if (name.len < 10 || !date_parse(str_slice(name, 0, 10), date))
		return false;
	if (name.len == 10)
		return true;
	return str_starts(str_slice(name, 10, name.len), STR("-r"))
	       && num_parse_int(str_slice(name, 12, name.len), revision) && *revision >= 2;
}

/* The name of the newest edition in the open folder; empty when there is none. */
static struct str newest_folder(DIR *d, struct str dir, struct arena *a)
{
	struct str best = STR("");
	struct date best_date = { INT_MIN }, date;
	int best_revision = 0, revision;

	for (const struct dirent *e; (e = readdir(d)) != NULL;) {
		struct str name = str_of(e->d_name);

		if (!parse_folder(name, &date, &revision) || date.day < best_date.day
		    || (date.day == best_date.day && revision <= best_revision)
		    || !is_edition(a, file_join(a, dir, name)))
			continue;
		best = str_dup(a, name);
		best_date = date;
		best_revision = revision;
	}
	return best;
}

bool readback_find(const char *dir, struct arena *a, struct str *out, struct error *err)
{
	struct str best;
	DIR *d;

	if (is_edition(a, str_of(dir))) {
		*out = str_of(dir);
		return true;
	}
	d = opendir(dir);
	best = d ? newest_folder(d, str_of(dir), a) : STR("");
	if (d)
		closedir(d);
	if (best.len == 0)
		return error_set(err, ERR_ENVIRONMENT,
				 "%s: no edition is there; `gpuguide report -o %s` makes one", dir,
				 dir);
	*out = file_join(a, str_of(dir), best);
	return true;
}
