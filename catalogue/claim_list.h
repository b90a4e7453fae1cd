/* What the guide states, in our own words: data/claims.csv, columns
 * id,claim,guide_value,source,kind,test.
 *   id           1, 2, 3, ... in the order of the file: every claim of the guide once
 *   guide_value  what the guide gives as number or order
 *   source       the guide's editions that say so, YYYY-MM, blank-separated
 *   kind         computed: the pipeline works it out from data; carried: kept as dated text, tested
 *                where rows allow it
 *   test         the file of the tests that hold the program to it */
#ifndef CATALOGUE_CLAIM_LIST_H
#define CATALOGUE_CLAIM_LIST_H

#include "../base/arena.h"
#include "../base/date.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

struct claim_text {
	int id;
	struct str claim, guide_value, source, test;
	bool computed;
	struct date first, last; /* the first of the month of the oldest and the newest source */
	struct pos pos;
};

struct claim_list {
	struct claim_text *v; /* v[i].id is i + 1 */
	size_t n;
};

/* An absent file is an empty list.
 * Errors: as csv_read_records; ERR_DATA an id that is not the next one; ERR_UNKNOWN a kind;
 * ERR_SYNTAX a source that is no list of months; each with file and line. */
bool claim_list_read(const char *data_dir, struct arena *a, struct claim_list *out,
		     struct error *err);

#endif
