#include "pdf_attach.h"
#include "pdf_writer.h"
#include "../base/file.h"

/* In byte order. What follows from these, as values.csv, or stands in a table whole, as claims.csv,
 * stays out, or a PDF with a Chinese font gets larger than 600 kB. */
static const char *const names[] = { "picks.csv", "prices.csv", "scores.csv" };

bool pdf_attach_read(const char *dir, struct arena *a, struct pdf_attachments *out,
		     struct error *err)
{
	*out = (struct pdf_attachments){ .v = arena_array(a, LEN(names), sizeof *out->v) };
	for (size_t i = 0; dir && i < LEN(names); i++) {
		struct pdf_attachment *file = &out->v[out->n];
		const char *path = str_printf(a, "%s/data/%s", dir, names[i]).p;

		if (!file_exists(path))
			continue;
		if (!file_read(path, 0, a, &file->data, err))
			return false;
		file->name = str_of(names[i]);
		out->n++;
	}
	return true;
}

static HPDF_Dict add_stream(struct pdf_writer *w, const struct pdf_attachment *file)
{
	HPDF_Dict stream = HPDF_DictStream_New(w->doc->mmgr, w->doc->xref);
	HPDF_Dict params = HPDF_Dict_New(w->doc->mmgr);

	if (!stream || !params)
		return NULL; /* the handler has been told */
	HPDF_Dict_AddName(stream, "Type", "EmbeddedFile");
	HPDF_Dict_AddName(stream, "Subtype", "text/csv");
	HPDF_Dict_Add(stream, "Params", params);
	HPDF_Dict_AddNumber(params, "Size", (HPDF_INT32)file->data.len);
	HPDF_Dict_Add(params, "ModDate", pdf_writer_text(w, pdf_meta_date(w)));
	HPDF_Stream_Write(stream->stream, (const HPDF_BYTE *)file->data.p,
			  (HPDF_UINT)file->data.len);
	stream->filter = HPDF_STREAM_FILTER_FLATE_DECODE;
	return stream;
}

static HPDF_Dict add_filespec(struct pdf_writer *w, const struct pdf_attachment *file)
{
	HPDF_Dict spec = HPDF_Dict_New(w->doc->mmgr), embedded = HPDF_Dict_New(w->doc->mmgr);

	if (!spec || !embedded || HPDF_Xref_Add(w->doc->xref, spec) != HPDF_OK)
		return NULL;
	HPDF_Dict_AddName(spec, "Type", "Filespec");
	HPDF_Dict_Add(spec, "F", pdf_writer_text(w, file->name));
	HPDF_Dict_Add(spec, "UF", pdf_writer_text(w, file->name));
	HPDF_Dict_AddName(spec, "AFRelationship", "Data");
	HPDF_Dict_Add(spec, "EF", embedded);
	HPDF_Dict_Add(embedded, "F", add_stream(w, file));
	return spec;
}

void pdf_attach_emit(struct pdf_writer *w, const struct pdf_attachments *files)
{
	HPDF_Dict tree = HPDF_Dict_New(w->doc->mmgr), all = HPDF_Dict_New(w->doc->mmgr);
	HPDF_Array list = HPDF_Array_New(w->doc->mmgr);

	w->fault.stage = "attached files";
	HPDF_Dict_Add(w->doc->catalog, "Names", tree);
	HPDF_Dict_Add(tree, "EmbeddedFiles", all);
	HPDF_Dict_Add(all, "Names", list);
	for (size_t i = 0; i < files->n; i++) {
		HPDF_Array_Add(list, pdf_writer_text(w, files->v[i].name));
		HPDF_Array_Add(list, add_filespec(w, &files->v[i]));
	}
}
