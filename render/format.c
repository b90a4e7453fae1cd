#include "format.h"
#include "../base/num.h"

#include <limits.h>
#include <math.h>

/* Chosen so that three figures or so stay visible over four powers of ten. */
static int ratio_decimals(double v)
{
	double size = fabs(v);

	if (size >= 99.95)
		return 0;
	if (size >= 9.995)
		return 1;
	if (size >= 0.0995)
		return 2;
	return size >= 0.00995 ? 3 : 4;
}

struct str format_ratio(struct arena *a, double v)
{
	return isfinite(v) ? num_grouped(a, v, ratio_decimals(v)) : STR("");
}

struct str format_interval(struct arena *a, double v, double low, double high)
{
	if (!isfinite(v) || !isfinite(low) || !isfinite(high))
		return format_ratio(a, v);
	int decimals = ratio_decimals(v);
	return str_printf(
	    a, STR_FMT " (" STR_FMT "–" STR_FMT ")", STR_ARG(num_grouped(a, v, decimals)),
	    STR_ARG(num_grouped(a, low, decimals)), STR_ARG(num_grouped(a, high, decimals)));
}

struct str format_usd(struct arena *a, double v)
{
	return isfinite(v) ? str_printf(a, "$" STR_FMT, STR_ARG(num_usd(a, v))) : STR("");
}

struct str format_correlation(struct arena *a, double v)
{
	const double half = 0.005; /* of the last decimal */

	return isfinite(v) ? num_grouped(a, fabs(v) < half ? 0 : v, 2) : STR("");
}

struct str format_usd_range(struct arena *a, double low, double high)
{
	struct str from = format_usd(a, low), to = format_usd(a, high);

	if (from.len == 0 || to.len == 0 || str_eq(from, to))
		return STR("");
	return str_printf(a, STR_FMT "–" STR_FMT, STR_ARG(from), STR_ARG(to));
}

struct str format_percent(struct arena *a, double v)
{
	if (!isfinite(v))
		return STR("");
	return str_printf(a, STR_FMT " %%", STR_ARG(num_grouped(a, v, fabs(v) < 9.95 ? 1 : 0)));
}

struct str format_amount(struct arena *a, double v)
{
	if (!isfinite(v))
		return STR("");
	bool whole = fabs(v - nearbyint(v)) < 0.05;
	return num_grouped(a, v, whole ? 0 : 1);
}

struct str format_tenths(struct arena *a, double v)
{
	return isfinite(v) ? num_grouped(a, v, 1) : STR("");
}

struct str format_ratio_range(struct arena *a, double low, double high)
{
	struct str from = format_ratio(a, low), to = format_ratio(a, high);

	if (from.len == 0 || to.len == 0 || str_eq(from, to))
		return from.len > 0 ? from : to;
	return str_printf(a, STR_FMT "–" STR_FMT, STR_ARG(from), STR_ARG(to));
}

struct str format_date(struct arena *a, struct date d)
{
	return d.day == INT_MIN ? STR("") : date_iso(a, d);
}

struct str format_dates(struct arena *a, struct date first, struct date last, struct str to)
{
	if (first.day == last.day || last.day == INT_MIN)
		return format_date(a, first);
	if (first.day == INT_MIN)
		return format_date(a, last);
	return str_printf(a, STR_FMT STR_FMT STR_FMT, STR_ARG(date_iso(a, first)), STR_ARG(to),
			  STR_ARG(date_iso(a, last)));
}

struct str format_count(struct arena *a, long v)
{
	return v < 0 ? STR("") : num_grouped(a, (double)v, 0);
}

/* Letters, digits and what stands within words and numbers. */
static bool is_inside(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
	       || c == '.' || c == ',' || c == '_' || c == '-' || c == '(';
}

/* Where a cut splits no word and no number: behind the last whole part of a list if that keeps
 * half, else behind the last whole word, else the cut itself. */
static size_t whole_parts(struct str s, size_t cut)
{
	static const char *const ends[] = { ";", "；", "。" };
	size_t at = cut;

	for (size_t end = cut; end > cut / 2; end--)
		for (size_t i = 0; i < LEN(ends); i++)
			if (str_ends(str_slice(s, 0, end), str_of(ends[i])))
				return end;
	if (at < s.len && is_inside(s.p[at]))
		while (at > 0 && is_inside(s.p[at - 1]))
			at--;
	while (at > 0 && (s.p[at - 1] == ' ' || s.p[at - 1] == '('))
		at--;
	return at > 0 ? at : cut;
}

struct str format_short(struct arena *a, struct str s, size_t max)
{
	size_t at = 0, cut = 0;

	for (size_t n = 0; at < s.len; n++) {
		if (n == max) {
			struct str kept = str_slice(s, 0, whole_parts(s, cut));
			const char *blank = str_ends(kept, STR(";")) ? " " : "";

			return str_printf(a, STR_FMT "%s…", STR_ARG(kept), blank);
		}
		if (n + 1 < max)
			cut = at;
		size_t before = at;
		str_next_utf8(s, &at);
		cut = n + 1 < max ? at : before;
	}
	return s;
}
