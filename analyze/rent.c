#include "rent.h"

#include "../base/csv_write.h"
#include "../base/file.h"
#include "../base/stat.h"

#include <math.h>

enum { HOURS_MAX = EDITION_HOURS_MAX + 2, RENTS = 2 };

double breakeven_months(double own_usd, double rent_usd_per_hour, double power_usd_per_hour,
			double hours_per_month)
{
	double saved_usd = hours_per_month * (rent_usd_per_hour - power_usd_per_hour);

	return saved_usd > 0 ? cost_round(own_usd / saved_usd) : NAN;
}

static size_t hours_of(const struct edition *e, double hours[HOURS_MAX])
{
	size_t n = 0, kept = 0;

	hours[n++] = 0;
	hours[n++] = HOURS_PER_MONTH_FULL;
	for (size_t i = 0; i < e->nhours; i++)
		hours[n++] = e->hours_per_month[i];
	stat_sort(hours, n);
	for (size_t i = 0; i < n; i++)
		if (!kept || hours[i] != hours[kept - 1])
			hours[kept++] = hours[i];
	return kept;
}

/* Bought and rented, all but the hours. */
static struct breakeven of_device(const struct cost_input *in, const struct card_price *card,
				  const struct card_price *cloud)
{
	const struct device *d = &in->devices->v[card->device];
	struct system s = system_of(in, card, card->device, 1);

	return (struct breakeven){
		.device = card->device,
		.own_usd = s.purchase_usd,
		.power_usd_per_hour = cost_round(electricity_usd_per_hour(in->tariff, d->tdp_w)),
		.status = s.status,
		.flags = s.flags | cloud->flags,
	};
}

static void add_hours(const struct breakeven *b, const double *hours, size_t n,
		      struct breakevens *out)
{
	for (size_t i = 0; i < n; i++) {
		struct breakeven *at = &out->v[out->n++];

		*at = *b;
		at->hours_per_month = hours[i];
		at->months = NAN;
		if (b->status != SYSTEM_OK)
			continue;
		at->months = breakeven_months(b->own_usd, b->rent_usd_per_hour,
					      b->power_usd_per_hour, hours[i]);
		at->never = isnan(at->months);
	}
}

void breakeven_compute(const struct cost_input *in, const struct card_prices *prices,
		       struct arena *a, struct breakevens *out)
{
	double hours[HOURS_MAX];
	size_t nhours = hours_of(in->edition, hours);

	*out = (struct breakevens){ .v = arena_array(a, in->nindices,
						     RENTS * HOURS_MAX * sizeof *out->v) };
	for (size_t i = 0; i < in->nindices; i++) {
		const struct card_price *card = price_lens_find(prices, in->indices[i], LENS_CARD),
					*cloud =
					    price_lens_find(prices, in->indices[i], LENS_CLOUD);
		struct breakeven b;
		double units;

		if (!card || isnan(card->price_usd) || !cloud)
			continue;
		units = cloud_units(&in->devices->v[card->device]);
		b = of_device(in, card, cloud);
		b.provider = STR("median");
		b.rent_usd_per_hour = cost_round(cloud->price_usd * units);
		add_hours(&b, hours, nhours, out);
		b.provider = cloud->cheapest;
		b.rent_usd_per_hour = cost_round(cloud->low * units);
		add_hours(&b, hours, nhours, out);
	}
}

bool breakeven_write(const struct breakevens *b, const struct devices *devices, const char *path,
		     struct arena *a, struct error *err)
{
	struct csv_out w = { .buf.arena = a };

	strbuf_add(&w.buf, STR("device,provider,hours_per_month,rent_usd_per_hour,own_usd,"
			       "power_usd_per_hour,months,status,flags\n"));
	for (size_t i = 0; i < b->n; i++) {
		const struct breakeven *r = &b->v[i];

		csv_put(&w, devices->v[r->device].name);
		csv_put(&w, r->provider);
		csv_put_num(&w, r->hours_per_month);
		csv_put_num(&w, r->rent_usd_per_hour);
		csv_put_num(&w, r->own_usd);
		csv_put_num(&w, r->power_usd_per_hour);
		csv_put_num(&w, r->months);
		csv_put(&w, r->never ? STR("never") : system_status_name(r->status));
		csv_put(&w, price_flags_text(a, r->flags));
		csv_end_row(&w);
	}
	return file_write(path, strbuf_str(&w.buf), err);
}
