/* Reads the rows of one part of a contribution: those whose bytes a memo knows at once, every other
 * by check_row(). */
#ifndef COLLECT_PART_H
#define COLLECT_PART_H

#include "memo.h"
#include "override.h"
#include "parsed.h"
#include "plan.h"
#include "../base/csv_scan.h"

/* plan          of the file
 * o             read only; first: override_first() of the file
 * scan          stands behind the header; its fault goes to p->fault
 * p             out: parsed_begin() has been called */
void part_read(struct memo *memo, const struct plan *plan, const struct overrides *o, size_t first,
               struct csv_scan *scan, struct parsed *p);

#endif
