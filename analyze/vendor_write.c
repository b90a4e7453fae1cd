#include "vendor.h"

#include "../base/csv_write.h"
#include "../base/file.h"

bool vendors_write(const struct vendors *v, const struct vendor_facts *f, const char *path,
		   struct arena *a, struct error *err)
{
	struct csv_out w = { .buf.arena = a };

	strbuf_add(&w.buf, STR("vendor,title,cloud,devices,barred,with_rows,listed,measured,scored,"
			       "priced,fresh,rented,rows,row_share_pct,peak_devices,"
			       "peak_share_pct\n"));
	for (size_t i = 0; i < v->n; i++) {
		const struct vendor_fact *x = &f->v[i];
		const size_t counts[] = { x->devices, x->barred, x->with_rows, x->listed, x->measured,
					  x->scored,  x->priced, x->fresh,     x->rented };

		csv_put(&w, v->v[i].id);
		csv_put(&w, v->v[i].title);
		csv_put(&w, v->v[i].cloud ? STR("yes") : STR("no"));
		for (size_t k = 0; k < LEN(counts); k++)
			csv_put_int(&w, (long)counts[k]);
		csv_put_int(&w, x->rows);
		csv_put_num(&w, x->row_share_pct);
		csv_put_int(&w, (long)x->peak_devices);
		csv_put_num(&w, x->peak_share_pct);
		csv_end_row(&w);
	}
	return file_write(path, strbuf_str(&w.buf), err);
}

static void put_fastest(struct csv_out *w, const struct vendor_class *c,
			const struct devices *devices)
{
	const struct score *s = c->fastest;

	if (!s) {
		for (int i = 0; i < 5; i++)
			csv_put_missing(w);
		return;
	}
	csv_put(w, devices->v[s->device].name);
	csv_put_num(w, s->score);
	csv_put_num(w, s->low);
	csv_put_num(w, s->high);
	csv_put(w, origin_name(s->origin));
}

static void put_best(struct csv_out *w, const struct vendor_class *c, const struct devices *devices,
		     struct arena *a)
{
	const struct value *v = c->best;

	if (!v) {
		for (int i = 0; i < 8; i++)
			csv_put_missing(w);
		return;
	}
	csv_put(w, devices->v[v->device].name);
	csv_put_num(w, v->value);
	csv_put_num(w, v->low);
	csv_put_num(w, v->high);
	csv_put(w, origin_name(c->best_score->origin));
	csv_put_num(w, v->cost_usd);
	csv_put_date(w, c->best_price->newest_date);
	csv_put(w, price_flags_text(a, c->best_price->flags));
}

bool vendor_classes_write(const struct vendors *v, const struct vendor_facts *f,
			  const struct devices *devices, const char *path, struct arena *a,
			  struct error *err)
{
	struct csv_out w = { .buf.arena = a };

	strbuf_add(&w.buf, STR("vendor,class,measured,scaled,estimated,excluded,fastest,score,low,"
			       "high,origin,best_value,value,value_low,value_high,value_origin,"
			       "cost_usd,price_date,price_status\n"));
	for (size_t i = 0; i < f->nclasses; i++) {
		const struct vendor_class *c = &f->class[i];

		csv_put(&w, v->v[c->vendor].id);
		csv_put(&w, class_name(c->class));
		for (int o = ORIGIN_MEASURED; o <= ORIGIN_EXCLUDED; o++)
			csv_put_int(&w, (long)c->count[o]);
		put_fastest(&w, c, devices);
		put_best(&w, c, devices, a);
		csv_end_row(&w);
	}
	return file_write(path, strbuf_str(&w.buf), err);
}

bool vendor_texts_write(const struct vendors *v, const char *path, struct arena *a,
			struct error *err)
{
	struct csv_out w = { .buf.arena = a };

	strbuf_add(&w.buf, STR("vendor,id,kind,date,source,url,language,text\n"));
	for (size_t i = 0; i < v->ntexts; i++) {
		const struct vendor_text *t = &v->texts[i];

		csv_put(&w, t->vendor);
		csv_put(&w, t->id);
		csv_put(&w, t->kind);
		csv_put_date(&w, t->date);
		csv_put(&w, t->source);
		csv_put(&w, t->url);
		csv_put(&w, t->language);
		csv_put(&w, t->text);
		csv_end_row(&w);
	}
	return file_write(path, strbuf_str(&w.buf), err);
}

bool cloud_providers_write(const struct vendor_facts *f, const char *path, struct arena *a,
			   struct error *err)
{
	struct csv_out w = { .buf.arena = a };

	strbuf_add(&w.buf, STR("provider,devices,cheapest,newest_date,age_days,compared,"
			       "price_ratio\n"));
	for (size_t i = 0; i < f->nproviders; i++) {
		const struct vendor_provider *p = &f->providers[i];

		csv_put(&w, str_plain(a, p->name));
		csv_put_int(&w, (long)p->devices);
		csv_put_int(&w, (long)p->cheapest);
		csv_put_date(&w, p->newest);
		csv_put_int(&w, p->age_days);
		csv_put_int(&w, (long)p->compared);
		csv_put_num(&w, p->price_ratio);
		csv_end_row(&w);
	}
	return file_write(path, strbuf_str(&w.buf), err);
}
