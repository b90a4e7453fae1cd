/* The keys of an edition file: what each may hold and where it goes. For edition.c only. */
#ifndef CATALOGUE_EDITION_KEYS_H
#define CATALOGUE_EDITION_KEYS_H

#include "edition.h"
#include "keyfile.h"

/* What the settings are gathered in; classes by class_id until all is read. */
struct edition_reading {
	const struct devices *devices;
	struct edition *out;
	struct edition_class by_class[CLASS_COUNT];
	bool own_policy[CLASS_COUNT];
	struct edition_class general; /* policy and precision of `precision` */
	struct arena *arena;
	struct error *err;
};

/* Takes one pair over. Errors: those of edition_read(), with the pair's line. */
bool edition_key_apply(struct edition_reading *r, const struct keyfile_pair *p);
/* ERR_UNKNOWN for a setting of a class that the edition does not list. After the last pair. */
bool edition_key_check_classes(struct edition_reading *r, const struct keyfile *file);
/* ERR_SYNTAX for a required key that the file lacks. */
bool edition_key_check_required(const struct keyfile *file, struct error *err);

#endif
