#include "duplicate.h"

#include "match.h"
#include "pair_table.h"
#include "../base/num.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { EARLIER_MAX = 8, DIGITS_LEAST = 4, DIGITS_MOST = 6 };
enum { MATCHES_LEAST = 2, EVIDENCE_PART = 10, EVIDENCE_WHOLE = 5 };

/* A group as its rows are compared: rows match within one `work` (workload, day, precision, device count) of a
 * family; a scope is its workload and day. */
struct entry {
	struct group *group;
	size_t family, workload, day, precision, device_count;
	size_t machine_rank, at;
};

/* Entries [first, end) of one workload and day. */
struct scope {
	size_t first, end;
	struct pair_table copies; /* pairs of machines of which the second copied the first */
};

struct finder {
	struct collection *c;
	struct overrides *overrides;
	struct arena *arena;
	struct entry *entries; /* of groups with rows */
	size_t n;
	struct scope *scopes;
	size_t nscopes, scopes_cap;
	size_t *rows_of;          /* rows of each machine */
	size_t *scope_rows_of;    /* of each machine in the scope at hand, else 0 */
	struct pair_table all;    /* by two machines, over all scopes */
	struct pair_table here;   /* of the scope at hand */
	const struct scope *scope; /* at hand */
	bool *copied;             /* machines that are copies of another one in all their work */
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

static int compare_sizes(size_t a, size_t b)
{
	return (a > b) - (a < b);
}

static int compare_scopes(const struct entry *a, const struct entry *b)
{
	int order = compare_sizes(a->family, b->family);

	order = order ? order : compare_sizes(a->workload, b->workload);
	return order ? order : compare_sizes(a->day, b->day);
}

static int compare_work(const struct entry *a, const struct entry *b)
{
	int order = compare_scopes(a, b);

	order = order ? order : compare_sizes(a->precision, b->precision);
	return order ? order : compare_sizes(a->device_count, b->device_count);
}

static int compare_entries(const void *pa, const void *pb)
{
	const struct entry *a = pa, *b = pb;
	int order = compare_work(a, b);

	order = order ? order : compare_sizes(a->machine_rank, b->machine_rank);
	return order ? order : compare_sizes(a->at, b->at);
}

static void fill(struct finder *f, const struct ranks *ranks)
{
	struct collection *c = f->c;
	struct names families = names_make(f->arena);
	size_t *family = arena_array(f->arena, c->series.n, sizeof *family);

	for (size_t i = 0; i < c->series.n; i++)
		family[i] = names_put(&families, family_of(c->series.v[i]), NULL);
	for (size_t i = 0; i < c->ngroups; i++) {
		struct group *g = c->groups[i];
		const struct row *r = &g->row;
		if (g->n == 0)
			continue;
		f->entries[f->n++] = (struct entry){
			g,
			family[c->inputs[r->file].series],
			r->workload,
			(size_t)((long long)r->date.day - INT_MIN),
			r->precision,
			(size_t)r->device_count,
			ranks->machine[r->machine],
			i,
		};
		f->rows_of[r->machine] += g->n;
	}
	if (f->n > 1)
		qsort(f->entries, f->n, sizeof *f->entries, compare_entries);
	for (size_t i = 0; i < f->n; i++) {
		if (i == 0 || compare_scopes(&f->entries[i - 1], &f->entries[i]) != 0) {
			f->scopes = arena_grow(f->arena, f->scopes, &f->scopes_cap, f->nscopes + 1,
					       sizeof *f->scopes);
			f->scopes[f->nscopes++] =
			    (struct scope){ .first = i, .copies = { .arena = f->arena } };
		}
		f->scopes[f->nscopes - 1].end = i + 1;
	}
}

/* --- digits --- */

/* Significant digits of the shortest decimal that reads back as the value, without zeros at the end. */
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

/* Whether a decimal of so many digits reads back as the value. A whole number below 2^53 times or over a power
 * of ten up to 10^22 is rounded once, as reading the decimal rounds it (Clinger, PLDI 1990). */
static bool has_digits(double value, int exponent, int digits)
{
	static const double powers[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
					 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
					 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
	int shift = digits - 1 - exponent;
	double power = powers[shift < 0 ? -shift : shift];
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
	int exponent = (int)floor(log10(value)); /* where it is 1 too high or low, a digit more or less is tried */
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
	return m->groups[m->runs[run].v->group]->row.machine;
}

static void count_match(void *ctx, const struct match *m)
{
	struct finder *f = ctx;
	size_t digits = digits_of(m->value);

	for (size_t b = 1; b < m->n; b++)
		for (size_t a = 0; a < b && a < EARLIER_MAX; a++) {
			size_t na = m->runs[a].n, nb = m->runs[b].n;
			size_t matched = na < nb ? na : nb;
			struct pair *p = pair_put(&f->here, machine_of(m, a), machine_of(m, b));
			p->matched += matched;
			p->evidence += matched * digits;
		}
}

/* Calls tell() for the equal values of each work of a scope that more than one machine has. */
static bool match_scope(struct finder *f, const struct scope *s,
			void (*tell)(void *ctx, const struct match *m), struct error *err)
{
	struct arena scratch = { .block_size = 1 << 12 };
	struct group **groups = arena_array(&scratch, s->end - s->first, sizeof *groups);
	bool good = true;

	f->scope = s;
	for (size_t i = s->first, end; i < s->end && good; i = end) {
		const struct entry *e = &f->entries[i];
		for (end = i; end < s->end && compare_work(e, &f->entries[end]) == 0; end++)
			groups[end - i] = f->entries[end].group;
		if (f->entries[end - 1].machine_rank != e->machine_rank)
			good = match_each(f->c, groups, end - i, DUPLICATE_BLOCK, tell, f, err);
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

/* Keeps the pairs of the scope at hand that are copies, and adds all to those over all scopes. A workload's few
 * rows may all agree by chance: "all rows" counts for whole machines only. */
static void close_scope(struct finder *f, struct scope *s)
{
	for (size_t i = s->first; i < s->end; i++)
		f->scope_rows_of[f->entries[i].group->row.machine] += f->entries[i].group->n;
	for (size_t i = 0; i < f->here.cap; i++) {
		const struct pair *p = &f->here.slots[i];
		if (p->a == p->b)
			continue;
		struct pair *all = pair_put(&f->all, p->a, p->b);
		all->matched += p->matched;
		all->evidence += p->evidence;
		if (p->matched >= MATCHES_LEAST
		    && is_copy(p, f->scope_rows_of[p->a], f->scope_rows_of[p->b]))
			*pair_put(&s->copies, p->a, p->b) =
			    (struct pair){ p->a, p->b, p->matched, p->evidence,
					   f->scope_rows_of[p->b] };
	}
	for (size_t i = s->first; i < s->end; i++)
		f->scope_rows_of[f->entries[i].group->row.machine] = 0;
	pair_clear(&f->here);
}

static bool is_copy_in_all(const struct finder *f, const struct pair *p)
{
	return p && is_copy(p, f->rows_of[p->a], f->rows_of[p->b]);
}

/* --- setting aside --- */

/* The row of a run that was read first. */
static const struct match_entry *first_of(const struct match *m, const struct match_run *run)
{
	const struct match_entry *first = run->v;

	for (size_t i = 1; i < run->n; i++) {
		unsigned file = m->groups[run->v[i].group]->row.file;
		unsigned first_file = m->groups[first->group]->row.file;
		if (file < first_file || (file == first_file && run->v[i].line < first->line))
			first = &run->v[i];
	}
	return first;
}

static void set_aside(struct finder *f, const struct match *m, size_t a, size_t b, bool everything,
		      size_t matched, size_t of)
{
	struct collection *c = f->c;
	const struct match_entry *first = first_of(m, &m->runs[a]);
	const struct row *original = &m->groups[first->group]->row;

	for (size_t i = 0; i < m->runs[b].n; i++) {
		const struct match_entry *e = &m->runs[b].v[i];
		struct group *g = m->groups[e->group];
		struct str scope = everything ? STR("all its workloads")
					      : c->workloads->v[g->row.workload].name;
		override_set_aside(c, f->overrides, g, e->line, m->value, REJECT_DUPLICATE,
				   "'" STR_FMT "' has the same value at " STR_FMT
				   ":%d, and %zu of %zu rows of '" STR_FMT "' (" STR_FMT
				   ") match it: counted once",
				   STR_ARG(c->machines[original->machine].name),
				   STR_ARG(c->inputs[original->file].name), first->line, matched, of,
				   STR_ARG(c->machines[g->row.machine].name), STR_ARG(scope));
	}
}

static void judge_match(void *ctx, const struct match *m)
{
	struct finder *f = ctx;

	for (size_t b = 1; b < m->n; b++)
		for (size_t a = 0; a < b && a < EARLIER_MAX; a++) {
			unsigned ma = machine_of(m, a), mb = machine_of(m, b);
			const struct pair *all = pair_get(&f->all, ma, mb);
			const struct pair *here = pair_get(&f->scope->copies, ma, mb);
			bool everything = is_copy_in_all(f, all);
			if (!everything && !here)
				continue;
			set_aside(f, m, a, b, everything, everything ? all->matched : here->matched,
				  everything ? f->rows_of[mb] : here->of);
			break;
		}
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

bool check_duplicate(struct collection *c, struct overrides *o, const struct ranks *ranks,
		     struct error *err)
{
	struct arena arena = { 0 };
	struct finder f = { .c = c,
			    .overrides = o,
			    .arena = &arena,
			    .entries = arena_array(&arena, c->ngroups, sizeof *f.entries),
			    .rows_of = arena_array(&arena, c->machine_keys.n, sizeof *f.rows_of),
			    .scope_rows_of =
				arena_array(&arena, c->machine_keys.n, sizeof *f.scope_rows_of),
			    .copied = arena_array(&arena, c->machine_keys.n, sizeof *f.copied),
			    .all = { .arena = &arena },
			    .here = { .arena = &arena } };
	bool good = true;

	fill(&f, ranks);
	for (size_t i = 0; i < f.nscopes && good; i++) {
		good = match_scope(&f, &f.scopes[i], count_match, err);
		close_scope(&f, &f.scopes[i]);
	}
	note_copied(&f);
	for (size_t i = 0; i < f.nscopes && good; i++)
		if (has_copies(&f, &f.scopes[i]))
			good = match_scope(&f, &f.scopes[i], judge_match, err);
	arena_free(&arena);
	return good;
}
