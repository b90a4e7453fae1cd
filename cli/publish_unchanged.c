#include "publish_unchanged.h"

#include "../base/file.h"
#include "../publish/buildinfo.h"

#include <string.h>

static bool is_none(const struct options *opt)
{
	return opt->previous && strcmp(opt->previous, "none") == 0;
}

static struct str key_of(const struct unchanged *u, struct arena *a)
{
	const struct buildinfo_options info = { u->opt->gnuplot, u->name, u->opt->date,
						u->opt->source_date_epoch };
	struct cache_key *k = cache_key_begin("publish 1", a);

	cache_key_add(k, inputs_csv(u->in, a));
	cache_key_add(k, buildinfo_quick(&info, a)); /* the options too */
	cache_key_add(k, is_none(u->opt) ? STR("none") : STR(""));
	return cache_key_end(k);
}

/* The edition that one of `e`'s date is compared with. */
static struct str previous_id(const struct unchanged *u, const struct store_edition *e)
{
	const struct store_edition *p = store_previous(u->store, u->name, e->date);

	return p && !is_none(u->opt) ? p->summary.id : STR("-");
}

/* "FOLDER\nSHA-256 of its MANIFEST\nid before it\n"; empty where there is no MANIFEST. */
static struct str entry_of(const struct unchanged *u, const struct store_edition *e,
			   struct arena *a)
{
	struct str path =
	    file_join(a, file_join(a, str_of(u->opt->out), e->folder), STR("MANIFEST"));
	struct error ignored = { 0 };
	struct file_sum sum;

	if (!file_hash(str_c(a, path), a, &sum, &ignored))
		return STR("");
	struct str previous = previous_id(u, e);
	return str_printf(a, STR_FMT "\n" STR_FMT "\n" STR_FMT "\n", STR_ARG(e->folder),
			  STR_ARG(sum.sha256), STR_ARG(previous));
}

static bool is_newest_revision(const struct unchanged *u, const struct store_edition *e)
{
	for (const struct store_edition *x = e + 1; x < u->store->v + u->store->n; x++)
		if (x->date.day == e->date.day && str_eq(x->summary.edition, u->name))
			return false;
	return true;
}

bool unchanged_find(const struct unchanged *u, struct arena *a, struct str *folder)
{
	struct str known, rest, name;

	if ((u->opt->previous && !is_none(u->opt)) || !cache_get(u->cache, key_of(u, a), a, &known))
		return false;
	rest = known;
	if (!str_cut(&rest, '\n', &name))
		return false;
	const struct store_edition *e = store_find(u->store, name);
	if (!e || !is_newest_revision(u, e) || !str_eq(entry_of(u, e, a), known))
		return false;
	*folder = e->folder;
	return true;
}

void unchanged_remember(const struct unchanged *u, struct str folder, struct arena *a)
{
	const struct store_edition *e = store_find(u->store, folder);

	if (e && !(u->opt->previous && !is_none(u->opt)))
		cache_put(u->cache, key_of(u, a), entry_of(u, e, a));
}
