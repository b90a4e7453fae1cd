/* Packed contributions over a limit, up to those that are made to be. */
#include "packed_fixture.h"

/* `n` MiB of zeros by gzip: one that is compressed by itself, n times; as the file of somebody who
 * means it. */
static struct str zeros_gzip(size_t n, struct arena *a)
{
	/* an empty block */
	static const unsigned char head[10] = { 0x1F, 0x8B, 8, [9] = 3 }, last[] = { 3, 0 };
	size_t piece = 1 << 20;
	unsigned char *zeros = arena_alloc(a, piece), *packed = arena_alloc(a, 1 << 16), sums[8];
	uLong one = crc32(0, zeros, (uInt)piece), all = one;
	struct strbuf b = { .arena = a };
	z_stream z = {
		.next_in = zeros, .avail_in = (uInt)piece, .next_out = packed, .avail_out = 1 << 16
	};

	deflateInit2(&z, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY);
	deflate(&z, Z_FULL_FLUSH);
	strbuf_add(&b, (struct str){ (const char *)head, sizeof head });
	for (size_t i = 0; i < n; i++)
		strbuf_add(&b, (struct str){ (const char *)packed, z.total_out });
	deflateEnd(&z);
	for (size_t i = 1; i < n; i++)
		all = crc32_combine(all, one, (z_off_t)piece);
	strbuf_add(&b, (struct str){ (const char *)last, sizeof last });
	for (int i = 0; i < 4; i++) {
		sums[i] = (unsigned char)(all >> 8 * i);
		sums[4 + i] = (unsigned char)((n << 20) >> 8 * i);
	}
	strbuf_add(&b, (struct str){ (const char *)sums, sizeof sums });
	return strbuf_str(&b);
}

/* The bomb is sound but for what comes out of it: a small one is read. */
static void test_large(struct test *t, struct fixture *f)
{
	struct unpack_limits l = unpack_limits;
	struct packed p;

	l.expand.ratio = 2000;
	look(f, "large.csv.gz", zeros_gzip(3, &f->arena), &l, &p);
	test_ok(t, p.fault.len == 0 && p.n == 1 && p.v[0].bytes == 3 << 20,
		"3 MiB of zeros where they are allowed");
	if (p.fault.len)
		printf("# " STR_FMT "\n", STR_ARG(p.fault));
}

static void test_bombs(struct test *t, struct fixture *f)
{
	struct arena *a = &f->arena;
	size_t large = 64 << 20;
	char *zeros = arena_alloc(a, large);
	struct str gz = zeros_gzip(1024, a);
	struct str zst = made_zstd((struct str){ zeros, large }, 0, a);
	struct made m = { a, { .arena = a } };

	test_ok(t, gz.len < 1300000 && zst.len < 10000,
		"a gigabyte in one megabyte, 64 MiB in 10 kB");
	check_fault(t, f, "bomb.csv.gz", gz,
		    "the gzip data expands to more than 250 times its size, as a bomb does",
		    "a bomb by gzip");
	check_fault(t, f, "bomb.tar.gz", gz,
		    "the gzip data expands to more than 250 times its size, as a bomb does" NOTHING,
		    "a bomb that calls itself an archive");
	check_fault(t, f, "bomb.csv.zst", zst,
		    "the Zstandard data expands to more than 250 times its size, as a bomb does",
		    "a bomb by Zstandard");
	made_header(&m, STR("notes.txt"), large, '0', "");
	made_data(&m, (struct str){ zeros, large });
	check_fault(t, f, "inner.tar.gz", made_gzip(made_end(&m), a),
		    "the gzip data expands to more than 250 times its size, as a bomb does" NOTHING,
		    "a bomb in a member that is passed over");
	check_fault(t, f, "window.csv.zst", made_zstd(first, 27, a),
		    "the Zstandard data is made with a window of more than 32 MiB",
		    "a window of 128 MiB");
}

/* A header that promises more than there is. */
static void test_promises(struct test *t, struct fixture *f)
{
	struct made m = { &f->arena, { .arena = &f->arena } };
	struct packed p;

	made_file(&m, STR("a.csv"), first);
	made_header(&m, STR("b.csv"), 077777777777ULL, '0', "");
	made_data(&m, second);
	look(f, "p.tar", made_end(&m), NULL, &p);
	test_ok(t, p.n == 0 && str_starts(p.fault, STR(NO_TAR "Truncated")),
		"8 GiB promised, not there");
}

static void test_limits(struct test *t, struct fixture *f)
{
	struct arena *a = &f->arena;
	struct str tar = plain_tar(a), gz = made_gzip(tar, a);
	struct unpack_limits l = unpack_limits;
	struct packed p;

	l.members = 1;
	look(f, "l.tar", tar, &l, &p);
	test_str(t, p.fault, STR("the archive has more than 1 members" NOTHING), "members");
	l = unpack_limits;
	l.member = first.len - 1;
	look(f, "l.tar", tar, &l, &p);
	test_ok(t, p.n == 2 && str_eq(p.v[0].fault, STR("it has 8 bytes, more than 7"))
			&& p.v[0].over_limit && p.v[1].fault.len == 0 && !p.v[1].over_limit,
		"one member that is too large is refused alone");
	look(f, "l.csv.gz", made_gzip(first, a), &l, &p);
	test_str(t, p.fault, STR("the gzip data expands to more than 7 bytes"),
		 "the same by itself");
	l.member = first.len;
	look(f, "l.csv.gz", made_gzip(first, a), &l, &p);
	test_ok(t, p.n == 1 && p.fault.len == 0, "just as large as is allowed");
	l = unpack_limits;
	l.expand.expanded = tar.len - 1;
	look(f, "l.tar.gz", gz, &l, &p);
	test_str(t, p.fault,
		 str_printf(a, "the gzip data expands to more than %zu bytes" NOTHING, tar.len - 1),
		 "expanded bytes of all");
	look(f, "l.tar", tar, &l, &p);
	test_str(t, p.fault,
		 str_printf(a, "the file comes to more than %zu bytes" NOTHING, tar.len - 1),
		 "the same of a tar that is not compressed");
	l.expand.expanded = tar.len;
	look(f, "l.tar.gz", gz, &l, &p);
	test_ok(t, p.n == 2, "just as many as are allowed");
	l.expand.packed = gz.len - 1;
	look(f, "l.tar.gz", gz, &l, &p);
	test_str(
	    t, p.fault,
	    str_printf(a, "the file has more than %zu bytes as it was sent" NOTHING, gz.len - 1),
	    "packed bytes");
	l = unpack_limits;
	l.name = 4;
	look(f, "l.tar", tar, &l, &p);
	test_ok(t, p.n == 2 && str_eq(p.v[0].fault, STR("its name has 5 bytes, more than 4"))
			&& p.v[0].over_limit, "the length of a name");
	l = unpack_limits;
	l.expand.ratio_free = 1000;
	l.expand.ratio = 3;
	look(f, "l.tar.gz", gz, &l, &p);
	test_str(t, p.fault,
		 STR("the gzip data expands to more than 3 times its size, as a bomb does" NOTHING),
		 "ratio");
}

int main(void)
{
	struct test t = { 0 };
	struct fixture f;

	if (!fixture_open(&f))
		return 1;
	test_large(&t, &f);
	test_bombs(&t, &f);
	test_promises(&t, &f);
	test_limits(&t, &f);
	fixture_close(&f);
	return test_done(&t);
}
