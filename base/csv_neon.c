/* The scan with NEON, which every 64-bit ARM processor has. */
#include "csv_index.h"

#if defined(__aarch64__)

#include <arm_neon.h>

/* One bit a byte of 64 bytes that are each all ones or all zeroes: three rounds of adding
 * neighbours. */
static uint64_t gather(uint8x16_t a, uint8x16_t b, uint8x16_t c, uint8x16_t d)
{
	static const uint8_t weights[16] = { 1, 2, 4, 8, 16, 32, 64, 128,
					     1, 2, 4, 8, 16, 32, 64, 128 };
	uint8x16_t bit = vld1q_u8(weights);
	uint8x16_t ab = vpaddq_u8(vandq_u8(a, bit), vandq_u8(b, bit));
	uint8x16_t cd = vpaddq_u8(vandq_u8(c, bit), vandq_u8(d, bit));
	uint8x16_t all = vpaddq_u8(ab, cd);

	all = vpaddq_u8(all, all);
	return vgetq_lane_u64(vreinterpretq_u64_u8(all), 0);
}

static uint64_t same(const uint8x16_t v[4], char c)
{
	uint8x16_t want = vdupq_n_u8((uint8_t)c);

	return gather(vceqq_u8(v[0], want), vceqq_u8(v[1], want), vceqq_u8(v[2], want),
		      vceqq_u8(v[3], want));
}

static struct csv_masks masks_of(const char *text, char separator, char blank)
{
	const uint8_t *p = (const uint8_t *)text;
	uint8x16_t v[4] = { vld1q_u8(p), vld1q_u8(p + 16), vld1q_u8(p + 32), vld1q_u8(p + 48) };
	uint8x16_t beyond = vdupq_n_u8(0x80);
	uint8x16_t least = vminq_u8(vminq_u8(v[0], v[1]), vminq_u8(v[2], v[3]));
	uint8x16_t most = vmaxq_u8(vmaxq_u8(v[0], v[1]), vmaxq_u8(v[2], v[3]));
	struct csv_masks m = { same(v, separator), same(v, '\r'), same(v, '\n'), same(v, '"'),
		               same(v, ' ') | same(v, blank), 0, vminvq_u8(least) == 0 };

	if (vmaxvq_u8(most) >= 0x80)
		m.high = gather(vcgeq_u8(v[0], beyond), vcgeq_u8(v[1], beyond),
				vcgeq_u8(v[2], beyond), vcgeq_u8(v[3], beyond));
	return m;
}

CSV_KERNEL_LOOPS(, neon, masks_of, csv_index_ends)

static bool available(void)
{
	return true;
}

const struct csv_kernel csv_kernel_neon = { "neon", available, index_neon, count_neon };

#else
extern const int csv_neon_absent; /* C wants a declaration in each file */
#endif
