/* The three stages as commands of their own. */
#include "collect_stage.h"
#include "commands.h"
#include "context.h"

#include "../analyze/analyze.h"
#include "../base/file.h"
#include "../collect/collect.h"
#include "../render/render.h"

#include <limits.h>

static bool make_data_dir(const struct options *opt, struct arena *a, struct error *err)
{
	return file_make_dirs(str_c(a, file_join(a, str_of(opt->out), STR("data"))), err);
}

bool command_collect(const struct options *opt, struct arena *a, int *status, struct error *err)
{
	struct context c;
	struct collect_summary sum = { 0 };
	struct stopwatch w = stopwatch_start();

	if (!context_open(&c, opt, false, a, err) || !make_data_dir(opt, a, err))
		return false;
	struct collect_options stage = { .data_dir = c.data_dir,
					 .out_dir = opt->out,
					 .paths = opt->paths,
					 .npaths = opt->npaths,
					 .edition = &c.edition,
					 .threads = (size_t)opt->threads };
	bool good = collect_stage(opt, &stage, false, &c.devices, a, &c.messages, &sum, err);
	context_print(&c.messages, 0);
	if (!good)
		return false;
	if (!opt->quiet)
		fprintf(
		    stderr,
		    "%zu files (%zu refused), %zu rows: %zu accepted, %zu rejected, %zu set aside; "
		    "%zu cells, %zu machines, %zu devices\n",
		    sum.files, sum.files_refused, sum.rows, sum.accepted, sum.rejected,
		    sum.set_aside, sum.cells, sum.machines, sum.devices);
	stopwatch_print(w, opt, "collect");
	*status = sum.rejected > 0 || sum.files_refused > 0;
	return true;
}

bool command_analyze(const struct options *opt, struct arena *a, int *status, struct error *err)
{
	struct context c;
	struct stopwatch w = stopwatch_start();

	if (!context_open(&c, opt, true, a, err) || !make_data_dir(opt, a, err))
		return false;
	*status = c.refused_prices.n > 0;
	context_print(&c.refused_prices, 0);
	struct analyze_options stage = { .data_dir = c.data_dir,
					 .out_dir = opt->out,
					 .edition = &c.edition,
					 .refused_prices = &c.refused_prices,
					 .templates_dir = c.templates_dir,
					 .previous_date = { INT_MIN } };
	bool good = analyze_run(&stage, &c.devices, &c.prices, a, &c.messages, err);
	context_print(&c.messages, 0);
	if (good)
		stopwatch_print(w, opt, "analyze");
	return good;
}

bool command_render(const struct options *opt, struct arena *a, int *status, struct error *err)
{
	struct context c;
	struct stopwatch w = stopwatch_start();

	if (!context_open(&c, opt, false, a, err))
		return false;
	struct render_options stage = { .out_dir = opt->out,
					.templates_dir = c.templates_dir,
					.gnuplot = opt->gnuplot,
					.source_date_epoch = opt->source_date_epoch,
					.version = STR(GPUGUIDE_VERSION) };
	bool good = render_run(&stage, &c.devices, a, &c.messages, err);
	context_print(&c.messages, 0);
	if (good)
		stopwatch_print(w, opt, "render");
	*status = 0;
	return good;
}
