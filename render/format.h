/* How numbers read in the report: the one place where they are rounded. Not a number gives empty
 * text, which every page format shows as missing. */
#ifndef RENDER_FORMAT_H
#define RENDER_FORMAT_H

#include "../base/arena.h"
#include "../base/date.h"
#include "../base/str.h"

/* Two decimals; one from 10, none from 100, three below 0.1, four below 0.01. */
struct str format_ratio(struct arena *a, double v);
/* "1.23 (1.10–1.37)", the decimals of v throughout; without a known interval "1.23". */
struct str format_interval(struct arena *a, double v, double low, double high);
/* "$1,599", "$84.50": num_usd() with its sign. */
struct str format_usd(struct arena *a, double v);
/* "$499–$549", or empty when both read the same or one is missing. */
struct str format_usd_range(struct arena *a, double low, double high);
/* A coefficient from -1 to 1 such as Kendall's tau, with two decimals; no "-0.00". */
struct str format_correlation(struct arena *a, double v);
/* "12 %". */
struct str format_percent(struct arena *a, double v);
/* One decimal, none where the figure is whole: "11", "16.9", "1,024". */
struct str format_amount(struct arena *a, double v);
/* "1,906.5": one decimal in any case. */
struct str format_tenths(struct arena *a, double v);
/* "1.50–2.00"; one figure where both read the same or one is missing. */
struct str format_ratio_range(struct arena *a, double low, double high);
/* "2019-05-28", or empty for no date. */
struct str format_date(struct arena *a, struct date d);
/* "2019-05-28 to 2020-01-02" with `to` as the joining text; one date when both are equal. */
struct str format_dates(struct arena *a, struct date first, struct date last, struct str to);
/* A count with thousands separators; empty for a negative one. */
struct str format_count(struct arena *a, long v);
/* At most max characters of UTF-8 text, the last an ellipsis when something was cut. */
struct str format_short(struct arena *a, struct str s, size_t max);

#endif
