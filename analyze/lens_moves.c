#include "lens_moves.h"

#include "../base/csv_write.h"
#include "../base/file.h"

#include <math.h>

static const struct {
	enum lens a, b;
} compared[] = {
	{ LENS_CARD, LENS_SYSTEM },
	{ LENS_SYSTEM, LENS_SYSTEM_POWER },
	{ LENS_CARD, LENS_CLOUD },
};

/* The devices ranked in both lenses: two values each, in the order of the scores. */
struct pairing {
	const struct value **a, **b;
	size_t n;
};

static int sign(double x, double y)
{
	return (x > y) - (x < y);
}

double kendall_tau(const double *x, const double *y, size_t n)
{
	double balance = 0, untied_x = 0, untied_y = 0;

	for (size_t i = 0; i < n; i++) {
		for (size_t j = i + 1; j < n; j++) {
			int sx = sign(x[i], x[j]), sy = sign(y[i], y[j]);

			balance += sx * sy;
			untied_x += sx != 0;
			untied_y += sy != 0;
		}
	}
	return untied_x > 0 && untied_y > 0 ? balance / sqrt(untied_x * untied_y) : NAN;
}

/* The value of the same device and class in another lens, or NULL. */
static const struct value *in_lens(const struct values *values, const struct value *v,
				   enum lens lens)
{
	for (size_t i = 0; i < values->n; i++)
		if (values->v[i].lens == lens && values->v[i].device == v->device
		    && values->v[i].class == v->class)
			return &values->v[i];
	return NULL;
}

static struct pairing pair_up(const struct values *values, enum class_id class, enum lens lens_a,
			      enum lens lens_b, struct arena *arena)
{
	struct pairing p = { arena_array(arena, values->n, sizeof *p.a),
			     arena_array(arena, values->n, sizeof *p.b), 0 };

	for (size_t i = 0; i < values->n; i++) {
		const struct value *a = &values->v[i], *b;

		if (a->lens != lens_a || a->class != class || !a->rank)
			continue;
		b = in_lens(values, a, lens_b);
		if (!b || !b->rank)
			continue;
		p.a[p.n] = a;
		p.b[p.n++] = b;
	}
	return p;
}

/* Place of entry i by rank among n. */
static int place(const struct value *const *v, size_t n, size_t i)
{
	int rank = 1;

	for (size_t j = 0; j < n; j++)
		rank += v[j]->rank < v[i]->rank;
	return rank;
}

/* The best is above the other with their intervals apart; false when either is not known. */
static bool clearly_above(const struct value *best, const struct value *other)
{
	return best->low > other->high;
}

static void find_pair(const struct pairing *p, struct lens_move *m)
{
	double strongest = 1;

	for (size_t up = 0; up < p->n; up++) {
		for (size_t down = 0; down < p->n; down++) {
			double strength = fmin(p->a[down]->value / p->a[up]->value,
					       p->b[up]->value / p->b[down]->value);
			bool apart = clearly_above(p->a[down], p->a[up])
				     && clearly_above(p->b[up], p->b[down]);

			if (!(strength > 1) || (m->apart && !apart)
			    || (m->apart == apart && !(strength > strongest)))
				continue;
			strongest = strength;
			m->opposite = true;
			m->apart = apart;
			m->up = up;
			m->down = down;
		}
	}
}

static struct lens_move compare(const struct pairing *p, struct arena *arena)
{
	struct lens_move m = { .n = (int)p->n };
	double *x = arena_array(arena, p->n, sizeof *x), *y = arena_array(arena, p->n, sizeof *y);

	for (size_t i = 0; i < p->n; i++) {
		x[i] = p->a[i]->value;
		y[i] = p->b[i]->value;
	}
	m.kendall_tau = kendall_tau(x, y, p->n);
	find_pair(p, &m);
	if (!m.opposite)
		return m;
	m.rank_up_a = place(p->a, p->n, m.up);
	m.rank_up_b = place(p->b, p->n, m.up);
	m.rank_down_a = place(p->a, p->n, m.down);
	m.rank_down_b = place(p->b, p->n, m.down);
	m.up = p->a[m.up]->device;
	m.down = p->a[m.down]->device;
	return m;
}

void lens_moves_compute(const struct values *values, struct arena *arena, struct lens_moves *out)
{
	*out = (struct lens_moves){ .v = arena_array(arena, CLASS_COUNT,
						     LEN(compared) * sizeof *out->v) };
	/* The first lens has every class, each together. */
	for (size_t i = 0; i < values->n && values->v[i].lens == values->v[0].lens; i++) {
		enum class_id class = values->v[i].class;

		if (i > 0 && values->v[i - 1].class == class)
			continue;
		for (size_t j = 0; j < LEN(compared); j++) {
			struct pairing p =
			    pair_up(values, class, compared[j].a, compared[j].b, arena);
			struct lens_move m = compare(&p, arena);

			m.class = class;
			m.lens_a = compared[j].a;
			m.lens_b = compared[j].b;
			out->v[out->n++] = m;
		}
	}
}

static void write_pair(struct csv_out *w, const struct lens_move *m, const struct devices *devices)
{
	csv_put(w, devices->v[m->up].name);
	csv_put_int(w, m->rank_up_a);
	csv_put_int(w, m->rank_up_b);
	csv_put(w, devices->v[m->down].name);
	csv_put_int(w, m->rank_down_a);
	csv_put_int(w, m->rank_down_b);
	csv_put(w, m->apart ? STR("yes") : STR("no"));
}

bool lens_moves_write(const struct lens_moves *moves, const struct devices *devices,
		      const char *path, struct arena *a, struct error *err)
{
	struct csv_out w = { .buf.arena = a };

	strbuf_add(&w.buf, STR("class,lens_a,lens_b,n,kendall_tau,device_up,rank_up_a,rank_up_b,"
			       "device_down,rank_down_a,rank_down_b,apart\n"));
	for (size_t i = 0; i < moves->n; i++) {
		const struct lens_move *m = &moves->v[i];

		csv_put(&w, class_name(m->class));
		csv_put(&w, lens_name(m->lens_a));
		csv_put(&w, lens_name(m->lens_b));
		csv_put_int(&w, m->n);
		csv_put_num(&w, m->kendall_tau);
		if (m->opposite)
			write_pair(&w, m, devices);
		for (int empty = 0; !m->opposite && empty < 7; empty++)
			csv_put_missing(&w);
		csv_end_row(&w);
	}
	return file_write(path, strbuf_str(&w.buf), err);
}
