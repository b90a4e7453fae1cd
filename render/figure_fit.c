/* Which network fits which size of memory, and with how wide numbers. */
#include "figure_cells.h"
#include "figure_chapter.h"
#include "format.h"

#include <math.h>

enum { SIZES_MAX = 24, WIDTHS = 4 };

/* Widths of numbers, the widest first, and how their cells look. */
static const struct {
	struct str bits;
	enum cell_kind kind;
	size_t look;
} widths[WIDTHS] = {
	{ STR_INIT("32"), CELL_THICK, 2 },
	{ STR_INIT("16"), CELL_TINTED, 0 },
	{ STR_INIT("8"), CELL_TINTED, 1 },
	{ STR_INIT("4"), CELL_DASHED, 5 },
};

static const struct {
	const char *precision;
	size_t width;
} precisions[] = {
	{ "fp32", 0 }, { "tf32", 0 }, { "fp16", 1 }, { "bf16", 1 }, { "amp", 1 },
	{ "int8", 2 }, { "fp8", 2 },  { "int4", 3 }, { "fp4", 3 },
};

/* A network in one mode. fits: bit w where it fits with widths[w]; known: where that was said. */
struct need {
	const struct data_memory *first;
	unsigned fits[SIZES_MAX], known[SIZES_MAX];
};

struct fit {
	double sizes[SIZES_MAX]; /* ascending */
	size_t nsizes;
	struct need *v;
	size_t n;
};

static size_t width_of(struct str precision)
{
	for (size_t i = 0; i < LEN(precisions); i++)
		if (str_eq(precision, str_of(precisions[i].precision)))
			return precisions[i].width;
	return WIDTHS;
}

static size_t size_at(const struct fit *f, double gb)
{
	size_t at = 0;

	while (at < f->nsizes && f->sizes[at] < gb)
		at++;
	return at;
}

static void size_add(struct fit *f, double gb)
{
	size_t at = size_at(f, gb);

	if (!(gb > 0) || (at < f->nsizes && !(f->sizes[at] > gb)) || f->nsizes == SIZES_MAX)
		return;
	for (size_t k = f->nsizes++; k > at; k--)
		f->sizes[k] = f->sizes[k - 1];
	f->sizes[at] = gb;
}

static bool same_need(const struct data_memory *a, const struct data_memory *b)
{
	return str_eq(a->workload, b->workload) && str_eq(a->mode, b->mode)
	       && a->batch_size == b->batch_size;
}

static struct need *need_of(struct fit *f, const struct data_memory *m)
{
	for (size_t i = f->n; i-- > 0;) /* the newest first: rows of one network stand together */
		if (same_need(f->v[i].first, m))
			return &f->v[i];
	f->v[f->n] = (struct need){ .first = m };
	return &f->v[f->n++];
}

static void gather(struct build *b, struct fit *f)
{
	const struct report_data *d = b->data;

	for (size_t i = 0; i < d->nmemory; i++)
		size_add(f, d->memory[i].memory_gb);
	f->v = arena_array(b->arena, d->nmemory, sizeof *f->v);
	for (size_t i = 0; i < d->nmemory; i++) {
		const struct data_memory *m = &d->memory[i];
		size_t w = width_of(m->precision), s = size_at(f, m->memory_gb);

		if (w == WIDTHS || !(m->memory_gb > 0) || s == f->nsizes
		    || f->sizes[s] > m->memory_gb)
			continue;
		struct need *need = need_of(f, m);
		need->known[s] |= m->fits.len > 0 ? 1u << w : 0;
		need->fits[s] |= str_eq(m->fits, STR("yes")) ? 1u << w : 0;
	}
}

/* The widest numbers that fit; WIDTHS: none. */
static size_t widest(const struct need *n, size_t size)
{
	for (size_t w = 0; w < WIDTHS; w++)
		if (n->fits[size] & 1u << w)
			return w;
	return WIDTHS;
}

static struct figure_cell cell_of(const struct need *n, size_t size)
{
	size_t w = widest(n, size);

	if (w < WIDTHS)
		return (struct figure_cell){ widths[w].kind, widths[w].look, widths[w].bits };
	/* said to be too small, or nobody said anything */
	return (struct figure_cell){ CELL_EMPTY, LOOK_NONE,
				     n->known[size] ? STR("\xC3\x97") : STR("") };
}

static struct str need_label(struct build *b, const struct data_memory *m)
{
	if (m->batch_size < 0)
		return m->workload;
	return figure_word(b, "fit", "row", (struct text_arg[]){
		text_arg("network", m->workload), text_arg_int("batch", m->batch_size, b->arena),
		text_arg_end() });
}

/* Rows mode by mode, in the order in which the modes come. */
static void rows_make(struct build *b, const struct fit *f, struct figure_cells *out)
{
	struct cells_row *rows = arena_array(b->arena, 2 * f->n, sizeof *rows);
	struct name_set modes = { .n = 0 };
	size_t n = 0;

	for (size_t i = 0; i < f->n; i++)
		name_add(b, &modes, f->v[i].first->mode);
	for (size_t k = 0; k < modes.n; k++) {
		rows[n++].label = build_word(b, "mode", modes.v[k]);
		for (size_t i = 0; i < f->n; i++) {
			struct figure_cell *cells;

			if (!str_eq(f->v[i].first->mode, modes.v[k]))
				continue;
			cells = arena_array(b->arena, f->nsizes, sizeof *cells);
			for (size_t s = 0; s < f->nsizes; s++)
				cells[s] = cell_of(&f->v[i], s);
			rows[n++] = (struct cells_row){ need_label(b, f->v[i].first), cells };
		}
	}
	out->rows = rows;
	out->nrows = n;
}

static void heads_make(struct build *b, const struct fit *f, struct figure_cells *out)
{
	struct str *columns = arena_array(b->arena, f->nsizes, sizeof *columns);
	struct cell_key *keys = arena_array(b->arena, WIDTHS + 1, sizeof *keys);

	for (size_t s = 0; s < f->nsizes; s++)
		columns[s] = format_amount(b->arena, f->sizes[s]);
	for (size_t w = 0; w < WIDTHS; w++)
		keys[w] = (struct cell_key){ { widths[w].kind, widths[w].look, widths[w].bits },
					     build_str(b, "memory.bits", (struct text_arg[]){
						 text_arg("n", widths[w].bits), text_arg_end() }) };
	keys[WIDTHS] = (struct cell_key){ { CELL_EMPTY, LOOK_NONE, STR("\xC3\x97") },
					  figure_word(b, "fit", "none", NULL) };
	out->columns = columns;
	out->ncolumns = f->nsizes;
	out->column_title = figure_word(b, "fit", "x", NULL);
	out->keys = keys;
	out->nkeys = WIDTHS + 1;
}

/* How many networks of the training modes fit a size in any width. */
static long fitting(const struct fit *f, size_t size)
{
	long n = 0;

	for (size_t i = 0; i < f->n; i++)
		n += f->v[i].fits[size] != 0;
	return n;
}

/* The smallest size that holds all that any size holds, or nsizes. */
static size_t enough(const struct fit *f)
{
	for (size_t s = 0; s < f->nsizes; s++)
		if (fitting(f, s) == fitting(f, f->nsizes - 1))
			return s;
	return f->nsizes;
}

void figure_fit(struct build *b)
{
	struct figure_cells *cells = arena_alloc(b->arena, sizeof *cells);
	struct fit *f = arena_alloc(b->arena, sizeof *f);

	gather(b, f);
	if (f->n == 0)
		return;
	rows_make(b, f, cells);
	heads_make(b, f, cells);

	size_t half = f->nsizes / 2, all = enough(f);
	const struct text_arg args[] = {
		text_arg_int("n", (long)f->n, b->arena),
		text_arg("least", format_amount(b->arena, f->sizes[0])),
		text_arg_int("least_n", fitting(f, 0), b->arena),
		text_arg("middle", format_amount(b->arena, f->sizes[half])),
		text_arg_int("middle_n", fitting(f, half), b->arena),
		text_arg("all", format_amount(b->arena, f->sizes[all])),
		text_arg_int("all_n", fitting(f, all), b->arena),
		text_arg_end(),
	};
	figure_add(b, "fit", "data/memory.csv", args, figure_cells_draw, cells);
}
