/* What was measured on CPUs; a part of the chapter on sources. */
#include "build.h"
#include "format.h"

#include <math.h>

static const struct build_column columns[] = {
	{ "column.processor", false, true, 1.9 }, { "column.class", false, false, 0.9 },
	{ "column.precision", false, false, 0.7 }, { "column.series", false, false, 1.5 },
	{ "column.example", false, false, 2.2 },  { "column.cards", true, false, 0.6 },
	{ "column.card_over", true, false, 1.0 }, { "column.range", true, false, 1.0 },
};

/* "bilstm-char: 61,234.5 tokens/s". */
static struct str example(struct build *b, const struct data_processor *p)
{
	struct str value = p->value < 1 ? format_ratio(b->arena, p->value)
					: format_amount(b->arena, p->value);

	return build_str(b, "processors.example",
			 (struct text_arg[]){ text_arg("workload", p->workload),
					      text_arg("value", value), text_arg("unit", p->unit),
					      text_arg_end() });
}

static void row(struct build *b, struct report_table *t, const struct data_processor *p)
{
	struct report_cell *cells = report_table_row(t, b->arena);

	cells[0].text = p->device_count < 2 ? p->device
					    : str_printf(b->arena, "%d x " STR_FMT, p->device_count,
							 STR_ARG(p->device));
	cells[1].text = build_class_title(b, p->class_text);
	cells[2].text = p->precision;
	cells[3].text = p->series;
	cells[4].text = example(b, p);
	cells[5].text = format_count(b->arena, p->cards);
	if (p->cards > 0) {
		cells[6].text = format_ratio(b->arena, p->median);
		cells[7].text = format_ratio_range(b->arena, p->low, p->high);
	}
}

void section_processors(struct build *b)
{
	struct report_table *t = build_table(b, "table-processors", "processors.about", NULL,
					     columns, LEN(columns));

	if (b->data->nprocessors == 0)
		return;
	for (size_t i = 0; i < b->data->nprocessors; i++)
		row(b, t, &b->data->processors[i]);
	build_heading(b, 3, "processors", "processors.title", NULL);
	build_text(b, "processors.finding", NULL);
	build_add_table(b, t, "data/processors.csv");
}
