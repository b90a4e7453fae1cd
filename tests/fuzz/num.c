/* base/num.h: any text against strtod and a grammar of its own; any double to text and back. */
#include "fuzz.h"

#include "../num_judge.h"

static void want_parsed(struct str text, bool comma)
{
	uint64_t want = judge_number(text, comma), got = UINT64_MAX;
	double v;

	if (num_parse(text, comma, &v))
		memcpy(&got, &v, sizeof got);
	fuzz_want(got == want, "num_parse is strtod");
}

static void want_int(struct str text)
{
	long long want = text.len ? 0 : -1;
	int got = -1;

	for (size_t i = 0; i < text.len && want >= 0; i++)
		want = text.p[i] < '0' || text.p[i] > '9'        ? -1
		       : want * 10 + text.p[i] - '0' > INT32_MAX ? -1
								 : want * 10 + text.p[i] - '0';
	bool good = num_parse_int(text, &got);
	fuzz_want(good == (want >= 0) && (!good || got == (int)want),
		  "num_parse_int takes what fits an int");
}

static void want_written(double v)
{
	struct arena a = { 0 };
	struct str shortest = num_shortest(&a, v), grouped = num_grouped(&a, v, 2);
	double back = 0;

	fuzz_want(str_eq(shortest, judge_shortest(&a, v)), "num_shortest is the shortest by trial");
	fuzz_want(num_parse(shortest, false, &back) && back == v, "num_shortest reads back");
	fuzz_want(grouped.len > 3 && !str_starts(grouped, STR("-0.00")),
		  "num_grouped has no minus zero");
	arena_free(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = fuzz_text(data, size);
	double v;

	want_parsed(text, false);
	want_parsed(text, true);
	want_int(text);
	if (size >= sizeof v) {
		memcpy(&v, data, sizeof v);
		if (isfinite(v))
			want_written(v);
	}
	if (num_parse(text, false, &v))
		want_written(v);
	return 0;
}
