/* Packed contributions: what is read, what is refused and why, and that nothing of a faulty file is
 * used. */
#include "packed_fixture.h"

#include <fcntl.h>
#include <sys/stat.h>

static const struct str third = STR_INIT("");

static const struct { const char *name; enum unpack_kind kind;
} kind_cases[] = {
	{ "a.csv", UNPACK_CSV },
	{ "a.csv.gz", UNPACK_CSV_GZ },
	{ "a.csv.zst", UNPACK_CSV_ZST },
	{ "a.tar", UNPACK_TAR },
	{ "a.tar.gz", UNPACK_TAR_GZ },
	{ "a.b.tar.zst", UNPACK_TAR_ZST },
	{ "a.tgz", UNPACK_UNREAD },
	{ "a.zip", UNPACK_UNREAD },
	{ "a.csv.xz", UNPACK_UNREAD },
	{ "a.gz", UNPACK_UNREAD },
	{ "a.json.gz", UNPACK_UNREAD },
	{ "a.cpio", UNPACK_UNREAD },
	{ "a.txt", UNPACK_OTHER },
	{ "csv", UNPACK_OTHER },
	{ "a.CSV", UNPACK_OTHER },
	{ "a.csv.gz.part", UNPACK_OTHER },
	{ "", UNPACK_OTHER },
};

static void test_kinds(struct test *t)
{
	for (size_t i = 0; i < LEN(kind_cases); i++)
		test_ok(t, unpack_kind_of(str_of(kind_cases[i].name)) == kind_cases[i].kind,
			kind_cases[i].name);
	test_str(t, unpack_ending(STR("x/a.b.tar.gz")), STR(".tar.gz"), "the whole ending");
	test_ok(t, unpack_ending(STR("a.zip")).len == 0, "none of a kind that is not read");
	test_ok(t, unpack_is_archive(UNPACK_TAR_ZST) && !unpack_is_archive(UNPACK_CSV_GZ)
		       && !unpack_is_archive(UNPACK_UNREAD), "archives");
}

/* --- what is sound --- */

static void check_members(struct test *t, struct fixture *f, const struct packed *p,
			  const struct str *names, const struct str *texts, size_t n,
			  const char *what)
{
	struct packed_reader r = { 0 };
	struct error err = { 0 };
	bool good = p->fault.len == 0 && p->n == n;

	for (size_t i = n; good && i-- > 0;) { /* backwards first: each needs a pass of its own */
		struct str text;
		good = packed_text(&r, p, i, &f->arena, &text, &err) && str_eq(text, texts[i])
		       && text.p[text.len] == '\0';
	}
	for (size_t i = 0; good && i < n; i++) {
		struct str text;
		good = packed_text(&r, p, i, &f->arena, &text, &err) && str_eq(text, texts[i])
		       && str_eq(p->v[i].name, names[i]) && p->v[i].fault.len == 0
		       && p->v[i].bytes == texts[i].len
		       && str_eq(p->v[i].sha256, file_sha256(&f->arena, texts[i]));
	}
	packed_close(&r);
	test_ok(t, good, what);
	if (!good)
		printf("# %zu members, '" STR_FMT "', %s\n", p->n, STR_ARG(p->fault), err.msg);
}

static void test_sound(struct test *t, struct fixture *f)
{
	static const char *const formats[] = { "ustar", "pax", "gnutar" };
	const struct str texts[] = { first, second, third };
	struct arena *a = &f->arena;
	struct packed p;
	/* the longest name that is allowed, one outside ASCII, one with a colon and a comma */
	const struct str names[] = { str_printf(a, "%0100d/%0150d.csv", 1, 2).len == 255
					     ? str_printf(a, "%0100d/%0150d.csv", 1, 2) : STR("x"),
				     STR("m\xC3\xBC/\xE4\xB8\xAD.csv"), STR("d/a:b, c.csv") };
	const struct str none = STR_INIT("");

	test_ok(t, names[0].len == LIMIT_MEMBER_NAME, "a name of the longest length");
	for (size_t i = 0; i < LEN(formats); i++) {
		bool ustar = i == 0; /* has no room for the long name */
		size_t n = ustar ? 2 : 3;
		struct str tar = made_tar(formats[i], names + ustar, texts + ustar, n, false, a);
		look(f, "s.tar", tar, NULL, &p);
		check_members(t, f, &p, names + ustar, texts + ustar, n, formats[i]);
		look(f, "s.tar.gz", made_gzip(tar, a), NULL, &p);
		check_members(t, f, &p, names + ustar, texts + ustar, n, "  by gzip");
		look(f, "s.tar.zst", made_zstd(tar, 0, a), NULL, &p);
		check_members(t, f, &p, names + ustar, texts + ustar, n, "  by Zstandard");
	}
	look(f, "s.csv.gz", made_gzip(first, a), NULL, &p);
	check_members(t, f, &p, &none, &first, 1, "a CSV by gzip");
	look(f, "s.csv.zst", made_zstd(first, 0, a), NULL, &p);
	check_members(t, f, &p, &none, &first, 1, "a CSV by Zstandard");
	look(f, "s.csv", first, NULL, &p);
	check_members(t, f, &p, &none, &first, 1, "a CSV as it is");
	look(f, "e.csv.gz", made_gzip(third, a), NULL, &p);
	check_members(t, f, &p, &none, &third, 1, "an empty CSV by gzip");
	look(f, "e.csv.zst", made_zstd(third, 0, a), NULL, &p);
	check_members(t, f, &p, &none, &third, 1, "an empty CSV by Zstandard");
}

/* Two streams in one file are one text: pigz, zstd and cat make such. */
static void test_joined(struct test *t, struct fixture *f)
{
	struct arena *a = &f->arena;
	struct str both = str_printf(a, STR_FMT STR_FMT, STR_ARG(first), STR_ARG(second));
	const struct str none = STR_INIT("");
	struct strbuf b = { .arena = a };
	struct packed p;

	strbuf_add(&b, made_gzip(first, a));
	strbuf_add(&b, made_gzip(second, a));
	look(f, "j.csv.gz", strbuf_str(&b), NULL, &p);
	check_members(t, f, &p, &none, &both, 1, "two gzip members");
	b.len = 0;
	strbuf_add(&b, made_zstd(first, 0, a));
	strbuf_add(&b, made_zstd(second, 0, a));
	look(f, "j.csv.zst", strbuf_str(&b), NULL, &p);
	check_members(t, f, &p, &none, &both, 1, "two Zstandard frames");
}

/* --- members --- */

#define UPWARDS "its name leads upwards with '..'"
#define ABSOLUTE "its name is absolute: an archive holds names below its own folder"
#define ODD "its name has control characters, or marks that turn the direction of text"
#define NESTED "an archive or a compressed file within an archive is not opened"
#define LINKED "a link: only regular files are read"
#define DEVICE "a device or a pipe: only regular files are read"
#define PASSED "(passed over)"

static const struct {
	struct str name;
	char type;
	const char *shown, *fault; /* fault "": it is read */
} member_cases[] = {
	{ STR_INIT("x.csv"), '0', "x.csv", "" },
	{ STR_INIT("./d//./x.csv"), '0', "d/x.csv", "" },
	{ STR_INIT("x.csv"), '\0', "x.csv", "" },
	{ STR_INIT("..csv"), '0', "..csv", PASSED },
	{ STR_INIT("a..b/x..csv"), '0', "a..b/x..csv", "" },
	{ STR_INIT("../x.csv"), '0', "../x.csv", UPWARDS },
	{ STR_INIT("a/../../x.csv"), '0', "a/../../x.csv", UPWARDS },
	{ STR_INIT("a/.."), '0', "a/..", UPWARDS },
	{ STR_INIT("/etc/x.csv"), '0', "/etc/x.csv", ABSOLUTE },
	{ STR_INIT("//x.csv"), '0', "//x.csv", ABSOLUTE },
	{ STR_INIT("."), '0', ".", "it has no name" },
	{ STR_INIT("a\nb.csv"), '0', "a?b.csv", ODD },
	{ STR_INIT("a\033[2Jb.csv"), '0', "a?[2Jb.csv", ODD },
	{ STR_INIT("a\xE2\x80\xAE" "vsc.csv"), '0', "a?vsc.csv", ODD },
	{ STR_INIT("a\xC2\x85" "b.csv"), '0', "a?b.csv", ODD },
	{ STR_INIT("a\xFF" "b.csv"), '0', "a?b.csv", "its name is not UTF-8" },
	{ STR_INIT("a\xC0\xAF" "b.csv"), '0', "a??b.csv", "its name is not UTF-8" },
	{ STR_INIT("x.csv"), '1', "x.csv", LINKED },
	{ STR_INIT("x.csv"), '2', "x.csv", LINKED },
	{ STR_INIT("README"), '2', "README", LINKED },
	{ STR_INIT("x.csv"), '3', "x.csv", DEVICE },
	{ STR_INIT("x.csv"), '4', "x.csv", DEVICE },
	{ STR_INIT("x.csv"), '6', "x.csv", DEVICE },
	{ STR_INIT("d.csv"), '5', "d.csv", PASSED },
	{ STR_INIT("./"), '5', "./", PASSED },
	{ STR_INIT("x.tar"), '0', "x.tar", NESTED },
	{ STR_INIT("x.csv.gz"), '0', "x.csv.gz", NESTED },
	{ STR_INIT("x.zip"), '0', "x.zip", NESTED },
	{ STR_INIT("README"), '0', "README", PASSED },
	{ STR_INIT("._x.csv"), '0', "._x.csv", PASSED },
	{ STR_INIT(".git/x.csv"), '0', ".git/x.csv", PASSED },
};

/* Each beside a sound one, which is read. */
static void test_members(struct test *t, struct fixture *f)
{
	for (size_t i = 0; i < LEN(member_cases); i++) {
		struct made m = { &f->arena, { .arena = &f->arena } };
		struct str fault = str_of(member_cases[i].fault), got;
		char type = member_cases[i].type;
		bool data = type == '0' || type == '\0';
		struct packed p;

		made_file(&m, STR("sound.csv"), second);
		made_header(&m, member_cases[i].name, data ? first.len : 0, type,
			    type == '1' || type == '2' ? "sound.csv" : "");
		if (data)
			made_data(&m, first);
		look(f, "m.tar", made_end(&m), NULL, &p);
		got = p.n == 1 ? STR(PASSED) : p.n == 2 ? p.v[1].fault : STR("?");
		test_str(t, got, fault, member_cases[i].shown);
		if (p.n == 2)
			test_str(t, p.v[1].name, str_of(member_cases[i].shown), "  as it is shown");
		test_ok(t, p.n < 2 || !p.v[1].over_limit, "  which is no limit");
		test_ok(t, p.fault.len == 0 && p.n && str_eq(p.v[0].name, STR("sound.csv"))
			       && p.v[0].fault.len == 0, "  beside it");
	}
}

static void test_duplicates(struct test *t, struct fixture *f)
{
	struct made m = { &f->arena, { .arena = &f->arena } };
	struct str twice = STR("its name stands twice in the archive: neither is read");
	struct packed p;

	made_file(&m, STR("a.csv"), first);
	made_file(&m, STR("b.csv"), first);
	made_file(&m, STR("./a.csv"), second);
	look(f, "d.tar", made_end(&m), NULL, &p);
	test_ok(t,
		p.n == 3 && str_eq(p.v[0].fault, twice) && p.v[1].fault.len == 0
		    && str_eq(p.v[2].fault, twice),
		"a name that stands twice is read neither time");
}

static void test_counted(struct test *t, struct fixture *f)
{
	struct made m = { &f->arena, { .arena = &f->arena } };
	struct packed p;

	made_file(&m, STR("a.csv"), first);
	made_file(&m, STR("._a.csv"), first);
	made_file(&m, STR(".b/c.csv"), first);
	made_file(&m, STR("notes.txt"), first);
	look(f, "c.tar", made_end(&m), NULL, &p);
	test_ok(t, p.n == 1 && p.hidden == 2 && p.others == 1, "what is passed over is counted");
}

static void test_sparse(struct test *t, struct fixture *f)
{
	const struct str names[] = { STR_INIT("hole.csv"), STR_INIT("x.csv") };
	const struct str texts[] = { STR_INIT("1234\0\0\0\0"), STR_INIT("a\n") };
	struct packed p;

	look(f, "h.tar", made_tar("pax", names, texts, 2, true, &f->arena), NULL, &p);
	test_ok(t, p.n == 2 && str_eq(p.v[0].fault, STR("a sparse file: its holes are no rows"))
		       && p.v[1].fault.len == 0, "a sparse file");
	if (p.n != 2)
		printf("# %zu '" STR_FMT "'\n", p.n, STR_ARG(p.fault));
}

/* --- faults of the whole --- */

#define CUT_GZIP "the gzip data ends too early"

static struct str joined(struct arena *a, struct str x, struct str y)
{
	struct strbuf b = { .arena = a };

	strbuf_add(&b, x);
	strbuf_add(&b, y);
	return strbuf_str(&b);
}

static void test_faults(struct test *t, struct fixture *f)
{
	struct arena *a = &f->arena;
	struct str tar = plain_tar(a), gz = made_gzip(tar, a), zst = made_zstd(tar, 0, a);
	struct str sums = str_dup(a, gz), bare = str_slice(tar, 0, tar.len - 1024);
	struct made m = { a, { .arena = a } };

	((char *)sums.p)[sums.len - 6] ^= 1; /* the CRC */
	check_fault(t, f, "1.tar.gz", sums,
		    "the gzip data is damaged: incorrect data check" NOTHING, "a wrong sum");
	check_fault(t, f, "2.tar.gz", str_slice(gz, 0, gz.len - 1), CUT_GZIP NOTHING,
		    "the last byte is missing");
	check_fault(t, f, "3.tar.gz", joined(a, gz, STR("PK")),
		    "the gzip data is damaged: incorrect header check" NOTHING,
		    "something behind the gzip data");
	check_fault(t, f, "4.tar.gz", zst,
		    "the gzip data is damaged: incorrect header check" NOTHING, "no gzip data");
	check_fault(t, f, "5.tar.gz", made_gzip(gz, a),
		    NO_TAR "Unrecognized archive format" NOTHING, "gzip twice");
	check_fault(t, f, "6.tar.zst", str_slice(zst, 0, zst.len - 1),
		    "the Zstandard data ends too early" NOTHING, "a cut frame");
	check_fault(t, f, "7.tar.zst", joined(a, zst, STR("more bytes")),
		    "the Zstandard data is damaged: Unknown frame descriptor" NOTHING,
		    "something behind the frame");
	check_fault(t, f, "8.tar", gz, NO_TAR "Unrecognized archive format" NOTHING,
		    "a tar that is none");
	check_fault(t, f, "9.tar", bare, "the tar archive ends too early: no end mark" NOTHING,
		    "no end mark");
	check_fault(t, f, "10.tar", joined(a, tar, plain_tar(a)),
		    "there are bytes behind the end of the tar archive" NOTHING,
		    "a second tar behind the first");
	check_fault(t, f, "11.tar.gz", made_gzip(bare, a),
		    "the tar archive ends too early: no end mark" NOTHING, "no end mark, by gzip");
	check_fault(t, f, "12.tar.gz", STR(""),
		    "the gzip data is not there: the file is empty" NOTHING, "an empty file");
	check_fault(t, f, "13.csv.zst", STR(""),
		    "the Zstandard data is not there: the file is empty", "no archive");
	check_fault(t, f, "14.tar", made_end(&m), "the archive has no file that ends in .csv",
		    "an empty tar");
	check_fault(t, f, "15.csv.gz", first, "the gzip data is damaged: incorrect header check",
		    "a CSV as it is");
}

/* Cut at every byte: nothing of it is used. */
static void test_cut(struct test *t, struct fixture *f)
{
	struct arena *a = &f->arena;
	struct str tar = plain_tar(a);
	const struct { const char *name; struct str bytes;
	} all[] = {
		{ "cut.tar", tar },
		{ "cut.tar.gz", made_gzip(tar, a) },
		{ "cut.tar.zst", made_zstd(tar, 0, a) },
		{ "cut.csv.gz", made_gzip(first, a) },
		{ "cut.csv.zst", made_zstd(first, 0, a) },
	};

	for (size_t k = 0; k < LEN(all); k++) {
		size_t used = 0, whole = 0;
		struct packed p;

		for (size_t len = 0; len <= all[k].bytes.len; len++) {
			look(f, all[k].name, str_slice(all[k].bytes, 0, len), NULL, &p);
			if (len == all[k].bytes.len)
				whole = p.n;
			else
				used += p.n > 0 || p.fault.len == 0;
		}
		test_ok(t, used == 0 && whole > 0, all[k].name);
	}
}

/* One bit is changed at every place. What a sum covers is refused or, where the bit says nothing of
 * the text (the time in a gzip header), the same. A tar by itself has no sum of its texts. */
static void test_flips(struct test *t, struct fixture *f)
{
	struct arena *a = &f->arena;
	struct str tar = plain_tar(a);
	const struct { const char *name; struct str bytes; bool summed;
	} all[] = {
		{ "flip.tar.gz", made_gzip(tar, a), true },
		{ "flip.tar.zst", made_zstd(tar, 0, a), true },
		{ "flip.csv.gz", made_gzip(first, a), true },
		{ "flip.tar", tar, false },
	};

	for (size_t k = 0; k < LEN(all); k++) {
		struct packed sound, p;
		size_t bad = 0;
		char *bytes = (char *)str_dup(a, all[k].bytes).p;

		look(f, all[k].name, all[k].bytes, NULL, &sound);
		for (size_t i = 0; i < all[k].bytes.len; i++) {
			bytes[i] ^= (char)(1 << i % 8);
			look(f, all[k].name, (struct str){ bytes, all[k].bytes.len }, NULL, &p);
			bytes[i] ^= (char)(1 << i % 8);
			bool same = p.n == sound.n;
			for (size_t j = 0; same && j < p.n; j++)
				same = str_eq(p.v[j].sha256, sound.v[j].sha256)
				       && str_eq(p.v[j].name, sound.v[j].name);
			bad += all[k].summed && p.fault.len == 0 && !same;
			bad += p.fault.len && p.n;
		}
		test_ok(t, bad == 0, all[k].name);
	}
}

/* --- the file itself --- */

static void test_environment(struct test *t, struct fixture *f)
{
	const char *pipe = fixture_path(f, "pipe.csv.gz"), *absent = fixture_path(f, "absent.tar");
	struct error err = { 0 };
	struct packed p;

	test_ok(t,
		!packed_look(absent, UNPACK_TAR, NULL, &f->arena, &p, &err)
		    && err.code == ERR_ENVIRONMENT
		    && str_ends(str_of(err.msg), STR("absent.tar: No such file or directory")),
		"no such file");
	err = (struct error){ 0 };
	test_ok(t,
		mkfifo(pipe, 0600) == 0
		    && !packed_look(pipe, UNPACK_CSV_GZ, NULL, &f->arena, &p, &err)
		    && err.code == ERR_ENVIRONMENT
		    && str_ends(str_of(err.msg), STR("pipe.csv.gz: not a regular file")),
		"a pipe holds nobody up");
	unlink(pipe);
}

static void test_changed(struct test *t, struct fixture *f)
{
	struct arena *a = &f->arena;
	struct packed_reader r = { 0 };
	struct error err = { 0 };
	struct packed p, other;
	struct str text;

	look(f, "x.tar", plain_tar(a), NULL, &p);
	look(f, "x.tar",
	     made_tar("ustar", (const struct str[]){ STR("a.csv") }, &second, 1, false, a), NULL,
	     &other);
	test_ok(t, !packed_text(&r, &p, 0, a, &text, &err),
		"a file that is another one at the second pass");
	test_error(t, &err, ERR_DATA, "x.tar", 0, 0, "the file was changed while it was read",
		   "  what is said");
	err = (struct error){ 0 };
	test_ok(t, packed_text(&r, &other, 0, a, &text, &err) && str_eq(text, second),
		"the reader goes on with others");
	packed_close(&r);
}

/* The bytes of a file that is in memory, by blocks. */
static void test_bytes(struct test *t, struct fixture *f)
{
	const struct expand_source from = { "memory.csv.gz", -1, made_gzip(first, &f->arena),
					    NULL };
	struct strbuf b = { .arena = &f->arena };
	struct str block = { "", 1 };
	struct unpack_entry e;
	struct unpacker *u;
	struct error err = { 0 };
	bool there;

	bool good = unpack_open(&from, UNPACK_CSV_GZ, &unpack_limits, &u, &err)
		    && unpack_next(u, &e, &there, &err) && there && e.name.len == 0 && !e.has_size;
	while (good && block.len) {
		good = unpack_block(u, &block, &err);
		strbuf_add(&b, block);
	}
	good = good && unpack_block(u, &block, &err) && block.len == 0;
	test_str(t, strbuf_str(&b), first, "from memory");
	test_ok(t, good && unpack_next(u, &e, &there, &err) && !there, "and its end");
	unpack_close(u);
}

int main(void)
{
	struct test t = { 0 };
	struct fixture f;

	if (!fixture_open(&f))
		return 1;
	test_kinds(&t);
	test_sound(&t, &f);
	test_joined(&t, &f);
	test_members(&t, &f);
	test_duplicates(&t, &f);
	test_counted(&t, &f);
	test_sparse(&t, &f);
	test_faults(&t, &f);
	test_cut(&t, &f);
	test_flips(&t, &f);
	test_environment(&t, &f);
	test_changed(&t, &f);
	test_bytes(&t, &f);
	fixture_close(&f);
	return test_done(&t);
}
