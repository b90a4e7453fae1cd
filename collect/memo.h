/* What rows of the same cells give: most rows of a contribution repeat those before them but for
 * value, repeat and date, and need not be asked about again. A memo belongs to one thread and goes
 * on from file to file; what it answers is what check_row() would. */
#ifndef COLLECT_MEMO_H
#define COLLECT_MEMO_H

#include "check_row.h"
#include "lookup.h"
#include "row.h"
#include "../base/arena.h"
#include "../base/str.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A memo with more is not taken into another part; and within one no key is remembered beyond so
 * many. */
enum {
	MEMO_KEYS_MAX = 1 << 13,
	MEMO_LAYOUTS_MAX = 256,
	MEMO_HELD_MAX = 4 << 20, /* bytes */
	MEMO_BYTES_MAX = 4096,   /* cells of a row that are longer together are not kept */
};

/* Which columns of a file are those that a row is known by; alike for files with the same
 * header. */
struct memo_layout {
	int at[COL_COUNT];
	size_t columns;
	char separator;
};

/* A piece of a row's bytes: cells that stand side by side, perhaps without quotes that they do not
 * need (collect/part.c). */
struct memo_piece {
	const char *p;
	size_t len;
};

/* What accepted rows share. */
struct memo_key {
	struct row row; /* device, workload, device_count, override; not the numbers of names */
	struct str machine, precision, framework, source;
	/* Of the merging: the group in the file that was merged last. */
	size_t file;         /* SIZE_MAX: none yet */
	struct group *group;
};

/* Accepted rows that have these bytes. */
struct memo_entry {
	struct memo_key key;
	uint64_t hash;
	const char *bytes;   /* of all pieces */
	unsigned lengths[COL_COUNT];
	unsigned layout;
	struct value_check check;
};

struct memo {
	struct arena arena;
	struct lookup lookup;
	struct memo_entry **slots;
	size_t n, cap;
	size_t held;   /* bytes of the entries */
	/* The last two that were found, or put; NULL: none yet. They are looked at first: among
	 * rows that repeat one another stands one of another kind, then they go on. */
	struct memo_entry *recent[2];
	size_t oldest; /* of the two */
	struct memo_layout *layouts;
	size_t nlayouts, layouts_cap;
	atomic_size_t users;
};

/* With one user: the thread. Each part that was read with it is another until it is merged. The
 * last to release it frees it. */
struct memo *memo_make(const struct collection *c);
struct memo *memo_use(struct memo *m);
void memo_release(struct memo *m); /* may be NULL */
/* Whether the next part should begin with a new one. By the thread that reads with it, as what
 * follows. */
bool memo_is_full(const struct memo *m);
/* Bytes that go when the parts that were read with it are merged: all of one that is full, else
 * none, for the thread goes on with it. */
size_t memo_passing(const struct memo *m);

/* The number of a layout. */
size_t memo_layout(struct memo *m, const struct memo_layout *layout);

uint64_t memo_hash(const struct memo_piece *pieces, size_t n);
/* Of rows with these pieces; or NULL, with *hash set for memo_put(). */
struct memo_entry *memo_find(struct memo *m, size_t layout, const struct memo_piece *pieces,
			     size_t n, uint64_t *hash);
/* Remembers an accepted row that memo_find() did not know. NULL where it is not remembered, because
 * it is too long, there are too many or it collides with many. */
struct memo_entry *memo_put(struct memo *m, size_t layout, uint64_t hash,
			    const struct memo_piece *pieces, size_t n, const struct row_checker *k,
			    const struct row *row);
/* A key that is not remembered; its names stay where those of c are. */
struct memo_key *memo_single(const struct collection *c, const struct row *row, struct arena *a);

#endif
