#include "context.h"

#include "../base/file.h"
#include "../base/map.h"

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

struct str context_edition_name(const struct options *opt, struct arena *a)
{
	static const struct str ending = STR_INIT(".ini");
	struct str path = str_of(context_edition_path(opt, a)), part = path;

	for (struct str rest = path; str_cut(&rest, '/', &part);)
		;
	return str_slice(part, 0, part.len - ending.len);
}

static bool has_market(const struct prices *p, struct str market)
{
	for (size_t i = 0; i < p->n; i++)
		if (str_eq(p->v[i].market, market))
			return true;
	return false;
}

/* The markets of purchase prices, in the order of the first row of each. */
static struct str market_names(const struct prices *p, struct arena *a)
{
	struct map seen = { .arena = a };
	struct strbuf b = { .arena = a };
	bool fresh;

	for (size_t i = 0; i < p->n; i++) {
		if (p->v[i].per_hour)
			continue;
		map_put(&seen, p->v[i].market, i, &fresh);
		if (fresh)
			strbuf_printf(&b, "%s" STR_FMT, b.len ? ", " : "", STR_ARG(p->v[i].market));
	}
	return strbuf_str(&b);
}

/* The edition's notes and one more; the file's own stay as they are. */
static void add_note(struct edition *e, struct str note, struct arena *a)
{
	struct str *v = arena_array(a, e->notes.n + 1, sizeof *v);

	for (size_t i = 0; i < e->notes.n; i++)
		v[i] = e->notes.v[i];
	v[e->notes.n++] = note;
	e->notes.v = v;
}

/* A market without a row would silently be left out of every mean, so it is an error. A fallback
 * is for what the markets lack, and a data folder may well lack it too: the report says so. One
 * without any price of a card has no market to be mistaken for another. */
static bool check_markets(struct context *c, struct error *err)
{
	struct edition *e = &c->edition;
	struct arena *a = c->arena;
	struct str names = market_names(&c->prices, a);

	for (size_t i = 0; names.len && i < e->markets.n; i++)
		if (!has_market(&c->prices, e->markets.v[i]))
			return error_at(err, ERR_UNKNOWN, edition_pos(e, "prices", STR("markets")),
					"markets: no price row is of '" STR_FMT
					"'; there are " STR_FMT,
					STR_ARG(e->markets.v[i]), STR_ARG(names));
	for (size_t i = 0; names.len && i < e->fallback.n; i++) {
		struct str market = e->fallback.v[i];

		if (has_market(&c->prices, market))
			continue;
		messages_add(&c->messages, edition_pos(e, "prices", STR("fallback")),
		             "fallback: no price row is of '" STR_FMT "'", STR_ARG(market));
		add_note(e,
			 str_printf(a, "No price of the fallback market " STR_FMT " is on record.",
				    STR_ARG(str_plain(a, market))),
			 a);
	}
	return true;
}

static bool is_market(const struct edition *e, struct str market)
{
	for (size_t i = 0; i < e->markets.n; i++)
		if (str_eq(e->markets.v[i], market))
			return true;
	return false;
}

/* The newest price in the markets that the edition averages: a newer list price or cloud price must
 * not make every purchase price look old. */
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
				 "the edition takes its date from the newest price in its markets, "
				 "and %s/prices has none",
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
	if (!prices_read(c->data_dir, &c->devices, a, &c->prices, &c->refused_prices, err))
		return false;
	for (size_t i = 0; i < c->prices.skipped.n; i++) {
		const struct message *m = &c->prices.skipped.v[i];
		messages_add(&c->messages, m->pos, STR_FMT, STR_ARG(m->text));
	}
	return check_markets(c, err) && resolve_date(c, err);
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

double stopwatch_seconds(struct stopwatch w)
{
	return seconds_now() - w.start_s;
}

/* These figures go to standard error only: no output file may depend on the machine's speed. */
void stopwatch_print(struct stopwatch w, const struct options *opt, const char *stage)
{
	struct rusage usage, children;
	long peak_kb;

	if (!opt->verbose)
		return;
	getrusage(RUSAGE_SELF, &usage);
	getrusage(RUSAGE_CHILDREN, &children); /* the first stage runs in one */
	peak_kb = usage.ru_maxrss > children.ru_maxrss ? usage.ru_maxrss : children.ru_maxrss;
	fprintf(stderr, "%-8s %7.3f s  peak %6.1f MB\n", stage, seconds_now() - w.start_s,
	        (double)peak_kb / 1024);
}
