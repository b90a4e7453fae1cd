/* The whole stage: folders with a catalogue, an edition and observations against the files
 * expected. With GOLDEN=write in the environment the expected files are written anew. */
#include "catalogue_fixture.h"
#include "golden.h"
#include "test.h"

#include "../analyze/analyze.h"

#include <limits.h>

static const char *const folders[] = { "tests/analyze/three", "tests/analyze/gaps" };
static const char *const outputs[] = { "scores.csv", "backtest.csv", "edition.csv", "prices.csv",
				       "values.csv" };
enum {
	GOLDEN_OUTPUTS = 3
}; /* of them; the formats of the last two are tested with their modules */

struct stage {
	struct devices devices;
	struct edition edition;
	struct prices prices;
	struct messages messages;
};

static const char *in_folder(struct fixture *f, const char *folder, const char *name)
{
	return str_c(&f->arena, str_printf(&f->arena, "%s/%s", folder, name));
}

static bool read_inputs(struct fixture *f, const char *folder, struct stage *s, struct error *err)
{
	const char *data = in_folder(f, folder, "data");

	s->messages.arena = &f->arena;
	return devices_read(data, &f->arena, &s->devices, err)
	       && edition_read(in_folder(f, folder, "edition.ini"), &s->devices, &f->arena,
			       &s->edition, err)
	       && prices_read(data, &s->devices, &f->arena, &s->prices, &s->messages, err);
}

static bool copy(struct fixture *f, const char *folder, const char *name)
{
	const char *from = in_folder(f, folder, name);
	struct str text;
	struct error err = { 0 };

	if (!file_exists(from) || !file_read(from, 0, &f->arena, &text, &err))
		return false;
	fixture_put(f, str_c(&f->arena, str_printf(&f->arena, "data/%s", name)),
		    str_c(&f->arena, text));
	return true;
}

static bool run(struct fixture *f, const char *folder, struct stage *s, struct error *err)
{
	struct analyze_options opt = { .data_dir = in_folder(f, folder, "data"),
				       .out_dir = f->dir,
				       .edition = &s->edition,
				       .templates_dir = "templates",
				       .previous_date = { INT_MIN } };

	return analyze_run(&opt, &s->devices, &s->prices, &f->arena, &s->messages, err);
}

static void test_folder(struct test *t, const char *folder)
{
	struct fixture f;
	struct stage s = { 0 };
	struct error err = { 0 };

	fixture_open(&f);
	file_make_dirs(fixture_path(&f, "data"), &err);
	copy(&f, folder, "observations.csv");
	copy(&f, folder, "machines.csv");
	bool good = read_inputs(&f, folder, &s, &err) && run(&f, folder, &s, &err);
	test_ok(t, good, folder);
	if (!good)
		error_print(stdout, &err);
	for (size_t i = 0; i < LEN(outputs); i++) {
		struct str got = STR("");
		const char *path =
		    fixture_path(&f, str_c(&f.arena, str_printf(&f.arena, "data/%s", outputs[i])));
		bool there = file_read(path, 0, &f.arena, &got, &err);
		test_ok(t, there, outputs[i]);
		f.files[f.n++] = str_of(path);
		if (i < GOLDEN_OUTPUTS)
			test_golden(
			    t, got,
			    in_folder(&f, folder,
				      str_c(&f.arena, str_printf(&f.arena, "want/%s", outputs[i]))),
			    &f.arena, outputs[i]);
	}
	while (f.n)
		unlink(f.files[--f.n].p);
	rmdir(fixture_path(&f, "data"));
	fixture_close(&f);
}

static void test_faults(struct test *t)
{
	struct fixture f;
	struct stage s = { 0 };
	struct error err = { 0 };

	fixture_open(&f);
	file_make_dirs(fixture_path(&f, "data"), &err);
	test_ok(t, read_inputs(&f, folders[0], &s, &err), "inputs");
	test_ok(t, !run(&f, folders[0], &s, &err) && err.code == ERR_ENVIRONMENT,
		"no observations.csv");
	fixture_put(&f, "data/observations.csv",
		    "device,class,workload,precision,device_count,series,value,unit,better\n"
		    "RTX 3090,llm,a,fp16,1,s,1,x/s,higher\n");
	err = (struct error){ 0 };
	test_ok(t, !run(&f, folders[0], &s, &err), "nothing to score");
	test_ok(t,
		err.code == ERR_DATA
		    && strcmp(err.msg, "no device of the edition 'edition' can be scored in any "
				       "class")
			   == 0,
		"nothing to score: message");
	test_ok(t, !file_exists(fixture_path(&f, "data/scores.csv")),
		"nothing to score: nothing written");
	s.edition.reference = STR("RTX 9999");
	err = (struct error){ 0 };
	test_ok(t,
		!run(&f, folders[0], &s, &err) && err.code == ERR_UNKNOWN
		    && strcmp(err.msg, "reference: 'RTX 9999' is not in the catalogue") == 0,
		"unknown reference");
	while (f.n)
		unlink(f.files[--f.n].p);
	rmdir(fixture_path(&f, "data"));
	fixture_close(&f);
}

int main(void)
{
	struct test t = { 0 };

	for (size_t i = 0; i < LEN(folders); i++)
		test_folder(&t, folders[i]);
	test_faults(&t);
	return test_done(&t);
}
