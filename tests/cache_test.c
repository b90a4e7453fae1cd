/* The cache: keys, damage of every kind, folders that cannot be written, sweeping, runs and threads
 * side by side. And the packing of numbers and texts that its entries are made of. */
#include "test.h"

#include "../base/build_id.h"
#include "../base/cache.h"
#include "../base/file.h"
#include "../base/pack.h"

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct bench {
	struct test t;
	struct arena a;
	char dir[64];
	const char *cache_dir; /* below dir; not there at first */
};

static const char *path_in(struct bench *b, const char *name)
{
	return str_c(&b->a, file_join(&b->a, str_of(b->dir), str_of(name)));
}

static struct str key_of(struct bench *b, const char *text)
{
	struct cache_key *k = cache_key_begin("test 1", &b->a);

	cache_key_add(k, str_of(text));
	return cache_key_end(k);
}

/* DIR/XX/KEY */
static const char *entry_path(struct bench *b, struct str key)
{
	return str_c(&b->a,
		     str_printf(&b->a, "%s/%.2s/" STR_FMT, b->cache_dir, key.p, STR_ARG(key)));
}

static bool holds(struct bench *b, struct cache *c, struct str key, struct str want)
{
	struct str got;

	return cache_get(c, key, &b->a, &got) && str_eq(got, want) && got.p[got.len] == '\0';
}

static bool misses(struct bench *b, struct cache *c, struct str key)
{
	struct str got = STR("untouched");

	return !cache_get(c, key, &b->a, &got) && str_eq(got, STR("untouched"));
}

static struct str read_bytes(struct bench *b, const char *path)
{
	struct error err = { 0 };
	struct str text = { 0 };

	file_read(path, 0, &b->a, &text, &err);
	return text;
}

/* As it lies there, without renaming: a damage. */
static void write_bytes(const char *path, struct str bytes)
{
	FILE *f = fopen(path, "wb");

	if (!f || (bytes.len && fwrite(bytes.p, 1, bytes.len, f) != bytes.len))
		perror(path);
	if (f)
		fclose(f);
}

static size_t files_in(struct bench *b, const char *dir)
{
	struct file_list list = { .n = 0 };
	struct error err = { 0 };

	if (file_is_dir(dir))
		file_list(dir, "", true, &b->a, &list, NULL, &err);
	return list.n;
}

static struct cache *fresh(struct bench *b)
{
	struct error err = { 0 };

	if (file_is_dir(b->cache_dir) && !file_remove_tree(b->cache_dir, &err))
		error_print(stderr, &err);
	return cache_open(b->cache_dir, &b->a);
}

/* --- keys --- */

/* Lists of parts, NULL ends one; no two of them may make one key. */
static const char *const lists[][4] = {
	{ NULL },
	{ "", NULL },
	{ "", "", NULL },
	{ "ab", "c", NULL },
	{ "a", "bc", NULL },
	{ "abc", NULL },
	{ "abc", "", NULL },
	{ "", "abc", NULL },
	{ "a", "b", "c", NULL },
	{ "c", "ab", NULL },
	{ "\1", "b", NULL },
	{ "\1b", NULL },
};

static struct str key_of_list(struct bench *b, const char *kind, const char *const *parts)
{
	struct cache_key *k = cache_key_begin(kind, &b->a);

	for (size_t i = 0; parts[i]; i++)
		cache_key_add(k, str_of(parts[i]));
	return cache_key_end(k);
}

static void test_keys(struct bench *b)
{
	struct str keys[LEN(lists)];
	bool apart = true, form = true;

	for (size_t i = 0; i < LEN(lists); i++) {
		keys[i] = key_of_list(b, "kind", lists[i]);
		form = form && keys[i].len == 64
		       && strspn(str_c(&b->a, keys[i]), "0123456789abcdef") == 64;
		for (size_t j = 0; j < i; j++)
			apart = apart && !str_eq(keys[i], keys[j]);
	}
	test_ok(&b->t, form, "a key is 64 hex digits");
	test_ok(&b->t, apart, "parts whose boundaries moved make another key");
	test_str(&b->t, key_of_list(b, "kind", lists[3]), keys[3],
		 "the same parts make the same key");
	test_ok(&b->t, !str_eq(key_of_list(b, "kind 2", lists[3]), keys[3]),
		"another kind, another key");

	struct cache_key *k = cache_key_begin("kind", &b->a);
	cache_key_add(k, STR("ab"));
	struct cache_key *copy = cache_key_copy(k, &b->a);
	cache_key_add(k, STR("x"));
	cache_key_add(copy, STR("c"));
	test_str(&b->t, cache_key_end(copy), keys[3], "a copy goes on from where it was taken");
	test_ok(&b->t, !str_eq(cache_key_end(k), keys[3]), "and so does what it was taken from");

	struct str numbers[3];
	const double v[3] = { 0.1, 0.1 + 1e-18, 0x1.999999999999bp-4 };
	for (size_t i = 0; i < LEN(v); i++) {
		k = cache_key_begin("kind", &b->a);
		cache_key_add_number(k, v[i]);
		numbers[i] = cache_key_end(k);
	}
	test_ok(&b->t, str_eq(numbers[0], numbers[1]) && !str_eq(numbers[0], numbers[2]),
		"a number is its bits");
}

static void test_build_id(struct bench *b)
{
	struct str program = build_id_program(&b->a), loaded = build_id_loaded(&b->a);
	struct str rest = loaded, line;
	size_t lines = 0, known = 0;

	test_ok(&b->t, str_starts(program, STR("build-id:")) || str_starts(program, STR("sha256:")),
		"the program has an identity");
	test_ok(&b->t, str_starts(loaded, program), "it stands first among what is loaded");
	while (str_cut(&rest, '\n', &line) && line.len) {
		lines++;
		known += str_starts(line, STR("build-id:")) || str_starts(line, STR("sha256:"));
	}
	printf("# %zu objects, " STR_FMT "\n", lines, STR_ARG(program));
	test_ok(&b->t, lines >= 3 && known == lines, "the libraries have one each");
	test_str(&b->t, build_id_loaded(&b->a), loaded, "it does not change");
}

/* --- entries --- */

static void test_entries(struct bench *b)
{
	char *big = arena_alloc(&b->a, 3 << 20);
	const struct str values[] = { STR("plain"), STR(""), STR("nul\0inside"), { big, 3 << 20 } };
	struct cache *c = fresh(b);
	struct str key = key_of(b, "entry");

	for (size_t i = 0; i < 3 << 20; i++)
		big[i] = (char)(i * 7 + i / 251);
	test_ok(&b->t, misses(b, c, key) && !file_exists(b->cache_dir),
		"nothing is there at first, nor a folder");
	for (size_t i = 0; i < LEN(values); i++) {
		cache_put(c, key, values[i]);
		test_ok(&b->t, holds(b, c, key, values[i]), "what was put is got");
	}
	test_ok(&b->t, holds(b, cache_open(b->cache_dir, &b->a), key, values[3]),
		"and by the next run too");
	test_ok(&b->t, files_in(b, b->cache_dir) == 1, "one file, nothing aside");
	test_ok(&b->t, misses(b, c, key_of(b, "other")), "another key has none");
	cache_put(NULL, key, STR("x"));
	cache_keep(NULL, key);
	cache_sweep(NULL);
	test_ok(&b->t, misses(b, NULL, key), "no cache: every get misses");
	cache_put(c, STR("../../x"), STR("x"));
	cache_keep(c, STR("../../x"));
	test_ok(&b->t, misses(b, c, STR("../../x")) && files_in(b, b->dir) == 1,
		"what is no key is not looked for, nor written");
}

/* --- damage --- */

static void test_damage(struct bench *b)
{
	struct cache *c = fresh(b);
	struct str key = key_of(b, "a"), other = key_of(b, "b"), sound, data = STR("twelve bytes");
	const char *path = entry_path(b, key);
	size_t flipped = 0, cut = 0;

	cache_put(c, key, data);
	cache_put(c, other, STR("of another"));
	sound = read_bytes(b, path);
	for (size_t i = 0; i < sound.len; i++) {
		char *bytes = memcpy(arena_alloc(&b->a, sound.len), sound.p, sound.len);
		bytes[i] = (char)(bytes[i] ^ 1 << i % 8);
		write_bytes(path, (struct str){ bytes, sound.len });
		flipped += misses(b, c, key);
		write_bytes(path, str_slice(sound, 0, i));
		cut += misses(b, c, key);
	}
	test_ok(&b->t, sound.len == 32 + data.len && flipped == sound.len,
		"a bit flipped in any byte, of the checksum or the data, is a miss");
	test_ok(&b->t, cut == sound.len, "cut at any length, also to nothing, is a miss");
	write_bytes(path, str_printf(&b->a, STR_FMT "x", STR_ARG(sound)));
	test_ok(&b->t, misses(b, c, key), "a byte more is a miss");
	write_bytes(path, read_bytes(b, entry_path(b, other)));
	test_ok(&b->t, misses(b, c, key), "another key's sound entry is a miss");
	write_bytes(path, sound);
	test_ok(&b->t, holds(b, c, key, data), "mended it is a hit again");
	unlink(path);
	test_ok(&b->t, misses(b, c, key), "removed is a miss");
	test_ok(&b->t, mkdir(path, 0777) == 0 && misses(b, c, key),
		"a folder in its place is a miss");
	cache_put(c, key, data);
	test_ok(&b->t, misses(b, c, key) && files_in(b, b->cache_dir) == 1,
		"and cannot be written: nothing is left aside");
	rmdir(path);
	test_ok(&b->t, mkfifo(path, 0666) == 0 && misses(b, c, key), "a pipe does not hang");
	cache_put(c, key, data);
	test_ok(&b->t, holds(b, c, key, data), "it is replaced");
}

static void test_unwritable(struct bench *b)
{
	struct str key = key_of(b, "a"), other = key_of(b, "b");
	struct cache *c = fresh(b);

	write_bytes(b->cache_dir, STR("a file"));
	cache_put(c, key, STR("data"));
	cache_sweep(c);
	test_ok(&b->t, misses(b, c, key),
		"a file in place of the folder: nothing is kept, no error");
	test_str(&b->t, read_bytes(b, b->cache_dir), STR("a file"),
		 "and the file is left as it is");
	unlink(b->cache_dir);

	c = fresh(b);
	cache_put(c, key, STR("data"));
	chmod(b->cache_dir, 0555);
	chmod(b->dir, 0755);
	if (geteuid() == 0 && seteuid(65534) != 0) /* root may write anywhere */
		perror("seteuid");
	cache_put(c, other, STR("data"));
	test_ok(&b->t, misses(b, c, other), "a folder that may not be written: nothing is kept");
	test_ok(&b->t, holds(b, c, key, STR("data")), "what is there is read");
	cache_sweep(c);
	if (getuid() == 0 && seteuid(0) != 0)
		perror("seteuid");
	chmod(b->cache_dir, 0755);
	test_ok(&b->t, holds(b, c, key, STR("data")) && files_in(b, b->cache_dir) == 1,
		"and a sweep does no harm");
}

/* A limit on the size of files is met in the middle of a write, as a full disk is. */
static void test_disk_full(struct bench *b)
{
	struct cache *c = fresh(b);
	struct str key = key_of(b, "big");
	char *data = arena_alloc(&b->a, 100000);
	struct rlimit limit, small;

	getrlimit(RLIMIT_FSIZE, &limit);
	small = (struct rlimit){ 5000, limit.rlim_max };
	signal(SIGXFSZ, SIG_IGN);
	fflush(stdout);
	setrlimit(RLIMIT_FSIZE, &small);
	cache_put(c, key, (struct str){ data, 100000 });
	setrlimit(RLIMIT_FSIZE, &limit);
	signal(SIGXFSZ, SIG_DFL);
	test_ok(&b->t, misses(b, c, key) && files_in(b, b->cache_dir) == 0,
		"a full disk: no entry, nothing aside, no error");
}

/* --- sweep --- */

/* A run that asks for `wanted` and puts something of its own. */
static void one_run(struct bench *b, int no, struct str wanted)
{
	struct cache *c = cache_open(b->cache_dir, &b->a);
	struct str got;

	cache_get(c, wanted, &b->a, &got);
	cache_put(c, key_of(b, str_c(&b->a, str_printf(&b->a, "run %d", no))), STR("x"));
	cache_sweep(c);
}

static void test_sweep(struct bench *b)
{
	struct cache *c = fresh(b);
	struct str old = key_of(b, "old"), asked = key_of(b, "asked"), kept = key_of(b, "kept");
	struct str part = str_printf(&b->a, "%s.77-1.part", entry_path(b, old));
	const char *note = str_c(&b->a, str_printf(&b->a, "%s/%.2s/README", b->cache_dir, old.p));
	bool was_there = true;

	cache_put(c, old, STR("o"));
	cache_put(c, asked, STR("a"));
	cache_put(c, kept, STR("k"));
	cache_sweep(c);
	write_bytes(str_c(&b->a, part), STR("half"));
	write_bytes(note, STR("not ours"));
	for (int i = 1; i <= CACHE_RUNS; i++) {
		was_there = was_there && file_exists(entry_path(b, old));
		cache_keep(cache_open(b->cache_dir, &b->a), kept);
		one_run(b, i, asked);
	}
	c = cache_open(b->cache_dir, &b->a);
	test_ok(&b->t, was_there && misses(b, c, old),
		"an entry goes when so many runs have not used it, and not before");
	test_ok(&b->t, holds(b, c, asked, STR("a")), "one that was asked for stays");
	test_ok(&b->t, holds(b, c, kept, STR("k")), "one that was kept unread stays");
	test_ok(&b->t,
		misses(b, c, key_of(b, "run 0")) && holds(b, c, key_of(b, "run 1"), STR("x")),
		"what the last runs put stays");
	test_ok(&b->t, !file_exists(str_c(&b->a, part)), "what a killed run left aside goes");
	test_ok(&b->t, file_exists(note), "a stranger's file stays");
	for (int i = 0; i < 2 * CACHE_RUNS; i++) {
		c = cache_open(b->cache_dir, &b->a);
		holds(b, c, asked, STR("a"));
		cache_sweep(c);
	}
	test_ok(&b->t, holds(b, c, key_of(b, "run 1"), STR("x")),
		"runs that put nothing do not count: a quiet month takes nothing away");
	write_bytes(path_in(b, "cache/run"), STR("nonsense"));
	one_run(b, 99, asked);
	test_ok(&b->t, holds(b, cache_open(b->cache_dir, &b->a), key_of(b, "run 1"), STR("x")),
		"a damaged number of the run loses nothing");
	unlink(note);
	unlink(path_in(b, "cache/run"));
	for (int i = 100; i < 101 + CACHE_RUNS; i++)
		one_run(b, i, asked);
	test_ok(&b->t, misses(b, cache_open(b->cache_dir, &b->a), key_of(b, "run 1")),
		"and is counted from anew");
}

/* --- side by side --- */

enum { THREADS = 8, ROUNDS = 200, KEYS = 5 };

struct worker {
	struct cache *cache;
	const struct str *keys;
	struct arena arena;
	size_t wrong;
	pthread_t thread;
};

/* Every value of key i is i and then bytes of its own. */
static void *work(void *ctx)
{
	struct worker *w = ctx;

	for (int i = 0; i < ROUNDS; i++) {
		size_t k = (size_t)i % KEYS;
		struct str got, data = str_printf(&w->arena, "%zu:%0*d", k, 100 + i, i);
		cache_put(w->cache, w->keys[k], data);
		if (cache_get(w->cache, w->keys[k], &w->arena, &got))
			w->wrong += got.len < 102 || got.p[0] != (char)('0' + k);
		else
			w->wrong++;
	}
	return NULL;
}

static size_t run_workers(struct cache *c, const struct str *keys)
{
	struct worker workers[THREADS];
	size_t wrong = 0;

	for (size_t i = 0; i < THREADS; i++) {
		workers[i] = (struct worker){ .cache = c, .keys = keys };
		pthread_create(&workers[i].thread, NULL, work, &workers[i]);
	}
	for (size_t i = 0; i < THREADS; i++) {
		pthread_join(workers[i].thread, NULL);
		wrong += workers[i].wrong;
		arena_free(&workers[i].arena);
	}
	return wrong;
}

static void test_side_by_side(struct bench *b)
{
	struct cache *c = fresh(b);
	struct str keys[KEYS];
	int status = 1;

	for (size_t i = 0; i < KEYS; i++)
		keys[i] = key_of(b, str_c(&b->a, str_printf(&b->a, "shared %zu", i)));
	cache_put(c, keys[0], STR("begin"));
	fflush(stdout);
	pid_t other = fork(); /* another run with the same cache */
	size_t wrong = run_workers(c, keys);
	if (other == 0)
		_exit(wrong > 0);
	waitpid(other, &status, 0);
	test_ok(&b->t, wrong == 0 && status == 0,
		"threads of two runs put and get the same keys: always one whole value");
	test_ok(&b->t, files_in(b, b->cache_dir) == KEYS, "nothing is left aside");
}

/* --- packing --- */

static void test_pack(struct bench *b)
{
	static const long long ints[] = { 0,   1,  -1,  63,   64,        -64,       -65,
					  300, -1, 1e9, -1e9, LLONG_MAX, LLONG_MIN, INT_MIN };
	const double numbers[] = {
		0, -0.0, 0.1, INFINITY, -INFINITY, 5e-324, 1.7976931348623157e308
	};
	struct strbuf p = { .arena = &b->a };
	struct unpack u;
	bool same = true;
	size_t cut = 0;

	for (size_t i = 0; i < LEN(ints); i++)
		pack_put_int(&p, ints[i]);
	for (size_t i = 0; i < LEN(numbers); i++)
		pack_put_num(&p, numbers[i]);
	pack_put_num(&p, NAN);
	pack_put_str(&p, STR("a\0b"));
	pack_put_str(&p, STR(""));
	u = (struct unpack){ .rest = strbuf_str(&p) };
	for (size_t i = 0; i < LEN(ints); i++)
		same = same && unpack_int(&u) == ints[i];
	for (size_t i = 0; i < LEN(numbers); i++) {
		double v = unpack_num(&u);
		same = same && memcmp(&v, &numbers[i], sizeof v) == 0;
	}
	same = same && isnan(unpack_num(&u));
	same = same && str_eq(unpack_str(&u), STR("a\0b")) && unpack_str(&u).len == 0;
	test_ok(&b->t, same && unpack_end(&u), "numbers and texts come back bit by bit");
	test_ok(&b->t, !u.bad && (unpack_int(&u), u.bad), "one more is bad");
	for (size_t n = 0; n < p.len; n++) {
		u = (struct unpack){ .rest = str_slice(strbuf_str(&p), 0, n) };
		for (size_t i = 0; i < LEN(ints); i++)
			unpack_int(&u);
		for (size_t i = 0; i <= LEN(numbers); i++)
			unpack_num(&u);
		unpack_str(&u);
		unpack_str(&u);
		cut += u.bad;
	}
	test_ok(&b->t, cut == p.len, "cut anywhere it is bad, and nothing is read beyond the end");
	test_ok(&b->t, !unpack_end(&(struct unpack){ .rest = STR("x") }), "a rest is bad");
}

static const struct {
	const char *name;
	struct str bytes;
	size_t end; /* of an index; 0: it is a count */
	bool good;
} bounds[] = {
	{ "the last index", STR_INIT("\x04"), 3, true },
	{ "an index too high", STR_INIT("\x06"), 3, false },
	{ "a negative index", STR_INIT("\x01"), 3, false },
	{ "a count of what follows",
	  STR_INIT("\x04"
		   "ab"),
	  0, true },
	{ "a count beyond what follows",
	  STR_INIT("\xfe\xff\xff\xff\x0f"
		   "ab"),
	  0, false },
	{ "a number without an end", STR_INIT("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
	  3, false },
};

static void test_bounds(struct bench *b)
{
	for (size_t i = 0; i < LEN(bounds); i++) {
		struct unpack u = { .rest = bounds[i].bytes };
		size_t v = bounds[i].end ? unpack_index(&u, bounds[i].end) : unpack_count(&u);
		test_ok(&b->t, u.bad != bounds[i].good && v == (bounds[i].good ? 2u : 0u),
			bounds[i].name);
	}
}

int main(void)
{
	struct bench b = { .dir = "/tmp/gpuguide-test-XXXXXX" };
	struct error err = { 0 };

	if (!mkdtemp(b.dir))
		return 1;
	b.cache_dir = path_in(&b, "cache");
	test_keys(&b);
	test_build_id(&b);
	test_entries(&b);
	test_damage(&b);
	test_unwritable(&b);
	test_disk_full(&b);
	test_sweep(&b);
	test_side_by_side(&b);
	test_pack(&b);
	test_bounds(&b);
	file_remove_tree(b.dir, &err);
	arena_free(&b.a);
	return test_done(&b.t);
}
