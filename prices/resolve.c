#include "resolve.h"

#include <math.h>
#include <stdint.h>

static const double memory_tolerance = 0.05;

enum { NEAREST_MAX = 2000 }; /* names looked for in vain; each costs a scan of the catalogue */

/* As the catalogue compares names: lower case without blanks, '-' and '_'. */
static struct str fold(struct str s, struct arena *a)
{
	struct strbuf b = { .arena = a };

	for (size_t i = 0; i < s.len; i++) {
		char c = s.p[i];

		if (c != ' ' && c != '\t' && c != '-' && c != '_')
			strbuf_addc(&b, c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c);
	}
	return strbuf_str(&b);
}

void resolver_open(struct resolver *r, const struct devices *devices, const struct price_map *map,
		   struct arena *a)
{
	*r = (struct resolver){
		.devices = devices, .map = map, .arena = a, .known.arena = a, .entries.arena = a
	};
	for (size_t i = 0; i < map->devices.n; i++)
		map_put(&r->entries, fold(map->devices.v[i].name, a), i, NULL);
}

static bool same_memory(double device_gb, double listed_gb)
{
	return isnan(device_gb) || isnan(listed_gb)
	       || fabs(device_gb - listed_gb) <= memory_tolerance * device_gb;
}

/* First alias with a key not before `key`; they are sorted by it. */
static size_t first_alias(const struct devices *d, struct str key)
{
	size_t from = 0, to = d->naliases;

	while (from < to) {
		size_t mid = from + (to - from) / 2;

		if (str_cmp(d->aliases[mid].key, key) < 0)
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

static void add_candidate(struct resolution *out, size_t device)
{
	for (size_t i = 0; i < out->nnear; i++)
		if (out->near[i] == device)
			return;
	if (out->nnear < LEN(out->near))
		out->near[out->nnear++] = device;
}

static void add_aliases(const struct devices *d, struct str key, struct str scope,
			struct resolution *out)
{
	for (size_t i = first_alias(d, key); i < d->naliases && str_eq(d->aliases[i].key, key); i++)
		if (str_eq(d->aliases[i].scope, scope))
			add_candidate(out, d->aliases[i].index);
}

/* Whether the candidates decide it. */
static bool decide(struct resolver *r, double memory_gb, struct resolution *out)
{
	size_t kept = 0;

	if (out->nnear == 0)
		return false;
	out->device = out->near[0];
	for (size_t i = 0; i < out->nnear; i++)
		if (same_memory(r->devices->v[out->near[i]].memory_gb, memory_gb))
			out->near[kept++] = out->near[i];
	out->how = kept == 1 ? RESOLVED : kept ? RESOLVED_AMBIGUOUS : RESOLVED_OTHER_MEMORY;
	out->nnear = kept;
	if (kept)
		out->device = out->near[0];
	return true;
}

static struct resolution resolve(struct resolver *r, struct str name, double memory_gb)
{
	const struct devices *d = r->devices;
	struct resolution out = { .count = 1 };
	struct str key = fold(name, r->arena);
	const size_t *at = map_get(&r->entries, key);

	if (at) {
		out.device = r->map->devices.v[*at].device;
		out.count = r->map->devices.v[*at].count;
		return out;
	}
	if (!isnan(memory_gb))
		add_aliases(d, str_printf(r->arena, STR_FMT "@%ggb", STR_ARG(key), memory_gb),
			    r->map->scope, &out);
	if (decide(r, memory_gb, &out))
		return out;
	add_aliases(d, key, r->map->scope, &out);
	if (decide(r, memory_gb, &out))
		return out;
	if ((at = map_get(&d->by_key, key)))
		add_candidate(&out, *at);
	add_aliases(d, key, STR("any"), &out);
	if (out.nnear == 1 && decide(r, memory_gb, &out))
		return out;
	add_aliases(d, key, STR("benchmark"), &out);
	if (out.nnear > 1 && decide(r, memory_gb, &out))
		return out;
	out.how = RESOLVED_UNKNOWN;
	out.nnear = 0;
	if (r->nunknown++ < NEAREST_MAX)
		device_find(d, name, r->arena, out.near, &out.nnear);
	return out;
}

const struct resolution *resolver_find(struct resolver *r, struct str name, double memory_gb)
{
	struct str key = str_printf(r->arena, "%g\n" STR_FMT, memory_gb, STR_ARG(name));
	bool fresh;
	size_t at = *map_put(&r->known, key, r->n, &fresh);

	if (fresh) {
		r->v = arena_grow(r->arena, r->v, &r->cap, r->n + 1, sizeof *r->v);
		r->v[r->n++] = resolve(r, name, memory_gb);
	}
	return &r->v[at];
}
