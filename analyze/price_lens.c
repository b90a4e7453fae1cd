#include "price_lens.h"

#include "system.h"
#include "../base/csv_write.h"
#include "../base/file.h"

#include <math.h>

static bool is_listed(const struct edition *e, struct str name)
{
	for (size_t i = 0; i < e->devices.n; i++)
		if (str_eq(e->devices.v[i], name))
			return true;
	return false;
}

static bool is_priced(const struct price_view *v, size_t device)
{
	struct card_price cloud;

	return !isnan(card_price_of(v, device).price_usd) || cloud_price_of(v, device, &cloud);
}

void edition_devices(const struct edition *edition, const struct devices *devices,
		     const struct prices *prices, struct arena *a, size_t **indices, size_t *n)
{
	struct price_view v = { edition, devices, prices, &edition->conditions, a };

	*indices = arena_array(a, devices->n, sizeof **indices);
	*n = 0;
	for (size_t i = 0; i < devices->n; i++) {
		if (devices->v[i].release_date.day > edition->date.day)
			continue; /* a date that is not known (INT_MIN) never is */
		if (edition->devices.n ? is_listed(edition, devices->v[i].name) : is_priced(&v, i))
			(*indices)[(*n)++] = i;
	}
}

/* Why a system has no price, as a flag of it. */
static const unsigned reasons[] = {
	[SYSTEM_NOT_FOR_HOST] = PRICE_FLAG_NOT_FOR_HOST,
	[SYSTEM_NO_PRICE] = PRICE_FLAG_MISSING,
	[SYSTEM_SLOTS_UNKNOWN] = PRICE_FLAG_SLOTS_UNKNOWN,
	[SYSTEM_NO_HOST] = PRICE_FLAG_NO_HOST,
	[SYSTEM_NO_TDP] = PRICE_FLAG_NO_TDP,
	[SYSTEM_NO_TARIFF] = PRICE_FLAG_NO_TARIFF,
	[SYSTEM_OK] = 0,
};

/* A card and its share of the machine: `beside_usd` is what the whole machine costs beside its
 * cards; NAN gives the reason instead. */
static struct card_price share_of(const struct system *s, const struct card_price *card,
				  enum lens lens, double beside_usd)
{
	struct card_price p = *card;

	if (isnan(beside_usd) || s->status < SYSTEM_NO_TDP) {
		p = card_price_none(card->device, lens);
		p.flags = PRICE_FLAG_MISSING | reasons[s->status];
		return p;
	}
	p.lens = lens;
	p.price_usd = cost_round((s->cards_usd + beside_usd) / s->gpus);
	p.low = cost_round((s->cards_low_usd + beside_usd) / s->gpus);
	p.high = cost_round((s->cards_high_usd + beside_usd) / s->gpus);
	p.flags = s->flags;
	if (lens == LENS_SYSTEM)
		p.flags &= ~(unsigned)PRICE_FLAGS_TARIFF;
	return p;
}

static void add_systems(const struct cost_input *in, const struct card_price *card,
			struct card_prices *out)
{
	struct system s = system_of(in, card, card->device, in->edition->gpus);

	out->v[out->n++] = share_of(&s, card, LENS_SYSTEM, s.host_usd);
	out->v[out->n++] = share_of(&s, card, LENS_SYSTEM_POWER, s.host_usd + s.power_usd);
}

void price_lens_compute(const struct cost_input *in, struct arena *a, struct card_prices *out)
{
	struct price_view v = { in->edition, in->devices, in->prices, &in->edition->conditions, a };

	*out =
	    (struct card_prices){ .v = arena_array(a, in->nindices, LENS_COUNT * sizeof *out->v) };
	for (size_t i = 0; i < in->nindices; i++) {
		struct card_price card = card_price_of(&v, in->indices[i]);

		out->v[out->n++] = card;
		add_systems(in, &card, out);
		if (cloud_price_of(&v, in->indices[i], &out->v[out->n]))
			out->n++;
	}
}

const struct card_price *price_lens_find(const struct card_prices *p, size_t device, enum lens lens)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->v[i].device == device && p->v[i].lens == lens)
			return &p->v[i];
	return NULL;
}

static void write_row(struct csv_out *w, const struct card_price *c, struct str device,
		      struct arena *a)
{
	bool missing = c->flags & PRICE_FLAG_MISSING;

	csv_put(w, device);
	csv_put(w, lens_name(c->lens));
	csv_put_num(w, c->price_usd);
	csv_put_num(w, c->low);
	csv_put_num(w, c->high);
	csv_put(w, c->markets);
	if (missing)
		csv_put_missing(w);
	else
		csv_put_int(w, c->observations);
	csv_put_date(w, c->newest_date);
	if (missing)
		csv_put_missing(w);
	else
		csv_put_int(w, c->age_days);
	csv_put(w, price_flags_text(a, c->flags));
	csv_end_row(w);
}

bool price_lens_write(const struct card_prices *p, const struct devices *devices, const char *path,
		      struct arena *a, struct error *err)
{
	struct csv_out w = { .buf.arena = a };

	strbuf_add(&w.buf, STR("device,lens,price_usd,low,high,markets,observations,newest_date,"
			       "age_days,status\n"));
	for (size_t i = 0; i < p->n; i++)
		if (p->v[i].lens == LENS_CARD || !isnan(p->v[i].price_usd))
			write_row(&w, &p->v[i], devices->v[p->v[i].device].name, a);
	return file_write(path, strbuf_str(&w.buf), err);
}
