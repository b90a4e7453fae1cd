/* What a PDF says of itself: XMP, page labels, attached files, paper; and how its front looks. */
#include "pdf_fixture.h"
#include "../base/file.h"

#include <stdlib.h>
#include <unistd.h>

struct opened {
	struct pdf_file file;
	struct str root; /* the catalog */
	struct str plain;
};

static struct opened write_opened(struct fixture *f, const struct report *r,
				  const struct pdf_options *opt, const char *name)
{
	struct opened o = { .root = STR("") };
	struct error err = { 0 };
	struct str pdf;

	bool ok =
	    pdf_write(r, opt, f->fonts, &f->a, &pdf, &err) && pdf_file_read(pdf, &f->a, &o.file);
	test_ok(&f->t, ok, name);
	if (!ok) {
		printf("# %s\n", err.msg);
		return o;
	}
	o.root = pdf_follow(&o.file, pdf_key(o.file.trailer, "Root")).text;
	o.plain = pdf_file_plain(pdf, &f->a);
	return o;
}

static size_t count_in(struct str s, const char *what)
{
	size_t n = 0;

	for (size_t at = 0; (at = str_find(s, str_of(what), at)) < s.len; at++)
		n++;
	return n;
}

static struct report chapters(struct fixture *f, size_t n)
{
	struct report r = empty_report(f);

	for (size_t i = 0; i < n; i++) {
		heading(f, &r, i % 3 ? 3 : 2, str_printf(&f->a, "c%zu", i).p,
			str_printf(&f->a, "Heading %zu", i).p);
		text(f, &r, lorem);
	}
	return r;
}

static const struct {
	const char *name, *want;
} properties[] = {
	{ "XMP title, escaped", "<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">A &lt;b&gt; "
				"&amp; C</rdf:li></rdf:Alt></dc:title>" },
	{ "XMP description", "<dc:description><rdf:Alt><rdf:li xml:lang=\"x-default\">Benchmarks" },
	{ "XMP language",
	  "<dc:language><rdf:Bag><rdf:li>zh-Hant</rdf:li></rdf:Bag></dc:language>" },
	{ "XMP dates", "<xmp:CreateDate>2026-11-30T12:00:01Z</xmp:CreateDate>" },
	{ "XMP change", "<xmp:ModifyDate>2026-11-30T12:00:01Z</xmp:ModifyDate>" },
	{ "XMP creator", "<xmp:CreatorTool>gpuguide 0.1.0</xmp:CreatorTool>" },
	{ "XMP producer", "<pdf:Producer>libharu " },
	{ "XMP edition", "<dc:identifier>2026-11-30-0123456789ab</dc:identifier>" },
};

static void test_xmp(struct fixture *f)
{
	struct report r = chapters(f, 1);
	const struct pdf_options opt = { .tmp_dir = f->tmp };

	r.title = STR("A <b> & C");
	r.language = STR("zh-Hant");
	struct opened o = write_opened(f, &r, &opt, "a title with signs of XML");
	struct pdf_object xmp = pdf_follow(&o.file, pdf_key(o.root, "Metadata"));
	test_str(&f->t, pdf_key(xmp.text, "Subtype"), STR("/XML"), "XMP is there");
	test_ok(&f->t, pdf_key(xmp.text, "Filter").len == 0, "in plain text");
	for (size_t i = 0; i < LEN(properties); i++)
		test_ok(&f->t, count_in(xmp.data, properties[i].want) == 1, properties[i].name);
	struct str info = pdf_follow(&o.file, pdf_key(o.file.trailer, "Info")).text;
	test_ok(&f->t, count_in(info, "/Producer <FEFF006C00690062") == 1,
		"the same producer as in Info");
	r.title = r.subtitle = r.generator = r.edition_id = r.language = STR("");
	o = write_opened(f, &r, &opt, "nothing to say");
	xmp = pdf_follow(&o.file, pdf_key(o.root, "Metadata"));
	test_ok(&f->t,
		count_in(xmp.data, "dc:title") == 0 && count_in(xmp.data, "<rdf:li>en<") == 1,
		"empty properties are left out, the language is English");
}

static void test_labels(struct fixture *f)
{
	const struct pdf_options opt = { .tmp_dir = f->tmp };
	struct report small = chapters(f, 1), large = chapters(f, 9);
	struct opened o = write_opened(f, &small, &opt, "one chapter");
	struct str labels = pdf_follow(&o.file, pdf_key(o.root, "PageLabels")).text;

	test_ok(&f->t,
		count_in(labels, "/S /D\n") == 1 && count_in(labels, "/S /r") == 0
		    && count_in(o.plain, "/Type /Page\n") == 1,
		"has no cover and arabic numbers");
	o = write_opened(f, &large, &opt, "three chapters");
	labels = pdf_key(pdf_follow(&o.file, pdf_key(o.root, "PageLabels")).text, "Nums");
	test_ok(&f->t, count_in(labels, "[ 0 <<") == 1 && count_in(labels, ">> 2 <<") == 1,
		"cover and contents are numbered apart");
	test_ok(&f->t, count_in(o.plain, "/S /r") == 1 && count_in(o.plain, "/S /D\n") == 1,
		"in roman, the rest in arabic");
	/* the numbers are shown as UTF-16: i has none, ii, Page 1 of 2 */
	test_ok(&f->t, count_in(o.plain, "<00690069> Tj") == 1, "page ii is called so");
	test_ok(&f->t,
		count_in(o.plain, "<005000610067006500200031002000"
				  "6F0066002000")
		    == 1,
		"the first page of the report is page 1");
	test_ok(&f->t, count_in(o.plain, "/TOCI") == 9, "chapters and sections in the contents");
	large = chapters(f, 300);
	o = write_opened(f, &large, &opt, "three hundred headings");
	test_ok(&f->t, count_in(o.plain, "/TOCI") == 100,
		"sections only while one page holds them");
}

static void test_attached(struct fixture *f)
{
	static const char *const files[] = { "scores.csv", "prices.csv", "values.csv" };
	const char *dir = str_printf(&f->a, "%s/edition", f->tmp).p;
	const struct pdf_options opt = { .tmp_dir = f->tmp, .dir = dir };
	struct report r = chapters(f, 4);
	struct error err = { 0 };

	test_ok(&f->t, file_make_dirs(str_printf(&f->a, "%s/data", dir).p, &err), "a folder");
	for (size_t i = 0; i < LEN(files); i++)
		file_write(str_printf(&f->a, "%s/data/%s", dir, files[i]).p,
			   str_printf(&f->a, "name\n%s\n", files[i]), &err);
	struct opened o = write_opened(f, &r, &opt, "with data files");
	struct str tree = pdf_key(pdf_key(o.root, "Names"), "EmbeddedFiles");
	struct str names = pdf_key(tree, "Names");
	test_ok(&f->t, count_in(names, "0 R") == 2, "those that are meant to travel are attached");
	test_ok(&f->t,
		count_in(o.plain, "\nname\nprices.csv\n") == 0
		    && count_in(o.plain, "name\nprices.csv\n") == 1
		    && count_in(o.plain, "name\nscores.csv\n") == 1
		    && count_in(o.plain, "name\nvalues.csv\n") == 0,
		"whole, the large ones not");
	test_ok(&f->t,
		count_in(o.plain, "/Subtype /text#2Fcsv") == 2
		    && count_in(o.plain, "/Type /Filespec") == 2
		    && count_in(o.plain, "/Size 16") == 2,
		"with type and size");
	struct str first =
	    pdf_follow(&o.file, str_slice(names, str_find(names, STR(">"), 0) + 1, names.len)).text;
	struct str stream = pdf_key(pdf_key(first, "EF"), "F");
	test_str(&f->t, pdf_follow(&o.file, stream).data, STR("name\nprices.csv\n"),
		 "in the order of their names");
	file_remove_tree(dir, &err);
	o = write_opened(f, &r, &opt, "an edition without data files");
	test_ok(&f->t, pdf_key(o.root, "Names").len == 0, "has none attached");
}

static void test_paper(struct fixture *f)
{
	struct report r = full_report(f);
	struct error err = { 0 };
	struct str pdf;
	struct pdf_options opt = { .tmp_dir = f->tmp, .paper = STR("letter") };
	struct opened o = write_opened(f, &r, &opt, "US Letter");

	test_ok(&f->t,
		count_in(o.plain, "/MediaBox [ 0 0 612 792 ]") > 10
		    && count_in(o.plain, "/MediaBox [ 0 0 595") == 0,
		"every page has its size");
	opt.paper = STR("a5");
	test_ok(&f->t, !pdf_write(&r, &opt, f->fonts, &f->a, &pdf, &err) && err.code == ERR_UNKNOWN,
		"another paper");
	test_str(&f->t, str_of(err.msg), STR("paper 'a5' is none of a4, letter"), "its message");
}

int main(void)
{
	struct fixture f = { 0 };
	struct error err = { 0 };
	char tmp[] = "/tmp/pdf-test-XXXXXX";

	f.tmp = mkdtemp(tmp);
	if (!f.tmp || !font_set_open(&f.a, &f.fonts, &err)) {
		test_ok(&f.t, false, err.msg);
		return test_done(&f.t);
	}
	test_xmp(&f);
	test_labels(&f);
	test_attached(&f);
	test_paper(&f);
	rmdir(tmp);
	font_set_free(f.fonts);
	arena_free(&f.a);
	return test_done(&f.t);
}
