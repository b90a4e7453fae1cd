/* The names that the accepted rows of one file use, numbered within the file by their first use.
 * They enter the stage only with the file: one that is refused leaves nothing behind. */
#ifndef COLLECT_FILE_NAMES_H
#define COLLECT_FILE_NAMES_H

#include "names.h"
#include "../base/arena.h"

#include <stddef.h>

struct collection;

struct file_names {
	struct names machines, precisions, frameworks, sources;
};

/* a  of the file: freed with it */
struct file_names file_names_make(struct arena *a);

/* What c->file_names would add to the stage. */
struct file_names_more {
	size_t machines, frameworks, sources; /* that the stage does not have yet */
	size_t bytes; /* of framework and source, for each kind of rows: as tables have them */
};
struct file_names_more file_names_more(const struct collection *c, size_t file);

/* Takes the names of a file that is accepted into the stage, and gives its groups the numbers that
 * they have there: names that are new get theirs in the order of their first use. */
void file_names_settle(struct collection *c, size_t file);

#endif
