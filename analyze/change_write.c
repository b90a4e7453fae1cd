/* changes.csv: one row a card and class of either edition. */
#include "change.h"

#include "../base/csv_write.h"
#include "../base/file.h"

#include <math.h>

static void put_rank(struct csv_out *w, const struct change_card *card)
{
	if (card && card->rank)
		csv_put_int(w, card->rank);
	else
		csv_put_missing(w);
}

struct str change_csv(const struct changes *c, struct arena *a)
{
	struct csv_out w = { .buf.arena = a };

	strbuf_add(
	    &w.buf,
	    STR("device,class,old_rank,new_rank,from_price_pct,from_data_pct,from_method_pct,"
		"status,reason,total_pct,old_score,new_score,old_cost_usd,new_cost_usd\n"));
	for (size_t i = 0; i < c->n; i++) {
		const struct change *m = &c->v[i];

		csv_put(&w, str_plain(a, m->device));
		csv_put(&w, str_plain(a, m->class));
		put_rank(&w, m->old);
		put_rank(&w, m->now);
		csv_put_num(&w, change_percent(m->price));
		csv_put_num(&w, change_percent(m->data));
		csv_put_num(&w, change_percent(m->method));
		csv_put(&w, change_status_name(m->status));
		csv_put(&w, str_plain(a, m->reason));
		csv_put_num(&w, change_percent(m->total));
		csv_put_num(&w, m->old ? m->old->score : NAN);
		csv_put_num(&w, m->now ? m->now->score : NAN);
		csv_put_num(&w, m->old ? m->old->cost_usd : NAN);
		csv_put_num(&w, m->now ? m->now->cost_usd : NAN);
		csv_end_row(&w);
	}
	return strbuf_str(&w.buf);
}

bool change_write(const struct changes *c, const char *path, struct arena *a, struct error *err)
{
	return file_write(path, change_csv(c, a), err);
}
