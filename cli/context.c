#include "context.h"

#include "../base/file.h"

#include <limits.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

const char *context_edition_path(const struct options *opt, struct arena *a)
{
	if (str_ends(str_of(opt->edition), STR(".ini")))
		return opt->edition;
	return str_c(a, str_printf(a, "%s/editions/%s.ini", opt->root, opt->edition));
}

static bool is_market(const struct edition *e, struct str market)
{
	for (size_t i = 0; i < e->markets.n; i++)
		if (str_eq(e->markets.v[i], market))
			return true;
	return false;
}

/* The newest price in the markets that the edition averages: a newer list price or cloud price must not
 * make every purchase price look old. */
static struct date newest_price(const struct context *c)
{
	struct date newest = { INT_MIN };

	for (size_t i = 0; i < c->prices.n; i++) {
		const struct price *p = &c->prices.v[i];
		if (p->date.day > newest.day && is_market(&c->edition, p->market))
			newest = p->date;
	}
	return newest;
}

static bool resolve_date(struct context *c, struct error *err)
{
	struct edition *e = &c->edition;

	if (c->opt->date.day != INT_MIN)
		e->date = c->opt->date;
	else if (e->date_from_prices)
		e->date = newest_price(c);
	if (e->date.day == INT_MIN)
		return error_set(err, ERR_DATA,
		                 "the edition takes its date from the newest price in its markets, and %s/prices has none",
		                 c->data_dir);
	return true;
}

bool context_open(struct context *c, const struct options *opt, bool with_prices, struct arena *a,
                  struct error *err)
{
	*c = (struct context){ .opt = opt, .arena = a, .messages = { .arena = a },
	                         .refused_prices = { .arena = a } };
	c->data_dir = str_c(a, file_join(a, str_of(opt->root), STR("data")));
	c->templates_dir = str_c(a, file_join(a, str_of(opt->root), STR("templates")));
	if (!devices_read(c->data_dir, a, &c->devices, err)
	    || !edition_read(context_edition_path(opt, a), &c->devices, a, &c->edition, err))
		return false;
	if (!with_prices)
		return true;
	return prices_read(c->data_dir, &c->devices, a, &c->prices, &c->refused_prices, err)
		&& resolve_date(c, err);
}

void context_print(const struct messages *m, size_t limit)
{
	size_t n = limit && m->n > limit ? limit : m->n;

	for (size_t i = 0; i < n; i++)
		message_print(stderr, &m->v[i]);
	if (n < m->n)
		fprintf(stderr, "… and %zu messages more\n", m->n - n);
}

static double seconds_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct stopwatch stopwatch_start(void)
{
	return (struct stopwatch){ seconds_now() };
}

/* These figures go to standard error only: no output file may depend on the machine's speed. */
void stopwatch_print(struct stopwatch w, const struct options *opt, const char *stage)
{
	struct rusage usage;

	if (!opt->verbose)
		return;
	getrusage(RUSAGE_SELF, &usage);
	fprintf(stderr, "%-8s %7.3f s  peak %6.1f MB\n", stage, seconds_now() - w.start_s,
	        (double)usage.ru_maxrss / 1024);
}
