/* Where prices come from every night: data/price_sources.ini, a section a source.
 *
 *   [shop]                     the source's own name: letters, digits, '-', '_', at most 40; its files are
 *                              data/prices/DATE-shop.csv
 *   url = https://HOST/PATH    read with curl; or
 *   command = PROGRAM ARG …    run without a shell, its words parted by blanks; a PROGRAM with a slash
 *                              that is not absolute lies below ROOT, where it runs. Its standard output
 *                              is the listing
 *   map = NAME                 the description of the listing: of data/price_maps, or a file NAME.ini
 *   market = NAME              where the map does not give it
 *   date = today               the day it was seen (default), or from-file: the listing's own
 *   source = TEXT              what stands in the rows' column `source`; without it the map's, or the name
 *   max_mb = 10                of the listing; more fails. A megabyte is 1e6 bytes
 *   timeout_s = 60             for the transfer, or the program
 *   keep_raw = yes             spool/prices/NAME-DATE.raw stays when its prices were taken (no: removed)
 *   cafile = FILE              url: a certificate authority of one's own, below ROOT unless absolute */
#ifndef PRICES_PRICE_SOURCE_H
#define PRICES_PRICE_SOURCE_H

#include "../base/arena.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

struct price_source {
	struct str name;
	struct pos pos;
	struct str url;       /* empty: a command */
	const char **command; /* ends in NULL; NULL: a url */
	struct str map, market, source;
	struct str cafile; /* absolute; empty: the system's */
	bool date_from_file, keep_raw;
	size_t max_bytes;
	int seconds;
};

struct price_sources {
	struct price_source *v; /* in the order of the file */
	size_t n, cap;
};

/* root    holds data/; an absolute path of it stands in the results
 * Errors  those of keyfile_read; ERR_SYNTAX and ERR_RANGE with the line: an unknown key, both or
 * neither of url and command, a key that is missing or makes no sense beside them, an address that
 * is not plain https, a number out of its bounds, a name that is not safe */
bool price_sources_read(const char *root, struct arena *a, struct price_sources *out,
			struct error *err);
bool price_sources_parse(struct str text, const char *name, const char *root, struct arena *a,
			 struct price_sources *out, struct error *err);
const struct price_source *price_source_find(const struct price_sources *s, struct str name);

#endif
