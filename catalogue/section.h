/* Key files whose sections are sources, of contributions or of prices: a section becomes a record,
 * which its keys fill. */
#ifndef CATALOGUE_SECTION_H
#define CATALOGUE_SECTION_H

#include "keyfile.h"
#include "../base/arena.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

enum { SECTION_NAME_MAX = 40 }; /* bytes */

/* What the setters are given beside record and pair. */
struct section_reading {
	const char *root; /* absolute: relative paths in the file lie below it */
	struct arena *arena;
	struct error *err;
};

struct section_key {
	struct str name;
	bool (*set)(struct section_reading *r, void *record, const struct keyfile_pair *p);
	int taken, needed; /* of the caller alone: the kinds of records that take and need it */
};

/* What the records of a file are. */
struct section_kind {
	const struct section_key *keys;
	size_t nkeys;
	const void *fresh;      /* a record before its first key */
	size_t size;            /* of it */
	size_t name_at, pos_at; /* offsets of its struct str name, and struct pos of that key */
};

struct section_file {
	struct keyfile pairs;
	void *v; /* records, n of them, in the order of their first keys */
	size_t n, cap;
};

/* name  of the file, kept in every position
 * root  made absolute for the setters
 * Errors  ERR_ENVIRONMENT a root that is not there; those of keyfile_parse and of the setters;
 *         ERR_SYNTAX a section's name that is not letters, digits, '-' and '_', an unknown key */
bool section_parse(const struct section_kind *kind, struct str text, const char *name,
		   const char *root, struct arena *a, struct section_file *out, struct error *err);

#endif
