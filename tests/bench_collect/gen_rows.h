/* Rows of contributions as a bench of many machines would send them: each machine is one of the catalogue's
 * devices, one to eight of them, and runs its workloads again and again, a block of repeats at a time, with
 * a new date and driver every session. All values are believable, so that collect takes every row that is not
 * made bad on purpose: a machine is within 3 % of its device, a repeat within 2 % of its machine, and times and
 * rates stay within the bounds of workloads.csv and below the data sheet's arithmetic.
 * Everything follows from the seed. */
#ifndef TESTS_BENCH_COLLECT_GEN_ROWS_H
#define TESTS_BENCH_COLLECT_GEN_ROWS_H

#include "../../base/arena.h"
#include "../../base/error.h"
#include "../../base/str.h"
#include "../../catalogue/device.h"
#include "../../catalogue/workload.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ROW_TEXT_MAX = 1024 }; /* bytes of one row, its line end included */

struct gen_style {
	unsigned quoted_pct, bad_pct; /* share of the rows, 0 to 100 */
	bool crlf, lean; /* lean: short names, about 115 bytes a row */
	bool bare;       /* the rows of quoted_pct are without quotes after all */
	uint64_t seed;
	uint64_t rows_per_machine;
};

/* What can be drawn from. */
struct gen_pool {
	const struct device **devices;
	const struct workload **workloads;
	size_t ndevices, nworkloads;
};

/* One block of repeats: all that its rows have in common. */
struct gen_block {
	struct str head; /* "machine,date,...,metric," */
	struct str tail; /* ",unit,framework,driver," */
	double base;     /* what this machine reaches, in the workload's unit */
	double scale;    /* 10 ^ decimals */
	int decimals;
	unsigned repeat, repeats;
	const struct device *device;
	const struct workload *workload;
	char text[2 * ROW_TEXT_MAX];
};

struct gen_machine {
	uint64_t hash, rows; /* rows: given so far */
	const struct device *device;
	unsigned count, session, work, precision;
	double factor; /* of this machine against others of its device */
	char name[96], source[128];
};

struct gen {
	const struct gen_pool *pool;
	struct gen_style style;
	uint64_t random, machines; /* machines: begun so far */
	uint64_t rows, quoted, bad;
	struct gen_machine machine;
	struct gen_block block;
};

/* The devices and workloads that rows are of: spread evenly over the catalogue, the first those whose peak is
 * known and that are on the market by 2024, the second those of which values range over 500 times and more. */
bool gen_pool_read(const char *data_dir, struct arena *a, struct gen_pool *pool, struct error *err);

struct gen gen_begin(const struct gen_pool *pool, struct gen_style style);
/* The next row belongs to a machine that has not been before. */
void gen_next_machine(struct gen *g);
/* Writes the next row to `out` (ROW_TEXT_MAX bytes) and returns its length. */
size_t gen_row(struct gen *g, char *out);

extern const char gen_header[]; /* without its line end */

#endif
