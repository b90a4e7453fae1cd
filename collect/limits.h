/* Quotas of one contribution: what a stranger's file may cost, in one table. Whoever counts one of them asks
 * limit_check(), so that each refusal names the limit, what was found and what is allowed. A file over a
 * limit is refused whole, except where its line says otherwise.
 *
 *   name                value       of what                                    where it is counted
 *   LIMIT_BYTES         256 MiB     bytes of the file, expanded                contribution.c, store.c (CONTRIBUTION_MAX)
 *   LIMIT_ROWS          100 million rows below the header                      contribution.c
 *   LIMIT_COLUMNS       1,000       columns of the header                      contribution.c
 *   LIMIT_CELL_BYTES    1 MiB       bytes of one cell                          base/csv_read.c (CSV_CELL_MAX)
 *   LIMIT_MACHINES      100,000     machines                                   contribution.c
 *   LIMIT_NAMES         100,000     frameworks, and sources                    contribution.c
 *   LIMIT_REJECTS       10,000      refused cells that are listed and told: further ones are only counted
 *   LIMIT_SIGNATURE     16 KiB      bytes of its signature, FILE.sig           signature.c
 * Of the whole stage:
 *   LIMIT_SIGNERS       4 MiB       bytes of contributors/allowed_signers      signature.c
 *
 * Bytes of single names stand with their columns in check_row.c, those of quoted cells in reject.h and
 * lookup.h. */
#ifndef COLLECT_LIMITS_H
#define COLLECT_LIMITS_H

#include "../base/csv_read.h"
#include "../base/error.h"

#include <stdbool.h>

enum {
	LIMIT_BYTES = 1 << 28,
	LIMIT_ROWS = 100000000,
	LIMIT_COLUMNS = 1000,
	LIMIT_CELL_BYTES = CSV_CELL_MAX,
	LIMIT_MACHINES = 100000,
	LIMIT_NAMES = 100000,
	LIMIT_REJECTS = 10000,
	LIMIT_SIGNATURE = 16 << 10,
	LIMIT_SIGNERS = 4 << 20,
};

/* Whether `found` of `what` ("columns", "machines") are at most `limit`.
 * pos     where the first one too many stands
 * Errors  ERR_RANGE "columns: 1001 found, at most 1000 in one contribution" */
bool limit_check(unsigned long long found, unsigned long long limit, const char *what,
		 struct pos pos, struct error *err);

#endif
