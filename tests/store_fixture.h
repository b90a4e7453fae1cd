/* A folder of small editions: shared by the tests of publish/. */
#ifndef TESTS_STORE_FIXTURE_H
#define TESTS_STORE_FIXTURE_H

#include "test.h"

#include "../base/arena.h"
#include "../base/date.h"
#include "../base/error.h"
#include "../base/file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct shelf {
	struct test *t;
	struct arena *a;
	char out[40];
};

#define SHA_A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define SHA_B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

static inline const char *shelf_path(const struct shelf *s, const char *name)
{
	return str_c(s->a, str_printf(s->a, "%s/%s", s->out, name));
}

static inline void shelf_put(const struct shelf *s, const char *name, const char *text)
{
	const char *path = shelf_path(s, name);
	char *slash = strrchr(path, '/');
	struct error err = { 0 };
	const char *dir = str_c(s->a, (struct str){ path, (size_t)(slash - path) });

	if (!file_make_dirs(dir, &err) || !file_write(path, str_of(text), &err))
		error_print(stdout, &err);
}

static inline struct str shelf_get(const struct shelf *s, const char *name)
{
	struct error err = { 0 };
	struct str text = { 0 };

	if (!file_read(shelf_path(s, name), 0, s->a, &text, &err))
		return STR("(none)");
	return text;
}

/* An edition in `folder`; marks: what its MANIFEST says beyond the edition's name. */
static inline void shelf_edition(const struct shelf *s, const char *folder, const char *date,
                                 const char *id, const char *edition, const char *previous,
                                 const char *marks)
{
	struct str summary = str_printf(
	    s->a,
	    "{\"format\": \"gpuguide summary 1\", \"id\": \"%s\", \"edition\": \"%s\", "
	    "\"title\": \"A title\", \"subtitle\": \"\", \"program\": \"gpuguide 0.1.0\", "
	    "\"date\": \"%s\", \"previous\": %s, \"devices\": 3, \"languages\": [{\"tag\": \"en\", "
	    "\"name\": \"English\", \"html\": \"index.html\", \"pdf\": \"report.pdf\"}], "
	    "\"picks\": [], \"changes\": null}\n",
	    id, edition, date,
	    previous ? str_c(
		s->a, str_printf(s->a, "{\"id\": \"%s\", \"date\": \"2019-01-01\"}", previous))
		     : "null");

	shelf_put(s, str_c(s->a, str_printf(s->a, "%s/summary.json", folder)),
		  str_c(s->a, summary));
	shelf_put(
	    s, str_c(s->a, str_printf(s->a, "%s/MANIFEST", folder)),
	    str_c(s->a, str_printf(s->a, SHA_A "  9  input:editions/%s.ini\n%s", edition, marks)));
}

static inline bool shelf_open(struct shelf *s, struct test *t, struct arena *a)
{
	*s = (struct shelf){ t, a, "/tmp/gpuguide-shelf-XXXXXX" };
	if (mkdtemp(s->out))
		return true;
	test_ok(t, false, "a folder for the fixtures");
	return false;
}

static inline void shelf_close(struct shelf *s)
{
	struct error err = { 0 };

	if (!file_remove_tree(s->out, &err))
		error_print(stdout, &err);
}

static inline struct date day_of(const char *iso)
{
	struct date d = { 0 };

	date_parse(str_of(iso), &d);
	return d;
}

#endif
