#include "fx.h"

#include "../base/csv_read.h"
#include "../base/file.h"
#include "../base/map.h"

#include <limits.h>

static const struct csv_field columns[] = {
	{ "date", CSV_DATE, true, offsetof(struct fx_rate, date) },
	{ "currency", CSV_TEXT, true, offsetof(struct fx_rate, currency) },
	{ "usd_per_unit", CSV_NUMBER, true, offsetof(struct fx_rate, usd_per_unit) },
};

/* The weakest currencies are worth some 1e-5 USD; beyond these no price can be converted. */
static const double least = 1e-9, most = 1e6;

/* The same rate twice says nothing new; two rates of one day contradict each other. */
static bool check_rate(const struct fx *fx, struct map *seen, size_t i, struct arena *a,
		       struct error *err)
{
	const struct fx_rate *f = &fx->v[i];
	struct str key = str_printf(a, STR_FMT " %d", STR_ARG(f->currency), f->date.day);

	if (!(f->usd_per_unit > 0))
		return error_at(err, ERR_RANGE, f->pos, "usd_per_unit: %g is not above 0",
				f->usd_per_unit);
	if (!(f->usd_per_unit >= least && f->usd_per_unit <= most))
		return error_at(err, ERR_RANGE, f->pos, "usd_per_unit: %g is not from %g to %g",
				f->usd_per_unit, least, most);
	if (str_eq(f->currency, STR("USD")))
		return error_at(err, ERR_DATA, f->pos,
				"currency: a dollar is a dollar; the row has to go");
	const struct fx_rate *first = &fx->v[*map_put(seen, key, i, NULL)];
	if (first->usd_per_unit != f->usd_per_unit)
		return error_at(err, ERR_DATA, f->pos,
				"usd_per_unit: %g, but line %d of the same day says %g",
				f->usd_per_unit, first->pos.line, first->usd_per_unit);
	return true;
}

bool fx_read(const char *data_dir, struct arena *a, struct fx *out, struct error *err)
{
	struct str path = file_join(a, str_of(data_dir), STR("system/fx_to_usd.csv"));
	struct map seen = { .arena = a };
	void *v;

	if (!csv_read_records(str_c(a, path), columns, LEN(columns), sizeof *out->v,
			      offsetof(struct fx_rate, pos), a, &v, &out->n, err))
		return false;
	out->v = v;
	for (size_t i = 0; i < out->n; i++)
		if (!check_rate(out, &seen, i, a, err))
			return false;
	return true;
}

/* The file is in any order, so all of it is looked at. */
static const struct fx_rate *nearest(const struct fx *fx, struct str currency, struct date date)
{
	const struct fx_rate *best = NULL;

	for (size_t i = 0; i < fx->n; i++) {
		const struct fx_rate *f = &fx->v[i];

		if (!str_eq(f->currency, currency))
			continue;
		if (!best
		    || (f->date.day <= date.day
			    ? f->date.day > best->date.day || best->date.day > date.day
			    : f->date.day < best->date.day))
			best = f;
	}
	return best;
}

bool fx_find(const struct fx *fx, struct str currency, struct date date, struct pos pos,
	     double *usd_per_unit, struct date *rate_date, struct error *err)
{
	const struct fx_rate *rate;

	*usd_per_unit = 1;
	rate_date->day = INT_MIN;
	if (str_eq(currency, STR("USD")))
		return true;
	rate = nearest(fx, currency, date);
	if (!rate)
		return error_at(err, ERR_UNKNOWN, pos,
				"currency: '" STR_FMT "' has no rate in fx_to_usd.csv",
				STR_ARG(currency));
	*usd_per_unit = rate->usd_per_unit;
	*rate_date = rate->date;
	return true;
}
