/* What the stage found, in tables: observations.csv, machines.csv, sources.csv, rejects.csv (their
 * columns stand in collect/collect.h). */
#ifndef COLLECT_OUTPUT_H
#define COLLECT_OUTPUT_H

#include "collect.h"
#include "observation.h"
#include "row.h"
#include "../catalogue/workload.h"

#include <stdbool.h>

enum { COLLECT_TABLES = 4 };

/* The tables as they are written, in the order above. */
struct collect_tables {
	struct str text[COLLECT_TABLES];
};

/* The groups of c are freed: what the tables want of them is copied first. */
void output_make(struct collection *c, const struct observations *cells, const struct ranks *ranks,
                 const struct series_list *series, struct collect_tables *out,
                 struct collect_summary *summary);

/* Writes them into DIR/data, which is made.
 * Errors: ERR_ENVIRONMENT when a file cannot be written. */
bool output_write(const struct collect_tables *tables, const char *out_dir, struct arena *a,
                  struct error *err);

#endif
