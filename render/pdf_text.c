#include "pdf_text.h"
#include "pdf_look.h"

#include <linebreak.h>
#include <math.h>
#include <string.h>

/* One drawn character, with what line breaking needs to know of it. */
struct glyph {
	unsigned c;
	enum font_id font;
	bool embolden;
	bool soft_break; /* U+200B follows */
	bool newline;    /* verbatim only: ends the line, is not drawn */
	bool may_end;    /* a line may end behind it */
	double size, width;
	const struct span *span;
};

struct glyphs {
	struct glyph *v;
	size_t n, cap;
};

/* Chinese punctuation that must not start a line, or end one (GB/T 15834, CLREQ); stricter than
 * Unicode's rules, which let a line start with a dash or an ellipsis. */
static const unsigned no_start[] = {
	0x3001, 0x3002, 0xFF0C, 0xFF0E, 0xFF1A, 0xFF1B, 0xFF01, 0xFF1F, 0x3009,
	0x300B, 0x300D, 0x300F, 0x3011, 0x3015, 0x3017, 0xFF09, 0xFF3D, 0xFF5D,
	0xFF05, 0x2019, 0x201D, 0x2026, 0x00B7, 0x30FB, 0x2014, ')',    ']',
	'}',    ',',    '.',    ':',    ';',    '!',    '?',    '%',
};
static const unsigned no_end[] = {
	0x3008, 0x300A, 0x300C, 0x300E, 0x3010, 0x3014, 0x3016, 0xFF08, 0xFF3B,
	0xFF5B, 0x2018, 0x201C, 0xFFE5, '(',    '[',    '{',    '$',
};

/* Full-width signs whose right half is blank: at the end of a line that half may stand in the
 * margin. */
static const unsigned hanging[] = {
	0x3001, 0x3002, 0xFF0C, 0xFF0E, 0xFF1A, 0xFF1B, 0x3009, 0x300B, 0x300D,
	0x300F, 0x3011, 0x3015, 0x3017, 0xFF09, 0xFF3D, 0xFF5D, 0x2019, 0x201D,
};

/* After these a word may break, or is best cut when it is wider than the line. */
static const unsigned word_breaks[] = { '-', 0x2010, 0x2013, 0x2014, '/' };
static const unsigned cut_points[] = { '-', '/', '_', '.', ',', '=', '&', '?', ':', ';' };

static bool among(const unsigned *set, size_t n, unsigned c)
{
	for (size_t i = 0; i < n; i++)
		if (set[i] == c)
			return true;
	return false;
}

static bool is_digit(unsigned c)
{
	return c >= '0' && c <= '9';
}

static bool is_word(unsigned c)
{
	return is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c >= 0xC0;
}

/* Ideographs, kana, their punctuation and full-width forms: lines may break between any two. */
static bool is_cjk(unsigned c)
{
	return (c >= 0x2E80 && c <= 0xD7FF) || (c >= 0xF900 && c <= 0xFAFF)
	       || (c >= 0xFE30 && c <= 0xFE4F) || (c >= 0xFF00 && c <= 0xFFEF);
}

static bool is_blank(unsigned c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

static void add_utf8(struct strbuf *b, unsigned c)
{
	if (c < 0x80) {
		strbuf_addc(b, (char)c);
	} else if (c < 0x800) {
		strbuf_addc(b, (char)(0xC0 | c >> 6));
		strbuf_addc(b, (char)(0x80 | (c & 0x3F)));
	} else {
		strbuf_addc(b, (char)(0xE0 | c >> 12));
		strbuf_addc(b, (char)(0x80 | (c >> 6 & 0x3F)));
		strbuf_addc(b, (char)(0x80 | (c & 0x3F)));
	}
}

/* ---- text to glyphs ---- */

static enum font_id span_font(const struct span *span, const struct pdf_style *style)
{
	if (span->code)
		return FONT_MONO;
	return span->strong && style->font == FONT_REGULAR ? FONT_BOLD : style->font;
}

static void add_glyph(struct font_set *fonts, struct arena *a, const struct pdf_style *style,
		      const struct span *span, unsigned c, struct glyphs *out)
{
	enum font_id wanted = span_font(span, style);
	struct glyph g = { .span = span, .size = style->size };

	if (c == 0x200B && out->n > 0)
		out->v[out->n - 1].soft_break = true;
	g.c = font_resolve(fonts, wanted, c, &g.font);
	if (g.c == 0)
		return;
	g.embolden = wanted == FONT_BOLD && g.font != FONT_BOLD;
	if (span->code && style->font != FONT_MONO)
		g.size *= PDF_CODE_SCALE;
	g.width = g.size * font_char_width(fonts, g.font, g.c);
	out->v = arena_grow(a, out->v, &out->cap, out->n + 1, sizeof *out->v);
	out->v[out->n++] = g;
}

static void add_newline(struct arena *a, const struct span *span, struct glyphs *out)
{
	out->v = arena_grow(a, out->v, &out->cap, out->n + 1, sizeof *out->v);
	out->v[out->n++] = (struct glyph){ .span = span, .newline = true };
}

static void add_verbatim(struct font_set *fonts, struct arena *a, const struct pdf_style *style,
			 const struct span *span, unsigned c, struct glyphs *out)
{
	enum { TAB_COLUMNS = 4 };

	if (c == '\n')
		add_newline(a, span, out);
	else if (c == '\t')
		for (int i = 0; i < TAB_COLUMNS; i++)
			add_glyph(fonts, a, style, span, ' ', out);
	else if (c != '\r')
		add_glyph(fonts, a, style, span, c, out);
}

/* Runs of blanks become one, also across spans; those at both ends go. */
static void add_flowing(struct font_set *fonts, struct arena *a, const struct pdf_style *style,
			const struct span *span, unsigned c, struct glyphs *out)
{
	if (is_blank(c) && (out->n == 0 || out->v[out->n - 1].c == ' '))
		return;
	add_glyph(fonts, a, style, span, is_blank(c) ? ' ' : c, out);
}

/* Quotation marks, dashes and ellipses have one code for Latin and Chinese text; beside Chinese
 * characters they are as wide as those. `side`: of the sign, where its neighbour decides. */
static const struct shared_sign {
	unsigned c;
	int side; /* -1 before, 1 behind, 0 either */
} shared_signs[] = {
	{ 0x2018, 1 }, { 0x201C, 1 }, { 0x2019, -1 }, { 0x201D, -1 }, { 0x2014, 0 }, { 0x2026, 0 },
};

static bool is_cjk_at(const struct glyphs *g, size_t i)
{
	return i < g->n && (is_cjk(g->v[i].c) || g->v[i].font == FONT_CJK);
}

static bool is_chinese_sign(const struct glyphs *g, size_t i)
{
	for (size_t k = 0; k < LEN(shared_signs); k++) {
		const struct shared_sign *s = &shared_signs[k];

		if (s->c == g->v[i].c)
			return (s->side <= 0 && i > 0 && is_cjk_at(g, i - 1))
			       || (s->side >= 0 && is_cjk_at(g, i + 1));
	}
	return false;
}

static void widen_signs(const struct font_set *fonts, struct glyphs *g)
{
	for (size_t i = 0; i < g->n; i++) {
		struct glyph *v = &g->v[i];
		enum font_id font;

		if (v->font == FONT_CJK || !is_chinese_sign(g, i)
		    || !font_for_char(fonts, FONT_CJK, v->c, &font) || font != FONT_CJK)
			continue;
		v->embolden = v->font == FONT_BOLD;
		v->font = FONT_CJK;
		v->width = v->size * font_char_width(fonts, FONT_CJK, v->c);
	}
}

static struct glyphs glyphs_of(struct font_set *fonts, const struct spans *text,
			       const struct pdf_style *style, struct arena *a)
{
	struct glyphs out = { 0 };

	for (size_t i = 0; i < text->n; i++) {
		const struct span *span = &text->v[i];

		for (size_t at = 0; at < span->text.len;) {
			unsigned c = str_next_utf8(span->text, &at);
			if (style->verbatim)
				add_verbatim(fonts, a, style, span, c, &out);
			else
				add_flowing(fonts, a, style, span, c, &out);
		}
	}
	if (!style->verbatim && out.n > 0 && out.v[out.n - 1].c == ' ')
		out.n--;
	widen_signs(fonts, &out);
	return out;
}

/* ---- where lines break ---- */

/* "GPU-hours", "images/second", but not "2019-04", "-5" or "img/s". */
static bool breaks_word(const struct glyphs *g, size_t i)
{
	if (!among(word_breaks, LEN(word_breaks), g->v[i].c))
		return false;
	if (i == 0 || i + 2 >= g->n || !is_word(g->v[i - 1].c))
		return false;
	if (is_digit(g->v[i - 1].c) && is_digit(g->v[i + 1].c))
		return false;
	return is_word(g->v[i + 1].c) && is_word(g->v[i + 2].c);
}

/* What Unicode's rules allow is too much for names of cards and numbers ("0.85-1.20", "img/s"), and
 * for Chinese too little is forbidden. */
static bool may_break(const struct glyphs *g, size_t i, char allowed)
{
	unsigned c = g->v[i].c, next = g->v[i + 1].c;

	if (g->v[i].soft_break || c == ' ' || next == ' ' || g->v[i + 1].newline)
		return true;
	if (allowed != LINEBREAK_ALLOWBREAK)
		return false;
	if (is_cjk(c) || is_cjk(next))
		return !among(no_end, LEN(no_end), c) && !among(no_start, LEN(no_start), next);
	return breaks_word(g, i);
}

/* Unicode line breaking (UAX 14), and our own rules on top. */
static void find_breaks(struct glyphs *g, struct arena *a)
{
	utf32_t *text = arena_array(a, g->n, sizeof *text);
	char *allowed = arena_array(a, g->n, sizeof *allowed);
	bool chinese = false;

	if (g->n == 0)
		return;
	for (size_t i = 0; i < g->n; i++) {
		text[i] = g->v[i].newline ? '\n' : g->v[i].c;
		chinese = chinese || is_cjk(text[i]);
	}
	/* the language says which quotation marks open */
	set_linebreaks_utf32(text, g->n, chinese ? "zh" : "en", allowed);
	for (size_t i = 0; i + 1 < g->n; i++)
		g->v[i].may_end = may_break(g, i, allowed[i]);
	g->v[g->n - 1].may_end = true;
}

/* How far a sign may reach over the line's end. */
static double overhang(const struct glyph *g)
{
	const double wide = 0.9; /* em; some fonts have narrow quotation marks */
	bool blank_half =
	    g->font == FONT_CJK && g->width >= wide * g->size && among(hanging, LEN(hanging), g->c);

	return g->may_end && blank_half ? g->width / 2 : 0;
}

/* The word [from, fit) is too wide: it is cut behind the last cut point of its second half, or
 * where it is full; at least one glyph goes. */
static size_t cut_word(const struct glyphs *g, size_t from, size_t fit)
{
	for (size_t i = fit; i > from + (fit - from) / 2 && i > from + 1; i--)
		if (among(cut_points, LEN(cut_points), g->v[i - 1].c))
			return i;
	return fit > from ? fit : from + 1;
}

/* End of the line that starts at `from`: behind its last glyph, a blank at its end included. */
static size_t line_end(const struct glyphs *g, size_t from, double width)
{
	const double slack = 1e-6; /* rounding in sums of advances */
	double used = 0;
	size_t last = from;

	for (size_t i = from; i < g->n; i++) {
		if (g->v[i].newline)
			return i;
		used += g->v[i].width;
		if (used - overhang(&g->v[i]) > width + slack && g->v[i].c != ' ')
			return last > from ? last : cut_word(g, from, i);
		if (g->v[i].may_end)
			last = i + 1;
	}
	return g->n;
}

/* ---- glyphs to runs ---- */

bool pdf_text_is_link(struct str href)
{
	return str_starts(href, STR("https://")) || str_starts(href, STR("http://"))
	       || str_starts(href, STR("mailto:")) || str_starts(href, STR("#"));
}

static bool same_run(const struct glyph *a, const struct glyph *b)
{
	return a->span == b->span && a->font == b->font && a->embolden == b->embolden;
}

static struct pdf_run run_of(const struct glyph *g, size_t n, const struct pdf_style *style,
			     double x, struct arena *a)
{
	struct strbuf text = { .arena = a };
	bool link = pdf_text_is_link(g->span->href);
	struct pdf_run run = { .font = g->font,
			       .embolden = g->embolden,
			       .size = g->size,
			       .x = x,
			       .colour = link ? pdf_link_ink : style->colour,
			       .href = link ? g->span->href : (struct str){ 0 },
			       .lang = g->span->lang };

	for (size_t i = 0; i < n; i++) {
		add_utf8(&text, g[i].c);
		run.width += g[i].width;
	}
	run.text = str_dup(a, strbuf_str(&text));
	return run;
}

static struct pdf_line line_of(const struct glyphs *g, size_t from, size_t to,
			       const struct pdf_style *style, struct arena *a)
{
	struct pdf_line line = { 0 };

	while (!style->verbatim && to > from && g->v[to - 1].c == ' ')
		to--;
	for (size_t i = from, end; i < to; i = end) {
		for (end = i + 1; end < to && same_run(&g->v[i], &g->v[end]); end++)
			;
		line.runs = arena_grow(a, line.runs, &line.cap, line.n + 1, sizeof *line.runs);
		line.runs[line.n] = run_of(&g->v[i], end - i, style, line.width, a);
		line.width += line.runs[line.n++].width;
	}
	return line;
}

void pdf_text_break(struct font_set *fonts, const struct spans *text, const struct pdf_style *style,
		    double width, struct arena *a, struct pdf_lines *out)
{
	struct glyphs g = glyphs_of(fonts, text, style, a);

	find_breaks(&g, a);
	*out = (struct pdf_lines){ 0 };
	for (size_t at = 0; at < g.n;) {
		size_t end = line_end(&g, at, width);
		out->v = arena_grow(a, out->v, &out->cap, out->n + 1, sizeof *out->v);
		out->v[out->n] = line_of(&g, at, end, style, a);
		out->v[out->n++].spaced = !style->verbatim && end < g.n && g.v[end - 1].c == ' ';
		at = end < g.n && g.v[end].newline ? end + 1 : end;
		/* The blank that a line was broken at may stand first on the next. */
		while (!style->verbatim && at < g.n && g.v[at].c == ' ')
			at++;
	}
}

/* On two lines; the blank at the break stands on neither. */
static double halved_width(const struct glyphs *g, double whole)
{
	double best = whole, used = 0;

	for (size_t i = 0; i + 1 < g->n; i++) {
		double before = used;

		used += g->v[i].width;
		if (g->v[i].may_end)
			best = fmin(best, fmax(g->v[i].c == ' ' ? before : used, whole - used));
	}
	return best;
}

struct pdf_extent pdf_text_measure(struct font_set *fonts, const struct spans *text,
				   const struct pdf_style *style, struct arena *a)
{
	struct glyphs g = glyphs_of(fonts, text, style, a);
	const double together = 4; /* em: fewer Chinese characters a line are hard to read */
	struct pdf_extent e = { 0 };
	double word = 0;
	bool chinese = false;

	find_breaks(&g, a);
	for (size_t i = 0; i < g.n; i++) {
		e.whole += g.v[i].width;
		if (g.v[i].c != ' ')
			word += g.v[i].width;
		e.longest_word = fmax(e.longest_word, word);
		chinese = chinese || is_cjk(g.v[i].c);
		if (g.v[i].may_end)
			word = 0;
	}
	if (chinese)
		e.longest_word = fmax(e.longest_word, fmin(e.whole, together * style->size));
	e.halved = fmax(e.longest_word, halved_width(&g, e.whole));
	return e;
}

struct spans pdf_text_spans(struct str text, struct str href, struct arena *a)
{
	struct span *span = arena_alloc(a, sizeof *span);

	*span = (struct span){ .text = text, .href = href };
	return (struct spans){ span, 1, 1 };
}

struct pdf_line pdf_text_line(struct font_set *fonts, struct str text,
			      const struct pdf_style *style, struct arena *a)
{
	struct spans spans = pdf_text_spans(text, (struct str){ 0 }, a);
	struct pdf_lines lines;

	pdf_text_break(fonts, &spans, style, INFINITY, a, &lines);
	return lines.n > 0 ? lines.v[0] : (struct pdf_line){ 0 };
}

struct str pdf_text_plain(struct font_set *fonts, const struct spans *text, struct arena *a)
{
	struct pdf_style style = { .font = FONT_REGULAR, .size = 1 };
	struct glyphs g = glyphs_of(fonts, text, &style, a);
	struct strbuf buf = { .arena = a };

	for (size_t i = 0; i < g.n; i++)
		add_utf8(&buf, g.v[i].c);
	return str_dup(a, strbuf_str(&buf));
}
