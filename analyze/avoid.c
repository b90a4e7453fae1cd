#include "avoid.h"

#include "../base/csv_write.h"
#include "../base/file.h"
#include "../base/num.h"

#include <math.h>
#include <stdint.h>

/* How sure card Y beats card X in a class. */
enum relation { NOT_DOMINATED, DOMINATED_BUT_FOR_MEMORY, DOMINATED };

/* The cards that can be compared: those with a card price, fresh ones where there are any. */
struct market {
	const struct pick_input *in;
	const struct card_price **prices; /* by place in in->indices; NULL: not comparable */
	struct arena *arena;
};

static const struct card_price *bought_at(const struct pick_input *in, size_t device)
{
	const struct card_price *p = price_lens_find(in->prices, device, LENS_CARD);

	return p && p->price_usd > 0 ? p : NULL;
}

static struct market market_of(const struct pick_input *in, struct arena *a)
{
	struct market m = { in, arena_array(a, in->nindices, sizeof *m.prices), a };
	bool any_fresh = false;

	for (size_t i = 0; i < in->nindices; i++) {
		m.prices[i] = bought_at(in, in->indices[i]);
		any_fresh |= m.prices[i] && !(m.prices[i]->flags & PRICE_FLAG_STALE);
	}
	for (size_t i = 0; any_fresh && i < in->nindices; i++)
		if (m.prices[i] && m.prices[i]->flags & PRICE_FLAG_STALE)
			m.prices[i] = NULL;
	return m;
}

static bool desktop(const struct market *m, size_t x)
{
	return gates_fits_host(&m->in->devices->v[m->in->indices[x]], HOST_DESKTOP);
}

static enum relation relate(const struct market *m, size_t x, size_t y, enum class_id class)
{
	const struct score *sx = gates_usable_score(m->in, m->in->indices[x], class),
			   *sy = gates_usable_score(m->in, m->in->indices[y], class);
	double gx = gates_memory_gb(m->in, m->in->indices[x]),
	       gy = gates_memory_gb(m->in, m->in->indices[y]);

	/* a card that only a server cools is no reason against one for a desktop */
	if (x == y || (!desktop(m, y) && desktop(m, x)) || !m->prices[x] || !m->prices[y] || !sx || !sy || isnan(gx) || isnan(gy)
	    || !(m->prices[y]->price_usd <= m->prices[x]->price_usd)
	    || !(sy->peer_low > sx->peer_high))
		return NOT_DOMINATED;
	return gy >= gx ? DOMINATED : DOMINATED_BUT_FOR_MEMORY;
}

/* In how many classes y dominates x, memory and all. */
static size_t count_dominated(const struct market *m, size_t x, size_t y)
{
	const struct edition *e = m->in->edition;
	size_t n = 0;

	for (size_t c = 0; c < e->nclasses; c++)
		n += relate(m, x, y, e->classes[c].id) == DOMINATED;
	return n;
}

/* Whether y says more against x than z does. */
static bool stronger(const struct market *m, size_t x, size_t y, size_t z, enum class_id class)
{
	enum relation ry = relate(m, x, y, class), rz = relate(m, x, z, class);
	size_t ny, nz;

	if (ry != rz)
		return ry > rz;
	if (ry == DOMINATED_BUT_FOR_MEMORY) {
		double gy = gates_memory_gb(m->in, m->in->indices[y]),
		       gz = gates_memory_gb(m->in, m->in->indices[z]);
		if (gy != gz) /* the exception is then the narrowest */
			return gy > gz;
	}
	ny = count_dominated(m, x, y);
	nz = count_dominated(m, x, z);
	if (ny != nz)
		return ny > nz;
	return m->prices[y]->price_usd < m->prices[z]->price_usd;
}

/* The place of the card that dominates x in the class, or nindices. */
static size_t dominator(const struct market *m, size_t x, enum class_id class)
{
	size_t best = m->in->nindices;

	for (size_t y = 0; y < m->in->nindices; y++)
		if (relate(m, x, y, class) != NOT_DOMINATED
		    && (best == m->in->nindices || stronger(m, x, y, best, class)))
			best = y;
	return best;
}

/* A named exception, with the card's memory for its {memory}; empty when there is none. */
static struct say named_exception(const struct pick_input *in, const struct personas *p,
				  size_t device, struct arena *a)
{
	const struct say_arg args[] = { say_shortest("memory", gates_memory_gb(in, device)),
					say_end() };

	for (size_t i = 0; i < p->only_if.n; i++) {
		struct str text = p->only_if.v[i].text;
		if (p->only_if.v[i].device == device)
			return say_data(a, text,
					str_find(text, STR("{memory}"), 0) < text.len ? args : NULL);
	}
	return (struct say){ STR("") };
}

static struct say memory_exception(const struct pick_input *in, size_t by, struct arena *a)
{
	return say(a, "avoid.only_if_more",
		   (const struct say_arg[]){ say_shortest("gb", gates_memory_gb(in, by)),
					     say_end() });
}

/* The rows of one card; true in *everywhere when nothing speaks for it in any class. */
static void avoid_card(const struct market *m, const struct personas *p, size_t x,
		       struct avoids *out)
{
	const struct pick_input *in = m->in;
	struct say named = named_exception(in, p, in->indices[x], m->arena);
	size_t scored = 0, dominated = 0, first = out->n;

	for (size_t c = 0; c < in->edition->nclasses; c++) {
		enum class_id class = in->edition->classes[c].id;
		size_t y = dominator(m, x, class);

		scored += gates_usable_score(in, in->indices[x], class) != NULL;
		if (y == in->nindices)
			continue;
		struct avoid row = { .device = in->indices[x],
				     .class = class,
				     .by = in->indices[y] };
		row.cost_usd = m->prices[x]->price_usd;
		row.by_cost_usd = m->prices[y]->price_usd;
		row.memory_gb = gates_memory_gb(in, row.device);
		row.by_memory_gb = gates_memory_gb(in, row.by);
		row.score = gates_usable_score(in, row.device, class)->score;
		row.by_score = gates_usable_score(in, row.by, class)->score;
		row.exception = named;
		if (relate(m, x, y, class) == DOMINATED)
			dominated++;
		else if (say_empty(named))
			row.exception = memory_exception(in, row.by, m->arena);
		out->v[out->n++] = row;
	}
	for (size_t i = first; i < out->n; i++)
		out->v[i].everywhere = dominated == scored && say_empty(named);
	if (out->n == first && !say_empty(named))
		out->v[out->n++] =
		    (struct avoid){ .device = in->indices[x],
				    .class = CLASS_COUNT,
				    .by = SIZE_MAX,
				    .exception = named,
				    .cost_usd = m->prices[x] ? m->prices[x]->price_usd : NAN,
				    .by_cost_usd = NAN,
				    .memory_gb = gates_memory_gb(in, in->indices[x]),
				    .by_memory_gb = NAN,
				    .score = NAN,
				    .by_score = NAN };
}

void avoid_compute(const struct pick_input *in, const struct personas *personas, struct arena *a,
		   struct avoids *out)
{
	struct market m = market_of(in, a);

	*out = (struct avoids){ .v = arena_array(a, in->nindices * (CLASS_COUNT + 1),
						 sizeof *out->v) };
	for (size_t x = 0; x < in->nindices; x++)
		avoid_card(&m, personas, x, out);
}

bool avoid_write(const struct avoids *v, const struct devices *devices,
		 const struct text_catalogue *english, const char *path, struct arena *a,
		 struct error *err)
{
	struct csv_out w = { .buf.arena = a };
	const struct text_english e = { english, a, err };

	strbuf_add(&w.buf,
		   STR("device,class,dominated_by,cost_usd,by_cost_usd,memory_gb,by_memory_gb,"
		       "score,by_score,exception,everywhere,exception_msg\n"));
	for (size_t i = 0; i < v->n; i++) {
		const struct avoid *r = &v->v[i];
		bool found = r->by != SIZE_MAX;

		csv_put(&w, devices->v[r->device].name);
		csv_put(&w, found ? class_name(r->class) : STR(""));
		csv_put(&w, found ? devices->v[r->by].name : STR(""));
		csv_put_num(&w, r->cost_usd);
		csv_put_num(&w, r->by_cost_usd);
		csv_put_num(&w, r->memory_gb);
		csv_put_num(&w, r->by_memory_gb);
		csv_put_num(&w, r->score);
		csv_put_num(&w, r->by_score);
		csv_put(&w, text_english(&e, r->exception));
		csv_put(&w, r->everywhere ? STR("yes") : STR("no"));
		csv_put(&w, r->exception.json);
		csv_end_row(&w);
	}
	return err->code == ERR_NONE && file_write(path, strbuf_str(&w.buf), err);
}
