#include "seal.h"

#include "../base/file.h"

#include <string.h>

static bool is_sha256(struct str s)
{
	bool good = s.len == 64;

	for (size_t i = 0; good && i < s.len; i++)
		good = strchr("0123456789abcdef", s.p[i]) && s.p[i];
	return good;
}

static bool take_line(struct seal *s, struct str line, struct pos pos, struct arena *a,
		      struct error *err)
{
	size_t size_at = str_find(line, STR("  "), 0) + 2,
	       path_at = str_find(line, STR("  "), size_at) + 2;
	struct str path = str_slice(line, path_at, line.len);

	if (!is_sha256(str_slice(line, 0, size_at - 2)) || path.len == 0 || path_at > line.len)
		return error_at(err, ERR_SYNTAX, pos,
				"'" STR_FMT "' is not a line of \"sha256  size  path\"",
				STR_ARG(str_plain(a, str_slice(line, 0, 100))));
	s->v = arena_grow(a, s->v, &s->cap, s->n + 1, sizeof *s->v);
	s->v[s->n++] = (struct seal_line){ path, str_slice(line, 0, 64),
					   str_slice(line, size_at, path_at - 2) };
	return true;
}

bool seal_parse(struct str text, const char *file, struct arena *a, struct seal *out,
		struct error *err)
{
	struct pos pos = { file, 1, 1 };
	struct str line;

	*out = (struct seal){ .file = file };
	if (text.len == 0 || text.p[text.len - 1] != '\n')
		return error_at(err, ERR_SYNTAX, (struct pos){ file, 0, 0 },
				"the file does not end with a line end: half of it is missing");
	text.len--; /* so that the last line end opens no further line */
	for (; str_cut(&text, '\n', &line); pos.line++)
		if (!take_line(out, line, pos, a, err))
			return false;
	return true;
}

bool seal_read(const char *dir, struct arena *a, struct seal *out, struct error *err)
{
	const char *file = str_c(a, file_join(a, str_of(dir), STR("MANIFEST")));
	struct str text;

	*out = (struct seal){ .dir = dir };
	if (!file_exists(file))
		return true;
	if (!file_read(file, 0, a, &text, err) || !seal_parse(text, file, a, out, err))
		return false;
	out->dir = dir;
	return true;
}

static const struct seal_line *find_line(const struct seal *s, const char *name)
{
	for (size_t i = 0; i < s->n; i++)
		if (str_eq(s->v[i].path, str_of(name)))
			return &s->v[i];
	return NULL;
}

static bool check_file(const struct seal *s, const char *name, struct arena *scratch,
		       struct error *err)
{
	const char *path = str_c(scratch, file_join(scratch, str_of(s->dir), str_of(name)));
	const struct seal_line *line = find_line(s, name);
	struct str text;

	if (!line && !file_exists(path))
		return true;
	if (!line)
		return error_set(err, ERR_DATA,
				 "%s: not listed in MANIFEST, so the list is torn or the file is "
				 "of another edition",
				 path);
	if (!file_exists(path))
		return error_set(err, ERR_DATA, "%s: missing, but MANIFEST lists it", path);
	if (!file_read(path, 0, scratch, &text, err))
		return false;
	if (!str_eq(file_sha256(scratch, text), line->sha256))
		return error_set(err, ERR_DATA,
				 "%s: not the file that MANIFEST lists (its SHA-256 differs): cut, "
				 "edited or made anew; `gpuguide report` makes the edition again",
				 path);
	return true;
}

bool seal_check(const struct seal *s, const char *const *names, size_t n, struct error *err)
{
	struct arena scratch = { 0 };
	bool good = true;

	for (size_t i = 0; s->file && good && i < n; i++)
		good = check_file(s, names[i], &scratch, err);
	arena_free(&scratch);
	return good;
}
