/* What several cards do together, from the rows measured on 2, 3, 4 and 8 of them.
 *
 *   speedup(n)    = v(n) / v(1), same device, workload, metric, precision and series. Rates only: a
 *                 time does not say whether n devices shared the work or each did as much
 *   efficiency(n) = speedup / n
 *   low, high     least and greatest machine on n devices over the same v(1); NAN for one machine
 *
 * Series run several cards with a batch as many times larger (weak scaling): the speed-up is that of
 * samples a second, not of one fixed batch. Where nobody ran one device, the fewest that were run
 * stand in: v(n) / v(m) is told in `reason`, and the speed-up stays missing, for m devices are not m
 * times one.
 *
 * Forward passes alone (workloads named -infer, -fwd) share nothing: every card does its own, which is
 * no work on one job. Their rows stand in multi.csv and in no median.
 *
 * data/multi_gpu.csv carries the guide's own figures, columns date,class,device_count,kind,low,high,
 * source (kind: table, frameworks, tuned). They stand beside the measured ones, never among them.
 *
 * multi.csv          class,workload,device,device_count,speedup,efficiency,origin,machines,precision,
 *                    series,low,high,reason,reason_msg   (origin: measured, or excluded without a speed-up)
 * multi_summary.csv  class,device_count,n,median_speedup,p10,p90,guide_2019,guide_2016_low,
 *                    guide_2016_high,note,guide_2016_tuned_low,guide_2016_tuned_high,devices,
 *                    independent_speedup,one_job_speedup,one_job_from,note_msg,one_job_from_msg
 *                    (multi_speedup() of no device in particular; n cells of `devices` devices)
 * *_msg: the sentence as a message (catalogue/say.h) */
#ifndef ANALYZE_MULTI_H
#define ANALYZE_MULTI_H

#include "observation.h"
#include "../base/arena.h"
#include "../base/date.h"
#include "../base/error.h"
#include "../catalogue/device.h"
#include "../catalogue/edition.h"
#include "../catalogue/say.h"
#include "../catalogue/text.h"

#include <stdbool.h>
#include <stddef.h>

/* One cell on several cards. */
struct multi_row {
	size_t device; /* index into devices */
	enum class_id class;
	struct str workload, metric, precision, series;
	int device_count;
	double speedup, efficiency, low, high; /* NAN where missing */
	int machines;                          /* on device_count cards */
	bool forward_only;                     /* "-infer", "-fwd": no part of any median */
	struct say reason;                     /* why there is no speedup; else empty */
};

enum multi_kind { MULTI_TABLE, MULTI_FRAMEWORKS, MULTI_TUNED };

/* A figure of the guide, of a class and count. */
struct multi_guide {
	struct date date;
	enum class_id class;
	int device_count;
	enum multi_kind kind;
	double low, high; /* equal where the guide gives one number */
	struct str source;
	struct pos pos;
};

/* A class and count: median and 10th and 90th percentile over its training cells, NAN where n is 0. */
struct multi_summary {
	enum class_id class;
	int device_count;
	size_t n, devices;
	double median, p10, p90;
	struct say note;
};

struct multi {
	struct multi_row *rows; /* in the order of the observations */
	size_t nrows;
	struct multi_summary *summaries; /* by class of the edition, then device_count */
	size_t nsummaries;
	struct multi_guide *guide; /* in the order of the file */
	size_t nguide;
};

/* Reads DATA/multi_gpu.csv into out->guide, which starts empty; figures newer than the date are left
 * out. An absent file is none.
 * Errors: as csv_read_records; ERR_UNKNOWN a class or kind; ERR_RANGE unless 0.01 <= low <= high <= 2
 *         device_count and device_count is 1 or more; ERR_DATA two rows of one date and case. */
bool multi_guide_read(const char *data_dir, struct date date, struct arena *a, struct multi *out,
		      struct error *err);

/* obs  rows of the edition's classes and of series that make scores count, of every device that was
 *      run, of the edition or not
 * out  out->guide as multi_guide_read() left it */
void multi_compute(const struct observations *obs, const struct edition *edition, struct arena *a,
		   struct multi *out);

/* MULTI_INDEPENDENT  n jobs, each on its own card: n
 * MULTI_ONE_JOB      the median of the device's own cells; else that of its class (rnn: at most the
 *                    cnn's); else, for cnn, the guide's table, and for an rnn that nobody ran at most
 *                    the cnn's; any other class is not estimated */
enum multi_mode { MULTI_INDEPENDENT, MULTI_ONE_JOB };
enum multi_origin { MULTI_OWN, MULTI_CLASS, MULTI_GUIDE, MULTI_NONE };

struct multi_answer {
	double speedup; /* NAN: not estimated */
	enum multi_origin origin;
	struct say reason; /* where it comes from, or why there is none */
};

/* device  index into devices, or SIZE_MAX for none in particular
 * n       cards, 1 or more */
struct multi_answer multi_speedup(const struct multi *m, enum class_id class, size_t device, int n,
				  enum multi_mode mode, struct arena *a);

/* Whether a workload is a forward pass alone, by its name. */
bool multi_is_forward(struct str workload);

/* The guide's figure, or NULL. */
const struct multi_guide *multi_guide_find(const struct multi *m, enum class_id class,
					   int device_count, enum multi_kind kind);

/* Errors: as text_say; ERR_ENVIRONMENT. */
bool multi_write(const struct multi *m, const struct devices *devices,
		 const struct text_catalogue *english, const char *path, struct arena *a,
		 struct error *err);
bool multi_write_summary(const struct multi *m, const struct text_catalogue *english,
			 const char *path, struct arena *a, struct error *err);

#endif
