#include "host.h"

#include "../base/csv_read.h"
#include "../base/file.h"
#include "../base/num.h"
#include "../catalogue/fx.h"
#include "../catalogue/price.h"

#include <math.h>
#include <stdint.h>

enum { HOST_MIN_USD = 1 };
enum { PSU_MIN_W = 300, PSU_MAX_W = 2000, PSU_STEP_W = 10 };

static const struct str status_names[] = {
	[HOST_COMPLETE] = STR_INIT("complete"),
	[HOST_PARTIAL] = STR_INIT("partial"),
	[HOST_UNRELIABLE] = STR_INIT("unreliable"),
	[HOST_INCLUDES_GPUS] = STR_INIT("includes GPUs"),
};

struct system_record {
	struct date date;
	int gpus;
	double host_cost;
	struct str currency, status, source;
	struct pos pos;
};

static const struct csv_field system_columns[] = {
	{ "date", CSV_DATE, true, offsetof(struct system_record, date) },
	{ "gpus", CSV_COUNT, true, offsetof(struct system_record, gpus) },
	{ "host_cost", CSV_NUMBER, true, offsetof(struct system_record, host_cost) },
	{ "currency", CSV_TEXT, true, offsetof(struct system_record, currency) },
	{ "status", CSV_TEXT, true, offsetof(struct system_record, status) },
	{ "source", CSV_TEXT, false, offsetof(struct system_record, source) },
};

struct part_record {
	struct date date;
	int gpus;
	struct str component, part;
};

static const struct csv_field part_columns[] = {
	{ "date", CSV_DATE, true, offsetof(struct part_record, date) },
	{ "gpus", CSV_COUNT, true, offsetof(struct part_record, gpus) },
	{ "component", CSV_TEXT, true, offsetof(struct part_record, component) },
	{ "part", CSV_TEXT, false, offsetof(struct part_record, part) },
};

static bool status_parse(struct str s, enum host_status *out)
{
	for (size_t i = 0; i < LEN(status_names); i++)
		if (str_eq(status_names[i], s)) {
			*out = (enum host_status)i;
			return true;
		}
	return false;
}

static bool convert(const struct system_record *r, const struct fx *fx, struct host *h,
		    struct error *err)
{
	double usd_per_unit;
	struct date rate_date;

	*h = (struct host){
		.date = r->date, .gpus = r->gpus, .psu_w = NAN, .source = r->source, .pos = r->pos
	};
	if (!status_parse(r->status, &h->status))
		return error_at(err, ERR_UNKNOWN, r->pos,
				"status: '" STR_FMT
				"' is not complete, partial, unreliable or includes GPUs",
				STR_ARG(r->status));
	if (r->gpus < 1)
		return error_at(err, ERR_RANGE, r->pos, "gpus: %d is not above 0", r->gpus);
	if (!(r->host_cost > 0))
		return error_at(err, ERR_RANGE, r->pos, "host_cost: %g is not above 0",
				r->host_cost);
	if (!fx_find(fx, r->currency, r->date, r->pos, &usd_per_unit, &rate_date, err))
		return false;
	h->host_usd = r->host_cost * usd_per_unit;
	if (!(h->host_usd >= HOST_MIN_USD && h->host_usd <= PRICE_MAX))
		return error_at(err, ERR_RANGE, r->pos,
				"host_cost: %g " STR_FMT " are not from %d to %d USD", r->host_cost,
				STR_ARG(r->currency), HOST_MIN_USD, PRICE_MAX);
	return true;
}

/* All that tells one host from another: two builds may share a day and a size. */
static struct str identity(const struct system_record *r, struct arena *a)
{
	return str_printf(a, "%d\n%d\n%.17g\n" STR_FMT "\n" STR_FMT "\n" STR_FMT, r->date.day,
			  r->gpus, r->host_cost, STR_ARG(r->currency), STR_ARG(r->status),
			  STR_ARG(r->source));
}

double host_psu_w(struct str part)
{
	for (size_t from = 0, to; from < part.len; from = to + 1) {
		int w;

		for (to = from; to < part.len && part.p[to] >= '0' && part.p[to] <= '9';)
			to++;
		if (num_parse_int(str_slice(part, from, to), &w) && w >= PSU_MIN_W && w <= PSU_MAX_W
		    && w % PSU_STEP_W == 0)
			return w;
	}
	return NAN;
}

/* A host is a sum of the parts of its own day and count; power supplies of no host are passed over.
 */
static bool read_psus(struct str data_dir, struct arena *a, struct hosts *out, struct error *err)
{
	const char *path = str_c(a, file_join(a, data_dir, STR("system/host_parts.csv")));
	const struct part_record *parts;
	void *v;
	size_t n;

	if (!file_exists(path))
		return true;
	if (!csv_read_records(path, part_columns, LEN(part_columns), sizeof *parts, SIZE_MAX, a, &v,
			      &n, err))
		return false;
	parts = v;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; str_eq(parts[i].component, STR("psu")) && j < out->n; j++)
			if (out->v[j].date.day == parts[i].date.day
			    && out->v[j].gpus == parts[i].gpus)
				out->v[j].psu_w = host_psu_w(parts[i].part);
	return true;
}

bool hosts_read(const char *data_dir, struct arena *a, struct hosts *out, struct error *err)
{
	const char *path = str_c(a, file_join(a, str_of(data_dir), STR("system/host_systems.csv")));
	const struct system_record *records;
	struct fx fx;
	void *v;

	*out = (struct hosts){ 0 };
	if (!file_exists(path))
		return true;
	if (!fx_read(data_dir, a, &fx, err)
	    || !csv_read_records(path, system_columns, LEN(system_columns), sizeof *records,
				 offsetof(struct system_record, pos), a, &v, &out->n, err))
		return false;
	records = v;
	out->v = arena_array(a, out->n, sizeof *out->v);
	struct map seen = { .arena = a };
	for (size_t i = 0; i < out->n; i++)
		if (!convert(&records[i], &fx, &out->v[i], err)
		    || !csv_once(&seen, identity(&records[i], a), records[i].pos, err))
			return false;
	return read_psus(str_of(data_dir), a, out, err);
}

/* The three steps of the choice; `newest_first` says what is looked at before the size. */
static const struct step {
	enum host_status status;
	bool may_be_old, newest_first;
} steps[] = {
	{ HOST_COMPLETE, false, false },
	{ HOST_COMPLETE, true, true },
	{ HOST_PARTIAL, false, false },
};

/* Whether x goes before y. Equal in both, the first of the file stays. */
static bool before(const struct host *x, const struct host *y, bool newest_first)
{
	bool newer = x->date.day > y->date.day, smaller = x->gpus < y->gpus;

	if (newest_first)
		return newer || (x->date.day == y->date.day && smaller);
	return smaller || (x->gpus == y->gpus && newer);
}

static const struct host *best_of(const struct hosts *hosts, const struct step *step, int gpus,
				  const struct edition *e)
{
	const struct host *best = NULL;

	for (size_t i = 0; i < hosts->n; i++) {
		const struct host *h = &hosts->v[i];
		int age_days = e->date.day - h->date.day;

		if (h->status != step->status || h->gpus < gpus || age_days < 0
		    || (age_days > e->drop_days && !step->may_be_old))
			continue;
		if (!best || before(h, best, step->newest_first))
			best = h;
	}
	return best;
}

struct host_choice host_find(const struct hosts *hosts, int gpus, const struct edition *edition)
{
	struct host_choice c = { 0 };
	int age_days;

	for (size_t i = 0; i < LEN(steps) && !c.host; i++)
		c.host = best_of(hosts, &steps[i], gpus, edition);
	if (!c.host) {
		c.flags = PRICE_FLAG_NO_HOST;
		return c;
	}
	age_days = edition->date.day - c.host->date.day;
	c.flags = (age_days > edition->stale_days ? PRICE_FLAG_HOST_STALE : 0u)
		  | (age_days > edition->drop_days ? PRICE_FLAG_HOST_OLD : 0u)
		  | (c.host->status == HOST_PARTIAL ? PRICE_FLAG_HOST_PARTIAL : 0u)
		  | (c.host->gpus > gpus ? PRICE_FLAG_HOST_LARGER : 0u);
	return c;
}
