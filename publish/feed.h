/* OUT/feed.xml: what changed in each edition, as an Atom feed (RFC 4287). */
#ifndef PUBLISH_FEED_H
#define PUBLISH_FEED_H

#include "archive.h"

enum { FEED_ENTRIES = 50 }; /* the newest; older ones stand in the archive page */

/* Every id is a urn:uuid made from a SHA-256 (RFC 9562, version 8), so that it stays when the site
 * moves: of an edition from its id, and its revision where that is not the first (another program
 * makes another revision with one id); of the feed from the oldest edition, one that was removed too.
 * `updated` is midnight UTC of the edition's date and one second more for each revision after the first.
 * Links are relative to the feed, with xml:base where base_url is known. Controls and what else XML 1.0
 * cannot hold become U+FFFD.
 * Errors  ERR_RANGE a faulty base_url, as archive_write() */
bool feed_text(const struct archive_options *opt, const struct store *s, struct arena *a,
               struct str *out, struct error *err);

/* The permanent name of one edition: "urn:uuid:…". */
struct str feed_edition_id(const struct store_edition *e, struct arena *a);

#endif
