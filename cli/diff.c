/* gpuguide diff: what moved between two editions, as text, CSV or JSON. */
#include "commands.h"
#include "json_out.h"

#include "../analyze/change.h"
#include "../base/num.h"
#include "../catalogue/lens.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOVES_SHOWN = 10, NAMES_SHOWN = 8 };

/* Names come from files of other editions: nothing in them may steer a terminal. */
static struct str plain(struct strbuf *b, struct str s)
{
	return str_plain(b->arena, s);
}

static void add_plural(struct strbuf *b, size_t n, const char *one, const char *many)
{
	strbuf_printf(b, "%zu %s", n, n == 1 ? one : many);
}

static void put_edition(struct strbuf *b, const char *label, const struct change_edition *e)
{
	strbuf_printf(b, "%s  " STR_FMT ": " STR_FMT ", as of " STR_FMT ", reference " STR_FMT,
		      label, STR_ARG(e->name), STR_ARG(plain(b, change_setting(e, STR("name")))),
		      STR_ARG(date_iso(b->arena, e->date)),
		      STR_ARG(plain(b, change_setting(e, STR("reference")))));
	if (e->program.len)
		strbuf_printf(b, ", made by " STR_FMT, STR_ARG(plain(b, e->program)));
	strbuf_addc(b, '\n');
}

/* Inputs [from, to) of one group and kind: "  prices: 2 added: data/prices/a.csv,
 * data/prices/b.csv". */
static void put_input_run(struct strbuf *b, const struct changes *c, size_t from,
			  enum change_input_kind kind)
{
	size_t n = 0, shown = 0;

	for (size_t i = from; i < c->ninputs && str_eq(c->inputs[i].group, c->inputs[from].group);
	     i++)
		n += c->inputs[i].kind == kind;
	if (n == 0)
		return;
	strbuf_printf(b, "  " STR_FMT ", %zu " STR_FMT ": ", STR_ARG(c->inputs[from].group), n,
		      STR_ARG(change_input_kind_name(kind)));
	for (size_t i = from; i < c->ninputs && str_eq(c->inputs[i].group, c->inputs[from].group);
	     i++)
		if (c->inputs[i].kind == kind && shown++ < NAMES_SHOWN)
			strbuf_printf(b, "%s" STR_FMT, shown > 1 ? ", " : "",
				      STR_ARG(plain(b, c->inputs[i].path)));
	if (shown > NAMES_SHOWN)
		strbuf_printf(b, " and %zu more", shown - NAMES_SHOWN);
	strbuf_addc(b, '\n');
}

static void put_inputs(struct strbuf *b, const struct changes *c)
{
	if (!c->inputs_known)
		strbuf_add(
		    b,
		    STR("Which inputs differ is not known: one of the folders has no MANIFEST.\n"));
	else if (c->ninputs == 0)
		strbuf_add(b, STR("Both are made from the same input files.\n"));
	else
		strbuf_add(b, STR("Input files that differ:\n"));
	for (size_t i = 0; i < c->ninputs; i++) {
		if (i && str_eq(c->inputs[i].group, c->inputs[i - 1].group))
			continue;
		for (int kind = CHANGE_INPUT_CHANGED; kind <= CHANGE_INPUT_REMOVED; kind++)
			put_input_run(b, c, i, (enum change_input_kind)kind);
	}
}

/* The settings that differ, or the results among them. */
static void put_settings(struct strbuf *b, const struct changes *c, bool results)
{
	bool any = false;

	for (size_t i = 0; i < c->nsettings; i++) {
		const struct change_setting_move *s = &c->settings[i];

		if (s->result != results)
			continue;
		if (!any)
			strbuf_add(b, results ? STR("Results that differ:\n")
					      : STR("Settings that differ:\n"));
		any = true;
		strbuf_printf(b, "  " STR_FMT ": " STR_FMT " before, " STR_FMT " now\n",
			      STR_ARG(plain(b, s->key)),
			      STR_ARG(plain(b, s->old.len ? s->old : STR("not set"))),
			      STR_ARG(plain(b, s->now.len ? s->now : STR("not set"))));
	}
}

static void put_program(struct strbuf *b, const struct changes *c)
{
	if (c->program_differs)
		strbuf_add(b, STR("The program's version differs: where input files differ too, "
				  "what the program itself "
				  "changed\nis counted with them.\n"));
}

/* "+12.3 %", right-aligned; "." for no move. */
static void put_percent(struct strbuf *b, double x)
{
	double pct = change_percent(x);
	struct str s = pct == 0 ? STR(".")
				: str_printf(b->arena, "%s" STR_FMT " %%", pct > 0 ? "+" : "",
					     STR_ARG(num_fixed(b->arena, pct, 1)));

	strbuf_printf(b, "%10.*s", STR_ARG(s));
}

static struct str rank_text(struct arena *a, const struct change_card *card)
{
	return card && card->rank ? str_printf(a, "%d", card->rank) : STR("-");
}

/* The largest move first; of equal ones the first in the list. */
static int by_move(const void *pa, const void *pb)
{
	const struct change *x = *(const struct change *const *)pa,
			    *y = *(const struct change *const *)pb;
	double dx = fabs(x->total), dy = fabs(y->total);

	if (dx != dy)
		return dx > dy ? -1 : 1;
	return (x > y) - (x < y);
}

static void put_moves(struct strbuf *b, const struct changes *c, struct str class)
{
	const struct change **moves = arena_array(b->arena, c->n, sizeof *moves);
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		if (str_eq(c->v[i].class, class) && fabs(c->v[i].total) > 0)
			moves[n++] = &c->v[i];
	if (n == 0)
		return;
	qsort(moves, n, sizeof *moves, by_move);
	strbuf_printf(b, "  %9s%10s%10s%10s%10s  %s\n", "rank", "total", "price", "data", "method",
		      "card");
	for (size_t i = 0; i < n && i < MOVES_SHOWN; i++) {
		const struct change *m = moves[i];
		struct str old = rank_text(b->arena, m->old), now = rank_text(b->arena, m->now);

		strbuf_printf(b, "  %9.*s",
			      STR_ARG(str_printf(b->arena, STR_FMT "->" STR_FMT, STR_ARG(old),
						 STR_ARG(now))));
		put_percent(b, m->total);
		put_percent(b, m->price);
		put_percent(b, m->data);
		put_percent(b, m->method);
		strbuf_printf(b, "  " STR_FMT "\n", STR_ARG(plain(b, m->device)));
		if (m->reason.len)
			strbuf_printf(b, "%53s" STR_FMT "\n", "", STR_ARG(plain(b, m->reason)));
	}
	if (n > MOVES_SHOWN)
		strbuf_printf(b, "  and %zu more, of smaller moves (--format csv lists all)\n",
			      n - MOVES_SHOWN);
}

/* Cards whose performance per cost stands still, on the same grounds, and whose rank does not:
 * others moved past them. */
static void put_overtaken(struct strbuf *b, const struct changes *c, struct str class)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		n += str_eq(c->v[i].class, class) && c->v[i].status == CHANGE_CHANGED
		     && c->v[i].total == 0 && c->v[i].reason.len == 0;
	if (n == 0)
		return;
	strbuf_add(b, STR("  "));
	add_plural(b, n, "card", "cards");
	strbuf_printf(b, " moved only in rank, because others did\n");
}

/* The side that a new or gone card is on; of one on both the old. */
static const struct change_card *side(const struct change *m)
{
	return m->status == CHANGE_NEW ? m->now : m->old;
}

/* Ranked cards first, the best first; then in the order of the list. */
static int by_rank(const void *pa, const void *pb)
{
	const struct change *x = *(const struct change *const *)pa,
			    *y = *(const struct change *const *)pb;
	int rx = side(x)->rank, ry = side(y)->rank;

	if (rx != ry)
		return rx == 0 ? 1 : ry == 0 ? -1 : rx - ry;
	return (x > y) - (x < y);
}

/* Whether a change belongs to the list of its status: of the changed ones those that put_moves()
 * does not show, but whose price or score has other grounds now. */
static bool is_listed(const struct change *m, enum change_status status)
{
	return m->status == status
	       && (status != CHANGE_CHANGED || (!(fabs(m->total) > 0) && m->reason.len > 0));
}

static void put_names(struct strbuf *b, const struct changes *c, const struct change_class *class,
		      enum change_status status)
{
	const struct change **names = arena_array(b->arena, c->n, sizeof *names);
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		if (str_eq(c->v[i].class, class->class) && is_listed(&c->v[i], status))
			names[n++] = &c->v[i];
	if (n == 0)
		return;
	qsort(names, n, sizeof *names, by_rank);
	if (status == CHANGE_CHANGED)
		strbuf_add(b, STR("  other grounds, no move:\n"));
	else
		strbuf_printf(b, "  " STR_FMT ":\n", STR_ARG(change_status_name(status)));
	for (size_t i = 0; i < n && i < NAMES_SHOWN; i++) {
		strbuf_printf(b, "    " STR_FMT " (rank " STR_FMT ")",
			      STR_ARG(plain(b, names[i]->device)),
			      STR_ARG(rank_text(b->arena, side(names[i]))));
		if (names[i]->reason.len)
			strbuf_printf(b, ": " STR_FMT, STR_ARG(plain(b, names[i]->reason)));
		strbuf_addc(b, '\n');
	}
	if (n > NAMES_SHOWN)
		strbuf_printf(b, "    and %zu more\n", n - NAMES_SHOWN);
}

static void put_class(struct strbuf *b, const struct changes *c, const struct change_class *k)
{
	size_t moved = k->count[CHANGE_CHANGED], fresh = k->count[CHANGE_NEW],
	       gone = k->count[CHANGE_GONE];
	double sum = k->price + k->data + k->method;

	strbuf_printf(b, "\n" STR_FMT ": ", STR_ARG(plain(b, k->class)));
	if (moved + fresh + gone == 0) {
		strbuf_add(b, STR("no card moved"));
	} else {
		add_plural(b, moved, "card changed", "cards changed");
		strbuf_printf(b, ", %zu new, %zu gone", fresh, gone);
	}
	strbuf_printf(b, ", %zu the same\n", k->count[CHANGE_SAME]);
	if (k->note.len)
		strbuf_printf(b, "  Note: " STR_FMT ".\n", STR_ARG(plain(b, k->note)));
	if (sum > 0)
		strbuf_printf(b,
			      "  What moved them (shares of all moves): price %.0f %%, data %.0f "
			      "%%, method %.0f %%\n",
			      100 * k->price / sum, 100 * k->data / sum, 100 * k->method / sum);
	put_moves(b, c, k->class);
	put_overtaken(b, c, k->class);
	put_names(b, c, k, CHANGE_CHANGED);
	put_names(b, c, k, CHANGE_NEW);
	put_names(b, c, k, CHANGE_GONE);
}

static struct str text_of(const struct changes *c, struct arena *a)
{
	struct strbuf b = { .arena = a };

	put_edition(&b, "old", c->old);
	put_edition(&b, "new", c->now);
	if (c->nothing) {
		strbuf_add(&b, c->inputs_known
				   ? STR("Nothing changed.\n")
				   : STR("Nothing changed, as far as the data tell.\n"));
		return strbuf_str(&b);
	}
	put_inputs(&b, c);
	put_settings(&b, c, false);
	put_settings(&b, c, true);
	put_program(&b, c);
	for (size_t i = 0; i < c->nclasses; i++)
		put_class(&b, c, &c->classes[i]);
	strbuf_add(&b, STR("\nMoves are of performance per USD, whatever the other cards did; "
			   "parts compound to the "
			   "total.\n"));
	return strbuf_str(&b);
}

static void json_rank(struct strbuf *b, const char *key, const struct change_card *card)
{
	json_out_number(b, key, card && card->rank ? (double)card->rank : NAN);
}

static void json_edition(struct strbuf *b, const char *key, const struct change_edition *e)
{
	json_out_begin(b, key, '{');
	json_out_text(b, "folder", e->name);
	json_out_known(b, "name", change_setting(e, STR("name")));
	json_out_text(b, "date", date_iso(b->arena, e->date));
	json_out_text(b, "reference", change_setting(e, STR("reference")));
	json_out_known(b, "program", e->program);
	json_out_end(b, '{');
}

static void json_inputs(struct strbuf *b, const struct changes *c)
{
	json_out_bool(b, "inputs_known", c->inputs_known);
	json_out_begin(b, "inputs", '[');
	for (size_t i = 0; i < c->ninputs; i++) {
		json_out_begin(b, NULL, '{');
		json_out_text(b, "path", c->inputs[i].path);
		json_out_text(b, "group", c->inputs[i].group);
		json_out_text(b, "change", change_input_kind_name(c->inputs[i].kind));
		json_out_end(b, '{');
	}
	json_out_end(b, '[');
}

/* The settings, or the results among them. */
static void json_settings(struct strbuf *b, const struct changes *c, const char *key, bool results)
{
	json_out_begin(b, key, '[');
	for (size_t i = 0; i < c->nsettings; i++) {
		if (c->settings[i].result != results)
			continue;
		json_out_begin(b, NULL, '{');
		json_out_text(b, "key", c->settings[i].key);
		json_out_known(b, "old", c->settings[i].old);
		json_out_known(b, "new", c->settings[i].now);
		json_out_end(b, '{');
	}
	json_out_end(b, '[');
}

static void json_classes(struct strbuf *b, const struct changes *c)
{
	json_out_begin(b, "classes", '[');
	for (size_t i = 0; i < c->nclasses; i++) {
		const struct change_class *k = &c->classes[i];

		json_out_begin(b, NULL, '{');
		json_out_text(b, "class", k->class);
		json_out_known(b, "unit", k->unit);
		json_out_text(b, "note", k->note);
		for (int s = 0; s < CHANGE_STATUS_COUNT; s++)
			json_out_number(b,
					str_c(b->arena, change_status_name((enum change_status)s)),
					(double)k->count[s]);
		json_out_end(b, '{');
	}
	json_out_end(b, '[');
}

static void json_change(struct strbuf *b, const struct change *m)
{
	json_out_begin(b, NULL, '{');
	json_out_text(b, "device", m->device);
	json_out_text(b, "class", m->class);
	json_out_text(b, "status", change_status_name(m->status));
	json_rank(b, "old_rank", m->old);
	json_rank(b, "new_rank", m->now);
	json_out_number(b, "total_pct", change_percent(m->total));
	json_out_number(b, "from_price_pct", change_percent(m->price));
	json_out_number(b, "from_data_pct", change_percent(m->data));
	json_out_number(b, "from_method_pct", change_percent(m->method));
	json_out_number(b, "old_score", m->old ? m->old->score : NAN);
	json_out_number(b, "new_score", m->now ? m->now->score : NAN);
	json_out_number(b, "old_cost_usd", m->old ? m->old->cost_usd : NAN);
	json_out_number(b, "new_cost_usd", m->now ? m->now->cost_usd : NAN);
	json_out_text(b, "reason", m->reason);
	json_out_end(b, '{');
}

static struct str json_of(const struct changes *c, struct arena *a)
{
	struct strbuf b = { .arena = a };

	json_out_begin(&b, NULL, '{');
	json_edition(&b, "old", c->old);
	json_edition(&b, "new", c->now);
	json_out_text(&b, "lens", c->now->lens);
	json_out_bool(&b, "nothing_changed", c->nothing);
	json_inputs(&b, c);
	json_settings(&b, c, "settings", false);
	json_settings(&b, c, "results", true);
	json_classes(&b, c);
	json_out_begin(&b, "changes", '[');
	for (size_t i = 0; i < c->n; i++)
		if (c->v[i].status != CHANGE_SAME)
			json_change(&b, &c->v[i]);
	json_out_end(&b, '[');
	json_out_end(&b, '{');
	strbuf_addc(&b, '\n');
	return strbuf_str(&b);
}

/* In the order of enum output_format. */
static struct str (*const formats[])(const struct changes *c, struct arena *a) = {
	[FORMAT_TEXT] = text_of,
	[FORMAT_CSV] = change_csv,
	[FORMAT_JSON] = json_of,
};

bool command_diff(const struct options *opt, struct arena *a, int *status, struct error *err)
{
	struct change_edition old, now;
	struct changes changes;
	struct str lens = opt->lens ? str_of(opt->lens) : lens_name(LENS_CARD);
	enum lens known;

	if (opt->npaths != 2)
		return error_set(err, ERR_USAGE, "diff: two edition folders are needed, not %zu",
				 opt->npaths);
	if (!lens_parse(lens, &known))
		return error_set(err, ERR_USAGE,
				 "--lens: '%s' is not card, system, system+power or cloud",
				 opt->lens);
	if (!change_read_edition(opt->paths[0], lens, a, &old, err)
	    || !change_read_edition(opt->paths[1], lens, a, &now, err))
		return false;
	change_compute(&old, &now, a, &changes);
	if (opt->class_name && !change_select(&changes, str_of(opt->class_name), err))
		return false;
	struct str out = formats[opt->format](&changes, a);
	if (fwrite(out.p, 1, out.len, stdout) != out.len)
		return error_errno(err, "standard output");
	*status = 0;
	return true;
}
