#include "config.h"

#include "store.h"
#include "../base/file.h"
#include "../base/num.h"
#include "../catalogue/keyfile.h"

#include <stddef.h>

struct reading {
	struct publish_config *config;
	struct str folder; /* of the file: relative paths start there */
	struct arena *arena;
	struct pos key_pos, tool_pos;
};

/* A key; `set` says what its value must be. */
struct key {
	struct str section, name;
	bool (*set)(struct reading *r, const struct key *k, const struct keyfile_pair *p,
		    struct error *err);
	size_t offset;
};

static void *member(struct reading *r, const struct key *k)
{
	return (char *)r->config + k->offset;
}

static bool set_text(struct reading *r, const struct key *k, const struct keyfile_pair *p,
		     struct error *err)
{
	struct str *text = member(r, k);

	(void)err;
	*text = p->value;
	return true;
}

static bool set_word(struct reading *r, const struct key *k, const struct keyfile_pair *p,
		     struct error *err)
{
	const char **word = member(r, k);

	if (p->value.len == 0)
		return error_at(err, ERR_SYNTAX, p->pos, STR_FMT ": no value", STR_ARG(p->key));
	*word = str_c(r->arena, p->value);
	return true;
}

static bool set_path(struct reading *r, const struct key *k, const struct keyfile_pair *p,
		     struct error *err)
{
	const char **path = member(r, k);

	if (!set_word(r, k, p, err))
		return false;
	if (p->value.p[0] != '/')
		*path = str_c(r->arena, file_join(r->arena, r->folder, p->value));
	return true;
}

static bool set_address(struct reading *r, const struct key *k, const struct keyfile_pair *p,
			struct error *err)
{
	if (!str_starts(p->value, STR("https://")) && !str_starts(p->value, STR("http://")))
		return error_at(err, ERR_SYNTAX, p->pos,
				"base_url: '" STR_FMT "' does not begin with https:// or http://",
				STR_ARG(str_plain(r->arena, p->value)));
	return set_text(r, k, p, err);
}

static bool set_days(struct reading *r, const struct key *k, const struct keyfile_pair *p,
		     struct error *err)
{
	int *days = member(r, k);

	if (!num_parse_int(p->value, days))
		return error_at(err, ERR_SYNTAX, p->pos,
				"keep_days: '" STR_FMT "' is not a whole number of days",
				STR_ARG(str_plain(r->arena, p->value)));
	if (*days < 1 || *days > CONFIG_DAYS_MAX)
		return error_at(err, ERR_RANGE, p->pos, "keep_days: %d is not from 1 to %d", *days,
				CONFIG_DAYS_MAX);
	return true;
}

static bool set_keep(struct reading *r, const struct key *k, const struct keyfile_pair *p,
		     struct error *err)
{
	struct str rest = p->value, name;
	struct date date;
	int revision;

	(void)k;
	while (str_cut(&rest, ',', &name)) {
		name = str_trim(name);
		if (!store_parse_folder(name, &date, &revision))
			return error_at(err, ERR_SYNTAX, p->pos,
					"keep: '" STR_FMT "' is not a folder such as 2023-05-30 or "
					"2023-05-30-r2",
					STR_ARG(str_plain(r->arena, name)));
		if (r->config->nkeep == CONFIG_KEEP_MAX)
			return error_at(err, ERR_RANGE, p->pos, "keep: more than %d folders",
					CONFIG_KEEP_MAX);
		r->config->keep[r->config->nkeep++] = name;
	}
	return true;
}

static bool set_tool(struct reading *r, const struct key *k, const struct keyfile_pair *p,
		     struct error *err)
{
	(void)k;
	r->tool_pos = p->pos;
	return sign_tool_parse(p->value, &r->config->tool)
	       || error_at(err, ERR_SYNTAX, p->pos, "tool: '" STR_FMT "' is not ssh or minisign",
			   STR_ARG(str_plain(r->arena, p->value)));
}

static bool set_key(struct reading *r, const struct key *k, const struct keyfile_pair *p,
		    struct error *err)
{
	r->key_pos = p->pos;
	return set_path(r, k, p, err);
}

static const struct key keys[] = {
	{ STR_INIT("publish"), STR_INIT("edition"), set_word,
	  offsetof(struct publish_config, edition) },
	{ STR_INIT("publish"), STR_INIT("out"), set_path, offsetof(struct publish_config, out) },
	{ STR_INIT("publish"), STR_INIT("title"), set_text,
	  offsetof(struct publish_config, title) },
	{ STR_INIT("publish"), STR_INIT("base_url"), set_address,
	  offsetof(struct publish_config, base_url) },
	{ STR_INIT("publish"), STR_INIT("keep_days"), set_days,
	  offsetof(struct publish_config, keep_days) },
	{ STR_INIT("publish"), STR_INIT("keep"), set_keep, offsetof(struct publish_config, keep) },
	{ STR_INIT("sign"), STR_INIT("tool"), set_tool, offsetof(struct publish_config, tool) },
	{ STR_INIT("sign"), STR_INIT("key"), set_key, offsetof(struct publish_config, key) },
};

static bool apply(struct reading *r, const struct keyfile_pair *p, struct error *err)
{
	bool known = false;

	for (size_t i = 0; i < LEN(keys); i++) {
		bool here = str_eq(keys[i].section, p->section);

		if (here && str_eq(keys[i].name, p->key))
			return keys[i].set(r, &keys[i], p, err);
		known = known || here;
	}
	if (!known)
		return error_at(err, ERR_SYNTAX, p->pos,
				"section [" STR_FMT "]: there are only [publish] and [sign]",
				STR_ARG(str_plain(r->arena, p->section)));
	return error_at(err, ERR_SYNTAX, p->pos, "[" STR_FMT "] has no key '" STR_FMT "'",
			STR_ARG(p->section), STR_ARG(str_plain(r->arena, p->key)));
}

/* "/etc/publish.ini" lies in "/etc", "publish.ini" in ".". */
static struct str folder_of(const char *path)
{
	struct str s = str_of(path);

	while (s.len && s.p[s.len - 1] != '/')
		s.len--;
	return s.len ? s : STR(".");
}

bool config_read(const char *path, bool optional, struct arena *a, struct publish_config *out,
		 struct error *err)
{
	struct reading r = { out, folder_of(path), a, { 0 }, { 0 } };
	struct keyfile file;

	*out = (struct publish_config){ .keep_days = -1 };
	if (optional && !file_exists(path))
		return true;
	if (!keyfile_read(path, a, &file, err))
		return false;
	for (size_t i = 0; i < file.n;
	     i++) /* the first fault is kept, the rest read all the same */
		apply(&r, &file.v[i], err);
	if (out->tool != SIGN_NONE && !out->key)
		error_at(err, ERR_SYNTAX, r.tool_pos, "[sign] names a tool but no key");
	if (out->key && out->tool == SIGN_NONE)
		error_at(err, ERR_SYNTAX, r.key_pos, "[sign] names a key but no tool");
	return err->code == ERR_NONE;
}
