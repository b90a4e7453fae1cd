/* Texts that a spreadsheet would take for a formula when it opens a CSV file: "=cmd|'/C calc'!A0"
 * runs a program, "=HYPERLINK(...)" sends what stands in other cells. They are written with a ' in
 * front, which a spreadsheet takes as "this is text", and read back without it.
 *
 * A formula begins with = + - @, tab, CR or LF, or one of the full-width signs U+FF1D U+FF0B U+FF0D
 * U+FF20 that East Asian versions take for them, perhaps behind blanks. A negative number as we
 * write them is none: -1.5 and -1e-5 stay. A text of the form '...'=x gets one ' more and loses
 * one, so that every text comes back as it was; no other text is changed in either direction.
 *
 * Source  https://owasp.org/www-community/attacks/CSV_Injection, CWE-1236 */
#ifndef BASE_CSV_GUARD_H
#define BASE_CSV_GUARD_H

#include "str.h"

#include <stdbool.h>

/* Whether a text gets a ' in front. */
bool csv_guard_needed(struct str s);
/* The text without its guard, if it has one. */
struct str csv_unguard(struct str s);

#endif
