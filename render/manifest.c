#include "manifest.h"
#include "../base/csv_read.h"
#include "../base/file.h"

#include <stdint.h>
#include <stdlib.h>

struct input {
	struct str path, sha256, size;
};

static const struct csv_field input_fields[] = {
	{ "path", CSV_TEXT, true, offsetof(struct input, path) },
	{ "sha256", CSV_TEXT, true, offsetof(struct input, sha256) },
	{ "bytes", CSV_TEXT, false, offsetof(struct input, size) },
};

static int by_path(const void *pa, const void *pb)
{
	const struct manifest_line *a = pa, *b = pb;

	return str_cmp(a->path, b->path);
}

static bool add(struct manifest *m, struct manifest_line line, struct arena *a, struct error *err)
{
	/* it would read as two lines */
	if (str_find(line.path, STR("\n"), 0) < line.path.len)
		return error_set(err, ERR_DATA, "MANIFEST: a file name holds a line break");
	m->v = arena_grow(a, m->v, &m->cap, m->n + 1, sizeof *m->v);
	m->v[m->n++] = line;
	return true;
}

static bool add_inputs(const char *out_dir, struct arena *a, struct manifest *m, struct error *err)
{
	const char *path = str_c(a, file_join(a, str_of(out_dir), STR("data/inputs.csv")));
	void *records;
	size_t n;

	if (!file_exists(path))
		return true;
	if (!csv_read_records(path, input_fields, LEN(input_fields), sizeof(struct input), SIZE_MAX,
			      a, &records, &n, err))
		return false;
	for (size_t i = 0; i < n; i++) {
		const struct input *in = (const struct input *)records + i;
		struct manifest_line line = {
			.path = str_printf(a, "input:" STR_FMT, STR_ARG(in->path)),
			.sha256 = in->sha256,
			.size = in->size.len ? in->size : STR("-"),
		};
		if (!add(m, line, a, err))
			return false;
	}
	return true;
}

/* MANIFEST itself, its signatures, and the inputs that are kept: they stand in it as "input:". */
static bool is_apart(struct str path)
{
	return str_eq(path, STR("MANIFEST")) || str_eq(path, STR("MANIFEST.sig"))
	       || str_eq(path, STR("MANIFEST.minisig")) || str_starts(path, STR("inputs/"));
}

/* Files below DIR/folder under their paths relative to DIR; folder is empty or ends in '/'. */
static bool add_files(const char *out_dir, struct str folder, struct arena *a, struct manifest *m,
		      struct error *err)
{
	const char *dir = str_c(a, file_join(a, str_of(out_dir), folder));
	struct file_list files = { .n = 0 };

	if (!file_list(folder.len ? dir : out_dir, "", true, a, &files, NULL, err))
		return false;
	for (size_t i = 0; i < files.n; i++) {
		struct str path =
		    str_printf(a, STR_FMT STR_FMT, STR_ARG(folder), STR_ARG(files.v[i]));
		struct str data;
		if (is_apart(path))
			continue;
		if (!file_read(str_c(a, file_join(a, str_of(out_dir), path)), 0, a, &data, err))
			return false;
		struct manifest_line line = { .path = path,
					      .sha256 = file_sha256(a, data),
					      .size = str_printf(a, "%zu", data.len) };
		if (!add(m, line, a, err))
			return false;
	}
	return true;
}

static bool gather(const char *out_dir, struct str folder, struct arena *a, struct manifest *out,
		   struct error *err)
{
	*out = (struct manifest){ .n = 0 };
	if (!add_inputs(out_dir, a, out, err) || !add_files(out_dir, folder, a, out, err))
		return false;
	if (out->n > 0)
		qsort(out->v, out->n, sizeof *out->v, by_path);
	return true;
}

bool manifest_inputs(const char *out_dir, struct arena *a, struct manifest *out, struct error *err)
{
	return gather(out_dir, STR("data/"), a, out, err);
}

bool manifest_all(const char *out_dir, struct arena *a, struct manifest *out, struct error *err)
{
	return gather(out_dir, STR(""), a, out, err);
}

struct str manifest_text(const struct manifest *m, struct arena *a)
{
	struct strbuf b = { .arena = a };

	for (size_t i = 0; i < m->n; i++)
		strbuf_printf(&b, STR_FMT "  " STR_FMT "  " STR_FMT "\n", STR_ARG(m->v[i].sha256),
			      STR_ARG(m->v[i].size), STR_ARG(m->v[i].path));
	return strbuf_str(&b);
}

struct str manifest_edition_id(const struct manifest *inputs, struct date date, struct arena *a)
{
	struct str hash = file_sha256(a, manifest_text(inputs, a));

	return str_printf(a, STR_FMT "-" STR_FMT, STR_ARG(date_iso(a, date)),
			  STR_ARG(str_slice(hash, 0, 12)));
}
