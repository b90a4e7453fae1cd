/* Files that were sent again: told by their bytes, whatever quick sum somebody makes them have. */
#include "collect_fixture.h"

#include "../collect/copies.h"
#include "../collect/limits.h"
#include "../collect/quick_sum.h"

#define HEAD "machine,device,workload,precision,metric,value,unit,date,source\n"
#define CELLS "m1,RTX 2080 Ti,resnet50,fp32,throughput,300,images/s,2024-05-06,"

static uint64_t mix(uint64_t h, uint64_t word)
{
	h = (h ^ word) * 0x9e3779b97f4a7c15u;
	return h ^ h >> 32;
}

static uint64_t word_at(const char *p)
{
	uint64_t word;

	memcpy(&word, p, sizeof word);
	return word;
}

enum { LANES = 4, LANE_BYTES = 8 * LANES }; /* of quick_sum(): each lane has its own words */

/* The hash of the lane of the word at `at` before that word. */
static uint64_t state_before(struct str text, size_t at)
{
	size_t lane = at / 8 % LANES;
	uint64_t h = lane + 1;

	for (size_t i = 8 * lane; i < at; i += LANE_BYTES)
		h = mix(h, word_at(text.p + i));
	return h;
}

static bool is_sound(uint64_t word)
{
	char c[8];

	memcpy(c, &word, sizeof c);
	for (size_t i = 0; i < sizeof c; i++)
		if (!str_is_alnum(c[i]) && c[i] != '-' && c[i] != '_' && c[i] != '.')
			return false;
	return true;
}

static uint64_t letters(unsigned n)
{
	char c[8];

	for (size_t i = 0; i < sizeof c; i++, n /= 16)
		c[i] = (char)('a' + n % 16);
	return word_at(c);
}

/* A text of the same length and sum that differs in 16 bytes of the last cell: of two words of a
 * lane the second takes back what the first has changed. */
static struct str collide(struct str text, size_t at, struct arena *a)
{
	char *p = (char *)str_dup(a, text).p;
	uint64_t before = state_before(text, at), first = mix(before, word_at(p + at)), other, word;

	for (unsigned n = 0; n < 1u << 26; n++) {
		other = mix(before, letters(n));
		word = word_at(p + at + LANE_BYTES) ^ first ^ other;
		if (other == first || !is_sound(word))
			continue;
		other = letters(n);
		memcpy(p + at, &other, sizeof other);
		memcpy(p + at + LANE_BYTES, &word, sizeof word);
		break;
	}
	return (struct str){ p, text.len };
}

/* The last cell has two words of one lane that begin at *at, and a whole number of words lie before
 * it. */
static struct str make_text(struct arena *a, size_t *at)
{
	struct strbuf b = { .arena = a };

	strbuf_add(&b, STR(HEAD CELLS));
	while (b.len % 8)
		strbuf_addc(&b, 'x');
	*at = b.len;
	strbuf_add(&b, STR("aaaaaaaabbbbbbbbccccccccddddddddeeeeeeee"));
	while (b.len % LANE_BYTES) /* what is left behind the last whole words of all lanes */
		strbuf_addc(&b, 'x');
	strbuf_addc(&b, '\n');
	return strbuf_str(&b);
}

static void test_collision(struct test *t, struct stage *s)
{
	static const size_t threads[] = { 1, 3 };
	struct arena *a = &s->f.arena;
	size_t at;
	struct str one = make_text(a, &at), other = collide(one, at, a);

	test_ok(t, quick_sum(0, one) == quick_sum(0, other) && !str_eq(one, other),
		"two texts of one sum");
	fixture_put(&s->f, "in/lab/a.csv", str_c(a, one));
	fixture_put(&s->f, "in/lab/b.csv", str_c(a, other));
	fixture_put(&s->f, "in/lab/c.csv", str_c(a, other));
	fixture_put(&s->f, "in/lab/d.csv", str_c(a, one));
	for (size_t i = 0; i < LEN(threads); i++) {
		struct outcome out;
		outcome_run(s, (struct collect_options){ .threads = threads[i] }, &out);
		test_ok(t, out.summary.accepted == 2 && out.summary.files_refused == 0,
			"both count, and the copy of either does not");
		test_ok(t,
			str_find(
			    out.tables[3],
			    STR("lab/c.csv,1,1,duplicate,,the whole file has the same bytes as "
				"lab/b.csv: counted once"),
			    0) < out.tables[3].len
			    && str_find(out.tables[3],
					STR("lab/d.csv,1,1,duplicate,,the whole file has the same "
					    "bytes as lab/a.csv: counted once"),
					0)
				   < out.tables[3].len,
			"each is told of");
	}
}

/* --- files that change between their reading and their comparison --- */

struct pair {
	struct arena *arena;
	struct collection c;
	struct input inputs[2];
};

static void look_at(struct stage *s, struct input *input, const char *name)
{
	struct stat st = { 0 };
	const char *path = fixture_path(&s->f, name);

	fixture_put(&s->f, name, "some text\n");
	if (stat(path, &st) != 0)
		printf("# %s is not there\n", path);
	*input = (struct input){ .path = str_of(path),
				 .name = str_of(name),
				 .identity = identity_of(&st) };
}

static void make_pair(struct stage *s, struct pair *p)
{
	*p = (struct pair){ .arena = &s->f.arena };
	look_at(s, &p->inputs[0], "first.csv");
	look_at(s, &p->inputs[1], "second.csv");
	p->c = (struct collection){ .arena = p->arena, .inputs = p->inputs, .ninputs = 2,
				    .contents = names_make(p->arena) };
}

static void test_changed(struct test *t, struct stage *s)
{
	static const char why[] =
	    "it may be a copy of first.csv, but one of them was changed while they were read";
	static const struct {
		const char *name, *changed, *to; /* NULL: none; it is gone */
		bool good;
	} cases[] = {
		{ "both as they were", NULL, NULL, true },
		{ "the first is another one", "first.csv", "some text\n", false },
		{ "the second is another one", "second.csv", "what else\n", false },
		{ "the first is gone", "first.csv", NULL, false },
		{ "the second is gone", "second.csv", NULL, false },
	};

	for (size_t i = 0; i < LEN(cases); i++) {
		struct pair p;
		struct error err = { 0 };
		size_t first;
		bool again;

		make_pair(s, &p);
		test_ok(t,
			copies_find(&p.c, 0, STR("0123456789abcdef"), &again, &first, &err)
			    && !again && first == 0,
			cases[i].name);
		if (cases[i].to)
			/* under a name of its own, then renamed */
			fixture_put(&s->f, cases[i].changed, cases[i].to);
		else if (cases[i].changed)
			unlink(fixture_path(&s->f, cases[i].changed));
		bool good = copies_find(&p.c, 1, STR("0123456789abcdef"), &again, &first, &err);
		test_ok(t, good == cases[i].good && again == good && (!good || first == 0),
			"  the second of its quick sum");
		test_ok(t, err.code == (good ? ERR_NONE : ERR_SYNTAX), "  its error");
		test_str(t, str_of(err.msg), str_of(good ? "" : why), "  what is said");
	}
}

/* The first of two, or three, that have the same bytes was refused: it takes nothing from them. */
static void test_refused(struct test *t, struct stage *s)
{
	static const struct {
		const char *name, *sum;
	} cases[] = {
		{ "a quick sum", "0123456789abcdef" },
		{ "a SHA-256", "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef" },
	};

	for (size_t i = 0; i < LEN(cases); i++) {
		struct pair p;
		struct error err = { 0 };
		struct str sum = str_of(cases[i].sum);
		size_t first;
		bool again;

		make_pair(s, &p);
		test_ok(t, copies_find(&p.c, 0, sum, &again, &first, &err) && !again,
			cases[i].name);
		p.inputs[0].refused = true;
		test_ok(t, copies_find(&p.c, 1, sum, &again, &first, &err) && !again && first == 1,
			"  a copy of a file that was refused is none");
		test_ok(t, copies_find(&p.c, 0, sum, &again, &first, &err) && again && first == 1,
			"  it is what the next one is a copy of");
	}
}

/* How often a text stands in another one. */
static size_t count(struct str text, const char *part)
{
	struct str what = str_of(part);
	size_t n = 0;

	for (size_t at = str_find(text, what, 0); at < text.len; at = str_find(text, what, at + 1))
		n++;
	return n;
}

#define RUN(machine)                                                                               \
	machine ",RTX 2080 Ti,resnet50,fp32,throughput,300.251,images/s,2024-05-06,s\n" machine    \
		",RTX 2080 Ti,resnet50,fp32,throughput,301.523,images/s,2024-05-06,s\n"

/* A file, and one that has its bytes, or its rows under another machine's name: what the first one
 * has counts once, and where it is refused in the end the other one's count. */
static void test_counted(struct test *t)
{
	static const struct stage_limits one_row = { 1, 100, 100, 100, 1000 };
	static const struct {
		const char *name, *a, *b;
		const struct stage_limits *limits;
		size_t refused, accepted, once;
	} cases[] = {
		{ "the same bytes", HEAD RUN("m1"), HEAD RUN("m1"), NULL, 0, 2, 1 },
		{ "of a file that all files together have no room for", HEAD RUN("m1"),
		  HEAD RUN("m1"), &one_row, 2, 0, 0 },
		{ "the same rows", HEAD RUN("m1"), HEAD RUN("m2"), NULL, 0, 2, 2 },
		{ "of a file with an open quote at its end", HEAD RUN("m1") "\"m\n", HEAD RUN("m2"),
		  NULL, 1, 2, 0 },
	};

	for (size_t i = 0; i < LEN(cases); i++) {
		struct stage s;
		struct outcome out;

		stage_open(&s);
		fixture_put(&s.f, "in/lab/a.csv", cases[i].a);
		fixture_put(&s.f, "in/lab/b.csv", cases[i].b);
		outcome_run(&s, (struct collect_options){ .threads = 2, .limits = cases[i].limits },
			    &out);
		test_ok(t, out.summary.files_refused == cases[i].refused
				   && out.summary.accepted == cases[i].accepted,
			cases[i].name);
		test_ok(t, count(out.tables[3], "counted once") == cases[i].once
				   && count(out.messages, "counted once") == 0,
			"  what is said to count once");
		stage_close(&s);
	}
}

int main(void)
{
	struct test t = { 0 };
	struct stage s;

	stage_open(&s);
	test_collision(&t, &s);
	test_changed(&t, &s);
	test_refused(&t, &s);
	stage_close(&s);
	test_counted(&t);
	return test_done(&t);
}
