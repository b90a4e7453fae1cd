/* Writes what the stage found: observations.csv, machines.csv, sources.csv, rejects.csv (their
 * columns stand in collect/collect.h). */
#ifndef COLLECT_OUTPUT_H
#define COLLECT_OUTPUT_H

#include "collect.h"
#include "observation.h"
#include "row.h"
#include "../catalogue/workload.h"

#include <stdbool.h>

/* Fills summary, makes all four tables, then writes them into DIR/data.
 * Errors: ERR_ENVIRONMENT when a file cannot be written. */
bool output_write(struct collection *c, const struct observations *cells, const struct ranks *ranks,
                  const struct series_list *series, const char *out_dir,
                  struct collect_summary *summary, struct error *err);

#endif
