#include "store.h"

#include "removed.h"
#include "../analyze/seal.h"
#include "../base/file.h"
#include "../base/num.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DATE_LEN = 10, REVISIONS_MAX = 100000 };

bool store_parse_folder(struct str folder, struct date *date, int *revision)
{
	static const struct str mark = STR_INIT("-r");
	struct str rest = str_slice(folder, DATE_LEN, folder.len);

	*revision = 1;
	if (folder.len < DATE_LEN || !date_parse(str_slice(folder, 0, DATE_LEN), date))
		return false;
	if (rest.len == 0)
		return true;
	struct str digits = str_slice(rest, mark.len, rest.len);
	return str_starts(rest, mark) && digits.len && digits.p[0] != '0'
	       && num_parse_int(digits, revision) && *revision >= 2 && *revision <= REVISIONS_MAX;
}

static struct str folder_name(struct arena *a, struct date date, int revision)
{
	struct str iso = date_iso(a, date);

	return revision == 1 ? iso : str_printf(a, STR_FMT "-r%d", STR_ARG(iso), revision);
}

/* What lies in OUT, hidden names too; in byte order. */
static bool list_names(const char *out_dir, struct arena *a, struct file_list *out,
		       struct error *err)
{
	DIR *dir = opendir(out_dir);
	struct dirent *e;
	bool good = true;

	*out = (struct file_list){ 0 };
	if (!dir)
		return errno == ENOENT || error_errno(err, out_dir);
	while ((errno = 0, e = readdir(dir))) {
		out->v = arena_grow(a, out->v, &out->cap, out->n + 1, sizeof *out->v);
		out->v[out->n++] = str_dup(a, str_of(e->d_name));
	}
	if (errno)
		good = error_errno(err, out_dir);
	closedir(dir);
	return good;
}

/* A folder itself, no link to one. */
static bool is_real_dir(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static int by_date(const void *pa, const void *pb)
{
	const struct store_edition *x = pa, *y = pb;

	if (x->date.day != y->date.day)
		return x->date.day < y->date.day ? -1 : 1;
	return (x->revision > y->revision) - (x->revision < y->revision);
}

static void take_folder(struct store *s, struct str name, struct arena *a, struct messages *odd)
{
	struct store_edition e = { .folder = name };
	const char *path = str_c(a, file_join(a, str_of(s->dir), name));
	struct error why = { 0 };

	if (!store_parse_folder(name, &e.date, &e.revision) || !is_real_dir(path))
		return;
	if (!summary_read(path, a, &e.summary, &why)) {
		messages_add(odd, (struct pos){ path, 0, 0 }, "left out of the archive: %s",
			     why.msg);
		return;
	}
	if (e.summary.date.day != e.date.day) { /* renamed, or a copy under another name */
		messages_add(odd, (struct pos){ path, 0, 0 },
			     "left out of the archive: its summary.json is of " STR_FMT,
			     STR_ARG(date_iso(a, e.summary.date)));
		return;
	}
	s->v = arena_grow(a, s->v, &s->cap, s->n + 1, sizeof *s->v);
	s->v[s->n++] = e;
}

bool store_read(const char *out_dir, struct arena *a, struct store *out, struct messages *odd,
		struct error *err)
{
	struct file_list names;

	*out = (struct store){ .dir = out_dir };
	if (!list_names(out_dir, a, &names, err))
		return false;
	for (size_t i = 0; i < names.n; i++)
		take_folder(out, names.v[i], a, odd);
	if (out->n)
		qsort(out->v, out->n, sizeof *out->v, by_date);
	return true;
}

const struct store_edition *store_find(const struct store *s, struct str folder)
{
	for (size_t i = 0; i < s->n; i++)
		if (str_eq(s->v[i].folder, folder))
			return &s->v[i];
	return NULL;
}

const struct store_edition *store_newest(const struct store *s, struct str edition)
{
	for (size_t i = s->n; i-- > 0;)
		if (str_eq(s->v[i].summary.edition, edition))
			return &s->v[i];
	return NULL;
}

const struct store_edition *store_previous(const struct store *s, struct str edition,
					   struct date date)
{
	for (size_t i = s->n; i-- > 0;)
		if (s->v[i].date.day < date.day && str_eq(s->v[i].summary.edition, edition))
			return &s->v[i];
	return NULL;
}

static bool read_manifest(struct str dir, struct arena *a, struct str *text)
{
	struct error ignored = { 0 };

	return file_read(str_c(a, file_join(a, dir, STR("MANIFEST"))), 0, a, text, &ignored);
}

/* Whether it was made from editions/NAME.ini. */
static bool is_of(struct str manifest, struct str edition, struct arena *a)
{
	struct str line =
	    str_printf(a, "  input:editions/" STR_FMT ".ini\n", STR_ARG(str_plain(a, edition)));

	return str_find(manifest, line, 0) < manifest.len;
}

/* The next line that is not of BUILDINFO. */
static bool next_line(struct str *rest, struct str *line)
{
	while (str_cut(rest, '\n', line))
		if (!str_ends(*line, STR("  BUILDINFO")))
			return true;
	return false;
}

static bool same_manifest(struct str x, struct str y)
{
	struct str one = { 0 }, other = { 0 };
	bool more, same = true;

	do {
		more = next_line(&x, &one);
		same = next_line(&y, &other) == more && (!more || str_eq(one, other));
	} while (more && same);
	return same;
}

/* What is known of the names of one date. */
struct revisions {
	int next;          /* free for a new one */
	struct str newest; /* of the edition's name; empty: none */
	struct str manifest;
};

static bool find_revisions(const char *out_dir, struct str edition, struct date date,
			   struct arena *a, struct revisions *out, struct error *err)
{
	struct removed_list removed;
	struct file_list names;
	int revision, newest = 0;
	struct date day;

	*out = (struct revisions){ .next = 1 };
	if (!list_names(out_dir, a, &names, err) || !removed_read(out_dir, a, &removed, err))
		return false;
	for (size_t i = 0; i < names.n; i++) {
		struct str path = file_join(a, str_of(out_dir), names.v[i]), text;

		if (!store_parse_folder(names.v[i], &day, &revision) || day.day != date.day)
			continue;
		out->next = revision >= out->next ? revision + 1 : out->next;
		if (revision > newest && read_manifest(path, a, &text) && is_of(text, edition, a)) {
			newest = revision;
			out->newest = names.v[i];
			out->manifest = text;
		}
	}
	for (size_t i = 0; i < removed.n; i++)
		if (store_parse_folder(removed.v[i].folder, &day, &revision) && day.day == date.day
		    && revision >= out->next)
			out->next = revision + 1;
	return true;
}

bool store_place(const char *out_dir, const char *building, struct str edition, struct date date,
		 struct arena *a, struct str *folder, bool *fresh, struct error *err)
{
	struct revisions known;
	struct str text;

	if (!find_revisions(out_dir, edition, date, a, &known, err))
		return false;
	*fresh = true;
	if (known.newest.len && read_manifest(str_of(building), a, &text)
	    && same_manifest(known.manifest, text)) {
		*folder = known.newest;
		*fresh = false;
		return file_remove_tree(building, err);
	}
	if (known.next > REVISIONS_MAX) /* its name would be none of an edition */
		return error_set(err, ERR_DATA, "%s: no revision of " STR_FMT " is left after -r%d",
				 out_dir, STR_ARG(date_iso(a, date)), REVISIONS_MAX);
	*folder = folder_name(a, date, known.next);
	const char *path = str_c(a, file_join(a, str_of(out_dir), *folder));
	if (!file_sync_tree(building, err))
		return false;
	if (rename(building, path) != 0)
		return error_errno(err, path);
	return file_sync_dir(out_dir, err);
}

bool store_point_latest(const char *out_dir, struct str folder, struct arena *a, struct error *err)
{
	const char *path = str_c(a, file_join(a, str_of(out_dir), STR("latest")));
	char now[PATH_MAX];
	ssize_t n = readlink(path, now, sizeof now);

	if (n >= 0 && str_eq((struct str){ now, (size_t)n }, folder))
		return true;
	return file_point_link(path, str_c(a, folder), err) && file_sync_dir(out_dir, err);
}

bool store_clean(const char *out_dir, struct arena *a, struct error *err)
{
	struct file_list names;

	if (!list_names(out_dir, a, &names, err))
		return false;
	for (size_t i = 0; i < names.n; i++) {
		struct str name = names.v[i];
		const char *path = str_c(a, file_join(a, str_of(out_dir), name));
		bool folder = is_real_dir(path);

		if (folder
		    && (str_starts(name, STR(".building")) || str_starts(name, STR(".removing")))) {
			if (!file_remove_tree(path, err))
				return false;
		} else if (!folder
			   && (str_starts(name, STR(".building")) || str_ends(name, STR(".part")))
			   && unlink(path) != 0) {
			return error_errno(err, path);
		}
	}
	return true;
}
