/* Pages of positioned items: what the report looks like before it becomes a file.
 * Coordinates are pt from the page's upper left corner, y downwards. Items stand in reading order
 * within a page. Text flows from page to page here; headings wait for what follows them. */
#ifndef RENDER_PDF_PAGE_H
#define RENDER_PDF_PAGE_H

#include "font.h"
#include "pdf_attach.h"
#include "pdf_text.h"
#include "pdf_tree.h"
#include "report.h"
#include "../base/arena.h"
#include "../base/map.h"

#include <stdbool.h>
#include <stddef.h>

/* A paper size, in pt; the body lies between left and right, top and bottom. */
struct pdf_paper {
	struct str name; /* as an edition file names it: "a4", "letter" */
	double width, height;
	double left, right, top, bottom, text_width;
};

/* NULL: no paper of that name. The empty name is A4. */
const struct pdf_paper *pdf_paper_find(struct str name);

/* Chinese characters fill their squares, so lines of them stand further apart: a factor. */
double pdf_page_looseness(struct str language);

/* What encloses an item on its page: a mark from 0 on is the marked content of that number, and its
 * node is pdf_page.marks[mark]. */
enum { PDF_ARTEFACT = -1, PDF_PAGINATION = -2, PDF_UNMARKED = -3 };

enum pdf_item_kind { PDF_TEXT, PDF_BOX, PDF_FIGURE };

struct pdf_item {
	enum pdf_item_kind kind;
	double x, y;                   /* TEXT: baseline's start; else the upper left corner */
	double width, height;          /* BOX */
	struct colour colour;          /* BOX */
	struct pdf_line line;          /* TEXT */
	const struct drawing *drawing; /* FIGURE */
	const struct pdf_line *labels; /* FIGURE: one a shape, empty for paths */
	double scale;                  /* FIGURE: pt per user unit */
	/* TEXT: of the line's first part; the next parts (pdf_page_part) have the next numbers. */
	int mark;
};

/* A sensitive rectangle. */
struct pdf_link {
	double x, y, width, height;
	struct str href;
	struct str text; /* what stands there */
	size_t node;     /* TAG_LINK */
};

struct pdf_page {
	struct pdf_item *items;
	size_t nitems, items_cap;
	struct pdf_link *links;
	size_t nlinks, links_cap;
	size_t *marks; /* node of each marked content */
	size_t nmarks, marks_cap;
	bool mark_open; /* what comes next may belong to the last mark */
};

struct pdf_place {
	size_t page;
	double y;
};

struct pdf_bookmark {
	struct str title;
	int level;
	struct pdf_place at;
};

/* A heading that waits for the block below it, so that the two stay together. */
struct pdf_heading {
	struct pdf_lines lines;
	struct str id, title;
	int level;
	double leading, before, after;
	size_t node; /* TAG_H1 to TAG_H3 */
};

/* A page-number slot in the contents list; the n-th belongs to the n-th heading of its levels. */
struct pdf_entry {
	size_t page, item; /* the empty text item to be filled */
	double right;      /* where the number ends */
};

struct pdf_layout {
	const struct report *report;
	const struct pdf_paper *paper;
	double looseness; /* factor for the distance of lines */
	struct font_set *fonts;
	struct arena *arena;
	struct pdf_tree tree;
	size_t node; /* what is laid out now; PDF_NO_NODE: an artefact */

	struct pdf_page *pages;
	size_t npages, pages_cap;
	size_t nfront; /* pages of cover and contents, numbered i, ii, … */
	double y;      /* pen: lower end of what was placed last */
	double gap;    /* owed below it, dropped at the top of a page */
	bool at_top;   /* nothing stands on this page yet */

	struct map anchors; /* id to index in places */
	struct pdf_place *places;
	size_t nplaces, places_cap;
	struct pdf_bookmark *bookmarks;
	size_t nbookmarks, bookmarks_cap;
	struct pdf_heading *waiting;
	size_t nwaiting, waiting_cap;
	struct pdf_entry *entries;
	size_t nentries, entries_cap;
	int entries_deepest; /* level */
	size_t nblocks;      /* of the report, laid out, the present one included */
	double tail;         /* height of a short text that ends the report, where it comes next */
	struct pdf_attachments attached;
	/* A figure that would leave much of its page empty waits for the next one, and what follows
	 * it goes before it; NULL: none. It never passes a heading of a chapter or another figure.
	 */
	const struct report_figure *floating;
	size_t floating_node;
	void (*draw_floating)(struct pdf_layout *l, const struct report_figure *f);
};

/* Lines that flow over pages, alone or in a tinted box with a bar at its left. */
struct pdf_flow {
	const struct pdf_lines *lines;
	double x, leading;
	double before, after; /* white space around, shared with the neighbours' */
	double tail; /* height of what must not stand without the end of these lines; 0: nothing */
	bool last;   /* ends the report: no fewer than three of the lines stand on the last page */
	bool boxed, whole;    /* whole: not split while it fits on one page */
	double pad;           /* inside the box, above and below */
	struct colour fill, bar;
	const struct pdf_line *marker; /* hung to the left of the first line, or NULL */
	double marker_x;
	size_t marker_node;
};

/* Starts a page, with the floating figure at its top if one waits. */
void pdf_page_new(struct pdf_layout *l);
struct pdf_page *pdf_page_current(struct pdf_layout *l);

/* Goes into a structure node below the present one; what was present is returned and is set back
 * with pdf_page_leave. */
size_t pdf_page_enter(struct pdf_layout *l, enum pdf_tag tag);
void pdf_page_leave(struct pdf_layout *l, size_t outer);
/* The marked content of the present page for what is added next to `node`. */
int pdf_page_mark(struct pdf_layout *l, size_t node);

/* Items as they are; `mark` is the caller's. */
struct pdf_item *pdf_page_add(struct pdf_page *page, struct pdf_layout *l, struct pdf_item item);
/* Boxes are artefacts. */
void pdf_page_box(struct pdf_layout *l, double x, double y, double width, double height,
		  struct colour colour);
/* A line of text of the present node with its baseline at y, and its links in nodes of their own.
 */
void pdf_page_line(struct pdf_layout *l, const struct pdf_line *line, double x, double y);
/* End of the part of a line that starts with run `from`: of one link and one language. */
size_t pdf_page_part(const struct pdf_line *line, size_t from);
/* Also appended to its node. */
void pdf_page_link(struct pdf_layout *l, struct pdf_link link);

/* Plain text broken into lines; no line for empty text. */
struct pdf_lines pdf_page_wrap(struct pdf_layout *l, struct str text, const struct pdf_style *style,
			       double width);

/* Baseline of a line of this leading whose slot starts at `top`: the text stands in its middle. */
double pdf_page_baseline(double top, double leading, double size);

/* Room that waiting headings and the white space before the next block take on a fresh page. */
double pdf_page_waiting(const struct pdf_layout *l);
/* Sees to `need` pt of room (on a new page if this one is too full), places the waiting headings
 * and moves the pen over the white space `before`. */
void pdf_page_place(struct pdf_layout *l, double before, double need);
double pdf_page_left(const struct pdf_layout *l);
/* Height of the body. */
double pdf_page_body(const struct pdf_layout *l);

void pdf_page_anchor(struct pdf_layout *l, struct str id, double y);
/* Its node is made now, below the present one, by its level. */
void pdf_page_heading(struct pdf_layout *l, struct pdf_heading h);
void pdf_page_flow(struct pdf_layout *l, const struct pdf_flow *f);
/* Places headings that nothing follows. */
void pdf_page_flush(struct pdf_layout *l);

#endif
