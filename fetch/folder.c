#include "offer.h"

#include "../base/file.h"
#include "../base/identity.h"
#include "../base/open.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { DEPTH_MAX = 8, LOOKED_AT_MAX = 1000000 };
static const long pause_ns = 300000000; /* between two looks at a file that may still be written */

/* One file as it was seen at the first look, or a folder that could not be looked into. */
struct seen {
	struct str path; /* below the folder */
	struct stat st;
	struct str problem; /* of such a folder */
};

struct walk {
	const struct fetch_source *source;
	struct arena *arena;
	int root;
	struct seen *v;
	size_t n, cap, looked_at;
	struct error *err;
};

static bool walk_folder(struct walk *w, DIR *dir, struct str below, int depth);

static void see(struct walk *w, struct str path, const struct stat *st, struct str problem)
{
	w->v = arena_grow(w->arena, w->v, &w->cap, w->n + 1, sizeof *w->v);
	w->v[w->n++] = (struct seen){ path, *st, problem };
}

/* One that is too deep or closed to us is told and passed over: it is easily made, and the others'
 * files have nothing to do with it. */
static bool walk_into(struct walk *w, int folder, const char *name, struct str path,
		      const struct stat *st, int depth)
{
	if (depth > DEPTH_MAX) {
		see(w, path, st,
		    str_printf(w->arena, "a folder deeper than %d: not looked into", DEPTH_MAX));
		return true;
	}
	DIR *dir = open_folder(folder, name);
	if (dir)
		return walk_folder(w, dir, path, depth);
	if (errno != ENOENT)
		see(w, path, st,
		    str_printf(w->arena, "a folder that could not be read: %s", strerror(errno)));
	return true;
}

static bool walk_entry(struct walk *w, int folder, const char *name, struct str below, int depth)
{
	struct str path = file_join(w->arena, below, str_dup(w->arena, str_of(name)));
	struct stat st;

	if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return errno == ENOENT || error_errno(w->err, str_c(w->arena, path));
	if (S_ISDIR(st.st_mode))
		return walk_into(w, folder, name, path, &st, depth + 1);
	if (fetch_ends_well(w->source, path))
		see(w, path, &st, (struct str){ 0 });
	return true;
}

/* Closes dir. Hidden names are nobody's business: they are how programs name what is not ready. */
static bool walk_folder(struct walk *w, DIR *dir, struct str below, int depth)
{
	struct dirent *e;
	bool good = true;

	while (good && (errno = 0, e = readdir(dir))) {
		if (e->d_name[0] == '.')
			continue;
		if (++w->looked_at > LOOKED_AT_MAX)
			good = error_set(w->err, ERR_RANGE, "more than %d names", LOOKED_AT_MAX);
		else
			good = walk_entry(w, dirfd(dir), e->d_name, below, depth);
	}
	if (good && errno) /* else what was not read would look vanished */
		good = error_errno(w->err, str_c(w->arena, below.len ? below : STR("readdir")));
	closedir(dir);
	return good;
}

static bool same_file(const struct stat *a, const struct stat *b)
{
	const struct file_identity x = identity_of(a), y = identity_of(b);

	return identity_same(&x, &y);
}

/* The folder itself may be a link of the publisher's; what lies in it is the strangers'. */
static int open_top(const char *dir, struct str subfolder, struct arena *a)
{
	int top = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int below = top < 0 || subfolder.len == 0 ? top : open_below(top, subfolder, a);

	if (below != top)
		open_drop(top);
	return below;
}

static bool read_whole(int fd, size_t size, struct arena *a, struct str *out)
{
	char *p = arena_alloc(a, size + 1);
	size_t n = 0;

	while (n < size) {
		ssize_t got = read(fd, p + n, size - n);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		n += (size_t)got;
	}
	*out = (struct str){ p, n };
	return n == size;
}

/* The second look, and the file's text where it is still as it was. */
static void take(struct walk *w, const struct seen *seen, bool look_twice, struct fetch_offer *o)
{
	struct stat before, after;
	int fd = -1;

	if (seen->problem.len) {
		o->problem = seen->problem;
		o->failed = true;
		return;
	}
	o->bytes = (double)seen->st.st_size;
	if (S_ISLNK(seen->st.st_mode)) {
		o->problem = STR("a symbolic link");
	} else if (!S_ISREG(seen->st.st_mode)) {
		o->problem = STR("not a regular file");
	} else if (seen->st.st_size > (off_t)w->source->max_file) {
		o->problem = fetch_too_large(w->source, o->bytes, w->arena);
	} else if ((fd = open_below(w->root, seen->path, w->arena)) < 0) {
		o->problem = str_printf(w->arena, "it could not be read: %s", strerror(errno));
		o->waits = errno == ENOENT;
		o->failed = !o->waits;
	} else if (fstat(fd, &before) != 0 || (look_twice && !same_file(&before, &seen->st))
		   || !read_whole(fd, (size_t)seen->st.st_size, w->arena, &o->text)
		   || fstat(fd, &after) != 0 || !same_file(&before, &after)) {
		o->problem = STR("still being written");
		o->waits = true;
	}
	if (fd >= 0)
		close(fd);
	if (o->problem.len)
		o->text = (struct str){ 0 };
}

static bool take_all(struct walk *w, bool look_twice, struct fetch_offers *out)
{
	double bytes = 0;

	for (size_t i = 0; i < w->n; i++)
		if (S_ISREG(w->v[i].st.st_mode) && w->v[i].st.st_size <= (off_t)w->source->max_file)
			bytes += (double)w->v[i].st.st_size;
	if (!fetch_check_limits(w->source, w->n, bytes, w->err))
		return false;
	if (look_twice && w->n)
		nanosleep(&(struct timespec){ 0, pause_ns }, NULL);
	for (size_t i = 0; i < w->n; i++)
		take(w, &w->v[i], look_twice, fetch_offer_add(out, w->v[i].path, w->arena));
	return true;
}

bool fetch_read_folder(const struct fetch_source *s, const char *dir, bool look_twice,
		       const struct fetch_place *place, struct fetch_offers *out, struct error *err)
{
	struct walk w = { .source = s, .arena = place->arena, .err = err };
	const char *top = str_c(
	    place->arena,
	    s->subfolder.len ? file_join(place->arena, str_of(dir), s->subfolder) : str_of(dir));

	w.root = open_top(dir, s->subfolder, place->arena);
	if (w.root < 0)
		return errno == ELOOP || errno == ENOTDIR ? error_set(
			   err, ERR_ENVIRONMENT, "%s: not a folder, or behind a link", top)
							  : error_errno(err, top);
	DIR *again = open_folder(w.root, "."); /* closed by the walk */
	bool good = again ? walk_folder(&w, again, STR(""), 0) : error_errno(err, top);

	good = good && take_all(&w, look_twice, out);
	close(w.root);
	return good;
}

bool fetch_folder(const struct fetch_source *s, const struct fetch_place *place,
		  struct fetch_offers *out, struct error *err)
{
	return fetch_read_folder(s, str_c(place->arena, s->path), true, place, out, err);
}
