/* The fit matrix: what was stated, the files, their order, and the readers' errors. */
#include "catalogue_fixture.h"

#include "../analyze/memory_fit.h"

#include <math.h>

static const struct memory_case *find_stated(const struct memory_cases *c, const char *workload)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->v[i].stated && str_eq(c->v[i].stated->workload, str_of(workload)))
			return &c->v[i];
	return NULL;
}

/* Claim 28. */
static const struct {
	const char *workload;
	double memory_gb;
	enum memory_fits want;
} stated[] = {
	{ "imagenet-112", 8, MEMORY_FITS_YES },
	{ "imagenet-224", 8, MEMORY_FITS_NO },
	{ "imagenet-224", 12, MEMORY_FITS_YES },
	{ "imagenet-112", 5, MEMORY_FITS_BORDERLINE },
	{ "imagenet-112", 3, MEMORY_FITS_NO },
	{ "plankton", 6, MEMORY_FITS_YES },
	{ "plankton", 2, MEMORY_FITS_NO },
	{ "imagenet-10-percent", 4, MEMORY_FITS_YES },
	{ "video-25x75x75", 12, MEMORY_FITS_NO },
	{ "video-25x75x75", 24, MEMORY_FITS_UNKNOWN },
	{ "imagenet-224", NAN, MEMORY_FITS_UNKNOWN },
};

static struct edition edition_of(const char *date)
{
	struct edition e = { .name = STR("test") };

	date_parse(str_of(date), &e.date);
	return e;
}

static void test_stated(struct test *t, struct arena *a)
{
	struct edition e = edition_of("2019-04-03");
	struct memory_cases c;
	struct error err = { 0 };
	bool later = false;

	if (!memory_compute("data", &e, a, &c, &err))
		error_print(stdout, &err);
	for (size_t i = 0; i < LEN(stated); i++) {
		const struct memory_case *s = find_stated(&c, stated[i].workload);
		test_ok(t, s && memory_fits(s, stated[i].memory_gb) == stated[i].want,
			stated[i].workload);
	}
	for (size_t i = 0; i < c.n; i++)
		later = later || (c.v[i].network && c.v[i].network->date.day > e.date.day);
	test_ok(t, c.n > 0 && !later, "no network that is newer than the edition");
	e = edition_of("2016-06-24");
	test_ok(t, memory_compute("data", &e, a, &c, &err) && c.nstated == 0, "nor a statement");
	struct str names[] = { STR("resnet-50"), STR("resnet-5") };
	e.networks = (struct str_list){ names, 2 };
	test_ok(t,
		!memory_compute("data", &e, a, &c, &err) && err.code == ERR_UNKNOWN
		    && strstr(err.msg, "networks: 'resnet-5' is not in the folder networks of the "
				       "data, which has bert-base, bert-large, "),
		"a network that is not there");
	e.networks.n = 1;
	test_ok(t, memory_compute("data", &e, a, &c, &err) && c.n == 5,
		"only the networks of the edition");
}

/* 2^20 parameters, 2^18 values kept and 2^18 in the largest layer: fp32 training 4 + 4 + 1 + 1 MiB
 * on cards of which half is usable: 10 / 1024 / 0.5. */
#define TINY                                                                                       \
	"[network]\ntitle = T\nkind = counts\nclass = cnn\ndate = 2016-01-01\nsource = S\n"        \
	"optimizer = sgd\nbatch_size = 1\n[counts]\nparameters = 1048576\nactivations = 262144\n"  \
	"largest_activation = 262144\n"

#define SETTINGS                                                                                   \
	"[memory]\noverhead_mib = 0\noverhead_source = s\nusable_share = 0.5\nusable_source = u\n"
#define STATED "workload,title,precision,low_gb,high_gb,bound,date,source,text\n"

static const struct {
	const char *name, *file, *text;
	enum error_code code;
	int line;
	const char *msg;
} errors[] = {
	{ "unknown key", "memory.ini", SETTINGS "share = 1\n", ERR_UNKNOWN, 6,
	  "key 'share' is not known in [memory]" },
	{ "unknown section", "memory.ini", "[mem]\noverhead_mib = 0\n", ERR_UNKNOWN, 2,
	  "key 'overhead_mib' is not known in [mem]" },
	{ "not a number", "memory.ini", "[memory]\noverhead_mib = 1 GB\n", ERR_SYNTAX, 2,
	  "overhead_mib: '1 GB' is not a number" },
	{ "share above 1", "memory.ini", "[memory]\nusable_share = 1.1\n", ERR_RANGE, 2,
	  "usable_share: '1.1' is not from 0.01 to 1" },
	{ "empty", "memory.ini", "[memory]\nusable_source =\n", ERR_SYNTAX, 2,
	  "usable_source: '' is empty" },
	{ "a board of one", "memory.ini", SETTINGS "[boards]\nA = 1\n", ERR_RANGE, 7,
	  "A: '1' is not a whole number from 2 to 16" },
	{ "missing", "memory.ini", "[memory]\noverhead_mib = 0\n", ERR_SYNTAX, 0,
	  "key 'overhead_source' of [memory] is missing" },
	{ "bound", "memory_stated.csv", STATED "w,t,fp32,4,,enough,2016-06-25,s,x\n", ERR_UNKNOWN,
	  2, "bound: 'enough' is not at-least, range or more-than" },
	{ "no memory", "memory_stated.csv", STATED "w,t,fp32,0,,at-least,2016-06-25,s,x\n",
	  ERR_RANGE, 2, "low_gb: 0 is not above 0" },
	{ "half a range", "memory_stated.csv", STATED "w,t,fp32,4,,range,2016-06-25,s,x\n",
	  ERR_RANGE, 2, "high_gb: a range needs one above low_gb, and only a range has one" },
	{ "an end too many", "memory_stated.csv", STATED "w,t,fp32,4,6,at-least,2016-06-25,s,x\n",
	  ERR_RANGE, 2, "high_gb: a range needs one above low_gb, and only a range has one" },
	{ "1e308 GB", "memory_stated.csv", STATED "w,t,fp32,1e308,,at-least,2016-06-25,s,x\n",
	  ERR_RANGE, 2, "low_gb, high_gb: a number is not from 0.001 to 1000000" },
	{ "a statement twice", "memory_stated.csv",
	  STATED "w,t,fp32,4,,at-least,2016-06-25,s,x\nw,t,fp32,4,,at-least,2016-06-25,z,x\n"
		 "w,t,fp32,4,,at-least,2016-06-25,s,x\n",
	  ERR_DATA, 4, "the row stands in line 2 already: one of the two has to go" },
};

static void test_errors(struct test *t, struct fixture *f)
{
	struct edition e = edition_of("2026-01-01");
	struct memory_cases none;
	struct error no_error = { 0 };

	test_ok(t, memory_compute(f->dir, &e, &f->arena, &none, &no_error) && none.n == 0,
		"a data folder without networks and statements");
	/* The settings are read where there is a network. */
	file_make_dirs(fixture_path(f, "networks"), &no_error);
	fixture_put(f, "networks/tiny.ini", TINY);

	for (size_t i = 0; i < LEN(errors); i++) {
		struct memory_cases c;
		struct error err = { 0 };

		fixture_put(f, "memory.ini", SETTINGS);
		fixture_put(f, "memory_stated.csv", STATED);
		fixture_put(f, errors[i].file, errors[i].text);
		test_ok(t, !memory_compute(f->dir, &e, &f->arena, &c, &err), errors[i].name);
		test_error(t, &err, errors[i].code, errors[i].file, errors[i].line, 0,
			   errors[i].msg, errors[i].name);
	}
}

static void test_written(struct test *t, struct fixture *f)
{
	struct device v[] = { { .name = STR_INIT("=A"), .memory_gb = 0.01 },
			      { .name = STR_INIT("B"), .memory_gb = NAN } };
	struct devices devices = { .v = v, .n = 2 };
	const size_t indices[] = { 0, 1 };
	struct edition e = edition_of("2026-01-01");
	struct memory_cases c;
	struct error err = { 0 };
	struct str text = STR(""), parts = STR("");

	fixture_put(f, "memory.ini", SETTINGS);
	fixture_put(f, "memory_stated.csv", STATED "w,t,fp32,4,,at-least,2016-06-25,s,x\n");
	fixture_put(f, "networks/tiny.ini", TINY);
	bool good =
	    memory_compute(f->dir, &e, &f->arena, &c, &err)
	    && memory_write(&c, &devices, indices, 2, fixture_path(f, "m.csv"), &f->arena, &err)
	    && memory_write_parts(&c, fixture_path(f, "p.csv"), &f->arena, &err)
	    && file_read(fixture_path(f, "m.csv"), 0, &f->arena, &text, &err)
	    && file_read(fixture_path(f, "p.csv"), 0, &f->arena, &parts, &err);
	test_ok(t, good, "written and read");
	test_str(t, text,
		 STR("workload,precision,batch_size,needed_gb,device,memory_gb,fits,mode,status\n"
		     "tiny,fp32,1,0.01953125,'=A,0.01,no,training,computed\n"
		     "tiny,fp32,1,0.01953125,B,,,training,unknown\n"
		     "tiny,fp16,1,0.017578125,'=A,0.01,no,training,computed\n"
		     "tiny,fp16,1,0.017578125,B,,,training,unknown\n"
		     "tiny,fp32,1,0.009765625,'=A,0.01,yes,inference,computed\n"
		     "tiny,fp32,1,0.009765625,B,,,inference,unknown\n"
		     "tiny,fp16,1,0.0048828125,'=A,0.01,yes,inference,computed\n"
		     "tiny,fp16,1,0.0048828125,B,,,inference,unknown\n"
		     "tiny,int8,1,0.0030517578125,'=A,0.01,yes,inference,computed\n"
		     "tiny,int8,1,0.0030517578125,B,,,inference,unknown\n"
		     "w,fp32,,4,'=A,0.01,no,training,stated\n"
		     "w,fp32,,4,B,,,training,unknown\n"),
		 "memory.csv");
	test_ok(t,
		str_starts(parts, STR("network,mode,precision,batch_size,part,mib\n"
				      "tiny,training,fp32,1,weights,4\n"
				      "tiny,training,fp32,1,gradients,4\n"
				      "tiny,training,fp32,1,activations,1\n"
				      "tiny,training,fp32,1,errors of the largest layer,1\n"
				      "tiny,training,fp32,1,total,10\n"
				      "tiny,training,fp16,1,weights,2\n")),
		"memory_parts.csv");
	c.settings.boards = &(struct memory_board){ STR("Z"), 2, { "memory.ini", 7, 0 } };
	c.settings.nboards = 1;
	test_ok(t,
		!memory_write(&c, &devices, indices, 2, fixture_path(f, "m.csv"), &f->arena, &err),
		"a board of no card");
	test_error(t, &err, ERR_UNKNOWN, "memory.ini", 7, 0, "board 'Z' is not in the catalogue",
		   "a board of no card");
	err = (struct error){ 0 };
	fixture_put(f, "networks/tiny.ini", TINY "[network]\ncaution = it did not\n");
	good = memory_compute(f->dir, &e, &f->arena, &c, &err)
	       && memory_write(&c, &devices, indices, 1, fixture_path(f, "m.csv"), &f->arena, &err)
	       && file_read(fixture_path(f, "m.csv"), 0, &f->arena, &text, &err);
	struct str doubtful = STR(",yes,inference,doubtful\n");
	test_ok(t,
		good && str_find(text, doubtful, 0) < text.len
		    && str_find(text, STR(",no,training,computed\n"), 0) < text.len,
		"a caution makes every yes doubtful");
	unlink(fixture_path(f, "m.csv"));
	unlink(fixture_path(f, "p.csv"));
	file_remove_tree(fixture_path(f, "networks"), &err);
}

/* Statements in any order of the file: memory.csv goes by workload, precision, source, figures. */
static void test_order(struct test *t, struct fixture *f)
{
	static const char *const rows[] = {
		"b,t,fp32,4,,at-least,2016-06-25,s,x\n", "a,t,fp32,5,,at-least,2016-06-25,z,x\n",
		"a,t,fp32,8,,at-least,2016-06-25,s,x\n", "a,t,fp16,6,,at-least,2016-06-25,z,x\n",
		"a,t,fp32,7,,at-least,2016-06-25,s,x\n",
	};
	static const int orders[][LEN(rows)] = { { 0, 1, 2, 3, 4 },
						 { 4, 3, 2, 1, 0 },
						 { 2, 4, 1, 0, 3 } };
	struct device v[] = { { .name = STR("B"), .memory_gb = 6 } };
	struct devices devices = { .v = v, .n = 1 };
	const size_t index = 0;
	struct edition e = edition_of("2026-01-01");

	for (size_t i = 0; i < LEN(orders); i++) {
		struct strbuf b = { .arena = &f->arena };
		struct memory_cases c;
		struct error err = { 0 };
		struct str text = STR("");

		strbuf_add(&b, STR(STATED));
		for (size_t k = 0; k < LEN(rows); k++)
			strbuf_add(&b, str_of(rows[orders[i][k]]));
		fixture_put(f, "memory_stated.csv", str_c(&f->arena, strbuf_str(&b)));
		test_ok(t,
			memory_compute(f->dir, &e, &f->arena, &c, &err)
			    && memory_write(&c, &devices, &index, 1, fixture_path(f, "m.csv"),
					    &f->arena, &err)
			    && file_read(fixture_path(f, "m.csv"), 0, &f->arena, &text, &err),
			"statements in another order");
		size_t from = str_find(text, STR("\na,"), 0) + 1;
		test_str(t, str_slice(text, from, text.len),
			 STR("a,fp16,,6,B,6,yes,training,stated\n"
			     "a,fp32,,7,B,6,no,training,stated\n"
			     "a,fp32,,8,B,6,no,training,stated\n"
			     "a,fp32,,5,B,6,yes,training,stated\n"
			     "b,fp32,,4,B,6,yes,training,stated\n"),
			 "by workload, precision, source, then figures");
	}
}

int main(void)
{
	struct test t = { 0 };
	struct fixture f;

	if (!fixture_open(&f))
		return 1;
	test_stated(&t, &f.arena);
	test_errors(&t, &f);
	test_written(&t, &f);
	test_order(&t, &f);
	fixture_close(&f);
	return test_done(&t);
}
