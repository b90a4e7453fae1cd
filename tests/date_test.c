/* base/date.h: every day and every near miss, against a calendar that counts. */
#include "test.h"

#include "../base/date.h"

#include <string.h>

static int month_days(int y, int m)
{
	bool leap = (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;

	return m == 2 ? 28 + leap : m == 4 || m == 6 || m == 9 || m == 11 ? 30 : 31;
}

/* Texts of all years from 1890 to 2210, months 0 to 13, days 0 to 32: the good ones follow one
 * another. */
static void test_all(struct test *t)
{
	int next = -25567; /* 1900-01-01: 70 years of 365 days and 17 leap days before 1970 */
	long bad = 0, good = 0;

	for (int y = 1890; y <= 2210; y++)
		for (int m = 0; m <= 13; m++)
			for (int d = 0; d <= 32; d++) {
				char buf[64];
				struct date got = { 12345678 };
				bool want = y >= 1900 && y <= 2199 && m >= 1 && m <= 12 && d >= 1
					    && d <= month_days(y, m);
				snprintf(buf, sizeof buf, "%04d-%02d-%02d", y, m, d);
				bool is = date_parse(str_of(buf), &got);
				bad += is != want || got.day != (want ? next : 12345678);
				next += want;
				good += want;
			}
	test_ok(t, bad == 0 && good == 109573, "every day from 1900 to 2199, and none beside them");
	test_ok(t, next == 84006, "2200-01-01 would be the next");
}

static void test_back(struct test *t)
{
	struct arena a = { 0 };
	int y = 1, m = 1, d = 1;
	bool good = true;

	for (int day = -719162; day < 200000; day++) { /* from 0001-01-01 */
		int y2, m2, d2;
		date_ymd(date_of_day(day), &y2, &m2, &d2);
		good = good && y == y2 && m == m2 && d == d2;
		if (++d > month_days(y, m)) {
			d = 1;
			m++;
		}
		if (m > 12) {
			m = 1;
			y++;
		}
	}
	test_ok(t, good, "the days of 2,500 years in their order");
	test_str(t, date_iso(&a, date_of_day(20787)), STR("2026-11-30"), "as text");
	test_str(t, date_iso(&a, date_of_day(2147483647)), STR("5881580-07-11"),
		 "the last day of an int");
	test_str(t, date_iso(&a, date_of_day(-2147483647 - 1)), STR("-5877641-06-23"),
		 "and the first");
	arena_free(&a);
}

/* One character that does not belong, at every place. */
static void test_characters(struct test *t)
{
	static const char wrong[] = " /:+-.x\0\xB2";
	bool refused = true;
	struct date d;

	for (size_t at = 0; at < 10; at++)
		for (size_t i = 0; i < sizeof wrong - 1; i++) {
			char buf[] = "2024-02-29";
			if ((at == 4 || at == 7) && wrong[i] == '-')
				continue;
			buf[at] = wrong[i];
			refused = refused && !date_parse((struct str){ buf, 10 }, &d);
		}
	test_ok(t, refused, "anything but digits and '-' in their places is refused");
	test_ok(t, !date_parse((struct str){ 0 }, &d) && !date_parse(STR("2024-02-290"), &d)
	                && !date_parse(STR("2024-02-2"), &d),
	        "ten bytes");
}

int main(void)
{
	struct test t = { 0 };

	test_all(&t);
	test_back(&t);
	test_characters(&t);
	return test_done(&t);
}
