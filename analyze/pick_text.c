#include "pick_text.h"

#include "price_flag.h"
#include "../base/num.h"

#include <math.h>
#include <stdint.h>

enum { NAMES_SHOWN = 4 };

/* For how much money value is told, by lens; the messages pick-cost.LENS name what it buys. */
static double per_usd(struct str lens)
{
	return str_eq(lens, STR("cloud")) ? 1 : 1000;
}

struct str pick_usd(struct arena *a, double usd)
{
	return str_printf(a, "$" STR_FMT, STR_ARG(num_usd(a, usd)));
}

static struct say dollars(struct arena *a, struct str amount)
{
	return say(a, "money.usd",
		   (const struct say_arg[]){ say_figure("n", amount), say_end() });
}

struct say pick_money(struct arena *a, double usd)
{
	return dollars(a, num_usd(a, usd));
}

struct say pick_money_beside(struct arena *a, double usd, double other)
{
	struct str amount = num_usd(a, usd);

	if (usd != other && str_eq(amount, num_usd(a, other)))
		amount = num_grouped(a, usd, 2);
	return dollars(a, amount);
}

/* Nobody's own number is rounded for him. */
static struct str given(struct arena *a, double usd)
{
	const double half_cent = 0.005;

	return fabs(usd - nearbyint(usd)) < half_cent ? num_usd(a, usd) : num_grouped(a, usd, 2);
}

struct say pick_money_given(struct arena *a, double usd)
{
	return dollars(a, given(a, usd));
}

/* Two decimals, of small figures three: a score of 0.048 is not 0.05. */
struct str pick_figure(struct arena *a, double v)
{
	return num_fixed(a, v, v < 0.1 ? 3 : 2);
}

static struct say in_lens(const struct pick_wish *w, struct str amount, struct arena *a)
{
	return say(a, str_eq(w->lens, STR("cloud")) ? "money.usd_hour" : "money.usd",
		   (const struct say_arg[]){ say_figure("n", amount), say_end() });
}

static struct say cost_of(const struct pick_wish *w, double usd, struct arena *a)
{
	return in_lens(w, num_usd(a, usd), a);
}

static struct say budget_of(const struct pick_wish *w, struct arena *a)
{
	return in_lens(w, given(a, w->budget_usd), a);
}

static bool edition_has(const struct pick_input *in, enum class_id c)
{
	for (size_t i = 0; i < in->edition->nclasses; i++)
		if (in->edition->classes[i].id == c)
			return true;
	return false;
}

/* Whether all classes of the edition that count weigh the same. */
static bool equal_weights(const struct pick_input *in, const struct pick_wish *w)
{
	double first = 0;

	for (size_t i = 0; i < in->edition->nclasses; i++) {
		double weight = w->weights[in->edition->classes[i].id];
		if (first > 0 && weight > 0 && weight != first)
			return false;
		first = first > 0 ? first : weight;
	}
	return true;
}

struct say pick_classes_said(const struct pick_input *in, const struct pick_wish *w,
			     bool in_edition, struct arena *a)
{
	struct say_list l = { .arena = a };
	bool weighed = in_edition && !equal_weights(in, w);

	for (size_t i = 0; i < CLASS_COUNT; i++) {
		enum class_id class = (enum class_id)i;
		if (!(w->weights[i] > 0) || edition_has(in, class) != in_edition)
			continue;
		const struct say_arg args[] = { say_class("class", class, a),
						say_shortest("weight", w->weights[i]), say_end() };
		say_add(&l, weighed ? say(a, "pick.weighed", args) : args[0].said);
	}
	return say_join(&l, "comma");
}

/* "at least 8 GB, at most 75 W and at most $800"; empty when nothing was asked. */
static struct say limits(const struct pick_wish *w, struct arena *a)
{
	struct say_list l = { .arena = a };

	if (!isnan(w->memory_gb))
		say_add(&l, say(a, "pick.least_gb",
				(const struct say_arg[]){ say_shortest("gb", w->memory_gb),
							  say_end() }));
	if (!isnan(w->tdp_w))
		say_add(&l,
			say(a, "pick.most_w",
			    (const struct say_arg[]){ say_shortest("w", w->tdp_w), say_end() }));
	if (!isnan(w->budget_usd))
		say_add(&l, say(a, w->gpus > 1 ? "pick.most_together" : "pick.most",
				(const struct say_arg[]){
				    say_put("cost", budget_of(w, a)), say_end() }));
	if (w->owns != SIZE_MAX)
		say_add(&l, say(a, "pick.least_gain",
				(const struct say_arg[]){ say_shortest("gain", w->gain_min),
							  say_end() }));
	return say_join(&l, "and");
}

/* "23 new cards", "1 card allowed in data centers". */
static struct say cards(const struct pick *p, struct arena *a)
{
	const struct pick_wish *w = &p->wish;
	struct say_list vendors = { .arena = a }, that = { .arena = a };
	struct say condition = { STR("") };

	for (size_t i = 0; i < w->vendors.n; i++)
		say_add(&vendors, say_plain(a, w->vendors.v[i]));
	if (w->condition != CONDITION_ANY)
		condition = say_word(a, "condition", persona_condition_name(w->condition));
	if (w->data_center)
		say_add(&that, say(a, "pick.data_center", NULL));
	if (w->adjacent && w->gpus > 1)
		say_add(&that, say(a, "pick.beside",
				   (const struct say_arg[]){ say_int("n", w->gpus), say_end() }));
	struct say plain = say(
	    a, "pick.cards",
	    (const struct say_arg[]){ say_count("n", p->nranked), say_put("condition", condition),
				      say_put("vendors", say_join(&vendors, "or")), say_end() });
	return that.n == 0 ? plain
			   : say(a, "pick.cards_that",
				 (const struct say_arg[]){ say_put("cards", plain),
							   say_put("that", say_join(&that, "that")),
							   say_end() });
}

struct say pick_rule_said(const struct pick_input *in, const struct pick *p, struct arena *a)
{
	const struct pick_wish *w = &p->wish;
	struct say classes = pick_classes_said(in, w, true, a), limit = limits(w, a);
	bool value = w->objective == OBJECTIVE_VALUE;
	const struct say_arg args[] = {
		say_put("classes", say_empty(classes) ? say(a, "pick.no_class", NULL) : classes),
		say_put("cards", cards(p, a)),
		say_put("limits", limit),
		say_put("cost",
			value ? say_word(a, "pick-cost", w->lens) : (struct say){ STR("") }),
		say_end(),
	};

	if (say_empty(limit))
		return say(a, value ? "pick.rule_value" : "pick.rule_speed", args);
	return say(a, value ? "pick.rule_value_limits" : "pick.rule_speed_limits", args);
}

static struct say value_said(const struct pick_input *in, const struct pick_wish *w,
			     const struct candidate *c, const struct candidate *next,
			     struct arena *a)
{
	double per = per_usd(w->lens);
	struct say unit = per > 1 ? pick_money(a, per) : say(a, "pick.per_hour", NULL);
	struct say_arg args[] = {
		say_figure("value", pick_figure(a, c->value * per)),
		say_put("per", unit),
		say_figure("score", pick_figure(a, c->score)),
		say_put("cost", cost_of(w, c->cost_usd, a)),
		say_end(),
		say_end(),
		say_end(),
		say_end(),
		say_end(),
	};

	if (!next)
		return say(a, "pick.value", args);
	args[4] = say_figure("next_value", pick_figure(a, next->value * per));
	args[5] = say_name("next", in->devices->v[next->device].name);
	args[6] = say_figure("next_score", pick_figure(a, next->score));
	args[7] = say_put("next_cost", cost_of(w, next->cost_usd, a));
	return say(a, "pick.value_against", args);
}

static struct say interval(const struct candidate *c, struct arena *a)
{
	struct str score = pick_figure(a, c->score);

	if (isnan(c->low) || isnan(c->high))
		return say_number(a, score);
	return say(a, "pick.interval",
		   (const struct say_arg[]){
		       say_figure("score", score), say_figure("low", pick_figure(a, c->low)),
		       say_figure("high", pick_figure(a, c->high)), say_end() });
}

static struct say speed_said(const struct pick_input *in, const struct pick_wish *w,
			     const struct candidate *c, const struct candidate *next,
			     struct arena *a)
{
	struct say_list l = { .arena = a };
	struct say_arg args[] = { say_put("score", interval(c, a)), say_end(), say_end(),
				  say_end() };

	if (next) {
		args[1] = say_put("next_score", interval(next, a));
		args[2] = say_name("next", in->devices->v[next->device].name);
	}
	say_add(&l, say(a, next ? "pick.score_against" : "pick.score", args));
	struct say cost = cost_of(w, c->cost_usd * w->gpus, a);
	say_add(&l, isnan(w->budget_usd)
			? cost
			: say(a, "pick.cost_of",
			      (const struct say_arg[]){
				  say_put("cost", cost),
				  say_put("budget", budget_of(w, a)), say_end() }));
	return say_join(&l, "semicolon");
}

struct say pick_deciding_said(const struct pick_input *in, const struct pick *p,
			      const struct candidate *c, const struct candidate *next,
			      struct arena *a)
{
	return p->wish.objective == OBJECTIVE_VALUE ? value_said(in, &p->wish, c, next, a)
						    : speed_said(in, &p->wish, c, next, a);
}

size_t *pick_tied(const struct pick *p, struct arena *a, size_t *n)
{
	size_t *v = arena_array(a, p->nranked, sizeof *v);
	bool value = p->wish.objective == OBJECTIVE_VALUE;

	*n = 0;
	for (size_t i = 1; i < p->nranked; i++) {
		double high = value ? p->v[i].value_high : p->v[i].peer_high,
		       low = value ? p->v[0].value_low : p->v[0].peer_low;
		if (high >= low)
			v[(*n)++] = p->v[i].device;
	}
	return v;
}

/* "RTX 2060, RTX 2080 and 5 more" */
static struct say names(const struct pick_input *in, const size_t *devices, size_t n,
			struct arena *a)
{
	struct say_list l = { .arena = a };

	for (size_t i = 0; i < n && i < NAMES_SHOWN; i++)
		say_add(&l, say_plain(a, in->devices->v[devices[i]].name));
	if (n <= NAMES_SHOWN)
		return say_join(&l, "comma");
	return say(a, "list.more",
		   (const struct say_arg[]){ say_put("names", say_join(&l, "comma")),
					     say_count("n", n - NAMES_SHOWN), say_end() });
}

static struct say ties(const struct pick_input *in, const struct pick *p, const struct candidate *c,
		       struct arena *a)
{
	size_t n, *tied = pick_tied(p, a, &n);

	if (c != &p->v[0] || n == 0)
		return (struct say){ STR("") };
	return say(a, "pick.tied",
		   (const struct say_arg[]){ say_put("names", names(in, tied, n, a)), say_end() });
}

static struct say price_remark(const struct candidate *c, struct arena *a)
{
	if (c->price.flags == 0)
		return (struct say){ STR("") };
	return say(a, "pick.price",
		   (const struct say_arg[]){ say_put("date", say_date(a, c->price.newest_date)),
					     say_put("flags", price_flags_said(a, c->price.flags)),
					     say_end() });
}

/* A card that is cooled only because other boards of it are sold. */
static struct say cooling(const struct pick_input *in, const struct pick_wish *w,
			  const struct candidate *c, struct arena *a)
{
	const struct device_notes *blower = in->personas ? &in->personas->blower : NULL;

	if (!w->adjacent || !cooling_warning(&in->devices->v[c->device], w->gpus))
		return (struct say){ STR("") };
	for (size_t i = 0; blower && i < blower->n; i++)
		if (blower->v[i].device == c->device)
			return say(a, "pick.blower",
				   (const struct say_arg[]){
				       say_put("where", say_data(a, blower->v[i].text, NULL)),
				       say_end() });
	return (struct say){ STR("") };
}

/* A card whose old price would put it before the best: named, not taken. */
static struct say stale(const struct pick_input *in, const struct pick *p,
			const struct candidate *c, struct arena *a)
{
	const struct candidate *best = NULL;
	bool value = p->wish.objective == OBJECTIVE_VALUE;

	for (size_t i = p->nranked; c == &p->v[0] && i < p->n; i++) {
		const struct candidate *s = &p->v[i], *over = best ? best : c;
		if (s->failed == 1u << GATE_STALE
		    && (value ? s->value > over->value : s->score > over->score))
			best = s;
	}
	if (!best)
		return (struct say){ STR("") };
	return say(a, "pick.old_price",
		   (const struct say_arg[]){ say_name("device", in->devices->v[best->device].name),
					     say_put("cost", cost_of(&p->wish, best->cost_usd, a)),
					     say_put("date", say_date(a, best->price.newest_date)),
					     say_end() });
}

static struct say absent_said(struct say absent, struct arena *a)
{
	if (say_empty(absent))
		return absent;
	return say(a, "pick.absent",
		   (const struct say_arg[]){ say_put("classes", absent), say_end() });
}

struct say pick_remarks_said(const struct pick_input *in, const struct pick *p,
			     const struct candidate *c, struct arena *a)
{
	const struct pick_wish *w = &p->wish;
	struct say_list l = { .arena = a };

	say_add(&l, ties(in, p, c, a));
	say_add(&l, stale(in, p, c, a));
	if (c->origin == ORIGIN_SCALED)
		say_add(&l, say(a, "pick.scaled", NULL));
	say_add(&l, price_remark(c, a));
	if (w->gpus > 1)
		say_add(&l, say(a, "pick.jobs",
				(const struct say_arg[]){ say_int("n", w->gpus), say_end() }));
	say_add(&l, cooling(in, w, c, a));
	say_add(&l, absent_said(pick_classes_said(in, w, false, a), a));
	return say_join(&l, "semicolon");
}

struct say pick_failures_said(const struct pick_input *in, const struct pick_wish *w,
			      const struct candidate *c, struct arena *a)
{
	struct say_list l = { .arena = a };

	for (size_t g = 0; g < GATE_COUNT; g++)
		if (c->failed & 1u << g)
			say_add(&l, gate_reason(in, w, c, (enum gate)g, a));
	return say_join(&l, "semicolon");
}

/* The failed gates in words, and for the one failed gate alone what was looked for. */
struct say pick_give_said(const struct pick_input *in, const struct pick *p,
			  const struct candidate *c, struct arena *a)
{
	const char *key = c->failed == 1u << GATE_BUDGET   ? "pick.give_budget"
			  : c->failed == 1u << GATE_MEMORY ? "pick.give_memory"
			  : c->failed & (c->failed - 1)    ? "pick.give_several"
							   : "pick.give_one";

	return say(a, key,
		   (const struct say_arg[]){
		       say_put("reasons", pick_failures_said(in, &p->wish, c, a)), say_end() });
}

struct say pick_keep_said(const struct pick_input *in, const struct pick *p, struct arena *a)
{
	const struct candidate *best = NULL;
	struct str owned = in->devices->v[p->wish.owns].name;

	for (size_t i = 0; i < p->n; i++)
		if (p->v[i].failed == 1u << GATE_GAIN && (!best || p->v[i].gain > best->gain))
			best = &p->v[i];
	if (!best)
		return say(a, "pick.keep_none",
			   (const struct say_arg[]){ say_name("owned", owned), say_end() });
	return say(
	    a, "pick.keep_best",
	    (const struct say_arg[]){
		say_name("owned", owned), say_name("device", in->devices->v[best->device].name),
		say_put("reason", gate_reason(in, &p->wish, best, GATE_GAIN, a)), say_end() });
}

struct say pick_none_said(const struct pick_input *in, const struct pick *p, struct arena *a)
{
	struct say_list l = { .arena = a };

	if (!gates_any_class(in, &p->wish))
		return absent_said(pick_classes_said(in, &p->wish, false, a), a);
	for (size_t g = 0; g < GATE_COUNT; g++) {
		size_t n = pick_removed_count(p, (enum gate)g);
		if (n)
			say_add(&l, say(a, "pick.gate_count",
					(const struct say_arg[]){
					    say_put("gate", say_word(a, "gate-name",
								     gate_key((enum gate)g))),
					    say_count("n", n), say_end() }));
	}
	if (l.n == 0)
		return say(a, "pick.no_card", NULL);
	return say(
	    a, "pick.none_left",
	    (const struct say_arg[]){ say_put("gates", say_join(&l, "semicolon")), say_end() });
}
