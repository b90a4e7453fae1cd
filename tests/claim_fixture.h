/* A small analysis made by hand, for the checks of the claims: devices and their other names,
 * scores, prices and values, observations. Nothing of it is measured. */
#ifndef TESTS_CLAIM_FIXTURE_H
#define TESTS_CLAIM_FIXTURE_H

#include "english.h"
#include "catalogue_fixture.h"

#include "../analyze/analysis.h"
#include "../analyze/claim.h"

#define CLAIM_DEVICES                                                                              \
	"device,vendor,family,architecture,release_date,launch_price_usd,memory_gb,bandwidth_gbs," \
	"fp32_tflops,fp16_tflops,tensor_fp16_tflops,tdp_w,form_factor,cooling\n"                   \
	"GTX 1070,NVIDIA,GeForce,Pascal,2016-06-10,400,8,250,6,0.1,,150,dual-slot,blower\n"        \
	"GTX 1080,NVIDIA,GeForce,Pascal,2016-05-27,600,8,300,9,0.1,,180,dual-slot,blower\n"        \
	"RTX 2060,NVIDIA,GeForce,Turing,2019-01-07,350,6,336,6,12,50,160,dual-slot,open\n"         \
	"RTX 2070,NVIDIA,GeForce,Turing,2018-10-17,500,8,448,7,14,60,175,dual-slot,open\n"         \
	"RTX 2080,NVIDIA,GeForce,Turing,2018-09-20,700,8,448,10,20,80,215,dual-slot,open\n"        \
	"RTX 2080 Ti,NVIDIA,GeForce,Turing,2018-09-20,1000,11,616,13,26,100,250,dual-slot,open\n"  \
	"Titan Xp,NVIDIA,Titan,Pascal,2017-04-06,1200,12,548,12,0.2,,250,dual-slot,blower\n"       \
	"Titan V,NVIDIA,Titan,Volta,2017-12-07,3000,12,652,15,30,119,250,dual-slot,blower\n"       \
	"Titan RTX,NVIDIA,Titan,Turing,2018-12-18,2500,24,672,16,32,130,280,dual-slot,open\n"      \
	"Tesla P100 PCIe 16GB,NVIDIA,Tesla/data center,Pascal,2016-06-20,5699,16,732,9,19,,250,"   \
	"dual-slot,passive\n"                                                                      \
	"Tesla V100 PCIe 16GB,NVIDIA,Tesla/data center,Volta,2017-06-21,10664,16,900,14,28,113,"   \
	"250,dual-slot,passive\n"                                                                  \
	"Tesla V100 SXM2 16GB,NVIDIA,Tesla/data center,Volta,2017-06-21,,16,900,16,31,125,300,"    \
	"SXM2,passive\n"                                                                           \
	"Radeon VII,AMD,Radeon,Vega,2019-02-07,699,16,1024,13,27,,300,dual-slot,open\n"            \
	"TPUv2,Google,TPU,TPU v2,2018-02-12,,64,2400,,,180,,,\n"                                   \
	"Xeon E5-2630 v3,Intel,Xeon,Haswell,2014-09-08,,,59,,,,85,socket,\n"                       \
	"Xeon Phi 7250,Intel,Xeon Phi,Knights "                                                    \
	"Landing,2016-06-20,4876,16,490,6,,,215,LGA3647 socket,passive\n"                          \
	"EPYC (2 vCPU),AMD,EPYC,Zen 5,,,,,,,,,socket,\n"

enum claim_world_size { CLAIM_WORLD_MAX = 64 };

struct claim_world {
	struct test *t;
	struct fixture f;
	struct devices devices;
	struct edition edition;
	struct analysis x;
	size_t indices[CLAIM_WORLD_MAX];
	struct score scores[CLAIM_WORLD_MAX];
	struct card_price prices[CLAIM_WORLD_MAX];
	struct observation obs[CLAIM_WORLD_MAX];
};

/* An edition of 2019-05-31 with every device and the class CNN, and nothing known of them. */
static inline bool claim_world_open(struct claim_world *w, struct test *t)
{
	struct error err = { 0 };

	memset(w, 0, sizeof *w);
	w->t = t;
	if (!fixture_open(&w->f))
		return false;
	fixture_put(&w->f, "devices.csv", CLAIM_DEVICES);
	fixture_put(&w->f, "aliases.csv",
		    "name,device,scope,used_by\nGTX 2080 Ti,RTX 2080 Ti,any,guide\nXP Titan,Titan "
		    "Xp,any,guide\n"
		    "RTX Titan,Titan RTX,any,guide\n");
	if (!devices_read(w->f.dir, &w->f.arena, &w->devices, &err)) {
		error_print(stderr, &err);
		return false;
	}
	date_parse(STR("2019-05-31"), &w->edition.date);
	w->edition.reference = STR("RTX 2080 Ti");
	w->edition.stale_days = 60;
	w->edition.drop_days = 720;
	w->edition.nclasses = 1;
	w->edition.classes[0].id = CLASS_CNN;
	for (size_t i = 0; i < w->devices.n; i++)
		w->indices[i] = i;
	w->x = (struct analysis){ .data_dir = "data",
				  .edition = &w->edition,
				  .devices = &w->devices,
				  .arena = &w->f.arena,
				  .indices = w->indices,
				  .nindices = w->devices.n,
				  .obs.v = w->obs,
				  .scores.v = w->scores,
				  .card_prices.v = w->prices };
	w->x.cost = (struct cost_input){ &w->edition,  &w->devices, NULL,        &w->x.hosts,
					 &w->x.tariff, w->indices,  w->devices.n };
	return true;
}

static inline void claim_world_close(struct claim_world *w)
{
	fixture_close(&w->f);
}

static inline size_t claim_index(const struct claim_world *w, const char *name)
{
	return device_index(&w->devices, str_of(name));
}

/* score x/: spread is its interval */
static inline struct score *claim_put_score(struct claim_world *w, const char *name,
					    enum class_id class, double score, double spread)
{
	struct score *s = &w->scores[w->x.scores.n++];

	*s = (struct score){ .device = claim_index(w, name),
			     .class = class,
			     .origin = ORIGIN_MEASURED,
			     .score = score,
			     .low = score / spread,
			     .high = score * spread,
			     .peer_low = score / spread,
			     .peer_high = score * spread,
			     .error_pct = NAN,
			     .machines = 1 };
	return s;
}

static inline struct card_price *claim_put_price(struct claim_world *w, const char *name,
						 double usd)
{
	struct card_price *p = &w->prices[w->x.card_prices.n++];

	*p = (struct card_price){ .device = claim_index(w, name),
				  .lens = LENS_CARD,
				  .price_usd = usd,
				  .low = usd,
				  .high = usd,
				  .markets = STR("pcpartpicker"),
				  .newest_date = w->edition.date,
				  .usual_usd = NAN };
	return p;
}

/* One row; in the order of the devices. */
static inline struct observation *claim_put_row(struct claim_world *w, const char *name,
						enum class_id class, const char *workload,
						const char *metric, double value)
{
	struct observation *o = &w->obs[w->x.obs.n++];

	*o = (struct observation){ .device = claim_index(w, name),
				   .class = class,
				   .workload = str_of(workload),
				   .metric = str_of(metric),
				   .precision = STR("fp32"),
				   .kind = PRECISION_32,
				   .series = STR("deepbench"),
				   .unit = STR("ms"),
				   .device_count = 1,
				   .value = value,
				   .lower_is_better = strcmp(metric, "tflops") != 0,
				   .machines = 1,
				   .runs = 1,
				   .scores = true };
	return o;
}

/* Values of lens card from scores and prices, then all claims; the claim with the id. */
static inline const struct claim *claim_run(struct claim_world *w, int id)
{
	struct error err = { 0 };
	struct claims *c = arena_alloc(&w->f.arena, sizeof *c);

	value_compute(&w->x.scores, &w->x.card_prices, LENS_CARD, &w->f.arena, &w->x.values);
	if (!claims_read("data", &w->f.arena, c, &err)) {
		error_print(stderr, &err);
		exit(1);
	}
	claims_compute(&w->x, &w->f.arena, c);
	return &c->v[id - 1];
}

/* Verdict and words of one claim; computed or why NULL: not looked at; else a piece that must stand
 * there. */
static inline void claim_want(struct claim_world *w, int id, enum claim_verdict verdict,
			      const char *computed, const char *why, const char *name)
{
	const struct claim *c = claim_run(w, id);
	struct str found = english(&w->f.arena, c->computed_value),
		   reason = english(&w->f.arena, c->why);
	bool good = c->verdict == verdict && reason.len > 0
		    && (!computed || str_find(found, str_of(computed), 0) < found.len
			|| (!*computed && found.len == 0))
		    && (!why || str_find(reason, str_of(why), 0) < reason.len);

	test_ok(w->t, good, name);
	if (!good)
		printf("# claim %d " STR_FMT "\n# = " STR_FMT "\n# : " STR_FMT "\n", id,
		       STR_ARG(claim_verdict_name(c->verdict)), STR_ARG(found), STR_ARG(reason));
}

#endif
