#include "match.h"

#include <string.h>

enum { DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS, FEW = 48 };

struct matcher {
	const struct collection *c;
	struct group *const *groups;
	size_t n;
	struct match_entry *v, *other;
	size_t nv;
	struct match_run *runs;
	size_t runs_cap;
	struct arena scratch;
};

static uint64_t bits_of(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof bits);
	return bits;
}

/* Which of the parts a value is looked at in: equal values in the same. */
static size_t part_of(uint64_t bits, size_t parts)
{
	uint64_t h = bits * 0x9e3779b97f4a7c15u;

	return (size_t)((h >> 32) * parts >> 32);
}

static void insertion_sort(struct match_entry *v, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct match_entry x = v[i];
		size_t at = i;
		for (; at > 0 && v[at - 1].bits > x.bits; at--)
			v[at] = v[at - 1];
		v[at] = x;
	}
}

/* Sorts by the bits from `shift` on, leaving equal ones in their order. */
static void sort_digit(struct matcher *m, unsigned shift, const size_t *count)
{
	size_t at[DIGITS], sum = 0;

	for (size_t d = 0; d < DIGITS; d++) {
		at[d] = sum;
		sum += count[d];
	}
	for (size_t i = 0; i < m->nv; i++)
		m->other[at[m->v[i].bits >> shift & (DIGITS - 1)]++] = m->v[i];
	struct match_entry *sorted = m->other;
	m->other = m->v;
	m->v = sorted;
}

/* Radix sort, the lowest digit first; a digit that all values share is passed over. */
static void sort(struct matcher *m)
{
	enum { PASSES = 64 / DIGIT_BITS };
	size_t count[PASSES][DIGITS];

	if (m->nv <= FEW) {
		insertion_sort(m->v, m->nv);
		return;
	}
	memset(count, 0, sizeof count);
	for (size_t i = 0; i < m->nv; i++)
		for (unsigned p = 0; p < PASSES; p++)
			count[p][m->v[i].bits >> p * DIGIT_BITS & (DIGITS - 1)]++;
	for (unsigned p = 0; p < PASSES; p++)
		if (count[p][m->v[0].bits >> p * DIGIT_BITS & (DIGITS - 1)] < m->nv)
			sort_digit(m, p * DIGIT_BITS, count[p]);
}

/* The values of one part, by machine, then as they were read. */
static bool gather(struct matcher *m, size_t part, size_t parts, struct error *err)
{
	m->nv = 0;
	for (size_t g = 0; g < m->n; g++) {
		struct group_cursor cur = group_first(m->c, m->groups[g]);
		while (group_next(&cur, err))
			for (size_t i = 0; i < cur.n; i++) {
				uint64_t bits = bits_of(cur.values[i]);
				if (parts == 1 || part_of(bits, parts) == part)
					m->v[m->nv++] = (struct match_entry){ bits, (unsigned)g,
									      cur.lines[i] };
			}
		if (cur.failed)
			return false;
	}
	return true;
}

static unsigned machine_of(const struct matcher *m, const struct match_entry *e)
{
	return m->groups[e->group]->row.machine;
}

/* Splits v[from .. to), of one value, into runs. */
static size_t split(struct matcher *m, size_t from, size_t to)
{
	size_t n = 0;

	for (size_t i = from; i < to; i++) {
		if (i == from || machine_of(m, &m->v[i]) != machine_of(m, &m->v[i - 1])) {
			m->runs = arena_grow(&m->scratch, m->runs, &m->runs_cap, n + 1, sizeof *m->runs);
			m->runs[n++] = (struct match_run){ &m->v[i], 0 };
		}
		m->runs[n - 1].n++;
	}
	return n;
}

static void tell_all(struct matcher *m, void (*tell)(void *ctx, const struct match *m), void *ctx)
{
	size_t end;

	for (size_t i = 0; i < m->nv; i = end) {
		for (end = i + 1; end < m->nv && m->v[end].bits == m->v[i].bits; end++)
			;
		if (end - i < 2 || machine_of(m, &m->v[i]) == machine_of(m, &m->v[end - 1]))
			continue;
		struct match match = { .groups = m->groups, .n = split(m, i, end) };
		match.runs = m->runs;
		memcpy(&match.value, &m->v[i].bits, sizeof match.value);
		tell(ctx, &match);
	}
}

/* A part may be larger than its share; how large is counted. */
static bool largest_part(struct matcher *m, size_t parts, size_t *largest, struct error *err)
{
	size_t *count = arena_array(&m->scratch, parts, sizeof *count);

	*largest = 0;
	for (size_t g = 0; g < m->n; g++) {
		struct group_cursor cur = group_first(m->c, m->groups[g]);
		while (group_next(&cur, err))
			for (size_t i = 0; i < cur.n; i++)
				count[part_of(bits_of(cur.values[i]), parts)]++;
		if (cur.failed)
			return false;
	}
	for (size_t i = 0; i < parts; i++)
		*largest = count[i] > *largest ? count[i] : *largest;
	return true;
}

bool match_each(const struct collection *c, struct group *const *groups, size_t n, size_t block,
		void (*tell)(void *ctx, const struct match *m), void *ctx, struct error *err)
{
	struct matcher m = { .c = c, .groups = groups, .n = n, .scratch = { .block_size = 1 << 12 } };
	size_t rows = 0, largest, parts;
	bool good = true;

	for (size_t i = 0; i < n; i++)
		rows += groups[i]->n;
	parts = rows / block + 1;
	largest = rows;
	if (parts > 1)
		good = largest_part(&m, parts, &largest, err);
	m.v = arena_array(&m.scratch, largest, sizeof *m.v);
	m.other = arena_array(&m.scratch, largest, sizeof *m.other);
	for (size_t part = 0; part < parts && good; part++) {
		good = gather(&m, part, parts, err);
		if (good) {
			sort(&m);
			tell_all(&m, tell, ctx);
		}
	}
	arena_free(&m.scratch);
	return good;
}
