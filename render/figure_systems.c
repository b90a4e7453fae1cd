/* What a computer with one card costs over its years of use, in three parts. */
#include "figure_chapter.h"
#include "figure_stack.h"
#include "format.h"

#include "../base/num.h"

#include <math.h>

enum { ROWS = 15, PARTS = 3 };

static const struct data_system *system_of(const struct build *b, struct str device)
{
	for (size_t i = 0; i < b->data->nsystems; i++)
		if (b->data->systems[i].gpus == 1 && str_eq(b->data->systems[i].device, device))
			return &b->data->systems[i];
	return NULL;
}

static struct stack_row row_of(struct build *b, const struct data_system *s, double value)
{
	return (struct stack_row){ .label = s->device,
				   .parts = { s->cards_usd, s->host_usd, s->power_usd },
				   .total = format_usd(b->arena, s->total_usd),
				   .note = format_ratio(b->arena, value) };
}

/* A card without a computer or without its price has no bar: parts of a sum would mislead. */
static void rows_gather(struct build *b, struct figure_stack *f, enum lens lens)
{
	struct ranked *r = arena_array(b->arena, b->data->ndevices, sizeof *r);
	size_t n = build_rank_mean(b, build_value_ranking(b), lens, r);

	f->rows = arena_array(b->arena, ROWS, sizeof *f->rows);
	for (size_t i = 0; i < n && f->nrows < ROWS; i++) {
		const struct data_system *s = system_of(b, b->data->devices[r[i].device]);

		if (s && s->cards_usd > 0 && s->host_usd > 0 && !isnan(s->total_usd))
			f->rows[f->nrows++] = row_of(b, s, r[i].v / r[0].v);
	}
}

static double share(const struct stack_row *r, size_t part)
{
	double sum = 0;

	for (size_t k = 0; k < PARTS; k++)
		sum += r->parts[k] > 0 ? r->parts[k] : 0;
	return 100 * r->parts[part] / sum;
}

void figure_systems(struct build *b)
{
	struct figure_stack *f = arena_alloc(b->arena, sizeof *f);
	size_t low = 0, high = 0;

	rows_gather(b, f, LENS_SYSTEM_POWER);
	if (f->nrows == 0)
		rows_gather(b, f, LENS_SYSTEM);
	if (f->nrows == 0)
		return;
	for (size_t i = 0; i < f->nrows; i++) {
		low = share(&f->rows[i], 0) < share(&f->rows[low], 0) ? i : low;
		high = share(&f->rows[i], 0) > share(&f->rows[high], 0) ? i : high;
	}
	f->nparts = PARTS;
	f->part_titles[0] = figure_word(b, "systems", "card", NULL);
	f->part_titles[1] = figure_word(b, "systems", "host", NULL);
	f->part_titles[2] = figure_word(b, "systems", "power", NULL);
	f->axis_title = figure_word(b, "systems", "x", NULL);
	f->note_title = figure_word(b, "systems", "value", NULL);
	f->prefix = STR("$");

	struct str hours = data_setting(b->data, STR("hours_per_year"));
	double hours_n = 0;

	if (num_parse(hours, false, &hours_n))
		hours = format_amount(b->arena, hours_n);
	const struct text_arg args[] = {
		text_arg_int("n", (long)f->nrows, b->arena),
		text_arg("first", f->rows[0].label),
		text_arg("total", f->rows[0].total),
		text_arg("low", f->rows[low].label),
		text_arg("low_share", format_percent(b->arena, share(&f->rows[low], 0))),
		text_arg("high", f->rows[high].label),
		text_arg("high_share", format_percent(b->arena, share(&f->rows[high], 0))),
		text_arg("years", data_setting(b->data, STR("years"))),
		text_arg("hours", hours),
		text_arg_end(),
	};
	figure_add(b, "systems", "data/systems.csv", args, figure_stack_draw, f);
}
