/* What not to buy: cards that another one beats in cost, memory and speed. */
#include "build.h"
#include "format.h"

#include <math.h>
#include <stdlib.h>

enum { AVOID_SHOWN = 25 };

/* A card and all rows that speak of it, one a class, each with the card that beats it there. */
struct avoided {
	const struct data_avoid *first;
	struct name_set classes, by;
	double least, most; /* factor by which the others are faster */
};

static void avoided_add(struct build *b, struct avoided *a, const struct data_avoid *r)
{
	double factor = r->by_score / r->score;

	name_add(b, &a->classes, build_class_title(b, r->class_text));
	name_add(b, &a->by, r->dominated_by);
	if (isnan(factor))
		return;
	a->least = isnan(a->least) ? factor : fmin(a->least, factor);
	a->most = isnan(a->most) ? factor : fmax(a->most, factor);
}

static size_t gather(struct build *b, struct avoided *out)
{
	struct map index = { .arena = b->arena };
	size_t n = 0;
	bool fresh;

	for (size_t i = 0; i < b->data->navoid; i++) {
		const struct data_avoid *r = &b->data->avoid[i];
		size_t at = *map_put(&index, r->device, n, &fresh);
		if (fresh)
			out[n++] = (struct avoided){ .first = r, .least = NAN, .most = NAN };
		avoided_add(b, &out[at], r);
	}
	return n;
}

/* Money that buys nothing: what the card costs over the one that beats it; -1 where not known. */
static double wasted(const struct avoided *a)
{
	double v = a->first->cost_usd - a->first->by_cost_usd;

	return isnan(v) ? -1 : v;
}

/* First what is beaten everywhere, then what is beaten in some work only; in both the dearest
 * mistake first, ties in the order of the file. */
static int by_waste(const void *pa, const void *pb)
{
	const struct avoided *a = pa, *b = pb;
	bool all_a = str_eq(a->first->everywhere, STR("yes"));
	bool all_b = str_eq(b->first->everywhere, STR("yes"));

	if (all_a != all_b)
		return all_a ? -1 : 1;
	if (wasted(a) < wasted(b) || wasted(a) > wasted(b))
		return wasted(a) < wasted(b) ? 1 : -1;
	return (a->first->pos.line > b->first->pos.line)
	       - (a->first->pos.line < b->first->pos.line);
}

static const struct build_column columns[] = {
	{ "column.device", false, true, 1.6 },     { "column.price", true, false, 0.8 },
	{ "column.memory", true, false, 0.7 },     { "column.beaten_by", false, false, 1.8 },
	{ "column.its_price", true, false, 0.8 },  { "column.its_memory", true, false, 0.7 },
	{ "column.faster", true, false, 1 },       { "column.classes", false, false, 1.5 },
	{ "column.exception", false, false, 1.6 },
};

static struct str gigabytes(struct build *b, double gb)
{
	if (isnan(gb))
		return STR("");
	return build_str(
	    b, "memory.gb",
	    (struct text_arg[]){ text_arg("gb", format_amount(b->arena, gb)), text_arg_end() });
}

static void avoid_row(struct build *b, struct report_table *t, const struct avoided *a)
{
	enum { BY_SHOWN = 2 };
	const struct data_avoid *r = a->first;
	struct report_cell *cells = report_table_row(t, b->arena);
	bool everywhere = a->classes.n == b->data->nclasses;

	cells[0].text = r->device;
	cells[1].text = format_usd(b->arena, r->cost_usd);
	cells[2].text = gigabytes(b, r->memory_gb);
	cells[3].text = name_list(b, &a->by, BY_SHOWN);
	cells[4].text = format_usd(b->arena, r->by_cost_usd); /* of the one named first */
	cells[5].text = gigabytes(b, r->by_memory_gb);
	cells[6].text = format_ratio_range(b->arena, a->least, a->most);
	cells[7].text = everywhere ? build_str(b, "avoid.all_classes", NULL)
				   : name_list(b, &a->classes, a->classes.n);
	cells[8] = build_said(b, r->exception, r->exception_msg, r->pos);
}

void section_avoid(struct build *b)
{
	struct avoided *a = arena_array(b->arena, b->data->navoid, sizeof *a);
	size_t n = gather(b, a), shown = build_rows_shown(n, AVOID_SHOWN);
	const struct text_arg args[] = { text_arg_int("shown", (long)shown, b->arena),
					 text_arg_int("n", (long)n, b->arena), text_arg_end() };
	struct report_table *t =
	    build_table(b, "table-avoid", "avoid.table", args, columns, LEN(columns));

	if (n == 0)
		return;
	qsort(a, n, sizeof *a, by_waste);
	for (size_t i = 0; i < shown; i++)
		avoid_row(b, t, &a[i]);
	build_heading(b, 3, "avoid", "avoid.title", NULL);
	build_text(b, "avoid.about", args);
	build_add_table(b, t, "data/avoid.csv");
}
