#include "inputs.h"

#include "../analyze/seal.h"
#include "../base/csv_write.h"
#include "../base/file.h"
#include "../base/identity.h"
#include "../base/map.h"
#include "../collect/unpack.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The files of a folder, recorded under label/. */
struct input_set {
	struct str dir, label;
	const struct str *suffixes;
	size_t nsuffixes;
	bool recursive;
	bool by_name; /* its files are opened by name, and so read where a link leads */
};

static const struct str csv[] = { STR_INIT(".csv") }, ini[] = { STR_INIT(".ini") },
			any[] = { STR_INIT("") };
static const struct str sig[] = { STR_INIT(".csv.sig"),     STR_INIT(".csv.gz.sig"), STR_INIT(".csv.zst.sig"),
				  STR_INIT(".tar.sig"),     STR_INIT(".tar.gz.sig"), STR_INIT(".tar.zst.sig") };

/* By the start of their path: of the publisher's own, see inputs.h. */
static const struct str left_out[] = {
	STR_INIT("data/sources.ini"),   STR_INIT("data/price_sources.ini"),
	STR_INIT("data/accepted.csv"),  STR_INIT("data/price_accepted.csv"),
	STR_INIT("templates/archive."),
};

/* Of a predecessor: what change_read_edition() reads where there is no MANIFEST. */
static const struct str previous_files[] = {
	STR_INIT("data/edition.csv"), STR_INIT("data/inputs.csv"), STR_INIT("data/prices.csv"),
	STR_INIT("data/scores.csv"),  STR_INIT("data/values.csv"), STR_INIT("summary.json"),
};

/* Kinds of inputs as the log calls them, by the start and the end of their path, first match. */
static const struct kind {
	struct str prefix, suffix;
	const char *one, *many;
} kinds[] = {
	{ STR_INIT("previous/"), { 0 }, NULL, NULL }, /* says nothing that the others do not */
	{ STR_INIT("data/prices/"), { 0 }, "price file", "price files" },
	{ STR_INIT("data/contributions/"), STR_INIT(".sig"), "signature", "signatures" },
	{ STR_INIT("data/contributions/"), { 0 }, "contribution", "contributions" },
	{ STR_INIT("templates/"), { 0 }, "template", "templates" },
	{ STR_INIT("editions/"), { 0 }, "edition file", "edition files" },
	{ STR_INIT(""), { 0 }, "catalogue file", "catalogue files" },
};

static bool is_left_out(struct str name)
{
	for (size_t i = 0; i < LEN(left_out); i++)
		if (str_starts(name, left_out[i]))
			return true;
	return false;
}

static bool add(struct str from, struct str name, struct arena *a, struct inputs *in,
		struct error *err)
{
	const char *path = str_c(a, from);
	struct file_sum sum;
	struct stat st;

	if (stat(path, &st) != 0)
		return error_errno(err, path);
	if (st.st_size > INPUT_BYTES_MAX)
		return error_at(err, ERR_RANGE, (struct pos){ path, 0, 0 },
				"the file has %lld bytes; an edition keeps none of more than %d",
				(long long)st.st_size, INPUT_BYTES_MAX);
	if (!file_hash(path, a, &sum, err))
		return false;
	in->v = arena_grow(a, in->v, &in->cap, in->n + 1, sizeof *in->v);
	/* names of files are bytes, the table is UTF-8 */
	in->v[in->n++] = (struct input){ .path = str_plain(a, name),
					 .name = name,
					 .from = from,
					 .sha256 = sum.sha256,
					 .bytes = sum.bytes,
					 .changed = st.st_ctim };
	return true;
}

static bool add_named(const struct input_set *set, struct str file, struct arena *a,
		      struct inputs *in, struct error *err)
{
	struct str name = file_join(a, set->label, file);

	return is_left_out(name) || add(file_join(a, set->dir, file), name, a, in, err);
}

/* Links and such that file_list() passed over, but whoever opens the file by its name reads. */
static bool add_linked(const struct input_set *set, const struct messages *skipped, struct arena *a,
		       struct inputs *in, struct error *err)
{
	for (size_t i = 0; i < skipped->n; i++) {
		struct str file = str_of(skipped->v[i].pos.file);

		if (file.p[0] != '.' && file_exists(str_c(a, file_join(a, set->dir, file)))
		    && !add_named(set, file, a, in, err))
			return false;
	}
	return true;
}

static int by_name(const void *pa, const void *pb)
{
	const struct input *x = pa, *y = pb;

	return str_cmp(x->name, y->name);
}

static bool add_set(const struct input_set *set, struct arena *a, struct inputs *in,
		    struct error *err)
{
	struct messages skipped = { .arena = a };
	struct file_list files;
	size_t from = in->n;

	if (!file_is_dir(str_c(a, set->dir))) /* data/system and data/networks may be absent */
		return true;
	if (!file_list_any(str_c(a, set->dir), set->suffixes, set->nsuffixes, set->recursive, a,
			   &files, &skipped, err))
		return false;
	for (size_t i = 0; i < files.n; i++)
		if (!add_named(set, files.v[i], a, in, err))
			return false;
	if (set->by_name && !add_linked(set, &skipped, a, in, err))
		return false;
	if (in->n > from) /* in inputs/ a link has become a file: the order must not tell */
		qsort(in->v + from, in->n - from, sizeof *in->v, by_name);
	return true;
}

/* MANIFEST lists each path once: two names that only differ in bytes that str_plain() hides cannot both
 * stand there. */
static bool paths_differ(const struct inputs *in, struct arena *a, struct error *err)
{
	struct map seen = { .arena = a };
	bool fresh;

	for (size_t i = 0; i < in->n; i++) {
		map_put(&seen, in->v[i].path, i, &fresh);
		if (!fresh)
			return error_set(err, ERR_DATA,
					 "%s: two files are listed by this name; give one another",
					 str_c(a, in->v[i].path));
	}
	return true;
}

bool inputs_add_previous(const char *previous, struct arena *a, struct inputs *in,
			 struct error *err)
{
	for (size_t i = 0; i < LEN(previous_files); i++)
		if (!add(file_join(a, str_of(previous), previous_files[i]),
			 file_join(a, STR("previous"), previous_files[i]), a, in, err))
			return false;
	return true;
}

enum { PARENTS_MAX = 256 };

/* Whether a folder is another one, or, with `below`, in it; by what the folders are, not by their names:
 * there may be links on both ways. */
static bool is_in(const char *folder, const char *other, bool below, struct arena *a)
{
	struct str path = str_of(folder);
	struct stat st, up, wanted;

	if (stat(folder, &st) != 0 || stat(other, &wanted) != 0)
		return false; /* not there yet: nothing of it can be read */
	for (int i = 0; i < PARENTS_MAX; i++) {
		if (st.st_dev == wanted.st_dev && st.st_ino == wanted.st_ino)
			return true;
		path = file_join(a, path, STR(".."));
		if (!below || stat(str_c(a, path), &up) != 0
		    || (up.st_dev == st.st_dev && up.st_ino == st.st_ino)) /* the root */
			return false;
		st = up;
	}
	return false;
}

static bool check_out(const char *out_dir, const struct input_set *sets, size_t n, struct arena *a,
		      struct error *err)
{
	for (size_t i = 0; out_dir && i < n; i++) {
		const char *dir = str_c(a, sets[i].dir);

		if (is_in(out_dir, dir, sets[i].recursive, a))
			return error_set(err, ERR_USAGE,
					 "%s: editions cannot go where their inputs come from (%s)",
					 out_dir, dir);
	}
	return true;
}

bool inputs_gather(const struct inputs_options *opt, struct arena *a, struct inputs *out,
		   struct error *err)
{
	struct str root = str_of(opt->root), data = file_join(a, root, STR("data"));
	struct str contributions = opt->contributions ? str_of(opt->contributions)
						      : file_join(a, data, STR("contributions"));
	const struct input_set sets[] = {
		{ data, STR("data"), csv, LEN(csv), false, true },
		{ data, STR("data"), ini, LEN(ini), false, true },
		{ contributions, STR("data/contributions"), unpack_endings, UNPACK_KINDS, true, false },
		{ contributions, STR("data/contributions"), sig, LEN(sig), true, false },
		{ file_join(a, data, STR("contributors")), STR("data/contributors"), any, LEN(any), false,
		  true },
		{ file_join(a, data, STR("networks")), STR("data/networks"), ini, LEN(ini), false, false },
		{ file_join(a, data, STR("prices")), STR("data/prices"), csv, LEN(csv), true, false },
		{ file_join(a, data, STR("system")), STR("data/system"), csv, LEN(csv), false, true },
		{ file_join(a, root, STR("templates")), STR("templates"), any, LEN(any), false, true },
	};
	struct str edition = str_printf(a, "editions/" STR_FMT ".ini", STR_ARG(opt->edition_name));
	const char *catalogue = str_c(a, file_join(a, data, STR("devices.csv")));

	*out = (struct inputs){ 0 };
	if (!file_exists(catalogue)) /* a folder without one is the commonest slip: said first */
		return error_errno(err, catalogue);
	if (!check_out(opt->out_dir, sets, LEN(sets), a, err))
		return false;
	if (opt->contributions && file_exists(opt->contributions)
	    && !file_is_dir(opt->contributions))
		return error_set(err, ERR_ENVIRONMENT, "%s: not a folder", opt->contributions);
	for (size_t i = 0; i < LEN(sets); i++)
		if (!add_set(&sets[i], a, out, err))
			return false;
	return add(str_of(opt->edition_path), edition, a, out, err) && paths_differ(out, a, err)
	       && (!opt->previous || inputs_add_previous(opt->previous, a, out, err));
}

bool input_same(const struct input *x, const struct input *y)
{
	return str_eq(x->path, y->path) && str_eq(x->sha256, y->sha256)
	       && (str_starts(x->path, STR("previous/"))
		   || identity_same_time(x->changed, y->changed));
}

struct str inputs_csv(const struct inputs *in, struct arena *a)
{
	struct csv_out w = { .buf.arena = a };

	strbuf_add(&w.buf, STR("path,sha256,bytes\n"));
	for (size_t i = 0; i < in->n; i++) {
		csv_put(&w, in->v[i].path);
		csv_put(&w, in->v[i].sha256);
		csv_put_int(&w, (long)in->v[i].bytes);
		csv_end_row(&w);
	}
	return strbuf_str(&w.buf);
}

/* The input lines of an edition's MANIFEST: path to index into seal->v. */
static bool read_kept(const char *dir, struct arena *a, struct seal *seal, struct map *by_path)
{
	static const struct str mark = STR_INIT("input:");
	struct error ignored = { 0 };

	*by_path = (struct map){ .arena = a };
	if (!seal_read(dir, a, seal, &ignored) || !seal->file)
		return false;
	for (size_t i = 0; i < seal->n; i++) {
		struct str path = seal->v[i].path;

		if (str_starts(path, mark))
			map_put(by_path, str_slice(path, mark.len, path.len), i, NULL);
	}
	return true;
}

static size_t kind_of(struct str path)
{
	size_t k = 0;

	while (!str_starts(path, kinds[k].prefix)
	       || !str_ends(path, kinds[k].suffix)) /* the last one fits all */
		k++;
	return k;
}

enum move { MOVE_NEW, MOVE_CHANGED, MOVE_GONE, MOVES };

static struct str moves_text(size_t count[LEN(kinds)][MOVES], struct arena *a)
{
	static const char *const words[MOVES] = { "new", "changed", "gone" };
	struct strbuf b = { .arena = a };

	for (size_t k = 0; k < LEN(kinds); k++)
		for (size_t m = 0; kinds[k].one && m < MOVES; m++)
			if (count[k][m])
				strbuf_printf(&b, "%s%zu %s %s", b.len ? ", " : "", count[k][m],
					      count[k][m] == 1 ? kinds[k].one : kinds[k].many,
					      words[m]);
	return strbuf_str(&b);
}

struct str inputs_moves(const char *dir, const struct inputs *now, struct arena *a)
{
	size_t count[LEN(kinds)][MOVES] = { { 0 } };
	struct map kept;
	struct seal seal;

	if (!read_kept(dir, a, &seal, &kept))
		return STR("");
	bool *met = arena_array(a, seal.n, sizeof *met);
	for (size_t i = 0; i < now->n; i++) {
		const size_t *at = map_get(&kept, now->v[i].path);

		if (!at)
			count[kind_of(now->v[i].path)][MOVE_NEW]++;
		else if (!str_eq(seal.v[*at].sha256, now->v[i].sha256))
			count[kind_of(now->v[i].path)][MOVE_CHANGED]++;
		if (at)
			met[*at] = true;
	}
	for (size_t i = 0; i < seal.n; i++)
		if (!met[i] && str_starts(seal.v[i].path, STR("input:")))
			count[kind_of(str_slice(seal.v[i].path, 6, seal.v[i].path.len))]
			     [MOVE_GONE]++;
	return moves_text(count, a);
}

/* The folder that a file of inputs/ goes to; *last is the one made before. */
static bool make_folder(struct str path, struct str *last, struct arena *a, struct error *err)
{
	size_t end = path.len;

	while (path.p[end - 1] != '/')
		end--;
	struct str folder = str_slice(path, 0, end - 1);
	if (str_eq(folder, *last))
		return true;
	*last = folder;
	return file_make_dirs(str_c(a, folder), err);
}

static bool keep_copy(const struct input *in, const char *to, struct arena *a, struct error *err)
{
	struct file_sum sum;

	if (!file_copy(str_c(a, in->from), to, a, &sum, err))
		return false;
	if (sum.bytes != in->bytes || !str_eq(sum.sha256, in->sha256))
		return error_set(err, ERR_DATA, "%s: changed while the edition was made",
				 str_c(a, str_plain(a, in->from)));
	return true;
}

/* The predecessor's own files, where it is a placed edition: nobody may write to them any more. */
static bool link_previous(const struct input *in, const char *to, struct arena *a)
{
	const char *from = str_c(a, in->from);
	struct stat st;

	return str_starts(in->name, STR("previous/")) && lstat(from, &st) == 0
	       && S_ISREG(st.st_mode) && !(st.st_mode & 0222) && link(from, to) == 0;
}

bool inputs_keep(const struct inputs *in, const char *dir, const char *from, struct arena *a,
		 struct error *err)
{
	struct str to_dir = file_join(a, str_of(dir), STR("inputs")), last = STR("");
	struct map kept;
	struct seal seal;
	bool linking = from && read_kept(from, a, &seal, &kept);

	for (size_t i = 0; i < in->n; i++) {
		const struct input *v = &in->v[i];
		struct str path = file_join(a, to_dir, v->name);
		const char *to = str_c(a, path);

		if (!make_folder(path, &last, a, err))
			return false;
		const size_t *at = linking ? map_get(&kept, v->path) : NULL;
		if (at && str_eq(seal.v[*at].sha256, v->sha256)) {
			const char *old =
			    str_c(a, str_printf(a, "%s/inputs/" STR_FMT, from, STR_ARG(v->name)));
			/* compared, so that what has rotten there is not handed on */
			if (file_same(old, str_c(a, v->from)) && link(old, to) == 0)
				continue;
		}
		if (!link_previous(v, to, a) && !keep_copy(v, to, a, err))
			return false;
	}
	return true;
}
