/* Price against performance: the cards that no other one beats in both, those that are beaten, and
 * whether to change. */
#include "build.h"
#include "figure_chapter.h"
#include "format.h"

#include <math.h>

/* A card with what it costs and what it gives. */
struct choice {
	struct str device;
	enum origin origin;
	double cost, score;
};

/* The cards of a class that no other one beats, the cheapest first; only recent prices count where
 * the edition has any. Returns how many of `out` there are; *all gets how many were compared. */
static size_t frontier(struct build *b, size_t class_no, struct choice *out, size_t *all)
{
	const struct report_data *d = b->data;
	struct ranked *r = arena_array(b->arena, d->ndevices, sizeof *r);
	size_t n = build_rank_class(b, class_no, build_value_ranking(b), LENS_CARD, r), kept = 0;
	double *cost = arena_array(b->arena, n, sizeof *cost);
	double *gain = arena_array(b->arena, n, sizeof *gain);
	bool *on = arena_array(b->arena, n, sizeof *on);

	for (size_t i = 0; i < n; i++) {
		cost[i] = data_value(d, LENS_CARD, r[i].device, class_no)->cost_usd;
		gain[i] = data_score(d, r[i].device, class_no)->score;
	}
	figure_frontier_of(cost, gain, n, on);
	for (size_t i = 0; i < n; i++) {
		const struct data_score *s = data_score(d, r[i].device, class_no);
		size_t at = kept;
		if (!on[i])
			continue;
		for (; at > 0 && out[at - 1].cost > cost[i]; at--)
			out[at] = out[at - 1];
		out[at] = (struct choice){ s->device, s->origin, cost[i], s->score };
		kept++;
	}
	*all = n;
	return kept;
}

static const struct build_column columns[] = {
	{ "column.class", false, true, 1 },
	{ "column.compared", true, false, 0.8 },
	{ "column.frontier", false, false, 6 },
};

/* "RTX 5060 ($299, ~0.77)". */
static struct str choice_text(struct build *b, const struct choice *c)
{
	return build_str(
	    b, "frontier.card",
	    (struct text_arg[]){
		text_arg("device", c->device),
		text_arg("price", format_usd(b->arena, c->cost)),
		text_arg("score", build_figure(b, c->origin, c->score, NAN, NAN)),
		text_arg_end() });
}

static void class_row(struct build *b, struct report_table *t, size_t class_no,
		      const struct choice *c, size_t n, size_t all)
{
	struct report_cell *cells = report_table_row(t, b->arena);
	struct name_set names = { .n = 0 };

	for (size_t i = 0; i < n; i++)
		name_add(b, &names, choice_text(b, &c[i]));
	cells[0].text = build_class(b, b->data->classes[class_no]);
	cells[1].text = format_count(b->arena, (long)all);
	cells[2].text = name_list(b, &names, n);
}

/* The cards that are on the frontier of every class compared, and how many stand below it. */
static void finding(struct build *b, struct choice *const *c, const size_t *n, size_t most)
{
	struct name_set common = { .n = 0 };
	size_t classes = 0, first = b->data->nclasses;

	for (size_t k = 0; k < b->data->nclasses; k++)
		if (n[k] > 0 && classes++ == 0)
			first = k;
	if (classes == 0)
		return;
	for (size_t i = 0; i < n[first]; i++) {
		size_t in = 0;
		for (size_t k = 0; k < b->data->nclasses; k++)
			for (size_t j = 0; j < n[k]; j++)
				in += str_eq(c[k][j].device, c[first][i].device);
		if (in == classes)
			name_add(b, &common, c[first][i].device);
	}
	build_text(b, common.n > 0 ? "frontier.finding" : "frontier.finding_none",
		   (struct text_arg[]){ text_arg_int("n", (long)most, b->arena),
					text_arg_int("common", (long)common.n, b->arena),
					text_arg_int("classes", (long)classes, b->arena),
					text_arg("names", name_list(b, &common, common.n)),
					text_arg_end() });
}

static void frontier_table(struct build *b)
{
	struct choice *c[CLASS_COUNT];
	size_t n[CLASS_COUNT] = { 0 }, most = 0, all;
	bool fresh = build_value_ranking(b) == BY_FRESH_VALUE
		     && data_setting(b->data, STR("stale_days")).len > 0;
	const struct text_arg args[] = { text_arg("days",
						  data_setting(b->data, STR("stale_days"))),
					 text_arg_end() };
	struct report_table *t =
	    build_table(b, "table-frontier", fresh ? "frontier.table_recent" : "frontier.table",
			args, columns, LEN(columns));

	for (size_t k = 0; k < b->data->nclasses; k++) {
		c[k] = arena_array(b->arena, b->data->ndevices, sizeof *c[k]);
		n[k] = frontier(b, k, c[k], &all);
		most = all > most ? all : most;
		if (n[k] > 0)
			class_row(b, t, k, c[k], n[k], all);
	}
	finding(b, c, n, most);
	build_text(b, "frontier.about", NULL);
	figure_frontier(b);
	build_add_table(b, t, "data/values.csv");
}

static bool has_value(const struct build *b)
{
	for (size_t i = 0; i < b->data->nvalues; i++)
		if (str_eq(b->data->values[i].lens, lens_name(LENS_CARD))
		    && !isnan(b->data->values[i].value))
			return true;
	return false;
}

void chapter_frontier(struct build *b)
{
	if (!has_value(b) && b->data->navoid == 0 && b->data->nupgrades == 0)
		return;
	build_heading(b, 2, "frontier", "frontier.title", NULL);
	if (has_value(b))
		frontier_table(b);
	section_avoid(b);
	section_upgrade(b);
}
