/* gpuguide backtest: the whole test of the scaling methods from the contributions on, with nothing
 * kept. */
#include "commands.h"
#include "context.h"
#include "json_out.h"

#include "../analyze/backtest_reason.h"
#include "../analyze/score.h"
#include "../analyze/score_read.h"
#include "../base/csv_write.h"
#include "../base/file.h"
#include "../base/num.h"
#include "../collect/collect.h"

#include <math.h>
#include <stdlib.h>

enum { WORST_SHOWN = 5, DECIMALS = 3 };

/* What the project aims at where the architecture is represented; a class without a line has no
 * aim. */
static const struct {
	enum class_id class;
	double median, p90;
} goals[] = {
	{ CLASS_CNN, 1.05, 1.15 },
	{ CLASS_RNN_WORD, 1.08, 1.25 },
	{ CLASS_RNN_CHAR, 1.08, 1.25 },
	{ CLASS_TRANSFORMER, 1.08, 1.25 },
};

/* The test of all classes asked for. */
struct bench {
	const struct context *context;
	struct score_class *classes;
	size_t n;
	struct arena *arena;
};

/* One line of the table. */
struct line {
	struct str class, which,
	    method; /* method "best": each card by the method that the others choose */
	size_t n;
	double median, p90, goal_median, goal_p90; /* factors; NAN: none */
	bool chosen;
};

/* One of the worst predictions of a class. */
struct miss {
	struct str class, device, method, from, reason;
	double predicted, measured, factor;
};

static struct line line_of(const struct score_class *c, enum backtest_case k, struct str method,
			   const struct backtest_error *e)
{
	struct line l = { .class = class_name(c->class),
			  .which = backtest_case_name(k),
			  .method = method,
			  .n = e->n,
			  .median = e->median_factor,
			  .p90 = e->p90_factor,
			  .goal_median = NAN,
			  .goal_p90 = NAN };

	for (size_t i = 0; k == BACKTEST_REPRESENTED && i < LEN(goals); i++)
		if (goals[i].class == c->class) {
			l.goal_median = goals[i].median;
			l.goal_p90 = goals[i].p90;
		}
	return l;
}

/* Lines of one class: by case the methods and, where a method is chosen, the choice itself tested.
 * Room for BACKTEST_CASES * (SCALE_METHODS + 1). */
static size_t class_lines(const struct bench *b, const struct score_class *c, struct line *out)
{
	size_t n = 0;

	for (int k = 0; k < BACKTEST_CASES; k++) {
		enum backtest_case which = (enum backtest_case)k;
		for (size_t m = 0; m < SCALE_METHODS; m++) {
			const struct backtest *t = &c->fit->backtests[m];
			out[n] = line_of(c, which, t->method->name, &t->cases[k]);
			out[n++].chosen =
			    which != BACKTEST_ALL && t == class_fit_backtest(c->fit, which);
		}
		if (which != BACKTEST_REPRESENTED && which != BACKTEST_ARCHITECTURE_OUT)
			continue;
		struct backtest_error e =
		    backtest_nested(c->fit->backtests, SCALE_METHODS, which, b->arena);
		out[n++] = line_of(c, which, STR("best"), &e);
	}
	return n;
}

/* The worst predictions of the methods in use, worst first, of equals the first in devices.csv. */
static size_t class_misses(const struct bench *b, const struct score_class *c, struct miss *out)
{
	const struct class_fit *f = c->fit;
	const struct devices *d = &b->context->devices;
	bool *taken = arena_array(b->arena, f->nsources, sizeof *taken);
	size_t n = 0;

	while (n < WORST_SHOWN) {
		size_t worst = f->nsources;
		for (size_t i = 0; i < f->nsources; i++) {
			double factor = class_fit_backtest_of(f, i)->factor[i];
			if (!taken[i] && !isnan(factor)
			    && (worst == f->nsources
				|| factor > class_fit_backtest_of(f, worst)->factor[worst]))
				worst = i;
		}
		if (worst == f->nsources)
			break;
		const struct backtest *t = class_fit_backtest_of(f, worst);
		taken[worst] = true;
		out[n++] = (struct miss){ .class = class_name(c->class),
					  .device = d->v[f->sources[worst].device].name,
					  .method = t->method->name,
					  .from = scale_anchor_text(&t->prediction[worst], d),
					  .predicted = t->prediction[worst].score,
					  .measured = f->sources[worst].score,
					  .factor = t->factor[worst],
					  .reason = backtest_reason(f, d, worst, b->arena) };
	}
	return n;
}

static struct str fixed(const struct bench *b, double v)
{
	return isfinite(v) ? num_fixed(b->arena, v, DECIMALS) : STR("-");
}

static void print_text_class(const struct bench *b, const struct line *lines, size_t n,
			     const struct miss *misses, size_t nmisses)
{
	printf("\n" STR_FMT "\n  %-22s   %-11s %3s %7s %7s\n", STR_ARG(lines[0].class), "case",
	       "method", "n", "median", "p90");
	for (size_t i = 0; i < n; i++) {
		const struct line *l = &lines[i];
		struct str median = fixed(b, l->median), p90 = fixed(b, l->p90);
		printf("  %-22.*s %c %-11.*s %3zu %7.*s %7.*s", STR_ARG(l->which),
		       l->chosen ? '*' : ' ', STR_ARG(l->method), l->n, STR_ARG(median),
		       STR_ARG(p90));
		if (l->chosen && !isnan(l->goal_p90))
			printf("   goal %.2f %s, %.2f %s", l->goal_median,
			       l->median <= l->goal_median ? "met" : "missed", l->goal_p90,
			       l->p90 <= l->goal_p90 ? "met" : "missed");
		printf("\n");
	}
	printf("  worst predictions of the methods in use:\n");
	for (size_t i = 0; i < nmisses; i++) {
		const struct miss *m = &misses[i];
		struct str predicted = fixed(b, m->predicted), measured = fixed(b, m->measured),
			   factor = fixed(b, m->factor);
		printf("    %-20.*s predicted %7.*s measured %7.*s factor %6.*s by " STR_FMT
		       " from " STR_FMT "\n      " STR_FMT "\n",
		       STR_ARG(m->device), STR_ARG(predicted), STR_ARG(measured), STR_ARG(factor),
		       STR_ARG(m->method), STR_ARG(m->from), STR_ARG(m->reason));
	}
}

static void print_text(const struct bench *b, const struct line *lines, const size_t *nlines,
		       const struct miss *misses, const size_t *nmisses)
{
	struct str methods = scale_method_names(b->arena);

	printf("Every measured card predicted from the others, as a factor off: " STR_FMT ".\n"
	       "Methods tried: " STR_FMT ". * marks the one in use for the case: the last\n"
	       "of those whose 90th percentile is within a factor %g of the lowest, unless the "
	       "edition names one.\n"
	       "\"best\" is the choice itself put to the test: each card by the method that the "
	       "others choose.\n",
	       STR_ARG(b->context->edition.title), STR_ARG(methods), BACKTEST_LEVEL);
	for (size_t i = 0; i < b->n; i++) {
		print_text_class(b, lines, nlines[i], misses, nmisses[i]);
		lines += nlines[i];
		misses += nmisses[i];
	}
}

static void print_csv(const struct bench *b, const struct line *lines, size_t n,
		      const struct miss *misses, size_t nmisses)
{
	struct csv_out w = { .buf.arena = b->arena };

	strbuf_add(
	    &w.buf,
	    STR("record,class,case,method,n,median_factor,p90_factor,goal_median,goal_p90,chosen,"
		"device,predicted,measured,factor,from,reason\n"));
	for (size_t i = 0; i < n; i++) {
		const struct line *l = &lines[i];
		const double numbers[] = { l->median, l->p90, l->goal_median, l->goal_p90 };
		csv_put(&w, STR("error"));
		csv_put(&w, l->class);
		csv_put(&w, l->which);
		csv_put(&w, l->method);
		csv_put_int(&w, (long)l->n);
		for (size_t k = 0; k < LEN(numbers); k++)
			csv_put_num(&w, score_rounded(numbers[k]));
		csv_put(&w, l->chosen ? STR("yes") : STR("no"));
		for (int k = 0; k < 6; k++)
			csv_put_missing(&w);
		csv_end_row(&w);
	}
	for (size_t i = 0; i < nmisses; i++) {
		const struct miss *m = &misses[i];
		csv_put(&w, STR("worst"));
		csv_put(&w, m->class);
		csv_put_missing(&w);
		csv_put(&w, m->method);
		for (int k = 0; k < 5; k++)
			csv_put_missing(&w);
		csv_put(&w, STR("yes"));
		csv_put(&w, m->device);
		csv_put_num(&w, score_rounded(m->predicted));
		csv_put_num(&w, score_rounded(m->measured));
		csv_put_num(&w, score_rounded(m->factor));
		csv_put(&w, m->from);
		csv_put(&w, m->reason);
		csv_end_row(&w);
	}
	fwrite(w.buf.p, 1, w.buf.len, stdout);
}

static void json_line(struct strbuf *out, const struct line *l)
{
	json_out_begin(out, NULL, '{');
	json_out_text(out, "class", l->class);
	json_out_text(out, "case", l->which);
	json_out_text(out, "method", l->method);
	json_out_number(out, "n", (double)l->n);
	json_out_number(out, "median_factor", score_rounded(l->median));
	json_out_number(out, "p90_factor", score_rounded(l->p90));
	json_out_number(out, "goal_median", l->goal_median);
	json_out_number(out, "goal_p90", l->goal_p90);
	json_out_bool(out, "chosen", l->chosen);
	json_out_end(out, '{');
}

static void json_miss(struct strbuf *out, const struct miss *m)
{
	json_out_begin(out, NULL, '{');
	json_out_text(out, "class", m->class);
	json_out_text(out, "device", m->device);
	json_out_text(out, "method", m->method);
	json_out_text(out, "from", m->from);
	json_out_number(out, "predicted", score_rounded(m->predicted));
	json_out_number(out, "measured", score_rounded(m->measured));
	json_out_number(out, "factor", score_rounded(m->factor));
	json_out_text(out, "reason", m->reason);
	json_out_end(out, '{');
}

static void print_json(const struct bench *b, const struct line *lines, size_t n,
		       const struct miss *misses, size_t nmisses)
{
	struct strbuf out = { .arena = b->arena };

	json_out_begin(&out, NULL, '{');
	json_out_begin(&out, "methods", '[');
	for (size_t i = 0; i < SCALE_METHODS; i++)
		json_out_text(&out, NULL, scale_methods[i].name);
	json_out_end(&out, '[');
	json_out_begin(&out, "errors", '[');
	for (size_t i = 0; i < n; i++)
		json_line(&out, &lines[i]);
	json_out_end(&out, '[');
	json_out_begin(&out, "worst", '[');
	for (size_t i = 0; i < nmisses; i++)
		json_miss(&out, &misses[i]);
	json_out_end(&out, '[');
	json_out_end(&out, '{');
	strbuf_addc(&out, '\n');
	fwrite(out.p, 1, out.len, stdout);
}

static void print(const struct bench *b)
{
	size_t per_class = BACKTEST_CASES * (SCALE_METHODS + 1), n = 0, m = 0;
	struct line *lines = arena_array(b->arena, b->n * per_class, sizeof *lines);
	struct miss *misses = arena_array(b->arena, b->n * WORST_SHOWN, sizeof *misses);
	size_t *nlines = arena_array(b->arena, b->n, sizeof *nlines);
	size_t *nmisses = arena_array(b->arena, b->n, sizeof *nmisses);

	for (size_t i = 0; i < b->n; i++) {
		n += nlines[i] = class_lines(b, &b->classes[i], &lines[n]);
		m += nmisses[i] = class_misses(b, &b->classes[i], &misses[m]);
	}
	switch (b->context->opt->format) {
	case FORMAT_TEXT:
		print_text(b, lines, nlines, misses, nmisses);
		break;
	case FORMAT_CSV:
		print_csv(b, lines, n, misses, m);
		break;
	case FORMAT_JSON:
		print_json(b, lines, n, misses, m);
		break;
	}
}

/* Keeps only the class of --class. */
static bool select_class(struct context *c, struct error *err)
{
	const char *name = c->opt->class_name;
	enum class_id id;

	if (!name)
		return true;
	if (!class_parse(str_of(name), &id))
		return error_set(err, ERR_USAGE, "--class: '%s' is not a class", name);
	const struct edition_class *found = edition_class_find(&c->edition, id);
	if (!found)
		return error_set(err, ERR_USAGE,
				 "--class: the edition does not have the class '%s'", name);
	c->edition.classes[0] = *found;
	c->edition.nclasses = 1;
	return true;
}

/* Collects into `dir` and scores from there. */
static bool test_in(struct context *c, const char *dir, struct bench *b, struct error *err)
{
	struct arena *a = c->arena;
	const char *shipped = str_c(a, file_join(a, str_of(c->data_dir), STR("contributions")));
	const char *const paths[] = { c->opt->contributions ? c->opt->contributions : shipped };
	const char *out = str_c(a, file_join(a, str_of(dir), STR("data")));
	struct collect_options collect = { c->data_dir, dir, paths, 1, &c->edition, NULL, 0, 0 };
	struct collect_summary sum = { 0 };
	struct score_data data;
	struct scores scores;

	if (!file_make_dirs(out, err)
	    || !collect_run(&collect, &c->devices, a, &c->messages, &sum, err)
	    || !score_data_read(c->data_dir,
				str_c(a, file_join(a, str_of(out), STR("observations.csv"))),
				&c->devices, &c->edition, a, &data, err))
		return false;
	struct score_input in = { &data.obs, &c->devices,     &c->edition,       NULL,
				  0,         &data.estimates, data.link_accepted };
	*b = (struct bench){ c, NULL, c->edition.nclasses, a };
	return score_compute(&in, a, &scores, &b->classes, err);
}

bool command_backtest(const struct options *opt, struct arena *a, int *status, struct error *err)
{
	struct stopwatch w = stopwatch_start();
	struct error cleanup = { 0 };
	struct context c;

	if (!context_open(&c, opt, true, a, err) || !select_class(&c, err))
		return false;
	const char *tmp = getenv("TMPDIR");
	struct str name = str_printf(a, "%s/gpuguide-backtest-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	char *dir = arena_alloc(a, name.len + 1);
	for (size_t i = 0; i < name.len; i++)
		dir[i] = name.p[i];
	if (!mkdtemp(dir))
		return error_errno(err, dir);
	struct bench b;
	bool good = test_in(&c, dir, &b, err);
	if (!file_remove_tree(dir, &cleanup) && good)
		good = error_set(err, cleanup.code, "%s", cleanup.msg);
	if (good) /* last: a reader that has gone away must not leave the folder behind */
		print(&b);
	stopwatch_print(w, opt, "backtest");
	*status = 0;
	return good;
}
