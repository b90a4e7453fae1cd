#include "pdf_writer.h"
#include "../base/file.h"

#include <stdint.h>
#include <string.h>
#include <unistd.h>

enum { BMP = 0x10000, BFCHARS_MAX = 100 /* in one block, by the CMap format */ };

struct charset {
	unsigned char has[BMP];
	unsigned *v; /* ascending */
	size_t n;
};

/* ---- which characters each font must have ---- */

static void collect_line(struct charset *sets, const struct pdf_line *line)
{
	for (size_t i = 0; i < line->n; i++) {
		const struct pdf_run *run = &line->runs[i];

		for (size_t at = 0; at < run->text.len;)
			sets[run->font].has[str_next_utf8(run->text, &at) % BMP] = 1;
	}
	if (line->spaced && line->n > 0)
		sets[line->runs[line->n - 1].font].has[' '] = 1;
}

static void collect_page(struct charset *sets, const struct pdf_page *page)
{
	for (size_t i = 0; i < page->nitems; i++) {
		const struct pdf_item *item = &page->items[i];

		if (item->kind == PDF_TEXT)
			collect_line(sets, &item->line);
		else if (item->kind == PDF_FIGURE)
			for (size_t s = 0; s < item->drawing->n; s++)
				collect_line(sets, &item->labels[s]);
	}
}

static struct charset *collect(const struct pdf_layout *l, struct arena *a)
{
	struct charset *sets = arena_array(a, FONT_COUNT, sizeof *sets);

	for (size_t p = 0; p < l->npages; p++)
		collect_page(sets, &l->pages[p]);
	for (size_t f = 0; f < FONT_COUNT; f++) {
		sets[f].v = arena_array(a, BMP, sizeof *sets[f].v);
		for (unsigned c = 0; c < BMP; c++)
			if (sets[f].has[c])
				sets[f].v[sets[f].n++] = c;
	}
	return sets;
}

/* ---- ToUnicode ---- */

/* libharu's own CMap has cid ranges where bf entries belong (poppler warns, some viewers copy
 * garbage). Its character codes are the Unicode values, so every entry maps to itself. */
static struct str to_unicode(const struct charset *set, struct arena *a)
{
	struct strbuf b = { .arena = a };

	strbuf_add(&b,
		   STR("/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
		       "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n"
		       "/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n"
		       "1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n"));
	for (size_t at = 0; at < set->n; at += BFCHARS_MAX) {
		size_t n = set->n - at < BFCHARS_MAX ? set->n - at : BFCHARS_MAX;

		strbuf_printf(&b, "%zu beginbfchar\n", n);
		for (size_t i = at; i < at + n; i++)
			strbuf_printf(&b, "<%04X> <%04X>\n", set->v[i], set->v[i]);
		strbuf_add(&b, STR("endbfchar\n"));
	}
	strbuf_add(&b, STR("endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n"));
	return strbuf_str(&b);
}

static void set_to_unicode(struct pdf_writer *w, HPDF_Font font, const struct charset *set)
{
	struct str text = to_unicode(set, w->arena);
	HPDF_Dict dict = HPDF_DictStream_New(w->doc->mmgr, w->doc->xref);

	if (!dict)
		return; /* the handler has been told */
	HPDF_Stream_Write(dict->stream, (const HPDF_BYTE *)text.p, (HPDF_UINT)text.len);
	dict->filter = HPDF_STREAM_FILTER_FLATE_DECODE;
	HPDF_Dict_Add(font, "ToUnicode", dict);
}

/* libharu drops the parts of composite glyphs that are composites themselves. The face holds only
 * what the report needs, so all of it is marked as used. */
static void keep_all_glyphs(HPDF_Font font)
{
	HPDF_FontAttr attr = font->attr;
	HPDF_TTFontDefAttr def = attr->fontdef->attr;

	memset(def->glyph_tbl.flgs, 1, def->num_glyphs);
}

/* ---- loading ---- */

static bool load(struct pdf_writer *w, const struct font_set *fonts, enum font_id id,
		 const struct charset *set, const char *path, struct error *err)
{
	struct str face;

	if (!font_subset(fonts, id, set->v, set->n, w->arena, &face, err)
	    || !file_write(path, face, err))
		return false;
	const char *name = HPDF_LoadTTFontFromFile(w->doc, path, HPDF_TRUE);
	/* The library keeps the file open and reads outlines while saving; its name can go now. */
	if (unlink(path) != 0)
		return error_errno(err, path);
	if (name)
		w->fonts[id] = HPDF_GetFont(w->doc, name, "UTF-8");
	if (!pdf_writer_ok(w, err))
		return false;
	keep_all_glyphs(w->fonts[id]);
	set_to_unicode(w, w->fonts[id], set);
	return pdf_writer_ok(w, err);
}

bool pdf_font_load(struct pdf_writer *w, const struct pdf_layout *l, const char *tmp_dir,
		   struct error *err)
{
	struct charset *sets = collect(l, w->arena);

	w->fault.stage = "fonts";
	HPDF_UseUTFEncodings(w->doc);
	for (int id = 0; id < FONT_COUNT; id++) {
		if (sets[id].n == 0)
			continue;
		struct str name = str_printf(w->arena, "%s/font-%d.ttf", tmp_dir, id);
		if (!load(w, l->fonts, (enum font_id)id, &sets[id], str_c(w->arena, name), err))
			return false;
	}
	return true;
}
