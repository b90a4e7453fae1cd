#include "upgrade.h"

#include "../base/csv_write.h"
#include "../base/file.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>

static const struct str verdict_names[] = {
	[UPGRADE_KEEP] = STR_INIT("keep"),
	[UPGRADE_DEAR] = STR_INIT("dear"),
	[UPGRADE_CONSIDER] = STR_INIT("consider"),
	[UPGRADE_YES] = STR_INIT("upgrade"),
};

struct str upgrade_verdict_name(enum upgrade_verdict v)
{
	return verdict_names[v];
}

static void mark(const struct pick_input *in, bool *is_candidate, size_t device)
{
	for (size_t i = 0; i < in->nindices; i++)
		is_candidate[i] |= in->indices[i] == device;
}

/* A price that says nothing of today's market must not name the best value. */
static bool is_fresh(const struct pick_input *in, size_t device)
{
	const struct card_price *p = price_lens_find(in->prices, device, LENS_CARD);

	return p && !(p->flags & PRICE_FLAG_STALE);
}

/* The best value of a class in the lens card; SIZE_MAX: none. */
static size_t best_value(const struct pick_input *in, const struct values *values,
			 enum class_id class, bool fresh)
{
	const struct value *best = NULL;

	for (size_t i = 0; i < values->n; i++) {
		const struct value *v = &values->v[i];
		if (v->lens == LENS_CARD && v->class == class && v->rank > 0
		    && (!fresh || is_fresh(in, v->device)) && (!best || v->rank < best->rank))
			best = v;
	}
	return best ? best->device : SIZE_MAX;
}

/* Among fresh prices, among all where none is fresh. */
static size_t best_of_class(const struct pick_input *in, const struct values *values,
			    enum class_id class)
{
	size_t fresh = best_value(in, values, class, true);

	return fresh == SIZE_MAX ? best_value(in, values, class, false) : fresh;
}

/* By place in in->indices. */
static bool *mark_candidates(const struct pick_input *in, const struct picks *picks,
			     const struct values *values, struct arena *a)
{
	bool *is_candidate = arena_array(a, in->nindices, sizeof *is_candidate);

	for (size_t i = 0; i < picks->n; i++)
		if (picks->v[i].status == PICK_FOUND && str_eq(picks->v[i].wish.lens, STR("card")))
			mark(in, is_candidate, picks->v[i].rows[0].device);
	for (size_t c = 0; c < in->edition->nclasses; c++) {
		enum class_id class = in->edition->classes[c].id;
		mark(in, is_candidate, best_of_class(in, values, class));
	}
	return is_candidate;
}

/* The used price of a card: where it is known apart, else the edition's price if that is of a used
 * card; NULL. */
static const struct card_price *resale(const struct pick_input *in, size_t device)
{
	const struct card_price *p = in->conditions
					 ? price_condition_find(in->conditions, device, PRICE_USED)
					 : price_lens_find(in->prices, device, LENS_CARD);

	return p && p->flags & PRICE_FLAG_USED ? p : NULL;
}

/* Performance per cost, of any scale common to the class; NAN. */
static double value_in(const struct values *values, size_t device, enum class_id class)
{
	for (size_t i = 0; i < values->n; i++) {
		const struct value *v = &values->v[i];
		if (v->lens == LENS_CARD && v->device == device && v->class == class)
			return v->value;
	}
	return NAN;
}

/* Over the best of the class; NAN. */
static double relative_value(const struct pick_input *in, const struct values *values,
			     size_t device, enum class_id class)
{
	return value_in(values, device, class)
	       / value_in(values, best_of_class(in, values, class), class);
}

static enum upgrade_verdict verdict_of(const struct upgrade *u, const struct personas *p,
				       double value)
{
	if (u->gain < p->keep_below
	    || !(u->low > 1)) /* an interval that is not known proves nothing */
		return UPGRADE_KEEP;
	if (value < p->dear_below)
		return UPGRADE_DEAR;
	return u->gain >= p->upgrade_from ? UPGRADE_YES : UPGRADE_CONSIDER;
}

/* The rows of one owned card and one candidate. */
static void compare(const struct pick_input *in, const struct personas *p,
		    const struct values *values, size_t owned, size_t candidate,
		    struct upgrades *out)
{
	const struct card_price *price = price_lens_find(in->prices, candidate, LENS_CARD);
	const struct card_price *used = resale(in, owned);

	for (size_t c = 0; c < in->edition->nclasses; c++) {
		enum class_id class = in->edition->classes[c].id;
		const struct score *from = gates_usable_score(in, owned, class),
				   *to = gates_usable_score(in, candidate, class);

		if (!from || !to)
			continue;
		struct upgrade u = { .owned = owned, .candidate = candidate, .class = class };
		u.gain = score_rounded(to->score / from->score);
		u.low = score_rounded(to->peer_low / from->peer_high);
		u.high = score_rounded(to->peer_high / from->peer_low);
		u.resale_usd = used ? used->price_usd : NAN;
		u.resale_date = used ? used->newest_date : (struct date){ INT_MIN };
		u.price_usd = price ? price->price_usd : NAN;
		u.net_usd = u.price_usd - u.resale_usd;
		u.verdict = verdict_of(&u, p, relative_value(in, values, candidate, class));
		out->v[out->n++] = u;
	}
}

/* A card that only a server cools, or a module, takes the place of none that sits in a desktop. */
static bool fits_where(const struct pick_input *in, size_t owned, size_t candidate)
{
	return gates_fits_host(&in->devices->v[candidate], HOST_DESKTOP)
	       || !gates_fits_host(&in->devices->v[owned], HOST_DESKTOP);
}

void upgrade_compute(const struct pick_input *in, const struct personas *personas,
		     const struct picks *picks, const struct values *values, struct arena *a,
		     struct upgrades *out)
{
	bool *is_candidate = mark_candidates(in, picks, values, a);
	size_t n = 0;

	for (size_t i = 0; i < in->nindices; i++)
		n += is_candidate[i];
	*out = (struct upgrades){ .v = arena_array(a, personas->nowned * n,
						   CLASS_COUNT * sizeof *out->v) };
	for (size_t o = 0; o < personas->nowned; o++)
		for (size_t i = 0; i < in->nindices; i++)
			if (is_candidate[i] && in->indices[i] != personas->owned[o]
			    && fits_where(in, personas->owned[o], in->indices[i]))
				compare(in, personas, values, personas->owned[o], in->indices[i],
					out);
}

bool upgrade_write(const struct upgrades *u, const struct devices *devices, const char *path,
		   struct arena *a, struct error *err)
{
	struct csv_out w = { .buf.arena = a };

	strbuf_add(
	    &w.buf,
	    STR("owned,candidate,class,gain,low,high,resale_usd,price_usd,net_usd,verdict,resale_date\n"));
	for (size_t i = 0; i < u->n; i++) {
		const struct upgrade *r = &u->v[i];

		csv_put(&w, devices->v[r->owned].name);
		csv_put(&w, devices->v[r->candidate].name);
		csv_put(&w, class_name(r->class));
		csv_put_num(&w, r->gain);
		csv_put_num(&w, r->low);
		csv_put_num(&w, r->high);
		csv_put_num(&w, r->resale_usd);
		csv_put_num(&w, r->price_usd);
		csv_put_num(&w, r->net_usd);
		csv_put(&w, upgrade_verdict_name(r->verdict));
		csv_put_date(&w, r->resale_date);
		csv_end_row(&w);
	}
	return file_write(path, strbuf_str(&w.buf), err);
}
