/* catalogue/persona.h: any text is a list of personas or refused with its line. */
#include "fuzz.h"

#include "../catalogue_fixture.h"

#include "../../catalogue/lens.h"
#include "../../catalogue/persona.h"

#define EDITION                                                                                    \
	"[edition]\ntitle = T\ndate = 2019-05-31\n[benchmarks]\nclasses = cnn, llm, transformer\n" \
	"reference = RTX 2080 Ti\n[prices]\nmarkets = amazon, ebay\n"

static void want_sound(const struct personas *p, const struct devices *d)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct pick_wish *w = &p->v[i].wish;
		enum lens lens;
		fuzz_want(w->title.len && w->asks.len && w->gpus >= 1 && lens_parse(w->lens, &lens),
		          "what is required is there");
		fuzz_want(w->owns < d->n || w->owns == SIZE_MAX, "what is owned is a device");
		for (size_t k = 0; k < CLASS_COUNT; k++)
			fuzz_want(w->weights[k] >= 0 && w->weights[k] < 1e300, "a weight");
		for (size_t k = 0; k < w->except.n; k++)
			fuzz_want(w->except.v[k].device < d->n, "an exception is a device");
		fuzz_want(persona_find(p, w->name) != NULL, "a persona is found by its name");
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct devices d;
	struct edition e;
	struct personas p;
	struct fuzz f;

	fuzz_open(&f);
	fuzz_put(&f, "devices.csv", STR(FIXTURE_DEVICES));
	fuzz_put(&f, "aliases.csv", STR(FIXTURE_ALIASES));
	fuzz_put(&f, "x.ini", STR(EDITION));
	fuzz_want(devices_read(f.dir, &f.arena, &d, &f.err), "the small catalogue can be read");
	fuzz_want(edition_read(fuzz_path(&f, "x.ini"), &d, &f.arena, &e, &f.err),
		  "the edition can be read");
	bool good = personas_parse(fuzz_text(data, size), "p.ini", &d, &e, &f.arena, &p, &f.err);
	fuzz_want_fault(good, &f.err);
	if (good)
		want_sound(&p, &d);
	fuzz_close(&f);
	return 0;
}
