#include "match.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MARKS_LEAST = 64, MARKS_MOST = 1 << 22, MARKS_A_ROW = 4, RUNS_LEAST = 64 };
enum { MARK_FREE = 0, MARK_MANY = -1 }; /* else a machine, from 1 */

/* First every row leaves the mark of its machine at a place that its value and day tell. Rows at a
 * place that only one machine has marked have no equal: most are done with then. The others are
 * sorted, and those that are alike made one run.
 *
 * The hash has no key, for what is told goes part by part, and its order must be the same in every
 * run. Rows that were made to share a place are sorted, no worse; where a part has more rows than
 * there is room for they are made runs at once, and where there are more runs than that the part is
 * gone through in pieces, by rising value and day. Two pieces fill a quarter of the room at least:
 * rows that were made to share a part are gone through a few times as often as if they had spread,
 * and take no more memory. */
struct matcher {
	const struct collection *c;
	struct group *const *groups;
	size_t n;
	const struct match_use *use;
	size_t part, parts;
	struct item from, until; /* of the piece: value and day of its first row, and of the first
	                          * behind it */
	unsigned *marks;
	size_t nmarks; /* a power of two */
	unsigned shift; /* bits of the hash below those that tell the place */
	struct match_run *v;
	size_t nv, cap;
	unsigned *original; /* in step with v; NULL: nobody asks for rows */
	size_t original_cap;
	struct arena *arena;
};

/* Below and above all rows: values are above 0 and finite. */
static const struct item lowest = { 0, 0, INT_MIN }, highest = { INFINITY, 0, INT_MIN };

static uint64_t hash_of(const struct item *item)
{
	uint64_t h;

	memcpy(&h, &item->value, sizeof h);
	h = (h ^ (uint64_t)(unsigned)item->day << 20) * 0x9e3779b97f4a7c15u;
	h = (h ^ h >> 32) * 0xd6e8feb86659fd93u;
	return h ^ h >> 32;
}

/* By value and day. */
static int compare_items(const struct item *a, const struct item *b)
{
	if (a->value != b->value)
		return a->value < b->value ? -1 : 1;
	return (a->day > b->day) - (a->day < b->day);
}

/* Which of the parts a row is looked at in: equal ones in the same. The place of its mark hangs on
 * other bits. */
static bool is_here(const struct matcher *m, const struct item *item, uint64_t hash)
{
	return (m->parts == 1 || (size_t)((hash >> 40) * m->parts >> 24) == m->part)
	       && compare_items(item, &m->from) >= 0 && compare_items(item, &m->until) < 0;
}

static unsigned *mark_of(struct matcher *m, uint64_t hash)
{
	return &m->marks[hash >> m->shift & (m->nmarks - 1)];
}

static void clear_marks(struct matcher *m)
{
	memset(m->marks, 0, m->nmarks * sizeof *m->marks);
}

static void mark(struct matcher *m, uint64_t hash, unsigned machine)
{
	unsigned *at = mark_of(m, hash);

	if (*at == MARK_FREE)
		*at = machine + 1;
	else if (*at != machine + 1)
		*at = (unsigned)MARK_MANY;
}

static unsigned machine_of(const struct matcher *m, size_t group)
{
	return m->groups[group]->row.machine;
}

/* --- runs --- */

/* By value and day, then by machine (the order of the groups). */
static int compare_runs(const void *pa, const void *pb)
{
	const struct match_run *a = pa, *b = pb;
	int order = compare_items(&a->first, &b->first);

	return order ? order : (a->group > b->group) - (a->group < b->group);
}

static bool is_read_before(const struct matcher *m, const struct match_run *a,
			   const struct match_run *b)
{
	unsigned file_a = m->groups[a->group]->row.file, file_b = m->groups[b->group]->row.file;

	return file_a != file_b ? file_a < file_b : a->first.line < b->first.line;
}

static void add_run(const struct matcher *m, struct match_run *to, const struct match_run *more)
{
	unsigned n = to->n + more->n;

	if (is_read_before(m, more, to))
		*to = *more;
	to->n = n;
}

/* Leaves one run for each value, day and machine, in this order. */
static void merge(struct matcher *m)
{
	size_t kept = 0;

	if (m->nv > 1)
		qsort(m->v, m->nv, sizeof *m->v, compare_runs);
	for (size_t i = 0; i < m->nv; i++) {
		struct match_run *last = kept ? &m->v[kept - 1] : NULL;
		if (last && compare_items(&last->first, &m->v[i].first) == 0
		    && machine_of(m, last->group) == machine_of(m, m->v[i].group))
			add_run(m, last, &m->v[i]);
		else
			m->v[kept++] = m->v[i];
	}
	m->nv = kept;
}

/* The end of the runs of one value and day. */
static size_t end_of(const struct matcher *m, size_t at)
{
	size_t end = at + 1;

	while (end < m->nv && compare_items(&m->v[end].first, &m->v[at].first) == 0)
		end++;
	return end;
}

/* Leaves the lower half, without a value and day that is not whole in it, for this time. */
static void leave_half(struct matcher *m)
{
	size_t at = m->nv / 2;

	while (at && compare_items(&m->v[at].first, &m->v[at - 1].first) == 0)
		at--;
	if (at == 0)
		at = end_of(m, 0);
	if (at == m->nv)
		return;
	m->until = m->v[at].first;
	m->nv = at;
}

/* Half of the room is free afterwards: so each time so many rows have been taken in since. */
static void make_room(struct matcher *m)
{
	merge(m);
	if (m->nv > m->cap / 2)
		leave_half(m);
	if (m->nv > m->cap / 2)
		m->v = arena_grow(m->arena, m->v, &m->cap, m->cap + 1, sizeof *m->v);
}

/* --- rows --- */

/* Calls see() for each row of the piece. */
static bool each_row(struct matcher *m,
		     void (*see)(struct matcher *m, size_t g, const struct item *item,
				 uint64_t hash),
		     struct error *err)
{
	for (size_t g = 0; g < m->n; g++) {
		struct group_cursor cur = group_first(m->c, m->groups[g]);
		while (group_next(&cur, err))
			for (size_t i = 0; i < cur.n; i++) {
				uint64_t hash = hash_of(&cur.v[i]);
				if (is_here(m, &cur.v[i], hash))
					see(m, g, &cur.v[i], hash);
			}
		if (cur.failed)
			return false;
	}
	return true;
}

static void gather(struct matcher *m, size_t g, const struct item *item, uint64_t hash)
{
	mark(m, hash, machine_of(m, g));
	m->v[m->nv++] = (struct match_run){ *item, (unsigned)g, 1 };
	if (m->nv == m->cap)
		make_room(m);
}

/* Leaves those whose mark several machines have made. */
static void sift(struct matcher *m)
{
	size_t kept = 0;

	for (size_t i = 0; i < m->nv; i++)
		if (*mark_of(m, hash_of(&m->v[i].first)) == (unsigned)MARK_MANY)
			m->v[kept++] = m->v[i];
	m->nv = kept;
}

/* Rows that share a place by chance seldom share another one too. */
static void sift_again(struct matcher *m)
{
	clear_marks(m);
	m->shift += 20;
	for (size_t i = 0; i < m->nv; i++)
		mark(m, hash_of(&m->v[i].first), machine_of(m, m->v[i].group));
	sift(m);
	m->shift = 0;
}

/* The run of a row, or SIZE_MAX. */
static size_t find(const struct matcher *m, size_t g, const struct item *item)
{
	size_t low = 0, high = m->nv;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct match_run *run = &m->v[middle];
		int order = compare_items(item, &run->first);
		if (order == 0 && machine_of(m, g) == machine_of(m, run->group))
			return middle;
		if (order < 0 || (order == 0 && g < run->group))
			high = middle;
		else
			low = middle + 1;
	}
	return SIZE_MAX;
}

static void tell_row(struct matcher *m, size_t g, const struct item *item, uint64_t hash)
{
	unsigned marked = *mark_of(m, hash);

	if (marked != (unsigned)MARK_MANY && marked != machine_of(m, g) + 1)
		return;
	size_t at = find(m, g, item);
	if (at == SIZE_MAX || m->original[at] == at)
		return;
	const struct match_run *of = &m->v[m->original[at]];
	m->use->row(m->use->ctx, m->groups[g], item, m->groups[of->group], of->first.line);
}

/* --- telling --- */

/* Of the runs from one on: where they end. */
static size_t tell_match(struct matcher *m, size_t from)
{
	size_t end = end_of(m, from);
	const struct match match = { .groups = m->groups,
				     .runs = &m->v[from],
				     .n = end - from,
				     .value = m->v[from].first.value,
				     .day = m->v[from].first.day };
	unsigned *original = m->original ? m->original + from : NULL;

	for (size_t i = 0; original && i < match.n; i++)
		original[i] = (unsigned)i;
	if (match.n > 1)
		m->use->tell(m->use->ctx, &match, original);
	for (size_t i = 0; original && i < match.n; i++)
		original[i] += (unsigned)from;
	return end;
}

/* Goes through the rows once more where some of them are copies. */
static bool tell_rows(struct matcher *m, struct error *err)
{
	bool any = false;

	clear_marks(m);
	for (size_t i = 0; i < m->nv; i++)
		if (m->original[i] != i) {
			mark(m, hash_of(&m->v[i].first), machine_of(m, m->v[i].group));
			any = true;
		}
	return !any || each_row(m, tell_row, err);
}

static bool tell_all(struct matcher *m, struct error *err)
{
	merge(m);
	if (m->use->row)
		m->original = arena_grow(m->arena, m->original, &m->original_cap, m->nv,
					 sizeof *m->original);
	for (size_t i = 0; i < m->nv;)
		i = tell_match(m, i);
	return !m->use->row || tell_rows(m, err);
}

/* A part, piece by piece: nearly always it is one. */
static bool match_part(struct matcher *m, struct error *err)
{
	for (m->from = lowest; compare_items(&m->from, &highest) < 0; m->from = m->until) {
		m->until = highest;
		m->nv = 0;
		clear_marks(m);
		if (!each_row(m, gather, err))
			return false;
		sift(m);
		sift_again(m);
		if (!tell_all(m, err))
			return false;
	}
	return true;
}

bool match_each(const struct collection *c, struct group *const *groups, size_t n, size_t block,
		const struct match_use *use, struct arena *a, struct error *err)
{
	struct matcher m = { .c = c, .groups = groups, .n = n, .use = use, .arena = a };
	size_t rows = 0;
	bool good = true;

	for (size_t i = 0; i < n; i++)
		rows += groups[i]->n;
	m.parts = rows / block + 1;
	m.nmarks = MARKS_LEAST;
	while (m.nmarks < MARKS_A_ROW * (rows / m.parts) && m.nmarks < MARKS_MOST)
		m.nmarks *= 2;
	m.marks = arena_array(a, m.nmarks, sizeof *m.marks);
	/* all of one part, or what one of several has, and an eighth more by chance */
	m.cap = m.parts == 1 ? rows + 1 : rows / m.parts + rows / m.parts / 8 + RUNS_LEAST;
	m.v = arena_array(a, m.cap, sizeof *m.v);
	for (m.part = 0; m.part < m.parts && good; m.part++)
		good = match_part(&m, err);
	return good;
}
