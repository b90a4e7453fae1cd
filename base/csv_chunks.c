#include "csv_split.h"

#include "csv_libcsv.h"
#include "open.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool csv_file_open(struct csv_file *f, const char *path, struct error *err)
{
	struct stat st;

	*f = (struct csv_file){ .path = path, .fd = open_regular(path, &st, err) };
	if (f->fd < 0)
		return false;
	f->size = (size_t)st.st_size;
	return true;
}

void csv_file_close(struct csv_file *f)
{
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
}

/* What is added to the file meanwhile is not read: the rows are those of the file as it was
 * opened. */
static bool read_file(void *ctx, char *to, size_t max, size_t *got, struct error *err)
{
	struct csv_file *f = ctx;
	size_t left = f->size - f->at;
	ssize_t n;

	*got = 0;
	if (left == 0)
		return true;
	do
		n = pread(f->fd, to, max < left ? max : left, (off_t)f->at);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return error_errno(err, f->path);
	if (n == 0)
		return error_set(err, ERR_ENVIRONMENT,
				 "%s: the file became shorter while it was read", f->path);
	*got = (size_t)n;
	f->at += *got;
	return true;
}

struct csv_source csv_file_source(struct csv_file *f)
{
	return (struct csv_source){ read_file, f };
}

void csv_chunks_begin(struct csv_chunks *c, struct csv_source source, const char *name, size_t size,
                      enum csv_level level)
{
	*c = (struct csv_chunks){ .source = source,
				  .name = name,
				  .size = size ? size : 1,
				  .level = level,
				  .line = 1,
				  .col = 1,
				  .separator = ',' };
}

/* Fills the buffer to `want` bytes, or to the end of the source. */
static bool fill(struct csv_chunks *c, struct csv_chunk *chunk, size_t *len, size_t want,
		 struct error *err)
{
	chunk->buffer = arena_grow(chunk->arena, chunk->buffer, &chunk->cap, want, 1);
	while (*len < want && !c->ended) {
		size_t got;

		if (!c->source.read(c->source.ctx, chunk->buffer + *len, want - *len, &got, err))
			return false;
		c->ended = got == 0;
		*len += got;
	}
	return true;
}

/* Where the next chunk begins: at column 1, but for a row that was cut. */
static void go_on(struct csv_chunks *c, struct str text)
{
	size_t from = text.len;

	if (text.len == 0)
		return;
	c->line += csv_count(text, c->level).lines;
	while (from && text.p[from - 1] != '\n' && text.p[from - 1] != '\r')
		from--;
	struct pos pos = { NULL, 1, from ? 1 : c->col };
	c->col = csv_pos_after(pos, str_slice(text, from, text.len), text.len).col;
}

static void describe(struct csv_chunks *c, struct csv_chunk *chunk, size_t len)
{
	struct str text = { chunk->buffer, len };

	if (c->number == 0)
		c->separator = csv_separator(
		    str_slice(text, str_starts(text, STR("\xEF\xBB\xBF")) ? 3 : 0, len));
	chunk->text = text;
	chunk->at = (struct pos){ c->name, c->line < INT_MAX ? (int)c->line : INT_MAX, c->col };
	chunk->separator = c->separator;
	chunk->over = len == 0 && c->number > 0;
	chunk->number = c->number++;
	go_on(c, text);
}

static void keep_rest(struct csv_chunks *c, struct str rest)
{
	c->rest = arena_grow(&c->arena, c->rest, &c->rest_cap, rest.len, 1);
	if (rest.len)
		memcpy(c->rest, rest.p, rest.len);
	c->rest_len = rest.len;
}

bool csv_chunks_next(struct csv_chunks *c, struct csv_chunk *chunk, struct error *err)
{
	size_t len = c->rest_len, want = c->size > len ? c->size : len, end;

	chunk->buffer = arena_grow(chunk->arena, chunk->buffer, &chunk->cap, want, 1);
	if (len)
		memcpy(chunk->buffer, c->rest, len);
	for (;; want += want) {
		if (!fill(c, chunk, &len, want, err))
			return false;
		end = csv_split((struct str){ chunk->buffer, len }, c->size - 1, c->number == 0,
				c->ended, c->level);
		if (end || c->ended)
			break;
	}
	keep_rest(c, (struct str){ chunk->buffer + end, len - end });
	describe(c, chunk, end);
	return true;
}

void csv_chunks_ahead(const struct csv_chunks *c, struct csv_chunks *ahead)
{
	*ahead = *c;
	ahead->arena = (struct arena){ 0 };
	ahead->rest = NULL;
	ahead->rest_cap = 0;
	keep_rest(ahead, (struct str){ c->rest, c->rest_len });
}

void csv_chunks_end(struct csv_chunks *c)
{
	arena_free(&c->arena);
}

void csv_chunk_scan(const struct csv_chunk *chunk, enum csv_level level, struct arena *a,
		    struct csv_scan *s)
{
	if (chunk->number == 0)
		csv_scan_begin(s, chunk->text, chunk->at, level, a);
	else
		csv_scan_chunk(s, chunk->text, chunk->at, chunk->separator, level, a);
}
