/* The last page of the PDF: a line or two that end the report do not stand there alone. */
#include "pdf_fixture.h"
#include "../base/file.h"

/* Title and id of the edition above, program and page number below. */
enum { MARGIN_LINES = 4 };

/* The number of lines on the second page; false: there are not two pages. */
static bool second_page(struct fixture *f, const struct report *r, size_t *on_it)
{
	struct error err = { 0 };
	struct str pdf = STR("");
	struct pdf_file file;
	size_t pages = 0;

	*on_it = 0;
	if (!write_pdf(f, r, &pdf, &err) || !pdf_file_read(pdf, &f->a, &file))
		return false;
	for (size_t i = 0; i < file.n; i++) {
		struct pdf_object *o = &file.v[i];
		if (!o->used || !str_eq(pdf_key(o->text, "Type"), STR("/Page")) || ++pages < 2)
			continue;
		struct str content = pdf_follow(&file, pdf_key(o->text, "Contents")).data;
		for (size_t at = 0; (at = str_find(content, STR(" Tj"), at)) < content.len; at++)
			++*on_it;
	}
	*on_it -= *on_it < MARGIN_LINES ? *on_it : MARGIN_LINES;
	return pages == 2;
}

enum part { ROWS, LINES, ITEMS, CODE };

static void rows(struct fixture *f, struct report *r, size_t n)
{
	struct report_table *t = table(f, r, "table", 1, n);

	t->columns[0].title = STR("Title");
	for (size_t i = 0; i < n; i++)
		t->cells[i].text = STR("x");
}

/* A paragraph, a list or a program of n lines. */
static void many_lines(struct fixture *f, struct report *r, enum part what, size_t n)
{
	static const enum block_kind kinds[] = { [LINES] = BLOCK_TEXT,
						 [ITEMS] = BLOCK_LIST,
						 [CODE] = BLOCK_CODE };
	const struct str line = STR("Words that fill more than half of the width of a page, so "
				    "that every sentence has a line. ");
	struct report_block *b = block(r, kinds[what]);
	struct strbuf all = { .arena = &f->a };

	b->items = arena_array(&f->a, n, sizeof *b->items);
	for (size_t i = 0; i < n; i++) {
		b->items[i] = plain(f, line);
		strbuf_add(&all, what == CODE ? STR("x\n") : line);
	}
	b->nitems = n;
	b->text = plain(f, str_dup(&f->a, strbuf_str(&all)));
}

/* Lines of what grows: fewer than a page holds, and more. */
enum { FEWEST = 20, MOST = 70 };

/* What grows until the line below it is the first that the page has no room for, and how many lines
 * then stand on the next page; of a list the last item goes with it, a box goes over whole. */
static const struct {
	const char *name;
	enum part what;
	size_t least;
} cases[] = {
	{ "below a table", ROWS, 1 + 3 + 1 }, /* its head, three rows */
	{ "below a paragraph", LINES, 2 + 1 },
	{ "below a list", ITEMS, 1 + 1 },
	{ "below a program", CODE, FEWEST + 1 },
};

static void test_closing(struct fixture *f)
{
	for (size_t i = 0; i < LEN(cases); i++) {
		size_t on_second = 0;
		bool over = false;

		for (size_t n = FEWEST; !over && n < MOST; n++) {
			struct report r = empty_report(f);

			if (cases[i].what == ROWS)
				rows(f, &r, n);
			else
				many_lines(f, &r, cases[i].what, n);
			text(f, &r, "A closing line.");
			over = second_page(f, &r, &on_second);
		}
		test_ok(&f->t, over && on_second >= cases[i].least, cases[i].name);
		if (on_second < cases[i].least)
			printf("# %zu lines on the last page\n", on_second);
	}
}

int main(void)
{
	return fixture_run(test_closing);
}
