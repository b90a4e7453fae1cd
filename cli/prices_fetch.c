/* gpuguide prices fetch: the sources of data/price_sources.ini. */
#include "prices_parts.h"

#include "data_change.h"
#include "json_out.h"
#include "terminal.h"

#include "../base/csv_write.h"
#include "../base/file.h"
#include "../prices/fetch.h"

#include <limits.h>

enum { JUMPS_SAID = 5 };

struct fetching {
	const struct options *opt;
	struct devices devices;
	struct price_sources sources;
	struct price_fetch fetch;
	struct price_fetched_list done;
	struct arena *arena;
};

static bool open_fetch(struct fetching *k, struct error *err)
{
	struct price_fetch *f = &k->fetch;
	const struct options *opt = k->opt;

	*f = (struct price_fetch){ .root = opt->root,
				   .devices = &k->devices,
				   .today = opt->date.day != INT_MIN ? opt->date : data_today(opt),
				   .accept = opt->accept,
				   .by = data_user(k->arena),
				   .why = STR("accepted by prices fetch --accept"),
				   .arena = k->arena };
	f->data_dir = str_c(k->arena, file_join(k->arena, str_of(opt->root), STR("data")));
	return devices_read(f->data_dir, k->arena, &k->devices, err)
	       && price_sources_read(opt->root, k->arena, &k->sources, err)
	       && fx_read(f->data_dir, k->arena, &f->fx, err);
}

/* --source leaves one of them. */
static bool choose(struct fetching *k, struct error *err)
{
	const struct price_source *one;
	struct strbuf names = { .arena = k->arena };

	if (!k->opt->source)
		return true;
	one = price_source_find(&k->sources, str_of(k->opt->source));
	for (size_t i = 0; i < k->sources.n; i++)
		strbuf_printf(&names, "%s" STR_FMT, i ? ", " : "", STR_ARG(k->sources.v[i].name));
	if (!one)
		return error_set(
		    err, ERR_USAGE,
		    "--source: '%s' is not in data/price_sources.ini, which has " STR_FMT,
		    k->opt->source, STR_ARG(names.len ? strbuf_str(&names) : STR("no source")));
	k->sources.v[0] = *one;
	k->sources.n = 1;
	return true;
}

static void plan(struct fetching *k)
{
	struct price_fetched_list *out = &k->done;

	for (size_t i = 0; i < k->sources.n; i++) {
		out->v = arena_grow(k->arena, out->v, &out->cap, out->n + 1, sizeof *out->v);
		out->v[out->n++] = (struct price_fetched){
			.source = k->sources.v[i].name,
			.outcome = PRICE_FETCH_PLANNED,
			.why = price_fetch_plan(&k->sources.v[i], k->arena),
		};
	}
}

static bool run_sources(struct fetching *k, int *status, struct error *err)
{
	if (!file_make_dirs(k->fetch.data_dir, err)
	    || !data_lock(k->opt->root, k->arena, status, err)
	    /* not before: what another run accepts until then would be written over */
	    || !price_accepted_read(k->fetch.data_dir, &k->devices, k->arena, &k->fetch.accepted,
				    err))
		return false;
	for (size_t i = 0; i < k->sources.n; i++)
		if (!price_fetch(&k->fetch, &k->sources.v[i], &k->done, err))
			return false;
	return true;
}

static bool is_bad(const struct price_fetched *r)
{
	return r->outcome == PRICE_FETCH_HELD || r->outcome == PRICE_FETCH_FAILED;
}

static void text_jumps(struct strbuf *b, const struct fetching *k, const struct price_fetched *r)
{
	struct arena *a = k->arena;

	for (size_t i = 0; i < r->jumps.n && i < JUMPS_SAID; i++) {
		const struct price_jump *j = &r->jumps.v[i];

		strbuf_add(b, STR("    "));
		terminal_put(b, k->devices.v[j->device].name, 0, false);
		strbuf_add(b, STR(", "));
		terminal_put(b, j->market, 0, false);
		strbuf_printf(b, ": %.2f USD on " STR_FMT ", %.2f USD on " STR_FMT " (%+.0f %%)\n",
			      j->before_usd, STR_ARG(date_iso(a, j->before)), j->price_usd,
			      STR_ARG(date_iso(a, j->date)), j->change_pct);
	}
	if (r->jumps.n > JUMPS_SAID)
		strbuf_printf(b, "    … and %zu more\n", r->jumps.n - JUMPS_SAID);
}

static void text_one(struct strbuf *b, const struct fetching *k, const struct price_fetched *r)
{
	strbuf_printf(b, STR_FMT ": " STR_FMT, STR_ARG(r->source),
		      STR_ARG(price_fetch_outcome_name(r->outcome)));
	if (r->file.len)
		strbuf_printf(b, " " STR_FMT, STR_ARG(r->file));
	if (r->rows)
		strbuf_printf(b, ", %zu row%s", r->rows, r->rows == 1 ? "" : "s");
	if (r->unused)
		strbuf_printf(b, ", %zu price%s of the listing not used", r->unused,
			      r->unused == 1 ? "" : "s");
	if (r->why.len) {
		strbuf_add(b, STR(": "));
		terminal_put(b, r->why, 0, false);
	}
	strbuf_addc(b, '\n');
	text_jumps(b, k, r);
	if (r->outcome == PRICE_FETCH_HELD)
		strbuf_printf(
		    b, "    to take it: gpuguide prices fetch --source " STR_FMT " --accept\n",
		    STR_ARG(r->source));
}

static struct str as_text(const struct fetching *k)
{
	struct strbuf b = { .arena = k->arena };

	for (size_t i = 0; i < k->done.n; i++)
		if (!k->opt->quiet || is_bad(&k->done.v[i]))
			text_one(&b, k, &k->done.v[i]);
	if (k->sources.n == 0 && !k->opt->quiet)
		strbuf_add(&b, STR("data/price_sources.ini names no source.\n"));
	return strbuf_str(&b);
}

static const char *const columns[] = {
	"source", "outcome", "file", "rows", "unused", "jumps", "why"
};

static struct str as_csv(const struct fetching *k)
{
	struct csv_out w = { .buf.arena = k->arena };

	for (size_t i = 0; i < LEN(columns); i++)
		csv_put(&w, str_of(columns[i]));
	csv_end_row(&w);
	for (size_t i = 0; i < k->done.n; i++) {
		const struct price_fetched *r = &k->done.v[i];

		csv_put(&w, r->source);
		csv_put(&w, price_fetch_outcome_name(r->outcome));
		csv_put(&w, r->file);
		csv_put_int(&w, (long)r->rows);
		csv_put_int(&w, (long)r->unused);
		csv_put_int(&w, (long)r->jumps.n);
		csv_put(&w, str_plain(k->arena, r->why));
		csv_end_row(&w);
	}
	return strbuf_str(&w.buf);
}

static struct str as_json(const struct fetching *k)
{
	struct strbuf b = { .arena = k->arena };

	json_out_begin(&b, NULL, '[');
	for (size_t i = 0; i < k->done.n; i++) {
		const struct price_fetched *r = &k->done.v[i];

		json_out_begin(&b, NULL, '{');
		json_out_text(&b, "source", r->source);
		json_out_text(&b, "outcome", price_fetch_outcome_name(r->outcome));
		json_out_known(&b, "file", r->file);
		json_out_number(&b, "rows", (double)r->rows);
		json_out_number(&b, "unused", (double)r->unused);
		json_out_number(&b, "jumps", (double)r->jumps.n);
		json_out_known(&b, "why", r->why);
		json_out_end(&b, '{');
	}
	json_out_end(&b, '[');
	strbuf_addc(&b, '\n');
	return strbuf_str(&b);
}

static struct str said(const struct fetching *k)
{
	switch (k->opt->format) {
	case FORMAT_CSV:
		return as_csv(k);
	case FORMAT_JSON:
		return as_json(k);
	case FORMAT_TEXT:
		break;
	}
	return as_text(k);
}

bool prices_fetch_command(const struct options *opt, struct arena *a, int *status,
			  struct error *err)
{
	struct fetching k = { .opt = opt, .arena = a };
	bool good;

	if (opt->npaths > 1)
		return error_set(err, ERR_USAGE,
				 "prices fetch: '%s' is one argument too many; --source names "
				 "a source",
				 opt->paths[1]);
	if (!open_fetch(&k, err) || !choose(&k, err))
		return false;
	if (opt->dry_run)
		plan(&k);
	good = opt->dry_run || run_sources(&k, status, err);
	for (size_t i = 0; i < k.done.n && good; i++)
		if (is_bad(&k.done.v[i]))
			*status = 1;
	if (good)
		return terminal_print(said(&k), err);
	if (k.done.n) /* the run broke off: what was done is said all the same */
		terminal_print(said(&k), err);
	return false;
}
