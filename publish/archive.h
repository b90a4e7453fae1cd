/* OUT/index.html: the page of all editions, newest first, with what changed in each. */
#ifndef PUBLISH_ARCHIVE_H
#define PUBLISH_ARCHIVE_H

#include "store.h"
#include "../base/arena.h"
#include "../base/date.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

/* An edition that retention took away. */
struct archive_removed {
	struct str folder; /* "2023-04-01", "2023-04-01-r2" */
	struct str id;     /* empty: not known */
};

struct archive_options {
	const char *out_dir;       /* OUT: index.html and feed.xml are written here */
	const char *templates_dir; /* archive.html, archive.css, archive.js */
	struct str title;          /* of the archive; empty: that of the newest edition */
	struct str base_url;       /* "https://gpu.example.org/": where OUT is served; empty: not known */
	struct str banner;         /* text of OUT/failed.txt; empty: the last run went well */
	const struct archive_removed *removed; /* in any order */
	size_t nremoved;
};

/* Writes OUT/index.html and OUT/feed.xml, each aside and renamed, and only where its bytes differ.
 * Both depend on the options, the templates and the editions of `s` alone, never on the clock.
 * s       editions as store_read() gives them; none is a page that says so
 * *changed out: whether a file was written; may be NULL
 * Errors  ERR_ENVIRONMENT; ERR_RANGE a base_url that is not an http or https address without query,
 *         fragment or name of a user; ERR_SYNTAX a template with a place that
 *         is not known, or text that would end the element it goes into */
bool archive_write(const struct archive_options *opt, const struct store *s, struct arena *a,
                   bool *changed, struct error *err);

/* The page alone, as bytes. */
bool archive_page(const struct archive_options *opt, const struct store *s, struct arena *a,
                  struct str *out, struct error *err);

/* With a slash at its end; empty stays empty. Errors: ERR_RANGE */
bool archive_base_url(struct str url, struct arena *a, struct str *out, struct error *err);
/* opt->title, or that of the newest edition. */
struct str archive_title(const struct archive_options *opt, const struct store *s, struct arena *a);

#endif
