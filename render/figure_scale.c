#include "figure_scale.h"

#include "../base/date.h"
#include "../base/num.h"

#include <math.h>

#define DAYS_OF_YEAR 365.25

static bool is_log(const struct figure_scale *s)
{
	return s->kind == SCALE_LOG10 || s->kind == SCALE_LOG2;
}

static double measure(const struct figure_scale *s, double v)
{
	return is_log(s) ? log(v) : v;
}

bool figure_scale_has(const struct figure_scale *s, double v)
{
	return isfinite(v) && !(is_log(s) && v <= 0) && v >= s->min && v <= s->max;
}

double figure_scale_at(const struct figure_scale *s, double v)
{
	double t = (measure(s, v) - measure(s, s->min))
		   / (measure(s, s->max) - measure(s, s->min));

	return s->from + t * (s->to - s->from);
}

void figure_scale_take(struct figure_scale *s, double v)
{
	if (!isfinite(v) || (is_log(s) && v <= 0))
		return;
	s->min = s->min <= s->max ? fmin(s->min, v) : v;
	s->max = fmax(s->max, v);
}

void figure_scale_pad(struct figure_scale *s, double share)
{
	bool from_zero = s->min >= 0;
	double lo, hi;

	if (!(s->min <= s->max)) {
		s->min = 1;
		s->max = 10;
	}
	lo = measure(s, s->min);
	hi = measure(s, s->max);
	if (!(hi > lo)) {
		lo -= is_log(s) ? log(2) : fmax(fabs(lo) / 2, 0.5);
		hi += is_log(s) ? log(2) : fmax(fabs(hi) / 2, 0.5);
		share = 0;
	}

	double room = share * (hi - lo);

	s->min = is_log(s) ? exp(lo - room) : lo - room;
	s->max = is_log(s) ? exp(hi + room) : hi + room;
	if (s->kind == SCALE_LINEAR && from_zero)
		s->min = fmax(s->min, 0);
}

static void add(const struct figure_scale *s, struct arena *a, double v, struct str number,
		struct chart_tick *out, size_t *n)
{
	if (*n == CHART_TICKS_MAX || !figure_scale_has(s, v))
		return;
	out[(*n)++] = (struct chart_tick){ v, str_printf(a, STR_FMT STR_FMT STR_FMT,
							 STR_ARG(s->prefix), STR_ARG(number),
							 STR_ARG(s->suffix)) };
}

/* The largest step of 1, 2, 5 times a power of ten that gives at least `want` / 2 ticks. */
static double nice_step(double range, size_t want, int *decimals)
{
	static const double nice[] = { 1, 2, 5, 10 };
	double rough = range / (double)want, exponent = floor(log10(rough));
	size_t i = 0;

	while (i + 1 < LEN(nice) && nice[i] * pow(10, exponent) < rough * (1 - 1e-9))
		i++;

	double step = nice[i] * pow(10, exponent);

	exponent += nice[i] == 10;
	*decimals = exponent < 0 ? (int)-exponent : 0;
	return step;
}

static size_t ticks_linear(const struct figure_scale *s, size_t want, struct arena *a,
			   struct chart_tick *out)
{
	int decimals;
	double step = nice_step(s->max - s->min, want, &decimals);
	size_t n = 0;

	for (double k = ceil(s->min / step - 1e-9); k * step <= s->max * (1 + 1e-9); k++)
		add(s, a, k * step, num_grouped(a, k * step, decimals), out, &n);
	return n;
}

/* 1, 2 and 5 of a decade where it has few of them, 1 and 3 over some, the powers alone over many.
 */
static size_t ticks_log10(const struct figure_scale *s, size_t want, struct arena *a,
			  struct chart_tick *out)
{
	static const double steps[][3] = { { 1, 2, 5 }, { 1, 3, 0 }, { 1, 0, 0 } };
	static const size_t per_decade[] = { 3, 2, 1 };
	double decades = log10(s->max / s->min);
	size_t kind = 0, n = 0;

	while (kind + 1 < LEN(steps) && decades * (double)per_decade[kind] > (double)want)
		kind++;
	int stride = (int)fmax(1, ceil(decades / (double)want));

	for (int k = (int)floor(log10(s->min)); k <= (int)ceil(log10(s->max)); k++)
		for (size_t i = 0; i < per_decade[kind] && k % stride == 0; i++)
			add(s, a, steps[kind][i] * pow(10, k),
			    num_grouped(a, steps[kind][i] * pow(10, k), k < 0 ? -k : 0), out, &n);
	return n;
}

static size_t ticks_log2(const struct figure_scale *s, struct arena *a, struct chart_tick *out)
{
	size_t n = 0;

	for (int k = (int)floor(log2(s->min)); k <= (int)ceil(log2(s->max)); k++)
		add(s, a, ldexp(1, k), num_grouped(a, ldexp(1, k), k < 0 ? -k : 0), out, &n);
	return n;
}

/* The first day of a month, counted from the year 0. */
static int month_start(struct arena *a, int month)
{
	struct date d = { 0 };

	date_parse(str_printf(a, "%04d-%02d-01", month / 12, month % 12 + 1), &d);
	return d.day;
}

static size_t ticks_date(const struct figure_scale *s, size_t want, struct arena *a,
			 struct chart_tick *out)
{
	static const int strides[] = { 1, 3, 6, 12, 24, 60 };
	double months = (s->max - s->min) / DAYS_OF_YEAR * 12;
	size_t i = 0, n = 0;
	int year, month, day;

	while (i + 1 < LEN(strides) && months / strides[i] > (double)want)
		i++;
	date_ymd(date_of_day((int)floor(s->min)), &year, &month, &day);
	int first = (year * 12 + month - 1) / strides[i] * strides[i];

	for (int m = first; m / 12 < 2200 && month_start(a, m) <= s->max; m += strides[i])
		add(s, a, month_start(a, m),
		    strides[i] < 12 ? str_printf(a, "%04d-%02d", m / 12, m % 12 + 1)
				    : str_printf(a, "%04d", m / 12),
		    out, &n);
	return n;
}

size_t figure_scale_ticks(const struct figure_scale *s, size_t want, struct arena *a,
			  struct chart_tick *out)
{
	size_t n = 0;

	for (size_t i = 0; i < s->nfixed; i++)
		add(s, a, s->fixed[i], num_grouped(a, s->fixed[i], 0), out, &n);
	if (s->fixed)
		return n;
	switch (s->kind) {
	case SCALE_LINEAR:
		return ticks_linear(s, want, a, out);
	case SCALE_LOG10:
		return ticks_log10(s, want, a, out);
	case SCALE_LOG2:
		return ticks_log2(s, a, out);
	case SCALE_DATE:
		return ticks_date(s, want, a, out);
	}
	return 0;
}
