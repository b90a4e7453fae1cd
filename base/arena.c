#include "arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_BLOCK = 1 << 20, ALIGN = 16 };

/* For fuzzing: every piece is a block of its own and of just its size, so that AddressSanitizer
 * sees a step over its end. */
#ifdef GPUGUIDE_ARENA_PIECES
enum { PIECES = 1 };
#else
enum { PIECES = 0 };
#endif

/* The payload follows the header; HEADER keeps it aligned for any type. */
struct arena_block {
	struct arena_block *before;
	size_t used, size;
};

#define HEADER ((sizeof(struct arena_block) + ALIGN - 1) / ALIGN * ALIGN)

static void out_of_memory(size_t n)
{
	fprintf(stderr, "out of memory: %zu bytes more were wanted\n", n);
	exit(2);
}

static struct arena_block *block_new(struct arena *a, size_t n)
{
	size_t size = PIECES ? 0 : a->block_size ? a->block_size : DEFAULT_BLOCK;
	struct arena_block *b;

	if (n > size)
		size = n;
	if (size > SIZE_MAX - HEADER)
		out_of_memory(n);
	b = calloc(1, HEADER + size);
	if (!b)
		out_of_memory(n);
	b->size = size;
	return b;
}

void *arena_alloc(struct arena *a, size_t n)
{
	struct arena_block *b = a->last;
	char *p;

	if (n > SIZE_MAX - ALIGN)
		out_of_memory(n);
	n = n == 0 ? ALIGN : PIECES ? n : (n + ALIGN - 1) / ALIGN * ALIGN;
	if (b && b->size - b->used >= n) {
		p = (char *)b + HEADER + b->used;
		b->used += n;
		return p;
	}
	struct arena_block *fresh = block_new(a, n);
	/* A large piece goes behind the current block, so that the rest of that stays in use. */
	if (b && n > b->size / 4) {
		fresh->before = b->before;
		b->before = fresh;
	} else {
		fresh->before = b;
		a->last = fresh;
	}
	fresh->used = n;
	return (char *)fresh + HEADER;
}

void *arena_array(struct arena *a, size_t n, size_t size)
{
	if (size && n > SIZE_MAX / size)
		out_of_memory(n);
	return arena_alloc(a, n * size);
}

void *arena_grow(struct arena *a, void *array, size_t *cap, size_t want, size_t size)
{
	size_t old = *cap;
	size_t cap_new = old ? old : 8;

	if (want <= old)
		return array;
	while (cap_new < want) {
		if (cap_new > SIZE_MAX / 2)
			out_of_memory(want);
		cap_new *= 2;
	}
	void *p = arena_array(a, cap_new, size);
	if (old)
		memcpy(p, array, old * size);
	*cap = cap_new;
	return p;
}

void arena_free(struct arena *a)
{
	while (a->last) {
		struct arena_block *before = a->last->before;

		free(a->last);
		a->last = before;
	}
}

/* Only what was handed out can hold anything but zeros. */
void arena_clear(struct arena *a)
{
	size_t usual = a->block_size ? a->block_size : DEFAULT_BLOCK;
	struct arena_block *kept = NULL;

	while (a->last) {
		struct arena_block *b = a->last;

		a->last = b->before;
		if (kept || PIECES || b->size != usual)
			free(b);
		else
			kept = b;
	}
	if (!kept)
		return;
	memset((char *)kept + HEADER, 0, kept->used);
	kept->used = 0;
	kept->before = NULL;
	a->last = kept;
}

size_t arena_bytes(const struct arena *a)
{
	size_t n = 0;

	for (const struct arena_block *b = a->last; b; b = b->before)
		n += HEADER + b->size;
	return n;
}

void arena_adopt(struct arena *a, struct arena *other)
{
	struct arena_block *first = other->last;

	while (first && first->before)
		first = first->before;
	if (first && a->last) {
		first->before = a->last->before; /* below the block that `a` still fills */
		a->last->before = other->last;
	} else if (first) {
		a->last = other->last;
	}
	other->last = NULL;
}
