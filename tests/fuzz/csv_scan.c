/* base/csv_scan.h against libcsv alone: the same cells, places and errors at every level that this
 * processor has, of the whole text, of parts of any size, and from a stream. (csv.c holds libcsv's
 * own reader to a count of its own.) The first byte chooses the size of the parts. */
#include "fuzz.h"

#include "../csv_scan_fixture.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = fuzz_text(data, size);
	size_t part = size ? 1 + data[0] % 100u : 1;
	struct arena a = { 0 };

	text = str_slice(text, 1, text.len);
	struct judgement j = judge(text, &a);
	fuzz_want(table_is_same(&j), "csv_parse_text is libcsv");
	for (int l = CSV_LEVEL_PLAIN; l < CSV_LEVEL_COUNT; l++) {
		enum csv_level level = (enum csv_level)l;
		if (!csv_level_available(level))
			continue;
		fuzz_want(whole_is_same(&j, level), csv_level_name(level));
		fuzz_want(parts_are_same(&j, part, level), "in parts it is the same");
		fuzz_want(stream_is_same(&j, part, level), "as a stream it is the same");
	}
	arena_free(&a);
	return 0;
}
