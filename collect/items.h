/* What rows do not share with those of their group, in lists that grow together: one list for each
 * group. What passes a budget of memory goes to an unlinked file, so that memory is by lists, not
 * by rows. */
#ifndef COLLECT_ITEMS_H
#define COLLECT_ITEMS_H

#include "../base/arena.h"
#include "../base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum {
	ITEMS_BUDGET = 16 << 20, /* bytes that items may take in memory */
	ITEMS_PIECE = 256,       /* items that are read at once by items_next() */
};

struct item {
	double value; /* in the workload's unit */
	int line;
	int day;      /* of the row's date; INT_MIN: not given */
};

/* Items that follow one another in memory. */
struct item_piece;

/* Items that follow one another in the file. */
struct item_extent {
	struct item_extent *next;
	unsigned long long at; /* byte */
	unsigned n;
};

struct items {
	unsigned n; /* of all */
	bool queued;
	/* The last of each, whose next is the first. What is in memory comes behind what is in the
	 * file. */
	struct item_extent *extent;
	struct item_piece *piece;
	struct items *next; /* in the store's queue */
};

struct item_store {
	const char *dir;      /* where the file is made; it is made too */
	struct arena arena;   /* of the pool and the extents */
	char *pool;           /* the pieces, one behind the other; NULL: none was yet */
	size_t held, room;    /* bytes of it that are in use, and all */
	struct item_extent *spare; /* extents of no list, by their next */
	int fd;               /* -1: no file yet */
	unsigned long long end;
	struct items *queue;  /* lists with pieces in memory */
	/* Of the file of rows that began last: */
	struct items *before; /* the queue as it was: lists of earlier files */
	unsigned long long file_at; /* where what is written of it begins; ULLONG_MAX: none */
	struct error err;     /* what went wrong first when writing; later values are dropped */
};

/* fd      an open file without a name to write to, which the store closes; 0: it makes one in dir
 *         when it needs it
 * budget  bytes of items in memory, at least of one piece; 0 stands for ITEMS_BUDGET */
struct item_store item_store_make(const char *dir, int fd, size_t budget);
/* Gives back memory and file; a store that failed is closed like any other. */
void item_store_close(struct item_store *s);

/* Adds n items to the end of a list, which must stay where it is until the store is closed. A
 * failure shows in s->err. */
void items_add(struct item_store *s, struct items *list, const struct item *v, size_t n);
/* The lists of a file of rows begin. Where it is refused, all of them are dropped, and then taken
 * back: so their place in the store's own file serves those behind it. */
void item_store_begin(struct item_store *s);
void item_store_back(struct item_store *s);
/* Empties a list, which can be added to again. */
void items_drop(struct item_store *s, struct items *list);
/* Where reading stands; zeroed at the beginning. Nothing may be added meanwhile. */
struct item_cursor {
	const struct item_extent *extent; /* being read */
	const struct item_piece *piece;   /* read last */
	size_t at;                        /* next one in the extent */
	bool begun;
};

/* Reads the next items of a list, at most ITEMS_PIECE, in the order they were added. Threads may
 * read at once.
 * n       out: how many; 0 at the end
 * Errors  ERR_ENVIRONMENT when the file cannot be read */
bool items_next(const struct item_store *s, const struct items *list, struct item_cursor *cur,
                struct item *v, size_t *n, struct error *err);

#endif
