#include "price_history.h"

#include "../base/csv_write.h"
#include "../base/file.h"

#include <limits.h>

static bool same_group(const struct price *a, const struct price *b)
{
	return a->device == b->device && a->condition == b->condition
	       && str_eq(a->market, b->market);
}

/* The quote of an edition of that very day: the newest price not after it is the day's. */
static void day_put(const struct price_view *v, const struct price *p, struct csv_out *w)
{
	struct edition day = *v->edition;
	struct str name = price_condition_name(p->condition);
	struct str_list only = { &name, 1 };
	struct price_view then = *v;
	struct quote q;

	day.date = p->date;
	day.drop_days = 0;
	then.edition = &day;
	then.conditions = &only;
	if (!quote_market(&then, p->device, p->market, &q))
		return;
	csv_put(w, v->devices->v[p->device].name);
	csv_put(w, str_plain(v->arena, p->market));
	csv_put(w, name);
	csv_put_date(w, p->date);
	csv_put_num(w, q.price);
	csv_end_row(w);
}

static bool is_listed(const struct price *p)
{
	return !p->per_hour && (p->condition == PRICE_NEW || p->condition == PRICE_USED)
	       && !str_eq(p->market, STR("msrp"));
}

static void device_put(const struct price_view *v, size_t device, struct csv_out *w)
{
	/* no market's name comes before the empty one */
	struct price_group first = { device, STR(""), PRICE_NEW };
	const struct prices *all = v->prices;

	for (size_t i = price_group_from(all, &first, INT_MIN), end; i < all->n; i = end) {
		const struct price *p = &all->v[i];

		if (p->device != device)
			return;
		for (end = i + 1; end < all->n && same_group(p, &all->v[end])
				  && all->v[end].date.day == p->date.day;)
			end++;
		if (is_listed(p) && p->date.day <= v->edition->date.day)
			day_put(v, p, w);
	}
}

bool price_history_write(const struct price_view *v, const size_t *indices, size_t nindices,
			 const char *path, struct error *err)
{
	struct csv_out w = { .buf.arena = v->arena };

	strbuf_add(&w.buf, STR("device,market,condition,date,price_usd\n"));
	for (size_t i = 0; i < nindices; i++)
		device_put(v, indices[i], &w);
	return file_write(path, strbuf_str(&w.buf), err);
}
