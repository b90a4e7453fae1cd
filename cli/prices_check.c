/* gpuguide prices check: what a maintainer should look at, in data/prices or in files before they
 * go there. */
#include "prices_parts.h"

#include "context.h"
#include "data_change.h"
#include "prices_check_out.h"
#include "terminal.h"

#include "../prices/check.h"
#include "../prices/show.h"

#include <limits.h>

struct checking {
	const struct options *opt;
	struct context c;
	struct prices fresh; /* of the files named */
	struct messages refused;
	struct price_jumps jumps;
	struct price_accepted accepted;
	struct price_view view;
	struct arena *arena;
};

static bool names_files(const struct options *opt)
{
	return opt->npaths > 1;
}

/* --market narrows the edition to one market, so that its own prices are judged. */
static void narrow(struct checking *k)
{
	struct edition *e = &k->c.edition;
	struct str *market;

	if (!k->opt->market)
		return;
	market = arena_alloc(k->arena, sizeof *market);
	*market = str_of(k->opt->market);
	e->markets = (struct str_list){ market, 1 };
	e->fallback = (struct str_list){ 0 };
}

static void drop_unwanted(struct checking *k)
{
	struct str wanted = str_of(k->opt->market ? k->opt->market : "");
	size_t n = 0;

	for (size_t i = 0; i < k->jumps.n; i++)
		if (price_market_is(k->jumps.v[i].market, wanted))
			k->jumps.v[n++] = k->jumps.v[i];
	k->jumps.n = n;
}

static bool find_jumps(struct checking *k, struct error *err)
{
	const struct edition *e = &k->c.edition;

	if (!names_files(k->opt)) {
		price_jumps_find(&k->c.prices, NULL, 0, e->date, e->drop_days, k->arena, &k->jumps);
	} else {
		if (!prices_read_files(k->opt->paths + 1, k->opt->npaths - 1, k->c.data_dir,
				       &k->c.devices, k->arena, &k->fresh, &k->refused, err))
			return false;
		price_jumps_find(&k->c.prices, k->fresh.v, k->fresh.n, (struct date){ INT_MAX },
				 e->drop_days, k->arena, &k->jumps);
	}
	drop_unwanted(k);
	price_accepted_mark(&k->accepted, &k->jumps);
	return true;
}

/* Only what a check calls a decision is accepted: a jump that is old needs none. */
static struct price_jumps undecided(struct checking *k)
{
	const struct edition *e = &k->c.edition;
	struct price_jumps some = { arena_array(k->arena, k->jumps.n, sizeof *some.v), 0 };

	for (size_t i = 0; i < k->jumps.n; i++)
		if (e->date.day - k->jumps.v[i].date.day <= e->stale_days)
			some.v[some.n++] = k->jumps.v[i];
	return some;
}

static bool accept_jumps(struct checking *k, size_t *added, struct error *err)
{
	struct price_jumps some = undecided(k);
	struct str why = str_of(k->opt->source ? k->opt->source : "looked at and found right");

	if (why.len == 0)
		return error_set(err, ERR_USAGE, "--source: the reason is empty");
	return price_accepted_add(&k->accepted, &k->c.devices, &some, data_user(k->arena), why,
				  k->arena, added, err)
	       && price_accepted_read(k->c.data_dir, &k->c.devices, k->arena, &k->accepted, err)
	       && (price_accepted_mark(&k->accepted, &k->jumps), true);
}

/* Those that exist at the date. */
static size_t count_rows(const struct checking *k)
{
	size_t n = 0;

	if (names_files(k->opt))
		return k->fresh.n;
	for (size_t i = 0; i < k->c.prices.n; i++)
		n += k->c.prices.v[i].date.day <= k->c.edition.date.day;
	return n;
}

static bool print_check(struct checking *k, size_t added, int *status, struct error *err)
{
	bool files = names_files(k->opt);
	struct price_check check;
	struct price_check_input in = {
		.view = &k->view,
		.refused = files ? &k->refused : &k->c.refused_prices,
		.jumps = &k->jumps,
		.cards =
		    !files
		    && !str_starts(str_of(k->opt->market ? k->opt->market : ""), STR("cloud:")),
		.arena = k->arena,
	};

	price_check_run(&in, &check);
	struct prices_check_said said = { .check = &check,
					  .view = &k->view,
					  .rows = count_rows(k),
					  .cards = !files,
					  .decisions_only = k->opt->quiet,
					  .added = added,
					  .width = terminal_width() };
	*status = check.decisions > 0;
	return terminal_print(prices_check_format(&said, k->opt->format, k->arena), err);
}

bool prices_check_command(const struct options *opt, struct arena *a, int *status,
			  struct error *err)
{
	struct checking k = { .opt = opt, .refused = { .arena = a }, .arena = a };
	size_t added = 0;

	if (!context_open(&k.c, opt, true, a, err))
		return false;
	context_print(&k.c.prices.skipped, 0);
	narrow(&k);
	if (opt->accept && !data_lock(opt->root, a, status, err))
		return false;
	if (!price_accepted_read(k.c.data_dir, &k.c.devices, a, &k.accepted, err)
	    || !find_jumps(&k, err))
		return false;
	/* what is not in data/prices yet may be newer than all that is */
	if (names_files(opt) && k.fresh.newest.day > k.c.edition.date.day)
		k.c.edition.date = k.fresh.newest;
	k.view = (struct price_view){ &k.c.edition, &k.c.devices, &k.c.prices,
				      &k.c.edition.conditions, a };
	if (opt->accept && !opt->dry_run && !accept_jumps(&k, &added, err))
		return false;
	return print_check(&k, added, status, err);
}
