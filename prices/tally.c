#include "tally.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { TEXT_MAX = 400, SUBJECT_MAX = 200 };

size_t tally_open(struct tally *t, struct str name)
{
	for (size_t i = 0; i < t->n; i++)
		if (str_eq(t->v[i].name, name))
			return i;
	t->v = arena_grow(t->arena, t->v, &t->cap, t->n + 1, sizeof *t->v);
	t->v[t->n] = (struct tally_reason){ .name = name };
	return t->n++;
}

/* str_plain() on the way out makes the cut character whole. */
static struct str formatted(struct arena *a, const char *fmt, va_list args)
{
	char text[TEXT_MAX];

	vsnprintf(text, sizeof text, fmt, args);
	return str_plain(a, str_of(text));
}

/* The case of the subject; one more where it is new and there is room. */
static struct tally_case *find_case(struct tally *t, size_t reason, struct str subject, bool *fresh)
{
	struct tally_reason *r = &t->v[reason];
	struct str key = str_printf(t->arena, "%zu\n" STR_FMT, reason,
				    STR_ARG(str_slice(subject, 0, SUBJECT_MAX)));
	const size_t *at;

	t->cases.arena = t->arena;
	at = r->ncases < TALLY_CASES_MAX ? map_put(&t->cases, key, r->ncases, fresh)
					 : map_get(&t->cases, key);
	if (!at)
		return &r->cases[TALLY_CASES_MAX - 1];
	if (*fresh) {
		r->cases = arena_grow(t->arena, r->cases, &r->cap, *at + 1, sizeof *r->cases);
		r->ncases++;
	}
	return &r->cases[*at];
}

void tally_add(struct tally *t, size_t reason, struct str subject, size_t n, struct pos pos,
	       const char *fmt, ...)
{
	bool fresh = false;
	struct tally_case *c = find_case(t, reason, subject, &fresh);

	t->v[reason].n += n;
	if (fresh) {
		va_list args;

		va_start(args, fmt);
		*c = (struct tally_case){ 0, pos, formatted(t->arena, fmt, args) };
		va_end(args);
	}
	c->n += n;
}

size_t tally_sum(const struct tally *t)
{
	size_t sum = 0;

	for (size_t i = 0; i < t->n; i++)
		sum += t->v[i].n;
	return sum;
}

/* In one array they stand in the order of their first mention. */
static int by_size(const void *pa, const void *pb)
{
	const struct tally_case *x = *(const struct tally_case *const *)pa,
				*y = *(const struct tally_case *const *)pb;

	if (x->n != y->n)
		return x->n > y->n ? -1 : 1;
	return (x > y) - (x < y);
}

size_t tally_largest(const struct tally_reason *r, size_t limit, struct arena *a,
		     const struct tally_case **out)
{
	const struct tally_case **v = arena_array(a, r->ncases, sizeof *v);
	size_t n = r->ncases < limit ? r->ncases : limit;

	for (size_t i = 0; i < r->ncases; i++)
		v[i] = &r->cases[i];
	if (r->ncases)
		qsort(v, r->ncases, sizeof *v, by_size);
	for (size_t i = 0; i < n; i++)
		out[i] = v[i];
	return n;
}
