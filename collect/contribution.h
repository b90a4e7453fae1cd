/* Contributed CSVs to rows. The columns of one, in any order; the first six are required:
 *   machine device workload metric value unit
 *   date device_count class precision batch_size framework driver repeat source
 * Unknown columns are told in one message and ignored. A decimal comma is read in files
 * separated by ';' where some value has one; such a file has no decimal points then.
 *
 * Files, and parts of large ones, are read by c->threads threads and merged in the order of
 * c->inputs: what comes out is the same with any number. */
#ifndef COLLECT_CONTRIBUTION_H
#define COLLECT_CONTRIBUTION_H

#include "override.h"
#include "row.h"
#include "store.h"
#include "../base/error.h"

#include <stdbool.h>

/* Reads every input, or takes what the store has of it, and adds its sound rows to c, its faults to
 * the rejects. A file with a broken header, a bad quote, over a limit of collect/limits.h or with a
 * signature that does not hold is refused whole, one with the bytes of an earlier file of its
 * series is set aside whole; the result is true for both.
 * Errors: ERR_ENVIRONMENT when one cannot be read. */
bool contribution_read_all(struct collection *c, struct overrides *o, struct collect_store *store,
                           struct error *err);

#endif
