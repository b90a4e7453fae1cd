#include "items.h"

#include "../base/file.h"
#include "../base/str.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIECE_LEAST = 4, WRITE_BLOCK = 1 << 20, EXTENTS_AT_ONCE = 128 };

struct item_piece {
	struct item_piece *next;
	unsigned n, cap;
	struct item v[];
};

static size_t piece_bytes(unsigned cap)
{
	return sizeof(struct item_piece) + cap * sizeof(struct item);
}

struct item_store item_store_make(const char *dir, int fd, size_t budget)
{
	budget = budget ? budget : ITEMS_BUDGET;
	return (struct item_store){ .dir = dir,
				    .arena = { .block_size = 1 << 14 },
				    .room = budget > piece_bytes(ITEMS_PIECE)
						? budget
						: piece_bytes(ITEMS_PIECE),
				    .fd = fd > 0 ? fd : -1,
				    .file_at = ULLONG_MAX };
}

void item_store_close(struct item_store *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
	arena_free(&s->arena);
	s->pool = NULL;
	s->spare = NULL;
}

/* --- to the file --- */

/* The file has no name: whatever ends the program ends it too. */
static bool open_file(struct item_store *s)
{
	struct arena scratch = { .block_size = 1 << 12 };
	struct str name = str_printf(&scratch, "%s/.rows-XXXXXX", s->dir);
	char *path = arena_alloc(&scratch, name.len + 1);

	memcpy(path, name.p, name.len + 1);
	if (file_make_dirs(s->dir, &s->err)) {
		s->fd = mkstemp(path);
		if (s->fd >= 0)
			unlink(path);
		else
			error_errno(&s->err, path);
	}
	arena_free(&scratch);
	return s->fd >= 0;
}

struct writer {
	struct item_store *s;
	char *block;
	size_t used;
};

static bool write_block(struct writer *w)
{
	const char *p = w->block;

	for (size_t left = w->used; left;) {
		ssize_t n = pwrite(w->s->fd, p, left, (off_t)w->s->end);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_errno(&w->s->err, "the file of rows beside the results");
		p += n;
		left -= (size_t)n;
		w->s->end += (unsigned long long)n;
	}
	w->used = 0;
	return true;
}

static bool write_bytes(struct writer *w, const void *bytes, size_t n)
{
	if (w->used + n > WRITE_BLOCK && !write_block(w))
		return false;
	memcpy(w->block + w->used, bytes, n);
	w->used += n;
	return true;
}

/* One of a list that was dropped, or one more. */
static struct item_extent *free_extent(struct item_store *s)
{
	if (!s->spare) {
		struct item_extent *more = arena_array(&s->arena, EXTENTS_AT_ONCE, sizeof *more);
		for (size_t i = 0; i + 1 < EXTENTS_AT_ONCE; i++)
			more[i].next = &more[i + 1];
		s->spare = more;
	}
	struct item_extent *e = s->spare;
	s->spare = e->next;
	return e;
}

/* One extent for all pieces of a list, which has some. */
static bool write_list(struct writer *w, struct items *list)
{
	struct item_extent *e = free_extent(w->s);
	const struct item_piece *p = list->piece;
	bool good = true;

	*e = (struct item_extent){ e, w->s->end + w->used, 0 };
	do {
		p = p->next;
		good = write_bytes(w, p->v, p->n * sizeof *p->v);
		e->n += p->n;
	} while (good && p != list->piece);
	if (list->extent) {
		e->next = list->extent->next;
		list->extent->next = e;
	}
	list->extent = e;
	return good;
}

/* Writes the lists of the queue from one to another, and takes them out of it: also where there is
 * no use in writing any more. */
static bool write_queue(struct writer *w, struct items *from, const struct items *end, bool good)
{
	for (struct items *list = from, *next; list != end; list = next) {
		next = list->next;
		if (list->piece)
			good = good && write_list(w, list);
		list->piece = NULL;
		list->next = NULL;
		list->queued = false;
	}
	return good;
}

/* Empties the pool into the file: first what is of earlier files of rows, so that what is of this
 * one lies behind all that. */
static void spill(struct item_store *s)
{
	struct arena scratch = { .block_size = 1 << 12 };
	size_t room =
	    s->held < WRITE_BLOCK ? s->held : WRITE_BLOCK; /* more than is held is not written */
	struct writer w = { s, arena_alloc(&scratch, room), 0 };
	bool good = s->fd >= 0 || open_file(s);

	good = write_queue(&w, s->before, NULL, good);
	if (s->file_at == ULLONG_MAX)
		s->file_at = s->end + w.used;
	good = write_queue(&w, s->queue, s->before, good);
	if (good)
		write_block(&w);
	s->queue = s->before = NULL;
	s->held = 0;
	arena_free(&scratch);
}

/* --- in memory --- */

static void enqueue(struct item_store *s, struct items *list)
{
	if (list->queued)
		return;
	list->queued = true;
	list->next = s->queue;
	s->queue = list;
}

/* Of the next piece of a list: the longer the list, the larger they are. */
static unsigned next_cap(const struct items *list)
{
	unsigned cap = list->piece ? 2 * list->piece->cap : PIECE_LEAST;

	return cap < ITEMS_PIECE ? cap : ITEMS_PIECE;
}

/* One more piece at the end of the list. The pool is one block that is used again and again: memory
 * that comes and goes leaves holes that nothing else fits into. */
static struct item_piece *grow(struct item_store *s, struct items *list)
{
	if (s->held + piece_bytes(next_cap(list)) > s->room)
		spill(s);
	if (!s->pool)
		s->pool = arena_alloc(&s->arena, s->room);
	struct item_piece *last = list->piece, *p = (void *)(s->pool + s->held);
	p->n = 0;
	p->cap = next_cap(list);
	p->next = last ? last->next : p;
	if (last)
		last->next = p;
	list->piece = p;
	s->held += piece_bytes(p->cap);
	enqueue(s, list);
	return p;
}

void items_add(struct item_store *s, struct items *list, const struct item *v, size_t n)
{
	if (s->err.code != ERR_NONE)
		return;
	list->n += (unsigned)n;
	while (n) {
		struct item_piece *p = list->piece;
		if (!p || p->n == p->cap)
			p = grow(s, list);
		size_t part = p->cap - p->n < n ? p->cap - p->n : n;
		memcpy(p->v + p->n, v, part * sizeof *v);
		p->n += (unsigned)part;
		v += part;
		n -= part;
	}
}

void item_store_begin(struct item_store *s)
{
	s->before = s->queue;
	s->file_at = ULLONG_MAX;
}

void item_store_back(struct item_store *s)
{
	if (s->file_at != ULLONG_MAX)
		s->end = s->file_at;
}

void items_drop(struct item_store *s, struct items *list)
{
	struct item_extent *last = list->extent;

	if (last) {
		struct item_extent *first = last->next;
		last->next = s->spare;
		s->spare = first;
	}
	list->n = 0;
	list->extent = NULL;
	list->piece = NULL; /* the queue passes over it */
}

/* --- back --- */

static bool read_bytes(int fd, void *to, size_t n, unsigned long long at, struct error *err)
{
	char *p = to;

	while (n) {
		ssize_t got = pread(fd, p, n, (off_t)at);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return error_errno(err, "the file of rows beside the results");
		if (got == 0)
			return error_set(err, ERR_ENVIRONMENT,
					 "the file of rows beside the results was cut");
		p += got;
		at += (unsigned long long)got;
		n -= (size_t)got;
	}
	return true;
}

static bool next_written(const struct item_store *s, const struct items *list,
			 struct item_cursor *cur, struct item *v, size_t *n, struct error *err)
{
	const struct item_extent *e = cur->extent;

	*n = e->n - cur->at < ITEMS_PIECE ? e->n - cur->at : ITEMS_PIECE;
	if (!read_bytes(s->fd, v, *n * sizeof *v, e->at + cur->at * sizeof *v, err))
		return false;
	cur->at += *n;
	if (cur->at == e->n) {
		cur->extent = e == list->extent ? NULL : e->next;
		cur->at = 0;
	}
	return true;
}

/* The piece behind the one that was read last. */
static const struct item_piece *next_piece(const struct items *list, const struct item_piece *read)
{
	if (!list->piece || read == list->piece)
		return NULL;
	return read ? read->next : list->piece->next;
}

bool items_next(const struct item_store *s, const struct items *list, struct item_cursor *cur,
		struct item *v, size_t *n, struct error *err)
{
	if (!cur->begun && list->extent)
		cur->extent = list->extent->next;
	cur->begun = true;
	if (cur->extent)
		return next_written(s, list, cur, v, n, err);
	const struct item_piece *p = next_piece(list, cur->piece);
	*n = p ? p->n : 0;
	if (p) {
		memcpy(v, p->v, p->n * sizeof *v);
		cur->piece = p;
	}
	return true;
}
