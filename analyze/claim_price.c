/* Prices and their biases: claims 17 to 19. */
#include "claim_check.h"

#include <math.h>

static bool has_market(const struct card_price *p, struct str market)
{
	struct str rest = p->markets, piece;

	while (str_cut(&rest, ' ', &piece))
		if (str_eq(piece, market))
			return true;
	return false;
}

/* Our own rule: not-reproduced when the mean of both markets lies outside of them. */
void claim_two_markets(const struct claim_input *in, struct claim *c)
{
	const struct card_prices *p = &in->x->card_prices;
	size_t both = 0, one = 0, other = 0, inside = 0;

	for (size_t i = 0; i < p->n; i++) {
		const struct card_price *q = &p->v[i];
		if (q->lens != LENS_CARD || isnan(q->price_usd))
			continue;
		bool amazon = has_market(q, STR("amazon")), ebay = has_market(q, STR("ebay"));
		both += amazon && ebay;
		one += amazon != ebay;
		other += !amazon && !ebay;
		claim_use_price(in, q);
		inside += amazon && ebay && q->low <= q->price_usd && q->price_usd <= q->high;
	}
	claim_compute(in, c, "claim.markets",
		      (const struct say_arg[]){ say_count("n", both + one + other),
						say_count("both", both), say_count("one", one),
						say_count("other", other), say_end() });
	if (both == 0)
		claim_settle(in, c, CLAIM_NOT_TESTABLE, "claim.need_both_markets", NULL);
	else
		claim_own_rule(in, c, inside == both, "claim.mean_taken", NULL);
}

/* Value and memory, as a program finds it, of the ranked cards of a class. */
struct ranked {
	double *value, *memory, best_gb;
	size_t n;
	const struct device *best, *best_with_floor;
};

static struct ranked rank_by_memory(const struct claim_input *in, enum class_id class,
				    double floor_gb)
{
	const struct values *all = &in->x->values;
	struct ranked r = { arena_array(in->arena, all->n, sizeof(double)),
			    arena_array(in->arena, all->n, sizeof(double)),
			    NAN,
			    0,
			    NULL,
			    NULL };
	double best = -INFINITY, with_floor = -INFINITY;

	for (size_t i = 0; i < all->n; i++) {
		const struct value *v = &all->v[i];
		const struct device *d = claim_device(in, v->device);
		double gb = claim_memory_gb(in, v->device);
		if (v->class != class || v->lens != LENS_CARD || v->rank == 0 || isnan(gb))
			continue;
		r.value[r.n] = v->value;
		r.memory[r.n++] = gb;
		if (v->value > best) {
			best = v->value;
			r.best = d;
			r.best_gb = gb;
		}
		if (gb >= floor_gb && v->value > with_floor) {
			with_floor = v->value;
			r.best_with_floor = d;
		}
	}
	return r;
}

static void use_prices(const struct claim_input *in, enum class_id class)
{
	const struct values *all = &in->x->values;

	for (size_t i = 0; i < all->n; i++)
		if (all->v[i].class == class && all->v[i].lens == LENS_CARD && all->v[i].rank > 0)
			claim_use_device(in, all->v[i].device);
}

/* The largest memory that somebody of the edition's time stated as enough for a kind of work. */
static const struct memory_stated *stated_floor(const struct claim_input *in)
{
	const struct memory_cases *m = &in->x->memory;
	const struct memory_stated *most = NULL;

	for (size_t i = 0; i < m->nstated; i++)
		if (m->stated[i].bound == MEMORY_AT_LEAST
		    && m->stated[i].date.day <= in->x->edition->date.day
		    && (!most || m->stated[i].low_gb > most->low_gb))
			most = &m->stated[i];
	return most;
}

/* Reproduced when in every class of the guide the best value holds no more memory than the middle
 * card, and value falls as memory grows (Kendall's tau below 0). */
void claim_small_cards(const struct claim_input *in, struct claim *c)
{
	const struct memory_stated *need = stated_floor(in);
	struct say_list b = { .arena = in->arena };
	size_t classes = 0, small = 0;

	for (size_t i = 0; i < CLAIM_CLASSES; i++) {
		struct ranked r = rank_by_memory(in, claim_classes[i], need ? need->low_gb : 0);
		if (r.n < 3)
			continue;
		use_prices(in, claim_classes[i]);
		double middle = claim_spread(r.memory, r.n, in->arena).median;
		double tau = kendall_tau(r.value, r.memory, r.n);
		classes++;
		small += r.best_gb <= middle && tau < 0;
		claim_add(&b, "claim.best_value",
			  (const struct say_arg[]){
			      say_class("class", claim_classes[i], in->arena),
			      say_name("card", r.best->name), say_fixed("gb", r.best_gb, 0),
			      say_fixed("middle", middle, 0), say_fixed("tau", tau, 2),
			      say_count("n", r.n), say_end() });
		if (need && r.best_with_floor)
			claim_add(&b, "claim.with_gb",
				  (const struct say_arg[]){
				      say_fixed("gb", need->low_gb, 0),
				      say_name("card", r.best_with_floor->name), say_end() });
	}
	c->computed_value = claim_pieces(&b);
	if (classes == 0)
		claim_settle(in, c, CLAIM_NOT_TESTABLE, "claim.need_three_cards", NULL);
	else
		claim_decide(in, c, small == classes, "claim.bias",
			     (const struct say_arg[]){ say_count("small", small),
						       say_count("classes", classes), say_end() });
}

/* A past of fewer days says nothing of what is usual. */
enum { USUAL_DAYS_MIN = 3 };

/* "Marked up": of the GTX 10xx cards with a year's past, half or more cost 1.1 times their own
 * median of that year or more. The mark `unusual` (1.5 times) is counted beside. */
void claim_dear_pascal(const struct claim_input *in, struct claim *c)
{
	const struct card_prices *p = &in->x->card_prices;
	struct say_list b = { .arena = in->arena };
	size_t known = 0, dear = 0, unusual = 0;

	for (size_t i = 0; i < p->n; i++) {
		const struct card_price *q = &p->v[i];
		const struct device *d = claim_device(in, q->device);
		if (q->lens != LENS_CARD || isnan(q->price_usd)
		    || !str_starts(d->name, STR("GTX 10")))
			continue;
		unusual += (q->flags & PRICE_FLAG_UNUSUAL) != 0;
		if (!isnan(q->usual_usd) && q->usual_days >= USUAL_DAYS_MIN) {
			known++;
			claim_use_price(in, q);
			dear += q->price_usd >= 1.1 * q->usual_usd;
			claim_add(&b, "claim.of_year",
				  (const struct say_arg[]){
				      say_name("card", d->name),
				      say_fixed("share", q->price_usd / q->usual_usd, 2),
				      say_int("days", q->usual_days), say_end() });
		} else if (!isnan(d->launch_price_usd))
			claim_add(&b, "claim.of_launch",
				  (const struct say_arg[]){
				      say_name("card", d->name),
				      say_fixed("share", q->price_usd / d->launch_price_usd, 2),
				      say_end() });
	}
	c->computed_value = claim_pieces(&b);
	if (known == 0)
		claim_settle(
		    in, c, CLAIM_NOT_TESTABLE, "claim.need_past",
		    (const struct say_arg[]){ say_int("days", (int)USUAL_DAYS_MIN), say_end() });
	else
		claim_decide(in, c, 2 * dear >= known, "claim.dear",
			     (const struct say_arg[]){ say_count("known", known),
						       say_count("dear", dear),
						       say_count("unusual", unusual), say_end() });
}
