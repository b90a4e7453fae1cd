#include "duplicate.h"

#include "../base/num.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { EARLIER_MAX = 8, DIGITS_LEAST = 4, DIGITS_MOST = 6 };
enum { MATCHES_LEAST = 2, EVIDENCE_PART = 10, EVIDENCE_WHOLE = 5 };

/* Any workload: the scope of a whole machine. */
static const unsigned long long whole = UINT64_MAX;

struct entry {
	size_t family, workload, precision;
	int device_count, day;
	double value;
	size_t machine_rank, row;
};

/* Rows that two machines share in one scope; the numbers of the pair are its place in `pairs`. */
struct pair {
	size_t matched, evidence; /* evidence in digits */
};

/* What a finding says: `matched` of `of` rows of the copy. */
struct finding {
	size_t matched, of;
};

struct finder {
	struct collection *c;
	struct overrides *overrides;
	struct arena *arena;
	struct entry *entries; /* accepted rows; rows that match stand together, by machine */
	size_t n;
	struct names scopes; /* machine, workload, day */
	size_t *scope_rows;  /* rows in each scope */
	size_t scope_cap;
	struct names pairs_of; /* machine, machine, workload, day */
	struct pair *pairs;
	size_t pairs_cap;
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

static int compare_keys(const struct entry *a, const struct entry *b)
{
	if (a->family != b->family)
		return a->family < b->family ? -1 : 1;
	if (a->workload != b->workload)
		return a->workload < b->workload ? -1 : 1;
	if (a->precision != b->precision)
		return a->precision < b->precision ? -1 : 1;
	if (a->device_count != b->device_count)
		return a->device_count < b->device_count ? -1 : 1;
	if (a->day != b->day)
		return a->day < b->day ? -1 : 1;
	return a->value < b->value ? -1 : a->value > b->value;
}

static int compare_entries(const void *pa, const void *pb)
{
	const struct entry *a = pa, *b = pb;
	int order = compare_keys(a, b);

	if (order)
		return order;
	if (a->machine_rank != b->machine_rank)
		return a->machine_rank < b->machine_rank ? -1 : 1;
	return a->row < b->row ? -1 : a->row > b->row;
}

/* How many rows a scope has; the place holds good until the next call. */
static size_t *rows_in(struct finder *f, unsigned machine, unsigned long long workload, int day)
{
	unsigned long long key[] = { machine, workload,
				     workload == whole ? 0 : (unsigned long long)day };
	bool fresh;
	size_t scope = names_put_numbers(&f->scopes, key, LEN(key), &fresh);

	f->scope_rows =
	    arena_grow(f->arena, f->scope_rows, &f->scope_cap, scope + 1, sizeof *f->scope_rows);
	if (fresh)
		f->scope_rows[scope] = 0;
	return &f->scope_rows[scope];
}

/* Of a machine and its copy the one that is better vouched for stays, whatever their names: nobody puts
 * a signed one out by sending its rows under a name that sorts before. */
static size_t rank_of(const struct finder *f, const struct ranks *ranks, size_t machine)
{
	size_t below_signed = (size_t)(TRUST_SIGNED - f->c->machines[machine].trust);

	return below_signed * f->c->machine_keys.n + ranks->machine[machine];
}

static void fill(struct finder *f, const struct ranks *ranks)
{
	struct collection *c = f->c;
	struct names families = names_make(f->arena);
	size_t *family = arena_array(f->arena, c->series.n, sizeof *family);

	for (size_t i = 0; i < c->series.n; i++)
		family[i] = names_put(&families, family_of(c->series.v[i]), NULL);
	for (size_t i = 0; i < c->n; i++) {
		const struct row *r = &c->rows[i];
		if (r->state != ROW_ACCEPTED)
			continue;
		f->entries[f->n++] = (struct entry){
			family[c->inputs[r->file].series],
			r->workload,
			r->precision,
			r->device_count,
			r->date.day,
			r->value,
			rank_of(f, ranks, r->machine),
			i,
		};
		++*rows_in(f, r->machine, whole, 0);
		++*rows_in(f, r->machine, r->workload, r->date.day);
	}
	if (f->n > 1)
		qsort(f->entries, f->n, sizeof *f->entries, compare_entries);
}

/* Digits that a chance match is unlikely to have in common. */
static size_t digits_of(double value)
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
	digits -= zeros;
	if (digits < DIGITS_LEAST)
		return 0;
	return digits < DIGITS_MOST ? digits : DIGITS_MOST;
}

static struct pair *pair_at(struct finder *f, size_t a, size_t b, unsigned long long workload)
{
	const struct row *ra = &f->c->rows[f->entries[a].row], *rb = &f->c->rows[f->entries[b].row];
	unsigned long long key[] = { ra->machine, rb->machine, workload,
				     workload == whole ? 0 : (unsigned long long)rb->date.day };
	bool fresh;
	size_t at = names_put_numbers(&f->pairs_of, key, LEN(key), &fresh);

	f->pairs = arena_grow(f->arena, f->pairs, &f->pairs_cap, at + 1, sizeof *f->pairs);
	if (fresh)
		f->pairs[at] = (struct pair){ 0 };
	return &f->pairs[at];
}

/* A stretch of matching entries: runs[i] .. runs[i + 1] are those of one machine. */
struct stretch {
	size_t *runs;
	size_t n, cap;
};

static size_t next_stretch(struct finder *f, size_t from, struct stretch *s)
{
	size_t i = from;

	s->n = 0;
	for (; i < f->n && compare_keys(&f->entries[from], &f->entries[i]) == 0; i++)
		if (i == from || f->entries[i].machine_rank != f->entries[i - 1].machine_rank) {
			s->runs = arena_grow(f->arena, s->runs, &s->cap, s->n + 2, sizeof *s->runs);
			s->runs[s->n++] = i;
		}
	s->runs[s->n] = i;
	return i;
}

static void count_matches(struct finder *f, const struct stretch *s)
{
	size_t digits = s->n > 1 ? digits_of(f->entries[s->runs[0]].value) : 0;

	for (size_t b = 1; b < s->n; b++)
		for (size_t a = 0; a < b && a < EARLIER_MAX; a++) {
			size_t na = s->runs[a + 1] - s->runs[a], nb = s->runs[b + 1] - s->runs[b];
			size_t matched = na < nb ? na : nb;
			unsigned long long scopes[] = { whole, f->entries[s->runs[b]].workload };
			for (size_t k = 0; k < LEN(scopes); k++) {
				struct pair *p = pair_at(f, s->runs[a], s->runs[b], scopes[k]);
				p->matched += matched;
				p->evidence += matched * digits;
			}
		}
}

/* Whether the rows of one scope were copied; na and nb are the rows of the two machines in it. */
static bool is_copy(const struct pair *p, size_t na, size_t nb)
{
	size_t smaller = na < nb ? na : nb;

	if (p->matched == na && p->matched == nb && p->evidence >= EVIDENCE_WHOLE)
		return true;
	return p->matched >= MATCHES_LEAST && 2 * p->matched >= smaller
	       && p->evidence >= EVIDENCE_PART;
}

static bool scope_copied(struct finder *f, size_t a, size_t b, unsigned long long workload,
			 struct finding *found)
{
	const struct row *ra = &f->c->rows[f->entries[a].row], *rb = &f->c->rows[f->entries[b].row];
	size_t na = *rows_in(f, ra->machine, workload, ra->date.day);
	size_t nb = *rows_in(f, rb->machine, workload, rb->date.day);
	const struct pair *p = pair_at(f, a, b, workload);

	/* A workload's few rows may all agree by chance: "all rows" counts for whole machines only.
	 */
	if (workload != whole && p->matched < MATCHES_LEAST)
		return false;
	*found = (struct finding){ p->matched, nb };
	return is_copy(p, na, nb);
}

static void set_aside(struct finder *f, size_t a, size_t b, bool everything,
		      const struct finding *found)
{
	struct collection *c = f->c;
	const struct row *first = &c->rows[f->entries[a].row], *copy = &c->rows[f->entries[b].row];
	struct str scope =
	    everything ? STR("all its workloads") : c->workloads->v[copy->workload].name;

	override_set_aside(c, f->overrides, f->entries[b].row, REJECT_DUPLICATE,
			   "'" STR_FMT "' has the same value at " STR_FMT
			   ":%d, and %zu of %zu rows of '" STR_FMT "' (" STR_FMT
			   ") match it: counted once",
			   STR_ARG(c->machines[first->machine].name),
			   STR_ARG(c->inputs[first->file].name), first->line, found->matched,
			   found->of, STR_ARG(c->machines[copy->machine].name), STR_ARG(scope));
}

static void judge(struct finder *f, const struct stretch *s)
{
	for (size_t b = 1; b < s->n; b++)
		for (size_t a = 0; a < b && a < EARLIER_MAX; a++) {
			struct finding found;
			bool everything = scope_copied(f, s->runs[a], s->runs[b], whole, &found);
			if (!everything
			    && !scope_copied(f, s->runs[a], s->runs[b],
					     f->entries[s->runs[b]].workload, &found))
				continue;
			for (size_t i = s->runs[b]; i < s->runs[b + 1]; i++)
				set_aside(f, s->runs[a], i, everything, &found);
			break;
		}
}

void check_duplicate(struct collection *c, struct overrides *o, const struct ranks *ranks)
{
	struct arena arena = { 0 };
	struct finder f = { .c = c,
			    .overrides = o,
			    .arena = &arena,
			    .entries = arena_array(&arena, c->n, sizeof *f.entries),
			    .scopes = names_make(&arena),
			    .pairs_of = names_make(&arena) };
	struct stretch s = { 0 };

	fill(&f, ranks);
	for (size_t i = 0; i < f.n;) {
		i = next_stretch(&f, i, &s);
		count_matches(&f, &s);
	}
	for (size_t i = 0; i < f.n;) {
		i = next_stretch(&f, i, &s);
		judge(&f, &s);
	}
	arena_free(&arena);
}
