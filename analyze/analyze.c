#include "analyze.h"

#include "estimate.h"
#include "observation.h"
#include "price_lens.h"
#include "score.h"
#include "summary.h"
#include "value.h"
#include "../base/csv_read.h"
#include "../base/csv_write.h"
#include "../base/file.h"

#include <stdint.h>

/* What the stage works out, in the order it does. */
struct stage {
	const struct analyze_options *opt;
	const struct devices *devices;
	const struct prices *prices;
	struct arena *arena;
	struct observations obs;
	struct estimates estimates;
	struct str_list link_accepted;
	size_t *indices, nindices;
	struct card_prices card_prices;
	struct scores scores;
	struct score_class *classes;
	struct values values;
	struct date newest_benchmark;
};

static const char *path_of(const struct stage *s, const char *dir, const char *name)
{
	return str_c(s->arena, file_join(s->arena, str_of(dir), str_of(name)));
}

static const char *data_path(const struct stage *s, const char *name)
{
	return path_of(s, s->opt->out_dir,
		       str_c(s->arena, file_join(s->arena, STR("data"), str_of(name))));
}

struct override_record {
	struct str file, decision;
};

/* A line of overrides.csv that accepts a whole series, not a file of it, vouches for the links of
 * that series. */
static bool read_accepted_links(struct stage *s, struct error *err)
{
	static const struct csv_field fields[] = {
		{ "file", CSV_TEXT, true, offsetof(struct override_record, file) },
		{ "decision", CSV_TEXT, true, offsetof(struct override_record, decision) },
	};
	const char *path = path_of(s, s->opt->data_dir, "overrides.csv");
	void *records;
	size_t n;

	if (!file_exists(path))
		return true;
	if (!csv_read_records(path, fields, LEN(fields), sizeof(struct override_record), SIZE_MAX,
			      s->arena, &records, &n, err))
		return false;
	const struct override_record *r = records;
	s->link_accepted.v = arena_array(s->arena, n, sizeof(struct str));
	for (size_t i = 0; i < n; i++)
		if (str_eq(r[i].decision, STR("accept"))
		    && str_find(r[i].file, STR("/"), 0) == r[i].file.len)
			s->link_accepted.v[s->link_accepted.n++] = r[i].file;
	return true;
}

/* As-of rule: a device released after the edition's date does not exist for it, not even as a link between
 * the series that others were measured in. */
static void drop_newer_devices(struct stage *s)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->obs.n; i++)
		if (s->devices->v[s->obs.v[i].device].release_date.day <= s->opt->edition->date.day)
			s->obs.v[kept++] = s->obs.v[i];
	s->obs.n = kept;
}

static bool compute(struct stage *s, struct error *err)
{
	const struct edition *e = s->opt->edition;

	if (device_index(s->devices, e->reference) == s->devices->n)
		return error_set(err, ERR_UNKNOWN,
				 "reference: '" STR_FMT "' is not in the catalogue",
				 STR_ARG(e->reference));
	edition_devices(e, s->devices, s->prices, s->arena, &s->indices, &s->nindices);
	price_lens_compute(e, s->devices, s->prices, s->indices, s->nindices, s->arena,
			   &s->card_prices);
	struct score_input in = { &s->obs,       s->devices,      e, s->indices, s->nindices,
				  &s->estimates, s->link_accepted };
	score_compute(&in, s->arena, &s->scores, &s->classes);
	for (size_t i = 0; i < s->scores.n; i++)
		if (s->scores.v[i].origin != ORIGIN_EXCLUDED) {
			value_compute(&s->scores, &s->card_prices, LENS_CARD, s->arena, &s->values);
			return true;
		}
	return error_set(err, ERR_DATA,
			 "no device of the edition '" STR_FMT "' can be scored in any class",
			 STR_ARG(e->name));
}

/* Only the alarms: the other notes explain, and stand in the report. */
static void report(const struct stage *s, struct messages *messages)
{
	for (size_t i = 0; i < s->opt->edition->nclasses; i++) {
		const struct score_class *c = &s->classes[i];

		for (size_t j = 0; j < c->alarms.n; j++)
			messages_add(messages, (struct pos){ 0 }, STR_FMT ": " STR_FMT,
				     STR_ARG(class_name(c->class)), STR_ARG(c->alarms.v[j]));
	}
}

/* Nothing that was refused gets lost: the report names these too. */
static bool write_refused_prices(const struct stage *s, struct error *err)
{
	const struct messages *m = s->opt->refused_prices;
	struct csv_out w = { .buf.arena = s->arena };
	struct str root = str_printf(s->arena, "%s/", s->opt->data_dir);

	strbuf_add(&w.buf, STR("file,line,column,reason\n"));
	for (size_t i = 0; m && i < m->n; i++) {
		struct str file = str_of(m->v[i].pos.file ? m->v[i].pos.file : "");
		csv_put(&w, str_starts(file, root) ? str_slice(file, root.len, file.len) : file);
		csv_put_int(&w, m->v[i].pos.line);
		csv_put_int(&w, m->v[i].pos.col);
		csv_put(&w, m->v[i].text);
		csv_end_row(&w);
	}
	return file_write(data_path(s, "price-rejects.csv"), strbuf_str(&w.buf), err);
}

static bool write_all(const struct stage *s, struct error *err)
{
	const struct summary summary = { s->opt->edition, s->classes, &s->card_prices, s->nindices,
					 s->newest_benchmark };
	size_t nclasses = s->opt->edition->nclasses;

	return file_make_dirs(path_of(s, s->opt->out_dir, "data"), err)
	       && score_write(&s->scores, s->devices, data_path(s, "scores.csv"), s->arena, err)
	       && score_write_backtest(s->classes, nclasses, data_path(s, "backtest.csv"), s->arena,
				       err)
	       && price_lens_write(&s->card_prices, s->devices, data_path(s, "prices.csv"),
				   s->arena, err)
	       && value_write(&s->values, s->devices, data_path(s, "values.csv"), s->arena, err)
	       && write_refused_prices(s, err)
	       && summary_write(&summary, data_path(s, "edition.csv"), s->arena, err);
}

bool analyze_run(const struct analyze_options *opt, const struct devices *devices,
		 const struct prices *prices, struct arena *a, struct messages *messages,
		 struct error *err)
{
	struct stage s = { .opt = opt, .devices = devices, .prices = prices, .arena = a };

	if (!observations_read(data_path(&s, "observations.csv"), devices, a, &s.obs, err)
	    || !estimates_read(path_of(&s, opt->data_dir, "estimates.csv"), devices, a,
			       &s.estimates, err)
	    || !read_accepted_links(&s, err)
	    || !summary_newest_benchmark(data_path(&s, "machines.csv"), a, &s.newest_benchmark, err))
		return false;
	drop_newer_devices(&s);
	if (!compute(&s, err))
		return false;
	report(&s, messages);
	return write_all(&s, err);
}
