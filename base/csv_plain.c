/* The scan for any processor: eight bytes at a time in a 64-bit word. */
#include "csv_index.h"

#include <string.h>

static uint64_t spread(char c)
{
	return 0x0101010101010101u * (unsigned char)c;
}

/* Byte 0 of the text in the lowest bits, on any machine. */
static uint64_t load(const char *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v = __builtin_bswap64(v);
#endif
	return v;
}

/* The high bit of each byte, gathered: byte i gives bit i. */
static uint64_t gather(uint64_t high)
{
	return (high >> 7 & 0x0101010101010101u) * 0x0102040810204080u >> 56;
}

/* Bytes of v that are the same as those of c. The sum carries out of no byte, so that each bit is
 * exact. */
static uint64_t same(uint64_t v, uint64_t c)
{
	const uint64_t low = 0x7F7F7F7F7F7F7F7Fu;
	uint64_t differ = v ^ c;

	return gather(~(((differ & low) + low) | differ));
}

static struct csv_masks masks_of(const char *text, char separator, char blank)
{
	struct csv_masks m = { 0 };

	for (unsigned i = 0; i < CSV_BLOCK; i += 8) {
		uint64_t v = load(text + i);

		m.separator |= same(v, spread(separator)) << i;
		m.cr |= same(v, spread('\r')) << i;
		m.lf |= same(v, spread('\n')) << i;
		m.quote |= same(v, spread('"')) << i;
		m.blank |= (same(v, spread(' ')) | same(v, spread(blank))) << i;
		m.high |= gather(v) << i;
		m.nul |= same(v, 0) != 0;
	}
	return m;
}

CSV_KERNEL_LOOPS(, plain, masks_of, csv_index_ends)

static bool available(void)
{
	return true;
}

const struct csv_kernel csv_kernel_plain = { "plain", available, index_plain, count_plain };
