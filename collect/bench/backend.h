/* What a backend is: a table of functions. `null` and `reference` are in the program; `onednn` and
 * `cuda` are shared objects beside it (gpuguide-bench-NAME.so) that export bench_backend_get(). The
 * program needs none of them to start. */
#ifndef BENCH_BACKEND_H
#define BENCH_BACKEND_H

#include "plan.h"

#include <stdbool.h>
#include <stddef.h>

enum { BENCH_ABI = 1 };

/* Why something did not happen. Out of memory is a fact that is recorded; unsupported is said and
 * passed over; lost ends the run of this device (a sticky error: nothing after it can be
 * trusted). */
enum bench_code { BENCH_OK, BENCH_UNSUPPORTED, BENCH_NO_MEMORY, BENCH_FAILED, BENCH_LOST };
struct bench_error {
	enum bench_code code;
	char msg[400]; /* "cudnnBackendFinalize: 3000 CUDNN_STATUS_NOT_SUPPORTED: …" */
};
bool bench_fail(struct bench_error *err, enum bench_code code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

enum { DEVICE_TEXT = 128, DEVICE_FACTS = 48 };

struct device_fact { char key[48], value[160]; };

struct device_info {
	/* as the driver says it: "NVIDIA H100 80GB HBM3"; CPUs: model name */
	char name[DEVICE_TEXT];
	char framework[DEVICE_TEXT]; /* "cuda 13.0 cublas 13.1.0 cudnn 9.19.0"; "onednn 2.6.3" */
	char driver[64];
	int device_count;           /* of this machine that the backend sees */
	int threads;                /* CPU threads that do the work; 0: it is done elsewhere */
	double memory_bytes;        /* of one; NAN: not known */
	/* last cache that rotating buffers must exceed; NAN: not known */
	double l2_bytes;
	/* bytes/s by its data sheet or clocks; NAN: not known (it is measured) */
	double bandwidth;
	double peak[PRECISIONS]; /* matrix FLOP/s by clocks and units, or of loops that stay in
				  * registers; NAN: not known (it is measured) */
	/* for the system description: PCIe, ECC, power limit, governor … */
	struct device_fact facts[DEVICE_FACTS];
	int nfacts;
};

/* What is measured while steps run; NAN where it does not answer. energy_j counts up from any
 * start. */
struct telemetry {
	double power_w, energy_j, sm_mhz, memory_mhz, temperature_c;
	unsigned long long throttle; /* bits as NVML gives them */
	int other_processes;         /* -1: not known */
};

struct device;  /* a backend's own */
struct loaded;  /* a plan on a device */

struct backend {
	int abi;
	const char *name;
	bool hollow; /* times without results: nothing to verify (null) */
	/* devices  how many, 0 with a message why there is none ("the driver is older than …") */
	int (*devices)(struct bench_error *why);
	struct device *(*open)(int index, struct bench_error *err);
	void (*close)(struct device *d);
	bool (*describe)(struct device *d, struct device_info *out, struct bench_error *err);
	bool (*supports)(struct device *d, enum precision p, struct bench_error *why);

	/* Allocates every tensor and chooses algorithms; the time of it is not counted.
	 * BENCH_NO_MEMORY leaves the device as it was. */
	struct loaded *(*load)(struct device *d, const struct plan *plan, struct bench_error *err);
	void (*unload)(struct loaded *l);
	/* Values in logical order (plan.h), as doubles whatever is stored. upload rounds to what is
	 * stored. */
	bool (*upload)(struct loaded *l, int tensor, const double *values, struct bench_error *err);
	bool (*download)(struct loaded *l, int tensor, double *values, struct bench_error *err);
	/* One operation, finished when it returns (verification). */
	bool (*run_op)(struct loaded *l, int op, struct bench_error *err);
	/* `steps` whole steps, one after another; seconds[i] of the i-th by the device's own clock
	 * (events), wall_s of all by the host's. graph: captured once and replayed;
	 * BENCH_UNSUPPORTED where there is none. */
	bool (*run_steps)(struct loaded *l, int steps, bool graph, double *seconds, double *wall_s,
	                  struct bench_error *err);
	/* Operation `op` `times` times over, with `copies` sets of buffers in turn so that none is
	 * found in a cache; *seconds of all of them together by the device's clock. */
	bool (*run_micro)(struct loaded *l, int op, int times, int copies, double *seconds,
			  struct bench_error *err);
	bool (*sample)(struct device *d, struct telemetry *out);
	/* How an operation is done: "jit:avx512_core", a cuDNN plan's name; "" not known. */
	const char *(*op_detail)(struct loaded *l, int op);
};

/* The one exported symbol of a plug-in. */
typedef const struct backend *bench_backend_get_fn(void);

/* Built in. */
const struct backend *backend_null(void);      /* fixed times; tests */
/* plain C in double precision: the meaning of every operation */
const struct backend *backend_reference(void);

#endif
