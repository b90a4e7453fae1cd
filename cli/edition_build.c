#include "edition_build.h"

#include "../analyze/analyze.h"
#include "../analyze/change.h"
#include "../analyze/seal.h"
#include "../base/file.h"
#include "../base/map.h"
#include "../publish/buildinfo.h"
#include "../publish/summary.h"
#include "../render/render.h"

#include <stdio.h>
#include <unistd.h>

enum { MESSAGES_SHOWN = 12 };

/* The edition on its way. */
struct making {
	struct context *c;
	const struct edition_build *b;
	const struct inputs *in;
	struct summary previous; /* of b->previous */
};

static const char *in_dir(const struct making *m, const char *dir, const char *name)
{
	return str_c(m->c->arena, file_join(m->c->arena, str_of(dir), str_of(name)));
}

bool edition_inputs(const struct options *opt, const char *previous, struct arena *a,
		    struct inputs *out, struct error *err)
{
	const struct inputs_options in = {
		.root = opt->root,
		.contributions = opt->contributions,
		.edition_path = context_edition_path(opt, a),
		.edition_name = context_edition_name(opt, a),
		.previous = previous,
		.out_dir = opt->out,
	};

	return inputs_gather(&in, a, out, err);
}

/* Costs in USD of a card: the lens that changes.csv is of. */
static bool read_edition(const char *dir, struct arena *a, struct change_edition *out,
			 struct error *err)
{
	return change_read_edition(dir, STR("card"), a, out, err);
}

bool edition_comparable(const char *dir, struct arena *a, struct error *err)
{
	struct change_edition e;
	struct summary s;

	return read_edition(dir, a, &e, err) && summary_read(dir, a, &s, err);
}

/* What a stage had to say, and how long it took. */
static void after_stage(struct making *m, struct stopwatch w, const char *stage)
{
	if (!m->b->silent && !m->c->opt->quiet) {
		context_print(&m->c->messages, MESSAGES_SHOWN);
		stopwatch_print(w, m->c->opt, stage);
	}
	m->c->messages.n = 0;
}

static bool run_collect(struct making *m, struct error *err)
{
	struct context *c = m->c;
	const char *shipped = in_dir(m, c->data_dir, "contributions");
	const char *const paths[] = { c->opt->contributions ? c->opt->contributions : shipped };
	const struct collect_options stage = { .data_dir = c->data_dir,
					       .out_dir = m->b->dir,
					       .paths = paths,
					       .npaths = 1,
					       .edition = &c->edition,
					       .cache = m->b->cache,
					       .threads = (size_t)c->opt->threads };
	struct collect_summary sum = { 0 };
	struct stopwatch w = stopwatch_start();

	if (!collect_run(&stage, &c->devices, c->arena, &c->messages, &sum, err))
		return false;
	if (!c->opt->quiet && !m->b->silent)
		fprintf(stderr,
			"%zu files, %zu rows: %zu accepted, %zu rejected, %zu set aside; "
			"%zu machines, %zu devices (data/rejects.csv names each)\n",
			sum.files, sum.rows, sum.accepted, sum.rejected, sum.set_aside,
			sum.machines, sum.devices);
	if (m->b->counts)
		*m->b->counts = (struct edition_counts){ sum, c->refused_prices.n };
	after_stage(m, w, "collect");
	return true;
}

static bool run_analyze(struct making *m, struct error *err)
{
	struct context *c = m->c;
	const struct analyze_options stage = { .data_dir = c->data_dir,
					       .out_dir = m->b->dir,
					       .edition = &c->edition,
					       .refused_prices = &c->refused_prices,
					       .templates_dir = c->templates_dir,
					       .cache = m->b->cache,
					       .previous_date = m->previous.date,
					       .previous_id = m->previous.id };
	struct stopwatch w = stopwatch_start();

	if (!analyze_run(&stage, &c->devices, &c->prices, c->arena, &c->messages, err))
		return false;
	after_stage(m, w, "analyze");
	return true;
}

/* data/changes.csv. The program is known before summary.json, which will say it, is written. */
static bool write_changes(struct making *m, struct error *err)
{
	struct arena *a = m->c->arena;
	struct change_edition old, now;
	struct changes changes;

	if (!m->b->previous)
		return true;
	if (!read_edition(m->b->previous, a, &old, err) || !read_edition(m->b->dir, a, &now, err))
		return false;
	now.program = STR("gpuguide " GPUGUIDE_VERSION);
	change_compute(&old, &now, a, &changes);
	return change_write(&changes, in_dir(m, m->b->dir, "data/changes.csv"), a, err);
}

static bool write_buildinfo(struct making *m, struct error *err)
{
	const struct options *opt = m->c->opt;
	const struct buildinfo_options info = { opt->gnuplot, m->c->edition.name, opt->date,
						opt->source_date_epoch };

	return buildinfo_write(&info, m->b->dir, m->c->arena, err);
}

static bool run_render(struct making *m, struct error *err)
{
	struct context *c = m->c;
	const struct render_options stage = { .out_dir = m->b->dir,
					      .templates_dir = c->templates_dir,
					      .gnuplot = c->opt->gnuplot,
					      .source_date_epoch = c->opt->source_date_epoch,
					      .version = STR(GPUGUIDE_VERSION),
					      .cache = m->b->cache };
	struct stopwatch w = stopwatch_start();

	if (!render_run(&stage, &c->devices, c->arena, &c->messages, err))
		return false;
	after_stage(m, w, "render");
	return true;
}

/* What was read in between is what was hashed before. */
static bool check_inputs(struct making *m, struct error *err)
{
	struct arena *a = m->c->arena;
	struct inputs now;

	if (!edition_inputs(m->c->opt, m->b->previous, a, &now, err))
		return false;
	for (size_t i = 0; i < now.n || i < m->in->n; i++) {
		const struct input *x = i < m->in->n ? &m->in->v[i] : NULL;
		const struct input *y = i < now.n ? &now.v[i] : NULL;

		if (x && y && input_same(x, y))
			continue;
		/* of two names the first is the one that came or went */
		bool came = !x || (y && str_cmp(y->path, x->path) < 0);
		return error_set(err, ERR_DATA, "%s: changed while the edition was made",
				 str_c(a, came ? y->path : x->path));
	}
	return true;
}

/* One name for two equal files. Where there can be no links both stay. */
static void link_file(const struct making *m, struct str path)
{
	struct arena *a = m->c->arena;
	const char *mine = in_dir(m, m->b->dir, str_c(a, path));
	const char *theirs = in_dir(m, m->b->link_from, str_c(a, path));
	const char *aside = str_c(a, str_printf(a, "%s.part", mine));

	if (!file_same(mine, theirs) || link(theirs, aside) != 0)
		return;
	if (rename(aside, mine) != 0)
		unlink(aside);
}

/* The files that stand in both MANIFESTs with one hash. */
static bool link_equal(struct making *m, struct error *err)
{
	struct map there = { .arena = m->c->arena };
	struct seal mine, theirs;
	struct error ignored = { 0 };

	if (!m->b->link_from || !seal_read(m->b->link_from, m->c->arena, &theirs, &ignored))
		return true;
	if (!seal_read(m->b->dir, m->c->arena, &mine, err))
		return false;
	for (size_t i = 0; i < theirs.n; i++)
		map_put(&there, theirs.v[i].path, i, NULL);
	for (size_t i = 0; i < mine.n; i++) {
		const size_t *at = map_get(&there, mine.v[i].path);

		if (at && !str_starts(mine.v[i].path, STR("input:"))
		    && str_eq(theirs.v[*at].sha256, mine.v[i].sha256))
			link_file(m, mine.v[i].path);
	}
	return true;
}

static bool make(struct making *m, struct error *err)
{
	const struct edition_build *b = m->b;
	struct arena *a = m->c->arena;

	return file_make_dirs(in_dir(m, b->dir, "data"), err)
	       && file_write(in_dir(m, b->dir, "data/inputs.csv"), inputs_csv(m->in, a), err)
	       && (!b->keep_inputs || inputs_keep(m->in, b->dir, b->link_from, a, err))
	       && run_collect(m, err) && run_analyze(m, err) && write_changes(m, err)
	       && write_buildinfo(m, err) && run_render(m, err) && check_inputs(m, err)
	       && link_equal(m, err);
}

bool edition_build(struct context *c, const struct edition_build *b, const struct inputs *in,
		   struct error *err)
{
	struct making m = { .c = c, .b = b, .in = in };

	if (b->previous && !summary_read(b->previous, c->arena, &m.previous, err))
		return false;
	if (make(&m, err))
		return true;
	struct error ignored = { 0 };
	if (file_exists(b->dir))
		file_remove_tree(b->dir, &ignored);
	return false;
}
