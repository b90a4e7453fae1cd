/* What the earlier stages wrote to DIR/data/, read back for the report. Formats: collect/collect.h
 * and analyze/analyze.h. A missing number is NAN, a missing count -1, a missing date day INT_MIN.
 */
#ifndef RENDER_DATA_H
#define RENDER_DATA_H

#include "../base/arena.h"
#include "../base/csv_read.h"
#include "../base/date.h"
#include "../base/error.h"
#include "../base/map.h"
#include "../base/str.h"
#include "../catalogue/class.h"

#include <stdbool.h>
#include <stddef.h>

struct data_score {
	struct str device, class_text, origin_text, anchor, predictor, series, reason, precisions;
	double score, low, high, error_pct;
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
	struct str class_text, method, which; /* which: the column `case` */
	int n;
	double median_error_pct, p90_error_pct;
	struct pos pos;
};

struct data_setting {
	struct str key, value;
	struct pos pos;
};

struct data_source {
	struct str series, title, comparable, software, licence, url;
	int files, rows, accepted, rejected, set_aside, machines, devices;
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

/* How one file becomes records; the same table writes them to report.json. */
struct data_format {
	const char *name; /* "scores": DIR/data/scores.csv and the key in report.json */
	const struct csv_field *fields;
	size_t nfields, size, pos_offset;
	size_t records_offset, n_offset; /* in struct report_data */
	bool in_json;                    /* report.json lists every record */
	bool optional;                   /* an absent file is an empty list */
};

struct report_data {
	struct data_score *scores;
	struct data_price *prices;
	struct data_value *values;
	struct data_backtest *backtest;
	struct data_setting *settings;
	struct data_source *sources;
	struct data_reject *rejects;
	struct data_price_reject *price_rejects;
	size_t nscores, nprices, nvalues, nbacktest, nsettings, nsources, nrejects, nprice_rejects;
	/* In the order of scores.csv: by class in the edition's order, then by device. */
	enum class_id classes[CLASS_COUNT];
	size_t nclasses;
	struct str *devices;
	size_t ndevices;
	struct map device_index;
	size_t *score_at; /* ndevices x nclasses: index into scores, or nscores */
	size_t *value_at; /* the same for values of the lens card, or nvalues */
	struct map setting_index;
	struct date date;
	size_t measured_devices; /* devices measured in at least one class */
};

/* The table of files, in the order of report.json; ends with name NULL. */
extern const struct data_format data_formats[];

/* dir     DIR/data
 * Errors  as csv_read_records; ERR_UNKNOWN an unknown class or origin; ERR_RANGE a score or value
 * that is not above 0; ERR_DATA a device and class given twice, scores.csv without rows,
 * edition.csv without a date. */
bool data_read(struct str dir, struct arena *a, struct report_data *out, struct error *err);

/* A setting of edition.csv, or empty text. */
struct str data_setting(const struct report_data *d, struct str key);
/* NULL when there is no such row. */
const struct data_score *data_score(const struct report_data *d, size_t device, size_t class_no);
const struct data_value *data_value(const struct report_data *d, size_t device, size_t class_no);
/* Whether the blank-separated list holds the word. */
bool data_has_word(struct str list, struct str word);

#endif
