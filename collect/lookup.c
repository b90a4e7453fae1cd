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

void lookup_file(struct lookup *l, struct arena *scratch)
{
	l->scratch = scratch;
	l->seen = names_make(scratch);
	l->unknown = NULL;
	l->nunknown = l->unknown_cap = 0;
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
		.how = ANSWER_CUT,
		.code = code,
		.reason = str_printf(l->arena, "%s '" STR_FMT "' is not in the catalogue", what,
				     STR_ARG(shown)),
	};
}

static struct answer find_device(struct lookup *l, struct str name)
{
	const struct devices *devices = l->devices;
	struct arena *a = l->arena;
	struct str shown = quote(l, name);
	size_t near[8], n;

	if (!device_known(devices, name, l->scratch) && !may_search(l))
		return unknown(l, REJECT_DEVICE_UNKNOWN, "device", shown);
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
		.how = ANSWER_SEARCHED,
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

	if (!workload_known(w, name) && !may_search(l))
		return unknown(l, REJECT_WORKLOAD_UNKNOWN, "workload", shown);
	if (!workload_known(w, name))
		return (struct answer){
			.how = ANSWER_SEARCHED,
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

/* The kept answer for a name, or a new one to fill. */
static struct answer *answer_of(struct lookup *l, struct answers *kept, struct str name,
				bool *fresh)
{
	size_t at = names_put(&kept->names, name, fresh);

	kept->v = arena_grow(l->arena, kept->v, &kept->cap, at + 1, sizeof *kept->v);
	return &kept->v[at];
}

/* Notes that the file asked for a name that is not there, once. */
static void note_unknown(struct lookup *l, const struct answers *kept, const struct answer *answer)
{
	struct unknown_name new = { kept, (size_t)(answer - kept->v) };
	unsigned long long key[] = { kept == &l->by_workload, new.at };
	bool fresh;

	names_put_numbers(&l->seen, key, LEN(key), &fresh);
	if (!fresh)
		return;
	l->unknown = arena_grow(l->scratch, l->unknown, &l->unknown_cap, l->nunknown + 1,
				sizeof *l->unknown);
	l->unknown[l->nunknown++] = new;
}

const struct answer *lookup_device(struct lookup *l, struct str name)
{
	bool fresh;
	struct answer *answer = answer_of(l, &l->by_device, name, &fresh);

	if (fresh)
		*answer = find_device(l, name);
	if (!answer->found)
		note_unknown(l, &l->by_device, answer);
	return answer;
}

const struct answer *lookup_workload(struct lookup *l, struct str name, struct str metric)
{
	bool fresh;
	struct str key =
	    str_printf(l->scratch, STR_FMT "\n" STR_FMT, STR_ARG(name), STR_ARG(metric));
	struct answer *answer = answer_of(l, &l->by_workload, key, &fresh);

	if (fresh)
		*answer = find_workload(l, name, metric);
	if (!answer->found)
		note_unknown(l, &l->by_workload, answer);
	return answer;
}

bool lookup_recall(struct lookup *l, struct answers *kept, struct str name,
		   const struct answer *answer)
{
	bool fresh = map_get(&kept->names.map, name) == NULL;

	if (fresh && answer->how == ANSWER_SEARCHED && !may_search(l))
		return false;
	struct answer *own = answer_of(l, kept, name, &fresh);
	if (fresh) {
		*own = *answer;
		own->reason = str_dup(l->arena, answer->reason);
	}
	return !own->found && own->code == answer->code && str_eq(own->reason, answer->reason);
}
