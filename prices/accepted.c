#include "accepted.h"

#include "../base/csv_read.h"
#include "../base/csv_write.h"
#include "../base/file.h"

#include <math.h>

static const struct csv_field fields[] = {
	{ "date", CSV_DATE, true, offsetof(struct price_accepted_row, date) },
	{ "device", CSV_TEXT, true, offsetof(struct price_accepted_row, name) },
	{ "market", CSV_TEXT, true, offsetof(struct price_accepted_row, market) },
	{ "condition", CSV_TEXT, true, offsetof(struct price_accepted_row, condition_name) },
	{ "price_usd", CSV_POSITIVE, true, offsetof(struct price_accepted_row, price_usd) },
	{ "by", CSV_TEXT, true, offsetof(struct price_accepted_row, by) },
	{ "why", CSV_TEXT, true, offsetof(struct price_accepted_row, why) },
};

static bool resolve(struct price_accepted_row *r, const struct devices *devices, struct arena *a,
		    struct error *err)
{
	size_t near[8], n;

	if (device_find(devices, r->name, a, near, &n) != DEVICE_FOUND)
		return error_at(err, ERR_UNKNOWN, r->pos,
				"device: '" STR_FMT
				"' is not one of the catalogue; nearest: " STR_FMT,
				STR_ARG(r->name), STR_ARG(device_names(devices, near, n, a)));
	r->device = near[0];
	if (!price_condition_parse(r->condition_name, &r->condition))
		return error_at(err, ERR_SYNTAX, r->pos,
				"condition: '" STR_FMT "' is not new, used, on-demand or spot",
				STR_ARG(r->condition_name));
	return true;
}

bool price_accepted_read(const char *data_dir, const struct devices *devices, struct arena *a,
			 struct price_accepted *out, struct error *err)
{
	void *rows;

	*out = (struct price_accepted){ 0 };
	out->path = str_c(a, file_join(a, str_of(data_dir), STR("price_accepted.csv")));
	if (!file_exists(out->path))
		return true;
	if (!csv_read_records(out->path, fields, LEN(fields), sizeof *out->v,
			      offsetof(struct price_accepted_row, pos), a, &rows, &out->n, err))
		return false;
	out->v = rows;
	for (size_t i = 0; i < out->n; i++)
		if (!resolve(&out->v[i], devices, a, err))
			return false;
	return true;
}

/* The file keeps the shortest exact text of the price; the slack is for one written by hand. */
static bool same_snapshot(const struct price_accepted_row *r, const struct price_jump *j)
{
	return r->date.day == j->date.day && r->device == j->device && r->condition == j->condition
	       && str_eq(r->market, j->market)
	       && fabs(r->price_usd - j->price_usd) <= 1e-6 * j->price_usd;
}

void price_accepted_mark(const struct price_accepted *accepted, struct price_jumps *jumps)
{
	for (size_t i = 0; i < jumps->n; i++)
		for (size_t k = 0; k < accepted->n && !jumps->v[i].accepted; k++)
			jumps->v[i].accepted = same_snapshot(&accepted->v[k], &jumps->v[i]);
}

static void put_row(struct csv_out *w, const struct price_accepted_row *r)
{
	csv_put_date(w, r->date);
	csv_put(w, r->name);
	csv_put(w, r->market);
	csv_put(w, r->condition_name);
	csv_put_num(w, r->price_usd);
	csv_put(w, r->by);
	csv_put(w, r->why);
	csv_end_row(w);
}

/* The lowest and the median of a day may be one price: one line settles both. */
static void accept(struct price_accepted_row *r, struct price_jumps *jumps)
{
	for (size_t i = 0; i < jumps->n; i++)
		jumps->v[i].accepted = jumps->v[i].accepted || same_snapshot(r, &jumps->v[i]);
}

bool price_accepted_add(const struct price_accepted *accepted, const struct devices *devices,
			struct price_jumps *jumps, struct str by, struct str why, struct arena *a,
			size_t *added, struct error *err)
{
	struct csv_out w = { .buf.arena = a };

	*added = 0;
	for (size_t i = 0; i < LEN(fields); i++)
		csv_put(&w, str_of(fields[i].name));
	csv_end_row(&w);
	for (size_t i = 0; i < accepted->n; i++)
		put_row(&w, &accepted->v[i]);
	for (size_t i = 0; i < jumps->n; i++) {
		const struct price_jump *j = &jumps->v[i];
		struct price_accepted_row row = { .date = j->date,
						  .name = devices->v[j->device].name,
						  .market = j->market,
						  .condition_name =
						      price_condition_name(j->condition),
						  .price_usd = j->price_usd,
						  .by = by,
						  .why = why,
						  .device = j->device,
						  .condition = j->condition };
		if (j->accepted)
			continue;
		put_row(&w, &row);
		accept(&row, jumps);
		(*added)++;
	}
	return *added == 0 || file_write(accepted->path, strbuf_str(&w.buf), err);
}
