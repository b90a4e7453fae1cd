/* Stage 2: observations and prices to scores and values.
 * In:  DIR/data/observations.csv (columns metric, use, machine_values may be absent: then every row
 *      scores and each machine count is taken at its word), prices, devices, the edition.
 * Out: the files of DIR/data/ below, all of them in every run (analyze/outputs.c has the table).
 *
 * scores.csv    device,class,score,low,high,origin,anchor,predictor,error_pct,machines,runs,workloads,
 *               series,reason,precisions,peer_low,peer_high,reason_msg,trust  (excluded rows: score empty, reason says why;
 *               trust: of measured ones the best tier of the cells behind them, catalogue/trust.h;
 *               peer_low and peer_high leave out the error of a scaled reference, which all scores of a class share)
 * prices.csv    device,lens,price_usd,low,high,markets,observations,newest_date,age_days,status
 *               lens: card (every device), system, system+power, cloud (where there is a price)
 *               status: blank-separated flags (analyze/price_flag.h): ok stale single-source fallback unusual
 *               few-listings missing host-stale host-old host-partial host-larger tariff-old tariff-later per-chip
 * price_conditions.csv  device,condition,price_usd,low,high,markets,newest_date,age_days,status: new and used apart
 * systems.csv   device,gpus,cards_usd,host_usd,host_date,power_usd,total_usd,per_gpu_usd,power_w,slots,status,warnings,
 *               purchase_usd,psu_w,host_psu_w,flags   (1, 2 and 4 cards; status, warnings and sums: analyze/system.h)
 * breakeven.csv device,provider,hours_per_month,rent_usd_per_hour,own_usd,power_usd_per_hour,months,status,flags
 *               provider: median, or the name of the cheapest; status: ok, never, or as in systems.csv
 * lens_moves.csv  class,lens_a,lens_b,n,kendall_tau,device_up,rank_up_a,rank_up_b,device_down,rank_down_a,rank_down_b,
 *               apart   (how two lenses' rankings disagree: analyze/lens_moves.h)
 * values.csv    device,class,lens,cost_usd,value,low,high,rank,tie,status
 *               status: ok | no-price | no-score, of systems also not-for-host | slots-unknown | no-host | no-tdp |
 *               no-tariff ; tie: yes when the interval overlaps that of the rank above
 * backtest.csv  class,method,n,median_error_pct,p90_error_pct,case,chosen
 *               case: represented | not-represented | all | architecture-left-out; chosen: yes for the method in use
 * predictions.csv class,method,device,predicted,measured,factor,represented,anchor,predictor,chosen
 *               every measured device predicted from the others, by every method
 * multi.csv, multi_summary.csv   analyze/multi.h
 * memory.csv, memory_parts.csv   analyze/memory_fit.h
 * price_history.csv              analyze/price_history.h: every dated price of a card
 * pick_rules.csv                 analyze/pick_rules.h: the rules behind picks.csv, for programs
 * picks.csv, pick_removed.csv    analyze/pick.h; avoid.csv: analyze/avoid.h; upgrades.csv: analyze/upgrade.h
 * claims.csv    id,claim,guide_value,computed_value,verdict,source,kind,why,computed_value_msg,why_msg (analyze/claim.h)
 * price-rejects.csv  file,line,column,reason: rows of the price files that were refused; file is relative to data_dir
 * Columns *_msg hold the sentence beside them as a message (catalogue/say.h), for other languages.
 * edition.csv   key,value,value_msg: name,title,summary,date,reference,benchmark_cutoff,newest_price_date, … all that
 *               the report says of the edition itself */
#ifndef ANALYZE_ANALYZE_H
#define ANALYZE_ANALYZE_H

#include "../base/arena.h"
#include "../base/cache.h"
#include "../base/date.h"
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
	const char *templates_dir; /* text.en.ini: the words of the sentences */
	struct cache *cache; /* NULL: none */
	/* Of the edition that this one is compared with; previous_id empty: with none. */
	struct date previous_date;
	struct str previous_id;
};

/* Errors: as text_read; ERR_SYNTAX, ERR_UNKNOWN with position for a faulty observations.csv or file of the catalogue; ERR_DATA when no device of the edition can
 * be scored in any class; ERR_ENVIRONMENT. */
bool analyze_run(const struct analyze_options *opt, const struct devices *devices,
                 const struct prices *prices, struct arena *a, struct messages *messages,
                 struct error *err);

#endif
