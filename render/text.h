/* The message catalogue: every sentence of the report, one file a language (templates/text.en.ini).
 *
 *   [headline]
 *   counts = {rows} {rows?row:rows} were read.
 *       A line that starts with a blank goes on with the message above.
 *
 * The key is "headline.counts". In a message {name} is an argument, {name?one:other} is `one` when
 * the argument reads "1", *…* is strong, `…` is code, \s a blank at an end, \ and any other
 * character that character. Arguments are put in after the markup is read, so untrusted text cannot
 * mark anything up. */
#ifndef RENDER_TEXT_H
#define RENDER_TEXT_H

#include "report.h"
#include "../base/arena.h"
#include "../base/error.h"
#include "../base/map.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

struct text_arg {
	const char *name; /* NULL ends a list of arguments */
	struct str text, href;
};

struct text_arg text_arg(const char *name, struct str text);
struct text_arg text_arg_int(const char *name, long v, struct arena *a); /* "10,664" */
struct text_arg text_arg_link(const char *name, struct str text, struct str href);
struct text_arg text_arg_end(void);

struct text_message {
	struct str text;
	struct pos pos;
};

struct text_catalogue {
	const char *file;
	struct text_message *v;
	size_t n, cap;
	struct map by_key;
};

/* Errors: ERR_SYNTAX with line: not UTF-8; neither a section, a comment, `key = text` nor a continuation; a
 * key given twice; a message with an unclosed { * or `. ERR_ENVIRONMENT: the file cannot be read.
 */
bool text_read(const char *path, struct arena *a, struct text_catalogue *out, struct error *err);
/* The same from memory; `name` stands in positions. */
bool text_parse(struct str text, const char *name, struct arena *a, struct text_catalogue *out,
		struct error *err);

/* Whether there is such a message: for names that come from data. */
bool text_has(const struct text_catalogue *t, const char *key);

/* Appends a message to *out. args may be NULL or ends in text_arg_end().
 * Errors: ERR_DATA: no such key; a placeholder without an argument (at the message's line). */
bool text_spans(const struct text_catalogue *t, const char *key, const struct text_arg *args,
		struct arena *a, struct spans *out, struct error *err);

#endif
