/* Names that strangers give: a machine, a device, a framework, a market. Two names that look alike
 * are one to the reader, and a name is printed among words of ours: so a name holds no character
 * that cannot be seen, or that changes what is shown around it. A name that does is refused and
 * shown with the character as <U+202E>; it is never made fit, for then nobody would know what had
 * been sent.
 *
 * What stays: letters of every script with their marks, emoji without joiners and selectors, every
 * blank of Unicode (they can be seen). Characters that no version of Unicode has assigned yet stay
 * too: which these are changes by the year. */
#ifndef BASE_NAME_H
#define BASE_NAME_H

#include "arena.h"
#include "str.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether a character has no place in a name: controls (str_is_plain), what the Unicode Standard
 * lists as Default_Ignorable_Code_Point (zero width, joiners, variation selectors, tags, soft
 * hyphen), interlinear marks, private use and noncharacters.
 * Source  https://www.unicode.org/Public/14.0.0/ucd/DerivedCoreProperties.txt */
bool name_is_hidden(unsigned c);
/* Whether s holds one; *out is the first. */
bool name_hidden(struct str s, unsigned *out);
/* The same of words that may stand in several lines: a line's end (LF, CR) is none there. */
bool name_hidden_in_lines(struct str s, unsigned *out);
/* At most max bytes of s on one line for a message: hidden characters as <U+202E>, each run of
 * blanks as one, none at the ends; cut at a character and marked with "..." when longer. Malformed
 * bytes as <byte 9B>. */
struct str name_shown(struct arena *a, struct str s, size_t max);

#endif
