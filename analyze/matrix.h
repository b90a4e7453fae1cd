/* One class as a table of devices by columns, the precision policy applied (method: METHOD.md,
 * "Scores"). A column is a workload and metric in one series; under POLICY_EACH each precision has
 * columns of its own. */
#ifndef ANALYZE_MATRIX_H
#define ANALYZE_MATRIX_H

#include "observation.h"
#include "../base/arena.h"
#include "../catalogue/device.h"
#include "../catalogue/edition.h"

#include <stdbool.h>
#include <stddef.h>

/* The median of one machine in the unit of its column. */
struct matrix_value {
	double value;
	size_t machine; /* index into matrix.machines */
};

struct matrix_cell {
	size_t device, column; /* indices into matrix.devices and matrix.columns */
	double y;              /* natural log of the rate; of 1/value where lower is better */
	bool lower_is_better;
	struct matrix_value *values; /* by value, then machine */
	size_t nvalues;
	int runs;
	enum trust trust; /* as the row's */
	struct str precision;
};

struct matrix_column {
	struct str workload, metric, series, precision; /* precision only under POLICY_EACH */
	/* 1 / columns of the series: its networks ran on the same few hosts and err together, so a
	 * series of 64 small networks must not outvote one of 3 large ones. */
	double weight;
	bool has_16_bit; /* some device's row is in 16 bit */
};

/* A machine whose rows did not name it stands for all `count` machines of its device and series. */
struct matrix_machine {
	struct str name;
	int count; /* 1 for a named one */
};

/* A 32-bit row that does not count, because the policy takes the device's fast 16-bit units, of a
 * column where the device has no cell. What it says is a lower bound of the device's score. */
struct matrix_wide {
	size_t device; /* index into the catalogue */
	size_t column;
	double y;
};

struct matrix {
	size_t *devices; /* indices into the catalogue, ascending */
	size_t ndevices;
	struct matrix_column *columns;
	size_t ncolumns;
	struct matrix_cell
	    *cells; /* by device, then column: the order of rows in the file does not matter */
	size_t ncells;
	struct matrix_machine *machines;
	size_t nmachines;
	size_t wide_left_out;  /* cells left out under POLICY_BEST for lack of a 16-bit row */
	struct matrix_wide *wide; /* under POLICY_BEST and POLICY_GUIDE, in the order of the rows */
	size_t nwide;
	size_t parts_left_out; /* rows of a part of a step whose whole is there too */
};

/* Rows on one device that score, of the class. Of several precisions that the policy allows the
 * fastest serves; a row that states none serves POLICY_GUIDE when nothing stated does. fp64 never
 * stands for deep learning under POLICY_GUIDE and POLICY_BEST. Under POLICY_BEST a device with
 * matrix units is left out of a column where others ran in 16 bit and it has only wider rows: there
 * its fastest precision was not measured. Vectors that compute fp16 at twice the fp32 rate are no
 * such units: in the shipped rows a Tesla P100 that stores 16 bit runs at 0.84 to 1.03 of its fp32,
 * so its 32-bit row stands for it. */
void matrix_build(const struct observations *obs, const struct edition_class *class,
		  const struct devices *devices, struct arena *a, struct matrix *out);

/* log of the median of n values given in ascending order with how often each counts; NAN when none
 * does. counts  by machine; NULL: each once */
double matrix_cell_y(const struct matrix_cell *c, const unsigned *counts);

/* The machines that a row of the matrix was measured on: a named one once, a nameless one for as many as its
 * rows count. */
int matrix_machines(const struct matrix *m, size_t row, struct arena *a);

/* Pooled standard deviation of log v within the cells of 2 or more machines: the square root of the
 * sum of squares about each cell's mean over the sum of (machines - 1). Adds to the two sums. */
void matrix_within(const struct matrix *m, double *sum_of_squares, size_t *freedom);

#endif
