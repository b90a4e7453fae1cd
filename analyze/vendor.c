#include "vendor.h"

#include "../base/stat.h"

#include <math.h>

/* What the counting needs of every device. */
struct tally {
	const struct vendor_input *in;
	size_t *vendor; /* by device: its section, or vendors->n */
	long *rows;     /* by device: accepted rows */
	bool *listed;   /* by device: of the edition */
};

static struct tally tally(const struct vendor_input *in, struct arena *a)
{
	size_t n = in->devices->n;
	struct tally t = { in, arena_array(a, n, sizeof *t.vendor),
			   arena_array(a, n, sizeof *t.rows),
			   arena_array(a, n, sizeof *t.listed) };

	for (size_t d = 0; d < n; d++)
		t.vendor[d] = vendor_of_maker(in->vendors, in->devices->v[d].vendor);
	for (size_t i = 0; i < in->obs->n; i++)
		t.rows[in->obs->v[i].device] += in->obs->v[i].runs;
	for (size_t i = 0; i < in->nindices; i++)
		t.listed[in->indices[i]] = true;
	return t;
}

/* The devices of the catalogue. */
static void count_devices(const struct tally *t, struct vendor_facts *out)
{
	long all = 0;

	for (size_t d = 0; d < t->in->devices->n; d++) {
		const struct device *x = &t->in->devices->v[d];
		struct vendor_fact *f = &out->v[t->vendor[d]];

		all += t->rows[d];
		if (t->vendor[d] == out->n || x->release_date.day > t->in->edition->date.day)
			continue;
		f->devices++;
		f->barred += str_eq(x->datacenter_ok, STR("no"));
		f->with_rows += t->rows[d] > 0;
		f->rows += t->rows[d];
		f->listed += t->listed[d];
	}
	for (size_t i = 0; i < out->n; i++)
		out->v[i].row_share_pct =
		    all ? 100 * (double)out->v[i].rows / (double)all : (double)NAN;
}

/* Once for each device of the edition: the best origin that a class gives it. */
static void count_scored(const struct tally *t, struct vendor_facts *out, struct arena *a)
{
	const struct scores *s = t->in->scores;
	bool *measured = arena_array(a, t->in->devices->n, sizeof *measured);
	bool *scored = arena_array(a, t->in->devices->n, sizeof *scored);

	for (size_t i = 0; i < s->n; i++) {
		measured[s->v[i].device] |= s->v[i].origin == ORIGIN_MEASURED;
		scored[s->v[i].device] |=
		    s->v[i].origin == ORIGIN_MEASURED || s->v[i].origin == ORIGIN_SCALED;
	}
	for (size_t i = 0; i < t->in->nindices; i++) {
		size_t d = t->in->indices[i];
		struct vendor_fact *f = &out->v[t->vendor[d]];

		if (t->vendor[d] == out->n)
			continue;
		f->measured += measured[d];
		f->scored += scored[d];
	}
}

static bool is_fresh(const struct card_price *p)
{
	return p && !isnan(p->price_usd) && !(p->flags & PRICE_FLAG_STALE);
}

static void count_priced(const struct tally *t, struct vendor_facts *out)
{
	for (size_t i = 0; i < t->in->nindices; i++) {
		size_t d = t->in->indices[i];
		const struct card_price *card =
		    price_lens_find(t->in->card_prices, d, LENS_CARD);
		const struct card_price *cloud =
		    price_lens_find(t->in->card_prices, d, LENS_CLOUD);
		struct vendor_fact *f = &out->v[t->vendor[d]];

		if (t->vendor[d] == out->n)
			continue;
		f->priced += card && !isnan(card->price_usd);
		f->fresh += is_fresh(card);
		f->rented += cloud && !isnan(cloud->price_usd);
	}
}

/* ---- the share of the peak rate ---- */

/* The rows that claim 35 goes by too (claim_performance.c). */
static bool is_peak_row(const struct observation *x)
{
	return (x->class == CLASS_GEMM || x->class == CLASS_CONV) && x->kind == PRECISION_32
	       && x->device_count == 1 && str_eq(x->metric, STR("tflops"))
	       && str_eq(x->series, STR("deepbench"));
}

/* By device the mean of log(rate / peak); NAN without such rows. obs are in the order of devices.
 */
static double *peak_logs(const struct vendor_input *in, struct arena *a)
{
	double *sum = arena_array(a, in->devices->n, sizeof *sum);
	size_t *n = arena_array(a, in->devices->n, sizeof *n);

	for (size_t i = 0; i < in->obs->n; i++) {
		const struct observation *x = &in->obs->v[i];
		double peak = in->devices->v[x->device].fp32_tflops;

		if (!is_peak_row(x) || isnan(peak))
			continue;
		sum[x->device] += log(x->value / peak);
		n[x->device]++;
	}
	for (size_t d = 0; d < in->devices->n; d++)
		sum[d] = n[d] ? sum[d] / (double)n[d] : (double)NAN;
	return sum;
}

static void peak_shares(const struct tally *t, struct vendor_facts *out, struct arena *a)
{
	double *logs = peak_logs(t->in, a);
	double *share = arena_array(a, t->in->devices->n, sizeof *share);

	for (size_t i = 0; i < out->n; i++) {
		struct vendor_fact *f = &out->v[i];

		for (size_t d = 0; d < t->in->devices->n; d++)
			if (t->vendor[d] == i && !isnan(logs[d]))
				share[f->peak_devices++] = exp(logs[d]);
		f->peak_share_pct = f->peak_devices ? score_rounded(100
								    * stat_median(share,
										  f->peak_devices,
										  a))
						    : (double)NAN;
	}
}

/* ---- the best of each class ---- */

/* Whether the edition has a value by a price that is not stale: then only such ones are compared.
 */
static bool any_fresh(const struct vendor_input *in)
{
	for (size_t i = 0; i < in->values->n; i++) {
		const struct value *v = &in->values->v[i];

		if (v->lens == LENS_CARD && v->status == VALUE_OK
		    && is_fresh(price_lens_find(in->card_prices, v->device, LENS_CARD)))
			return true;
	}
	return false;
}

/* values hold one list a lens, each in the order of the scores; the list of lens card comes first.
 */
static void add_score(const struct vendor_input *in, size_t i, bool fresh_only,
		      struct vendor_class *c)
{
	const struct score *s = &in->scores->v[i];
	const struct value *v = &in->values->v[i];
	const struct card_price *p = price_lens_find(in->card_prices, s->device, LENS_CARD);

	c->count[s->origin]++;
	if (s->origin != ORIGIN_MEASURED && s->origin != ORIGIN_SCALED)
		return;
	if (!c->fastest || s->score > c->fastest->score)
		c->fastest = s;
	if (v->status != VALUE_OK || (fresh_only && !is_fresh(p))
	    || (c->best && v->value <= c->best->value))
		return;
	c->best = v;
	c->best_score = s;
	c->best_price = p;
}

static void class_facts(const struct tally *t, struct vendor_facts *out, struct arena *a)
{
	const struct edition *e = t->in->edition;
	bool fresh_only = any_fresh(t->in);

	out->class = arena_array(a, out->n * e->nclasses, sizeof *out->class);
	for (size_t v = 0; v < out->n; v++)
		for (size_t c = 0; c < e->nclasses && out->v[v].listed; c++) {
			struct vendor_class *x = &out->class[out->nclasses++];

			*x = (struct vendor_class){ .vendor = v, .class = e->classes[c].id };
			for (size_t i = 0; i < t->in->scores->n; i++)
				if (t->in->scores->v[i].class == x->class
				    && t->vendor[t->in->scores->v[i].device] == v)
					add_score(t->in, i, fresh_only, x);
		}
}

void vendor_facts_compute(const struct vendor_input *in, struct arena *a, struct vendor_facts *out)
{
	struct tally t = tally(in, a);

	*out = (struct vendor_facts){ .n = in->vendors->n };
	/* one more: where devices of no section are counted, and forgotten */
	out->v = arena_array(a, out->n + 1, sizeof *out->v);
	count_devices(&t, out);
	count_scored(&t, out, a);
	count_priced(&t, out);
	peak_shares(&t, out, a);
	class_facts(&t, out, a);
	vendor_providers_compute(in, a, out);
}
