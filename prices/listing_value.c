#include "listing_value.h"

#include "../base/num.h"

#include <math.h>
#include <stdio.h>

enum { ITEMS_MAX = 1000, MID_MONTH = 15, COUNT_MAX = 1000000 };

static bool is_in(const struct price_map_list *list, struct str s)
{
	for (size_t i = 0; i < list->n; i++)
		if (str_eq(list->v[i], s))
			return true;
	return false;
}

/* "$2,300 /hr" without what may stand around the number. */
static struct str without_symbols(const struct price_map *m, struct str s)
{
	for (size_t i = 0; i < m->symbols.n; i++) {
		struct str symbol = m->symbols.v[i];

		if (str_starts(s, symbol))
			s = str_trim(str_slice(s, symbol.len, s.len));
		if (str_ends(s, symbol))
			s = str_trim(str_slice(s, 0, s.len - symbol.len));
	}
	return s;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static size_t digits_from(struct str s, size_t at)
{
	size_t n = 0;

	while (at + n < s.len && is_digit(s.p[at + n]))
		n++;
	return n;
}

/* The text without the marks between thousands; false where one is not behind one to three digits
 * and before three, or behind the decimal mark: "1,59" is no 159, "1234,567" might be 1234.567. */
static bool join_thousands(const struct price_map *m, struct str s, struct arena *a,
			   struct str *out)
{
	struct strbuf b = { .arena = a };
	size_t run = 0; /* digits since the last mark */
	bool behind_decimal = false;

	for (size_t i = 0; i < s.len; i++) {
		behind_decimal = behind_decimal || s.p[i] == m->decimal;
		if (m->thousands == 0 || s.p[i] != m->thousands) {
			run = is_digit(s.p[i]) ? run + 1 : 0;
			strbuf_addc(&b, s.p[i]);
			continue;
		}
		if (run < 1 || run > 3 || digits_from(s, i + 1) != 3 || behind_decimal)
			return false;
		run = 0;
	}
	*out = strbuf_str(&b);
	return true;
}

static struct amount read_amount(const struct price_map *m, struct str text, bool in_list,
				 struct arena *a)
{
	struct amount out = { AMOUNT_MISSING, NAN, text };
	struct str number = without_symbols(m, text);

	if (text.len == 0 || is_in(&m->missing, text))
		return out;
	out.kind = AMOUNT_BAD;
	/* within a list the comma parts the items */
	if ((!in_list && !join_thousands(m, number, a, &number))
	    || !num_parse(number, m->decimal == ',', &out.value))
		return out;
	out.kind = AMOUNT_GOOD;
	for (size_t i = 0; i < m->sentinel.n; i++)
		if (out.value == m->sentinels[i])
			out.kind = AMOUNT_SENTINEL;
	return out;
}

/* A bad item spoils the row; else the lowest good one; else what the first one is. */
static struct amount lowest(const struct amount *v, size_t n)
{
	const struct amount *best = &v[0];

	for (size_t i = 0; i < n; i++) {
		if (v[i].kind == AMOUNT_BAD)
			return v[i];
		if (v[i].kind == AMOUNT_GOOD
		    && (best->kind != AMOUNT_GOOD || v[i].value < best->value))
			best = &v[i];
	}
	return *best;
}

size_t listing_amounts(const struct price_map *m, struct str cell, struct arena *a,
		       struct amount **out)
{
	bool is_list = m->list != MAP_LIST_NONE && cell.len >= 2 && cell.p[0] == '['
		       && cell.p[cell.len - 1] == ']';
	struct str rest = is_list ? str_slice(cell, 1, cell.len - 1) : cell, item;
	struct amount *v;
	size_t n = 0, cap = 0;

	*out = v = arena_grow(a, NULL, &cap, 1, sizeof *v);
	if (!is_list || str_trim(rest).len == 0) {
		v[0] = is_list ? (struct amount){ AMOUNT_MISSING, NAN, cell }
			       : read_amount(m, cell, false, a);
		return 1;
	}
	while (n < ITEMS_MAX && str_cut(&rest, ',', &item)) {
		*out = v = arena_grow(a, v, &cap, n + 1, sizeof *v);
		v[n++] = read_amount(m, str_trim(item), true, a);
	}
	if (n == ITEMS_MAX) /* no card has so many shops */
		v[0].kind = AMOUNT_BAD;
	if (m->list == MAP_LIST_EACH && n < ITEMS_MAX)
		return n;
	v[0] = lowest(v, n);
	return 1;
}

static bool ends_folded(struct str s, const char *lower)
{
	struct str end = str_of(lower);

	if (s.len < end.len)
		return false;
	for (size_t i = 0; i < end.len; i++) {
		char c = s.p[s.len - end.len + i];

		if ((c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c) != end.p[i])
			return false;
	}
	return true;
}

double listing_memory_gb(struct str cell)
{
	static const struct {
		const char *name;
		double gb;
	} units[] = { { "gib", 1 }, { "gb", 1 }, { "mib", 1.0 / 1024 }, { "mb", 1.0 / 1024 } };
	struct str s = str_trim(cell);
	double scale = 1, v;
	size_t from;

	for (size_t i = 0; i < LEN(units); i++)
		if (ends_folded(s, units[i].name)) {
			s = str_trim(str_slice(s, 0, s.len - str_of(units[i].name).len));
			scale = units[i].gb;
			break;
		}
	for (from = s.len; from > 0 && s.p[from - 1] != ' '; from--)
		;
	return num_parse(str_slice(s, from, s.len), false, &v) && v > 0 ? v * scale : NAN;
}

bool listing_count(struct str cell, double *out)
{
	return num_parse(cell, false, out) && *out >= 1 && *out <= COUNT_MAX && floor(*out) == *out;
}

static const struct str months[] = {
	STR_INIT("January"),   STR_INIT("February"), STR_INIT("March"),    STR_INIT("April"),
	STR_INIT("May"),       STR_INIT("June"),     STR_INIT("July"),     STR_INIT("August"),
	STR_INIT("September"), STR_INIT("October"),  STR_INIT("November"), STR_INIT("December"),
};

static bool date_of(int year, int month, int day, struct date *out)
{
	char text[40];

	if (year < 0 || year > 9999 || month < 1 || month > 12 || day < 1 || day > 31)
		return false;
	snprintf(text, sizeof text, "%04d-%02d-%02d", year, month, day);
	return date_parse(str_of(text), out);
}

static bool loose_date(struct str s, struct date *out)
{
	struct str rest = s, part;
	int v[3], n = 0;

	while (n < 3 && str_cut(&rest, '-', &part)) {
		if (part.len == 0 || part.len > 4 || !num_parse_int(part, &v[n]))
			return false;
		n++;
	}
	return n == 3 && rest.len == 0 && date_of(v[0], v[1], v[2], out);
}

/* A month's mean lies in its middle. */
static bool month_date(struct str s, struct date *out)
{
	struct str rest = s, name;
	int year;

	if (!str_cut(&rest, ' ', &name) || !num_parse_int(str_trim(rest), &year))
		return false;
	for (int i = 0; i < (int)LEN(months); i++)
		if (str_eq(months[i], name))
			return date_of(year, i + 1, MID_MONTH, out);
	return false;
}

bool listing_date(enum price_map_date form, struct str cell, struct date *out)
{
	switch (form) {
	case MAP_DATE_ISO:
		return date_parse(cell, out);
	case MAP_DATE_LOOSE:
		return loose_date(cell, out);
	case MAP_DATE_MONTH:
		return month_date(cell, out);
	}
	return false;
}

struct str listing_name(const struct price_map *m, struct str cell)
{
	struct str s = cell;

	for (size_t i = 0; i < m->strip_prefix.n; i++)
		if (str_starts(s, m->strip_prefix.v[i]))
			s = str_trim(str_slice(s, m->strip_prefix.v[i].len, s.len));
	for (size_t i = 0; i < m->strip_suffix.n; i++) {
		struct str suffix = m->strip_suffix.v[i];

		if (s.len > suffix.len && str_ends(s, suffix) && s.p[s.len - suffix.len - 1] == ' ')
			s = str_trim(str_slice(s, 0, s.len - suffix.len));
	}
	return s;
}
