/* Stage 1: contributed CSVs to observations.
 * In:  files, packed ones too (unpack.h), folders or "-" (standard input); the folder of a file is
 *      its series, its file name below the given path its name in every message
 *      ("lambda-pytorch-v1/4090_v1.csv"). Folders are read in byte order.
 * Out: DIR/data/observations.csv, rejects.csv, machines.csv, sources.csv.
 *
 * observations.csv (one row a cell: device, workload, metric, precision, device_count, series;
 * sorted by these)
 *   device,class,workload,precision,device_count,series,value,unit,better,machines,runs,
 *   spread_pct,sources,metric,use,machine_values,trust
 *   use             score | info (info: never part of a score: see workloads.csv and series.csv
 *                   comparable)
 *   machine_values  the machine medians behind the value, "ID=number" separated by blanks, ID as in
 *                   machines.csv
 *   trust           signed | known | anonymous: the highest tier that more than half of the
 *                   machines behind the value reach (catalogue/trust.h)
 * machines.csv  id,machine,series,first_date,last_date,rows,frameworks,trust,signer
 *   (rows: accepted ones; signer: the name in allowed_signers, empty where it is not signed)
 * sources.csv   series,title,files,rows,accepted,rejected,set_aside,machines,devices,first_date,
 *               last_date,comparable,software,licence,url,newest_row_date,machines_signed,
 *               machines_known,machines_anonymous; one row a series
 * rejects.csv   file,line,column,code,value,reason,action (rejected, set-aside, overridden);
 *               the codes stand in collect/reject.h
 * inputs.csv    path,sha256,bytes of every file the edition is made from; by publish/inputs.c */
#ifndef COLLECT_COLLECT_H
#define COLLECT_COLLECT_H

#include "../base/arena.h"
#include "../base/cache.h"
#include "../base/error.h"
#include "../catalogue/device.h"
#include "../catalogue/edition.h"
#include "../catalogue/workload.h"

#include <stdbool.h>
#include <stddef.h>

struct stage_limits;

struct collect_options {
	const char *data_dir;        /* the catalogue: devices.csv, workloads.csv, series.csv,
	                              * overrides.csv, contributors/allowed_signers */
	const char *out_dir;         /* DIR; files go to DIR/data */
	const char *const *paths;    /* contributions */
	size_t npaths;
	const struct edition *edition; /* benchmark_cutoff, series_excluded, trust_least; NULL:
	                                * none */
	struct cache *cache;         /* NULL: none */
	size_t threads;              /* 0: as many as the machine has; the results are the same with
	                              * any number */
	size_t memory;               /* bytes of values that are held before they go to a file; 0:
	                              * ITEMS_BUDGET */
	const struct stage_limits *limits; /* of all files together; NULL: those of
	                                    * collect/limits.h */
	size_t result;               /* bytes that a process of its own may hand back beside what is
	                              * for the cache (boxed.h); 0: LIMIT_RESULT_BYTES */
	int scratch_fd;              /* an open file without a name for what does not fit into
	                              * memory; 0: none, the stage may make its own */
};

struct collect_summary {
	size_t files, files_refused, rows, accepted, rejected, set_aside, cells, machines, devices;
};

/* messages  every refused row or file, ready to print
 * summary   out
 * Returns false only when the stage could not run (ERR_ENVIRONMENT, a broken catalogue, an empty
 * set of files: "no contributions found"); refused rows are no failure: the caller looks at
 * summary. */
bool collect_run(const struct collect_options *opt, const struct devices *devices,
                 struct arena *a, struct messages *messages, struct collect_summary *summary,
                 struct error *err);

#endif
