/* The keys of personas.ini: what each may hold and where it goes. For persona.c only. */
#ifndef CATALOGUE_PERSONA_KEYS_H
#define CATALOGUE_PERSONA_KEYS_H

#include "keyfile.h"
#include "persona.h"

enum { PERSONA_SECTIONS_MAX = 256 };

/* Keys whose value is a word of a list. */
enum { WORD_OBJECTIVE, WORD_CONDITION, WORD_HOST, WORD_DATA_CENTER, WORD_COOLING, PERSONA_WORDS };

/* One section on its way to a persona. */
struct persona_section {
	struct persona persona;
	int budget_year, memory_year, tdp_year, guide_year; /* of the values kept so far */
	int span[2];     /* the years of the editions that have it: since, until */
	int word[PERSONA_WORDS]; /* place in the key's list; -1: not given */
};

struct persona_reading {
	const struct devices *devices;
	const struct edition *edition;
	int year; /* of the edition */
	struct persona_section *sections;
	size_t n;
	struct personas *out;
	bool has_owned, has_keep, has_upgrade, has_dear;
	struct arena *arena;
	struct error *err;
};

/* Takes one pair over. Errors: those of personas_read(), with the pair's line. */
bool persona_key_apply(struct persona_reading *r, const struct keyfile_pair *p);

#endif
