#include "value.h"

#include "../base/csv_write.h"
#include "../base/file.h"

#include <math.h>
#include <stdlib.h>

static const struct str status_names[] = {
	[VALUE_OK] = STR_INIT("ok"),
	[VALUE_NO_PRICE] = STR_INIT("no-price"),
	[VALUE_NO_SCORE] = STR_INIT("no-score"),
	[VALUE_NOT_FOR_HOST] = STR_INIT("not-for-host"),
	[VALUE_SLOTS_UNKNOWN] = STR_INIT("slots-unknown"),
	[VALUE_NO_HOST] = STR_INIT("no-host"),
	[VALUE_NO_TDP] = STR_INIT("no-tdp"),
	[VALUE_NO_TARIFF] = STR_INIT("no-tariff"),
};

/* What a price that is missing says of itself. */
static const struct {
	unsigned flag;
	enum value_status status;
} reasons[] = {
	{ PRICE_FLAG_NOT_FOR_HOST, VALUE_NOT_FOR_HOST },
	{ PRICE_FLAG_SLOTS_UNKNOWN, VALUE_SLOTS_UNKNOWN },
	{ PRICE_FLAG_NO_HOST, VALUE_NO_HOST },
	{ PRICE_FLAG_NO_TDP, VALUE_NO_TDP },
	{ PRICE_FLAG_NO_TARIFF, VALUE_NO_TARIFF },
};

struct str value_status_name(enum value_status s)
{
	return status_names[s];
}

static enum value_status why_missing(const struct card_price *p)
{
	for (size_t i = 0; p && i < LEN(reasons); i++)
		if (p->flags & reasons[i].flag)
			return reasons[i].status;
	return VALUE_NO_PRICE;
}

/* Score and price of one device, not yet divided by the best: score a USD. */
static struct value value_of(const struct score *s, const struct card_price *p, enum lens lens)
{
	struct value v = { .device = s->device,
			   .class = s->class,
			   .lens = lens,
			   .cost_usd = NAN,
			   .value = NAN,
			   .low = NAN,
			   .high = NAN,
			   .status = VALUE_OK };

	if (p)
		v.cost_usd = p->price_usd;
	if (s->origin == ORIGIN_EXCLUDED)
		v.status = VALUE_NO_SCORE;
	else if (isnan(v.cost_usd))
		v.status = why_missing(p);
	if (v.status != VALUE_OK)
		return v;
	v.value = s->score / p->price_usd;
	v.low = s->peer_low / p->high;
	v.high = s->peer_high / p->low;
	return v;
}

static void normalise(struct value *v, double best)
{
	if (v->status != VALUE_OK)
		return;
	if (isnan(best)) {
		v->status = VALUE_NO_SCORE;
		v->value = v->low = v->high = NAN;
		return;
	}
	v->value /= best;
	v->low /= best;
	v->high /= best;
}

/* Best first; equal ones in the order of the devices, so that the order never depends on the sort.
 */
static int by_value(const void *pa, const void *pb)
{
	const struct value *x = *(struct value *const *)pa, *y = *(struct value *const *)pb;

	if (x->value != y->value)
		return x->value > y->value ? -1 : 1;
	return (x->device > y->device) - (x->device < y->device);
}

/* Ranks n entries. A tie needs two known intervals that touch: the upper end of the lower card
 * reaches the lower end of the one above. */
static void rank(struct value **v, size_t n)
{
	if (n)
		qsort(v, n, sizeof *v, by_value);
	for (size_t i = 0; i < n; i++) {
		v[i]->rank = (int)i + 1;
		v[i]->tie = i > 0 && v[i]->high >= v[i - 1]->low; /* false when either is NAN */
	}
}

/* One class: entries [from, to) of the scores. */
static void compute_class(const struct scores *scores, const struct card_price *const *by_device,
			  enum lens lens, size_t from, size_t to, struct arena *a,
			  struct value *out)
{
	struct value **ranked = arena_array(a, to - from, sizeof *ranked);
	double best = NAN;
	size_t n = 0;

	for (size_t i = from; i < to; i++) {
		out[i] = value_of(&scores->v[i], by_device[scores->v[i].device], lens);
		if (out[i].status == VALUE_OK && scores->v[i].origin != ORIGIN_ESTIMATED
		    && !(best >= out[i].value))
			best = out[i].value;
	}
	for (size_t i = from; i < to; i++) {
		normalise(&out[i], best);
		if (out[i].status == VALUE_OK && scores->v[i].origin != ORIGIN_ESTIMATED)
			ranked[n++] = &out[i];
	}
	rank(ranked, n);
}

/* Prices of the lens, by device index; NULL where there is none. */
static const struct card_price **index_prices(const struct scores *scores,
					      const struct card_prices *prices, enum lens lens,
					      struct arena *a)
{
	const struct card_price **by_device;
	size_t n = 0;

	for (size_t i = 0; i < scores->n; i++)
		n = scores->v[i].device >= n ? scores->v[i].device + 1 : n;
	by_device = arena_array(a, n, sizeof *by_device);
	for (size_t i = 0; i < prices->n; i++)
		if (prices->v[i].lens == lens && prices->v[i].device < n)
			by_device[prices->v[i].device] = &prices->v[i];
	return by_device;
}

void value_compute(const struct scores *scores, const struct card_prices *prices, enum lens lens,
		   struct arena *a, struct values *out)
{
	const struct card_price **by_device = index_prices(scores, prices, lens, a);

	*out = (struct values){ .v = arena_array(a, scores->n, sizeof *out->v), .n = scores->n };
	for (size_t from = 0, to; from < scores->n; from = to) {
		for (to = from + 1; to < scores->n && scores->v[to].class == scores->v[from].class;)
			to++;
		compute_class(scores, by_device, lens, from, to, a, out->v);
	}
}

void values_compute_all(const struct scores *scores, const struct card_prices *prices,
			struct arena *a, struct values *out)
{
	*out = (struct values){ .v = arena_array(a, scores->n, LENS_COUNT * sizeof *out->v) };
	for (int lens = 0; lens < LENS_COUNT; lens++) {
		struct values one;

		value_compute(scores, prices, (enum lens)lens, a, &one);
		for (size_t i = 0; i < one.n; i++)
			out->v[out->n++] = one.v[i];
	}
}

bool value_write(const struct values *values, const struct devices *devices, const char *path,
		 struct arena *a, struct error *err)
{
	struct csv_out w = { .buf.arena = a };

	strbuf_add(&w.buf, STR("device,class,lens,cost_usd,value,low,high,rank,tie,status\n"));
	for (size_t i = 0; i < values->n; i++) {
		const struct value *v = &values->v[i];

		csv_put(&w, devices->v[v->device].name);
		csv_put(&w, class_name(v->class));
		csv_put(&w, lens_name(v->lens));
		csv_put_num(&w, v->cost_usd);
		csv_put_num(&w, v->value);
		csv_put_num(&w, v->low);
		csv_put_num(&w, v->high);
		if (v->rank)
			csv_put_int(&w, v->rank);
		else
			csv_put_missing(&w);
		csv_put(&w, v->rank ? v->tie ? STR("yes") : STR("no") : STR(""));
		csv_put(&w, value_status_name(v->status));
		csv_end_row(&w);
	}
	return file_write(path, strbuf_str(&w.buf), err);
}
