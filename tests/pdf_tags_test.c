/* The structure of a tagged PDF, read back from the file: every heading, table and figure of the
 * report is in the tree, in order; every text stands in marked content or in an artefact; marks,
 * nodes and links lead to each other. With files as arguments those checks that need no report are
 * made on them. */
#include "pdf_fixture.h"
#include "../base/file.h"

#include <stdlib.h>
#include <unistd.h>

/* A page's content by its marks. */
struct marked {
	struct str *text; /* by MCID; UTF-8, shown text only */
	bool *used;
	size_t n, cap;
	size_t outside, artefacts, broken; /* texts in no mark; artefacts; marks that do not nest */
};

struct reader {
	struct arena *a;
	struct pdf_file file;
	size_t *pages; /* object numbers, in order */
	size_t npages, pages_cap;
	struct marked *marked; /* one a page */
	struct strbuf outline; /* of the tree: "H2 What to buy\n" */
	size_t nodes, bad_parents, lost_marks, missing_alt, bad_rows, links, bad_links;
};

/* ---- pages ---- */

static void add_pages(struct reader *r, size_t number)
{
	struct str node = r->file.v[number].text;
	struct str kids = pdf_key(node, "Kids");

	if (kids.len == 0) {
		r->pages =
		    arena_grow(r->a, r->pages, &r->pages_cap, r->npages + 1, sizeof *r->pages);
		r->pages[r->npages++] = number;
		return;
	}
	for (size_t at = 1; at < kids.len;) {
		size_t kid = pdf_reference(str_slice(kids, at, kids.len));
		if (kid == 0)
			break;
		add_pages(r, kid);
		at = str_find(kids, STR("R"), at) + 1;
	}
}

static void add_hex(struct strbuf *b, struct str line)
{
	for (size_t i = 1; i + 4 < line.len && line.p[i] != '>'; i += 4) {
		char hex[5] = { line.p[i], line.p[i + 1], line.p[i + 2], line.p[i + 3], 0 };
		unsigned c = (unsigned)strtoul(hex, NULL, 16);

		if (c < 0x80) {
			strbuf_addc(b, (char)c);
		} else if (c < 0x800) {
			strbuf_addc(b, (char)(0xC0 | c >> 6));
			strbuf_addc(b, (char)(0x80 | (c & 0x3F)));
		} else {
			strbuf_addc(b, (char)(0xE0 | c >> 12));
			strbuf_addc(b, (char)(0x80 | (c >> 6 & 0x3F)));
			strbuf_addc(b, (char)(0x80 | (c & 0x3F)));
		}
	}
}

static void open_mark(struct reader *r, struct marked *m, struct str line, int *open)
{
	size_t at = str_find(line, STR("/MCID "), 0);
	size_t id = at < line.len ? pdf_number(line, at + 6) : 0;

	m->broken += *open != -2;
	*open = -1;
	if (at == line.len) {
		m->artefacts++;
		return;
	}
	*open = (int)id;
	size_t cap = m->cap;
	m->text = arena_grow(r->a, m->text, &cap, id + 1, sizeof *m->text);
	m->used = arena_grow(r->a, m->used, &m->cap, id + 1, sizeof *m->used);
	m->n = id + 1 > m->n ? id + 1 : m->n;
	m->broken += m->used[id]; /* a number is used once */
	m->used[id] = true;
}

/* One operator a line, as we write them. */
static void read_page(struct reader *r, struct marked *m, struct str content)
{
	struct str line;
	struct strbuf b = { .arena = r->a };
	int open = -2; /* -2: nothing, -1: an artefact, else the mark */
	bool text = false;

	while (str_cut(&content, '\n', &line)) {
		if (str_ends(line, STR(" BDC")) || str_ends(line, STR(" BMC"))) {
			open_mark(r, m, line, &open);
			m->broken += text;
			b = (struct strbuf){ .arena = r->a };
		} else if (str_eq(line, STR("EMC"))) {
			m->broken += open == -2 || text;
			if (open >= 0)
				m->text[open] = strbuf_str(&b);
			open = -2;
		} else if (str_eq(line, STR("BT")) || str_eq(line, STR("ET"))) {
			m->broken += text == str_eq(line, STR("BT"));
			text = str_eq(line, STR("BT"));
		} else if (str_ends(line, STR(" Tj"))) {
			m->outside += open == -2;
			add_hex(&b, line);
		}
	}
	m->broken += open != -2 || text;
}

/* ---- the tree ---- */

static size_t page_index(const struct reader *r, size_t number)
{
	for (size_t i = 0; i < r->npages; i++)
		if (r->pages[i] == number)
			return i;
	return r->npages;
}

/* Marks are struck off as nodes claim them, so that none may be left over or claimed twice. */
static void take_mark(struct reader *r, size_t page, size_t id, struct strbuf *text)
{
	if (page >= r->npages || id >= r->marked[page].n || !r->marked[page].used[id]) {
		r->lost_marks++;
		return;
	}
	r->marked[page].used[id] = false;
	strbuf_add(text, r->marked[page].text[id]);
}

static struct str walk(struct reader *r, size_t number, size_t parent);

static void walk_kid(struct reader *r, size_t number, struct str kid, struct strbuf *text)
{
	struct str node = r->file.v[number].text;
	size_t own = page_index(r, pdf_reference(pdf_key(node, "Pg")));

	if (pdf_reference(kid) > 0) {
		strbuf_add(text, walk(r, pdf_reference(kid), number));
	} else if (kid.p[0] != '<') {
		take_mark(r, own, pdf_number(kid, 0), text);
	} else if (str_eq(pdf_key(kid, "Type"), STR("/MCR"))) {
		take_mark(r, page_index(r, pdf_reference(pdf_key(kid, "Pg"))),
			  pdf_number(pdf_key(kid, "MCID"), 0), text);
	} else {
		struct pdf_object note = pdf_follow(&r->file, pdf_key(kid, "Obj"));
		r->links++;
		r->bad_links += !str_eq(pdf_key(note.text, "Subtype"), STR("/Link"))
				|| pdf_key(note.text, "StructParent").len == 0
				|| pdf_key(note.text, "Contents").len == 0;
	}
}

static size_t count_in(struct str s, const char *what)
{
	size_t n = 0;

	for (size_t at = 0; (at = str_find(s, str_of(what), at)) < s.len; at++)
		n++;
	return n;
}

/* The words of the node and all below it; its line in the outline comes before theirs. */
static struct str walk(struct reader *r, size_t number, size_t parent)
{
	struct str node = r->file.v[number].text, type = pdf_key(node, "S");
	struct str kids = pdf_key(node, "K");
	struct strbuf text = { .arena = r->a }, before = r->outline;

	r->nodes++;
	r->bad_parents += pdf_reference(pdf_key(node, "P")) != parent;
	r->outline = (struct strbuf){ .arena = r->a };
	if (kids.len > 0 && kids.p[0] == '[')
		for (size_t at = 1, end; at + 1 < kids.len; at = end) {
			end = pdf_skip(kids, at);
			if (pdf_reference(str_slice(kids, at, kids.len)))
				end = pdf_skip(kids, pdf_skip(kids, end));
			walk_kid(r, number, str_trim(str_slice(kids, at, end)), &text);
			while (end < kids.len && strchr(" \n]", kids.p[end]))
				end++;
		}
	else if (kids.len > 0)
		walk_kid(r, number, kids, &text);
	struct strbuf inner = r->outline;
	r->outline = before;
	struct str scope = pdf_key(pdf_follow(&r->file, pdf_key(node, "A")).text, "Scope");
	struct str alt = pdf_key(node, "Alt");
	if (str_eq(type, STR("/Figure")))
		r->missing_alt += alt.len < 4;
	strbuf_printf(&r->outline, STR_FMT STR_FMT " " STR_FMT "\n",
		      STR_ARG(str_slice(type, 1, type.len)), STR_ARG(scope),
		      STR_ARG(str_eq(type, STR("/Figure")) ? STR("") : strbuf_str(&text)));
	strbuf_add(&r->outline, strbuf_str(&inner));
	return strbuf_str(&text);
}

/* Numbers of the parent tree: a page's array has the node of each of its marks. */
static size_t bad_entries(struct reader *r, struct str nums, size_t *entries)
{
	size_t bad = 0, key_wanted = 0;

	for (size_t at = 1; at + 1 < nums.len;) {
		size_t end = pdf_skip(nums, at), key = pdf_number(nums, at);
		size_t value = pdf_reference(str_slice(nums, end, nums.len));
		end = pdf_skip(nums, pdf_skip(nums, pdf_skip(nums, end)));
		if (value == 0)
			break;
		struct str to = r->file.v[value].text;
		bad += key != key_wanted++;
		if (key < r->npages)
			bad += count_in(to, " 0 R") != r->marked[key].n;
		else
			bad += !str_eq(pdf_key(to, "S"), STR("/Link"));
		(*entries)++;
		at = end;
	}
	return bad;
}

static void check_file(struct test *t, struct arena *a, struct str pdf, struct reader *r)
{
	*r = (struct reader){ .a = a, .outline = { .arena = a } };
	bool read = pdf_file_read(pdf, a, &r->file);
	test_ok(t, read, "the file is read back");
	if (!read)
		return;
	struct str root = pdf_follow(&r->file, pdf_key(r->file.trailer, "Root")).text;
	add_pages(r, pdf_reference(pdf_key(root, "Pages")));
	r->marked = arena_array(a, r->npages, sizeof *r->marked);
	size_t outside = 0, broken = 0, unordered = 0, left = 0, marks = 0, artefacts = 0,
	       entries = 0;
	for (size_t p = 0; p < r->npages; p++) {
		struct str page = r->file.v[r->pages[p]].text;
		read_page(r, &r->marked[p], pdf_follow(&r->file, pdf_key(page, "Contents")).data);
		outside += r->marked[p].outside;
		broken += r->marked[p].broken;
		artefacts += r->marked[p].artefacts;
		unordered += !str_eq(pdf_key(page, "Tabs"), STR("/S"))
			     || pdf_number(pdf_key(page, "StructParents"), 0) != p;
	}
	test_ok(t, outside == 0, "every text stands in marked content or an artefact");
	test_ok(t, broken == 0, "marked content nests and each number is used once");
	test_ok(t, unordered == 0, "every page has its tab order and its key");
	struct str tree = pdf_follow(&r->file, pdf_key(root, "StructTreeRoot")).text;
	test_ok(t,
		str_eq(pdf_key(pdf_follow(&r->file, pdf_key(root, "MarkInfo")).text, "Marked"),
		       STR("true"))
		    && str_eq(pdf_key(tree, "Type"), STR("/StructTreeRoot")),
		"the file says that it is tagged");
	walk(r, pdf_reference(pdf_key(tree, "K")), pdf_reference(pdf_key(root, "StructTreeRoot")));
	struct str nums = pdf_key(pdf_follow(&r->file, pdf_key(tree, "ParentTree")).text, "Nums");
	for (size_t p = 0; p < r->npages; p++)
		for (size_t i = 0; i < r->marked[p].n; i++, marks++)
			left += r->marked[p].used[i];
	test_ok(t, bad_entries(r, nums, &entries) == 0 && entries >= r->npages,
		"the parent tree leads from pages and links to their nodes");
	test_ok(t, r->lost_marks == 0 && left == 0, "each mark belongs to one node");
	test_ok(t, r->bad_parents == 0, "nodes know their parents");
	test_ok(t, r->missing_alt == 0, "figures have an alternative text");
	test_ok(t, r->bad_links == 0 && entries == r->npages + r->links,
		"links have an annotation with a description, and it leads back");
	printf("# %zu pages, %zu nodes, %zu marks, %zu artefacts, %zu links\n", r->npages, r->nodes,
	       marks, artefacts, r->links);
}

/* ---- against the report ---- */

static struct str squeezed(struct str s, struct arena *a)
{
	struct strbuf b = { .arena = a };

	for (size_t i = 0; i < s.len; i++)
		if (s.p[i] != ' ')
			strbuf_addc(&b, s.p[i]);
	return strbuf_str(&b);
}

/* Lines of the outline of one of these types, blanks left out: those at line ends are not drawn. */
static struct str only(const struct reader *r, const char *const *types, size_t n)
{
	struct str rest = strbuf_str(&r->outline), line;
	struct strbuf b = { .arena = r->a };

	while (str_cut(&rest, '\n', &line))
		for (size_t i = 0; i < n; i++)
			if (str_starts(line, str_printf(r->a, "%s ", types[i])))
				strbuf_printf(&b, STR_FMT "\n", STR_ARG(squeezed(line, r->a)));
	return strbuf_str(&b);
}

static void want_table(struct strbuf *b, const struct report_table *t, struct arena *a)
{
	strbuf_printf(b, "Caption" STR_FMT "\n", STR_ARG(squeezed(t->caption, a)));
	for (size_t c = 0; c < t->ncolumns; c++)
		strbuf_printf(b, "TH/Column" STR_FMT "\n",
			      STR_ARG(squeezed(t->columns[c].title, a)));
	for (size_t i = 0; i < t->nrows * t->ncolumns; i++) {
		struct str text = t->cells[i].text.len > 0 ? t->cells[i].text : STR("\xE2\x80\x93");
		strbuf_printf(b, "%s" STR_FMT "\n",
			      t->columns[i % t->ncolumns].row_header ? "TH/Row" : "TD",
			      STR_ARG(squeezed(text, a)));
	}
}

/* What the tree must hold of this report, from its blocks alone. */
static struct str wanted(const struct report *r, struct arena *a)
{
	struct strbuf b = { .arena = a };

	for (size_t i = 0; i < r->n; i++) {
		const struct report_block *block = &r->blocks[i];
		switch (block->kind) {
		case BLOCK_HEADING:
			strbuf_printf(&b, "H%d" STR_FMT "\n", block->level,
				      STR_ARG(squeezed(block->text.v[0].text, a)));
			break;
		case BLOCK_TABLE:
			want_table(&b, block->table, a);
			break;
		case BLOCK_FIGURE:
			strbuf_printf(&b, "Figure\nCaption" STR_FMT STR_FMT "\n",
				      STR_ARG(squeezed(block->figure->title, a)),
				      STR_ARG(squeezed(block->figure->caption, a)));
			break;
		case BLOCK_LIST:
			for (size_t k = 0; k < block->nitems; k++)
				strbuf_printf(&b, "Lbl\xE2\x80\xA2\nLBody" STR_FMT "\n",
					      STR_ARG(squeezed(block->items[k].v[0].text, a)));
			break;
		case BLOCK_TEXT:
		case BLOCK_NOTE:
		case BLOCK_CODE:
			break;
		}
	}
	return strbuf_str(&b);
}

static void test_report(struct fixture *f, const struct report *report)
{
	static const char *const types[] = { "H2",    "H3",        "Figure", "Caption", "Lbl",
					     "LBody", "TH/Column", "TH/Row", "TD" };
	struct error err = { 0 };
	struct reader r;
	struct str pdf;

	test_ok(&f->t, write_pdf(f, report, &pdf, &err), "a report is written");
	check_file(&f->t, &f->a, pdf, &r);
	struct str got = only(&r, types, LEN(types));
	if (str_starts(got, STR("CaptionContents\n")))
		got = str_slice(got, str_find(got, STR("\n"), 0) + 1, got.len);
	struct str want = wanted(report, &f->a);
	test_ok(&f->t, str_eq(got, want),
		"headings, lists, tables with every cell, and figures are in the tree, in order");
	for (size_t i = 0; i < want.len && i < got.len; i++)
		if (want.p[i] != got.p[i]) {
			printf("# got  …" STR_FMT "\n# want …" STR_FMT "\n",
			       STR_ARG(str_slice(got, i > 20 ? i - 20 : 0, i + 40)),
			       STR_ARG(str_slice(want, i > 20 ? i - 20 : 0, i + 40)));
			break;
		}
}

static void test_pieces(struct fixture *f)
{
	struct report r = full_report(f);
	struct error err = { 0 };
	struct reader reader;
	struct str pdf;

	test_ok(&f->t, write_pdf(f, &r, &pdf, &err), "the invented report");
	check_file(&f->t, &f->a, pdf, &reader);
	struct str all = strbuf_str(&reader.outline);
	test_ok(&f->t, count_in(all, "H1 GPUs for deep learning: what to buy\n") == 1,
		"the title is the one heading of level 1");
	/* the first paragraph stands on the cover too */
	test_ok(&f->t, count_in(all, "Link the list of prices\n") == 2,
		"a link inside a paragraph is a node of its own");
	test_ok(&f->t,
		count_in(all, "P For a first card take the RTX 2070; see the method, the file "
			      "data/picks.csv and the list of prices.")
		    == 2,
		"and its words stay in their place");
	test_ok(&f->t, count_in(all, "TOCI ") == 8 && count_in(all, "Reference ") == 8,
		"the contents have an entry for every heading");
	test_ok(&f->t, count_in(all, "TR ") == 301 && count_in(all, "TH/Column ") == 7,
		"a table over many pages is one table, its repeated heads are artefacts");
	test_ok(&f->t, count_in(all, "Code $ gpuguide report") == 1, "code is code");
}

int main(int argc, char **argv)
{
	struct fixture f = { 0 };
	struct error err = { 0 };
	char tmp[] = "/tmp/pdf-test-XXXXXX";

	f.tmp = mkdtemp(tmp);
	if (!f.tmp || !font_set_open(&f.a, &f.fonts, &err)) {
		test_ok(&f.t, false, err.msg);
		return test_done(&f.t);
	}
	for (int i = 1; i < argc; i++) {
		struct reader r;
		struct str pdf;
		test_ok(&f.t, file_read(argv[i], 0, &f.a, &pdf, &err), argv[i]);
		check_file(&f.t, &f.a, pdf, &r);
	}
	if (argc == 1) {
		struct report full = full_report(&f), empty = empty_report(&f);
		test_report(&f, &full);
		test_report(&f, &empty);
		test_pieces(&f);
	}
	rmdir(tmp);
	font_set_free(f.fonts);
	arena_free(&f.a);
	return test_done(&f.t);
}
