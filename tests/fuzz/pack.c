/* base/pack.h: bytes that somebody else wrote. What is taken from them is within its bounds, and
 * put again it gives the same. */
#include "fuzz.h"

#include "../../base/pack.h"

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
			/* a count without its elements may be too large behind shorter bytes */
			for (; v > 0 && !u.bad; v--)
				pack_put_int(again, unpack_int(&u));
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
	fuzz_want(two.arena && str_eq(strbuf_str(&one), strbuf_str(&two)),
		  "put and taken again it is the same");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };

	try_primitives(fuzz_text(data, size), &a);
	arena_free(&a);
	return 0;
}
