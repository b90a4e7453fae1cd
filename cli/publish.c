/* gpuguide publish: the nightly job. Whatever fails, the editions that are there stay as they are.
 */
#include "commands.h"
#include "edition_build.h"
#include "predecessor.h"
#include "publish_unchanged.h"

#include "../base/file.h"
#include "../base/lock.h"
#include "../publish/archive.h"
#include "../publish/banner.h"
#include "../publish/config.h"
#include "../publish/log.h"
#include "../publish/retention.h"
#include "../publish/store.h"

#include <limits.h>
#include <stdio.h>
#include <unistd.h>

/* One run. */
struct night {
	struct options opt; /* with what publish.ini says */
	struct publish_config config;
	struct error config_err;
	struct arena *arena;
	struct stopwatch watch;
	struct cache *cache;
	struct inputs in; /* without the predecessor's */
	struct store store;
	struct str name; /* of the edition */
	struct log_entry entry;
};

static const char *in_out(const struct night *n, const char *name)
{
	return str_c(n->arena, file_join(n->arena, str_of(n->opt.out), str_of(name)));
}

/* The options go before publish.ini. A fault in it is kept: it is told in the log like any other.
 */
static void read_config(struct night *n)
{
	struct options *o = &n->opt;
	struct arena *a = n->arena;
	const char *shipped = str_c(a, file_join(a, str_of(o->root), STR("publish.ini")));

	config_read(o->config ? o->config : shipped, !o->config, a, &n->config, &n->config_err);
	if (!o->edition_given && n->config.edition)
		o->edition = n->config.edition;
	if (!o->out)
		o->out = n->config.out ? n->config.out : "out";
	n->name = context_edition_name(o, a);
}

static bool read_store(struct night *n, bool tell, struct error *err)
{
	struct messages odd = { .arena = n->arena };

	if (!store_read(n->opt.out, n->arena, &n->store, &odd, err))
		return false;
	if (tell && !n->opt.quiet)
		context_print(&odd, 0);
	return true;
}

static struct unchanged unchanged_of(const struct night *n)
{
	return (struct unchanged){ &n->opt, n->cache, &n->store, n->name, &n->in };
}

/* What the night was about, against the newest edition. */
static struct str moves_of(const struct night *n)
{
	const struct store_edition *newest = store_newest(&n->store, n->name);
	struct str moves;

	if (!newest)
		return STR("the first edition");
	moves = inputs_moves(in_out(n, str_c(n->arena, newest->folder)), &n->in, n->arena);
	return moves.len ? moves : STR("another date, predecessor, program or option");
}

/* Builds it in the hidden folder, signs it and gives it its name. */
static bool build_and_place(struct night *n, struct context *c, const struct predecessor *p,
			    const char *building, struct error *err)
{
	const struct publish_config *config = &n->config;
	struct edition_counts counts = { 0 };
	const struct edition_build b = { .dir = building,
					 .previous = p->dir,
					 .link_from = p->newest,
					 .cache = n->cache,
					 .keep_inputs = true,
					 .silent = !n->opt.verbose,
					 .counts = &counts };
	struct inputs all = n->in;
	struct log_entry *e = &n->entry;
	bool fresh;

	/* its own array: n->in goes on being without the predecessor's */
	all.v = arena_array(n->arena, n->in.n, sizeof *all.v);
	all.cap = n->in.n;
	for (size_t i = 0; i < n->in.n; i++)
		all.v[i] = n->in.v[i];
	if (p->dir && !inputs_add_previous(p->dir, n->arena, &all, err))
		return false;
	if (!edition_build(c, &b, &all, err)
	    || (config->tool != SIGN_NONE
		&& !sign_manifest(building, config->tool, config->key, n->arena, err))
	    || !store_place(n->opt.out, building, n->name, c->edition.date, n->arena, &e->folder,
			    &fresh, err))
		return false;
	e->result = fresh ? PUBLISH_NEW : PUBLISH_UNCHANGED;
	e->counted = true;
	e->files = counts.rows.files;
	e->files_refused = counts.rows.files_refused;
	e->accepted = counts.rows.accepted;
	e->rejected = counts.rows.rejected;
	e->set_aside = counts.rows.set_aside;
	e->devices = counts.rows.devices;
	e->refused_prices = counts.refused_prices;
	return true;
}

static bool make_edition(struct night *n, struct error *err)
{
	const char *building = in_out(n, ".building");
	struct predecessor p;
	struct context c;
	struct str moves = moves_of(n);

	if (!context_open(&c, &n->opt, true, n->arena, err)
	    || !predecessor_find(&c, &n->store, &p, err))
		return false;
	if (!build_and_place(n, &c, &p, building, err)) {
		struct error ignored = { 0 };

		if (file_exists(building))
			file_remove_tree(building, &ignored);
		return false;
	}
	if (n->entry.result == PUBLISH_NEW)
		n->entry.moves = moves;
	if (!read_store(n, false, err))
		return false;
	const struct unchanged u = unchanged_of(n);
	unchanged_remember(&u, n->entry.folder, n->arena);
	return true;
}

/* The pages around the editions. banner: of failed.txt */
static bool write_archive(const struct night *n, struct str banner, struct error *err)
{
	struct arena *a = n->arena;
	struct removed_list old;

	if (!removed_read(n->opt.out, a, &old, err)) {
		if (banner.len == 0)
			return false;
		old = (struct removed_list){ 0 }; /* its fault may be the very reason to be shown */
	}
	struct archive_removed *removed = arena_array(a, old.n, sizeof *removed);
	size_t nremoved = 0;
	for (size_t i = 0; i < old.n; i++) /* a run that was killed may have listed one too early */
		if (!store_find(&n->store, old.v[i].folder))
			removed[nremoved++] =
			    (struct archive_removed){ old.v[i].folder, old.v[i].id };
	const struct archive_options opt = {
		.out_dir = n->opt.out,
		.templates_dir = str_c(a, file_join(a, str_of(n->opt.root), STR("templates"))),
		.title = n->config.title,
		.base_url = n->config.base_url,
		.banner = banner,
		.removed = removed,
		.nremoved = nremoved,
	};
	return archive_write(&opt, &n->store, a, NULL, err);
}

static bool remove_old(struct night *n, struct error *err)
{
	struct removed_list old;

	retention_choose(&n->store, &n->config, n->arena, &old);
	n->entry.removed = old.n;
	return retention_remove(n->opt.out, &old, n->arena, err)
	       && (old.n == 0 || read_store(n, false, err));
}

/* What stands around the editions: written only where it differs from what is there. */
static bool finish(struct night *n, struct error *err)
{
	const struct store_edition *newest = store_newest(&n->store, n->name);
	const struct store_edition *own = store_find(&n->store, n->entry.folder);

	if (own)
		n->entry.id = own->summary.id;
	if (newest && !store_point_latest(n->opt.out, newest->folder, n->arena, err))
		return false;
	return remove_old(n, err) && banner_remove(n->opt.out, n->arena, err)
	       && write_archive(n, STR(""), err);
}

static bool read_inputs(struct night *n, struct error *err)
{
	if (n->config_err.code != ERR_NONE) {
		*err = n->config_err;
		return false;
	}
	return edition_inputs(&n->opt, NULL, n->arena, &n->in, err);
}

static bool run_night(struct night *n, struct error *err)
{
	if (!store_clean(n->opt.out, n->arena, err) || !read_store(n, true, err)
	    || !read_inputs(n, err))
		return false;
	const struct unchanged u = unchanged_of(n);
	if (unchanged_find(&u, n->arena, &n->entry.folder))
		n->entry.result = PUBLISH_UNCHANGED;
	else if (!make_edition(n, err))
		return false;
	return finish(n, err);
}

/* The folder that `latest` names; empty: none. */
static struct str standing(const struct night *n)
{
	char to[PATH_MAX];
	ssize_t len = readlink(in_out(n, "latest"), to, sizeof to);

	return len > 0 ? str_dup(n->arena, (struct str){ to, (size_t)len }) : STR("");
}

/* The text without the folder's path wherever a file below it is named: where the publisher keeps
 * things is nothing for a public page. */
static struct str without_folder(struct arena *a, struct str text, const char *folder)
{
	struct str path = str_printf(a, "%s/", folder);
	struct strbuf b = { .arena = a };
	size_t from = 0, at;

	while ((at = str_find(text, path, from)) < text.len) {
		strbuf_add(&b, str_slice(text, from, at));
		from = at + path.len;
	}
	strbuf_add(&b, str_slice(text, from, text.len));
	return strbuf_str(&b);
}

/* Says on the archive page what went wrong, as far as that can be done. */
static void put_banner(struct night *n, const struct error *err)
{
	struct error ignored = { 0 };
	struct log_entry shown;

	n->entry.result = PUBLISH_FAILED;
	n->entry.reason = error_text(err, n->arena);
	shown = n->entry;
	shown.reason = without_folder(n->arena, shown.reason, n->opt.out);
	shown.reason = without_folder(n->arena, shown.reason, n->opt.root);
	if (banner_write(n->opt.out, &shown, standing(n), n->arena, &ignored)
	    && read_store(n, false, &ignored))
		write_archive(n, banner_read(n->opt.out, n->arena), &ignored);
}

/* A log that cannot be written counts for less than anything else that failed. */
static bool write_log(struct night *n, bool good, struct error *err)
{
	struct error why = { 0 };

	n->entry.seconds = stopwatch_seconds(n->watch);
	if (log_write(n->opt.out, &n->entry, n->arena, &why))
		return good;
	if (good) {
		*err = why;
		return false;
	}
	fputs("gpuguide: ", stderr);
	error_print(stderr, &why);
	return false;
}

static bool publish(struct night *n, int *status, struct error *err)
{
	bool taken, good = file_make_dirs(n->opt.out, err);

	if (!good || !lock_take(in_out(n, ".lock"), &taken, err))
		return false;
	if (!taken) {
		*status = 3;
		n->entry.result = PUBLISH_LOCKED;
		error_set(err, ERR_ENVIRONMENT, "%s: another run holds the lock",
			  in_out(n, ".lock"));
		return write_log(n, false, err);
	}
	n->cache = cache_open(in_out(n, ".cache"), n->arena);
	good = run_night(n, err);
	if (!good)
		put_banner(n, err);
	cache_sweep(n->cache);
	good = write_log(n, good, err);
	if (good && !n->opt.quiet)
		printf(STR_FMT " %s/" STR_FMT "%s" STR_FMT "\n",
		       STR_ARG(publish_result_name(n->entry.result)), n->opt.out,
		       STR_ARG(n->entry.folder), n->entry.moves.len ? ": " : "",
		       STR_ARG(str_plain(n->arena, n->entry.moves)));
	return good;
}

/* What retention would take away after this run, if the edition that stands stays the newest. */
static void tell_removals(const struct night *n)
{
	struct removed_list old;

	retention_choose(&n->store, &n->config, n->arena, &old);
	for (size_t i = 0; i < old.n; i++)
		printf("would remove %s/" STR_FMT "\n", n->opt.out, STR_ARG(old.v[i].folder));
}

static bool dry_run(struct night *n, struct error *err)
{
	struct predecessor p;
	struct context c;
	struct str folder;

	if (!read_store(n, true, err) || !read_inputs(n, err))
		return false;
	n->cache = cache_open(in_out(n, ".cache"), n->arena);
	const struct unchanged u = unchanged_of(n);
	if (unchanged_find(&u, n->arena, &folder)) {
		printf("unchanged: %s/" STR_FMT " is made from the same\n", n->opt.out,
		       STR_ARG(folder));
	} else {
		if (!context_open(&c, &n->opt, true, n->arena, err)
		    || !predecessor_find(&c, &n->store, &p, err))
			return false;
		printf("would make an edition of " STR_FMT " in %s: " STR_FMT
		       "; compared with %s\n",
		       STR_ARG(date_iso(n->arena, c.edition.date)), n->opt.out,
		       STR_ARG(str_plain(n->arena, moves_of(n))), p.dir ? p.dir : "none");
	}
	tell_removals(n);
	return true;
}

bool command_publish(const struct options *given, struct arena *a, int *status, struct error *err)
{
	struct night n = { .opt = *given, .arena = a, .watch = stopwatch_start() };

	n.entry.time = log_time(a);
	read_config(&n);
	*status = 0;
	return n.opt.dry_run ? dry_run(&n, err) : publish(&n, status, err);
}
