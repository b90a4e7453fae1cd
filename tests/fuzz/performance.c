/* analyze/performance_store.h: scores and back-tests as they are kept, from a cache that somebody
 * else wrote. What is taken from it is within its bounds, and kept again it is the same. */
#include "fuzz.h"

#include "../catalogue_fixture.h"

#include "../../analyze/performance_store.h"

#define EDITION                                                                                    \
	"[edition]\ntitle = T\ndate = 2019-05-31\n[benchmarks]\nclasses = cnn, llm\n"              \
	"reference = RTX 2080 Ti\n[prices]\nmarkets = amazon, ebay\n"
#define KEY1 STR("0000000000000000000000000000000000000000000000000000000000000001")
#define KEY2 STR("0000000000000000000000000000000000000000000000000000000000000002")
#define KEY3 STR("0000000000000000000000000000000000000000000000000000000000000003")

static void want_sound(const struct scores *s, const struct score_class *classes,
		       const struct score_input *in)
{
	for (size_t i = 0; i < s->n; i++)
		fuzz_want(s->v[i].device < in->devices->n && s->v[i].class < CLASS_COUNT
		          && s->v[i].origin <= ORIGIN_EXCLUDED,
		          "a score is of a device and class");
	for (size_t i = 0; i < in->edition->nclasses; i++)
		fuzz_want(classes[i].class == in->edition->classes[i].id
			      && classes[i].alarms.n <= classes[i].notes.n,
			  "the classes are those of the edition");
}

static void try_kept(struct fuzz *f, const struct score_input *in, struct str bytes)
{
	struct cache *cache = cache_open(fuzz_path(f, "cache"), &f->arena);
	struct scores one, two;
	struct score_class *classes, *again;
	struct str first, second;

	cache_put(cache, KEY1, bytes);
	if (!performance_get(cache, KEY1, in, &f->arena, &one, &classes))
		return;
	want_sound(&one, classes, in);
	performance_put(cache, KEY2, in, &one, classes);
	fuzz_want(performance_get(cache, KEY2, in, &f->arena, &two, &again),
		  "what was kept comes back");
	performance_put(cache, KEY3, in, &two, again);
	fuzz_want(cache_get(cache, KEY2, &f->arena, &first)
		      && cache_get(cache, KEY3, &f->arena, &second) && str_eq(first, second),
		  "and kept again it is the same");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t indices[] = { 0, 1, 5 };
	struct devices d;
	struct edition e;
	struct fuzz f;

	fuzz_open(&f);
	fuzz_put(&f, "devices.csv", STR(FIXTURE_DEVICES));
	fuzz_put(&f, "aliases.csv", STR(FIXTURE_ALIASES));
	fuzz_put(&f, "x.ini", STR(EDITION));
	fuzz_want(devices_read(f.dir, &f.arena, &d, &f.err)
	          && edition_read(fuzz_path(&f, "x.ini"), &d, &f.arena, &e, &f.err),
	          "the small catalogue can be read");
	struct score_input in = {
		.devices = &d, .edition = &e, .indices = indices, .nindices = LEN(indices)
	};
	try_kept(&f, &in, fuzz_text(data, size));
	fuzz_close(&f);
	return 0;
}
