#include "shelf.h"

#include "../base/file.h"
#include "../collect/limits.h"
#include "../collect/unpack.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

static void remember(struct shelf *s, struct str sha256, struct str name)
{
	s->files = arena_grow(s->arena, s->files, &s->cap, s->n + 1, sizeof *s->files);
	s->files[s->n] = (struct shelf_file){ str_dup(s->arena, sha256), name };
	map_put(&s->content, s->files[s->n].sha256, s->n, NULL);
	s->n++;
}

/* What is written aside is hidden and of no kind that is read: a run that dies leaves nothing that
 * anybody reads. */
static const char *aside_path(const char *dir, const char *ending, struct arena *a)
{
	return str_c(a, str_printf(a, "%s/.accepting%s", dir, ending));
}

bool shelf_open(const char *dir, struct arena *a, struct shelf *out, struct error *err)
{
	struct file_list files;

	*out = (struct shelf){ .dir = dir, .arena = a, .content.arena = a };
	if (!file_exists(dir))
		return true;
	unlink(aside_path(dir, "", a));
	unlink(aside_path(dir, ".part", a));
	if (!file_list_any(dir, unpack_endings, UNPACK_KINDS, true, a, &files, NULL, err))
		return false;
	for (size_t i = 0; i < files.n; i++) {
		struct arena scratch = { 0 };
		struct str text;
		bool good = file_read(str_c(&scratch, file_join(&scratch, str_of(dir), files.v[i])),
				      0, &scratch, &text, err);

		if (good)
			remember(out, file_sha256(a, text), files.v[i]);
		arena_free(&scratch);
		if (!good)
			return false;
	}
	return true;
}

struct str shelf_content(const struct shelf *s, struct str sha256)
{
	const size_t *i = map_get(&s->content, sha256);

	return i ? s->files[*i].name : (struct str){ 0 };
}

static struct str signature_of(struct str file, struct arena *a)
{
	return str_printf(a, STR_FMT ".sig", STR_ARG(file));
}

static const char *signature_path(const struct shelf *s, struct str stored, struct arena *a)
{
	return str_c(a, file_join(a, str_of(s->dir), signature_of(stored, a)));
}

/* By the rule of collect: the folder that a file lies in. */
static bool is_of_series(struct str stored, struct str series)
{
	struct str rest = stored, part, folder = { 0 };

	while (str_cut(&rest, '/', &part))
		if (rest.p)
			folder = part;
	return str_eq(folder, series);
}

/* What cannot be read is another one: it is not replaced either. */
static enum shelf_signed compare_signature(const char *path, struct str signature, struct arena *a)
{
	struct error ignored = { 0 };
	struct str text;

	if (file_is_link(path))
		return SHELF_OTHER;
	if (!file_exists(path))
		return SHELF_UNSIGNED;
	return file_read(path, LIMIT_SIGNATURE, a, &text, &ignored) && str_eq(text, signature)
		       ? SHELF_SIGNED
		       : SHELF_OTHER;
}

enum shelf_signed shelf_find_signed(const struct shelf *s, struct str series, struct str sha256,
				    struct str signature, struct arena *a, struct str *stored)
{
	enum shelf_signed best = SHELF_NO_FILE;

	*stored = (struct str){ 0 };
	for (size_t i = 0; i < s->n; i++) {
		struct str name = s->files[i].name;

		if (!str_eq(s->files[i].sha256, sha256) || !is_of_series(name, series))
			continue;
		enum shelf_signed how =
			compare_signature(signature_path(s, name, a), signature, a);
		if (how > best) {
			best = how;
			*stored = name;
		}
	}
	return best;
}

static bool is_safe(char c)
{
	return str_is_alnum(c) || c == '.' || c == '_' || c == '-';
}

struct str shelf_safe_name(struct str origin, struct arena *a)
{
	struct str rest = origin, last = { 0 }, ending;
	struct strbuf b = { .arena = a };

	while (str_cut(&rest, '/', &last))
		;
	ending = unpack_ending(last);
	last.len -= ending.len;
	if (ending.len == 0)
		ending = unpack_endings[UNPACK_CSV];
	for (size_t i = 0; i < last.len && b.len + ending.len < SHELF_NAME_MAX; i++) {
		char c = is_safe(last.p[i]) ? last.p[i] : '-';

		/* "-x" is an option, ".x" hidden; a run of marks, as a foreign script leaves,
		 * becomes one */
		bool mark = !str_is_alnum(c);
		if (mark && (b.len == 0 || (c == '-' && b.p[b.len - 1] == '-')))
			continue;
		strbuf_addc(&b, c);
	}
	if (b.len == 0)
		strbuf_add(&b, STR("file"));
	strbuf_add(&b, ending);
	return strbuf_str(&b);
}

static bool same_letters(const char *a, struct str b)
{
	size_t i = 0;

	for (; i < b.len && a[i]; i++) {
		char x = a[i], y = b.p[i];
		bool letters = (x | 0x20) >= 'a' && (x | 0x20) <= 'z';

		if (x != y && !(letters && (x ^ y) == 0x20))
			return false;
	}
	return i == b.len && a[i] == '\0';
}

bool shelf_has_name(const struct shelf *s, struct str series, struct str file, struct arena *a,
		    bool *has, struct error *err)
{
	const char *path = str_c(a, file_join(a, str_of(s->dir), series));
	struct str signature = signature_of(file, a);
	DIR *dir;
	struct dirent *e;

	*has = false;
	if (file_is_link(path))
		return error_set(err, ERR_ENVIRONMENT,
				 "%s: a symbolic link: collect would pass over what is put there",
				 path);
	dir = opendir(path);
	if (!dir)
		return errno == ENOENT || error_errno(err, path);
	while (!*has && (errno = 0, e = readdir(dir)))
		*has = same_letters(e->d_name, file) || same_letters(e->d_name, signature);
	bool good = *has || errno == 0 || error_errno(err, path);
	closedir(dir);
	return good;
}

/* One new file. */
static bool put(const struct shelf *s, const char *path, struct str text, struct error *err)
{
	const char *aside = aside_path(s->dir, "", s->arena);

	if (!file_write(aside, text, err))
		return false;
	bool good = link(aside, path) == 0;
	if (!good && errno == EEXIST)
		error_set(err, ERR_DATA, "%s: the name is taken", path);
	else if (!good)
		error_errno(err, path);
	unlink(aside);
	return good;
}

bool shelf_sign(const struct shelf *s, struct str stored, struct str signature, struct error *err)
{
	struct arena *a = s->arena;
	struct str name = stored, last = { 0 };
	const char *path = signature_path(s, stored, a);

	while (str_cut(&name, '/', &last))
		;
	struct str folder = str_slice(stored, 0, stored.len - last.len);
	return put(s, path, signature, err)
	    && file_sync_dir(str_c(a, file_join(a, str_of(s->dir), folder)), err);
}

bool shelf_put(struct shelf *s, struct str series, struct str file, struct str text,
	       struct str signature, struct str sha256, struct error *err)
{
	struct arena *a = s->arena;
	const char *folder = str_c(a, file_join(a, str_of(s->dir), series));
	const char *path = str_c(a, file_join(a, str_of(folder), file));
	const char *beside = str_c(a, signature_of(str_of(path), a));

	if (!file_make_dirs(folder, err)
	    || (signature.len
		&& !put(s, beside, signature,
			err))) /* first: a signed file is never there without */
		return false;
	bool good = put(s, path, text, err);
	if (!good && signature.len)
		unlink(beside);
	good = good && file_sync_dir(folder, err) && file_sync_dir(s->dir, err);
	if (good)
		remember(s, sha256, file_join(a, series, file));
	return good;
}
