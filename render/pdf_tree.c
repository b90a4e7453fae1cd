#include "pdf_tree.h"

const char *pdf_tag_name(enum pdf_tag tag)
{
	static const char *const names[TAG_COUNT] = {
		[TAG_DOCUMENT] = "Document",
		[TAG_H1] = "H1",
		[TAG_H2] = "H2",
		[TAG_H3] = "H3",
		[TAG_P] = "P",
		[TAG_CODE] = "Code",
		[TAG_L] = "L",
		[TAG_LI] = "LI",
		[TAG_LBL] = "Lbl",
		[TAG_LBODY] = "LBody",
		[TAG_TABLE] = "Table",
		[TAG_TR] = "TR",
		[TAG_TH_COLUMN] = "TH",
		[TAG_TH_ROW] = "TH",
		[TAG_TD] = "TD",
		[TAG_FIGURE] = "Figure",
		[TAG_CAPTION] = "Caption",
		[TAG_LINK] = "Link",
		[TAG_SPAN] = "Span",
		[TAG_TOC] = "TOC",
		[TAG_TOCI] = "TOCI",
		[TAG_REFERENCE] = "Reference",
	};

	return names[tag];
}

static size_t append(struct pdf_tree *t, size_t parent, enum pdf_tag tag, struct arena *a)
{
	t->v = arena_grow(a, t->v, &t->cap, t->n + 1, sizeof *t->v);
	t->v[t->n] = (struct pdf_node){ .tag = tag, .parent = parent };
	return t->n++;
}

void pdf_tree_kid(struct pdf_tree *t, size_t node, struct pdf_kid kid, struct arena *a)
{
	if (node == PDF_NO_NODE)
		return;
	if (t->n == 0)
		append(t, PDF_NO_NODE, TAG_DOCUMENT, a);
	struct pdf_node *n = &t->v[node];
	n->kids = arena_grow(a, n->kids, &n->kids_cap, n->nkids + 1, sizeof *n->kids);
	n->kids[n->nkids++] = kid;
}

size_t pdf_tree_add(struct pdf_tree *t, size_t parent, enum pdf_tag tag, struct arena *a)
{
	if (parent == PDF_NO_NODE)
		return PDF_NO_NODE;
	if (t->n == 0)
		append(t, PDF_NO_NODE, TAG_DOCUMENT, a);
	size_t node = append(t, parent, tag, a);
	pdf_tree_kid(t, parent, (struct pdf_kid){ .kind = KID_NODE, .at = node }, a);
	return node;
}
