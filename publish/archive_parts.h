/* The parts of the archive page as markup. Inside publish/ only.
 * All text is escaped; nothing of an edition is trusted beyond what summary_read() made sure of. */
#ifndef PUBLISH_ARCHIVE_PARTS_H
#define PUBLISH_ARCHIVE_PARTS_H

#include "archive.h"
#include "news.h"

struct archive_parts {
	const struct archive_options *opt;
	const struct store *store;
	const struct news *news; /* one an edition */
	struct str title;
	struct arena *arena;
};

/* Empty where there is nothing to show. */
struct str archive_banner(const struct archive_parts *p);
struct str archive_newest(const struct archive_parts *p);
struct str archive_editions(const struct archive_parts *p);
struct str archive_removed_list(const struct archive_parts *p);
struct str archive_latest_links(const struct archive_parts *p);
/* schema.org: a DataCatalog with the newest ARCHIVE_DATASETS editions as Datasets, ready for a script element. */
enum { ARCHIVE_DATASETS = 50 };
struct str archive_catalog(const struct archive_parts *p);

/* "365 editions, 2023-01-01 to 2023-12-31"; "No edition yet". */
struct str archive_description(const struct archive_parts *p);

#endif
