#include "claim.h"

#include "claim_check.h"
#include "../base/csv_write.h"
#include "../base/file.h"

#include <stdlib.h>

static const struct str verdict_names[] = {
	[CLAIM_REPRODUCED] = STR_INIT("reproduced"),
	[CLAIM_NOT_REPRODUCED] = STR_INIT("not-reproduced"),
	[CLAIM_NOT_TESTABLE] = STR_INIT("not-testable"),
};

struct str claim_verdict_name(enum claim_verdict v)
{
	return verdict_names[v];
}

struct check {
	void (*run)(const struct claim_input *in, struct claim *c);
	bool prices; /* what it says depends on the date of the prices, which `why` then tells */
};

/* The check of each claim: entry i is that of claim i + 1. */
static const struct check checks[] = {
	{ claim_data_parallel, false },      /* 1 */
	{ claim_recurrent_parallel, false }, /* 2 */
	{ claim_transformer_parallel, false },
	{ claim_four_gpus_2016, false },
	{ claim_independent_runs, false }, /* 5 */
	{ claim_cpu, false },
	{ claim_specs_cnn, false },
	{ claim_specs_rnn, false },
	{ claim_roofline, false },
	{ claim_linear_scaling, false }, /* 10 */
	{ claim_workloads, false },
	{ claim_rnn_limits, false },
	{ claim_performance_chart, false },
	{ claim_value_chart, true },
	{ claim_rtx_2060_v100, true }, /* 15 */
	{ claim_rtx_2060_first, true },
	{ claim_two_markets, true },
	{ claim_small_cards, true },
	{ claim_dear_pascal, true },
	{ claim_one_machine, true }, /* 20 */
	{ claim_cooling, false },
	{ claim_half_memory, false },
	{ claim_rule_of_thumb, false },
	{ claim_default_32_bit, false },
	{ claim_memory_trace, false }, /* 25 */
	{ claim_trace_16_bit, false },
	{ claim_trace_parts, false },
	{ claim_stated_needs, false },
	{ claim_memory_savings, false },
	{ claim_p100_16_bit, false }, /* 30 */
	{ claim_tpu_resnet, false },
	{ claim_tpu_transformer, false },
	{ claim_tpu_lstm, false },
	{ claim_tesla_price, true },
	{ claim_vendors, false }, /* 35 */
	{ claim_rent, true },
	{ claim_main_advice, true },
	{ claim_personas, true },
	{ claim_best_and_worst, true },
	{ claim_spellings, false }, /* 40 */
	{ claim_upgrade, true },
	{ claim_editions, false },
	{ claim_interconnect, false },
	{ claim_one_gpu, false },
};

/* Prices further than this from the guide's month are of another time. */
enum { SAME_TIME_DAYS = 92 };

bool claims_read(const char *data_dir, struct arena *a, struct claims *out, struct error *err)
{
	*out = (struct claims){ 0 };
	if (!claim_list_read(data_dir, a, &out->list, err))
		return false;
	if (out->list.n > LEN(checks))
		return error_at(err, ERR_UNKNOWN, out->list.v[LEN(checks)].pos,
				"id: no check for claim %d", out->list.v[LEN(checks)].id);
	if (out->list.n > 0 && out->list.n < LEN(checks))
		return error_at(err, ERR_DATA, out->list.v[out->list.n - 1].pos,
				"id: the last claim is %d, %d is wanted",
				out->list.v[out->list.n - 1].id, (int)LEN(checks));
	const char *series = str_c(a, file_join(a, str_of(data_dir), STR("series.csv")));
	return !file_exists(series) || series_read(data_dir, a, &out->series, err);
}

/* A claim on prices is one of its day: says whose prices were taken. */
static void add_price_date(const struct claim_input *in, struct claim *c)
{
	int day = in->x->edition->date.day;
	struct say date = say_date(in->arena, in->x->edition->date);
	bool same_time =
	    day >= c->text->first.day - SAME_TIME_DAYS && day <= c->text->last.day + SAME_TIME_DAYS;
	struct say_list l = { .arena = in->arena };

	say_add(&l, c->why);
	say_add(&l, say(in->arena, same_time ? "claim.prices_as_of" : "claim.prices_other_time",
			(const struct say_arg[]){
			    say_put("date", date),
			    same_time ? say_end() : say_name("guide", c->text->source), say_end() }));
	c->why = say_join(&l, "sentence");
}

void claims_compute(const struct analysis *x, struct arena *a, struct claims *claims)
{
	const struct claim_input in = { x, &claims->series, a };

	claims->n = claims->list.n;
	claims->v = arena_array(a, claims->n, sizeof *claims->v);
	for (size_t i = 0; i < claims->n; i++) {
		struct claim *c = &claims->v[i];
		c->text = &claims->list.v[i];
		checks[i].run(&in, c);
		if (checks[i].prices && c->verdict != CLAIM_NOT_TESTABLE)
			add_price_date(&in, c);
	}
}

size_t claims_count(const struct claims *claims, enum claim_verdict verdict)
{
	size_t n = 0;

	for (size_t i = 0; i < claims->n; i++)
		n += claims->v[i].verdict == verdict;
	return n;
}

bool claims_write(const struct claims *claims, const struct text_catalogue *english,
		  const char *path, struct arena *a, struct error *err)
{
	struct csv_out w = { .buf.arena = a };
	const struct text_english e = { english, a, err };

	strbuf_add(&w.buf, STR("id,claim,guide_value,computed_value,verdict,source,kind,why,computed_value_msg,why_msg\n"));
	for (size_t i = 0; i < claims->n; i++) {
		const struct claim *c = &claims->v[i];
		csv_put_int(&w, c->text->id);
		csv_put(&w, c->text->claim);
		csv_put(&w, c->text->guide_value);
		csv_put(&w, text_english(&e, c->computed_value));
		csv_put(&w, claim_verdict_name(c->verdict));
		csv_put(&w, c->text->source);
		csv_put(&w, c->text->computed ? STR("computed") : STR("carried"));
		csv_put(&w, text_english(&e, c->why));
		csv_put(&w, c->computed_value.json);
		csv_put(&w, c->why.json);
		csv_end_row(&w);
	}
	return err->code == ERR_NONE && file_write(path, strbuf_str(&w.buf), err);
}
