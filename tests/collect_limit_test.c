/* What of a contribution is over a limit is refused under the code `limit`, whatever the limit is
 * of; what lies near to it and is wrong otherwise is not. */
#include "collect_fixture.h"
#include "unpack_fixture.h"

#include "../base/csv_scan.h"

#define HEAD "machine,device,workload,metric,value,unit\n"
#define REST ",RTX 2080 Ti,resnet50,throughput,265,images/s\n"

static struct str filled(struct arena *a, const char *before, char c, size_t n, const char *after)
{
	struct strbuf b = { .arena = a };

	strbuf_add(&b, str_of(before));
	for (size_t i = 0; i < n; i++)
		strbuf_addc(&b, c);
	strbuf_add(&b, str_of(after));
	return strbuf_str(&b);
}

static struct str sound(struct arena *a)
{
	(void)a;
	return STR(HEAD "m" REST);
}

static struct str long_cell(struct arena *a)
{
	return filled(a, HEAD, 'x', CSV_CELL_MAX + 2000, REST); /* libcsv lets 1 kB more pass */
}

static struct str open_quote(struct arena *a)
{
	return filled(a, HEAD "\"", 'x', 100, REST);
}

static struct str many_cells(struct arena *a)
{
	return filled(a, HEAD, ',', CSV_CELLS_MAX, "\n");
}

static struct str long_row(struct arena *a)
{
	return filled(a, HEAD, ' ', CSV_ROW_MAX + 1, "m" REST);
}

static struct str many_empty(struct arena *a)
{
	return filled(a, "", '\n', CSV_ROW_MAX + 1, HEAD);
}

static struct str nothing(struct arena *a)
{
	(void)a;
	return STR("");
}

static struct str many_columns(struct arena *a)
{
	return filled(a, "machine", ',', LIMIT_COLUMNS, "\n");
}

static struct str long_name(struct arena *a)
{
	return filled(a, HEAD, 'm', 201, REST);
}

static struct str no_name(struct arena *a)
{
	return filled(a, HEAD, 'm', 0, REST);
}

static struct str bomb(struct arena *a)
{
	return made_gzip(filled(a, HEAD, '0', 3 << 20, REST), a);
}

static struct str cut_gzip(struct arena *a)
{
	struct str whole = made_gzip(sound(a), a);

	return str_slice(whole, 0, whole.len - 1);
}

static struct str wide_window(struct arena *a)
{
	return made_zstd(sound(a), LIMIT_WINDOW_LOG + 2, a);
}

static struct str damaged_zstd(struct arena *a)
{
	(void)a;
	return STR("no such data");
}

static struct str many_members(struct arena *a)
{
	struct made m = { a, { .arena = a } };

	for (int i = 0; i <= LIMIT_MEMBERS; i++)
		made_header(&m, STR("folder/"), 0, '5', "");
	return made_end(&m);
}

static struct str cut_tar(struct arena *a)
{
	struct made m = { a, { .arena = a } };

	made_file(&m, STR("x.csv"), sound(a));
	return strbuf_str(&m.tar);
}

static struct str tar_of(struct str name, struct arena *a)
{
	struct str text = sound(a);

	return made_tar("pax", &name, &text, 1, false, a);
}

static struct str long_member(struct arena *a)
{
	return tar_of(filled(a, "", 'n', LIMIT_MEMBER_NAME - 3, ".csv"), a);
}

static struct str upward_member(struct arena *a)
{
	return tar_of(STR("../x.csv"), a);
}

/* reject: a part of its only line in rejects.csv */
static const struct {
	const char *name, *file;
	struct str (*make)(struct arena *a);
	size_t signature; /* bytes of X.sig; 0: none */
	const char *reject;
} cases[] = {
	{ "a cell", "x.csv", long_cell, 0,
	  ",2,1,limit,,the file is refused: a cell of more than 1048576 bytes" },
	{ "an open quote", "x.csv", open_quote, 0,
	  ",2,1,syntax,,the file is refused: the quote that opens here is never closed" },
	{ "the cells of a row", "x.csv", many_cells, 0,
	  ",2,1,limit,,the file is refused: a row of more than 1048576 cells" },
	{ "the bytes of a row", "x.csv", long_row, 0,
	  ",2,1,limit,,the file is refused: a row of more than 16777216 bytes" },
	{ "the empty lines before the header", "x.csv", many_empty, 0,
	  ",1,1,limit,,the file is refused: no header line: " },
	{ "no header", "x.csv", nothing, 0,
	  ",1,1,syntax,,the file is refused: no header line: the file is empty" },
	{ "columns", "x.csv", many_columns, 0, ",limit,,\"the file is refused: columns: 1001" },
	{ "a name", "x.csv", long_name, 0,
	  ",2,machine,limit,mmm" },
	{ "no name", "x.csv", no_name, 0, ",2,machine,syntax,,no machine given" },
	{ "what comes out of gzip data", "x.csv.gz", bomb, 0,
	  ",1,1,limit,,\"the file is refused: the gzip data expands to more than 250 times" },
	{ "gzip data that is cut", "x.csv.gz", cut_gzip, 0,
	  ",1,1,syntax,,the file is refused: the gzip data ends too early" },
	{ "the window of Zstandard data", "x.csv.zst", wide_window, 0,
	  ",1,1,limit,,the file is refused: the Zstandard data is made with a window of more" },
	{ "Zstandard data that is none", "x.csv.zst", damaged_zstd, 0,
	  ",1,1,syntax,,the file is refused: the Zstandard data is damaged" },
	{ "members", "x.tar", many_members, 0,
	  ",1,1,limit,,\"the file is refused: the archive has more than 10000 members" },
	{ "a tar that is cut", "x.tar", cut_tar, 0,
	  ",1,1,syntax,,\"the file is refused: the tar archive ends too early" },
	{ "the name of a member", "x.tar", long_member, 0,
	  ",1,1,limit,,\"the file is refused: its name has 256 bytes, more than 255\"" },
	{ "a member that leads upwards", "x.tar", upward_member, 0,
	  ",1,1,syntax,,the file is refused: its name leads upwards" },
	{ "a signature", "x.csv", sound, LIMIT_SIGNATURE + 1,
	  ",1,1,limit,,the file is refused: its signature has more than 16384 bytes" },
	{ "a signature that is none", "x.csv", sound, 10,
	  ",1,1,signature,,the file is refused: its signature is not an SSH signature" },
};

static void put(struct stage *s, const char *name, struct str bytes)
{
	struct error err = { 0 };
	const char *path = fixture_path(&s->f, name);

	if (!file_write(path, bytes, &err))
		error_print(stdout, &err);
	s->f.files[s->f.n++] = str_of(path);
}

static void test_case(struct test *t, size_t i)
{
	struct stage s;

	stage_open(&s);
	struct arena *a = &s.f.arena;
	const char *name = str_c(a, str_printf(a, "in/lab/%s", cases[i].file));
	put(&s, name, cases[i].make(a));
	if (cases[i].signature)
		put(&s, str_c(a, str_printf(a, "%s.sig", name)),
		    filled(a, "", 's', cases[i].signature, ""));
	fixture_put(&s.f, "in/lab/y.csv", HEAD "y" REST);
	test_ok(t, stage_run(&s) && s.summary.accepted == 1, cases[i].name);
	struct str rejects = stage_rows(&s, "out/data/rejects.csv");
	bool told = str_find(rejects, str_of(cases[i].reject), 0) < rejects.len;
	test_ok(t, told, "  its code");
	if (!told)
		printf("# " STR_FMT "\n", STR_ARG(str_slice(rejects, 0, 300)));
	stage_close(&s);
}

int main(void)
{
	struct test t = { 0 };

	for (size_t i = 0; i < LEN(cases); i++)
		test_case(&t, i);
	return test_done(&t);
}
