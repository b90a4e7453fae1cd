/* collect/parsed.h: a file as collect keeps it, from a cache that somebody else wrote. What is taken from it is
 * within its bounds, and packed again it is the same. */
#include "fuzz.h"

#include "../catalogue_fixture.h"

#include "../../collect/parsed.h"

#define WORKLOADS                                                                                            \
	"workload,metric,class,unit,better,lo,hi,flop_per_sample,bytes_per_sample,use,title,source\n"        \
	"resnet50,throughput,cnn,images/s,higher,1,1e6,24.6e9,,score,ResNet-50,t\n"                          \
	"bert-base,throughput,transformer,sequences/s,higher,0.1,1e6,,,score,BERT base,t\n"

/* A collection of one input, as the stage makes it. */
static struct collection collection_of(const struct devices *d, const struct workloads *w, struct messages *m,
                                       struct input *input, struct series_count *count, struct arena *a)
{
	return (struct collection){
		.arena = a, .devices = d, .workloads = w, .messages = m, .inputs = input, .ninputs = 1,
		.series = names_make(a), .precisions = names_make(a), .frameworks = names_make(a),
		.sources = names_make(a), .machine_keys = names_make(a), .contents = names_make(a),
		.counts = count, .rejects = { .arena = a },
	};
}

static bool unpack_once(struct str bytes, const struct devices *d, const struct workloads *w, struct arena *a,
                        struct str *again)
{
	struct messages m = { .arena = a }, said;
	struct input input = { .name = STR("lab/x.csv"), .name_c = "lab/x.csv" };
	struct series_count count = { 0 };
	struct collection all = collection_of(d, w, &m, &input, &count, a), one;
	struct lookup l = lookup_make(d, w, a);

	parsed_begin(&all, 0, a, &one, &said);
	lookup_file(&l, a);
	if (!parsed_unpack(bytes, &l, &one))
		return false;
	for (size_t i = 0; i < one.n; i++)
		fuzz_want(one.rows[i].device < d->n && one.rows[i].workload < w->n
		          && one.rows[i].machine < one.machine_keys.n && one.rows[i].state <= ROW_REJECTED,
		          "a row names what there is");
	*again = parsed_pack(&one, &l, a);
	parsed_merge(&all, 0, &one);
	fuzz_want(all.n == one.n && all.rejects.n == one.rejects.n, "all of it goes into the collection");
	return true;
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
	fuzz_want(devices_read(f.dir, &f.arena, &d, &f.err) && workloads_read(f.dir, &f.arena, &w, &f.err),
	          "the small catalogue can be read");
	if (unpack_once(bytes, &d, &w, &f.arena, &one) && one.len)
		fuzz_want(unpack_once(one, &d, &w, &f.arena, &two) && str_eq(one, two),
		          "what was packed comes back, and packed again is the same");
	fuzz_close(&f);
	return 0;
}
