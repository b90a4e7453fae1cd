/* The message catalogue: every sentence of the report and of the analysis, one file a language
 * (templates/text.en.ini, text.zh-Hans.ini, …).
 *
 *   [headline]
 *   counts = {rows} {rows?row:rows} were read.
 *       A line that starts with a blank goes on with the message above.
 *
 * The key is "headline.counts". In a message {name} is an argument, {name?one:other} is `one` when
 * the argument reads "1" (either may hold placeholders itself), *…* is strong, `…` is code, \s
 * a blank at an end, \ and any other character that character. Arguments are put in after the
 * markup is read, so untrusted text cannot mark anything up; where one meets a message in another
 * script, Latin beside Chinese, a blank goes between.
 *
 * English is the measure: another language has the same keys, and in each message the same
 * arguments; a choice {name?…} may be left out or added, as its plurals need. Free of that are
 *   [data]   translations of English sentences that stand in data files; their keys are these
 *            sentences, so that one that is changed there is shown in English and not by an old
 *            translation. English has none
 *   [date]   `day`, with {year} {month} {day}, or {iso} for 2025-06-30 */
#ifndef CATALOGUE_TEXT_H
#define CATALOGUE_TEXT_H

#include "say.h"
#include "span.h"
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
	struct str key, text;
	struct pos pos;
};

struct text_catalogue {
	const char *file;
	struct str language; /* language.tag: "zh-Hans"; "en" where the file has none */
	struct text_message *v;
	size_t n, cap;
	struct map by_key;
};

/* Errors: ERR_SYNTAX with line: not UTF-8; neither a section, a comment, `key = text` nor a
 * continuation; a key given twice; a message with an unclosed { * or `. ERR_ENVIRONMENT: the file
 * cannot be read.
 */
bool text_read(const char *path, struct arena *a, struct text_catalogue *out, struct error *err);
/* The same from memory; `name` stands in positions. */
bool text_parse(struct str text, const char *name, struct arena *a, struct text_catalogue *out,
		struct error *err);

/* Reads DIR/text.TAG.ini and holds it against DIR/text.en.ini.
 * Errors: as text_read for either; ERR_DATA a message that is missing or that English does not
 * have, an argument that is missing or that English does not have, each with its line; language.tag
 * is not the TAG. */
bool text_read_language(const char *dir, struct str tag, struct arena *a,
			struct text_catalogue *out, struct error *err);
/* The comparison alone. */
bool text_check_language(const struct text_catalogue *english, const struct text_catalogue *t,
			 struct error *err);

/* Whether there is such a message: for names that come from data. */
bool text_has(const struct text_catalogue *t, const char *key);

/* Appends a message to *out. args may be NULL or ends in text_arg_end().
 * Errors: ERR_DATA: no such key; a placeholder without an argument (at the message's line). */
bool text_spans(const struct text_catalogue *t, const char *key, const struct text_arg *args,
		struct arena *a, struct spans *out, struct error *err);
/* The same without markup or links. */
bool text_plain(const struct text_catalogue *t, const char *key, const struct text_arg *args,
		struct arena *a, struct str *out, struct error *err);

/* A message of the analysis in the words of the catalogue; an empty one gives empty text.
 * pos     where it was read, for errors
 * Errors: ERR_SYNTAX it is not what catalogue/say.h describes; ERR_UNKNOWN a key that the catalogue
 *         does not have; ERR_DATA an argument that the message wants and does not get. */
bool text_say(const struct text_catalogue *t, struct say s, struct pos pos, struct arena *a,
	      struct str *out, struct error *err);
/* For writers of files: the English of a message; a fault goes to err, and the text is then
 * empty. */
struct text_english {
	const struct text_catalogue *english;
	struct arena *arena;
	struct error *err;
};
struct str text_english(const struct text_english *e, struct say s);
/* The translation of an English sentence of a data file; false where there is none, which is never
 * so for the English catalogue: it gives the sentence itself. */
bool text_data(const struct text_catalogue *t, struct str english, struct arena *a,
	       struct str *out);
/* A day as the language writes it in a sentence. */
struct str text_date(const struct text_catalogue *t, struct date d, struct arena *a);
bool text_is_english(const struct text_catalogue *t);

#endif
