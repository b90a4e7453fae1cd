/* Pictures from the cache: what was drawn before is not drawn again, everything else is. */
#include "test.h"

#include "../base/cache.h"
#include "../base/file.h"
#include "../render/gnuplot.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SCRIPT(output, text)                                                                       \
	"reset\nset terminal svg size 200,100\nset output '" output "'\nset title '" text          \
	"'\nplot x\nset output\n"

struct bench {
	struct test t;
	struct arena a;
	char dir[64];
	struct cache *cache;
	struct str identity;
};

static const char *path_in(struct bench *b, const char *name)
{
	return str_c(&b->a, file_join(&b->a, str_of(b->dir), str_of(name)));
}

static void put(struct bench *b, const char *name, const char *text)
{
	struct error err = { 0 };

	if (!file_write(path_in(b, name), str_of(text), &err))
		error_print(stdout, &err);
}

/* Two scripts, made of what the caller says that they are. */
static bool draw(struct bench *b, const char *program, struct str identity, const char *first,
		 const char *second, struct str *out)
{
	static const char *const scripts[] = { "one.gnuplot", "two.gnuplot" };
	static const char *const outputs[] = { "one.svg", "two.svg" };
	const struct str made_of[] = { str_of(first), str_of(second) };
	const struct gnuplot_job job = { .program = program,
					 .work_dir = b->dir,
					 .scripts = scripts,
					 .outputs = outputs,
					 .n = 2,
					 .log = "log",
					 .cache = b->cache,
					 .made_of = made_of,
					 .identity = identity };
	struct error err = { 0 };
	bool good = gnuplot_run(&job, &b->a, out, &err);

	if (!good && program == NULL)
		error_print(stdout, &err);
	return good;
}

static void test_identity(struct bench *b)
{
	put(b, "script", "#!/bin/sh\nexec gnuplot \"$@\"\n");
	chmod(path_in(b, "script"), 0755);
	test_ok(&b->t, b->identity.len == 64, "gnuplot has an identity");
	test_str(&b->t, gnuplot_identity(NULL, &b->a), b->identity, "always the same");
	test_ok(&b->t, !str_eq(gnuplot_identity("sh", &b->a), b->identity),
		"another program, another one");
	test_ok(&b->t, gnuplot_identity(path_in(b, "script"), &b->a).len == 0,
		"a script has none: nothing tells what it runs");
	test_ok(&b->t, gnuplot_identity("no-such-gnuplot", &b->a).len == 0,
		"nor has what is not there");
}

static void test_pictures(struct bench *b)
{
	struct str first[2], again[2];

	put(b, "one.gnuplot", SCRIPT("one.svg", "first"));
	put(b, "two.gnuplot", SCRIPT("two.svg", "second"));
	test_ok(&b->t, draw(b, NULL, b->identity, "1", "2", first), "two pictures are drawn");
	test_ok(&b->t,
		draw(b, "false", b->identity, "1", "2", again) && str_eq(first[0], again[0])
		    && str_eq(first[1], again[1]),
		"then both come from the cache: gnuplot is not run");
	put(b, "one.gnuplot", "exit status 3\n");
	put(b, "two.gnuplot", SCRIPT("two.svg", "third"));
	test_ok(&b->t,
		draw(b, NULL, b->identity, "1", "3", again) && str_eq(again[0], first[0])
		    && str_find(again[1], STR("third"), 0) < again[1].len,
		"of one that is there and one that is not, only that is run");
	test_ok(&b->t, !draw(b, "false", b->identity, "1", "4", again),
		"what is not there is drawn");
	test_ok(&b->t, !draw(b, "false", gnuplot_identity("sh", &b->a), "1", "2", again),
		"another gnuplot draws again");
	test_ok(&b->t, !draw(b, "false", (struct str){ 0 }, "1", "2", again),
		"without an identity everything is drawn");
	b->cache = NULL;
	test_ok(&b->t, !draw(b, "false", b->identity, "1", "2", again), "without a cache too");
	b->cache = cache_open(path_in(b, "cache"), &b->a);
}

static void test_broken(struct bench *b)
{
	struct str out[2];

	put(b, "half", "#!/bin/sh\nfor f in one two; do echo '<svg>half' >$f.svg; done\n");
	chmod(path_in(b, "half"), 0755);
	test_ok(&b->t, draw(b, path_in(b, "half"), b->identity, "5", "6", out),
		"half a picture is handed on");
	put(b, "one.gnuplot", SCRIPT("one.svg", "fifth"));
	test_ok(&b->t,
		draw(b, NULL, b->identity, "5", "6", out)
		    && str_find(out[0], STR("fifth"), 0) < out[0].len,
		"but not kept");
}

int main(void)
{
	struct bench b = { .dir = "/tmp/gpuguide-test-XXXXXX" };
	struct error err = { 0 };

	if (!mkdtemp(b.dir))
		return 1;
	b.cache = cache_open(path_in(&b, "cache"), &b.a);
	b.identity = gnuplot_identity(NULL, &b.a);
	test_identity(&b);
	test_pictures(&b);
	test_broken(&b);
	file_remove_tree(b.dir, &err);
	arena_free(&b.a);
	return test_done(&b.t);
}
