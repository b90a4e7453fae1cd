/* What every command needs before its stage can run: the catalogue and the edition. */
#ifndef CLI_CONTEXT_H
#define CLI_CONTEXT_H

#include "options.h"
#include "../catalogue/device.h"
#include "../catalogue/edition.h"
#include "../catalogue/price.h"

struct context {
	const struct options *opt;
	struct arena *arena;
	const char *data_dir, *templates_dir;
	struct devices devices;
	struct prices prices;
	struct edition edition;
	struct messages messages;
	struct messages refused_prices;
};

/* with_prices  reads the prices too and resolves the edition's date: --date, else the edition's
 *              own, else (date = newest-price) the newest price in the edition's markets.
 * Errors: those of the readers; ERR_UNKNOWN a market of the edition that no price row has (a
 *         fallback market without rows is a message and a note of the edition); ERR_DATA when the
 *         date was to come from prices and there are none. */
bool context_open(struct context *c, const struct options *opt, bool with_prices, struct arena *a,
                  struct error *err);
/* The .ini that opt->edition names. */
const char *context_edition_path(const struct options *opt, struct arena *a);
/* Its name: "current" */
struct str context_edition_name(const struct options *opt, struct arena *a);
/* Prints messages to standard error, at most `limit` (0: all). */
void context_print(const struct messages *m, size_t limit);

/* Time of a stage, and the peak memory so far of the program or of one that it ran, on standard
 * error with --verbose. */
struct stopwatch { double start_s; };
struct stopwatch stopwatch_start(void);
double stopwatch_seconds(struct stopwatch w);
void stopwatch_print(struct stopwatch w, const struct options *opt, const char *stage);

#endif
