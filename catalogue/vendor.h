/* Who makes and rents devices, and what was said of them, each text with its date and its source.
 *
 * data/vendors.csv       vendor,title,makers,cloud: a line is a section of the report, in its order
 *   makers               names of column `vendor` of devices.csv, blank-separated; * stands for
 *                        every maker that no other line names; empty: none
 *   cloud                yes: the section of those who rent devices out
 * data/vendor_texts.csv  vendor,id,kind,date,source,url,language,text: a line is a text in our own
 *                        words in one language, in the order of the report
 *   kind                 guide: what the guide said; since: what rows and tables have shown since;
 *                        licence: a condition of use
 *   date                 of what is said, YYYY-MM-DD
 *   language             en first, then the same id in other languages */
#ifndef CATALOGUE_VENDOR_H
#define CATALOGUE_VENDOR_H

#include "edition.h"
#include "../base/arena.h"
#include "../base/date.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

struct vendor {
	struct str id, title;
	struct str_list makers;
	bool rest, cloud;
	struct pos pos;
};

struct vendor_text {
	struct str vendor, id, kind, source, url, language, text; /* url may be empty */
	struct date date;
	struct pos pos;
};

struct vendors {
	struct vendor *v;
	struct vendor_text *texts; /* none newer than the date asked for */
	size_t n, ntexts;
};

/* as_of   a text of a later date does not exist
 * An absent vendors.csv is an empty list; vendor_texts.csv must then be absent too.
 * Errors  as csv_read_records: a text without date or source is refused at its cell; with file and
 *         line, ERR_UNKNOWN a text of a vendor, or of a kind, that is none; ERR_SYNTAX an address
 *         that is not http or https, a cell `cloud` that is neither yes nor empty; ERR_DATA a
 *         vendor, a maker or a text listed twice, a text that is not in English first, a
 *         translation with another date, kind or source than the English text */
bool vendors_read(const char *data_dir, struct date as_of, struct arena *a, struct vendors *out,
		  struct error *err);

/* Index of the section that a maker of devices belongs to, or n. */
size_t vendor_of_maker(const struct vendors *v, struct str maker);

#endif
