#include "offer.h"

#include "../base/map.h"
#include "../base/num.h"
#include "../base/process.h"
#include "../collect/limits.h"

#include <math.h>
#include <stdlib.h>

struct fetch_offer *fetch_offer_add(struct fetch_offers *o, struct str origin, struct arena *a)
{
	o->v = arena_grow(a, o->v, &o->cap, o->n + 1, sizeof *o->v);
	o->v[o->n] = (struct fetch_offer){ .origin = origin, .bytes = NAN };
	return &o->v[o->n++];
}

struct str fetch_too_large(const struct fetch_source *s, double bytes, struct arena *a)
{
	struct str limit = num_shortest(a, (double)s->max_file / 1e6);

	if (isnan(bytes))
		return str_printf(a, "more than " STR_FMT " MB (max_file_mb)", STR_ARG(limit));
	return str_printf(a, STR_FMT " bytes, more than " STR_FMT " MB (max_file_mb)",
			  STR_ARG(num_grouped(a, bytes, 0)), STR_ARG(limit));
}

bool fetch_check_limits(const struct fetch_source *s, size_t files, double bytes, struct error *err)
{
	if (files > s->max_files)
		return error_set(err, ERR_RANGE,
				 "%zu files, more than %zu (max_files): nothing is taken", files,
				 s->max_files);
	if (bytes > (double)s->max_total)
		return error_set(err, ERR_RANGE,
				 "%.0f bytes, more than %g MB (max_total_mb): nothing is taken",
				 bytes, (double)s->max_total / 1e6);
	return true;
}

/* "x.csv" of "x.csv.sig"; empty of a name of another kind. */
static struct str signed_name(struct str name)
{
	static const struct str ending = STR_INIT(".sig");

	return str_ends(name, ending) ? str_slice(name, 0, name.len - ending.len)
				      : (struct str){ 0 };
}

static bool ends_in_one(const struct fetch_source *s, struct str name)
{
	struct str rest = s->files, ending;

	while (str_cut(&rest, ' ', &ending))
		if (ending.len && str_ends(name, ending))
			return true;
	return false;
}

bool fetch_ends_well(const struct fetch_source *s, struct str name)
{
	struct str file = signed_name(name);

	return ends_in_one(s, file.len ? file : name);
}

bool fetch_is_wanted(const struct fetch_source *s, struct str path, struct str *origin)
{
	size_t n = s->subfolder.len;

	if (n && (!str_starts(path, s->subfolder) || path.len <= n + 1 || path.p[n] != '/'))
		return false;
	*origin = str_slice(path, n ? n + 1 : 0, path.len);
	return fetch_ends_well(s, *origin);
}

bool fetch_run_tool(const struct fetch_tool *t, struct arena *a, struct process_result *r,
		    struct error *err)
{
	/* GIT_DIR and its like are set where a hook calls us and mean another repository;
	 * GIT_SSL_NO_VERIFY, RSYNC_CONNECT_PROG and others would undo what the arguments say. A
	 * proxy and a password stay. */
	static const char *const without[] = { "GIT_",
					       "RSYNC_CONNECT_PROG=",
					       "RSYNC_RSH=",
					       "RSYNC_ICONV=",
					       "RSYNC_PARTIAL_DIR=",
					       "RSYNC_OLD_ARGS=",
					       "RSYNC_PROTECT_ARGS=",
					       "CVSIGNORE=",
					       NULL };
	struct process_options opt = { .argv = t->argv,
				       .env = t->env,
				       .env_without = without,
				       .work_dir = t->work_dir,
				       .input = t->input,
				       .seconds = t->seconds,
				       .output_max = t->output_max,
				       .file_max = t->file_max,
				       .memory_max = t->memory_max };
	struct error why = { 0 };

	if (process_run(&opt, a, r, &why))
		return process_good(&opt, r, err);
	if (str_ends(str_of(why.msg), STR(": not found")))
		return error_set(err, ERR_ENVIRONMENT, "%s: install %s", why.msg, t->package);
	return error_set(err, why.code, "%s", why.msg);
}

/* A git tree may be thousands of folders deep, and what was accepted is remembered for ever. */
static void check_origin(struct fetch_offer *o)
{
	if (o->origin.len <= FETCH_ORIGIN_MAX)
		return;
	o->origin = str_slice(o->origin, 0, FETCH_ORIGIN_MAX);
	o->text = o->signature = (struct str){ 0 };
	o->problem = STR("its path is longer than 1000 bytes");
}

/* A file without the signature that it should have would count for less, and with half of it be
 * refused later. */
static void attach(struct fetch_offer *o, const struct fetch_offer *signature, struct arena *a)
{
	struct str problem = signature->problem;

	if (o->problem.len)
		return;
	if (problem.len == 0 && signature->text.len == 0)
		problem = STR("it is empty");
	if (problem.len == 0 && signature->text.len > LIMIT_SIGNATURE)
		problem = str_printf(a, "it has more than %d bytes", LIMIT_SIGNATURE);
	o->signature = signature->text;
	if (problem.len == 0)
		return;
	o->problem = str_printf(a, "its signature: " STR_FMT, STR_ARG(problem));
	o->text = o->signature = (struct str){ 0 };
	o->waits = signature->waits;
	o->failed = signature->failed;
}

/* Takes the signatures out of the list, each to its file. */
static void pair_signatures(struct fetch_offers *out, struct arena *a)
{
	struct map files = { .arena = a };
	size_t n = 0;

	for (size_t i = 0; i < out->n; i++)
		map_put(&files, out->v[i].origin, i, NULL);
	for (size_t i = 0; i < out->n; i++) {
		struct str file = signed_name(out->v[i].origin);
		const size_t *at = file.len ? map_get(&files, file) : NULL;
		if (at)
			attach(&out->v[*at], &out->v[i], a);
	}
	for (size_t i = 0; i < out->n; i++)
		if (signed_name(out->v[i].origin).len == 0)
			out->v[n++] = out->v[i];
	out->n = n;
}

static int compare_offers(const void *pa, const void *pb)
{
	const struct fetch_offer *a = pa, *b = pb;

	return str_cmp(a->origin, b->origin);
}

bool fetch_offers(const struct fetch_source *s, const struct fetch_place *place,
		  struct fetch_offers *out, struct error *err)
{
	bool (*const fetchers[FETCH_TYPE_COUNT])(const struct fetch_source *,
						 const struct fetch_place *, struct fetch_offers *,
						 struct error *) = {
		fetch_git, fetch_rsync, fetch_rsync, fetch_https, fetch_folder,
	};
	double bytes = 0;

	*out = (struct fetch_offers){ 0 };
	if (!fetchers[s->type](s, place, out, err))
		return false;
	pair_signatures(out, place->arena);
	if (out->n > 1)
		qsort(out->v, out->n, sizeof *out->v, compare_offers);
	for (size_t i = 0; i < out->n; i++) {
		check_origin(&out->v[i]);
		bytes += (double)out->v[i].text.len + (double)out->v[i].signature.len;
	}
	return fetch_check_limits(s, out->n, bytes, err);
}
