/* gpuguide report: all three stages into a hidden folder, which gets its final name only when
 * everything in it is complete. */
#include "commands.h"
#include "edition_build.h"
#include "predecessor.h"

#include "../base/file.h"
#include "../base/lock.h"
#include "../publish/store.h"

#include <stdio.h>

enum { MESSAGES_SHOWN = 12 };

/* One run at a time: *status is 3 when another holds OUT/.lock. */
static bool take_lock(const struct options *opt, struct arena *a, int *status, struct error *err)
{
	const char *path = str_c(a, file_join(a, str_of(opt->out), STR(".lock")));
	bool taken;

	if (!lock_take(path, &taken, err))
		return false;
	if (taken)
		return true;
	*status = 3;
	return error_set(err, ERR_ENVIRONMENT, "%s: another run holds the lock", path);
}

/* The folder that it got; also where nothing changed. */
static bool make_edition(struct context *c, struct inputs *in, struct str *folder,
			 struct error *err)
{
	const struct options *opt = c->opt;
	struct arena *a = c->arena;
	const char *building = str_c(a, file_join(a, str_of(opt->out), STR(".building")));
	struct messages odd = { .arena = a };
	struct predecessor p;
	struct store store;
	bool fresh;

	if (!store_read(opt->out, a, &store, &odd, err))
		return false;
	context_print(&odd, 0);
	if (!predecessor_find(c, &store, &p, err)
	    || (p.dir && !inputs_add_previous(p.dir, a, in, err)))
		return false;
	const struct edition_build b = {
		.dir = building, .previous = p.dir, .link_from = p.newest, .keep_inputs = true
	};
	if (!edition_build(c, &b, in, err))
		return false;
	if (!store_place(opt->out, building, c->edition.name, c->edition.date, a, folder, &fresh,
			 err)) {
		struct error ignored = { 0 };

		if (file_exists(building))
			file_remove_tree(building, &ignored);
		return false;
	}
	if (!fresh && !opt->quiet)
		fprintf(stderr, "nothing changed: the edition is there already\n");
	return true;
}

bool command_report(const struct options *given, struct arena *a, int *status, struct error *err)
{
	struct options opt = *given;
	struct inputs in;
	struct context c;
	struct str folder;

	if (!opt.out)
		opt.out = "out";
	if (!edition_inputs(&opt, NULL, a, &in, err) || !context_open(&c, &opt, true, a, err)
	    || !file_make_dirs(opt.out, err) || !take_lock(&opt, a, status, err)
	    || !store_clean(opt.out, a, err))
		return false;
	if (!opt.quiet)
		context_print(&c.refused_prices, MESSAGES_SHOWN);
	if (!make_edition(&c, &in, &folder, err))
		return false;
	if (!opt.quiet)
		printf("%s/" STR_FMT "/index.html\n%s/" STR_FMT "/report.pdf\n", opt.out,
		       STR_ARG(folder), opt.out, STR_ARG(folder));
	*status = 0;
	return true;
}
