#include "fx.h"

#include "../base/csv_read.h"
#include "../base/file.h"

#include <limits.h>

static const struct csv_field columns[] = {
	{ "date", CSV_DATE, true, offsetof(struct fx_rate, date) },
	{ "currency", CSV_TEXT, true, offsetof(struct fx_rate, currency) },
	{ "usd_per_unit", CSV_NUMBER, true, offsetof(struct fx_rate, usd_per_unit) },
};

bool fx_read(const char *data_dir, struct arena *a, struct fx *out, struct error *err)
{
	struct str path = file_join(a, str_of(data_dir), STR("system/fx_to_usd.csv"));
	void *v;

	if (!csv_read_records(str_c(a, path), columns, LEN(columns), sizeof *out->v,
			      offsetof(struct fx_rate, pos), a, &v, &out->n, err))
		return false;
	out->v = v;
	for (size_t i = 0; i < out->n; i++)
		if (!(out->v[i].usd_per_unit > 0))
			return error_at(err, ERR_RANGE, out->v[i].pos,
					"usd_per_unit: %g is not above 0", out->v[i].usd_per_unit);
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
