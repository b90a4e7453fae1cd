/* Refused and set-aside rows by code, each group with its first example. */
#include "build.h"
#include "format.h"

#include <stdlib.h>

enum { REASON_SHOWN = 160 }; /* characters */
enum { SERIES_SHOWN = 2 };

struct group {
	struct str action, code;
	struct name_set series;
	const struct data_reject *first, *last;
	long rows;
};

struct groups {
	struct group *v;
	size_t n, cap;
	struct map by_key;
};

/* The folder a file lies in, which is its series; a file outside any folder gives empty text. */
static struct str series_of(struct str file)
{
	size_t end = file.len, start;

	while (end > 0 && file.p[end - 1] != '/')
		end--;
	if (end == 0)
		return STR("");
	for (start = end - 1; start > 0 && file.p[start - 1] != '/';)
		start--;
	return str_slice(file, start, end - 1);
}

static int by_action_and_code(const void *pa, const void *pb)
{
	const struct group *a = pa, *b = pb;
	int order = str_cmp(a->action, b->action);

	return order ? order : str_cmp(a->code, b->code);
}

/* A row with several faulty cells stands in rejects.csv once a cell, one below the other; it counts
 * once. */
static bool same_row(const struct data_reject *a, const struct data_reject *b)
{
	return a->line == b->line && str_eq(a->file, b->file);
}

static struct groups group_rejects(struct build *b)
{
	struct groups g = { .by_key = { .arena = b->arena } };
	bool fresh;

	for (size_t i = 0; i < b->data->nrejects; i++) {
		const struct data_reject *r = &b->data->rejects[i];
		struct str key = str_printf(b->arena, STR_FMT "\n" STR_FMT, STR_ARG(r->action),
					    STR_ARG(r->code));
		size_t at = *map_put(&g.by_key, key, g.n, &fresh);
		if (fresh) {
			g.v = arena_grow(b->arena, g.v, &g.cap, g.n + 1, sizeof *g.v);
			g.v[g.n++] =
			    (struct group){ .action = r->action, .code = r->code, .first = r };
		}
		name_add(b, &g.v[at].series, series_of(r->file));
		if (!g.v[at].last || !same_row(g.v[at].last, r))
			g.v[at].rows++;
		g.v[at].last = r;
	}
	if (g.n > 0)
		qsort(g.v, g.n, sizeof *g.v, by_action_and_code);
	return g;
}

static struct str place(struct build *b, const struct data_reject *r)
{
	if (r->line <= 0)
		return r->file;
	return str_printf(b->arena, STR_FMT ":%d", STR_ARG(r->file), r->line);
}

static const struct build_column columns[] = {
	{ "column.code", false, true, 1.1 },   { "column.action", false, false, 0.8 },
	{ "column.rows", true, false, 0.6 },   { "column.series", false, false, 1.5 },
	{ "column.first", false, false, 1.8 }, { "column.reason", false, false, 3 },
};

static const struct {
	const char *action, *key;
} actions[] = {
	{ "rejected", "action.rejected" },
	{ "set-aside", "action.set_aside" },
	{ "overridden", "action.overridden" },
};

static void add_row(struct build *b, struct report_table *t, const struct group *g)
{
	struct report_cell *cells = report_table_row(t, b->arena);

	cells[0].text = build_word(b, "reject-code", g->code);
	cells[1].text = g->action;
	for (size_t i = 0; i < LEN(actions); i++)
		if (str_eq(g->action, str_of(actions[i].action)))
			cells[1].text = build_str(b, actions[i].key, NULL);
	cells[2].text = format_count(b->arena, g->rows);
	cells[3].text = name_list(b, &g->series, SERIES_SHOWN);
	cells[4].text = place(b, g->first);
	cells[5] = build_data(b, format_short(b->arena, g->first->reason, REASON_SHOWN));
}

/* How many rows of the price files were refused, and the first of them. */
static void refused_prices(struct build *b)
{
	const struct data_price_reject *r = b->data->price_rejects;

	if (b->data->nprice_rejects == 0)
		return;
	const struct text_arg args[] = {
		text_arg_int("n", (long)b->data->nprice_rejects, b->arena),
		text_arg("place", str_printf(b->arena, STR_FMT ":%d:%d", STR_ARG(r->file), r->line,
					     r->column)),
		text_arg("reason", format_short(b->arena, r->reason, REASON_SHOWN)),
		text_arg_link("list", STR("data/price-rejects.csv"), STR("data/price-rejects.csv")),
		text_arg_end(),
	};
	build_text(b, "rejects.prices", args);
}

/* How many rows did not count, and why most of them. */
static void finding(struct build *b, const struct groups *g)
{
	const struct group *most = &g->v[0];
	long rows = 0;

	for (size_t i = 0; i < g->n; i++) {
		rows += g->v[i].rows;
		if (g->v[i].rows > most->rows)
			most = &g->v[i];
	}
	build_text(b, "rejects.finding",
		   (struct text_arg[]){ text_arg_int("rows", rows, b->arena),
					text_arg_int("most", most->rows, b->arena),
					text_arg("code", most->code), text_arg_end() });
}

void chapter_rejects(struct build *b)
{
	struct groups g = group_rejects(b);
	struct report_table *t =
	    build_table(b, "table-rejects", "rejects.table", NULL, columns, LEN(columns));

	for (size_t i = 0; i < g.n; i++)
		add_row(b, t, &g.v[i]);
	t->csv_href = STR("data/rejects.csv");
	build_heading(b, 2, "rejects", "rejects.title", NULL);
	if (g.n > 0)
		finding(b, &g);
	build_text(b, g.n > 0 ? "rejects.about" : "rejects.none", NULL);
	if (g.n > 0)
		report_add_table(b->report, t);
	refused_prices(b);
}
