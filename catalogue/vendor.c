#include "vendor.h"

#include "../base/csv_read.h"
#include "../base/file.h"
#include "../base/map.h"

struct vendor_record {
	struct str id, title, makers, cloud;
	struct pos pos;
};

static const struct csv_field vendor_fields[] = {
	{ "vendor", CSV_TEXT, true, offsetof(struct vendor_record, id) },
	{ "title", CSV_TEXT, true, offsetof(struct vendor_record, title) },
	{ "makers", CSV_TEXT, false, offsetof(struct vendor_record, makers) },
	{ "cloud", CSV_TEXT, false, offsetof(struct vendor_record, cloud) },
};

static const struct csv_field text_fields[] = {
	{ "vendor", CSV_TEXT, true, offsetof(struct vendor_text, vendor) },
	{ "id", CSV_TEXT, true, offsetof(struct vendor_text, id) },
	{ "kind", CSV_TEXT, true, offsetof(struct vendor_text, kind) },
	{ "date", CSV_DATE, true, offsetof(struct vendor_text, date) },
	{ "source", CSV_TEXT, true, offsetof(struct vendor_text, source) },
	{ "url", CSV_TEXT, false, offsetof(struct vendor_text, url) },
	{ "language", CSV_TEXT, true, offsetof(struct vendor_text, language) },
	{ "text", CSV_TEXT, true, offsetof(struct vendor_text, text) },
};

static const struct str kinds[] = { STR_INIT("guide"), STR_INIT("since"), STR_INIT("licence") };

static size_t vendor_index(const struct vendors *v, struct str id)
{
	size_t i = 0;

	while (i < v->n && !str_eq(v->v[i].id, id))
		i++;
	return i;
}

/* The section that names the maker, or n; `*` names none. */
static size_t named_by(const struct vendors *v, size_t n, struct str maker)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < v->v[i].makers.n; k++)
			if (str_eq(v->v[i].makers.v[k], maker))
				return i;
	return n;
}

size_t vendor_of_maker(const struct vendors *v, struct str maker)
{
	size_t at = named_by(v, v->n, maker);

	for (size_t i = 0; at == v->n && i < v->n; i++)
		if (v->v[i].rest)
			return i;
	return at;
}

/* The words of column makers; `out` stands behind the n sections already read. */
static bool read_makers(const struct vendor_record *r, struct vendors *v, size_t n, struct arena *a,
			struct error *err)
{
	struct vendor *out = &v->v[n];
	struct str rest = r->makers, word;
	size_t cap = 0;

	while (str_cut(&rest, ' ', &word)) {
		if (word.len == 0)
			continue;
		if (str_eq(word, STR("*"))) {
			out->rest = true;
			continue;
		}
		if (named_by(v, n + 1, word) <= n)
			return error_at(err, ERR_DATA, r->pos,
					"makers: '" STR_FMT "' is listed twice", STR_ARG(word));
		out->makers.v = arena_grow(a, out->makers.v, &cap, out->makers.n + 1,
					   sizeof *out->makers.v);
		out->makers.v[out->makers.n++] = word;
	}
	return true;
}

static bool convert_vendor(const struct vendor_record *r, struct vendors *v, size_t n,
			   struct arena *a, struct error *err)
{
	v->v[n] = (struct vendor){ .id = r->id,
				   .title = r->title,
				   .cloud = str_eq(r->cloud, STR("yes")),
				   .pos = r->pos };
	if (r->cloud.len > 0 && !v->v[n].cloud)
		return error_at(err, ERR_SYNTAX, r->pos, "cloud: '" STR_FMT "' is not yes or empty",
				STR_ARG(r->cloud));
	for (size_t i = 0; i < n; i++)
		if (str_eq(v->v[i].id, r->id))
			return error_at(err, ERR_DATA, r->pos,
					"vendor: '" STR_FMT "' is listed twice, first in line %d",
					STR_ARG(r->id), v->v[i].pos.line);
	return read_makers(r, v, n, a, err);
}

static bool read_vendors(const char *path, struct arena *a, struct vendors *out, struct error *err)
{
	void *records;
	size_t n;

	if (!csv_read_records(path, vendor_fields, LEN(vendor_fields), sizeof(struct vendor_record),
			      offsetof(struct vendor_record, pos), a, &records, &n, err))
		return false;
	const struct vendor_record *r = records;
	out->v = arena_array(a, n, sizeof *out->v);
	for (; out->n < n; out->n++)
		if (!convert_vendor(&r[out->n], out, out->n, a, err))
			return false;
	return true;
}

static bool is_kind(struct str s)
{
	for (size_t i = 0; i < LEN(kinds); i++)
		if (str_eq(kinds[i], s))
			return true;
	return false;
}

static bool check_text(const struct vendors *v, const struct vendor_text *t, struct error *err)
{
	if (vendor_index(v, t->vendor) == v->n)
		return error_at(err, ERR_UNKNOWN, t->pos,
				"vendor: '" STR_FMT "' is not in vendors.csv", STR_ARG(t->vendor));
	if (!is_kind(t->kind))
		return error_at(err, ERR_UNKNOWN, t->pos,
				"kind: '" STR_FMT "' is not guide, since or licence",
				STR_ARG(t->kind));
	if (t->url.len > 0 && !str_starts(t->url, STR("https://"))
	    && !str_starts(t->url, STR("http://")))
		return error_at(err, ERR_SYNTAX, t->pos,
				"url: '" STR_FMT "' does not start with https:// or http://",
				STR_ARG(t->url));
	return true;
}

/* A translation says the same as the English text: when, of what kind, by whom. */
static bool check_language(const struct vendor_text *t, const struct vendor_text *english,
			   struct error *err)
{
	if (!english && !str_eq(t->language, STR("en")))
		return error_at(err, ERR_DATA, t->pos,
				"language: '" STR_FMT "' of '" STR_FMT
				"' comes before the English text",
				STR_ARG(t->language), STR_ARG(t->id));
	if (english
	    && (t->date.day != english->date.day || !str_eq(t->kind, english->kind)
		|| !str_eq(t->source, english->source)))
		return error_at(err, ERR_DATA, t->pos,
				"id: '" STR_FMT "' has another date, kind or source than the "
				"English text in line %d",
				STR_ARG(t->id), english->pos.line);
	return true;
}

static bool check_texts(const struct vendors *v, const struct vendor_text *t, size_t n,
			struct arena *a, struct error *err)
{
	struct map english = { .arena = a }, seen = { .arena = a };
	bool fresh, fresh_id;

	for (size_t i = 0; i < n; i++) {
		struct str id =
		    str_printf(a, STR_FMT "\n" STR_FMT, STR_ARG(t[i].vendor), STR_ARG(t[i].id));
		struct str key =
		    str_printf(a, STR_FMT "\n" STR_FMT, STR_ARG(id), STR_ARG(t[i].language));
		size_t twin = *map_put(&seen, key, i, &fresh);
		size_t first = *map_put(&english, id, i, &fresh_id);
		if (!check_text(v, &t[i], err)
		    || !check_language(&t[i], fresh_id ? NULL : &t[first], err))
			return false;
		if (!fresh)
			return error_at(err, ERR_DATA, t[i].pos,
					"id: '" STR_FMT "' is listed twice, first in line %d",
					STR_ARG(t[i].id), t[twin].pos.line);
	}
	return true;
}

static bool read_texts(const char *path, struct date as_of, struct arena *a, struct vendors *out,
		       struct error *err)
{
	void *records;
	size_t n;

	if (!csv_read_records(path, text_fields, LEN(text_fields), sizeof(struct vendor_text),
			      offsetof(struct vendor_text, pos), a, &records, &n, err)
	    || !check_texts(out, records, n, a, err))
		return false;
	const struct vendor_text *t = records;
	out->texts = arena_array(a, n, sizeof *out->texts);
	for (size_t i = 0; i < n; i++)
		if (t[i].date.day <= as_of.day)
			out->texts[out->ntexts++] = t[i];
	return true;
}

bool vendors_read(const char *data_dir, struct date as_of, struct arena *a, struct vendors *out,
		  struct error *err)
{
	const char *path = str_c(a, file_join(a, str_of(data_dir), STR("vendors.csv")));
	const char *texts = str_c(a, file_join(a, str_of(data_dir), STR("vendor_texts.csv")));

	*out = (struct vendors){ 0 };
	if (!file_exists(path) && !file_exists(texts))
		return true;
	return read_vendors(path, a, out, err)
	       && (!file_exists(texts) || read_texts(texts, as_of, a, out, err));
}
