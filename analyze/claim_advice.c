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
	struct strbuf b = { .arena = in->arena };

	for (size_t i = 0; i < LEN(cases); i++) {
		size_t d = device_index(in->x->devices, cases[i].name);
		if (d == in->x->devices->n)
			continue;
		const struct device *device = claim_device(in, d);
		claim_add(&b, "rule for %d x " STR_FMT " (" STR_FMT "): %s", cases[i].gpus,
			  STR_ARG(device->name), STR_ARG(device->cooling),
			  cooling_warning(device, cases[i].gpus) ? "blower needed" : "any fan");
	}
	struct claim_spread share = claim_busy_share(in);
	if (share.n)
		claim_add(&b,
			  "with all cards of a machine busy a run keeps %.0f to %.0f %% of its "
			  "speed (n = %zu)",
			  100 * share.lowest, 100 * share.highest, share.n);
	c->computed_value = strbuf_str(&b);
	claim_settle(in, c, CLAIM_NOT_TESTABLE,
		     "Needs temperatures or speeds of several open cards side by side and of as "
		     "many with blowers; no row "
		     "names the cooler of its card. The advice follows the guide's rule.");
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

/* "RTX 2060", or why there is none. */
static struct str pick_name(const struct claim_input *in, const struct pick *p)
{
	if (p->nrows && p->rows[0].device != SIZE_MAX && p->status == PICK_FOUND)
		return claim_device(in, p->rows[0].device)->name;
	return str_printf(in->arena, "no card (" STR_FMT ")", STR_ARG(pick_status_name(p->status)));
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
	struct strbuf missed;
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
			strbuf_printf(&a.missed, "%s" STR_FMT, a.missed.len ? ", " : "",
				      STR_ARG(device->name));
	}
	return a;
}

static void add_avoided(const struct avoid_count *a, struct strbuf *b)
{
	claim_add(b, "the rule finds %zu of %zu cards to avoid that have a price", a->found,
		  a->named);
	if (a->missed.len)
		claim_add(b, "not " STR_FMT, STR_ARG(strbuf_str(&a->missed)));
}

/* Reproduced when the pick for most people is RTX 2070 (or tied with it), and the avoid rule finds
 * every card named that has a price. No data know Founders Editions. */
void claim_main_advice(const struct claim_input *in, struct claim *c)
{
	static const struct name_list names = {
		{ STR_INIT("Titan Xp"), STR_INIT("Titan V"), STR_INIT("Quadro") }, 3
	};
	const struct pick *p = pick_of(in, STR("best-overall"));
	struct strbuf b = { .arena = in->arena };

	if (!p || !claim_listed(in, STR("RTX 2070"))) {
		claim_settle(in, c, CLAIM_NOT_TESTABLE,
			     "The edition has no RTX 2070, or no persona best-overall.");
		return;
	}
	struct avoid_count a = count_avoided(in, &names);
	use_ranked(in, p);
	claim_add(&b, "best overall: " STR_FMT, STR_ARG(pick_name(in, p)));
	add_avoided(&a, &b);
	c->computed_value = strbuf_str(&b);
	bool same = str_eq(pick_name(in, p), STR("RTX 2070"));
	bool tie = str_eq(p->agrees, STR("tie"));
	claim_decide(in, c, (same || tie) && a.found == a.named,
		     "%s; %s. Founders Editions are no devices of their own here.",
		     same  ? "The pick is the guide's"
		     : tie ? "RTX 2070 is tied with the pick: their intervals overlap"
			   : "The pick is another card",
		     a.found == a.named
			 ? "every card named is dominated by a cheaper, faster one"
			 : "not every card named is dominated by a cheaper, faster one");
}

/* Reproduced when every persona to which the guide gave a card gets it, or one whose interval
 * overlaps with it. */
void claim_personas(const struct claim_input *in, struct claim *c)
{
	struct strbuf b = { .arena = in->arena };
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
		claim_add(&b, STR_FMT ": " STR_FMT " (guide: " STR_FMT "%s)", STR_ARG(p->wish.name),
			  STR_ARG(pick_name(in, p)), STR_ARG(p->persona->guide),
			  str_eq(p->agrees, STR("tie")) ? ", tied" : "");
	}
	size_t all = same + tie + other;
	if (all == 0) {
		claim_settle(in, c, CLAIM_NOT_TESTABLE,
			     "The guide of this edition's year gave no persona a card.");
		return;
	}
	c->computed_value =
	    str_printf(in->arena, "%zu of %zu personas get the guide's card%s" STR_FMT, same, all,
		       b.len ? "; " : "", STR_ARG(strbuf_str(&b)));
	claim_decide(in, c, other == 0,
		     "The same card %zu times, tied with it %zu times (intervals overlap), another "
		     "%zu times. The rules of the "
		     "personas, budgets and memory floors with them, are our reading of the guide: "
		     "agreement shows that its "
		     "advice follows from them at these prices, no more.",
		     same, tie, other);
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
	struct strbuf b = { .arena = in->arena };

	if (!best || !cheap || !claim_listed(in, STR("RTX 2070"))) {
		claim_settle(in, c, CLAIM_NOT_TESTABLE,
			     "The edition has no RTX 2070, or not the personas best-overall and "
			     "value-cheap.");
		return;
	}
	struct avoid_count a = count_avoided(in, &names);
	use_ranked(in, best);
	use_ranked(in, cheap);
	bool same = str_eq(pick_name(in, best), STR("RTX 2070"));
	bool value =
	    picks_card(in, cheap, STR("RTX 2060")) || picks_card(in, cheap, STR("GTX 1060 6GB"));
	claim_add(&b, "best: " STR_FMT, STR_ARG(pick_name(in, best)));
	claim_add(&b, "cheap value: " STR_FMT, STR_ARG(pick_name(in, cheap)));
	add_avoided(&a, &b);
	c->computed_value = strbuf_str(&b);
	claim_decide(in, c, same && value && a.found == a.named,
		     "Best card: %s; cheap value: %s; worst: %zu of %zu found by the rule "
		     "(dominated in cost and speed). A Titan "
		     "RTX is advised for its memory and listed with the worst: that stands as an "
		     "exception of the list.",
		     same ? "the guide's" : "another", value ? "the guide's" : "another", a.found,
		     a.named);
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
	struct strbuf b = { .arena = in->arena };
	size_t good = 0;

	for (size_t i = 0; i < LEN(known); i++) {
		size_t near[8], n;
		bool found = device_find(in->x->devices, known[i].spelling, in->arena, near, &n)
			     == DEVICE_FOUND;
		good += found && str_eq(claim_device(in, near[0])->name, known[i].device);
		struct str device = found ? claim_device(in, near[0])->name : STR("not found");
		claim_add(&b, STR_FMT ": " STR_FMT, STR_ARG(known[i].spelling), STR_ARG(device));
	}
	c->computed_value = strbuf_str(&b);
	claim_own_rule(
	    in, c, good == LEN(known),
	    "%zu of %zu spellings lead to their card through the list of other names; one "
	    "that is not known is refused "
	    "with the nearest names.",
	    good, LEN(known));
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
		claim_settle(in, c, CLAIM_NOT_TESTABLE,
			     "Needs an owned GTX 1070 or better and a candidate with scores in "
			     "Transformers and in another class.");
		return;
	}
	c->computed_value = str_printf(
	    in->arena,
	    "for owners of a GTX 1070, 1070 Ti, 1080 or 1080 Ti the verdict is upgrade in %zu of "
	    "%zu "
	    "steps to a faster card for Transformers and in %zu of %zu for the other classes",
	    transformer.yes, transformer.n, others.yes, others.n);
	claim_decide(in, c, 2 * others.yes < others.n && 2 * transformer.yes >= transformer.n,
		     "Waiting is right where fewer than half of the steps (owned card, faster "
		     "candidate, class) say upgrade.");
}

/* The history of the guide's own editions is not in any data. */
void claim_editions(const struct claim_input *in, struct claim *c)
{
	c->computed_value = str_printf(in->arena, "this edition is of " STR_FMT,
				       STR_ARG(date_iso(in->arena, in->x->edition->date)));
	claim_settle(in, c, CLAIM_NOT_TESTABLE,
		     "Needs the guide's earlier editions. Editions made here carry their date, and "
		     "a comparison of two says what "
		     "moved.");
}
