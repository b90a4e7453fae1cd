#include "items.h"

#include "../base/file.h"
#include "../base/str.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIECE_LEAST = 4, WRITE_BLOCK = 1 << 20 };

struct item_piece {
	struct item_piece *next;
	unsigned n, cap;
	struct item v[];
};

struct item_store item_store_make(struct arena *a, const char *dir, size_t budget)
{
	budget = budget ? budget : ITEMS_BUDGET;
	return (struct item_store){ .arena = a,
				    .dir = dir,
				    .budget = budget,
				    .least = budget < ITEMS_LEAST ? budget : ITEMS_LEAST,
				    .fd = -1 };
}

void item_store_less(struct item_store *s, size_t bytes)
{
	s->budget = s->budget > s->least + bytes ? s->budget - bytes : s->least;
}

void item_store_close(struct item_store *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
	arena_free(&s->pool);
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

/* One extent for all pieces of a list. */
static bool write_list(struct writer *w, struct items *list)
{
	struct item_extent *e = arena_alloc(w->s->arena, sizeof *e);
	bool good = true;

	*e = (struct item_extent){ e, w->s->end + w->used, 0 };
	for (struct item_piece *p = list->first; p && good; p = p->next) {
		good = write_bytes(w, p->v, p->n * sizeof *p->v);
		e->n += p->n;
	}
	if (list->extent) {
		e->next = list->extent->next;
		list->extent->next = e;
	}
	list->extent = e;
	return good;
}

/* Empties the pool into the file. */
static void spill(struct item_store *s)
{
	struct arena scratch = { .block_size = 1 << 12 };
	struct writer w = { s, arena_alloc(&scratch, WRITE_BLOCK), 0 };
	bool good = s->fd >= 0 || open_file(s);

	for (struct items *list = s->queue, *next; list; list = next) {
		next = list->next;
		if (list->first)
			good = good && write_list(&w, list);
		list->first = list->last = NULL;
		list->next = NULL;
		list->queued = false;
	}
	if (good)
		write_block(&w);
	s->queue = NULL;
	s->held = 0;
	arena_free(&s->pool);
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

static struct item_piece *grow(struct item_store *s, struct items *list)
{
	unsigned cap = list->last ? 2 * list->last->cap : PIECE_LEAST;

	cap = cap < ITEMS_PIECE ? cap : ITEMS_PIECE;
	struct item_piece *p = arena_alloc(&s->pool, sizeof *p + cap * sizeof *p->v);
	p->cap = cap;
	s->held += sizeof *p + cap * sizeof *p->v;
	if (list->last)
		list->last->next = p;
	else
		list->first = p;
	list->last = p;
	enqueue(s, list);
	return p;
}

void items_add(struct item_store *s, struct items *list, const struct item *v, size_t n)
{
	if (s->err.code != ERR_NONE)
		return;
	list->n += (unsigned)n;
	while (n) {
		struct item_piece *p = list->last;
		if (!p || p->n == p->cap) {
			if (s->held >= s->budget)
				spill(s);
			p = grow(s, list);
		}
		size_t part = p->cap - p->n < n ? p->cap - p->n : n;
		memcpy(p->v + p->n, v, part * sizeof *v);
		p->n += (unsigned)part;
		v += part;
		n -= part;
	}
}

void items_drop(struct items *list)
{
	list->n = 0;
	list->extent = NULL;
	list->first = list->last = NULL; /* the queue passes over it */
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

static bool next_written(const struct item_store *s, const struct items *list, struct item_cursor *cur,
			 struct item *v, size_t *n, struct error *err)
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

bool items_next(const struct item_store *s, const struct items *list, struct item_cursor *cur,
		struct item *v, size_t *n, struct error *err)
{
	if (!cur->begun && list->extent)
		cur->extent = list->extent->next;
	cur->begun = true;
	if (cur->extent)
		return next_written(s, list, cur, v, n, err);
	struct item_piece *p = cur->piece ? cur->piece->next : list->first;
	*n = p ? p->n : 0;
	if (p) {
		memcpy(v, p->v, p->n * sizeof *v);
		cur->piece = p;
	}
	return true;
}
