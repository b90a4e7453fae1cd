/* Reads what scores are made from: observations.csv, estimates.csv, and which links between series
 * a person has vouched for in overrides.csv. */
#ifndef ANALYZE_SCORE_READ_H
#define ANALYZE_SCORE_READ_H

#include "estimate.h"
#include "observation.h"
#include "../base/arena.h"
#include "../base/error.h"
#include "../catalogue/device.h"
#include "../catalogue/edition.h"

#include <stdbool.h>

struct score_data {
	struct observations obs; /* of devices that are out at the edition's date */
	struct estimates estimates;
	struct str_list link_accepted; /* series */
};

/* data_dir      estimates.csv and overrides.csv (both may be absent) stand there
 * observations  path of observations.csv
 * edition       date resolved. As-of rule: a device released after it does not exist, not even as a
 *               link between the series that others were measured in
 * Errors        those of observations_read, estimates_read and csv_read_records */
bool score_data_read(const char *data_dir, const char *observations, const struct devices *devices,
		     const struct edition *edition, struct arena *a, struct score_data *out,
		     struct error *err);

#endif
