#include "file.h"

#include "io.h"
#include "open.h"
#include "sha256.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { DEPTH_MAX = 32 };

/* Reads until the end: the size that fstat told may be stale, and pipes have none. */
static bool read_all(int fd, const char *path, size_t limit, struct strbuf *b, struct error *err)
{
	char chunk[1 << 16];

	for (;;) {
		ssize_t n = read(fd, chunk, sizeof chunk);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_errno(err, path);
		if (n == 0)
			return true;
		strbuf_add(b, (struct str){ chunk, (size_t)n });
		if (limit && b->len > limit)
			return error_at(err, ERR_RANGE, (struct pos){ path, 0, 0 },
			                "the file is larger than %zu bytes", limit);
	}
}

bool file_read(const char *path, size_t limit, struct arena *a, struct str *out, struct error *err)
{
	struct strbuf b = { .arena = a };
	struct stat st = { .st_size = 0 }; /* of standard input nothing is known */
	bool standard_input = strcmp(path, "-") == 0, good = false;
	int fd = standard_input ? STDIN_FILENO : open_regular(path, &st, err);

	if (fd < 0)
		return false;
	if (limit && st.st_size > (off_t)limit) { /* before memory is asked for */
		error_at(err, ERR_RANGE, (struct pos){ path, 0, 0 },
		         "the file is larger than %zu bytes", limit);
		goto out;
	}
	if (st.st_size > 0) /* one block of the right size, no doubling */
		b.p = arena_grow(a, NULL, &b.cap, (size_t)st.st_size + 2, 1);
	good = read_all(fd, path, limit, &b, err);
	strbuf_addc(&b, '\0');
	*out = (struct str){ b.p, b.len - 1 };
out:
	if (!standard_input)
		close(fd);
	return good;
}

bool file_write(const char *path, struct str data, struct error *err)
{
	char aside[PATH_MAX];
	int n = snprintf(aside, sizeof aside, "%s.part", path);

	if (n < 0 || (size_t)n >= sizeof aside)
		return error_set(err, ERR_ENVIRONMENT, "%s: the path is too long", path);
	int fd =
	    open(aside, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
	if (fd < 0)
		return error_errno(err, path);
	bool good = io_write_all(fd, data.p, data.len) && fsync(fd) == 0;
	if (!good)
		error_errno(err, path);
	if (close(fd) != 0 && good) /* a full disk may only show here */
		good = error_errno(err, path);
	if (good && rename(aside, path) != 0)
		good = error_errno(err, path);
	if (!good)
		unlink(aside);
	return good;
}

bool file_make_dirs(const char *path, struct error *err)
{
	char part[PATH_MAX];
	size_t n = strlen(path);

	if (n == 0 || n >= sizeof part)
		return error_set(err, ERR_ENVIRONMENT, "'%s': not a usable path", path);
	memcpy(part, path, n + 1);
	for (size_t i = 1; i <= n; i++) {
		if (part[i] != '/' && part[i] != '\0')
			continue;
		char kept = part[i];
		part[i] = '\0';
		if (mkdir(part, 0777) != 0 && errno != EEXIST)
			return error_errno(err, part);
		part[i] = kept;
	}
	if (!file_is_dir(path))
		return error_set(err, ERR_ENVIRONMENT, "%s: not a folder", path);
	return true;
}

enum { REMOVE_TRIES = 100, REMOVE_PAUSE_NS = 10000000 };

static bool remove_below(int parent, const char *name, const char *path, int depth,
                         struct error *err)
{
	DIR *dir = open_folder(parent, name);
	struct dirent *e;
	bool good = true;

	if (!dir)
		return error_errno(err, path);
	int fd = dirfd(dir);
	if (depth > DEPTH_MAX)
		good = error_set(err, ERR_ENVIRONMENT, "%s: folders deeper than %d", path,
		                 DEPTH_MAX);
	for (int tries = 0; good; tries++) {
		while (good && (e = readdir(dir))) {
			if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
				continue;
			if (unlinkat(fd, e->d_name, 0) != 0 && errno != ENOENT)
				good = (errno == EISDIR || errno == EPERM)
					? remove_below(fd, e->d_name, path, depth + 1, err)
					: error_errno(err, path);
		}
		if (!good || unlinkat(parent, name, AT_REMOVEDIR) == 0)
			break;
		/* a child that outlived the run that was killed may write there for a moment
		 * more */
		if (errno != ENOTEMPTY || tries == REMOVE_TRIES)
			good = error_errno(err, path);
		nanosleep(&(struct timespec){ 0, REMOVE_PAUSE_NS }, NULL);
		rewinddir(dir);
	}
	closedir(dir);
	return good;
}

bool file_remove_tree(const char *path, struct error *err)
{
	return remove_below(AT_FDCWD, path, path, 0, err);
}

bool file_exists(const char *path)
{
	return access(path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

bool file_is_dir(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool file_is_link(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
}

struct str file_join(struct arena *a, struct str dir, struct str name)
{
	if (dir.len == 0)
		return name;
	char *path = arena_alloc(a, dir.len + 1 + name.len + 1); /* with a NUL */
	size_t at = dir.len;
	memcpy(path, dir.p, at);
	if (path[at - 1] != '/')
		path[at++] = '/';
	if (name.len)
		memcpy(path + at, name.p, name.len);
	return (struct str){ path, at + name.len };
}

static int compare_str(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

struct listing {
	const char *root;
	const struct str *suffixes;
	size_t nsuffixes;
	bool recursive;
	struct arena *arena;
	struct file_list *out;
	struct messages *skipped;
};

static void skip(const struct listing *l, struct str name, const char *why)
{
	if (l->skipped)
		messages_add(l->skipped, (struct pos){ str_c(l->arena, name), 0, 0 },
			     "passed over: %s", why);
}

static bool is_listed(const struct listing *l, struct str name)
{
	for (size_t i = 0; i < l->nsuffixes; i++)
		if (str_ends(name, l->suffixes[i]))
			return true;
	return false;
}

static bool list_dir(const struct listing *l, struct str below, int depth, struct error *err);

static bool list_entry(const struct listing *l, struct str name, int depth, struct error *err)
{
	const char *path = str_c(l->arena, file_join(l->arena, str_of(l->root), name));
	struct stat st;

	if (lstat(path, &st) != 0)
		return error_errno(err, path);
	if (S_ISDIR(st.st_mode)) {
		if (l->recursive)
			return list_dir(l, name, depth + 1, err);
		return true;
	}
	if (!is_listed(l, name)
	    && !(l->recursive && S_ISLNK(st.st_mode) && file_is_dir(path)))
		return true;
	if (!S_ISREG(st.st_mode)) {
		skip(l, name, S_ISLNK(st.st_mode) ? "a symbolic link" : "not a regular file");
		return true;
	}
	struct file_list *out = l->out;
	out->v = arena_grow(l->arena, out->v, &out->cap, out->n + 1, sizeof *out->v);
	out->v[out->n++] = name;
	return true;
}

/* Says so of a file with the suffix and of a folder that would have been gone into. */
static void skip_hidden(const struct listing *l, struct str below, struct str name)
{
	struct str path = below.len ? file_join(l->arena, below, name) : str_dup(l->arena, name);
	const char *full = str_c(l->arena, file_join(l->arena, str_of(l->root), path));

	if (str_eq(name, STR(".")) || str_eq(name, STR("..")))
		return;
	if (is_listed(l, name) || (l->recursive && file_is_dir(full)))
		skip(l, path, "a hidden name");
}

static bool list_dir(const struct listing *l, struct str below, int depth, struct error *err)
{
	const char *path = str_c(l->arena, below.len ? file_join(l->arena, str_of(l->root), below)
	                                             : str_of(l->root));
	DIR *dir = opendir(path);
	struct dirent *e;
	bool good = true;

	if (!dir)
		return error_errno(err, path);
	if (depth > DEPTH_MAX)
		good =
		    error_set(err, ERR_ENVIRONMENT, "%s: folders deeper than %d", path, DEPTH_MAX);
	while (good && (errno = 0, e = readdir(dir))) {
		struct str name = str_of(e->d_name);
		if (name.p[0] == '.') {
			skip_hidden(l, below, name);
			continue;
		}
		name = str_dup(l->arena, below.len ? file_join(l->arena, below, name) : name);
		good = list_entry(l, name, depth, err);
	}
	if (good && errno)
		good = error_errno(err, path);
	closedir(dir);
	return good;
}

bool file_list_any(const char *dir, const struct str *suffixes, size_t nsuffixes, bool recursive,
		   struct arena *a, struct file_list *out, struct messages *skipped,
		   struct error *err)
{
	struct listing l = { dir, suffixes, nsuffixes, recursive, a, out, skipped };

	*out = (struct file_list){ 0 };
	if (!list_dir(&l, (struct str){ 0 }, 0, err))
		return false;
	if (out->n > 1)
		qsort(out->v, out->n, sizeof *out->v, compare_str);
	return true;
}

bool file_list(const char *dir, const char *suffix, bool recursive, struct arena *a,
               struct file_list *out, struct messages *skipped, struct error *err)
{
	const struct str only = str_of(suffix);

	return file_list_any(dir, &only, 1, recursive, a, out, skipped, err);
}

void file_skipped_in(const char *dir, size_t from, struct messages *skipped)
{
	struct arena *a = skipped->arena;

	for (size_t i = from; i < skipped->n; i++) {
		struct pos *pos = &skipped->v[i].pos;

		pos->file = str_c(a, file_join(a, str_of(dir), str_of(pos->file)));
	}
}

struct str file_sha256(struct arena *a, struct str data)
{
	crypto_hash_sha256_state state;

	crypto_hash_sha256_init(&state);
	crypto_hash_sha256_update(&state, (const unsigned char *)str_chars(data), data.len);
	return sha256_end(&state, a);
}
