#include "pick.h"

#include "pick_rules.h"
#include "pick_text.h"
#include "../base/csv_write.h"
#include "../base/file.h"

#include <stdint.h>

static void put_device(struct csv_out *w, const struct devices *devices, size_t device)
{
	csv_put(w, device == SIZE_MAX ? STR("") : devices->v[device].name);
}

static struct str guide_of(const struct pick *p)
{
	return p->persona ? p->persona->guide : STR("");
}

static void put_row(struct csv_out *w, const struct devices *devices, const struct pick *p,
		    const struct pick_row *r, const struct text_english *e)
{
	bool card = r->device != SIZE_MAX;

	csv_put(w, p->wish.name);
	if (card)
		csv_put_int(w, r->rank);
	else
		csv_put_missing(w);
	put_device(w, devices, r->device);
	csv_put(w, text_english(e, r->rule));
	csv_put(w, text_english(e, r->deciding));
	put_device(w, devices, r->runner_up);
	csv_put_num(w, r->flips_below_usd);
	csv_put(w, p->wish.title);
	csv_put(w, pick_status_name(p->status));
	csv_put_num(w, r->cost_usd);
	csv_put_num(w, r->score);
	csv_put_num(w, r->low);
	csv_put_num(w, r->high);
	csv_put_num(w, r->flips_above_usd);
	csv_put(w, !card ? STR("") : r->tie ? STR("yes") : STR("no"));
	csv_put(w, p->wish.lens);
	csv_put(w, guide_of(p));
	csv_put(w, p->agrees);
	csv_put(w, text_english(e, r->reason));
	csv_put(w, p->wish.asks);
	csv_put(w, p->persona ? p->persona->guide_why : STR(""));
	csv_put_int(w, p->wish.gpus);
	csv_put(w, r->rule.json);
	csv_put(w, r->deciding.json);
	csv_put(w, r->reason.json);
	csv_end_row(w);
}

bool picks_csv(const struct picks *p, const struct devices *devices,
	       const struct text_catalogue *english, struct arena *a, struct str *out,
	       struct error *err)
{
	struct csv_out w = { .buf.arena = a };
	const struct text_english e = { english, a, err };

	strbuf_add(&w.buf, STR("persona,rank,device,rule,deciding,runner_up,flips_below_usd,title,"
			       "status,cost_usd,score,low,high,flips_above_usd,tie,lens,guide_pick,"
			       "agrees,reason,asks,guide_why,gpus,rule_msg,deciding_msg,reason_msg\n"));
	for (size_t i = 0; i < p->n; i++)
		for (size_t j = 0; j < p->v[i].nrows; j++)
			put_row(&w, devices, &p->v[i], &p->v[i].rows[j], &e);
	*out = strbuf_str(&w.buf);
	return err->code == ERR_NONE;
}

bool picks_write(const struct picks *p, const struct devices *devices,
		 const struct text_catalogue *english, const char *path, struct arena *a,
		 struct error *err)
{
	struct str text;

	return picks_csv(p, devices, english, a, &text, err) && file_write(path, text, err);
}

bool picks_write_removed(const struct picks *p, const struct pick_input *in,
			 const struct text_catalogue *english, const char *path, struct arena *a,
			 struct error *err)
{
	struct csv_out w = { .buf.arena = a };
	const struct text_english e = { english, a, err };

	strbuf_add(&w.buf, STR("persona,device,reason,gates,reason_msg\n"));
	for (size_t i = 0; i < p->n; i++)
		for (size_t j = p->v[i].nranked; j < p->v[i].n; j++) {
			const struct candidate *c = &p->v[i].v[j];
			struct say why = pick_failures_said(in, &p->v[i].wish, c, a);
			csv_put(&w, p->v[i].wish.name);
			csv_put(&w, in->devices->v[c->device].name);
			csv_put(&w, text_english(&e, why));
			csv_put(&w, pick_gate_words(c, a));
			csv_put(&w, why.json);
			csv_end_row(&w);
		}
	return err->code == ERR_NONE && file_write(path, strbuf_str(&w.buf), err);
}
