#include "pdf_writer.h"

#include <string.h>

/* Left edge, the place's height, zoom kept: libharu's own setter refuses zoom 0, so by hand. */
static HPDF_Destination destination(struct pdf_writer *w, const struct pdf_place *at)
{
	const double above = 8; /* pt of white left over the target */
	HPDF_Destination d = HPDF_Page_CreateDestination(w->pages[at->page]);

	if (!d)
		return NULL;
	HPDF_Array_Clear(d);
	HPDF_Array_Add(d, w->pages[at->page]);
	HPDF_Array_AddName(d, "XYZ");
	HPDF_Array_AddReal(d, 0);
	HPDF_Array_AddReal(d, (HPDF_REAL)(w->height - at->y + above));
	HPDF_Array_Add(d, HPDF_Null_New(w->doc->mmgr));
	return d;
}

/* A URI is ASCII (RFC 3986): what is not, and what could end a string, is percent-encoded. */
static const char *uri_text(struct str href, struct arena *a)
{
	enum { URI_MAX = 2000 }; /* PDF strings end at 65,535; browsers long before */
	struct strbuf b = { .arena = a };

	for (size_t i = 0; i < href.len && i < URI_MAX; i++) {
		unsigned char c = (unsigned char)href.p[i];

		if (c <= 0x20 || c >= 0x7F || strchr("<>\"{}|\\^`", c))
			strbuf_printf(&b, "%%%02X", c);
		else
			strbuf_addc(&b, (char)c);
	}
	return str_c(a, strbuf_str(&b));
}

static HPDF_Annotation emit_link(struct pdf_writer *w, const struct pdf_link *link)
{
	const struct pdf_layout *l = w->layout;
	HPDF_Annotation note = NULL;
	HPDF_Rect rect = { .left = (HPDF_REAL)link->x,
			   .bottom = (HPDF_REAL)(w->height - link->y - link->height),
			   .right = (HPDF_REAL)(link->x + link->width),
			   .top = (HPDF_REAL)(w->height - link->y) };

	if (str_starts(link->href, STR("#"))) {
		const size_t *place =
		    map_get(&l->anchors, str_slice(link->href, 1, link->href.len));
		if (place)
			note = HPDF_Page_CreateLinkAnnot(w->page, rect,
							 destination(w, &l->places[*place]));
	} else {
		note = HPDF_Page_CreateURILinkAnnot(w->page, rect, uri_text(link->href, w->arena));
	}
	if (!note)
		return NULL;
	HPDF_LinkAnnot_SetBorderStyle(note, 0, 0, 0);
	if (link->text.len > 0)
		HPDF_Dict_Add(note, "Contents", pdf_writer_text(w, link->text));
	return note;
}

void pdf_link_emit(struct pdf_writer *w)
{
	const struct pdf_page *page = &w->layout->pages[w->page_no];
	HPDF_Annotation *notes = arena_array(w->arena, page->nlinks, sizeof(HPDF_Annotation));

	for (size_t i = 0; i < page->nlinks; i++)
		notes[i] = emit_link(w, &page->links[i]);
	w->notes[w->page_no] = notes;
}

void pdf_link_bookmarks(struct pdf_writer *w)
{
	const struct pdf_layout *l = w->layout;
	HPDF_Encoder encoder = HPDF_GetEncoder(w->doc, "UTF-8");
	HPDF_Outline chapter = NULL;

	w->fault.stage = "bookmarks";
	for (size_t i = 0; i < l->nbookmarks; i++) {
		const struct pdf_bookmark *b = &l->bookmarks[i];
		bool top = b->level <= 2;
		HPDF_Outline line =
		    HPDF_CreateOutline(w->doc, top ? NULL : chapter, b->title.p, encoder);

		HPDF_Outline_SetDestination(line, destination(w, &b->at));
		HPDF_Outline_SetOpened(line, HPDF_FALSE);
		if (top)
			chapter = line;
	}
}
