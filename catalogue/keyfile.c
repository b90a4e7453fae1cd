#include "keyfile.h"

#include "../base/file.h"
#include "../base/map.h"
#include "../base/num.h"

#include <ini.h>
#include <string.h>

/* inih reads through a buffer of 200 bytes. A longer line is handed to it in pieces cut at blanks,
 * the second and later ones with a blank in front, which inih takes for more of the same value. */
struct feed {
	struct str rest; /* of the file */
	struct str line; /* what is left of the line being handed out */
	bool continued;  /* the piece handed out last was not the first of its line */
	int line_no;
	int *lines; /* line_no of every piece, as inih counts pieces */
	size_t npieces, cap;
	bool too_long;
	struct keyfile *out;
	struct arena *arena;
};

enum { FILE_LIMIT = 1 << 20, SECTION_MAX = 49 }; /* inih cuts longer names without a word */

/* The line without a comment: whole, or behind a blank. */
static struct str without_comment(struct str line)
{
	line = str_trim(line);
	if (line.len && (line.p[0] == ';' || line.p[0] == '#'))
		return STR("");
	for (size_t i = 1; i < line.len; i++)
		if (line.p[i] == ';' && (line.p[i - 1] == ' ' || line.p[i - 1] == '\t'))
			return str_trim(str_slice(line, 0, i));
	return line;
}

/* Whether the line may go on with a new piece at `at`: '#' in front would make a comment of it. */
static bool can_cut(struct str line, size_t at)
{
	return (line.p[at] == ' ' || line.p[at] == '\t') && line.p[at + 1] != '#';
}

/* Cuts a piece of at most `room` bytes off the (trimmed) line, at a blank if it does not fit whole.
 */
static bool cut_piece(struct str *line, size_t room, struct str *piece)
{
	size_t n = line->len;

	if (n > room) {
		for (n = room; n > 0 && !can_cut(*line, n); n--)
			;
		if (n == 0)
			return false;
	}
	*piece = str_slice(*line, 0, n);
	*line = str_trim(str_slice(*line, n, line->len));
	return true;
}

/* The fgets of inih. */
static char *next_piece(char *buf, int size, void *ctx)
{
	struct feed *f = ctx;
	struct str piece = STR("");
	size_t at = 0;

	f->continued = f->line.len > 0;
	if (!f->continued) {
		if (f->rest.len == 0 || !str_cut(&f->rest, '\n', &f->line))
			return NULL;
		f->line_no++;
		f->line = without_comment(f->line);
		if (f->line.len && f->line.p[0] == '['
		    && str_find(f->line, STR("]"), 0) > 1 + SECTION_MAX) {
			f->too_long = true;
			return NULL;
		}
	}
	f->lines = arena_grow(f->arena, f->lines, &f->cap, f->npieces + 1, sizeof *f->lines);
	f->lines[f->npieces++] = f->line_no;
	if (f->continued)
		buf[at++] = ' ';
	if (f->line.len && !cut_piece(&f->line, (size_t)size - 3, &piece)) {
		f->too_long = true;
		return NULL;
	}
	if (piece.len)
		memcpy(buf + at, piece.p, piece.len);
	at += piece.len;
	buf[at++] = '\n';
	buf[at] = '\0';
	return buf;
}

/* The handler of inih; it cannot fail. */
static int take_pair(void *ctx, const char *section, const char *key, const char *value)
{
	struct feed *f = ctx;
	struct keyfile *out = f->out;
	struct arena *a = f->arena;

	if (f->continued && out->n) {
		struct keyfile_pair *last = &out->v[out->n - 1];

		last->value = str_printf(a, STR_FMT "%s%s", STR_ARG(last->value),
					 last->value.len ? " " : "", value);
		return 1;
	}
	out->v = arena_grow(a, out->v, &out->cap, out->n + 1, sizeof *out->v);
	out->v[out->n++] = (struct keyfile_pair){ str_dup(a, str_of(section)),
						  str_dup(a, str_of(key)),
						  str_dup(a, str_of(value)),
						  { out->file, f->line_no, 0 } };
	return 1;
}

static bool check_twice(const struct keyfile *k, struct arena *a, struct error *err)
{
	struct map seen = { .arena = a };

	for (size_t i = 0; i < k->n; i++) {
		const struct keyfile_pair *p = &k->v[i];
		bool fresh;
		size_t first = *map_put(
		    &seen,
		    str_printf(a, STR_FMT "\n" STR_FMT, STR_ARG(p->section), STR_ARG(p->key)), i,
		    &fresh);

		if (!fresh)
			return error_at(err, ERR_SYNTAX, p->pos,
					"key '" STR_FMT "' of [" STR_FMT
					"] is given twice, first in line %d",
					STR_ARG(p->key), STR_ARG(p->section), k->v[first].pos.line);
	}
	return true;
}

bool keyfile_parse(struct str text, const char *name, struct arena *a, struct keyfile *out,
		   struct error *err)
{
	struct feed f = { .rest = text, .out = out, .arena = a };
	int bad;

	*out = (struct keyfile){ .file = name };
	if (str_find(text, STR("\0"), 0) < text.len || !str_is_utf8(text))
		return error_at(err, ERR_SYNTAX, (struct pos){ name, 0, 0 },
				"the text is not UTF-8 or holds a NUL byte");
	if (str_starts(text, STR("\xEF\xBB\xBF")))
		f.rest = str_slice(text, 3, text.len);
	bad = ini_parse_stream(next_piece, &f, take_pair, &f);
	if (bad > 0 && (size_t)bad <= f.npieces)
		return error_at(err, ERR_SYNTAX, (struct pos){ name, f.lines[bad - 1], 0 },
				"expected [section], key = value or a comment");
	if (f.too_long)
		return error_at(err, ERR_SYNTAX, (struct pos){ name, f.line_no, 0 },
				"a word is too long");
	return check_twice(out, a, err);
}

bool keyfile_read(const char *path, struct arena *a, struct keyfile *out, struct error *err)
{
	struct str text;

	*out = (struct keyfile){ .file = path };
	return file_read(path, FILE_LIMIT, a, &text, err)
	       && keyfile_parse(text, str_c(a, str_of(path)), a, out, err);
}

bool keyfile_number(const struct keyfile_pair *p, double least, double most, double *out,
		    struct error *err)
{
	if (!num_parse(p->value, false, out))
		return error_at(err, ERR_SYNTAX, p->pos, STR_FMT ": '" STR_FMT "' is not a number",
				STR_ARG(p->key), STR_ARG(p->value));
	if (!(*out >= least && *out <= most)) /* written so that NaN fails too */
		return error_at(err, ERR_RANGE, p->pos,
				STR_FMT ": " STR_FMT " is not from %g to %g", STR_ARG(p->key),
				STR_ARG(p->value), least, most);
	return true;
}
