#include "verify.h"

#include "../analyze/seal.h"
#include "../base/csv_read.h"
#include "../base/file.h"
#include "../base/map.h"
#include "../render/manifest.h"

#include <limits.h>
#include <string.h>

#define INPUT_PREFIX STR("input:")
#define INPUT_FOLDER STR("inputs/")

enum {
	SIZE_DIGITS_MAX = 15,
	TABLE_MAX = 64 << 20,
	STATED_MAX = 64 << 20,
	SIGNATURE_MAX = 64 << 10
};

/* By enum verify_problem. */
static const char *const problem_names[VERIFY_PROBLEMS] = {
	[VERIFY_MISSING] = "missing",
	[VERIFY_CHANGED] = "changed",
	[VERIFY_NOT_A_FILE] = "not-a-file",
	[VERIFY_UNLISTED] = "unlisted",
	[VERIFY_CONTRADICTS] = "contradicts",
	[VERIFY_DIFFERS] = "differs",
	[VERIFY_ONLY_IN_EDITION] = "only-in-edition",
	[VERIFY_ONLY_IN_REBUILD] = "only-in-rebuild",
};

/* What is not listed in MANIFEST: it cannot hold its own hash, and a signature comes after it. */
static const struct str outside[] = { STR_INIT("MANIFEST"), STR_INIT("MANIFEST.sig"),
				      STR_INIT("MANIFEST.minisig") };

const char *verify_problem_name(enum verify_problem p)
{
	return problem_names[p];
}

static bool is_outside(struct str path)
{
	for (size_t i = 0; i < LEN(outside); i++)
		if (str_eq(path, outside[i]))
			return true;
	return false;
}

static void find_fault(struct verify *v, struct str file, enum verify_problem p, struct str detail)
{
	struct verify_findings *f = &v->findings;

	f->v = arena_grow(v->arena, f->v, &f->cap, f->n + 1, sizeof *f->v);
	f->v[f->n++] =
	    (struct verify_finding){ str_plain(v->arena, file), p, str_plain(v->arena, detail) };
}

/* A path below the folder, of plain characters, that leads nowhere else. */
static const char *path_fault(struct str path, struct arena *a)
{
	struct str rest = path, part;

	if (path.len == 0)
		return "no path";
	if (path.len >= PATH_MAX / 2)
		return "the path is too long";
	if (!str_eq(str_plain(a, path), path))
		return "the path is not plain text";
	while (str_cut(&rest, '/', &part))
		if (part.len == 0 || str_eq(part, STR(".")) || str_eq(part, STR("..")))
			return "the path leads out of the edition";
	return NULL;
}

static bool is_size(struct str s, bool may_lack)
{
	if (may_lack && str_eq(s, STR("-")))
		return true;
	for (size_t i = 0; i < s.len; i++)
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
	return s.len > 0 && s.len <= SIZE_DIGITS_MAX && (s.len == 1 || s.p[0] != '0');
}

static bool take_line(struct verify *v, const struct seal_line *line, struct pos pos,
		      struct error *err)
{
	bool input = str_starts(line->path, INPUT_PREFIX);
	struct str path = str_slice(line->path, input ? INPUT_PREFIX.len : 0, line->path.len);
	const char *fault = path_fault(path, v->arena);

	if (!fault && !input && (is_outside(path) || str_starts(path, INPUT_FOLDER)))
		fault = "it is not listed under this name";
	if (fault)
		return error_at(err, ERR_SYNTAX, pos, "path: '" STR_FMT "': %s",
				STR_ARG(str_plain(v->arena, str_slice(line->path, 0, 100))), fault);
	if (!is_size(line->size, input))
		return error_at(err, ERR_SYNTAX, pos, "size: '" STR_FMT "' is not a count of bytes",
				STR_ARG(str_plain(v->arena, str_slice(line->size, 0, 100))));
	v->files[v->n++] = (struct verify_file){
		.path = input ? file_join(v->arena, INPUT_FOLDER, path) : path,
		.sha256 = line->sha256,
		.size = line->size,
		.input = input,
	};
	v->ninputs += input;
	return true;
}

static bool take_manifest(struct verify *v, const char *file, struct error *err)
{
	struct seal seal;

	if (!seal_parse(v->manifest, file, v->arena, &seal, err))
		return false;
	v->files = arena_array(v->arena, seal.n, sizeof *v->files);
	for (size_t i = 0; i < seal.n; i++) {
		struct pos pos = { file, (int)i + 1, 1 };
		int order = i ? str_cmp(seal.v[i - 1].path, seal.v[i].path) : -1;

		if (order >= 0)
			return error_at(
			    err, ERR_DATA, pos, "path: '" STR_FMT "' %s",
			    STR_ARG(str_plain(v->arena, str_slice(seal.v[i].path, 0, 100))),
			    order ? "is not in byte order" : "stands there twice");
		if (!take_line(v, &seal.v[i], pos, err))
			return false;
	}
	return true;
}

bool verify_open(const char *dir, struct arena *a, struct verify *out, struct error *err)
{
	const char *file = str_c(a, file_join(a, str_of(dir), STR("MANIFEST")));
	const struct folder_entry *e;

	*out = (struct verify){ .folder = { .fd = -1 }, .arena = a };
	if (!folder_open(dir, &out->folder, err)
	    || !folder_list(&out->folder, a, &out->entries, err))
		return false;
	e = folder_find(&out->entries, STR("MANIFEST"));
	if (!e)
		return error_set(err, ERR_DATA, "%s: no edition: it has no MANIFEST", dir);
	if (e->kind != FOLDER_FILE)
		return error_set(err, ERR_DATA, "%s: not a regular file", file);
	return folder_read(&out->folder, STR("MANIFEST"), VERIFY_MANIFEST_MAX, a, &out->manifest,
			   err)
	       && take_manifest(out, file, err);
}

void verify_close(struct verify *v)
{
	folder_close(&v->folder);
}

/* Of every entry whether MANIFEST lists it. */
struct listed {
	bool *entry;
};

/* The file of a line. A name that is not UTF-8 is listed as str_plain() shows it. */
static const struct folder_entry *entry_of(const struct verify *v, const struct map *plain,
					   struct str path)
{
	const struct folder_entry *e = folder_find(&v->entries, path);
	const size_t *at = e ? NULL : map_get(plain, path);

	return at ? &v->entries.v[*at] : e;
}

static bool check_file(struct verify *v, struct verify_file *f, const struct folder_entry *e,
		       struct error *err)
{
	struct folder_sum sum;
	struct arena *a = v->arena;

	if (!e) {
		find_fault(v, f->path, VERIFY_MISSING, (struct str){ 0 });
		return true;
	}
	f->name = e->name;
	if (e->kind != FOLDER_FILE) {
		find_fault(v, f->path, VERIFY_NOT_A_FILE,
			   e->kind == FOLDER_LINK ? STR("a symbolic link")
						  : STR("a device, socket or FIFO"));
		return true;
	}
	if (!folder_hash(&v->folder, e->name, VERIFY_FILE_MAX, a, &sum, err))
		return false;
	if (!str_eq(f->size, STR("-")) && !str_eq(f->size, str_printf(a, "%zu", sum.bytes)))
		find_fault(v, f->path, VERIFY_CHANGED,
			   str_printf(a, "%zu bytes, MANIFEST says " STR_FMT, sum.bytes,
				      STR_ARG(f->size)));
	else if (!str_eq(f->sha256, sum.sha256))
		find_fault(v, f->path, VERIFY_CHANGED,
			   STR("its SHA-256 is not the one in MANIFEST"));
	else
		f->good = true;
	return true;
}

/* Names that are not what str_plain() shows, by what it shows. */
static struct map plain_names(const struct verify *v)
{
	struct map m = { .arena = v->arena };

	for (size_t i = 0; i < v->entries.n; i++) {
		struct str plain = str_plain(v->arena, v->entries.v[i].name);

		if (!str_eq(plain, v->entries.v[i].name))
			map_put(&m, plain, i, NULL);
	}
	return m;
}

static bool check_listed(struct verify *v, struct listed *listed, struct error *err)
{
	struct map plain = plain_names(v);

	for (size_t i = 0; i < v->n; i++) {
		struct verify_file *f = &v->files[i];
		const struct folder_entry *e = entry_of(v, &plain, f->path);

		if (e)
			listed->entry[e - v->entries.v] = true;
		if (f->input && !v->keeps_inputs)
			continue;
		if (!check_file(v, f, e, err))
			return false;
	}
	return true;
}

static void check_unlisted(struct verify *v, const struct listed *listed)
{
	for (size_t i = 0; i < v->entries.n; i++) {
		const struct folder_entry *e = &v->entries.v[i];

		if (is_outside(e->name) && e->kind != FOLDER_FILE)
			find_fault(v, e->name, VERIFY_NOT_A_FILE, (struct str){ 0 });
		else if (!listed->entry[i] && !is_outside(e->name))
			find_fault(v, e->name, VERIFY_UNLISTED,
				   e->kind == FOLDER_FILE ? (struct str){ 0 }
							  : STR("and not a file"));
	}
}

/* Reads a file of the edition that is as listed; false: it is not, or it is too large, which is
 * found. */
static bool read_listed(struct verify *v, struct str path, size_t limit, struct str *out)
{
	struct error why = { 0 };

	for (size_t i = 0; i < v->n; i++)
		if (str_eq(v->files[i].path, path) && v->files[i].good) {
			if (folder_read(&v->folder, v->files[i].name, limit, v->arena, out, &why))
				return true;
			find_fault(v, path, VERIFY_CONTRADICTS, str_of(why.msg));
		}
	return false;
}

static int column_of(const struct csv_table *t, const char *name)
{
	for (size_t i = 0; i < t->header.n; i++)
		if (str_eq(t->header.cells[i].text, str_of(name)))
			return (int)i;
	return -1;
}

static struct str cell_of(const struct csv_row *row, int column)
{
	return column >= 0 && (size_t)column < row->n ? row->cells[column].text : (struct str){ 0 };
}

static bool read_table(struct verify *v, struct str path, struct csv_table *t)
{
	struct error why = { 0 };
	struct str text;

	if (!read_listed(v, path, TABLE_MAX, &text))
		return false;
	if (csv_parse_text(text, str_c(v->arena, path), v->arena, t, &why))
		return true;
	find_fault(v, path, VERIFY_CONTRADICTS, str_of(why.msg));
	return false;
}

/* The date of data/edition.csv and the hash of MANIFEST's lines of inputs and data
 * (render/manifest.h). */
static void compute_id(struct verify *v)
{
	struct manifest m = { .v = arena_array(v->arena, v->n, sizeof *m.v) };
	struct csv_table t;
	struct date date;

	if (!read_table(v, STR("data/edition.csv"), &t))
		return;
	for (size_t i = 0; i < v->n; i++) {
		const struct verify_file *f = &v->files[i];
		struct str path = f->path;

		if (f->input)
			path = str_printf(v->arena, "input:" STR_FMT,
					  STR_ARG(str_slice(path, INPUT_FOLDER.len, path.len)));
		else if (!str_starts(path, STR("data/")))
			continue;
		m.v[m.n++] = (struct manifest_line){ path, f->sha256, f->size };
	}
	for (size_t i = 0; i < t.n; i++)
		if (str_eq(cell_of(&t.rows[i], 0), STR("date"))
		    && date_parse(cell_of(&t.rows[i], 1), &date)) {
			v->id = manifest_edition_id(&m, date, v->arena);
			return;
		}
	find_fault(v, STR("data/edition.csv"), VERIFY_CONTRADICTS, STR("it has no date"));
}

/* Where an edition says its own id: behind the first `mark` of the file. */
static const struct stated {
	struct str file, mark;
} stated[] = {
	{ STR_INIT("CITATION.cff"), STR_INIT("\nversion: \"") },
	{ STR_INIT("citation.bib"), STR_INIT("@misc{gpuguide-") },
	{ STR_INIT("report.json"), STR_INIT("\"id\": \"") },
	{ STR_INIT("summary.json"), STR_INIT("\"id\": \"") },
};

static void check_ids(struct verify *v)
{
	struct str text;

	compute_id(v);
	for (size_t i = 0; v->id.len > 0 && i < LEN(stated); i++) {
		if (!read_listed(v, stated[i].file, STATED_MAX, &text))
			continue;
		size_t at = str_find(text, stated[i].mark, 0) + stated[i].mark.len;
		struct str id = str_slice(text, at, at + v->id.len);

		if (!str_eq(id, v->id))
			find_fault(v, stated[i].file, VERIFY_CONTRADICTS,
				   str_printf(v->arena,
					      "it says the id " STR_FMT
					      ", MANIFEST makes it " STR_FMT,
					      STR_ARG(id), STR_ARG(v->id)));
	}
}

/* Both lists of the inputs say the same of each. */
static void check_inputs(struct verify *v)
{
	static const struct str file = STR_INIT("data/inputs.csv");
	struct map rows = { .arena = v->arena };
	struct csv_table t;
	size_t same = 0;

	if (!read_table(v, file, &t))
		return;
	int path = column_of(&t, "path"), sha256 = column_of(&t, "sha256"),
	    bytes = column_of(&t, "bytes");
	for (size_t i = 0; i < t.n; i++)
		map_put(&rows, cell_of(&t.rows[i], path), i, NULL);
	for (size_t i = 0; i < v->n; i++) {
		const struct verify_file *f = &v->files[i];
		struct str below = str_slice(f->path, INPUT_FOLDER.len, f->path.len);
		const size_t *row = f->input ? map_get(&rows, below) : NULL;

		same += row && str_eq(cell_of(&t.rows[*row], sha256), f->sha256)
			&& (str_eq(f->size, STR("-"))
			    || str_eq(cell_of(&t.rows[*row], bytes), f->size));
	}
	if (same != v->ninputs || same != t.n)
		find_fault(
		    v, file, VERIFY_CONTRADICTS,
		    str_printf(v->arena,
			       "%zu of its %zu inputs are as MANIFEST lists them, which has %zu",
			       same, t.n, v->ninputs));
}

static void read_buildinfo(struct verify *v)
{
	struct error why = { 0 };
	struct str text;

	if (!read_listed(v, STR("BUILDINFO"), STATED_MAX, &text))
		return;
	v->has_buildinfo = buildinfo_parse(text, "BUILDINFO", v->arena, &v->made, &why);
	if (!v->has_buildinfo)
		find_fault(v, STR("BUILDINFO"), VERIFY_CONTRADICTS, str_of(why.msg));
}

bool verify_files(struct verify *v, struct error *err)
{
	struct listed listed = { arena_array(v->arena, v->entries.n, sizeof *listed.entry) };

	for (size_t i = 0; i < v->entries.n; i++)
		v->keeps_inputs |= str_starts(v->entries.v[i].name, INPUT_FOLDER);
	if (!check_listed(v, &listed, err))
		return false;
	check_unlisted(v, &listed);
	check_ids(v);
	check_inputs(v);
	read_buildinfo(v);
	return true;
}

/* By enum sign_tool. */
static const struct str signature_files[] = {
	[SIGN_NONE] = { NULL, 0 },
	[SIGN_SSH] = STR_INIT("MANIFEST.sig"),
	[SIGN_MINISIGN] = STR_INIT("MANIFEST.minisig"),
};

bool verify_signature(const struct verify *v, enum sign_tool tool, const char *signers,
		      const char *work, struct sign_check *out, struct error *err)
{
	const struct folder_entry *e = folder_find(&v->entries, signature_files[tool]);
	struct error why = { 0 };
	struct str signature;

	*out = (struct sign_check){ .state = SIGN_ABSENT, .tool = tool };
	if (!e)
		return true;
	if (!folder_read(&v->folder, e->name, SIGNATURE_MAX, v->arena, &signature, &why)) {
		out->state = SIGN_BAD;
		out->reason = str_plain(v->arena, str_of(why.msg));
		return true;
	}
	return sign_verify(tool, v->manifest, signature, signers, work, v->arena, out, err);
}

bool verify_copy_inputs(const struct verify *v, const char *to, struct error *err)
{
	struct arena scratch = { 0 };
	bool good = file_make_dirs(to, err);

	for (size_t i = 0; good && i < v->n; i++) {
		const struct verify_file *f = &v->files[i];
		struct str below = str_slice(f->name, INPUT_FOLDER.len, f->name.len),
			   folder = below;
		struct folder_sum sum;

		if (!f->input)
			continue;
		while (folder.len > 0 && folder.p[folder.len - 1] != '/')
			folder.len--;
		good = file_make_dirs(str_c(&scratch, file_join(&scratch, str_of(to), folder)), err)
		       && folder_copy(&v->folder, f->name, VERIFY_FILE_MAX,
				      str_c(&scratch, file_join(&scratch, str_of(to), below)),
				      &scratch, &sum, err);
		if (good && !str_eq(sum.sha256, f->sha256))
			good = error_set(err, ERR_DATA, "%s: changed while it was verified",
					 str_c(&scratch, f->path));
	}
	arena_free(&scratch);
	return good;
}
