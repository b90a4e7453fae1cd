/* data/estimates.csv: what its reader refuses. */
#include "catalogue_fixture.h"
#include "test.h"

#include "../analyze/estimate.h"

static void test_estimates_read(struct test *t, struct fixture *f, const struct devices *devices)
{
	static const char header[] = "device,class,ratio,relative_to,date,source,text\n";
	static const struct {
		const char *row, *msg;
		enum error_code code;
	} cases[] = {
		{ "X,cnn,1,RTX 2080,2019-01-01,s,t\n", "device: 'X' is not in the catalogue",
		  ERR_UNKNOWN },
		{ "RTX 2080,cnn,1,X,2019-01-01,s,t\n", "relative_to: 'X' is not in the catalogue",
		  ERR_UNKNOWN },
		{ "RTX 2080,dnn,1,RTX 2070,2019-01-01,s,t\n", "class: 'dnn' is not a class",
		  ERR_UNKNOWN },
		{ "RTX 2080,cnn,0,RTX 2070,2019-01-01,s,t\n", "ratio: 0 is not above 0",
		  ERR_RANGE },
	};
	struct arena *a = &f->arena;
	struct estimates estimates;

	for (size_t i = 0; i < LEN(cases); i++) {
		struct error err = { 0 };
		fixture_put(f, "estimates.csv",
			    str_c(a, str_printf(a, "%s%s", header, cases[i].row)));
		bool read = estimates_read(fixture_path(f, "estimates.csv"), devices, a,
					   &estimates, &err);
		test_ok(t, !read, cases[i].msg);
		test_error(t, &err, cases[i].code, "estimates.csv", 2, 0, cases[i].msg,
			   cases[i].msg);
	}
	struct error err = { 0 };
	test_ok(t,
		estimates_read(fixture_path(f, "none.csv"), devices, a, &estimates, &err)
		    && estimates.n == 0,
		"no file, no estimates");
}

int main(void)
{
	struct test t = { 0 };
	struct fixture f;
	struct devices devices;
	struct error err = { 0 };

	test_ok(&t, fixture_open(&f) && fixture_devices(&f, &devices, &err),
		"the small catalogue is read");
	test_estimates_read(&t, &f, &devices);
	fixture_close(&f);
	return test_done(&t);
}
