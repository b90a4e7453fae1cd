/* What was run: data/workloads.csv (one line a workload and metric) and data/series.csv. */
#ifndef CATALOGUE_WORKLOAD_H
#define CATALOGUE_WORKLOAD_H

#include "class.h"
#include "../base/arena.h"
#include "../base/error.h"
#include "../base/map.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

/* lo and hi bound a believable value in `unit`. flop_per_sample: of one sample of a rate, or of the
 * whole timed step of a time; NAN when unknown. */
struct workload {
	struct str name, metric, unit, title;
	enum class_id class;
	bool lower_is_better;
	double lo, hi, flop_per_sample, bytes_per_sample;
	bool scores; /* false: kept as an observation, never part of a score */
	struct pos pos;
};

struct workloads {
	struct workload *v;
	size_t n;
	struct map by_key;  /* "name\nmetric" to index */
	struct map by_name; /* name to the first index */
};

/* Reads DATA/workloads.csv, with columns
 *         workload,metric,class,unit,better,lo,hi,flop_per_sample,bytes_per_sample,use,title
 * Errors: as csv_read_records; ERR_UNKNOWN for a class; ERR_SYNTAX where better is not higher or
 *         lower, or use not score or info; ERR_RANGE unless 0 < lo < hi, and where the work of a
 *         sample is not above 0; ERR_DATA for a workload and metric listed twice. */
bool workloads_read(const char *data_dir, struct arena *a, struct workloads *out,
		    struct error *err);
/* Index, or w->n when the pair is not listed. */
size_t workload_find(const struct workloads *w, struct str name, struct str metric);
bool workload_known(const struct workloads *w, struct str name);

/* Rows are compared only inside one series: one folder of contributions. */
struct series {
	struct str name, title, rules, software, date, licence, url;
	bool comparable; /* false: facts, but never part of a score */
	struct pos pos;
};

struct series_list {
	struct series *v;
	size_t n;
};

/* Reads DATA/series.csv, with columns series,title,rules,software,date,licence,comparable,url.
 * Errors: as csv_read_records; ERR_SYNTAX where comparable is not yes or no; ERR_DATA for a series
 *         listed twice. */
bool series_read(const char *data_dir, struct arena *a, struct series_list *out, struct error *err);
/* NULL when not described; such a series counts as comparable. */
const struct series *series_find(const struct series_list *s, struct str name);

#endif
