/* Who rents devices out, and what they ask beside each other. */
#include "vendor.h"

#include "../base/map.h"
#include "../base/stat.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* One on-demand price; after quoting, one a device and provider. */
struct offer {
	size_t device;
	struct str provider;
	int day;
	double price_usd;
};

struct offers {
	struct offer *v;
	size_t n;
};

/* By device, provider, newest first, then price. */
static int by_device(const void *pa, const void *pb)
{
	const struct offer *x = pa, *y = pb;
	int c = str_cmp(x->provider, y->provider);

	if (x->device != y->device)
		return x->device < y->device ? -1 : 1;
	if (c)
		return c;
	if (x->day != y->day)
		return x->day > y->day ? -1 : 1;
	return (x->price_usd > y->price_usd) - (x->price_usd < y->price_usd);
}

static struct offers find_rows(const struct vendor_input *in, struct arena *a)
{
	struct offers o = { arena_array(a, in->prices->n, sizeof *o.v), 0 };
	bool *listed = arena_array(a, in->devices->n, sizeof *listed);
	int today = in->edition->date.day;

	for (size_t i = 0; i < in->nindices; i++)
		listed[in->indices[i]] = true;
	for (size_t i = 0; i < in->prices->n; i++) {
		const struct price *p = &in->prices->v[i];
		struct str provider = price_provider(p->market);

		if (listed[p->device] && provider.len && p->condition == PRICE_ON_DEMAND
		    && p->date.day <= today && today - p->date.day <= in->edition->drop_days)
			o.v[o.n++] =
			    (struct offer){ p->device, provider, p->date.day, p->price_usd };
	}
	if (o.n)
		qsort(o.v, o.n, sizeof *o.v, by_device);
	return o;
}

static bool same_offer(const struct offer *x, const struct offer *y)
{
	return x->device == y->device && str_eq(x->provider, y->provider);
}

/* Of each device and provider the median of the newest day, as in card_price.h. */
static struct offers find_offers(const struct vendor_input *in, struct arena *a)
{
	struct offers o = find_rows(in, a);
	size_t kept = 0, end, m;

	for (size_t i = 0; i < o.n; i = end) {
		for (end = i; end < o.n && same_offer(&o.v[end], &o.v[i]);)
			end++;
		for (m = i; m < end && o.v[m].day == o.v[i].day;)
			m++;
		struct offer x = o.v[i];
		x.price_usd =
		    (o.v[i + (m - i - 1) / 2].price_usd + o.v[i + (m - i) / 2].price_usd) / 2;
		o.v[kept++] = x;
	}
	o.n = kept;
	return o;
}

/* What one provider's prices are beside the middle of their market. */
struct ratios {
	double *v;
	size_t n, cap;
};

struct market {
	struct vendor_facts *out;
	struct ratios *ratios; /* by provider */
	struct map index;
	size_t cap;
	struct arena *arena;
};

static size_t provider_no(struct market *m, struct str name)
{
	struct vendor_facts *f = m->out;
	size_t cap = m->cap;
	bool fresh;
	size_t at = *map_put(&m->index, name, f->nproviders, &fresh);

	if (!fresh)
		return at;
	f->providers =
	    arena_grow(m->arena, f->providers, &m->cap, at + 1, sizeof *f->providers);
	m->ratios = arena_grow(m->arena, m->ratios, &cap, at + 1, sizeof *m->ratios);
	m->ratios[at] = (struct ratios){ 0 };
	f->providers[f->nproviders++] = (struct vendor_provider){
		.name = name, .newest = { INT_MIN }, .price_ratio = NAN
	};
	return at;
}

/* All offers of one device. */
static void add_device(struct market *m, const struct offer *o, size_t n)
{
	double *prices = arena_array(m->arena, n, sizeof *prices), middle;

	for (size_t i = 0; i < n; i++)
		prices[i] = o[i].price_usd;
	stat_sort(prices, n);
	middle = stat_quantile_sorted(prices, n, 0.5);
	for (size_t i = 0; i < n; i++) {
		size_t at = provider_no(m, o[i].provider);
		struct vendor_provider *p = &m->out->providers[at];
		struct ratios *r = &m->ratios[at];

		p->devices++;
		p->cheapest += !(o[i].price_usd > prices[0]);
		if (o[i].day > p->newest.day)
			p->newest.day = o[i].day;
		if (n < 2)
			continue;
		r->v = arena_grow(m->arena, r->v, &r->cap, r->n + 1, sizeof *r->v);
		r->v[r->n++] = o[i].price_usd / middle;
	}
}

static int by_size(const void *pa, const void *pb)
{
	const struct vendor_provider *x = pa, *y = pb;

	if (x->devices != y->devices)
		return x->devices > y->devices ? -1 : 1;
	return str_cmp(x->name, y->name);
}

void vendor_providers_compute(const struct vendor_input *in, struct arena *a,
			      struct vendor_facts *out)
{
	struct offers o = find_offers(in, a);
	struct market m = { .out = out, .index = { .arena = a }, .arena = a };
	size_t end;

	out->providers = NULL;
	out->nproviders = 0;
	for (size_t i = 0; i < o.n; i = end) {
		for (end = i; end < o.n && o.v[end].device == o.v[i].device;)
			end++;
		add_device(&m, &o.v[i], end - i);
	}
	for (size_t i = 0; i < out->nproviders; i++) {
		struct vendor_provider *p = &out->providers[i];

		p->age_days = in->edition->date.day - p->newest.day;
		p->compared = m.ratios[i].n;
		if (p->compared)
			p->price_ratio = stat_median(m.ratios[i].v, p->compared, a);
	}
	if (out->nproviders)
		qsort(out->providers, out->nproviders, sizeof *out->providers, by_size);
}
