#include "pdf_columns.h"
#include "../base/str.h"

#include <math.h>
#include <stdbool.h>

#define WEIGHT_MIN 0.05
#define WEIGHT_MAX 20.0

/* How wide a column has become when the water stands at `level`. */
typedef double rise(const struct pdf_column *c, double width, double level);

static double rise_alike(const struct pdf_column *c, double width, double level)
{
	(void)c;
	return width + level;
}

static double rise_by_text(const struct pdf_column *c, double width, double level)
{
	return fmax(width, level * sqrt(c->text));
}

/* What the columns are filled up to, in this order. */
static const struct step {
	size_t want; /* member of struct pdf_column */
	rise *rise;
} steps[] = {
	{ offsetof(struct pdf_column, word), rise_alike },
	{ offsetof(struct pdf_column, ease), rise_alike },
	{ offsetof(struct pdf_column, whole), rise_by_text },
};

static double want_of(const struct pdf_column *c, const struct step *s)
{
	return *(const double *)((const char *)c + s->want);
}

static double width_at(const struct pdf_column *c, const struct step *s, double width, double level)
{
	return fmin(fmax(want_of(c, s), width), s->rise(c, width, level));
}

/* Pours `room` pt like water into the columns: small ones are full first, the others share what is
 * left. Returns what is left over. */
static double fill(const struct pdf_column *columns, size_t n, const struct step *s, double room,
		   double *widths)
{
	enum { ROUNDS = 60 }; /* bisection to far below a pt */
	double low = 0, high = room;

	for (size_t c = 0; c < n; c++)
		high += want_of(&columns[c], s); /* nothing wants more, whatever its pace */
	for (int i = 0; i < ROUNDS; i++) {
		double mid = (low + high) / 2, sum = 0;

		for (size_t c = 0; c < n; c++)
			sum += width_at(&columns[c], s, widths[c], mid) - widths[c];
		*(sum < room ? &low : &high) = mid;
	}
	for (size_t c = 0; c < n; c++) {
		double width = width_at(&columns[c], s, widths[c], low);

		room -= width - widths[c];
		widths[c] = width;
	}
	return fmax(room, 0);
}

static double weight_of(const struct pdf_column *c)
{
	return c->weight > 0 ? fmin(fmax(c->weight, WEIGHT_MIN), WEIGHT_MAX) : 1;
}

static void spread(const struct pdf_column *columns, size_t n, double slack, double *widths)
{
	const double bit = 44;
	double weights = 0;

	for (size_t c = 0; c < n; c++)
		weights += weight_of(&columns[c]);
	for (size_t c = 0; c < n; c++)
		widths[c] += fmin(slack * weight_of(&columns[c]) / weights, columns[c].whole + bit);
}

void pdf_columns_share(const struct pdf_column *columns, size_t n, double room, double *widths)
{
	for (size_t c = 0; c < n; c++)
		widths[c] = 0;
	for (size_t i = 0; i < LEN(steps); i++)
		room = fill(columns, n, &steps[i], room, widths);
	spread(columns, n, room, widths);
}
