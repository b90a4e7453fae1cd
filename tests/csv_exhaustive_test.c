/* Every short text of the characters that mean something to CSV, wherever a block of the scan ends
 * in it, at every level, cut at every place and as a stream: cells, places and errors are those of
 * libcsv alone. Argument: the longest text (5). */
#include "test.h"

#include "csv_scan_fixture.h"

static const char alphabet[] = { '"', 'a', ',', '\n', ' ', '\r' };

enum { LONGEST = 8, BLOCK = 64 };

/* Text number `number` of those of `len` characters. */
static void spell(char *to, size_t len, size_t number)
{
	for (size_t i = 0; i < len; i++, number /= LEN(alphabet))
		to[i] = alphabet[number % LEN(alphabet)];
}

static size_t texts_of(size_t len)
{
	size_t n = 1;

	while (len--)
		n *= LEN(alphabet);
	return n;
}

static bool at_every_level(const struct judgement *j)
{
	bool same = true;

	for (int l = CSV_LEVEL_PLAIN; l < CSV_LEVEL_COUNT; l++) {
		enum csv_level level = (enum csv_level)l;
		if (!csv_level_available(level) || whole_is_same(j, level))
			continue;
		print_text(j->text, csv_level_name(level));
		same = false;
	}
	return same;
}

static bool cut_everywhere(const struct judgement *j)
{
	bool same = true;

	for (size_t size = 1; size <= j->text.len + 1; size++) {
		if (parts_are_same(j, size, CSV_LEVEL_BEST)
		    && stream_is_same(j, size, CSV_LEVEL_BEST))
			continue;
		print_text(j->text, "cut");
		printf("# into %zu bytes\n", size);
		same = false;
	}
	return same;
}

/* A header, a row of one cell up to `before` bytes before the first block ends, the text, and what
 * comes behind it. */
static struct str frame(char *to, size_t before, const char *text, size_t len, struct str behind)
{
	size_t at = BLOCK - before;

	memset(to, 'x', at);
	memcpy(to, "h,i\n", 4);
	to[at - 1] = '\n';
	memcpy(to + at, text, len);
	memcpy(to + at + len, behind.p, behind.len);
	return (struct str){ to, at + len + behind.len };
}

/* Texts of one length, with `before` of their characters before the block's end. */
static bool try_frames(size_t len, size_t before)
{
	static const struct str behind[] = { STR_INIT(""), STR_INIT("\n\"y\",z\n") };
	char text[LONGEST], buffer[2 * BLOCK];
	int differ = 0;

	for (size_t i = 0; i < texts_of(len) && differ < 3; i++)
		for (size_t k = 0; k < LEN(behind); k++) {
			struct arena a = { .block_size = 1 << 13 };
			spell(text, len, i);
			struct judgement j = judge(frame(buffer, before, text, len, behind[k]), &a);
			differ += !at_every_level(&j);
			arena_free(&a);
		}
	return differ == 0;
}

static bool try_cuts(size_t len)
{
	char text[LONGEST + 2] = "h\n";
	int differ = 0;

	for (size_t i = 0; i < texts_of(len) && differ < 3; i++) {
		struct arena a = { .block_size = 1 << 13 };
		spell(text + 2, len, i);
		struct judgement j = judge((struct str){ text, len + 2 }, &a);
		differ += !(table_is_same(&j) && cut_everywhere(&j));
		arena_free(&a);
	}
	return differ == 0;
}

int main(int argc, char **argv)
{
	size_t most = argc > 1 ? strtoul(argv[1], NULL, 10) : 5;
	struct test t = { 0 };
	char name[80];

	most = most < LONGEST ? most : LONGEST;
	for (size_t len = 1; len <= most; len++)
		for (size_t before = 0; before <= len; before++) {
			snprintf(name, sizeof name,
				 "%zu texts, %zu of %zu characters before the edge", texts_of(len),
				 before, len);
			test_ok(&t, try_frames(len, before), name);
		}
	for (size_t len = 0; len <= most; len++) {
		snprintf(name, sizeof name, "%zu texts of %zu characters, cut everywhere",
			 texts_of(len), len);
		test_ok(&t, try_cuts(len), name);
	}
	return test_done(&t);
}
