/* What moved since the edition before, and whether prices, data or the method moved it. */
#include "build.h"
#include "change_facts.h"
#include "change_say.h"
#include "figure_chapter.h"
#include "format.h"

#include <math.h>
#include <stdlib.h>

enum { ROWS_SHOWN = 20 };

/* Moves below this are in the file alone. */
#define SHOWN_PCT 1.0

/* In this order; a part that is 0 in every row has no column, and the total none where one part is
 * all of it. */
enum column { COLUMN_DEVICE, COLUMN_RANKS, COLUMN_PRICE, COLUMN_TOTAL, COLUMN_PARTS,
	      COLUMN_REASON = COLUMN_PARTS + CAUSES, COLUMNS };

static const struct build_column columns[COLUMNS] = {
	[COLUMN_DEVICE] = { "column.device", false, true, 1.5 },
	[COLUMN_RANKS] = { "column.rank_move", false, false, 1.6 },
	[COLUMN_PRICE] = { "column.price_move", true, false, 1.3 },
	[COLUMN_TOTAL] = { "column.value_move", true, false, 1 },
	[COLUMN_PARTS + CAUSE_PRICE] = { "column.from_price", true, false, 0.8 },
	[COLUMN_PARTS + CAUSE_DATA] = { "column.from_data", true, false, 0.8 },
	[COLUMN_PARTS + CAUSE_METHOD] = { "column.from_method", true, false, 0.8 },
	[COLUMN_REASON] = { "column.reason", false, false, 2.2 },
};

/* A clause of the reasons: where its words have their names. */
static const struct {
	struct str label;
	const char *key, *words;
} clauses[] = {
	{ STR_INIT("price status"), "change-reason.price_status", "flag" },
	{ STR_INIT("price from"), "change-reason.price_from", "market" },
	{ STR_INIT("origin"), "change-reason.origin", "origin" },
	{ STR_INIT("anchor"), "change-reason.anchor", NULL },
	{ STR_INIT("predictor"), "change-reason.predictor", NULL },
	{ STR_INIT("status"), "change-reason.status", "flag" },
	{ STR_INIT("the scores have no common scale"), "change-reason.scale", NULL },
};

/* "single-source unusual" in the words of the report. */
static struct str clause_words(struct build *b, const char *section, struct str words)
{
	struct name_set names = { .n = 0 };
	struct str word;

	if (str_eq(words, STR("none")) || str_eq(words, STR("ok")) || str_eq(words, STR("all")))
		return build_word(b, "change-reason", words);
	if (!section)
		return words;
	while (str_cut(&words, ' ', &word))
		name_add(b, &names, build_word(b, section, word));
	return name_list(b, &names, names.n);
}

/* The reason in the report's language; English, marked as such, where a clause is not known. */
static struct report_cell reason_cell(struct build *b, struct str reason)
{
	struct str rest = reason;
	struct change_clause c;
	struct name_set said = { .n = 0 };

	while (change_clause_next(&rest, &c)) {
		size_t k = 0;
		while (k < LEN(clauses) && !str_eq(clauses[k].label, c.label))
			k++;
		if (k == LEN(clauses))
			return build_data(b, reason);
		name_add(b, &said,
			 build_str(b, clauses[k].key,
				   (struct text_arg[]){
				       text_arg("old", clause_words(b, clauses[k].words, c.old)),
				       text_arg("now", clause_words(b, clauses[k].words, c.now)),
				       text_arg_end() }));
	}
	return (struct report_cell){ .text = name_list_long(b, &said, said.n) };
}

static int places(const struct data_change *c)
{
	return c->old_rank > 0 && c->new_rank > 0 ? abs(c->old_rank - c->new_rank) : 0;
}

/* "CNN 50 to 83": the first class of those where the rank moved most; the file has them all. */
static struct str rank_text(struct build *b, const struct change_move *m)
{
	const struct data_change *most = m->rows[0];

	for (size_t i = 1; i < m->nrows; i++)
		if (places(m->rows[i]) > places(most))
			most = m->rows[i];
	if (places(most) == 0)
		return build_str(b, "changes.rank_same", NULL);
	return build_str(b, "changes.ranks",
			 (struct text_arg[]){
			     text_arg("class", build_class_title(b, most->class_text)),
			     text_arg("from", format_count(b->arena, most->old_rank)),
			     text_arg("to", format_count(b->arena, most->new_rank)),
			     text_arg_end() });
}

static struct str prices_text(struct build *b, const struct data_change *c)
{
	struct str old = format_usd(b->arena, c->old_cost_usd),
		   now = format_usd(b->arena, c->new_cost_usd);

	if (old.len == 0 || now.len == 0 || str_eq(old, now))
		return now;
	return build_str(b, "changes.prices",
			 (struct text_arg[]){ text_arg("old", old), text_arg("now", now),
					      text_arg_end() });
}

static void move_row(struct build *b, struct report_table *t, const bool *shown,
		     const struct change_move *m)
{
	struct report_cell *to = report_table_row(t, b->arena);
	struct report_cell cells[COLUMNS] = {
		[COLUMN_DEVICE] = { .text = m->device },
		[COLUMN_RANKS] = { .text = rank_text(b, m) },
		[COLUMN_PRICE] = { .text = prices_text(b, m->rows[0]) },
		[COLUMN_TOTAL] = { .text = change_say_percent(b, change_facts_percent(m->total)),
				   .tone = TONE_STRONG },
		[COLUMN_REASON] = reason_cell(b, m->rows[0]->reason),
	};

	for (size_t i = 0; i < CAUSES; i++)
		cells[COLUMN_PARTS + i].text =
		    change_say_percent(b, change_facts_percent(m->part[i]));
	for (size_t i = 0; i < COLUMNS; i++)
		if (shown[i])
			*to++ = cells[i];
}

static bool is_shown(const struct change_move *m)
{
	return fabs(change_facts_percent(m->total)) >= SHOWN_PCT
	       || fabs(change_facts_percent(m->part[CAUSE_DATA])) >= SHOWN_PCT
	       || fabs(change_facts_percent(m->part[CAUSE_METHOD])) >= SHOWN_PCT;
}

/* Which columns have something to say of these rows. */
static void choose_columns(const struct change_move *const *m, size_t n, bool *shown)
{
	size_t parts = 0;

	for (size_t i = 0; i < COLUMNS; i++)
		shown[i] = i < COLUMN_PARTS;
	for (size_t k = 0; k < CAUSES; k++) {
		for (size_t i = 0; i < n; i++)
			shown[COLUMN_PARTS + k] |= m[i]->part[k] < 0 || m[i]->part[k] > 0;
		parts += shown[COLUMN_PARTS + k];
	}
	for (size_t k = 0; k < CAUSES && parts < 2; k++)
		shown[COLUMN_PARTS + k] = false;
	shown[COLUMN_PRICE] = false; /* older files have none */
	for (size_t i = 0; i < n; i++) {
		shown[COLUMN_PRICE] |= !isnan(m[i]->rows[0]->new_cost_usd);
		shown[COLUMN_REASON] |= m[i]->rows[0]->reason.len > 0;
	}
}

static void moves_table(struct build *b, const struct change_facts *f)
{
	const struct change_move **m = arena_array(b->arena, f->nmoves, sizeof *m);
	bool shown[COLUMNS];
	size_t n = 0, rows;

	for (size_t i = 0; i < f->nmoves; i++)
		if (is_shown(&f->moves[i]))
			m[n++] = &f->moves[i];
	rows = build_rows_shown(n, ROWS_SHOWN);
	choose_columns(m, rows, shown);
	struct report_table *t =
	    build_table(b, "table-changes", "changes.table",
			(struct text_arg[]){ text_arg_int("shown", (long)rows, b->arena),
					     text_arg_int("n", (long)n, b->arena),
					     text_arg("limit", change_say_limit(b, SHOWN_PCT)),
					     text_arg_end() },
			columns, 0);
	for (size_t i = 0; i < COLUMNS; i++)
		if (shown[i])
			build_add_column(b, t, build_column(b, &columns[i]));
	for (size_t i = 0; i < rows; i++)
		move_row(b, t, shown, m[i]);
	build_add_table(b, t, "data/changes.csv");
}

/* Which edition it is compared with. */
static void about(struct build *b)
{
	struct str id = data_setting(b->data, STR("previous_id")),
		   day = data_setting(b->data, STR("previous_date"));
	struct date date;
	const struct text_arg args[] = {
		text_arg("id", id),
		text_arg("date", date_parse(day, &date) ? build_date(b, date) : day),
		text_arg_end(),
	};

	build_text(b, id.len > 0 && day.len > 0 ? "changes.about" : "changes.about_unnamed", args);
}

static void status_counts(struct build *b, const struct change_facts *f)
{
	build_text(b, "changes.counts",
		   (struct text_arg[]){ text_arg_int("changed", f->changed, b->arena),
					text_arg_int("fresh", f->fresh, b->arena),
					text_arg_int("gone", f->gone, b->arena),
					text_arg_int("same", f->same, b->arena), text_arg_end() });
}

void chapter_changes(struct build *b)
{
	struct spans *items;
	size_t n;

	if (b->data->nchanges == 0)
		return;
	struct change_facts f = change_facts(b);
	build_heading(b, 2, "changes", "changes.title", NULL);
	about(b);
	if (!change_say_anything(&f)) {
		build_text(b, "changes.nothing", NULL);
		return;
	}
	change_say(b, &f, &items, &n);
	if (n > 0)
		report_list(b->report, items, n);
	status_counts(b, &f);
	if (f.reranked + f.fresh + f.gone > 0)
		figure_changes(b);
	moves_table(b, &f);
}
