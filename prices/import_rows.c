#include "import_rows.h"

#include "../base/csv_write.h"
#include "../base/num.h"
#include "../base/stat.h"

#include <math.h>
#include <stdlib.h>

double import_round(const struct price_map *m, double v, struct arena *a)
{
	struct str text =
	    m->decimals >= 0 ? num_fixed(a, v, m->decimals) : str_printf(a, "%.12g", v);
	double out = NAN;

	num_parse(text, false, &out);
	return out;
}

struct str import_row_key(const struct import_row *r, bool with_price, struct arena *a)
{
	return str_printf(a, "%d\n%zu\n" STR_FMT "\n%d\n" STR_FMT "\n" STR_FMT "\n%.17g",
			  r->date.day, r->device, STR_ARG(r->market), (int)r->condition,
			  STR_ARG(r->currency), STR_ARG(r->stat), with_price ? r->price : 0);
}

/* qsort() hands no context down: the name stands beside the row. */
struct sorted {
	struct str name;
	struct import_row row;
};

static int by_group(const struct sorted *x, const struct sorted *y)
{
	int c;

	if (x->row.date.day != y->row.date.day)
		return x->row.date.day < y->row.date.day ? -1 : 1;
	if ((c = str_cmp(x->name, y->name)) != 0
	    || (c = str_cmp(x->row.market, y->row.market)) != 0)
		return c;
	if (x->row.condition != y->row.condition)
		return x->row.condition < y->row.condition ? -1 : 1;
	return str_cmp(x->row.currency, y->row.currency);
}

static int by_place(const void *pa, const void *pb)
{
	const struct sorted *x = pa, *y = pb;
	int c = by_group(x, y);

	return c ? c : (x->row.place > y->row.place) - (x->row.place < y->row.place);
}

static struct sorted *sorted_rows(const struct import *im)
{
	struct sorted *v = arena_array(im->arena, im->n, sizeof *v);

	for (size_t i = 0; i < im->n; i++)
		v[i] = (struct sorted){ im->in->devices->v[im->rows[i].device].name, im->rows[i] };
	if (im->n)
		qsort(v, im->n, sizeof *v, by_place);
	return v;
}

void import_sort(struct import *im)
{
	const struct sorted *v = sorted_rows(im);

	for (size_t i = 0; i < im->n; i++)
		im->rows[i] = v[i].row;
}

static double mean(const double *v, size_t n, struct arena *a)
{
	double sum = 0;

	(void)a;
	for (size_t i = 0; i < n; i++)
		sum += v[i];
	return sum / (double)n;
}

static double least(const double *v, size_t n, struct arena *a)
{
	double best = v[0];

	(void)a;
	for (size_t i = 1; i < n; i++)
		best = v[i] < best ? v[i] : best;
	return best;
}

static double (*const statistics[MAP_STAT_COUNT])(const double *v, size_t n, struct arena *a) = {
	[MAP_STAT_MIN] = least,
	[MAP_STAT_MEDIAN] = stat_median,
	[MAP_STAT_MEAN] = mean,
};

/* Rows [from, to) of one group to one row for each statistic; returns how many. */
static size_t sum_up(const struct import *im, const struct sorted *v, size_t n,
		     struct import_row *out)
{
	double *prices = arena_array(im->arena, n, sizeof *prices);
	size_t made = 0;

	for (size_t i = 0; i < n; i++)
		prices[i] = v[i].row.price;
	for (size_t s = 0; s < MAP_STAT_COUNT; s++) {
		if (!im->in->map->statistics[s])
			continue;
		out[made] = v[0].row;
		out[made].stat = price_map_stat_names[s];
		out[made].n = (int)n;
		out[made].price = statistics[s](prices, n, im->arena);
		made++;
	}
	return made;
}

void import_statistics(struct import *im)
{
	const struct sorted *v = sorted_rows(im);
	struct import_row *rows = arena_array(im->arena, MAP_STAT_COUNT * im->n, sizeof *rows);
	size_t made = 0;

	for (size_t from = 0, to; from < im->n; from = to) {
		for (to = from + 1; to < im->n && by_group(&v[from], &v[to]) == 0; to++)
			;
		made += sum_up(im, v + from, to - from, rows + made);
	}
	for (size_t i = 0; i < made; i++)
		rows[i].place = i;
	im->rows = rows;
	im->n = made;
}

static const char *const columns[] = { "date",  "device",   "market", "condition", "currency",
				       "price", "quantity", "stat",   "n",         "source" };

static void put_row(struct csv_out *w, const struct import *im, const struct import_row *r)
{
	csv_put_date(w, r->date);
	csv_put(w, im->in->devices->v[r->device].name);
	csv_put(w, r->market);
	csv_put(w, price_condition_name(r->condition));
	csv_put(w, r->currency);
	csv_put_num(w, r->price);
	csv_put(w, r->condition == PRICE_NEW || r->condition == PRICE_USED ? STR("unit")
									   : STR("hour"));
	csv_put(w, r->stat);
	if (r->n > 0)
		csv_put_int(w, r->n);
	else
		csv_put_missing(w);
	csv_put(w, r->source);
	csv_end_row(w);
}

struct str import_csv(const struct import *im, const bool *leave_out, struct arena *a)
{
	struct csv_out w = { .buf.arena = a };

	for (size_t i = 0; i < LEN(columns); i++)
		csv_put(&w, str_of(columns[i]));
	csv_end_row(&w);
	for (size_t i = 0; i < im->n; i++)
		if (!leave_out || !leave_out[i])
			put_row(&w, im, &im->rows[i]);
	return strbuf_str(&w.buf);
}
