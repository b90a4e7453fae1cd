/* The INI files that say where things come from and go to: data/sources.ini,
 * data/price_sources.ini, publish.ini. What is accepted can be no option of a program, and leads
 * out of no folder. */
#include "fuzz.h"

#include "../../fetch/source.h"
#include "../../prices/price_source.h"
#include "../../publish/config.h"

static void want_plain(struct str s, const char *what)
{
	fuzz_want(s.len == 0 || s.p[0] != '-', what);
	fuzz_want(!memchr(str_chars(s), '\0', s.len), what);
}

static void try_fetch(struct str text, struct arena *a)
{
	struct fetch_sources s = { 0 };
	struct error err = { 0 };
	bool good = fetch_sources_parse(text, "sources.ini", "/data", a, &s, &err);

	fuzz_want_fault(good, &err);
	for (size_t i = 0; good && i < s.n; i++) {
		const struct fetch_source *v = &s.v[i];
		want_plain(v->name, "a name is no option");
		want_plain(v->url, "an address is no option");
		want_plain(v->branch, "a branch is no option");
		fuzz_want(v->subfolder.len == 0 || fetch_is_plain_path(v->subfolder),
			  "a folder leads nowhere else");
		fuzz_want(str_find(v->name, STR("/"), 0) == v->name.len
			      && str_find(v->series, STR("/"), 0) == v->series.len,
			  "a name is no path");
		fuzz_want(v->max_files > 0 && v->max_total > 0 && v->seconds > 0,
			  "there are limits");
		fuzz_want(fetch_source_find(&s, v->name) == v, "a source is found by its name");
	}
}

static void try_prices(struct str text, struct arena *a)
{
	struct price_sources s = { 0 };
	struct error err = { 0 };
	bool good = price_sources_parse(text, "price_sources.ini", "/data", a, &s, &err);

	fuzz_want_fault(good, &err);
	for (size_t i = 0; good && i < s.n; i++) {
		const struct price_source *v = &s.v[i];
		fuzz_want((v->url.len > 0) != (v->command != NULL), "an address or a command");
		fuzz_want(v->url.len == 0 || str_starts(v->url, STR("https://")), "only https");
		fuzz_want(v->name.len > 0 && v->name.len <= 40
			      && str_find(v->name, STR("/"), 0) == v->name.len,
			  "a name is no path");
		fuzz_want(v->max_bytes > 0 && v->seconds > 0, "there are limits");
		fuzz_want(!v->command || v->command[0], "a command has a program");
	}
}

static void try_config(struct str text)
{
	struct publish_config *c;
	struct fuzz f;

	fuzz_open(&f);
	c = arena_alloc(&f.arena, sizeof *c);
	fuzz_put(&f, "publish.ini", text);
	bool good = config_read(fuzz_path(&f, "publish.ini"), false, &f.arena, c, &f.err);
	fuzz_want_fault(good, &f.err);
	if (good)
		fuzz_want(c->nkeep <= CONFIG_KEEP_MAX && c->keep_days >= -1
			      && c->keep_days <= CONFIG_DAYS_MAX
			      && (c->tool == SIGN_NONE) == (c->key == NULL),
			  "numbers within their bounds, a key with its tool");
	fuzz_close(&f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };

	try_fetch(fuzz_text(data, size), &a);
	try_prices(fuzz_text(data, size), &a);
	try_config(fuzz_text(data, size));
	arena_free(&a);
	return 0;
}
