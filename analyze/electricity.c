#include "electricity.h"

#include "../base/csv_read.h"
#include "../base/file.h"
#include "../base/map.h"
#include "../catalogue/fx.h"

#include <math.h>

#define WATTS_PER_KW 1000.0

struct tariff_record {
	struct tariff tariff; /* usd_per_kwh still in its currency */
	struct str currency;
};

static const struct csv_field columns[] = {
	{ "country", CSV_TEXT, true, offsetof(struct tariff_record, tariff.country) },
	{ "date", CSV_DATE, true, offsetof(struct tariff_record, tariff.date) },
	{ "class", CSV_TEXT, true, offsetof(struct tariff_record, tariff.kind) },
	{ "price_per_kwh", CSV_NUMBER, true, offsetof(struct tariff_record, tariff.usd_per_kwh) },
	{ "currency", CSV_TEXT, true, offsetof(struct tariff_record, currency) },
};

/* Of a kilowatt-hour, anywhere and in any crisis. */
static const double least_usd = 1e-4, most_usd = 100;

static bool convert(const struct tariff_record *r, const struct fx *fx, struct tariff *t,
		    struct error *err)
{
	double usd_per_unit;
	struct date rate_date;

	*t = r->tariff;
	if (!(t->usd_per_kwh > 0))
		return error_at(err, ERR_RANGE, t->pos, "price_per_kwh: %g is not above 0",
				t->usd_per_kwh);
	if (!fx_find(fx, r->currency, t->date, t->pos, &usd_per_unit, &rate_date, err))
		return false;
	t->usd_per_kwh *= usd_per_unit;
	if (!(t->usd_per_kwh >= least_usd && t->usd_per_kwh <= most_usd))
		return error_at(err, ERR_RANGE, t->pos,
				"price_per_kwh: %g " STR_FMT " are not from %g to %g USD",
				r->tariff.usd_per_kwh, STR_ARG(r->currency), least_usd, most_usd);
	return true;
}

bool tariffs_read(const char *data_dir, struct arena *a, struct tariffs *out, struct error *err)
{
	const char *path = str_c(a, file_join(a, str_of(data_dir), STR("system/electricity.csv")));
	const struct tariff_record *records;
	struct fx fx;
	void *v;

	*out = (struct tariffs){ 0 };
	if (!file_exists(path))
		return true;
	if (!fx_read(data_dir, a, &fx, err)
	    || !csv_read_records(path, columns, LEN(columns), sizeof *records,
				 offsetof(struct tariff_record, tariff.pos), a, &v, &out->n, err))
		return false;
	records = v;
	out->v = arena_array(a, out->n, sizeof *out->v);
	struct map seen = { .arena = a };
	for (size_t i = 0; i < out->n; i++) {
		const struct tariff *t = &out->v[i];
		if (!convert(&records[i], &fx, &out->v[i], err)
		    || !csv_once(&seen,
				 str_printf(a, STR_FMT "\n" STR_FMT "\n%d", STR_ARG(t->country),
					    STR_ARG(t->kind), t->date.day),
				 t->pos, err))
			return false;
	}
	return true;
}

/* Whether x serves better than y: not after the date and newest, else the oldest. */
static bool better(const struct tariff *x, const struct tariff *y, struct date date)
{
	if (x->date.day <= date.day)
		return y->date.day > date.day || x->date.day > y->date.day;
	return y->date.day > date.day && x->date.day < y->date.day;
}

/* The tariffs of the country, or the countries where it is none. */
static struct str listed(const struct tariffs *tariffs, struct str country, bool known,
			 struct arena *a)
{
	struct map seen = { .arena = a };
	struct strbuf b = { .arena = a };
	bool fresh;

	for (size_t i = 0; i < tariffs->n; i++) {
		const struct tariff *t = &tariffs->v[i];
		struct str name = known ? t->kind : t->country;

		if (known && !str_eq(t->country, country))
			continue;
		map_put(&seen, name, i, &fresh);
		if (fresh)
			strbuf_printf(&b, "%s" STR_FMT, b.len ? ", " : "", STR_ARG(name));
	}
	return str_printf(a, "%s " STR_FMT, known ? "its tariffs are" : "the countries are",
			  STR_ARG(strbuf_str(&b)));
}

static bool country_is_known(const struct tariffs *tariffs, struct str country)
{
	for (size_t i = 0; i < tariffs->n; i++)
		if (str_eq(tariffs->v[i].country, country))
			return true;
	return false;
}

bool tariff_find(const struct tariffs *tariffs, const struct edition *e, struct arena *a,
		 struct tariff_choice *out, struct error *err)
{
	bool known = country_is_known(tariffs, e->country);
	struct str key = known ? STR("tariff") : STR("country");
	const struct tariff *best = NULL;

	for (size_t i = 0; i < tariffs->n; i++) {
		const struct tariff *t = &tariffs->v[i];

		if (str_eq(t->country, e->country) && str_eq(t->kind, e->tariff)
		    && (!best || better(t, best, e->date)))
			best = t;
	}
	*out = (struct tariff_choice){ best, best ? 0u : PRICE_FLAG_NO_TARIFF };
	if (!best && tariffs->n)
		return error_at(err, ERR_UNKNOWN, edition_pos(e, "cost", key),
				STR_FMT ": electricity.csv has no tariff '" STR_FMT "' of '" STR_FMT
					"'; " STR_FMT,
				STR_ARG(key), STR_ARG(e->tariff), STR_ARG(e->country),
				STR_ARG(listed(tariffs, e->country, known, a)));
	if (best && best->date.day > e->date.day)
		out->flags |= PRICE_FLAG_TARIFF_LATER;
	if (best && e->date.day - best->date.day > e->drop_days)
		out->flags |= PRICE_FLAG_TARIFF_OLD;
	return true;
}

double electricity_usd_per_hour(const struct tariff_choice *choice, double watts)
{
	return choice->tariff ? watts / WATTS_PER_KW * choice->tariff->usd_per_kwh : NAN;
}
