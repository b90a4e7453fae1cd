/* Figures that wait for the next page of the PDF rather than leave this one empty: told by the
 * number of pages. */
#include "pdf_fixture.h"
#include "../base/file.h"
#include "../render/pdf.h"
#include "../render/pdf_page.h"

#include <stdio.h>

/* Rows of the table that leaves about half of the first page, and of the one that fills the rest.
 */
enum { ABOVE = 12, BELOW = 8, LONG = 70 };

/* Of a page, whose text is 724 pt high and whose 960 units are 493 pt wide: 642 pt. */
static const double tall = 1250;

enum part { END, TABLE, SHORT_TABLE, LONG_TABLE, TALL, LOW, CHAPTER, SECTION, LINE };

static const struct {
	const char *name;
	enum part parts[6];
	int pages;
} cases[] = {
	{ "what follows fills the page", { TABLE, TALL, SHORT_TABLE }, 2 },
	{ "text does too", { TABLE, TALL, LINE }, 2 },
	{ "a heading that waits goes with it", { TABLE, CHAPTER, TALL, SHORT_TABLE }, 2 },
	{ "a section may pass", { TABLE, TALL, SECTION, SHORT_TABLE }, 2 },
	{ "a chapter may not", { TABLE, TALL, CHAPTER, SHORT_TABLE }, 3 },
	{ "nor another figure", { TABLE, TALL, TALL }, 3 },
	{ "nothing follows", { TABLE, TALL }, 2 },
	{ "only its heading before it", { TABLE, CHAPTER, TALL }, 2 },
	{ "it fits: nothing waits", { TABLE, LOW, SHORT_TABLE }, 2 },
	/* the first rows before the figure, the others from the third page on */
	{ "a table goes on after it", { TABLE, TALL, LONG_TABLE }, 4 },
};

static void put(struct fixture *f, struct report *r, enum part p)
{
	switch (p) {
	case END:
		break;
	case TABLE:
		scores_table(f, r, ABOVE);
		break;
	case SHORT_TABLE:
		scores_table(f, r, BELOW);
		break;
	case LONG_TABLE:
		scores_table(f, r, LONG);
		break;
	case TALL:
		figure(f, r, tall);
		break;
	case LOW:
		figure(f, r, 300);
		break;
	case CHAPTER:
		heading(f, r, 2, "c", "Chapter");
		break;
	case SECTION:
		heading(f, r, 3, "s", "Section");
		break;
	case LINE:
		text(f, r, "A line of text.");
		break;
	}
}

static void test_pages(struct fixture *f)
{
	for (size_t i = 0; i < LEN(cases); i++) {
		struct report r = empty_report(f);
		struct error err = { 0 };
		struct str pdf = STR("");
		for (size_t k = 0; k < LEN(cases[i].parts); k++)
			put(f, &r, cases[i].parts[k]);
		test_ok(&f->t, write_pdf(f, &r, &pdf, &err), cases[i].name);
		struct str want = str_printf(&f->a, "/Count %d\n", cases[i].pages);
		pdf = pdf_file_plain(pdf, &f->a);
		bool good = str_find(pdf, want, 0) < pdf.len;
		test_ok(&f->t, good, cases[i].name);
		size_t at = str_find(pdf, STR("/Count "), 0);
		if (!good)
			printf("# want %d pages, got " STR_FMT "\n", cases[i].pages,
			       STR_ARG(str_slice(pdf, at, at + 9)));
	}
}

int main(void)
{
	return fixture_run(test_pages);
}
