/* The fit matrix: every network, mode and precision of an edition against every card of it.
 *
 * memory.csv        workload,precision,batch_size,needed_gb,device,memory_gb,fits,mode,status
 *   needed_gb       what a card must state to hold it: 2^30 bytes over the usable share
 *   memory_gb       what one program finds on the device (memory_device_gb())
 *   fits            yes, no, or empty
 *   status          computed    from shapes
 *                   doubtful    computed to fit, but the network has a caution
 *                   stated      somebody's word (data/memory_stated.csv); batch_size is empty
 *                   borderline  stated as a range that the card lies in; fits is empty
 *                   unknown     the card's memory is not known, or nobody said how much is enough
 *
 * memory_parts.csv  network,mode,precision,batch_size,part,mib: one line a part, `total` last */
#ifndef ANALYZE_MEMORY_FIT_H
#define ANALYZE_MEMORY_FIT_H

#include "memory.h"
#include "../catalogue/edition.h"

/* What somebody said a kind of work needs: data/memory_stated.csv, columns
 * workload,title,precision,low_gb,high_gb,bound,date,source,text.
 * bound  at-least  low_gb is enough
 *        range     high_gb is enough, less than low_gb is not, between them it depends
 *        more-than low_gb is not enough; how much is, nobody said */
enum memory_bound { MEMORY_AT_LEAST, MEMORY_RANGE, MEMORY_MORE_THAN };

struct memory_stated {
	struct str workload, title, precision, source, text;
	double low_gb, high_gb; /* high NAN unless a range */
	enum memory_bound bound;
	struct date date;
	struct pos pos;
};

enum memory_fits { MEMORY_FITS_UNKNOWN, MEMORY_FITS_NO, MEMORY_FITS_YES, MEMORY_FITS_BORDERLINE };

struct memory_case {
	const struct network *network;      /* NULL: stated */
	const struct memory_stated *stated; /* NULL: computed */
	enum memory_mode mode;
	const struct memory_precision *precision; /* NULL: stated */
	double batch;
	struct memory_need need;
	double needed_gb; /* as a card states it */
};

struct memory_cases {
	struct memory_case
	    *v; /* networks by name, then mode, then precision; then the stated ones in their order */
	size_t n;
	struct networks networks;
	struct memory_settings settings;
	struct memory_stated *stated; /* by workload, precision, source */
	size_t nstated;
};

/* Reads networks, settings and stated needs, and works out every case of the edition: networks and
 * statements newer than its date do not exist for it. Without memory_stated.csv there are no statements;
 * without networks none are computed, and memory.ini is not asked for.
 * Errors: those of the readers; ERR_UNKNOWN for a network of the edition that the folder lacks;
 *         ERR_DATA for a statement twice */
bool memory_compute(const char *data_dir, const struct edition *edition, struct arena *a,
		    struct memory_cases *out, struct error *err);

/* memory_gb  of a card; NAN: not known */
enum memory_fits memory_fits(const struct memory_case *c, double memory_gb);

/* Errors: ERR_UNKNOWN for a board of memory.ini that is no device; ERR_ENVIRONMENT. */
bool memory_write(const struct memory_cases *cases, const struct devices *devices,
		  const size_t *indices, size_t n, const char *path, struct arena *a,
		  struct error *err);
bool memory_write_parts(const struct memory_cases *cases, const char *path, struct arena *a,
			struct error *err);

#endif
