#include "names.h"

#include <stdlib.h>
#include <string.h>

struct names names_make(struct arena *a)
{
	return (struct names){ .arena = a, .map = { .arena = a } };
}

const size_t *names_get(struct names *names, struct str text)
{
	if (names->n && str_eq(names->v[names->last], text))
		return &names->last;
	const size_t *at = map_get(&names->map, text);
	if (at)
		names->last = *at;
	return at;
}

size_t names_put(struct names *names, struct str text, bool *fresh)
{
	const size_t *at = names_get(names, text);

	if (fresh)
		*fresh = at == NULL;
	if (at)
		return *at;
	struct str copy = str_dup(names->arena, text);
	names->v = arena_grow(names->arena, names->v, &names->cap, names->n + 1, sizeof *names->v);
	names->v[names->n] = copy;
	map_put(&names->map, copy, names->n, NULL);
	names->last = names->n;
	return names->n++;
}

size_t names_put_numbers(struct names *names, const unsigned long long *v, size_t n, bool *fresh)
{
	return names_put(names, (struct str){ (const char *)v, n * sizeof *v }, fresh);
}

struct ranked {
	struct str text;
	size_t index;
};

static int compare_ranked(const void *pa, const void *pb)
{
	const struct ranked *a = pa, *b = pb;

	return str_cmp(a->text, b->text);
}

size_t *names_rank(const struct names *names, struct arena *a)
{
	struct ranked *sorted = arena_array(a, names->n, sizeof *sorted);
	size_t *rank = arena_array(a, names->n, sizeof *rank);

	for (size_t i = 0; i < names->n; i++)
		sorted[i] = (struct ranked){ names->v[i], i };
	if (names->n > 1)
		qsort(sorted, names->n, sizeof *sorted, compare_ranked);
	for (size_t i = 0; i < names->n; i++)
		rank[sorted[i].index] = i;
	return rank;
}

/* Nearly all names are ASCII: a byte at a time, without decoding. */
static unsigned next_character(struct str s, size_t *at)
{
	unsigned c = (unsigned char)s.p[*at];

	if (c >= 0x80)
		return str_next_utf8(s, at);
	++*at;
	return c;
}

static bool is_blank(unsigned c)
{
	return !(c > ' ' && c < 0x7F) && (c == ' ' || !str_is_plain(c));
}

struct str names_clean(struct arena *a, struct str s, size_t max)
{
	char *p = arena_alloc(a, (s.len < max ? s.len : max) + sizeof "...");
	size_t len = 0;

	for (size_t at = 0, from = 0; at < s.len; from = at) {
		bool blank = is_blank(next_character(s, &at));
		size_t n = blank ? 1 : at - from;
		if (blank && (len == 0 || p[len - 1] == ' '))
			continue;
		if (len + n > max) {
			memcpy(p + len, "...", 3);
			return (struct str){ p, len + 3 };
		}
		if (n == 1)
			p[len] = blank ? ' ' : s.p[from];
		else
			memcpy(p + len, s.p + from, n);
		len += n;
	}
	while (len > 0 && p[len - 1] == ' ')
		len--;
	return (struct str){ p, len };
}
