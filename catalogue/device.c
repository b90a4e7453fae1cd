#include "device.h"

#include "class.h"
#include "../base/csv_read.h"
#include "../base/file.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define FIELD(member, kind, needed) \
	{ .name = #member, .type = kind, .required = needed, \
	  .offset = offsetof(struct device, member) }

/* Columns of devices.csv; the numbers among them are the specifications an edition may name. */
static const struct csv_field columns[] = {
	{ "device", CSV_NAME, true, offsetof(struct device, name) },
	FIELD(vendor, CSV_NAME, true),
	FIELD(family, CSV_NAME, false),
	FIELD(architecture, CSV_NAME, true),
	FIELD(release_date, CSV_DATE, false),
	FIELD(launch_price_usd, CSV_NUMBER, false),
	FIELD(memory_gb, CSV_NUMBER, false),
	FIELD(memory_type, CSV_TEXT, false),
	FIELD(bandwidth_gbs, CSV_NUMBER, false),
	FIELD(fp32_tflops, CSV_NUMBER, false),
	FIELD(fp16_tflops, CSV_NUMBER, false),
	FIELD(bf16_tflops, CSV_NUMBER, false),
	FIELD(tensor_fp16_tflops, CSV_NUMBER, false),
	FIELD(tensor_tf32_tflops, CSV_NUMBER, false),
	FIELD(tensor_int8_tops, CSV_NUMBER, false),
	FIELD(tensor_cores, CSV_NUMBER, false),
	FIELD(cuda_cores, CSV_NUMBER, false),
	FIELD(boost_mhz, CSV_NUMBER, false),
	FIELD(l2_mb, CSV_NUMBER, false),
	FIELD(tdp_w, CSV_NUMBER, false),
	FIELD(form_factor, CSV_TEXT, false),
	FIELD(cooling, CSV_TEXT, false),
	FIELD(pcie, CSV_TEXT, false),
	FIELD(nvlink_gbs, CSV_NUMBER, false),
	FIELD(compute_capability, CSV_TEXT, false),
	FIELD(datacenter_ok, CSV_TEXT, false),
	FIELD(source, CSV_TEXT, false),
	FIELD(tensor_fp16_acc32_tflops, CSV_NUMBER, false),
	FIELD(tensor_fp8_tflops, CSV_NUMBER, false),
};

static const struct csv_field alias_columns[] = {
	{ "name", CSV_NAME, true, offsetof(struct alias, name) },
	{ "device", CSV_NAME, true, offsetof(struct alias, device) },
	{ "scope", CSV_NAME, true, offsetof(struct alias, scope) },
};

/* Scopes of aliases.csv, and whether a name of it is looked up in benchmark rows. */
static const struct {
	struct str name;
	bool looked_up;
} scopes[] = {
	{ STR_INIT("any"), true },
	{ STR_INIT("benchmark"), true },
	{ STR_INIT("retail"), false },
	{ STR_INIT("cloud"), false },
};

/* Rates that can carry work of a precision, and the kinds of precision they carry it for. */
#define KIND(k) (1u << (k))
#define KINDS_16                                                                                   \
	(KIND(PRECISION_16) | KIND(PRECISION_8) | KIND(PRECISION_WEIGHTS)                          \
	 | KIND(PRECISION_UNSTATED))
#define KINDS_32 (KIND(PRECISION_32) | KINDS_16)
#define KINDS_8 (KIND(PRECISION_8) | KIND(PRECISION_WEIGHTS))
static const struct {
	size_t offset;
	unsigned kinds;
} rates[] = {
	{ offsetof(struct device, fp32_tflops), KINDS_32 },
	{ offsetof(struct device, tensor_tf32_tflops), KINDS_32 },
	{ offsetof(struct device, fp16_tflops), KINDS_16 },
	{ offsetof(struct device, bf16_tflops), KINDS_16 },
	{ offsetof(struct device, tensor_fp16_tflops), KINDS_16 },
	{ offsetof(struct device, tensor_fp16_acc32_tflops), KINDS_16 },
	{ offsetof(struct device, tensor_fp8_tflops), KINDS_8 },
	{ offsetof(struct device, tensor_int8_tops), KINDS_8 },
};

enum { NEAREST = 3, CANDIDATES_MAX = 8 };

/* Lower case without blanks, '-' and '_'; at most cap bytes are written, the length of all is
 * returned. */
static size_t fold_into(struct str s, char *out, size_t cap)
{
	size_t n = 0;

	for (size_t i = 0; i < s.len; i++) {
		char c = s.p[i];

		if (c == ' ' || c == '\t' || c == '-' || c == '_')
			continue;
		if (n < cap)
			out[n] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
		n++;
	}
	return n;
}

static struct str fold(struct str s, struct arena *a)
{
	char *p = arena_alloc(a, s.len + 1);

	return (struct str){ p, fold_into(s, p, s.len) };
}

double device_spec(const struct device *d, size_t offset)
{
	double v;

	memcpy(&v, (const char *)d + offset, sizeof v);
	return v;
}

bool device_spec_parse(struct str column, size_t *offset)
{
	for (size_t i = 0; i < LEN(columns); i++) {
		if (columns[i].type == CSV_NUMBER && str_eq(str_of(columns[i].name), column)) {
			*offset = columns[i].offset;
			return true;
		}
	}
	return false;
}

/* No quotient of two specifications overflows, and none is as far off as that. */
static const double spec_least = 1e-6, spec_most = 1e7;

/* A rate or size of 0 would mean "has none", which is an empty cell here. */
static bool check_specs(const struct device *d, struct error *err)
{
	for (size_t i = 0; i < LEN(columns); i++) {
		double v;

		if (columns[i].type != CSV_NUMBER)
			continue;
		v = device_spec(d, columns[i].offset);
		if (!isnan(v) && !(v > 0))
			return error_at(err, ERR_RANGE, d->pos,
					"%s of '" STR_FMT
					"': %g is not above 0; leave the cell empty when unknown",
					columns[i].name, STR_ARG(d->name), v);
		if (v < spec_least || v > spec_most)
			return error_at(
			    err, ERR_RANGE, d->pos, "%s of '" STR_FMT "': %g is not from %g to %g",
			    columns[i].name, STR_ARG(d->name), v, spec_least, spec_most);
	}
	return true;
}

static bool index_device(struct devices *out, size_t i, struct arena *a, struct error *err)
{
	struct device *d = &out->v[i];
	bool fresh;
	size_t first;

	if (d->name.len > DEVICE_NAME_MAX)
		return error_at(err, ERR_RANGE, d->pos,
				"device: a name of %zu bytes is longer than %d", d->name.len,
				DEVICE_NAME_MAX);
	d->key = fold(d->name, a);
	first = *map_put(&out->by_key, d->key, i, &fresh);
	if (!fresh)
		return error_at(err, ERR_DATA, d->pos,
				"device '" STR_FMT "' is listed twice, first in line %d",
				STR_ARG(d->name), out->v[first].pos.line);
	return check_specs(d, err);
}

static bool alias_resolve(struct alias *al, const struct devices *d, struct arena *a,
			  struct error *err)
{
	size_t scope = 0;

	while (scope < LEN(scopes) && !str_eq(scopes[scope].name, al->scope))
		scope++;
	if (scope == LEN(scopes))
		return error_at(err, ERR_UNKNOWN, al->pos,
				"scope: '" STR_FMT "' is not any, benchmark, retail or cloud",
				STR_ARG(al->scope));
	al->looked_up = scopes[scope].looked_up;
	al->key = fold(al->name, a);
	al->index = device_index(d, al->device);
	if (al->index == d->n)
		return error_at(err, ERR_UNKNOWN, al->pos,
				"device: '" STR_FMT "' is not in devices.csv", STR_ARG(al->device));
	return true;
}

static int by_key_then_line(const void *pa, const void *pb)
{
	const struct alias *x = pa, *y = pb;
	int c = str_cmp(x->key, y->key);

	return c ? c : (x->pos.line > y->pos.line) - (x->pos.line < y->pos.line);
}

static bool index_aliases(struct devices *out, struct arena *a, struct error *err)
{
	for (size_t i = 0; i < out->naliases; i++)
		if (!alias_resolve(&out->aliases[i], out, a, err))
			return false;
	if (out->naliases)
		qsort(out->aliases, out->naliases, sizeof *out->aliases, by_key_then_line);
	for (size_t i = 0; i < out->naliases; i++)
		if (out->aliases[i].looked_up)
			map_put(&out->by_alias, out->aliases[i].key, i, NULL);
	return true;
}

bool devices_read(const char *data_dir, struct arena *a, struct devices *out, struct error *err)
{
	const char *devices_path = str_c(a, file_join(a, str_of(data_dir), STR("devices.csv")));
	const char *aliases_path = str_c(a, file_join(a, str_of(data_dir), STR("aliases.csv")));
	void *v, *aliases;

	*out = (struct devices){ .by_key.arena = a, .by_alias.arena = a,
				 .files = { identity_at(devices_path),
					    identity_at(aliases_path) } };
	if (!csv_read_records(devices_path, columns, LEN(columns), sizeof *out->v,
			      offsetof(struct device, pos), a, &v, &out->n, err))
		return false;
	out->v = v;
	for (size_t i = 0; i < out->n; i++)
		if (!index_device(out, i, a, err))
			return false;
	if (!csv_read_records(aliases_path, alias_columns, LEN(alias_columns), sizeof *out->aliases,
			      offsetof(struct alias, pos), a, &aliases, &out->naliases, err))
		return false;
	out->aliases = aliases;
	return index_aliases(out, a, err);
}

size_t device_index(const struct devices *d, struct str canonical)
{
	char buf[DEVICE_NAME_MAX];
	size_t n = fold_into(canonical, buf, sizeof buf);
	const size_t *at = n <= sizeof buf ? map_get(&d->by_key, (struct str){ buf, n }) : NULL;

	return at && str_eq(d->v[*at].name, canonical) ? *at : d->n;
}

/* Optimal string alignment distance (Damerau-Levenshtein without editing a swapped pair again);
 * more than limit comes back as limit + 1. Smallest values of neighbouring rows differ by at most
 * 1, so a row wholly above the limit ends it, in spite of the step over two rows for a swap. */
static size_t distance(struct str s, struct str t, size_t limit)
{
	size_t rows[3][DEVICE_NAME_MAX + 1];
	size_t *before = rows[0], *above = rows[1], *row = rows[2];

	for (size_t j = 0; j <= t.len; j++)
		above[j] = j;
	for (size_t i = 1; i <= s.len; i++) {
		size_t smallest = row[0] = i, *spare = before;

		for (size_t j = 1; j <= t.len; j++) {
			size_t d = above[j - 1] + (s.p[i - 1] != t.p[j - 1]);

			d = above[j] + 1 < d ? above[j] + 1 : d;
			d = row[j - 1] + 1 < d ? row[j - 1] + 1 : d;
			if (i > 1 && j > 1 && s.p[i - 1] == t.p[j - 2] && s.p[i - 2] == t.p[j - 1]
			    && before[j - 2] + 1 < d)
				d = before[j - 2] + 1;
			row[j] = d;
			smallest = d < smallest ? d : smallest;
		}
		if (smallest > limit)
			return limit + 1;
		before = above;
		above = row;
		row = spare;
	}
	return above[t.len] > limit ? limit + 1 : above[t.len];
}

/* The best names so far, nearest first. */
struct nearest {
	const struct devices *devices;
	size_t n;
	size_t device[NEAREST + 1], distance[NEAREST + 1];
};

static bool nearer(const struct nearest *b, size_t i, size_t j)
{
	if (b->distance[i] != b->distance[j])
		return b->distance[i] < b->distance[j];
	return str_cmp(b->devices->v[b->device[i]].name, b->devices->v[b->device[j]].name) < 0;
}

static void nearest_swap(struct nearest *b, size_t i, size_t j)
{
	size_t device = b->device[i], dist = b->distance[i];

	b->device[i] = b->device[j];
	b->distance[i] = b->distance[j];
	b->device[j] = device;
	b->distance[j] = dist;
}

/* Enters one more name of a device; a device keeps the nearest of its names, the list the best. */
static void nearest_offer(struct nearest *b, size_t device, struct str wanted, struct str key)
{
	size_t limit = b->n < NEAREST ? 2 * DEVICE_NAME_MAX : b->distance[NEAREST - 1];
	size_t gap = wanted.len > key.len ? wanted.len - key.len : key.len - wanted.len;
	size_t d = gap > limit ? gap : distance(wanted, key, limit);
	size_t at = 0;

	while (at < b->n && b->device[at] != device)
		at++;
	if (d > limit || (at < b->n && b->distance[at] <= d))
		return;
	if (at == b->n)
		b->n++; /* one place more than NEAREST is there for the newcomer */
	b->device[at] = device;
	b->distance[at] = d;
	for (; at > 0 && nearer(b, at, at - 1); at--)
		nearest_swap(b, at, at - 1);
	if (b->n > NEAREST)
		b->n = NEAREST;
}

static size_t find_nearest(const struct devices *d, struct str key, size_t near[8])
{
	struct nearest best = { .devices = d };
	struct str wanted = str_slice(key, 0, DEVICE_NAME_MAX);

	for (size_t i = 0; i < d->n; i++)
		nearest_offer(&best, i, wanted, d->v[i].key);
	for (size_t i = 0; i < d->naliases; i++)
		if (d->aliases[i].looked_up)
			nearest_offer(&best, d->aliases[i].index, wanted,
				      str_slice(d->aliases[i].key, 0, DEVICE_NAME_MAX));
	for (size_t i = 0; i < best.n; i++)
		near[i] = best.device[i];
	return best.n;
}

/* The distinct devices that the aliases from `first` on with its key mean. */
static size_t alias_devices(const struct devices *d, size_t first, size_t near[8])
{
	size_t n = 0;

	for (size_t i = first; i < d->naliases && str_eq(d->aliases[i].key, d->aliases[first].key);
	     i++) {
		size_t seen = 0;

		if (!d->aliases[i].looked_up)
			continue;
		while (seen < n && near[seen] != d->aliases[i].index)
			seen++;
		if (seen == n && n < CANDIDATES_MAX)
			near[n++] = d->aliases[i].index;
	}
	return n;
}

enum device_match device_find(const struct devices *d, struct str name, struct arena *scratch,
			      size_t near[8], size_t *nnear)
{
	struct str key = fold(name, scratch);
	const size_t *at = map_get(&d->by_key, key);

	if (at) {
		near[0] = *at;
		*nnear = 1;
		return DEVICE_FOUND;
	}
	at = map_get(&d->by_alias, key);
	if (at) {
		*nnear = alias_devices(d, *at, near);
		return *nnear == 1 ? DEVICE_FOUND : DEVICE_AMBIGUOUS;
	}
	*nnear = find_nearest(d, key, near);
	return DEVICE_UNKNOWN;
}

bool device_known(const struct devices *d, struct str name, struct arena *scratch)
{
	struct str key = fold(name, scratch);

	return map_get(&d->by_key, key) || map_get(&d->by_alias, key);
}

struct str device_names(const struct devices *d, const size_t *near, size_t n, struct arena *a)
{
	struct strbuf b = { .arena = a };

	for (size_t i = 0; i < n; i++) {
		if (i)
			strbuf_add(&b, STR(", "));
		strbuf_add(&b, d->v[near[i]].name);
	}
	return strbuf_str(&b);
}

double device_peak_tflops(const struct device *d, struct str precision)
{
	enum precision_kind kind;
	double peak = NAN;

	if (!precision_parse(precision, &kind))
		return NAN;
	for (size_t i = 0; i < LEN(rates); i++) {
		double v = device_spec(d, rates[i].offset);

		if ((rates[i].kinds & KIND(kind)) && !isnan(v) && !(peak >= v))
			peak = v;
	}
	return peak;
}

bool device_is_processor(const struct device *d)
{
	return str_ends(d->form_factor, STR("socket"));
}

bool device_has_matrix_units(const struct device *d)
{
	return !isnan(d->tensor_fp16_tflops) || !isnan(d->tensor_fp16_acc32_tflops)
	       || !isnan(d->bf16_tflops);
}

bool device_has_fast_fp16(const struct device *d)
{
	/* Data sheets round, so "twice" is 1.9 times. */
	return device_has_matrix_units(d) || d->fp16_tflops >= 1.9 * d->fp32_tflops;
}
