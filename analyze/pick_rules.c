#include "pick_rules.h"

#include "../base/csv_write.h"
#include "../base/file.h"
#include "../base/num.h"

static const struct str gate_words[GATE_COUNT] = {
	[GATE_LISTED] = STR_INIT("listed"),   [GATE_VENDOR] = STR_INIT("vendor"),
	[GATE_MEMORY] = STR_INIT("memory"),   [GATE_POWER] = STR_INIT("power"),
	[GATE_HOST] = STR_INIT("host"),       [GATE_LICENCE] = STR_INIT("licence"),
	[GATE_COOLING] = STR_INIT("cooling"), [GATE_SCORE] = STR_INIT("score"),
	[GATE_GAIN] = STR_INIT("gain"),       [GATE_PRICE] = STR_INIT("price"),
	[GATE_CONDITION] = STR_INIT("condition"), [GATE_STALE] = STR_INIT("stale"),
	[GATE_BUDGET] = STR_INIT("budget"),
};

static void add_word(struct strbuf *b, struct str word)
{
	if (b->len > 0)
		strbuf_addc(b, ' ');
	strbuf_add(b, word);
}

struct str pick_gate_words(const struct candidate *c, struct arena *a)
{
	struct strbuf b = { .arena = a };

	for (int g = 0; g < GATE_COUNT; g++)
		if (c->failed & 1u << g)
			add_word(&b, gate_words[g]);
	return strbuf_str(&b);
}

static struct str weight_words(const struct pick_wish *w, struct arena *a)
{
	struct strbuf b = { .arena = a };

	for (int c = 0; c < CLASS_COUNT; c++)
		if (w->weights[c] > 0)
			add_word(&b, str_printf(a, STR_FMT ":" STR_FMT,
						STR_ARG(class_name((enum class_id)c)),
						STR_ARG(num_shortest(a, w->weights[c]))));
	return strbuf_str(&b);
}

struct str pick_rules_csv(const struct picks *p, struct arena *a)
{
	struct csv_out out = { .buf.arena = a };

	strbuf_add(&out.buf,
		   STR("persona,objective,lens,condition,gpus,budget_usd,memory_gb,weights\n"));
	for (size_t i = 0; i < p->n; i++) {
		const struct pick_wish *w = &p->v[i].wish;

		csv_put(&out, w->name);
		csv_put(&out, w->objective == OBJECTIVE_VALUE ? STR("value") : STR("speed"));
		csv_put(&out, w->lens);
		csv_put(&out, persona_condition_name(w->condition));
		csv_put_int(&out, w->gpus);
		csv_put_num(&out, w->budget_usd);
		csv_put_num(&out, w->memory_gb);
		csv_put(&out, weight_words(w, a));
		csv_end_row(&out);
	}
	return strbuf_str(&out.buf);
}

bool pick_rules_write(const struct picks *p, const char *path, struct arena *a, struct error *err)
{
	return file_write(path, pick_rules_csv(p, a), err);
}
