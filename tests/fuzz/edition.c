/* catalogue/edition.h: any text is an edition or refused with its line. */
#include "fuzz.h"

#include "../catalogue_fixture.h"

#include "../../catalogue/edition.h"

static void want_sound(const struct edition *e, const struct devices *d)
{
	fuzz_want(e->title.len && e->nclasses > 0 && e->nclasses <= CLASS_COUNT && e->markets.n > 0,
	          "what is required is there");
	fuzz_want(device_index(d, e->reference) < d->n, "the reference is a device");
	for (size_t i = 0; i < e->devices.n; i++)
		fuzz_want(device_index(d, e->devices.v[i]) < d->n, "the list is of devices");
	for (size_t i = 0; i < e->nclasses; i++)
		fuzz_want(e->classes[i].spec_names.n <= EDITION_SPECS_MAX,
			  "specs within their bounds");
	fuzz_want(e->gpus >= 1 && e->years > 0 && e->hours_per_year >= 0
		      && e->nhours <= EDITION_HOURS_MAX,
		  "numbers within their bounds");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct devices d;
	struct edition e;
	struct fuzz f;

	fuzz_open(&f);
	fuzz_put(&f, "devices.csv", STR(FIXTURE_DEVICES));
	fuzz_put(&f, "aliases.csv", STR(FIXTURE_ALIASES));
	fuzz_put(&f, "x.ini", fuzz_text(data, size));
	fuzz_want(devices_read(f.dir, &f.arena, &d, &f.err), "the small catalogue can be read");
	bool good = edition_read(fuzz_path(&f, "x.ini"), &d, &f.arena, &e, &f.err);
	fuzz_want_fault(good, &f.err);
	if (good)
		want_sound(&e, &d);
	fuzz_close(&f);
	return 0;
}
