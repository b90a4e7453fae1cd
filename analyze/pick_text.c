#include "pick_text.h"

#include "../base/num.h"

#include <math.h>
#include <stdint.h>

enum { NAMES_SHOWN = 4 };

/* What the cost of a lens is called. */
static const struct {
	struct str lens, of, unit;
	double per_usd;
} lens_words[] = {
	{ STR_INIT("card"), STR_INIT("USD of the card"), STR_INIT("USD"), 1000 },
	{ STR_INIT("system"), STR_INIT("USD of a whole system's share"), STR_INIT("USD"), 1000 },
	{ STR_INIT("system+power"), STR_INIT("USD of a whole system's share with its power"),
	  STR_INIT("USD"), 1000 },
	{ STR_INIT("cloud"), STR_INIT("USD of rent"), STR_INIT("USD an hour"), 1 },
};

static size_t lens_row(struct str lens)
{
	size_t i = 0;

	while (i + 1 < LEN(lens_words) && !str_eq(lens_words[i].lens, lens))
		i++;
	return i;
}

/* Whole amounts without cents. */
struct str pick_usd(struct arena *a, double usd)
{
	int decimals = fabs(usd - round(usd)) < 0.005 ? 0 : 2;

	return str_printf(a, STR_FMT " USD", STR_ARG(num_grouped(a, usd, decimals)));
}

/* Two decimals, of small figures three: a score of 0.048 is not 0.05. */
struct str pick_figure(struct arena *a, double v)
{
	return num_fixed(a, v, v < 0.1 ? 3 : 2);
}

static struct str cost_text(const struct pick_wish *w, double usd, struct arena *a)
{
	return str_printf(a, STR_FMT "%s", STR_ARG(pick_usd(a, usd)),
			  str_eq(w->lens, STR("cloud")) ? " an hour" : "");
}

static void add_part(struct strbuf *b, struct str between, struct str text)
{
	if (text.len == 0)
		return;
	if (b->len)
		strbuf_add(b, between);
	strbuf_add(b, text);
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

struct str pick_classes_text(const struct pick_input *in, const struct pick_wish *w,
			     bool in_edition, struct arena *a)
{
	struct strbuf b = { .arena = a };
	bool weighed = in_edition && !equal_weights(in, w);

	for (size_t i = 0; i < CLASS_COUNT; i++) {
		struct str name = class_title((enum class_id)i);
		if (!(w->weights[i] > 0) || edition_has(in, (enum class_id)i) != in_edition)
			continue;
		add_part(&b, STR(", "),
			 weighed ? str_printf(a, STR_FMT " " STR_FMT, STR_ARG(name),
					      STR_ARG(num_shortest(a, w->weights[i])))
				 : name);
	}
	return strbuf_str(&b);
}

/* "with at least 8 GB, at most 75 W and at most 800 USD"; empty when nothing was asked. */
static struct str limits_text(const struct pick_wish *w, struct arena *a)
{
	struct str parts[4];
	struct strbuf b = { .arena = a };
	size_t n = 0;

	if (!isnan(w->memory_gb))
		parts[n++] = str_printf(a, "at least " STR_FMT " GB",
					STR_ARG(num_shortest(a, w->memory_gb)));
	if (!isnan(w->tdp_w))
		parts[n++] =
		    str_printf(a, "at most " STR_FMT " W", STR_ARG(num_shortest(a, w->tdp_w)));
	if (!isnan(w->budget_usd))
		parts[n++] =
		    str_printf(a, "at most " STR_FMT "%s", STR_ARG(cost_text(w, w->budget_usd, a)),
			       w->gpus > 1 ? " together" : "");
	if (w->owns != SIZE_MAX)
		parts[n++] =
		    str_printf(a, "at least " STR_FMT " times the performance of the card in use",
			       STR_ARG(num_shortest(a, w->gain_min)));
	for (size_t i = 0; i < n; i++)
		strbuf_printf(&b, "%s" STR_FMT,
			      i == 0       ? " with "
			      : i + 1 == n ? " and "
					   : ", ",
			      STR_ARG(parts[i]));
	return strbuf_str(&b);
}

/* "23 new cards", "1 card allowed in data centers". */
static struct str cards_text(const struct pick *p, struct arena *a)
{
	const struct pick_wish *w = &p->wish;
	struct strbuf b = { .arena = a };

	strbuf_printf(&b, "%zu ", p->nranked);
	if (w->condition != CONDITION_ANY)
		strbuf_printf(&b, STR_FMT " ", STR_ARG(persona_condition_name(w->condition)));
	for (size_t i = 0; i < w->vendors.n; i++)
		strbuf_printf(&b, "%s" STR_FMT "%s", i ? "or " : "", STR_ARG(w->vendors.v[i]), " ");
	strbuf_printf(&b, "card%s", p->nranked == 1 ? "" : "s");
	if (w->data_center)
		strbuf_add(&b, STR(" allowed in data centers"));
	if (w->adjacent && w->gpus > 1)
		strbuf_printf(&b, " that can stand %d side by side", w->gpus);
	return strbuf_str(&b);
}

struct str pick_rule_text(const struct pick_input *in, const struct pick *p, struct arena *a)
{
	const struct pick_wish *w = &p->wish;
	struct str classes = pick_classes_text(in, w, true, a);
	bool value = w->objective == OBJECTIVE_VALUE;
	struct str per =
	    value ? str_printf(a, " per " STR_FMT, STR_ARG(lens_words[lens_row(w->lens)].of))
		  : STR("");

	return str_printf(
	    a, "most performance (" STR_FMT ")" STR_FMT " among " STR_FMT STR_FMT,
	    STR_ARG(classes.len ? classes : STR("none of its classes is in the edition")),
	    STR_ARG(per), STR_ARG(cards_text(p, a)), STR_ARG(limits_text(w, a)));
}

static struct str score_at(const struct pick_wish *w, const struct candidate *c, struct arena *a)
{
	return str_printf(a, STR_FMT " at " STR_FMT, STR_ARG(pick_figure(a, c->score)),
			  STR_ARG(cost_text(w, c->cost_usd, a)));
}

static struct str value_text(const struct pick_input *in, const struct pick_wish *w,
			     const struct candidate *c, const struct candidate *next,
			     struct arena *a)
{
	size_t row = lens_row(w->lens);
	double per = lens_words[row].per_usd;
	struct strbuf b = { .arena = a };

	strbuf_printf(&b, STR_FMT " per " STR_FMT " (score " STR_FMT ")",
		      STR_ARG(pick_figure(a, c->value * per)),
		      STR_ARG(per > 1 ? pick_usd(a, per) : lens_words[row].unit),
		      STR_ARG(score_at(w, c, a)));
	if (next)
		strbuf_printf(&b, " against " STR_FMT " of " STR_FMT " (" STR_FMT ")",
			      STR_ARG(pick_figure(a, next->value * per)),
			      STR_ARG(in->devices->v[next->device].name),
			      STR_ARG(score_at(w, next, a)));
	return strbuf_str(&b);
}

static struct str interval_text(const struct candidate *c, struct arena *a)
{
	if (isnan(c->low) || isnan(c->high))
		return pick_figure(a, c->score);
	return str_printf(a, STR_FMT " (" STR_FMT " to " STR_FMT ")",
			  STR_ARG(pick_figure(a, c->score)), STR_ARG(pick_figure(a, c->low)),
			  STR_ARG(pick_figure(a, c->high)));
}

static struct str speed_text(const struct pick_input *in, const struct pick_wish *w,
			     const struct candidate *c, const struct candidate *next,
			     struct arena *a)
{
	struct strbuf b = { .arena = a };

	strbuf_printf(&b, "score " STR_FMT, STR_ARG(interval_text(c, a)));
	if (next)
		strbuf_printf(&b, " against " STR_FMT " of " STR_FMT,
			      STR_ARG(interval_text(next, a)),
			      STR_ARG(in->devices->v[next->device].name));
	strbuf_printf(&b, "; " STR_FMT, STR_ARG(cost_text(w, c->cost_usd * w->gpus, a)));
	if (!isnan(w->budget_usd))
		strbuf_printf(&b, " of " STR_FMT, STR_ARG(cost_text(w, w->budget_usd, a)));
	return strbuf_str(&b);
}

struct str pick_deciding_text(const struct pick_input *in, const struct pick *p,
			      const struct candidate *c, const struct candidate *next,
			      struct arena *a)
{
	return p->wish.objective == OBJECTIVE_VALUE ? value_text(in, &p->wish, c, next, a)
						    : speed_text(in, &p->wish, c, next, a);
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
static struct str names_text(const struct pick_input *in, const size_t *devices, size_t n,
			     struct arena *a)
{
	struct strbuf b = { .arena = a };

	for (size_t i = 0; i < n && i < NAMES_SHOWN; i++)
		add_part(&b, STR(", "), in->devices->v[devices[i]].name);
	if (n > NAMES_SHOWN)
		strbuf_printf(&b, " and %zu more", n - NAMES_SHOWN);
	return strbuf_str(&b);
}

static struct str ties_text(const struct pick_input *in, const struct pick *p,
			    const struct candidate *c, struct arena *a)
{
	size_t n, *tied = pick_tied(p, a, &n);

	if (c != &p->v[0] || n == 0)
		return STR("");
	return str_printf(a, "cannot be told from " STR_FMT " by these numbers",
			  STR_ARG(names_text(in, tied, n, a)));
}

static struct str price_text(const struct candidate *c, struct arena *a)
{
	if (c->price.flags == 0)
		return STR("");
	return str_printf(a, "price of " STR_FMT ": " STR_FMT,
			  STR_ARG(date_iso(a, c->price.newest_date)),
			  STR_ARG(price_flags_words(a, c->price.flags)));
}

/* A card that is cooled only because other boards of it are sold. */
static struct str cooling_text(const struct pick_input *in, const struct pick_wish *w,
			       const struct candidate *c, struct arena *a)
{
	const struct device_notes *blower = in->personas ? &in->personas->blower : NULL;

	if (!w->adjacent || !cooling_warning(&in->devices->v[c->device], w->gpus))
		return STR("");
	for (size_t i = 0; blower && i < blower->n; i++)
		if (blower->v[i].device == c->device)
			return str_printf(a, "only boards with a blower: " STR_FMT,
					  STR_ARG(blower->v[i].text));
	return STR("");
}

/* A card whose old price would put it before the best: named, not taken. */
static struct str stale_text(const struct pick_input *in, const struct pick *p,
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
		return STR("");
	return str_printf(
	    a, "by an old price " STR_FMT " would be before it (" STR_FMT " of " STR_FMT ")",
	    STR_ARG(in->devices->v[best->device].name),
	    STR_ARG(cost_text(&p->wish, best->cost_usd, a)),
	    STR_ARG(date_iso(a, best->price.newest_date)));
}

struct str pick_remarks_text(const struct pick_input *in, const struct pick *p,
			     const struct candidate *c, struct arena *a)
{
	const struct pick_wish *w = &p->wish;
	struct str absent = pick_classes_text(in, w, false, a);
	struct strbuf b = { .arena = a };

	add_part(&b, STR("; "), ties_text(in, p, c, a));
	add_part(&b, STR("; "), stale_text(in, p, c, a));
	if (c->origin == ORIGIN_SCALED)
		add_part(&b, STR("; "),
			 STR("its score is scaled, not measured, in a class of the wish"));
	add_part(&b, STR("; "), price_text(c, a));
	if (w->gpus > 1)
		add_part(&b, STR("; "),
			 str_printf(a, "%d cards run %d independent jobs: %d times the work of one",
				    w->gpus, w->gpus, w->gpus));
	add_part(&b, STR("; "), cooling_text(in, w, c, a));
	if (absent.len)
		add_part(&b, STR("; "),
			 str_printf(a, "not in this edition: " STR_FMT, STR_ARG(absent)));
	return strbuf_str(&b);
}

struct str pick_failures_text(const struct pick_input *in, const struct pick_wish *w,
			      const struct candidate *c, struct arena *a)
{
	struct strbuf b = { .arena = a };

	for (size_t g = 0; g < GATE_COUNT; g++)
		if (c->failed & 1u << g)
			add_part(&b, STR("; "), gate_reason(in, w, c, (enum gate)g, a));
	return strbuf_str(&b);
}

/* The failed gates in words, and for the one failed gate alone what was looked for. */
struct str pick_give_text(const struct pick_input *in, const struct pick *p,
			  const struct candidate *c, struct arena *a)
{
	struct str what = c->failed == 1u << GATE_BUDGET ? STR("cheapest that meets the rest: ")
			  : c->failed == 1u << GATE_MEMORY
			      ? STR("most memory that meets the rest: ")
			  : c->failed & (c->failed - 1) ? STR("nearest of all: ")
							: STR("best that meets the rest: ");

	return str_printf(a, STR_FMT STR_FMT, STR_ARG(what),
			  STR_ARG(pick_failures_text(in, &p->wish, c, a)));
}

struct str pick_keep_text(const struct pick_input *in, const struct pick *p, struct arena *a)
{
	const struct candidate *best = NULL;
	struct str owned = in->devices->v[p->wish.owns].name;

	for (size_t i = 0; i < p->n; i++)
		if (p->v[i].failed == 1u << GATE_GAIN && (!best || p->v[i].gain > best->gain))
			best = &p->v[i];
	if (!best)
		return str_printf(a, "keep " STR_FMT ": no card meets the rest of the wish",
				  STR_ARG(owned));
	return str_printf(a, "keep " STR_FMT ": the best within reach is " STR_FMT " with " STR_FMT,
			  STR_ARG(owned), STR_ARG(in->devices->v[best->device].name),
			  STR_ARG(gate_reason(in, &p->wish, best, GATE_GAIN, a)));
}

struct str pick_none_text(const struct pick_input *in, const struct pick *p, struct arena *a)
{
	struct strbuf b = { .arena = a };

	if (!gates_any_class(in, &p->wish))
		return str_printf(a, "not in this edition: " STR_FMT,
				  STR_ARG(pick_classes_text(in, &p->wish, false, a)));
	for (size_t g = 0; g < GATE_COUNT; g++) {
		size_t n = pick_removed_count(p, (enum gate)g);
		if (n)
			add_part(
			    &b, STR("; "),
			    str_printf(a, STR_FMT ": %zu", STR_ARG(gate_name((enum gate)g)), n));
	}
	return b.len ? str_printf(a, "no card with a score and a price is left (" STR_FMT ")",
				  STR_ARG(strbuf_str(&b)))
		     : STR("the edition has no card");
}
