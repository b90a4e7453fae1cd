/* Inside of csv_scan.c: finds where cells and rows end, 64 bytes at a time. A kernel turns 64 bytes
 * into one bit a byte for each kind of character (struct csv_masks); what follows from the bits is
 * the same for all kernels and stands here, to be compiled into each for its processor.
 *
 * Whether a byte is in quotes is told by the number of quotes before it. That is right up to the
 * first fault, and a quote anywhere but at an end of a cell or beside another one in quotes marks
 * its block CSV_ROW_HARD, so that libcsv looks at the row. */
#ifndef BASE_CSV_INDEX_H
#define BASE_CSV_INDEX_H

#include "arena.h"
#include "csv_scan.h"
#include "str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CSV_BLOCK = 64 };
/* More of enum csv_row_flag. */
enum {
	CSV_ROW_HARD = 32,    /* libcsv must read the row */
	CSV_ROW_DOUBLED = 64, /* there may be quotes in quotes, written twice */
};

/* Bit i is byte i of the block. */
struct csv_masks {
	uint64_t separator, cr, lf, quote, blank;
	uint64_t high; /* bytes of characters beyond ASCII */
	bool nul;
};

/* A block that is not plain; at counts from the base of the index. */
struct csv_event {
	uint32_t at, flags;
	uint64_t newlines; /* line ends within quotes */
};

/* What the block before leaves to the next: one bit, the lowest, but for inside. */
struct csv_carry {
	uint64_t inside; /* all bits: the block begins in quotes */
	uint64_t cr, after, blank, close;
};

/* All offsets count from base, which moves along with the rows: a multiple of 64 bytes into the
 * text. */
struct csv_index {
	const struct csv_kernel *kernel;
	const char *base;
	size_t len;              /* bytes of the text from base */
	uint32_t at;             /* the next block */
	char separator, blank;   /* a tab is a blank where it is no separator; then blank is a space
	                          * as well */
	bool bad;                /* a NUL byte or bad UTF-8 has been seen */
	bool ended, open;        /* the text is used up; its last row has no end of its own */
	uint32_t utf8_from;      /* bytes before are checked */
	struct csv_carry carry;
	uint32_t *ends;          /* of cells */
	uint32_t *rows;          /* which of `ends` is also the end of a row */
	struct csv_event *events;
	size_t n, cap, nrows, rows_cap, nevents, events_cap;
	size_t first, row, event; /* what the next row begins with: `ends`, `rows`, `events` */
	uint32_t begin;           /* and its first byte */
	struct arena *arena;
};

/* Goes on to the next row end, or the end of the text, or until the row is over CSV_ROW_MAX or
 * CSV_CELLS_MAX. */
void csv_index_more(struct csv_index *x);

/* The instructions of one kind of processor.
 * available  whether this one has them
 * index  `blocks` whole blocks at x->at; there is room for what they hold
 * count  adds quotes and line ends of whole blocks; *cr is 1 when the byte before was a CR */
struct csv_kernel {
	const char *name;
	bool (*available)(void);
	void (*index)(struct csv_index *x, const char *text, size_t blocks);
	void (*count)(const char *text, size_t blocks, uint64_t *cr, size_t *quotes, size_t *lines);
};
/* NULL when this processor lacks it. */
const struct csv_kernel *csv_kernel(enum csv_level level);
extern const struct csv_kernel csv_kernel_plain;
#if defined(__x86_64__)
extern const struct csv_kernel csv_kernel_sse2, csv_kernel_avx2, csv_kernel_avx512;
#elif defined(__aarch64__)
extern const struct csv_kernel csv_kernel_neon;
#endif

/* Looks at the characters beyond ASCII of the block at `at`, and sets x->bad. */
void csv_index_utf8(struct csv_index *x, const struct csv_masks *m, uint32_t at);

#define CSV_INLINE static inline __attribute__((always_inline))

/* Bit i of the result is the parity of bits 0 to i: all bytes from an opening quote to before the
 * closing one. */
CSV_INLINE uint64_t csv_parity(uint64_t bits)
{
	for (unsigned shift = 1; shift < 64; shift *= 2)
		bits ^= bits << shift;
	return bits;
}

/* The ends of a block. */
struct csv_found {
	uint64_t ends, rows;
};

/* A block with quotes, blanks at the ends of cells, or bytes beyond ASCII: takes the ends in quotes
 * away, and says what is to be looked at. */
CSV_INLINE void csv_index_event(struct csv_index *x, struct csv_carry *c, const struct csv_masks *m,
                                uint64_t edges, uint32_t at, struct csv_found *f)
{
	uint64_t within = csv_parity(m->quote) ^ c->inside;
	uint64_t newlines = f->rows & within;
	uint64_t opening = m->quote & within, closing = m->quote & ~within;
	struct csv_event *e = &x->events[x->nevents++];

	f->ends &= ~within;
	f->rows &= ~within;
	uint64_t after = f->ends | m->lf; /* an LF in quotes has no opening quote behind it */
	/* By its number a quote within quotes closes them, and the one beside it opens them
	 * again. */
	uint64_t behind = closing << 1 | c->close, doubled = opening & behind;
	uint64_t odd =
	    (opening & ~doubled & ~(after << 1 | c->after)) | (behind & ~doubled & ~f->ends);
	c->inside = (uint64_t)((int64_t)within >> 63);
	c->close = closing >> 63;
	*e = (struct csv_event){ at,
				 (edges ? CSV_ROW_TRIM : 0u) | (m->quote ? CSV_ROW_QUOTED : 0u)
				     | (m->high ? CSV_ROW_WIDE : 0u) | (odd ? CSV_ROW_HARD : 0u)
				     | (doubled ? CSV_ROW_DOUBLED : 0u),
				 newlines };
	if (m->high)
		csv_index_utf8(x, m, at);
}

/* One block. The LF of a CRLF is no end: the row ends at the CR, and the next begins behind the
 * LF. */
CSV_INLINE struct csv_found csv_index_block(struct csv_index *x, struct csv_carry *c,
                                            const struct csv_masks *m, uint32_t at)
{
	uint64_t rows = m->cr | (m->lf & ~(m->cr << 1 | c->cr));
	struct csv_found f = { m->separator | rows, rows };
	uint64_t edges =
	    (m->blank & ((f.ends | m->lf) << 1 | c->after)) | ((m->blank << 1 | c->blank) & f.ends);

	if (__builtin_expect((edges | m->quote | c->inside | m->high | c->close) != 0, 0))
		csv_index_event(x, c, m, edges, at, &f);
	x->bad |= m->nul;
	c->cr = m->cr >> 63;
	c->blank = m->blank >> 63;
	c->after = (f.ends | m->lf) >> 63;
	return f;
}

/* Which of the ends from number n on are ends of rows. One a block is usual. */
CSV_INLINE void csv_index_rows(struct csv_index *x, const struct csv_found *f, size_t n)
{
	uint64_t rows = f->rows;

	do { /* written also when there is none, and then written over */
		uint64_t below = (rows & -rows) - 1;
		x->rows[x->nrows] = (uint32_t)(n + (size_t)__builtin_popcountll(f->ends & below));
		x->nrows += rows != 0;
		rows &= rows - 1;
	} while (__builtin_expect(rows != 0, 0));
}

/* The places of the next n bits; the last place again and again when there are fewer. */
CSV_INLINE uint64_t csv_index_put(uint32_t *to, uint64_t bits, uint32_t at, size_t n)
{
	const uint64_t last = (uint64_t)1 << 63; /* there is no lowest bit of none */

#pragma GCC unroll 12
	for (size_t i = 0; i < n; i++) {
		to[i] = at + (uint32_t)__builtin_ctzll(bits | last);
		bits &= bits - 1;
	}
	return bits;
}

/* The places of the set bits, in order; their number. Writes up to 64, set or not. Twelve at once
 * are enough for most blocks: to count them one by one costs a wrong prediction a block. */
CSV_INLINE size_t csv_index_ends(uint32_t *to, uint64_t bits, uint32_t at)
{
	size_t n = (size_t)__builtin_popcountll(bits);

	bits = csv_index_put(to, bits, at, 12);
	for (size_t i = 12; __builtin_expect(i < n, 0); i += 4)
		bits = csv_index_put(to + i, bits, at, 4);
	return n;
}

CSV_INLINE void csv_count_block(const struct csv_masks *m, uint64_t *cr, size_t *quotes,
				size_t *lines)
{
	*lines += (size_t)__builtin_popcountll(m->cr | (m->lf & ~(m->cr << 1 | *cr)));
	*quotes += (size_t)__builtin_popcountll(m->quote);
	*cr = m->cr >> 63;
}

/* The loops of one kernel. They are compiled anew for each kind of processor, by ATTRIBUTE, with
 * what differs inlined: a function in common could not be inlined into, nor compiled for, any but
 * the least of them.
 * masks(text, separator, blank)  gives the masks of a block
 * ends(to, bits, at)             as csv_index_ends() */
#define CSV_KERNEL_LOOPS(attribute, name, masks, put_ends)                                       \
	attribute static void index_##name(struct csv_index *x, const char *text, size_t blocks) \
	{                                                                                        \
		struct csv_carry carry = x->carry;                                               \
		size_t n = x->n;                                                                 \
		uint32_t at = x->at;                                                             \
                                                                                                 \
		for (size_t i = 0; i < blocks; i++, at += CSV_BLOCK, text += CSV_BLOCK) {        \
			struct csv_masks m = masks(text, x->separator, x->blank);                \
			struct csv_found f = csv_index_block(x, &carry, &m, at);                 \
			csv_index_rows(x, &f, n);                                                \
			n += put_ends(x->ends + n, f.ends, at);                                  \
		}                                                                                \
		x->carry = carry;                                                                \
		x->n = n;                                                                        \
		x->at = at;                                                                      \
	}                                                                                        \
                                                                                                 \
	attribute static void count_##name(const char *text, size_t blocks, uint64_t *cr,        \
	                                   size_t *quotes, size_t *lines)                        \
	{                                                                                        \
		for (size_t i = 0; i < blocks; i++, text += CSV_BLOCK) {                         \
			struct csv_masks m = masks(text, ',', ' ');                              \
			csv_count_block(&m, cr, quotes, lines);                                  \
		}                                                                                \
	}

#endif
