#include "lookup.h"

#include "../base/name.h"

struct lookup lookup_make(const struct devices *devices, const struct workloads *workloads,
			  struct arena *a)
{
	return (struct lookup){ .arena = a,
				.devices = devices,
				.workloads = workloads,
				.by_device.names = names_make(a),
				.by_workload.names = names_make(a) };
}

void lookup_part(struct lookup *l, struct arena *scratch)
{
	l->scratch = scratch;
	l->part++;
	l->searches = 0;
}

/* --- finding --- */

static struct str quote(struct lookup *l, struct str text)
{
	return name_shown(l->scratch, text, LOOKUP_QUOTE_MAX);
}

static bool may_search(struct lookup *l)
{
	if (l->searches == NEAREST_SEARCHES_MAX)
		return false;
	l->searches++;
	return true;
}

static struct answer unknown(const struct lookup *l, enum reject_code code, const char *what,
			     struct str shown)
{
	return (struct answer){
		.code = code,
		.reason = str_printf(l->scratch, "%s '" STR_FMT "' is not in the catalogue", what,
				     STR_ARG(shown)),
	};
}

static struct answer find_device(struct lookup *l, struct str name)
{
	const struct devices *devices = l->devices;
	struct arena *a = l->arena;
	struct str shown = quote(l, name);
	size_t near[8], n;

	enum device_match match = device_find(devices, name, l->scratch, near, &n);
	struct str names = device_names(devices, near, n, l->scratch);

	if (match == DEVICE_FOUND)
		return (struct answer){ .found = true, .index = near[0] };
	if (match == DEVICE_AMBIGUOUS)
		return (struct answer){ .code = REJECT_DEVICE_AMBIGUOUS,
					.reason = str_printf(
					    a, "device '" STR_FMT "' could be any of " STR_FMT,
					    STR_ARG(shown), STR_ARG(names)) };
	return (struct answer){
		.searched = true,
		.code = REJECT_DEVICE_UNKNOWN,
		.reason =
		    str_printf(a, "device '" STR_FMT "' is not in the catalogue; nearest: " STR_FMT,
			       STR_ARG(shown), STR_ARG(names)),
	};
}

/* Levenshtein distance of the first 200 bytes. */
static size_t distance(struct str s, struct str t)
{
	size_t row[201];

	s = str_slice(s, 0, 200);
	t = str_slice(t, 0, 200);
	for (size_t j = 0; j <= t.len; j++)
		row[j] = j;
	for (size_t i = 1; i <= s.len; i++) {
		size_t diagonal = row[0];
		row[0] = i;
		for (size_t j = 1; j <= t.len; j++) {
			size_t d = diagonal + (s.p[i - 1] != t.p[j - 1]);
			diagonal = row[j];
			d = row[j] + 1 < d ? row[j] + 1 : d;
			row[j] = row[j - 1] + 1 < d ? row[j - 1] + 1 : d;
		}
	}
	return row[t.len];
}

static struct str nearest_workload(const struct workloads *w, struct str name)
{
	size_t best = (size_t)-1;
	struct str nearest = STR("none");

	for (size_t i = 0; i < w->n; i++) {
		size_t d = distance(name, w->v[i].name);
		if (d < best || (d == best && str_cmp(w->v[i].name, nearest) < 0)) {
			best = d;
			nearest = w->v[i].name;
		}
	}
	return nearest;
}

static struct str metrics_of(const struct workloads *w, struct str name, struct arena *a)
{
	struct strbuf b = { .arena = a };

	for (size_t i = 0; i < w->n; i++)
		if (str_eq(w->v[i].name, name))
			strbuf_printf(&b, "%s" STR_FMT, b.len ? ", " : "", STR_ARG(w->v[i].metric));
	return strbuf_str(&b);
}

static struct answer find_workload(struct lookup *l, struct str name, struct str metric)
{
	const struct workloads *w = l->workloads;
	struct arena *a = l->arena;
	struct str shown = quote(l, name);

	if (!workload_known(w, name))
		return (struct answer){
			.searched = true,
			.code = REJECT_WORKLOAD_UNKNOWN,
			.reason = str_printf(
			    a, "workload '" STR_FMT "' is not in the catalogue; nearest: " STR_FMT,
			    STR_ARG(shown), STR_ARG(nearest_workload(w, name))),
		};
	size_t at = workload_find(w, name, metric);
	if (at < w->n)
		return (struct answer){ .found = true, .index = at };
	return (struct answer){
		.code = REJECT_METRIC,
		.reason = str_printf(
		    a, "'" STR_FMT "' is not a metric of " STR_FMT ", which has " STR_FMT,
		    STR_ARG(quote(l, metric)), STR_ARG(shown),
		    STR_ARG(metrics_of(w, name, l->scratch))),
	};
}

/* --- answers --- */

static struct answer *keep(struct lookup *l, struct answers *kept, struct str name,
			   struct answer answer)
{
	size_t at = names_put(&kept->names, name, NULL);

	kept->v = arena_grow(l->arena, kept->v, &kept->cap, at + 1, sizeof *kept->v);
	kept->v[at] = answer;
	return &kept->v[at];
}

static struct answer *kept_answer(struct answers *kept, struct str name)
{
	const size_t *at = names_get(&kept->names, name);

	return at ? &kept->v[*at] : NULL;
}

/* Whether this part of the file may have the name searched for, or has had it. */
static bool may_answer(struct lookup *l, struct answer *answer)
{
	if (!answer->searched || answer->part == l->part)
		return true;
	answer->part = l->part;
	return may_search(l);
}

static const struct answer *cut_short(struct lookup *l, enum reject_code code, const char *what,
				      struct str name)
{
	l->cut = unknown(l, code, what, quote(l, name));
	return &l->cut;
}

const struct answer *lookup_device(struct lookup *l, struct str name)
{
	struct answer *answer = kept_answer(&l->by_device, name);

	if (!answer) {
		bool search = !device_known(l->devices, name, l->scratch);
		if (search && !may_search(l))
			return cut_short(l, REJECT_DEVICE_UNKNOWN, "device", name);
		answer = keep(l, &l->by_device, name, find_device(l, name));
		answer->part = l->part;
	} else if (!may_answer(l, answer)) {
		answer->part = 0;
		return cut_short(l, answer->code, "device", name);
	}
	return answer;
}

const struct answer *lookup_workload(struct lookup *l, struct str name, struct str metric)
{
	const struct str parts[] = { name, STR("\n"), metric };
	struct str key = str_join(l->scratch, parts, LEN(parts));
	struct answer *answer = kept_answer(&l->by_workload, key);

	if (!answer) {
		bool search = !workload_known(l->workloads, name);
		if (search && !may_search(l))
			return cut_short(l, REJECT_WORKLOAD_UNKNOWN, "workload", name);
		answer = keep(l, &l->by_workload, key, find_workload(l, name, metric));
		answer->part = l->part;
	} else if (!may_answer(l, answer)) {
		answer->part = 0;
		return cut_short(l, answer->code, "workload", name);
	}
	return answer;
}
