#include "prices_import.h"

#include "data_change.h"
#include "prices_import_out.h"
#include "terminal.h"

#include "../base/file.h"
#include "../base/name.h"
#include "../prices/accepted.h"
#include "../prices/import_rows.h"
#include "../prices/listing.h"
#include "../prices/listing_template.h"
#include "../prices/map_choice.h"

#include <limits.h>
#include <string.h>

enum { SOURCE_MAX = 200, MARKET_MAX = 60 };

struct importing {
	const struct options *opt;
	struct arena *arena;
	const char *data_dir;
	struct devices devices;
	struct fx fx;
	struct price_map map;
	struct csv_table *tables; /* of each file */
	size_t n;
	struct import_input in;
	struct import im;
	struct held held;
	struct price_jumps jumps;
	struct price_accepted accepted;
	const char *file; /* of data/prices, without the folder; NULL with --out */
	const char *path; /* where the rows go */
	struct str csv;
	size_t rows; /* of csv */
};

static bool check_source(const struct options *o, struct error *err)
{
	struct str s = str_of(o->source ? o->source : "");
	unsigned hidden;

	if (name_hidden(s, &hidden) || !str_is_utf8(s))
		return error_set(err, ERR_USAGE,
				 "--source: it has a character that is not plain text");
	if (o->source && (str_trim(s).len == 0 || s.len > SOURCE_MAX))
		return error_set(err, ERR_USAGE, "--source: it is empty or longer than %d bytes",
				 SOURCE_MAX);
	return true;
}

/* It becomes a part of a file's name. */
static bool check_market(const struct options *o, struct error *err)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789.:_-";
	const char *m = o->market;

	if (m
	    && (strspn(m, allowed) != strlen(m) || !*m || strlen(m) > MARKET_MAX
		|| strchr(".:_-", m[0])))
		return error_set(
		    err, ERR_USAGE,
		    "--market: '%s' is not a name of small letters, digits and : . _ -", m);
	return true;
}

/* What the map needs to be told, and what it does not want to hear. */
static bool check_told(const struct importing *i, struct error *err)
{
	const struct options *o = i->opt;
	const struct price_map *m = &i->map;
	bool asks = listing_template_has(m->market, STR("@market"))
		    || (m->market.len == 0 && m->markets.n == 0);

	if (asks && !o->market)
		return error_set(err, ERR_USAGE,
				 "prices import: --market is missing; the map " STR_FMT
				 " has no column for it",
				 STR_ARG(m->name));
	if (m->columns[MAP_DATE].n == 0 && o->date.day == INT_MIN)
		return error_set(err, ERR_USAGE,
				 "prices import: --date is missing; the map " STR_FMT
				 " has no column for it",
				 STR_ARG(m->name));
	if (m->source.len == 0 && !o->source)
		return error_set(err, ERR_USAGE,
				 "prices import: --source is missing; the map " STR_FMT
				 " does not say where the prices come from",
				 STR_ARG(m->name));
	return true;
}

/* The map is the first listing's; the others must be of its kind. */
static bool read_listings(struct importing *i, struct error *err)
{
	i->n = i->opt->npaths - 1;
	i->tables = arena_array(i->arena, i->n, sizeof *i->tables);
	for (size_t k = 0; k < i->n; k++) {
		const char *path = i->opt->paths[k + 1];
		struct listing_text listing = { strcmp(path, "-") == 0 ? "stdin" : path, { 0 } };
		struct price_map map;

		if (!file_read(path, LISTING_BYTES_MAX, i->arena, &listing.text, err)
		    || !map_choose(i->data_dir, i->opt->map, &listing, &i->devices, i->arena, &map,
				   &i->tables[k], err))
			return false;
		if (k > 0 && !str_eq(map.name, i->map.name))
			return error_at(err, ERR_DATA, (struct pos){ listing.name, 0, 0 },
					"it is for the map " STR_FMT ", the first file for " STR_FMT
					"; import them one by one",
					STR_ARG(map.name), STR_ARG(i->map.name));
		if (k == 0)
			i->map = map;
	}
	return true;
}

static bool run_import(struct importing *i, struct error *err)
{
	const struct options *o = i->opt;

	i->in = (struct import_input){ &i->map,
				       &i->devices,
				       &i->fx,
				       o->date,
				       str_of(o->market ? o->market : ""),
				       str_of(o->source ? o->source : "") };
	import_open(&i->im, &i->in, i->arena);
	for (size_t k = 0; k < i->n; k++)
		if (!import_listing(&i->im, &i->tables[k], err))
			return false;
	return import_finish(&i->im, err);
}

/* DATE-MARKET.csv; a map that makes the markets itself gives its own name instead. */
static void name_target(struct importing *i)
{
	const struct options *o = i->opt;
	struct date date = o->date;

	i->path = o->out ? o->out : "";
	if (o->out || i->im.n == 0)
		return;
	for (size_t k = 0; k < i->im.n; k++)
		if (o->date.day == INT_MIN && i->im.rows[k].date.day > date.day)
			date = i->im.rows[k].date;
	i->file = str_c(
	    i->arena,
	    str_printf(i->arena, STR_FMT "-" STR_FMT ".csv", STR_ARG(date_iso(i->arena, date)),
		       STR_ARG(listing_slug(o->market ? i->in.market : i->map.name, i->arena))));
	i->path = str_c(i->arena, str_printf(i->arena, "%s/prices/%s", i->data_dir, i->file));
}

static bool compare_with_held(struct importing *i, struct error *err)
{
	const bool *leave_out;

	if (!held_compare(&i->im, i->data_dir, i->file, i->arena, &i->held, err))
		return false;
	leave_out = i->file ? i->held.known : NULL;
	i->csv = import_csv(&i->im, leave_out, i->arena);
	i->rows = i->im.n - (i->file ? i->held.nknown : 0);
	return true;
}

static size_t fresh_prices(const struct importing *i, struct price *out)
{
	size_t n = 0;

	for (size_t k = 0; k < i->im.n; k++) {
		const struct import_row *r = &i->im.rows[k];

		if (!i->held.known[k])
			out[n++] = (struct price){ .date = r->date,
						   .device = r->device,
						   .market = r->market,
						   .condition = r->condition,
						   .price_usd = r->price * r->usd_per_unit,
						   .per_hour = r->condition == PRICE_ON_DEMAND
							       || r->condition == PRICE_SPOT,
						   .stat = r->stat,
						   .n = r->n,
						   .currency = r->currency,
						   .source = r->source,
						   .fx_date = r->fx_date,
						   .pos = r->pos };
	}
	return n;
}

static void drop_accepted(struct price_jumps *jumps)
{
	size_t n = 0;

	for (size_t k = 0; k < jumps->n; k++)
		if (!jumps->v[k].accepted)
			jumps->v[n++] = jumps->v[k];
	jumps->n = n;
}

/* A row that data/prices has refused is prices_read's to tell, and check's. */
static bool find_jumps(struct importing *i, struct error *err)
{
	struct price *fresh = arena_array(i->arena, i->im.n, sizeof *fresh);
	struct messages refused = { .arena = i->arena };
	size_t n = fresh_prices(i, fresh);
	struct prices known;

	if (!file_is_dir(str_c(i->arena, file_join(i->arena, str_of(i->data_dir), STR("prices")))))
		return true; /* the first prices ever */
	if (!prices_read(i->data_dir, &i->devices, i->arena, &known, &refused, err)
	    || !price_accepted_read(i->data_dir, &i->devices, i->arena, &i->accepted, err))
		return false;
	price_jumps_find(&known, fresh, n, (struct date){ INT_MAX }, JUMP_GAP_DAYS, i->arena,
			 &i->jumps);
	price_accepted_mark(&i->accepted, &i->jumps);
	drop_accepted(&i->jumps);
	return true;
}

static bool accept_jumps(struct importing *i, struct error *err)
{
	struct str why = str_printf(i->arena, "accepted as it was imported: %s",
				    i->opt->source ? i->opt->source : str_c(i->arena, i->map.name));
	size_t added;

	return i->jumps.n == 0
	       || price_accepted_add(&i->accepted, &i->devices, &i->jumps, data_user(i->arena),
				     why, i->arena, &added, err);
}

static bool make_folder(const struct importing *i, struct error *err)
{
	return file_make_dirs(
	    str_c(i->arena, file_join(i->arena, str_of(i->data_dir), STR("prices"))), err);
}

static bool is_there(const struct importing *i, struct str *bytes, bool *there, struct error *err)
{
	*there = file_exists(i->path);
	return !*there || file_read(i->path, 0, i->arena, bytes, err);
}

/* Writes the file, or says why not. held_back: a person has to look first. */
static bool write_target(struct importing *i, const char **done, bool *held_back, struct error *err)
{
	struct str bytes = { 0 };
	bool there, to_stdout = strcmp(i->path, "-") == 0;

	*held_back = false;
	if (i->rows == 0) {
		*done = "nothing to write";
		return true;
	}
	if (!to_stdout && !is_there(i, &bytes, &there, err))
		return false;
	if (!to_stdout && there && !str_eq(bytes, i->csv))
		return error_set(err, ERR_DATA,
				 "%s is there and differs; nothing is overwritten. Remove or "
				 "rename it, or write elsewhere with --out",
				 i->path);
	*held_back = i->file && i->jumps.n && !i->opt->accept;
	*done = !to_stdout && there ? "unchanged"
		: *held_back        ? "held back; look at the jumps and say --accept"
		: i->opt->dry_run   ? "would be written"
				    : "written";
	if (i->opt->dry_run || *held_back || (!to_stdout && there))
		return true;
	if (to_stdout)
		return terminal_print(i->csv, err);
	return (!i->file || make_folder(i, err)) && file_write(i->path, i->csv, err)
	       && (!i->file || accept_jumps(i, err));
}

/* With --quiet only where a person has to look. */
static bool print_report(const struct importing *i, const char *done, bool held_back,
			 struct error *err)
{
	struct prices_import_said said = { .im = &i->im,
					   .held = &i->held,
					   .jumps = &i->jumps,
					   .leaves_out = i->file != NULL,
					   .written = i->rows,
					   .path = i->rows ? i->path : NULL,
					   .done = done,
					   .verbose = i->opt->verbose,
					   .arena = i->arena };
	struct str text = prices_import_format(&said, i->opt->format);

	if (i->opt->quiet && !held_back)
		return true;
	if (strcmp(i->path, "-") != 0)
		return terminal_print(text, err);
	fwrite(text.p, 1, text.len, stderr); /* standard output has the rows */
	return true;
}

/* Only what goes into data/ needs the lock. */
static bool take_lock(const struct importing *i, int *status, struct error *err)
{
	return i->opt->dry_run || i->opt->out || data_lock(i->opt->root, i->arena, status, err);
}

static bool check_usage(const struct options *opt, struct error *err)
{
	if (opt->npaths < 2)
		return error_set(err, ERR_USAGE, "prices import: no listing was named");
	if (opt->condition)
		return error_set(
		    err, ERR_USAGE,
		    "prices import: it has no option --condition; the map says the condition");
	return check_source(opt, err) && check_market(opt, err);
}

bool prices_import_command(const struct options *opt, struct arena *a, int *status,
			   struct error *err)
{
	struct importing i = { .opt = opt, .arena = a };
	bool held_back;
	const char *done = "";

	i.data_dir = str_c(a, str_printf(a, "%s/data", opt->root));
	if (!check_usage(opt, err) || !devices_read(i.data_dir, a, &i.devices, err)
	    || !fx_read(i.data_dir, a, &i.fx, err) || !read_listings(&i, err)
	    || !check_told(&i, err) || !take_lock(&i, status, err) || !run_import(&i, err))
		return false;
	name_target(&i);
	if (!compare_with_held(&i, err) || !find_jumps(&i, err)
	    || !write_target(&i, &done, &held_back, err))
		return false;
	*status = held_back || i.im.n == 0;
	return print_report(&i, done, held_back, err);
}
