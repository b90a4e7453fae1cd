#include "date.h"

#include "num.h"

/* Days from 1970-01-01, years starting in March so that the leap day comes last (the usual
 * era arithmetic of the proleptic Gregorian calendar). */
static int days_from_ymd(int y, int m, int d)
{
	y -= m <= 2;
	int era = (y >= 0 ? y : y - 399) / 400;
	int year_of_era = y - era * 400;
	int day_of_year = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
	int day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;

	return era * 146097 + day_of_era - 719468;
}

void date_ymd(struct date date, int *year, int *month, int *day)
{
	int z = date.day + 719468;
	int era = (z >= 0 ? z : z - 146096) / 146097;
	int doe = z - era * 146097;
	int yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
	int doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
	int mp = (5 * doy + 2) / 153;

	*day = doy - (153 * mp + 2) / 5 + 1;
	*month = mp + (mp < 10 ? 3 : -9);
	*year = yoe + era * 400 + (*month <= 2);
}

bool date_parse(struct str s, struct date *out)
{
	int y, m, d, y2, m2, d2;

	if (s.len != 10 || s.p[4] != '-' || s.p[7] != '-' || !num_parse_int(str_slice(s, 0, 4), &y)
	    || !num_parse_int(str_slice(s, 5, 7), &m) || !num_parse_int(str_slice(s, 8, 10), &d))
		return false;
	if (y < 1900 || y > 2199 || m < 1 || m > 12 || d < 1 || d > 31)
		return false;
	struct date date = { days_from_ymd(y, m, d) };
	date_ymd(date, &y2, &m2, &d2);
	if (m2 != m || d2 != d) /* 31 April comes back as 1 May */
		return false;
	*out = date;
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
