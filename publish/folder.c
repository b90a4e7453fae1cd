#include "folder.h"

#include "../base/file.h"
#include "../base/io.h"
#include "../base/open.h"
#include "../base/sha256.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool folder_open(const char *path, struct folder *out, struct error *err)
{
	*out = (struct folder){ open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), path };
	return out->fd >= 0 || error_errno(err, path);
}

void folder_close(struct folder *f)
{
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
}

/* For people: the whole path, harmless for a terminal. */
static const char *shown(const struct folder *f, struct str name, struct arena *a)
{
	return str_c(a, str_plain(a, file_join(a, str_of(f->path), name)));
}

struct walk {
	const struct folder *folder;
	struct arena *arena;
	struct folder_list *out;
	struct error *err;
};

static bool walk_below(struct walk *w, DIR *dir, struct str below, int depth);

static bool take_entry(struct walk *w, int parent, const char *base, struct str name, int depth)
{
	struct folder_list *l = w->out;
	struct stat st;

	if (fstatat(parent, base, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return error_errno(w->err, shown(w->folder, name, w->arena));
	if (S_ISDIR(st.st_mode)) {
		DIR *dir = open_folder(parent, base);

		if (!dir)
			return error_errno(w->err, shown(w->folder, name, w->arena));
		return walk_below(w, dir, name, depth + 1);
	}
	if (l->n == FOLDER_ENTRIES_MAX)
		return error_set(w->err, ERR_RANGE, "%s: more than %d files",
				 shown(w->folder, STR(""), w->arena), FOLDER_ENTRIES_MAX);
	l->v = arena_grow(w->arena, l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n++] = (struct folder_entry){ name, S_ISREG(st.st_mode)   ? FOLDER_FILE
						    : S_ISLNK(st.st_mode) ? FOLDER_LINK
									  : FOLDER_OTHER };
	return true;
}

/* Closes dir. */
static bool walk_below(struct walk *w, DIR *dir, struct str below, int depth)
{
	struct dirent *e;
	bool good = true;

	if (depth > FOLDER_DEPTH_MAX)
		good = error_set(w->err, ERR_RANGE, "%s: folders deeper than %d",
				 shown(w->folder, below, w->arena), FOLDER_DEPTH_MAX);
	while (good && (errno = 0, e = readdir(dir))) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		struct str name = str_dup(w->arena, file_join(w->arena, below, str_of(e->d_name)));

		good = take_entry(w, dirfd(dir), e->d_name, name, depth);
	}
	if (good && errno)
		good = error_errno(w->err, shown(w->folder, below, w->arena));
	closedir(dir);
	return good;
}

static int by_name(const void *pa, const void *pb)
{
	const struct folder_entry *a = pa, *b = pb;

	return str_cmp(a->name, b->name);
}

bool folder_list(const struct folder *f, struct arena *a, struct folder_list *out,
		 struct error *err)
{
	struct walk w = { f, a, out, err };
	DIR *dir = open_folder(f->fd, ".");

	*out = (struct folder_list){ .n = 0 };
	if (!dir)
		return error_errno(err, f->path);
	if (!walk_below(&w, dir, (struct str){ 0 }, 0))
		return false;
	if (out->n > 1)
		qsort(out->v, out->n, sizeof *out->v, by_name);
	return true;
}

const struct folder_entry *folder_find(const struct folder_list *l, struct str name)
{
	struct folder_entry key = { name, FOLDER_FILE };

	return l->n ? bsearch(&key, l->v, l->n, sizeof *l->v, by_name) : NULL;
}

static int open_file(const struct folder *f, struct str name, struct arena *a, struct error *err)
{
	int fd = open_below(f->fd, name, a);
	struct stat st;

	if (fd < 0) {
		error_errno(err, shown(f, name, a));
	} else if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		error_set(err, ERR_ENVIRONMENT, "%s: not a regular file", shown(f, name, a));
		close(fd);
		fd = -1;
	}
	return fd;
}

/* What becomes of the bytes of one file on their way. */
struct stream {
	struct strbuf *kept; /* NULL: not kept */
	int to;              /* -1: not copied */
	const char *to_path;
	crypto_hash_sha256_state hash;
	size_t bytes;
};

static bool pass_on(struct stream *s, const char *p, size_t n, struct error *err)
{
	s->bytes += n;
	crypto_hash_sha256_update(&s->hash, (const unsigned char *)p, n);
	if (s->kept)
		strbuf_add(s->kept, (struct str){ p, n });
	return s->to < 0 || io_write_all(s->to, p, n) || error_errno(err, s->to_path);
}

static bool stream_file(const struct folder *f, struct str name, size_t limit, struct stream *s,
			struct error *err)
{
	static const size_t chunk_bytes = 1 << 16;
	struct arena scratch = { 0 };
	int fd = open_file(f, name, &scratch, err);
	char *chunk = arena_alloc(&scratch, chunk_bytes);
	bool good = fd >= 0;
	ssize_t n = 1;

	crypto_hash_sha256_init(&s->hash);
	while (good && n > 0) {
		n = read(fd, chunk, chunk_bytes);
		if (n < 0 && errno == EINTR)
			n = 1;
		else if (n < 0)
			good = error_errno(err, shown(f, name, &scratch));
		else if (n > 0)
			good = pass_on(s, chunk, (size_t)n, err);
		if (good && s->bytes > limit)
			good = error_set(err, ERR_RANGE, "%s: the file is larger than %zu bytes",
					 shown(f, name, &scratch), limit);
	}
	if (fd >= 0)
		close(fd);
	arena_free(&scratch);
	return good;
}

static struct folder_sum sum_of(struct stream *s, struct arena *a)
{
	return (struct folder_sum){ sha256_end(&s->hash, a), s->bytes };
}

bool folder_read(const struct folder *f, struct str name, size_t limit, struct arena *a,
		 struct str *out, struct error *err)
{
	struct strbuf b = { .arena = a };
	struct stream s = { .kept = &b, .to = -1 };

	if (!stream_file(f, name, limit, &s, err))
		return false;
	*out = strbuf_str(&b);
	return true;
}

bool folder_hash(const struct folder *f, struct str name, size_t limit, struct arena *a,
		 struct folder_sum *out, struct error *err)
{
	struct stream s = { .to = -1 };

	if (!stream_file(f, name, limit, &s, err))
		return false;
	*out = sum_of(&s, a);
	return true;
}

bool folder_copy(const struct folder *f, struct str name, size_t limit, const char *to,
		 struct arena *a, struct folder_sum *out, struct error *err)
{
	struct stream s = { .to = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600),
			    .to_path = to };

	if (s.to < 0)
		return error_errno(err, to);

	bool good = stream_file(f, name, limit, &s, err);

	if (close(s.to) != 0 && good) /* a full disk may only show here */
		good = error_errno(err, to);
	if (good)
		*out = sum_of(&s, a);
	return good;
}
