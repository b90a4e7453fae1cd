#include "canvas.h"

#include "svg_tree.h"
#include "../base/num.h"

#include <math.h>

static struct canvas_block *block_of(struct canvas *cv, enum layer layer, const char *columns,
				     struct str clause)
{
	for (size_t i = 0; i < cv->n; i++)
		if (cv->blocks[i].layer == layer && str_eq(cv->blocks[i].clause, clause))
			return &cv->blocks[i];
	cv->blocks = arena_grow(cv->arena, cv->blocks, &cv->cap, cv->n + 1, sizeof *cv->blocks);

	struct canvas_block *b = &cv->blocks[cv->n++];

	*b = (struct canvas_block){
		.layer = layer, .columns = columns, .clause = clause, .rows = { .arena = cv->arena }
	};
	return b;
}

/* A hundredth of a unit is a fortieth of a printed pixel: places on the page keep two decimals. */
static double rounded(double v)
{
	return round(v * 100) / 100;
}

static void row_add(struct canvas *cv, struct canvas_block *b, const double *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		strbuf_add(&b->rows, num_shortest(cv->arena, v[i]));
		strbuf_addc(&b->rows, i + 1 < n ? '\t' : '\n');
	}
}

/* x on the value axis is kept as it is, so that the file shows the values. */
static double x_of(enum layer layer, double x)
{
	return layer < PLOT_FILL ? rounded(x) : x;
}

void canvas_box(struct canvas *cv, enum layer layer, struct str paint, double x0, double y0,
		double x1, double y1)
{
	struct str clause =
	    str_printf(cv->arena, "using 1:2:1:3:2:4 with boxxyerror " STR_FMT, STR_ARG(paint));

	row_add(cv, block_of(cv, layer, "x0 y0 x1 y1", clause),
		(double[]){ x_of(layer, x0), rounded(y0), x_of(layer, x1), rounded(y1) }, 4);
}

void canvas_line(struct canvas *cv, enum layer layer, struct str paint, double x0, double y0,
		 double x1, double y1)
{
	struct str clause = str_printf(
	    cv->arena, "using 1:2:($3-$1):($4-$2) with vectors nohead " STR_FMT, STR_ARG(paint));

	row_add(cv, block_of(cv, layer, "x0 y0 x1 y1", clause),
		(double[]){ x_of(layer, x0), rounded(y0), x_of(layer, x1), rounded(y1) }, 4);
}

void canvas_point(struct canvas *cv, enum layer layer, struct str paint, double x, double y)
{
	struct str clause = str_printf(cv->arena, "using 1:2 with points " STR_FMT, STR_ARG(paint));

	row_add(cv, block_of(cv, layer, "x y", clause), (double[]){ x_of(layer, x), rounded(y) },
		2);
}

/* A blank line parts the curves of a block. */
static void path_rows(struct canvas *cv, enum layer layer, struct str clause,
		      const struct canvas_xy *at, size_t n)
{
	struct canvas_block *b = block_of(cv, layer, "x y", clause);

	if (b->rows.len > 0)
		strbuf_addc(&b->rows, '\n');
	for (size_t i = 0; i < n; i++)
		row_add(cv, b, (double[]){ x_of(layer, at[i].x), rounded(at[i].y) }, 2);
}

void canvas_curve(struct canvas *cv, enum layer layer, struct str paint, const struct canvas_xy *at,
		  size_t n)
{
	if (n >= 2)
		path_rows(cv, layer,
			  str_printf(cv->arena, "using 1:2 with lines " STR_FMT, STR_ARG(paint)),
			  at, n);
}

void canvas_area(struct canvas *cv, enum layer layer, struct str paint, const struct canvas_xy *at,
		 size_t n)
{
	if (n >= 3)
		path_rows(cv, layer,
			  str_printf(cv->arena, "using 1:2 with filledcurves closed " STR_FMT,
				     STR_ARG(paint)),
			  at, n);
}

/* gnuplot takes a quote for the end of a field and a backslash for an escape, even in data files;
 * its own octal escapes carry both through unharmed. */
static void label_add(struct strbuf *b, struct str text)
{
	for (size_t i = 0; i < text.len; i++) {
		if (text.p[i] == '"')
			strbuf_add(b, STR("\\042"));
		else if (text.p[i] == '\\')
			strbuf_add(b, STR("\\134"));
		else
			strbuf_addc(b, text.p[i]);
	}
}

void canvas_text(struct canvas *cv, enum text_style style, enum text_anchor anchor, double x,
		 double y, struct str text)
{
	static const char *const sides[] = {
		[ANCHOR_START] = "left",
		[ANCHOR_MIDDLE] = "center",
		[ANCHOR_END] = "right",
	};
	const struct text_look *look = &chart_texts[style];

	if (text.len == 0)
		return;

	struct str clause =
	    str_printf(cv->arena,
		       "using 1:2:3 with labels %s noenhanced font 'Liberation Sans%s,%.2f' "
		       "textcolor rgb '%s'",
		       sides[anchor], look->bold ? ":Bold" : "", look->size, look->colour);
	struct canvas_block *b = block_of(cv, PAGE_TEXT, "x y text", clause);

	row_add(cv, b, (double[]){ rounded(x), rounded(y) }, 2);
	b->rows.p[b->rows.len - 1] = '\t'; /* the row goes on */
	label_add(&b->rows, text);
	strbuf_addc(&b->rows, '\n');
	b->texts = arena_grow(cv->arena, b->texts, &b->text_cap, b->ntexts + 1, sizeof *b->texts);
	b->texts[b->ntexts++] = text;
}

/* Blocks from `from` to `to`, in painting order; at: 0 at first. NULL behind the last. */
static const struct canvas_block *next_block(const struct canvas *cv, size_t *at)
{
	for (; *at < cv->n * LAYERS; (*at)++) {
		const struct canvas_block *b = &cv->blocks[*at % cv->n];

		if (b->layer == (enum layer)(*at / cv->n)) {
			(*at)++;
			return b;
		}
	}
	return NULL;
}

struct str canvas_data(const struct canvas *cv)
{
	struct strbuf out = { .arena = cv->arena };
	const struct canvas_block *b;

	for (size_t at = 0, i = 0; (b = next_block(cv, &at)); i++) {
		strbuf_printf(&out, "%s# block %zu: %s\n", i > 0 ? "\n\n" : "", i, b->columns);
		strbuf_add(&out, strbuf_str(&b->rows));
	}
	return strbuf_str(&out);
}

/* One plot command for the page's or the plot's layers; nothing when they are empty. */
static void plot_add(struct strbuf *out, const struct canvas *cv, bool plot, struct str data)
{
	const struct canvas_block *b;
	size_t clauses = 0;

	for (size_t at = 0, i = 0; (b = next_block(cv, &at)); i++) {
		if ((b->layer >= PLOT_FILL) != plot)
			continue;
		strbuf_add(out, clauses++ == 0 ? STR("plot ") : STR(", \\\n     "));
		strbuf_printf(out, "'" STR_FMT "' index %zu " STR_FMT, STR_ARG(data), i,
			      STR_ARG(b->clause));
	}
	if (clauses > 0)
		strbuf_addc(out, '\n');
}

/* All four margins in screen units: gnuplot's own guess at text widths would move the plot. */
static void view_add(struct strbuf *out, const struct canvas_view *v, double left, double right,
		     double top, double bottom)
{
	strbuf_printf(out, "set lmargin at screen %.8f\nset rmargin at screen %.8f\n",
		      left / v->width, right / v->width);
	strbuf_printf(out, "set tmargin at screen %.8f\nset bmargin at screen %.8f\n",
		      1 - top / v->height, 1 - bottom / v->height);
}

struct str canvas_script(const struct canvas *cv, const struct canvas_view *v, struct str data,
			 struct str output)
{
	struct strbuf out = { .arena = cv->arena };

	strbuf_printf(
	    &out,
	    "reset session\n"
	    "set encoding utf8\n"
	    "set terminal svg size %.0f,%.0f dynamic noenhanced font 'Liberation Sans,12'\n"
	    "set output '" STR_FMT "'\n"
	    "set datafile separator tab\n"
	    "set datafile commentschars '#'\n"
	    "unset key\nunset border\nunset tics\n"
	    "set multiplot\n",
	    v->width, v->height, STR_ARG(output));
	view_add(&out, v, 0, v->width, 0, v->height);
	strbuf_printf(&out, "set xrange [0:%.0f]\nset yrange [%.0f:0]\n", v->width, v->height);
	plot_add(&out, cv, false, data);
	view_add(&out, v, v->left, v->right, v->top, v->bottom);
	if (v->log)
		strbuf_add(&out, STR("set logscale x 10\n"));
	strbuf_printf(&out, "set xrange [" STR_FMT ":", STR_ARG(num_shortest(cv->arena, v->min)));
	strbuf_printf(&out, STR_FMT "]\n", STR_ARG(num_shortest(cv->arena, v->max)));
	strbuf_printf(&out, "set yrange [%.2f:%.2f]\n", v->bottom, v->top);
	plot_add(&out, cv, true, data);
	strbuf_add(&out, STR("unset multiplot\nunset output\n"));
	return strbuf_str(&out);
}

bool canvas_check(const struct canvas *cv, struct str svg, struct str *lost)
{
	const struct canvas_block *b;
	size_t from = 0;

	for (size_t at = 0; (b = next_block(cv, &at));) {
		for (size_t i = 0; i < b->ntexts; i++) {
			struct strbuf want = { .arena = cv->arena };

			strbuf_add(&want, STR("<text>"));
			svg_escape(&want, b->texts[i]);
			strbuf_add(&want, STR("</text>"));
			from = str_find(svg, strbuf_str(&want), from);
			if (from == svg.len) {
				*lost = b->texts[i];
				return false;
			}
			from += want.len;
		}
	}
	return true;
}
