/* One contributed CSV to rows. The columns, in any order; the first six are required:
 *   machine device workload metric value unit
 *   date device_count class precision batch_size framework driver repeat source
 * Unknown columns are told in one message and ignored. A decimal comma is read in files
 * separated by ';' where some value has one; such a file has no decimal points then. */
#ifndef COLLECT_CONTRIBUTION_H
#define COLLECT_CONTRIBUTION_H

#include "check_row.h"
#include "override.h"
#include "row.h"
#include "store.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>

/* Reads c->inputs[file], or takes what the store has of it, and adds its sound rows to c, its faults to
 * the rejects. A file with a broken header, a bad quote, or over CONTRIBUTION_MAX bytes is refused
 * whole, one with the bytes of an earlier file of its series is set aside whole; the result is true
 * for both.
 * Errors: ERR_ENVIRONMENT when it cannot be read. */
bool contribution_read(struct row_checker *k, struct overrides *o, struct collect_store *store,
                       size_t file, struct error *err);

#endif
