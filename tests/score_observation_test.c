/* observations.csv read back: columns, defaults, order, and every message with its place. */
#include "catalogue_fixture.h"
#include "test.h"

#include "../analyze/observation.h"

#define HEADER                                                                                     \
	"device,class,workload,precision,device_count,series,value,unit,better,machines,runs,"     \
	"spread_pct,sources,metric,use,machine_values\n"
#define BARE                                                                                       \
	"device,class,workload,precision,device_count,series,value,unit,better,machines,runs,"     \
	"spread_pct,sources\n"

static const struct {
	const char *name, *text;
	enum error_code code;
	int line, col;
	const char *msg;
} faults[] = {
	{ "unknown device", HEADER "RTX 9999,cnn,a,fp16,1,s,5,x/s,higher,1,1,,,t,score,1=5\n",
	  ERR_UNKNOWN, 2, 1, "device: 'RTX 9999' is not in the catalogue" },
	{ "unknown class", HEADER "RTX 2080,dnn,a,fp16,1,s,5,x/s,higher,1,1,,,t,score,1=5\n",
	  ERR_UNKNOWN, 2, 10, "class: 'dnn' is not a class" },
	{ "unknown precision", HEADER "RTX 2080,cnn,a,fp17,1,s,5,x/s,higher,1,1,,,t,score,1=5\n",
	  ERR_UNKNOWN, 2, 16, "precision: 'fp17' is not known" },
	{ "no device", HEADER "RTX 2080,cnn,a,fp16,0,s,5,x/s,higher,1,1,,,t,score,1=5\n", ERR_RANGE,
	  2, 21, "device_count: 0 is not at least 1" },
	{ "value 0", HEADER "RTX 2080,cnn,a,fp16,1,s,0,x/s,higher,1,1,,,t,score,1=5\n", ERR_RANGE,
	  2, 25, "value: 0 is not above 0" },
	{ "better", HEADER "RTX 2080,cnn,a,fp16,1,s,5,x/s,more,1,1,,,t,score,1=5\n", ERR_UNKNOWN, 2,
	  31, "better: 'more' is neither higher nor lower" },
	{ "use", HEADER "RTX 2080,cnn,a,fp16,1,s,5,x/s,higher,1,1,,,t,maybe,1=5\n", ERR_UNKNOWN, 2,
	  46, "use: 'maybe' is neither score nor info" },
	{ "machine without a value",
	  HEADER "RTX 2080,cnn,a,fp16,1,s,5,x/s,higher,1,1,,,t,score,1=5 2\n", ERR_SYNTAX, 2, 52,
	  "machine_values: expected ID=number separated by blanks, numbers above 0" },
	{ "machine with 0", HEADER "RTX 2080,cnn,a,fp16,1,s,5,x/s,higher,1,1,,,t,score,1=0\n",
	  ERR_SYNTAX, 2, 52,
	  "machine_values: expected ID=number separated by blanks, numbers above 0" },
	{ "not a number", HEADER "RTX 2080,cnn,a,fp16,1,s,fast,x/s,higher,1,1,,,t,score,1=5\n",
	  ERR_SYNTAX, 2, 25, "value: 'fast' is not a number" },
	{ "twice",
	  HEADER "RTX 2080,cnn,a,fp16,1,s,5,x/s,higher,1,1,,,t,score,1=5\n"
		 "RTX 2070,cnn,a,fp16,1,s,5,x/s,higher,1,1,,,t,score,1=5\n"
		 "RTX 2080,cnn,a,fp16,1,s,6,x/s,higher,1,1,,,t,score,2=6\n",
	  ERR_DATA, 4, 0,
	  "the cell of workload 'a' in series 's' is listed twice, first in line 2" },
};

static void test_faults(struct test *t, struct fixture *f, const struct devices *d)
{
	for (size_t i = 0; i < LEN(faults); i++) {
		struct observations obs;
		struct error err = { 0 };
		fixture_put(f, "observations.csv", faults[i].text);
		test_ok(t,
			!observations_read(fixture_path(f, "observations.csv"), d, &f->arena, &obs,
					   &err),
			faults[i].name);
		test_error(t, &err, faults[i].code, "observations.csv", faults[i].line,
			   faults[i].col, faults[i].msg, faults[i].name);
	}
}

static void test_good(struct test *t, struct fixture *f, const struct devices *d)
{
	struct observations obs;
	struct error err = { 0 };

	fixture_put(f, "observations.csv",
		    HEADER "RTX 2080,cnn,b,,1,s,8,ms,lower,2,3,,,time,info,m=2=7 m1=9\n"
			   "RTX 2070,cnn,a,fp16,1,s,5,x/s,higher,1,1,,,t,score,\n");
	test_ok(t,
		observations_read(fixture_path(f, "observations.csv"), d, &f->arena, &obs, &err)
		    && obs.n == 2,
		"two rows");
	const struct observation *o = &obs.v[1];
	test_str(t, d->v[obs.v[0].device].name, STR("RTX 2070"), "sorted as devices.csv");
	test_ok(t,
		o->lower_is_better && !o->scores && o->kind == PRECISION_UNSTATED && o->nvalues == 2
		    && o->machines == 2 && o->runs == 3,
		"columns");
	test_str(t, o->values[1].machine, STR("m=2"), "an ID may hold '='");
	test_near(t, o->values[1].value, 7, 0, "its median");
	test_ok(t,
		obs.v[0].nvalues == 1 && obs.v[0].values[0].machine.len == 0
		    && obs.v[0].values[0].value == 5,
		"no machine values: the cell's own, nameless");
	fixture_put(f, "observations.csv", BARE "RTX 2080,cnn,b,fp32,1,s,8,ms,lower,4,4,,\n");
	test_ok(t,
		observations_read(fixture_path(f, "observations.csv"), d, &f->arena, &obs, &err)
		    && obs.n == 1 && obs.v[0].scores && obs.v[0].machines == 4,
		"optional columns may be absent");
	test_ok(t,
		!observations_read(fixture_path(f, "none.csv"), d, &f->arena, &obs, &err)
		    && err.code == ERR_ENVIRONMENT,
		"an absent file is an error of the environment");
}

int main(void)
{
	struct test t = { 0 };
	struct fixture f;
	struct devices d;
	struct error err = { 0 };

	test_ok(&t, fixture_open(&f) && fixture_devices(&f, &d, &err),
		"the small catalogue is read");
	test_faults(&t, &f, &d);
	test_good(&t, &f, &d);
	fixture_close(&f);
	return test_done(&t);
}
