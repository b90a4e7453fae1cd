#include "news.h"

enum { PICKS_SAID = 4 };

static const char *const kind_names[NEWS_KINDS] = {
	[NEWS_PICKS] = "picks",   [NEWS_CARDS] = "cards", [NEWS_PRICES] = "prices",
	[NEWS_ROWS] = "rows",     [NEWS_METHOD] = "method", [NEWS_NONE] = "none",
	[NEWS_FIRST] = "first",
};

const char *news_kind_name(enum news_kind k)
{
	return kind_names[k];
}

/* The newest that is older in the store, which is by date: it lies right before, as a rule. */
static const struct summary *predecessor(const struct store *s, size_t edition)
{
	struct str id = s->v[edition].summary.previous_id;

	for (size_t i = edition; id.len > 0 && i-- > 0;)
		if (str_eq(s->v[i].summary.id, id))
			return &s->v[i].summary;
	return NULL;
}

static const struct summary_pick *find_pick(const struct summary *s, struct str persona)
{
	for (size_t i = 0; i < s->npicks; i++)
		if (str_eq(s->picks[i].persona, persona))
			return &s->picks[i];
	return NULL;
}

static void add(struct news *out, size_t *cap, struct str sentence, struct arena *a)
{
	out->v = arena_grow(a, out->v, cap, out->n + 1, sizeof *out->v);
	out->v[out->n++] = sentence;
}

static struct str name_or_none(struct str device)
{
	return device.len > 0 ? device : STR("no card");
}

/* "Best overall: RTX 5080, before RTX 2070." */
static void say_picks(const struct summary *old, const struct summary *now, struct news *out,
                      size_t *cap, struct arena *a)
{
	size_t more = 0, said = 0;

	for (size_t i = 0; i < now->npicks; i++) {
		const struct summary_pick *p = &now->picks[i], *q = find_pick(old, p->persona);
		if (!q || str_eq(p->device, q->device))
			continue;
		out->kind[NEWS_PICKS] = true;
		if (said++ >= PICKS_SAID)
			more++;
		else
			add(out, cap,
			    str_printf(a, STR_FMT ": " STR_FMT ", before " STR_FMT ".",
				       STR_ARG(p->title), STR_ARG(name_or_none(p->device)),
				       STR_ARG(name_or_none(q->device))),
			    a);
	}
	if (more > 0)
		add(out, cap,
		    str_printf(a, "Another first pick in %zu more %s.", more,
			       more == 1 ? "question" : "questions"),
		    a);
}

static struct str counts_text(const struct summary *s, struct arena *a)
{
	return str_printf(a, "%d changed, %d new, %d gone, %d the same", s->changed, s->fresh,
			  s->gone, s->same);
}

struct news news_of(const struct store *s, size_t edition, struct arena *a)
{
	const struct summary *now = &s->v[edition].summary, *old = predecessor(s, edition);
	struct news out = { .n = 0 };
	size_t cap = 0;

	if (old)
		say_picks(old, now, &out, &cap, a);
	if (!now->has_changes) {
		out.kind[NEWS_FIRST] = true;
		return out;
	}
	for (size_t i = 0; i < now->nchanges; i++)
		add(&out, &cap, now->changes[i], a);
	out.counts = counts_text(now, a);
	out.kind[NEWS_CARDS] = now->fresh + now->gone > 0;
	out.kind[NEWS_PRICES] = now->by_price > 0;
	out.kind[NEWS_ROWS] = now->by_data > 0;
	out.kind[NEWS_METHOD] = now->by_method > 0;
	out.kind[NEWS_NONE] = now->changed + now->fresh + now->gone == 0;
	if (out.n == 0)
		add(&out, &cap,
		    now->changed + now->fresh + now->gone == 0 ? STR("Nothing changed.")
		                                                : STR("No price and no score moved."),
		    a);
	return out;
}
