/* The guide's example of 2016: how three convolutions fill a card, as the guide counted and
 * corrected, in wide and narrow numbers. */
#include "build.h"
#include "format.h"

#include <math.h>

enum { COLUMNS_MAX = 8 };

/* One reading and precision: a column. */
struct reading {
	struct str network, precision;
};

static bool is_trace(const struct data_memory_part *p)
{
	return str_starts(p->network, STR("guide-2016")) && str_eq(p->mode, STR("training"));
}

/* What the guide counted: the input and every layer, no weights and nothing of the library. */
static bool is_counted(struct str part)
{
	return str_eq(part, STR("input")) || str_starts(part, STR("layer "));
}

/* "layer 2" of "layer 2: conv 64 kernel 3". */
static struct str step_name(struct str part)
{
	struct str name;

	str_cut(&part, ':', &name);
	return name;
}

static size_t readings(const struct build *b, struct reading *out)
{
	size_t n = 0;

	for (size_t i = 0; i < b->data->nmemory_parts; i++) {
		const struct data_memory_part *p = &b->data->memory_parts[i];
		size_t k = 0;
		while (k < n
		       && !(str_eq(out[k].network, p->network)
			    && str_eq(out[k].precision, p->precision)))
			k++;
		if (k == n && n < COLUMNS_MAX && is_trace(p))
			out[n++] = (struct reading){ p->network, p->precision };
	}
	return n;
}

/* MiB of one step, or of all of them where the step is empty; NAN where the reading lacks it. */
static double step_mib(const struct build *b, const struct reading *r, struct str step)
{
	double sum = NAN;

	for (size_t i = 0; i < b->data->nmemory_parts; i++) {
		const struct data_memory_part *p = &b->data->memory_parts[i];
		if (!is_trace(p) || !is_counted(p->part) || !str_eq(p->network, r->network)
		    || !str_eq(p->precision, r->precision)
		    || (step.len > 0 && !str_eq(step_name(p->part), step)))
			continue;
		sum = isnan(sum) ? p->mib : sum + p->mib;
	}
	return sum;
}

static struct report_table *trace_table(struct build *b, const struct reading *r, size_t n)
{
	static const struct build_column step_column = { "column.step", false, true, 1 };
	struct report_table *t =
	    build_table(b, "table-trace", "memory.trace", NULL, &step_column, 1);

	for (size_t k = 0; k < n; k++) {
		const struct text_arg args[] = {
			text_arg("reading", build_word(b, "trace", r[k].network)),
			text_arg("precision", build_word(b, "precision", r[k].precision)),
			text_arg_end()
		};
		build_add_column(
		    b, t,
		    (struct report_column){ .title = build_str(b, "memory.reading", args),
					    .numeric = true,
					    .weight = 1 });
	}
	return t;
}

/* "layer 2", "input". */
static struct str step_text(struct build *b, struct str step)
{
	const struct str layer = STR("layer ");

	if (!str_starts(step, layer))
		return build_word(b, "memory-part", step);
	return build_str(b, "memory.layer",
			 (struct text_arg[]){ text_arg("n", str_slice(step, layer.len, step.len)),
					      text_arg_end() });
}

static void trace_row(struct build *b, struct report_table *t, struct str step,
		      const struct reading *r, size_t n)
{
	struct report_cell *cells = report_table_row(t, b->arena);

	cells[0].text = step.len > 0 ? step_text(b, step) : build_str(b, "memory.together", NULL);
	for (size_t k = 0; k < n; k++)
		cells[k + 1].text = format_tenths(b->arena, step_mib(b, &r[k], step));
}

void memory_trace(struct build *b)
{
	struct reading r[COLUMNS_MAX];
	struct name_set steps = { .n = 0 };
	size_t n = readings(b, r);

	if (n == 0)
		return;
	for (size_t i = 0; i < b->data->nmemory_parts; i++) {
		const struct data_memory_part *p = &b->data->memory_parts[i];
		if (is_trace(p) && is_counted(p->part))
			name_add(b, &steps, step_name(p->part));
	}
	struct report_table *t = trace_table(b, r, n);
	for (size_t i = 0; i < steps.n; i++)
		trace_row(b, t, steps.v[i], r, n);
	trace_row(b, t, STR(""), r, n);
	build_text(b, "memory.trace_about", NULL);
	build_add_table(b, t, "data/memory_parts.csv");
}
