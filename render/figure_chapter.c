#include "figure_chapter.h"

#include "format.h"

#include <math.h>
#include <stdlib.h>

struct str figure_word(struct build *b, const char *name, const char *key,
		       const struct text_arg *args)
{
	return build_str(b, str_c(b->arena, str_printf(b->arena, "figure-%s.%s", name, key)), args);
}

void figure_add(struct build *b, const char *name, const char *csv_href,
		const struct text_arg *args,
		double (*draw)(struct chart_plan *p, const void *data, double y), const void *data)
{
	struct report_figure *f = arena_alloc(b->arena, sizeof *f);
	struct chart_picture *picture = arena_alloc(b->arena, sizeof *picture);
	struct chart *chart = arena_alloc(b->arena, sizeof *chart);

	*picture = (struct chart_picture){ draw, data };
	f->id = str_printf(b->arena, "figure-%s", name);
	f->title = figure_word(b, name, "title", args);
	f->caption = figure_word(b, name, "caption", args);
	f->alt = figure_word(b, name, "alt", args);
	f->svg_href = str_printf(b->arena, "figures/" STR_FMT ".svg", STR_ARG(f->id));
	f->csv_href = str_of(csv_href);
	f->chart = chart;
	*chart = (struct chart){ .id = f->id,
				 .title = f->title,
				 .subtitle = figure_word(b, name, "subtitle", args),
				 .alt = f->alt,
				 .reference = NAN,
				 .picture = picture };
	report_add_figure(b->report, f);
}

bool figure_score_is_drawn(const struct data_score *s)
{
	return s && (s->origin == ORIGIN_MEASURED || s->origin == ORIGIN_SCALED);
}

/* Quadratic, over a few hundred cards at most. */
void figure_frontier_of(const double *cost, const double *gain, size_t n, bool *on)
{
	for (size_t i = 0; i < n; i++) {
		on[i] = !isnan(cost[i]) && !isnan(gain[i]);
		for (size_t k = 0; k < n && on[i]; k++) {
			bool better = cost[k] <= cost[i] && gain[k] >= gain[i]; /* false for NAN */
			bool equal = better && cost[k] >= cost[i] && gain[k] <= gain[i];

			if (k != i && better && (!equal || k < i))
				on[i] = false;
		}
	}
}

void figure_picked(struct build *b, struct name_set *out)
{
	for (size_t i = 0; i < b->data->npicks; i++)
		if (b->data->picks[i].rank == 1
		    && str_eq(b->data->picks[i].status, STR("found")))
			name_add(b, out, b->data->picks[i].device);
}

struct str figure_times(struct arena *a, double v)
{
	return str_printf(a, STR_FMT "\xC3\x97", STR_ARG(format_ratio(a, v)));
}
