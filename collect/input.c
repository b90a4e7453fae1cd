#define _XOPEN_SOURCE 700 /* realpath */

#include "input.h"

#include "signature.h"
#include "../base/file.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const struct str standard_input = STR_INIT("stdin");

static size_t series_number(struct collection *c, struct str name)
{
	size_t cap = c->series.cap, series = names_put(&c->series, name, NULL);

	if (c->series.cap != cap) {
		struct series_count *more = arena_array(c->arena, c->series.cap, sizeof *more);
		if (series)
			memcpy(more, c->counts, series * sizeof *more);
		c->counts = more;
	}
	if (c->counts[series].files == 0 && c->counts[series].rows == 0)
		c->counts[series].newest_row.day = INT_MIN;
	return series;
}

/* The last name of a path: all of it where there is no '/'. */
static struct str last_name(struct str path)
{
	size_t at = path.len;

	while (at > 0 && path.p[at - 1] != '/')
		at--;
	return str_slice(path, at, path.len);
}

/* The folder part of a path without its last '/'; empty where there is none. */
static struct str folder_of(struct str path)
{
	size_t len = path.len - last_name(path).len;

	return str_slice(path, 0, len > 1 ? len - 1 : len);
}

/* Without links, "." and ".."; empty: it cannot be told, see errno. */
static struct str real_path(struct arena *a, const char *path)
{
	char *real = realpath(path, NULL);
	struct str copy = { 0 };

	if (real)
		copy = str_dup(a, str_of(real));
	free(real);
	return copy;
}

/* The name of the folder itself, whatever it was called by ("." or "x/..").
 * real  out: its path */
static bool folder_name(struct arena *a, struct str folder, struct str *real, struct str *out,
			struct error *err)
{
	const char *path = folder.len ? str_c(a, folder) : ".";

	*real = real_path(a, path);
	if (real->len == 0)
		return error_errno(err, path);
	*out = str_plain(a, last_name(*real));
	if (out->len == 0)
		*out = STR("root"); /* the folder / has no name */
	return true;
}

struct finder {
	struct collection *c;
	struct map seen; /* real paths */
	struct str_list excluded;
	size_t *nexcluded; /* files left out by name in excluded */
	const struct series_list *described;
	enum trust least;
	struct names below; /* series with files under `least`, in step with nbelow */
	size_t *nbelow, nbelow_cap;
};

static bool is_excluded(struct finder *f, struct str series)
{
	for (size_t i = 0; i < f->excluded.n; i++)
		if (str_eq(f->excluded.v[i], series)) {
			f->nexcluded[i]++;
			return true;
		}
	return false;
}

/* Signed is what has a signature: one that does not hold makes no less of it, but refuses it. */
static enum trust trust_of(const struct finder *f, struct str series, bool has_signature)
{
	return has_signature ? TRUST_SIGNED : trust_of_series(series_find(f->described, series));
}

/* By what its signature is known; empty: it has none. */
static struct str find_signature(struct finder *f, struct str path, struct str name)
{
	struct arena scratch = { .block_size = 1 << 12 };
	enum signature_place place = signature_place(path, &scratch);

	arena_free(&scratch);
	if (place == SIGNATURE_ODD)
		messages_add(
		    f->c->messages, (struct pos){ str_c(f->c->arena, name), 0, 0 },
		    "its signature is no regular file: passed over, the file counts as unsigned");
	return place == SIGNATURE_FILE ? signature_sum(path, f->c->arena) : (struct str){ 0 };
}

static bool is_below(struct finder *f, struct str series, enum trust trust)
{
	bool fresh;

	if (trust >= f->least)
		return false;
	size_t at = names_put(&f->below, series, &fresh);
	f->nbelow = arena_grow(f->c->arena, f->nbelow, &f->nbelow_cap, at + 1, sizeof *f->nbelow);
	f->nbelow[at] = fresh ? 1 : f->nbelow[at] + 1;
	return true;
}

/* A file that lies somewhere, or standard input. */
struct found {
	struct str path, name, series;
	struct str real;      /* path without links; empty: it is not known yet */
	struct str signature; /* as in struct input */
	enum trust trust;
};

/* Whether the file was given before, under whatever name. */
static bool is_known(struct finder *f, const struct found *file)
{
	struct arena *a = f->c->arena;
	struct str real = file->real.len ? file->real : real_path(a, str_c(a, file->path));
	bool fresh = true;

	if (real.len) /* else reading it will tell why */
		map_put(&f->seen, real, 0, &fresh);
	if (!fresh)
		messages_add(f->c->messages, (struct pos){ str_c(a, file->name), 0, 0 },
			     "given twice, read once");
	return !fresh;
}

static struct input *push(struct finder *f, const struct found *file)
{
	struct collection *c = f->c;

	c->inputs =
	    arena_grow(c->arena, c->inputs, &c->inputs_cap, c->ninputs + 1, sizeof *c->inputs);
	c->inputs[c->ninputs] = (struct input){
		.path = file->path,
		.name = file->name,
		.key = str_printf(c->arena, STR_FMT "/" STR_FMT, STR_ARG(file->series),
				  STR_ARG(last_name(file->name))),
		.series = series_number(c, file->series),
		.name_c = str_c(c->arena, file->name),
		.has_signature = file->signature.len > 0,
		.signature = file->signature,
		.trust = file->trust,
	};
	return &c->inputs[c->ninputs++];
}

/* Its place in an archive is told behind the name of the archive. */
static void push_member(struct finder *f, const struct found *file, const struct packed *p,
			size_t member)
{
	struct arena *a = f->c->arena;
	const struct packed_member *m = &p->v[member];
	struct input *input = push(f, file);

	if (unpack_is_archive(p->kind)) {
		input->name = str_printf(a, STR_FMT ":" STR_FMT, STR_ARG(file->name),
					 STR_ARG(m->name));
		input->key = str_printf(a, STR_FMT ":" STR_FMT, STR_ARG(input->key),
					STR_ARG(m->name));
		input->name_c = str_c(a, input->name);
	}
	input->fault = m->fault;
	input->over_limit = m->over_limit;
	input->packed = p;
	input->member = member;
}

static void report_passed_over(struct finder *f, const struct found *file, const struct packed *p)
{
	struct messages *m = f->c->messages;
	struct pos pos = { str_c(f->c->arena, file->name), 0, 0 };

	if (p->hidden)
		messages_add(m, pos, "passed over in it: %zu hidden names", p->hidden);
	if (p->others)
		messages_add(m, pos, "passed over in it: %zu files that do not end in .csv",
			     p->others);
}

static void push_faulty(struct finder *f, const struct found *file, const struct packed *p)
{
	struct input *input = push(f, file);

	input->fault = p->fault;
	input->over_limit = p->over_limit;
}

static bool push_packed(struct finder *f, const struct found *file, enum unpack_kind kind,
			struct error *err)
{
	struct arena *a = f->c->arena;
	struct packed *p = arena_alloc(a, sizeof *p);
	const char *path = str_c(a, file->path);

	if (!(file->signature.len ? packed_look_signed(path, kind, NULL, a, p, err)
				  : packed_look(path, kind, NULL, a, p, err)))
		return false;
	report_passed_over(f, file, p);
	if (p->fault.len)
		push_faulty(f, file, p);
	for (size_t i = 0; p->fault.len == 0 && i < p->n; i++)
		push_member(f, file, p, i);
	return true;
}

static bool add(struct finder *f, struct found *file, struct error *err)
{
	enum unpack_kind kind = unpack_kind_of(file->path);

	if (is_excluded(f, file->series)
	    || (file->path.len && is_known(f, file)))
		return true;
	file->signature = find_signature(f, file->path, file->name);
	file->trust = trust_of(f, file->series, file->signature.len > 0);
	if (is_below(f, file->series, file->trust))
		return true;
	if (kind != UNPACK_CSV && kind < UNPACK_KINDS)
		return push_packed(f, file, kind, err);
	struct input *input = push(f, file);
	if (kind == UNPACK_UNREAD)
		input->fault = str_of(unpack_read_kinds);
	return true;
}

/* In a folder they may lie for other reasons. */
static bool is_unread(struct finder *f, struct str name)
{
	if (unpack_kind_of(name) != UNPACK_UNREAD)
		return false;
	messages_add(f->c->messages, (struct pos){ str_c(f->c->arena, name), 0, 0 },
		     "passed over: %s", unpack_read_kinds);
	return true;
}

/* No part of what is listed below the folder is a link: its real path is that of the folder and
 * its name. */
static bool add_folder(struct finder *f, struct str folder, struct error *err)
{
	struct arena *a = f->c->arena;
	struct file_list list = { 0 };
	struct str real, own;

	if (!folder_name(a, folder, &real, &own, err)
	    || !file_list_any(str_c(a, folder), unpack_endings, UNPACK_ENDINGS, true, a, &list,
			      f->c->messages, err))
		return false;
	for (size_t i = 0; i < list.n; i++) {
		struct str name = str_plain(a, list.v[i]), inner = last_name(folder_of(name));
		struct found file = { .path = file_join(a, folder, list.v[i]), .name = name,
				      .real = file_join(a, real, list.v[i]),
				      .series = inner.len ? inner : own };
		if (!is_unread(f, name) && !add(f, &file, err))
			return false;
	}
	return true;
}

/* A single file goes by "series/file.csv", however it was named. */
static bool add_file(struct finder *f, struct str path, struct error *err)
{
	struct arena *a = f->c->arena;
	struct str real, series, base = str_plain(a, last_name(path));

	if (!folder_name(a, folder_of(path), &real, &series, err))
		return false;
	return add(
	    f,
	    &(struct found){ .path = path, .name = file_join(a, series, base), .series = series },
	    err);
}

static bool add_path(struct finder *f, const char *path, struct error *err)
{
	if (strcmp(path, "-") == 0)
		return add(f, &(struct found){ .name = standard_input, .series = standard_input },
			   err);
	if (!file_exists(path))
		return error_errno(err, path);
	return file_is_dir(path) ? add_folder(f, str_of(path), err)
				 : add_file(f, str_of(path), err);
}

static void report_excluded(const struct finder *f)
{
	for (size_t i = 0; i < f->excluded.n; i++)
		if (f->nexcluded[i])
			messages_add(f->c->messages, (struct pos){ 0 },
				     "series '" STR_FMT
				     "' is excluded by the edition: %zu files left out",
				     STR_ARG(f->excluded.v[i]), f->nexcluded[i]);
}

static void report_below(const struct finder *f)
{
	struct str least = trust_name(f->least);

	for (size_t i = 0; i < f->below.n; i++)
		messages_add(f->c->messages, (struct pos){ 0 },
			     "series '" STR_FMT
			     "': %zu files below the edition's trust_least = " STR_FMT
			     " are left out",
			     STR_ARG(f->below.v[i]), f->nbelow[i], STR_ARG(least));
}

/* Signed files are read before all others: of two files with the same bytes the first one counts,
 * and that must not be an unsigned copy whose name sorts before. */
static void signed_first(struct collection *c)
{
	struct input *sorted = arena_array(c->arena, c->ninputs, sizeof *sorted);
	size_t n = 0;

	for (int unsigned_ones = 0; unsigned_ones < 2; unsigned_ones++)
		for (size_t i = 0; i < c->ninputs; i++)
			if (c->inputs[i].has_signature == !unsigned_ones)
				sorted[n++] = c->inputs[i];
	c->inputs = sorted;
	c->inputs_cap = c->ninputs;
}

/* A slip of the pen would leave in what was to be left out. */
static bool check_excluded(const struct finder *f, const struct edition *e,
			   const struct series_list *described, struct error *err)
{
	for (size_t i = 0; i < f->excluded.n; i++)
		if (!f->nexcluded[i] && !series_find(described, f->excluded.v[i]))
			return error_at(err, ERR_UNKNOWN,
					edition_pos(e, "benchmarks", STR("series_excluded")),
					"series_excluded: '" STR_FMT
					"' is neither in series.csv nor a folder of contributions",
					STR_ARG(f->excluded.v[i]));
	return true;
}

const char *input_path(const struct input *input, struct arena *a)
{
	return input->path.len ? str_c(a, input->path) : "-";
}

struct str input_sum(const struct input *input)
{
	return input->packed ? input->packed->v[input->member].sha256 : (struct str){ 0 };
}

bool input_find(const struct collect_options *opt, struct collection *c,
		const struct series_list *described, struct error *err)
{
	struct finder f = { .c = c,
			    .seen = { .arena = c->arena },
			    .described = described,
			    .least = opt->edition ? opt->edition->trust_least : TRUST_ANONYMOUS,
			    .below = names_make(c->arena) };
	struct strbuf where = { .arena = c->arena };

	if (opt->edition)
		f.excluded = opt->edition->series_excluded;
	f.nexcluded = arena_array(c->arena, f.excluded.n, sizeof *f.nexcluded);
	for (size_t i = 0; i < opt->npaths; i++) {
		if (!add_path(&f, opt->paths[i], err))
			return false;
		strbuf_printf(&where, "%s%s", i ? ", " : "", opt->paths[i]);
	}
	if (!check_excluded(&f, opt->edition, described, err))
		return false;
	report_excluded(&f);
	report_below(&f);
	signed_first(c);
	if (c->ninputs == 0)
		return error_set(err, ERR_ENVIRONMENT, "no contributions found in " STR_FMT,
				 STR_ARG(strbuf_str(&where)));
	return true;
}
