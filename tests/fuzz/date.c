/* base/date.h: any text against the C library's calendar, any day there and back. */
#include "fuzz.h"

#include "../../base/date.h"

#include <time.h>

static bool judge(struct str text, int *day)
{
	struct tm tm = { .tm_isdst = 0 };
	char buf[11];
	int y, m, d, end = 0;

	for (size_t i = 0; i < text.len; i++)
		if (i == 4 || i == 7 ? text.p[i] != '-'
				     : !strchr("0123456789", text.p[i]) || !text.p[i])
			return false;
	if (text.len != 10)
		return false;
	memcpy(buf, text.p, 10);
	buf[10] = '\0';
	if (sscanf(buf, "%4d-%2d-%2d%n", &y, &m, &d, &end) != 3 || end != 10 || y < 1900 || y > 2199
	    || d == 0)
		return false;
	tm.tm_year = y - 1900;
	tm.tm_mon = m - 1;
	tm.tm_mday = d;
	time_t t = mktime(&tm); /* in UTC: see below */
	*day = (int)(t / 86400 - (t % 86400 < 0));
	return tm.tm_mon == m - 1 && tm.tm_mday == d;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = fuzz_text(data, size);
	struct arena a = { 0 };
	struct date got = { 12345678 };
	int want = 0, y, m, d;

	setenv("TZ", "UTC0", 1);
	bool good = date_parse(text, &got), is = judge(text, &want);
	fuzz_want(good == is, "date_parse takes the days of the calendar");
	fuzz_want(good ? got.day == want : got.day == 12345678, "a day has its number");
	if (good)
		fuzz_want(str_eq(date_iso(&a, got), text), "a day comes back as its text");
	if (size >= sizeof want) {
		memcpy(&want, data, sizeof want);
		date_ymd(date_of_day(want), &y, &m, &d);
		fuzz_want(m >= 1 && m <= 12 && d >= 1 && d <= 31, "every number is a day");
		date_iso(&a, date_of_day(want));
	}
	arena_free(&a);
	return 0;
}
