/* Who rose and who fell since the edition before, among the best of either. */
#include "figure_chapter.h"
#include "figure_slope.h"
#include "format.h"

enum { BEST = 12, COLUMNS = 2 };

static bool is_among_best(const struct data_change *c)
{
	return (c->old_rank > 0 && c->old_rank <= BEST) || (c->new_rank > 0 && c->new_rank <= BEST);
}

/* *moves: whether any of them has another rank now; a panel of level lines would say nothing. */
static struct slope_panel panel_of(struct build *b, struct str class_text, bool *moves)
{
	const struct report_data *d = b->data;
	struct slope_item *items = arena_array(b->arena, d->nchanges, sizeof *items);
	size_t n = 0;

	*moves = false;
	for (size_t i = 0; i < d->nchanges; i++) {
		const struct data_change *c = &d->changes[i];
		if (!str_eq(c->class_text, class_text) || !is_among_best(c))
			continue;
		items[n++] = (struct slope_item){ c->device, c->old_rank > 0 ? c->old_rank : 0,
						  c->new_rank > 0 ? c->new_rank : 0 };
		*moves = *moves || c->old_rank != c->new_rank;
	}
	return (struct slope_panel){ build_class_title(b, class_text), items, n };
}

struct totals {
	long rose, fell, same, fresh, gone;
	const struct data_change *most; /* moved by the most places */
};

static int places(const struct data_change *c)
{
	return c->old_rank > c->new_rank ? c->old_rank - c->new_rank : c->new_rank - c->old_rank;
}

static struct totals count(const struct report_data *d)
{
	struct totals t = { .most = NULL };

	for (size_t i = 0; i < d->nchanges; i++) {
		const struct data_change *c = &d->changes[i];
		if (!is_among_best(c))
			continue;
		if (c->old_rank <= 0 || c->new_rank <= 0) {
			t.fresh += c->old_rank <= 0;
			t.gone += c->new_rank <= 0;
			continue;
		}
		t.rose += c->new_rank < c->old_rank;
		t.fell += c->new_rank > c->old_rank;
		t.same += c->new_rank == c->old_rank;
		if (!t.most || places(c) > places(t.most))
			t.most = c;
	}
	return t;
}

static void legend(struct build *b, struct figure_slope *f)
{
	struct figure_key *keys = arena_array(b->arena, 2, sizeof *keys);

	keys[0] = (struct figure_key){ KEY_LINE, 0, figure_word(b, "changes", "up", NULL) };
	keys[1] = (struct figure_key){ KEY_DASHES, 4, figure_word(b, "changes", "down", NULL) };
	f->keys = keys;
	f->nkeys = 2;
}

void figure_changes(struct build *b)
{
	struct figure_slope *f = arena_alloc(b->arena, sizeof *f);
	struct slope_panel *panels = arena_array(b->arena, b->data->nclasses, sizeof *panels);
	struct totals t = count(b->data);
	size_t classes = 0;
	bool moves;

	for (size_t c = 0; c < b->data->nclasses; c++) {
		struct slope_panel p = panel_of(b, class_name(b->data->classes[c]), &moves);
		classes += p.n > 0;
		if (moves)
			panels[f->npanels++] = p;
	}
	if (f->npanels == 0 || !t.most) /* all new or gone: lines of one end each */
		return;
	f->panels = panels;
	f->columns = f->npanels > 1 ? COLUMNS : 1;
	f->before_title = figure_word(b, "changes", "before", NULL);
	f->after_title = figure_word(b, "changes", "after", NULL);
	legend(b, f);
	const struct text_arg args[] = {
		text_arg_int("best", BEST, b->arena),
		text_arg_int("classes", (long)classes, b->arena),
		text_arg_int("rose", t.rose, b->arena),
		text_arg_int("fell", t.fell, b->arena),
		text_arg_int("same", t.same, b->arena),
		text_arg_int("fresh", t.fresh, b->arena),
		text_arg_int("gone", t.gone, b->arena),
		text_arg("device", t.most->device),
		text_arg("class", build_class_title(b, t.most->class_text)),
		text_arg_int("from", t.most->old_rank, b->arena),
		text_arg_int("to", t.most->new_rank, b->arena),
		text_arg_end(),
	};
	figure_add(b, "changes", "data/changes.csv", args, figure_slope_draw, f);
}
