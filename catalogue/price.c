#include "price.h"

#include "fx.h"
#include "../base/csv_guard.h"
#include "../base/csv_read.h"
#include "../base/file.h"
#include "../base/map.h"
#include "../base/name.h"
#include "../base/num.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

/* A condition and the quantity its prices are for. */
static const struct {
	struct str name;
	bool per_hour;
} conditions[] = {
	[PRICE_NEW] = { STR_INIT("new"), false },
	[PRICE_USED] = { STR_INIT("used"), false },
	[PRICE_ON_DEMAND] = { STR_INIT("on-demand"), true },
	[PRICE_SPOT] = { STR_INIT("spot"), true },
};

static const struct str stats[] = { STR_INIT(""), STR_INIT("min"), STR_INIT("median"),
				    STR_INIT("mean") };

/* Names that sources give one provider. */
static const struct {
	struct str alias, name;
} providers[] = {
	{ STR_INIT("amazon-aws"), STR_INIT("aws") },
	{ STR_INIT("amazon-web-services-aws"), STR_INIT("aws") },
	{ STR_INIT("datacrunch-io"), STR_INIT("datacrunch") },
	{ STR_INIT("denvr-dataworks"), STR_INIT("denvr") },
	{ STR_INIT("fluidstack-code-cgpucomp50"), STR_INIT("fluidstack") },
	{ STR_INIT("google-cloud"), STR_INIT("gcp") },
	{ STR_INIT("google-cloud-platform-gcp"), STR_INIT("gcp") },
	{ STR_INIT("jarvis-labs"), STR_INIT("jarvislabs") },
	{ STR_INIT("lambda"), STR_INIT("lambda-cloud") },
	{ STR_INIT("microsoft-azure"), STR_INIT("azure") },
	{ STR_INIT("salad"), STR_INIT("saladcloud") },
};

enum column {
	COL_DATE,
	COL_DEVICE,
	COL_MARKET,
	COL_CONDITION,
	COL_CURRENCY,
	COL_PRICE,
	COL_QUANTITY,
	COL_SOURCE,
	COL_STAT,
	COL_N,
	COL_COUNT,
	COL_REQUIRED = COL_STAT
};

static const char *const column_names[COL_COUNT] = {
	"date",  "device",   "market", "condition", "currency",
	"price", "quantity", "source", "stat",      "n",
};

enum { CELL_SHOWN_MAX = 600 }; /* bytes of a cell in a message */

/* What reading one file needs and fills. */
struct reader {
	const struct devices *devices;
	struct csv_table table; /* of the file being read */
	int col[COL_COUNT];
	struct fx fx;
	struct map seen; /* rows that were kept, as text */
	struct prices *out;
	size_t cap;
	struct messages *refused;
	struct arena *arena;
};

struct str price_condition_name(enum price_condition c)
{
	return conditions[c].name;
}

bool price_condition_parse(struct str s, enum price_condition *out)
{
	for (size_t i = 0; i < LEN(conditions); i++) {
		if (str_eq(conditions[i].name, s)) {
			*out = (enum price_condition)i;
			return true;
		}
	}
	return false;
}

struct str price_provider(struct str market)
{
	struct str rest = market, piece;

	if (!str_cut(&rest, ':', &piece) || !str_eq(piece, STR("cloud"))
	    || !str_cut(&rest, ':', &piece))
		return STR("");
	for (size_t i = 0; i < LEN(providers); i++)
		if (str_eq(providers[i].alias, piece))
			return providers[i].name;
	return piece;
}

/* A refused cell: "price: '0' …" at its place. Always false, so that a check can end with it. */
static bool refuse(struct reader *r, const struct cell *c, enum column col, const char *why)
{
	struct str shown = name_shown(r->arena, c->text, CELL_SHOWN_MAX);

	messages_add(r->refused, c->pos, "%s: '" STR_FMT "' %s", column_names[col], STR_ARG(shown),
		     why);
	return false;
}

static bool read_device(struct reader *r, const struct cell *c, struct price *p)
{
	size_t near[8], n;
	enum device_match match;

	p->device = device_index(r->devices, c->text);
	if (p->device < r->devices->n)
		return true;
	match = device_find(r->devices, c->text, r->arena, near, &n);
	p->device = n ? near[0] : 0;
	if (match == DEVICE_FOUND)
		return true;
	messages_add(r->refused, c->pos, "device: '" STR_FMT "' %s " STR_FMT, STR_ARG(c->text),
		     match == DEVICE_AMBIGUOUS ? "could be any of"
					       : "is not in the catalogue; nearest:",
		     STR_ARG(device_names(r->devices, near, n, r->arena)));
	return false;
}

static bool read_price(struct reader *r, const struct cell *c, struct price *p)
{
	if (!num_parse(c->text, r->table.decimal_comma, &p->price_usd))
		return refuse(r, c, COL_PRICE, "is not a number");
	if (!(p->price_usd > 0 && p->price_usd <= PRICE_MAX))
		return refuse(
		    r, c, COL_PRICE,
		    "is not above 0 and at most 10000000; leave the row out when unknown");
	return true;
}

static bool read_condition(struct reader *r, const struct cell *c, const struct cell *quantity,
			   struct price *p)
{
	if (!price_condition_parse(c->text, &p->condition))
		return refuse(r, c, COL_CONDITION, "is not new, used, on-demand or spot");
	p->per_hour = conditions[p->condition].per_hour;
	if (!str_eq(quantity->text, p->per_hour ? STR("hour") : STR("unit")))
		return refuse(r, quantity, COL_QUANTITY,
			      p->per_hour ? "is not hour, as on-demand and spot prices are"
					  : "is not unit, as new and used prices are");
	return true;
}

/* The word behind " key=" in a source text, or an empty one. */
static struct str source_word(struct str source, struct str key)
{
	for (size_t at = 0; (at = str_find(source, key, at)) < source.len; at += key.len) {
		struct str rest = str_slice(source, at + key.len, source.len), word;

		if (at > 0 && source.p[at - 1] != ' ')
			continue;
		str_cut(&rest, ' ', &word);
		return word;
	}
	return STR("");
}

static bool known_stat(struct str s)
{
	for (size_t i = 0; i < LEN(stats); i++)
		if (str_eq(stats[i], s))
			return true;
	return false;
}

/* stat and n from columns of their own; without any, from the source text, where an n that is no
 * number is not stated (one known table has a price there). */
static bool read_stat(struct reader *r, const struct csv_row *row, struct price *p)
{
	struct cell stat = csv_cell(&r->table, row, r->col[COL_STAT]),
		    n = csv_cell(&r->table, row, r->col[COL_N]);

	p->n = -1;
	if (r->col[COL_STAT] < 0 && r->col[COL_N] < 0) {
		stat.text = source_word(p->source, STR("stat="));
		if (!num_parse_int(source_word(p->source, STR("n=")), &p->n))
			p->n = -1;
	} else if (n.text.len && (!num_parse_int(n.text, &p->n) || p->n == 0)) {
		return refuse(r, &n, COL_N, "is not a whole number above 0");
	}
	if (!known_stat(stat.text))
		return refuse(r, &stat, COL_STAT, "is not min, median or mean");
	p->stat = stat.text;
	return true;
}

static bool convert(const struct reader *r, const struct cell *currency, struct price *p,
		    struct error *err)
{
	double usd_per_unit;

	p->currency = currency->text;
	if (!fx_find(&r->fx, p->currency, p->date, currency->pos, &usd_per_unit, &p->fx_date, err))
		return false;
	p->price_usd *= usd_per_unit;
	return true;
}

/* All that tells one row from another, but not its place. */
static struct str identity(const struct price *p, struct arena *a)
{
	return str_printf(
	    a, "%d\n%zu\n" STR_FMT "\n%d\n%.17g\n" STR_FMT "\n" STR_FMT "\n%d\n" STR_FMT,
	    p->date.day, p->device, STR_ARG(p->market), (int)p->condition, p->price_usd,
	    STR_ARG(p->currency), STR_ARG(p->stat), p->n, STR_ARG(p->source));
}

/* false: the row is refused and said so. */
static bool read_cells(struct reader *r, const struct csv_row *row, struct price *p)
{
	static const enum column names[] = { COL_DEVICE, COL_MARKET, COL_SOURCE };
	struct cell c[COL_REQUIRED];
	unsigned hidden;

	for (size_t i = 0; i < COL_REQUIRED; i++) {
		c[i] = csv_cell(&r->table, row, r->col[i]);
		c[i].text = csv_unguard(c[i].text);
	}
	*p = (struct price){ .market = c[COL_MARKET].text,
			     .source = c[COL_SOURCE].text,
			     .pos = c[0].pos };
	if (row->n != r->table.header.n) {
		messages_add(r->refused, p->pos, "%zu cells, but the header has %zu", row->n,
			     r->table.header.n);
		return false;
	}
	for (size_t i = 0; i < LEN(names); i++)
		if (name_hidden(c[names[i]].text, &hidden))
			return refuse(r, &c[names[i]], names[i],
				      "holds a character that is not seen as it is");
	if (!date_parse(c[COL_DATE].text, &p->date))
		return refuse(r, &c[COL_DATE], COL_DATE, "is not a day as YYYY-MM-DD");
	if (p->market.len == 0)
		return refuse(r, &c[COL_MARKET], COL_MARKET, "is empty");
	return read_device(r, &c[COL_DEVICE], p)
	       && read_condition(r, &c[COL_CONDITION], &c[COL_QUANTITY], p)
	       && read_price(r, &c[COL_PRICE], p) && read_stat(r, row, p);
}

static bool read_row(struct reader *r, const struct csv_row *row, struct error *err)
{
	struct price p;
	struct cell currency = csv_cell(&r->table, row, r->col[COL_CURRENCY]),
		    price = csv_cell(&r->table, row, r->col[COL_PRICE]);
	bool fresh;

	if (!read_cells(r, row, &p))
		return true;
	if (!convert(r, &currency, &p, err))
		return false;
	if (!(p.price_usd >= PRICE_MIN_USD && p.price_usd <= PRICE_MAX)) {
		refuse(r, &price, COL_PRICE, "is not from 0.0001 to 10000000 USD");
		return true;
	}
	map_put(&r->seen, identity(&p, r->arena), 0, &fresh);
	if (!fresh)
		return true;
	r->out->v = arena_grow(r->arena, r->out->v, &r->cap, r->out->n + 1, sizeof p);
	r->out->v[r->out->n++] = p;
	if (p.date.day > r->out->newest.day)
		r->out->newest = p.date;
	return true;
}

static bool read_file(struct reader *r, const char *path, struct error *err)
{
	const struct csv_table *table = &r->table;

	if (!csv_read(path, r->arena, &r->table, err))
		return false;
	for (size_t i = 0; i < COL_COUNT; i++) {
		r->col[i] = csv_column(table, str_of(column_names[i]));
		if (r->col[i] < 0 && i < COL_REQUIRED)
			return error_at(err, ERR_SYNTAX,
					(struct pos){ table->file, table->header.line, 0 },
					"the header has no column '%s'", column_names[i]);
	}
	for (size_t i = 0; i < table->n; i++)
		if (!read_row(r, &table->rows[i], err))
			return false;
	return true;
}

/* File names sort like the reading order, so place = (file, line). */
static int by_meaning(const void *pa, const void *pb)
{
	const struct price *x = pa, *y = pb;
	int c;

	if (x->device != y->device)
		return x->device < y->device ? -1 : 1;
	if ((c = str_cmp(x->market, y->market)) != 0)
		return c;
	if (x->condition != y->condition)
		return x->condition < y->condition ? -1 : 1;
	if (x->date.day != y->date.day)
		return x->date.day < y->date.day ? -1 : 1;
	if (x->pos.file != y->pos.file
	    && (c = str_cmp(str_of(x->pos.file), str_of(y->pos.file))) != 0)
		return c;
	return (x->pos.line > y->pos.line) - (x->pos.line < y->pos.line);
}

bool prices_read_files(const char *const *paths, size_t npaths, const char *data_dir,
		       const struct devices *devices, struct arena *a, struct prices *out,
		       struct messages *refused, struct error *err)
{
	struct reader r = {
		.devices = devices, .seen.arena = a, .out = out, .refused = refused, .arena = a
	};

	*out = (struct prices){ .newest.day = INT_MIN };
	if (!fx_read(data_dir, a, &r.fx, err))
		return false;
	for (size_t i = 0; i < npaths; i++)
		if (!read_file(&r, paths[i], err))
			return false;
	if (out->n)
		qsort(out->v, out->n, sizeof *out->v, by_meaning);
	return true;
}

bool prices_read(const char *data_dir, const struct devices *devices, struct arena *a,
		 struct prices *out, struct messages *refused, struct error *err)
{
	struct str dir = file_join(a, str_of(data_dir), STR("prices"));
	struct messages skipped = { .arena = a };
	struct file_list files = { 0 };

	*out = (struct prices){ .newest.day = INT_MIN };
	if (!file_list(str_c(a, dir), ".csv", true, a, &files, &skipped, err))
		return false;
	file_skipped_in(str_c(a, dir), 0, &skipped);
	const char **paths = arena_array(a, files.n, sizeof *paths);
	for (size_t i = 0; i < files.n; i++)
		paths[i] = str_c(a, file_join(a, dir, files.v[i]));
	if (!prices_read_files(paths, files.n, data_dir, devices, a, out, refused, err))
		return false;
	out->skipped = skipped;
	return true;
}
