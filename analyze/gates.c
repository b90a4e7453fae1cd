#include "gates.h"

#include "pick.h"
#include "../base/num.h"

#include <math.h>
#include <stdint.h>

/* The word of a gate in files, and its name in messages of the terminal. */
static const struct {
	struct str key, name;
} gates[GATE_COUNT] = {
	[GATE_LISTED] = { STR_INIT("listed"), STR_INIT("left out by name") },
	[GATE_VENDOR] = { STR_INIT("vendor"), STR_INIT("other vendor") },
	[GATE_MEMORY] = { STR_INIT("memory"), STR_INIT("too little memory") },
	[GATE_POWER] = { STR_INIT("power"), STR_INIT("too much power") },
	[GATE_HOST] = { STR_INIT("host"), STR_INIT("does not fit the host") },
	[GATE_LICENCE] = { STR_INIT("licence"), STR_INIT("barred from data centers") },
	[GATE_COOLING] = { STR_INIT("cooling"), STR_INIT("no blower") },
	[GATE_SCORE] = { STR_INIT("score"), STR_INIT("no score") },
	[GATE_GAIN] = { STR_INIT("gain"), STR_INIT("too little gain") },
	[GATE_PRICE] = { STR_INIT("price"), STR_INIT("no price") },
	[GATE_CONDITION] = { STR_INIT("condition"), STR_INIT("price of another condition") },
	[GATE_STALE] = { STR_INIT("stale"), STR_INIT("stale price") },
	[GATE_BUDGET] = { STR_INIT("budget"), STR_INIT("over the budget") },
};

struct str gate_name(enum gate g)
{
	return gates[g].name;
}

struct str gate_key(enum gate g)
{
	return gates[g].key;
}

const struct score *gates_class_score(const struct pick_input *in, size_t device,
				      enum class_id class)
{
	for (size_t i = 0; i < in->scores->n; i++)
		if (in->scores->v[i].device == device && in->scores->v[i].class == class)
			return &in->scores->v[i];
	return NULL;
}

const struct score *gates_usable_score(const struct pick_input *in, size_t device,
				       enum class_id class)
{
	const struct score *s = gates_class_score(in, device, class);

	return s && (s->origin == ORIGIN_MEASURED || s->origin == ORIGIN_SCALED) ? s : NULL;
}

bool gates_any_class(const struct pick_input *in, const struct pick_wish *w)
{
	for (size_t i = 0; i < in->edition->nclasses; i++)
		if (w->weights[in->edition->classes[i].id] > 0)
			return true;
	return false;
}

/* One class: its score and intervals as logs; ends that are not known are NAN. */
struct log_score {
	double mid, low, high, peer_low, peer_high;
};

static bool log_score(const struct score *s, struct log_score *out)
{
	if (!s || (s->origin != ORIGIN_MEASURED && s->origin != ORIGIN_SCALED) || !(s->score > 0))
		return false;
	*out = (struct log_score){ log(s->score), log(s->low), log(s->high), log(s->peer_low),
				   log(s->peer_high) };
	return true;
}

bool gates_score(const struct pick_input *in, const struct pick_wish *w, struct candidate *c)
{
	struct log_score sum = { 0, 0, 0, 0, 0 }, one;
	double weights = 0;

	c->origin = ORIGIN_MEASURED;
	c->score = c->low = c->high = c->peer_low = c->peer_high = NAN;
	c->missing = CLASS_COUNT;
	for (size_t i = 0; i < in->edition->nclasses; i++) {
		enum class_id id = in->edition->classes[i].id;
		double weight = w->weights[id];
		const struct score *s = weight > 0 ? gates_class_score(in, c->device, id) : NULL;

		if (!(weight > 0))
			continue;
		if (!log_score(s, &one)) {
			c->missing = id;
			return false;
		}
		sum.mid += weight * one.mid;
		sum.low += weight * one.low;
		sum.high += weight * one.high;
		sum.peer_low += weight * one.peer_low;
		sum.peer_high += weight * one.peer_high;
		weights += weight;
		if (s->origin == ORIGIN_SCALED)
			c->origin = ORIGIN_SCALED;
	}
	if (!(weights > 0))
		return false;
	c->score = score_rounded(exp(sum.mid / weights));
	c->low = score_rounded(exp(sum.low / weights));
	c->high = score_rounded(exp(sum.high / weights));
	c->peer_low = score_rounded(exp(sum.peer_low / weights));
	c->peer_high = score_rounded(exp(sum.peer_high / weights));
	return true;
}

static bool in_notes(const struct device_notes *notes, size_t device)
{
	for (size_t i = 0; i < notes->n; i++)
		if (notes->v[i].device == device)
			return true;
	return false;
}

static bool vendor_wanted(const struct pick_wish *w, struct str vendor)
{
	for (size_t i = 0; i < w->vendors.n; i++)
		if (str_eq(w->vendors.v[i], vendor))
			return true;
	return w->vendors.n == 0;
}

/* A card with a slot bracket can be put into a desktop or a common server; what cools it is a fan
 * of its own (or a closed loop) in a desktop, the server's own stream of air otherwise. */
bool gates_fits_host(const struct device *d, enum persona_host host)
{
	if (host == HOST_ANY)
		return true;
	if (!str_ends(d->form_factor, STR("-slot")))
		return false;
	return host == HOST_SERVER || !str_eq(d->cooling, STR("passive"));
}

/* Side by side an open cooler breathes its neighbour's heat; a board with a blower throws it out.
 * Passive cards live on their server's stream of air: that is for the gate of the host. */
static bool cooled(const struct pick_input *in, const struct pick_wish *w, size_t device)
{
	const struct device *d = &in->devices->v[device];

	return !w->adjacent || str_eq(d->cooling, STR("passive")) || !cooling_warning(d, w->gpus)
	       || (in->personas && in_notes(&in->personas->blower, device));
}

double gates_memory_gb(const struct pick_input *in, size_t device)
{
	const struct device *d = &in->devices->v[device];

	return in->memory ? memory_device_gb(in->memory, d) : d->memory_gb;
}

/* Gates that look at the card alone. */
static unsigned device_gates(const struct pick_input *in, const struct pick_wish *w, size_t device)
{
	const struct device *d = &in->devices->v[device];
	bool listed =
	    !in_notes(&w->except, device) && (w->only.n == 0 || in_notes(&w->only, device));
	const bool failed[] = {
		[GATE_LISTED] = !listed,
		[GATE_VENDOR] = !vendor_wanted(w, d->vendor),
		[GATE_MEMORY] = !isnan(w->memory_gb) && !(gates_memory_gb(in, device) >= w->memory_gb),
		[GATE_POWER] = !isnan(w->tdp_w) && !(d->tdp_w <= w->tdp_w),
		[GATE_HOST] = !gates_fits_host(d, w->host),
		[GATE_LICENCE] = w->data_center && !str_eq(d->datacenter_ok, STR("yes")),
		[GATE_COOLING] = !cooled(in, w, device),
	};
	unsigned bits = 0;

	for (size_t i = 0; i < LEN(failed); i++)
		bits |= failed[i] ? 1u << i : 0u;
	return bits;
}

/* A system's share of one card: its range is the cards', moved by host and electricity. */
static struct card_price share_of(const struct pick_input *in, const struct system *s,
				  enum lens lens)
{
	struct card_price share = card_price_none(s->device, lens);
	const struct card_price *card = price_lens_find(in->prices, s->device, LENS_CARD);
	double usd = lens == LENS_SYSTEM ? s->purchase_usd : s->total_usd;

	if (isnan(usd) || !card)
		return share;
	share.price_usd = cost_round(usd / s->gpus);
	share.low = cost_round((usd - s->cards_usd + s->cards_low_usd) / s->gpus);
	share.high = cost_round((usd - s->cards_usd + s->cards_high_usd) / s->gpus);
	share.newest_date = card->newest_date;
	share.age_days = card->age_days;
	share.flags = s->flags;
	if (lens == LENS_SYSTEM)
		share.flags &= ~(unsigned)PRICE_FLAGS_TARIFF;
	return share;
}

/* The price in the wish's lens: of its condition, or of its number of cards, where that is known
 * apart. */
static struct card_price wished_price(const struct pick_input *in, const struct pick_wish *w,
				      size_t device)
{
	enum lens lens;
	const struct card_price *p = NULL;

	if (!lens_parse(w->lens, &lens))
		return card_price_none(device, LENS_CARD);
	if (lens == LENS_CARD && in->conditions && w->condition != CONDITION_ANY)
		p = price_condition_find(in->conditions, device,
					 w->condition == CONDITION_NEW ? PRICE_NEW : PRICE_USED);
	else if (in->systems && (lens == LENS_SYSTEM || lens == LENS_SYSTEM_POWER)) {
		for (size_t i = 0; i < in->systems->n; i++)
			if (in->systems->v[i].device == device && in->systems->v[i].gpus == w->gpus)
				return share_of(in, &in->systems->v[i], lens);
	} else
		p = price_lens_find(in->prices, device, lens);
	return p ? *p : card_price_none(device, lens);
}

/* What is rented is neither new nor used. */
static bool condition_fits(const struct pick_wish *w, const struct card_price *p)
{
	bool used = p->flags & PRICE_FLAG_USED;

	return str_eq(w->lens, lens_name(LENS_CLOUD)) || w->condition == CONDITION_ANY
	       || used == (w->condition == CONDITION_USED);
}

static void set_price(const struct pick_input *in, const struct pick_wish *w, struct candidate *c)
{
	c->price = wished_price(in, w, c->device);
	c->cost_usd = c->price.price_usd;
	if (!(c->cost_usd > 0)) { /* NAN too */
		c->failed |= 1u << GATE_PRICE;
		return;
	}
	if (!condition_fits(w, &c->price))
		c->failed |= 1u << GATE_CONDITION;
	if (!isnan(w->budget_usd) && !(c->cost_usd * w->gpus <= w->budget_usd))
		c->failed |= 1u << GATE_BUDGET;
	c->value = c->score / c->cost_usd;
	c->value_low = c->peer_low / c->price.high;
	c->value_high = c->peer_high / c->price.low;
}

/* The gain of the card over the owned one must reach the wish's, and be a gain at its lower end. */
static void set_gain(const struct pick_wish *w, const struct candidate *owned, struct candidate *c)
{
	if (isnan(owned->score) || isnan(c->score))
		return;
	c->gain = c->score / owned->score;
	if (!(c->gain >= w->gain_min) || !(c->peer_low > owned->peer_high))
		c->failed |= 1u << GATE_GAIN;
}

/* Only among prices of one kind: where all used prices are old, a wish for used cards is answered
 * from them, marked. */
static void set_stale(struct candidate *c, size_t n)
{
	bool any_fresh = false;

	for (size_t i = 0; i < n; i++)
		any_fresh |= !(c[i].failed & (1u << GATE_PRICE | 1u << GATE_CONDITION))
			     && !(c[i].price.flags & PRICE_FLAG_STALE);
	for (size_t i = 0; any_fresh && i < n; i++)
		if (!(c[i].failed & 1u << GATE_PRICE) && c[i].price.flags & PRICE_FLAG_STALE)
			c[i].failed |= 1u << GATE_STALE;
}

struct candidate *gates_apply(const struct pick_input *in, const struct pick_wish *w,
			      struct arena *a)
{
	struct candidate *v = arena_array(a, in->nindices, sizeof *v), owned = { .score = NAN };

	if (w->owns != SIZE_MAX) {
		owned.device = w->owns;
		gates_score(in, w, &owned);
	}
	for (size_t i = 0; i < in->nindices; i++) {
		v[i] = (struct candidate){ .device = in->indices[i],
					   .gain = NAN,
					   .cost_usd = NAN,
					   .value = NAN,
					   .value_low = NAN,
					   .value_high = NAN };
		v[i].failed = device_gates(in, w, v[i].device);
		if (!gates_score(in, w, &v[i]))
			v[i].failed |= 1u << GATE_SCORE;
		set_gain(w, &owned, &v[i]);
		set_price(in, w, &v[i]);
	}
	set_stale(v, in->nindices);
	return v;
}

static struct say listed_reason(const struct pick_wish *w, size_t device, struct arena *a)
{
	for (size_t i = 0; i < w->except.n; i++)
		if (w->except.v[i].device == device)
			return say_data(a, w->except.v[i].text, NULL);
	return say(a, "gate.not_listed", NULL);
}

/* A figure of the catalogue, or the word for none. */
static struct say_arg known(const char *name, double v, struct arena *a)
{
	return isnan(v) ? say_put(name, say(a, "gate.unknown", NULL)) : say_shortest(name, v);
}

static struct say score_reason(const struct pick_input *in, const struct candidate *c,
			       struct arena *a)
{
	if (c->missing == CLASS_COUNT)
		return say(a, "gate.no_class", NULL);
	const struct score *s = gates_class_score(in, c->device, c->missing);
	const struct say_arg args[] = {
		say_put("class", say_word(a, "class-name", class_name(c->missing))),
		s && !say_empty(s->reason) ? say_put("reason", s->reason) : say_end(),
		say_end(),
	};

	if (s && s->origin == ORIGIN_ESTIMATED)
		return say(a, "gate.estimate", (const struct say_arg[]){ args[0], say_end() });
	return say(a, args[1].name ? "gate.no_score_for" : "gate.no_score", args);
}

static struct say host_reason(const struct device *d, struct arena *a)
{
	if (str_ends(d->form_factor, STR("-slot")))
		return say(a, "gate.passive", NULL);
	return say(a, "gate.no_slot",
		   (const struct say_arg[]){ d->form_factor.len
						 ? say_name("form", d->form_factor)
						 : say_put("form", say(a, "gate.unknown", NULL)),
					     say_end() });
}

static struct say gain_reason(const struct pick_input *in, const struct pick_wish *w,
			      const struct candidate *c, struct arena *a)
{
	struct say_arg args[] = { say_figure("gain", pick_figure(a, c->gain)),
				  say_name("owned", in->devices->v[w->owns].name), say_end(),
				  say_end() };

	if (c->gain >= w->gain_min)
		return say(a, "gate.gain_overlap", args);
	args[2] = say_shortest("wanted", w->gain_min);
	return say(a, "gate.gain", args);
}

static struct say budget_reason(const struct pick_wish *w, const struct candidate *c,
				struct arena *a)
{
	double cost = c->cost_usd * w->gpus, budget = w->budget_usd;

	return say(a, "gate.budget",
		   (const struct say_arg[]){
		       say_put("cost", pick_money_beside(a, cost, budget)), say_int("n", w->gpus),
		       say_put("budget", pick_money_given(a, budget)), say_end() });
}

/* "no used price in the lens card: missing"; for several cards the number stands there too. */
static struct say price_reason(const struct pick_wish *w, const struct candidate *c,
			       struct arena *a)
{
	unsigned why = c->price.flags & ~(unsigned)PRICE_FLAG_MISSING;
	struct say none = { STR("") };
	bool cards = w->gpus > 1 && !str_eq(w->lens, STR("card"));
	const struct say_arg args[] = {
		say_put("condition",
			w->condition == CONDITION_ANY
			    ? none
			    : say_word(a, "condition", persona_condition_name(w->condition))),
		say_put("lens", say_word(a, "lens-name", w->lens)),
		say_int("n", w->gpus),
		say_end(),
	};
	struct say price = say(a, cards ? "gate.no_price_of" : "gate.no_price", args);

	if (!why)
		return price;
	return say(a, "gate.no_price_for",
		   (const struct say_arg[]){ say_put("price", price),
					     say_put("flags", price_flags_names(a, why)),
					     say_end() });
}

struct say gate_reason(const struct pick_input *in, const struct pick_wish *w,
		       const struct candidate *c, enum gate g, struct arena *a)
{
	const struct device *d = &in->devices->v[c->device];

	switch (g) {
	case GATE_LISTED:
		return listed_reason(w, c->device, a);
	case GATE_VENDOR:
		return say(a, "gate.vendor",
			   (const struct say_arg[]){ say_name("vendor", d->vendor), say_end() });
	case GATE_MEMORY:
		return say(a, "gate.memory",
			   (const struct say_arg[]){ known("gb", gates_memory_gb(in, c->device), a),
						     known("wanted", w->memory_gb, a), say_end() });
	case GATE_POWER:
		return say(a, "gate.power",
			   (const struct say_arg[]){ known("w", d->tdp_w, a),
						     known("wanted", w->tdp_w, a), say_end() });
	case GATE_HOST:
		return host_reason(d, a);
	case GATE_LICENCE:
		return say(a, "gate.licence", NULL);
	case GATE_COOLING:
		return say(a, "gate.cooling",
			   (const struct say_arg[]){ say_int("n", w->gpus), say_end() });
	case GATE_SCORE:
		return score_reason(in, c, a);
	case GATE_GAIN:
		return gain_reason(in, w, c, a);
	case GATE_PRICE:
		return price_reason(w, c, a);
	case GATE_CONDITION:
		return say(a, "gate.condition",
			   (const struct say_arg[]){
			       say_put("condition",
				       say_word(a, "condition",
						c->price.flags & PRICE_FLAG_USED ? STR("used")
										 : STR("new"))),
			       say_end() });
	case GATE_STALE:
		return say(a, "gate.stale",
			   (const struct say_arg[]){
			       say_put("date", say_date(a, c->price.newest_date)),
			       say_int("days", c->price.age_days), say_end() });
	case GATE_BUDGET:
		return budget_reason(w, c, a);
	case GATE_COUNT:
		break;
	}
	return (struct say){ STR("") };
}
