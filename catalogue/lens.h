/* What counts as the cost of a device: what a score is divided by.
 *
 *   card          the card alone
 *   system        and its share of the computer around it
 *   system+power  and of that computer's electricity
 *   cloud         an hour of it, rented */
#ifndef CATALOGUE_LENS_H
#define CATALOGUE_LENS_H

#include "../base/str.h"

#include <stdbool.h>

enum lens { LENS_CARD, LENS_SYSTEM, LENS_SYSTEM_POWER, LENS_CLOUD, LENS_COUNT };

/* "card", "system", "system+power", "cloud": as in the data files and in personas.ini. */
struct str lens_name(enum lens l);
bool lens_parse(struct str name, enum lens *out);

#endif
