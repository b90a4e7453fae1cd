/* The files of DIR/data/ that the report reads: what one row of each becomes. A missing number is
 * NAN, a missing count -1, a missing date day INT_MIN, a missing text empty. Columns are named in
 * collect/collect.h and analyze/analyze.h; a member has its column's name, or class_text,
 * origin_text and which for `class`, `origin` and `case`. */
#ifndef RENDER_DATA_FILES_H
#define RENDER_DATA_FILES_H

#include "../base/csv_read.h"
#include "../base/date.h"
#include "../base/error.h"
#include "../base/str.h"
#include "../catalogue/class.h"

#include <stdbool.h>
#include <stddef.h>

struct data_score {
	struct str device, class_text, origin_text, anchor, predictor, series, reason, precisions,
	    trust;
	struct str reason_msg; /* *_msg: the sentence as a message (catalogue/say.h); empty: English
				* only */
	double score, low, high, error_pct, peer_low, peer_high;
	int machines, runs, workloads;
	enum class_id class;
	enum origin origin;
	struct pos pos;
};

struct data_price {
	struct str device, lens, markets, status;
	double price_usd, low, high;
	int observations, age_days;
	struct date newest_date;
	struct pos pos;
};

struct data_value {
	struct str device, class_text, lens, tie, status;
	double cost_usd, value, low, high;
	int rank;
	enum class_id class;
	struct pos pos;
};

struct data_backtest {
	struct str class_text, method, which, chosen; /* which: the column `case` */
	int n;
	double median_error_pct, p90_error_pct;
	struct pos pos;
};

struct data_setting {
	struct str key, value, value_msg;
	struct pos pos;
};

struct data_source {
	struct str series, title, comparable, software, licence, url;
	int files, rows, accepted, rejected, set_aside, machines, devices;
	int machines_signed, machines_known, machines_anonymous;
	struct date first_date, last_date;
	struct pos pos;
};

struct data_reject {
	struct str file, column, code, value, reason, action;
	int line;
	struct pos pos;
};

/* A refused row of a price file. */
struct data_price_reject {
	struct str file, reason;
	int line, column;
	struct pos pos;
};

/* New and used apart. */
struct data_price_condition {
	struct str device, condition, markets, status;
	double price_usd, low, high;
	int age_days;
	struct date newest_date;
	struct pos pos;
};

/* What one card cost on one day. */
struct data_price_day {
	struct str device, market, condition;
	double price_usd;
	struct date date;
	struct pos pos;
};

/* A whole machine with `gpus` cards. power_usd: electricity over the years of use. power_w: the
 * power supply it needs. slots: of all cards together. status, warnings: flags. */
struct data_system {
	struct str device, status, warnings;
	double cards_usd, host_usd, power_usd, total_usd, per_gpu_usd, power_w, slots, purchase_usd,
	    psu_w;
	int gpus;
	struct date host_date;
	struct pos pos;
};

/* Own or rent. months: until owning is cheaper, at that many hours a month; missing where never. */
struct data_breakeven {
	struct str device, provider, status;
	double hours_per_month, rent_usd_per_hour, own_usd, power_usd_per_hour, months;
	struct pos pos;
};

/* How far the rankings of one class under two lenses agree, and the pair of cards they order most
 * strongly the other way round. */
struct data_lens_move {
	struct str class_text, lens_a, lens_b, device_up, device_down;
	double kendall_tau;
	int n, rank_up_a, rank_up_b, rank_down_a, rank_down_b;
	struct pos pos;
};

/* A measured device predicted from the others. factor: the larger over the smaller, at least 1. */
struct data_prediction {
	struct str class_text, method, device, represented, anchor, predictor, chosen;
	double predicted, measured, factor;
	struct pos pos;
};

/* One job on several devices: speedup over one of them. */
struct data_multi {
	struct str class_text, workload, device, origin_text, precision, series, reason, reason_msg;
	double speedup, efficiency, low, high;
	int device_count, machines;
	struct pos pos;
};

struct data_multi_summary {
	struct str class_text, note, note_msg;
	double median_speedup, p10, p90, guide_2019, guide_2016_low, guide_2016_high;
	double guide_2016_tuned_low, guide_2016_tuned_high, independent_speedup;
	int device_count, n;
	struct pos pos;
};

/* What a CPU did, and a card over it; low, median and high are NAN without a card. */
struct data_processor {
	struct str device, class_text, precision, series, workload, unit;
	int device_count, cards;
	double value, low, median, high;
	struct pos pos;
};

/* Whether a device holds a workload. fits: yes, no, or empty for a device of unknown memory. */
struct data_memory {
	struct str workload, precision, device, fits, mode, status;
	double needed_gb, memory_gb;
	int batch_size;
	struct pos pos;
};

struct data_memory_part {
	struct str network, mode, precision, part;
	double mib;
	int batch_size;
	struct pos pos;
};

/* Advice. flips_below_usd: price of the runner-up below which it wins; flips_above_usd: price of
 * the pick above which it loses. guide_pick: what the guide told this persona. */
struct data_pick {
	struct str persona, device, rule, deciding, runner_up, title, status, tie, lens, guide_pick,
	    agrees, reason, asks, guide_why, rule_msg, deciding_msg, reason_msg;
	double flips_below_usd, flips_above_usd; /* of one card */
	double cost_usd;                         /* of all */
	double score, low, high;
	int rank, gpus;
	struct pos pos;
};

struct data_pick_removed {
	struct str persona, device, reason, gates;
	struct pos pos;
};

/* What a persona asks for, for programs: analyze/pick_rules.h. */
struct data_pick_rule {
	struct str persona, objective, lens, condition, weights;
	double budget_usd, memory_gb;
	int gpus;
	struct pos pos;
};

/* A card that another one beats in cost, memory and speed; exception: who may want it all the same.
 */
struct data_avoid {
	struct str device, class_text, dominated_by, exception, everywhere, exception_msg;
	double cost_usd, by_cost_usd, memory_gb, by_memory_gb, score, by_score;
	struct pos pos;
};

struct data_upgrade {
	struct str owned, candidate, class_text, verdict;
	double gain, low, high, resale_usd, price_usd, net_usd;
	struct date resale_date;
	struct pos pos;
};

struct data_claim {
	struct str id, claim, guide_value, computed_value, verdict, source, kind, why,
	    computed_value_msg, why_msg;
	struct pos pos;
};

/* What moved a rank since the edition before, in percent of performance per cost. */
struct data_change {
	struct str device, class_text, status, reason;
	double from_price_pct, from_data_pct, from_method_pct;
	double old_cost_usd, new_cost_usd;
	int old_rank, new_rank;
	struct pos pos;
};

/* What the data say of a vendor; counts of devices: analyze/vendor.h. cloud: yes for those who rent
 * devices out. */
struct data_vendor {
	struct str vendor, title, cloud;
	int devices, barred, with_rows, listed, measured, scored, priced, fresh, rented, rows;
	int peak_devices;
	double row_share_pct, peak_share_pct;
	struct pos pos;
};

/* One class of a vendor: how many devices by origin, the fastest, the best for its cost. */
struct data_vendor_class {
	struct str vendor, class_text, fastest, origin_text, best_value, value_origin_text,
	    price_status;
	int measured, scaled, estimated, excluded;
	double score, low, high, value, value_low, value_high, cost_usd;
	struct date price_date;
	struct pos pos;
};

/* A dated text with its source; kind: guide, since, licence. One without date or source is refused.
 */
struct data_vendor_text {
	struct str vendor, id, kind, source, url, language, text;
	struct date date;
	struct pos pos;
};

/* Who rents devices out; price_ratio: its prices over the middle of all, missing where nobody else
 * rents the same. */
struct data_cloud_provider {
	struct str provider;
	int devices, cheapest, age_days, compared;
	double price_ratio;
	struct date newest_date;
	struct pos pos;
};

/* How one file becomes records; the same table writes them to report.json. */
struct data_format {
	const char *name; /* "scores": DIR/data/scores.csv and the key in report.json */
	const struct csv_field *fields;
	size_t nfields, size, pos_offset;
	size_t records_offset, n_offset; /* in struct report_data */
	bool in_json;                    /* report.json lists every record */
	bool optional;                   /* an absent file is an empty list */
};

/* The table of files, in the order of report.json; ends with name NULL. */
extern const struct data_format data_formats[];

#endif
