/* gpuguide pick: advice from the newest edition, without making one. Status 0 when a card meets the
 * wish (or an owned one is best kept), 1 when none does and the nearest possible is named. */
#include "commands.h"
#include "pick_print.h"

#include "../analyze/pick.h"
#include "../analyze/readback.h"
#include "../base/file.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

struct question {
	const struct options *opt;
	struct arena *arena;
	struct text_catalogue english;
	struct devices devices;
	struct readback edition;
	struct personas personas;
	struct memory_settings memory;
	bool has_memory;
	const struct persona *persona; /* NULL: none was named */
	struct pick_wish wish;
};

static struct str class_list(const struct question *q)
{
	struct strbuf b = { .arena = q->arena };

	for (size_t i = 0; i < q->edition.edition.nclasses; i++)
		strbuf_printf(&b, "%s" STR_FMT, i ? ", " : "",
			      STR_ARG(class_name(q->edition.edition.classes[i].id)));
	return strbuf_str(&b);
}

static struct str persona_list(const struct question *q)
{
	struct strbuf b = { .arena = q->arena };

	for (size_t i = 0; i < q->personas.n; i++)
		strbuf_printf(&b, "%s" STR_FMT, i ? ", " : "", STR_ARG(q->personas.v[i].wish.name));
	return strbuf_str(&b);
}

/* "transformer", or several with the same weight: "cnn,transformer". */
static bool set_classes(struct question *q, struct error *err)
{
	struct str rest = str_of(q->opt->class_name), item;

	if (rest.len == 0)
		return error_set(err, ERR_USAGE,
				 "--class: no class is named; the edition has " STR_FMT,
				 STR_ARG(class_list(q)));
	for (size_t i = 0; i < CLASS_COUNT; i++)
		q->wish.weights[i] = 0;
	while (str_cut(&rest, ',', &item)) {
		const struct edition *e = &q->edition.edition;
		size_t i = 0;
		while (i < e->nclasses && !str_eq(class_name(e->classes[i].id), str_trim(item)))
			i++;
		if (i == e->nclasses)
			return error_set(err, ERR_USAGE,
					 "--class: '" STR_FMT
					 "' is not a class of the edition: " STR_FMT,
					 STR_ARG(str_trim(item)), STR_ARG(class_list(q)));
		q->wish.weights[e->classes[i].id] = 1;
	}
	return true;
}

static bool set_persona(struct question *q, struct error *err)
{
	q->persona = persona_find(&q->personas, str_of(q->opt->persona));
	if (!q->persona)
		return error_set(err, ERR_USAGE, "--persona: there is no '%s'; there are " STR_FMT,
				 q->opt->persona, STR_ARG(persona_list(q)));
	q->wish = q->persona->wish;
	return true;
}

/* Options go before what the persona says. */
static bool set_options(struct question *q, struct error *err)
{
	const struct options *o = q->opt;
	enum lens lens;

	if (o->lens && !lens_parse(str_of(o->lens), &lens))
		return error_set(err, ERR_USAGE,
				 "--lens: '%s' is not card, system, system+power or cloud",
				 o->lens);
	if (o->condition && !persona_condition_parse(str_of(o->condition), &q->wish.condition))
		return error_set(err, ERR_USAGE, "--condition: '%s' is not new, used or any",
				 o->condition);
	if (o->lens)
		q->wish.lens = str_of(o->lens);
	if (o->lens && !q->persona && str_eq(q->wish.lens, STR("cloud")))
		q->wish.host = HOST_ANY;
	if (!isnan(o->budget_usd))
		q->wish.budget_usd = o->budget_usd;
	if (!isnan(o->memory_gb))
		q->wish.memory_gb = o->memory_gb;
	if (o->gpus > 0) {
		q->wish.gpus = o->gpus;
		q->wish.adjacent = true;
	}
	if (o->data_center) {
		q->wish.data_center = true;
		q->wish.host = q->wish.host == HOST_DESKTOP ? HOST_SERVER : q->wish.host;
	}
	return true;
}

/* Whole systems are worked out for some numbers of cards only. */
static bool check_system(const struct question *q, struct error *err)
{
	const struct systems *s = &q->edition.systems;
	struct strbuf sizes = { .arena = q->arena };

	if (!str_starts(q->wish.lens, STR("system")))
		return true;
	if (s->n == 0)
		return error_set(err, ERR_DATA, "--lens: the edition has no whole systems");
	for (size_t i = 0; i < s->n; i++) {
		size_t j = 0;
		if (s->v[i].gpus == q->wish.gpus)
			return true;
		while (j < i && s->v[j].gpus != s->v[i].gpus)
			j++;
		if (j == i)
			strbuf_printf(&sizes, "%s%d", sizes.len ? ", " : "", s->v[i].gpus);
	}
	return error_set(err, ERR_USAGE,
			 "--gpus: the edition has systems of " STR_FMT " cards, none of %d",
			 STR_ARG(strbuf_str(&sizes)), q->wish.gpus);
}

/* Nothing is said of the work: the classes as the first persona weighs them, who stands for
 * everybody. */
static void set_any_work(struct question *q)
{
	const struct edition *e = &q->edition.edition;

	for (size_t i = 0; i < e->nclasses; i++) {
		enum class_id id = e->classes[i].id;
		q->wish.weights[id] = q->personas.n ? q->personas.v[0].wish.weights[id] : 1;
	}
}

static bool make_wish(struct question *q, struct error *err)
{
	q->wish = pick_wish_default();
	if (!q->opt->persona && !q->opt->class_name)
		set_any_work(q);
	return (!q->opt->persona || set_persona(q, err))
	       && (!q->opt->class_name || set_classes(q, err)) && set_options(q, err)
	       && check_system(q, err);
}

static bool open_edition(struct question *q, struct error *err)
{
	const char *data = str_c(q->arena, file_join(q->arena, str_of(q->opt->root), STR("data")));
	struct str dir;
	const char *text =
	    str_c(q->arena, str_printf(q->arena, "%s/templates/text.en.ini", q->opt->root));

	q->has_memory = file_exists(str_c(q->arena, str_printf(q->arena, "%s/memory.ini", data)));
	return text_read(text, q->arena, &q->english, err)
	       && devices_read(data, q->arena, &q->devices, err)
	       && (!q->has_memory || memory_settings_read(data, q->arena, &q->memory, err))
	       && readback_find(q->opt->out ? q->opt->out : "out", q->arena, &dir, err)
	       && readback_open(str_c(q->arena, dir), &q->devices, q->arena, &q->edition, err)
	       && personas_read(data, &q->devices, &q->edition.edition, q->arena, &q->personas,
				err);
}

static bool answer(const struct question *q, const struct pick_input *in, const struct pick *pick,
		   struct str *out, struct error *err)
{
	const struct text_english e = { &q->english, q->arena, err };

	switch (q->opt->format) {
	case FORMAT_CSV: {
		struct pick copy = *pick;
		return picks_csv(&(struct picks){ &copy, 1 }, &q->devices, &q->english, q->arena,
				 out, err);
	}
	case FORMAT_JSON:
		*out = pick_print_json(&q->edition, in, pick, &e);
		break;
	case FORMAT_TEXT:
		*out = pick_print_text(&q->edition, in, pick, &e);
		break;
	}
	return err->code == ERR_NONE;
}

bool command_pick(const struct options *opt, struct arena *a, int *status, struct error *err)
{
	struct question q = { .opt = opt, .arena = a };
	struct pick pick;
	struct str text;

	if (!open_edition(&q, err) || !make_wish(&q, err))
		return false;
	const struct pick_input in = {
		.devices = &q.devices,
		.edition = &q.edition.edition,
		.indices = q.edition.indices,
		.nindices = q.edition.nindices,
		.scores = &q.edition.scores,
		.prices = &q.edition.prices,
		.conditions = q.edition.conditions.n ? &q.edition.conditions : NULL,
		.systems = q.edition.systems.n ? &q.edition.systems : NULL,
		.personas = &q.personas,
		.memory = q.has_memory ? &q.memory : NULL,
	};
	pick_compute(&in, &q.wish, a, &pick);
	pick.persona = q.persona;
	if (!answer(&q, &in, &pick, &text, err))
		return false;
	fwrite(text.p, 1, text.len, stdout);
	*status = pick.status == PICK_FOUND || pick.status == PICK_KEEP ? 0 : 1;
	return true;
}
