/* What the earlier stages wrote to DIR/data/, read back for the report. Formats: collect/collect.h
 * and analyze/analyze.h. A missing number is NAN, a missing count -1, a missing date day INT_MIN.
 */
#ifndef RENDER_DATA_H
#define RENDER_DATA_H

#include "data_files.h"
#include "../base/arena.h"
#include "../base/date.h"
#include "../base/error.h"
#include "../base/map.h"
#include "../base/str.h"
#include "../catalogue/class.h"
#include "../catalogue/lens.h"

#include <stdbool.h>
#include <stddef.h>

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
	/* Optional files: none where an edition was analysed before they existed. */
	struct data_price_condition *price_conditions;
	struct data_price_day *price_history;
	struct data_system *systems;
	struct data_breakeven *breakeven;
	struct data_lens_move *lens_moves;
	struct data_prediction *predictions;
	struct data_multi *multi;
	struct data_multi_summary *multi_summary;
	struct data_processor *processors;
	struct data_memory *memory;
	struct data_memory_part *memory_parts;
	struct data_pick *picks;
	struct data_pick_removed *pick_removed;
	struct data_pick_rule *pick_rules;
	struct data_avoid *avoid;
	struct data_upgrade *upgrades;
	struct data_claim *claims;
	struct data_change *changes;
	size_t nprice_history;
	size_t nprice_conditions, nsystems, nbreakeven, nlens_moves, npredictions, nmulti,
	    nmulti_summary, nprocessors, nmemory, nmemory_parts, npicks, npick_removed, navoid,
	    nupgrades, nclaims, nchanges, npick_rules;
	struct data_vendor *vendors;
	struct data_vendor_class *vendor_classes;
	struct data_vendor_text *vendor_texts;
	struct data_cloud_provider *cloud_providers;
	size_t nvendors, nvendor_classes, nvendor_texts, ncloud_providers;
	/* In the order of scores.csv: by class in the edition's order, then by device. */
	enum class_id classes[CLASS_COUNT];
	size_t nclasses;
	struct str *devices;
	size_t ndevices;
	struct map device_index;
	size_t *score_at; /* ndevices x nclasses: index into scores, or nscores */
	/* The same for the values of each lens, or nvalues; rows of a lens unknown here are passed
	 * over. */
	size_t *value_at[LENS_COUNT];
	struct map setting_index;
	struct date date;
	size_t measured_devices; /* devices measured in at least one class */
};

/* dir     DIR/data
 * Errors  as csv_read_records; ERR_UNKNOWN an unknown class or origin; ERR_RANGE a score or value
 * that is not above 0; ERR_DATA a device and class given twice, scores.csv without rows,
 * edition.csv without a date. */
bool data_read(struct str dir, struct arena *a, struct report_data *out, struct error *err);

/* A setting of edition.csv, or empty text. */
struct str data_setting(const struct report_data *d, struct str key);
/* NULL when there is no such row. */
const struct data_score *data_score(const struct report_data *d, size_t device, size_t class_no);
const struct data_value *data_value(const struct report_data *d, enum lens lens, size_t device,
				    size_t class_no);
/* Index in classes, or nclasses when the report has no such class. */
size_t data_class_no(const struct report_data *d, struct str class_name);
/* Whether the blank-separated list holds the word. */
bool data_has_word(struct str list, struct str word);

#endif
