/* Own or rent: after how many months a bought card is cheaper than a rented one, by hours a month.
 */
#include "build.h"
#include "figure_chapter.h"
#include "format.h"

#include <math.h>
#include <stdlib.h>

enum { HOURS_MAX = 10, ROWS_SHOWN = 12 };

/* The rows of one device and provider. */
struct offer {
	const struct data_breakeven *any;
	const struct data_breakeven *at[HOURS_MAX];
};

struct hours {
	double v[HOURS_MAX]; /* ascending */
	size_t n;
};

static struct hours hours_of(const struct build *b)
{
	struct hours h = { .n = 0 };

	for (size_t i = 0; i < b->data->nbreakeven; i++) {
		double v = b->data->breakeven[i].hours_per_month;
		size_t at = 0;
		while (at < h.n && h.v[at] < v)
			at++;
		/* idle, owning never pays: no column tells that again and again */
		if (!(v > 0) || (at < h.n && !(h.v[at] > v)) || h.n == HOURS_MAX)
			continue;
		for (size_t k = h.n++; k > at; k--)
			h.v[k] = h.v[k - 1];
		h.v[at] = v;
	}
	return h;
}

static size_t gather(struct build *b, const struct hours *h, struct offer *out)
{
	struct map index = { .arena = b->arena };
	size_t n = 0;
	bool fresh;

	for (size_t i = 0; i < b->data->nbreakeven; i++) {
		const struct data_breakeven *r = &b->data->breakeven[i];
		struct str key = str_printf(b->arena, STR_FMT "\n" STR_FMT, STR_ARG(r->device),
					    STR_ARG(r->provider));
		size_t at = *map_put(&index, key, n, &fresh);
		if (fresh)
			out[n++] = (struct offer){ .any = r };
		for (size_t k = 0; k < h->n; k++)
			if (!(h->v[k] < r->hours_per_month) && !(h->v[k] > r->hours_per_month))
				out[at].at[k] = r;
	}
	return n;
}

static struct report_cell months_cell(struct build *b, const struct data_breakeven *r)
{
	if (!r)
		return (struct report_cell){ .tone = TONE_PLAIN };
	if (isnan(r->months))
		return (struct report_cell){ .text = build_word(b, "rent", r->status),
					     .tone = TONE_MUTED };
	/* A tenth of a month says nothing after many years. */
	return (struct report_cell){
		.text = format_amount(b->arena, r->months >= 100 ? nearbyint(r->months) : r->months)
	};
}

static const struct build_column columns[] = {
	{ "column.device", false, true, 1.8 }, { "column.provider", false, false, 1 },
	{ "column.rent", true, false, 0.9 },   { "column.own", true, false, 0.9 },
	{ "column.power", true, false, 0.9 },
};

static struct report_table *rent_table(struct build *b, const struct hours *h, size_t shown,
				       size_t all)
{
	const struct text_arg args[] = { text_arg_int("shown", (long)shown, b->arena),
					 text_arg_int("n", (long)all, b->arena), text_arg_end() };
	struct report_table *t =
	    build_table(b, "table-breakeven", "rent.table", args, columns, LEN(columns));

	for (size_t k = 0; k < h->n; k++) {
		const struct text_arg hour[] = { text_arg_int("n", lround(h->v[k]), b->arena),
						 text_arg_end() };
		build_add_column(
		    b, t,
		    (struct report_column){ .title = build_str(b, "column.hours", hour),
					    .numeric = true,
					    .weight = 0.7 });
	}
	return t;
}

static void offer_row(struct build *b, struct report_table *t, const struct offer *o, size_t nhours)
{
	struct report_cell *cells = report_table_row(t, b->arena);

	cells[0].text = o->any->device;
	cells[1].text = build_word(b, "provider", o->any->provider);
	cells[2].text = format_usd(b->arena, o->any->rent_usd_per_hour);
	cells[3].text = format_usd(b->arena, o->any->own_usd);
	cells[4].text = format_usd(b->arena, o->any->power_usd_per_hour);
	for (size_t k = 0; k < nhours; k++)
		cells[LEN(columns) + k] = months_cell(b, o->at[k]);
}

/* How soon the quickest of them pays off at the most hours a month. */
static void quickest(struct build *b, const struct offer *offers, size_t n, const struct hours *h)
{
	const struct data_breakeven *best = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct data_breakeven *r = offers[i].at[h->n - 1];
		if (r && !isnan(r->months) && (!best || r->months < best->months))
			best = r;
	}
	if (!best)
		return;
	build_text(
	    b, "rent.quickest",
	    (struct text_arg[]){ text_arg("device", best->device),
				 text_arg("months", format_amount(b->arena, best->months)),
				 text_arg_int("hours", lround(best->hours_per_month), b->arena),
				 text_arg("rent", format_usd(b->arena, best->rent_usd_per_hour)),
				 text_arg_end() });
}

void chapter_rent(struct build *b)
{
	struct offer *offers = arena_array(b->arena, b->data->nbreakeven + 1, sizeof *offers);
	struct hours h = hours_of(b);
	size_t n = gather(b, &h, offers);

	if (n == 0 || h.n == 0)
		return;
	size_t shown = build_rows_shown(n, ROWS_SHOWN);
	struct report_table *t = rent_table(b, &h, shown, n);
	for (size_t i = 0; i < shown; i++)
		offer_row(b, t, &offers[i], h.n);
	build_heading(b, 2, "rent", "rent.title", NULL);
	build_text(b, "rent.about", NULL);
	figure_rent(b);
	build_add_table(b, t, "data/breakeven.csv");
	quickest(b, offers, n, &h);
}
