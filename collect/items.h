/* What rows do not share with those of their group, in lists that grow together: one list for each
 * group. What passes a budget of memory goes to an unlinked file, where the parts of a list are
 * chained, so that memory is by lists, not by rows. */
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

/* Items that follow one another in the file: at which byte, and how many; 0: none. */
struct item_extent {
	unsigned long long at, n;
};

struct items {
	/* The last one in memory, whose next is the first; NULL: none is. What is in memory comes
	 * behind what is in the file. */
	struct item_piece *piece;
	struct items *next;       /* in the store's queue */
	unsigned long long first, last; /* bytes where the first and the last extent begin */
	unsigned first_n;         /* items of the first extent; 0: none was written */
	unsigned n;               /* of all */
};

struct item_store {
	const char *dir;      /* where the file is made; it is made too */
	struct arena arena;   /* of the pool */
	char *pool;           /* the pieces, one behind the other; NULL: none was yet */
	size_t held, room;    /* bytes of it that are in use, and all */
	int fd;               /* -1: no file yet */
	unsigned long long end;
	struct items *queue;  /* lists with pieces in memory */
	/* Of the file of rows that began last: */
	struct items *before; /* the queue as it was: lists of earlier files */
	size_t held_before;   /* bytes of the pool that are theirs */
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
/* The lists of a file of rows begin; those of earlier files grow no more. */
void item_store_begin(struct item_store *s);
/* Where a file is refused each of its lists is emptied, and then all are taken back: their place in
 * the pool and in the store's own file serves those behind it, and they can be added to again. */
void items_drop(struct items *list);
void item_store_back(struct item_store *s);

/* Where reading stands; zeroed at the beginning. Nothing may be added meanwhile. */
struct item_cursor {
	struct item_extent left, next;  /* of the extent being read, and the one behind it */
	const struct item_piece *piece; /* read last */
	bool begun;
};

/* Reads the next items of a list, at most ITEMS_PIECE, in the order they were added. Threads may
 * read at once.
 * n       out: how many; 0 at the end
 * Errors  ERR_ENVIRONMENT when the file cannot be read */
bool items_next(const struct item_store *s, const struct items *list, struct item_cursor *cur,
                struct item *v, size_t *n, struct error *err);

#endif
