#include "pdf_columns.h"
#include "../base/str.h"

#include <math.h>
#include <stdbool.h>

#define WEIGHT_MIN 0.05
#define WEIGHT_MAX 20.0

/* What the columns are filled up to, in this order. */
static const struct step {
	size_t want; /* member of struct pdf_column */
	bool weighted;
} steps[] = {
	{ offsetof(struct pdf_column, word), false },
	{ offsetof(struct pdf_column, ease), false },
	{ offsetof(struct pdf_column, whole), true },
};

static double weight_of(const struct pdf_column *c)
{
	return c->weight > 0 ? fmin(fmax(c->weight, WEIGHT_MIN), WEIGHT_MAX) : 1;
}

/* What a column takes in this step when the water stands at `level`. */
static double taken(const struct pdf_column *c, const struct step *s, double width, double level)
{
	double want = *(const double *)((const char *)c + s->want);

	return fmin(fmax(want - width, 0), level * (s->weighted ? weight_of(c) : 1));
}

/* Pours `room` pt like water into the columns, which fill up alike or at the pace of their weights:
 * small ones are full first, the others share what is left. Returns what is left over. */
static double fill(const struct pdf_column *columns, size_t n, const struct step *s, double room,
		   double *widths)
{
	enum { ROUNDS = 60 }; /* bisection to far below a pt */
	double low = 0, high = room / WEIGHT_MIN;

	for (int i = 0; i < ROUNDS; i++) {
		double mid = (low + high) / 2, sum = 0;

		for (size_t c = 0; c < n; c++)
			sum += taken(&columns[c], s, widths[c], mid);
		*(sum < room ? &low : &high) = mid;
	}
	for (size_t c = 0; c < n; c++) {
		double take = taken(&columns[c], s, widths[c], low);

		widths[c] += take;
		room -= take;
	}
	return fmax(room, 0);
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
