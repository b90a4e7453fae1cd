#include "pdf_writer.h"
#include "../base/date.h"
#include "../base/file.h"

#include <hpdf_version.h>

/* ---- the report's time ---- */

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

struct str pdf_meta_date(const struct pdf_writer *w)
{
	HPDF_Date d = date_of(w->layout->report->timestamp);

	return str_printf(w->arena, "D:%04d%02d%02d%02d%02d%02d+00'00'", d.year, d.month, d.day,
			  d.hour, d.minutes, d.seconds);
}

static struct str iso_date(const struct pdf_writer *w)
{
	HPDF_Date d = date_of(w->layout->report->timestamp);

	return str_printf(w->arena, "%04d-%02d-%02dT%02d:%02d:%02dZ", d.year, d.month, d.day,
			  d.hour, d.minutes, d.seconds);
}

/* ---- information dictionary and XMP say the same ---- */

struct meta {
	struct str title, subject, creator, keywords, producer, language;
};

static struct str plain(const struct pdf_writer *w, struct str text)
{
	struct spans spans = pdf_text_spans(text, (struct str){ 0 }, w->arena);

	return pdf_text_plain(w->layout->fonts, &spans, w->arena);
}

static struct meta meta_of(const struct pdf_writer *w)
{
	const struct report *r = w->layout->report;

	return (struct meta){
		.title = plain(w, r->title),
		.subject = plain(w, r->subtitle),
		.creator = plain(w, r->generator),
		.keywords = plain(w, r->edition_id),
		.producer = STR("libharu " HPDF_VERSION_TEXT),
		.language = r->language.len > 0 ? r->language : STR("en"),
	};
}

static void set_info(struct pdf_writer *w, const struct meta *m)
{
	const struct {
		HPDF_InfoType type;
		struct str text;
	} texts[] = {
		{ HPDF_INFO_TITLE, m->title },       { HPDF_INFO_SUBJECT, m->subject },
		{ HPDF_INFO_CREATOR, m->creator },   { HPDF_INFO_KEYWORDS, m->keywords },
		{ HPDF_INFO_PRODUCER, m->producer },
	};
	HPDF_Date date = date_of(w->layout->report->timestamp);

	HPDF_SetCurrentEncoder(w->doc, "UTF-8");
	for (size_t i = 0; i < LEN(texts); i++)
		if (texts[i].text.len > 0)
			HPDF_SetInfoAttr(w->doc, texts[i].type, str_c(w->arena, texts[i].text));
	HPDF_SetInfoDateAttr(w->doc, HPDF_INFO_CREATION_DATE, date);
	HPDF_SetInfoDateAttr(w->doc, HPDF_INFO_MOD_DATE, date);
}

/* pdf_text_plain leaves no control character, so only XML's own signs are left to escape. */
static void add_escaped(struct strbuf *b, struct str text)
{
	for (size_t i = 0; i < text.len; i++) {
		if (text.p[i] == '&')
			strbuf_add(b, STR("&amp;"));
		else if (text.p[i] == '<')
			strbuf_add(b, STR("&lt;"));
		else if (text.p[i] == '>')
			strbuf_add(b, STR("&gt;"));
		else
			strbuf_addc(b, text.p[i]);
	}
}

/* <name>open text close</name>, or nothing for empty text. */
static void add_property(struct strbuf *b, const char *name, const char *open, struct str text,
			 const char *close)
{
	if (text.len == 0)
		return;
	strbuf_printf(b, "<%s>%s", name, open);
	add_escaped(b, text);
	strbuf_printf(b, "%s</%s>\n", close, name);
}

#define ALTERNATIVES "<rdf:Alt><rdf:li xml:lang=\"x-default\">"
#define ALTERNATIVES_END "</rdf:li></rdf:Alt>"

/* ISO 16684-1. No padding: nobody edits the packet in place. */
static struct str xmp(const struct pdf_writer *w, const struct meta *m)
{
	struct strbuf b = { .arena = w->arena };
	struct str date = iso_date(w);

	strbuf_add(&b, STR("<?xpacket begin=\"\xEF\xBB\xBF\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n"
			   "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\n"
			   "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n"
			   "<rdf:Description rdf:about=\"\" "
			   "xmlns:dc=\"http://purl.org/dc/elements/1.1/\" "
			   "xmlns:pdf=\"http://ns.adobe.com/pdf/1.3/\" "
			   "xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\">\n"
			   "<dc:format>application/pdf</dc:format>\n"));
	add_property(&b, "dc:title", ALTERNATIVES, m->title, ALTERNATIVES_END);
	add_property(&b, "dc:description", ALTERNATIVES, m->subject, ALTERNATIVES_END);
	add_property(&b, "dc:identifier", "", m->keywords, "");
	add_property(&b, "dc:language", "<rdf:Bag><rdf:li>", m->language, "</rdf:li></rdf:Bag>");
	add_property(&b, "xmp:CreatorTool", "", m->creator, "");
	add_property(&b, "xmp:CreateDate", "", date, "");
	add_property(&b, "xmp:ModifyDate", "", date, "");
	add_property(&b, "xmp:MetadataDate", "", date, "");
	add_property(&b, "pdf:Producer", "", m->producer, "");
	add_property(&b, "pdf:Keywords", "", m->keywords, "");
	strbuf_add(&b,
		   STR("</rdf:Description>\n</rdf:RDF>\n</x:xmpmeta>\n<?xpacket end=\"r\"?>\n"));
	return strbuf_str(&b);
}

static void set_xmp(struct pdf_writer *w, const struct meta *m)
{
	HPDF_Dict stream = HPDF_DictStream_New(w->doc->mmgr, w->doc->xref);
	struct str packet = xmp(w, m);

	if (!stream)
		return; /* the handler has been told */
	HPDF_Dict_AddName(stream, "Type", "Metadata");
	HPDF_Dict_AddName(stream, "Subtype", "XML");
	HPDF_Stream_Write(stream->stream, (const HPDF_BYTE *)packet.p, (HPDF_UINT)packet.len);
	HPDF_Dict_Add(w->doc->catalog, "Metadata", stream);
}

/* ---- identity and view ---- */

static unsigned hex_digit(char c)
{
	return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

/* The trailer's /ID: twice the first 16 bytes of the edition id's SHA-256. */
static void set_id(struct pdf_writer *w)
{
	enum { ID_BYTES = 16 };
	HPDF_BYTE id[ID_BYTES];
	struct str hex = file_sha256(w->arena, w->layout->report->edition_id);
	HPDF_Array pair = HPDF_Array_New(w->doc->mmgr);

	for (size_t i = 0; i < ID_BYTES; i++)
		id[i] = (HPDF_BYTE)(hex_digit(hex.p[2 * i]) << 4 | hex_digit(hex.p[2 * i + 1]));
	HPDF_Dict_Add(w->doc->trailer, "ID", pair);
	for (int i = 0; i < 2; i++)
		HPDF_Array_Add(pair, HPDF_Binary_New(w->doc->mmgr, id, ID_BYTES));
}

static void set_catalog(struct pdf_writer *w, const struct meta *m)
{
	const struct pdf_layout *l = w->layout;
	HPDF_Dict prefs = HPDF_Dict_New(w->doc->mmgr);

	HPDF_Dict_Add(w->doc->catalog, "Lang",
		      HPDF_String_New(w->doc->mmgr, str_c(w->arena, m->language), NULL));
	HPDF_Dict_Add(w->doc->catalog, "ViewerPreferences", prefs);
	HPDF_Dict_AddBoolean(prefs, "DisplayDocTitle", HPDF_TRUE);
	if (l->nfront > 0)
		HPDF_AddPageLabel(w->doc, 0, HPDF_PAGE_NUM_STYLE_LOWER_ROMAN, 1, "");
	HPDF_AddPageLabel(w->doc, (HPDF_UINT)l->nfront, HPDF_PAGE_NUM_STYLE_DECIMAL, 1, "");
	if (l->nbookmarks > 0)
		HPDF_SetPageMode(w->doc, HPDF_PAGE_MODE_USE_OUTLINE);
}

void pdf_meta_set(struct pdf_writer *w)
{
	struct meta m = meta_of(w);

	w->fault.stage = "metadata";
	set_info(w, &m);
	set_xmp(w, &m);
	set_id(w);
	set_catalog(w, &m);
}
