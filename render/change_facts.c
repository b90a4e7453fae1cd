#include "change_facts.h"

#include <math.h>
#include <stdlib.h>

bool change_clause_next(struct str *rest, struct change_clause *out)
{
	static const struct str before = STR_INIT(" before, "), now = STR_INIT(" now");
	size_t end = str_find(*rest, STR("; "), 0), colon, middle;
	struct str clause = str_slice(*rest, 0, end);

	if (rest->len == 0)
		return false;
	*rest = str_slice(*rest, end + 2, rest->len);
	*out = (struct change_clause){ .label = clause };
	colon = str_find(clause, STR(": "), 0);
	middle = str_find(clause, before, colon);
	if (middle == clause.len || !str_ends(clause, now))
		return true;
	out->label = str_slice(clause, 0, colon);
	out->old = str_slice(clause, colon + 2, middle);
	out->now = str_slice(clause, middle + before.len, clause.len - now.len);
	return true;
}

/* The older side of a clause, or `same` where no clause says that it differs. */
static struct str old_word(const struct data_change *c, struct str label, struct str same)
{
	struct str rest = c->reason;
	struct change_clause clause;

	while (change_clause_next(&rest, &clause))
		if (str_eq(clause.label, label) && clause.old.len > 0)
			return clause.old;
	return same;
}

double change_facts_percent(double x)
{
	return 100 * expm1(x);
}

static bool is_status(const struct data_change *c, const char *status)
{
	return str_eq(c->status, str_of(status));
}

static void parts_of(const struct data_change *c, double *part)
{
	const double pct[CAUSES] = { [CAUSE_PRICE] = c->from_price_pct,
				     [CAUSE_DATA] = c->from_data_pct,
				     [CAUSE_METHOD] = c->from_method_pct };

	/* a loss of all is no number; the comparison is false for a missing part too */
	for (size_t i = 0; i < CAUSES; i++)
		part[i] = pct[i] > -100 ? log1p(pct[i] / 100) : (double)NAN;
}

/* ---- moves ---- */

/* One price makes the same move in every class, but for the 12 digits of the file. */
#define SAME_MOVE 1e-9

static bool same_parts(const double *a, const double *b)
{
	for (size_t i = 0; i < CAUSES; i++)
		if (fabs(a[i] - b[i]) > SAME_MOVE)
			return false;
	return true;
}

static void add_move(struct build *b, struct change_facts *f, struct map *first,
		     const struct data_change *c, const double *part)
{
	double total = part[CAUSE_PRICE] + part[CAUSE_DATA] + part[CAUSE_METHOD];
	bool fresh;
	size_t at = *map_put(first, c->device, f->nmoves, &fresh);

	/* a card may have several moves, one a class at most: look on from its first */
	while (at < f->nmoves
	       && !(str_eq(f->moves[at].device, c->device) && same_parts(f->moves[at].part, part)))
		at++;
	struct change_move *m = &f->moves[at];
	if (at == f->nmoves) {
		f->nmoves++;
		*m = (struct change_move){ .device = c->device, .total = total };
		m->rows = arena_array(b->arena, b->data->nclasses + 1, sizeof *m->rows);
		for (size_t i = 0; i < CAUSES; i++)
			m->part[i] = part[i];
	}
	/* a class that only the old edition has may come on top */
	if (m->nrows <= b->data->nclasses)
		m->rows[m->nrows++] = c;
}

static int by_size(const void *pa, const void *pb)
{
	const struct change_move *a = pa, *b = pb;
	double x = fabs(a->total), y = fabs(b->total);

	if (x < y || x > y)
		return x < y ? 1 : -1;
	return (a->rows[0]->pos.line > b->rows[0]->pos.line)
	       - (a->rows[0]->pos.line < b->rows[0]->pos.line);
}

static void count_move(struct build *b, struct change_facts *f, struct map *first,
		       const struct data_change *c)
{
	double part[CAUSES];
	bool moved = false;

	parts_of(c, part);
	for (size_t i = 0; i < CAUSES; i++) {
		if (isnan(part[i]))
			return;
		f->by_cause[i] += part[i] < 0 || part[i] > 0;
		f->sum[i] += fabs(part[i]);
		moved = moved || part[i] < 0 || part[i] > 0;
	}
	f->parts_known = true;
	if (moved)
		add_move(b, f, first, c, part);
}

/* ---- who is first ---- */

/* Whether the card counted among those that the first of a class is chosen from. */
static bool was_candidate(struct build *b, const struct data_change *c, enum ranking by)
{
	const struct data_price *p = build_card_price(b, c->device);
	struct str status = old_word(c, STR("price status"), p ? p->status : STR(""));

	if (str_eq(old_word(c, STR("origin"), STR("")), STR("estimated")))
		return false;
	return by == BY_VALUE || !data_has_word(status, STR("stale"));
}

/* The first of the class in the old edition, as its headline chose it. False where a card that has
 * no figures now was before all others: whether its price was old then is not known. */
static bool old_leader(struct build *b, struct str class, enum ranking by, struct str *out)
{
	const struct data_change *best = NULL;
	int lost = 0;

	for (size_t i = 0; i < b->data->nchanges; i++) {
		const struct data_change *c = &b->data->changes[i];
		if (c->old_rank <= 0 || !str_eq(c->class_text, class))
			continue;
		if (is_status(c, "gone"))
			lost = lost == 0 || c->old_rank < lost ? c->old_rank : lost;
		else if ((!best || c->old_rank < best->old_rank) && was_candidate(b, c, by))
			best = c;
	}
	if (!best || (lost > 0 && lost < best->old_rank))
		return false;
	*out = best->device;
	return true;
}

static bool tied_in(struct build *b, size_t class_no, struct str old, const struct ranked *now)
{
	const size_t *at = map_get(&b->data->device_index, old);
	const struct data_value *v = at ? data_value(b->data, LENS_CARD, *at, class_no) : NULL;

	return v && v->high >= now->low; /* false where an interval is missing */
}

static void add_leader(struct build *b, struct change_facts *f, struct change_leader l,
		       struct str class)
{
	size_t at = 0;

	while (at < f->nleaders
	       && !(str_eq(f->leaders[at].old, l.old) && str_eq(f->leaders[at].now, l.now)
		    && f->leaders[at].tied == l.tied))
		at++;
	if (at == f->nleaders)
		f->leaders[f->nleaders++] = l;
	name_add(b, &f->leaders[at].classes, build_class_title(b, class));
}

static void find_leaders(struct build *b, struct change_facts *f)
{
	struct ranked *r = arena_array(b->arena, b->data->ndevices, sizeof *r);
	enum ranking by = build_value_ranking(b);

	f->leaders = arena_array(b->arena, b->data->nclasses, sizeof *f->leaders);
	f->leaders_known = true;
	for (size_t c = 0; c < b->data->nclasses; c++) {
		struct str class = class_name(b->data->classes[c]), old;
		if (build_rank_class(b, c, by, LENS_CARD, r) == 0)
			continue;
		struct str now = b->data->devices[r[0].device];
		if (!old_leader(b, class, by, &old)) {
			f->leaders_known = false;
			continue;
		}
		if (!str_eq(old, now))
			add_leader(b, f,
				   (struct change_leader){ .old = old,
							   .now = now,
							   .tied = tied_in(b, c, old, &r[0]) },
				   class);
	}
}

/* ---- what is new, what is gone ---- */

static void add_name(struct build *b, struct change_facts *f, const struct data_change *c)
{
	if (is_status(c, "new"))
		name_add(b,
			 &f->names[str_starts(c->reason, STR("not in the old edition"))
				       ? NAMES_LISTED
				       : NAMES_VALUED],
			 c->device);
	if (is_status(c, "gone"))
		name_add(b,
			 &f->names[str_starts(c->reason, STR("not in the new edition"))
				       ? NAMES_UNLISTED
				       : NAMES_UNVALUED],
			 c->device);
}

struct change_facts change_facts(struct build *b)
{
	const struct report_data *d = b->data;
	struct change_facts f = { .nmoves = 0 };
	struct map first = { .arena = b->arena };

	f.moves = arena_array(b->arena, d->nchanges, sizeof *f.moves);
	for (size_t i = 0; i < d->nchanges; i++) {
		const struct data_change *c = &d->changes[i];
		f.changed += is_status(c, "changed");
		f.fresh += is_status(c, "new");
		f.gone += is_status(c, "gone");
		f.same += is_status(c, "same");
		f.reranked += c->old_rank > 0 && c->new_rank > 0 && c->old_rank != c->new_rank;
		add_name(b, &f, c);
		count_move(b, &f, &first, c);
	}
	if (f.nmoves > 0)
		qsort(f.moves, f.nmoves, sizeof *f.moves, by_size);
	find_leaders(b, &f);
	return f;
}
