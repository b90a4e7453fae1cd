/* The tables of an edition, read back to be compared and asked: after lines "@@ NAME". */
#include "fuzz.h"

#include "../catalogue_fixture.h"

#include "../../analyze/change.h"
#include "../../analyze/readback.h"

#include <math.h>

static const char *const names[] = { "data/edition.csv",          "data/scores.csv",
				     "data/prices.csv",           "data/values.csv",
				     "data/price_conditions.csv", "data/systems.csv",
				     "data/inputs.csv",           "summary.json" };

static void try_change(struct fuzz *f)
{
	struct change_edition e;
	struct changes c;
	bool good = change_read_edition(f->dir, STR("card"), &f->arena, &e, &f->err);

	fuzz_want_fault(good, &f->err);
	if (!good)
		return;
	for (size_t i = 0; i < e.ncards; i++)
		fuzz_want(isnan(e.cards[i].score) || e.cards[i].score > 0, "a score is above 0");
	change_compute(&e, &e, &f->arena, &c);
	fuzz_want(c.nothing, "an edition does not differ from itself");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct readback r;
	struct devices d;
	struct fuzz f;

	fuzz_open(&f);
	fuzz_make_dir(&f, "data");
	fuzz_put(&f, "devices.csv", STR(FIXTURE_DEVICES));
	fuzz_put(&f, "aliases.csv", STR(FIXTURE_ALIASES));
	fuzz_put_files(&f, fuzz_text(data, size), names, LEN(names));
	fuzz_want(devices_read(f.dir, &f.arena, &d, &f.err), "the small catalogue can be read");
	bool good = readback_open(f.dir, &d, &f.arena, &r, &f.err);
	fuzz_want_fault(good, &f.err);
	f.err = (struct error){ 0 };
	try_change(&f);
	fuzz_close(&f);
	return 0;
}
