/* The guide's advice: claims 21, 37 to 42. */
#include "claim_check.h"

#include <math.h>
#include <stdint.h>

/* The rule of the advice is the guide's own, so that its agreement proves nothing: shown, not
 * counted. What would: several open cards and several with blowers side by side, each kind in a
 * host of its own. */
void claim_cooling(const struct claim_input *in, struct claim *c)
{
	static const struct {
		struct str name;
		int gpus;
	} cases[] = { { STR_INIT("RTX 2070"), 2 },
		      { STR_INIT("RTX 2070"), 3 },
		      { STR_INIT("RTX 2080 Ti"), 2 },
		      { STR_INIT("Titan Xp"), 4 } };
	struct say_list b = { .arena = in->arena };

	for (size_t i = 0; i < LEN(cases); i++) {
		size_t d = device_index(in->x->devices, cases[i].name);
		if (d == in->x->devices->n)
			continue;
		const struct device *device = claim_device(in, d);
		claim_add(&b,
			  cooling_warning(device, cases[i].gpus) ? "claim.rule_blower"
								 : "claim.rule_any_fan",
			  (const struct say_arg[]){
			      say_int("gpus", cases[i].gpus), say_name("card", device->name),
			      say_put("cooling", say_word(in->arena, "cooling", device->cooling)),
			      say_end() });
	}
	struct claim_spread share = claim_busy_share(in);
	if (share.n)
		claim_add(&b, "claim.busy_range",
			  (const struct say_arg[]){ say_fixed("low", 100 * share.lowest, 0),
						    say_fixed("high", 100 * share.highest, 0),
						    say_count("n", share.n), say_end() });
	c->computed_value = claim_pieces(&b);
	claim_settle(in, c, CLAIM_NOT_TESTABLE, "claim.need_temperatures", NULL);
}

static const struct pick *pick_of(const struct claim_input *in, struct str persona)
{
	for (size_t i = 0; i < in->x->picks.n; i++)
		if (in->x->picks.v[i].persona && str_eq(in->x->picks.v[i].wish.name, persona))
			return &in->x->picks.v[i];
	return NULL;
}

/* The prices of the cards that a pick was chosen among. */
static void use_ranked(const struct claim_input *in, const struct pick *p)
{
	for (size_t i = 0; i < p->nranked; i++)
		claim_use_price(in, &p->v[i].price);
}

/* Whether the persona's first pick is the card. */
static bool is_pick(const struct claim_input *in, const struct pick *p, struct str card)
{
	return p->nrows && p->rows[0].device != SIZE_MAX && p->status == PICK_FOUND
	       && str_eq(claim_device(in, p->rows[0].device)->name, card);
}

/* "RTX 2060", or why there is none. */
static struct say pick_name(const struct claim_input *in, const struct pick *p)
{
	if (p->nrows && p->rows[0].device != SIZE_MAX && p->status == PICK_FOUND)
		return say_plain(in->arena, claim_device(in, p->rows[0].device)->name);
	return say(
	    in->arena, "claim.no_card",
	    (const struct say_arg[]){
		say_put("status", say_word(in->arena, "pick-status", pick_status_name(p->status))),
		say_end() });
}

/* Whether the avoid rule (dominated in cost, memory and speed) finds the device in some class. Its
 * price and that of each card that dominates it are used. */
static bool avoided(const struct claim_input *in, size_t device)
{
	bool found = false;

	claim_use_device(in, device);
	for (size_t i = 0; i < in->x->avoids.n; i++) {
		const struct avoid *v = &in->x->avoids.v[i];
		if (v->device != device || v->class == CLASS_COUNT)
			continue;
		found = true;
		claim_use_device(in, v->by);
	}
	return found;
}

/* Of the edition's priced cards that `named` takes: how many the avoid rule finds, and who is
 * missed. */
struct avoid_count {
	size_t named, found;
	struct say_list missed;
};

/* Cards by how their names begin: "Quadro" is every Quadro. */
struct name_list {
	struct str v[5];
	size_t n;
};

static bool is_named(const struct device *d, const struct name_list *names)
{
	for (size_t i = 0; i < names->n; i++)
		if (str_starts(d->name, names->v[i]))
			return true;
	return false;
}

static struct avoid_count count_avoided(const struct claim_input *in, const struct name_list *names)
{
	struct avoid_count a = { 0, 0, { .arena = in->arena } };

	for (size_t i = 0; i < in->x->nindices; i++) {
		size_t d = in->x->indices[i];
		const struct device *device = claim_device(in, d);
		if (!is_named(device, names) || !claim_price(in, device->name))
			continue;
		a.named++;
		if (avoided(in, d))
			a.found++;
		else
			say_add(&a.missed, say_plain(in->arena, device->name));
	}
	return a;
}

static void add_avoided(const struct avoid_count *a, struct say_list *b)
{
	claim_add(b, "claim.rule_finds",
		  (const struct say_arg[]){ say_count("found", a->found), say_count("n", a->named),
					    say_end() });
	if (a->missed.n)
		claim_add(b, "claim.rule_not",
			  (const struct say_arg[]){ say_put("names", say_join(&a->missed, "comma")),
						    say_end() });
}

/* Reproduced when the pick for most people is RTX 2070 (or tied with it), and the avoid rule finds
 * every card named that has a price. No data know Founders Editions. */
void claim_main_advice(const struct claim_input *in, struct claim *c)
{
	static const struct name_list names = {
		{ STR_INIT("Titan Xp"), STR_INIT("Titan V"), STR_INIT("Quadro") }, 3
	};
	const struct pick *p = pick_of(in, STR("best-overall"));
	struct say_list b = { .arena = in->arena };

	if (!p || !claim_listed(in, STR("RTX 2070"))) {
		claim_settle(in, c, CLAIM_NOT_TESTABLE, "claim.no_2070", NULL);
		return;
	}
	struct avoid_count a = count_avoided(in, &names);
	use_ranked(in, p);
	claim_add(&b, "claim.best_overall",
		  (const struct say_arg[]){ say_put("pick", pick_name(in, p)), say_end() });
	add_avoided(&a, &b);
	c->computed_value = claim_pieces(&b);
	bool same = is_pick(in, p, STR("RTX 2070"));
	bool tie = str_eq(p->agrees, STR("tie"));
	const char *pick = same ? "claim.pick_same" : tie ? "claim.pick_tied" : "claim.pick_other";
	const char *cards = a.found == a.named ? "claim.all_dominated" : "claim.not_all_dominated";
	claim_decide(in, c, (same || tie) && a.found == a.named, "claim.main_advice",
		     (const struct say_arg[]){ say_put("pick", say(in->arena, pick, NULL)),
					       say_put("cards", say(in->arena, cards, NULL)),
					       say_end() });
}

/* Reproduced when every persona to which the guide gave a card gets it, or one whose interval
 * overlaps with it. */
void claim_personas(const struct claim_input *in, struct claim *c)
{
	struct say_list b = { .arena = in->arena };
	size_t same = 0, tie = 0, other = 0;

	for (size_t i = 0; i < in->x->picks.n; i++) {
		const struct pick *p = &in->x->picks.v[i];
		if (!p->persona || p->agrees.len == 0)
			continue;
		use_ranked(in, p);
		if (str_eq(p->agrees, STR("yes"))) {
			same++;
			continue;
		}
		tie += str_eq(p->agrees, STR("tie"));
		other += !str_eq(p->agrees, STR("tie"));
		claim_add(&b,
			  str_eq(p->agrees, STR("tie")) ? "claim.persona_tied" : "claim.persona",
			  (const struct say_arg[]){
			      say_name("persona", p->wish.name), say_put("pick", pick_name(in, p)),
			      say_put("guide", say_data(in->arena, p->persona->guide, NULL)),
			      say_end() });
	}
	size_t all = same + tie + other;
	if (all == 0) {
		claim_settle(in, c, CLAIM_NOT_TESTABLE, "claim.no_personas", NULL);
		return;
	}
	struct say_list all_of = { .arena = in->arena };
	claim_add(
	    &all_of, "claim.personas",
	    (const struct say_arg[]){ say_count("same", same), say_count("all", all), say_end() });
	say_add(&all_of, claim_pieces(&b));
	c->computed_value = claim_pieces(&all_of);
	claim_decide(in, c, other == 0, "claim.personas_same",
		     (const struct say_arg[]){ say_count("same", same), say_count("tie", tie),
					       say_count("other", other), say_end() });
}

/* Whether one of a persona's first picks is the card. */
static bool picks_card(const struct claim_input *in, const struct pick *p, struct str card)
{
	for (size_t i = 0; p && i < p->nrows; i++)
		if (p->status == PICK_FOUND && p->rows[i].device != SIZE_MAX
		    && str_eq(claim_device(in, p->rows[i].device)->name, card))
			return true;
	return false;
}

/* Reproduced when best-overall picks RTX 2070, value-cheap has RTX 2060 or GTX 1060 6GB among its
 * first three, and the avoid rule finds every priced card of the worst. The guide advises a Titan
 * RTX for memory and lists it with the worst: that is an exception of the avoid list, "only if". */
void claim_best_and_worst(const struct claim_input *in, struct claim *c)
{
	static const struct name_list names = { { STR_INIT("Titan RTX"), STR_INIT("Titan V"),
						  STR_INIT("Titan Xp"), STR_INIT("Quadro"),
						  STR_INIT("Tesla") },
						5 };
	const struct pick *best = pick_of(in, STR("best-overall")),
			  *cheap = pick_of(in, STR("value-cheap"));
	struct say_list b = { .arena = in->arena };

	if (!best || !cheap || !claim_listed(in, STR("RTX 2070"))) {
		claim_settle(in, c, CLAIM_NOT_TESTABLE, "claim.no_2070_two", NULL);
		return;
	}
	struct avoid_count a = count_avoided(in, &names);
	use_ranked(in, best);
	use_ranked(in, cheap);
	bool same = is_pick(in, best, STR("RTX 2070"));
	bool value =
	    picks_card(in, cheap, STR("RTX 2060")) || picks_card(in, cheap, STR("GTX 1060 6GB"));
	claim_add(&b, "claim.best",
		  (const struct say_arg[]){ say_put("pick", pick_name(in, best)), say_end() });
	claim_add(&b, "claim.cheap_value",
		  (const struct say_arg[]){ say_put("pick", pick_name(in, cheap)), say_end() });
	add_avoided(&a, &b);
	c->computed_value = claim_pieces(&b);
	struct say guide = say(in->arena, "claim.the_guides", NULL),
		   another = say(in->arena, "claim.another", NULL);
	claim_decide(in, c, same && value && a.found == a.named, "claim.best_and_worst",
		     (const struct say_arg[]){ say_put("best", same ? guide : another),
					       say_put("value", value ? guide : another),
					       say_count("found", a.found), say_count("n", a.named),
					       say_end() });
}

/* Our own list of other names: not-reproduced when a spelling is not found as its card. */
void claim_spellings(const struct claim_input *in, struct claim *c)
{
	static const struct {
		struct str spelling, device;
	} known[] = { { STR_INIT("GTX 2080 Ti"), STR_INIT("RTX 2080 Ti") },
		      { STR_INIT("XP Titan"), STR_INIT("Titan Xp") },
		      { STR_INIT("RTX Titan"), STR_INIT("Titan RTX") },
		      { STR_INIT("Titan XP"), STR_INIT("Titan Xp") } };
	struct say_list b = { .arena = in->arena };
	size_t good = 0;

	for (size_t i = 0; i < LEN(known); i++) {
		size_t near[8], n;
		bool found = device_find(in->x->devices, known[i].spelling, in->arena, near, &n)
			     == DEVICE_FOUND;
		good += found && str_eq(claim_device(in, near[0])->name, known[i].device);
		struct say device = found ? say_plain(in->arena, claim_device(in, near[0])->name)
					  : say(in->arena, "claim.not_found", NULL);
		claim_add(&b, "claim.spelling",
			  (const struct say_arg[]){ say_name("spelling", known[i].spelling),
						    say_put("device", device), say_end() });
	}
	c->computed_value = claim_pieces(&b);
	claim_own_rule(in, c, good == LEN(known), "claim.spellings",
		       (const struct say_arg[]){ say_count("good", good),
						 say_count("n", LEN(known)), say_end() });
}

/* Verdicts of the upgrade matrix for owners of a GTX 1070 or better, of the candidates that are
 * faster at all. */
struct upgrade_count {
	size_t n, yes;
};

static struct upgrade_count count_upgrades(const struct claim_input *in, bool transformer)
{
	static const struct str owned[] = { STR_INIT("GTX 1070"), STR_INIT("GTX 1070 Ti"),
					    STR_INIT("GTX 1080"), STR_INIT("GTX 1080 Ti") };
	struct upgrade_count count = { 0, 0 };

	for (size_t i = 0; i < in->x->upgrades.n; i++) {
		const struct upgrade *u = &in->x->upgrades.v[i];
		bool mine = false;
		for (size_t k = 0; k < LEN(owned); k++)
			mine = mine || str_eq(claim_device(in, u->owned)->name, owned[k]);
		if (!mine || !(u->gain > 1) || (u->class == CLASS_TRANSFORMER) != transformer)
			continue;
		claim_use_device(in, u->candidate);
		count.n++;
		count.yes += u->verdict == UPGRADE_YES;
	}
	return count;
}

/* Reproduced when fewer than half of the upgrades are worth it outside Transformers, and half or
 * more within. */
void claim_upgrade(const struct claim_input *in, struct claim *c)
{
	struct upgrade_count others = count_upgrades(in, false),
			     transformer = count_upgrades(in, true);

	if (others.n == 0 || transformer.n == 0) {
		claim_settle(in, c, CLAIM_NOT_TESTABLE, "claim.need_owned", NULL);
		return;
	}
	claim_compute(in, c, "claim.owners",
		      (const struct say_arg[]){ say_count("yes", transformer.yes),
						say_count("n", transformer.n),
						say_count("others_yes", others.yes),
						say_count("others_n", others.n), say_end() });
	claim_decide(in, c, 2 * others.yes < others.n && 2 * transformer.yes >= transformer.n,
		     "claim.waiting", NULL);
}

/* The history of the guide's own editions is not in any data. */
void claim_editions(const struct claim_input *in, struct claim *c)
{
	claim_compute(in, c, "claim.this_edition",
		      (const struct say_arg[]){
			  say_put("date", say_date(in->arena, in->x->edition->date)), say_end() });
	claim_settle(in, c, CLAIM_NOT_TESTABLE, "claim.need_editions", NULL);
}
