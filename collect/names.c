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

static size_t add(struct names *names, struct str text)
{
	struct str copy = str_dup(names->arena, text);

	names->v = arena_grow(names->arena, names->v, &names->cap, names->n + 1, sizeof *names->v);
	names->v[names->n] = copy;
	map_put(&names->map, copy, names->n, NULL);
	names->last = names->n;
	return names->n++;
}

size_t names_put(struct names *names, struct str text, bool *fresh)
{
	const size_t *at = names_get(names, text);

	if (fresh)
		*fresh = at == NULL;
	return at ? *at : add(names, text);
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

/* Whether it is what would come out, as nearly every text is: of plain ASCII, without blanks at its
 * ends or two in a row. */
static bool is_clean(struct str s)
{
	char before = ' ';

	for (size_t i = 0; i < s.len; before = s.p[i++])
		if (s.p[i] < ' ' || s.p[i] > '~' || (s.p[i] == ' ' && before == ' '))
			return false;
	return before != ' ';
}

struct str names_clean(struct arena *a, struct str s, size_t max)
{
	if (s.len <= max && is_clean(s))
		return str_dup(a, s);
	char *p = arena_alloc(a, (s.len < max ? s.len : max) + sizeof "...");
	size_t len = 0;

	for (size_t at = 0, from = 0; at < s.len; from = at) {
		unsigned c = str_next_utf8(s, &at);
		bool blank = c == ' ' || !str_is_plain(c);
		size_t n = blank ? 1 : at - from;
		if (blank && (len == 0 || p[len - 1] == ' '))
			continue;
		if (len + n > max) {
			memcpy(p + len, "...", 3);
			return (struct str){ p, len + 3 };
		}
		memcpy(p + len, blank ? " " : s.p + from, n);
		len += n;
	}
	while (len > 0 && p[len - 1] == ' ')
		len--;
	return (struct str){ p, len };
}
