#include "offer.h"

#include "../base/map.h"
#include "../base/process.h"
#include "../collect/unpack.h"

#include <string.h>
#include <time.h>

enum { LIST_MAX = 1 << 20, CURL_TOO_LARGE = 63 };

struct job {
	const struct fetch_source *source;
	struct arena *arena;
	long long deadline; /* of the monotonic clock, s */
};

static long long now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec;
}

/* GETs an address, what redirections lead to also by https. The answer comes through a pipe, where
 * an endless one is cut whatever the server said of its length. */
static bool get(const struct job *j, struct str url, size_t max, struct process_result *r,
		struct error *err)
{
	const struct fetch_source *s = j->source;
	struct arena *a = j->arena;
	long long left = j->deadline - now_s();
	const char *seconds = str_c(a, str_printf(a, "%lld", left > 0 ? left : 1));
	const char *argv[32] = {
		"curl", "-q", "--silent", "--show-error", "--fail", "--globoff", "--location",
		"--max-redirs", "3", "--proto", "=https", "--proto-redir", "=https", "--tlsv1.2",
		"--connect-timeout", "20", "--user-agent", "gpuguide", "--max-time", seconds,
		"--max-filesize", str_c(a, str_printf(a, "%zu", max)),
	};
	size_t n = 0;

	while (argv[n])
		n++;
	if (s->cafile.len) {
		argv[n++] = "--cacert";
		argv[n++] = str_c(a, s->cafile);
	}
	argv[n++] = "--";
	argv[n++] = str_c(a, url);
	struct fetch_tool tool = { .argv = argv,
				   .package = "curl",
				   .output_max = max,
				   .memory_max = FETCH_TOOL_MEMORY,
				   .seconds = (int)(left > 0 ? left : 1) + 2 };
	*r = (struct process_result){ 0 };
	return fetch_run_tool(&tool, a, r, err);
}

static bool is_too_large(const struct process_result *r)
{
	return r->too_much_output || r->status == CURL_TOO_LARGE;
}

/* The address without a query, and the part of it up to the last '/'. */
static struct str without_query(struct str url)
{
	size_t query = str_find(url, STR("?"), 0), fragment = str_find(url, STR("#"), 0);

	return str_slice(url, 0, query < fragment ? query : fragment);
}

static size_t last_slash(struct str s)
{
	size_t at = s.len;

	while (at > 0 && s.p[at - 1] != '/')
		at--;
	return at;
}

/* Whether it is the host that failed, or the time is up: the next file would fare no better. */
static bool is_host_gone(const struct process_result *r)
{
	/* of curl(1): proxy, name, connection, time, TLS, certificate, CA file */
	static const int statuses[] = { 5, 6, 7, 28, 35, 60, 77 };

	for (size_t i = 0; i < LEN(statuses); i++)
		if (r->status == statuses[i])
			return true;
	return r->timed_out;
}

/* Whether to go on with the next file. */
static bool get_file(const struct job *j, struct str url, struct fetch_offer *o)
{
	struct process_result r;
	struct error why = { 0 };

	if (get(j, url, j->source->max_file, &r, &why)) {
		o->text = r.output;
		o->bytes = (double)r.output.len;
		return true;
	}
	if (is_too_large(&r)) {
		o->problem = fetch_too_large(j->source, o->bytes, j->arena);
		return true;
	}
	o->problem = str_dup(j->arena, str_of(why.msg));
	o->failed = true;
	return !is_host_gone(&r);
}

static bool get_single(const struct job *j, struct str url, struct fetch_offers *out,
		       struct error *err)
{
	struct str path = without_query(url);
	struct fetch_offer *o =
		fetch_offer_add(out, str_slice(path, last_slash(path), path.len), j->arena);

	get_file(j, url, o);
	return !o->failed || error_set(err, ERR_ENVIRONMENT, STR_FMT, STR_ARG(o->problem));
}

/* A line each: a plain relative name with the right ending is good, one with another ending is not
 * meant, anything else is a fault. */
static bool parse_list(const struct job *j, struct str text, struct fetch_offers *out,
		       struct error *err)
{
	struct map seen = { .arena = j->arena };
	struct str line, bad = { 0 };
	size_t good = 0;

	for (int number = 1; str_cut(&text, '\n', &line); number++) {
		bool fresh;

		line = str_trim(line);
		if (line.len == 0 || line.p[0] == '#')
			continue;
		bool plain = fetch_is_plain_path(line);
		map_put(&seen, line, 0, &fresh);
		if (!fresh || (plain && !fetch_ends_well(j->source, line)))
			continue;
		good += plain;
		struct fetch_offer *o = fetch_offer_add(out, line, j->arena);
		if (plain)
			continue;
		o->problem =
		    str_printf(j->arena, "line %d of the list is no plain relative name", number);
		if (bad.len == 0)
			bad = line;
	}
	if (good == 0 && bad.len)
		return error_set(err, ERR_SYNTAX,
				 "the list holds no plain relative name, but '" STR_FMT "'",
				 STR_ARG(str_plain(j->arena, str_slice(bad, 0, 60))));
	return fetch_check_limits(j->source, out->n, 0, err);
}

static bool get_listed(const struct job *j, struct fetch_offers *out, struct error *err)
{
	struct str url = without_query(j->source->url);
	struct str base = str_slice(url, 0, last_slash(url));
	struct process_result r;
	double bytes = 0;
	bool go_on = true;

	if (!get(j, j->source->url, LIST_MAX, &r, err) || !parse_list(j, r.output, out, err))
		return false;
	for (size_t i = 0; i < out->n; i++) {
		struct fetch_offer *o = &out->v[i];

		if (o->problem.len)
			continue;
		if (go_on) {
			struct str name = o->origin;
			go_on = get_file(j, str_printf(j->arena, STR_FMT STR_FMT, STR_ARG(base),
						       STR_ARG(name)), o);
		} else {
			o->problem = STR("not tried after what failed before it");
			o->failed = true;
		}
		bytes += (double)o->text.len;
		if (!fetch_check_limits(j->source, out->n, bytes, err))
			return false;
	}
	return true;
}

bool fetch_https(const struct fetch_source *s, const struct fetch_place *place,
		 struct fetch_offers *out, struct error *err)
{
	struct job j = { s, place->arena, now_s() + s->seconds };

	if (unpack_ending(without_query(s->url)).len)
		return get_single(&j, s->url, out, err);
	return get_listed(&j, out, err);
}
