#include "memory_fit.h"

#include "../base/csv_read.h"
#include "../base/csv_write.h"
#include "../base/file.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* bf16 needs what fp16 needs: it has no rows of its own. */
static const struct str listed_precisions[] = { STR_INIT("fp32"), STR_INIT("fp16"),
						STR_INIT("int8"), STR_INIT("int4") };

static const struct str bound_names[] = {
	[MEMORY_AT_LEAST] = STR_INIT("at-least"),
	[MEMORY_RANGE] = STR_INIT("range"),
	[MEMORY_MORE_THAN] = STR_INIT("more-than"),
};

struct stated_record {
	struct str workload, title, precision, bound, source, text;
	double low_gb, high_gb;
	struct date date;
	struct pos pos;
};

static const struct csv_field fields[] = {
	{ "workload", CSV_TEXT, true, offsetof(struct stated_record, workload) },
	{ "title", CSV_TEXT, true, offsetof(struct stated_record, title) },
	{ "precision", CSV_TEXT, true, offsetof(struct stated_record, precision) },
	{ "low_gb", CSV_NUMBER, true, offsetof(struct stated_record, low_gb) },
	{ "high_gb", CSV_NUMBER, false, offsetof(struct stated_record, high_gb) },
	{ "bound", CSV_TEXT, true, offsetof(struct stated_record, bound) },
	{ "date", CSV_DATE, true, offsetof(struct stated_record, date) },
	{ "source", CSV_TEXT, true, offsetof(struct stated_record, source) },
	{ "text", CSV_TEXT, true, offsetof(struct stated_record, text) },
};

enum { STATED_MAX_GB = 1000000 };

static bool parse_bound(struct str s, enum memory_bound *out)
{
	for (size_t i = 0; i < LEN(bound_names); i++)
		if (str_eq(bound_names[i], s)) {
			*out = (enum memory_bound)i;
			return true;
		}
	return false;
}

static bool convert(const struct stated_record *r, struct memory_stated *s, struct error *err)
{
	*s = (struct memory_stated){ .workload = r->workload,
				     .title = r->title,
				     .precision = r->precision,
				     .source = r->source,
				     .text = r->text,
				     .low_gb = r->low_gb,
				     .high_gb = r->high_gb,
				     .date = r->date,
				     .pos = r->pos };
	if (!parse_bound(r->bound, &s->bound))
		return error_at(err, ERR_UNKNOWN, r->pos,
				"bound: '" STR_FMT "' is not at-least, range or more-than",
				STR_ARG(r->bound));
	if (!(s->low_gb > 0))
		return error_at(err, ERR_RANGE, r->pos, "low_gb: %g is not above 0", s->low_gb);
	if (!(s->low_gb >= 1e-3 && s->low_gb <= STATED_MAX_GB) || s->high_gb > STATED_MAX_GB)
		return error_at(err, ERR_RANGE, r->pos,
				"low_gb, high_gb: a number is not from 0.001 to %d", STATED_MAX_GB);
	if (s->bound == MEMORY_RANGE ? !(s->high_gb > s->low_gb) : !isnan(s->high_gb))
		return error_at(
		    err, ERR_RANGE, r->pos,
		    "high_gb: a range needs one above low_gb, and only a range has one");
	return true;
}

/* All but the words: two authors may state the same, one author does so once. */
static struct str identity(const struct stated_record *r, struct arena *a)
{
	return str_printf(a, STR_FMT "\n" STR_FMT "\n" STR_FMT "\n%d\n%.17g\n%.17g\n" STR_FMT,
			  STR_ARG(r->workload), STR_ARG(r->precision), STR_ARG(r->bound),
			  r->date.day, r->low_gb, r->high_gb, STR_ARG(r->source));
}

/* By workload, precision, source; then by the figures and the words, so that the order of the file
 * has no say. */
static int by_workload(const void *pa, const void *pb)
{
	const struct memory_stated *x = pa, *y = pb;
	const int order[] = { str_cmp(x->workload, y->workload),
			      str_cmp(x->precision, y->precision),
			      str_cmp(x->source, y->source),
			      (x->low_gb > y->low_gb) - (x->low_gb < y->low_gb),
			      (int)x->bound - (int)y->bound,
			      (x->high_gb > y->high_gb) - (x->high_gb < y->high_gb),
			      (x->date.day > y->date.day) - (x->date.day < y->date.day),
			      str_cmp(x->text, y->text),
			      str_cmp(x->title, y->title) };

	for (size_t i = 0; i < LEN(order); i++)
		if (order[i])
			return order[i];
	return 0;
}

static bool read_stated(const char *data_dir, struct date date, struct arena *a,
			struct memory_cases *out, struct error *err)
{
	const char *path = str_c(a, file_join(a, str_of(data_dir), STR("memory_stated.csv")));
	void *records;
	size_t n;

	if (!file_exists(path))
		return true;
	if (!csv_read_records(path, fields, LEN(fields), sizeof(struct stated_record),
			      offsetof(struct stated_record, pos), a, &records, &n, err))
		return false;
	const struct stated_record *r = records;
	out->stated = arena_array(a, n, sizeof *out->stated);
	struct map seen = { .arena = a };
	for (size_t i = 0; i < n; i++) {
		if (!convert(&r[i], &out->stated[out->nstated], err)
		    || !csv_once(&seen, identity(&r[i], a), r[i].pos, err))
			return false;
		out->nstated += r[i].date.day <= date.day;
	}
	if (out->nstated)
		qsort(out->stated, out->nstated, sizeof *out->stated, by_workload);
	return true;
}

static bool listed(const struct edition *e, const struct network *net)
{
	if (net->date.day > e->date.day)
		return false;
	for (size_t i = 0; i < e->networks.n; i++)
		if (str_eq(e->networks.v[i], net->name))
			return true;
	return e->networks.n == 0;
}

static struct str network_names(const struct networks *n, struct arena *a)
{
	struct strbuf b = { .arena = a };

	for (size_t i = 0; i < n->n; i++)
		strbuf_printf(&b, "%s" STR_FMT, i ? ", " : "", STR_ARG(n->v[i].name));
	return strbuf_str(&b);
}

static bool check_names(const struct edition *e, const struct networks *n, struct arena *a,
			struct error *err)
{
	for (size_t i = 0; i < e->networks.n; i++)
		if (!network_find(n, e->networks.v[i]))
			return error_at(
			    err, ERR_UNKNOWN, edition_pos(e, "memory", STR("networks")),
			    "networks: '" STR_FMT
			    "' is not in the folder networks of the data, which has " STR_FMT,
			    STR_ARG(e->networks.v[i]), STR_ARG(network_names(n, a)));
	return true;
}

static void add_network(const struct network *net, struct arena *a, struct memory_cases *out)
{
	for (int m = 0; m < MEMORY_MODES; m++)
		for (size_t k = 0; k < LEN(listed_precisions); k++) {
			enum memory_mode mode = (enum memory_mode)m;
			const struct memory_precision *p =
			    memory_precision_find(listed_precisions[k]);
			struct memory_case c = { .network = net, .mode = mode, .precision = p };

			if (!memory_possible(net, mode, p))
				continue;
			c.batch = memory_batch(net, mode);
			memory_need(net, mode, p, c.batch, &out->settings, a, &c.need);
			c.needed_gb = memory_card_gb(c.need.total_bytes, &out->settings);
			out->v[out->n++] = c;
		}
}

bool memory_compute(const char *data_dir, const struct edition *edition, struct arena *a,
		    struct memory_cases *out, struct error *err)
{
	*out = (struct memory_cases){ 0 };
	if (!networks_read(data_dir, a, &out->networks, err)
	    || (out->networks.n && !memory_settings_read(data_dir, a, &out->settings, err))
	    || !read_stated(data_dir, edition->date, a, out, err)
	    || !check_names(edition, &out->networks, a, err))
		return false;
	out->v =
	    arena_array(a, out->networks.n * MEMORY_MODES * LEN(listed_precisions) + out->nstated,
			sizeof *out->v);
	for (size_t i = 0; i < out->networks.n; i++)
		if (listed(edition, &out->networks.v[i]))
			add_network(&out->networks.v[i], a, out);
	for (size_t i = 0; i < out->nstated; i++) {
		const struct memory_stated *s = &out->stated[i];
		out->v[out->n++] =
		    (struct memory_case){ .stated = s,
					  .batch = NAN,
					  .needed_gb =
					      s->bound == MEMORY_RANGE ? s->high_gb : s->low_gb };
	}
	return true;
}

static enum memory_fits stated_fits(const struct memory_stated *s, double gb)
{
	switch (s->bound) {
	case MEMORY_AT_LEAST:
		return gb >= s->low_gb ? MEMORY_FITS_YES : MEMORY_FITS_NO;
	case MEMORY_RANGE:
		return gb >= s->high_gb  ? MEMORY_FITS_YES
		       : gb >= s->low_gb ? MEMORY_FITS_BORDERLINE
					 : MEMORY_FITS_NO;
	case MEMORY_MORE_THAN:
		break;
	}
	return gb > s->low_gb ? MEMORY_FITS_UNKNOWN : MEMORY_FITS_NO;
}

enum memory_fits memory_fits(const struct memory_case *c, double memory_gb)
{
	if (isnan(memory_gb))
		return MEMORY_FITS_UNKNOWN;
	if (c->stated)
		return stated_fits(c->stated, memory_gb);
	return memory_gb >= c->needed_gb ? MEMORY_FITS_YES : MEMORY_FITS_NO;
}

static struct str status_of(const struct memory_case *c, enum memory_fits fits)
{
	if (fits == MEMORY_FITS_UNKNOWN)
		return STR("unknown");
	if (fits == MEMORY_FITS_BORDERLINE)
		return STR("borderline");
	if (c->stated)
		return STR("stated");
	return fits == MEMORY_FITS_YES && c->network->caution.len ? STR("doubtful")
								  : STR("computed");
}

static void write_row(struct csv_out *w, const struct memory_case *c, const struct device *d,
		      double gb)
{
	static const struct str words[] = {
		[MEMORY_FITS_UNKNOWN] = STR_INIT(""),
		[MEMORY_FITS_NO] = STR_INIT("no"),
		[MEMORY_FITS_YES] = STR_INIT("yes"),
		[MEMORY_FITS_BORDERLINE] = STR_INIT(""),
	};
	enum memory_fits fits = memory_fits(c, gb);

	csv_put(w, c->stated ? c->stated->workload : c->network->name);
	csv_put(w, c->stated ? c->stated->precision : c->precision->name);
	csv_put_num(w, c->batch);
	csv_put_num(w, c->needed_gb);
	csv_put(w, d->name);
	csv_put_num(w, gb);
	csv_put(w, words[fits]);
	csv_put(w, c->stated ? STR("training") : memory_mode_name(c->mode));
	csv_put(w, status_of(c, fits));
	csv_end_row(w);
}

bool memory_write(const struct memory_cases *cases, const struct devices *devices,
		  const size_t *indices, size_t n, const char *path, struct arena *a,
		  struct error *err)
{
	struct csv_out w = { .buf.arena = a };

	if (!memory_boards_check(&cases->settings, devices, err))
		return false;
	strbuf_add(
	    &w.buf,
	    STR("workload,precision,batch_size,needed_gb,device,memory_gb,fits,mode,status\n"));
	for (size_t i = 0; i < cases->n; i++)
		for (size_t j = 0; j < n; j++) {
			const struct device *d = &devices->v[indices[j]];
			write_row(&w, &cases->v[i], d, memory_device_gb(&cases->settings, d));
		}
	return file_write(path, strbuf_str(&w.buf), err);
}

static void write_part(struct csv_out *w, const struct memory_case *c, struct str part,
		       double bytes)
{
	csv_put(w, c->network->name);
	csv_put(w, memory_mode_name(c->mode));
	csv_put(w, c->precision->name);
	csv_put_num(w, c->batch);
	csv_put(w, part);
	csv_put_num(w, bytes / MEMORY_MIB);
	csv_end_row(w);
}

bool memory_write_parts(const struct memory_cases *cases, const char *path, struct arena *a,
			struct error *err)
{
	struct csv_out w = { .buf.arena = a };

	strbuf_add(&w.buf, STR("network,mode,precision,batch_size,part,mib\n"));
	for (size_t i = 0; i < cases->n; i++) {
		const struct memory_case *c = &cases->v[i];

		for (size_t k = 0; c->network && k < c->need.n; k++)
			write_part(&w, c, c->need.parts[k].name, c->need.parts[k].bytes);
		if (c->network)
			write_part(&w, c, STR("total"), c->need.total_bytes);
	}
	return file_write(path, strbuf_str(&w.buf), err);
}
