#include "score.h"

#include "../base/csv_write.h"
#include "../base/file.h"

#include <math.h>

static void put_counts(struct csv_out *w, const struct score *s)
{
	const int counts[] = { s->machines, s->runs, s->workloads };

	for (size_t i = 0; i < LEN(counts); i++) {
		if (s->origin == ORIGIN_MEASURED)
			csv_put_int(w, counts[i]);
		else
			csv_put_missing(w);
	}
}

bool score_write(const struct scores *scores, const struct devices *devices,
		 const struct text_catalogue *english, const char *path, struct arena *a,
		 struct error *err)
{
	struct csv_out w = { .buf.arena = a };
	const struct text_english e = { english, a, err };

	strbuf_add(&w.buf,
		   STR("device,class,score,low,high,origin,anchor,predictor,error_pct,machines,"
		       "runs,workloads,series,reason,precisions,peer_low,peer_high,reason_msg,trust\n"));
	for (size_t i = 0; i < scores->n; i++) {
		const struct score *s = &scores->v[i];
		csv_put(&w, devices->v[s->device].name);
		csv_put(&w, class_name(s->class));
		csv_put_num(&w, s->score);
		csv_put_num(&w, s->low);
		csv_put_num(&w, s->high);
		csv_put(&w, origin_name(s->origin));
		csv_put(&w, s->anchor);
		csv_put(&w, s->predictor);
		csv_put_num(&w, s->error_pct);
		put_counts(&w, s);
		csv_put(&w, s->series);
		csv_put(&w, text_english(&e, s->reason));
		csv_put(&w, s->precisions);
		csv_put_num(&w, s->peer_low);
		csv_put_num(&w, s->peer_high);
		csv_put(&w, s->reason.json);
		csv_put(&w, s->trust);
		csv_end_row(&w);
	}
	return err->code == ERR_NONE && file_write(path, strbuf_str(&w.buf), err);
}

static struct str yes_no(bool b)
{
	return b ? STR("yes") : STR("no");
}

/* Of all devices most are represented: their method stands for both. */
static const struct backtest *in_use(const struct class_fit *f, enum backtest_case c)
{
	return class_fit_backtest(f, c == BACKTEST_ALL ? BACKTEST_REPRESENTED : c);
}

bool score_write_backtest(const struct score_class *classes, size_t n, const char *path,
			  struct arena *a, struct error *err)
{
	struct csv_out w = { .buf.arena = a };

	strbuf_add(&w.buf, STR("class,method,n,median_error_pct,p90_error_pct,case,chosen\n"));
	for (size_t i = 0; i < n; i++)
		for (size_t m = 0; m < SCALE_METHODS; m++)
			for (int k = 0; k < BACKTEST_CASES; k++) {
				const struct backtest *b = &classes[i].fit->backtests[m];
				const struct backtest_error *e = &b->cases[k];
				csv_put(&w, class_name(classes[i].class));
				csv_put(&w, b->method->name);
				csv_put_int(&w, (long)e->n);
				csv_put_num(&w, score_error_pct(e->median_factor));
				csv_put_num(&w, score_error_pct(e->p90_factor));
				csv_put(&w, backtest_case_name((enum backtest_case)k));
				csv_put(&w,
					yes_no(b == in_use(classes[i].fit, (enum backtest_case)k)));
				csv_end_row(&w);
			}
	return file_write(path, strbuf_str(&w.buf), err);
}

static void put_prediction(struct csv_out *w, const struct score_class *c, size_t method,
			   size_t source, const struct devices *devices)
{
	const struct backtest *b = &c->fit->backtests[method];
	const struct scale_prediction *p = &b->prediction[source];
	const struct scale_source *s = &c->fit->sources[source];

	csv_put(w, class_name(c->class));
	csv_put(w, b->method->name);
	csv_put(w, devices->v[s->device].name);
	csv_put_num(w, score_rounded(p->score));
	csv_put_num(w, score_rounded(s->score));
	csv_put_num(w, score_rounded(b->factor[source]));
	csv_put(w, yes_no(p->represented));
	csv_put(w, p->all ? STR("all") : devices->v[p->anchor].name);
	csv_put(w, p->spec);
	csv_put(w, yes_no(b == class_fit_backtest_of(c->fit, source)));
	csv_end_row(w);
}

bool score_write_predictions(const struct score_class *classes, size_t n,
			     const struct devices *devices, const char *path, struct arena *a,
			     struct error *err)
{
	struct csv_out w = { .buf.arena = a };

	strbuf_add(&w.buf, STR("class,method,device,predicted,measured,factor,represented,anchor,"
			       "predictor,chosen\n"));
	for (size_t i = 0; i < n; i++)
		for (size_t m = 0; m < SCALE_METHODS; m++)
			for (size_t j = 0; j < classes[i].fit->nsources; j++)
				if (!isnan(classes[i].fit->backtests[m].factor[j]))
					put_prediction(&w, &classes[i], m, j, devices);
	return file_write(path, strbuf_str(&w.buf), err);
}
