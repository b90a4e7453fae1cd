/* catalogue/device.h: any name (a line each) is found, ambiguous or unknown, and however it is
 * spelt the answer is one. */
#include "fuzz.h"

#include "../catalogue_fixture.h"

static struct str respelt(struct str name, struct arena *a)
{
	struct strbuf b = { .arena = a };

	for (size_t i = 0; i < name.len; i++) {
		char c = name.p[i];
		if (c >= 'a' && c <= 'z')
			c = (char)(c - 'a' + 'A');
		if (c != '-' && c != '_' && c != ' ' && c != '\t')
			strbuf_addc(&b, c);
		strbuf_add(&b, i % 3 ? STR("-") : STR(" _"));
	}
	return strbuf_str(&b);
}

static void want_answer(const struct devices *d, struct str name, struct arena *a)
{
	size_t near[8], again[8], n = 0, m = 0;
	enum device_match match = device_find(d, name, a, near, &n);
	size_t index = device_index(d, name);

	fuzz_want(n <= 8
		      && (match == DEVICE_FOUND       ? n == 1
			  : match == DEVICE_AMBIGUOUS ? n >= 2
						      : n == 3),
		  "one found, several ambiguous, three near");
	for (size_t i = 0; i < n; i++) {
		fuzz_want(near[i] < d->n, "an index of the catalogue");
		for (size_t k = 0; k < i; k++)
			fuzz_want(near[i] != near[k], "no device twice");
	}
	fuzz_want(device_known(d, name, a) == (match != DEVICE_UNKNOWN),
		  "known is found or ambiguous");
	fuzz_want(index == d->n || (index == near[0] && match == DEVICE_FOUND),
		  "a canonical name is found");
	fuzz_want(device_find(d, respelt(name, a), a, again, &m) == match && n == m
	          && memcmp(near, again, n * sizeof *near) == 0,
	          "case, blanks, '-' and '_' do not matter");
	fuzz_want(str_starts(device_names(d, near, n, a), d->v[near[0]].name),
		  "the names of what is near");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str rest = fuzz_text(data, size), name;
	struct fuzz f;
	struct devices d;

	fuzz_open(&f);
	fuzz_put(&f, "devices.csv", STR(FIXTURE_DEVICES));
	fuzz_put(&f, "aliases.csv", STR(FIXTURE_ALIASES));
	fuzz_want(devices_read(f.dir, &f.arena, &d, &f.err), "the small catalogue can be read");
	while (str_cut(&rest, '\n', &name))
		want_answer(&d, name, &f.arena);
	fuzz_close(&f);
	return 0;
}
