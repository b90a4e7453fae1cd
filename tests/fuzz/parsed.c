/* collect/parsed.h: a file as collect keeps it, from a cache that somebody else wrote. What is
 * taken from it is within its bounds, and packed again it is the same. */
#include "fuzz.h"

#include "../catalogue_fixture.h"

#include "../../collect/parsed.h"

#include <limits.h>

#define WORKLOADS                                                                                  \
	"workload,metric,class,unit,better,lo,hi,flop_per_sample,bytes_per_sample,use,title,"      \
	"source\n"                                                                                 \
	"resnet50,throughput,cnn,images/s,higher,1,1e6,24.6e9,,score,ResNet-50,t\n"                \
	"bert-base,throughput,transformer,sequences/s,higher,0.1,1e6,,,score,BERT base,t\n"

/* A collection of one input, as the stage makes it. */
static struct collection collection_of(const struct devices *d, const struct workloads *w,
				       struct messages *m, struct input *input,
				       struct series_count *count, struct arena *a)
{
	return (struct collection){
		.arena = a,
		.devices = d,
		.workloads = w,
		.messages = m,
		.inputs = input,
		.ninputs = 1,
		.cutoff = { INT_MIN },
		.series = names_make(a),
		.precisions = names_make(a),
		.frameworks = names_make(a),
		.sources = names_make(a),
		.machine_keys = names_make(a),
		.contents = names_make(a),
		.counts = count,
		.rejects = { .arena = a },
		.items = item_store_make("/dev/null/x", 0, 0),
		.threads = 1,
	};
}

static bool unpack_once(struct str bytes, const struct devices *d, const struct workloads *w,
			struct arena *a, struct str *again)
{
	struct messages m = { .arena = a };
	struct input input = { .name = STR("lab/x.csv"), .name_c = "lab/x.csv" };
	struct series_count count = { .newest_row = { INT_MIN } };
	struct collection all = collection_of(d, w, &m, &input, &count, a);
	struct parsed p;
	size_t rows = 0;

	parsed_begin(&all, 0, &p);
	bool good = parsed_unpack(bytes, &p);
	if (good) {
		struct parsed_mark mark = parsed_begin_file(&all, 0);
		parsed_merge(&all, 0, &p);
		*again = parsed_pack(&all, &mark, a); /* while its names are those of the file */
		parsed_end_file(&all, 0);
		for (size_t i = 0; i < all.ngroups; i++) {
			const struct row *r = &all.groups[i]->row;
			fuzz_want(r->device < d->n && r->workload < w->n
				      && r->machine < all.machine_keys.n,
				  "a group names what there is");
			rows += all.groups[i]->n;
		}
		fuzz_want(rows == p.n, "all of it goes into the collection");
	}
	parsed_free(&p);
	item_store_close(&all.items);
	group_end_files(&all);
	group_free(&all);
	return good;
}
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str bytes = fuzz_text(data, size), one, two;
	struct workloads w;
	struct devices d;
	struct fuzz f;

	fuzz_open(&f);
	fuzz_put(&f, "devices.csv", STR(FIXTURE_DEVICES));
	fuzz_put(&f, "aliases.csv", STR(FIXTURE_ALIASES));
	fuzz_put(&f, "workloads.csv", STR(WORKLOADS));
	fuzz_want(devices_read(f.dir, &f.arena, &d, &f.err)
		      && workloads_read(f.dir, &f.arena, &w, &f.err),
		  "the small catalogue can be read");
	if (unpack_once(bytes, &d, &w, &f.arena, &one) && one.len)
		fuzz_want(unpack_once(one, &d, &w, &f.arena, &two) && str_eq(one, two),
		          "what was packed comes back, and packed again is the same");
	fuzz_close(&f);
	return 0;
}
