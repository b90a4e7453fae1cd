/* edition.csv: what the report says of the edition itself, key,value. A list is joined by ", "; a
 * key whose value is not known is left out. name title summary date language currency reference
 * previous_date previous_id  of the edition that this one is compared with, where there is one
 * classes policy.CLASS           guide | best | each | the name of a precision benchmark_cutoff
 * where the edition has one newest_benchmark_date  of machines.csv, where that file stands beside
 *   newest_price_date      the newest price that serves one of the listed devices
 *   devices                how many the edition lists
 *   priced_devices stale_devices  those with a price of lens card; those of them with a stale one
 *   median_price_age_days  over the priced devices
 *   stale_days drop_days max_error
 *   markets fallback conditions anchors series_excluded
 *   trust_least            where it leaves out anything
 *   gpus country tariff hours_per_year years hours_per_month networks personas
 *   claims.VERDICT         how many of the guide's claims have it
 *   scaling.CLASS          the method asked for; method.CLASS the one in use
 *   measured.CLASS workloads.CLASS series.CLASS  what feeds a class: cards, columns, series
 *   reference.CLASS        measured | scaled | none
 *   anchors.CLASS          the cards that the listed scaled scores come from
 *   method.CLASS           of scaling
 *   note.N note.CLASS.N    sentences: of the edition file, then what was found out for the class */
#ifndef ANALYZE_SUMMARY_H
#define ANALYZE_SUMMARY_H

#include "analysis.h"
#include "../base/arena.h"
#include "../base/date.h"
#include "../base/error.h"
#include "../catalogue/edition.h"

#include <stdbool.h>
#include <stddef.h>

/* The newest last_date of machines.csv; INT_MIN when the file is absent or dates nothing.
 * Errors: as csv_read_records. */
bool summary_newest_benchmark(const char *machines_path, struct arena *a, struct date *out,
			      struct error *err);

/* Errors: ERR_ENVIRONMENT. */
bool summary_write(const struct analysis *s, const char *path, struct error *err);

#endif
