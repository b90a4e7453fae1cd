/* What rows do not share with those of their group, in lists that grow together: one list for each group. What
 * passes a budget of memory goes to an unlinked file, so that memory is by lists, not by rows. */
#ifndef COLLECT_ITEMS_H
#define COLLECT_ITEMS_H

#include "../base/arena.h"
#include "../base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum {
	ITEMS_BUDGET = 112 << 20, /* bytes that items and what names them may take in memory */
	ITEMS_LEAST = 8 << 20,    /* of them for items, at least */
	ITEMS_PIECE = 256,        /* items that are read at once by items_next() */
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
	struct item_extent *extent;      /* the last; its next is the first */
	struct item_piece *first, *last; /* in memory, behind the extents */
	struct items *next;              /* in the store's queue */
};

struct item_store {
	struct arena *arena;  /* of extents */
	const char *dir;      /* where the file is made; it is made too */
	struct arena pool;    /* of pieces */
	size_t held, budget;  /* bytes of pieces, and how many may be held */
	size_t least;         /* that the budget does not fall below */
	int fd;               /* -1: no file yet */
	unsigned long long end;
	struct items *queue;  /* lists with pieces in memory */
	struct error err;     /* the first thing that went wrong when writing; later values are dropped */
};

/* budget  0 stands for ITEMS_BUDGET */
struct item_store item_store_make(struct arena *a, const char *dir, size_t budget);
/* Gives back memory and file; a store that failed is closed like any other. */
void item_store_close(struct item_store *s);
/* What names the items has taken so many bytes more of the budget. */
void item_store_less(struct item_store *s, size_t bytes);

/* Adds n items to the end of a list, which must stay where it is until the store is closed. A failure shows in
 * s->err. */
void items_add(struct item_store *s, struct items *list, const struct item *v, size_t n);
/* The list's values no longer count: a file was refused. */
void items_drop(struct items *list);
/* Where reading stands; zeroed at the beginning. Nothing may be added meanwhile. */
struct item_cursor {
	const struct item_extent *extent; /* being read */
	struct item_piece *piece;         /* read last */
	size_t at;                        /* next one in the extent */
	bool begun;
};

/* Reads the next items of a list, at most ITEMS_PIECE, in the order they were added. Threads may read at once.
 * n       out: how many; 0 at the end
 * Errors  ERR_ENVIRONMENT when the file cannot be read */
bool items_next(const struct item_store *s, const struct items *list, struct item_cursor *cur,
                struct item *v, size_t *n, struct error *err);

#endif
