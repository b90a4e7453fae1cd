/* The devices without a score, one row a reason; part of the chapter on performance. */
#include "build.h"
#include "../base/num.h"

#include <math.h>

enum { DEVICES_SHOWN = 10 };

static const struct build_column excluded_columns[] = {
	{ "column.devices", false, false, 2.4 },
	{ "column.classes", false, false, 1.4 },
	{ "column.reason", false, false, 2.4 },
};

/* The devices that lack the same classes for one and the same reason: one row of the table. Reasons
 * that differ in a decimal only ("off by a factor 3.24") are the same: `least` and `most` are those
 * with the smallest and the largest one. */
struct excluded {
	struct str classes, key, least, most;
	struct name_set devices;
};

struct excluded_list {
	struct excluded *v;
	size_t n, cap;
};

/* The decimal ("3.24") at or after `from`: its place and length; s.len and 0 for none. A name of a
 * device has none. */
static size_t find_decimal(struct str s, size_t from, size_t *len)
{
	for (size_t i = from; i < s.len; i++) {
		size_t end = i, dots = 0;
		while (end < s.len
		       && ((s.p[end] >= '0' && s.p[end] <= '9')
			   || (end > i && s.p[end] == '.' && dots++ == 0)))
			end++;
		while (end > i && s.p[end - 1] == '.') { /* the full stop of the sentence */
			end--;
			dots = 0;
		}
		if (end > i && dots > 0) {
			*len = end - i;
			return i;
		}
		i = end > i ? end - 1 : i;
	}
	*len = 0;
	return s.len;
}

/* The reason with '#' for its first decimal, and that decimal; NAN without one. */
static struct str reason_key(struct build *b, struct str reason, double *decimal)
{
	size_t len, at = find_decimal(reason, 0, &len);

	*decimal = NAN;
	if (len == 0 || !num_parse(str_slice(reason, at, at + len), false, decimal))
		return reason;
	return str_printf(b->arena, STR_FMT "#" STR_FMT, STR_ARG(str_slice(reason, 0, at)),
			  STR_ARG(str_slice(reason, at + len, reason.len)));
}

/* "... by a factor 3.24 to 4.31, ...": the reason of the group. */
static struct str group_reason(struct build *b, const struct excluded *e)
{
	size_t len, len_most, at = find_decimal(e->least, 0, &len),
			      at_most = find_decimal(e->most, 0, &len_most);

	if (str_eq(e->least, e->most))
		return e->least;
	return str_printf(
	    b->arena, STR_FMT STR_FMT STR_FMT STR_FMT, STR_ARG(str_slice(e->least, 0, at + len)),
	    STR_ARG(build_str(b, "list.to", NULL)),
	    STR_ARG(str_slice(e->most, at_most, at_most + len_most)),
	    STR_ARG(str_slice(e->least, at + len, e->least.len)));
}

static void excluded_add(struct build *b, struct excluded_list *l, struct str classes,
			 struct str reason, struct str device)
{
	double decimal, least, most;
	struct str key = reason_key(b, reason, &decimal);
	size_t i = 0;

	while (i < l->n && !(str_eq(l->v[i].classes, classes) && str_eq(l->v[i].key, key)))
		i++;
	if (i == l->n) {
		l->v = arena_grow(b->arena, l->v, &l->cap, l->n + 1, sizeof *l->v);
		l->v[l->n++] = (struct excluded){
			.classes = classes, .key = key, .least = reason, .most = reason
		};
	}
	reason_key(b, l->v[i].least, &least);
	reason_key(b, l->v[i].most, &most);
	if (decimal < least)
		l->v[i].least = reason;
	if (decimal > most)
		l->v[i].most = reason;
	name_add(b, &l->v[i].devices, device);
}

static void excluded_device(struct build *b, struct excluded_list *l, size_t device)
{
	const struct report_data *d = b->data;
	bool told[CLASS_COUNT] = { false };

	for (size_t c = 0; c < d->nclasses; c++) {
		const struct data_score *s = data_score(d, device, c);
		struct name_set classes = { .n = 0 };
		if (told[c] || !s || s->origin != ORIGIN_EXCLUDED)
			continue;
		for (size_t k = c; k < d->nclasses; k++) {
			const struct data_score *other = data_score(d, device, k);
			if (!other || other->origin != ORIGIN_EXCLUDED
			    || !str_eq(other->reason, s->reason))
				continue;
			told[k] = true;
			name_add(b, &classes, build_class(b, d->classes[k]));
		}
		excluded_add(b, l, name_list(b, &classes, CLASS_COUNT),
			     build_said_str(b, s->reason, s->reason_msg, s->pos),
			     d->devices[device]);
	}
}

void table_excluded(struct build *b)
{
	struct report_table *t = build_table(b, "table-excluded", "performance.excluded", NULL,
					     excluded_columns, LEN(excluded_columns));
	struct excluded_list l = { .n = 0 };

	for (size_t i = 0; i < b->data->ndevices; i++)
		excluded_device(b, &l, i);
	for (size_t i = 0; i < l.n; i++) {
		struct report_cell *cells = report_table_row(t, b->arena);
		cells[0].text = name_list(b, &l.v[i].devices, DEVICES_SHOWN);
		cells[1].text = l.v[i].classes;
		cells[2].text = group_reason(b, &l.v[i]);
	}
	t->csv_href = STR("data/scores.csv");
	t->folded = true;
	if (t->nrows > 0)
		report_add_table(b->report, t);
}
