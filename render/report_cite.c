/* How to cite this edition, and how to check that it is the one cited. */
#include "build.h"
#include "citation.h"

static struct text_arg file_arg(const char *name, const char *file)
{
	return text_arg_link(name, str_of(file), str_of(file));
}

void chapter_cite(struct build *b)
{
	struct spans code = { .n = 0 };

	build_heading(b, 2, "cite", "cite.title", NULL);
	build_text(b, "cite.about",
		   (struct text_arg[]){ text_arg("id", b->report->edition_id),
					file_arg("bib", "citation.bib"),
					file_arg("cff", "CITATION.cff"), text_arg_end() });
	spans_add(
	    b->arena, &code,
	    (struct span){ .text = str_trim(citation_bibtex(b->report, b->arena)), .code = true });
	report_code(b->report, code);
	build_text(b, "cite.check",
		   (struct text_arg[]){ file_arg("manifest", "MANIFEST"),
					file_arg("json", "report.json"),
					text_arg("id", b->report->edition_id), text_arg_end() });
}
