/* What earlier runs have kept of contributions: each file as it was read, by its bytes, and the
 * tables of the whole stage, by the bytes of all files, of their signatures, and of signed packed
 * files also by what was sent, which is what is signed. Both also hang on the catalogue. A night
 * that brings prices only takes the tables, one that brings a contribution reads that one alone.
 *
 * Files lie together on shelves, by the first digit of their hash: a thousand small entries would
 * take longer to write than their files to read. */
#ifndef COLLECT_STORE_H
#define COLLECT_STORE_H

#include "collect.h"
#include "output.h"
#include "row.h"
#include "../base/cache.h"
#include "../base/error.h"
#include "../base/map.h"

#include <stdbool.h>
#include <stddef.h>

enum { STORE_SHELVES = 16 };

/* One entry of the cache: some of the files. */
struct store_shelf {
	struct str key;
	struct map at;     /* item by SHA-256 */
	struct store_item {
		struct str sum, packed;
		bool asked; /* in this run */
	} *items;
	size_t n, cap, bytes;
	bool loaded, changed;
};

/* What lies in the catalogue, as hashes: of what each row is held against, and of all that the
 * tables hang on. */
struct store_catalogue {
	struct str rows, stage; /* empty without a cache */
};

struct collect_store {
	struct cache *cache;         /* NULL: nothing is kept */
	const struct collect_options *opt;
	const struct devices *devices; /* as they were read, before the rest of the catalogue */
	struct store_catalogue catalogue;
	struct arena *arena;
	struct store_shelf *shelves; /* STORE_SHELVES; NULL without a cache */
	size_t n;                    /* inputs */
	struct str *sums;            /* SHA-256 of each input; empty: not known; NULL: of none */
	struct str stage;            /* key of the stage; empty: it cannot be kept */
	size_t first_message;        /* the stage's messages begin there */
};

/* Before anything of it is read: what is made of it is not kept where it is another one at the
 * end. */
struct store_catalogue store_catalogue(const struct collect_options *opt, struct arena *a);

/* Hashes the inputs that input_find() has found. Standard input can be read only once, and a file
 * that cannot be read is told of by whoever reads it: with one of them the whole stage is not kept.
 * opt     kept */
void store_open(struct collect_store *s, const struct collect_options *opt,
                const struct store_catalogue *catalogue, const struct collection *c);
/* SHA-256 of an input, or empty. */
struct str store_sum(const struct collect_store *s, size_t file);

/* packed  of parsed_pack(); it holds good as long as the store. put: empty is not kept, other text
 *         is copied */
bool store_get_file(struct collect_store *s, struct str sum, struct str *packed);
void store_put_file(struct collect_store *s, struct str sum, struct str packed);
/* Writes the shelves that have changed. What was not asked for in this run (files that are gone, or
 * that another edition has) stays while it is not more than what was. */
void store_put_shelves(struct collect_store *s);

/* The tables, the summary, and the messages since store_open(), which are added to m. */
bool store_get_stage(const struct collect_store *s, struct messages *m,
                     struct collect_tables *tables, struct collect_summary *summary);
void store_put_stage(const struct collect_store *s, const struct messages *m,
                     const struct collect_tables *tables, const struct collect_summary *summary);

#endif
