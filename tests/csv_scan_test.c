/* base/csv_scan.c: what the comparison of many small texts
 * (csv_differential_test) does not reach. */
#include "test.h"

#include "csv_scan_fixture.h"

#include "../base/csv_index.h"

#include <stdio.h>

static const struct pos START = { "x.csv", 1, 1 };

static void test_levels(struct test *t)
{
	test_ok(t, csv_level_available(CSV_LEVEL_BEST) && csv_level_available(CSV_LEVEL_PLAIN),
	        "every processor has the plain scan");
	test_ok(t, strcmp(csv_level_name(CSV_LEVEL_PLAIN), "plain") == 0, "levels have names");
	test_ok(t, !csv_level_available(CSV_LEVEL_COUNT) || csv_level_available(CSV_LEVEL_BEST),
		"no level beyond");
#if defined(__x86_64__)
	test_ok(t, csv_level_available(CSV_LEVEL_SSE2) && !csv_level_available(CSV_LEVEL_NEON),
		"x86-64 has SSE2");
#elif defined(__aarch64__)
	test_ok(t, csv_level_available(CSV_LEVEL_NEON) && !csv_level_available(CSV_LEVEL_SSE2),
		"ARM has NEON");
#endif
}

/* Cells lie in the text itself but for those that libcsv had to change. */
static void test_cells(struct test *t)
{
	static const struct {
		const char *name;
		struct str in;
		bool in_text;
		struct str second;
	} cases[] = {
		{ "plain", STR_INIT("a,b\n1,2\n"), true, STR_INIT("2") },
		{ "blanks", STR_INIT("a,b\n1,  2 \n"), true, STR_INIT("2") },
		{ "quotes", STR_INIT("a,b\n1,\"2,\n3\"\n"), true, STR_INIT("2,\n3") },
		{ "empty quotes", STR_INIT("a,b\n1,\"\"\n"), true, STR_INIT("") },
		{ "doubled quotes", STR_INIT("a,b\n1,\"2\"\"\"\n"), false, STR_INIT("2\"") },
		{ "beside doubled quotes", STR_INIT("a,b\n\"\"\"1\",\"2\"\n"), true,
		  STR_INIT("2") },
		{ "blanks around quotes", STR_INIT("a,b\n1, \" 2 \" \n"), false, STR_INIT(" 2 ") },
		{ "no line end", STR_INIT("a,b\n1,2 "), true, STR_INIT("2") },
	};

	for (size_t i = 0; i < LEN(cases); i++) {
		struct arena a = { 0 };
		struct csv_scan s;
		struct csv_scan_row row = { 0 };
		csv_scan_begin(&s, cases[i].in, START, CSV_LEVEL_BEST, &a);
		bool two = csv_scan_next(&s, &row) && csv_scan_next(&s, &row) && row.n == 2;
		struct str cell = two ? csv_scan_cell(&row, 1) : STR("no row");
		test_str(t, cell, cases[i].second, cases[i].name);
		bool inside = cell.p >= cases[i].in.p && cell.p <= cases[i].in.p + cases[i].in.len;
		test_ok(t, inside == cases[i].in_text, "  where it lies");
		arena_free(&a);
	}
}

/* Plain quotes are not libcsv's business, wherever a block of bytes ends. */
static void test_quotes_at_blocks(struct test *t)
{
	static const char *const line_ends[] = { "\n", "\r\n", "\r" };

	for (size_t k = 0; k < LEN(line_ends); k++) {
		bool right = true;
		for (int shift = 0; shift < 70; shift++) {
			struct arena a = { 0 };
			const char *end = line_ends[k];
			struct str text = str_printf(&a, "h,i%*s%s\"a,b\",\"c\nd\"%s\"\",2%s",
						     shift, "", end, end, end);
			struct csv_scan s;
			struct csv_scan_row row = { 0 };
			csv_scan_begin(&s, text, START, CSV_LEVEL_BEST, &a);
			right = right && csv_scan_next(&s, &row) && csv_scan_next(&s, &row)
				&& row.line == 2 && !(row.flags & CSV_ROW_DECODED)
				&& str_eq(csv_scan_cell(&row, 1), STR("c\nd"))
				&& csv_scan_next(&s, &row) && row.line == 4
				&& !(row.flags & CSV_ROW_DECODED) && csv_scan_cell(&row, 0).len == 0
				&& !csv_scan_next(&s, &row);
			arena_free(&a);
		}
		test_ok(t, right, "plain quotes, with each line end at each place");
	}
}

/* Rows that the scan reads by itself, and those that libcsv must, wherever a block of bytes ends in
 * them. */
static void test_who_reads(struct test *t)
{
	static const struct { const char *name; struct str row; bool libcsv; } cases[] = {
		{ "a quote in quotes", STR_INIT("1,\"a \"\"b\"\" c\",2\n"), false },
		{ "at their ends", STR_INIT("\"\"\"a\"\"\",\"\"\"\"\n"), false },
		{ "nothing but quotes", STR_INIT("\"\"\"\"\"\",\"\",\"\"\"\"\"\"\"\"\r\n"), false },
		{ "beside separators and line ends",
		  STR_INIT("\"\"\",\"\"\",\"\"\"\n\"\"\r\n\"\n"), false },
		{ "beside characters of more bytes",
		  STR_INIT("\"\xC3\xA9\"\"\xE6\x98\xBE\",\xC3\xA9\n"), false },
		{ "a blank before the quote", STR_INIT("1, \"a\"\n"), true },
		{ "a blank behind it", STR_INIT("\"a\" ,1\n"), true },
		{ "blanks, and a quote in quotes", STR_INIT("1, \"a\"\"\" ,2\n"), true },
	};

	for (size_t i = 0; i < LEN(cases); i++)
		for (int l = CSV_LEVEL_PLAIN; l < CSV_LEVEL_COUNT; l++) {
			bool right = true;
			if (!csv_level_available((enum csv_level)l))
				continue;
			for (int shift = 0; shift < 70; shift++) {
				struct arena a = { .block_size = 1 << 14 };
				struct str text =
				    str_printf(&a, "h,i%*s\n" STR_FMT "x,y\n", shift, "",
					       STR_ARG(cases[i].row));
				struct judgement j = judge(text, &a);
				struct csv_scan s;
				struct csv_scan_row row = { 0 };
				csv_scan_begin(&s, text, START, (enum csv_level)l, &a);
				right = right && csv_scan_next(&s, &row) && csv_scan_next(&s, &row)
					&& ((row.flags & CSV_ROW_HARD) != 0) == cases[i].libcsv
					&& whole_is_same(&j, (enum csv_level)l);
				arena_free(&a);
			}
			test_ok(t, right, cases[i].name);
		}
}

static void test_faults(struct test *t)
{
	static const struct {
		const char *name;
		struct str in;
		enum csv_fault_kind kind;
		int line, col;
		const char *msg;
	} cases[] = {
		{ "syntax", STR_INIT("a,b\n1,x\"y\n"), CSV_FAULT_SYNTAX, 2, 4,
		  "inside an unquoted cell" },
		{ "behind a quote", STR_INIT("a,b\n1,\"x\"y\n"), CSV_FAULT_SYNTAX, 2, 6,
		  "after a closing quote" },
		{ "open quote", STR_INIT("a,b\n1,\"x\n2,3\n"), CSV_FAULT_SYNTAX, 2, 3,
		  "never closed" },
		{ "bad UTF-8 comes before syntax", STR_INIT("a,b\n1,x\"y\n\n\xE9\n"),
		  CSV_FAULT_UTF8, 4, 1, "0xE9" },
		{ "NUL comes before bad UTF-8", STR_INIT("a\"b\xE9\n\n1,\0\n"), CSV_FAULT_NUL, 3, 3,
		  "a NUL byte" },
		{ "BOM counts for bytes",
		  STR_INIT("\xEF\xBB\xBF"
			   "a\xE9\n"),
		  CSV_FAULT_UTF8, 1, 3, "0xE9" },
		{ "BOM does not count for cells",
		  STR_INIT("\xEF\xBB\xBF"
			   "a\"\n"),
		  CSV_FAULT_SYNTAX, 1, 2, "unquoted" },
		{ "half a character at the end", STR_INIT("a\nb\xC3"), CSV_FAULT_UTF8, 2, 2,
		  "0xC3" },
		{ "nothing", STR_INIT(""), CSV_FAULT_SYNTAX, 1, 1,
		  "no header line: the file is empty" },
		{ "nothing but blanks", STR_INIT("\n \n"), CSV_FAULT_SYNTAX, 1, 1,
		  "no header line" },
	};

	for (size_t i = 0; i < LEN(cases); i++)
		for (int l = CSV_LEVEL_PLAIN; l < CSV_LEVEL_COUNT; l++) {
			struct arena a = { 0 };
			struct csv_scan s;
			struct csv_scan_row row;
			if (!csv_level_available((enum csv_level)l))
				continue;
			csv_scan_begin(&s, cases[i].in, START, (enum csv_level)l, &a);
			while (csv_scan_next(&s, &row))
				;
			bool right =
			    s.fault.kind == cases[i].kind && s.fault.err.pos.line == cases[i].line
			    && s.fault.err.pos.col == cases[i].col
			    && strstr(s.fault.err.msg, cases[i].msg) && !csv_scan_next(&s, &row);
			test_ok(t, right, cases[i].name);
			if (!right)
				printf("# %d:%d %s\n", s.fault.err.pos.line, s.fault.err.pos.col,
				       s.fault.err.msg);
			arena_free(&a);
		}
}

/* A text that is the rest of a line. */
static void test_begin(struct test *t)
{
	struct arena a = { 0 };
	struct csv_scan s;
	struct csv_scan_row row = { 0 };

	csv_scan_chunk(&s, STR("a;b\nc;d\n"), (struct pos){ "x.csv", 3, 7 }, ';', CSV_LEVEL_BEST,
		       &a);
	bool good = csv_scan_next(&s, &row);
	struct pos pos = csv_scan_pos(&s, &row, 1);
	test_ok(t, good && row.n == 2 && pos.line == 3 && pos.col == 9,
		"a text that begins in a line");
	good = csv_scan_next(&s, &row);
	pos = csv_scan_pos(&s, &row, 1);
	test_ok(t, good && pos.line == 4 && pos.col == 3, "its second row");
	arena_free(&a);
}

/* n bytes of the pattern again and again between the two. */
static struct str filled(struct arena *a, struct str before, struct str pattern, size_t n,
			 struct str after)
{
	struct strbuf b = { .arena = a };
	char *p = arena_alloc(a, n);

	for (size_t i = 0; i < n; i++)
		p[i] = pattern.p[i % pattern.len];
	strbuf_add(&b, before);
	strbuf_add(&b, (struct str){ p, n });
	strbuf_add(&b, after);
	return strbuf_str(&b);
}

/* libcsv takes 1024 bytes more than CSV_CELL_MAX, counts blanks behind a cell and the closing
 * quote, and not what stands before it. */
static void test_cell_limit(struct test *t)
{
	static const struct { const char *name; struct str before, after; } cases[] = {
		{ "a plain cell at the limit", STR_INIT("h\n"), STR_INIT(",b\n") },
		{ "one in quotes", STR_INIT("h\n\""), STR_INIT("\",b\n") },
		{ "with blanks", STR_INIT("h\n  "), STR_INIT("  ,b\n") },
		{ "in quotes, with blanks", STR_INIT("h\nx, \""), STR_INIT("\" \n") },
		{ "the last of the text", STR_INIT("h\n"), STR_INIT("") },
		{ "never closed", STR_INIT("h\n\""), STR_INIT("") },
		{ "then a fault", STR_INIT("h\n"), STR_INIT("\"\n") },
		{ "the header", STR_INIT(""), STR_INIT(",b\n1,2\n") },
	};

	for (size_t i = 0; i < LEN(cases); i++) {
		bool same = true;
		for (size_t n = CSV_CELL_MAX + 1020; n <= CSV_CELL_MAX + 1028; n++) {
			struct arena a = { 0 };
			struct judgement j =
			    judge(filled(&a, cases[i].before, STR("x"), n, cases[i].after), &a);
			same = same && whole_is_same(&j, CSV_LEVEL_BEST) && table_is_same(&j)
			       && parts_are_same(&j, 1000, CSV_LEVEL_BEST)
			       && stream_is_same(&j, 4096, CSV_LEVEL_BEST);
			arena_free(&a);
		}
		test_ok(t, same, cases[i].name);
	}
}

static void scan_all(struct str text, size_t size, struct csv_fault *fault, size_t *rows,
		     struct arena *a)
{
	struct pieces pieces = { text, 1 };
	struct csv_chunk chunk = { .arena = a };
	struct arena scratch = { 0 };
	struct csv_scan_row row;
	struct csv_scan s;
	struct csv_chunks c;
	struct error err = { 0 };

	*fault = (struct csv_fault){ 0 };
	*rows = 0;
	csv_chunks_begin(&c, (struct csv_source){ read_piece, &pieces }, "x.csv", size,
			 CSV_LEVEL_BEST);
	while (csv_chunks_next(&c, &chunk, &err) && !chunk.over) {
		csv_chunk_scan(&chunk, CSV_LEVEL_BEST, &scratch, &s);
		while (csv_scan_next(&s, &row))
			++*rows;
		csv_fault_add(fault, &s.fault);
		arena_free(&scratch);
	}
	csv_chunks_end(&c);
}

/* 32 bytes a cell: as many bytes as a row may have, but not as many cells. */
#define WIDE STR_INIT(",1234567890123456789012345678901")
#define COMMA STR_INIT(",")
#define NEWLINE STR_INIT("\n")

/* Rows and runs of empty lines have limits that libcsv has not: in one piece and in chunks the
 * same. */
static void test_row_limit(struct test *t)
{
	static const struct {
		const char *name;
		struct str before, fill;
		size_t n;
		struct str after;
		size_t rows;
		int line, col;
		const char *msg;
	} cases[] = {
		{ "a row at the limit", STR_INIT("h\n1\n"), WIDE, CSV_ROW_MAX, STR_INIT("\n2\n"), 4,
		  0, 0, "" },
		{ "a row over it", STR_INIT("h\n1\n"), WIDE, CSV_ROW_MAX + 1, STR_INIT("\n2\n"), 0,
		  3, 1, "a row of more than 16777216 bytes" },
		{ "one that no line end ends", STR_INIT("h\n1\n"), WIDE, CSV_ROW_MAX + 4000,
		  STR_INIT(""), 0, 3, 1, "bytes" },
		{ "a row of blanks", STR_INIT("h\n"), STR_INIT(" \t"), CSV_ROW_MAX + 1,
		  STR_INIT("\n"), 0, 2, 1, "bytes" },
		{ "then cells", STR_INIT("h\n"), STR_INIT(" "), CSV_ROW_MAX + 99, STR_INIT("1,2\n"),
		  0, 2, 1, "bytes" },
		{ "a cell of it is too long already", STR_INIT("h\n1\n,"), STR_INIT("x"),
		  CSV_ROW_MAX + 4000, STR_INIT("\n"), 0, 3, 2, "a cell of more than" },
		{ "a quote that is never closed", STR_INIT("h\n1\n,\""), NEWLINE,
		  CSV_ROW_MAX + 4000, STR_INIT("\n"), 0, 3, 2, "a cell of more than" },
		{ "a NUL byte behind it", STR_INIT("h\n1\n"), WIDE, CSV_ROW_MAX + 4000,
		  STR_INIT("\n\0"), 0, 4, 1, "a NUL" },
		{ "a NUL byte in its end", STR_INIT("h\n1\n"), WIDE, CSV_ROW_MAX + 4000,
		  STR_INIT("\0"), 0, 3, CSV_ROW_MAX + 4001, "a NUL byte" },
		{ "a NUL byte further on", STR_INIT("h\n1\n"), WIDE, 2 * CSV_ROW_MAX + 4000,
		  STR_INIT("\0"), 0, 3, 2 * CSV_ROW_MAX + 4001, "a NUL byte" },
		{ "a header over the limit", STR_INIT("\n"), WIDE, CSV_ROW_MAX + 4000,
		  STR_INIT("\n1\n"), 0, 2, 1, "bytes" },
		{ "cells at the limit", STR_INIT("h\n1\n"), COMMA, CSV_CELLS_MAX - 1,
		  STR_INIT("\n2\n"), 4, 0, 0, "" },
		{ "cells over it", STR_INIT("h\n1\n"), COMMA, CSV_CELLS_MAX, STR_INIT("\n2\n"), 0,
		  3, 1, "a row of more than 1048576 cells" },
		{ "cells over it, and no line end", STR_INIT("h\n1\n"), COMMA, CSV_CELLS_MAX,
		  STR_INIT(""), 0, 3, 1, "cells" },
		{ "cells and bytes", STR_INIT("h\n1\n"), COMMA, CSV_ROW_MAX + 4000,
		  STR_INIT("\n2\n"), 0, 3, 1, "cells" },
		{ "a fault before", STR_INIT("h\na\"b"), COMMA, CSV_CELLS_MAX, STR_INIT("\n2\n"), 0,
		  2, 2, "unquoted cell" },
		{ "a fault behind", STR_INIT("h\n"), COMMA, CSV_CELLS_MAX, STR_INIT("a\"b\n2\n"), 0,
		  2, 1048577 + 1, "unquoted cell" },
		{ "a fault far behind", STR_INIT("h\n"), COMMA, CSV_CELLS_MAX + 9,
		  STR_INIT("a\"b\n"), 0, 2, 1, "cells" },
		{ "empty lines at the limit", STR_INIT(""), NEWLINE, CSV_ROW_MAX,
		  STR_INIT("h;i\n1;2\n"), 2, 0, 0, "" },
		{ "too many of them", STR_INIT(""), NEWLINE, CSV_ROW_MAX + 1,
		  STR_INIT("h;i\n1;2\n"), 0, 1, 1, "too many" },
		{ "nothing but empty lines", STR_INIT(""), NEWLINE, CSV_ROW_MAX + 4000,
		  STR_INIT(""), 0, 1, 1, "too many" },
	};

	for (size_t i = 0; i < LEN(cases); i++) {
		static const size_t sizes[] = { 1 << 18, 1 << 26 };
		for (size_t k = 0; k < LEN(sizes); k++) {
			struct arena a = { 0 };
			struct str text =
			    filled(&a, cases[i].before, cases[i].fill, cases[i].n, cases[i].after);
			struct csv_fault f;
			size_t rows;
			scan_all(text, sizes[k], &f, &rows, &a);
			bool right = cases[i].line
				? f.err.pos.line == cases[i].line && f.err.pos.col == cases[i].col
				  && strstr(f.err.msg, cases[i].msg)
				: !f.kind && rows == cases[i].rows;
			test_ok(t, right, cases[i].name);
			if (!right)
				printf("# %zu rows, %d:%d %s\n", rows, f.err.pos.line,
				       f.err.pos.col, f.err.msg);
			arena_free(&a);
		}
	}
}

/* Every first byte with the bounds of what may follow, at each side of a block's end. */
static void test_utf8(struct test *t)
{
	static const unsigned char next[] = { 'x', 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0 };
	char text[140];
	int differ = 0;

	for (size_t at = 61; at < 64; at++)
		for (unsigned lead = 0x80; lead <= 0xFF; lead++)
			for (size_t k = 0; k < LEN(next) * LEN(next) * LEN(next); k++) {
				struct arena a = { .block_size = 1 << 12 };
				memset(text, 'x', sizeof text);
				text[2] = '\n';
				text[at] = (char)lead;
				text[at + 1] = (char)next[k % LEN(next)];
				text[at + 2] = (char)next[k / LEN(next) % LEN(next)];
				text[at + 3] = (char)next[k / LEN(next) / LEN(next)];
				struct str s = { text, k % 7 ? sizeof text : at + 1 + k % 4 };
				struct csv_scan scan;
				struct csv_scan_row row;
				csv_scan_begin(&scan, s, START,
					       k % 2 ? CSV_LEVEL_BEST : CSV_LEVEL_PLAIN, &a);
				while (csv_scan_next(&scan, &row))
					;
				differ += str_is_utf8(s) != (scan.fault.kind == CSV_FAULT_NONE);
				arena_free(&a);
			}
	test_ok(t, differ == 0, "UTF-8 across the end of a block");
}

int main(void)
{
	struct test t = { 0 };

	test_levels(&t);
	test_cells(&t);
	test_quotes_at_blocks(&t);
	test_who_reads(&t);
	test_faults(&t);
	test_begin(&t);
	test_cell_limit(&t);
	test_row_limit(&t);
	test_utf8(&t);
	return test_done(&t);
}
