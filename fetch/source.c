#include "source.h"

#include "../base/file.h"
#include "../base/num.h"
#include "../catalogue/section.h"
#include "../collect/unpack.h"

#include <stddef.h>
#include <string.h>

static const struct str type_names[FETCH_TYPE_COUNT] = {
	STR_INIT("git"), STR_INIT("rsync"), STR_INIT("ssh"), STR_INIT("https"), STR_INIT("folder"),
};

enum { ANY = (1 << FETCH_TYPE_COUNT) - 1, BY_SSH = 1 << FETCH_GIT | 1 << FETCH_SSH };

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

static bool set_type(struct section_reading *r, void *record, const struct keyfile_pair *p)
{
	struct fetch_source *s = record;

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

static bool set_series(struct section_reading *r, void *record, const struct keyfile_pair *p)
{
	struct fetch_source *s = record;

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
		if (s.p[i] <= ' ' || s.p[i] >= 0x7f || s.p[i] == '"' || s.p[i] == '\''
		    || s.p[i] == '\\')
			return true;
	return false;
}

static bool set_url(struct section_reading *r, void *record, const struct keyfile_pair *p)
{
	struct fetch_source *s = record;

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

static bool set_branch(struct section_reading *r, void *record, const struct keyfile_pair *p)
{
	struct fetch_source *s = record;

	s->branch = p->value;
	if (fetch_is_plain_path(p->value) && str_find(p->value, STR(".."), 0) == p->value.len)
		return true;
	return error_at(r->err, ERR_SYNTAX, p->pos,
			"branch: '" STR_FMT "' is not the plain name of a branch",
			STR_ARG(p->value));
}

static bool set_subfolder(struct section_reading *r, void *record, const struct keyfile_pair *p)
{
	struct fetch_source *s = record;

	s->subfolder = p->value;
	if (s->subfolder.len && s->subfolder.p[s->subfolder.len - 1] == '/')
		s->subfolder.len--;
	if (fetch_is_plain_path(s->subfolder))
		return true;
	return error_at(r->err, ERR_SYNTAX, p->pos,
			"subfolder: '" STR_FMT "' is not a relative path of plain names",
			STR_ARG(p->value));
}

static bool set_files(struct section_reading *r, void *record, const struct keyfile_pair *p)
{
	struct fetch_source *s = record;
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
					"files: '" STR_FMT
					"' is not an ending such as .csv or -gpu.csv; %s",
					STR_ARG(ending), unpack_read_kinds);
	}
	return n > 0
	    || error_at(r->err, ERR_SYNTAX, p->pos, "files: no ending such as .csv or -gpu.csv");
}

static bool file_key(struct section_reading *r, struct str *out, const struct keyfile_pair *p)
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

static bool set_path(struct section_reading *r, void *record, const struct keyfile_pair *p)
{
	struct fetch_source *s = record;

	return file_key(r, &s->path, p);
}

static bool set_cafile(struct section_reading *r, void *record, const struct keyfile_pair *p)
{
	struct fetch_source *s = record;

	return file_key(r, &s->cafile, p);
}

static bool set_known_hosts(struct section_reading *r, void *record,
			    const struct keyfile_pair *p)
{
	struct fetch_source *s = record;

	return file_key(r, &s->known_hosts, p);
}

static bool set_ssh_key(struct section_reading *r, void *record, const struct keyfile_pair *p)
{
	struct fetch_source *s = record;

	return file_key(r, &s->ssh_key, p);
}

static bool set_max_files(struct section_reading *r, void *record, const struct keyfile_pair *p)
{
	struct fetch_source *s = record;
	double v = 0;

	if (!keyfile_number(p, 1, 1e5, &v, r->err))
		return false;
	s->max_files = (size_t)v;
	return true;
}

static bool set_max_file(struct section_reading *r, void *record, const struct keyfile_pair *p)
{
	struct fetch_source *s = record;
	double v = 0;

	if (!keyfile_number(p, 0.001, 200, &v, r->err))
		return false;
	s->max_file = (size_t)(v * 1e6);
	return true;
}

static bool set_max_total(struct section_reading *r, void *record, const struct keyfile_pair *p)
{
	struct fetch_source *s = record;
	double v = 0;

	if (!keyfile_number(p, 0.001, 2000, &v, r->err))
		return false;
	s->max_total = (size_t)(v * 1e6);
	return true;
}

static bool set_seconds(struct section_reading *r, void *record, const struct keyfile_pair *p)
{
	struct fetch_source *s = record;
	double v = 0;

	if (!keyfile_number(p, 1, 86400, &v, r->err))
		return false;
	s->seconds = (int)v;
	return true;
}

/* A key, the types that take it and those that need it. */
static const struct section_key keys[] = {
	{ STR_INIT("type"), set_type, ANY, ANY },
	{ STR_INIT("url"), set_url, ANY & ~(1 << FETCH_FOLDER), ANY & ~(1 << FETCH_FOLDER) },
	{ STR_INIT("path"), set_path, 1 << FETCH_FOLDER, 1 << FETCH_FOLDER },
	{ STR_INIT("series"), set_series, ANY, ANY },
	{ STR_INIT("branch"), set_branch, 1 << FETCH_GIT, 0 },
	{ STR_INIT("subfolder"), set_subfolder, ANY & ~(1 << FETCH_HTTPS), 0 },
	{ STR_INIT("files"), set_files, ANY, 0 },
	{ STR_INIT("max_files"), set_max_files, ANY, 0 },
	{ STR_INIT("max_file_mb"), set_max_file, ANY, 0 },
	{ STR_INIT("max_total_mb"), set_max_total, ANY, 0 },
	{ STR_INIT("timeout_s"), set_seconds, ANY, 0 },
	{ STR_INIT("cafile"), set_cafile, 1 << FETCH_HTTPS | 1 << FETCH_GIT, 0 },
	{ STR_INIT("known_hosts"), set_known_hosts, BY_SSH, 0 },
	{ STR_INIT("ssh_key"), set_ssh_key, BY_SSH, 0 },
};

/* Taken and needed keys, when the type is known. */
static bool check_keys(const struct keyfile *file, const struct fetch_source *s, struct error *err)
{
	for (size_t i = 0; i < LEN(keys); i++) {
		const struct keyfile_pair *given = NULL;

		for (size_t j = 0; j < file->n; j++)
			if (str_eq(file->v[j].section, s->name)
			    && str_eq(file->v[j].key, keys[i].name))
				given = &file->v[j];
		if (!given && (!s->has_type ? i == 0 : keys[i].needed >> s->type & 1))
			return error_at(err, ERR_SYNTAX, s->pos,
					"[" STR_FMT "]: key '" STR_FMT "' is missing",
					STR_ARG(s->name), STR_ARG(keys[i].name));
		if (given && !(keys[i].taken >> s->type & 1))
			return error_at(
			    err, ERR_SYNTAX, given->pos,
			    "[" STR_FMT "]: a source of type " STR_FMT " has no key '" STR_FMT "'",
			    STR_ARG(s->name), STR_ARG(type_names[s->type]), STR_ARG(keys[i].name));
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

/* The path goes through the shell of the other side in old versions of rsync: plain characters
 * only. */
bool fetch_ssh_address_parse(struct str url, struct fetch_ssh_address *out)
{
	bool with_scheme = str_starts(url, STR("ssh://"));
	struct str rest = str_slice(url, with_scheme ? 6 : 0, url.len);
	size_t end = str_find(rest, STR("/"), 0);

	*out = (struct fetch_ssh_address){ .port = STR("") };
	if (!with_scheme) /* host:path; the colon of an IPv6 address stands within its brackets */
		end = str_find(rest, STR(":"),
			       rest.len && rest.p[0] == '[' ? str_find(rest, STR("]"), 0) : 0);
	out->path = str_slice(rest, with_scheme ? end : end + 1, rest.len);
	if (!with_scheme && str_starts(out->path, STR("//"))) /* the address of another scheme */
		return false;
	return end < rest.len && split_authority(str_slice(rest, 0, end), out)
	    && out->path.len && out->path.p[0] != '-' && has_only(out->path, "._/~+-");
}

static bool is_git_address(struct str url)
{
	struct fetch_ssh_address ssh;

	return url.p[0] == '/' || is_url(url, STR("https://"))
	       || fetch_ssh_address_parse(url, &ssh);
}

static bool check_address(const struct keyfile *file, const struct fetch_source *s,
			  struct error *err)
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
	return error_at(err, ERR_SYNTAX, pos, "url: '" STR_FMT "' is not %s", STR_ARG(s->url),
			wanted[s->type]);
}

/* What a section begins with. */
static const struct fetch_source fresh = {
	.files = STR_INIT(".csv .csv.gz .csv.zst .tar .tar.gz .tar.zst"),
	.max_files = 1000,
	.max_file = 5000000,
	.max_total = 100000000,
	.seconds = 120,
};

static const struct section_kind kind = {
	keys, LEN(keys), &fresh, sizeof fresh,
	offsetof(struct fetch_source, name), offsetof(struct fetch_source, pos),
};

bool fetch_sources_parse(struct str text, const char *name, const char *root, struct arena *a,
			 struct fetch_sources *out, struct error *err)
{
	struct section_file file;

	*out = (struct fetch_sources){ 0 };
	if (!section_parse(&kind, text, name, root, a, &file, err))
		return false;
	*out = (struct fetch_sources){ file.v, file.n, file.cap };
	for (size_t i = 0; i < out->n; i++)
		if (!check_keys(&file.pairs, &out->v[i], err)
		    || !check_address(&file.pairs, &out->v[i], err))
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
