/* A text in pieces: cut where rows end, counted, and read from a file piece by piece; the judge is
 * libcsv alone. */
#include "test.h"

#include "csv_scan_fixture.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void test_split(struct test *t)
{
	static const struct {
		const char *name;
		struct str in;
		size_t want;
		bool first, final;
		size_t n;
	} cases[] = {
		{ "last row end before", STR_INIT("a,b\nc,d\ne,f\n"), 10, false, true, 8 },
		{ "right at a row end", STR_INIT("a,b\nc,d\ne,f\n"), 8, false, true, 8 },
		{ "the first row is longer", STR_INIT("a,b\nc,d\n"), 2, false, true, 4 },
		{ "all", STR_INIT("a,b\nc,d\n"), 8, false, true, 8 },
		{ "all so far: more may come", STR_INIT("a,b\nc,d\n"), 8, false, false, 0 },
		{ "the end is a CR, what follows is not known", STR_INIT("aaaa\r"), 2, false, false,
		  0 },
		{ "the end is a CR, nothing follows", STR_INIT("aaaa\r"), 2, false, true, 5 },
		{ "not between CR and LF", STR_INIT("a\r\nb\r\nc\r\n"), 5, false, true, 3 },
		{ "not between CR and LF, longer", STR_INIT("aaaa\r\nb"), 5, false, true, 6 },
		{ "CR alone", STR_INIT("a\rb\rc\r"), 5, false, true, 4 },
		{ "not in quotes", STR_INIT("a\n\"b\nc\nd\"\ne\n"), 6, false, true, 2 },
		{ "from within quotes", STR_INIT("\"b\nc\nd\"\ne\n"), 4, false, true, 8 },
		{ "the header is in the first", STR_INIT("\n\na,b\nc,d\n"), 1, true, true, 6 },
		{ "blank lines are no header", STR_INIT(" \n\ta\n1\n"), 1, true, true, 5 },
		{ "a tab that separates is", STR_INIT("\t\n\ta\n1\n"), 1, true, true, 2 },
		{ "BOM", STR_INIT("\xEF\xBB\xBF\n a\n1\n"), 1, true, true, 7 },
		{ "half a BOM", STR_INIT("\xEF\xBB"), 1, true, false, 0 },
		{ "half a header", STR_INIT("aaaaa"), 1, true, false, 0 },
		{ "nothing", STR_INIT(""), 1, true, true, 0 },
	};

	for (size_t i = 0; i < LEN(cases); i++) {
		size_t n = csv_split(cases[i].in, cases[i].want, cases[i].first, cases[i].final,
				     CSV_LEVEL_BEST);
		test_ok(t, n == cases[i].n, cases[i].name);
		if (n != cases[i].n)
			printf("# %zu\n", n);
	}
}

static void test_count(struct test *t)
{
	char text[200];

	for (int l = CSV_LEVEL_PLAIN; l < CSV_LEVEL_COUNT; l++) {
		bool right = csv_level_available((enum csv_level)l);
		for (size_t n = 0; right && n < sizeof text; n++) {
			memset(text, '.', sizeof text);
			struct csv_count want = { 0 };
			for (size_t i = 0; i < n; i++) {
				text[i] =
				    "\"\r\n.\r\r\n\n\"\"."[i * 7 % 11 + (i / 11) % 2 * (i % 2)];
				want.quotes += text[i] == '"';
				want.lines += text[i] == '\r'
					      || (text[i] == '\n' && !(i && text[i - 1] == '\r'));
			}
			struct csv_count got =
			    csv_count((struct str){ text, n }, (enum csv_level)l);
			right = got.quotes == want.quotes && got.lines == want.lines;
		}
		if (csv_level_available((enum csv_level)l))
			test_ok(t, right, csv_level_name((enum csv_level)l));
	}
}

static void write_text(const char *path, struct str text)
{
	FILE *f = fopen(path, "w");

	fwrite(text.p, 1, text.len, f);
	fclose(f);
}

static void test_file(struct test *t)
{
	char path[] = "/tmp/gpuguide-test-XXXXXX";
	struct arena a = { 0 };
	struct csv_chunk chunk = { .arena = &a };
	struct csv_chunks c;
	struct csv_file f;
	struct error err = { 0 }, missing = { 0 }, fifo = { 0 };

	close(mkstemp(path));
	write_text(path, STR("h,i\n1,2\n3,4\n"));
	bool good = csv_file_open(&f, path, &err);
	csv_chunks_begin(&c, csv_file_source(&f), path, 5, CSV_LEVEL_BEST);
	good = good && csv_chunks_next(&c, &chunk, &err) && !chunk.over;
	test_str(t, chunk.text, STR("h,i\n"), "the first chunk of a file");
	good = good && csv_chunks_next(&c, &chunk, &err) && chunk.at.line == 2;
	test_ok(t, good, "its second begins at line 2");
	good = truncate(path, 5) == 0 && csv_chunks_next(&c, &chunk, &err);
	test_ok(t, !good && strstr(err.msg, "became shorter") && err.code == ERR_ENVIRONMENT,
	        "a file that shrinks is an error");
	csv_chunks_end(&c);
	csv_file_close(&f);

	remove(path);
	test_ok(t, !csv_file_open(&f, path, &missing) && missing.code == ERR_ENVIRONMENT,
		"a file that is not there");
	test_ok(t,
		mkfifo(path, 0600) == 0 && !csv_file_open(&f, path, &fifo)
		    && strstr(fifo.msg, "not a regular file"),
		"a FIFO is no file, and is not waited for");
	remove(path);
	arena_free(&a);
}

static void test_grows(struct test *t)
{
	char path[] = "/tmp/gpuguide-test-XXXXXX";
	struct arena a = { 0 };
	struct csv_chunk chunk = { .arena = &a };
	struct csv_chunks c;
	struct csv_file f;
	struct error err = { 0 };
	size_t bytes = 0;

	close(mkstemp(path));
	write_text(path, STR("h\n1\n2\n"));
	bool good = csv_file_open(&f, path, &err);
	write_text(path, STR("h\n1\n2\n3\n4\n"));
	csv_chunks_begin(&c, csv_file_source(&f), path, 3, CSV_LEVEL_BEST);
	while (good && csv_chunks_next(&c, &chunk, &err) && !chunk.over)
		bytes += chunk.text.len;
	test_ok(t, good && bytes == 6, "what is added to a file meanwhile is not read");
	csv_chunks_end(&c);
	csv_file_close(&f);
	remove(path);
	arena_free(&a);
}

/* Chunks of several reads, whose quotes and lines are counted as they come: they are cut where the whole text would be,
 * and told their lines. */
static void test_counted(struct test *t)
{
	static const size_t sizes[] = { 262144, 262145, 300000, 600001 };
	struct arena a = { 0 };
	struct strbuf b = { .arena = &a };

	strbuf_add(&b, STR("h,i,j\r\n"));
	for (int i = 0; i < 60000; i++)
		strbuf_printf(&b, i % 7 == 3 ? "%d,\"a\nb\r\n\",\"x\"\"y\"\n" : i % 5 == 3 ? "%d,c,\"q\"\r" : "%d,plain,17.25\r\n", i);
	struct str text = strbuf_str(&b);
	for (size_t i = 0; i < LEN(sizes); i++) {
		struct pieces pieces = { text, 1 << 20 };
		struct csv_chunk chunk = { .arena = &a };
		struct csv_chunks c;
		struct error err = { 0 };
		size_t at = 0;
		bool right = true;
		csv_chunks_begin(&c, (struct csv_source){ read_piece, &pieces }, "x.csv", sizes[i], CSV_LEVEL_BEST);
		while (csv_chunks_next(&c, &chunk, &err) && !chunk.over) {
			size_t n = csv_split(str_slice(text, at, text.len), sizes[i] - 1, at == 0, true, CSV_LEVEL_BEST);
			size_t line = 1 + csv_count(str_slice(text, 0, at), CSV_LEVEL_BEST).lines;
			right = right && chunk.text.len == n && (size_t)chunk.at.line == line;
			at += chunk.text.len;
		}
		csv_chunks_end(&c);
		test_ok(t, right && at == text.len, "in chunks of several reads");
	}
	arena_free(&a);
}

/* All that a reader has left, and the line that its first chunk begins at. */
static struct str read_rest(struct csv_chunks *c, struct arena *a, int *line)
{
	struct csv_chunk chunk = { .arena = a };
	struct strbuf b = { .arena = a };
	struct error err = { 0 };

	*line = 0;
	while (csv_chunks_next(c, &chunk, &err) && !chunk.over) {
		*line = *line ? *line : chunk.at.line;
		strbuf_add(&b, chunk.text);
	}
	return strbuf_str(&b);
}

static void test_ahead(struct test *t)
{
	struct pieces pieces = { STR_INIT("h,i\n1,2\n3,4\n5,6\n"), 6 };
	struct arena a = { 0 };
	struct csv_chunk chunk = { .arena = &a };
	struct csv_chunks c, ahead;
	struct error err = { 0 };
	int line;

	csv_chunks_begin(&c, (struct csv_source){ read_piece, &pieces }, "x.csv", 5,
			 CSV_LEVEL_BEST);
	bool good = csv_chunks_next(&c, &chunk, &err) && str_eq(chunk.text, STR("h,i\n"));
	struct pieces kept = pieces;
	csv_chunks_ahead(&c, &ahead);
	struct str seen = read_rest(&ahead, &a, &line);
	csv_chunks_end(&ahead);
	test_ok(t, good && line == 2 && str_eq(seen, STR("1,2\n3,4\n5,6\n")),
		"a second reader goes on");
	pieces = kept;
	seen = read_rest(&c, &a, &line);
	csv_chunks_end(&c);
	test_ok(t, line == 2 && str_eq(seen, STR("1,2\n3,4\n5,6\n")),
		"and the first does as if there were none");
	arena_free(&a);
}

/* A row in the middle of all others: the index moves along, lines and offsets stay right. */
static void test_long(struct test *t)
{
	struct arena a = { 0 };
	struct strbuf b = { .arena = &a };

	strbuf_add(&b, STR("h,i,j\n"));
	for (int i = 0; i < 20000; i++)
		strbuf_printf(&b,
			      i % 1000 == 7  ? "%d,\"a\nb\",\"x\"\"y\"\n"
			      : i % 500 == 3 ? "%d, \xC3\xA9 ,\"q\"\r\n"
					     : "%d,plain,17.25\n",
			      i);
	struct judgement j = judge(strbuf_str(&b), &a);
	test_ok(t, j.good && j.table.n == 20000, "20000 rows");
	for (int l = CSV_LEVEL_PLAIN; l < CSV_LEVEL_COUNT; l++)
		if (csv_level_available((enum csv_level)l))
			test_ok(t, whole_is_same(&j, (enum csv_level)l),
				csv_level_name((enum csv_level)l));
	test_ok(t,
		parts_are_same(&j, 10000, CSV_LEVEL_BEST)
		    && stream_is_same(&j, 9999, CSV_LEVEL_BEST),
		"in chunks");
	arena_free(&a);
}

int main(void)
{
	struct test t = { 0 };

	test_split(&t);
	test_count(&t);
	test_file(&t);
	test_grows(&t);
	test_counted(&t);
	test_ahead(&t);
	test_long(&t);
	return test_done(&t);
}
