#include "score.h"

#include "../base/num.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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

static struct say said_list(struct arena *a, const struct str_list *names)
{
	struct say_list l = { .arena = a };

	for (size_t i = 0; i < names->n; i++)
		say_add(&l, say_plain(a, names->v[i]));
	return say_join(&l, "comma");
}

static void describe_measured(const struct class_fit *f, size_t row, struct arena *a,
			      struct score *s)
{
	const struct matrix *m = &f->matrix;
	struct str_list series = { arena_array(a, m->ncells, sizeof(struct str)), 0 };
	struct str_list precisions = { arena_array(a, m->ncells, sizeof(struct str)), 0 };
	enum trust best = TRUST_COUNT;

	for (size_t i = 0; i < m->ncells; i++) {
		const struct matrix_cell *c = &m->cells[i];
		if (c->device != row)
			continue;
		series.v[series.n++] = m->columns[c->column].series;
		precisions.v[precisions.n++] = c->precision.len ? c->precision : STR("unstated");
		s->runs += c->runs;
		s->workloads++;
		if (c->trust != TRUST_COUNT && (best == TRUST_COUNT || c->trust > best))
			best = c->trust;
	}
	s->trust = best == TRUST_COUNT ? STR("") : trust_name(best);
	sort_unique(&series);
	sort_unique(&precisions);
	s->series = join(a, &series, STR(" "));
	s->precisions = join(a, &precisions, STR(" "));
	s->machines = matrix_machines(m, row, a);
	s->origin = ORIGIN_MEASURED;
	s->score = f->score[row];
	s->low = f->low[row];
	s->high = f->high[row];
	s->peer_low = f->peer_low[row];
	s->peer_high = f->peer_high[row];
}

double score_rounded(double v)
{
	char buf[32];
	double out = v;

	if (isfinite(v) && snprintf(buf, sizeof buf, "%.12g", v) > 0)
		num_parse(str_of(buf), false, &out);
	return out;
}

double score_error_pct(double factor)
{
	return score_rounded((score_rounded(factor) - 1) * 100);
}

/* One class on its way to its entries. */
struct scoring {
	const struct score_input *in;
	const struct class_fit_input *fit_in;
	const struct class_fit *fit;
	struct arena *arena;
};

/* The anchor column is the device, or "all" where every source takes part: then the predictor names the
 * nearest, which says most. */
static void describe_scaled(const struct scoring *c, const struct scale_method *method,
			    const struct scale_prediction *p, double factor, struct score *s)
{
	struct str nearest = STR("");

	s->anchor = c->in->devices->v[p->anchor].name;
	if (p->all) {
		nearest = str_printf(c->arena, ", nearest " STR_FMT, STR_ARG(s->anchor));
		s->anchor = STR("all");
	}
	s->predictor = str_printf(c->arena, STR_FMT " " STR_FMT STR_FMT, STR_ARG(method->name), STR_ARG(p->spec),
				  STR_ARG(nearest));
	s->error_pct = score_error_pct(factor);
}

/* Holds a scaled score against the card's own 32-bit rows: 16 bit is no slower than what they say,
 * nor faster than that by more than its rate or half the traffic allows. An interval beyond is
 * drawn to it. Returns what there is to say. */
static struct say heed_wide(const struct scoring *c, struct score *s)
{
	const struct device *d = &c->in->devices->v[s->device];
	double least = class_fit_wide_score(c->fit, s->device, c->arena);
	double gain = fmax(2, scale_rate_16bit(d) / d->fp32_tflops); /* NAN is passed over */

	if (isnan(least))
		return (struct say){ STR("") };
	bool above = least > s->high, below = least * gain < s->low;
	s->high = fmax(s->high, least);
	s->peer_high = fmax(s->peer_high, least);
	s->low = fmin(s->low, least * gain);
	s->peer_low = fmin(s->peer_low, least * gain);
	return say(c->arena,
		   above   ? "score.wide_above"
		   : below ? "score.wide_below"
			   : "score.wide",
		   (const struct say_arg[]){
		       say_figure("score", str_printf(c->arena, "%.3g", least)), say_end() });
}

static bool try_scaled(const struct scoring *c, struct score *s)
{
	const struct scale_method *method;
	struct scale_prediction p;
	double own, total;

	if (!class_fit_scale(c->fit, c->fit_in, s->device, c->arena, &method, &p, &own, &total,
			     &s->reason))
		return false;
	s->origin = ORIGIN_SCALED;
	s->score = p.score;
	s->low = p.score / total;
	s->high = p.score * total;
	s->peer_low = p.score / own;
	s->peer_high = p.score * own;
	describe_scaled(c, method, &p, own, s);
	s->reason = heed_wide(c, s);
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
	describe_scaled(c, c->fit->reference_method, p, c->fit->reference_factor, s);
}

static bool try_estimated(const struct scoring *c, struct score *s)
{
	const struct estimate *e =
	    estimate_find(c->in->estimates, s->device, s->class, c->in->edition->date);
	const struct scale_method *method;
	struct scale_prediction p;
	double base, own, total;
	struct say why;

	if (!e)
		return false;
	if (isnan(e->ratio)) {
		s->reason = say(c->arena, "score.stated",
				(const struct say_arg[]){
				    say_put("text", say_data(c->arena, e->text, NULL)),
				    say_name("source", e->source),
				    say_put("date", say_date(c->arena, e->date)), say_end() });
		return true;
	}
	if (class_fit_measured(c->fit, e->relative_to))
		base = c->fit->score[class_fit_row(c->fit, e->relative_to)];
	else if (class_fit_scale(c->fit, c->fit_in, e->relative_to, c->arena, &method, &p, &own,
				 &total, &why))
		base = p.score;
	else
		return false;
	s->origin = ORIGIN_ESTIMATED;
	s->score = e->ratio * base;
	s->anchor = c->in->devices->v[e->relative_to].name;
	s->predictor = str_printf(c->arena, STR_FMT ", " STR_FMT, STR_ARG(e->source),
				  STR_ARG(date_iso(c->arena, e->date)));
	s->reason = say_data(c->arena, e->text, NULL);
	return true;
}

/* Why the device's own rows give it no score though it has some. */
static struct say not_comparable(const struct scoring *c, size_t row)
{
	const struct matrix *m = &c->fit->matrix;
	struct str_list series = { arena_array(c->arena, m->ncells, sizeof(struct str)), 0 };

	for (size_t i = 0; i < m->ncells; i++)
		if (m->cells[i].device == row)
			series.v[series.n++] = m->columns[m->cells[i].column].series;
	if (series.n == 0)
		return say(c->arena, "score.wide_only", NULL);
	sort_unique(&series);
	return say(c->arena, "score.not_comparable",
		   (const struct say_arg[]){ say_put("series", said_list(c->arena, &series)),
					     say_end() });
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
		struct say own = not_comparable(c, row);
		bool scaled = try_scaled(c, &s);
		struct say_list both = { .arena = c->arena };
		say_add(&both, own);
		say_add(&both, s.reason);
		s.reason = scaled ? say_join(&both, "semicolon")
				  : say(c->arena, "score.not_scaled",
					(const struct say_arg[]){ say_put("own", own),
								  say_put("why", s.reason),
								  say_end() });
	} else {
		try_scaled(c, &s);
	}
	return s;
}

static struct score score_device(const struct scoring *c, size_t device)
{
	struct score s = unrounded_score(c, device);

	s.score = score_rounded(s.score);
	s.low = score_rounded(s.low);
	s.high = score_rounded(s.high);
	s.peer_low = score_rounded(s.peer_low);
	s.peer_high = score_rounded(s.peer_high);
	return s;
}

static void add_note(struct say_notes *notes, struct say text)
{
	notes->v[notes->n++] = text;
}

/* Fixed notes of a class, and one for each device set aside. */
enum { CLASS_NOTES_FIXED = 6 };

static void note_reference(const struct scoring *c, struct say_notes *notes)
{
	struct str name = c->in->edition->reference;
	const struct scale_prediction *p = &c->fit->reference_prediction;

	if (c->fit->reference == REFERENCE_SCALED)
		add_note(notes,
			 say(c->arena, "score-note.reference_scaled",
			     (const struct say_arg[]){
				 say_name("reference", name), say_name("spec", p->spec),
				 say_put("anchor", scale_anchor_said(p, c->in->devices, c->arena)),
				 say_fixed("factor", c->fit->reference_factor, 2), say_end() }));
	if (c->fit->reference == REFERENCE_NONE)
		add_note(notes, say(c->arena, "score-note.no_reference",
				    (const struct say_arg[]){ say_name("reference", name),
							      say_put("why", c->fit->why_none),
							      say_end() }));
}

static void collect_notes(const struct scoring *c, struct score_class *summary)
{
	struct say_notes *notes = &summary->notes;
	const struct matrix *m = &c->fit->matrix;

	notes->v = arena_array(c->arena, CLASS_NOTES_FIXED + m->ndevices, sizeof *notes->v);
	note_reference(c, notes);
	if (c->fit->anchors_replaced && c->in->edition->anchors.n) {
		struct say names = said_list(c->arena, &c->in->edition->anchors);
		add_note(notes, say(c->arena, "score-note.anchors_replaced",
				    (const struct say_arg[]){ say_put("anchors", names),
							      say_end() }));
	}
	if (summary->anchors.n) {
		struct say names = said_list(c->arena, &summary->anchors);
		add_note(notes, say(c->arena, "score-note.anchors",
				    (const struct say_arg[]){ say_put("anchors", names),
							      say_end() }));
	}
	if (summary->from_all)
		add_note(notes, say(c->arena, "score-note.from_all", NULL));
	if (m->parts_left_out)
		add_note(notes, say(c->arena, "score-note.parts",
				    (const struct say_arg[]){ say_count("n", m->parts_left_out),
							      say_end() }));
	if (m->wide_left_out)
		add_note(notes, say(c->arena, "score-note.wide",
				    (const struct say_arg[]){ say_count("n", m->wide_left_out),
							      say_end() }));
	size_t calm = notes->n;
	for (size_t r = 0; r < m->ndevices; r++)
		if (c->fit->set_aside[r])
			add_note(notes,
				 say(c->arena, "score-note.set_aside",
				     (const struct say_arg[]){
					 say_name("device", c->in->devices->v[m->devices[r]].name),
					 say_put("why", c->fit->set_aside_why[r]), say_end() }));
	summary->alarms = (struct say_notes){ notes->v + calm, notes->n - calm };
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

/* "kriging", or both methods where they differ. */
static struct str method_text(const struct scoring *c)
{
	struct str near = class_fit_backtest(c->fit, BACKTEST_REPRESENTED)->method->name;
	struct str far = class_fit_backtest(c->fit, BACKTEST_NOT_REPRESENTED)->method->name;

	return str_eq(near, far) ? near
				 : str_printf(c->arena, STR_FMT "; " STR_FMT
							" where nobody measured the architecture",
					      STR_ARG(near), STR_ARG(far));
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
				     .method = method_text(c),
				     .fit = c->fit,
				     .measured = c->fit->nsources,
				     .reference = reference_names[c->fit->reference] };
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
	for (size_t i = 0; i < n; i++)
		out->from_all = out->from_all || (v[i].origin == ORIGIN_SCALED && str_eq(v[i].anchor, STR("all")));
	collect_notes(c, out);
}

/* The fits of all classes with their intervals. */
static struct class_fit *fit_classes(const struct class_fit_input *fit_in, struct arena *a)
{
	const struct edition *e = fit_in->edition;
	struct class_fit *fits = arena_array(a, e->nclasses, sizeof *fits);
	struct class_pool pool = { 0 };

	for (size_t i = 0; i < e->nclasses; i++) {
		class_fit_run(fit_in, &e->classes[i], a, &fits[i]);
		class_fit_pool(&fits[i], &pool);
	}
	for (size_t i = 0; i < e->nclasses; i++)
		class_fit_intervals(&fits[i], &pool, a);
	return fits;
}

bool score_compute(const struct score_input *in, struct arena *a, struct scores *out,
		   struct score_class **classes, struct error *err)
{
	struct class_fit_input fit_in = {
		.obs = in->obs,
		.devices = in->devices,
		.edition = in->edition,
		.reference = device_index(in->devices, in->edition->reference),
		.link_accepted = &in->link_accepted,
	};
	size_t nclasses = in->edition->nclasses;

	for (size_t i = 0; i < nclasses; i++)
		if (!backtest_check_method(&in->edition->classes[i], a, err))
			return false;
	struct class_fit *fits = fit_classes(&fit_in, a);
	out->n = 0;
	out->v = arena_array(a, nclasses * in->nindices, sizeof *out->v);
	*classes = arena_array(a, nclasses, sizeof **classes);
	for (size_t i = 0; i < nclasses; i++) {
		struct scoring c = { in, &fit_in, &fits[i], a };
		struct score *first = &out->v[out->n];

		for (size_t j = 0; j < in->nindices; j++)
			out->v[out->n++] = score_device(&c, in->indices[j]);
		summarise(&c, first, in->nindices, &(*classes)[i]);
	}
	return true;
}
