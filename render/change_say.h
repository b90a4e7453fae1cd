/* What changed, as sentences in the language of the catalogue. Inside render/ only. */
#ifndef RENDER_CHANGE_SAY_H
#define RENDER_CHANGE_SAY_H

#include "change_facts.h"

/* Moves below this are not told one by one. */
#define CHANGE_NOTABLE_PCT 5.0

enum { CHANGE_MOVERS_SAID = 5, CHANGE_NAMES_SAID = 8 };

/* Appends one sentence an item, the weightiest first: another first card, cards new and gone, what
 * the method and new rows did, how much moved at all, the largest moves. Without changes.csv, and
 * where nothing differs, there is nothing to say. */
void change_say(struct build *b, const struct change_facts *f, struct spans **items, size_t *n);
/* "+12 %", "-3.4 %"; empty for NAN. */
struct str change_say_percent(struct build *b, double pct);
/* "5 %", of a limit. */
struct str change_say_limit(struct build *b, double pct);
/* Whether something differs at all. */
bool change_say_anything(const struct change_facts *f);

#endif
