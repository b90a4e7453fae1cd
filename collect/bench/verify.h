/* Holds a backend's results against the reference before anything is timed. Every operation of the
 * plan runs once, in order, on the backend's own intermediate values; of operations with the same
 * numbers the first is checked: its inputs are read back, the reference computes a sample of its
 * units (all of a small one, some hundred elements of a large product), and the results are
 * compared. The error of an element is |got - want| over the largest |want| of the sampled part of
 * its tensor, want rounded to the type it is stored in; of a weight after an optimizer's step it is
 * taken of the change that the step made, and its states are numbers and not the zeros of a first
 * step. A quarter of the mean error over the mean value counts as an error too, which finds what is
 * wrong beside a few large values. */
#ifndef BENCH_VERIFY_H
#define BENCH_VERIFY_H

#include "backend.h"

#include "../../base/arena.h"

struct verify_kind {
	enum op_kind kind;
	int checked;          /* operations */
	long elements;
	double error;         /* the largest relative error, as a share of what was allowed */
	struct str worst;     /* the operation that had it */
	double tolerance;     /* of that result: fp32 results have less than 16-bit ones */
};

struct verify_result {
	struct verify_kind *kinds; /* those that occur, in the order of enum op_kind */
	int nkinds;
	double error;         /* the largest of all, as a share of its tolerance */
	struct str worst;
	bool wrong;           /* something ran, and its results are not those of the reference */
};

double verify_tolerance(enum op_kind kind, enum precision p);

/* Host memory that verify_plan takes at once at most, in bytes: values of the operands of one operation, in doubles,
 * before and after, and a tensor on its way. An optimizer has most: 13 of its size with a master weight and Adam. */
double verify_host_bytes(const struct plan *p);

/* Uploads the first values of every tensor of l, then checks. devices: of an all-reduce.
 * False: the backend failed (its own code; BENCH_FAILED too where this program has no memory), or
 * `wrong` and BENCH_FAILED with what was wrong: "conv of layer1.0.conv1 at
 * element 7: -0.31 where the reference has 0.22, 0.4 of the largest value (at most 0.02 is
 * allowed)". */
bool verify_plan(const struct backend *b, struct loaded *l, const struct plan *p, int devices,
		 struct arena *a, struct verify_result *out, struct bench_error *err);

/* Only the first values, for a plan that is not verified (the same was, at another batch). */
bool verify_fill(const struct backend *b, struct loaded *l, const struct plan *p,
		 struct bench_error *err);

#endif
