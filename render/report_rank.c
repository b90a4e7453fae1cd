/* Which cards stand first, in one class or over all. */
#include "build.h"

#include <math.h>

bool build_price_is_fresh(const struct build *b, struct str device)
{
	const struct data_price *p = build_card_price(b, device);

	return p && !build_price_is_stale(p);
}

enum ranking build_value_ranking(const struct build *b)
{
	for (size_t i = 0; i < b->data->nprices; i++)
		if (build_price_is_fresh(b, b->data->prices[i].device))
			return BY_FRESH_VALUE;
	return BY_VALUE;
}

/* The best first; equal ones in the order in which they come. */
static void insert(struct ranked *out, size_t n, struct ranked r)
{
	size_t at = n;

	for (; at > 0 && out[at - 1].v < r.v; at--)
		out[at] = out[at - 1];
	out[at] = r;
}

size_t build_rank_class(struct build *b, size_t class_no, enum ranking by, enum lens lens,
			struct ranked *out)
{
	bool by_value = by != BY_SCORE;
	size_t n = 0;

	for (size_t i = 0; i < b->data->ndevices; i++) {
		const struct data_score *s = data_score(b->data, i, class_no);
		const struct data_value *v = data_value(b->data, lens, i, class_no);
		if (!s || s->origin == ORIGIN_EXCLUDED || s->origin == ORIGIN_ESTIMATED
		    || (by_value && (!v || isnan(v->value)))
		    || (by == BY_FRESH_VALUE && !build_price_is_fresh(b, b->data->devices[i])))
			continue;
		insert(out, n++,
		       by_value ? (struct ranked){ i, v->value, v->low, v->high }
				: (struct ranked){ i, s->score, s->low, s->high });
	}
	return n;
}

double build_mean_value(const struct build *b, enum lens lens, size_t device)
{
	double sum = 0;
	int n = 0;

	for (size_t c = 0; c < b->data->nclasses; c++) {
		const struct data_score *s = data_score(b->data, device, c);
		const struct data_value *v = data_value(b->data, lens, device, c);
		if (!s || s->origin == ORIGIN_EXCLUDED || s->origin == ORIGIN_ESTIMATED || !v
		    || isnan(v->value))
			continue;
		sum += log(v->value);
		n++;
	}
	return n > 0 ? exp(sum / n) : (double)NAN;
}

size_t build_rank_mean(struct build *b, enum ranking by, enum lens lens, struct ranked *out)
{
	size_t n = 0;

	for (size_t i = 0; i < b->data->ndevices; i++) {
		double mean = build_mean_value(b, lens, i);
		if (isnan(mean)
		    || (by == BY_FRESH_VALUE && !build_price_is_fresh(b, b->data->devices[i])))
			continue;
		insert(out, n++, (struct ranked){ i, mean, NAN, NAN });
	}
	return n;
}
