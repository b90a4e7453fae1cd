/* The structure tree of a tagged PDF (ISO 32000-1, 14.7 and 14.8) as layout builds it: what each
 * piece of content is, in the order of the report, wherever it stands on the pages.
 * Node 0 is the document. Content of no node is an artefact: rules, bands, running heads. */
#ifndef RENDER_PDF_TREE_H
#define RENDER_PDF_TREE_H

#include "../base/arena.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Standard structure types, in the order of pdf_tag_name. */
enum pdf_tag {
	TAG_DOCUMENT,
	TAG_H1,
	TAG_H2,
	TAG_H3,
	TAG_P,
	TAG_CODE,
	TAG_L,
	TAG_LI,
	TAG_LBL,
	TAG_LBODY,
	TAG_TABLE,
	TAG_TR,
	TAG_TH_COLUMN, /* TH with the scope Column */
	TAG_TH_ROW,    /* TH with the scope Row */
	TAG_TD,
	TAG_FIGURE,
	TAG_CAPTION,
	TAG_LINK,
	TAG_SPAN, /* text in another language */
	TAG_TOC,
	TAG_TOCI,
	TAG_REFERENCE,
	TAG_COUNT
};

#define PDF_NO_NODE SIZE_MAX

enum pdf_kid_kind {
	KID_NODE, /* at: index of the node */
	KID_MARK, /* marked content `at` (its MCID) of the page */
	KID_LINK, /* link annotation `at` of the page */
};

struct pdf_kid {
	enum pdf_kid_kind kind;
	size_t page, at;
};

struct pdf_node {
	enum pdf_tag tag;
	size_t parent;
	struct str alt; /* TAG_FIGURE: what stands for the drawing; TAG_LINK: where to */
	double left, top, right, bottom; /* TAG_FIGURE: on its page, pt, y downwards */
	struct str lang;                 /* of its text, where not the document's */
	struct pdf_kid *kids;            /* in reading order */
	size_t nkids, kids_cap;
};

struct pdf_tree {
	struct pdf_node *v;
	size_t n, cap;
};

/* "P", "TH", … */
const char *pdf_tag_name(enum pdf_tag tag);
/* Adds a node below `parent`, behind its other kids, and returns its index; PDF_NO_NODE below
 * PDF_NO_NODE. The document is there from the first call on. */
size_t pdf_tree_add(struct pdf_tree *t, size_t parent, enum pdf_tag tag, struct arena *a);
/* Appends content to a node. */
void pdf_tree_kid(struct pdf_tree *t, size_t node, struct pdf_kid kid, struct arena *a);

#endif
