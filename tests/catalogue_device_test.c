#include "catalogue_fixture.h"

#include "../catalogue/class.h"

#include <limits.h>
#include <math.h>

static const struct find_case {
	const char *label;
	struct str name;
	enum device_match match;
	const char *names;
} find_cases[] = {
	{ "canonical", STR_INIT("RTX 2080 Ti"), DEVICE_FOUND, "RTX 2080 Ti" },
	{ "case, blanks, '-' and '_' do not matter", STR_INIT(" rtx_2080-TI"), DEVICE_FOUND,
	  "RTX 2080 Ti" },
	{ "claim 40: GTX 2080 Ti", STR_INIT("GTX 2080 Ti"), DEVICE_FOUND, "RTX 2080 Ti" },
	{ "claim 40: XP Titan", STR_INIT("XP Titan"), DEVICE_FOUND, "Titan Xp" },
	{ "claim 40: RTX Titan", STR_INIT("RTX Titan"), DEVICE_FOUND, "Titan RTX" },
	{ "claim 40: Titan XP", STR_INIT("Titan XP"), DEVICE_FOUND, "Titan Xp" },
	{ "a canonical name goes before an alias", STR_INIT("GTX 1080"), DEVICE_FOUND, "GTX 1080" },
	{ "ambiguous", STR_INIT("Tesla V100"), DEVICE_AMBIGUOUS,
	  "Tesla V100 PCIe 16GB, Tesla V100 SXM2 16GB" },
	{ "one letter off, ties by name", STR_INIT("RTX 2090"), DEVICE_UNKNOWN,
	  "RTX 2060, RTX 2070, RTX 2080" },
	{ "swapped neighbours cost one", STR_INIT("RTX 2008 Ti"), DEVICE_UNKNOWN,
	  "RTX 2080 Ti, GTX 1080 Ti, RTX 2080" },
	{ "a near alias names its device", STR_INIT("RTX Titam"), DEVICE_UNKNOWN,
	  "Titan RTX, Titan Xp, RTX 2060" },
	{ "retail names are not looked up", STR_INIT("GeForce RTX 2070"), DEVICE_UNKNOWN,
	  "RTX 2070, RTX 2060, RTX 2080" },
	{ "empty", STR_INIT(""), DEVICE_UNKNOWN, "TPUv2, GTX 1080, GTX 1080 Ti" },
	{ "a very long name",
	  STR_INIT(
	      "RTX 2080 Ti RTX 2080 Ti RTX 2080 Ti RTX 2080 Ti RTX 2080 Ti RTX 2080 Ti RTX 2080 "
	      "Ti RTX 2080 Ti RTX 2080 Ti RTX 2080 Ti RTX 2080 Ti RTX 2080 Ti RTX 2080 Ti"),
	  DEVICE_UNKNOWN, "RTX 2080 Ti, GTX 1080 Ti, RTX 2080" },
};

static void test_find(struct test *t, const struct devices *d, struct arena *a)
{
	for (size_t i = 0; i < LEN(find_cases); i++) {
		const struct find_case *c = &find_cases[i];
		size_t near[8], n;
		enum device_match match = device_find(d, c->name, a, near, &n);

		test_ok(t, match == c->match, c->label);
		test_str(t, device_names(d, near, n, a), str_of(c->names), c->label);
		test_ok(t, device_known(d, c->name, a) == (match != DEVICE_UNKNOWN), c->label);
	}
	test_ok(t, device_index(d, STR("Titan Xp")) == 9, "index of an exact name");
	test_ok(t, device_index(d, STR("Titan XP")) == d->n, "index wants the exact name");
}

static void test_specs(struct test *t, const struct devices *d)
{
	const struct device *ti1080 = &d->v[1], *ti2080 = &d->v[5], *rtx3090 = &d->v[6],
			    *tpu = &d->v[11];
	const struct device *mystery = &d->v[12];
	size_t offset;

	test_ok(t, device_spec_parse(STR("bandwidth_gbs"), &offset),
		"bandwidth_gbs is a specification");
	test_near(t, device_spec(ti2080, offset), 616, 0, "bandwidth of the RTX 2080 Ti");
	test_ok(t, isnan(device_spec(mystery, offset)), "an empty cell is not known");
	test_ok(t, !device_spec_parse(STR("vendor"), &offset), "text is no specification");
	test_ok(t, !device_spec_parse(STR("colour"), &offset), "nor is an unknown column");
	test_ok(t, mystery->release_date.day == INT_MIN && isnan(mystery->memory_gb),
		"absent date and column");
	test_near(t, device_peak_tflops(ti2080, STR("fp32")), 13.45, 0, "fp32 peak");
	test_near(t, device_peak_tflops(ti2080, STR("fp16")), 107.6, 0,
		  "fp16 peak is the tensor rate");
	test_near(t, device_peak_tflops(ti2080, STR("int8")), 215.2, 0, "int8 peak");
	test_near(t, device_peak_tflops(ti1080, STR("fp16")), 11.34, 0, "slow fp16 runs in fp32");
	test_near(t, device_peak_tflops(rtx3090, STR("fp32")), 35.6, 0,
		  "fp32 work may run as tf32");
	test_near(t, device_peak_tflops(tpu, STR("amp")), 180, 0, "bf16 counts as 16 bit");
	test_near(t, device_peak_tflops(rtx3090, STR("")), 142.3, 0,
		  "unstated precision: the 16-bit peak");
	test_ok(t, isnan(device_peak_tflops(ti2080, STR("fp64"))), "fp64 is not in the catalogue");
	test_ok(t, isnan(device_peak_tflops(ti2080, STR("fp17"))), "unknown precision");
	test_ok(t, isnan(device_peak_tflops(mystery, STR("fp32"))), "unknown rate");
	test_ok(t, device_has_fast_fp16(ti2080) && device_has_fast_fp16(tpu),
		"tensor units are fast in 16 bit");
	test_ok(t, !device_has_fast_fp16(ti1080) && !device_has_fast_fp16(mystery),
		"Pascal and unknown are not");
	struct device p100 = { .fp16_tflops = 19.05,
			       .fp32_tflops = 9.53,
			       .bf16_tflops = NAN,
			       .tensor_fp16_tflops = NAN,
			       .tensor_fp16_acc32_tflops = NAN };
	test_ok(t, device_has_fast_fp16(&p100) && !device_has_matrix_units(&p100),
		"vectors of twice the fp32 rate are fast, but no matrix units");
	test_ok(t, device_has_matrix_units(ti2080) && device_has_matrix_units(tpu),
		"tensor units and bf16 are");
}

static const struct error_case {
	const char *label, *devices, *aliases;
	enum error_code code;
	const char *file;
	int line, col;
	const char *msg;
} error_cases[] = {
	{ "listed twice", "device,vendor,architecture\nA,V,X\nB,V,X\n a ,V,X\n",
	  "name,device,scope\n", ERR_DATA, "devices.csv", 4, 0,
	  "device 'a' is listed twice, first in line 2" },
	{ "zero specification", "device,vendor,architecture,tdp_w\nA,V,X,0\n",
	  "name,device,scope\n", ERR_RANGE, "devices.csv", 2, 0,
	  "tdp_w of 'A': 0 is not above 0; leave the cell empty when unknown" },
	{ "long name",
	  "device,vendor,architecture\n"
	  "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567"
	  "890123456,V,X\n",
	  "name,device,scope\n", ERR_RANGE, "devices.csv", 2, 0,
	  "device: a name of 97 bytes is longer than 96" },
	{ "not a number", "device,vendor,architecture,tdp_w\nA,V,X,250 W\n", "name,device,scope\n",
	  ERR_SYNTAX, "devices.csv", 2, 7, "tdp_w: '250 W' is not a number" },
	{ "alias of no device", "device,vendor,architecture\nA,V,X\n",
	  "name,device,scope\nq,B,any\n", ERR_UNKNOWN, "aliases.csv", 2, 0,
	  "device: 'B' is not in devices.csv" },
	{ "unknown scope", "device,vendor,architecture\nA,V,X\n", "name,device,scope\nq,A,all\n",
	  ERR_UNKNOWN, "aliases.csv", 2, 0, "scope: 'all' is not any, benchmark, retail or cloud" },
};

static void test_errors(struct test *t, struct fixture *f)
{
	for (size_t i = 0; i < LEN(error_cases); i++) {
		const struct error_case *c = &error_cases[i];
		struct error err = { 0 };
		struct devices d;

		fixture_put(f, "devices.csv", c->devices);
		fixture_put(f, "aliases.csv", c->aliases);
		test_ok(t, !devices_read(f->dir, &f->arena, &d, &err), c->label);
		test_error(t, &err, c->code, c->file, c->line, c->col, c->msg, c->label);
	}
}

static void test_classes(struct test *t)
{
	enum class_id c;
	enum precision_kind k;
	enum origin o;

	for (int i = 0; i < CLASS_COUNT; i++)
		test_ok(t,
			class_parse(class_name((enum class_id)i), &c) && (int)c == i
			    && class_title((enum class_id)i).len > 0,
			"class name there and back");
	test_ok(t, !class_parse(STR("CNN"), &c) && !class_parse(STR(""), &c), "unknown class");
	test_ok(t, precision_parse(STR("amp"), &k) && k == PRECISION_16, "amp is 16 bit");
	test_ok(t, precision_parse(STR("tf32"), &k) && k == PRECISION_32, "tf32 counts as 32 bit");
	test_ok(t, precision_parse(STR("q4_k_m"), &k) && k == PRECISION_WEIGHTS,
		"q4_k_m is a weight format");
	test_ok(t, precision_parse(STR(""), &k) && k == PRECISION_UNSTATED, "empty is not stated");
	test_ok(t, !precision_parse(STR("FP16"), &k), "unknown precision");
	for (int i = ORIGIN_MEASURED; i <= ORIGIN_EXCLUDED; i++)
		test_ok(t, origin_parse(origin_name((enum origin)i), &o) && (int)o == i,
			"origin there and back");
	test_ok(t, !origin_parse(STR("derived"), &o), "unknown origin");
}

int main(void)
{
	struct test t = { 0 };
	struct error err = { 0 };
	struct devices d;
	struct fixture f;

	test_classes(&t);
	test_ok(&t, fixture_open(&f), "a folder for the test");
	test_ok(&t, fixture_devices(&f, &d, &err), "the small catalogue is read");
	if (err.code == ERR_NONE) {
		test_find(&t, &d, &f.arena);
		test_specs(&t, &d);
	}
	test_errors(&t, &f);
	fixture_close(&f);
	return test_done(&t);
}
