/* What to buy: one row a persona, and the picks of the guide beside ours. Part of chapter 1. */
#include "build.h"
#include "figure_chapter.h"
#include "footnote.h"
#include "format.h"

#include <math.h>

static const struct build_column advice_columns[] = {
	{ "column.persona", false, true, 1.5 }, { "column.buy", false, false, 1.2 },
	{ "column.cost", false, false, 0.9 },   { "column.why", false, false, 3.9 },
	{ "column.flips", false, false, 2.2 },
};

static const struct build_column rule_columns[] = {
	{ "column.persona", false, true, 1.6 },
	{ "column.rule", false, false, 3 },
	{ "column.mind", false, false, 3 },
};

static const struct build_column guide_columns[] = {
	{ "column.persona", false, true, 2 },
	{ "column.guide_pick", false, false, 1.6 },
	{ "column.our_pick", false, false, 1.4 },
	{ "column.agrees", false, false, 0.8 },
};

static bool is_first(const struct data_pick *p)
{
	return p->rank <= 1; /* -1: nothing was found for this persona */
}

static struct report_cell persona_title(struct build *b, const struct data_pick *p)
{
	if (p->title.len == 0)
		return (struct report_cell){ .text = p->persona };
	return build_data(b, p->title);
}

struct str build_pick_cost(struct build *b, const struct data_pick *p)
{
	struct str price = format_usd(b->arena, p->cost_usd);

	if (price.len == 0)
		return price;
	const char *key = str_c(b->arena, str_printf(b->arena, "cost." STR_FMT, STR_ARG(p->lens)));
	if (text_has(b->text, key))
		price = build_str(b, key,
				  (struct text_arg[]){ text_arg("price", price), text_arg_end() });
	if (p->gpus < 2)
		return price;
	return build_str(b, "advice.cards",
			 (struct text_arg[]){ text_arg("cost", price),
					      text_arg_int("n", p->gpus, b->arena),
					      text_arg_end() });
}

/* "$2,500"; where the cost is that of several, "$2,500 a card" or "$2,680 a card's share". */
static struct str flip_price(struct build *b, const struct data_pick *p, double usd)
{
	struct str price = format_usd(b->arena, usd);
	bool share = str_eq(p->lens, lens_name(LENS_SYSTEM))
		     || str_eq(p->lens, lens_name(LENS_SYSTEM_POWER));

	if (price.len == 0 || p->gpus < 2)
		return price;
	return build_str(b, share ? "advice.a_share" : "advice.a_card",
			 (struct text_arg[]){ text_arg("price", price), text_arg_end() });
}

static struct str joined(struct build *b, struct str first, struct str second)
{
	struct name_set both = { .n = 0 };

	name_add(b, &both, first);
	name_add(b, &both, second);
	return name_list_long(b, &both, both.n);
}

/* At which price the advice is another one. */
static struct str flip_text(struct build *b, const struct data_pick *p)
{
	const struct text_arg args[] = {
		text_arg("device", p->device),
		text_arg("runner_up", p->runner_up),
		text_arg("below", flip_price(b, p, p->flips_below_usd)),
		text_arg("above", flip_price(b, p, p->flips_above_usd)),
		text_arg_end(),
	};
	struct str below = STR(""), above = STR("");

	if (!isnan(p->flips_below_usd) && p->runner_up.len > 0)
		below = build_str(b, "advice.flips_below", args);
	if (!isnan(p->flips_above_usd))
		above = build_str(b, "advice.flips_above", args);
	return joined(b, below, above);
}

/* What to do where no card is simply the answer; NULL: buy it. */
static const struct {
	const char *status, *key;
} statuses[] = {
	{ "keep", "advice.keep" },
	{ "nearest", "advice.nearest" },
	{ "none", "advice.none" },
};

/* Whether the second card of the persona cannot be told from its first. */
static bool is_tied(const struct build *b, const struct data_pick *p)
{
	for (size_t i = 0; i < b->data->npicks; i++) {
		const struct data_pick *q = &b->data->picks[i];
		if (q->rank == 2 && str_eq(q->persona, p->persona))
			return str_eq(q->tie, STR("yes")) && p->runner_up.len > 0;
	}
	return false;
}

static struct report_cell buy_cell(struct build *b, const struct data_pick *p)
{
	const struct text_arg args[] = { text_arg("device", p->device), text_arg_end() };

	for (size_t i = 0; i < LEN(statuses); i++)
		if (str_eq(p->status, str_of(statuses[i].status)))
			return (struct report_cell){ .text = build_str(b, statuses[i].key, args),
						     .tone = TONE_MUTED };
	if (p->device.len == 0)
		return (struct report_cell){ .text = build_str(b, "advice.none", NULL),
					     .tone = TONE_MUTED };
	return (struct report_cell){ .text = p->device, .tone = TONE_STRONG };
}

static void advice_row(struct build *b, struct report_table *t, const struct data_pick *p)
{
	struct report_cell *cells = report_table_row(t, b->arena);

	cells[0] = persona_title(b, p);
	cells[1] = buy_cell(b, p);
	cells[2].text = build_pick_cost(b, p);
	cells[3] = p->deciding.len > 0
		       ? build_said(b, p->deciding, p->deciding_msg, p->pos)
		       : build_said(b, p->reason, p->reason_msg, p->pos);
	if (is_tied(b, p))
		cells[3].text = build_str(b, "advice.tied",
					  (struct text_arg[]){ text_arg("why", cells[3].text),
							       text_arg("runner_up", p->runner_up),
							       text_arg_end() });
	cells[4].text = flip_text(b, p);
}

/* minds: the remarks of the n rows, this one's at i; what many say is said once below the table. */
static void rule_row(struct build *b, struct report_table *t, const struct data_pick *p,
		     struct footnotes *notes, const struct str *minds, size_t n, size_t i)
{
	struct report_cell *cells = report_table_row(t, b->arena);

	cells[0] = persona_title(b, p);
	cells[1] = build_said(b, p->rule, p->rule_msg, p->pos);
	cells[2] = build_said(b, p->reason, p->reason_msg, p->pos);
	cells[2].text = footnote_fold(b, notes, minds, n, i);
}

/* Whether the card of the guide is ours, or cannot be told from it. */
static bool agrees(const struct data_pick *p)
{
	return str_eq(p->agrees, STR("yes")) || str_eq(p->agrees, STR("tie"));
}

static void guide_row(struct build *b, struct report_table *t, const struct data_pick *p)
{
	struct report_cell *cells = report_table_row(t, b->arena);

	cells[0] = persona_title(b, p);
	cells[1].text = build_data_str(b, p->guide_pick);
	cells[2] = buy_cell(b, p);
	cells[3].text = build_word(b, "word", p->agrees);
	cells[3].tone = str_eq(p->agrees, STR("no")) ? TONE_WARN : TONE_PLAIN;
}

/* Cards that a rule shut out before ranking, and how many personas each shut out at least one. */
static void removed_text(struct build *b)
{
	struct name_set personas = { .n = 0 };

	for (size_t i = 0; i < b->data->npick_removed; i++)
		name_add(b, &personas, b->data->pick_removed[i].persona);
	if (personas.n > 0)
		build_text(
		    b, "advice.removed",
		    (struct text_arg[]){ text_arg_int("n", (long)b->data->npick_removed, b->arena),
					 text_arg_int("personas", (long)personas.n, b->arena),
					 text_arg_link("list", STR("data/pick_removed.csv"),
						       STR("data/pick_removed.csv")),
					 text_arg_end() });
}

static void guide_table(struct build *b)
{
	struct report_table *t = build_table(b, "table-guide-picks", "advice.guide_table", NULL,
					     guide_columns, LEN(guide_columns));
	long agree = 0;

	for (size_t i = 0; i < b->data->npicks; i++) {
		const struct data_pick *p = &b->data->picks[i];
		if (!is_first(p) || p->guide_pick.len == 0)
			continue;
		guide_row(b, t, p);
		agree += agrees(p);
	}
	if (t->nrows == 0)
		return;
	build_text(b, "advice.guide",
		   (struct text_arg[]){ text_arg_int("agree", agree, b->arena),
					text_arg_int("n", (long)t->nrows, b->arena),
					text_arg_end() });
	build_add_table(b, t, "data/picks.csv");
}

void advice_tables(struct build *b)
{
	struct report_table *t = build_table(b, "table-advice", "advice.table", NULL,
					     advice_columns, LEN(advice_columns));

	for (size_t i = 0; i < b->data->npicks; i++)
		if (is_first(&b->data->picks[i]))
			advice_row(b, t, &b->data->picks[i]);
	if (t->nrows == 0)
		return;
	build_add_table(b, t, "data/picks.csv");
	build_text(b, "advice.about", NULL);
	figure_advice(b);
	guide_table(b);
}

void advice_rules(struct build *b)
{
	struct report_table *t = build_table(b, "table-advice-rules", "advice.rules", NULL,
					     rule_columns, LEN(rule_columns));
	const struct data_pick **first = arena_array(b->arena, b->data->npicks, sizeof *first);
	struct str *minds = arena_array(b->arena, b->data->npicks, sizeof *minds);
	struct footnotes notes = { .texts = { .n = 0 } };
	size_t n = 0;

	for (size_t i = 0; i < b->data->npicks; i++) {
		const struct data_pick *p = &b->data->picks[i];
		if (!is_first(p))
			continue;
		minds[n] = build_said_str(b, p->reason, p->reason_msg, p->pos);
		first[n++] = p;
	}
	for (size_t i = 0; i < n; i++)
		rule_row(b, t, first[i], &notes, minds, n, i);
	t->folded = true;
	build_add_table(b, t, "data/picks.csv");
	footnote_list(b, &notes);
	removed_text(b);
}
