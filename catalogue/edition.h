/* An edition file (editions/NAME.ini): what a report is. Read with inih. */
#ifndef CATALOGUE_EDITION_H
#define CATALOGUE_EDITION_H

#include "class.h"
#include "device.h"
#include "trust.h"
#include "../base/arena.h"
#include "../base/date.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

enum precision_policy {
	POLICY_GUIDE, /* 16 bit where the device has tensor units or full-rate fp16, else fp32 */
	POLICY_BEST,  /* the fastest precision measured */
	POLICY_EACH,  /* every precision a column of its own */
	POLICY_NAMED, /* one precision by name */
};

enum { EDITION_LIST_MAX = 64, EDITION_SPECS_MAX = 8, EDITION_HOURS_MAX = 12 };

struct str_list {
	struct str *v;
	size_t n;
};

/* Per class: how precisions are picked and what the scaling goes by. */
struct edition_class {
	enum class_id id;
	enum precision_policy policy;
	struct str precision;                   /* of POLICY_NAMED */
	struct str_list spec_names;             /* in order: the first that both cards have */
	size_t spec_offsets[EDITION_SPECS_MAX]; /* device_spec offsets of spec_names */
	struct str_list notes; /* what stands in for what; printed with the figures */
	struct str method; /* of scaling, by name; "best": see backtest_choose */
	struct pos method_pos; /* of its key */
};

struct keyfile_pair;

struct edition {
	struct str name; /* file name without .ini */
	struct str title, summary, currency;
	struct str_list languages; /* of the pages, the main one first: "en", "zh-Hans", as in
	                            * templates/text.TAG.ini */
	struct str paper;             /* of the PDF: "a4" or "letter"; empty: a4 */
	bool date_from_prices;        /* date = newest-price */
	struct date date;             /* INT_MIN until resolved */
	struct date benchmark_cutoff; /* INT_MIN: none */
	struct edition_class classes[CLASS_COUNT];
	size_t nclasses;
	struct str reference;    /* canonical device name */
	struct str_list devices; /* empty: all with a price (purchase or cloud) */
	struct str_list anchors; /* empty: any measured device */
	struct str_list series_excluded;
	enum trust trust_least;     /* contributions below it are left out */
	double max_error;           /* factor; a scaled score less sure is not shown */
	struct str_list markets;    /* averaged; e.g. amazon ebay */
	struct str_list fallback;   /* tried in order when none of `markets` has a price */
	struct str_list conditions; /* new, used */
	int stale_days, drop_days;
	struct str_list notes; /* sentences printed at the report's head */
	/* Whole systems: the lenses system and system+power. */
	int gpus;                    /* cards that one host holds */
	struct str country, tariff;  /* of data/system/electricity.csv: country and class */
	double hours_per_year, years; /* of full load, for electricity; years of use */
	/* Own or rent: months until bought is cheaper, at each of these hours a month. */
	double hours_per_month[EDITION_HOURS_MAX];
	size_t nhours;
	struct str_list networks; /* of data/networks, for the fit matrix; empty: all */
	struct str_list personas; /* of data/personas.ini; empty: all */
	const char *file;         /* the edition file, for edition_pos() */
	const struct keyfile_pair *pairs; /* its keys, each with its place */
	size_t npairs;
};

/* path      editions/NAME.ini
 * devices   for the names and specs that the file must get right; aliases are understood there,
 *           canonical names kept
 * Defaults  currency USD, paper a4, languages en, zh-Hans, zh-Hant, precision guide, trust_least
 *           anonymous, list priced, max_error 3, conditions new, used, stale_days 60, drop_days
 *           720, scaling method best, gpus 1, country United States, tariff household,
 *           hours_per_year 2000, years 3, hours_per_month 20, 40, 80, 160, 320, 730; required:
 *           title, date, classes, reference, markets
 * Errors    ERR_SYNTAX, ERR_RANGE, ERR_UNKNOWN with file and line: unknown section, key, class,
 *           device or spec, a setting of a class that the edition does not have, a value that is
 *           not of its key's form; ERR_ENVIRONMENT */
bool edition_read(const char *path, const struct devices *devices, struct arena *a,
		  struct edition *out, struct error *err);

/* Where a key of the file stands, for whoever finds its value wrong when other files are read: line
 * 0 where it has its default; no file at all in an edition that was not read from one. */
struct pos edition_pos(const struct edition *e, const char *section, struct str key);
/* The settings of a class, or NULL when the edition does not have it. */
const struct edition_class *edition_class_find(const struct edition *e, enum class_id id);
/* "guide", "best", "each", or the precision's own name. */
struct str edition_policy_name(const struct edition_class *c);

#endif
