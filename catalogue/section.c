#define _XOPEN_SOURCE 700 /* realpath */

#include "section.h"

#include <stdlib.h>
#include <string.h>

static struct str name_of(const struct section_kind *kind, const char *record)
{
	struct str name;

	memcpy(&name, record + kind->name_at, sizeof name);
	return name;
}

static void *add_record(const struct section_kind *kind, const struct keyfile_pair *p,
			struct section_reading *r, struct section_file *out)
{
	out->v = arena_grow(r->arena, out->v, &out->cap, out->n + 1, kind->size);
	char *record = (char *)out->v + kind->size * out->n++;

	memcpy(record, kind->fresh, kind->size);
	memcpy(record + kind->name_at, &p->section, sizeof p->section);
	memcpy(record + kind->pos_at, &p->pos, sizeof p->pos);
	return record;
}

/* The record of the pair's section, made at its first key; NULL with an error. */
static void *record_of(const struct section_kind *kind, const struct keyfile_pair *p,
		       struct section_reading *r, struct section_file *out)
{
	for (size_t i = 0; i < out->n; i++) {
		char *record = (char *)out->v + kind->size * i;
		if (str_eq(name_of(kind, record), p->section))
			return record;
	}
	if (str_is_word(p->section, "-_") && p->section.len <= SECTION_NAME_MAX)
		return add_record(kind, p, r, out);
	error_at(r->err, ERR_SYNTAX, p->pos,
		 "[" STR_FMT "]: a source's name is letters, digits, '-' and '_', at most %d",
		 STR_ARG(p->section), SECTION_NAME_MAX);
	return NULL;
}

static bool apply(const struct section_kind *kind, const struct keyfile_pair *p,
		  struct section_reading *r, struct section_file *out)
{
	struct strbuf names = { .arena = r->arena };
	void *record = record_of(kind, p, r, out);

	if (!record)
		return false;
	for (size_t i = 0; i < kind->nkeys; i++) {
		if (str_eq(kind->keys[i].name, p->key))
			return kind->keys[i].set(r, record, p);
		strbuf_printf(&names, "%s" STR_FMT, i ? ", " : "", STR_ARG(kind->keys[i].name));
	}
	return error_at(r->err, ERR_SYNTAX, p->pos,
			"unknown key '" STR_FMT "' of [" STR_FMT "]; there are " STR_FMT,
			STR_ARG(p->key), STR_ARG(p->section), STR_ARG(strbuf_str(&names)));
}

bool section_parse(const struct section_kind *kind, struct str text, const char *name,
		   const char *root, struct arena *a, struct section_file *out, struct error *err)
{
	struct section_reading r = { .arena = a, .err = err };
	char *real = realpath(root, NULL);

	*out = (struct section_file){ .n = 0 };
	if (!real)
		return error_errno(err, root);
	r.root = str_c(a, str_of(real));
	free(real);
	if (!keyfile_parse(text, name, a, &out->pairs, err))
		return false;
	for (size_t i = 0; i < out->pairs.n; i++)
		if (!apply(kind, &out->pairs.v[i], &r, out))
			return false;
	return true;
}
