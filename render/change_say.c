#include "change_say.h"
#include "format.h"

#include <math.h>

enum { SENTENCES_MAX = CLASS_COUNT + NAME_LISTS + CHANGE_MOVERS_SAID + 8 };

static const struct {
	const char *key;      /* a move that this cause alone made */
	const char *word_key; /* its name in a list of shares */
} causes[CAUSES] = {
	[CAUSE_PRICE] = { "changes.by_price", "changes.cause_price" },
	[CAUSE_DATA] = { "changes.by_data", "changes.cause_data" },
	[CAUSE_METHOD] = { "changes.by_method", "changes.cause_method" },
};

static const char *const name_keys[NAME_LISTS] = {
	[NAMES_LISTED] = "changes.listed",
	[NAMES_VALUED] = "changes.valued",
	[NAMES_UNLISTED] = "changes.unlisted",
	[NAMES_UNVALUED] = "changes.unvalued",
};

struct sentences {
	struct build *b;
	struct spans v[SENTENCES_MAX];
	size_t n;
};

static void add(struct sentences *s, const char *key, const struct text_arg *args)
{
	if (s->n < LEN(s->v))
		s->v[s->n++] = build_spans(s->b, key, args);
}

struct str change_say_percent(struct build *b, double pct)
{
	struct str text = format_percent(b->arena, pct);

	return pct > 0 && text.len > 0 ? str_printf(b->arena, "+" STR_FMT, STR_ARG(text)) : text;
}

struct str change_say_limit(struct build *b, double pct)
{
	return str_printf(b->arena, STR_FMT " %%", STR_ARG(format_amount(b->arena, pct)));
}

bool change_say_anything(const struct change_facts *f)
{
	return f->changed + f->fresh + f->gone > 0;
}

static void say_leaders(struct sentences *s, const struct change_facts *f)
{
	struct build *b = s->b;

	for (size_t i = 0; i < f->nleaders; i++) {
		const struct change_leader *l = &f->leaders[i];
		add(s, l->tied ? "changes.leader_tied" : "changes.leader",
		    (struct text_arg[]){
			text_arg("classes", name_list(b, &l->classes, l->classes.n)),
			text_arg("now", l->now), text_arg("old", l->old), text_arg_end() });
	}
}

static void say_names(struct sentences *s, const struct change_facts *f)
{
	for (size_t i = 0; i < NAME_LISTS; i++)
		if (f->names[i].n > 0)
			add(s, name_keys[i],
			    (struct text_arg[]){ text_arg("names", name_list(s->b, &f->names[i],
									     CHANGE_NAMES_SAID)),
						 text_arg_end() });
}

static void say_counts(struct sentences *s, const struct change_facts *f)
{
	static const struct {
		enum change_cause cause;
		const char *key;
	} counted[] = { { CAUSE_METHOD, "changes.method" }, { CAUSE_DATA, "changes.data" } };

	for (size_t i = 0; i < LEN(counted); i++)
		if (f->by_cause[counted[i].cause] > 0)
			add(s, counted[i].key,
			    (struct text_arg[]){ text_arg_int("n", f->by_cause[counted[i].cause],
							      s->b->arena),
						 text_arg_end() });
}

static bool is_notable(const struct change_move *m)
{
	return fabs(change_facts_percent(m->total)) >= CHANGE_NOTABLE_PCT;
}

/* How many moved by more than a little: cards, each by its largest move. */
static void say_size(struct sentences *s, const struct change_facts *f)
{
	struct name_set up = { .n = 0 }, down = { .n = 0 };
	struct build *b = s->b;

	for (size_t i = 0; i < f->nmoves; i++)
		if (is_notable(&f->moves[i]))
			name_add(b, f->moves[i].total > 0 ? &up : &down, f->moves[i].device);
	const struct text_arg args[] = {
		text_arg_int("up", (long)up.n, b->arena),
		text_arg_int("down", (long)down.n, b->arena),
		text_arg("limit", change_say_limit(b, CHANGE_NOTABLE_PCT)),
		text_arg("pct", f->nmoves ? change_say_percent(
						b, change_facts_percent(f->moves[0].total))
					  : STR("")),
		text_arg("device", f->nmoves ? f->moves[0].device : STR("")),
		text_arg_end(),
	};
	if (up.n + down.n > 0)
		add(s, "changes.moved", args);
	else if (f->nmoves > 0)
		add(s, "changes.quiet", args);
	else if (f->parts_known)
		add(s, "changes.still", NULL);
}

/* "prices 83 %, benchmark rows 17 %" */
static struct str shares(struct build *b, const double *size, double sum)
{
	struct name_set parts = { .n = 0 };

	for (size_t i = 0; i < CAUSES; i++)
		if (size[i] > 0)
			name_add(b, &parts,
				 build_str(b, "changes.share",
					   (struct text_arg[]){
					       text_arg("cause",
							build_str(b, causes[i].word_key, NULL)),
					       text_arg("share",
							format_percent(b->arena,
								       100 * size[i] / sum)),
					       text_arg_end() }));
	return name_list(b, &parts, parts.n);
}

static void say_causes(struct sentences *s, const struct change_facts *f)
{
	double sum = f->sum[CAUSE_PRICE] + f->sum[CAUSE_DATA] + f->sum[CAUSE_METHOD];

	if (!(sum > 0))
		return;
	for (size_t i = 0; i < CAUSES; i++)
		if (sum - f->sum[i] <= 0) {
			struct str cause = build_str(s->b, causes[i].word_key, NULL);
			add(s, "changes.cause_one",
			    (struct text_arg[]){ text_arg("cause", cause), text_arg_end() });
			return;
		}
	add(s, "changes.causes",
	    (struct text_arg[]){ text_arg("shares", shares(s->b, f->sum, sum)), text_arg_end() });
}

/* "prices +3.4 %, benchmark rows -1.0 %" */
static struct str parts_text(struct build *b, const struct change_move *m)
{
	struct name_set parts = { .n = 0 };

	for (size_t i = 0; i < CAUSES; i++) {
		if (!(m->part[i] < 0 || m->part[i] > 0))
			continue;
		struct str pct = change_say_percent(b, change_facts_percent(m->part[i]));
		name_add(b, &parts,
			 build_str(b, "changes.share",
				   (struct text_arg[]){
				       text_arg("cause", build_str(b, causes[i].word_key, NULL)),
				       text_arg("share", pct), text_arg_end() }));
	}
	return name_list(b, &parts, parts.n);
}

static const char *move_key(const struct change_move *m)
{
	size_t n = 0, only = 0;

	for (size_t i = 0; i < CAUSES; i++)
		if (m->part[i] < 0 || m->part[i] > 0) {
			only = i;
			n++;
		}
	return n == 1 ? causes[only].key : "changes.by_several";
}

static void say_move(struct sentences *s, const struct change_move *m)
{
	struct build *b = s->b;
	struct name_set classes = { .n = 0 };
	struct str old = format_usd(b->arena, m->rows[0]->old_cost_usd),
		   now = format_usd(b->arena, m->rows[0]->new_cost_usd);
	const char *key = move_key(m);

	for (size_t i = 0; i < m->nrows; i++)
		name_add(b, &classes, build_class_title(b, m->rows[i]->class_text));
	if (b->data->nclasses > 1 && m->nrows == b->data->nclasses) {
		classes = (struct name_set){ .n = 0 };
		name_add(b, &classes, build_str(b, "changes.all_classes", NULL));
	}
	if (key == causes[CAUSE_PRICE].key && (old.len == 0 || now.len == 0 || str_eq(old, now)))
		key = "changes.by_several"; /* a file without the prices, or a move of cents */
	add(s, key,
	    (struct text_arg[]){
		text_arg("device", m->device),
		text_arg("pct", change_say_percent(b, change_facts_percent(m->total))),
		text_arg("old", old), text_arg("now", now),
		text_arg("classes", name_list(b, &classes, classes.n)),
		text_arg("parts", parts_text(b, m)), text_arg_end() });
}

void change_say(struct build *b, const struct change_facts *f, struct spans **items, size_t *n)
{
	struct sentences *s = arena_alloc(b->arena, sizeof *s);

	s->b = b;
	*items = s->v;
	*n = 0;
	if (!change_say_anything(f))
		return;
	say_leaders(s, f);
	say_names(s, f);
	say_counts(s, f);
	if (f->nleaders == 0 && f->leaders_known)
		add(s, "changes.leaders_same", NULL);
	say_size(s, f);
	say_causes(s, f);
	for (size_t i = 0; i < f->nmoves && i < CHANGE_MOVERS_SAID && is_notable(&f->moves[i]); i++)
		say_move(s, &f->moves[i]);
	*n = s->n;
}
