#include "check.h"

#include "../analyze/card_price.h"
#include "../analyze/price_lens.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static const struct str kind_names[CHECK_KIND_COUNT] = {
	[CHECK_FAULT] = STR_INIT("fault"),
	[CHECK_JUMP] = STR_INIT("jump"),
	[CHECK_UNUSUAL] = STR_INIT("unusual"),
	[CHECK_STALE] = STR_INIT("stale"),
	[CHECK_MISSING] = STR_INIT("missing"),
	[CHECK_LAPSED] = STR_INIT("lapsed"),
	[CHECK_OLD_JUMP] = STR_INIT("old-jump"),
	[CHECK_SINGLE_SOURCE] = STR_INIT("single-source"),
	[CHECK_FEW_LISTINGS] = STR_INIT("few-listings"),
};

static const struct str severity_names[] = {
	[CHECK_DECISION] = STR_INIT("decision"),
	[CHECK_WARNING] = STR_INIT("warning"),
	[CHECK_NOTE] = STR_INIT("note"),
};

/* What a flag of a price makes of it. Rents have providers, each a listing of its own, so only
 * their age is of interest. */
static const struct {
	unsigned flag;
	enum price_check_kind kind;
	enum price_check_severity severity;
	bool of_rent;
} flag_kinds[] = {
	{ PRICE_FLAG_UNUSUAL, CHECK_UNUSUAL, CHECK_WARNING, false },
	{ PRICE_FLAG_STALE, CHECK_STALE, CHECK_WARNING, true },
	{ PRICE_FLAG_SINGLE_SOURCE, CHECK_SINGLE_SOURCE, CHECK_NOTE, false },
	{ PRICE_FLAG_FEW_LISTINGS, CHECK_FEW_LISTINGS, CHECK_NOTE, false },
};

struct str price_check_kind_name(enum price_check_kind k)
{
	return kind_names[k];
}

struct str price_check_severity_name(enum price_check_severity s)
{
	return severity_names[s];
}

static struct price_finding *add(const struct price_check_input *in, struct price_check *out,
				 enum price_check_kind kind, enum price_check_severity severity)
{
	struct price_finding *f;

	out->v = arena_grow(in->arena, out->v, &out->cap, out->n + 1, sizeof *out->v);
	f = &out->v[out->n++];
	*f = (struct price_finding){ .kind = kind,
				     .severity = severity,
				     .device = SIZE_MAX,
				     .date.day = INT_MIN,
				     .before.day = INT_MIN,
				     .price_usd = NAN,
				     .before_usd = NAN,
				     .change_pct = NAN,
				     .age_days = -1 };
	out->of_kind[kind]++;
	out->decisions += severity == CHECK_DECISION;
	return f;
}

static void add_faults(const struct price_check_input *in, struct price_check *out)
{
	for (size_t i = 0; i < in->refused->n; i++) {
		struct price_finding *f = add(in, out, CHECK_FAULT, CHECK_DECISION);

		f->pos = in->refused->v[i].pos;
		f->text = in->refused->v[i].text;
	}
}

/* The lowest and the median of a day are one finding where they are one price. */
static bool is_repeated(const struct price_jumps *jumps, size_t i)
{
	const struct price_jump *x = &jumps->v[i];

	for (size_t k = 0; k < i; k++) {
		const struct price_jump *y = &jumps->v[k];

		if (x->device == y->device && x->condition == y->condition
		    && x->date.day == y->date.day && x->price_usd == y->price_usd
		    && x->before_usd == y->before_usd && str_eq(x->market, y->market))
			return true;
	}
	return false;
}

static void add_jump(const struct price_check_input *in, const struct price_jump *j,
		     struct price_check *out)
{
	const struct edition *e = in->view->edition;
	int age = e->date.day - j->date.day;
	struct price_finding *f;

	if (age > e->drop_days)
		return;
	if (j->accepted) {
		out->accepted += age <= e->stale_days;
		return;
	}
	f = age <= e->stale_days ? add(in, out, CHECK_JUMP, CHECK_DECISION)
				 : add(in, out, CHECK_OLD_JUMP, CHECK_NOTE);
	f->device = j->device;
	f->market = j->market;
	f->condition = price_condition_name(j->condition);
	f->stat = j->stat;
	f->date = j->date;
	f->before = j->before;
	f->price_usd = j->price_usd;
	f->before_usd = j->before_usd;
	f->change_pct = j->change_pct;
	f->age_days = age;
	f->pos = j->pos;
}

static void add_flags(const struct price_check_input *in, const struct card_price *p,
		      struct price_check *out)
{
	bool rent = p->lens == LENS_CLOUD;

	for (size_t i = 0; i < LEN(flag_kinds); i++) {
		struct price_finding *f;

		if (!(p->flags & flag_kinds[i].flag) || (rent && !flag_kinds[i].of_rent))
			continue;
		f = add(in, out, flag_kinds[i].kind, flag_kinds[i].severity);
		f->device = p->device;
		f->market = p->markets;
		f->condition = rent ? STR("on-demand") : STR("");
		f->date = p->newest_date;
		f->price_usd = cost_round(p->price_usd);
		f->age_days = p->age_days;
		if (f->kind != CHECK_UNUSUAL)
			continue;
		f->before_usd = cost_round(p->usual_usd);
		f->change_pct = 100 * (p->price_usd / p->usual_usd - 1);
	}
}

/* The newest row of a device at the date, its list price aside; NULL: none. */
static const struct price *newest_row(const struct price_view *v, size_t device)
{
	const struct price *newest = NULL;
	struct price_group first = { device, STR(""), PRICE_NEW };
	size_t i = price_group_from(v->prices, &first, INT_MIN);

	for (; i < v->prices->n && v->prices->v[i].device == device; i++) {
		const struct price *p = &v->prices->v[i];

		if (p->date.day <= v->edition->date.day && !str_eq(p->market, STR("msrp"))
		    && (!newest || p->date.day > newest->date.day))
			newest = p;
	}
	return newest;
}

/* A device without a usable price. */
static void add_absent(const struct price_check_input *in, size_t device, bool listed,
		       struct price_check *out)
{
	const struct price *newest = newest_row(in->view, device);
	struct price_finding *f = listed   ? add(in, out, CHECK_MISSING, CHECK_WARNING)
				  : newest ? add(in, out, CHECK_LAPSED, CHECK_NOTE)
					   : add(in, out, CHECK_MISSING, CHECK_NOTE);

	f->device = device;
	if (!newest)
		return;
	f->market = newest->market;
	f->date = newest->date;
	f->price_usd = newest->price_usd;
	f->age_days = in->view->edition->date.day - newest->date.day;
}

static void add_card(const struct price_check_input *in, size_t device, struct price_check *out)
{
	struct card_price card = card_price_of(in->view, device), rent;
	bool rented = cloud_price_of(in->view, device, &rent),
	     priced = !(card.flags & PRICE_FLAG_MISSING);

	if (priced)
		add_flags(in, &card, out);
	if (rented)
		add_flags(in, &rent, out);
	if (!priced && !rented)
		add_absent(in, device, true, out);
}

/* The edition's cards, and where it has no list of its own every other one of the catalogue. */
static void add_cards(const struct price_check_input *in, struct price_check *out)
{
	const struct price_view *v = in->view;
	size_t *indices, n, at = 0;

	edition_devices(v->edition, v->devices, v->prices, in->arena, &indices, &n);
	for (size_t i = 0; i < v->devices->n; i++) {
		if (at < n && indices[at] == i) {
			add_card(in, i, out);
			at++;
		} else if (v->edition->devices.n == 0
			   && v->devices->v[i].release_date.day <= v->edition->date.day) {
			add_absent(in, i, false, out);
		}
	}
}

/* A halved and a doubled price are the same step. */
static double step_of(const struct price_finding *f)
{
	return isnan(f->change_pct) ? 0 : fabs(log1p(f->change_pct / 100));
}

static int by_place(const struct price_finding *x, const struct price_finding *y)
{
	int c = str_cmp(x->market, y->market);

	if (x->device != y->device)
		return x->device < y->device ? -1 : 1;
	if (c || (c = str_cmp(x->condition, y->condition)) != 0)
		return c;
	if ((c = str_cmp(x->stat, y->stat)) != 0)
		return c;
	if ((c = str_cmp(str_of(x->pos.file ? x->pos.file : ""),
			 str_of(y->pos.file ? y->pos.file : "")))
	    != 0)
		return c;
	if (x->pos.line != y->pos.line)
		return x->pos.line < y->pos.line ? -1 : 1;
	return (x->pos.col > y->pos.col) - (x->pos.col < y->pos.col);
}

static int worst_first(const void *px, const void *py)
{
	const struct price_finding *x = px, *y = py;
	double sx = step_of(x), sy = step_of(y);
	bool by_age = x->kind == CHECK_STALE || x->kind == CHECK_LAPSED;

	if (x->severity != y->severity)
		return x->severity < y->severity ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (sx != sy)
		return sx > sy ? -1 : 1;
	if (by_age && x->age_days != y->age_days)
		return x->age_days > y->age_days ? -1 : 1;
	return by_place(x, y);
}

void price_check_run(const struct price_check_input *in, struct price_check *out)
{
	*out = (struct price_check){ 0 };
	add_faults(in, out);
	for (size_t i = 0; i < in->jumps->n; i++)
		if (!is_repeated(in->jumps, i))
			add_jump(in, &in->jumps->v[i], out);
	if (in->cards)
		add_cards(in, out);
	if (out->n)
		qsort(out->v, out->n, sizeof *out->v, worst_first);
}
