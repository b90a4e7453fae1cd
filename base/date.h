/* Calendar days as a count from 1970-01-01 (proleptic Gregorian). No clock is read here. */
#ifndef BASE_DATE_H
#define BASE_DATE_H

#include "arena.h"
#include "str.h"

#include <stdbool.h>

struct date {
	int day; /* days since 1970-01-01, may be negative */
};

/* Strict "YYYY-MM-DD" of a real day from 1900 to 2199. */
bool date_parse(struct str s, struct date *out);
struct date date_of_day(int day);
void date_ymd(struct date d, int *year, int *month, int *day);
struct str date_iso(struct arena *a, struct date d);

#endif
