/* Axes of figures: places, ranges and ticks; labels that keep clear of each other. */
#include "test.h"

#include "../base/date.h"
#include "../render/figure_label.h"
#include "../render/figure_scale.h"

static int day(const char *iso)
{
	struct date d = { 0 };

	date_parse(str_of(iso), &d);
	return d.day;
}

/* Expected places worked out by hand: halves and quarters of the logarithm. */
static const struct {
	const char *name;
	struct figure_scale s;
	double v, at;
} places[] = {
	{ "linear",
	  { .kind = SCALE_LINEAR, .min = 0, .max = 10, .from = 100, .to = 300 },
	  2.5,
	  150 },
	{ "linear, rising",
	  { .kind = SCALE_LINEAR, .min = 0, .max = 10, .from = 300, .to = 100 },
	  2.5,
	  250 },
	{ "log10", { .kind = SCALE_LOG10, .min = 1, .max = 10000, .from = 0, .to = 400 }, 10, 100 },
	{ "log2", { .kind = SCALE_LOG2, .min = 1, .max = 16, .from = 0, .to = 400 }, 8, 300 },
};

static void test_places(struct test *t)
{
	for (size_t i = 0; i < LEN(places); i++)
		test_near(t, figure_scale_at(&places[i].s, places[i].v), places[i].at, 1e-9,
			  places[i].name);

	struct figure_scale s = { .kind = SCALE_LOG10, .min = 1, .max = 10 };

	test_ok(t, figure_scale_has(&s, 1) && figure_scale_has(&s, 10), "both ends are on it");
	test_ok(t, !figure_scale_has(&s, 0) && !figure_scale_has(&s, NAN)
		       && !figure_scale_has(&s, 10.1) && !figure_scale_has(&s, INFINITY),
		"zero, missing and what is beyond are not");
}

static void test_range(struct test *t)
{
	struct figure_scale s = { .kind = SCALE_LOG10, .min = 1, .max = 0 };

	figure_scale_take(&s, 100);
	figure_scale_take(&s, NAN);
	figure_scale_take(&s, -3);
	figure_scale_take(&s, 10000);
	test_ok(t, s.min == 100 && s.max == 10000, "takes what has a place");
	figure_scale_pad(&s, 0.5);
	test_near(t, s.min, 10, 1e-9, "half of two decades less");
	test_near(t, s.max, 100000, 1e-6, "and more");
	s = (struct figure_scale){ .kind = SCALE_LINEAR, .min = 1, .max = 0 };
	figure_scale_take(&s, 2);
	figure_scale_take(&s, 10);
	figure_scale_pad(&s, 0.5);
	test_ok(t, s.min == 0 && s.max == 14, "linear: not below zero");
	s = (struct figure_scale){ .kind = SCALE_LOG10, .min = 1, .max = 0 };
	figure_scale_take(&s, 5);
	figure_scale_pad(&s, 0.1);
	test_ok(t, s.min < 5 && s.max > 5, "one value alone has a range around it");
	s = (struct figure_scale){ .kind = SCALE_LINEAR, .min = 1, .max = 0 };
	figure_scale_pad(&s, 0.1);
	test_ok(t, s.min < s.max, "none at all has one too");
}

/* Labels joined by blanks. */
static const struct {
	const char *name;
	struct figure_scale s;
	size_t want;
	const char *from, *to; /* dates in place of min and max */
	const char *labels;
} ticks[] = {
	{ "linear by two",
	  { .kind = SCALE_LINEAR, .min = 0, .max = 10 },
	  6,
	  NULL,
	  NULL,
	  "0 2 4 6 8 10" },
	{ "linear from a half",
	  { .kind = SCALE_LINEAR, .min = 0.5, .max = 2 },
	  4,
	  NULL,
	  NULL,
	  "0.5 1.0 1.5 2.0" },
	{ "dollars",
	  { .kind = SCALE_LINEAR, .min = 0, .max = 2500, .prefix = STR_INIT("$") },
	  5,
	  NULL,
	  NULL,
	  "$0 $500 $1,000 $1,500 $2,000 $2,500" },
	{ "a decade: one, two, five",
	  { .kind = SCALE_LOG10, .min = 0.1, .max = 1, .suffix = STR_INIT("x") },
	  6,
	  NULL,
	  NULL,
	  "0.1x 0.2x 0.5x 1x" },
	{ "two decades: one, three",
	  { .kind = SCALE_LOG10, .min = 1, .max = 100 },
	  4,
	  NULL,
	  NULL,
	  "1 3 10 30 100" },
	{ "six decades: every second power",
	  { .kind = SCALE_LOG10, .min = 1, .max = 1e6 },
	  3,
	  NULL,
	  NULL,
	  "1 100 10,000 1,000,000" },
	{ "powers of two",
	  { .kind = SCALE_LOG2, .min = 1.5, .max = 20, .suffix = STR_INIT(" GB") },
	  6,
	  NULL,
	  NULL,
	  "2 GB 4 GB 8 GB 16 GB" },
	{ "five years",
	  { .kind = SCALE_DATE },
	  6,
	  "2020-03-01",
	  "2025-01-01",
	  "2021 2022 2023 2024 2025" },
	{ "a year by quarters",
	  { .kind = SCALE_DATE },
	  5,
	  "2023-11-15",
	  "2024-10-01",
	  "2024-01 2024-04 2024-07 2024-10" },
};

static void test_ticks(struct test *t, struct arena *a)
{
	for (size_t i = 0; i < LEN(ticks); i++) {
		struct figure_scale s = ticks[i].s;
		struct chart_tick out[CHART_TICKS_MAX];
		struct strbuf all = { .arena = a };

		if (ticks[i].from) {
			s.min = day(ticks[i].from);
			s.max = day(ticks[i].to);
		}
		size_t n = figure_scale_ticks(&s, ticks[i].want, a, out);

		for (size_t k = 0; k < n; k++)
			strbuf_printf(&all, "%s" STR_FMT, k ? " " : "", STR_ARG(out[k].label));
		test_str(t, strbuf_str(&all), str_of(ticks[i].labels), ticks[i].name);
	}

	static const double fixed[] = { 1, 2, 3, 99 };
	const struct figure_scale s = { .kind = SCALE_LOG2, .min = 1, .max = 8, .fixed = fixed,
					.nfixed = LEN(fixed) };
	struct chart_tick out[CHART_TICKS_MAX];

	test_ok(t, figure_scale_ticks(&s, 6, a, out) == 3, "given ticks, those on the scale");
}

static struct label_room room_new(struct arena *a)
{
	return (struct label_room){ .arena = a, .frame = { 0, 0, 200, 100 } };
}

static void test_place(struct test *t, struct arena *a)
{
	struct label_room r = room_new(a);
	struct label_place p;

	test_ok(t, label_room_place(&r, 100, 50, 4, 30, 10, &p) && !p.leader, "beside its mark");
	test_near(t, p.left, 107, 1e-9, "at the right");
	test_near(t, p.middle, 50, 1e-9, "at its height");
	test_ok(t, label_room_place(&r, 100, 50, 4, 30, 10, &p), "the next one");
	test_near(t, p.left, 63, 1e-9, "at the left");
	r = room_new(a);
	test_ok(t, label_room_place(&r, 190, 50, 4, 30, 10, &p) && p.left + 30 <= 200,
		"never out of the frame");
	r = room_new(a);
	label_room_segment(&r, 110, 0, 110, 100);
	test_ok(t, label_room_place(&r, 100, 50, 4, 30, 10, &p) && p.left + 30 <= 110,
		"nor across a line");
	r = room_new(a);
	label_room_box(&r, (struct label_box){ 80, 30, 120, 70 });
	test_ok(t, label_room_place(&r, 100, 50, 4, 30, 10, &p) && p.leader,
		"farther off, with a line");
	test_ok(t, p.left >= 120 || p.left + 30 <= 80 || p.middle + 5 <= 30 || p.middle - 5 >= 70,
		"outside of what is taken");
	r = room_new(a);
	label_room_box(&r, r.frame);
	test_ok(t, !label_room_place(&r, 100, 50, 4, 30, 10, &p), "or not at all");
	test_ok(t, !label_room_take(&r, (struct label_box){ 5, 5, 9, 9 }),
		"a taken place is taken");
}

/* Worked out by hand: two that touch move to both sides of their mean. */
static const struct {
	const char *name;
	double at[4];
	size_t n;
	double gap, low, high, want[4];
} spreads[] = {
	{ "far apart: as they were", { 10, 50 }, 2, 12, 0, 100, { 10, 50 } },
	{ "two on one place", { 50, 50 }, 2, 12, 0, 100, { 44, 56 } },
	{ "in any order", { 54, 50 }, 2, 12, 0, 100, { 58, 46 } },
	{ "at the upper end", { 0, 0 }, 2, 12, 0, 100, { 0, 12 } },
	{ "at the lower end", { 100, 99 }, 2, 12, 0, 100, { 100, 88 } },
	{ "a chain", { 50, 55, 60 }, 3, 12, 0, 100, { 43, 55, 67 } },
	{ "more than fit share", { 5, 5, 5 }, 3, 12, 0, 10, { 0, 5, 10 } },
	{ "one alone, outside", { 120 }, 1, 12, 0, 100, { 100 } },
};

static void test_spread(struct test *t, struct arena *a)
{
	for (size_t i = 0; i < LEN(spreads); i++) {
		double at[4], worst = 0;

		for (size_t k = 0; k < spreads[i].n; k++)
			at[k] = spreads[i].at[k];
		label_spread(at, spreads[i].n, spreads[i].gap, spreads[i].low, spreads[i].high, a);
		for (size_t k = 0; k < spreads[i].n; k++)
			worst = fmax(worst, fabs(at[k] - spreads[i].want[k]));
		test_near(t, worst, 0, 1e-9, spreads[i].name);
	}
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };

	test_places(&t);
	test_range(&t);
	test_ticks(&t, &a);
	test_place(&t, &a);
	test_spread(&t, &a);
	arena_free(&a);
	return test_done(&t);
}
