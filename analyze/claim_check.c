#include "claim_check.h"

#include "../base/stat.h"

#include <math.h>

const enum class_id claim_classes[CLAIM_CLASSES] = { CLASS_CNN, CLASS_RNN_WORD, CLASS_RNN_CHAR,
						     CLASS_TRANSFORMER };

void claim_settle(const struct claim_input *in, struct claim *c, enum claim_verdict verdict,
		  const char *key, const struct say_arg *args)
{
	c->verdict = verdict;
	c->why = say(in->arena, key, args);
}

void claim_decide(const struct claim_input *in, struct claim *c, bool same, const char *key,
		  const struct say_arg *args)
{
	claim_settle(in, c, same ? CLAIM_REPRODUCED : CLAIM_NOT_REPRODUCED, key, args);
}

void claim_compute(const struct claim_input *in, struct claim *c, const char *key,
		   const struct say_arg *args)
{
	c->computed_value = say(in->arena, key, args);
}

void claim_own_rule(const struct claim_input *in, struct claim *c, bool holds, const char *key,
		    const struct say_arg *args)
{
	struct say_list l = { .arena = in->arena };

	c->verdict = holds ? CLAIM_NOT_TESTABLE : CLAIM_NOT_REPRODUCED;
	say_add(&l, say(in->arena, key, args));
	say_add(&l, say(in->arena, "claim.own_rule", NULL));
	c->why = say_join(&l, "sentence");
}

void claim_add(struct say_list *l, const char *key, const struct say_arg *args)
{
	say_add(l, say(l->arena, key, args));
}

struct say claim_pieces(const struct say_list *l)
{
	return say_join(l, "semicolon");
}

const struct score *claim_score(const struct claim_input *in, struct str device,
				enum class_id class)
{
	const struct scores *s = &in->x->scores;

	for (size_t i = 0; i < s->n; i++)
		if (s->v[i].class == class && s->v[i].origin != ORIGIN_EXCLUDED
		    && str_eq(claim_device(in, s->v[i].device)->name, device))
			return &s->v[i];
	return NULL;
}

const struct value *claim_value(const struct claim_input *in, struct str device,
				enum class_id class, enum lens lens)
{
	const struct values *v = &in->x->values;

	for (size_t i = 0; i < v->n; i++)
		if (v->v[i].class == class && v->v[i].lens == lens && v->v[i].status == VALUE_OK
		    && str_eq(claim_device(in, v->v[i].device)->name, device))
			return &v->v[i];
	return NULL;
}

const struct card_price *claim_price(const struct claim_input *in, struct str device)
{
	const struct card_prices *p = &in->x->card_prices;

	for (size_t i = 0; i < p->n; i++)
		if (p->v[i].lens == LENS_CARD && !isnan(p->v[i].price_usd)
		    && str_eq(claim_device(in, p->v[i].device)->name, device))
			return &p->v[i];
	return NULL;
}

void claim_use_price(const struct claim_input *in, const struct card_price *p)
{
	struct claim_prices *u = in->prices;

	if (!p || isnan(p->price_usd))
		return;
	if (u->n == 0 || p->newest_date.day < u->oldest.day)
		u->oldest = p->newest_date;
	if (u->n == 0 || p->newest_date.day > u->newest.day)
		u->newest = p->newest_date;
	u->n++;
	u->used += (p->flags & PRICE_FLAG_USED) != 0;
}

void claim_use_device(const struct claim_input *in, size_t device)
{
	claim_use_price(in, price_lens_find(&in->x->card_prices, device, LENS_CARD));
}

double claim_memory_gb(const struct claim_input *in, size_t device)
{
	return memory_device_gb(&in->x->memory.settings, claim_device(in, device));
}

bool claim_listed(const struct claim_input *in, struct str device)
{
	for (size_t i = 0; i < in->x->nindices; i++)
		if (str_eq(claim_device(in, in->x->indices[i])->name, device))
			return true;
	return false;
}

const struct device *claim_device(const struct claim_input *in, size_t index)
{
	return &in->x->devices->v[index];
}

struct observations claim_rows(const struct claim_input *in, size_t device)
{
	const struct observations *o = &in->x->obs;
	size_t first = 0, end;

	if (o->n == 0)
		return (struct observations){ 0 };
	while (first < o->n && o->v[first].device < device)
		first++;
	for (end = first; end < o->n && o->v[end].device == device;)
		end++;
	return (struct observations){ o->v + first, end - first };
}

bool claim_speed_ratio(const struct observation *x, const struct observation *y, double *ratio)
{
	if (x->class != y->class || !str_eq(x->workload, y->workload)
	    || !str_eq(x->metric, y->metric) || !str_eq(x->precision, y->precision)
	    || !str_eq(x->series, y->series))
		return false;
	*ratio = x->lower_is_better ? x->value / y->value : y->value / x->value;
	return true;
}

struct claim_spread claim_spread(const double *v, size_t n, struct arena *scratch)
{
	if (n == 0)
		return (struct claim_spread){ 0, NAN, NAN, NAN, NAN, NAN };
	return (struct claim_spread){ n,
				      stat_quantile(v, n, 0.1, scratch),
				      stat_quantile(v, n, 0.5, scratch),
				      stat_quantile(v, n, 0.9, scratch),
				      stat_quantile(v, n, 0, scratch),
				      stat_quantile(v, n, 1, scratch) };
}

double claim_geomean(const double *v, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += log(v[i]);
	return n ? exp(sum / (double)n) : NAN;
}
