#include "claim_list.h"

#include "../base/csv_read.h"
#include "../base/file.h"

struct record {
	int id;
	struct str claim, guide_value, source, kind, test;
	struct pos pos;
};

static const struct csv_field fields[] = {
	{ "id", CSV_COUNT, true, offsetof(struct record, id) },
	{ "claim", CSV_TEXT, true, offsetof(struct record, claim) },
	{ "guide_value", CSV_TEXT, true, offsetof(struct record, guide_value) },
	{ "source", CSV_TEXT, true, offsetof(struct record, source) },
	{ "kind", CSV_TEXT, true, offsetof(struct record, kind) },
	{ "test", CSV_TEXT, true, offsetof(struct record, test) },
};

/* "2016-06 2019-04", the oldest and the newest of them. */
static bool parse_months(const struct record *r, struct arena *a, struct claim_text *out,
			 struct error *err)
{
	struct str rest = r->source, month;
	bool any = false;

	while (str_cut(&rest, ' ', &month)) {
		struct date d;
		if (!date_parse(str_printf(a, STR_FMT "-01", STR_ARG(month)), &d))
			return error_at(err, ERR_SYNTAX, r->pos,
					"source: '" STR_FMT "' is not a month YYYY-MM",
					STR_ARG(month));
		if (!any || d.day < out->first.day)
			out->first = d;
		if (!any || d.day > out->last.day)
			out->last = d;
		any = true;
	}
	return true;
}

static bool convert(const struct record *r, int id, struct arena *a, struct claim_text *out,
		    struct error *err)
{
	*out = (struct claim_text){ .id = r->id,
				    .claim = r->claim,
				    .guide_value = r->guide_value,
				    .source = r->source,
				    .test = r->test,
				    .computed = str_eq(r->kind, STR("computed")),
				    .pos = r->pos };
	if (r->id != id)
		return error_at(err, ERR_DATA, r->pos, "id: %d read, %d is the next", r->id, id);
	if (!out->computed && !str_eq(r->kind, STR("carried")))
		return error_at(err, ERR_UNKNOWN, r->pos,
				"kind: '" STR_FMT "' is not computed or carried", STR_ARG(r->kind));
	return parse_months(r, a, out, err);
}

bool claim_list_read(const char *data_dir, struct arena *a, struct claim_list *out,
		     struct error *err)
{
	const char *path = str_c(a, file_join(a, str_of(data_dir), STR("claims.csv")));
	void *records;

	*out = (struct claim_list){ 0 };
	if (!file_exists(path))
		return true;
	if (!csv_read_records(path, fields, LEN(fields), sizeof(struct record),
			      offsetof(struct record, pos), a, &records, &out->n, err))
		return false;
	const struct record *r = records;
	out->v = arena_array(a, out->n, sizeof *out->v);
	for (size_t i = 0; i < out->n; i++)
		if (!convert(&r[i], (int)i + 1, a, &out->v[i], err))
			return false;
	return true;
}
