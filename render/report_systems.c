/* What the computer around the cards and its electricity change: the best of each class under each
 * count of the cost, where the rankings disagree, and whole machines with one card and more. */
#include "build.h"
#include "figure_chapter.h"
#include "footnote.h"
#include "format.h"

#include "../base/num.h"

#include <math.h>

enum { COSTS_SHOWN = 12, MACHINES_SHOWN = 8, GPU_COUNTS_MAX = 4 };

/* The lenses of this chapter, in the order of the columns. */
static const struct {
	enum lens lens;
	const char *best_key, *cost_key, *mean_key;
} lenses[] = {
	{ LENS_CARD, "column.best_card", "column.cost_card", "column.value_card" },
	{ LENS_SYSTEM, "column.best_system", "column.cost_system", "column.value_system" },
	{ LENS_SYSTEM_POWER, "column.best_power", "column.cost_power", "column.value_power" },
};

static bool has_values(const struct build *b, enum lens lens)
{
	for (size_t i = 0; i < b->data->ndevices; i++)
		if (!isnan(build_mean_value(b, lens, i)))
			return true;
	return false;
}

/* ---- how the cost is counted ---- */

/* A sentence of the edition's settings; left out where a setting that it states is not on record.
 */
static void setting_sentence(struct build *b, const char *key, const char *const *settings,
			     size_t n)
{
	struct text_arg args[8];

	for (size_t i = 0; i < n; i++) {
		struct str value = data_setting(b->data, str_of(settings[i]));
		if (value.len == 0)
			return;
		double n_of = 0;
		args[i] = text_arg(settings[i], num_parse(value, false, &n_of)
						    ? format_amount(b->arena, n_of)
						    : build_data_str(b, value));
	}
	args[n] = text_arg_end();
	build_text(b, key, args);
}

static void about(struct build *b)
{
	static const char *const host[] = { "gpus" };
	static const char *const power[] = { "hours_per_year", "years", "country", "tariff" };

	build_text(b, "systems.about", NULL);
	setting_sentence(b, "systems.host", host, LEN(host));
	setting_sentence(b, "systems.power", power, LEN(power));
}

/* ---- the best of each class by lens ---- */

static void best_cell(struct build *b, struct report_cell *cell, size_t class_no,
		      enum lens lens)
{
	struct ranked *r = arena_array(b->arena, b->data->ndevices, sizeof *r);

	if (build_rank_class(b, class_no, build_value_ranking(b), lens, r) == 0) {
		*cell = (struct report_cell){ .text = build_str(b, "headline.none", NULL),
					      .tone = TONE_MUTED };
		return;
	}
	const struct data_value *v = data_value(b->data, lens, r[0].device, class_no);
	const struct text_arg args[] = { text_arg("device", v->device),
					 text_arg("price", format_usd(b->arena, v->cost_usd)),
					 text_arg_end() };
	cell->text = build_str(b, "systems.best_cell", args);
}

static void best_table(struct build *b)
{
	static const struct build_column class_column = { "column.class", false, true, 1 };
	struct report_table *t =
	    build_table(b, "table-best-by-lens", "systems.best", NULL, &class_column, 1);

	for (size_t l = 0; l < LEN(lenses); l++)
		build_add_column(
		    b, t,
		    (struct report_column){ .title = build_str(b, lenses[l].best_key, NULL),
					    .weight = 2 });
	for (size_t c = 0; c < b->data->nclasses; c++) {
		struct report_cell *cells = report_table_row(t, b->arena);
		cells[0].text = build_class(b, b->data->classes[c]);
		for (size_t l = 0; l < LEN(lenses); l++)
			best_cell(b, &cells[l + 1], c, lenses[l].lens);
	}
	build_add_table(b, t, "data/values.csv");
}

/* ---- cards by what they cost in the end ---- */

/* Cost of a device under a lens: the same in every class. */
static double lens_cost(const struct build *b, enum lens lens, size_t device)
{
	for (size_t c = 0; c < b->data->nclasses; c++) {
		const struct data_value *v = data_value(b->data, lens, device, c);
		if (v && !isnan(v->cost_usd))
			return v->cost_usd;
	}
	return NAN;
}

static void cost_columns(struct build *b, struct report_table *t)
{
	for (size_t l = 0; l < LEN(lenses); l++)
		build_add_column(
		    b, t,
		    (struct report_column){ .title = build_str(b, lenses[l].cost_key, NULL),
					    .numeric = true,
					    .weight = 1 });
	for (size_t l = 0; l < LEN(lenses); l++)
		build_add_column(
		    b, t,
		    (struct report_column){ .title = build_str(b, lenses[l].mean_key, NULL),
					    .numeric = true,
					    .weight = 1 });
}

static void cost_table(struct build *b, const struct ranked *r, size_t n)
{
	static const struct build_column device_column = { "column.device", false, true, 1.8 };
	size_t shown = build_rows_shown(n, COSTS_SHOWN);
	const struct text_arg args[] = { text_arg_int("shown", (long)shown, b->arena),
					 text_arg_int("n", (long)n, b->arena),
					 text_arg("days", data_setting(b->data, STR("stale_days"))),
					 text_arg_end() };
	bool fresh = build_value_ranking(b) == BY_FRESH_VALUE;
	struct report_table *t =
	    build_table(b, "table-system-costs", fresh ? "systems.costs_fresh" : "systems.costs",
			args, &device_column, 1);

	cost_columns(b, t);
	for (size_t i = 0; i < shown; i++) {
		struct report_cell *cells = report_table_row(t, b->arena);
		cells[0].text = b->data->devices[r[i].device];
		for (size_t l = 0; l < LEN(lenses); l++) {
			enum lens lens = lenses[l].lens;
			cells[1 + l].text = format_usd(b->arena, lens_cost(b, lens, r[i].device));
			cells[1 + LEN(lenses) + l].text =
			    format_ratio(b->arena, build_mean_value(b, lens, r[i].device));
		}
	}
	build_add_table(b, t, "data/values.csv");
}

/* ---- where two rankings disagree ---- */

static const struct build_column move_columns[] = {
	{ "column.class", false, true, 1.1 },   { "column.lens_a", false, false, 1.1 },
	{ "column.lens_b", false, false, 1.1 }, { "column.cards", true, false, 0.6 },
	{ "column.tau", true, false, 0.7 },     { "column.rises", false, false, 1.7 },
	{ "column.falls", false, false, 1.7 },
};

static struct str moved(struct build *b, struct str device, int from, int to)
{
	if (device.len == 0 || from < 0 || to < 0)
		return device;
	return build_str(b, "systems.moved",
			 (struct text_arg[]){ text_arg("device", device),
					      text_arg_int("from", from, b->arena),
					      text_arg_int("to", to, b->arena), text_arg_end() });
}

static void moves_table(struct build *b)
{
	struct report_table *t = build_table(b, "table-lens-moves", "systems.moves", NULL,
					     move_columns, LEN(move_columns));

	for (size_t i = 0; i < b->data->nlens_moves; i++) {
		const struct data_lens_move *m = &b->data->lens_moves[i];
		if (isnan(m->kendall_tau)) /* too few cards have both costs */
			continue;
		struct report_cell *cells = report_table_row(t, b->arena);
		cells[0].text = build_class_title(b, m->class_text);
		cells[1].text = build_word(b, "lens", m->lens_a);
		cells[2].text = build_word(b, "lens", m->lens_b);
		cells[3].text = format_count(b->arena, m->n);
		cells[4].text = format_correlation(b->arena, m->kendall_tau);
		cells[5].text = moved(b, m->device_up, m->rank_up_a, m->rank_up_b);
		cells[6].text = moved(b, m->device_down, m->rank_down_a, m->rank_down_b);
	}
	if (t->nrows > 0)
		build_text(b, "systems.moves_about", NULL);
	build_add_table(b, t, "data/lens_moves.csv");
}

/* ---- machines ---- */

/* The machines of one device, one for each count of cards. */
static const struct data_system *machine(const struct build *b, struct str device, int gpus)
{
	for (size_t i = 0; i < b->data->nsystems; i++)
		if (b->data->systems[i].gpus == gpus && str_eq(b->data->systems[i].device, device))
			return &b->data->systems[i];
	return NULL;
}

/* The counts of cards on record, in the order they come, at most GPU_COUNTS_MAX. */
static size_t gpu_counts(const struct build *b, int *counts)
{
	size_t n = 0;

	for (size_t i = 0; i < b->data->nsystems; i++) {
		size_t k = 0;
		while (k < n && counts[k] != b->data->systems[i].gpus)
			k++;
		if (k == n && n < GPU_COUNTS_MAX)
			counts[n++] = b->data->systems[i].gpus;
	}
	return n;
}

/* Warnings of every machine of a device, each with the counts of cards that it holds for. */
static struct str warnings(struct build *b, struct footnotes *notes, struct str device,
			   const int *counts, size_t n)
{
	struct name_set words = { .n = 0 }, texts = { .n = 0 };

	for (size_t k = 0; k < n; k++) {
		const struct data_system *s = machine(b, device, counts[k]);
		if (s)
			name_add_words(b, &words, s->warnings);
	}
	for (size_t w = 0; w < words.n; w++) {
		struct name_set where = { .n = 0 };
		for (size_t k = 0; k < n; k++) {
			const struct data_system *s = machine(b, device, counts[k]);
			if (s && data_has_word(s->warnings, words.v[w]))
				name_add(b, &where, format_count(b->arena, counts[k]));
		}
		const struct text_arg args[] = {
			text_arg("warning",
				 footnote_mark(b, notes, build_word(b, "warning", words.v[w]))),
			text_arg("cards", name_list(b, &where, where.n)), text_arg_end()
		};
		name_add(b, &texts, build_str(b, "systems.warning", args));
	}
	return name_list_long(b, &texts, texts.n);
}

static void machine_columns(struct build *b, struct report_table *t, const int *counts, size_t n)
{
	for (size_t k = 0; k < n; k++) {
		const struct text_arg args[] = { text_arg_int("n", counts[k], b->arena),
						 text_arg_end() };
		build_add_column(
		    b, t,
		    (struct report_column){ .title = build_str(b, "column.machine", args),
					    .numeric = true,
					    .weight = 1 });
	}
	for (size_t k = 0; k < n; k++) {
		const struct text_arg args[] = { text_arg_int("n", counts[k], b->arena),
						 text_arg_end() };
		build_add_column(
		    b, t,
		    (struct report_column){ .title = build_str(b, "column.supply", args),
					    .numeric = true,
					    .weight = 1 });
	}
	build_add_column(
	    b, t,
	    (struct report_column){ .title = build_str(b, "column.warnings", NULL), .weight = 2 });
}

static void machine_row(struct build *b, struct report_table *t, struct footnotes *notes,
			struct str device, const int *counts, size_t n)
{
	struct report_cell *cells = report_table_row(t, b->arena);

	cells[0].text = device;
	for (size_t k = 0; k < n; k++) {
		const struct data_system *s = machine(b, device, counts[k]);
		if (!s)
			continue;
		cells[2 + k].text = format_usd(b->arena, s->purchase_usd);
		if (!isnan(s->psu_w))
			cells[2 + n + k].text = build_str(
			    b, "systems.watt",
			    (struct text_arg[]){ text_arg_int("w", lround(s->psu_w), b->arena),
						 text_arg_end() });
		if (cells[1].text.len == 0 && !isnan(s->slots) && s->gpus > 0)
			cells[1].text = format_amount(b->arena, s->slots / s->gpus);
	}
	cells[2 + 2 * n].text = warnings(b, notes, device, counts, n);
	cells[2 + 2 * n].tone = TONE_WARN;
	if (cells[2 + 2 * n].text.len == 0)
		cells[2 + 2 * n] = (struct report_cell){ .text = build_str(b, "status.ok", NULL),
							 .tone = TONE_MUTED };
}

static void machine_table(struct build *b, const struct ranked *r, size_t n)
{
	static const struct build_column columns[] = { { "column.device", false, true, 1.8 },
						       { "column.slots", true, false, 0.6 } };
	int counts[GPU_COUNTS_MAX];
	size_t ncounts = gpu_counts(b, counts), shown = build_rows_shown(n, MACHINES_SHOWN);
	const struct text_arg args[] = { text_arg_int("shown", (long)shown, b->arena),
					 text_arg_end() };
	struct report_table *t =
	    build_table(b, "table-machines", "systems.machines", args, columns, LEN(columns));

	struct footnotes notes = { .texts = { .n = 0 } };

	machine_columns(b, t, counts, ncounts);
	for (size_t i = 0; i < shown && ncounts > 0; i++)
		machine_row(b, t, &notes, b->data->devices[r[i].device], counts, ncounts);
	if (t->nrows > 0)
		build_text(b, "systems.machines_about", NULL);
	build_add_table(b, t, "data/systems.csv");
	footnote_list(b, &notes);
}

void chapter_systems(struct build *b)
{
	struct ranked *r = arena_array(b->arena, b->data->ndevices, sizeof *r);
	enum lens last = has_values(b, LENS_SYSTEM_POWER) ? LENS_SYSTEM_POWER : LENS_SYSTEM;

	if (!has_values(b, LENS_SYSTEM))
		return;
	size_t n = build_rank_mean(b, build_value_ranking(b), last, r);
	build_heading(b, 2, "systems", "systems.title", NULL);
	about(b);
	best_table(b);
	figure_systems(b);
	cost_table(b, r, n);
	moves_table(b);
	machine_table(b, r, n);
}
