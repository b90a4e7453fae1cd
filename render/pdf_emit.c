#include "pdf_emit.h"
#include "pdf_drawing.h"
#include "pdf_writer.h"
#include "../base/date.h"
#include "../base/file.h"

#include <math.h>
#include <string.h>

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

void pdf_writer_fill(struct pdf_writer *w, struct colour c)
{
	HPDF_Page_SetRGBFill(w->page, (HPDF_REAL)(c.r / 255.0), (HPDF_REAL)(c.g / 255.0),
			     (HPDF_REAL)(c.b / 255.0));
}

void pdf_writer_stroke(struct pdf_writer *w, struct colour c, double width)
{
	HPDF_Page_SetRGBStroke(w->page, (HPDF_REAL)(c.r / 255.0), (HPDF_REAL)(c.g / 255.0),
			       (HPDF_REAL)(c.b / 255.0));
	HPDF_Page_SetLineWidth(w->page, (HPDF_REAL)width);
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
	HPDF_Page_SetExtGState(w->page, w->alphas[step]);
}

/* A font without a bold face is drawn with its outline stroked as well. */
static void show_run(struct pdf_writer *w, const struct pdf_run *run, double size)
{
	const double outline = 0.022; /* em */

	pdf_writer_fill(w, run->colour);
	if (run->embolden)
		pdf_writer_stroke(w, run->colour, size * outline);
	HPDF_Page_SetTextRenderingMode(w->page, run->embolden ? HPDF_FILL_THEN_STROKE : HPDF_FILL);
	HPDF_Page_SetFontAndSize(w->page, w->fonts[run->font], (HPDF_REAL)size);
	HPDF_Page_ShowText(w->page, run->text.p);
}

void pdf_writer_line(struct pdf_writer *w, const struct pdf_line *line, double x, double y,
		     double angle_deg, double scale)
{
	const double radians = acos(-1) / 180;
	double c = cos(angle_deg * radians), s = sin(angle_deg * radians);

	if (line->n == 0)
		return;
	HPDF_Page_BeginText(w->page);
	for (size_t i = 0; i < line->n; i++) {
		const struct pdf_run *run = &line->runs[i];

		HPDF_Page_SetTextMatrix(w->page, (HPDF_REAL)c, (HPDF_REAL)s, (HPDF_REAL)-s,
					(HPDF_REAL)c, (HPDF_REAL)(x + run->x * scale * c),
					(HPDF_REAL)(y + run->x * scale * s));
		show_run(w, run, run->size * scale);
	}
	HPDF_Page_EndText(w->page);
}

/* ---- document ---- */

/* Seconds since 1970 as a UTC date; libharu would take the clock only if asked to. */
static HPDF_Date date_of(long long timestamp)
{
	const long long per_day = 86400;
	long long day = timestamp / per_day, rest = timestamp % per_day;
	HPDF_Date d = { .ind = '+' };

	if (rest < 0) {
		rest += per_day;
		day--;
	}
	date_ymd(date_of_day((int)day), &d.year, &d.month, &d.day);
	d.hour = (int)(rest / 3600);
	d.minutes = (int)(rest / 60 % 60);
	d.seconds = (int)(rest % 60);
	return d;
}

static struct str plain(const struct pdf_layout *l, struct str text)
{
	struct spans spans = pdf_text_spans(text, (struct str){ 0 }, l->arena);

	return pdf_text_plain(l->fonts, &spans, l->arena);
}

static void set_info(struct pdf_writer *w, const struct pdf_layout *l)
{
	const struct report *r = l->report;
	const struct {
		HPDF_InfoType type;
		struct str text;
	} texts[] = {
		{ HPDF_INFO_TITLE, r->title },
		{ HPDF_INFO_SUBJECT, r->subtitle },
		{ HPDF_INFO_CREATOR, r->generator },
		{ HPDF_INFO_KEYWORDS, r->edition_id },
	};
	HPDF_Date date = date_of(r->timestamp);

	HPDF_SetCurrentEncoder(w->doc, "UTF-8");
	for (size_t i = 0; i < LEN(texts); i++)
		if (texts[i].text.len > 0)
			HPDF_SetInfoAttr(w->doc, texts[i].type, plain(l, texts[i].text).p);
	HPDF_SetInfoDateAttr(w->doc, HPDF_INFO_CREATION_DATE, date);
	HPDF_SetInfoDateAttr(w->doc, HPDF_INFO_MOD_DATE, date);
}

static unsigned hex_digit(char c)
{
	return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

/* The trailer's /ID: twice the first 16 bytes of the edition id's SHA-256. */
static void set_id(struct pdf_writer *w, const struct report *r)
{
	enum { ID_BYTES = 16 };
	HPDF_BYTE id[ID_BYTES];
	struct str hex = file_sha256(w->arena, r->edition_id);
	HPDF_Array pair = HPDF_Array_New(w->doc->mmgr);

	for (size_t i = 0; i < ID_BYTES; i++)
		id[i] = (HPDF_BYTE)(hex_digit(hex.p[2 * i]) << 4 | hex_digit(hex.p[2 * i + 1]));
	HPDF_Dict_Add(w->doc->trailer, "ID", pair);
	for (int i = 0; i < 2; i++)
		HPDF_Array_Add(pair, HPDF_Binary_New(w->doc->mmgr, id, ID_BYTES));
}

static void set_catalog(struct pdf_writer *w, const struct pdf_layout *l)
{
	HPDF_Dict prefs = HPDF_Dict_New(w->doc->mmgr);
	struct str language = l->report->language.len > 0 ? l->report->language : STR("en");

	HPDF_Dict_Add(w->doc->catalog, "Lang",
		      HPDF_String_New(w->doc->mmgr, str_c(w->arena, language), NULL));
	HPDF_Dict_Add(w->doc->catalog, "ViewerPreferences", prefs);
	HPDF_Dict_AddBoolean(prefs, "DisplayDocTitle", HPDF_TRUE);
	HPDF_AddPageLabel(w->doc, 0, HPDF_PAGE_NUM_STYLE_DECIMAL, 1, "");
	if (l->nbookmarks > 0)
		HPDF_SetPageMode(w->doc, HPDF_PAGE_MODE_USE_OUTLINE);
}

/* ---- links and bookmarks ---- */

/* Left edge, the place's height, zoom kept: libharu's own setter refuses zoom 0, so by hand. */
static HPDF_Destination destination(struct pdf_writer *w, const HPDF_Page *pages,
				    const struct pdf_place *at)
{
	const double above = 8; /* pt of white left over the target */
	HPDF_Destination d = HPDF_Page_CreateDestination(pages[at->page]);

	if (!d)
		return NULL;
	HPDF_Array_Clear(d);
	HPDF_Array_Add(d, pages[at->page]);
	HPDF_Array_AddName(d, "XYZ");
	HPDF_Array_AddReal(d, 0);
	HPDF_Array_AddReal(d, (HPDF_REAL)(PDF_HEIGHT - at->y + above));
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

static void emit_link(struct pdf_writer *w, const struct pdf_layout *l, const HPDF_Page *pages,
		      const struct pdf_link *link)
{
	HPDF_Annotation note = NULL;
	HPDF_Rect rect = { .left = (HPDF_REAL)link->x,
			   .bottom = (HPDF_REAL)(PDF_HEIGHT - link->y - link->height),
			   .right = (HPDF_REAL)(link->x + link->width),
			   .top = (HPDF_REAL)(PDF_HEIGHT - link->y) };

	if (str_starts(link->href, STR("#"))) {
		const size_t *place =
		    map_get(&l->anchors, str_slice(link->href, 1, link->href.len));
		if (place)
			note = HPDF_Page_CreateLinkAnnot(w->page, rect,
							 destination(w, pages, &l->places[*place]));
	} else {
		note = HPDF_Page_CreateURILinkAnnot(w->page, rect, uri_text(link->href, w->arena));
	}
	if (note)
		HPDF_LinkAnnot_SetBorderStyle(note, 0, 0, 0);
}

static bool emit_bookmarks(struct pdf_writer *w, const struct pdf_layout *l, const HPDF_Page *pages,
			   struct error *err)
{
	HPDF_Encoder encoder = HPDF_GetEncoder(w->doc, "UTF-8");
	HPDF_Outline chapter = NULL;

	w->fault.stage = "bookmarks";
	for (size_t i = 0; i < l->nbookmarks; i++) {
		const struct pdf_bookmark *b = &l->bookmarks[i];
		bool top = b->level <= 2;
		HPDF_Outline line =
		    HPDF_CreateOutline(w->doc, top ? NULL : chapter, b->title.p, encoder);

		HPDF_Outline_SetDestination(line, destination(w, pages, &b->at));
		HPDF_Outline_SetOpened(line, HPDF_FALSE);
		if (top)
			chapter = line;
	}
	return pdf_writer_ok(w, err);
}

/* ---- pages ---- */

static void emit_item(struct pdf_writer *w, const struct pdf_item *item)
{
	switch (item->kind) {
	case PDF_TEXT:
		pdf_writer_line(w, &item->line, item->x, PDF_HEIGHT - item->y, 0, 1);
		break;
	case PDF_BOX:
		pdf_writer_fill(w, item->colour);
		HPDF_Page_Rectangle(w->page, (HPDF_REAL)item->x,
				    (HPDF_REAL)(PDF_HEIGHT - item->y - item->height),
				    (HPDF_REAL)item->width, (HPDF_REAL)item->height);
		HPDF_Page_Fill(w->page);
		break;
	case PDF_FIGURE:
		pdf_drawing_emit(w, item);
		break;
	}
}

static bool emit_pages(struct pdf_writer *w, const struct pdf_layout *l, const HPDF_Page *pages,
		       struct error *err)
{
	for (size_t p = 0; p < l->npages; p++) {
		w->fault.stage = str_printf(w->arena, "page %zu", p + 1).p;
		w->page = pages[p];
		for (size_t i = 0; i < l->pages[p].nitems; i++)
			emit_item(w, &l->pages[p].items[i]);
		for (size_t i = 0; i < l->pages[p].nlinks; i++)
			emit_link(w, l, pages, &l->pages[p].links[i]);
		if (!pdf_writer_ok(w, err))
			return false;
	}
	return true;
}

/* All pages first, since links lead forwards. */
static HPDF_Page *add_pages(struct pdf_writer *w, const struct pdf_layout *l)
{
	enum { PAGES_A_NODE = 64 };
	HPDF_Page *pages = arena_array(w->arena, l->npages, sizeof(HPDF_Page));

	w->fault.stage = "pages";
	HPDF_SetPagesConfiguration(w->doc, PAGES_A_NODE);
	for (size_t p = 0; p < l->npages; p++) {
		pages[p] = HPDF_AddPage(w->doc);
		HPDF_Page_SetWidth(pages[p], (HPDF_REAL)PDF_WIDTH);
		HPDF_Page_SetHeight(pages[p], (HPDF_REAL)PDF_HEIGHT);
	}
	return pages;
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

static bool emit(struct pdf_writer *w, const struct pdf_layout *l, const char *tmp_dir,
		 struct str *out, struct error *err)
{
	HPDF_SetCompressionMode(w->doc, HPDF_COMP_ALL);
	if (!pdf_font_load(w, l, tmp_dir, err))
		return false;
	w->fault.stage = "document";
	set_info(w, l);
	set_id(w, l->report);
	set_catalog(w, l);
	HPDF_Page *pages = add_pages(w, l);
	return pdf_writer_ok(w, err) && emit_pages(w, l, pages, err)
	       && emit_bookmarks(w, l, pages, err) && save(w, out, err);
}

bool pdf_emit(const struct pdf_layout *l, const char *tmp_dir, struct str *out, struct error *err)
{
	struct pdf_writer w = { .arena = l->arena, .fault = { .stage = "start" } };

	w.doc = HPDF_New(on_error, &w.fault);
	if (!w.doc)
		return error_set(err, ERR_ENVIRONMENT, "PDF library: cannot be started");
	bool ok = emit(&w, l, tmp_dir, out, err);
	HPDF_Free(w.doc);
	return ok;
}
