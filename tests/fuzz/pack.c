/* base/pack.h and what collect keeps with it: bytes from a cache that somebody else wrote. What is taken from
 * them is within its bounds, and put again it gives the same. */
#include "fuzz.h"

#include "../catalogue_fixture.h"

#include "../../base/pack.h"
#include "../../collect/parsed.h"

#define WORKLOADS                                                                                            \
	"workload,metric,class,unit,better,lo,hi,flop_per_sample,bytes_per_sample,use,title,source\n"        \
	"resnet50,throughput,cnn,images/s,higher,1,1e6,24.6e9,,score,ResNet-50,t\n"                          \
	"bert-base,throughput,transformer,sequences/s,higher,0.1,1e6,,,score,BERT base,t\n"

/* The bytes as all kinds of things, by the bytes themselves. */
static void take_all(struct str bytes, struct strbuf *again)
{
	struct unpack u = { .rest = bytes };

	while (!u.bad && u.rest.len > 0) {
		unsigned kind = (unsigned char)u.rest.p[0] % 5;
		strbuf_addc(again, u.rest.p[0]);
		u.rest = str_slice(u.rest, 1, u.rest.len);
		if (kind == 0) {
			pack_put_int(again, unpack_int(&u));
		} else if (kind == 1) {
			size_t v = unpack_index(&u, 1000);
			fuzz_want(v < 1000, "an index is below its end");
			pack_put_int(again, (long long)v);
		} else if (kind == 2) {
			size_t v = unpack_count(&u);
			fuzz_want(v <= bytes.len, "a count is not more than the bytes");
			pack_put_int(again, (long long)v);
		} else if (kind == 3) {
			pack_put_num(again, unpack_num(&u));
		} else {
			pack_put_str(again, unpack_str(&u));
		}
	}
	fuzz_want(u.bad || unpack_end(&u), "nothing is left");
	again->arena = u.bad ? NULL : again->arena; /* told from what was taken in full */
}

static void try_primitives(struct str bytes, struct arena *a)
{
	struct strbuf one = { .arena = a }, two = { .arena = a };

	take_all(bytes, &one);
	if (!one.arena)
		return;
	take_all(strbuf_str(&one), &two);
	fuzz_want(two.arena && str_eq(strbuf_str(&one), strbuf_str(&two)), "put and taken again it is the same");
}

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
	try_primitives(bytes, &f.arena);
	if (unpack_once(bytes, &d, &w, &f.arena, &one) && one.len)
		fuzz_want(unpack_once(one, &d, &w, &f.arena, &two) && str_eq(one, two),
		          "what was packed comes back, and packed again is the same");
	fuzz_close(&f);
	return 0;
}
