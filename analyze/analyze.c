#include "analyze.h"

#include "analysis.h"
#include "outputs.h"
#include "performance_store.h"
#include "score_read.h"
#include "summary.h"
#include "../base/file.h"

static const char *path_of(const struct analysis *s, const char *dir, const char *name)
{
	return str_c(s->arena, file_join(s->arena, str_of(dir), str_of(name)));
}

static const char *data_path(const struct analysis *s, const char *name)
{
	return path_of(s, s->out_dir, str_c(s->arena, file_join(s->arena, STR("data"), str_of(name))));
}

/* What the devices cost: the lenses, whole systems, owning against renting. */
static bool compute_costs(struct analysis *s, struct error *err)
{
	if (!hosts_read(s->data_dir, s->arena, &s->hosts, err)
	    || !tariffs_read(s->data_dir, s->arena, &s->tariffs, err)
	    || !tariff_find(&s->tariffs, s->edition, s->arena, &s->tariff, err))
		return false;
	s->cost = (struct cost_input){ s->edition, s->devices, s->prices,  &s->hosts,
				       &s->tariff, s->indices, s->nindices };
	price_lens_compute(&s->cost, s->arena, &s->card_prices);
	price_conditions_compute(&s->cost, s->arena, &s->price_conditions);
	systems_compute(&s->cost, &s->card_prices, s->arena, &s->systems);
	breakeven_compute(&s->cost, &s->card_prices, s->arena, &s->breakevens);
	return true;
}

/* From an earlier run where it is the same work. */
static bool scores_of(struct analysis *s, const struct score_input *in, struct error *err)
{
	struct str key = performance_key(s->cache, in, data_path(s, "observations.csv"), s->data_dir,
					 s->arena);

	if (performance_get(s->cache, key, in, s->arena, &s->scores, &s->classes))
		return true;
	if (!score_compute(in, s->arena, &s->scores, &s->classes, err))
		return false;
	performance_put(s->cache, key, in, &s->scores, s->classes);
	return true;
}

static bool compute_scores(struct analysis *s, struct error *err)
{
	const struct edition *e = s->edition;
	struct score_input in = { &s->obs,       s->devices,      e, s->indices, s->nindices,
				  &s->estimates, s->link_accepted };

	if (!scores_of(s, &in, err))
		return false;
	for (size_t i = 0; i < s->scores.n; i++)
		if (s->scores.v[i].origin != ORIGIN_EXCLUDED)
			return true;
	return error_set(err, ERR_DATA,
			 "no device of the edition '" STR_FMT "' can be scored in any class",
			 STR_ARG(e->name));
}

struct pick_input analysis_pick_input(const struct analysis *s)
{
	return (struct pick_input){
		.devices = s->devices,
		.edition = s->edition,
		.indices = s->indices,
		.nindices = s->nindices,
		.scores = &s->scores,
		.prices = &s->card_prices,
		.conditions = &s->price_conditions,
		.systems = &s->systems,
		.personas = &s->personas,
		.memory = s->memory.n ? &s->memory.settings : NULL,
	};
}

static bool compute_advice(struct analysis *s, struct error *err)
{
	struct pick_input in = analysis_pick_input(s);

	if (!personas_read(s->data_dir, s->devices, s->edition, s->arena, &s->personas, err))
		return false;
	picks_compute(&in, &s->personas, s->arena, &s->picks);
	avoid_compute(&in, &s->personas, s->arena, &s->avoids);
	upgrade_compute(&in, &s->personas, &s->picks, &s->values, s->arena, &s->upgrades);
	return true;
}

/* Who makes and rents the devices, and what the data say of each. */
static bool compute_vendors(struct analysis *s, struct error *err)
{
	const struct vendor_input in = { &s->vendors, s->devices,  s->edition, &s->obs,
					 s->prices,   s->indices,  s->nindices, &s->scores,
					 &s->values,  &s->card_prices };

	if (!vendors_read(s->data_dir, s->edition->date, s->arena, &s->vendors, err))
		return false;
	vendor_facts_compute(&in, s->arena, &s->vendor_facts);
	return true;
}

static bool compute(struct analysis *s, struct error *err)
{
	const struct edition *e = s->edition;

	if (device_index(s->devices, e->reference) == s->devices->n)
		return error_set(err, ERR_UNKNOWN,
				 "reference: '" STR_FMT "' is not in the catalogue",
				 STR_ARG(e->reference));
	edition_devices(e, s->devices, s->prices, s->arena, &s->indices, &s->nindices);
	if (!compute_costs(s, err) || !compute_scores(s, err))
		return false;
	values_compute_all(&s->scores, &s->card_prices, s->arena, &s->values);
	lens_moves_compute(&s->values, s->arena, &s->lens_moves);
	if (!multi_guide_read(s->data_dir, e->date, s->arena, &s->multi, err))
		return false;
	multi_compute(&s->obs, e, s->arena, &s->multi);
	processors_compute(&s->obs, s->devices, s->arena, &s->processors);
	if (!memory_compute(s->data_dir, e, s->arena, &s->memory, err) || !compute_advice(s, err)
	    || !claims_read(s->data_dir, s->arena, &s->claims, err))
		return false;
	claims_compute(s, s->arena, &s->claims);
	return compute_vendors(s, err);
}

/* Only the alarms: the other notes explain, and stand in the report. */
static bool report(const struct analysis *s, struct messages *messages, struct error *err)
{
	const struct text_english e = { &s->english, s->arena, err };

	for (size_t i = 0; i < s->edition->nclasses; i++) {
		const struct score_class *c = &s->classes[i];

		for (size_t j = 0; j < c->alarms.n; j++)
			messages_add(messages, (struct pos){ 0 }, STR_FMT ": " STR_FMT,
				     STR_ARG(class_name(c->class)),
				     STR_ARG(text_english(&e, c->alarms.v[j])));
	}
	return err->code == ERR_NONE;
}

bool analyze_run(const struct analyze_options *opt, const struct devices *devices,
		 const struct prices *prices, struct arena *a, struct messages *messages,
		 struct error *err)
{
	struct analysis s = { .data_dir = opt->data_dir, .out_dir = opt->out_dir, .edition = opt->edition,
			      .devices = devices, .prices = prices,
			      .refused_prices = opt->refused_prices, .cache = opt->cache, .arena = a,
			      .previous_date = opt->previous_date, .previous_id = opt->previous_id };

	struct score_data data;

	if (!score_data_read(opt->data_dir, data_path(&s, "observations.csv"), devices, opt->edition, a,
			     &data, err)
	    || !summary_newest_benchmark(data_path(&s, "machines.csv"), a, &s.newest_benchmark, err))
		return false;
	s.obs = data.obs;
	s.estimates = data.estimates;
	s.link_accepted = data.link_accepted;
	if (!text_read(path_of(&s, opt->templates_dir, "text.en.ini"), a, &s.english, err)
	    || !compute(&s, err) || !report(&s, messages, err))
		return false;
	for (size_t i = 0; i < s.memory.networks.skipped.n; i++) {
		const struct message *m = &s.memory.networks.skipped.v[i];
		messages_add(messages, m->pos, STR_FMT, STR_ARG(m->text));
	}
	return outputs_write(&s, err);
}
