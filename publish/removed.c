#include "removed.h"

#include "../base/csv_read.h"
#include "../base/csv_write.h"
#include "../base/file.h"

#include <stdint.h>

static const struct csv_field fields[] = {
	{ "folder", CSV_TEXT, true, offsetof(struct removed, folder) },
	{ "id", CSV_TEXT, false, offsetof(struct removed, id) },
	{ "date", CSV_DATE, true, offsetof(struct removed, date) },
	{ "title", CSV_TEXT, false, offsetof(struct removed, title) },
};

static const char *path_of(const char *out_dir, struct arena *a)
{
	return str_c(a, file_join(a, str_of(out_dir), STR("removed.csv")));
}

bool removed_read(const char *out_dir, struct arena *a, struct removed_list *out, struct error *err)
{
	const char *path = path_of(out_dir, a);
	void *records;

	*out = (struct removed_list){ 0 };
	if (!file_exists(path))
		return true;
	if (!csv_read_records(path, fields, LEN(fields), sizeof(struct removed), SIZE_MAX, a,
			      &records, &out->n, err))
		return false;
	out->v = records;
	return true;
}

bool removed_has(const struct removed_list *l, struct str folder)
{
	for (size_t i = 0; i < l->n; i++)
		if (str_eq(l->v[i].folder, folder))
			return true;
	return false;
}

static void put(struct csv_out *w, const struct removed *r)
{
	csv_put(w, r->folder);
	csv_put(w, r->id);
	csv_put_date(w, r->date);
	csv_put(w, r->title);
	csv_end_row(w);
}

bool removed_add(const char *out_dir, const struct removed_list *more, struct arena *a,
		 struct error *err)
{
	struct csv_out w = { .buf.arena = a };
	struct removed_list old;
	size_t fresh = 0;

	if (!removed_read(out_dir, a, &old, err))
		return false;
	strbuf_add(&w.buf, STR("folder,id,date,title\n"));
	for (size_t i = 0; i < old.n; i++)
		put(&w, &old.v[i]);
	for (size_t i = 0; i < more->n; i++)
		if (!removed_has(&old, more->v[i].folder)) {
			put(&w, &more->v[i]);
			fresh++;
		}
	return fresh == 0 || file_write(path_of(out_dir, a), strbuf_str(&w.buf), err);
}
