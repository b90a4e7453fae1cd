/* Texts numbered in the order they first came: rows carry numbers, not text. */
#ifndef COLLECT_NAMES_H
#define COLLECT_NAMES_H

#include "../base/arena.h"
#include "../base/map.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

struct names {
	struct arena *arena;
	struct map map;
	struct str *v;
	size_t n, cap;
	size_t last; /* that was asked for: texts come again and again */
};

struct names names_make(struct arena *a);
/* The number of `text`, which is copied when it is new; *fresh may be NULL. */
size_t names_put(struct names *names, struct str text, bool *fresh);
/* The number of `text`, or NULL; it holds good until the next call. */
const size_t *names_get(struct names *names, struct str text);
/* rank[i] is the place of name i in byte order. */
size_t *names_rank(const struct names *names, struct arena *a);

/* The same for a tuple of numbers as the key. */
size_t names_put_numbers(struct names *names, const unsigned long long *v, size_t n, bool *fresh);

/* At most `max` bytes of s on one line: each run of blanks and of characters that are not plain
 * (str_is_plain) is one blank, cut at a character and marked with "..." when longer. */
struct str names_clean(struct arena *a, struct str s, size_t max);

#endif
