/* The analysis with scores from the cache equals the one that works them out, in every byte of
 * every file, for the three shipped editions; and what it hangs on makes another key. */
#include "test.h"

#include "../analyze/analyze.h"
#include "../analyze/performance_store.h"
#include "../base/file.h"
#include "../catalogue/price.h"
#include "../collect/collect.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct bench {
	struct test t;
	struct arena a;
	char dir[64];
	struct devices devices;
	struct prices prices;
	struct messages messages;
	struct edition edition;
};

static const char *path_in(struct bench *b, const char *name)
{
	return str_c(&b->a, file_join(&b->a, str_of(b->dir), str_of(name)));
}

static bool collect(struct bench *b, const char *dir, struct error *err)
{
	const char *paths[] = { "data/contributions" };
	const struct collect_options opt = { .data_dir = "data",
					     .out_dir = dir,
					     .paths = paths,
					     .npaths = 1,
					     .edition = &b->edition };
	struct collect_summary sum;

	return collect_run(&opt, &b->devices, &b->a, &b->messages, &sum, err);
}

/* DIR/data has observations.csv already. */
static bool analyze(struct bench *b, const char *dir, struct cache *cache, struct error *err)
{
	const struct analyze_options opt = { .data_dir = "data",
					     .out_dir = dir,
					     .edition = &b->edition,
					     .templates_dir = "templates",
					     .cache = cache,
					     .previous_date = { INT_MIN } };

	b->messages.n = 0;
	return analyze_run(&opt, &b->devices, &b->prices, &b->a, &b->messages, err);
}

/* The files of two folders; how many of them are equal in names and bytes, 0 when one is not. */
static size_t same_files(struct bench *b, const char *one, const char *other)
{
	struct file_list x, y;
	struct error err = { 0 };

	if (!file_list(one, "", true, &b->a, &x, NULL, &err)
	    || !file_list(other, "", true, &b->a, &y, NULL, &err) || x.n != y.n)
		return 0;
	for (size_t i = 0; i < x.n; i++) {
		struct str p, q;
		if (!str_eq(x.v[i], y.v[i])
		    || !file_read(str_c(&b->a, file_join(&b->a, str_of(one), x.v[i])), 0, &b->a, &p,
				  &err)
		    || !file_read(str_c(&b->a, file_join(&b->a, str_of(other), y.v[i])), 0, &b->a,
				  &q, &err)
		    || !str_eq(p, q)) {
			printf("# " STR_FMT " differs\n", STR_ARG(x.v[i]));
			return 0;
		}
	}
	return x.n;
}

static size_t entries(struct bench *b)
{
	struct file_list list = { .n = 0 };
	struct error err = { 0 };

	file_list(path_in(b, "cache"), "", true, &b->a, &list, NULL, &err);
	return list.n;
}

static void copy_into(struct bench *b, const char *from, const char *to, const char *name)
{
	struct error err = { 0 };
	struct str text;

	if (!file_make_dirs(path_in(b, to), &err)
	    || !file_read(str_c(&b->a, file_join(&b->a, str_of(path_in(b, from)), str_of(name))), 0,
			  &b->a, &text, &err)
	    || !file_write(str_c(&b->a, file_join(&b->a, str_of(path_in(b, to)), str_of(name))),
			   text, &err))
		error_print(stdout, &err);
}

static void test_edition(struct bench *b, const char *name, int date)
{
	static const char *const tables[] = { "observations.csv", "machines.csv", "sources.csv",
					      "rejects.csv" };
	const char *path = str_c(&b->a, str_printf(&b->a, "editions/%s.ini", name));
	struct cache *cache = cache_open(path_in(b, "cache"), &b->a);
	struct error err = { 0 };
	char label[200];

	if (!edition_read(path, &b->devices, &b->a, &b->edition, &err)) {
		error_print(stdout, &err);
		test_ok(&b->t, false, name);
		return;
	}
	if (b->edition.date.day == INT_MIN)
		b->edition.date.day = date;
	bool good = collect(b, path_in(b, "one"), &err);
	for (size_t i = 0; i < LEN(tables); i++)
		copy_into(b, "one/data", "two/data", tables[i]);
	size_t before = entries(b);
	good = good && analyze(b, path_in(b, "one"), cache, &err);
	size_t messages = b->messages.n, cold = entries(b);
	good = good && analyze(b, path_in(b, "two"), cache, &err);
	if (!good)
		error_print(stdout, &err);
	snprintf(label, sizeof label, "%s: the first run puts one entry, the second none", name);
	test_ok(&b->t, good && cold == before + 1 && entries(b) == cold, label);
	size_t n = good ? same_files(b, path_in(b, "one"), path_in(b, "two")) : 0;
	snprintf(label, sizeof label, "%s: %zu files, every byte of them the same", name, n);
	test_ok(&b->t, n > 25 && messages == b->messages.n, label);
	file_remove_tree(path_in(b, "one"), &err);
	file_remove_tree(path_in(b, "two"), &err);
}

/* --- what the key hangs on --- */

struct changeable {
	struct devices devices;
	struct estimates estimates;
	struct edition edition;
	size_t indices[2], nindices;
};

static void set_nothing(struct changeable *c) { (void)c; }
static void set_day_alone(struct changeable *c) { c->edition.date.day += 30; }
static void set_title(struct changeable *c) { c->edition.title = STR("Another"); }
static void set_price_rules(struct changeable *c) { c->edition.stale_days = 7; }
static void set_day_of_release(struct changeable *c) { c->edition.date.day = 20000; }
static void set_reference(struct changeable *c) { c->edition.reference = STR("B"); }
static void set_max_error(struct changeable *c) { c->edition.max_error = 2; }
static void set_method(struct changeable *c) { c->edition.classes[0].method = STR("linear"); }
static void set_policy(struct changeable *c) { c->edition.classes[0].policy = POLICY_BEST; }
static void set_precision(struct changeable *c) { c->edition.classes[0].precision = STR("fp16"); }
static void set_class(struct changeable *c) { c->edition.classes[0].id = CLASS_LLM; }
static void set_classes(struct changeable *c) { c->edition.nclasses = 2; }
static void set_list(struct changeable *c) { c->nindices = 1; }
static void set_listed(struct changeable *c) { c->indices[1] = 2; }
static void set_estimate(struct changeable *c) { c->estimates.v[0].date.day = 18500; }
static void set_anchor(struct changeable *c)
{
	static struct str anchor[] = { STR_INIT("B") };

	c->edition.anchors = (struct str_list){ anchor, 1 };
}
static void set_spec(struct changeable *c)
{
	static struct str spec[] = { STR_INIT("bandwidth_gbs") };

	c->edition.classes[0].spec_names = (struct str_list){ spec, 1 };
}

static const struct {
	const char *name;
	void (*change)(struct changeable *c);
	bool same;
} changes[] = {
	{ "the same", set_nothing, true },
	{ "a month later, nothing new is out", set_day_alone, true },
	{ "the title", set_title, true },
	{ "rules of pricing", set_price_rules, true },
	{ "a day on which another card is out", set_day_of_release, false },
	{ "the reference", set_reference, false },
	{ "the largest error", set_max_error, false },
	{ "a scaling method", set_method, false },
	{ "a precision policy", set_policy, false },
	{ "a named precision", set_precision, false },
	{ "a class", set_class, false },
	{ "a class more", set_classes, false },
	{ "a card less on the list", set_list, false },
	{ "another card on the list", set_listed, false },
	{ "an anchor", set_anchor, false },
	{ "a specification to scale by", set_spec, false },
	{ "an estimate that is not out yet", set_estimate, false },
};

static struct str key_of(struct bench *b, const struct changeable *c)
{
	const struct score_input in = { .devices = &c->devices,
					.edition = &c->edition,
					.indices = c->indices,
					.nindices = c->nindices,
					.estimates = &c->estimates };

	return performance_key(cache_open(path_in(b, "cache"), &b->a), &in, path_in(b, "obs.csv"),
			       b->dir, &b->a);
}

static struct changeable start(struct bench *b)
{
	struct changeable c = { .nindices = 2, .indices = { 0, 1 } };

	c.devices.n = 3;
	c.devices.v = arena_array(&b->a, 3, sizeof *c.devices.v);
	c.devices.v[2].release_date.day = 19000;
	c.estimates.n = 1;
	c.estimates.v = arena_array(&b->a, 1, sizeof *c.estimates.v);
	c.estimates.v[0].date.day = 17000;
	c.edition = (struct edition){
		.reference = STR("A"), .nclasses = 1, .max_error = 3, .date = { 18000 }
	};
	return c;
}

static void test_keys(struct bench *b)
{
	struct error err = { 0 };
	struct changeable first = start(b);

	file_write(path_in(b, "obs.csv"), STR("rows\n"), &err);
	file_write(path_in(b, "devices.csv"), STR("devices\n"), &err);
	struct str own = key_of(b, &first);
	for (size_t i = 0; i < LEN(changes); i++) {
		struct changeable c = start(b);
		changes[i].change(&c);
		test_ok(&b->t, own.len == 64 && str_eq(key_of(b, &c), own) == changes[i].same,
			changes[i].name);
	}
	static const char *const files[] = { "obs.csv", "devices.csv", "aliases.csv",
					     "estimates.csv", "overrides.csv" };
	for (size_t i = 0; i < LEN(files); i++) {
		struct str before = key_of(b, &first);
		file_write(path_in(b, files[i]), STR("changed"), &err);
		test_ok(&b->t, !str_eq(key_of(b, &first), before), files[i]);
	}
	unlink(path_in(b, "obs.csv"));
	test_ok(&b->t, key_of(b, &first).len == 0, "no observations: no key");
}

int main(void)
{
	struct bench b = { .dir = "/tmp/gpuguide-test-XXXXXX" };
	struct error err = { 0 };

	if (!mkdtemp(b.dir))
		return 1;
	b.messages.arena = &b.a;
	test_keys(&b);
	if (!devices_read("data", &b.a, &b.devices, &err)
	    || !prices_read("data", &b.devices, &b.a, &b.prices, &b.messages, &err))
		error_print(stdout, &err);
	file_make_dirs(path_in(&b, "cache"), &err);
	test_edition(&b, "guide-2016-06", 0);
	test_edition(&b, "guide-2019-04", 0);
	test_edition(&b, "current", 20269); /* 2025-06-30 */
	file_remove_tree(b.dir, &err);
	arena_free(&b.a);
	return test_done(&b.t);
}
