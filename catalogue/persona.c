#include "persona_keys.h"

#include "../base/file.h"

#include <math.h>
#include <stdint.h>

static bool complete(struct persona_reading *r, struct persona_section *s)
{
	struct pick_wish *w = &s->persona.wish;
	double sum = 0;

	for (size_t i = 0; i < CLASS_COUNT; i++)
		sum += w->weights[i];
	if (s->word[WORD_OBJECTIVE] >= 0)
		w->objective = (enum persona_objective)s->word[WORD_OBJECTIVE];
	if (s->word[WORD_CONDITION] >= 0)
		w->condition = (enum persona_condition)s->word[WORD_CONDITION];
	if (s->word[WORD_HOST] >= 0)
		w->host = (enum persona_host)s->word[WORD_HOST];
	else if (str_eq(w->lens, STR("cloud")))
		w->host = HOST_ANY;
	w->data_center = s->word[WORD_DATA_CENTER] == 1;
	w->adjacent = s->word[WORD_COOLING] == 1;
	const struct {
		bool lacking;
		const char *key;
	} needed[] = {
		{ w->title.len == 0, "title" },
		{ w->asks.len == 0, "asks" },
		{ s->word[WORD_OBJECTIVE] < 0, "objective" },
		{ !(sum > 0), "weight.CLASS" },
		{ w->owns == SIZE_MAX && !isnan(w->gain_min), "owns" },
		{ w->owns != SIZE_MAX && isnan(w->gain_min), "gain" },
	};
	for (size_t i = 0; i < LEN(needed); i++)
		if (needed[i].lacking)
			return error_at(r->err, ERR_SYNTAX, w->pos,
					"[" STR_FMT "]: key '%s' is missing", STR_ARG(w->name),
					needed[i].key);
	return true;
}

static struct str persona_names(const struct persona_reading *r)
{
	struct strbuf b = { .arena = r->arena };

	for (size_t i = 0; i < r->n; i++)
		strbuf_printf(&b, "%s" STR_FMT, i ? ", " : "",
			      STR_ARG(r->sections[i].persona.wish.name));
	return strbuf_str(&b);
}

static bool choose_listed(struct persona_reading *r)
{
	const struct str_list *list = &r->edition->personas;

	for (size_t i = 0; i < list->n; i++) {
		size_t j = 0;
		while (j < r->n && !str_eq(r->sections[j].persona.wish.name, list->v[i]))
			j++;
		if (j == r->n)
			return error_at(
			    r->err, ERR_UNKNOWN, edition_pos(r->edition, "advice", STR("personas")),
			    "personas: '" STR_FMT "' is not in personas.ini; there are " STR_FMT,
			    STR_ARG(list->v[i]), STR_ARG(persona_names(r)));
		r->out->v[r->out->n++] = r->sections[j].persona;
	}
	return true;
}

static bool assemble(struct persona_reading *r, const char *name)
{
	for (size_t i = 0; i < r->n; i++)
		if (!complete(r, &r->sections[i]))
			return false;
	if (!r->has_owned || !r->has_keep || !r->has_upgrade || !r->has_dear)
		return error_at(r->err, ERR_SYNTAX, (struct pos){ name, 0, 0 },
				"[upgrade] needs owned, keep_below, upgrade_from and dear_below");
	if (!(r->out->keep_below <= r->out->upgrade_from))
		return error_at(r->err, ERR_RANGE, (struct pos){ name, 0, 0 },
				"[upgrade]: keep_below is above upgrade_from");
	r->out->v = arena_array(r->arena, r->n + r->edition->personas.n, sizeof *r->out->v);
	if (r->edition->personas.n)
		return choose_listed(r);
	for (size_t i = 0; i < r->n; i++)
		if (r->sections[i].span[0] <= r->year && r->year <= r->sections[i].span[1])
			r->out->v[r->out->n++] = r->sections[i].persona;
	return true;
}

bool personas_parse(struct str text, const char *name, const struct devices *devices,
		    const struct edition *edition, struct arena *a, struct personas *out,
		    struct error *err)
{
	struct persona_reading r = {
		.devices = devices, .edition = edition, .out = out, .arena = a, .err = err
	};
	struct keyfile file;
	int month, day;

	*out = (struct personas){ .n = 0 };
	date_ymd(edition->date, &r.year, &month, &day);
	r.sections = arena_array(a, PERSONA_SECTIONS_MAX, sizeof *r.sections);
	if (!keyfile_parse(text, name, a, &file, err))
		return false;
	for (size_t i = 0; i < file.n; i++)
		if (!persona_key_apply(&r, &file.v[i]))
			return false;
	return assemble(&r, name);
}

bool personas_read(const char *data_dir, const struct devices *devices,
		   const struct edition *edition, struct arena *a, struct personas *out,
		   struct error *err)
{
	const char *path = str_c(a, file_join(a, str_of(data_dir), STR("personas.ini")));
	struct str text;

	if (!file_exists(path) && edition->personas.n == 0) {
		*out = (struct personas){ .n = 0 };
		return true;
	}
	return file_read(path, 0, a, &text, err)
	       && personas_parse(text, path, devices, edition, a, out, err);
}

const struct persona *persona_find(const struct personas *p, struct str name)
{
	for (size_t i = 0; i < p->n; i++)
		if (str_eq(p->v[i].wish.name, name))
			return &p->v[i];
	return NULL;
}
