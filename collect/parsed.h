/* What one contribution gives by itself: rows, rejects and messages in a collection of its own, whose
 * names and machines are numbered within the file. It depends on the bytes of the file, the catalogue
 * and the cut-off alone, so that it can be kept (parsed_pack); what the other files and a
 * maintainer's decisions make of it comes with parsed_merge.
 *
 *     parsed_begin, check_row on every row or parsed_unpack, parsed_merge */
#ifndef COLLECT_PARSED_H
#define COLLECT_PARSED_H

#include "lookup.h"
#include "row.h"
#include "../base/arena.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

/* An empty collection with one input, number 0 of series 0, that stands for c->inputs[file].
 * one, messages  out; in `a`, which may be let go after parsed_merge */
void parsed_begin(const struct collection *c, size_t file, struct arena *a,
                  struct collection *one, struct messages *messages);

/* Adds what a file gave to all: names get their numbers here in the order of their first use, as if
 * the rows had been read straight into c. */
void parsed_merge(struct collection *c, size_t file, const struct collection *one);

/* l  has just read the file: the unknown names it asked the catalogue for go along
 * Returns empty text for a file that cannot be kept: too many searches for near names cut it short. */
struct str parsed_pack(const struct collection *one, const struct lookup *l, struct arena *a);

/* The way back; l then knows the unknown names as if it had read the file.
 * Returns false, and the file must be read, when the bytes are not those of parsed_pack(), or when a
 * name would be answered otherwise now, because the searches for near ones are used up. */
bool parsed_unpack(struct str packed, struct lookup *l, struct collection *one);

#endif
