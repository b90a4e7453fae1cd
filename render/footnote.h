/* A text that many rows of a table would repeat is said once below it, and the rows carry its
 * letter. Inside render/ only. */
#ifndef RENDER_FOOTNOTE_H
#define RENDER_FOOTNOTE_H

#include "build.h"

struct footnotes {
	struct name_set texts; /* in the order they came */
};

/* The letter of the text: "a", "b", … "z", "aa"; the same text has the same letter. Empty for an
 * empty text. */
struct str footnote_mark(struct build *b, struct footnotes *f, struct str text);
/* texts[i], a list with semicolons, without the parts that at least three of the n texts have:
 * their letters stand in brackets at its end. */
struct str footnote_fold(struct build *b, struct footnotes *f, const struct str *texts, size_t n,
			 size_t i);
/* Adds the list of texts with their letters; nothing where there is none. */
void footnote_list(struct build *b, const struct footnotes *f);

#endif
