/* Performance per cost: claims 14 to 16, 20, 34, 36. */
#include "claim_check.h"

#include "pick.h"

#include <math.h>

/* Score over cost of an entry, not normalised; NAN without. */
static double per_usd(const struct claim_input *in, const struct value *v)
{
	const struct score *s = claim_score(in, claim_device(in, v->device)->name, v->class);

	return s ? s->score / v->cost_usd : NAN;
}

/* The best of a class and lens among measured and scaled cards. */
static double best_per_usd(const struct claim_input *in, enum class_id class, enum lens lens)
{
	const struct values *all = &in->x->values;
	double best = NAN;

	for (size_t i = 0; i < all->n; i++) {
		const struct value *v = &all->v[i];
		if (v->class == class && v->lens == lens && v->status == VALUE_OK && v->rank > 0)
			best = fmax(best, per_usd(in, v));
	}
	return best;
}

/* Our own rule, worked out once more from scores and costs: not-reproduced when a value is off by
 * more than 1e-9. */
void claim_value_chart(const struct claim_input *in, struct claim *c)
{
	const struct values *all = &in->x->values;
	double best[CLASS_COUNT], worst = 0;
	size_t n = 0;

	for (int k = 0; k < CLASS_COUNT; k++)
		best[k] = best_per_usd(in, (enum class_id)k, LENS_CARD);
	for (size_t i = 0; i < all->n; i++) {
		const struct value *v = &all->v[i];
		if (v->lens != LENS_CARD || v->status != VALUE_OK)
			continue;
		worst = fmax(worst, fabs(v->value - per_usd(in, v) / best[v->class]));
		claim_use_device(in, v->device);
		n++;
	}
	if (n == 0) {
		claim_settle(in, c, CLAIM_NOT_TESTABLE, "claim.no_value", NULL);
		return;
	}
	claim_compute(in, c, "claim.values",
		      (const struct say_arg[]){ say_count("n", n), say_end() });
	claim_own_rule(in, c, worst <= 1e-9, "claim.value_twice", NULL);
}

/* The Tesla V100 of the best value in a class: the fairest to compare with. */
static const struct value *best_v100(const struct claim_input *in, enum class_id class)
{
	const struct values *all = &in->x->values;
	const struct value *best = NULL;

	for (size_t i = 0; i < all->n; i++) {
		const struct value *v = &all->v[i];
		if (v->class == class && v->lens == LENS_CARD && v->status == VALUE_OK
		    && str_starts(claim_device(in, v->device)->name, STR("Tesla V100"))
		    && (!best || v->value > best->value))
			best = v;
	}
	return best;
}

/* Reproduced when the ratio of the values is above 5 in every class of the guide that has both. */
void claim_rtx_2060_v100(const struct claim_input *in, struct claim *c)
{
	struct say_list b = { .arena = in->arena }, unsure = { .arena = in->arena };
	size_t classes = 0, above = 0;

	for (size_t i = 0; i < CLAIM_CLASSES; i++) {
		const struct value *v =
		    claim_value(in, STR("RTX 2060"), claim_classes[i], LENS_CARD);
		const struct value *tesla = best_v100(in, claim_classes[i]);
		if (!v || !tesla)
			continue;
		classes++;
		claim_use_device(in, v->device);
		claim_use_device(in, tesla->device);
		above += v->value / tesla->value > 5;
		claim_add(&b, "claim.ratio_class_card",
			  (const struct say_arg[]){
			      say_fixed("ratio", v->value / tesla->value, 1),
			      say_class("class", claim_classes[i], in->arena),
			      say_name("card", claim_device(in, tesla->device)->name), say_end() });
		if (!(v->low / tesla->high > 5))
			claim_add(&unsure, "claim.down_to",
				  (const struct say_arg[]){
				      say_class("class", claim_classes[i], in->arena),
				      say_fixed("ratio", v->low / tesla->high, 1), say_end() });
	}
	c->computed_value = claim_pieces(&b);
	if (classes == 0)
		claim_settle(in, c, CLAIM_NOT_TESTABLE, "claim.need_2060_v100", NULL);
	else
		claim_decide(in, c, above == classes,
			     unsure.n ? "claim.above_5_unsure" : "claim.above_5",
			     (const struct say_arg[]){
				 say_count("above", above), say_count("classes", classes),
				 unsure.n ? say_put("which", claim_pieces(&unsure)) : say_end(),
				 say_end() });
}

/* Reproduced when RTX 2060 has the higher value than each of the three in every class; where the
 * intervals overlap the order is open and why says so. */
void claim_rtx_2060_first(const struct claim_input *in, struct claim *c)
{
	static const struct str others[] = { STR_INIT("RTX 2070"), STR_INIT("RTX 2080"),
					     STR_INIT("RTX 2080 Ti") };
	struct say_list b = { .arena = in->arena }, ties = { .arena = in->arena };
	size_t pairs = 0, above = 0;

	for (size_t i = 0; i < CLAIM_CLASSES; i++) {
		const struct value *v =
		    claim_value(in, STR("RTX 2060"), claim_classes[i], LENS_CARD);
		struct say_list line = { .arena = in->arena };
		for (size_t k = 0; v && k < LEN(others); k++) {
			const struct value *o =
			    claim_value(in, others[k], claim_classes[i], LENS_CARD);
			if (!o)
				continue;
			pairs++;
			claim_use_device(in, v->device);
			claim_use_device(in, o->device);
			above += v->value > o->value;
			claim_add(
			    &line, "claim.times_card",
			    (const struct say_arg[]){ say_fixed("ratio", v->value / o->value, 2),
						      say_name("card", others[k]), say_end() });
			if (!(v->low > o->high) && v->value > o->value)
				claim_add(&ties, "claim.card_class",
					  (const struct say_arg[]){
					      say_name("card", others[k]),
					      say_class("class", claim_classes[i], in->arena),
					      say_end() });
		}
		if (line.n)
			claim_add(&b, "claim.class_ratios",
				  (const struct say_arg[]){
				      say_class("class", claim_classes[i], in->arena),
				      say_put("ratios", say_join(&line, "comma")), say_end() });
	}
	c->computed_value = claim_pieces(&b);
	if (pairs == 0)
		claim_settle(in, c, CLAIM_NOT_TESTABLE, "claim.need_2060", NULL);
	else
		claim_decide(in, c, above == pairs, ties.n ? "claim.ahead_ties" : "claim.ahead",
			     (const struct say_arg[]){
				 say_count("above", above), say_count("pairs", pairs),
				 ties.n ? say_put("which", claim_pieces(&ties)) : say_end(),
				 say_end() });
}

/* A host is priced on its own day. */
static void add_host_date(const struct claim_input *in, int gpus, struct say_list *l)
{
	const struct host *host = host_find(in->x->cost.hosts, gpus, in->x->edition).host;

	if (host)
		claim_add(l, "claim.host_of",
			  (const struct say_arg[]){ say_put("date", say_date(in->arena, host->date)),
						    say_end() });
}

/* Throughput of independent jobs per USD: 4 x score(RTX 2080 Ti) over one host with four, against 8
 * x score(RTX 2060) over two hosts with four each. Reproduced when the first is higher in every
 * class. */
void claim_one_machine(const struct claim_input *in, struct claim *c)
{
	static const struct str large = STR_INIT("RTX 2080 Ti"), small = STR_INIT("RTX 2060");
	struct say_list b = { .arena = in->arena };
	size_t classes = 0, better = 0;
	double one = system_cost(&in->x->cost, &in->x->card_prices,
				 device_index(in->x->devices, large), 1, 4);
	double two = system_cost(&in->x->cost, &in->x->card_prices,
				 device_index(in->x->devices, small), 2, 4);

	if (isnan(one) || isnan(two)) {
		claim_settle(in, c, CLAIM_NOT_TESTABLE, "claim.need_machine_prices", NULL);
		return;
	}
	claim_add(&b, "claim.machines",
		  (const struct say_arg[]){ say_put("one", pick_money(in->arena, one)),
					    say_put("two", pick_money(in->arena, two)),
					    say_end() });
	for (size_t i = 0; i < CLAIM_CLASSES; i++) {
		const struct score *l = claim_score(in, large, claim_classes[i]);
		const struct score *s = claim_score(in, small, claim_classes[i]);
		if (!l || !s)
			continue;
		double ratio = 4 * l->score / one / (8 * s->score / two);
		classes++;
		better += ratio > 1;
		claim_add(&b, "claim.work_per_usd",
			  (const struct say_arg[]){ say_fixed("ratio", ratio, 2),
						    say_class("class", claim_classes[i], in->arena),
						    say_end() });
	}
	add_host_date(in, 4, &b);
	claim_use_device(in, device_index(in->x->devices, large));
	claim_use_device(in, device_index(in->x->devices, small));
	c->computed_value = claim_pieces(&b);
	if (classes == 0)
		claim_settle(in, c, CLAIM_NOT_TESTABLE, "claim.need_both_scores", NULL);
	else
		claim_decide(in, c, better == classes, "claim.one_machine",
			     (const struct say_arg[]){ say_count("better", better),
						       say_count("classes", classes), say_end() });
}

/* The fastest card of a class and family that has a price. */
static const struct score *fastest_of(const struct claim_input *in, enum class_id class,
				      struct str family)
{
	const struct score *best = NULL;

	for (size_t i = 0; i < in->x->scores.n; i++) {
		const struct score *s = &in->x->scores.v[i];
		const struct device *d = claim_device(in, s->device);
		if (s->class == class && str_starts(d->family, family)
		    && (s->origin == ORIGIN_MEASURED || s->origin == ORIGIN_SCALED)
		    && claim_price(in, d->name) && (!best || s->score > best->score))
			best = s;
	}
	return best;
}

/* The fastest Tesla against the fastest GeForce, both with a price. "Up to 10x": five times the
 * price or more in some class; "no real advantage": at most 1.5 times the speed in the middle
 * class. */
void claim_tesla_price(const struct claim_input *in, struct claim *c)
{
	struct say_list b = { .arena = in->arena };
	double speed[CLAIM_CLASSES], price = NAN;
	size_t n = 0;

	for (size_t i = 0; i < CLAIM_CLASSES; i++) {
		const struct score *t = fastest_of(in, claim_classes[i], STR("Tesla"));
		const struct score *g = fastest_of(in, claim_classes[i], STR("GeForce"));
		if (!t || !g)
			continue;
		struct str tesla = claim_device(in, t->device)->name,
			   geforce = claim_device(in, g->device)->name;
		double ratio =
		    claim_price(in, tesla)->price_usd / claim_price(in, geforce)->price_usd;
		price = fmax(price, ratio);
		claim_use_device(in, t->device);
		claim_use_device(in, g->device);
		speed[n] = t->score / g->score;
		claim_add(
		    &b, "claim.tesla",
		    (const struct say_arg[]){
			say_class("class", claim_classes[i], in->arena), say_name("tesla", tesla),
			say_put("origin", say_word(in->arena, "origin", origin_name(t->origin))),
			say_fixed("speed", speed[n], 2), say_name("geforce", geforce),
			say_fixed("ratio", ratio, 1), say_end() });
		n++;
	}
	c->computed_value = claim_pieces(&b);
	if (n == 0) {
		claim_settle(in, c, CLAIM_NOT_TESTABLE, "claim.need_tesla", NULL);
		return;
	}
	double middle = claim_spread(speed, n, in->arena).median;
	claim_decide(in, c, price >= 5 && middle <= 1.5, "claim.tesla_same",
		     (const struct say_arg[]){ say_fixed("price", price, 1),
					       say_fixed("speed", middle, 2), say_end() });
}

/* The part of a card of one's own that a month's rent would pay (1 / months, 0 for never), at so
 * many hours a month: the median over devices. */
static struct claim_spread paid_a_month(const struct claim_input *in, double hours)
{
	const struct breakevens *b = &in->x->breakevens;
	double *part = arena_array(in->arena, b->n, sizeof *part);
	size_t n = 0;

	for (size_t i = 0; i < b->n; i++) {
		const struct breakeven *r = &b->v[i];
		if (r->hours_per_month != hours || r->status != SYSTEM_OK
		    || !str_eq(r->provider, STR("median")))
			continue;
		part[n++] = r->never ? 0 : 1 / r->months;
		claim_use_device(in, r->device);
		claim_use_price(in, price_lens_find(&in->x->card_prices, r->device, LENS_CLOUD));
	}
	return claim_spread(part, n, in->arena);
}

static struct say months_said(const struct claim_input *in, double part)
{
	if (!(part > 0))
		return say(in->arena, "claim.never", NULL);
	return say(in->arena, "claim.after_months",
		   (const struct say_arg[]){ say_fixed("months", 1 / part, 1), say_end() });
}

/* Rare use of the cloud is right and steady use is dear: at the least hours of the edition a card
 * of one's own takes more than 24 months to pay (median over devices), in full use 12 at most. */
void claim_rent(const struct claim_input *in, struct claim *c)
{
	const struct edition *e = in->x->edition;
	struct say_list b = { .arena = in->arena };
	double rare = HOURS_PER_MONTH_FULL;

	for (size_t i = 0; i < e->nhours; i++)
		if (e->hours_per_month[i] > 0)
			rare = fmin(rare, e->hours_per_month[i]);
	struct claim_spread seldom = paid_a_month(in, rare),
			    full = paid_a_month(in, HOURS_PER_MONTH_FULL);
	if (seldom.n == 0 || full.n == 0) {
		claim_settle(in, c, CLAIM_NOT_TESTABLE, "claim.need_rent", NULL);
		return;
	}
	claim_add(&b, "claim.paid",
		  (const struct say_arg[]){ say_put("rare", months_said(in, seldom.median)),
					    say_fixed("hours", rare, 0),
					    say_put("full", months_said(in, full.median)),
					    say_count("n", full.n), say_end() });
	add_host_date(in, 1, &b);
	c->computed_value = claim_pieces(&b);
	claim_decide(in, c, seldom.median < 1.0 / 24 && full.median >= 1.0 / 12, "claim.rent_right",
		     NULL);
}
