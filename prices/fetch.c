#include "fetch.h"

#include "import.h"
#include "import_rows.h"
#include "listing.h"
#include "price_map.h"
#include "../base/csv_read.h"
#include "../base/file.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DATE_LENGTH = 10 };

static const struct str outcome_names[] = {
	[PRICE_FETCH_TAKEN] = STR_INIT("taken"),     [PRICE_FETCH_SAME] = STR_INIT("same"),
	[PRICE_FETCH_HELD] = STR_INIT("held"),       [PRICE_FETCH_FAILED] = STR_INIT("failed"),
	[PRICE_FETCH_PLANNED] = STR_INIT("planned"),
};

struct str price_fetch_outcome_name(enum price_fetch_outcome o)
{
	return outcome_names[o];
}

static const char *below(const struct price_fetch *f, struct str path)
{
	return str_c(f->arena, file_join(f->arena, str_of(f->root), path));
}

static struct str file_name(const struct price_fetch *f, struct date d,
			    const struct price_source *s)
{
	return str_printf(f->arena, STR_FMT "-" STR_FMT ".csv", STR_ARG(date_iso(f->arena, d)),
			  STR_ARG(s->name));
}

/* A file DATE-NAME.csv of the source: "2026-11-30-shop.csv" is none of "2026-11-30-my-shop.csv". */
static bool is_file_of(struct str file, const struct price_source *s)
{
	struct date d;

	return file.len == DATE_LENGTH + 1 + s->name.len + 4
	       && date_parse(str_slice(file, 0, DATE_LENGTH), &d) && file.p[DATE_LENGTH] == '-'
	       && str_eq(str_slice(file, DATE_LENGTH + 1, file.len - 4), s->name)
	       && str_ends(file, STR(".csv"));
}

static struct price_fetched *add(struct price_fetch *f, const struct price_source *s,
				 struct price_fetched_list *out)
{
	out->v = arena_grow(f->arena, out->v, &out->cap, out->n + 1, sizeof *out->v);
	out->v[out->n] = (struct price_fetched){ .source = s->name, .outcome = PRICE_FETCH_FAILED };
	return &out->v[out->n++];
}

static void failed(struct price_fetch *f, struct price_fetched *r, const struct error *e)
{
	r->outcome = PRICE_FETCH_FAILED;
	r->why = error_text(e, f->arena);
}

static void held(struct price_fetched *r, struct str why)
{
	r->outcome = PRICE_FETCH_HELD;
	r->why = why;
}

/* The rows of the source's newest file in data/prices that is of a day before `name`'s; 0: none. */
static bool rows_of_last(struct price_fetch *f, const struct price_source *s, struct str name,
			 size_t *rows, struct str *last, struct error *err)
{
	struct file_list files = { 0 };
	struct csv_table table;
	const char *dir = below(f, STR("data/prices"));

	*rows = 0;
	*last = STR("");
	if (!file_list(dir, ".csv", false, f->arena, &files, NULL, err))
		return false;
	for (size_t i = 0; i < files.n; i++)
		if (is_file_of(files.v[i], s) && str_cmp(files.v[i], name) < 0)
			*last = files.v[i];
	if (last->len == 0)
		return true;
	if (!csv_read(str_c(f->arena, file_join(f->arena, str_of(dir), *last)), f->arena, &table,
		      err))
		return false;
	*rows = table.n;
	return true;
}

static void find_jumps(struct price_fetch *f, const struct prices *fresh, struct price_jumps *out)
{
	size_t n = 0;

	price_jumps_find(&f->known, fresh->v, fresh->n, (struct date){ INT_MAX }, JUMP_GAP_DAYS,
			 f->arena, out);
	price_accepted_mark(&f->accepted, out);
	for (size_t i = 0; i < out->n; i++)
		if (!out->v[i].accepted)
			out->v[n++] = out->v[i];
	out->n = n;
}

static bool accept(struct price_fetch *f, struct price_jumps *jumps, struct error *err)
{
	size_t added;

	if (!price_accepted_add(&f->accepted, f->devices, jumps, f->by, f->why, f->arena, &added,
				err)
	    || !price_accepted_read(f->data_dir, f->devices, f->arena, &f->accepted, err))
		return false;
	jumps->n = 0;
	return true;
}

/* Whether the file may go to data/prices; else r says why not. */
static bool judge(struct price_fetch *f, const struct price_source *s, struct str name,
		  struct price_fetched *r, bool *good, struct error *err)
{
	struct messages refused = { .arena = f->arena };
	struct prices fresh;
	const char *path = below(f, r->file);
	struct str last;
	size_t before;

	*good = false;
	if (!prices_read_files(&path, 1, f->data_dir, f->devices, f->arena, &fresh, &refused, err)
	    || !rows_of_last(f, s, name, &before, &last, err))
		return false;
	r->rows = fresh.n;
	find_jumps(f, &fresh, &r->jumps);
	if (refused.n)
		held(r, str_printf(f->arena, "line %d: " STR_FMT, refused.v[0].pos.line,
				   STR_ARG(refused.v[0].text)));
	else if (fresh.n == 0)
		held(r, STR("it has no price"));
	else if (fresh.newest.day > f->today.day)
		held(r, str_printf(f->arena, "a price is of " STR_FMT ", after today",
				   STR_ARG(date_iso(f->arena, fresh.newest))));
	else if (2 * fresh.n < before && !f->accept)
		held(r, str_printf(f->arena, "%zu rows, less than half of the %zu of " STR_FMT,
				   fresh.n, before, STR_ARG(last)));
	else if (r->jumps.n && !f->accept)
		held(r, str_printf(f->arena, "%zu price%s jumped by more than %d %%", r->jumps.n,
				   r->jumps.n == 1 ? "" : "s", JUMP_PCT));
	else
		*good = r->jumps.n == 0 || accept(f, &r->jumps, err);
	return r->outcome == PRICE_FETCH_HELD || *good;
}

/* link() and not rename(), which would put it over a file that somebody placed there meanwhile.
 * Where a file system has no links, or spool/ lies on another one, the lock on data/ must do. */
static bool move_new(const char *from, const char *to, struct arena *a, bool *there, struct error *err)
{
	struct stat st;
	struct str text;

	*there = false;
	if (link(from, to) == 0)
		return unlink(from) == 0 || error_errno(err, from);
	*there = errno == EEXIST;
	if (*there)
		return true;
	if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS && errno != EXDEV)
		return error_errno(err, to);
	*there = lstat(to, &st) == 0;
	return *there
	       || (file_read(from, 0, a, &text, err) && file_write(to, text, err)
		   && (unlink(from) == 0 || error_errno(err, from)));
}

static bool place(struct price_fetch *f, struct str name, struct price_fetched *r,
		  struct error *err)
{
	struct str target = file_join(f->arena, STR("data/prices"), name);
	const char *from = below(f, r->file), *to = below(f, target);
	bool there;

	if (!move_new(from, to, f->arena, &there, err))
		return false;
	if (there && !file_same(from, to)) {
		held(r, str_printf(f->arena, STR_FMT " is there already, with other prices",
				   STR_ARG(target)));
		return true;
	}
	if (there && unlink(from) != 0)
		return error_errno(err, from);
	r->outcome = there ? PRICE_FETCH_SAME : PRICE_FETCH_TAKEN;
	r->file = target;
	r->why = there ? STR("nothing new") : STR("");
	return file_sync_dir(below(f, STR("data/prices")), err);
}

static bool read_known(struct price_fetch *f, struct error *err)
{
	struct messages refused = { .arena = f->arena };

	return prices_read(f->data_dir, f->devices, f->arena, &f->known, &refused, err);
}

/* Judges spool/prices/NAME and moves it; one that is in data/prices already is no news. What was
 * taken is what the next one is held against. */
static bool settle(struct price_fetch *f, const struct price_source *s, struct str name,
		   struct price_fetched *r, struct error *err)
{
	struct error own = { 0 };
	bool good = file_same(below(f, file_join(f->arena, STR("spool/prices"), name)),
			      below(f, file_join(f->arena, STR("data/prices"), name)));

	r->file = file_join(f->arena, STR("spool/prices"), name);
	if ((!good && !judge(f, s, name, r, &good, &own)) || (good && !place(f, name, r, &own)))
		failed(f, r, &own);
	return r->outcome != PRICE_FETCH_TAKEN || read_known(f, err);
}

static bool read_map(struct price_fetch *f, const struct price_source *s, struct price_map *map,
		     struct error *err)
{
	const char *path = str_ends(s->map, STR(".ini"))
			       ? below(f, s->map)
			       : below(f, str_printf(f->arena, "data/price_maps/" STR_FMT ".ini",
						     STR_ARG(s->map)));

	if (str_ends(s->map, STR(".ini")) && s->map.p[0] == '/')
		path = str_c(f->arena, s->map);
	return price_map_read(path, f->devices, f->arena, map, err);
}

/* What most of the unusable prices suffer from; false, for the end of an import. */
static bool none_usable(const struct import *im, const char *name, struct error *err)
{
	const struct tally_reason *worst = NULL;
	const struct tally_case *first;

	for (size_t i = 0; i < im->tally.n; i++)
		if (!worst || im->tally.v[i].n > worst->n)
			worst = &im->tally.v[i];
	if (!worst || !tally_largest(worst, 1, im->arena, &first))
		return error_set(err, ERR_DATA, "%s: there is no price in it", name);
	return error_at(err, ERR_DATA, first->pos, "none of its %zu prices can be used: " STR_FMT,
			im->prices_in, STR_ARG(first->text));
}

/* The text by its map. newest: of the rows. */
static bool import_text(struct price_fetch *f, const struct price_source *s, struct str text,
			const char *name, struct price_fetched *r, struct str *csv,
			struct date *newest, struct error *err)
{
	struct price_map map;
	struct csv_table table;
	struct import im;
	struct date date = s->date_from_file ? (struct date){ INT_MIN } : f->today;

	if (!read_map(f, s, &map, err))
		return false;
	if (map.columns[MAP_DATE].n == 0 && s->date_from_file)
		return error_at(err, ERR_DATA, s->pos,
				"date: from-file, but the map " STR_FMT " names no column of dates",
				STR_ARG(s->map));
	struct import_input in = {
		&map, f->devices, &f->fx,
		date, s->market,  s->source.len || map.source.len ? s->source : s->name
	};
	if (!listing_parse(text, name, map.format, map.rows, f->arena, &table, err))
		return false;
	import_open(&im, &in, f->arena);
	if (!import_listing(&im, &table, err) || !import_finish(&im, err))
		return false;
	r->unused = tally_sum(&im.tally);
	if (im.n == 0)
		return none_usable(&im, name, err);
	*newest = im.rows[0].date;
	for (size_t i = 0; i < im.n; i++)
		if (im.rows[i].date.day > newest->day)
			*newest = im.rows[i].date;
	*csv = import_csv(&im, NULL, f->arena);
	return true;
}

/* Whether today's prices are in data/prices: the source is not asked again. */
static bool fetched_today(struct price_fetch *f, const struct price_source *s,
			  struct price_fetched_list *out)
{
	struct str target = file_join(f->arena, STR("data/prices"), file_name(f, f->today, s));
	struct price_fetched *r;

	if (s->date_from_file || !file_exists(below(f, target)))
		return false;
	for (size_t i = 0; i < out->n; i++)
		if (str_eq(out->v[i].source, s->name) && str_eq(out->v[i].file, target))
			return true; /* it was held until now */
	r = add(f, s, out);
	r->outcome = PRICE_FETCH_SAME;
	r->file = target;
	r->why = STR("it has today's prices already");
	return true;
}

static bool fetch_now(struct price_fetch *f, const struct price_source *s, struct price_fetched *r,
		      struct error *err)
{
	struct str raw_name = str_printf(f->arena, "spool/prices/" STR_FMT "-" STR_FMT ".raw",
					 STR_ARG(s->name), STR_ARG(date_iso(f->arena, f->today)));
	struct error own = { 0 };
	struct str raw, csv, name;
	struct date newest = { INT_MIN };

	if (!price_fetch_get(s, f->root, f->arena, &raw, &own)) {
		failed(f, r, &own);
		return true;
	}
	if (!file_write(below(f, raw_name), raw, err))
		return false;
	if (!import_text(f, s, raw, str_c(f->arena, raw_name), r, &csv, &newest, &own)) {
		failed(f, r, &own);
		return true;
	}
	name = file_name(f, newest, s);
	if (!file_write(below(f, file_join(f->arena, STR("spool/prices"), name)), csv, err)
	    || !settle(f, s, name, r, err))
		return false;
	if (!s->keep_raw && (r->outcome == PRICE_FETCH_TAKEN || r->outcome == PRICE_FETCH_SAME))
		unlink(below(f, raw_name));
	return true;
}

/* The last entry is of a file that was held before and came anew: the old entry goes. */
static void drop_replaced(struct price_fetched_list *out, size_t first)
{
	struct str file = out->v[out->n - 1].file;
	size_t n = first;

	for (size_t i = first; i < out->n; i++)
		if (i + 1 == out->n || !file.len || !str_eq(out->v[i].file, file))
			out->v[n++] = out->v[i];
	out->n = n;
}

bool price_fetch(struct price_fetch *f, const struct price_source *s,
		 struct price_fetched_list *out, struct error *err)
{
	struct file_list files = { 0 };
	const char *spool = below(f, STR("spool/prices"));
	size_t first = out->n;

	if (!file_make_dirs(spool, err) || !read_known(f, err)
	    || !file_list(spool, ".csv", false, f->arena, &files, NULL, err))
		return false;
	for (size_t i = 0; i < files.n; i++)
		if (is_file_of(files.v[i], s) && !settle(f, s, files.v[i], add(f, s, out), err))
			return false;
	if (fetched_today(f, s, out))
		return true;
	if (!fetch_now(f, s, add(f, s, out), err))
		return false;
	drop_replaced(out, first);
	return true;
}
