/* Text that does not need a closing NUL, and a builder for it. Everything lives in an arena. */
#ifndef BASE_STR_H
#define BASE_STR_H

#include "arena.h"

#include <stdbool.h>
#include <stddef.h>

struct str {
	const char *p; /* may be NULL only when len is 0 */
	size_t len;
};

#define STR(literal) ((struct str){ literal, sizeof(literal) - 1 })
#define STR_INIT(literal) { literal, sizeof(literal) - 1 }
#define STR_FMT "%.*s"
/* Evaluates s twice: a call that allocates belongs into a variable before it. */
#define STR_ARG(s) (int)(s).len, str_chars(s)
#define LEN(array) (sizeof(array) / sizeof((array)[0]))

/* s.p, or "" for NULL, which no conversion may be given. */
static inline const char *str_chars(struct str s)
{
	return s.p ? s.p : "";
}

struct str str_of(const char *nul_terminated);
bool str_eq(struct str a, struct str b);
int str_cmp(struct str a, struct str b); /* byte order; a prefix sorts first */
bool str_starts(struct str s, struct str prefix);
bool str_ends(struct str s, struct str suffix);
struct str str_trim(struct str s);                   /* blanks, tabs, CR, LF at both ends */
struct str str_slice(struct str s, size_t from, size_t to); /* [from, to), clamped */
/* Offset of `needle` in s at or after `from`, or s.len when absent. */
size_t str_find(struct str s, struct str needle, size_t from);
/* Cuts the next piece up to `sep` off *rest; false when *rest is used up. Empty pieces count. */
bool str_cut(struct str *rest, char sep, struct str *piece);
struct str str_dup(struct arena *a, struct str s);   /* the copy ends in a NUL beyond len */
const char *str_c(struct arena *a, struct str s);    /* NUL-terminated copy */
/* The parts, one behind another; ends in a NUL beyond len. */
struct str str_join(struct arena *a, const struct str *parts, size_t n);
struct str str_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A letter or digit of ASCII. */
bool str_is_alnum(char c);
/* Whether s is not empty and of letters, digits and those marks, the first a letter or digit: as a
 * name it is no option, no hidden file and no "..". */
bool str_is_word(struct str s, const char *marks);

/* Whether s is well-formed UTF-8 (no overlong forms, no surrogates, at most U+10FFFF). */
bool str_is_utf8(struct str s);
/* Decodes the character at *at and moves *at behind it; malformed bytes give U+FFFD, one each. */
unsigned str_next_utf8(struct str s, size_t *at);
/* Whether a character may be shown as it is: no control character (C0, DEL, C1), no separator of
 * lines or paragraphs, no mark that turns the direction of the text around it. */
bool str_is_plain(unsigned c);
/* s with '?' for every character that is not plain and every malformed byte: a file name, say. */
struct str str_plain(struct arena *a, struct str s);

struct strbuf {
	struct arena *arena;
	char *p;
	size_t len, cap;
};

void strbuf_add(struct strbuf *b, struct str s);
void strbuf_addc(struct strbuf *b, char c);
void strbuf_printf(struct strbuf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
struct str strbuf_str(const struct strbuf *b);

#endif
