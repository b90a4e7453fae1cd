#include "ledger.h"

#include "../base/csv_read.h"
#include "../base/csv_write.h"
#include "../base/file.h"

#define AT(member) offsetof(struct ledger_row, member)
static const struct csv_field fields[] = {
	{ "sha256", CSV_TEXT, true, AT(sha256) },   { "series", CSV_TEXT, false, AT(series) },
	{ "file", CSV_TEXT, true, AT(file) },       { "source", CSV_TEXT, true, AT(source) },
	{ "origin", CSV_TEXT, true, AT(origin) },   { "date", CSV_DATE, true, AT(date) },
	{ "bytes", CSV_COUNT, true, AT(bytes) },
};

/* As it is read back from the file. */
static struct str kept_name(struct arena *a, struct str origin)
{
	return str_trim(str_plain(a, origin));
}

static struct str place_key(struct arena *a, struct str source, struct str origin)
{
	struct str name = kept_name(a, origin);

	return str_printf(a, STR_FMT "\n" STR_FMT, STR_ARG(source), STR_ARG(name));
}

static struct str exact_key(struct arena *a, struct str source, struct str origin,
			    struct str sha256)
{
	struct str place = place_key(a, source, origin);

	return str_printf(a, STR_FMT "\n" STR_FMT, STR_ARG(place), STR_ARG(sha256));
}

static bool is_sum(struct str s)
{
	for (size_t i = 0; i < s.len; i++)
		if (!(s.p[i] >= '0' && s.p[i] <= '9') && !(s.p[i] >= 'a' && s.p[i] <= 'f'))
			return false;
	return s.len == 64;
}

/* Whether a relative path stays below its folder: no part of it is empty, "." or "..". */
static bool stays_below(struct str path)
{
	struct str part;

	while (str_cut(&path, '/', &part))
		if (part.len == 0 || str_eq(part, STR(".")) || str_eq(part, STR("..")))
			return false;
	return true;
}

/* Somebody may have changed the row: it must not lead out of data/contributions. */
static bool check_row(const struct ledger_row *r, struct error *err)
{
	if (!is_sum(r->sha256))
		return error_at(err, ERR_SYNTAX, r->pos,
				"sha256: '" STR_FMT "' is not 64 small hex digits",
				STR_ARG(r->sha256));
	if ((r->series.len && !stays_below(r->series))
	    || str_find(r->series, STR("/"), 0) < r->series.len)
		return error_at(err, ERR_SYNTAX, r->pos,
				"series: '" STR_FMT "' is not the name of a folder",
				STR_ARG(r->series));
	if (!stays_below(r->file))
		return error_at(err, ERR_SYNTAX, r->pos,
				"file: '" STR_FMT "' is not a path below data/contributions",
				STR_ARG(r->file));
	return true;
}

static void enter(struct ledger *l, size_t i)
{
	const struct ledger_row *r = &l->v[i];

	struct str place = place_key(l->arena, r->source, r->origin);

	map_put(&l->exact, exact_key(l->arena, r->source, r->origin, r->sha256), i, NULL);
	*map_put(&l->newest, place, i, NULL) = i;
	map_put(&l->oldest, place, i, NULL);
	map_put(&l->content, r->sha256, i, NULL);
}

bool ledger_read(const char *path, struct arena *a, struct ledger *out, struct error *err)
{
	void *v;

	*out = (struct ledger){ .path = path, .arena = a, .exact.arena = a, .newest.arena = a,
				.oldest.arena = a, .content.arena = a };
	if (!file_exists(path))
		return true;
	if (!csv_read_records(path, fields, LEN(fields), sizeof *out->v, AT(pos), a, &v, &out->n,
			      err))
		return false;
	out->v = v;
	out->cap = out->n;
	for (size_t i = 0; i < out->n; i++) {
		if (!check_row(&out->v[i], err))
			return false;
		enter(out, i);
	}
	return true;
}

static const struct ledger_row *row_at(const struct ledger *l, const size_t *i)
{
	return i ? &l->v[*i] : NULL;
}

const struct ledger_row *ledger_find(const struct ledger *l, struct str source, struct str origin,
				     struct str sha256)
{
	return row_at(l, map_get(&l->exact, exact_key(l->arena, source, origin, sha256)));
}

const struct ledger_row *ledger_newest(const struct ledger *l, struct str source, struct str origin)
{
	return row_at(l, map_get(&l->newest, place_key(l->arena, source, origin)));
}

const struct ledger_row *ledger_oldest(const struct ledger *l, struct str source, struct str origin)
{
	return row_at(l, map_get(&l->oldest, place_key(l->arena, source, origin)));
}

const struct ledger_row *ledger_content(const struct ledger *l, struct str sha256)
{
	return row_at(l, map_get(&l->content, sha256));
}

struct str ledger_stored(const struct ledger_row *r, struct arena *a)
{
	return file_join(a, r->series, r->file);
}

void ledger_add(struct ledger *l, const struct ledger_row *row)
{
	l->v = arena_grow(l->arena, l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n] = *row;
	l->v[l->n].origin = kept_name(l->arena, row->origin);
	enter(l, l->n++);
	l->changed = true;
}

bool ledger_write(struct ledger *l, struct error *err)
{
	struct arena scratch = { 0 };
	struct csv_out w = { .buf.arena = &scratch };

	if (!l->changed)
		return true;
	for (size_t i = 0; i < LEN(fields); i++)
		csv_put(&w, str_of(fields[i].name));
	csv_end_row(&w);
	for (size_t i = 0; i < l->n; i++) {
		const struct ledger_row *r = &l->v[i];

		csv_put(&w, r->sha256);
		csv_put(&w, r->series);
		csv_put(&w, r->file);
		csv_put(&w, r->source);
		csv_put(&w, r->origin);
		csv_put_date(&w, r->date);
		csv_put_int(&w, r->bytes);
		csv_end_row(&w);
	}
	bool good = file_write(l->path, strbuf_str(&w.buf), err);
	l->changed = !good;
	arena_free(&scratch);
	return good;
}
