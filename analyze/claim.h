/* The guide's claims, checked against one edition's data (method: METHOD.md, section "The guide's
 * claims").
 *
 * Every claim of data/claims.csv has a check: a function that reads the finished analysis and says
 * what the data give (computed_value: numbers with units, devices, n), the verdict and why.
 *   reproduced      the data say the same, within the bounds that the check's comment states
 *   not-reproduced  the data say something else; the number is shown
 *   not-testable    the edition lacks the rows, devices or prices, or no data can tell; why says
 *                   what would be needed
 * A check never changes a number for the guide's sake, and a claim that the data cannot test is
 * never called reproduced. */
#ifndef ANALYZE_CLAIM_H
#define ANALYZE_CLAIM_H

#include "../base/arena.h"
#include "../base/error.h"
#include "../base/str.h"
#include "../catalogue/claim_list.h"
#include "../catalogue/say.h"
#include "../catalogue/text.h"
#include "../catalogue/workload.h"

#include <stdbool.h>
#include <stddef.h>

struct analysis;

enum claim_verdict { CLAIM_REPRODUCED, CLAIM_NOT_REPRODUCED, CLAIM_NOT_TESTABLE, CLAIM_VERDICTS };
struct str claim_verdict_name(enum claim_verdict v); /* "reproduced" … */

struct claim {
	const struct claim_text *text;
	enum claim_verdict verdict;
	struct say computed_value; /* may be empty where nothing could be computed */
	struct say why;            /* sentences; never empty */
};

struct claims {
	struct claim_list list;
	struct series_list series; /* of data/series.csv: their dates */
	struct claim *v;           /* by id */
	size_t n;
};

/* Reads data/claims.csv and data/series.csv; fills list and series. Without claims.csv there are
 * none. Errors: as claim_list_read and series_read; ERR_UNKNOWN a claim that has no check; ERR_DATA
 * a check whose claim the file lacks. */
bool claims_read(const char *data_dir, struct arena *a, struct claims *out, struct error *err);

/* Checks every claim of the list; every other member of x is filled. Nothing else is changed. */
void claims_compute(const struct analysis *x, struct arena *a, struct claims *claims);

/* How many have the verdict. */
size_t claims_count(const struct claims *claims, enum claim_verdict verdict);

/* Writes claims.csv: id,claim,guide_value,computed_value,verdict,source,kind,why,computed_value_msg,
 * why_msg, by id; the sentences in English, and as messages. Errors: as text_say; ERR_ENVIRONMENT. */
bool claims_write(const struct claims *claims, const struct text_catalogue *english,
		  const char *path, struct arena *a, struct error *err);

#endif
