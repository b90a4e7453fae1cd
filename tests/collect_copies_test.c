/* Files that were sent again: told by their bytes, whatever quick sum somebody makes them have. */
#include "collect_fixture.h"

#include "../collect/copies.h"
#include "../collect/memo.h"

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

/* The hash of a text before the word at `at`. */
static uint64_t state_before(struct str text, size_t at)
{
	uint64_t h = mix(0, text.len);

	for (size_t i = 0; i < at; i += 8)
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

/* A text of the same length and hash that differs in 16 bytes of the last cell: of two words the
 * second takes back what the first has changed. */
static struct str collide(struct str text, size_t at, struct arena *a)
{
	char *p = (char *)str_dup(a, text).p;
	uint64_t before = state_before(text, at), first = mix(before, word_at(p + at)), other, word;

	for (unsigned n = 0; n < 1u << 26; n++) {
		other = mix(before, letters(n));
		word = word_at(p + at + 8) ^ first ^ other;
		if (other == first || !is_sound(word))
			continue;
		other = letters(n);
		memcpy(p + at, &other, sizeof other);
		memcpy(p + at + 8, &word, sizeof word);
		break;
	}
	return (struct str){ p, text.len };
}

/* The last cell has 16 letters that begin at *at, a whole number of words from the beginning. */
static struct str make_text(struct arena *a, size_t *at)
{
	struct strbuf b = { .arena = a };

	strbuf_add(&b, STR(HEAD CELLS));
	while (b.len % 8)
		strbuf_addc(&b, 'x');
	*at = b.len;
	strbuf_add(&b, STR("aaaaaaaabbbbbbbb\n"));
	return strbuf_str(&b);
}

static uint64_t hash(struct str text)
{
	const struct memo_piece piece = { text.p, text.len };

	return memo_hash(&piece, 1);
}

static void test_collision(struct test *t, struct stage *s)
{
	static const size_t threads[] = { 1, 3 };
	struct arena *a = &s->f.arena;
	size_t at;
	struct str one = make_text(a, &at), other = collide(one, at, a);

	test_ok(t, hash(one) == hash(other) && !str_eq(one, other), "two texts of one hash");
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

int main(void)
{
	struct test t = { 0 };
	struct stage s;

	stage_open(&s);
	test_collision(&t, &s);
	test_changed(&t, &s);
	stage_close(&s);
	return test_done(&t);
}
