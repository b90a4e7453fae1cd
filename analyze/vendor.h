/* What the data of an edition say of each vendor (catalogue/vendor.h): counts, shares, the best
 * devices, and of those who rent out, what they ask.
 *
 * Devices count when they were released by the edition's date; rows are those that were accepted.
 *   row_share_pct   the vendor's part of all accepted rows, in percent
 *   peak_share_pct  median over its devices of the geometric mean of the share of their 32-bit peak
 *                   rate that they reach in the matrix products and convolutions of DeepBench, one
 *                   device: what the software makes of the hardware
 *   fastest, best   of a class: highest score; highest performance per cost (lens card), among
 *                   prices that are not stale where the edition has any such value, else among all.
 *                   An author's estimate is never the best. Equal ones in the order of devices.csv.
 *   price_ratio     of a provider: median over the devices that it and another one rent out of its
 *                   price over the median of all providers; 1 is the middle of the market */
#ifndef ANALYZE_VENDOR_H
#define ANALYZE_VENDOR_H

#include "observation.h"
#include "price_lens.h"
#include "score.h"
#include "value.h"
#include "../base/arena.h"
#include "../base/error.h"
#include "../catalogue/vendor.h"

#include <stdbool.h>
#include <stddef.h>

struct vendor_fact {
	size_t devices;   /* in the catalogue at the date */
	size_t barred;    /* of them: the driver's licence keeps them out of data centres */
	size_t with_rows; /* of them: with an accepted row */
	size_t listed;    /* devices of the edition */
	size_t measured, scored, priced, fresh; /* of these: in a class at least; with a card price */
	size_t rented;                          /* of these: with a cloud price */
	long rows;
	double row_share_pct;  /* NAN without any row */
	size_t peak_devices;   /* behind peak_share_pct */
	double peak_share_pct; /* NAN without such rows */
};

/* One class of one vendor that has devices in the edition. */
struct vendor_class {
	size_t vendor;
	enum class_id class;
	size_t count[ORIGIN_EXCLUDED + 1]; /* of the vendor's devices, by origin */
	const struct score *fastest;       /* NULL: no measured or scaled one */
	const struct value *best;          /* NULL: none with a value */
	const struct score *best_score;    /* of `best` */
	const struct card_price *best_price;
};

struct vendor_provider {
	struct str name;
	size_t devices;      /* of the edition, that it rents out */
	size_t cheapest;     /* of them: nobody asks less */
	struct date newest;  /* of its prices */
	int age_days;
	size_t compared;     /* devices behind price_ratio */
	double price_ratio;  /* NAN where nobody else rents what it does */
};

struct vendor_facts {
	struct vendor_fact *v;      /* in the order of the vendors */
	struct vendor_class *class; /* by vendor, then class in the edition's order */
	struct vendor_provider *providers; /* most devices first, then by name */
	size_t n, nclasses, nproviders;
};

struct vendor_input {
	const struct vendors *vendors;
	const struct devices *devices;
	const struct edition *edition;
	const struct observations *obs;
	const struct prices *prices;
	const size_t *indices; /* the edition's devices */
	size_t nindices;
	const struct scores *scores;
	const struct values *values;
	const struct card_prices *card_prices;
};

/* out: points into the scores, values and prices of `in`. */
void vendor_facts_compute(const struct vendor_input *in, struct arena *a, struct vendor_facts *out);
/* Part of it: the providers (vendor_cloud.c). */
void vendor_providers_compute(const struct vendor_input *in, struct arena *a,
			      struct vendor_facts *out);

/* Write, each to `path`:
 * vendors.csv          vendor,title,cloud,devices,barred,with_rows,listed,measured,scored,priced,fresh,rented,rows,
 *                      row_share_pct,peak_devices,peak_share_pct
 * vendor_classes.csv   vendor,class,measured,scaled,estimated,excluded,fastest,score,low,high,origin,best_value,value,
 *                      value_low,value_high,value_origin,cost_usd,price_date,price_status
 * vendor_texts.csv     vendor,id,kind,date,source,url,language,text: those of the edition's time
 * cloud_providers.csv  provider,devices,cheapest,newest_date,age_days,compared,price_ratio
 * Errors: ERR_ENVIRONMENT. */
bool vendors_write(const struct vendors *v, const struct vendor_facts *f, const char *path,
		   struct arena *a, struct error *err);
bool vendor_classes_write(const struct vendors *v, const struct vendor_facts *f,
			  const struct devices *devices, const char *path, struct arena *a,
			  struct error *err);
bool vendor_texts_write(const struct vendors *v, const char *path, struct arena *a,
			struct error *err);
bool cloud_providers_write(const struct vendor_facts *f, const char *path, struct arena *a,
			   struct error *err);

#endif
