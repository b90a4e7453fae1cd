/* The guide's claims, a tile each under their verdict. */
#include "figure_cells.h"
#include "figure_chapter.h"

/* The verdicts in the order of the figure, and how their tiles look. */
static const struct {
	const char *verdict, *key;
	enum cell_kind kind;
	size_t look;
} verdicts[] = {
	{ "reproduced", "reproduced", CELL_TINTED, 2 },
	{ "not-reproduced", "not_reproduced", CELL_THICK, 4 },
	{ "not-testable", "not_testable", CELL_DASHED, LOOK_NONE },
};

static struct tile_group group_of(struct build *b, size_t verdict)
{
	const struct report_data *d = b->data;
	struct figure_cell *tiles = arena_array(b->arena, d->nclaims, sizeof *tiles);
	size_t n = 0;

	for (size_t i = 0; i < d->nclaims; i++)
		if (str_eq(d->claims[i].verdict, str_of(verdicts[verdict].verdict)))
			tiles[n++] = (struct figure_cell){ verdicts[verdict].kind,
							   verdicts[verdict].look,
							   d->claims[i].id };
	return (struct tile_group){
		.label = figure_word(b, "claims", verdicts[verdict].key,
				     (struct text_arg[]){ text_arg_int("n", (long)n, b->arena),
							  text_arg_end() }),
		.tiles = tiles,
		.n = n,
	};
}

void figure_claims(struct build *b)
{
	struct tile_group *groups = arena_array(b->arena, LEN(verdicts), sizeof *groups);
	struct figure_tiles *f = arena_alloc(b->arena, sizeof *f);
	long n[LEN(verdicts)];

	for (size_t k = 0; k < LEN(verdicts); k++) {
		struct tile_group g = group_of(b, k);
		n[k] = (long)g.n;
		if (g.n > 0)
			groups[f->ngroups++] = g;
	}
	f->groups = groups;
	if (f->ngroups == 0)
		return;
	const struct text_arg args[] = {
		text_arg_int("n", n[0] + n[1] + n[2], b->arena),
		text_arg_int("tested", n[0] + n[1], b->arena),
		text_arg_int("reproduced", n[0], b->arena),
		text_arg_int("not_reproduced", n[1], b->arena),
		text_arg_int("not_testable", n[2], b->arena),
		text_arg_end(),
	};
	figure_add(b, "claims", "data/claims.csv", args, figure_tiles_draw, f);
}
