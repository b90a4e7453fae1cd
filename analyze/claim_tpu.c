/* TPUs beside GPUs: claims 31 to 33. */
#include "claim_check.h"

/* "Equal": within 10 %. One TPU v2 device of the rows is the cloud unit of four chips, set beside
 * four V100. */
void claim_tpu_resnet(const struct claim_input *in, struct claim *c)
{
	const struct observations tpu = claim_rows(in, device_index(in->x->devices, STR("TPUv2")));
	const struct observations *o = &in->x->obs;

	for (size_t i = 0; i < tpu.n; i++)
		for (size_t j = 0; j < o->n; j++) {
			const struct observation *x = &tpu.v[i], *y = &o->v[j];
			double ratio;
			if (!str_eq(x->workload, STR("resnet50")) || x->device_count != 1
			    || y->device_count != 4 || !claim_speed_ratio(y, x, &ratio)
			    || !str_starts(claim_device(in, y->device)->name, STR("Tesla V100")))
				continue;
			claim_compute(in, c, "claim.tpu_resnet",
				      (const struct say_arg[]){
					  say_fixed("tpu", x->value, 0), say_name("unit", x->unit),
					  say_name("card", claim_device(in, y->device)->name),
					  say_fixed("gpus", y->value, 0),
					  say_fixed("ratio", ratio, 2),
					  say_name("series", x->series), say_end() });
			claim_decide(in, c, ratio >= 0.9 && ratio <= 1.1, "claim.tpu_equal", NULL);
			return;
		}
	claim_settle(in, c, CLAIM_NOT_TESTABLE, "claim.need_tpu_four", NULL);
}

/* Rows of one comparable series with a TPU and a GPU in a Transformer would test it. */
void claim_tpu_transformer(const struct claim_input *in, struct claim *c)
{
	size_t tpu = device_index(in->x->devices, STR("TPUv2"));
	const struct observations rows = claim_rows(in, tpu), *o = &in->x->obs;
	const struct score *s = claim_score(in, STR("TPUv2"), CLASS_TRANSFORMER);
	const struct estimate *e =
	    estimate_find(&in->x->estimates, tpu, CLASS_TRANSFORMER, in->x->edition->date);
	double ratio;

	if (s && e)
		claim_compute(in, c, "claim.tpu_estimate",
			      (const struct say_arg[]){
				  say_fixed("ratio", e->ratio, 2),
				  say_name("card", claim_device(in, e->relative_to)->name),
				  say_fixed("score", s->score, 2), say_end() });
	for (size_t i = 0; i < rows.n; i++)
		for (size_t j = 0; j < o->n; j++)
			if (rows.v[i].class == CLASS_TRANSFORMER && rows.v[i].scores
			    && str_starts(claim_device(in, o->v[j].device)->name, STR("Tesla V100"))
			    && rows.v[i].device_count == o->v[j].device_count
			    && claim_speed_ratio(&o->v[j], &rows.v[i], &ratio)) {
				claim_compute(in, c, "claim.tpu_ratio",
					      (const struct say_arg[]){
						  say_fixed("ratio", ratio, 2),
						  say_name("workload", rows.v[i].workload),
						  say_name("series", rows.v[i].series),
						  say_end() });
				claim_decide(in, c, ratio >= 1.4 && ratio <= 1.75, "claim.tpu_56",
					     NULL);
				return;
			}
	claim_settle(in, c, CLAIM_NOT_TESTABLE, "claim.need_tpu_transformer", NULL);
}

/* A run that reached its target quality contradicts the report: a time to train of a recurrent net
 * on a TPU v2. */
void claim_tpu_lstm(const struct claim_input *in, struct claim *c)
{
	const struct observations o = claim_rows(in, device_index(in->x->devices, STR("TPUv2")));
	const struct scores *s = &in->x->scores;

	for (size_t i = 0; i < o.n; i++) {
		const struct observation *x = &o.v[i];
		const struct series *series = series_find(in->series, x->series);
		struct say date = series ? say_data(in->arena, series->date, NULL)
					 : say(in->arena, "claim.not_dated", NULL);
		if ((x->class != CLASS_RNN_WORD && x->class != CLASS_RNN_CHAR)
		    || !(str_eq(x->metric, STR("time-to-train"))
			 || str_eq(x->metric, STR("time-to-accuracy"))))
			continue;
		claim_compute(in, c, "claim.tpu_trained",
			      (const struct say_arg[]){ say_name("workload", x->workload),
							say_fixed("value", x->value, 1),
							say_name("unit", x->unit),
							say_name("series", x->series),
							say_put("date", date), say_end() });
		claim_decide(in, c, false, "claim.tpu_contradicts", NULL);
		return;
	}
	for (size_t i = 0; i < s->n; i++)
		if (s->v[i].class == CLASS_RNN_WORD && s->v[i].origin == ORIGIN_EXCLUDED
		    && str_eq(claim_device(in, s->v[i].device)->name, STR("TPUv2")))
			claim_compute(in, c, "claim.tpu_excluded",
				      (const struct say_arg[]){ say_put("reason", s->v[i].reason),
								say_end() });
	claim_settle(in, c, CLAIM_NOT_TESTABLE, "claim.need_tpu_lstm", NULL);
}
