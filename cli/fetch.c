/* gpuguide fetch: contributions from the sources of data/sources.ini. Status 1 when a source failed
 * or a file was held, 3 when another run is at it. */
#include "commands.h"
#include "data_change.h"
#include "json_out.h"
#include "terminal.h"

#include "../base/csv_write.h"
#include "../base/file.h"
#include "../catalogue/device.h"
#include "../catalogue/workload.h"
#include "../collect/override.h"
#include "../fetch/fetch.h"

struct fetching {
	const struct options *opt;
	struct arena *arena;
	struct devices devices;
	struct fetch_sources all;
	const struct fetch_source **chosen;
	struct fetch_result *results;
	size_t n;
};

/* The counts in the order shown. */
enum { COUNTS = 7 };
static const char *const count_names[COUNTS] = { "new",  "accepted", "held",  "changed",
						 "same", "vanished", "failed" };

static void get_counts(const struct fetch_result *r, size_t counts[COUNTS])
{
	const size_t v[COUNTS] = { r->accepted + r->held + r->changed,
				   r->accepted,
				   r->held,
				   r->changed,
				   r->same,
				   r->vanished,
				   r->failed };

	for (size_t i = 0; i < COUNTS; i++)
		counts[i] = v[i];
}

/* A broken catalogue would look like a fault of every file: it is read here first. */
static bool read_catalogue(struct fetching *f, struct error *err)
{
	const char *dir = str_c(f->arena, file_join(f->arena, str_of(f->opt->root), STR("data")));
	struct workloads workloads;
	struct series_list series;
	struct overrides overrides;

	return devices_read(dir, f->arena, &f->devices, err)
	    && workloads_read(dir, f->arena, &workloads, err)
	    && series_read(dir, f->arena, &series, err)
	    && override_read(dir, f->arena, &overrides, err);
}

static bool choose(struct fetching *f, struct error *err)
{
	struct strbuf names = { .arena = f->arena };
	const char *wanted = f->opt->source;

	f->chosen = arena_array(f->arena, f->all.n, sizeof *f->chosen);
	for (size_t i = 0; i < f->all.n; i++) {
		const struct fetch_source *s = &f->all.v[i];

		strbuf_printf(&names, "%s" STR_FMT, i ? ", " : "", STR_ARG(s->name));
		if (!wanted || str_eq(str_of(wanted), s->name))
			f->chosen[f->n++] = s;
	}
	f->results = arena_array(f->arena, f->n, sizeof *f->results);
	if (!wanted || f->n)
		return true;
	return error_set(err, ERR_USAGE, "--source: there is no '%s' in %s; there %s " STR_FMT,
			 wanted, "data/sources.ini", names.len ? "are" : "is",
			 STR_ARG(names.len ? strbuf_str(&names) : STR("none")));
}

static bool is_bad(enum fetch_outcome outcome)
{
	return outcome == FETCH_HELD || outcome == FETCH_CHANGED || outcome == FETCH_FAILED;
}

static void put_event(const struct fetch_result *r, const struct fetch_event *e, struct strbuf *b)
{
	strbuf_printf(b, STR_FMT ": ", STR_ARG(r->source->name));
	if (e->origin.len)
		strbuf_printf(b, STR_FMT ": ", STR_ARG(e->origin));
	strbuf_add(b, fetch_outcome_name(e->outcome));
	if (e->stored.len)
		strbuf_printf(b, " as " STR_FMT, STR_ARG(e->stored));
	strbuf_printf(b, ": " STR_FMT "\n", STR_ARG(e->reason));
}

/* With --quiet only what went wrong. */
static void put_text(const struct fetching *f, struct strbuf *b)
{
	bool quiet = f->opt->quiet;
	size_t before = 0;

	if (!quiet && f->n == 0)
		strbuf_add(b, STR("No source is described in data/sources.ini.\n"));
	if (!quiet && f->n) {
		strbuf_printf(b, "%-20s", "source");
		for (size_t i = 0; i < COUNTS; i++)
			strbuf_printf(b, " %8s", count_names[i]);
		strbuf_addc(b, '\n');
	}
	for (size_t i = 0; i < f->n && !quiet; i++) {
		size_t counts[COUNTS];

		get_counts(&f->results[i], counts);
		strbuf_printf(b, "%-20s", str_c(f->arena, f->results[i].source->name));
		for (size_t j = 0; j < COUNTS; j++)
			strbuf_printf(b, " %8zu", counts[j]);
		strbuf_addc(b, '\n');
		before += f->results[i].held_before;
	}
	for (size_t i = 0; i < f->n; i++)
		for (size_t j = 0; j < f->results[i].n; j++)
			if (!quiet || is_bad(f->results[i].events[j].outcome))
				put_event(&f->results[i], &f->results[i].events[j], b);
	if (before && !quiet)
		strbuf_printf(b, "%zu more held before, with their reasons in %s/spool/held\n",
			      before, f->opt->root);
	if (!quiet && f->opt->dry_run)
		strbuf_add(b, STR("Nothing was accepted: this was a dry run.\n"));
}

static void put_csv(const struct fetching *f, struct strbuf *b)
{
	struct csv_out w = { .buf = *b };

	csv_put(&w, STR("source"));
	csv_put(&w, STR("type"));
	for (size_t i = 0; i < COUNTS; i++)
		csv_put(&w, str_of(count_names[i]));
	csv_put(&w, STR("reason"));
	csv_end_row(&w);
	for (size_t i = 0; i < f->n; i++) {
		const struct fetch_result *r = &f->results[i];
		struct str reason = { 0 };
		size_t counts[COUNTS];

		for (size_t j = 0; j < r->n; j++)
			if (is_bad(r->events[j].outcome) && r->events[j].origin.len == 0)
				reason = r->events[j].reason;
		get_counts(r, counts);
		csv_put(&w, r->source->name);
		csv_put(&w, fetch_type_name(r->source->type));
		for (size_t j = 0; j < COUNTS; j++)
			csv_put_int(&w, (long)counts[j]);
		csv_put(&w, reason);
		csv_end_row(&w);
	}
	*b = w.buf;
}

static void put_json(const struct fetching *f, struct strbuf *b)
{
	json_out_begin(b, NULL, '{');
	json_out_bool(b, "dry_run", f->opt->dry_run);
	json_out_begin(b, "sources", '[');
	for (size_t i = 0; i < f->n; i++) {
		const struct fetch_result *r = &f->results[i];
		size_t counts[COUNTS];

		get_counts(r, counts);
		json_out_begin(b, NULL, '{');
		json_out_text(b, "source", r->source->name);
		json_out_text(b, "type", fetch_type_name(r->source->type));
		for (size_t j = 0; j < COUNTS; j++)
			json_out_number(b, count_names[j], (double)counts[j]);
		json_out_begin(b, "files", '[');
		for (size_t j = 0; j < r->n; j++) {
			json_out_begin(b, NULL, '{');
			json_out_text(b, "outcome", fetch_outcome_name(r->events[j].outcome));
			json_out_known(b, "file", r->events[j].origin);
			json_out_known(b, "contribution", r->events[j].stored);
			json_out_text(b, "reason", r->events[j].reason);
			json_out_end(b, '{');
		}
		json_out_end(b, '[');
		json_out_end(b, '{');
	}
	json_out_end(b, '[');
	json_out_end(b, '{');
	strbuf_addc(b, '\n');
}

static bool print(const struct fetching *f, struct error *err)
{
	static void (*const formats[])(const struct fetching *, struct strbuf *) = {
		[FORMAT_TEXT] = put_text, [FORMAT_CSV] = put_csv, [FORMAT_JSON] = put_json,
	};
	struct strbuf b = { .arena = f->arena };

	formats[f->opt->format](f, &b);
	return terminal_print(strbuf_str(&b), err);
}

static bool fetch_all(struct fetching *f, struct error *err)
{
	struct fetch_options run = {
		.root = f->opt->root,
		.program = "/proc/self/exe",
		.reference = f->devices.n ? f->devices.v[0].name : STR(""),
		.today = data_today(f->opt),
		.accept = f->opt->accept,
		.dry_run = f->opt->dry_run,
	};

	return f->n == 0 || fetch_run(&run, f->chosen, f->n, f->arena, f->results, err);
}

bool command_fetch(const struct options *opt, struct arena *a, int *status, struct error *err)
{
	struct fetching f = { .opt = opt, .arena = a };

	if (!fetch_sources_read(opt->root, a, &f.all, err) || !choose(&f, err)
	    || !read_catalogue(&f, err) || !data_lock(opt->root, a, status, err))
		return false;
	bool good = fetch_all(&f, err);
	for (size_t i = 0; i < f.n; i++)
		*status |= f.results[i].held || f.results[i].changed || f.results[i].failed;
	if (!good)
		*status = 0; /* the error's own */
	return print(&f, err) && good;
}
