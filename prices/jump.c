#include "jump.h"

#include "snapshot.h"

#include <math.h>

/* 1.3 / 1 - 1 is above 0.3 in binary; 30 % is no jump. */
static bool is_jump(double before, double price)
{
	return 100 * fabs(price / before - 1) > JUMP_PCT + 1e-9;
}

static struct price_jump jump_of(const struct price_snapshot *before,
				 const struct price_snapshot *now)
{
	const struct price *row = now->row;

	return (struct price_jump){ .device = row->device,
				    .market = row->market,
				    .stat = row->stat,
				    .currency = row->currency,
				    .condition = row->condition,
				    .per_hour = row->per_hour,
				    .before = before->row->date,
				    .date = row->date,
				    .before_usd = before->price_usd,
				    .price_usd = now->price_usd,
				    .change_pct = 100 * (now->price_usd / before->price_usd - 1),
				    .pos = row->pos };
}

void price_jumps_find(const struct prices *known, const struct price *fresh, size_t n,
		      struct date date, int max_gap_days, struct arena *a, struct price_jumps *out)
{
	struct price_snapshots s;
	size_t cap = 0;

	price_snapshots_make(known->v, known->n, fresh, n, date, a, &s);
	*out = (struct price_jumps){ 0 };
	for (size_t from = 0, end; from < s.n; from = end) {
		size_t newest;
		const struct price_snapshot *now, *before;

		end = price_snapshots_end(&s, from);
		for (newest = end; fresh && newest > from && !s.v[newest - 1].fresh;)
			newest--;
		if (newest < from + 2)
			continue;
		now = &s.v[newest - 1];
		before = now - 1;
		if (now->row->date.day - before->row->date.day > max_gap_days
		    || !is_jump(before->price_usd, now->price_usd))
			continue;
		out->v = arena_grow(a, out->v, &cap, out->n + 1, sizeof *out->v);
		out->v[out->n++] = jump_of(before, now);
	}
}
