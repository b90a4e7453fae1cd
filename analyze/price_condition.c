#include "price_condition.h"

#include "../base/csv_write.h"
#include "../base/file.h"

#include <math.h>

static const enum price_condition conditions[] = { PRICE_NEW, PRICE_USED };

void price_conditions_compute(const struct cost_input *in, struct arena *a,
			      struct price_conditions *out)
{
	*out = (struct price_conditions){ .v = arena_array(a, in->nindices,
							   LEN(conditions) * sizeof *out->v) };
	for (size_t i = 0; i < in->nindices; i++) {
		for (size_t j = 0; j < LEN(conditions); j++) {
			struct str name = price_condition_name(conditions[j]);
			struct str_list only = { &name, 1 };
			struct price_view v = { in->edition, in->devices, in->prices, &only, a };
			struct card_price p = card_price_of(&v, in->indices[i]);

			if (!isnan(p.price_usd))
				out->v[out->n++] =
				    (struct price_condition_entry){ conditions[j], p };
		}
	}
}

const struct card_price *price_condition_find(const struct price_conditions *p, size_t device,
					      enum price_condition condition)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->v[i].price.device == device && p->v[i].condition == condition)
			return &p->v[i].price;
	return NULL;
}

bool price_conditions_write(const struct price_conditions *p, const struct devices *devices,
			    const char *path, struct arena *a, struct error *err)
{
	struct csv_out w = { .buf.arena = a };

	strbuf_add(&w.buf, STR("device,condition,price_usd,low,high,markets,newest_date,age_days,"
			       "status\n"));
	for (size_t i = 0; i < p->n; i++) {
		const struct card_price *c = &p->v[i].price;

		csv_put(&w, devices->v[c->device].name);
		csv_put(&w, price_condition_name(p->v[i].condition));
		csv_put_num(&w, c->price_usd);
		csv_put_num(&w, c->low);
		csv_put_num(&w, c->high);
		csv_put(&w, c->markets);
		csv_put_date(&w, c->newest_date);
		csv_put_int(&w, c->age_days);
		csv_put(&w, price_flags_text(a, c->flags));
		csv_end_row(&w);
	}
	return file_write(path, strbuf_str(&w.buf), err);
}
