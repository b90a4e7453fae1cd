/* multi.csv and multi_summary.csv. */
#include "multi.h"

#include "../base/csv_write.h"
#include "../base/file.h"

#include <math.h>
#include <stdint.h>

bool multi_write(const struct multi *m, const struct devices *devices,
		 const struct text_catalogue *english, const char *path, struct arena *a,
		 struct error *err)
{
	struct csv_out w = { .buf.arena = a };
	const struct text_english e = { english, a, err };

	strbuf_add(&w.buf, STR("class,workload,device,device_count,speedup,efficiency,origin,"
			       "machines,precision,series,"
			       "low,high,reason,reason_msg\n"));
	for (size_t i = 0; i < m->nrows; i++) {
		const struct multi_row *r = &m->rows[i];

		csv_put(&w, class_name(r->class));
		csv_put(&w, r->workload);
		csv_put(&w, devices->v[r->device].name);
		csv_put_int(&w, r->device_count);
		csv_put_num(&w, r->speedup);
		csv_put_num(&w, r->efficiency);
		csv_put(&w, origin_name(isnan(r->speedup) ? ORIGIN_EXCLUDED : ORIGIN_MEASURED));
		csv_put_int(&w, r->machines);
		csv_put(&w, r->precision);
		csv_put(&w, r->series);
		csv_put_num(&w, r->low);
		csv_put_num(&w, r->high);
		csv_put(&w, text_english(&e, r->reason));
		csv_put(&w, r->reason.json);
		csv_end_row(&w);
	}
	return err->code == ERR_NONE && file_write(path, strbuf_str(&w.buf), err);
}

static void put_guide(struct csv_out *w, const struct multi *m, const struct multi_summary *s,
		      enum multi_kind kind, bool both)
{
	const struct multi_guide *g = multi_guide_find(m, s->class, s->device_count, kind);

	csv_put_num(w, g ? g->low : NAN);
	if (both)
		csv_put_num(w, g ? g->high : NAN);
}

bool multi_write_summary(const struct multi *m, const struct text_catalogue *english,
			 const char *path, struct arena *a, struct error *err)
{
	struct csv_out w = { .buf.arena = a };
	const struct text_english e = { english, a, err };

	strbuf_add(
	    &w.buf,
	    STR("class,device_count,n,median_speedup,p10,p90,guide_2019,guide_2016_low,guide_2016_"
		"high,"
		"note,guide_2016_tuned_low,guide_2016_tuned_high,devices,independent_speedup,"
		"one_job_speedup,one_job_from,note_msg,one_job_from_msg\n"));
	for (size_t i = 0; i < m->nsummaries; i++) {
		const struct multi_summary *s = &m->summaries[i];

		csv_put(&w, class_name(s->class));
		csv_put_int(&w, s->device_count);
		csv_put_int(&w, (long)s->n);
		csv_put_num(&w, s->median);
		csv_put_num(&w, s->p10);
		csv_put_num(&w, s->p90);
		put_guide(&w, m, s, MULTI_TABLE, false);
		put_guide(&w, m, s, MULTI_FRAMEWORKS, true);
		csv_put(&w, text_english(&e, s->note));
		put_guide(&w, m, s, MULTI_TUNED, true);
		csv_put_int(&w, (long)s->devices);
		csv_put_int(&w, s->device_count);
		struct multi_answer one =
		    multi_speedup(m, s->class, SIZE_MAX, s->device_count, MULTI_ONE_JOB, a);
		csv_put_num(&w, one.speedup);
		csv_put(&w, text_english(&e, one.reason));
		csv_put(&w, s->note.json);
		csv_put(&w, one.reason.json);
		csv_end_row(&w);
	}
	return err->code == ERR_NONE && file_write(path, strbuf_str(&w.buf), err);
}
