/* The devices of data/devices.csv and their other names in data/aliases.csv. */
#ifndef CATALOGUE_DEVICE_H
#define CATALOGUE_DEVICE_H

#include "../base/arena.h"
#include "../base/date.h"
#include "../base/error.h"
#include "../base/identity.h"
#include "../base/map.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

/* One card or accelerator. Rates are dense peaks; NAN is "not known" or "has no such unit", and a
 * date without a day is INT_MIN. */
struct device {
	struct str name, vendor, family, architecture;
	struct date release_date;
	double launch_price_usd, memory_gb;
	struct str memory_type;
	double bandwidth_gbs, fp32_tflops, fp16_tflops, bf16_tflops, tensor_fp16_tflops,
	    tensor_tf32_tflops, tensor_int8_tops, tensor_cores, cuda_cores, boost_mhz, l2_mb, tdp_w;
	struct str form_factor, cooling, pcie;
	double nvlink_gbs;
	struct str compute_capability, datacenter_ok, source;
	double tensor_fp16_acc32_tflops, tensor_fp8_tflops;
	struct str key; /* folded name: lower case without blanks, '-' and '_' */
	struct pos pos;
};

enum { DEVICE_NAME_MAX = 96 };

struct devices {
	struct device *v; /* in the order of the file */
	size_t n;
	struct map by_key;     /* folded name to index into v */
	struct alias *aliases; /* by folded name, then in the order of the file */
	size_t naliases;
	struct map by_alias; /* folded alias (scopes any and benchmark) to first index in aliases */
	struct file_identity files[2]; /* devices.csv and aliases.csv, before they were read */
};

/* Lines of data/aliases.csv; several lines with one name and different devices make it ambiguous.
 * Scopes any and benchmark are looked up; retail and cloud names hold in their own lists only. */
struct alias {
	struct str name, device, scope;
	struct str key; /* folded name */
	size_t index;   /* of its device */
	bool looked_up;
	struct pos pos;
};

/* Reads DATA/devices.csv and DATA/aliases.csv.
 * Errors: as csv_read_records;
 *         ERR_DATA for a device listed twice (names that fold to the same text are the same);
 *         ERR_RANGE for a name of more than DEVICE_NAME_MAX bytes or a number not from 1e-6 to 1e7;
 *         ERR_UNKNOWN for an alias of no device, or an unknown scope. */
bool devices_read(const char *data_dir, struct arena *a, struct devices *out, struct error *err);

enum device_match { DEVICE_FOUND, DEVICE_AMBIGUOUS, DEVICE_UNKNOWN };

/* Finds a device by canonical name or alias. Case, blanks, '-' and '_' do not matter.
 * near   out: FOUND: near[0] is the index. AMBIGUOUS: the candidates (at most 8) in the order of
 *        aliases.csv. UNKNOWN: the three devices with the nearest names, canonical or alias, by
 *        edit distance (insert, delete, replace, swap neighbours) between the folded texts; ties
 *        by canonical name.
 * nnear  out: how many of near are set
 * An unknown name costs a scan of all names (0.2 ms): whoever looks up many keeps the answers. */
enum device_match device_find(const struct devices *d, struct str name, struct arena *scratch,
			      size_t near[8], size_t *nnear);
/* Whether device_find() would not say UNKNOWN; costs no scan. */
bool device_known(const struct devices *d, struct str name, struct arena *scratch);
/* Index of an exact canonical name, or d->n. */
size_t device_index(const struct devices *d, struct str canonical);
/* The names of near[0..n) for a message: "RTX 2080, RTX 2080 Ti, RTX 2070". */
struct str device_names(const struct devices *d, const size_t *near, size_t n, struct arena *a);

/* A numeric specification by its column name ("bandwidth_gbs"); false for an unknown column. */
bool device_spec_parse(struct str column, size_t *offset);
double device_spec(const struct device *d, size_t offset);

/* Peak rate in TFLOP/s (TOP/s for int8) that a device can reach in a precision; NAN when the
 * catalogue does not know it. The highest rate counts, of tensor units and of wider formats too:
 * fp32 work may run as tf32, and half precision on a card without fast fp16 runs in fp32. */
double device_peak_tflops(const struct device *d, struct str precision);
/* Whether it has a tensor (fp16 or bf16) rate. */
bool device_has_matrix_units(const struct device *d);
/* Sits in a socket of the board: a CPU ("socket"), or the Xeon Phi that took the place of one
 * ("LGA3647 socket"). */
bool device_is_processor(const struct device *d);
/* Whether the guide would run it in 16 bit: it has matrix units or fp16 at twice fp32. */
bool device_has_fast_fp16(const struct device *d);

#endif
