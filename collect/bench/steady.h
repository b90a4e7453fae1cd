/* Times of a thing that is run again and again: warm-up until it is steady, then enough of it, with
 * what the device and the CPU said meanwhile.
 * Warm-up: until the last 5 times lie within 1 % and `warm_s` have passed, at most `warm_max_s`.
 * Then at least `steps` times and `least_s` seconds, at most `most_s` (then fewer steps, but 3). A
 * window that other programs disturbed (interference.h), that was throttled or that shared the
 * device is measured again, up to `retries` times and until twice `most_s` have passed; the least
 * disturbed one is kept and marked. Errors: the source's own; BENCH_FAILED where a clock stands,
 * runs backwards or tells no number. */
#ifndef BENCH_STEADY_H
#define BENCH_STEADY_H

#include "backend.h"
#include "interference.h"
#include "stats.h"

struct steady_rules {
	double warm_s, warm_max_s, least_s, most_s;
	int steps, retries;
};

/* What marks a row; shown by steady_marks(). */
enum {
	MARK_UNSTEADY = 1,   /* warm-up ended by its time */
	MARK_FEW = 2,        /* fewer steps than wanted */
	MARK_CLOCKS = 4,     /* device and host clocks more than 2 % apart */
	MARK_DISTURBED = 8,  /* other programs on the CPU */
	MARK_THROTTLED = 16, /* thermal or power-brake slowdown */
	MARK_SHARED = 32,    /* other processes on the device */
	MARK_QUICK = 64,
};
struct str steady_marks(unsigned marks, struct arena *a); /* "disturbed, throttled"; "" of none */

struct steady {
	double *seconds;
	size_t n;
	/* done in each of the n, whose mean time `seconds` then tells; 1 of steps */
	int operations;
	struct stats stats;
	unsigned marks;
	double warm_s;           /* of warm-up */
	double wall_s, device_s; /* all measured steps together by the two clocks */
	double cpu_share;        /* NAN: the work is elsewhere */
	double switches_per_s;
	/* means, and the energy of all steps; NAN */
	double power_w, energy_j, sm_mhz, temperature_c;
	unsigned long long throttle; /* all bits seen */
	bool sampled;                /* the device was asked and answered */
	int warm_steps, retries;
};

/* Runs the thing n times; seconds of each, *wall_s of all by the host's clock. */
struct steady_source {
	bool (*run)(void *ctx, int n, double *seconds, double *wall_s, struct bench_error *err);
	void *ctx;
	const struct backend *backend;
	struct device *device;
	int threads; /* device_info */
};

bool steady_measure(const struct steady_source *s, const struct steady_rules *rules,
		    struct arena *a, struct steady *out, struct bench_error *err);

#endif
