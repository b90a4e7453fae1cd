#include "change.h"

#include "../base/csv_write.h"
#include "../base/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const struct str status_names[CHANGE_STATUS_COUNT] = {
	[CHANGE_SAME] = STR_INIT("same"),
	[CHANGE_CHANGED] = STR_INIT("changed"),
	[CHANGE_NEW] = STR_INIT("new"),
	[CHANGE_GONE] = STR_INIT("gone"),
};

static const struct str input_kind_names[] = {
	[CHANGE_INPUT_CHANGED] = STR_INIT("changed"),
	[CHANGE_INPUT_ADDED] = STR_INIT("added"),
	[CHANGE_INPUT_REMOVED] = STR_INIT("removed"),
};

/* What a setting or an input file has a say in. */
enum serves {
	SERVES_SCORE = 1,  /* every score */
	SERVES_SCALED = 2, /* scores of origin scaled */
	SERVES_COST = 4,   /* the price of a card */
	SERVES_SYSTEM = 8, /* what is added to it in lenses of whole systems */
};

/* Settings that somebody chose, and method.CLASS, which is a result where scaling.CLASS leaves the
 * choice to the back-test (is_result()); all others in edition.csv were found out, or are titles. A
 * key that ends in '.' goes on with a class. */
static const struct rule {
	struct str key;
	unsigned serves;
} rules[] = {
	{ STR_INIT("name"), 0 },
	{ STR_INIT("currency"), SERVES_COST },
	{ STR_INIT("reference"), 0 }, /* a unit: see common_scale() */
	{ STR_INIT("classes"), 0 },
	{ STR_INIT("benchmark_cutoff"), SERVES_SCORE },
	{ STR_INIT("series_excluded"), SERVES_SCORE },
	{ STR_INIT("trust_least"), SERVES_SCORE },
	{ STR_INIT("policy."), SERVES_SCORE },
	{ STR_INIT("scaling."), 0 }, /* what it led to is method.CLASS */
	{ STR_INIT("method."), SERVES_SCALED },
	{ STR_INIT("anchors"), SERVES_SCALED },
	{ STR_INIT("max_error"), 0 }, /* decides who is left out, moves no score */
	{ STR_INIT("markets"), SERVES_COST },
	{ STR_INIT("fallback"), SERVES_COST },
	{ STR_INIT("conditions"), SERVES_COST },
	{ STR_INIT("stale_days"), SERVES_COST },
	{ STR_INIT("drop_days"), SERVES_COST },
	{ STR_INIT("gpus"), SERVES_SYSTEM },
	{ STR_INIT("country"), SERVES_SYSTEM },
	{ STR_INIT("tariff"), SERVES_SYSTEM },
	{ STR_INIT("hours_per_year"), SERVES_SYSTEM },
	{ STR_INIT("years"), SERVES_SYSTEM },
	{ STR_INIT("hours_per_month"), 0 },
	{ STR_INIT("networks"), 0 },
	{ STR_INIT("personas"), 0 },
};

/* Input files by the start of their path, first match; in report order. */
static const struct input_group {
	struct str prefix, title;
	unsigned serves;
} groups[] = {
	{ STR_INIT("data/prices/"), STR_INIT("prices"), SERVES_COST },
	{ STR_INIT("data/system/fx_to_usd.csv"), STR_INIT("exchange rates"), SERVES_COST },
	{ STR_INIT("data/system/"), STR_INIT("system costs"), SERVES_SYSTEM },
	{ STR_INIT("data/contributions/"), STR_INIT("benchmark rows"), SERVES_SCORE },
	{ STR_INIT("data/contributors/"), STR_INIT("benchmark rows"), SERVES_SCORE },
	{ STR_INIT("data/overrides.csv"), STR_INIT("decisions on rows"), SERVES_SCORE },
	{ STR_INIT("data/estimates.csv"), STR_INIT("estimates"), SERVES_SCORE },
	{ STR_INIT("data/workloads.csv"), STR_INIT("catalogue"), SERVES_SCORE },
	{ STR_INIT("data/series.csv"), STR_INIT("catalogue"), SERVES_SCORE },
	{ STR_INIT("data/devices.csv"), STR_INIT("catalogue"), SERVES_SCORE | SERVES_COST },
	{ STR_INIT("data/aliases.csv"), STR_INIT("catalogue"), SERVES_SCORE | SERVES_COST },
	{ STR_INIT("editions/"), STR_INIT("edition file"), 0 },
	{ STR_INIT("templates/"), STR_INIT("page templates"), 0 },
	{ STR_INIT(""), STR_INIT("other files"), 0 },
};

/* What the comparison is made with. */
struct comparison {
	struct changes *out;
	struct arena *arena;
	bool same_date;
	unsigned inputs_moved; /* SERVES_* of the input files that differ */
};

struct str change_status_name(enum change_status s)
{
	return status_names[s];
}

struct str change_input_kind_name(enum change_input_kind k)
{
	return input_kind_names[k];
}

static double quiet(double x)
{
	return fabs(x) < CHANGE_NOISE ? 0 : x; /* NAN stays */
}

double change_percent(double x)
{
	char buf[32];
	double pct = 100 * expm1(quiet(x));

	/* 12 digits: the last ones of expm1() and log() differ between mathematical libraries */
	if (isfinite(pct) && snprintf(buf, sizeof buf, "%.12g", pct) > 0)
		return strtod(buf, NULL);
	return pct;
}

static const struct input_group *group_of(struct str path)
{
	size_t i = 0;

	while (!str_starts(path, groups[i].prefix)) /* the last one fits all */
		i++;
	return &groups[i];
}

static int by_group(const void *pa, const void *pb)
{
	const struct change_input_move *x = pa, *y = pb;
	const struct input_group *gx = group_of(x->path), *gy = group_of(y->path);

	if (gx != gy && !str_eq(gx->title, gy->title))
		return gx < gy ? -1 : 1;
	return str_cmp(x->path, y->path);
}

/* Of the edition that it was itself compared with: another night, another one, and no figure of the
 * edition comes from it. */
static bool is_of_previous(struct str path)
{
	return str_starts(path, STR("previous/"));
}

static void add_input(struct comparison *c, enum change_input_kind kind, struct str path)
{
	const struct input_group *g = group_of(path);

	if (is_of_previous(path))
		return;
	c->out->inputs[c->out->ninputs++] = (struct change_input_move){ kind, path, g->title };
	c->inputs_moved |= g->serves;
}

/* Both lists are by path: one walk along the two. */
static void compare_inputs(struct comparison *c)
{
	const struct change_edition *x = c->out->old, *y = c->out->now;
	size_t i = 0, j = 0;

	c->out->inputs_known = x->has_inputs && y->has_inputs;
	if (!c->out->inputs_known)
		return;
	c->out->inputs = arena_array(c->arena, x->ninputs + y->ninputs, sizeof *c->out->inputs);
	while (i < x->ninputs || j < y->ninputs) {
		int order = i == x->ninputs   ? 1
			    : j == y->ninputs ? -1
					      : str_cmp(x->inputs[i].path, y->inputs[j].path);
		if (order < 0)
			add_input(c, CHANGE_INPUT_REMOVED, x->inputs[i++].path);
		else if (order > 0)
			add_input(c, CHANGE_INPUT_ADDED, y->inputs[j++].path);
		else if (!str_eq(x->inputs[i++].sha256, y->inputs[j++].sha256))
			add_input(c, CHANGE_INPUT_CHANGED, x->inputs[i - 1].path);
	}
	if (c->out->ninputs)
		qsort(c->out->inputs, c->out->ninputs, sizeof *c->out->inputs, by_group);
}

static const struct rule *rule_of(struct str key)
{
	for (size_t i = 0; i < LEN(rules); i++) {
		bool per_class = str_ends(rules[i].key, STR("."));
		if (per_class ? str_starts(key, rules[i].key) : str_eq(key, rules[i].key))
			return &rules[i];
	}
	return NULL;
}

/* "method.cnn" where "scaling.cnn" says best, in either edition. */
static bool is_result(const struct comparison *c, struct str key)
{
	static const struct str method = STR_INIT("method.");
	struct str scaling;

	if (!str_starts(key, method))
		return false;
	scaling =
	    str_printf(c->arena, "scaling." STR_FMT, STR_ARG(str_slice(key, method.len, key.len)));
	return str_eq(change_setting(c->out->old, scaling), STR("best"))
	       || str_eq(change_setting(c->out->now, scaling), STR("best"));
}

static void add_setting(struct comparison *c, struct str key)
{
	struct change_setting_move m = { key, change_setting(c->out->old, key),
					 change_setting(c->out->now, key), is_result(c, key) };

	if (rule_of(key) && !str_eq(m.old, m.now))
		c->out->settings[c->out->nsettings++] = m;
}

static void compare_settings(struct comparison *c)
{
	const struct change_edition *x = c->out->old, *y = c->out->now;

	c->out->settings =
	    arena_array(c->arena, x->nsettings + y->nsettings, sizeof *c->out->settings);
	for (size_t i = 0; i < y->nsettings; i++)
		add_setting(c, y->settings[i].key);
	for (size_t i = 0; i < x->nsettings; i++)
		if (change_setting(y, x->settings[i].key).len == 0)
			add_setting(c, x->settings[i].key);
}

/* Whether a setting that serves any of `serves` differs, for the class where it has one. */
static bool rules_moved(const struct comparison *c, unsigned serves, struct str class)
{
	for (size_t i = 0; i < c->out->nsettings; i++) {
		const struct rule *rule = rule_of(c->out->settings[i].key);
		struct str key = c->out->settings[i].key,
			   rest = str_slice(key, rule->key.len, key.len);

		if (rule->serves & serves && (rest.len == 0 || str_eq(rest, class)))
			return true;
	}
	return false;
}

/* Nothing that the part is made from differs, and no time has passed: only the program or a setting
 * moved it. */
static bool made_from_the_same(const struct comparison *c, unsigned serves)
{
	return c->out->inputs_known && c->same_date && !(c->inputs_moved & serves);
}

static const struct change_card *find_card(const struct change_edition *e, struct str device,
					   struct str class, struct arena *a)
{
	struct str key = str_printf(a, STR_FMT "\n" STR_FMT, STR_ARG(device), STR_ARG(class));
	const size_t *at = map_get(&e->by_key, key);

	return at ? &e->cards[*at] : NULL;
}

static bool is_measured(const struct change_card *card)
{
	return card && str_eq(card->origin, STR("measured"));
}

static bool reference_measured(const struct change_edition *e, struct str class, struct arena *a)
{
	struct str key = str_printf(a, "reference." STR_FMT, STR_ARG(class));

	return str_eq(change_setting(e, key), STR("measured"));
}

/* A card that both editions measured in the class, the better known the better; false when there is
 * none. */
static bool common_card(const struct comparison *c, struct change_class *class)
{
	const struct change_edition *x = c->out->old, *y = c->out->now;
	int most = -1;

	for (size_t i = 0; i < y->ncards; i++) {
		const struct change_card *now = &y->cards[i], *old;

		if (!str_eq(now->class, class->class) || !is_measured(now))
			continue;
		old = find_card(x, now->device, now->class, c->arena);
		if (!is_measured(old))
			continue;
		int machines = old->machines < now->machines ? old->machines : now->machines;
		if (class->unit.len
		    && (machines < most
			|| (machines == most && str_cmp(now->device, class->unit) > 0)))
			continue;
		most = machines;
		class->unit = now->device;
		class->old_unit = old->score;
		class->now_unit = now->score;
	}
	return class->unit.len > 0;
}

/* Puts the scores of both editions on one scale; see change.h. */
static void common_scale(const struct comparison *c, struct change_class *class)
{
	struct str old = change_setting(c->out->old, STR("reference")),
		   now = change_setting(c->out->now, STR("reference"));

	if (str_eq(old, now) && reference_measured(c->out->old, class->class, c->arena)
	    && reference_measured(c->out->now, class->class, c->arena)) {
		class->unit = now;
		return;
	}
	class->rescaled = true;
	struct str why =
	    str_eq(old, now)
		? str_printf(c->arena, "the reference " STR_FMT " is not measured in both editions",
			     STR_ARG(now))
		: str_printf(c->arena, "the reference was " STR_FMT " and is " STR_FMT,
			     STR_ARG(old), STR_ARG(now));
	if (common_card(c, class))
		class->note = str_printf(c->arena,
					 STR_FMT "; scores are compared in units of " STR_FMT
						 ", which both measured",
					 STR_ARG(why), STR_ARG(class->unit));
	else
		class->note =
		    str_printf(c->arena,
			       STR_FMT ", and no card is measured in both: their scores have no "
				       "common scale",
			       STR_ARG(why));
}

static void add_clause(struct strbuf *b, struct str clause)
{
	if (b->len)
		strbuf_add(b, STR("; "));
	strbuf_add(b, clause);
}

static void clause_moved(struct strbuf *b, const char *what, struct str old, struct str now)
{
	if (str_eq(old, now))
		return;
	if (b->len)
		strbuf_add(b, STR("; "));
	strbuf_printf(b, "%s: " STR_FMT " before, " STR_FMT " now", what,
		      STR_ARG(old.len ? old : STR("none")), STR_ARG(now.len ? now : STR("none")));
}

/* What one side lacks, in one clause: "no score now: too uncertain". */
static void clause_missing(struct strbuf *b, const struct change_card *card, const char *when)
{
	if (!card || isnan(card->score)) {
		if (b->len)
			strbuf_add(b, STR("; "));
		strbuf_printf(b, card ? "no score %s" : "not in the %s edition", when);
		if (card && card->why_none.len)
			strbuf_printf(b, ": " STR_FMT, STR_ARG(card->why_none));
	} else if (isnan(card->cost_usd)) {
		if (b->len)
			strbuf_add(b, STR("; "));
		strbuf_printf(b, "no price %s", when);
	}
}

static bool has_value(const struct change_card *card)
{
	return card && !isnan(card->score) && !isnan(card->cost_usd);
}

/* Whether both or neither is a number, and equal but for noise. */
static bool same_number(double x, double y)
{
	if (isnan(x) || isnan(y))
		return isnan(x) && isnan(y);
	return quiet(log(y / x)) == 0;
}

static bool score_by_method(const struct comparison *c, const struct change *m)
{
	bool scaled =
	    str_eq(m->old->origin, STR("scaled")) || str_eq(m->now->origin, STR("scaled"));
	unsigned serves = SERVES_SCORE | (scaled ? SERVES_SCALED : 0u);

	return rules_moved(c, serves, m->class) || !str_eq(m->old->origin, m->now->origin)
	       || !str_eq(m->old->anchor, m->now->anchor)
	       || !str_eq(m->old->predictor, m->now->predictor)
	       || made_from_the_same(c, SERVES_SCORE);
}

static bool cost_by_method(const struct comparison *c, const struct change *m)
{
	struct str lens = c->out->now->lens;
	bool system = str_starts(lens, STR("system"));
	unsigned serves = SERVES_COST | (system ? SERVES_SYSTEM : 0u);

	return rules_moved(c, serves, m->class) || made_from_the_same(c, serves);
}

/* The parts of the move; both sides have score and cost. */
static void split(const struct comparison *c, const struct change_class *class, struct change *m)
{
	double score, cost;

	if (class->unit.len == 0)
		return;
	score = quiet(log(m->now->score / class->now_unit) - log(m->old->score / class->old_unit));
	cost = quiet(log(m->old->cost_usd) - log(m->now->cost_usd));
	m->price = m->data = m->method = 0;
	*(score_by_method(c, m) ? &m->method : &m->data) += score;
	*(cost_by_method(c, m) ? &m->method : &m->price) += cost;
	m->total = score + cost;
}

/* Where score, cost, or their lack come from; both sides are there. */
static bool same_sources(const struct change_card *old, const struct change_card *now)
{
	bool priced = !isnan(old->cost_usd) && !isnan(now->cost_usd);

	return str_eq(old->origin, now->origin) && str_eq(old->anchor, now->anchor)
	       && str_eq(old->predictor, now->predictor) && str_eq(old->why_none, now->why_none)
	       && str_eq(old->value_status, now->value_status)
	       && (!priced
		   || (str_eq(old->markets, now->markets)
		       && str_eq(old->price_status, now->price_status)));
}

static enum change_status status_of(const struct change *m)
{
	const struct change_card *old = m->old, *now = m->now;

	if (!old || (now && has_value(now) && !has_value(old)))
		return CHANGE_NEW;
	if (!now || (has_value(old) && !has_value(now)))
		return CHANGE_GONE;
	if (old->rank != now->rank || !same_sources(old, now))
		return CHANGE_CHANGED;
	if (!isnan(m->total))
		return m->price != 0 || m->data != 0 || m->method != 0 ? CHANGE_CHANGED
								       : CHANGE_SAME;
	return same_number(old->score, now->score) && same_number(old->cost_usd, now->cost_usd)
		   ? CHANGE_SAME
		   : CHANGE_CHANGED;
}

static struct str reason_of(const struct comparison *c, const struct change_class *class,
			    const struct change *m)
{
	struct strbuf b = { .arena = c->arena };

	clause_missing(&b, m->old, m->old ? "before" : "old");
	clause_missing(&b, m->now, m->now ? "now" : "new");
	if (!m->old || !m->now)
		return strbuf_str(&b);
	if (has_value(m->old) && has_value(m->now) && class->unit.len == 0)
		add_clause(&b, STR("the scores have no common scale"));
	if (!isnan(m->old->score) && !isnan(m->now->score)) {
		clause_moved(&b, "origin", m->old->origin, m->now->origin);
		clause_moved(&b, "anchor", m->old->anchor, m->now->anchor);
		clause_moved(&b, "predictor", m->old->predictor, m->now->predictor);
	}
	if (!isnan(m->old->cost_usd) && !isnan(m->now->cost_usd)) {
		clause_moved(&b, "price from", m->old->markets, m->now->markets);
		clause_moved(&b, "price status", m->old->price_status, m->now->price_status);
	}
	if (!has_value(m->old) && !has_value(m->now))
		clause_moved(&b, "status", m->old->value_status, m->now->value_status);
	return strbuf_str(&b);
}

static void compare_card(const struct comparison *c, struct change_class *class,
			 const struct change_card *old, const struct change_card *now)
{
	struct change *m = &c->out->v[c->out->n++];

	*m = (struct change){ .device = now ? now->device : old->device,
			      .class = class->class,
			      .old = old,
			      .now = now,
			      .price = NAN,
			      .data = NAN,
			      .method = NAN,
			      .total = NAN };
	if (has_value(old) && has_value(now))
		split(c, class, m);
	m->status = status_of(m);
	m->reason = reason_of(c, class, m);
	class->count[m->status]++;
	if (isnan(m->total))
		return;
	class->price += fabs(m->price);
	class->data += fabs(m->data);
	class->method += fabs(m->method);
}

static bool has_class(const struct change_edition *e, struct str class)
{
	for (size_t i = 0; i < e->nclasses; i++)
		if (str_eq(e->classes[i], class))
			return true;
	return false;
}

static void compare_class(const struct comparison *c, struct str name)
{
	const struct change_edition *x = c->out->old, *y = c->out->now;
	struct change_class *class = &c->out->classes[c->out->nclasses++];

	*class = (struct change_class){ .class = name, .old_unit = 1, .now_unit = 1 };
	if (!has_class(x, name) || !has_class(y, name))
		class->note = str_printf(c->arena, "the class stands only in the %s edition",
					 has_class(x, name) ? "old" : "new");
	else
		common_scale(c, class);
	for (size_t i = 0; i < y->ncards; i++)
		if (str_eq(y->cards[i].class, name))
			compare_card(c, class, find_card(x, y->cards[i].device, name, c->arena),
				     &y->cards[i]);
	for (size_t i = 0; i < x->ncards; i++)
		if (str_eq(x->cards[i].class, name)
		    && !find_card(y, x->cards[i].device, name, c->arena))
			compare_card(c, class, &x->cards[i], NULL);
}

static bool nothing_moved(const struct changes *c, bool same_date)
{
	bool nothing = same_date && c->ninputs == 0 && c->nsettings == 0 && !c->program_differs;

	for (size_t i = 0; i < c->nclasses; i++)
		for (int s = CHANGE_SAME + 1; s < CHANGE_STATUS_COUNT; s++)
			nothing = nothing && c->classes[i].count[s] == 0;
	return nothing;
}

void change_compute(const struct change_edition *old, const struct change_edition *now,
		    struct arena *a, struct changes *out)
{
	struct comparison c = { .out = out,
				.arena = a,
				.same_date = old->date.day == now->date.day };

	*out = (struct changes){ .old = old, .now = now };
	out->v = arena_array(a, old->ncards + now->ncards, sizeof *out->v);
	out->classes = arena_array(a, old->nclasses + now->nclasses, sizeof *out->classes);
	out->program_differs =
	    old->program.len && now->program.len && !str_eq(old->program, now->program);
	compare_inputs(&c);
	compare_settings(&c);
	for (size_t i = 0; i < now->nclasses; i++)
		compare_class(&c, now->classes[i]);
	for (size_t i = 0; i < old->nclasses; i++)
		if (!has_class(now, old->classes[i]))
			compare_class(&c, old->classes[i]);
	out->nothing = nothing_moved(out, c.same_date);
}

bool change_select(struct changes *c, struct str class, struct error *err)
{
	size_t kept = 0;

	for (size_t i = 0; i < c->nclasses; i++)
		if (str_eq(c->classes[i].class, class))
			c->classes[kept++] = c->classes[i];
	if (kept == 0)
		return error_set(err, ERR_USAGE,
				 "--class: '" STR_FMT "' is a class of neither edition",
				 STR_ARG(class));
	c->nclasses = kept;
	kept = 0;
	for (size_t i = 0; i < c->n; i++)
		if (str_eq(c->v[i].class, class))
			c->v[kept++] = c->v[i];
	c->n = kept;
	return true;
}
