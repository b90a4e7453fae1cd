#include "figure_label.h"

#include "../base/str.h"

#include <math.h>

void label_room_box(struct label_room *r, struct label_box b)
{
	r->boxes = arena_grow(r->arena, r->boxes, &r->box_cap, r->nboxes + 1, sizeof *r->boxes);
	r->boxes[r->nboxes++] = b;
}

void label_room_segment(struct label_room *r, double x0, double y0, double x1, double y1)
{
	r->segments = arena_grow(r->arena, r->segments, &r->segment_cap, r->nsegments + 1,
				 sizeof *r->segments);
	r->segments[r->nsegments++] = (struct label_box){ x0, y0, x1, y1 };
}

static bool boxes_touch(const struct label_box *a, const struct label_box *b)
{
	return a->x0 < b->x1 && b->x0 < a->x1 && a->y0 < b->y1 && b->y0 < a->y1;
}

/* Liang-Barsky: the part of the line inside the box, parameter from t0 to t1, is not empty. */
static bool segment_crosses(const struct label_box *s, const struct label_box *b)
{
	double dx = s->x1 - s->x0, dy = s->y1 - s->y0, t0 = 0, t1 = 1;
	const double p[] = { -dx, dx, -dy, dy };
	const double q[] = { s->x0 - b->x0, b->x1 - s->x0, s->y0 - b->y0, b->y1 - s->y0 };

	for (size_t i = 0; i < LEN(p); i++) {
		if (p[i] < 0)
			t0 = fmax(t0, q[i] / p[i]);
		else if (p[i] > 0)
			t1 = fmin(t1, q[i] / p[i]);
		else if (q[i] < 0)
			return false;
	}
	return t0 < t1;
}

static bool is_free(const struct label_room *r, const struct label_box *b)
{
	const struct label_box *f = &r->frame;

	if (b->x0 < f->x0 || b->x1 > f->x1 || b->y0 < f->y0 || b->y1 > f->y1)
		return false;
	for (size_t i = 0; i < r->nboxes; i++)
		if (boxes_touch(b, &r->boxes[i]))
			return false;
	for (size_t i = 0; i < r->nsegments; i++)
		if (segment_crosses(&r->segments[i], b))
			return false;
	return true;
}

bool label_room_take(struct label_room *r, struct label_box b)
{
	if (!is_free(r, &b))
		return false;
	label_room_box(r, b);
	r->labels = arena_grow(r->arena, r->labels, &r->label_cap, r->nlabels + 1,
			       sizeof *r->labels);
	r->labels[r->nlabels++] = b;
	return true;
}

/* Directions in the order they are tried: on which side of the mark the text lies. */
static const struct {
	int dx, dy;
} sides[] = {
	{ 1, 0 }, { -1, 0 }, { 0, -1 }, { 0, 1 }, { 1, -1 }, { 1, 1 }, { -1, -1 }, { -1, 1 },
};

/* The line from the mark to the nearest place of the label's box; free of other labels? */
static bool leader_is_free(const struct label_room *r, const struct label_box *line)
{
	for (size_t i = 0; i < r->nlabels; i++)
		if (segment_crosses(line, &r->labels[i]))
			return false;
	return true;
}

static struct label_box beside(double x, double y, double off, size_t side, double width,
			       double height)
{
	double reach = sides[side].dx && sides[side].dy ? 0.7 * off : off;
	double cx = x + sides[side].dx * (reach + width / 2);
	double cy = y + sides[side].dy * (reach + height / 2);

	return (struct label_box){ cx - width / 2, cy - height / 2, cx + width / 2,
				   cy + height / 2 };
}

bool label_room_place(struct label_room *r, double x, double y, double radius, double width,
		      double height, struct label_place *out)
{
	static const double reaches[] = { 3, 10, 18, 28, 40 }; /* beyond the mark */

	for (size_t k = 0; k < LEN(reaches); k++) {
		for (size_t i = 0; i < LEN(sides); i++) {
			struct label_box b =
			    beside(x, y, radius + reaches[k], i, width, height);
			struct label_box line = { x, y, fmin(fmax(x, b.x0), b.x1),
						  fmin(fmax(y, b.y0), b.y1) };

			if ((k > 0 && !leader_is_free(r, &line)) || !label_room_take(r, b))
				continue;
			if (k > 0)
				label_room_segment(r, line.x0, line.y0, line.x1, line.y1);
			*out = (struct label_place){ b.x0, (b.y0 + b.y1) / 2, line.x1, line.y1,
						     k > 0 };
			return true;
		}
	}
	return false;
}

/* Labels that must move together: they stand `gap` apart around the mean of where they belong. */
struct cluster {
	double sum; /* of wanted place less offset inside the cluster */
	size_t n;
};

static double cluster_start(const struct cluster *c, double gap, double low, double high)
{
	double start = c->sum / (double)c->n, end = start + gap * (double)(c->n - 1);

	return fmax(low, end > high ? start - (end - high) : start);
}

void label_spread(double *at, size_t n, double gap, double low, double high, struct arena *a)
{
	size_t *order = arena_array(a, n, sizeof *order), m = 0, k = 0;
	struct cluster *c = arena_array(a, n, sizeof *c);

	if (n > 1)
		gap = fmin(gap, (high - low) / (double)(n - 1));
	for (size_t i = 0; i < n; i++) { /* insertion keeps equal ones in order */
		size_t j = i;

		for (; j > 0 && at[order[j - 1]] > at[i]; j--)
			order[j] = order[j - 1];
		order[j] = i;
	}
	for (size_t i = 0; i < n; i++) {
		c[m++] = (struct cluster){ at[order[i]], 1 };
		while (m > 1
		       && cluster_start(&c[m - 2], gap, low, high) + gap * (double)c[m - 2].n
			      > cluster_start(&c[m - 1], gap, low, high)) {
			c[m - 2].sum += c[m - 1].sum
					- gap * (double)c[m - 2].n * (double)c[m - 1].n;
			c[m - 2].n += c[m - 1].n;
			m--;
		}
	}
	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < c[i].n; j++)
			at[order[k++]] = cluster_start(&c[i], gap, low, high) + gap * (double)j;
}
