#include "collect.h"

#include "check_cross.h"
#include "contribution.h"
#include "duplicate.h"
#include "group.h"
#include "input.h"
#include "limits.h"
#include "observation.h"
#include "output.h"
#include "override.h"
#include "parallel.h"
#include "row.h"
#include "signature.h"
#include "stage.h"
#include "store.h"

#include <limits.h>

static struct collection make_collection(const struct collect_options *opt,
					 const struct devices *devices,
					 const struct workloads *workloads,
					 const struct signers *signers, struct arena *a,
					 struct messages *messages)
{
	return (struct collection){
		.arena = a,
		.devices = devices,
		.workloads = workloads,
		.signers = signers,
		.messages = messages,
		.cutoff = { opt->edition ? opt->edition->benchmark_cutoff.day : INT_MIN },
		.series = names_make(a),
		.precisions = names_make(a),
		.frameworks = names_make(a),
		.sources = names_make(a),
		.machine_keys = names_make(a),
		.contents = names_make(a),
		.rejects = { .arena = a },
		.items = item_store_make(opt->out_dir, opt->scratch_fd, opt->memory),
		.limits = opt->limits ? opt->limits : &limits_of_stage,
		.threads = parallel_threads(opt->threads),
	};
}

static bool read_inputs(struct collection *c, struct overrides *o, struct collect_store *store,
			struct error *err)
{
	if (!contribution_read_all(c, o, store, err))
		return false;
	if (c->left_out) {
		struct str cutoff = date_iso(c->arena, c->cutoff);
		messages_add(c->messages, (struct pos){ 0 },
			     "%zu rows after the edition's cut-off " STR_FMT " are left out",
			     c->left_out, STR_ARG(cutoff));
	}
	return true;
}

static void report_undescribed(const struct collection *c, const struct series_list *described)
{
	for (size_t i = 0; i < c->series.n; i++)
		if (!series_find(described, c->series.v[i]))
			messages_add(c->messages, (struct pos){ 0 },
				     "series '" STR_FMT
				     "' is not described in series.csv: taken as comparable",
				     STR_ARG(c->series.v[i]));
}

/* When the cells were made, and their memory. */
struct made {
	struct arena arena;
	bool there;
	size_t taken_out; /* rows, until then */
};

/* Makes the cells of the rows that are left, unless none was set aside since. */
static bool make_cells(struct collection *c, struct group *const *order, struct made *m,
		       struct observations *cells, struct error *err)
{
	if (m->there && m->taken_out == c->taken_out)
		return true;
	arena_free(&m->arena);
	m->there = true;
	m->taken_out = c->taken_out;
	return observation_build(c, order, &m->arena, cells, err);
}

/* Copies go first, so that they weigh in no median; then each check sees what the one before left.
 */
static bool check_rows(struct collection *c, struct overrides *o, const struct ranks *ranks,
		       struct observations *cells, struct error *err)
{
	struct group *const *order = observation_order(c, ranks, c->arena);
	struct made made = { .there = false };

	override_apply(c, o);
	bool good = check_duplicate(c, o, ranks, err) && make_cells(c, order, &made, cells, err)
		    && check_scaling(c, o, cells, err) && make_cells(c, order, &made, cells, err)
		    && check_outlier(c, o, cells, err);
	for (size_t i = 0; i < c->ngroups && good; i++)
		good = group_settle(c, c->groups[i], err);
	good = good && make_cells(c, order, &made, cells, err);
	arena_adopt(c->arena, &made.arena);
	return good;
}

/* The stage's own work: from the files to the tables. */
static bool make_tables(struct collection *c, struct overrides *o, const struct series_list *series,
			struct collect_store *store, struct collect_tables *tables,
			struct collect_summary *summary, struct error *err)
{
	struct observations cells;
	struct ranks ranks;

	if (!read_inputs(c, o, store, err))
		return false;
	group_end_files(c);
	report_undescribed(c, series);
	observation_ranks(c, c->arena, &ranks);
	if (!check_rows(c, o, &ranks, &cells, err))
		return false;
	override_report(c, o);
	item_store_close(&c->items); /* cells have all that is needed of them */
	output_make(c, &cells, &ranks, series, tables, summary);
	store_put_shelves(store);
	store_put_stage(store, c->messages, tables, summary);
	return true;
}

bool stage_make(const struct collect_options *opt, const struct devices *devices, struct arena *a,
		struct messages *messages, struct collect_tables *tables,
		struct collect_summary *summary, struct error *err)
{
	struct workloads workloads;
	struct series_list series;
	struct signers signers;
	struct overrides overrides;
	struct collect_store store;
	struct store_catalogue catalogue = store_catalogue(opt, a);

	if (!workloads_read(opt->data_dir, a, &workloads, err)
	    || !series_read(opt->data_dir, a, &series, err)
	    || !signature_signers(opt->data_dir, a, &signers, err)
	    || !override_read(opt->data_dir, a, &overrides, err))
		return false;
	struct collection c = make_collection(opt, devices, &workloads, &signers, a, messages);
	bool good = input_find(opt, &c, &series, err);
	if (good)
		store_open(&store, opt, &catalogue, &c);
	good = good
	       && (store_get_stage(&store, messages, tables, summary)
		   || make_tables(&c, &overrides, &series, &store, tables, summary, err));
	item_store_close(&c.items);
	group_end_files(&c);
	group_free(&c);
	return good;
}

bool collect_run(const struct collect_options *opt, const struct devices *devices, struct arena *a,
		 struct messages *messages, struct collect_summary *summary, struct error *err)
{
	struct collect_tables tables;

	return stage_make(opt, devices, a, messages, &tables, summary, err)
	       && output_write(&tables, opt->out_dir, a, err);
}
