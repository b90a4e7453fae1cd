/* What fits where: the memory that each network needs, the sizes of cards that hold it, and which
 * cards those are. */
#include "build.h"
#include "figure_chapter.h"
#include "format.h"

#include <math.h>

enum { WIDTHS = 4, SIZES_MAX = 40, CARDS_SHOWN = 8 };

/* Widths of numbers, the widest first; several precisions share one. */
static const struct {
	const char *precision;
	int bits;
} widths_of[] = {
	{ "fp32", 32 }, { "tf32", 32 }, { "fp16", 16 }, { "bf16", 16 }, { "amp", 16 },
	{ "int8", 8 },  { "fp8", 8 },   { "int4", 4 },  { "fp4", 4 },
};
static const int widths[WIDTHS] = { 32, 16, 8, 4 };

/* WIDTHS for a precision that is none of these. */
static size_t width_of(struct str precision)
{
	for (size_t i = 0; i < LEN(widths_of); i++)
		for (size_t w = 0; w < WIDTHS; w++)
			if (str_eq(precision, str_of(widths_of[i].precision))
			    && widths[w] == widths_of[i].bits)
				return w;
	return WIDTHS;
}

/* One network in one mode: a row of the tables. fits: [width][size], empty where not known. */
struct need {
	const struct data_memory *first;
	double needed_gb[WIDTHS]; /* NAN where not on record */
	struct str fits[WIDTHS][SIZES_MAX];
};

struct matrix {
	struct need *v;
	size_t n;
	double sizes[SIZES_MAX]; /* memory of the edition's cards, ascending */
	size_t nsizes;
	struct name_set cards[SIZES_MAX];
};

static size_t size_index(const struct matrix *m, double gb)
{
	size_t at = 0;

	while (at < m->nsizes && m->sizes[at] < gb)
		at++;
	return at;
}

static void find_sizes(struct build *b, struct matrix *m)
{
	for (size_t i = 0; i < b->data->nmemory; i++) {
		double gb = b->data->memory[i].memory_gb;
		size_t at = size_index(m, gb);
		if (!(gb > 0) || (at < m->nsizes && !(m->sizes[at] > gb)) || m->nsizes == SIZES_MAX)
			continue;
		for (size_t k = m->nsizes++; k > at; k--)
			m->sizes[k] = m->sizes[k - 1];
		m->sizes[at] = gb;
	}
}

static struct need *need_of(struct build *b, struct matrix *m, struct map *index,
			    const struct data_memory *r)
{
	struct str key = str_printf(b->arena, STR_FMT "\n" STR_FMT "\n%d", STR_ARG(r->workload),
				    STR_ARG(r->mode), r->batch_size);
	bool fresh;
	size_t at = *map_put(index, key, m->n, &fresh);

	if (fresh) {
		m->v[m->n] = (struct need){ .first = r };
		for (size_t w = 0; w < WIDTHS; w++)
			m->v[m->n].needed_gb[w] = NAN;
		m->n++;
	}
	return &m->v[at];
}

static struct matrix gather(struct build *b)
{
	const struct report_data *d = b->data;
	struct matrix m = { .v = arena_array(b->arena, d->nmemory, sizeof *m.v) };
	struct map index = { .arena = b->arena };

	find_sizes(b, &m);
	for (size_t i = 0; i < d->nmemory; i++) {
		const struct data_memory *r = &d->memory[i];
		size_t w = width_of(r->precision), s = size_index(&m, r->memory_gb);
		struct need *need = w < WIDTHS ? need_of(b, &m, &index, r) : NULL;
		if (need && isnan(need->needed_gb[w]))
			need->needed_gb[w] = r->needed_gb;
		if (!(r->memory_gb > 0) || s == m.nsizes)
			continue;
		name_add(b, &m.cards[s], r->device);
		if (need)
			need->fits[w][s] = r->fits;
	}
	return m;
}

/* ---- needs ---- */

static bool width_used(const struct matrix *m, size_t w)
{
	for (size_t i = 0; i < m->n; i++)
		if (!isnan(m->v[i].needed_gb[w]))
			return true;
	return false;
}

static struct str bits(struct build *b, size_t w)
{
	return build_str(
	    b, "memory.bits",
	    (struct text_arg[]){ text_arg_int("n", widths[w], b->arena), text_arg_end() });
}

static const struct build_column network_columns[] = {
	{ "column.network", false, true, 1.6 },
	{ "column.mode", false, false, 1.3 },
	{ "column.batch", true, false, 0.6 },
};

static void network_cells(struct build *b, const struct need *n, struct report_cell *cells)
{
	cells[0].text = n->first->workload;
	cells[1].text = build_word(b, "mode", n->first->mode);
	cells[2].text = format_count(b->arena, n->first->batch_size);
}

static struct report_cell need_cell(struct build *b, const struct need *n, size_t w)
{
	struct report_cell cell = { .text = format_amount(b->arena, n->needed_gb[w]) };

	/* somebody's word has no batch: it is not computed from one */
	if (n->first->batch_size >= 0 || cell.text.len == 0)
		return cell;
	cell.text = build_str(b, "memory.stated",
			      (struct text_arg[]){ text_arg("gb", cell.text), text_arg_end() });
	cell.tone = TONE_MUTED;
	return cell;
}

static void needs_table(struct build *b, const struct matrix *m)
{
	struct report_table *t = build_table(b, "table-memory", "memory.needs", NULL,
					     network_columns, LEN(network_columns));
	size_t used[WIDTHS], nused = 0;

	for (size_t w = 0; w < WIDTHS; w++) {
		if (!width_used(m, w))
			continue;
		used[nused++] = w;
		build_add_column(
		    b, t,
		    (struct report_column){ .title = bits(b, w), .numeric = true, .weight = 0.8 });
	}
	for (size_t i = 0; i < m->n; i++) {
		struct report_cell *cells = report_table_row(t, b->arena);
		network_cells(b, &m->v[i], cells);
		for (size_t k = 0; k < nused; k++)
			cells[LEN(network_columns) + k] = need_cell(b, &m->v[i], used[k]);
	}
	t->folded = true;
	build_add_table(b, t, "data/memory.csv");
}

/* ---- the fit matrix ---- */

/* The widest numbers with which the network fits a card of this size; WIDTHS: none known to. */
static size_t widest_fit(const struct need *n, size_t size)
{
	for (size_t w = 0; w < WIDTHS; w++)
		if (str_eq(n->fits[w][size], STR("yes")))
			return w;
	return WIDTHS;
}

/* Whether anybody said that it does not fit; else nothing is known. */
static bool is_refused(const struct need *n, size_t size)
{
	for (size_t w = 0; w < WIDTHS; w++)
		if (str_eq(n->fits[w][size], STR("no")))
			return true;
	return false;
}

static bool same_column(const struct matrix *m, size_t a, size_t b)
{
	for (size_t i = 0; i < m->n; i++)
		if (widest_fit(&m->v[i], a) != widest_fit(&m->v[i], b)
		    || is_refused(&m->v[i], a) != is_refused(&m->v[i], b))
			return false;
	return true;
}

/* Neighbouring sizes that hold the same work make one column; from[k] is the first size of it and
 * from[n] the number of sizes. */
static size_t group_sizes(const struct matrix *m, size_t *from)
{
	size_t n = 0;

	for (size_t s = 0; s < m->nsizes; s++)
		if (s == 0 || !same_column(m, s - 1, s))
			from[n++] = s;
	from[n] = m->nsizes;
	return n;
}

static struct str size_title(struct build *b, const struct matrix *m, size_t from, size_t to)
{
	struct str low = format_amount(b->arena, m->sizes[from]);
	struct str high = format_amount(b->arena, m->sizes[to - 1]);
	struct str gb =
	    from + 1 == to ? low
			   : str_printf(b->arena, STR_FMT "–" STR_FMT, STR_ARG(low), STR_ARG(high));

	return build_str(b, "memory.gb", (struct text_arg[]){ text_arg("gb", gb), text_arg_end() });
}

static struct report_cell fit_cell(struct build *b, const struct need *n, size_t size)
{
	size_t w = widest_fit(n, size);

	if (w < WIDTHS)
		return (struct report_cell){ .text = format_count(b->arena, widths[w]),
					     .tone = w == 0 ? TONE_STRONG : TONE_PLAIN };
	return is_refused(n, size) ? (struct report_cell){ .text = build_str(b, "word.no", NULL),
							   .tone = TONE_MUTED }
				   : (struct report_cell){ .tone = TONE_MUTED };
}

static void fit_table(struct build *b, const struct matrix *m, const size_t *from, size_t n)
{
	struct report_table *t =
	    build_table(b, "table-fit", "memory.fit", NULL, network_columns, LEN(network_columns));

	for (size_t k = 0; k < n; k++)
		build_add_column(
		    b, t,
		    (struct report_column){ .title = size_title(b, m, from[k], from[k + 1]),
					    .numeric = true,
					    .weight = 0.5 });
	for (size_t i = 0; i < m->n; i++) {
		struct report_cell *cells = report_table_row(t, b->arena);
		network_cells(b, &m->v[i], cells);
		for (size_t k = 0; k < n; k++)
			cells[LEN(network_columns) + k] = fit_cell(b, &m->v[i], from[k]);
	}
	build_add_table(b, t, "data/memory.csv");
}

static const struct build_column card_columns[] = {
	{ "column.memory", true, true, 0.6 },
	{ "column.number_of_cards", true, false, 0.5 },
	{ "column.cards_named", false, false, 5 },
};

static void cards_table(struct build *b, const struct matrix *m)
{
	struct report_table *t = build_table(b, "table-memory-cards", "memory.cards", NULL,
					     card_columns, LEN(card_columns));

	for (size_t s = 0; s < m->nsizes; s++) {
		struct report_cell *cells = report_table_row(t, b->arena);
		cells[0].text = size_title(b, m, s, s + 1);
		cells[1].text = format_count(b->arena, (long)m->cards[s].n);
		cells[2].text = name_list(b, &m->cards[s], CARDS_SHOWN);
	}
	build_add_table(b, t, "data/memory.csv");
}

void numbers_memory(struct build *b)
{
	if (b->data->nmemory == 0)
		return;
	struct matrix m = gather(b);
	needs_table(b, &m);
}

void chapter_memory(struct build *b)
{
	size_t from[SIZES_MAX + 1];

	if (b->data->nmemory == 0)
		return;
	struct matrix m = gather(b);
	size_t n = group_sizes(&m, from);
	build_heading(b, 2, "memory", "memory.title", NULL);
	build_text(b, "memory.about", NULL);
	figure_fit(b);
	fit_table(b, &m, from, n);
	figure_memory_price(b);
	cards_table(b, &m);
	memory_trace(b);
}
