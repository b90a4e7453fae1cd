/* An SVG document as a tree, read with expat: the common ground of svg.c and drawing.c. */
#ifndef RENDER_SVG_TREE_H
#define RENDER_SVG_TREE_H

#include "../base/arena.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

/* Bounds of what is read; a figure of 60 devices stays below a tenth of each. */
enum { SVG_DEPTH_MAX = 64, SVG_NODES_MAX = 200000, SVG_BYTES_MAX = 16 << 20 };

struct svg_attr {
	struct str name, value;
};

/* An element, or (name empty) a stretch of text between elements. */
struct svg_node {
	struct str name; /* as written, prefix included: "use", "xml:space" is an attribute's */
	struct svg_attr *attrs;
	size_t nattrs;
	struct str text;
	struct svg_node *first, *last, *next;
	struct pos pos;
};

/* text   a whole document whose root is <svg>; comments and processing instructions are dropped
 * name   the file in positions, may be NULL
 * Errors ERR_SYNTAX not well-formed XML or not UTF-8; ERR_DATA a document type (so no entity is
 *        ever declared, let alone expanded), another root, or a bound above passed */
bool svg_tree_parse(struct str text, const char *name, struct arena *a, struct svg_node **root,
                    struct error *err);
/* The attribute's value, or NULL. */
const struct str *svg_attr(const struct svg_node *n, struct str name);
/* The element's or a descendant's text, joined in document order. */
void svg_text_add(const struct svg_node *n, struct strbuf *b);

/* Escapes < > & " ' for text and attribute values alike. A quote never stands raw in escaped text,
 * so that `="` in a document we wrote is always markup. What XML forbids becomes U+FFFD. */
void svg_escape(struct strbuf *b, struct str text);

#endif
