#include "items.h"

#include "../base/file.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

enum { PIECE_LEAST = 4, WRITE_BLOCK = 1 << 20 };

struct item_piece {
	struct item_piece *next;
	unsigned n, cap;
	struct item v[];
};

/* spill() has room for what is held. */
_Static_assert(sizeof(struct item_piece) >= sizeof(struct item_extent),
	       "an extent's head is no larger than a piece's");

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
}

/* --- to the file --- */

static bool open_file(struct item_store *s)
{
	if (file_make_dirs(s->dir, &s->err))
		s->fd = file_make_unnamed(s->dir, &s->err);
	return s->fd >= 0;
}

static bool write_at(struct item_store *s, const void *bytes, size_t n, unsigned long long at)
{
	const char *p = bytes;

	while (n) {
		ssize_t put = pwrite(s->fd, p, n, (off_t)at);
		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return error_errno(&s->err, "the file of rows beside the results");
		p += put;
		at += (unsigned long long)put;
		n -= (size_t)put;
	}
	return true;
}

struct writer {
	struct item_store *s;
	char *block;
	size_t used;
};

static bool write_block(struct writer *w)
{
	if (!write_at(w->s, w->block, w->used, w->s->end))
		return false;
	w->s->end += w->used;
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

/* One extent for all pieces of a list, which has some. Where the next one will be is not known yet:
 * before its items the extent has room for that. So it is the file that knows where a list lies: in
 * memory a list that comes to the file again and again would leave something each time. */
static bool write_list(struct writer *w, struct items *list)
{
	const struct item_extent none = { 0, 0 };
	struct item_extent here = { w->s->end + w->used, 0 };
	const struct item_piece *p = list->piece;
	bool good = write_bytes(w, &none, sizeof none);

	do {
		p = p->next;
		good = good && write_bytes(w, p->v, p->n * sizeof *p->v);
		here.n += p->n;
	} while (p != list->piece);
	if (list->first_n) {
		good = good && write_at(w->s, &here, sizeof here, list->last);
	} else {
		list->first = here.at;
		list->first_n = (unsigned)here.n;
	}
	list->last = here.at;
	return good;
}

/* Writes the lists of the queue from one to another, and takes them out of it: also where there is
 * no use in writing any more. */
static bool write_queue(struct writer *w, struct items *from, const struct items *end, bool good)
{
	for (struct items *list = from, *next; list != end; list = next) {
		next = list->next;
		good = good && write_list(w, list);
		list->piece = NULL;
		list->next = NULL;
	}
	return good;
}

/* Empties the pool into the file: first what is of earlier files of rows, so that what is of this
 * one lies behind all that. No more is written than is held: the head of a list's first piece is as
 * large as that of an extent. */
static void spill(struct item_store *s)
{
	struct arena scratch = { .block_size = 1 << 12 };
	size_t room = s->held < WRITE_BLOCK ? s->held : WRITE_BLOCK;
	struct writer w = { s, arena_alloc(&scratch, room), 0 };
	bool good = s->fd >= 0 || open_file(s);

	good = write_queue(&w, s->before, NULL, good);
	if (s->file_at == ULLONG_MAX)
		s->file_at = s->end + w.used;
	good = write_queue(&w, s->queue, s->before, good);
	if (good)
		write_block(&w);
	s->queue = s->before = NULL;
	s->held = s->held_before = 0;
	arena_free(&scratch);
}

/* --- in memory --- */

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
	if (last) {
		last->next = p;
	} else {
		list->next = s->queue;
		s->queue = list;
	}
	list->piece = p;
	s->held += piece_bytes(p->cap);
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
	s->held_before = s->held;
	s->file_at = ULLONG_MAX;
}

void items_drop(struct items *list)
{
	*list = (struct items){ .next = list->next }; /* it is in the queue still */
}

void item_store_back(struct item_store *s)
{
	for (struct items *list = s->queue, *next; list != s->before; list = next) {
		next = list->next;
		list->next = NULL;
	}
	s->queue = s->before;
	s->held = s->held_before;
	if (s->file_at != ULLONG_MAX)
		s->end = s->file_at;
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

/* How many items of an extent come at once. */
static size_t at_once(unsigned long long n)
{
	return n < ITEMS_PIECE ? (size_t)n : ITEMS_PIECE;
}

/* The first items of the next extent, with what stands before them: where extents are short there
 * are many, and each costs one call. */
static bool begin_extent(const struct item_store *s, struct item_cursor *cur, struct item *v,
			 size_t *n, struct error *err)
{
	struct {
		struct item_extent next;
		struct item v[ITEMS_PIECE];
	} block;

	*n = at_once(cur->next.n);
	if (!read_bytes(s->fd, &block, sizeof block.next + *n * sizeof *v, cur->next.at, err))
		return false;
	memcpy(v, block.v, *n * sizeof *v);
	cur->left.at = cur->next.at + sizeof block.next + *n * sizeof *v;
	cur->left.n = cur->next.n - *n;
	cur->next = block.next;
	return true;
}

static bool go_on(const struct item_store *s, struct item_cursor *cur, struct item *v, size_t *n,
		  struct error *err)
{
	*n = at_once(cur->left.n);
	if (!read_bytes(s->fd, v, *n * sizeof *v, cur->left.at, err))
		return false;
	cur->left.at += *n * sizeof *v;
	cur->left.n -= *n;
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
	if (!cur->begun)
		cur->next = (struct item_extent){ list->first, list->first_n };
	cur->begun = true;
	if (cur->left.n)
		return go_on(s, cur, v, n, err);
	if (cur->next.n)
		return begin_extent(s, cur, v, n, err);
	const struct item_piece *p = next_piece(list, cur->piece);
	*n = p ? p->n : 0;
	if (p) {
		memcpy(v, p->v, p->n * sizeof *v);
		cur->piece = p;
	}
	return true;
}
