/* Stage 2: observations and prices to scores and values.
 * In:  DIR/data/observations.csv (columns metric, use, machine_values may be absent: then every row
 *      scores and each machine count is taken at its word), prices, devices, the edition.
 * Out: DIR/data/scores.csv, prices.csv, values.csv, backtest.csv, price-rejects.csv, edition.csv.
 *
 * scores.csv    device,class,score,low,high,origin,anchor,predictor,error_pct,machines,runs,workloads,
 *               series,reason,precisions,peer_low,peer_high  (excluded rows: score empty, reason says why;
 *               peer_low and peer_high leave out the error of a scaled reference, which all scores of a class share)
 * prices.csv    device,lens,price_usd,low,high,markets,observations,newest_date,age_days,status
 *               status: blank-separated flags out of ok stale single-source fallback unusual few-listings missing
 * values.csv    device,class,lens,cost_usd,value,low,high,rank,tie,status
 *               status: ok | no-price | no-score ; tie: yes when the interval overlaps that of the rank above
 * backtest.csv  class,method,n,median_error_pct,p90_error_pct,case   (case: represented | not-represented | all)
 * price-rejects.csv  file,line,column,reason: rows of the price files that were refused; file is relative to data_dir
 * edition.csv   key,value: name,title,summary,date,reference,benchmark_cutoff,newest_price_date, … all that
 *               the report says of the edition itself */
#ifndef ANALYZE_ANALYZE_H
#define ANALYZE_ANALYZE_H

#include "../base/arena.h"
#include "../base/error.h"
#include "../catalogue/device.h"
#include "../catalogue/edition.h"
#include "../catalogue/price.h"

#include <stdbool.h>

struct analyze_options {
	const char *data_dir;
	const char *out_dir;
	const struct edition *edition; /* date resolved */
	const struct messages *refused_prices; /* of prices_read; NULL: none */
};

/* Errors: ERR_SYNTAX, ERR_UNKNOWN with position for a faulty observations.csv; ERR_DATA when no device of the edition can
 * be scored in any class; ERR_ENVIRONMENT. */
bool analyze_run(const struct analyze_options *opt, const struct devices *devices,
                 const struct prices *prices, struct arena *a, struct messages *messages,
                 struct error *err);

#endif
