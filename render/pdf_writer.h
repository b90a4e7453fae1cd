/* What is needed to put items on a libharu page, and the parts of the document around the pages.
 * PDF coordinates: pt from the lower left corner. */
#ifndef RENDER_PDF_WRITER_H
#define RENDER_PDF_WRITER_H

#include "font.h"
#include "pdf_page.h"
#include "../base/arena.h"
#include "../base/error.h"

#include <hpdf.h>
#include <stdbool.h>

enum { PDF_ALPHA_STEPS = 100 };

/* libharu calls its handler again for everything that follows from the first error; only that one
 * is kept, with the stage it came in. */
struct pdf_fault {
	const char *stage;
	unsigned long code, detail; /* code 0: none yet */
	const char *at;             /* stage of the first error */
};

/* What the page's operators have set last; equal settings are not repeated. */
struct pdf_state {
	struct colour fill, stroke;
	double line_width;
	enum font_id font; /* FONT_COUNT: none yet */
	double size;
	bool outlined; /* text is stroked too */
};

struct pdf_writer {
	struct arena *arena;
	const struct pdf_layout *layout;
	double height; /* of every page */
	HPDF_Doc doc;
	HPDF_Page *pages;
	HPDF_Annotation **notes; /* by page and link; NULL where a link leads nowhere */
	HPDF_Page page;          /* the current one */
	size_t page_no;
	struct strbuf ops; /* operators of the current page so far */
	struct pdf_state state;
	int mark;                    /* what encloses the present content: pdf_item.mark */
	HPDF_Font fonts[FONT_COUNT]; /* NULL where no character needs it */
	HPDF_ExtGState
	    alphas[PDF_ALPHA_STEPS + 1]; /* by opacity in percent, made when first used */
	struct pdf_fault fault;
};

/* False with ERR_ENVIRONMENT once libharu has reported an error. */
bool pdf_writer_ok(const struct pdf_writer *w, struct error *err);

/* The line's start at (x, y), its direction turned counter-clockwise; scale multiplies its lengths.
 */
void pdf_writer_line(struct pdf_writer *w, const struct pdf_line *line, double x, double y,
		     double angle_deg, double scale);
void pdf_writer_begin(struct pdf_writer *w, HPDF_Page page);
void pdf_writer_end(struct pdf_writer *w);
void pdf_writer_fill(struct pdf_writer *w, struct colour c);
void pdf_writer_stroke(struct pdf_writer *w, struct colour c, double width);
/* Between save and restore only. */
void pdf_writer_alpha(struct pdf_writer *w, double opacity);
struct pdf_state pdf_writer_save(struct pdf_writer *w);
void pdf_writer_restore(struct pdf_writer *w, struct pdf_state state);
/* An operator with its n operands, in pt with two decimals. */
void pdf_writer_op(struct pdf_writer *w, const double *v, size_t n, const char *op);
/* Operators as they are; each ends in a newline. */
void pdf_writer_raw(struct pdf_writer *w, struct str operators);
/* A text object outside pages: names, titles. */
HPDF_String pdf_writer_text(struct pdf_writer *w, struct str text);

/* Cuts the fonts to the characters of the layout, passes them to libharu and sets ToUnicode. */
bool pdf_font_load(struct pdf_writer *w, const struct pdf_layout *l, const char *tmp_dir,
		   struct error *err);

/* Information dictionary, XMP, /ID, language, viewer preferences, page labels. */
void pdf_meta_set(struct pdf_writer *w);
/* The report's time as "D:20261130120001+00'00'". */
struct str pdf_meta_date(const struct pdf_writer *w);

/* Link annotations of the current page, and the bookmarks. */
void pdf_link_emit(struct pdf_writer *w);
void pdf_link_bookmarks(struct pdf_writer *w);

/* Opens marked content on the current page, closing what is open: pdf_item.mark, or PDF_UNMARKED.
 */
void pdf_tags_mark(struct pdf_writer *w, int mark);
/* The structure tree; after all pages and links. */
void pdf_tags_emit(struct pdf_writer *w);

struct pdf_attachments;
void pdf_attach_emit(struct pdf_writer *w, const struct pdf_attachments *files);

#endif
