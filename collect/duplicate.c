#include "duplicate.h"

#include "match.h"
#include "order.h"
#include "overlap.h"
#include "pair_table.h"
#include "parallel.h"
#include "../base/num.h"

#include <math.h>
#include <pthread.h>
#include <stdint.h>

enum { EARLIER_MAX = 8, DIGITS_LEAST = 4, DIGITS_MOST = 6 };
enum { MATCHES_LEAST = 2, EVIDENCE_PART = 10, EVIDENCE_WHOLE = 5 };

/* A group as its rows are compared: rows match within one work (workload, precision, device count)
 * of a family, when they also have one day. */
struct entry {
	struct group *group;
	unsigned family, workload, precision, device_count;
	unsigned machine_rank;
};

/* Entries [first, end) of one workload of a family. */
struct scope {
	size_t first, end;
	struct arena arena;
	struct pair_table copies; /* pairs of machines, days on which the second copied the first */
};

struct finder {
	struct collection *c;
	struct overrides *overrides;
	struct arena *arena;
	struct entry *entries; /* of groups with rows */
	size_t n;
	struct scope *scopes;
	size_t nscopes, scopes_cap;
	size_t *rows_of;       /* rows of each machine */
	pthread_mutex_t lock;  /* of what follows */
	struct pair_table all; /* by two machines, over all workloads and days (day 0) */
	bool *copied;          /* machines that are copies of another one in all their work */
};

/* A scope at hand: several are counted at once. */
struct counting {
	const struct finder *f;
	struct arena arena;
	struct pair_table here; /* by two machines and day */
};

/* The name without "-v<number>..." at its end. */
static struct str family_of(struct str series)
{
	for (size_t i = series.len; i-- > 0;)
		if (series.p[i] == '-')
			return i + 2 < series.len && series.p[i + 1] == 'v'
				       && series.p[i + 2] >= '0' && series.p[i + 2] <= '9'
				   ? str_slice(series, 0, i)
				   : series;
	return series;
}

static bool same_scope(const struct entry *a, const struct entry *b)
{
	return a->family == b->family && a->workload == b->workload;
}

static bool same_work(const struct entry *a, const struct entry *b)
{
	return same_scope(a, b) && a->precision == b->precision
	       && a->device_count == b->device_count;
}

/* Of a machine and its copy the one that is better vouched for stays, whatever their names: nobody
 * puts a signed one out by sending its rows under a name that sorts before. */
static size_t rank_of(const struct finder *f, const struct ranks *ranks, size_t machine)
{
	size_t below_signed = (size_t)(TRUST_SIGNED - f->c->machines[machine].trust);

	return below_signed * f->c->machine_keys.n + ranks->machine[machine];
}

/* What entries sort by: the members of struct entry. */
enum { BY_FAMILY, BY_WORKLOAD, BY_PRECISION, BY_DEVICE_COUNT, BY_MACHINE, BY_COUNT };

/* Goes through the groups with rows, as they were read.
 * by  out: their columns;  at: which groups they are */
static void fill(struct finder *f, const struct ranks *ranks, unsigned *const *by, unsigned *at)
{
	struct collection *c = f->c;
	struct names families = names_make(f->arena);
	unsigned *family = arena_array(f->arena, c->series.n, sizeof *family);

	for (size_t i = 0; i < c->series.n; i++)
		family[i] = (unsigned)names_put(&families, family_of(c->series.v[i]), NULL);
	for (size_t i = 0; i < c->ngroups; i++) {
		const struct row *r = &c->groups[i]->row;
		if (c->groups[i]->n == 0)
			continue;
		by[BY_FAMILY][f->n] = family[c->inputs[r->file].series];
		by[BY_WORKLOAD][f->n] = r->workload;
		by[BY_PRECISION][f->n] = r->precision;
		by[BY_DEVICE_COUNT][f->n] = (unsigned)r->device_count;
		by[BY_MACHINE][f->n] = (unsigned)rank_of(f, ranks, r->machine);
		at[f->n++] = (unsigned)i;
		f->rows_of[r->machine] += c->groups[i]->n;
	}
}

/* The entries by scope, then by work, then by machine, then as they were read. */
static void sort_entries(struct finder *f, const struct ranks *ranks)
{
	struct arena scratch = { 0 };
	unsigned *by[BY_COUNT], *at = arena_array(&scratch, f->c->ngroups, sizeof *at);

	for (size_t k = 0; k < BY_COUNT; k++)
		by[k] = arena_array(&scratch, f->c->ngroups, sizeof *by[k]);
	fill(f, ranks, by, at);
	const unsigned *sorted = order_by(by, BY_COUNT, f->n, &scratch);
	for (size_t i = 0; i < f->n; i++) {
		size_t k = sorted[i];
		f->entries[i] = (struct entry){
			f->c->groups[at[k]],  by[BY_FAMILY][k],	      by[BY_WORKLOAD][k],
			by[BY_PRECISION][k], by[BY_DEVICE_COUNT][k], by[BY_MACHINE][k],
		};
	}
	arena_free(&scratch);
}

static void find_scopes(struct finder *f)
{
	for (size_t i = 0; i < f->n; i++) {
		if (i == 0 || !same_scope(&f->entries[i - 1], &f->entries[i])) {
			f->scopes = arena_grow(f->arena, f->scopes, &f->scopes_cap, f->nscopes + 1,
					       sizeof *f->scopes);
			f->scopes[f->nscopes++] = (struct scope){ .first = i };
		}
		f->scopes[f->nscopes - 1].end = i + 1;
	}
}

/* --- digits --- */

/* Significant digits of the shortest decimal that reads back as the value, without zeros at the
 * end. */
static size_t digits_of_text(double value)
{
	struct arena scratch = { .block_size = 256 };
	struct str text = num_shortest(&scratch, value);
	size_t digits = 0, zeros = 0;

	for (size_t i = 0; i < text.len && text.p[i] != 'e'; i++) {
		if (text.p[i] < '0' || text.p[i] > '9' || (digits == 0 && text.p[i] == '0'))
			continue;
		digits++;
		zeros = text.p[i] == '0' ? zeros + 1 : 0;
	}
	arena_free(&scratch);
	return digits - zeros;
}

/* Whether a decimal of so many digits reads back as the value. A whole number below 2^53 times or
 * over a power of ten that is a double is rounded once, as reading the decimal rounds it (Clinger,
 * PLDI 1990). */
static bool has_digits(double value, int exponent, int digits)
{
	int shift = digits - 1 - exponent;
	double power = num_tens[shift < 0 ? -shift : shift];
	double whole = nearbyint(shift < 0 ? value / power : value * power);

	return (shift < 0 ? whole * power : whole / power) == value;
}

/* Digits that a chance match is unlikely to have in common. */
static size_t digits_of(double value)
{
	if (!(value >= 1e-12 && value < 1e15)) {
		size_t digits = digits_of_text(value);
		return digits < DIGITS_LEAST ? 0 : digits < DIGITS_MOST ? digits : DIGITS_MOST;
	}
	/* where it is 1 too high or low, a digit more or less is tried */
	int exponent = (int)floor(log10(value));
	if (has_digits(value, exponent, DIGITS_LEAST - 1))
		return 0;
	for (int digits = DIGITS_LEAST; digits < DIGITS_MOST; digits++)
		if (has_digits(value, exponent, digits))
			return (size_t)digits;
	return DIGITS_MOST;
}

/* --- matches --- */

static unsigned machine_of(const struct match *m, size_t run)
{
	return m->groups[m->runs[run].group]->row.machine;
}

static void count_match(void *ctx, const struct match *m, unsigned *original)
{
	struct counting *count = ctx;
	size_t digits = digits_of(m->value);

	(void)original;
	for (size_t b = 1; b < m->n; b++)
		for (size_t a = 0; a < b && a < EARLIER_MAX; a++) {
			size_t na = m->runs[a].n, nb = m->runs[b].n;
			size_t matched = na < nb ? na : nb;
			struct pair *p =
			    pair_put(&count->here, machine_of(m, a), machine_of(m, b), m->day);
			p->matched += matched;
			p->evidence += matched * digits;
		}
}

/* Tells of the equal rows of each work of a scope that more than one machine has. */
static bool match_scope(const struct finder *f, const struct scope *s, const struct match_use *use,
			struct error *err)
{
	struct arena scratch = { .block_size = 1 << 12 };
	struct group **groups = arena_array(&scratch, s->end - s->first, sizeof *groups);
	bool good = true;

	for (size_t i = s->first, end; i < s->end && good; i = end) {
		const struct entry *e = &f->entries[i];
		for (end = i; end < s->end && same_work(e, &f->entries[end]); end++)
			groups[end - i] = f->entries[end].group;
		if (f->entries[end - 1].machine_rank == e->machine_rank)
			continue;
		struct arena work = { .block_size = 1 << 12 };
		good = match_each(f->c, groups, overlap_sift(groups, end - i), DUPLICATE_BLOCK, use,
				  &work, err);
		arena_free(&work);
	}
	arena_free(&scratch);
	return good;
}

/* Whether rows were copied; na and nb are the rows of the two machines. */
static bool is_copy(const struct pair *p, size_t na, size_t nb)
{
	size_t smaller = na < nb ? na : nb;

	if (p->matched == na && p->matched == nb && p->evidence >= EVIDENCE_WHOLE)
		return true;
	return p->matched >= MATCHES_LEAST && 2 * p->matched >= smaller
	       && p->evidence >= EVIDENCE_PART;
}

/* Whether it depends on the rows of a day. One row of a workload, and be it all of them, may agree
 * by chance: alone it counts for whole machines only. */
static bool may_be_copy(const struct pair *p)
{
	return p->a != p->b && p->matched >= MATCHES_LEAST && p->evidence >= EVIDENCE_WHOLE;
}

/* The rows of a machine on a day; the machine twice would be a free slot. */
static struct pair *day_put(struct pair_table *days, unsigned machine, int day)
{
	return pair_put(days, machine, ~machine, day);
}

static size_t rows_on(const struct pair_table *days, unsigned machine, int day)
{
	return pair_get(days, machine, ~machine, day)->matched;
}

/* Counts the rows of the machines and days that are in `days`. */
static bool count_days(const struct finder *f, const struct scope *s, const struct pair_table *days,
		       struct error *err)
{
	for (size_t i = s->first; i < s->end; i++) {
		unsigned machine = f->entries[i].group->row.machine;
		struct group_cursor cur = group_first(f->c, f->entries[i].group);
		while (group_next(&cur, err))
			for (size_t k = 0; k < cur.n; k++) {
				struct pair *p = pair_get(days, machine, ~machine, cur.v[k].day);
				if (p)
					p->matched++;
			}
		if (cur.failed)
			return false;
	}
	return true;
}

/* Keeps the pairs that are copies on a day. */
static bool find_copies(struct counting *count, struct scope *s, struct error *err)
{
	struct pair_table days = { .arena = &count->arena };

	for (size_t i = 0; i < count->here.cap; i++) {
		const struct pair *p = &count->here.slots[i];
		if (!may_be_copy(p))
			continue;
		day_put(&days, p->a, p->day);
		day_put(&days, p->b, p->day);
	}
	if (days.n == 0)
		return true;
	if (!count_days(count->f, s, &days, err))
		return false;
	s->copies.arena = &s->arena;
	for (size_t i = 0; i < count->here.cap; i++) {
		const struct pair *p = &count->here.slots[i];
		if (!may_be_copy(p))
			continue;
		size_t nb = rows_on(&days, p->b, p->day);
		if (!is_copy(p, rows_on(&days, p->a, p->day), nb))
			continue;
		struct pair *copy = pair_put(&s->copies, p->a, p->b, p->day);
		copy->matched = p->matched;
		copy->of = nb;
	}
	return true;
}

static void add_to_all(struct finder *f, const struct pair_table *here)
{
	pthread_mutex_lock(&f->lock);
	for (size_t i = 0; i < here->cap; i++) {
		const struct pair *p = &here->slots[i];
		if (p->a == p->b)
			continue;
		struct pair *all = pair_put(&f->all, p->a, p->b, 0);
		all->matched += p->matched;
		all->evidence += p->evidence;
	}
	pthread_mutex_unlock(&f->lock);
}

static bool count_scope(void *ctx, size_t i, struct error *err)
{
	struct finder *f = ctx;
	struct scope *s = &f->scopes[i];
	struct counting count = { .f = f, .arena = { .block_size = 1 << 12 } };
	const struct match_use use = { &count, count_match, NULL };

	count.here.arena = &count.arena;
	s->arena.block_size = 1 << 12;
	bool good = match_scope(f, s, &use, err) && find_copies(&count, s, err);
	if (good)
		add_to_all(f, &count.here);
	arena_free(&count.arena);
	return good;
}

static bool is_copy_in_all(const struct finder *f, const struct pair *p)
{
	return p && is_copy(p, f->rows_of[p->a], f->rows_of[p->b]);
}

/* --- setting aside --- */

/* A scope whose copies are set aside. */
struct judging {
	const struct finder *f;
	const struct scope *scope;
};

struct finding {
	bool everything; /* the copy is one of all its work */
	size_t matched, of;
};

/* Whether the rows that machine b has on a day are a copy of those of a. */
static bool is_found(const struct judging *j, unsigned a, unsigned b, int day,
		     struct finding *found)
{
	const struct finder *f = j->f;
	const struct pair *all = pair_get(&f->all, a, b, 0);
	const struct pair *here = pair_get(&j->scope->copies, a, b, day);
	bool everything = is_copy_in_all(f, all);

	if (!everything && !here)
		return false;
	*found = (struct finding){ everything, everything ? all->matched : here->matched,
				   everything ? f->rows_of[b] : here->of };
	return true;
}

static void judge_match(void *ctx, const struct match *m, unsigned *original)
{
	const struct judging *j = ctx;
	struct finding found;

	for (size_t b = 1; b < m->n; b++)
		for (size_t a = 0; a < b && a < EARLIER_MAX; a++)
			if (is_found(j, machine_of(m, a), machine_of(m, b), m->day, &found)) {
				original[b] = (unsigned)a;
				break;
			}
}

static void set_aside(void *ctx, struct group *g, const struct item *item, const struct group *of,
		      int line)
{
	const struct judging *j = ctx;
	struct collection *c = j->f->c;
	const struct row *original = &of->row;
	struct finding found;

	if (!is_found(j, original->machine, g->row.machine, item->day, &found))
		return;
	struct str scope = found.everything ? STR("all its workloads")
					    : c->workloads->v[g->row.workload].name;
	override_set_aside(c, j->f->overrides, g, item->line, item->value, REJECT_DUPLICATE,
			   "'" STR_FMT "' has the same value at " STR_FMT
			   ":%d, and %zu of %zu rows of '" STR_FMT "' (" STR_FMT
			   ") match it: counted once",
			   STR_ARG(c->machines[original->machine].name),
			   STR_ARG(c->inputs[original->file].name), line, found.matched, found.of,
			   STR_ARG(c->machines[g->row.machine].name), STR_ARG(scope));
}

/* Most scopes have no copy in them, and are not gone through again. */
static bool has_copies(const struct finder *f, const struct scope *s)
{
	if (s->copies.n)
		return true;
	for (size_t i = s->first; i < s->end; i++)
		if (f->copied[f->entries[i].group->row.machine])
			return true;
	return false;
}

static void note_copied(struct finder *f)
{
	for (size_t i = 0; i < f->all.cap; i++) {
		const struct pair *p = &f->all.slots[i];
		if (p->a != p->b && is_copy_in_all(f, p))
			f->copied[p->b] = true;
	}
}

static bool judge(struct finder *f, struct error *err)
{
	bool good = true;

	note_copied(f);
	for (size_t i = 0; i < f->nscopes && good; i++) {
		struct judging j = { f, &f->scopes[i] };
		const struct match_use use = { &j, judge_match, set_aside };
		if (has_copies(f, j.scope))
			good = match_scope(f, j.scope, &use, err);
	}
	return good;
}

bool check_duplicate(struct collection *c, struct overrides *o, const struct ranks *ranks,
		     struct error *err)
{
	struct arena arena = { 0 };
	struct finder f = { .c = c,
			    .overrides = o,
			    .arena = &arena,
			    .entries = arena_array(&arena, c->ngroups, sizeof *f.entries),
			    .rows_of = arena_array(&arena, c->machine_keys.n, sizeof *f.rows_of),
			    .copied = arena_array(&arena, c->machine_keys.n, sizeof *f.copied),
			    .all = { .arena = &arena } };

	pthread_mutex_init(&f.lock, NULL);
	sort_entries(&f, ranks);
	find_scopes(&f);
	bool good = parallel_for(c->threads, f.nscopes, 1, count_scope, &f, err) && judge(&f, err);
	for (size_t i = 0; i < f.nscopes; i++)
		arena_free(&f.scopes[i].arena);
	pthread_mutex_destroy(&f.lock);
	arena_free(&arena);
	return good;
}
