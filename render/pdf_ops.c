/* Page operators (ISO 32000-1, annex A) in plain text. libharu has a function for each, which
 * repeats colours and fonts that are set already and writes five decimals; its pages are three
 * times as long. */
#include "pdf_writer.h"

#include <math.h>
#include <string.h>

enum { LENGTH_DECIMALS = 2, SHARE_DECIMALS = 3 }; /* 0.01 pt; a 255th of a colour */

/* v is finite and within what a page can be; no exponent, no zeros at the end. */
static void put_number(struct strbuf *b, double v, int decimals)
{
	const double powers[] = { 1, 10, 100, 1000, 10000, 100000 };
	long long scaled = llround(v * powers[decimals]);
	char digits[24];
	size_t n = 0;

	if (scaled < 0) {
		strbuf_addc(b, '-');
		scaled = -scaled;
	}
	for (; decimals > 0 && scaled % 10 == 0; decimals--)
		scaled /= 10;
	do {
		digits[n++] = (char)('0' + scaled % 10);
		scaled /= 10;
		if (--decimals == 0)
			digits[n++] = '.';
	} while (scaled > 0 || decimals >= 0);
	while (n > 0)
		strbuf_addc(b, digits[--n]);
}

void pdf_writer_op(struct pdf_writer *w, const double *v, size_t n, const char *op)
{
	for (size_t i = 0; i < n; i++) {
		put_number(&w->ops, v[i], LENGTH_DECIMALS);
		strbuf_addc(&w->ops, ' ');
	}
	strbuf_add(&w->ops, str_of(op));
	strbuf_addc(&w->ops, '\n');
}

void pdf_writer_raw(struct pdf_writer *w, struct str operators)
{
	strbuf_add(&w->ops, operators);
}

static void put_colour(struct strbuf *b, struct colour c, const char *grey, const char *rgb)
{
	const double full = 255;

	put_number(b, c.r / full, SHARE_DECIMALS);
	if (c.r == c.g && c.g == c.b) {
		strbuf_printf(b, " %s\n", grey);
		return;
	}
	strbuf_addc(b, ' ');
	put_number(b, c.g / full, SHARE_DECIMALS);
	strbuf_addc(b, ' ');
	put_number(b, c.b / full, SHARE_DECIMALS);
	strbuf_printf(b, " %s\n", rgb);
}

static bool same_colour(struct colour a, struct colour b)
{
	return a.r == b.r && a.g == b.g && a.b == b.b;
}

void pdf_writer_fill(struct pdf_writer *w, struct colour c)
{
	if (same_colour(w->state.fill, c))
		return;
	put_colour(&w->ops, c, "g", "rg");
	w->state.fill = c;
}

void pdf_writer_stroke(struct pdf_writer *w, struct colour c, double width)
{
	if (!same_colour(w->state.stroke, c))
		put_colour(&w->ops, c, "G", "RG");
	w->state.stroke = c;
	if (w->state.line_width != width)
		pdf_writer_op(w, &width, 1, "w");
	w->state.line_width = width;
}

void pdf_writer_alpha(struct pdf_writer *w, double opacity)
{
	int step = (int)lround(opacity * PDF_ALPHA_STEPS);

	if (step == PDF_ALPHA_STEPS)
		return;
	if (!w->alphas[step]) {
		w->alphas[step] = HPDF_CreateExtGState(w->doc);
		HPDF_ExtGState_SetAlphaFill(w->alphas[step],
					    (HPDF_REAL)step / (HPDF_REAL)PDF_ALPHA_STEPS);
	}
	const char *name = HPDF_Page_GetExtGStateName(w->page, w->alphas[step]);
	if (name)
		strbuf_printf(&w->ops, "/%s gs\n", name);
}

struct pdf_state pdf_writer_save(struct pdf_writer *w)
{
	strbuf_add(&w->ops, STR("q\n"));
	return w->state;
}

void pdf_writer_restore(struct pdf_writer *w, struct pdf_state state)
{
	strbuf_add(&w->ops, STR("Q\n"));
	w->state = state;
}

/* A page starts with black, lines of 1 pt and no font (annex A of the standard). */
void pdf_writer_begin(struct pdf_writer *w, HPDF_Page page)
{
	w->page = page;
	w->ops.len = 0;
	w->state = (struct pdf_state){ .line_width = 1, .font = FONT_COUNT };
}

void pdf_writer_end(struct pdf_writer *w)
{
	HPDF_PageAttr attr = w->page->attr;

	if (w->ops.len > 0)
		HPDF_Stream_Write(attr->stream, (const HPDF_BYTE *)w->ops.p, (HPDF_UINT)w->ops.len);
}

/* ---- text ---- */

static void set_font(struct pdf_writer *w, enum font_id font, double size)
{
	if (w->state.font == font && w->state.size == size)
		return;
	w->state.font = font;
	w->state.size = size;
	const char *name = HPDF_Page_GetLocalFontName(w->page, w->fonts[font]);
	if (!name)
		return; /* the handler has been told */
	strbuf_printf(&w->ops, "/%s ", name);
	pdf_writer_op(w, &size, 1, "Tf");
}

/* Character codes are Unicode values of two bytes: all text is in the BMP. */
static void put_text(struct strbuf *b, struct str text, bool spaced)
{
	static const char hex[] = "0123456789ABCDEF";

	strbuf_addc(b, '<');
	for (size_t at = 0; at < text.len;) {
		unsigned c = str_next_utf8(text, &at);
		for (int shift = 12; shift >= 0; shift -= 4)
			strbuf_addc(b, hex[c >> shift & 0xF]);
	}
	strbuf_add(b, spaced ? STR("0020> Tj\n") : STR("> Tj\n"));
}

/* A font without a bold face is drawn with its outline stroked as well. */
static void show_run(struct pdf_writer *w, const struct pdf_run *run, double size, bool spaced)
{
	const double outline = 0.022; /* em */

	pdf_writer_fill(w, run->colour);
	if (run->embolden)
		pdf_writer_stroke(w, run->colour, size * outline);
	if (w->state.outlined != run->embolden)
		pdf_writer_raw(w, run->embolden ? STR("2 Tr\n") : STR("0 Tr\n"));
	w->state.outlined = run->embolden;
	set_font(w, run->font, size);
	put_text(&w->ops, run->text, spaced);
}

/* The text matrix of a place and direction: sines need more decimals, places of words fewer. */
static void put_matrix(struct pdf_writer *w, double c, double s, double x, double y)
{
	const struct {
		double v;
		int decimals;
	} numbers[] = { { c, 5 }, { s, 5 }, { -s, 5 }, { c, 5 }, { x, 1 }, { y, 1 } };

	for (size_t i = 0; i < LEN(numbers); i++) {
		put_number(&w->ops, numbers[i].v, numbers[i].decimals);
		strbuf_addc(&w->ops, ' ');
	}
	pdf_writer_raw(w, STR("Tm\n"));
}

void pdf_writer_line(struct pdf_writer *w, const struct pdf_line *line, double x, double y,
		     double angle_deg, double scale)
{
	const double radians = acos(-1) / 180;
	double c = cos(angle_deg * radians), s = sin(angle_deg * radians);

	if (line->n == 0)
		return;
	pdf_writer_raw(w, STR("BT\n"));
	for (size_t i = 0; i < line->n; i++) {
		const struct pdf_run *run = &line->runs[i];

		put_matrix(w, c, s, x + run->x * scale * c, y + run->x * scale * s);
		show_run(w, run, run->size * scale, line->spaced && i + 1 == line->n);
	}
	pdf_writer_raw(w, STR("ET\n"));
}
