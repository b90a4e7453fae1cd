#include "predecessor.h"

#include "edition_build.h"
#include "../base/file.h"

#include <string.h>

static const char *path_of(const struct context *c, const struct store_edition *e)
{
	return e ? str_c(c->arena, file_join(c->arena, str_of(c->opt->out), e->folder)) : NULL;
}

/* The newest of an earlier date that can be compared with. */
static const char *find_readable(struct context *c, const struct store *s)
{
	struct messages passed = { .arena = c->arena };
	struct date before = c->edition.date;
	const struct store_edition *e;
	const char *dir = NULL;

	while ((e = store_previous(s, c->edition.name, before))) {
		struct error why = { 0 };

		dir = path_of(c, e);
		if (edition_comparable(dir, c->arena, &why))
			break;
		messages_add(&passed, why.pos, "%s (so %s is not compared with)", why.msg, dir);
		dir = NULL;
		before = e->date;
	}
	context_print(&passed, 0);
	return dir;
}

bool predecessor_find(struct context *c, const struct store *s, struct predecessor *out,
		      struct error *err)
{
	const char *asked = c->opt->previous;

	*out = (struct predecessor){ .newest = path_of(c, store_newest(s, c->edition.name)) };
	if (!asked)
		out->dir = find_readable(c, s);
	else if (strcmp(asked, "none") != 0)
		out->dir = asked;
	return !asked || !out->dir || edition_comparable(out->dir, c->arena, err);
}
