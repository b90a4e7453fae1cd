#include "pdf_writer.h"

/* ---- marked content ---- */

void pdf_tags_mark(struct pdf_writer *w, int mark)
{
	const struct pdf_layout *l = w->layout;

	if (mark == w->mark)
		return;
	if (w->mark != PDF_UNMARKED)
		pdf_writer_raw(w, STR("EMC\n"));
	if (mark == PDF_ARTEFACT)
		pdf_writer_raw(w, STR("/Artifact BMC\n"));
	else if (mark == PDF_PAGINATION)
		pdf_writer_raw(w, STR("/Artifact <</Type /Pagination>> BDC\n"));
	else if (mark >= 0)
		pdf_writer_raw(
		    w, str_printf(w->arena, "/%s <</MCID %d>> BDC\n",
				  pdf_tag_name(l->tree.v[l->pages[w->page_no].marks[mark]].tag),
				  mark));
	w->mark = mark;
}

/* ---- structure tree ---- */

struct tags {
	struct pdf_writer *w;
	const struct pdf_layout *l;
	HPDF_Dict *elements;             /* one a node; NULL for those that hold nothing */
	HPDF_Dict attributes[TAG_COUNT]; /* shared by all nodes of a kind, or NULL */
	HPDF_Array nums;                 /* of the parent tree */
};

static bool is_cell(enum pdf_tag tag)
{
	return tag == TAG_TD || tag == TAG_TH_COLUMN || tag == TAG_TH_ROW;
}

static HPDF_Dict note_of(const struct tags *t, const struct pdf_kid *kid)
{
	return t->w->notes[kid->page][kid->at];
}

/* Nodes without content (a figure without files) are left out; cells stay, so that rows keep their
 * columns. Kids have higher numbers than their parents. */
static void add_elements(struct tags *t)
{
	size_t n = t->l->tree.n;

	t->elements = arena_array(t->w->arena, n, sizeof(HPDF_Dict));
	for (size_t i = n; i-- > 0;) {
		const struct pdf_node *node = &t->l->tree.v[i];
		bool used = is_cell(node->tag) || i == 0;

		for (size_t k = 0; k < node->nkids && !used; k++) {
			const struct pdf_kid *kid = &node->kids[k];
			used = kid->kind == KID_NODE ? t->elements[kid->at] != NULL
						     : kid->kind == KID_MARK || note_of(t, kid);
		}
		if (used)
			t->elements[i] = HPDF_Dict_New(t->w->doc->mmgr);
	}
	for (size_t i = 0; i < n; i++) /* in reading order */
		if (t->elements[i])
			HPDF_Xref_Add(t->w->doc->xref, t->elements[i]);
}

static const struct attribute {
	enum pdf_tag tag;
	const char *owner, *key, *value;
} attributes[] = {
	{ TAG_TH_COLUMN, "Table", "Scope", "Column" },
	{ TAG_TH_ROW, "Table", "Scope", "Row" },
	{ TAG_L, "List", "ListNumbering", "Disc" },
};

static void add_attributes(struct tags *t)
{
	for (size_t i = 0; i < LEN(attributes); i++) {
		HPDF_Dict d = HPDF_Dict_New(t->w->doc->mmgr);

		HPDF_Xref_Add(t->w->doc->xref, d);
		HPDF_Dict_AddName(d, "O", attributes[i].owner);
		HPDF_Dict_AddName(d, attributes[i].key, attributes[i].value);
		t->attributes[attributes[i].tag] = d;
	}
}

/* A drawing's place, which readers frame. */
static void add_box(struct tags *t, HPDF_Dict element, const struct pdf_node *node)
{
	HPDF_Dict d = HPDF_Dict_New(t->w->doc->mmgr);
	HPDF_Array box = HPDF_Array_New(t->w->doc->mmgr);
	double height = t->w->height;

	HPDF_Dict_Add(element, "A", d);
	HPDF_Dict_AddName(d, "O", "Layout");
	HPDF_Dict_AddName(d, "Placement", "Block");
	HPDF_Dict_Add(d, "BBox", box);
	HPDF_Array_AddReal(box, (HPDF_REAL)node->left);
	HPDF_Array_AddReal(box, (HPDF_REAL)(height - node->bottom));
	HPDF_Array_AddReal(box, (HPDF_REAL)node->right);
	HPDF_Array_AddReal(box, (HPDF_REAL)(height - node->top));
}

/* Marked content of the node's own page is a bare number, that of another page names the page. */
static void *kid_object(struct tags *t, const struct pdf_kid *kid, size_t page)
{
	HPDF_MMgr mmgr = t->w->doc->mmgr;

	if (kid->kind == KID_NODE)
		return t->elements[kid->at];
	if (kid->kind == KID_MARK && kid->page == page)
		return HPDF_Number_New(mmgr, (HPDF_INT32)kid->at);
	if (kid->kind == KID_LINK && !note_of(t, kid))
		return NULL;
	HPDF_Dict d = HPDF_Dict_New(mmgr);
	HPDF_Dict_AddName(d, "Type", kid->kind == KID_MARK ? "MCR" : "OBJR");
	HPDF_Dict_Add(d, "Pg", t->w->pages[kid->page]);
	if (kid->kind == KID_MARK)
		HPDF_Dict_AddNumber(d, "MCID", (HPDF_INT32)kid->at);
	else
		HPDF_Dict_Add(d, "Obj", note_of(t, kid));
	return d;
}

/* The page of the node's first own content, or npages. */
static size_t page_of(const struct tags *t, const struct pdf_node *node)
{
	for (size_t k = 0; k < node->nkids; k++)
		if (node->kids[k].kind != KID_NODE)
			return node->kids[k].page;
	return t->l->npages;
}

static void add_kids(struct tags *t, HPDF_Dict element, const struct pdf_node *node)
{
	size_t page = page_of(t, node);
	HPDF_Array list = NULL;

	if (page < t->l->npages)
		HPDF_Dict_Add(element, "Pg", t->w->pages[page]);
	if (node->nkids == 0)
		return;
	if (node->nkids > 1) {
		list = HPDF_Array_New(t->w->doc->mmgr);
		HPDF_Dict_Add(element, "K", list);
	}
	for (size_t k = 0; k < node->nkids; k++) {
		void *kid = kid_object(t, &node->kids[k], page);
		if (kid && list)
			HPDF_Array_Add(list, kid);
		else if (kid)
			HPDF_Dict_Add(element, "K", kid);
	}
}

/* A link whose target is missing is only text. */
static const char *type_of(const struct tags *t, const struct pdf_node *node)
{
	if (node->tag != TAG_LINK)
		return pdf_tag_name(node->tag);
	for (size_t k = 0; k < node->nkids; k++)
		if (node->kids[k].kind == KID_LINK && note_of(t, &node->kids[k]))
			return "Link";
	return "Span";
}

static void fill_element(struct tags *t, size_t i, HPDF_Dict root)
{
	const struct pdf_node *node = &t->l->tree.v[i];
	HPDF_Dict element = t->elements[i];

	HPDF_Dict_AddName(element, "S", type_of(t, node));
	HPDF_Dict_Add(element, "P", i == 0 ? root : t->elements[node->parent]);
	if (t->attributes[node->tag])
		HPDF_Dict_Add(element, "A", t->attributes[node->tag]);
	if (node->lang.len > 0)
		HPDF_Dict_Add(
		    element, "Lang",
		    HPDF_String_New(t->w->doc->mmgr, str_c(t->w->arena, node->lang), NULL));
	if (node->tag == TAG_FIGURE) {
		HPDF_Dict_Add(element, "Alt", pdf_writer_text(t->w, node->alt));
		add_box(t, element, node);
	}
	add_kids(t, element, node);
}

/* Keys 0 to npages - 1: the pages, each with the nodes of its marks; then a key for every link. */
static void add_parents(struct tags *t)
{
	struct pdf_writer *w = t->w;
	HPDF_INT32 key = (HPDF_INT32)t->l->npages;

	for (size_t p = 0; p < t->l->npages; p++) {
		const struct pdf_page *page = &t->l->pages[p];
		HPDF_Array marks = HPDF_Array_New(w->doc->mmgr);

		HPDF_Xref_Add(w->doc->xref, marks);
		HPDF_Dict_AddNumber(w->pages[p], "StructParents", (HPDF_INT32)p);
		HPDF_Dict_AddName(w->pages[p], "Tabs", "S");
		HPDF_Array_AddNumber(t->nums, (HPDF_INT32)p);
		HPDF_Array_Add(t->nums, marks);
		for (size_t i = 0; i < page->nmarks; i++)
			HPDF_Array_Add(marks, t->elements[page->marks[i]]);
	}
	for (size_t p = 0; p < t->l->npages; p++)
		for (size_t i = 0; i < t->l->pages[p].nlinks; i++) {
			size_t node = t->l->pages[p].links[i].node;
			if (!w->notes[p][i] || node == PDF_NO_NODE)
				continue;
			HPDF_Dict_AddNumber(w->notes[p][i], "StructParent", key);
			HPDF_Array_AddNumber(t->nums, key++);
			HPDF_Array_Add(t->nums, t->elements[node]);
		}
}

void pdf_tags_emit(struct pdf_writer *w)
{
	struct tags t = { .w = w, .l = w->layout };
	HPDF_MMgr mmgr = w->doc->mmgr;
	HPDF_Dict root = HPDF_Dict_New(mmgr), info = HPDF_Dict_New(mmgr),
		  parents = HPDF_Dict_New(mmgr);

	w->fault.stage = "structure tree";
	if (!root || !info || !parents || t.l->tree.n == 0)
		return;
	t.nums = HPDF_Array_New(mmgr);
	HPDF_Xref_Add(w->doc->xref, root);
	HPDF_Xref_Add(w->doc->xref, parents);
	HPDF_Dict_Add(w->doc->catalog, "MarkInfo", info);
	HPDF_Dict_AddBoolean(info, "Marked", HPDF_TRUE);
	HPDF_Dict_Add(w->doc->catalog, "StructTreeRoot", root);
	HPDF_Dict_AddName(root, "Type", "StructTreeRoot");
	HPDF_Dict_Add(root, "ParentTree", parents);
	HPDF_Dict_Add(parents, "Nums", t.nums);
	add_elements(&t);
	add_attributes(&t);
	HPDF_Dict_Add(root, "K", t.elements[0]);
	for (size_t i = 0; i < t.l->tree.n; i++)
		if (t.elements[i])
			fill_element(&t, i, root);
	add_parents(&t);
}
