/* Whether an upgrade pays: for each owned card the candidates that gain most for their money. */
#include "build.h"
#include "format.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

enum { CANDIDATES_SHOWN = 1 };

/* One owned card and one candidate. */
struct swap {
	const struct data_upgrade *first;           /* the prices stand in every row */
	const struct data_upgrade *of[CLASS_COUNT]; /* by class number of the report */
	size_t upgrades, gains; /* classes with the verdict "upgrade"; and with any but "keep" */
};

struct swaps {
	struct swap *v;
	size_t n;
	struct name_set owned;
};

static struct swaps gather(struct build *b)
{
	const struct report_data *d = b->data;
	struct swaps s = { .v = arena_array(b->arena, d->nupgrades, sizeof *s.v) };
	struct map index = { .arena = b->arena };
	bool fresh;

	for (size_t i = 0; i < d->nupgrades; i++) {
		const struct data_upgrade *u = &d->upgrades[i];
		struct str key = str_printf(b->arena, STR_FMT "\n" STR_FMT, STR_ARG(u->owned),
					    STR_ARG(u->candidate));
		size_t at = *map_put(&index, key, s.n, &fresh);
		size_t c = data_class_no(d, u->class_text);
		if (fresh)
			s.v[s.n++] = (struct swap){ .first = u };
		if (c < d->nclasses)
			s.v[at].of[c] = u;
		s.v[at].upgrades += str_eq(u->verdict, STR("upgrade"));
		s.v[at].gains += !str_eq(u->verdict, STR("keep"));
		name_add(b, &s.owned, u->owned);
	}
	return s;
}

/* Most classes worth the change first, then the least net price, then the order of the file. */
static int by_worth(const void *pa, const void *pb)
{
	const struct swap *const *a = pa, *const *b = pb;
	double na = (*a)->first->net_usd, nb = (*b)->first->net_usd;

	if ((*a)->upgrades != (*b)->upgrades)
		return (*a)->upgrades < (*b)->upgrades ? 1 : -1;
	if ((*a)->gains != (*b)->gains)
		return (*a)->gains < (*b)->gains ? 1 : -1;
	na = isnan(na) ? (double)INFINITY : na;
	nb = isnan(nb) ? (double)INFINITY : nb;
	if (na < nb || na > nb)
		return na < nb ? -1 : 1;
	return ((*a)->first->pos.line > (*b)->first->pos.line)
	       - ((*a)->first->pos.line < (*b)->first->pos.line);
}

/* Candidates worth anything for one owned card, the best first. */
static size_t candidates(const struct swaps *s, struct str owned, const struct swap **out)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		if (str_eq(s->v[i].first->owned, owned) && s->v[i].gains > 0)
			out[n++] = &s->v[i];
	if (n > 0)
		qsort(out, n, sizeof *out, by_worth);
	return n;
}

static const struct build_column columns[] = {
	{ "column.owned", false, true, 1.5 },      { "column.resale", true, false, 0.7 },
	{ "column.candidate", false, false, 1.8 }, { "column.price", true, false, 0.7 },
	{ "column.net", true, false, 0.7 },
};

static void gain_cell(struct build *b, const struct data_upgrade *u, struct report_cell *cell)
{
	if (!u)
		return;
	cell->text = format_ratio(b->arena, u->gain);
	if (str_eq(u->verdict, STR("upgrade")))
		cell->tone = TONE_STRONG;
	else if (str_eq(u->verdict, STR("keep")))
		cell->tone = TONE_MUTED;
}

static void swap_row(struct build *b, struct report_table *t, const struct swap *s)
{
	struct report_cell *cells = report_table_row(t, b->arena);

	cells[0].text = s->first->owned;
	cells[1].text = format_usd(b->arena, s->first->resale_usd);
	cells[2].text = s->first->candidate;
	cells[3].text = format_usd(b->arena, s->first->price_usd);
	cells[4].text = format_usd(b->arena, s->first->net_usd);
	for (size_t c = 0; c < b->data->nclasses; c++)
		gain_cell(b, s->of[c], &cells[LEN(columns) + c]);
}

/* The days of the resale prices shown; INT_MIN: none. */
struct days {
	struct date first, last;
};

static void add_day(struct days *d, const struct data_upgrade *u)
{
	if (isnan(u->resale_usd) || u->resale_date.day == INT_MIN)
		return;
	if (d->first.day == INT_MIN || u->resale_date.day < d->first.day)
		d->first = u->resale_date;
	if (u->resale_date.day > d->last.day)
		d->last = u->resale_date;
}

/* A resale price may be years old where used cards are no longer on record. */
static void resale_text(struct build *b, const struct days *d)
{
	const struct text_arg args[] = { text_arg("first", build_date(b, d->first)),
					 text_arg("last", build_date(b, d->last)), text_arg_end() };

	if (d->first.day != INT_MIN)
		build_text(b,
			   d->first.day == d->last.day ? "upgrade.resale_date"
						       : "upgrade.resale_dates",
			   args);
}

static void owned_rows(struct build *b, struct report_table *t, const struct swaps *s,
		       struct str owned, struct name_set *keep, struct days *days)
{
	const struct swap **c = arena_array(b->arena, s->n, sizeof *c);
	size_t n = candidates(s, owned, c);

	for (size_t i = 0; i < n && i < CANDIDATES_SHOWN; i++) {
		swap_row(b, t, c[i]);
		add_day(days, c[i]->first);
	}
	if (n == 0)
		name_add(b, keep, owned);
}

void section_upgrade(struct build *b)
{
	struct report_table *t =
	    build_table(b, "table-upgrade", "upgrade.table", NULL, columns, LEN(columns));
	struct swaps s = gather(b);
	struct name_set keep = { .n = 0 };
	struct days days = { { INT_MIN }, { INT_MIN } };

	if (s.n == 0)
		return;
	for (size_t c = 0; c < b->data->nclasses; c++) {
		struct str title = build_class(b, b->data->classes[c]);
		build_add_column(
		    b, t,
		    (struct report_column){ .title = title, .numeric = true, .weight = 0.8 });
	}
	for (size_t i = 0; i < s.owned.n; i++)
		owned_rows(b, t, &s, s.owned.v[i], &keep, &days);
	build_heading(b, 3, "upgrade", "upgrade.title", NULL);
	build_text(b, "upgrade.about", NULL);
	build_add_table(b, t, "data/upgrades.csv");
	resale_text(b, &days);
	if (keep.n > 0)
		build_text(b, "upgrade.keep",
			   (struct text_arg[]){ text_arg("names", name_list(b, &keep, keep.n)),
						text_arg_int("n", (long)keep.n, b->arena),
						text_arg_end() });
}
