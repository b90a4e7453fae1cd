/* What a machine costs without its cards: data/system/host_systems.csv, and the power supply that
 * data/system/host_parts.csv names for it.
 *
 * Choice of a host for n cards at a date, in this order; nothing of a later date is seen:
 *   1. complete and at most drop_days old: the smallest that holds n cards, of it the newest
 *   2. complete and older, flagged host-old: the newest, of one day the smallest that holds n
 *   3. partial and at most drop_days old, flagged host-partial, as in 1
 * `unreliable` and `includes GPUs` are never taken. An older complete host goes before a partial
 * one because a partial sum counts the parts that are not in it as 0. host_systems.csv is a lower
 * bound: the cheapest fitting parts (data/SOURCES.md). */
#ifndef ANALYZE_HOST_H
#define ANALYZE_HOST_H

#include "price_flag.h"
#include "../base/arena.h"
#include "../base/date.h"
#include "../base/error.h"
#include "../base/str.h"
#include "../catalogue/edition.h"

#include <stdbool.h>
#include <stddef.h>

enum host_status { HOST_COMPLETE, HOST_PARTIAL, HOST_UNRELIABLE, HOST_INCLUDES_GPUS };

struct host {
	struct date date;
	int gpus;        /* cards that it holds, >= 1 */
	double host_usd; /* without cards, unless HOST_INCLUDES_GPUS */
	enum host_status status;
	double psu_w; /* of its power supply, read from the part's name; NAN: not stated */
	struct str source;
	struct pos pos;
};

/* In the order of the file. */
struct hosts {
	struct host *v;
	size_t n;
};

/* A data folder without system/host_systems.csv has no hosts: not an error, systems then have no
 * price.
 * Errors: as csv_read_records; ERR_UNKNOWN for a status, or a currency without a rate; ERR_RANGE
 *         for a cost not from 1 to PRICE_MAX USD or a host for no cards; ERR_DATA for a row twice.
 */
bool hosts_read(const char *data_dir, struct arena *a, struct hosts *out, struct error *err);

struct host_choice {
	const struct host *host; /* NULL: none */
	unsigned flags;          /* HOST_* of enum price_flag, or NO_HOST */
};

/* The host for n cards at the edition's date, with its stale_days and drop_days. */
struct host_choice host_find(const struct hosts *hosts, int gpus, const struct edition *edition);

/* Watts in the name of a power supply: the first run of digits that is a multiple of 10 from 300 to
 * 2000 ("PS-TPD-0750MPCGUS-1" is 750); NAN without one ("Corsair AXi"). */
double host_psu_w(struct str part);

#endif
