/* Whether a language says what English says. */
#include "text.h"

#include "../base/file.h"

/* The next placeholder of a message at or after *at: its name, and whether it is a choice; those in
 * the texts of a choice follow it. */
static bool next_placeholder(struct str s, size_t *at, struct str *name, bool *choice)
{
	for (; *at < s.len; (*at)++) {
		if (s.p[*at] == '\\') {
			(*at)++;
			continue;
		}
		if (s.p[*at] != '{')
			continue;
		size_t from = *at + 1, end = from;
		while (end < s.len && s.p[end] != '?' && s.p[end] != '}')
			end++;
		*choice = end < s.len && s.p[end] == '?';
		*name = str_slice(s, from, end);
		*at = end;
		return true;
	}
	return false;
}

/* Whether a message has a placeholder of that name; `shown`: one that puts the argument in. */
static bool has_placeholder(struct str s, struct str wanted, bool shown)
{
	size_t at = 0;
	struct str name;
	bool choice;

	while (next_placeholder(s, &at, &name, &choice))
		if (str_eq(name, wanted) && !(shown && choice))
			return true;
	return false;
}

static bool is_free(struct str key)
{
	return str_starts(key, STR("data.")) || str_starts(key, STR("date."));
}

static const struct text_message *message_of(const struct text_catalogue *t, struct str key)
{
	const size_t *at = map_get(&t->by_key, key);

	return at ? &t->v[*at] : NULL;
}

/* The arguments that English shows are shown; the others are known to English. */
static bool check_arguments(const struct text_message *english, const struct text_message *m,
			    struct error *err)
{
	size_t at = 0;
	struct str name;
	bool choice;

	while (next_placeholder(english->text, &at, &name, &choice))
		if (!choice && !has_placeholder(m->text, name, true))
			return error_at(
			    err, ERR_DATA, m->pos, STR_FMT ": {" STR_FMT "} of %s:%d is missing",
			    STR_ARG(m->key), STR_ARG(name), english->pos.file, english->pos.line);
	for (at = 0; next_placeholder(m->text, &at, &name, &choice);)
		if (!has_placeholder(english->text, name, !choice))
			return error_at(err, ERR_DATA, m->pos,
					STR_FMT ": {" STR_FMT "} is not in %s:%d", STR_ARG(m->key),
					STR_ARG(name), english->pos.file, english->pos.line);
	return true;
}

bool text_check_language(const struct text_catalogue *english, const struct text_catalogue *t,
			 struct error *err)
{
	for (size_t i = 0; i < english->n; i++) {
		const struct text_message *e = &english->v[i], *m = message_of(t, e->key);
		if (!m)
			return error_at(err, ERR_DATA, (struct pos){ .file = t->file },
					"the message '" STR_FMT "' of %s:%d is missing",
					STR_ARG(e->key), e->pos.file, e->pos.line);
		if (!is_free(e->key) && !check_arguments(e, m, err))
			return false;
	}
	for (size_t i = 0; i < t->n; i++)
		if (!message_of(english, t->v[i].key) && !str_starts(t->v[i].key, STR("data.")))
			return error_at(err, ERR_DATA, t->v[i].pos,
					"there is no message '" STR_FMT "' in %s",
					STR_ARG(t->v[i].key), english->file);
	return true;
}

static const char *path_of(const char *dir, struct str tag, struct arena *a)
{
	struct str name = str_printf(a, "text." STR_FMT ".ini", STR_ARG(tag));

	return str_c(a, file_join(a, str_of(dir), name));
}

bool text_read_language(const char *dir, struct str tag, struct arena *a,
			struct text_catalogue *out, struct error *err)
{
	struct text_catalogue english;

	if (!text_read(path_of(dir, STR("en"), a), a, &english, err)
	    || !text_read(path_of(dir, tag, a), a, out, err))
		return false;
	if (!str_eq(out->language, tag))
		return error_at(err, ERR_DATA, (struct pos){ .file = out->file },
				"language.tag is '" STR_FMT "', the name of the file says '" STR_FMT
				"'",
				STR_ARG(out->language), STR_ARG(tag));
	return text_check_language(&english, out, err);
}
