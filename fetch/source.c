#define _XOPEN_SOURCE 700 /* realpath */

#include "source.h"

#include "../base/file.h"
#include "../base/num.h"
#include "../catalogue/keyfile.h"
#include "../collect/unpack.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const struct str type_names[FETCH_TYPE_COUNT] = {
	STR_INIT("git"), STR_INIT("rsync"), STR_INIT("ssh"), STR_INIT("https"), STR_INIT("folder"),
};

enum { ANY = (1 << FETCH_TYPE_COUNT) - 1, BY_SSH = 1 << FETCH_GIT | 1 << FETCH_SSH };

struct reading {
	struct fetch_sources *out;
	struct arena *arena;
	const char *root; /* absolute */
	struct error *err;
};

static bool has_only(struct str s, const char *marks)
{
	for (size_t i = 0; i < s.len; i++)
		if (!str_is_alnum(s.p[i]) && !(s.p[i] && strchr(marks, s.p[i])))
			return false;
	return true;
}

bool fetch_is_plain_path(struct str path)
{
	struct str segment;

	if (path.len == 0 || path.p[path.len - 1] == '/')
		return false;
	while (str_cut(&path, '/', &segment))
		if (!str_is_word(segment, "._-+"))
			return false;
	return true;
}

static bool set_type(struct reading *r, struct fetch_source *s, const struct keyfile_pair *p)
{
	for (size_t i = 0; i < LEN(type_names); i++)
		if (str_eq(type_names[i], p->value)) {
			s->type = (enum fetch_type)i;
			s->has_type = true;
			return true;
		}
	return error_at(r->err, ERR_SYNTAX, p->pos,
			"type: '" STR_FMT "' is not git, rsync, ssh, https or folder",
			STR_ARG(p->value));
}

static bool set_series(struct reading *r, struct fetch_source *s, const struct keyfile_pair *p)
{
	s->series = p->value;
	if (str_is_word(p->value, "._-") && p->value.len <= 60)
		return true;
	return error_at(r->err, ERR_SYNTAX, p->pos,
			"series: '" STR_FMT "' is not letters, digits, '.', '_', '-', at most 60, "
			"the first a letter or digit",
			STR_ARG(p->value));
}

/* What no address holds; a blank, a quote or a control character would only be there to confuse. */
static bool has_odd_character(struct str s)
{
	for (size_t i = 0; i < s.len; i++)
		if (s.p[i] <= ' ' || s.p[i] >= 0x7f || s.p[i] == '"' || s.p[i] == '\'' || s.p[i] == '\\')
			return true;
	return false;
}

static bool set_url(struct reading *r, struct fetch_source *s, const struct keyfile_pair *p)
{
	s->url = p->value;
	if (p->value.len == 0)
		return error_at(r->err, ERR_SYNTAX, p->pos, "url: it is empty");
	if (p->value.p[0] == '-')
		return error_at(r->err, ERR_SYNTAX, p->pos,
				"url: '" STR_FMT "' begins with '-', as an option does",
				STR_ARG(p->value));
	if (has_odd_character(p->value))
		return error_at(r->err, ERR_SYNTAX, p->pos,
				"url: '" STR_FMT "' has a blank, a quote, a '\\' or a character "
				"that is not ASCII",
				STR_ARG(p->value));
	return true;
}

static bool set_branch(struct reading *r, struct fetch_source *s, const struct keyfile_pair *p)
{
	s->branch = p->value;
	if (fetch_is_plain_path(p->value) && str_find(p->value, STR(".."), 0) == p->value.len)
		return true;
	return error_at(r->err, ERR_SYNTAX, p->pos,
			"branch: '" STR_FMT "' is not the plain name of a branch", STR_ARG(p->value));
}

static bool set_subfolder(struct reading *r, struct fetch_source *s, const struct keyfile_pair *p)
{
	s->subfolder = p->value;
	if (s->subfolder.len && s->subfolder.p[s->subfolder.len - 1] == '/')
		s->subfolder.len--;
	if (fetch_is_plain_path(s->subfolder))
		return true;
	return error_at(r->err, ERR_SYNTAX, p->pos,
			"subfolder: '" STR_FMT "' is not a relative path of plain names",
			STR_ARG(p->value));
}

static bool set_files(struct reading *r, struct fetch_source *s, const struct keyfile_pair *p)
{
	struct str rest = p->value, ending;
	size_t n = 0;

	s->files = p->value;
	while (str_cut(&rest, ' ', &ending)) {
		if (ending.len == 0)
			continue;
		if (++n > FETCH_ENDINGS_MAX)
			return error_at(r->err, ERR_RANGE, p->pos, "files: more than %d endings",
					FETCH_ENDINGS_MAX);
		if (!has_only(ending, "._-") || unpack_ending(ending).len == 0)
			return error_at(r->err, ERR_SYNTAX, p->pos,
					"files: '" STR_FMT "' is not an ending such as .csv or -gpu.csv; %s",
					STR_ARG(ending), unpack_read_kinds);
	}
	return n > 0
	    || error_at(r->err, ERR_SYNTAX, p->pos, "files: no ending such as .csv or -gpu.csv");
}

static bool file_key(struct reading *r, struct str *out, const struct keyfile_pair *p)
{
	*out = file_join(r->arena, str_of(r->root), p->value);
	if (p->value.len && p->value.p[0] == '/')
		*out = p->value;
	if (p->value.len && p->value.p[0] != '-' && str_find(*out, STR("\""), 0) == out->len)
		return true;
	return error_at(r->err, ERR_SYNTAX, p->pos,
			STR_FMT ": '" STR_FMT "' is not a path without '\"' and a '-' in front",
			STR_ARG(p->key), STR_ARG(p->value));
}

static bool set_path(struct reading *r, struct fetch_source *s, const struct keyfile_pair *p)
{
	return file_key(r, &s->path, p);
}

static bool set_cafile(struct reading *r, struct fetch_source *s, const struct keyfile_pair *p)
{
	return file_key(r, &s->cafile, p);
}

static bool set_known_hosts(struct reading *r, struct fetch_source *s, const struct keyfile_pair *p)
{
	return file_key(r, &s->known_hosts, p);
}

static bool set_ssh_key(struct reading *r, struct fetch_source *s, const struct keyfile_pair *p)
{
	return file_key(r, &s->ssh_key, p);
}

static bool set_max_files(struct reading *r, struct fetch_source *s, const struct keyfile_pair *p)
{
	double v = 0;

	if (!keyfile_number(p, 1, 1e5, &v, r->err))
		return false;
	s->max_files = (size_t)v;
	return true;
}

static bool set_max_file(struct reading *r, struct fetch_source *s, const struct keyfile_pair *p)
{
	double v = 0;

	if (!keyfile_number(p, 0.001, 200, &v, r->err))
		return false;
	s->max_file = (size_t)(v * 1e6);
	return true;
}

static bool set_max_total(struct reading *r, struct fetch_source *s, const struct keyfile_pair *p)
{
	double v = 0;

	if (!keyfile_number(p, 0.001, 2000, &v, r->err))
		return false;
	s->max_total = (size_t)(v * 1e6);
	return true;
}

static bool set_seconds(struct reading *r, struct fetch_source *s, const struct keyfile_pair *p)
{
	double v = 0;

	if (!keyfile_number(p, 1, 86400, &v, r->err))
		return false;
	s->seconds = (int)v;
	return true;
}

/* A key, the types that take it and those that need it. */
static const struct key {
	struct str name;
	int taken, needed;
	bool (*set)(struct reading *r, struct fetch_source *s, const struct keyfile_pair *p);
} keys[] = {
	{ STR_INIT("type"), ANY, ANY, set_type },
	{ STR_INIT("url"), ANY & ~(1 << FETCH_FOLDER), ANY & ~(1 << FETCH_FOLDER), set_url },
	{ STR_INIT("path"), 1 << FETCH_FOLDER, 1 << FETCH_FOLDER, set_path },
	{ STR_INIT("series"), ANY, ANY, set_series },
	{ STR_INIT("branch"), 1 << FETCH_GIT, 0, set_branch },
	{ STR_INIT("subfolder"), ANY & ~(1 << FETCH_HTTPS), 0, set_subfolder },
	{ STR_INIT("files"), ANY, 0, set_files },
	{ STR_INIT("max_files"), ANY, 0, set_max_files },
	{ STR_INIT("max_file_mb"), ANY, 0, set_max_file },
	{ STR_INIT("max_total_mb"), ANY, 0, set_max_total },
	{ STR_INIT("timeout_s"), ANY, 0, set_seconds },
	{ STR_INIT("cafile"), 1 << FETCH_HTTPS | 1 << FETCH_GIT, 0, set_cafile },
	{ STR_INIT("known_hosts"), BY_SSH, 0, set_known_hosts },
	{ STR_INIT("ssh_key"), BY_SSH, 0, set_ssh_key },
};

static const struct key *find_key(struct str name)
{
	for (size_t i = 0; i < LEN(keys); i++)
		if (str_eq(keys[i].name, name))
			return &keys[i];
	return NULL;
}

/* The section's source, made with its defaults at the first key. */
static struct fetch_source *section(struct reading *r, const struct keyfile_pair *p)
{
	struct fetch_sources *out = r->out;

	for (size_t i = 0; i < out->n; i++)
		if (str_eq(out->v[i].name, p->section))
			return &out->v[i];
	if (!str_is_word(p->section, "-_") || p->section.len > 40) {
		error_at(r->err, ERR_SYNTAX, p->pos,
			 "[" STR_FMT "]: a source's name is letters, digits, '-' and '_', at most 40",
			 STR_ARG(p->section));
		return NULL;
	}
	out->v = arena_grow(r->arena, out->v, &out->cap, out->n + 1, sizeof *out->v);
	out->v[out->n] = (struct fetch_source){ .name = p->section, .pos = p->pos,
						.files = STR(".csv .csv.gz .csv.zst .tar .tar.gz .tar.zst"),
						.max_files = 1000,
						.max_file = 5000000, .max_total = 100000000,
						.seconds = 120 };
	return &out->v[out->n++];
}

static bool apply(struct reading *r, const struct keyfile_pair *p)
{
	const struct key *key = find_key(p->key);
	struct fetch_source *s = section(r, p);
	struct strbuf names = { .arena = r->arena };

	if (!s)
		return false;
	if (key)
		return key->set(r, s, p);
	for (size_t i = 0; i < LEN(keys); i++)
		strbuf_printf(&names, "%s" STR_FMT, i ? ", " : "", STR_ARG(keys[i].name));
	return error_at(r->err, ERR_SYNTAX, p->pos,
			"unknown key '" STR_FMT "' of [" STR_FMT "]; there are " STR_FMT,
			STR_ARG(p->key), STR_ARG(p->section), STR_ARG(strbuf_str(&names)));
}

/* Taken and needed keys, when the type is known. */
static bool check_keys(struct reading *r, const struct keyfile *file, const struct fetch_source *s)
{
	for (size_t i = 0; i < LEN(keys); i++) {
		const struct keyfile_pair *given = NULL;

		for (size_t j = 0; j < file->n; j++)
			if (str_eq(file->v[j].section, s->name) && str_eq(file->v[j].key, keys[i].name))
				given = &file->v[j];
		if (!given && (!s->has_type ? i == 0 : keys[i].needed >> s->type & 1))
			return error_at(r->err, ERR_SYNTAX, s->pos,
					"[" STR_FMT "]: key '" STR_FMT "' is missing",
					STR_ARG(s->name), STR_ARG(keys[i].name));
		if (given && !(keys[i].taken >> s->type & 1))
			return error_at(r->err, ERR_SYNTAX, given->pos,
					"[" STR_FMT "]: a source of type " STR_FMT " has no key '" STR_FMT "'",
					STR_ARG(s->name), STR_ARG(type_names[s->type]),
					STR_ARG(keys[i].name));
	}
	return true;
}

/* A name, or an IPv6 address in brackets. */
static bool is_host(struct str s)
{
	if (s.len > 2 && s.p[0] == '[' && s.p[s.len - 1] == ']')
		return has_only(str_slice(s, 1, s.len - 1), ":.");
	return str_is_word(s, ".-");
}

/* [user@]host[:port] in its parts. */
static bool split_authority(struct str s, struct fetch_ssh_address *out)
{
	size_t at = str_find(s, STR("@"), 0), from = 0;
	int number;

	if (at < s.len) {
		out->user = str_slice(s, 0, at);
		if (!str_is_word(out->user, "._-"))
			return false;
		s = str_slice(s, at + 1, s.len);
	}
	if (s.len && s.p[0] == '[')
		from = str_find(s, STR("]"), 0);
	size_t colon = str_find(s, STR(":"), from);
	out->host = str_slice(s, 0, colon);
	out->port = str_slice(s, colon + 1, s.len);
	if (colon < s.len
	    && (!num_parse_int(out->port, &number) || number < 1 || number > 65535))
		return false;
	return is_host(out->host);
}

/* scheme://[user@]host[:port]/something */
static bool is_url(struct str s, struct str scheme)
{
	struct fetch_ssh_address parts = { .port = STR("") };

	if (!str_starts(s, scheme))
		return false;
	s = str_slice(s, scheme.len, s.len);
	size_t slash = str_find(s, STR("/"), 0);
	return slash + 1 < s.len && split_authority(str_slice(s, 0, slash), &parts);
}

/* The path goes through the shell of the other side in old versions of rsync: plain characters only. */
bool fetch_ssh_address_parse(struct str url, struct fetch_ssh_address *out)
{
	bool with_scheme = str_starts(url, STR("ssh://"));
	struct str rest = str_slice(url, with_scheme ? 6 : 0, url.len);
	size_t end = str_find(rest, STR("/"), 0);

	*out = (struct fetch_ssh_address){ .port = STR("") };
	if (!with_scheme) /* host:path; the colon of an IPv6 address stands within its brackets */
		end = str_find(rest, STR(":"), rest.len && rest.p[0] == '[' ? str_find(rest, STR("]"), 0) : 0);
	out->path = str_slice(rest, with_scheme ? end : end + 1, rest.len);
	if (!with_scheme && str_starts(out->path, STR("//"))) /* the address of another scheme */
		return false;
	return end < rest.len && split_authority(str_slice(rest, 0, end), out)
	    && out->path.len && out->path.p[0] != '-' && has_only(out->path, "._/~+-");
}

static bool is_git_address(struct str url)
{
	struct fetch_ssh_address ssh;

	return url.p[0] == '/' || is_url(url, STR("https://")) || fetch_ssh_address_parse(url, &ssh);
}

static bool check_address(struct reading *r, const struct keyfile *file, const struct fetch_source *s)
{
	static const char *const wanted[FETCH_TYPE_COUNT] = {
		"https://HOST/PATH, ssh://HOST/PATH, HOST:PATH or an absolute path",
		"rsync://HOST/MODULE/PATH",
		"HOST:PATH or ssh://HOST:PORT/PATH, the path of letters, digits and . _ / ~ + -",
		"https://HOST/PATH",
		"",
	};
	struct fetch_ssh_address ssh;
	struct pos pos = s->pos;
	const bool good[FETCH_TYPE_COUNT] = {
		s->type == FETCH_GIT && is_git_address(s->url),
		is_url(s->url, STR("rsync://")),
		fetch_ssh_address_parse(s->url, &ssh),
		is_url(s->url, STR("https://")),
		true,
	};

	for (size_t i = 0; i < file->n; i++)
		if (str_eq(file->v[i].section, s->name) && str_eq(file->v[i].key, STR("url")))
			pos = file->v[i].pos;
	if (good[s->type])
		return true;
	return error_at(r->err, ERR_SYNTAX, pos, "url: '" STR_FMT "' is not %s", STR_ARG(s->url),
			wanted[s->type]);
}

bool fetch_sources_parse(struct str text, const char *name, const char *root, struct arena *a,
			 struct fetch_sources *out, struct error *err)
{
	struct reading r = { out, a, root, err };
	struct keyfile file;
	char *real = realpath(root, NULL);

	*out = (struct fetch_sources){ 0 };
	if (!real)
		return error_errno(err, root);
	r.root = str_c(a, str_of(real));
	free(real);
	if (!keyfile_parse(text, name, a, &file, err))
		return false;
	for (size_t i = 0; i < file.n; i++)
		if (!apply(&r, &file.v[i]))
			return false;
	for (size_t i = 0; i < out->n; i++)
		if (!check_keys(&r, &file, &out->v[i]) || !check_address(&r, &file, &out->v[i]))
			return false;
	return true;
}

bool fetch_sources_read(const char *root, struct arena *a, struct fetch_sources *out,
			struct error *err)
{
	const char *path = str_c(a, file_join(a, str_of(root), STR("data/sources.ini")));
	struct str text;

	return file_read(path, 1 << 20, a, &text, err)
	    && fetch_sources_parse(text, path, root, a, out, err);
}

const struct fetch_source *fetch_source_find(const struct fetch_sources *s, struct str name)
{
	for (size_t i = 0; i < s->n; i++)
		if (str_eq(s->v[i].name, name))
			return &s->v[i];
	return NULL;
}

struct str fetch_type_name(enum fetch_type type)
{
	return type_names[type];
}
