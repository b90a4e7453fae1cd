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
			c->computed_value = str_printf(
			    in->arena,
			    "one cloud TPU v2 (4 chips) %.0f " STR_FMT ", 4 x " STR_FMT
			    " %.0f: ratio %.2f (" STR_FMT ")",
			    x->value, STR_ARG(x->unit), STR_ARG(claim_device(in, y->device)->name),
			    y->value, ratio, STR_ARG(x->series));
			claim_decide(in, c, ratio >= 0.9 && ratio <= 1.1,
				     "Equal means within 10 %%; it rests on one figure each, and "
				     "how several scale is "
				     "not tested: rows of many TPUs and of many GPUs come from "
				     "different code.");
			return;
		}
	claim_settle(
	    in, c, CLAIM_NOT_TESTABLE,
	    "Needs rows of a TPU v2 and of four V100 in one series that were known at the date.");
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
		c->computed_value =
		    str_printf(in->arena, "carried as an estimate: %.2f x " STR_FMT ", score %.2f",
			       e->ratio, STR_ARG(claim_device(in, e->relative_to)->name), s->score);
	for (size_t i = 0; i < rows.n; i++)
		for (size_t j = 0; j < o->n; j++)
			if (rows.v[i].class == CLASS_TRANSFORMER && rows.v[i].scores
			    && str_starts(claim_device(in, o->v[j].device)->name, STR("Tesla V100"))
			    && rows.v[i].device_count == o->v[j].device_count
			    && claim_speed_ratio(&o->v[j], &rows.v[i], &ratio)) {
				c->computed_value = str_printf(
				    in->arena, "%.2fx (" STR_FMT ", " STR_FMT ")", ratio,
				    STR_ARG(rows.v[i].workload), STR_ARG(rows.v[i].series));
				claim_decide(in, c, ratio >= 1.4 && ratio <= 1.75,
					     "About 56 %% means 1.4 to 1.75 times a V100.");
				return;
			}
	claim_settle(in, c, CLAIM_NOT_TESTABLE,
		     "Needs rows of a TPU v2 and of a V100 in one Transformer of one comparable "
		     "series; the figure is "
		     "the author's estimate and is drawn as such.");
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
		struct str date = series ? series->date : STR("not dated");
		if ((x->class != CLASS_RNN_WORD && x->class != CLASS_RNN_CHAR)
		    || !(str_eq(x->metric, STR("time-to-train"))
			 || str_eq(x->metric, STR("time-to-accuracy"))))
			continue;
		c->computed_value =
		    str_printf(in->arena,
			       "TPUv2 trained " STR_FMT " to its target quality in %.1f " STR_FMT
			       " (" STR_FMT ", " STR_FMT ")",
			       STR_ARG(x->workload), x->value, STR_ARG(x->unit), STR_ARG(x->series),
			       STR_ARG(date));
		claim_decide(in, c, false,
			     "A recurrent net that reached its target later contradicts the report "
			     "as a lasting limit; no "
			     "row speaks of February 2018 itself.");
		return;
	}
	for (size_t i = 0; i < s->n; i++)
		if (s->v[i].class == CLASS_RNN_WORD && s->v[i].origin == ORIGIN_EXCLUDED
		    && str_eq(claim_device(in, s->v[i].device)->name, STR("TPUv2")))
			c->computed_value =
			    str_printf(in->arena, "excluded: " STR_FMT, STR_ARG(s->v[i].reason));
	claim_settle(in, c, CLAIM_NOT_TESTABLE,
		     "Needs runs of a recurrent net on a TPU v2 to a target quality, dated.");
}
