/* base/csv_read.c: dialects and exact positions. */
#include "test.h"

#include "../base/csv_read.h"
#include "../base/date.h"

#include <stdlib.h>
#include <string.h>

/* Rows as "[cell@line:col][…]" so that one text shows contents and places. */
static struct str show(struct arena *a, const struct csv_table *t)
{
	struct strbuf b = { .arena = a };

	for (size_t r = 0; r <= t->n; r++) {
		const struct csv_row *row = r ? &t->rows[r - 1] : &t->header;
		for (size_t i = 0; i < row->n; i++)
			strbuf_printf(&b, "[" STR_FMT "@%d:%d]", STR_ARG(row->cells[i].text),
			              row->cells[i].pos.line, row->cells[i].pos.col);
		strbuf_addc(&b, '/');
	}
	return strbuf_str(&b);
}

static void test_good(struct test *t)
{
	static const struct { const char *name; struct str in, want;
	} cases[] = {
		{ "plain", STR_INIT("a,b\n1,2\n"), STR_INIT("[a@1:1][b@1:3]/[1@2:1][2@2:3]/") },
		{ "no newline at the end", STR_INIT("a,b\n1,2"),
		  STR_INIT("[a@1:1][b@1:3]/[1@2:1][2@2:3]/") },
		{ "BOM, CRLF",
		  STR_INIT("\xEF\xBB\xBF"
			   "a,b\r\n1,2\r\n"),
		  STR_INIT("[a@1:1][b@1:3]/[1@2:1][2@2:3]/") },
		{ "CR only", STR_INIT("a,b\r1,2\r"), STR_INIT("[a@1:1][b@1:3]/[1@2:1][2@2:3]/") },
		{ "semicolons", STR_INIT("a;b\n1,5;2\n"),
		  STR_INIT("[a@1:1][b@1:3]/[1,5@2:1][2@2:5]/") },
		{ "tabs with empty cells", STR_INIT("a\tb\tc\n\t2\t\n"),
		  STR_INIT("[a@1:1][b@1:3][c@1:5]/[@2:1][2@2:2][@2:4]/") },
		{ "blanks around", STR_INIT("a , b\n 1,  2 \n"),
		  STR_INIT("[a@1:1][b@1:5]/[1@2:2][2@2:6]/") },
		{ "quoted newline moves the lines", STR_INIT("a,b\n\"x\ny\",2\n3,4\n"),
		  STR_INIT("[a@1:1][b@1:3]/[x\ny@2:1][2@3:4]/[3@4:1][4@4:3]/") },
		{ "doubled quote", STR_INIT("a\n\"say \"\"x\"\"\"\n"),
		  STR_INIT("[a@1:1]/[say \"x\"@2:1]/") },
		{ "separator in quotes of the header", STR_INIT("\"a;b;c\",d\n1,2\n"),
		  STR_INIT("[a;b;c@1:1][d@1:9]/[1@2:1][2@2:3]/") },
		{ "empty lines are left out", STR_INIT("\n\na,b\n\n1,2\n\n"),
		  STR_INIT("[a@3:1][b@3:3]/[1@5:1][2@5:3]/") },
		{ "columns count characters", STR_INIT("a,b\né显,2\n"),
		  STR_INIT("[a@1:1][b@1:3]/[é显@2:1][2@2:4]/") },
		{ "header only", STR_INIT("a,b\n"), STR_INIT("[a@1:1][b@1:3]/") },
		{ "short and long rows", STR_INIT("a,b\n1\n1,2,3\n"),
		  STR_INIT("[a@1:1][b@1:3]/[1@2:1]/[1@3:1][2@3:3][3@3:5]/") },
		{ "a row of empty cells is a row", STR_INIT("a,b\n,\n"),
		  STR_INIT("[a@1:1][b@1:3]/[@2:1][@2:2]/") },
	};
	struct arena a = { 0 };

	for (size_t i = 0; i < LEN(cases); i++) {
		struct csv_table table;
		struct error err = { 0 };
		bool good = csv_parse_text(cases[i].in, "x.csv", &a, &table, &err);
		test_str(t, good ? show(&a, &table) : str_of(err.msg), cases[i].want,
			 cases[i].name);
	}
	arena_free(&a);
}

static void test_bad(struct test *t)
{
	static const struct {
		const char *name;
		struct str in;
		int line, col;
		const char *msg;
	} cases[] = {
		{ "unclosed quote", STR_INIT("a,b\n1,\"x\n2,3\n"), 2, 3, "never closed" },
		{ "quote inside a cell", STR_INIT("a,b\n1,x\"y\n"), 2, 4,
		  "inside an unquoted cell" },
		{ "text behind a quote", STR_INIT("a,b\n1,\"x\"y\n"), 2, 6,
		  "after a closing quote" },
		{ "NUL byte", STR_INIT("a,b\n1,\0\n"), 2, 3, "NUL" },
		{ "not UTF-8", STR_INIT("a,b\nx,\xE9\n"), 2, 3, "0xE9 is not UTF-8" },
		{ "empty file", STR_INIT(""), 1, 1, "no header line" },
		{ "only blank lines", STR_INIT("\n\n"), 1, 1, "no header line" },
	};
	struct arena a = { 0 };

	for (size_t i = 0; i < LEN(cases); i++) {
		struct csv_table table;
		struct error err = { 0 };
		bool good = csv_parse_text(cases[i].in, "x.csv", &a, &table, &err);
		bool right = !good && err.pos.line == cases[i].line && err.pos.col == cases[i].col
			&& strstr(err.msg, cases[i].msg);
		test_ok(t, right, cases[i].name);
		if (!right)
			printf("# %d:%d %s\n", err.pos.line, err.pos.col, err.msg);
	}
	char *huge = arena_alloc(&a, (2 << 20) + 4);
	memset(huge, 'x', 2 << 20);
	memcpy(huge, "a\n\"", 3);
	struct csv_table table;
	struct error err = { 0 };
	test_ok(t, !csv_parse_text((struct str){ huge, 2 << 20 }, "x.csv", &a, &table, &err)
	           && strstr(err.msg, "more than"), "a cell over the limit");
	arena_free(&a);
}

struct record { struct str name; double price; int n; struct date day; struct pos pos; };

static bool read_text(struct str text, struct arena *a, struct record **v, size_t *n,
		      struct error *err)
{
	static const struct csv_field fields[] = {
		{ "name", CSV_TEXT, true, offsetof(struct record, name) },
		{ "price", CSV_NUMBER, false, offsetof(struct record, price) },
		{ "n", CSV_COUNT, false, offsetof(struct record, n) },
		{ "day", CSV_DATE, false, offsetof(struct record, day) },
	};
	char path[] = "/tmp/gpuguide-test-XXXXXX";
	FILE *f = fdopen(mkstemp(path), "w");
	void *records = NULL;

	fwrite(text.p, 1, text.len, f);
	fclose(f);
	bool good = csv_read_records(path, fields, LEN(fields), sizeof(struct record),
	                             offsetof(struct record, pos), a, &records, n, err);
	err->pos.file = NULL;
	remove(path);
	*v = records;
	return good;
}

static void test_records(struct test *t)
{
	static const struct { struct str in; int line, col; const char *msg; } bad[] = {
		{ STR_INIT("price\n1\n"), 1, 0, "no column 'name'" },
		{ STR_INIT("name,price\nx,1.2.3\n"), 2, 3, "price: '1.2.3' is not a number" },
		{ STR_INIT("name,n\nx,-4\n"), 2, 3, "n: '-4' is not a whole number" },
		{ STR_INIT("name,day\nx,2019-02-30\n"), 2, 3, "day: '2019-02-30' is not a date" },
		{ STR_INIT("name,n\n,4\n"), 2, 1, "name: the cell is empty" },
		{ STR_INIT("name,n\nx,4,5\n"), 2, 5, "more cells" },
	};
	struct arena a = { 0 };
	struct record *v;
	struct error err = { 0 };
	size_t n = 0;

	bool good = read_text(STR("day,junk,price,name,n\n2020-01-02,?,1.5,'=x,3\n,,,y,\n"), &a, &v,
			      &n, &err);
	test_ok(t, good && n == 2 && v[0].price == 1.5 && v[0].n == 3 && v[0].day.day == 18263
	           && v[0].pos.line == 2, "a full record");
	test_ok(t, good && str_eq(v[0].name, STR("=x")), "the formula guard is taken off");
	test_ok(t, good && isnan(v[1].price) && v[1].n == -1 && v[1].pos.line == 3,
		"missing is not 0");
	for (size_t i = 0; i < LEN(bad); i++) {
		err = (struct error){ 0 };
		bool right = !read_text(bad[i].in, &a, &v, &n, &err) && err.pos.line == bad[i].line
			&& err.pos.col == bad[i].col && strstr(err.msg, bad[i].msg);
		test_ok(t, right, bad[i].msg);
		if (!right)
			printf("# %d:%d %s\n", err.pos.line, err.pos.col, err.msg);
	}
	arena_free(&a);
}

int main(void)
{
	struct test t = { 0 };

	test_good(&t);
	test_bad(&t);
	test_records(&t);
	return test_done(&t);
}
