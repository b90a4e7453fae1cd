/* Packing a PDF: a small file written by hand, read back object by object, and files of another
 * form. */
#include "pdf_read.h"
#include "test.h"
#include "../base/error.h"
#include "../render/pdf_pack.h"

/* Offsets of the objects: 1 at 9, 2 at 58, 3 at 121; the table at 138. */
#define HEAD "%PDF-1.4\n"
#define ONE "1 0 obj\n<<\n/Type /Catalog\n/Name (a\\)b)\n>>\nendobj\n"
#define TWO "2 0 obj\n<<\n/Length 3 0 R\n>>\nstream\r\nendobj x\r\nendstream\nendobj\n"
#define THREE "3 0 obj\n8\nendobj\n"
#define TABLE                                                                                      \
	"xref\n0 4\n0000000000 65535 f\r\n0000000009 00000 n\r\n0000000058 00000 n\r\n"            \
	"0000000121 00000 n\r\n"
#define TRAILER "trailer\n<<\n/Root 1 0 R\n/Size 4\n/ID [<00> <00>]\n>>\n"
#define END "startxref\n138\n%%EOF\n"

static const struct {
	const char *name;
	struct str in, message;
} refusals[] = {
	{ "nothing", STR_INIT(""),
	  STR_INIT("PDF library: no cross-reference table at byte 0 of its file") },
	{ "a place that is none", STR_INIT(HEAD ONE "startxref\n9\n%%EOF\n"),
	  STR_INIT("PDF library: no cross-reference table at byte 9 of its file") },
	{ "a table without end", STR_INIT(HEAD "xref\n0 9\n" TRAILER "startxref\n9\n%%EOF\n"),
	  STR_INIT(
	      "PDF library: a cross-reference table of impossible size at byte 9 of its file") },
	{ "an object behind the table",
	  STR_INIT(HEAD "xref\n0 2\n0000000000 65535 f\r\n0000009999 00000 n\r\n" TRAILER
			"startxref\n9\n%%EOF\n"),
	  STR_INIT("PDF library: an object beyond the table at byte 38 of its file") },
	{ "an object without an end",
	  STR_INIT(HEAD "1 0 obj\n<<>>\n"
			"xref\n0 2\n0000000000 65535 f\r\n0000000009 00000 n\r\n" TRAILER
			"startxref\n22\n%%EOF\n"),
	  STR_INIT("PDF library: no object at byte 9 of its file") },
	{ "no trailer",
	  STR_INIT(HEAD ONE "xref\n0 2\n0000000000 65535 f\r\n0000000009 00000 n\r\n"
			    "startxref\n58\n%%EOF\n"),
	  STR_INIT("PDF library: no trailer at byte 0 of its file") },
	{ "a stream without a length",
	  STR_INIT(HEAD "1 0 obj\n<<>>\nstream\nendstream\nendobj\n"
			"xref\n0 2\n0000000000 65535 f\r\n0000000009 00000 n\r\n" TRAILER
			"startxref\n46\n%%EOF\n"),
	  STR_INIT("PDF library: a stream without a length at byte 9 of its file") },
};

static void test_round(struct test *t, struct arena *a)
{
	struct error err = { 0 };
	struct pdf_file file;
	struct str out, in = STR(HEAD ONE TWO THREE TABLE TRAILER END);

	test_ok(t, pdf_pack(in, a, &out, &err), "a small file");
	if (err.code != ERR_NONE)
		printf("# %s\n", err.msg);
	test_ok(t, pdf_file_read(out, a, &file) && file.n == 6, "three objects, a pack, the table");
	test_str(t, file.v[1].text, STR("<<\n/Type /Catalog\n/Name (a\\)b)\n>>"),
		 "an object as it was");
	test_ok(t, file.v[1].packed && !file.v[2].packed, "only streams stand by themselves");
	test_str(t, file.v[2].data, STR("endobj x"), "a stream as it was");
	test_str(t, pdf_key(file.v[2].text, "Length"), STR("8"), "with its length");
	test_ok(t, !file.v[3].used, "whose object is gone");
	test_str(t, pdf_key(file.trailer, "Root"), STR("1 0 R"), "the trailer's keys");
	test_str(t, pdf_key(file.trailer, "ID"), STR("[<00> <00>]"), "all of them");
}

/* More objects than one stream takes. */
static void test_many(struct test *t, struct arena *a)
{
	enum { MANY = 1000 };
	struct strbuf b = { .arena = a }, table = { .arena = a };
	struct error err = { 0 };
	struct pdf_file file = { 0 };
	struct str out;
	bool same = true;

	strbuf_add(&b, STR(HEAD));
	strbuf_printf(&table, "xref\n0 %d\n0000000000 65535 f\r\n", MANY + 1);
	for (int i = 1; i <= MANY; i++) {
		strbuf_printf(&table, "%010zu 00000 n\r\n", b.len);
		strbuf_printf(&b, "%d 0 obj\n<<\n/N %d\n>>\nendobj\n", i, i * i);
	}
	size_t at = b.len;
	strbuf_add(&b, strbuf_str(&table));
	strbuf_printf(&b, TRAILER "startxref\n%zu\n%%%%EOF\n", at);
	test_ok(t, pdf_pack(strbuf_str(&b), a, &out, &err) && pdf_file_read(out, a, &file),
		"a thousand objects");
	for (size_t i = 1; i <= MANY; i++)
		same = same && i < file.n && pdf_number(pdf_key(file.v[i].text, "N"), 0) == i * i;
	test_ok(t, same, "each under its number");
	test_ok(t, out.len * 4 < b.len, "in less than a quarter of the room");
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };

	test_round(&t, &a);
	test_many(&t, &a);
	for (size_t i = 0; i < LEN(refusals); i++) {
		struct error err = { 0 };
		struct str out;
		test_ok(&t,
			!pdf_pack(refusals[i].in, &a, &out, &err) && err.code == ERR_ENVIRONMENT,
			refusals[i].name);
		test_str(&t, str_of(err.msg), refusals[i].message, refusals[i].name);
	}
	arena_free(&a);
	return test_done(&t);
}
