#include "pick.h"

#include "pick_text.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static const struct str status_names[] = {
	[PICK_FOUND] = STR_INIT("found"),
	[PICK_KEEP] = STR_INIT("keep"),
	[PICK_NEAREST] = STR_INIT("nearest"),
	[PICK_NONE] = STR_INIT("none"),
};

/* Gates that a person can open by wanting less, in the order in which the nearest cards are named.
 * Nothing gives a card a score or a price. */
static const enum gate relaxable[] = { GATE_STALE,   GATE_BUDGET, GATE_MEMORY, GATE_CONDITION,
				       GATE_COOLING, GATE_POWER,  GATE_HOST,   GATE_LICENCE,
				       GATE_VENDOR,  GATE_LISTED };

struct str pick_status_name(enum pick_status s)
{
	return status_names[s];
}

enum gate candidate_first_gate(const struct candidate *c)
{
	enum gate g = 0;

	while (g < GATE_COUNT && !(c->failed & 1u << g))
		g++;
	return g;
}

size_t pick_removed_count(const struct pick *p, enum gate g)
{
	size_t n = 0;

	for (size_t i = p->nranked; i < p->n; i++)
		n += candidate_first_gate(&p->v[i]) == g;
	return n;
}

static int compare_device(const struct candidate *x, const struct candidate *y)
{
	return (x->device > y->device) - (x->device < y->device);
}

static int by_value(const void *px, const void *py)
{
	const struct candidate *x = px, *y = py;

	if (x->value != y->value)
		return x->value > y->value ? -1 : 1;
	return compare_device(x, y);
}

static int by_score(const void *px, const void *py)
{
	const struct candidate *x = px, *y = py;

	if (x->score != y->score)
		return x->score > y->score ? -1 : 1;
	if (x->cost_usd != y->cost_usd)
		return x->cost_usd < y->cost_usd ? -1 : 1;
	return compare_device(x, y);
}

static int (*order_of(const struct pick_wish *w))(const void *, const void *)
{
	return w->objective == OBJECTIVE_VALUE ? by_value : by_score;
}

static double low_end(const struct pick_wish *w, const struct candidate *c)
{
	return w->objective == OBJECTIVE_VALUE ? c->value_low : c->peer_low;
}

static double high_end(const struct pick_wish *w, const struct candidate *c)
{
	return w->objective == OBJECTIVE_VALUE ? c->value_high : c->peer_high;
}

/* Moves the cards that passed every gate to the front and ranks them. */
static void rank(struct pick *p, struct candidate *v, struct arena *a)
{
	p->v = arena_array(a, p->n, sizeof *p->v);
	p->nranked = 0;
	for (size_t i = 0; i < p->n; i++)
		if (!v[i].failed)
			p->v[p->nranked++] = v[i];
	for (size_t i = 0, at = p->nranked; i < p->n; i++)
		if (v[i].failed)
			p->v[at++] = v[i];
	if (p->nranked)
		qsort(p->v, p->nranked, sizeof *p->v, order_of(&p->wish));
	for (size_t i = 1; i < p->nranked; i++) /* false when either end is NAN */
		p->v[i].tie = high_end(&p->wish, &p->v[i]) >= low_end(&p->wish, &p->v[i - 1]);
}

static struct pick_row row_of(const struct pick *p, const struct candidate *c)
{
	return (struct pick_row){ .rank = (int)p->nrows + 1,
				  .device = c->device,
				  .runner_up = SIZE_MAX,
				  .flips_below_usd = NAN,
				  .flips_above_usd = NAN,
				  .cost_usd = c->cost_usd * p->wish.gpus,
				  .score = c->score,
				  .low = c->low,
				  .high = c->high,
				  .tie = c->tie };
}

static void set_flips(const struct pick_wish *w, const struct candidate *c,
		      const struct candidate *next, struct pick_row *row)
{
	double budget_usd = w->budget_usd / w->gpus; /* NAN without a budget */

	row->flips_above_usd = score_rounded(budget_usd);
	if (w->objective == OBJECTIVE_VALUE && next) {
		row->flips_below_usd = score_rounded(next->score / c->value);
		/* fmin passes over NAN */
		row->flips_above_usd = score_rounded(fmin(c->score / next->value, budget_usd));
	}
}

static void add_ranked(const struct pick_input *in, struct pick *p, struct arena *a)
{
	while (p->nrows < p->nranked && p->nrows < PICK_ROWS_MAX) {
		const struct candidate *c = &p->v[p->nrows],
				       *next = p->nrows + 1 < p->nranked ? c + 1 : NULL;
		struct pick_row row = row_of(p, c);

		row.runner_up = next ? next->device : SIZE_MAX;
		set_flips(&p->wish, c, next, &row);
		row.rule = pick_rule_said(in, p, a);
		row.deciding = pick_deciding_said(in, p, c, next, a);
		row.reason = pick_remarks_said(in, p, c, a);
		p->rows[p->nrows++] = row;
	}
}

/* Which of two cards failing the gate is the nearer to the wish. */
static bool nearer(const struct pick_input *in, const struct pick_wish *w, enum gate g,
		   const struct candidate *x, const struct candidate *y)
{
	if (g == GATE_BUDGET && x->cost_usd != y->cost_usd)
		return x->cost_usd < y->cost_usd;
	if (g == GATE_MEMORY) {
		double mx = gates_memory_gb(in, x->device),
		       my = gates_memory_gb(in, y->device);
		if (isnan(mx) || isnan(my) ? isnan(mx) != isnan(my) : mx != my)
			return isnan(my) || mx > my;
	}
	return order_of(w)(x, y) < 0;
}

static bool can_be_had(const struct candidate *c)
{
	return !(c->failed & (1u << GATE_SCORE | 1u << GATE_PRICE | 1u << GATE_GAIN));
}

static int count_bits(unsigned bits)
{
	int n = 0;

	for (; bits; bits &= bits - 1)
		n++;
	return n;
}

/* The card nearest to the wish among those that fail exactly `gates`; NULL when none does. */
static const struct candidate *nearest_of(const struct pick_input *in, const struct pick *p,
					  unsigned gates, enum gate g)
{
	const struct candidate *best = NULL;

	for (size_t i = 0; i < p->n; i++)
		if (can_be_had(&p->v[i]) && p->v[i].failed == gates
		    && (!best || nearer(in, &p->wish, g, &p->v[i], best)))
			best = &p->v[i];
	return best;
}

/* The cheapest of those that fail the fewest gates. */
static const struct candidate *fewest_failures(const struct pick_input *in, const struct pick *p)
{
	const struct candidate *best = NULL;

	for (size_t i = 0; i < p->n; i++) {
		const struct candidate *c = &p->v[i];
		int bits = count_bits(c->failed), least = best ? count_bits(best->failed) : 0;

		if (can_be_had(c)
		    && (!best || bits < least
			|| (bits == least && nearer(in, &p->wish, GATE_BUDGET, c, best))))
			best = c;
	}
	return best;
}

static void add_nearest(const struct pick_input *in, struct pick *p, const struct candidate *c,
			struct arena *a)
{
	struct pick_row row = row_of(p, c);

	row.tie = false;
	row.rule = pick_rule_said(in, p, a);
	row.deciding = pick_deciding_said(in, p, c, NULL, a);
	row.reason = pick_give_said(in, p, c, a);
	p->rows[p->nrows++] = row;
}

static void find_nearest(const struct pick_input *in, struct pick *p, struct arena *a)
{
	const struct candidate *c;

	for (size_t i = 0; i < LEN(relaxable) && p->nrows < PICK_ROWS_MAX; i++)
		if ((c = nearest_of(in, p, 1u << relaxable[i], relaxable[i])))
			add_nearest(in, p, c, a);
	if (p->nrows == 0 && (c = fewest_failures(in, p)))
		add_nearest(in, p, c, a);
}

static void add_without_card(const struct pick_input *in, struct pick *p, size_t device,
			     struct arena *a)
{
	struct candidate owned = {
		.device = device, .cost_usd = NAN, .score = NAN, .low = NAN, .high = NAN
	};

	if (device != SIZE_MAX)
		gates_score(in, &p->wish, &owned);
	struct pick_row row = row_of(p, &owned);
	row.rule = pick_rule_said(in, p, a);
	row.reason = p->status == PICK_KEEP ? pick_keep_said(in, p, a) : pick_none_said(in, p, a);
	p->rows[p->nrows++] = row;
}

void pick_compute(const struct pick_input *in, const struct pick_wish *w, struct arena *a,
		  struct pick *out)
{
	*out =
	    (struct pick){ .wish = *w, .n = in->nindices, .status = PICK_FOUND, .agrees = STR("") };
	rank(out, gates_apply(in, w, a), a);
	if (out->nranked) {
		add_ranked(in, out, a);
		return;
	}
	/* An owner for whom no card is worth it has an answer: to keep what is there. */
	if (w->owns != SIZE_MAX) {
		out->status = PICK_KEEP;
		add_without_card(in, out, w->owns, a);
		return;
	}
	out->status = PICK_NEAREST;
	if (gates_any_class(in, w))
		find_nearest(in, out, a);
	if (out->nrows == 0) {
		out->status = PICK_NONE;
		add_without_card(in, out, SIZE_MAX, a);
	}
}

static bool guide_names(const struct persona *p, struct str device)
{
	for (size_t i = 0; i < p->cards.n; i++)
		if (str_eq(p->cards.v[i], device))
			return true;
	return false;
}

/* Ours is the guide's; or the guide's cannot be told from ours by the numbers: its interval reaches
 * into that of the best. */
static struct str agreement(const struct pick_input *in, const struct pick *p)
{
	const struct persona *persona = p->persona;

	if (persona->cards.n == 0 || p->status == PICK_NONE)
		return STR("");
	if (guide_names(persona, in->devices->v[p->rows[0].device].name))
		return p->status == PICK_NEAREST ? STR("no") : STR("yes");
	for (size_t i = 1; i < p->nranked; i++)
		if (guide_names(persona, in->devices->v[p->v[i].device].name)
		    && high_end(&p->wish, &p->v[i]) >= low_end(&p->wish, &p->v[0]))
			return STR("tie");
	return STR("no");
}

void picks_compute(const struct pick_input *in, const struct personas *personas, struct arena *a,
		   struct picks *out)
{
	*out = (struct picks){ .v = arena_array(a, personas->n, sizeof *out->v), .n = personas->n };
	for (size_t i = 0; i < personas->n; i++) {
		pick_compute(in, &personas->v[i].wish, a, &out->v[i]);
		out->v[i].persona = &personas->v[i];
		out->v[i].agrees = agreement(in, &out->v[i]);
	}
}
