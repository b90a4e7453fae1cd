/* Many thousand small texts, clean and dirty, scanned at every level, in chunks and as a stream,
 * against libcsv alone. Arguments: how many texts (one in fifty, if it is short, at every chunk
 * size), and the seed. */
#include "test.h"

#include "csv_scan_fixture.h"

static unsigned next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (unsigned)(*state >> 33);
}

/* What a text is made of; a kind takes some of them, the plainest first. */
static const struct str pieces[] = {
	STR_INIT("a"),
	STR_INIT("12.5"),
	STR_INIT(","),
	STR_INIT("\n"),
	STR_INIT(","),
	STR_INIT("x,y,z\n"),
	STR_INIT("\r\n"),
	STR_INIT(" "),
	STR_INIT(",\"q,\n\"\n"),
	STR_INIT(",\"long enough to cross a block of bytes\","),
	STR_INIT("\r"),
	STR_INIT("\t"),
	STR_INIT(";"),
	STR_INIT(",\"a\"\"b\","),
	STR_INIT("\xC3\xA9"),
	STR_INIT("\xE6\x98\xBE\xE5\x8D\xA1"),
	STR_INIT("\n\" \"\n"),
	STR_INIT("Tesla V100-SXM2-16GB with some more words"),
	STR_INIT(",\"she said \"\"no, and\r\nyes\"\" to it\","),
	STR_INIT("\n\"\"\"\"\"\","),
	STR_INIT("\"\""),
	STR_INIT("\""),
	STR_INIT("\xF0\x9F\x98\x80"),
	STR_INIT("\xEF\xBB\xBF"),
	STR_INIT("\xE9"),
	STR_INIT("\0"),
	STR_INIT("\xED\xA0\x80"),
	STR_INIT("\xC3"),
};

/* How many of the pieces, out of how many draws one from the rest, and the most pieces. */
static const struct { const char *name; unsigned common, rare, most; } kinds[] = {
	{ "plain",      6,  1000, 40 },
	{ "newlines",   12, 1000, 40 },
	{ "quotes",     20, 1000, 30 },
	{ "long",       20, 1000, 400 },
	{ "stray",      23, 1000, 20 },
	{ "everything", (unsigned)LEN(pieces), 1, 12 },
	{ "one fault",  20, 25,   60 },
};

static struct str make(size_t kind, uint64_t *state, struct arena *a)
{
	struct strbuf b = { .arena = a };
	unsigned n = next(state) % (kinds[kind].most + 1);

	if (next(state) % 8 == 0)
		strbuf_add(&b, STR("\xEF\xBB\xBF"));
	if (next(state) % 4)
		strbuf_add(&b, next(state) % 4 ? STR("h,i,j\n") : STR("h;i\n"));
	for (unsigned i = 0; i < n; i++) {
		unsigned limit = next(state) % kinds[kind].rare == 0 ? (unsigned)LEN(pieces)
								     : kinds[kind].common;
		strbuf_add(&b, pieces[next(state) % limit]);
	}
	return strbuf_str(&b);
}

static bool try(const struct judgement *j, size_t size, enum csv_level level)
{
	bool same = true;

	if (!parts_are_same(j, size, level)) {
		print_text(j->text, csv_level_name(level));
		printf("# in parts of %zu bytes\n", size);
		same = false;
	}
	if (!stream_is_same(j, size, level)) {
		print_text(j->text, csv_level_name(level));
		printf("# as a stream of %zu bytes\n", size);
		same = false;
	}
	return same;
}

static bool try_all(struct str text, bool every_size, uint64_t *state, struct arena *a)
{
	struct judgement j = judge(text, a);
	bool same = table_is_same(&j);

	if (!same)
		print_text(text, "csv_parse_text");
	for (int l = CSV_LEVEL_PLAIN; l < CSV_LEVEL_COUNT; l++) {
		enum csv_level level = (enum csv_level)l;
		if (!csv_level_available(level))
			continue;
		if (!whole_is_same(&j, level)) {
			print_text(text, csv_level_name(level));
			same = false;
		}
		for (size_t size = 1; every_size && text.len < 200 && size <= text.len + 2; size++)
			same = try(&j, size, level) && same;
	}
	return try(&j, 1 + next(state) % (text.len + 9), CSV_LEVEL_BEST) && same;
}

int main(int argc, char **argv)
{
	long texts = argc > 1 ? strtol(argv[1], NULL, 10) : 60000;
	uint64_t state = argc > 2 ? strtoull(argv[2], NULL, 10) : 88172645463325252u;
	struct test t = { 0 };

	for (size_t kind = 0; kind < LEN(kinds); kind++) {
		struct arena a = { 0 };
		int differ = 0, good = 0, bad = 0;
		for (long i = 0; i < texts / (long)LEN(kinds) && differ < 3; i++) {
			struct str text = make(kind, &state, &a);
			differ += !try_all(text, i % 50 == 0, &state, &a);
			struct judgement j = judge(text, &a);
			good += j.good;
			bad += !j.good;
			arena_free(&a);
		}
		test_ok(&t, differ == 0, kinds[kind].name);
		printf("# %d texts accepted, %d refused\n", good, bad);
	}
	return test_done(&t);
}
