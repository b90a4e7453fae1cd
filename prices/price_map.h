/* How a price listing is read: a description file (data/price_maps/NAME.ini), no code per source.
 * A listing is a table: CSV with a header line, or JSON with an array of flat objects (listing.h).
 * Every price column of every row is one price; of a wide table every member that begins with the
 * prefix. `|` parts the items of a list; a list of columns means "the first of them that is there
 * and not empty". Column names are those of the file, to the letter.
 *
 *   [match]       which listings it is for
 *   format        csv (unless given) or json
 *   rows          JSON: the member that holds the array; without it the array is the whole text
 *   columns       the header has exactly these columns, in any order
 *   has           or: it has at least these
 *
 *   [columns]     where things stand
 *   name          the card's name; or
 *   wide          a prefix: every column that begins so holds the price of a card, and the rest
 *                 of the column's name is the card's
 *   memory_gb     its memory: "8", "8 GB", "16384 MiB": tells cards of one name apart. A card of
 *                 the right name with another memory is refused
 *   currency, condition, date    per row
 *   count         cards that one price pays for: the price is divided by it
 *   n             sales or listings behind the price
 *
 *   [values]      how cells are to be read
 *   currency      of all prices, where no column says it
 *   date          iso (2019-07-22), iso-loose (2019-7-22) or month (April 2022: the 15th)
 *   missing       texts that mean "no price", beside the empty cell
 *   sentinel      numbers that mean "not sold here"
 *   symbols       texts that may stand around the number: $ or /hr
 *   thousands     the mark between thousands: , or . or '
 *   decimal       the decimal mark: . (unless given) or ,
 *   list          a cell "[249.99, 264.99]" holds the prices of several shops: lowest takes the
 *                 lowest as the price of the row, each takes every one as a price
 *   strip_prefix, strip_suffix   texts cut off a name, once each
 *   scope         retail or cloud: the aliases of data/aliases.csv that hold for its names
 *
 *   [prices]      CONDITION = columns; the condition is new, used, on-demand or spot, or `listed`
 *                 for the one that the condition column gives. A wide table has `CONDITION = *`
 *   [conditions]  TEXT = CONDITION: what the texts of the condition column mean
 *   [devices]     NAME = DEVICE [/ N]: names that no alias knows, and how many of the device the
 *                 price is for (beside `count`); asked before the aliases
 *   [markets]     NAME = MARKET: the market by the card's name; `market` is for the others
 *   [notes]       DEVICE = TEXT, put behind the source of its rows
 *   [skip]        REASON = COLUMN is | starts | ends | contains | below | above TEXT: rows that do
 *                 not count and why; `a || b` means either. `is` with nothing behind it: is empty
 *
 *   [rows]        what comes out
 *   market        a template; without it --market is the market
 *   source        a template; --source stands in its place, or where it has {@source}
 *   statistics    min, median, mean: rows of these per device in place of the single prices
 *   stat          or: every price of the listing is such a statistic already
 *   decimals      the prices are rounded to so many; without it to 12 digits
 *   duplicates    drop (unless given) or keep: rows that are another row again, cell by cell
 *
 * A template is text with {FIELD}: a list of columns, or @name (the card's name as stripped),
 * @market (--market) or @source (--source); "slug " before it makes lower-case letters, digits and
 * single dashes of the text. */
#ifndef PRICES_PRICE_MAP_H
#define PRICES_PRICE_MAP_H

#include "../base/arena.h"
#include "../base/error.h"
#include "../base/str.h"
#include "../catalogue/device.h"
#include "../catalogue/keyfile.h"
#include "../catalogue/price.h"

#include <stdbool.h>
#include <stddef.h>

enum price_map_format { MAP_CSV, MAP_JSON };
enum price_map_date { MAP_DATE_ISO, MAP_DATE_LOOSE, MAP_DATE_MONTH };
enum price_map_list_rule { MAP_LIST_NONE, MAP_LIST_LOWEST, MAP_LIST_EACH };
enum price_map_column {
	MAP_NAME,
	MAP_MEMORY,
	MAP_CURRENCY,
	MAP_CONDITION,
	MAP_DATE,
	MAP_COUNT,
	MAP_N,
	MAP_COLUMN_COUNT
};
enum price_map_stat { MAP_STAT_MIN, MAP_STAT_MEDIAN, MAP_STAT_MEAN, MAP_STAT_COUNT };
enum price_map_test { MAP_IS, MAP_STARTS, MAP_ENDS, MAP_CONTAINS, MAP_BELOW, MAP_ABOVE };

struct price_map_list {
	struct str *v;
	size_t n;
	struct pos pos; /* of its line in the map */
};

/* One entry of [prices]. */
struct price_map_price {
	bool listed; /* the condition is the row's */
	enum price_condition condition;
	struct price_map_list columns; /* of a wide table: none */
};

/* One entry of [devices], [markets], [notes] or [conditions]. */
struct price_map_entry {
	struct str name, value;
	struct pos pos;
	size_t device; /* [devices]: index; [notes]: index of the name */
	double count;  /* [devices]: cards in one price */
	enum price_condition condition;
};

struct price_map_entries {
	struct price_map_entry *v;
	size_t n, cap;
};

/* One alternative of an entry of [skip]; those of one entry have its reason. */
struct price_map_skip {
	struct str reason, column, text;
	enum price_map_test test;
	double number; /* below, above */
	struct pos pos;
};

struct price_map {
	const char *file;
	struct str name; /* of the file, without folder and .ini */
	enum price_map_format format;
	struct str rows;
	struct price_map_list exact, has; /* [match] */
	struct price_map_list columns[MAP_COLUMN_COUNT];
	struct str wide;
	struct str currency, market, source;
	struct pos market_pos, source_pos;
	enum price_map_date date;
	struct price_map_list missing, symbols, strip_prefix, strip_suffix;
	struct price_map_list sentinel;
	double *sentinels; /* sentinel.n of them */
	char thousands;    /* 0: none */
	char decimal;
	enum price_map_list_rule list;
	struct str scope;
	struct price_map_price *prices;
	size_t nprices, prices_cap;
	struct price_map_entries devices, markets, notes, conditions;
	struct price_map_skip *skips;
	size_t nskips, skips_cap;
	bool statistics[MAP_STAT_COUNT];
	struct str stat; /* of every price; empty: none */
	int decimals;    /* -1: not given */
	bool keep_duplicates;
};

/* Errors  those of keyfile_read; ERR_UNKNOWN a section or key that is none, a device that the
 * catalogue lacks, a word that is not one of the key's; ERR_SYNTAX a value of the wrong form;
 *         ERR_DATA keys that exclude each other or are missing; each with its line */
bool price_map_read(const char *path, const struct devices *devices, struct arena *a,
		    struct price_map *out, struct error *err);
/* The same from text. */
bool price_map_parse(struct str text, const char *name, const struct devices *devices,
		     struct arena *a, struct price_map *out, struct error *err);

/* Whether a listing with these columns is one of the map's: its columns are all there, and no
 * others where [match] has `columns`. Never for a map without [match]. */
bool price_map_fits(const struct price_map *m, enum price_map_format format,
		    const struct str *columns, size_t n);

/* Whether single prices become statistics. */
bool price_map_has_statistics(const struct price_map *m);

extern const struct str price_map_stat_names[MAP_STAT_COUNT]; /* min, median, mean */

#endif
