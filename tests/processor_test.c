/* What CPUs did, and cards over them: groups by hand. */
#include "claim_fixture.h"

#include "../analyze/processor.h"
#include "../base/file.h"

static struct observation *put(struct claim_world *w, const char *device, const char *workload,
			       const char *precision, const char *unit, double value)
{
	struct observation *o = claim_put_row(w, device, CLASS_CNN, workload, "throughput", value);

	o->precision = str_of(precision);
	o->unit = str_of(unit);
	o->series = STR("s");
	o->device_count = 1;
	o->scores = true;
	o->lower_is_better = false;
	return o;
}

static struct str text_of(struct claim_world *w, const struct processor_groups *g)
{
	struct error err = { 0 };
	struct str text = { 0 };

	fixture_put(&w->f, "processors.csv", "");
	const char *path = fixture_path(&w->f, "processors.csv");
	test_ok(w->t,
		processors_write(g, &w->devices, path, &w->f.arena, &err)
		    && file_read(path, 0, &w->f.arena, &text, &err),
		"written");
	return text;
}

static void test_groups(struct claim_world *w)
{
	struct processor_groups g;

	put(w, "Xeon E5-2630 v3", "resnet", "fp32", "images/s", 10);
	put(w, "Xeon E5-2630 v3", "alexnet", "fp32", "images/s", 100);
	put(w, "Xeon E5-2630 v3", "resnet", "bf16", "images/s", 20);
	put(w, "RTX 2070", "resnet", "fp32", "images/s", 200);
	put(w, "RTX 2080", "resnet", "fp32", "images/s", 300);
	put(w, "RTX 2070", "alexnet", "fp32", "images/s", 400);
	put(w, "RTX 2080", "resnet", "fp32", "images/s", 9000)->device_count =
	    4; /* several cards are no card */
	put(w, "RTX 2080", "resnet", "fp32", "images/s", 9000)->series = STR("t");
	put(w, "RTX 2080", "resnet", "fp16", "images/s", 9000);
	put(w, "Xeon Phi 7250", "resnet", "fp32", "images/s", 200); /* no card over the Xeon */
	put(w, "Xeon E5-2630 v3", "slow", "fp32", "images/s", 1)->scores = false;
	processors_compute(&w->x.obs, &w->devices, &w->f.arena, &g);
	/* Xeon fp32: alexnet 4, resnet 20 and 30; quantiles of 4 20 30 at 0.1: 4 + 0.2 x 16 = 7.2;
	 * at 0.9: 28. resnet stands as the example: two cards did it, one the other. Phi: 1 and
	 * 1.5. */
	test_str(
	    w->t, text_of(w, &g),
	    STR("device,device_count,class,precision,series,workloads,workload,metric,value,unit,"
		"better,cards,"
		"card_over_low,card_over_median,card_over_high\n"
		"Xeon E5-2630 v3,1,cnn,bf16,s,1,resnet,throughput,20,images/s,higher,0,,,\n"
		"Xeon E5-2630 v3,1,cnn,fp32,s,2,resnet,throughput,10,images/s,higher,2,7.2,20,28\n"
		"Xeon Phi "
		"7250,1,cnn,fp32,s,1,resnet,throughput,200,images/s,higher,2,1.05,1.25,1.45\n"),
	    "groups");
}

static void test_times(struct claim_world *w)
{
	struct processor_groups g;
	struct error err = { 0 };

	w->x.obs.n = 0;
	put(w, "Xeon E5-2630 v3", "resnet", "", "ms", 900)->lower_is_better = true;
	w->obs[0].device_count = 2;
	put(w, "RTX 2070", "resnet", "", "ms", 30)->lower_is_better = true;
	processors_compute(&w->x.obs, &w->devices, &w->f.arena, &g);
	test_ok(w->t, g.n == 1 && g.v[0].median == 30 && g.v[0].first->device_count == 2,
		"times: the CPU's over the card's");
	test_ok(
	    w->t,
	    !processors_write(&g, &w->devices, fixture_path(&w->f, "none/p.csv"), &w->f.arena, &err)
		&& err.code == ERR_ENVIRONMENT,
	    "cannot be written");
	w->x.obs.n = 0;
	processors_compute(&w->x.obs, &w->devices, &w->f.arena, &g);
	test_ok(w->t, g.n == 0, "no observation: no group");
}

int main(void)
{
	struct test t = { 0 };
	struct claim_world w;

	if (!claim_world_open(&w, &t))
		return 1;
	test_groups(&w);
	test_times(&w);
	claim_world_close(&w);
	return test_done(&t);
}
