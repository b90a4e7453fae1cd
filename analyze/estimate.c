#include "estimate.h"

#include "../base/csv_read.h"
#include "../base/file.h"

#include <math.h>

struct record {
	struct str device, class, relative_to, source, text;
	double ratio;
	struct date date;
	struct pos pos;
};

static const struct csv_field fields[] = {
	{ "device", CSV_TEXT, true, offsetof(struct record, device) },
	{ "class", CSV_TEXT, true, offsetof(struct record, class) },
	{ "ratio", CSV_NUMBER, false, offsetof(struct record, ratio) },
	{ "relative_to", CSV_TEXT, false, offsetof(struct record, relative_to) },
	{ "date", CSV_DATE, true, offsetof(struct record, date) },
	{ "source", CSV_TEXT, true, offsetof(struct record, source) },
	{ "text", CSV_TEXT, true, offsetof(struct record, text) },
};

static bool convert(const struct record *r, const struct devices *devices, struct estimate *e,
		    struct error *err)
{
	*e = (struct estimate){ .device = device_index(devices, r->device),
				.relative_to = device_index(devices, r->relative_to),
				.ratio = r->ratio,
				.date = r->date,
				.source = r->source,
				.text = r->text };
	if (e->device == devices->n)
		return error_at(err, ERR_UNKNOWN, r->pos,
				"device: '" STR_FMT "' is not in the catalogue",
				STR_ARG(r->device));
	if (e->relative_to == devices->n && !isnan(e->ratio))
		return error_at(err, ERR_UNKNOWN, r->pos,
				"relative_to: '" STR_FMT "' is not in the catalogue",
				STR_ARG(r->relative_to));
	if (!class_parse(r->class, &e->class))
		return error_at(err, ERR_UNKNOWN, r->pos, "class: '" STR_FMT "' is not a class",
				STR_ARG(r->class));
	if (!isnan(r->ratio) && !(r->ratio > 0))
		return error_at(err, ERR_RANGE, r->pos, "ratio: %g is not above 0", r->ratio);
	if (r->ratio < 1e-6 || r->ratio > 1e6)
		return error_at(err, ERR_RANGE, r->pos, "ratio: %g is not from 1e-06 to 1e+06",
				r->ratio);
	return true;
}

bool estimates_read(const char *path, const struct devices *devices, struct arena *a,
		    struct estimates *out, struct error *err)
{
	void *records;

	*out = (struct estimates){ 0 };
	if (!file_exists(path))
		return true;
	if (!csv_read_records(path, fields, LEN(fields), sizeof(struct record),
			      offsetof(struct record, pos), a, &records, &out->n, err))
		return false;
	const struct record *r = records;
	out->v = arena_array(a, out->n, sizeof *out->v);
	for (size_t i = 0; i < out->n; i++)
		if (!convert(&r[i], devices, &out->v[i], err))
			return false;
	return true;
}

const struct estimate *estimate_find(const struct estimates *e, size_t device, enum class_id class,
				     struct date date)
{
	const struct estimate *found = NULL;

	for (size_t i = 0; i < e->n; i++) {
		const struct estimate *c = &e->v[i];
		if (c->device == device && c->class == class && c->date.day <= date.day
		    && (!found || c->date.day >= found->date.day))
			found = c;
	}
	return found;
}
