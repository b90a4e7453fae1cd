#include "csv_index.h"

#include <string.h>

enum { WINDOW = 1 << 13 }; /* bytes at once: text and index stay in the first cache */

/* The fastest first. */
static const struct {
	enum csv_level level;
	const struct csv_kernel *kernel;
} kernels[] = {
#if defined(__x86_64__)
	{ CSV_LEVEL_AVX512, &csv_kernel_avx512 },
	{ CSV_LEVEL_AVX2, &csv_kernel_avx2 },
	{ CSV_LEVEL_SSE2, &csv_kernel_sse2 },
#elif defined(__aarch64__)
	{ CSV_LEVEL_NEON, &csv_kernel_neon },
#endif
	{ CSV_LEVEL_PLAIN, &csv_kernel_plain },
};

const struct csv_kernel *csv_kernel(enum csv_level level)
{
	for (size_t i = 0; i < LEN(kernels); i++)
		if ((level == CSV_LEVEL_BEST || level == kernels[i].level)
		    && kernels[i].kernel->available())
			return kernels[i].kernel;
	return NULL;
}

bool csv_level_available(enum csv_level level)
{
	return csv_kernel(level) != NULL;
}

const char *csv_level_name(enum csv_level level)
{
	const struct csv_kernel *kernel = csv_kernel(level);

	return kernel ? kernel->name : "absent";
}

/* Bytes of the character at p, 0 when it is not well-formed (RFC 3629) within the `left` bytes. */
static size_t utf8_length(const unsigned char *p, size_t left)
{
	/* of the second byte: no overlong form, no surrogate, at most U+10FFFF */
	unsigned lo = 0x80, hi = 0xBF;
	size_t n;

	if (p[0] < 0x80)
		return 1;
	if (p[0] < 0xC2 || p[0] > 0xF4)
		return 0;
	n = p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : 4;
	if (p[0] == 0xE0)
		lo = 0xA0;
	else if (p[0] == 0xED)
		hi = 0x9F;
	else if (p[0] == 0xF0)
		lo = 0x90;
	else if (p[0] == 0xF4)
		hi = 0x8F;
	if (n > left || p[1] < lo || p[1] > hi)
		return 0;
	for (size_t i = 2; i < n; i++)
		if ((p[i] & 0xC0) != 0x80)
			return 0;
	return n;
}

void csv_index_utf8(struct csv_index *x, const struct csv_masks *m, uint32_t at)
{
	const unsigned char *p = (const unsigned char *)x->base;
	uint64_t left = m->high;

	if (x->utf8_from > at) /* the block begins with the rest of a character */
		left &= UINT64_MAX << (x->utf8_from - at);
	while (left) {
		unsigned i = (unsigned)__builtin_ctzll(left);
		size_t n = utf8_length(p + at + i, x->len - at - i);

		x->bad |= n == 0;
		n += n == 0;
		x->utf8_from = at + i + (uint32_t)n;
		if (i + n >= CSV_BLOCK)
			return;
		left &= UINT64_MAX << (i + n);
	}
}

/* Lets go of the rows that have been told. */
static void move_up(struct csv_index *x)
{
	uint32_t shift = x->begin / CSV_BLOCK * CSV_BLOCK;
	size_t events = 0;

	for (size_t i = x->first; i < x->n; i++)
		x->ends[i - x->first] = x->ends[i] - shift;
	for (size_t i = x->event; i < x->nevents; i++)
		if (x->events[i].at >= shift) {
			x->events[events] = x->events[i];
			x->events[events++].at -= shift;
		}
	x->n -= x->first;
	x->nevents = events;
	x->first = x->event = x->row = x->nrows = 0;
	x->base += shift;
	x->len -= shift;
	x->at -= shift;
	x->begin -= shift;
	x->utf8_from -= x->utf8_from < shift ? x->utf8_from : shift;
}

/* Room for all that so many blocks can hold. */
static void reserve(struct csv_index *x, size_t blocks)
{
	size_t most = (blocks + 1) * CSV_BLOCK;

	x->ends = arena_grow(x->arena, x->ends, &x->cap, x->n + most, sizeof *x->ends);
	x->rows = arena_grow(x->arena, x->rows, &x->rows_cap, x->nrows + most, sizeof *x->rows);
	x->events =
	    arena_grow(x->arena, x->events, &x->events_cap, x->nevents + blocks, sizeof *x->events);
}

/* The bytes behind the last whole block, and the row that the text's end ends. */
static void index_tail(struct csv_index *x)
{
	char block[CSV_BLOCK];
	uint32_t begin = x->begin;
	size_t left = x->len - x->at;

	if (left) {
		memset(block, 'x', sizeof block);
		memcpy(block, x->base + x->at, left);
		reserve(x, 1);
		x->kernel->index(x, block, 1);
	}
	x->ended = true;
	if (x->nrows) {
		uint32_t end = x->ends[x->rows[x->nrows - 1]];
		begin = end + 1;
		begin += begin < x->len && x->base[end] == '\r' && x->base[begin] == '\n';
	}
	if (begin >= x->len)
		return;
	reserve(x, 1);
	x->ends[x->n] = (uint32_t)x->len;
	x->rows[x->nrows++] = (uint32_t)x->n++;
	x->open = true;
}

void csv_index_more(struct csv_index *x)
{
	move_up(x);
	while (x->row == x->nrows && !x->ended && x->n <= CSV_CELLS_MAX
	       && x->at <= (size_t)x->begin + CSV_ROW_MAX) {
		size_t blocks = (x->len - x->at) / CSV_BLOCK;

		if (blocks > WINDOW / CSV_BLOCK)
			blocks = WINDOW / CSV_BLOCK;
		if (blocks == 0) {
			index_tail(x);
			break;
		}
		reserve(x, blocks);
		x->kernel->index(x, x->base + x->at, blocks);
	}
}
