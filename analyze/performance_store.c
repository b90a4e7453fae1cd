#include "performance_store.h"

#include "../base/file.h"
#include "../base/pack.h"

#include <stdint.h>

/* --- what it hangs on --- */

static bool add_file(struct cache_key *k, const char *path, bool may_be_absent)
{
	struct arena scratch = { 0 };
	struct error ignored = { 0 };
	struct str text = { 0 };
	bool there = file_exists(path);
	bool good = there ? file_read(path, 0, &scratch, &text, &ignored) : may_be_absent;

	cache_key_add(k, there ? STR("there") : STR("absent"));
	cache_key_add(k, text);
	arena_free(&scratch);
	return good;
}

static void add_list(struct cache_key *k, const struct str_list *l)
{
	cache_key_add_number(k, (double)l->n);
	for (size_t i = 0; i < l->n; i++)
		cache_key_add(k, l->v[i]);
}

static void add_class(struct cache_key *k, const struct edition_class *c)
{
	cache_key_add(k, class_name(c->id));
	cache_key_add_number(k, (double)c->policy);
	cache_key_add(k, c->precision);
	add_list(k, &c->spec_names);
	cache_key_add(k, c->method);
}

static void add_edition(struct cache_key *k, const struct edition *e)
{
	cache_key_add(k, e->reference);
	add_list(k, &e->anchors);
	cache_key_add_number(k, e->max_error);
	cache_key_add_number(k, (double)e->nclasses);
	for (size_t i = 0; i < e->nclasses; i++)
		add_class(k, &e->classes[i]);
}

/* What exists by the edition's date, a byte each; and which devices are listed. */
static void add_present(struct cache_key *k, const struct score_input *in, struct arena *a)
{
	struct date date = in->edition->date;
	struct strbuf devices = { .arena = a }, estimates = { .arena = a };

	for (size_t i = 0; i < in->devices->n; i++)
		strbuf_addc(&devices, in->devices->v[i].release_date.day <= date.day ? '1' : '0');
	for (size_t i = 0; i < in->estimates->n; i++)
		strbuf_addc(&estimates, in->estimates->v[i].date.day <= date.day ? '1' : '0');
	cache_key_add(k, strbuf_str(&devices));
	cache_key_add(k, strbuf_str(&estimates));
	cache_key_add_number(k, (double)in->nindices);
	for (size_t i = 0; i < in->nindices; i++)
		cache_key_add_number(k, (double)in->indices[i]);
}

struct str performance_key(struct cache *cache, const struct score_input *in,
			   const char *observations, const char *data_dir, struct arena *a)
{
	static const struct {
		struct str name;
		bool may_be_absent;
	} catalogue[] = {
		{ STR_INIT("devices.csv"), false },
		{ STR_INIT("aliases.csv"), true },
		{ STR_INIT("estimates.csv"), true },
		{ STR_INIT("overrides.csv"), true },
	};

	if (!cache)
		return (struct str){ 0 };
	struct cache_key *k = cache_key_begin("performance 2", a);
	bool good = add_file(k, observations, false);
	for (size_t i = 0; i < LEN(catalogue); i++) {
		const char *path = str_c(a, file_join(a, str_of(data_dir), catalogue[i].name));
		good = add_file(k, path, catalogue[i].may_be_absent) && good;
	}
	add_edition(k, in->edition);
	add_present(k, in, a);
	struct str key = cache_key_end(k);
	return good ? key : (struct str){ 0 };
}

/* --- to bytes --- */

static void put_score(struct strbuf *b, const struct score *s)
{
	const double numbers[] = { s->score,    s->low,       s->high,
				   s->peer_low, s->peer_high, s->error_pct };
	const int counts[] = { s->machines, s->runs, s->workloads };
	const struct str texts[] = { s->anchor, s->predictor, s->series, s->precisions,
				     s->reason.json, s->trust };

	pack_put_int(b, (long long)s->device);
	pack_put_int(b, s->class);
	pack_put_int(b, s->origin);
	for (size_t i = 0; i < LEN(numbers); i++)
		pack_put_num(b, numbers[i]);
	for (size_t i = 0; i < LEN(counts); i++)
		pack_put_int(b, counts[i]);
	for (size_t i = 0; i < LEN(texts); i++)
		pack_put_str(b, texts[i]);
}

static void put_list(struct strbuf *b, const struct str_list *l)
{
	pack_put_int(b, (long long)l->n);
	for (size_t i = 0; i < l->n; i++)
		pack_put_str(b, l->v[i]);
}

/* The alarms are the last of the notes. */
static void put_notes(struct strbuf *b, const struct score_class *c)
{
	pack_put_int(b, (long long)c->notes.n);
	for (size_t i = 0; i < c->notes.n; i++)
		pack_put_str(b, c->notes.v[i].json);
	pack_put_int(b, (long long)c->alarms.n);
}

static void put_prediction(struct strbuf *b, const struct scale_prediction *p)
{
	pack_put_num(b, p->score);
	pack_put_int(b, (long long)p->anchor);
	pack_put_int(b, p->all);
	pack_put_str(b, p->spec);
	pack_put_int(b, p->represented);
	pack_put_num(b, p->log_sd);
}

static void put_backtest(struct strbuf *b, const struct backtest *t)
{
	pack_put_int(b, t->method - scale_methods);
	for (size_t i = 0; i < t->n; i++) {
		pack_put_num(b, t->factor[i]);
		pack_put_num(b, t->factor_out[i]);
		put_prediction(b, &t->prediction[i]);
	}
	for (size_t i = 0; i < BACKTEST_CASES; i++) {
		pack_put_int(b, (long long)t->cases[i].n);
		pack_put_num(b, t->cases[i].median_factor);
		pack_put_num(b, t->cases[i].p90_factor);
	}
	pack_put_num(b, t->sd_scale);
}

static void put_fit(struct strbuf *b, const struct class_fit *f)
{
	pack_put_int(b, (long long)f->nsources);
	for (size_t i = 0; i < f->nsources; i++) {
		pack_put_int(b, (long long)f->sources[i].device);
		pack_put_num(b, f->sources[i].score);
		pack_put_int(b, f->sources[i].anchor);
	}
	for (size_t i = 0; i < SCALE_METHODS; i++)
		put_backtest(b, &f->backtests[i]);
	for (size_t i = 0; i < LEN(f->chosen); i++)
		pack_put_int(b, (long long)f->chosen[i]);
}

static void put_class(struct strbuf *b, const struct score_class *c)
{
	pack_put_str(b, c->method);
	put_fit(b, c->fit);
	pack_put_int(b, (long long)c->measured);
	pack_put_int(b, (long long)c->workloads);
	put_list(b, &c->series);
	put_list(b, &c->anchors);
	pack_put_int(b, c->from_all);
	pack_put_str(b, c->reference);
	put_notes(b, c);
}

/* A class that was not fitted to the end has back-tests of no source. */
static bool is_whole(const struct class_fit *f)
{
	for (size_t i = 0; i < SCALE_METHODS; i++)
		if (!f->backtests[i].method || f->backtests[i].n != f->nsources)
			return false;
	return true;
}

void performance_put(struct cache *cache, struct str key, const struct score_input *in,
		     const struct scores *scores, const struct score_class *classes)
{
	struct arena scratch = { 0 };
	struct strbuf b = { .arena = &scratch };
	bool whole = true;

	if (key.len == 0)
		return;
	pack_put_int(&b, (long long)scores->n);
	for (size_t i = 0; i < scores->n; i++)
		put_score(&b, &scores->v[i]);
	for (size_t i = 0; i < in->edition->nclasses && whole; i++) {
		whole = is_whole(classes[i].fit);
		if (whole)
			put_class(&b, &classes[i]);
	}
	if (whole)
		cache_put(cache, key, strbuf_str(&b));
	arena_free(&scratch);
}

/* --- from bytes --- */

static struct score take_score(struct unpack *u, size_t ndevices)
{
	struct score s = { .device = unpack_index(u, ndevices) };
	double *const numbers[] = { &s.score,    &s.low,       &s.high,
				    &s.peer_low, &s.peer_high, &s.error_pct };
	int *const counts[] = { &s.machines, &s.runs, &s.workloads };
	struct str *const texts[] = { &s.anchor, &s.predictor, &s.series, &s.precisions,
				      &s.reason.json, &s.trust };

	s.class = (enum class_id)unpack_index(u, CLASS_COUNT);
	s.origin = (enum origin)unpack_index(u, ORIGIN_EXCLUDED + 1);
	for (size_t i = 0; i < LEN(numbers); i++)
		*numbers[i] = unpack_num(u);
	for (size_t i = 0; i < LEN(counts); i++)
		*counts[i] = (int)unpack_int(u);
	for (size_t i = 0; i < LEN(texts); i++)
		*texts[i] = unpack_str(u);
	return s;
}

static struct str_list take_list(struct unpack *u, struct arena *a)
{
	struct str_list l = { .n = unpack_count(u) };

	l.v = arena_array(a, l.n, sizeof *l.v);
	for (size_t i = 0; i < l.n; i++)
		l.v[i] = unpack_str(u);
	return l;
}

static void take_notes(struct unpack *u, struct arena *a, struct score_class *c)
{
	struct say_notes *n = &c->notes;

	n->n = unpack_count(u);
	n->v = arena_array(a, n->n, sizeof *n->v);
	for (size_t i = 0; i < n->n; i++)
		n->v[i].json = unpack_str(u);
	c->alarms.n = unpack_index(u, n->n + 1);
	c->alarms.v = n->v + (n->n - c->alarms.n);
}

static struct scale_prediction take_prediction(struct unpack *u, size_t ndevices)
{
	struct scale_prediction p = { .score = unpack_num(u) };

	p.anchor = unpack_index(u, ndevices);
	p.all = unpack_bool(u);
	p.spec = unpack_str(u);
	p.represented = unpack_bool(u);
	p.log_sd = unpack_num(u);
	return p;
}

static void take_backtest(struct unpack *u, size_t nsources, size_t ndevices, struct arena *a,
			  struct backtest *t)
{
	t->method = &scale_methods[unpack_index(u, SCALE_METHODS)];
	t->n = nsources;
	t->factor = arena_array(a, nsources, sizeof *t->factor);
	t->factor_out = arena_array(a, nsources, sizeof *t->factor_out);
	t->prediction = arena_array(a, nsources, sizeof *t->prediction);
	for (size_t i = 0; i < nsources; i++) {
		t->factor[i] = unpack_num(u);
		t->factor_out[i] = unpack_num(u);
		t->prediction[i] = take_prediction(u, ndevices);
	}
	for (size_t i = 0; i < BACKTEST_CASES; i++) {
		t->cases[i].n = unpack_index(u, SIZE_MAX);
		t->cases[i].median_factor = unpack_num(u);
		t->cases[i].p90_factor = unpack_num(u);
	}
	t->sd_scale = unpack_num(u);
}

static const struct class_fit *take_fit(struct unpack *u, const struct edition_class *class,
					size_t ndevices, struct arena *a)
{
	struct class_fit *f = arena_alloc(a, sizeof *f);

	f->class = class;
	f->nsources = unpack_count(u);
	f->sources = arena_array(a, f->nsources, sizeof *f->sources);
	for (size_t i = 0; i < f->nsources; i++) {
		f->sources[i].device = unpack_index(u, ndevices);
		f->sources[i].score = unpack_num(u);
		f->sources[i].anchor = unpack_bool(u);
	}
	for (size_t i = 0; i < SCALE_METHODS; i++)
		take_backtest(u, f->nsources, ndevices, a, &f->backtests[i]);
	for (size_t i = 0; i < LEN(f->chosen); i++)
		f->chosen[i] = unpack_index(u, SCALE_METHODS);
	return f;
}

static struct score_class take_class(struct unpack *u, const struct edition_class *class,
				     size_t ndevices, struct arena *a)
{
	struct score_class c = { .class = class->id, .method = unpack_str(u) };

	c.fit = take_fit(u, class, ndevices, a);
	c.measured = unpack_index(u, SIZE_MAX);
	c.workloads = unpack_index(u, SIZE_MAX);
	c.series = take_list(u, a);
	c.anchors = take_list(u, a);
	c.from_all = unpack_bool(u);
	c.reference = unpack_str(u);
	take_notes(u, a, &c);
	return c;
}

bool performance_get(struct cache *cache, struct str key, const struct score_input *in,
		     struct arena *a, struct scores *scores, struct score_class **classes)
{
	size_t nclasses = in->edition->nclasses, n = in->nindices * nclasses;
	struct unpack u = { 0 };

	if (key.len == 0 || !cache_get(cache, key, a, &u.rest) || unpack_count(&u) != n)
		return false;
	scores->n = n;
	scores->v = arena_array(a, n, sizeof *scores->v);
	*classes = arena_array(a, nclasses, sizeof **classes);
	for (size_t i = 0; i < n && !u.bad; i++)
		scores->v[i] = take_score(&u, in->devices->n);
	for (size_t i = 0; i < nclasses && !u.bad; i++)
		(*classes)[i] = take_class(&u, &in->edition->classes[i], in->devices->n, a);
	return unpack_end(&u);
}
