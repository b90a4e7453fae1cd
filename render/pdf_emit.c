#include "pdf_emit.h"
#include "pdf_drawing.h"
#include "pdf_writer.h"

/* ---- the writer ---- */

static void on_error(HPDF_STATUS code, HPDF_STATUS detail, void *user)
{
	struct pdf_fault *fault = user;

	if (fault->code != 0)
		return;
	fault->code = code;
	fault->detail = detail;
	fault->at = fault->stage;
}

bool pdf_writer_ok(const struct pdf_writer *w, struct error *err)
{
	if (w->fault.code == 0)
		return true;
	return error_set(err, ERR_ENVIRONMENT, "PDF library: error 0x%04lX (detail %lu) in %s",
			 w->fault.code, w->fault.detail, w->fault.at);
}

HPDF_String pdf_writer_text(struct pdf_writer *w, struct str text)
{
	HPDF_Encoder encoder = HPDF_GetEncoder(w->doc, "UTF-8");

	return HPDF_String_New(w->doc->mmgr, str_c(w->arena, text), encoder);
}

/* ---- pages ---- */

/* Each part of a line in marked content of its own, numbered one after the other. */
static void emit_line(struct pdf_writer *w, const struct pdf_item *item)
{
	const struct pdf_line *line = &item->line;
	int mark = item->mark;

	for (size_t at = 0, to; at < line->n; at = to) {
		to = pdf_page_part(line, at);
		pdf_tags_mark(w, mark);
		const struct pdf_line part = { .runs = line->runs + at,
					       .n = to - at,
					       .spaced = line->spaced && to == line->n };
		pdf_writer_line(w, &part, item->x, w->height - item->y, 0, 1);
		mark += mark >= 0;
	}
}

static void emit_item(struct pdf_writer *w, const struct pdf_item *item)
{
	switch (item->kind) {
	case PDF_TEXT:
		emit_line(w, item);
		break;
	case PDF_BOX:
		pdf_tags_mark(w, item->mark);
		pdf_writer_fill(w, item->colour);
		pdf_writer_op(w,
			      (const double[]){ item->x, w->height - item->y - item->height,
						item->width, item->height },
			      4, "re");
		pdf_writer_raw(w, STR("f\n"));
		break;
	case PDF_FIGURE:
		pdf_tags_mark(w, item->mark);
		pdf_drawing_emit(w, item);
		break;
	}
}

static bool emit_pages(struct pdf_writer *w, struct error *err)
{
	const struct pdf_layout *l = w->layout;

	for (w->page_no = 0; w->page_no < l->npages; w->page_no++) {
		const struct pdf_page *page = &l->pages[w->page_no];

		w->fault.stage = str_printf(w->arena, "page %zu", w->page_no + 1).p;
		pdf_writer_begin(w, w->pages[w->page_no]);
		for (size_t i = 0; i < page->nitems; i++)
			emit_item(w, &page->items[i]);
		pdf_tags_mark(w, PDF_UNMARKED);
		pdf_writer_end(w);
		pdf_link_emit(w);
		if (!pdf_writer_ok(w, err))
			return false;
	}
	return true;
}

/* All pages first, since links lead forwards. */
static void add_pages(struct pdf_writer *w)
{
	enum { PAGES_A_NODE = 64 };
	const struct pdf_layout *l = w->layout;

	w->fault.stage = "pages";
	w->pages = arena_array(w->arena, l->npages, sizeof(HPDF_Page));
	w->notes = arena_array(w->arena, l->npages, sizeof(HPDF_Annotation *));
	HPDF_SetPagesConfiguration(w->doc, PAGES_A_NODE);
	for (size_t p = 0; p < l->npages; p++) {
		w->pages[p] = HPDF_AddPage(w->doc);
		HPDF_Page_SetWidth(w->pages[p], (HPDF_REAL)l->paper->width);
		HPDF_Page_SetHeight(w->pages[p], (HPDF_REAL)l->paper->height);
	}
}

/* ---- saving ---- */

/* To memory: saving to a file reports no error when the disk is full. */
static bool save(struct pdf_writer *w, struct str *out, struct error *err)
{
	w->fault.stage = "saving";
	HPDF_SaveToStream(w->doc);
	if (!pdf_writer_ok(w, err))
		return false;
	HPDF_UINT32 size = HPDF_GetStreamSize(w->doc), got = 0;
	HPDF_BYTE *data = arena_alloc(w->arena, size);
	HPDF_ResetStream(w->doc);
	while (got < size) {
		HPDF_UINT32 n = size - got;
		HPDF_STATUS status = HPDF_ReadFromStream(w->doc, data + got, &n);

		got += n;
		if (n == 0 || (status != HPDF_OK && status != HPDF_STREAM_EOF))
			break;
	}
	if (got != size)
		return error_set(err, ERR_ENVIRONMENT, "PDF library: %lu of %lu bytes came back",
				 (unsigned long)got, (unsigned long)size);
	*out = (struct str){ (const char *)data, size };
	return true;
}

static bool emit(struct pdf_writer *w, const char *tmp_dir, struct str *out, struct error *err)
{
	HPDF_SetCompressionMode(w->doc, HPDF_COMP_ALL);
	if (!pdf_font_load(w, w->layout, tmp_dir, err))
		return false;
	pdf_meta_set(w);
	add_pages(w);
	if (!pdf_writer_ok(w, err) || !emit_pages(w, err))
		return false;
	pdf_link_bookmarks(w);
	pdf_tags_emit(w);
	if (w->layout->attached.n > 0)
		pdf_attach_emit(w, &w->layout->attached);
	return pdf_writer_ok(w, err) && save(w, out, err);
}

bool pdf_emit(const struct pdf_layout *l, const char *tmp_dir, struct str *out, struct error *err)
{
	struct pdf_writer w = { .arena = l->arena,
				.layout = l,
				.height = l->paper->height,
				.ops = { .arena = l->arena },
				.mark = PDF_UNMARKED,
				.fault = { .stage = "start" } };

	w.doc = HPDF_New(on_error, &w.fault);
	if (!w.doc)
		return error_set(err, ERR_ENVIRONMENT, "PDF library: cannot be started");
	bool ok = emit(&w, tmp_dir, out, err);
	HPDF_Free(w.doc);
	return ok;
}
