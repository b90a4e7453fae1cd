#include "summary.h"

#include "../base/csv_read.h"
#include "../base/csv_write.h"
#include "../base/file.h"
#include "../base/num.h"
#include "../base/stat.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>

struct machine_record {
	struct date last_date;
};

bool summary_newest_benchmark(const char *machines_path, struct arena *a, struct date *out,
			      struct error *err)
{
	static const struct csv_field fields[] = {
		{ "last_date", CSV_DATE, false, offsetof(struct machine_record, last_date) },
	};
	void *records;
	size_t n;

	*out = (struct date){ INT_MIN };
	if (!file_exists(machines_path))
		return true;
	if (!csv_read_records(machines_path, fields, LEN(fields), sizeof(struct machine_record),
			      SIZE_MAX, a, &records, &n, err))
		return false;
	const struct machine_record *r = records;
	for (size_t i = 0; i < n; i++)
		if (r[i].last_date.day > out->day)
			*out = r[i].last_date;
	return true;
}

static void put(struct csv_out *w, struct str key, struct str value)
{
	if (value.len == 0)
		return;
	csv_put(w, key);
	csv_put(w, value);
	csv_put_missing(w);
	csv_end_row(w);
}

static void put_number(struct csv_out *w, struct str key, double v)
{
	if (!isfinite(v))
		return;
	csv_put(w, key);
	csv_put_num(w, v);
	csv_put_missing(w);
	csv_end_row(w);
}

static void put_date(struct csv_out *w, struct str key, struct date d)
{
	if (d.day == INT_MIN)
		return;
	csv_put(w, key);
	csv_put_date(w, d);
	csv_put_missing(w);
	csv_end_row(w);
}

static void put_list(struct csv_out *w, struct str key, const struct str_list *l)
{
	struct strbuf b = { .arena = w->buf.arena };

	for (size_t i = 0; i < l->n; i++) {
		if (i)
			strbuf_add(&b, STR(", "));
		strbuf_add(&b, l->v[i]);
	}
	put(w, key, strbuf_str(&b));
}

/* "policy" and class cnn: "policy.cnn" */
static struct str class_key(struct csv_out *w, const char *key, enum class_id c)
{
	return str_printf(w->buf.arena, "%s." STR_FMT, key, STR_ARG(class_name(c)));
}

static void put_prices(struct csv_out *w, const struct analysis *s)
{
	double *ages = arena_array(w->buf.arena, s->card_prices.n, sizeof *ages);
	size_t priced = 0, stale = 0;
	struct date newest = { INT_MIN };

	for (size_t i = 0; i < s->card_prices.n; i++) {
		const struct card_price *p = &s->card_prices.v[i];
		if (p->flags & PRICE_FLAG_MISSING)
			continue;
		if (p->newest_date.day > newest.day)
			newest = p->newest_date;
		if (p->lens != LENS_CARD)
			continue;
		stale += (p->flags & PRICE_FLAG_STALE) != 0;
		ages[priced++] = p->age_days;
	}
	put_date(w, STR("newest_price_date"), newest);
	put_number(w, STR("devices"), (double)s->nindices);
	put_number(w, STR("priced_devices"), (double)priced);
	put_number(w, STR("stale_devices"), (double)stale);
	if (priced)
		put_number(w, STR("median_price_age_days"),
			   stat_median(ages, priced, w->buf.arena));
}

/* A sentence in English, and as a message. */
static void put_said(struct csv_out *w, struct str key, struct say text,
		     const struct text_english *e)
{
	if (say_empty(text))
		return;
	csv_put(w, key);
	csv_put(w, text_english(e, text));
	csv_put(w, text.json);
	csv_end_row(w);
}

static struct str note_key(struct csv_out *w, struct str prefix, size_t i)
{
	return str_printf(w->buf.arena, STR_FMT ".%zu", STR_ARG(prefix), i + 1);
}

/* Those of the edition's file. */
static void put_notes(struct csv_out *w, struct str prefix, const struct str_list *notes,
		      const struct text_english *e)
{
	for (size_t i = 0; i < notes->n; i++)
		put_said(w, note_key(w, prefix, i), say_data(w->buf.arena, notes->v[i], NULL), e);
}

static void put_class(struct csv_out *w, const struct edition_class *c,
		      const struct score_class *found, const struct text_english *e)
{
	struct str note = class_key(w, "note", c->id);

	put(w, class_key(w, "policy", c->id), edition_policy_name(c));
	put_number(w, class_key(w, "measured", c->id), (double)found->measured);
	put_number(w, class_key(w, "workloads", c->id), (double)found->workloads);
	put_list(w, class_key(w, "series", c->id), &found->series);
	put(w, class_key(w, "reference", c->id), found->reference);
	put_list(w, class_key(w, "anchors", c->id), &found->anchors);
	put(w, class_key(w, "scaling", c->id), c->method);
	put(w, class_key(w, "method", c->id), found->method);
	put_notes(w, note, &c->notes, e);
	for (size_t i = 0; i < found->notes.n; i++)
		put_said(w, note_key(w, note, c->notes.n + i), found->notes.v[i], e);
}

/* How the cost lenses and the advice were made. */
static void put_rules(struct csv_out *w, const struct edition *e)
{
	struct str_list hours = { arena_array(w->buf.arena, e->nhours, sizeof(struct str)), e->nhours };

	put_number(w, STR("gpus"), e->gpus);
	put(w, STR("country"), e->country);
	put(w, STR("tariff"), e->tariff);
	put_number(w, STR("hours_per_year"), e->hours_per_year);
	put_number(w, STR("years"), e->years);
	for (size_t i = 0; i < e->nhours; i++)
		hours.v[i] = num_shortest(w->buf.arena, e->hours_per_month[i]);
	put_list(w, STR("hours_per_month"), &hours);
	put_list(w, STR("networks"), &e->networks);
	put_list(w, STR("personas"), &e->personas);
}

static void put_claims(struct csv_out *w, const struct claims *claims)
{
	for (int v = 0; v < CLAIM_VERDICTS; v++)
		put_number(w,
			   str_printf(w->buf.arena, "claims." STR_FMT,
				      STR_ARG(claim_verdict_name((enum claim_verdict)v))),
			   (double)claims_count(claims, (enum claim_verdict)v));
}

bool summary_write(const struct analysis *s, const char *path, struct error *err)
{
	struct arena *a = s->arena;
	struct csv_out w = { .buf.arena = a };
	const struct edition *e = s->edition;
	const struct text_english english = { &s->english, a, err };
	struct str_list classes = { arena_array(a, e->nclasses, sizeof(struct str)), e->nclasses };

	for (size_t i = 0; i < e->nclasses; i++)
		classes.v[i] = class_name(e->classes[i].id);
	strbuf_add(&w.buf, STR("key,value,value_msg\n"));
	put(&w, STR("name"), e->name);
	put_said(&w, STR("title"), say_data(a, e->title, NULL), &english);
	put_said(&w, STR("summary"), say_data(a, e->summary, NULL), &english);
	put_date(&w, STR("date"), e->date);
	if (s->previous_id.len) {
		put_date(&w, STR("previous_date"), s->previous_date);
		put(&w, STR("previous_id"), s->previous_id);
	}
	put_list(&w, STR("languages"), &e->languages);
	put(&w, STR("currency"), e->currency);
	put(&w, STR("paper"), e->paper);
	put(&w, STR("reference"), e->reference);
	put_list(&w, STR("classes"), &classes);
	put_date(&w, STR("benchmark_cutoff"), e->benchmark_cutoff);
	put_date(&w, STR("newest_benchmark_date"), s->newest_benchmark);
	put_prices(&w, s);
	put_number(&w, STR("stale_days"), e->stale_days);
	put_number(&w, STR("drop_days"), e->drop_days);
	put_number(&w, STR("max_error"), e->max_error);
	put_list(&w, STR("markets"), &e->markets);
	put_list(&w, STR("fallback"), &e->fallback);
	put_list(&w, STR("conditions"), &e->conditions);
	put_list(&w, STR("anchors"), &e->anchors);
	put_list(&w, STR("series_excluded"), &e->series_excluded);
	if (e->trust_least != TRUST_ANONYMOUS) /* which leaves out nothing */
		put(&w, STR("trust_least"), trust_name(e->trust_least));
	put_rules(&w, e);
	if (s->claims.n)
		put_claims(&w, &s->claims);
	for (size_t i = 0; i < e->nclasses; i++)
		put_class(&w, &e->classes[i], &s->classes[i], &english);
	put_notes(&w, STR("note"), &e->notes, &english);
	return err->code == ERR_NONE && file_write(path, strbuf_str(&w.buf), err);
}
