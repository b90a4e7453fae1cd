#define _XOPEN_SOURCE 700 /* realpath */

#include "price_source.h"

#include "../base/file.h"
#include "../catalogue/keyfile.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MAX_BYTES = 40, WORDS_MAX = 64 };

struct reading {
	struct price_sources *out;
	struct arena *arena;
	const char *root; /* absolute */
	struct error *err;
};

/* Printable ASCII without what a reader, or a terminal, could take for something else. */
static bool is_plain_ascii(struct str s)
{
	for (size_t i = 0; i < s.len; i++)
		if (s.p[i] <= ' ' || s.p[i] >= 0x7f || strchr("\"'\\<>", s.p[i]))
			return false;
	return true;
}

static bool bad(struct reading *r, const struct keyfile_pair *p, const char *why)
{
	return error_at(r->err, ERR_SYNTAX, p->pos, STR_FMT ": '" STR_FMT "' %s", STR_ARG(p->key),
			STR_ARG(p->value), why);
}

static bool set_url(struct reading *r, struct price_source *s, const struct keyfile_pair *p)
{
	struct str scheme = STR("https://"), rest = str_slice(p->value, scheme.len, p->value.len);
	struct str host = str_slice(rest, 0, str_find(rest, STR("/"), 0));

	s->url = p->value;
	if (!str_starts(p->value, scheme) || host.len == 0)
		return bad(r, p, "is not https://HOST/PATH");
	if (!is_plain_ascii(p->value))
		return bad(r, p,
			   "has a blank, a quote, '<', '>', '\\' or a character that is not ASCII");
	if (str_find(host, STR("@"), 0) < host.len)
		return error_at(
		    r->err, ERR_SYNTAX, p->pos,
		    "url: a name or password in it would stand in logs and process lists");
	return true;
}

static bool set_command(struct reading *r, struct price_source *s, const struct keyfile_pair *p)
{
	struct str rest = p->value, word;
	const char **v = arena_array(r->arena, WORDS_MAX + 1, sizeof *v);
	size_t n = 0;

	while (str_cut(&rest, ' ', &word)) {
		word = str_trim(word);
		if (word.len == 0)
			continue;
		if (n == WORDS_MAX)
			return bad(r, p, "has more than 64 words");
		v[n++] = str_c(r->arena, word);
	}
	if (n == 0)
		return bad(r, p, "names no program");
	if (v[0][0] != '/' && strchr(v[0], '/'))
		v[0] = str_c(r->arena, file_join(r->arena, str_of(r->root), str_of(v[0])));
	s->command = v;
	return true;
}

static bool set_map(struct reading *r, struct price_source *s, const struct keyfile_pair *p)
{
	s->map = p->value;
	return p->value.len > 0 || bad(r, p, "is not a name of data/price_maps or a file NAME.ini");
}

static bool set_market(struct reading *r, struct price_source *s, const struct keyfile_pair *p)
{
	s->market = p->value;
	return p->value.len > 0 || bad(r, p, "is not the name of a market");
}

static bool set_source(struct reading *r, struct price_source *s, const struct keyfile_pair *p)
{
	s->source = p->value;
	return p->value.len > 0 || bad(r, p, "says nothing");
}

static bool set_date(struct reading *r, struct price_source *s, const struct keyfile_pair *p)
{
	s->date_from_file = str_eq(p->value, STR("from-file"));
	return s->date_from_file || str_eq(p->value, STR("today"))
	       || bad(r, p, "is not today or from-file");
}

static bool set_max_mb(struct reading *r, struct price_source *s, const struct keyfile_pair *p)
{
	double v = 0;

	if (!keyfile_number(p, 0.001, 1000, &v, r->err))
		return false;
	s->max_bytes = (size_t)(v * 1e6);
	return true;
}

static bool set_timeout_s(struct reading *r, struct price_source *s, const struct keyfile_pair *p)
{
	double v = 0;

	if (!keyfile_number(p, 1, 86400, &v, r->err))
		return false;
	s->seconds = (int)v;
	return true;
}

static bool set_keep_raw(struct reading *r, struct price_source *s, const struct keyfile_pair *p)
{
	s->keep_raw = str_eq(p->value, STR("yes"));
	return s->keep_raw || str_eq(p->value, STR("no")) || bad(r, p, "is not yes or no");
}

static bool set_cafile(struct reading *r, struct price_source *s, const struct keyfile_pair *p)
{
	if (p->value.len == 0 || p->value.p[0] == '-')
		return bad(r, p, "is not the path of a file");
	s->cafile =
	    p->value.p[0] == '/' ? p->value : file_join(r->arena, str_of(r->root), p->value);
	return true;
}

static const struct key {
	struct str name;
	bool (*set)(struct reading *r, struct price_source *s, const struct keyfile_pair *p);
} keys[] = {
	{ STR_INIT("url"), set_url },           { STR_INIT("command"), set_command },
	{ STR_INIT("map"), set_map },           { STR_INIT("market"), set_market },
	{ STR_INIT("date"), set_date },         { STR_INIT("source"), set_source },
	{ STR_INIT("max_mb"), set_max_mb },     { STR_INIT("timeout_s"), set_timeout_s },
	{ STR_INIT("keep_raw"), set_keep_raw }, { STR_INIT("cafile"), set_cafile },
};

/* The section's source, made with its defaults at the first key. */
static struct price_source *section(struct reading *r, const struct keyfile_pair *p)
{
	struct price_sources *out = r->out;

	for (size_t i = 0; i < out->n; i++)
		if (str_eq(out->v[i].name, p->section))
			return &out->v[i];
	if (!str_is_word(p->section, "-_") || p->section.len > NAME_MAX_BYTES) {
		error_at(r->err, ERR_SYNTAX, p->pos,
			 "[" STR_FMT
			 "]: a source's name is letters, digits, '-' and '_', at most %d",
			 STR_ARG(p->section), NAME_MAX_BYTES);
		return NULL;
	}
	out->v = arena_grow(r->arena, out->v, &out->cap, out->n + 1, sizeof *out->v);
	out->v[out->n] = (struct price_source){ .name = p->section,
						.pos = p->pos,
						.keep_raw = true,
						.max_bytes = 10000000,
						.seconds = 60 };
	return &out->v[out->n++];
}

static bool apply(struct reading *r, const struct keyfile_pair *p)
{
	struct price_source *s = section(r, p);
	struct strbuf names = { .arena = r->arena };

	if (!s)
		return false;
	for (size_t i = 0; i < LEN(keys); i++) {
		if (str_eq(keys[i].name, p->key))
			return keys[i].set(r, s, p);
		strbuf_printf(&names, "%s" STR_FMT, i ? ", " : "", STR_ARG(keys[i].name));
	}
	return error_at(r->err, ERR_SYNTAX, p->pos,
			"unknown key '" STR_FMT "' of [" STR_FMT "]; there are " STR_FMT,
			STR_ARG(p->key), STR_ARG(p->section), STR_ARG(strbuf_str(&names)));
}

static bool check_source(const struct price_source *s, struct error *err)
{
	if (!s->command == (s->url.len == 0))
		return error_at(err, ERR_SYNTAX, s->pos,
				"[" STR_FMT "]: one of url and command is wanted",
				STR_ARG(s->name));
	if (s->map.len == 0)
		return error_at(err, ERR_SYNTAX, s->pos, "[" STR_FMT "]: key 'map' is missing",
				STR_ARG(s->name));
	if (s->command && s->cafile.len)
		return error_at(err, ERR_SYNTAX, s->pos,
				"[" STR_FMT "]: cafile is for a url; a command has no use for it",
				STR_ARG(s->name));
	return true;
}

bool price_sources_parse(struct str text, const char *name, const char *root, struct arena *a,
			 struct price_sources *out, struct error *err)
{
	struct reading r = { .out = out, .arena = a, .err = err };
	struct keyfile file;
	char absolute[PATH_MAX];

	*out = (struct price_sources){ 0 };
	if (!realpath(root, absolute))
		return error_errno(err, root);
	r.root = str_c(a, str_of(absolute));
	if (!keyfile_parse(text, name, a, &file, err))
		return false;
	for (size_t i = 0; i < file.n; i++)
		if (!apply(&r, &file.v[i]))
			return false;
	for (size_t i = 0; i < out->n; i++)
		if (!check_source(&out->v[i], err))
			return false;
	return true;
}

bool price_sources_read(const char *root, struct arena *a, struct price_sources *out,
			struct error *err)
{
	const char *path = str_c(a, file_join(a, str_of(root), STR("data/price_sources.ini")));
	struct str text;

	return file_read(path, 1 << 20, a, &text, err)
	       && price_sources_parse(text, path, root, a, out, err);
}

const struct price_source *price_source_find(const struct price_sources *s, struct str name)
{
	for (size_t i = 0; i < s->n; i++)
		if (str_eq(s->v[i].name, name))
			return &s->v[i];
	return NULL;
}
