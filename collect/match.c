#include "match.h"

#include <stdlib.h>
#include <string.h>

enum { MARKS_LEAST = 64, MARKS_MOST = 1 << 22, MARKS_A_ROW = 4 };
enum { MARK_FREE = 0, MARK_MANY = -1 }; /* else a machine, from 1 */

/* First every row leaves the mark of its machine at a place that its value and day tell. Rows at a
 * place that only one machine has marked have no equal: most are done with then. The others are
 * sorted. The hash has no key, for what is told goes part by part, and its order must be the same
 * in every run; rows that were made to share a place are sorted, no worse. */
struct matcher {
	const struct collection *c;
	struct group *const *groups;
	size_t n;
	unsigned *marks;
	size_t nmarks; /* a power of two */
	unsigned shift; /* bits of the hash below those that tell the place */
	struct match_entry *v;
	size_t nv, cap;
	struct match_run *runs;
	size_t runs_cap;
	struct arena scratch;
};

static uint64_t hash_of(const struct item *item)
{
	uint64_t h;

	memcpy(&h, &item->value, sizeof h);
	h = (h ^ (uint64_t)(unsigned)item->day << 20) * 0x9e3779b97f4a7c15u;
	h = (h ^ h >> 32) * 0xd6e8feb86659fd93u;
	return h ^ h >> 32;
}

/* Which of the parts a row is looked at in: equal ones in the same. The place of its mark hangs on
 * other bits. */
static bool in_part(uint64_t hash, size_t part, size_t parts)
{
	return parts == 1 || (size_t)((hash >> 40) * parts >> 24) == part;
}

static unsigned *mark_of(struct matcher *m, uint64_t hash)
{
	return &m->marks[hash >> m->shift & (m->nmarks - 1)];
}

static void mark(struct matcher *m, uint64_t hash, unsigned machine)
{
	unsigned *at = mark_of(m, hash);

	if (*at == MARK_FREE)
		*at = machine + 1;
	else if (*at != machine + 1)
		*at = (unsigned)MARK_MANY;
}

/* The rows of one part, each with its mark made. */
static bool gather(struct matcher *m, size_t part, size_t parts, struct error *err)
{
	memset(m->marks, 0, m->nmarks * sizeof *m->marks);
	m->nv = 0;
	for (size_t g = 0; g < m->n; g++) {
		struct group_cursor cur = group_first(m->c, m->groups[g]);
		while (group_next(&cur, err)) {
			m->v = arena_grow(&m->scratch, m->v, &m->cap, m->nv + cur.n, sizeof *m->v);
			for (size_t i = 0; i < cur.n; i++) {
				uint64_t hash = hash_of(&cur.v[i]);
				if (!in_part(hash, part, parts))
					continue;
				mark(m, hash, m->groups[g]->row.machine);
				m->v[m->nv++] = (struct match_entry){ cur.v[i], (unsigned)g };
			}
		}
		if (cur.failed)
			return false;
	}
	return true;
}

/* Leaves those whose mark several machines have made. */
static void sift(struct matcher *m)
{
	size_t kept = 0;

	for (size_t i = 0; i < m->nv; i++)
		if (*mark_of(m, hash_of(&m->v[i].item)) == (unsigned)MARK_MANY)
			m->v[kept++] = m->v[i];
	m->nv = kept;
}

/* Rows that share a place by chance seldom share another one too. */
static void sift_again(struct matcher *m)
{
	memset(m->marks, 0, m->nmarks * sizeof *m->marks);
	m->shift += 20;
	for (size_t i = 0; i < m->nv; i++)
		mark(m, hash_of(&m->v[i].item), m->groups[m->v[i].group]->row.machine);
	sift(m);
	m->shift = 0;
}

/* By value and day, then by machine (the order of the groups), then as they were read. */
static int compare_entries(const void *pa, const void *pb)
{
	const struct match_entry *a = pa, *b = pb;

	if (a->item.value != b->item.value)
		return a->item.value < b->item.value ? -1 : 1;
	if (a->item.day != b->item.day)
		return a->item.day < b->item.day ? -1 : 1;
	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	return (a->item.line > b->item.line) - (a->item.line < b->item.line);
}

static unsigned machine_of(const struct matcher *m, const struct match_entry *e)
{
	return m->groups[e->group]->row.machine;
}

/* Splits v[from .. to), of one value and day, into runs. */
static size_t split(struct matcher *m, size_t from, size_t to)
{
	size_t n = 0;

	for (size_t i = from; i < to; i++) {
		if (i == from || machine_of(m, &m->v[i]) != machine_of(m, &m->v[i - 1])) {
			m->runs = arena_grow(&m->scratch, m->runs, &m->runs_cap, n + 1,
					     sizeof *m->runs);
			m->runs[n++] = (struct match_run){ &m->v[i], 0 };
		}
		m->runs[n - 1].n++;
	}
	return n;
}

static bool is_equal(const struct match_entry *a, const struct match_entry *b)
{
	return a->item.value == b->item.value && a->item.day == b->item.day;
}

static void tell_all(struct matcher *m, void (*tell)(void *ctx, const struct match *m), void *ctx)
{
	size_t end;

	if (m->nv > 1)
		qsort(m->v, m->nv, sizeof *m->v, compare_entries);
	for (size_t i = 0; i < m->nv; i = end) {
		for (end = i + 1; end < m->nv && is_equal(&m->v[end], &m->v[i]); end++)
			;
		if (end - i < 2 || machine_of(m, &m->v[i]) == machine_of(m, &m->v[end - 1]))
			continue;
		struct match match = { .groups = m->groups,
				       .n = split(m, i, end),
				       .value = m->v[i].item.value,
				       .day = m->v[i].item.day };
		match.runs = m->runs;
		tell(ctx, &match);
	}
}

bool match_each(const struct collection *c, struct group *const *groups, size_t n, size_t block,
		void (*tell)(void *ctx, const struct match *m), void *ctx, struct error *err)
{
	struct matcher m = {
		.c = c, .groups = groups, .n = n, .scratch = { .block_size = 1 << 12 }
	};
	size_t rows = 0, parts;
	bool good = true;

	for (size_t i = 0; i < n; i++)
		rows += groups[i]->n;
	parts = rows / block + 1;
	m.nmarks = MARKS_LEAST;
	while (m.nmarks < MARKS_A_ROW * (rows / parts) && m.nmarks < MARKS_MOST)
		m.nmarks *= 2;
	m.marks = arena_array(&m.scratch, m.nmarks, sizeof *m.marks);
	m.cap = parts == 1 ? rows : rows / parts + rows / parts / 8;
	m.v = arena_array(&m.scratch, m.cap, sizeof *m.v);
	for (size_t part = 0; part < parts && good; part++) {
		good = gather(&m, part, parts, err);
		if (good) {
			sift(&m);
			sift_again(&m);
			tell_all(&m, tell, ctx);
		}
	}
	arena_free(&m.scratch);
	return good;
}
