#include "fetch.h"

#include "../base/process.h"

#include <stdlib.h>

enum { CURL_ARGS = 32, CONNECT_SECONDS = 20, STOP_SECONDS = 5, CURL_MEMORY = 1 << 30 };

struct words {
	const char *v[CURL_ARGS];
	size_t n;
};

static void add(struct words *w, const char *word)
{
	if (w->n + 1 < LEN(w->v))
		w->v[w->n++] = word;
}

/* No file of options in the home folder, nothing but https on any hop, the certificate checked as
 * curl does unless told otherwise, and an end to it: by size where the server states one, else by
 * output_max. */
static void curl_words(const struct price_source *s, struct arena *a, struct words *w)
{
	int connect = s->seconds < CONNECT_SECONDS ? s->seconds : CONNECT_SECONDS;
	static const char *const fixed[] = {
		"curl",      "--disable",    "--silent",      "--show-error",
		"--fail",    "--location",   "--max-redirs",  "3",
		"--proto",   "=https",       "--proto-redir", "=https",
		"--globoff", "--user-agent", "gpuguide",      "--output",
		"-",
	};

	for (size_t i = 0; i < LEN(fixed); i++)
		add(w, fixed[i]);
	add(w, "--max-filesize");
	add(w, str_c(a, str_printf(a, "%zu", s->max_bytes)));
	add(w, "--max-time");
	add(w, str_c(a, str_printf(a, "%d", s->seconds)));
	add(w, "--connect-timeout");
	add(w, str_c(a, str_printf(a, "%d", connect)));
	if (s->cafile.len) {
		add(w, "--cacert");
		add(w, str_c(a, s->cafile));
	}
	add(w, "--url");
	add(w, str_c(a, s->url));
}

struct str price_fetch_plan(const struct price_source *s, struct arena *a)
{
	struct words w = { .n = 0 };
	const char *const *v = s->command;
	struct strbuf b = { .arena = a };

	if (!v) {
		curl_words(s, a, &w);
		v = w.v;
	}
	for (size_t i = 0; v[i]; i++)
		strbuf_printf(&b, "%s%s", i ? " " : "", v[i]);
	return strbuf_str(&b);
}

bool price_fetch_get(const struct price_source *s, const char *root, struct arena *a,
		     struct str *out, struct error *err)
{
	struct words w = { .n = 0 };
	struct process_options opt = { .argv = s->command, .work_dir = root };
	struct process_result result;

	opt.seconds = s->seconds;
	opt.output_max = s->max_bytes;
	if (!s->command) {
		curl_words(s, a, &w);
		opt.argv = w.v;
		opt.seconds += STOP_SECONDS; /* curl says what it waited for */
		opt.memory_max = CURL_MEMORY;
	}
	if (!process_run(&opt, a, &result, err) || !process_good(&opt, &result, err))
		return false;
	*out = result.output;
	if (out->len == 0)
		return error_set(err, ERR_DATA, "%s: it sent nothing", opt.argv[0]);
	return true;
}
