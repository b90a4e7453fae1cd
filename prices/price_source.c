#include "price_source.h"

#include "../base/file.h"
#include "../catalogue/section.h"

#include <stddef.h>
#include <string.h>

enum { WORDS_MAX = 64 };

/* Printable ASCII without what a reader, or a terminal, could take for something else. */
static bool is_plain_ascii(struct str s)
{
	for (size_t i = 0; i < s.len; i++)
		if (s.p[i] <= ' ' || s.p[i] >= 0x7f || strchr("\"'\\<>", s.p[i]))
			return false;
	return true;
}

static bool bad(struct section_reading *r, const struct keyfile_pair *p, const char *why)
{
	return error_at(r->err, ERR_SYNTAX, p->pos, STR_FMT ": '" STR_FMT "' %s", STR_ARG(p->key),
			STR_ARG(p->value), why);
}

static bool set_url(struct section_reading *r, void *record, const struct keyfile_pair *p)
{
	struct price_source *s = record;
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

static bool set_command(struct section_reading *r, void *record, const struct keyfile_pair *p)
{
	struct price_source *s = record;
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

static bool set_map(struct section_reading *r, void *record, const struct keyfile_pair *p)
{
	struct price_source *s = record;

	s->map = p->value;
	return p->value.len > 0 || bad(r, p, "is not a name of data/price_maps or a file NAME.ini");
}

static bool set_market(struct section_reading *r, void *record, const struct keyfile_pair *p)
{
	struct price_source *s = record;

	s->market = p->value;
	return p->value.len > 0 || bad(r, p, "is not the name of a market");
}

static bool set_source(struct section_reading *r, void *record, const struct keyfile_pair *p)
{
	struct price_source *s = record;

	s->source = p->value;
	return p->value.len > 0 || bad(r, p, "says nothing");
}

static bool set_date(struct section_reading *r, void *record, const struct keyfile_pair *p)
{
	struct price_source *s = record;

	s->date_from_file = str_eq(p->value, STR("from-file"));
	return s->date_from_file || str_eq(p->value, STR("today"))
	       || bad(r, p, "is not today or from-file");
}

static bool set_max_mb(struct section_reading *r, void *record, const struct keyfile_pair *p)
{
	struct price_source *s = record;
	double v = 0;

	if (!keyfile_number(p, 0.001, 1000, &v, r->err))
		return false;
	s->max_bytes = (size_t)(v * 1e6);
	return true;
}

static bool set_timeout_s(struct section_reading *r, void *record, const struct keyfile_pair *p)
{
	struct price_source *s = record;
	double v = 0;

	if (!keyfile_number(p, 1, 86400, &v, r->err))
		return false;
	s->seconds = (int)v;
	return true;
}

static bool set_keep_raw(struct section_reading *r, void *record, const struct keyfile_pair *p)
{
	struct price_source *s = record;

	s->keep_raw = str_eq(p->value, STR("yes"));
	return s->keep_raw || str_eq(p->value, STR("no")) || bad(r, p, "is not yes or no");
}

static bool set_cafile(struct section_reading *r, void *record, const struct keyfile_pair *p)
{
	struct price_source *s = record;

	if (p->value.len == 0 || p->value.p[0] == '-')
		return bad(r, p, "is not the path of a file");
	s->cafile =
	    p->value.p[0] == '/' ? p->value : file_join(r->arena, str_of(r->root), p->value);
	return true;
}

static const struct section_key keys[] = {
	{ STR_INIT("url"), set_url, 0, 0 },
	{ STR_INIT("command"), set_command, 0, 0 },
	{ STR_INIT("map"), set_map, 0, 0 },
	{ STR_INIT("market"), set_market, 0, 0 },
	{ STR_INIT("date"), set_date, 0, 0 },
	{ STR_INIT("source"), set_source, 0, 0 },
	{ STR_INIT("max_mb"), set_max_mb, 0, 0 },
	{ STR_INIT("timeout_s"), set_timeout_s, 0, 0 },
	{ STR_INIT("keep_raw"), set_keep_raw, 0, 0 },
	{ STR_INIT("cafile"), set_cafile, 0, 0 },
};

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

/* What a section begins with. */
static const struct price_source fresh = {
	.keep_raw = true, .max_bytes = 10000000, .seconds = 60,
};

static const struct section_kind kind = {
	keys, LEN(keys), &fresh, sizeof fresh,
	offsetof(struct price_source, name), offsetof(struct price_source, pos),
};

bool price_sources_parse(struct str text, const char *name, const char *root, struct arena *a,
			 struct price_sources *out, struct error *err)
{
	struct section_file file;

	*out = (struct price_sources){ 0 };
	if (!section_parse(&kind, text, name, root, a, &file, err))
		return false;
	*out = (struct price_sources){ file.v, file.n, file.cap };
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
