#include "snapshot.h"

#include "../base/stat.h"

#include <stdlib.h>

/* A row and whether it came now. */
struct entry {
	const struct price *price;
	bool fresh;
};

static int by_kind(const struct price *x, const struct price *y)
{
	int c;

	if (x->device != y->device)
		return x->device < y->device ? -1 : 1;
	if ((c = str_cmp(x->market, y->market)) != 0)
		return c;
	if (x->condition != y->condition)
		return x->condition < y->condition ? -1 : 1;
	if ((c = str_cmp(x->stat, y->stat)) != 0)
		return c;
	return str_cmp(x->currency, y->currency);
}

static struct str file_of(const struct price *p)
{
	return str_of(p->pos.file ? p->pos.file : "");
}

/* The place is the last word, so that the row a snapshot names is not left to qsort(). */
static int by_snapshot(const void *pa, const void *pb)
{
	const struct price *x = ((const struct entry *)pa)->price,
			   *y = ((const struct entry *)pb)->price;
	int c = by_kind(x, y);

	if (c)
		return c;
	if (x->date.day != y->date.day)
		return x->date.day < y->date.day ? -1 : 1;
	if (x->price_usd != y->price_usd)
		return x->price_usd < y->price_usd ? -1 : 1;
	if ((c = str_cmp(file_of(x), file_of(y))) != 0)
		return c;
	return (x->pos.line > y->pos.line) - (x->pos.line < y->pos.line);
}

static size_t gather(struct entry *e, size_t n, const struct price *rows, size_t nrows, bool fresh,
		     struct date date)
{
	for (size_t i = 0; i < nrows; i++)
		if (rows[i].date.day <= date.day)
			e[n++] = (struct entry){ &rows[i], fresh };
	return n;
}

/* n rows of one snapshot, the cheapest first. */
static struct price_snapshot make(const struct entry *e, size_t n, struct arena *a)
{
	const struct price *row = e[0].price;
	bool lowest =
	    str_eq(row->stat, STR("min")) || (row->condition == PRICE_NEW && row->stat.len == 0);
	struct price_snapshot s = { .row = row, .rows = n, .listings = -1 };
	double *v = arena_array(a, n, sizeof *v);

	for (size_t i = 0; i < n; i++) {
		v[i] = e[i].price->price_usd;
		s.listings = e[i].price->n > s.listings ? e[i].price->n : s.listings;
		s.fresh = s.fresh || e[i].fresh;
	}
	s.price_usd = lowest ? v[0] : stat_quantile_sorted(v, n, 0.5);
	return s;
}

void price_snapshots_make(const struct price *known, size_t nknown, const struct price *fresh,
			  size_t n, struct date date, struct arena *a, struct price_snapshots *out)
{
	struct entry *e = arena_array(a, nknown + n, sizeof *e);
	size_t all = gather(e, 0, known, nknown, false, date);

	all = gather(e, all, fresh, n, true, date);
	*out = (struct price_snapshots){ arena_array(a, all, sizeof *out->v), 0 };
	if (all)
		qsort(e, all, sizeof *e, by_snapshot);
	for (size_t from = 0, to; from < all; from = to) {
		for (to = from + 1; to < all && by_kind(e[from].price, e[to].price) == 0
				    && e[from].price->date.day == e[to].price->date.day;)
			to++;
		out->v[out->n++] = make(e + from, to - from, a);
	}
}

size_t price_snapshots_end(const struct price_snapshots *s, size_t from)
{
	size_t i = from + 1;

	while (i < s->n && by_kind(s->v[from].row, s->v[i].row) == 0)
		i++;
	return i < s->n ? i : s->n;
}
