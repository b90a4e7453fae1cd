/* The part of verify.h that compares an edition with what was made anew. */
#include "verify.h"

#include "../base/file.h"

#include <string.h>

enum { LOCATE_MAX = 256 << 20 }; /* bytes of a file in which the first other byte is looked for */

static const struct str page_endings[] = { STR_INIT(".html"), STR_INIT(".pdf") };

bool verify_is_page(struct str path)
{
	for (size_t i = 0; i < LEN(page_endings); i++)
		if (str_ends(path, page_endings[i]))
			return true;
	return str_starts(path, STR("figures/"));
}

/* What both folders are, and what was found so far. */
struct comparison {
	const struct verify *v;
	struct folder rebuilt;
	struct folder_list entries;
	struct verify_rebuild *out;
	struct error *err;
};

static void found(struct comparison *c, struct str file, enum verify_problem p, struct str detail)
{
	struct arena *a = c->v->arena;
	struct verify_findings *f = &c->out->findings;

	f->v = arena_grow(a, f->v, &f->cap, f->n + 1, sizeof *f->v);
	f->v[f->n++] = (struct verify_finding){ str_plain(a, file), p, detail };
	if (verify_is_page(file))
		c->out->pages++;
	else
		c->out->data++;
}

/* "first at byte 1,234 (line 17)": lines are counted where the file is text, without a NUL up to
 * there. */
static struct str locate(struct str was, struct str is, struct arena *a)
{
	size_t n = was.len < is.len ? was.len : is.len, at = 0, line = 1;

	while (at < n && was.p[at] == is.p[at])
		line += was.p[at++] == '\n';
	if (at > 0 && memchr(was.p, '\0', at))
		return str_printf(a, "first at byte %zu, of %zu bytes and %zu anew", at + 1,
				  was.len, is.len);
	return str_printf(a, "first at byte %zu, line %zu, of %zu bytes and %zu anew", at + 1, line,
			  was.len, is.len);
}

static bool add_difference(struct comparison *c, const struct verify_file *f, struct str name)
{
	struct arena scratch = { 0 };
	struct error ignored = { 0 };
	struct str was, is, where = { 0 };

	/* a file that is not as listed has been told already, and its bytes say nothing here */
	if (f->good && folder_read(&c->v->folder, f->name, LOCATE_MAX, &scratch, &was, &ignored)
	    && folder_read(&c->rebuilt, name, LOCATE_MAX, &scratch, &is, &ignored))
		where = locate(was, is, c->v->arena);
	found(c, f->path, VERIFY_DIFFERS, where);
	arena_free(&scratch);
	return true;
}

/* MANIFEST has the hash of the edition's file, so that only the new one is read. */
static bool compare_file(struct comparison *c, const struct verify_file *f)
{
	const struct folder_entry *e = folder_find(&c->entries, f->path);
	struct folder_sum sum;

	c->out->compared++;
	if (!e) {
		found(c, f->path, VERIFY_ONLY_IN_EDITION, (struct str){ 0 });
		return true;
	}
	if (!folder_hash(&c->rebuilt, e->name, VERIFY_FILE_MAX, c->v->arena, &sum, c->err))
		return false;
	return str_eq(sum.sha256, f->sha256) || add_difference(c, f, e->name);
}

static const struct verify_file *listed(const struct verify *v, struct str path)
{
	for (size_t i = 0; i < v->n; i++)
		if (!v->files[i].input && str_eq(v->files[i].path, path))
			return &v->files[i];
	return NULL;
}

static bool compare_files(struct comparison *c)
{
	const struct verify *v = c->v;

	for (size_t i = 0; i < v->n; i++)
		if (!v->files[i].input && !str_eq(v->files[i].path, STR("BUILDINFO"))
		    && !compare_file(c, &v->files[i]))
			return false;
	for (size_t i = 0; i < c->entries.n; i++) {
		struct str name = c->entries.v[i].name;

		if (!str_starts(name, STR("inputs/")) && !str_eq(name, STR("MANIFEST"))
		    && !str_eq(name, STR("BUILDINFO")) && !listed(v, name))
			found(c, name, VERIFY_ONLY_IN_REBUILD, (struct str){ 0 });
	}
	return true;
}

static bool compare_tools(struct comparison *c)
{
	struct arena *a = c->v->arena;
	struct buildinfo now = { .n = 0 };
	struct str text;

	if (folder_find(&c->entries, STR("BUILDINFO"))
	    && (!folder_read(&c->rebuilt, STR("BUILDINFO"), LOCATE_MAX, a, &text, c->err)
		|| !buildinfo_parse(text, "BUILDINFO", a, &now, c->err)))
		return false;
	c->out->ntools = buildinfo_compare(&c->v->made, &now, a, &c->out->tools);
	return true;
}

bool verify_compare(const struct verify *v, const char *rebuilt, struct verify_rebuild *out,
		    struct error *err)
{
	struct comparison c = { .v = v, .rebuilt = { .fd = -1 }, .out = out, .err = err };

	*out = (struct verify_rebuild){ .compared = 0 };
	bool good = folder_open(rebuilt, &c.rebuilt, err)
		    && folder_list(&c.rebuilt, v->arena, &c.entries, err) && compare_files(&c)
		    && compare_tools(&c);
	folder_close(&c.rebuilt);
	return good;
}
