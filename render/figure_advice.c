/* Which question leads to which card: the personas in the report's order, the first that is yes
 * decides. */
#include "figure_chapter.h"
#include "figure_flow.h"
#include "format.h"

#include <math.h>

static const struct data_pick_rule *rule_of(const struct build *b, struct str persona)
{
	for (size_t i = 0; i < b->data->npick_rules; i++)
		if (str_eq(b->data->pick_rules[i].persona, persona))
			return &b->data->pick_rules[i];
	return NULL;
}

static void part_add(struct build *b, struct strbuf *out, struct str part)
{
	if (part.len == 0)
		return;
	if (out->len > 0)
		strbuf_add(out, figure_word(b, "advice", "separator", NULL));
	strbuf_add(out, part);
}

static struct str with(struct build *b, const char *key, struct str v)
{
	return figure_word(b, "advice", key,
			   (struct text_arg[]){ text_arg("v", v), text_arg_end() });
}

/* "most performance per cost · at most $500 · at least 8 GB": no sentence of the analysis, so it
 * reads in every language. */
static struct str rule_text(struct build *b, const struct data_pick *p)
{
	const struct data_pick_rule *r = rule_of(b, p->persona);
	struct strbuf out = { .arena = b->arena };

	if (!r)
		return p->rule;
	part_add(b, &out, build_word(b, "figure-advice", r->objective));
	if (!isnan(r->budget_usd))
		part_add(b, &out, with(b, "budget", format_usd(b->arena, r->budget_usd)));
	if (!isnan(r->memory_gb))
		part_add(b, &out, with(b, "memory", format_amount(b->arena, r->memory_gb)));
	if (r->gpus > 1)
		part_add(b, &out, with(b, "gpus", format_count(b->arena, r->gpus)));
	return strbuf_str(&out);
}

static struct str detail_text(struct build *b, const struct data_pick *p)
{
	struct str price = format_usd(b->arena, p->cost_usd);
	const char *key = str_c(b->arena, str_printf(b->arena, "cost." STR_FMT, STR_ARG(p->lens)));

	if (price.len > 0 && p->lens.len > 0 && text_has(b->text, key))
		price = build_str(b, key,
				  (struct text_arg[]){ text_arg("price", price), text_arg_end() });
	if (p->runner_up.len == 0)
		return price;
	return figure_word(b, "advice", "detail",
			   (struct text_arg[]){ text_arg("price", price),
						text_arg("runner_up", p->runner_up),
						text_arg_end() });
}

/* What stands in place of a card to buy. */
static const struct {
	const char *status, *key;
	bool none; /* no card meets the rule: drawn in dashes */
} statuses[] = {
	{ "keep", "advice.keep", false },
	{ "nearest", "advice.nearest", true },
	{ "none", "figure-advice.none", true },
};

static struct flow_step step_of(struct build *b, const struct data_pick *p)
{
	const struct text_arg args[] = { text_arg("device", p->device), text_arg_end() };
	struct flow_step s = {
		.title = p->title.len > 0 ? build_data_str(b, p->title) : p->persona,
		.question = build_data_str(b, p->asks),
		.answer = p->device,
		.detail = detail_text(b, p),
		.rule = rule_text(b, p),
	};

	for (size_t i = 0; i < LEN(statuses); i++)
		if (str_eq(p->status, str_of(statuses[i].status))) {
			s.answer = build_str(b, statuses[i].key, args);
			s.none = statuses[i].none;
		}
	return s;
}

void figure_advice(struct build *b)
{
	const struct report_data *d = b->data;
	struct flow_step *steps = arena_array(b->arena, d->npicks, sizeof *steps);
	struct figure_flow *f = arena_alloc(b->arena, sizeof *f);
	struct name_set cards = { .n = 0 };
	long met = 0;

	for (size_t i = 0; i < d->npicks; i++)
		if (d->picks[i].rank <= 1) {
			steps[f->n++] = step_of(b, &d->picks[i]);
			met += str_eq(d->picks[i].status, STR("found"));
		}
	figure_picked(b, &cards);
	if (cards.n == 0)
		return;
	f->steps = steps;
	f->yes = build_str(b, "figure-advice.yours", NULL);
	f->no = build_str(b, "figure-advice.other", NULL);
	const struct text_arg args[] = {
		text_arg_int("n", (long)f->n, b->arena),
		text_arg_int("met", met, b->arena),
		text_arg_int("cards", (long)cards.n, b->arena),
		text_arg("names", name_list(b, &cards, cards.n)),
		text_arg("first", f->steps[0].title),
		text_arg("first_card", f->steps[0].answer),
		text_arg_end(),
	};
	figure_add(b, "advice", "data/picks.csv", args, figure_flow_draw, f);
}
