#include "date.h"

enum { YEAR_FIRST = 1900, YEAR_LAST = 2199 };

/* Days of a year before each month, without a leap day. */
static const int before_month[] = { 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365 };

static bool is_leap(int y)
{
	return y % 4 == 0 && (y % 100 != 0 || y % 400 == 0);
}

/* Days from 1970-01-01; leap days of the years before y from 1 on are those divisible by 4, less
 * those by 100, and again those by 400: 477 of them before 1970. */
static int days_from_ymd(int y, int m, int d)
{
	int leaps = (y - 1) / 4 - (y - 1) / 100 + (y - 1) / 400;

	return (y - 1970) * 365 + leaps - 477 + before_month[m - 1] + (m > 2 && is_leap(y)) + d - 1;
}

/* Years that start in March, so that the leap day comes last (the usual era arithmetic). */
void date_ymd(struct date date, int *year, int *month, int *day)
{
	long long z = date.day + 719468LL; /* any int is a day */
	int era = (int)((z >= 0 ? z : z - 146096) / 146097);
	int doe = (int)(z - era * 146097LL);
	int yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
	int doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
	int mp = (5 * doy + 2) / 153;

	*day = doy - (153 * mp + 2) / 5 + 1;
	*month = mp + (mp < 10 ? 3 : -9);
	*year = yoe + era * 400 + (*month <= 2);
}

/* The number of n digits, or -1. */
static int digits(const char *p, int n)
{
	int v = 0;

	for (int i = 0; i < n; i++) {
		if (p[i] < '0' || p[i] > '9')
			return -1;
		v = v * 10 + (p[i] - '0');
	}
	return v;
}

bool date_parse(struct str s, struct date *out)
{
	if (s.len != 10 || s.p[4] != '-' || s.p[7] != '-')
		return false;
	int y = digits(s.p, 4), m = digits(s.p + 5, 2), d = digits(s.p + 8, 2);
	if (y < YEAR_FIRST || y > YEAR_LAST || m < 1 || m > 12 || d < 1
	    || d > before_month[m] - before_month[m - 1] + (m == 2 && is_leap(y)))
		return false;
	*out = (struct date){ days_from_ymd(y, m, d) };
	return true;
}

struct date date_of_day(int day)
{
	return (struct date){ day };
}

struct str date_iso(struct arena *a, struct date date)
{
	int y, m, d;

	date_ymd(date, &y, &m, &d);
	return str_printf(a, "%04d-%02d-%02d", y, m, d);
}
