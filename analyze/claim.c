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

/* The check of each claim: entry i is that of claim i + 1. */
static void (*const checks[])(const struct claim_input *in, struct claim *c) = {
	claim_data_parallel,      /* 1 */
	claim_recurrent_parallel, /* 2 */
	claim_transformer_parallel,
	claim_four_gpus_2016,
	claim_independent_runs, /* 5 */
	claim_cpu,
	claim_specs_cnn,
	claim_specs_rnn,
	claim_roofline,
	claim_linear_scaling, /* 10 */
	claim_workloads,
	claim_rnn_limits,
	claim_performance_chart,
	claim_value_chart,
	claim_rtx_2060_v100, /* 15 */
	claim_rtx_2060_first,
	claim_two_markets,
	claim_small_cards,
	claim_dear_pascal,
	claim_one_machine, /* 20 */
	claim_cooling,
	claim_half_memory,
	claim_rule_of_thumb,
	claim_default_32_bit,
	claim_memory_trace, /* 25 */
	claim_trace_16_bit,
	claim_trace_parts,
	claim_stated_needs,
	claim_memory_savings,
	claim_p100_16_bit, /* 30 */
	claim_tpu_resnet,
	claim_tpu_transformer,
	claim_tpu_lstm,
	claim_tesla_price,
	claim_vendors, /* 35 */
	claim_rent,
	claim_main_advice,
	claim_personas,
	claim_best_and_worst,
	claim_spellings, /* 40 */
	claim_upgrade,
	claim_editions,
	claim_interconnect,
	claim_one_gpu,
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

/* "2019-05-28", or "2023-11-15 to 2025-06-30". */
static struct say days_said(struct arena *a, const struct claim_prices *p)
{
	struct say from = say_date(a, p->oldest);

	if (p->oldest.day == p->newest.day)
		return from;
	return say(a, "claim.days",
		   (const struct say_arg[]){ say_put("from", from),
					     say_put("to", say_date(a, p->newest)), say_end() });
}

/* A claim on prices is one of their days, which may lie long before the edition's date, and of
 * their condition: says which prices were taken. */
static void add_price_dates(const struct claim_input *in, struct claim *c)
{
	const struct claim_prices *p = in->prices;
	bool same_time = p->oldest.day >= c->text->first.day - SAME_TIME_DAYS
			 && p->newest.day <= c->text->last.day + SAME_TIME_DAYS;
	const char *used = p->used == 0      ? "claim.none_used"
			   : p->used == p->n ? "claim.all_used"
					     : "claim.some_used";
	struct say_list l = { .arena = in->arena };

	say_add(&l, c->why);
	say_add(&l, say(in->arena, same_time ? "claim.prices_of" : "claim.prices_other_time",
			(const struct say_arg[]){
			    say_put("days", days_said(in->arena, p)),
			    say_put("used", say(in->arena, used, NULL)),
			    same_time ? say_end() : say_name("guide", c->text->source), say_end() }));
	c->why = say_join(&l, "sentence");
}

void claims_compute(const struct analysis *x, struct arena *a, struct claims *claims)
{
	struct claim_prices prices;
	const struct claim_input in = { x, &claims->series, a, &prices };

	claims->n = claims->list.n;
	claims->v = arena_array(a, claims->n, sizeof *claims->v);
	for (size_t i = 0; i < claims->n; i++) {
		struct claim *c = &claims->v[i];
		prices = (struct claim_prices){ 0 };
		c->text = &claims->list.v[i];
		checks[i](&in, c);
		if (prices.n && c->verdict != CLAIM_NOT_TESTABLE)
			add_price_dates(&in, c);
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
