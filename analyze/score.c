#include "score.h"

#include "class_fit.h"
#include "../base/csv_write.h"
#include "../base/file.h"
#include "../base/num.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const struct str method_name = STR_INIT("linear");

static int str_order(const void *x, const void *y)
{
	return str_cmp(*(const struct str *)x, *(const struct str *)y);
}

/* Keeps one of each, in byte order. */
static void sort_unique(struct str_list *l)
{
	size_t n = 0;

	qsort(l->v, l->n, sizeof *l->v, str_order);
	for (size_t i = 0; i < l->n; i++)
		if (n == 0 || !str_eq(l->v[n - 1], l->v[i]))
			l->v[n++] = l->v[i];
	l->n = n;
}

static struct str join(struct arena *a, const struct str_list *l, struct str between)
{
	struct strbuf b = { .arena = a };

	for (size_t i = 0; i < l->n; i++) {
		if (i)
			strbuf_add(&b, between);
		strbuf_add(&b, l->v[i]);
	}
	return strbuf_str(&b);
}

/* The machines of one device: a named one once, a nameless one for as many as its rows count. */
static int count_machines(const struct matrix *m, size_t row, struct arena *a)
{
	bool *seen = arena_array(a, m->nmachines, sizeof *seen);
	int n = 0;

	for (size_t i = 0; i < m->ncells; i++) {
		const struct matrix_cell *c = &m->cells[i];
		for (size_t j = 0; c->device == row && j < c->nvalues; j++) {
			size_t machine = c->values[j].machine;
			n += seen[machine] ? 0 : m->machines[machine].count;
			seen[machine] = true;
		}
	}
	return n;
}

static void describe_measured(const struct class_fit *f, size_t row, struct arena *a,
			      struct score *s)
{
	const struct matrix *m = &f->matrix;
	struct str_list series = { arena_array(a, m->ncells, sizeof(struct str)), 0 };
	struct str_list precisions = { arena_array(a, m->ncells, sizeof(struct str)), 0 };

	for (size_t i = 0; i < m->ncells; i++) {
		const struct matrix_cell *c = &m->cells[i];
		if (c->device != row)
			continue;
		series.v[series.n++] = m->columns[c->column].series;
		precisions.v[precisions.n++] = c->precision.len ? c->precision : STR("unstated");
		s->runs += c->runs;
		s->workloads++;
	}
	sort_unique(&series);
	sort_unique(&precisions);
	s->series = join(a, &series, STR(" "));
	s->precisions = join(a, &precisions, STR(" "));
	s->machines = count_machines(m, row, a);
	s->origin = ORIGIN_MEASURED;
	s->score = f->score[row];
	s->low = f->low[row];
	s->high = f->high[row];
	s->peer_low = f->peer_low[row];
	s->peer_high = f->peer_high[row];
}

/* 12 significant digits: the last ones of exp() and log() differ between mathematical libraries,
 * and the files are compared byte by byte. */
static double rounded(double v)
{
	char buf[32];
	double out = v;

	if (isfinite(v) && snprintf(buf, sizeof buf, "%.12g", v) > 0)
		num_parse(str_of(buf), false, &out);
	return out;
}

/* One class on its way to its entries. */
struct scoring {
	const struct score_input *in;
	const struct class_fit_input *fit_in;
	const struct class_fit *fit;
	struct arena *arena;
};

static bool try_scaled(const struct scoring *c, struct score *s)
{
	struct scale_prediction p;
	double own, total;

	if (!class_fit_scale(c->fit, c->fit_in, s->device, c->arena, &p, &own, &total, &s->reason))
		return false;
	s->origin = ORIGIN_SCALED;
	s->score = p.score;
	s->low = p.score / total;
	s->high = p.score * total;
	s->peer_low = p.score / own;
	s->peer_high = p.score * own;
	s->anchor = c->in->devices->v[p.anchor].name;
	s->predictor = str_printf(c->arena, STR_FMT " " STR_FMT, STR_ARG(c->fit->method->name),
				  STR_ARG(p.spec));
	s->error_pct = (own - 1) * 100;
	s->reason = STR("");
	return true;
}

/* The reference that nobody measured is 1.0 by definition; its error stands in all the others. */
static void fix_reference(const struct scoring *c, struct score *s)
{
	const struct scale_prediction *p = &c->fit->reference_prediction;

	s->origin = ORIGIN_SCALED;
	s->score = s->low = s->high = 1;
	s->peer_low = 1 / c->fit->reference_factor;
	s->peer_high = c->fit->reference_factor;
	s->anchor = c->in->devices->v[p->anchor].name;
	s->predictor = str_printf(c->arena, STR_FMT " " STR_FMT, STR_ARG(c->fit->method->name),
				  STR_ARG(p->spec));
	s->error_pct = (c->fit->reference_factor - 1) * 100;
}

static bool try_estimated(const struct scoring *c, struct score *s)
{
	const struct estimate *e =
	    estimate_find(c->in->estimates, s->device, s->class, c->in->edition->date);
	struct scale_prediction p;
	double base, own, total;
	struct str why;

	if (!e)
		return false;
	if (isnan(e->ratio)) {
		s->reason = str_printf(c->arena, STR_FMT " (" STR_FMT ", " STR_FMT ")", STR_ARG(e->text),
				       STR_ARG(e->source), STR_ARG(date_iso(c->arena, e->date)));
		return true;
	}
	if (class_fit_measured(c->fit, e->relative_to))
		base = c->fit->score[class_fit_row(c->fit, e->relative_to)];
	else if (class_fit_scale(c->fit, c->fit_in, e->relative_to, c->arena, &p, &own, &total,
				 &why))
		base = p.score;
	else
		return false;
	s->origin = ORIGIN_ESTIMATED;
	s->score = e->ratio * base;
	s->anchor = c->in->devices->v[e->relative_to].name;
	s->predictor = str_printf(c->arena, STR_FMT ", " STR_FMT, STR_ARG(e->source),
				  STR_ARG(date_iso(c->arena, e->date)));
	s->reason = e->text;
	return true;
}

/* Why the device's own rows give it no score though it has some. */
static struct str not_comparable(const struct scoring *c, size_t row)
{
	const struct matrix *m = &c->fit->matrix;
	struct str_list series = { arena_array(c->arena, m->ncells, sizeof(struct str)), 0 };

	for (size_t i = 0; i < m->ncells; i++)
		if (m->cells[i].device == row)
			series.v[series.n++] = m->columns[m->cells[i].column].series;
	if (series.n == 0)
		return STR(
		    "not comparable: its rows are in 32 bit only where other cards ran in 16 bit");
	sort_unique(&series);
	struct str names = join(c->arena, &series, STR(", "));
	return str_printf(c->arena,
			  "not comparable: its rows (" STR_FMT
			  ") share no workload of one series with cards that lead to the reference",
			  STR_ARG(names));
}

static struct score unrounded_score(const struct scoring *c, size_t device)
{
	struct score s = { .device = device,
			   .class = c->fit->class->id,
			   .origin = ORIGIN_EXCLUDED,
			   .score = NAN,
			   .low = NAN,
			   .high = NAN,
			   .peer_low = NAN,
			   .peer_high = NAN,
			   .error_pct = NAN };
	size_t row = class_fit_row(c->fit, device);
	bool has_rows = row < c->fit->matrix.ndevices;

	if (class_fit_measured(c->fit, device)) {
		describe_measured(c->fit, row, c->arena, &s);
	} else if (c->fit->reference == REFERENCE_SCALED && device == c->fit_in->reference) {
		fix_reference(c, &s);
	} else if (try_estimated(c, &s)) {
		return s;
	} else if (has_rows && c->fit->set_aside[row]) {
		s.reason = c->fit->set_aside_why[row];
	} else if (has_rows && !c->fit->fit.in[row]) {
		struct str own = not_comparable(c, row);
		bool scaled = try_scaled(c, &s);
		s.reason = scaled ? own
				  : str_printf(c->arena, STR_FMT "; not scaled: " STR_FMT,
					       STR_ARG(own), STR_ARG(s.reason));
	} else {
		try_scaled(c, &s);
	}
	return s;
}

static struct score score_device(const struct scoring *c, size_t device)
{
	struct score s = unrounded_score(c, device);

	s.score = rounded(s.score);
	s.low = rounded(s.low);
	s.high = rounded(s.high);
	s.peer_low = rounded(s.peer_low);
	s.peer_high = rounded(s.peer_high);
	s.error_pct = rounded(s.error_pct);
	return s;
}

static void add_note(struct str_list *notes, struct str text)
{
	notes->v[notes->n++] = text;
}

/* Fixed notes of a class, and one for each device set aside. */
enum { CLASS_NOTES_FIXED = 5 };

static void note_reference(const struct scoring *c, struct str_list *notes)
{
	struct str name = c->in->edition->reference;
	const struct scale_prediction *p = &c->fit->reference_prediction;

	if (c->fit->reference == REFERENCE_SCALED)
		add_note(notes,
			 str_printf(
			     c->arena,
			     STR_FMT " itself is not measured here: it is scaled by " STR_FMT
				     " from " STR_FMT
				     ", at the 90th percentile within a factor %.2f, and every "
				     "interval of the class carries that error.",
			     STR_ARG(name), STR_ARG(p->spec),
			     STR_ARG(c->in->devices->v[p->anchor].name), c->fit->reference_factor));
	if (c->fit->reference == REFERENCE_NONE)
		add_note(notes, str_printf(c->arena,
					   "No device has a score here: " STR_FMT
					   " is not measured, and " STR_FMT ".",
					   STR_ARG(name), STR_ARG(c->fit->why_none)));
}

static void collect_notes(const struct scoring *c, struct score_class *summary)
{
	struct str_list *notes = &summary->notes;
	const struct matrix *m = &c->fit->matrix;

	notes->v = arena_array(c->arena, CLASS_NOTES_FIXED + m->ndevices, sizeof *notes->v);
	note_reference(c, notes);
	if (c->fit->anchors_replaced && c->in->edition->anchors.n) {
		struct str names = join(c->arena, &c->in->edition->anchors, STR(", "));
		add_note(notes, str_printf(c->arena,
					   "None of the edition's anchors (" STR_FMT
					   ") is measured here: any measured card serves.",
					   STR_ARG(names)));
	}
	if (summary->anchors.n) {
		struct str names = join(c->arena, &summary->anchors, STR(", "));
		add_note(notes, str_printf(c->arena, "Scaled cards come from: " STR_FMT ".",
					   STR_ARG(names)));
	}
	if (m->parts_left_out)
		add_note(notes, str_printf(c->arena,
					   "Parts of a step are left out where the whole step is "
					   "timed too (rows: %zu).",
					   m->parts_left_out));
	if (m->wide_left_out)
		add_note(notes,
			 str_printf(c->arena,
				    "32-bit figures of cards with fast 16-bit units are left "
				    "out where other cards ran in 16 bit (figures: %zu).",
				    m->wide_left_out));
	size_t calm = notes->n;
	for (size_t r = 0; r < m->ndevices; r++)
		if (c->fit->set_aside[r])
			add_note(notes, str_printf(c->arena, STR_FMT " is set aside, " STR_FMT ".",
						   STR_ARG(c->in->devices->v[m->devices[r]].name),
						   STR_ARG(c->fit->set_aside_why[r])));
	summary->alarms = (struct str_list){ notes->v + calm, notes->n - calm };
}

/* The anchors that the listed scaled scores rest on, in the order of devices.csv. */
static struct str_list used_anchors(const struct scoring *c, const struct score *v, size_t n)
{
	struct str_list l = { arena_array(c->arena, c->fit->nsources, sizeof(struct str)), 0 };

	for (size_t i = 0; i < c->fit->nsources; i++) {
		struct str name = c->in->devices->v[c->fit->sources[i].device].name;
		bool used = false;
		for (size_t j = 0; j < n; j++)
			used = used || (v[j].origin == ORIGIN_SCALED && str_eq(v[j].anchor, name));
		if (used)
			l.v[l.n++] = name;
	}
	return l;
}

static void summarise(const struct scoring *c, const struct score *v, size_t n,
		      struct score_class *out)
{
	static const struct str reference_names[] = {
		[REFERENCE_MEASURED] = STR_INIT("measured"),
		[REFERENCE_SCALED] = STR_INIT("scaled"),
		[REFERENCE_NONE] = STR_INIT("none"),
	};
	const struct matrix *m = &c->fit->matrix;
	bool *column_in = arena_array(c->arena, m->ncolumns, sizeof *column_in);

	*out = (struct score_class){ .class = c->fit->class->id,
				     .method = c->fit->method->name,
				     .measured = c->fit->nsources,
				     .reference = reference_names[c->fit->reference] };
	for (int k = 0; k < BACKTEST_CASES; k++)
		out->backtest[k] = c->fit->backtest.cases[k];
	out->series.v = arena_array(c->arena, m->ncolumns, sizeof(struct str));
	for (size_t i = 0; i < m->ncells; i++) {
		size_t j = m->cells[i].column;
		if (!c->fit->fit.in[m->cells[i].device] || c->fit->set_aside[m->cells[i].device]
		    || column_in[j])
			continue;
		column_in[j] = true;
		out->workloads++;
		out->series.v[out->series.n++] = m->columns[j].series;
	}
	sort_unique(&out->series);
	out->anchors = used_anchors(c, v, n);
	collect_notes(c, out);
}

/* Spread between machines of one card over all classes, for those that have no cell of two
 * machines. */
static double pooled_sigma(const struct score_input *in, struct arena *a)
{
	double sum = 0;
	size_t freedom = 0;

	for (size_t i = 0; i < in->edition->nclasses; i++) {
		struct matrix m;
		matrix_build(in->obs, &in->edition->classes[i], in->devices, a, &m);
		matrix_within(&m, &sum, &freedom);
	}
	return freedom ? sqrt(sum / (double)freedom) : NAN;
}

void score_compute(const struct score_input *in, struct arena *a, struct scores *out,
		   struct score_class **classes)
{
	struct class_fit_input fit_in = {
		.obs = in->obs,
		.devices = in->devices,
		.edition = in->edition,
		.reference = device_index(in->devices, in->edition->reference),
		.link_accepted = &in->link_accepted,
		.method = scale_method_find(method_name),
		.sigma_elsewhere = pooled_sigma(in, a),
	};

	out->n = 0;
	out->v = arena_array(a, in->edition->nclasses * in->nindices, sizeof *out->v);
	*classes = arena_array(a, in->edition->nclasses, sizeof **classes);
	for (size_t i = 0; i < in->edition->nclasses; i++) {
		struct class_fit fit;
		struct scoring c = { in, &fit_in, &fit, a };
		struct score *first = &out->v[out->n];

		class_fit_run(&fit_in, &in->edition->classes[i], a, &fit);
		for (size_t j = 0; j < in->nindices; j++)
			out->v[out->n++] = score_device(&c, in->indices[j]);
		summarise(&c, first, in->nindices, &(*classes)[i]);
	}
}

static void put_counts(struct csv_out *w, const struct score *s)
{
	const int counts[] = { s->machines, s->runs, s->workloads };

	for (size_t i = 0; i < LEN(counts); i++) {
		if (s->origin == ORIGIN_MEASURED)
			csv_put_int(w, counts[i]);
		else
			csv_put_missing(w);
	}
}

bool score_write(const struct scores *scores, const struct devices *devices, const char *path,
		 struct arena *a, struct error *err)
{
	struct csv_out w = { .buf.arena = a };

	strbuf_add(&w.buf,
		   STR("device,class,score,low,high,origin,anchor,predictor,error_pct,machines,"
		       "runs,workloads,series,reason,precisions,peer_low,peer_high\n"));
	for (size_t i = 0; i < scores->n; i++) {
		const struct score *s = &scores->v[i];
		csv_put(&w, devices->v[s->device].name);
		csv_put(&w, class_name(s->class));
		csv_put_num(&w, s->score);
		csv_put_num(&w, s->low);
		csv_put_num(&w, s->high);
		csv_put(&w, origin_name(s->origin));
		csv_put(&w, s->anchor);
		csv_put(&w, s->predictor);
		csv_put_num(&w, s->error_pct);
		put_counts(&w, s);
		csv_put(&w, s->series);
		csv_put(&w, s->reason);
		csv_put(&w, s->precisions);
		csv_put_num(&w, s->peer_low);
		csv_put_num(&w, s->peer_high);
		csv_end_row(&w);
	}
	return file_write(path, strbuf_str(&w.buf), err);
}

bool score_write_backtest(const struct score_class *classes, size_t n, const char *path,
			  struct arena *a, struct error *err)
{
	struct csv_out w = { .buf.arena = a };

	strbuf_add(&w.buf, STR("class,method,n,median_error_pct,p90_error_pct,case\n"));
	for (size_t i = 0; i < n; i++)
		for (int k = 0; k < BACKTEST_CASES; k++) {
			const struct backtest_error *e = &classes[i].backtest[k];
			csv_put(&w, class_name(classes[i].class));
			csv_put(&w, classes[i].method);
			csv_put_int(&w, (long)e->n);
			csv_put_num(&w, rounded((e->median_factor - 1) * 100));
			csv_put_num(&w, rounded((e->p90_factor - 1) * 100));
			csv_put(&w, backtest_case_name((enum backtest_case)k));
			csv_end_row(&w);
		}
	return file_write(path, strbuf_str(&w.buf), err);
}
