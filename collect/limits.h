/* Quotas: what strangers' files may cost, in one table. A file over a limit is refused whole, and
 * the others go on, except where the line says otherwise; the refusal names the limit. Its code in
 * rejects.csv is `limit`, of every limit here: functions tell it by ERR_RANGE.
 *
 * Of one contribution:
 *   name                value          of what                                  counted in
 *   LIMIT_BYTES         16 GiB         bytes of the file                        source.c, store.c
 *   LIMIT_MEMORY_BYTES  256 MiB        the same of what is held in memory
 *                                      whole: standard input, what was packed   source.c, unpack.c
 *   (INT_MAX - 1)       2,147,483,646  lines                                    contribution.c
 *   LIMIT_ROWS          100,000,000    rows below the header                    quota.c
 *   LIMIT_COLUMNS       1,000          columns of the header                    plan.c
 *   CSV_ROW_MAX         16 MiB         bytes of one row, and of the empty
 *                                      lines before the header                  base/csv_scan.c
 *   CSV_CELLS_MAX       1,048,576      cells of one row                         base/csv_scan.c
 *   CSV_CELL_MAX        1 MiB          bytes of one cell (1 kB more may pass:
 *                                      libcsv's buffer)                         base/csv_libcsv.c
 *   LIMIT_GROUPS        1,000,000      kinds of accepted rows: groups, as in
 *                                      group.h                                  quota.c
 *   LIMIT_MACHINES      100,000        machines of accepted rows                quota.c
 *   LIMIT_NAMES         100,000        frameworks, and sources, of accepted
 *                                      rows                                     quota.c
 *   LIMIT_REJECTS       10,000         refused cells, and rows set aside, that  parsed.c,
 *                                      are listed; further ones are counted     override.c
 *   LIMIT_SIGNATURE     16 KiB         bytes of its signature, FILE.sig         signature.c
 * Of the whole stage:
 *   LIMIT_STAGE_REJECTS 200,000        refused cells that are listed, in the
 *                                      order of the files, and as many rows set
 *                                      aside; further ones are counted ...      reject.c
 *   LIMIT_FILE_REJECTS  10             ... but so many of each file are listed  reject.c
 *   LIMIT_SHELF_BYTES   16 MiB         packed rows in one of the 16 parts of the
 *                                      cache, about 10 bytes a row; a file
 *                                      beyond is read anew each time           store.c
 *   LIMIT_SIGNERS       4 MiB          bytes of contributors/allowed_signers;
 *                                      more is an error of the stage            signature.c
 *   LIMIT_STAGE_ROWS    1,000,000,000  accepted rows: 16 bytes each in the
 *                                      file of items.c, and 16 for each time
 *                                      that those of a kind went there          quota.c
 *   LIMIT_STAGE_GROUPS  4,000,000      kinds of accepted rows                   quota.c
 *   LIMIT_STAGE_MACHINES 400,000       machines of accepted rows                quota.c
 *   LIMIT_STAGE_NAMES   200,000        frameworks, and sources, of accepted
 *                                      rows                                     quota.c
 *   LIMIT_STAGE_NAMES_BYTES 512 MiB    bytes of framework and source, once for
 *                                      each kind of accepted rows: the tables
 *                                      name them so often                       quota.c
 * Of what the process that reads contributions hands back to the one that writes, which does not
 * trust it; more of it, but for the cache, is an error of the stage:
 *   LIMIT_RESULT_BYTES  1 GiB          bytes of tables, messages and counts     boxed.c
 *   LIMIT_LISTED_BYTES  2 GiB          bytes for the cache: the rest is not
 *                                      kept                                     boxed.c
 *   LIMIT_MESSAGES      4,000,000      messages, each of at most MESSAGE_MAX    stage_pack.c
 *
 * Bytes of single names stand with their columns in check_row.c (a row with a longer one is refused
 * alone, as `limit` too), those of quoted cells in reject.h
 * and lookup.h; how many unknown names are searched for in lookup.h, how many rows of a file the
 * cache keeps in parsed.h. */
#ifndef COLLECT_LIMITS_H
#define COLLECT_LIMITS_H

#include "../base/error.h"

#include <stdbool.h>
#include <stddef.h>

#define LIMIT_BYTES ((size_t)16 << 30)
#define LIMIT_RESULT_BYTES ((size_t)1 << 30)
#define LIMIT_LISTED_BYTES ((size_t)2 << 30)

enum {
	LIMIT_MEMORY_BYTES = 1 << 28,
	LIMIT_ROWS = 100000000,
	LIMIT_COLUMNS = 1000,
	LIMIT_GROUPS = 1000000,
	LIMIT_MACHINES = 100000,
	LIMIT_NAMES = 100000,
	LIMIT_REJECTS = 10000,
	LIMIT_STAGE_REJECTS = 200000,
	LIMIT_SHELF_BYTES = 16 << 20,
	LIMIT_FILE_REJECTS = 10,
	LIMIT_STAGE_ROWS = 1000000000,
	LIMIT_STAGE_GROUPS = 4000000,
	LIMIT_STAGE_MACHINES = 400000,
	LIMIT_STAGE_NAMES = 200000,
	LIMIT_STAGE_NAMES_BYTES = 1 << 29,
	LIMIT_SIGNATURE = 16 << 10,
	LIMIT_SIGNERS = 4 << 20,
	LIMIT_MESSAGES = 4000000,
};

/* Those of the whole stage that each file is held against in its turn: one that would take the
 * stage over is refused whole, and the others go on. A stage may be given others, for tests
 * (collect.h). */
struct stage_limits {
	size_t rows, groups, machines, names, names_bytes;
};
extern const struct stage_limits limits_of_stage;

/* Of packed contributions (unpack.h, packed.h), beside those of each file in them. A packed file
 * over one of these is refused whole, except that a single member with too long a name or too many
 * bytes (LIMIT_MEMORY_BYTES) is refused alone.
 *
 *   LIMIT_PACKED_BYTES    256 MiB  bytes of the packed file as it was sent
 *   LIMIT_EXPANDED_BYTES  1 GiB    bytes that come out of it, all members together
 *   LIMIT_RATIO           250      expanded bytes for each packed byte, at any place in the file,
 *                                  once more
 *   LIMIT_RATIO_FREE      1 MiB    than this has come out: CSVs shrink to a tenth or a thirtieth,
 *                                  bombs to a thousandth
 *   LIMIT_MEMBERS         10,000   members of an archive, folders and links too
 *   LIMIT_MEMBER_NAME     255      bytes of the name of one
 *   LIMIT_WINDOW_LOG      25       32 MiB of memory for the window of Zstandard: zstd -19
 *                                  needs 8 */
enum {
	LIMIT_PACKED_BYTES = 1 << 28,
	LIMIT_EXPANDED_BYTES = 1 << 30,
	LIMIT_RATIO = 250,
	LIMIT_RATIO_FREE = 1 << 20,
	LIMIT_MEMBERS = 10000,
	LIMIT_MEMBER_NAME = 255,
	LIMIT_WINDOW_LOG = 25,
};

/* Whether `found` of `what` ("columns", "machines") are at most `limit`.
 * pos     where the first one too many stands
 * Errors  ERR_RANGE "columns: 1001 found, at most 1000 in one contribution" */
bool limit_check(unsigned long long found, unsigned long long limit, const char *what,
		 struct pos pos, struct error *err);
/* The same for all files together: what there is with this file.
 * Errors  ERR_RANGE "machines: 400001 with this file, at most 400000 in all contributions
 *         together" */
bool limit_check_stage(unsigned long long found, unsigned long long limit, const char *what,
		       struct pos pos, struct error *err);

#endif
