/* publish.ini: how the nightly job publishes. Every key may be absent, and so may the file.
 *
 *   [publish]
 *   edition = current            name of an editions/NAME.ini, or a path that ends in .ini
 *   out = DIR                    where the editions go; relative to the folder of publish.ini
 *   title = TEXT                 of the archive page and the feed; else that of the newest edition
 *   base_url = https://HOST/…/   where `out` is served: the feed says it
 *   keep_days = N                editions older than N days before the newest one are removed; without
 *                                it nothing ever is. The last of each month always stays
 *   keep = 2023-05-30, …         folders that are never removed
 *   [sign]
 *   tool = ssh                   or minisign
 *   key = FILE                   the private key (ssh: also a public one, of a key that the agent
 *                                holds); relative to the folder of publish.ini
 *
 * The options of the command line go before the file. */
#ifndef PUBLISH_CONFIG_H
#define PUBLISH_CONFIG_H

#include "sign.h"
#include "../base/arena.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

enum { CONFIG_KEEP_MAX = 1000, CONFIG_DAYS_MAX = 100000 };

struct publish_config {
	const char *edition, *out; /* NULL: not given */
	struct str title, base_url; /* empty: not given */
	int keep_days;              /* -1: nothing is removed */
	struct str keep[CONFIG_KEEP_MAX];
	size_t nkeep;
	enum sign_tool tool;
	const char *key; /* NULL: none */
};

/* path     must be there unless `optional`
 * out      filled as far as the file was read, also on failure: the log goes to `out`
 * Errors   those of keyfile_read; ERR_SYNTAX, ERR_RANGE with the line: an unknown section or key, a
 *          value that is not of its key's form, [sign] with only one of its two keys */
bool config_read(const char *path, bool optional, struct arena *a, struct publish_config *out,
                 struct error *err);

#endif
