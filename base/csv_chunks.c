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
	f->identity = identity_of(&st);
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

/* So much is read at once, and counted while it is in the second cache. */
enum { READ_BYTES = 1 << 18 };

/* Fills the buffer to `want` bytes, or to the end of the source. Of what the source gives in full
 * pieces, as far as a chunk may be cut, quotes and lines are counted: the end of a file needs no
 * count. */
static bool fill(struct csv_chunks *c, struct csv_chunk *chunk, size_t *len, size_t want,
		 struct csv_counting *k, struct error *err)
{
	chunk->buffer = arena_grow(chunk->arena, chunk->buffer, &chunk->cap, want, 1);
	while (*len < want && !c->ended) {
		size_t got, most = want - *len < READ_BYTES ? want - *len : READ_BYTES;

		if (!c->source.read(c->source.ctx, chunk->buffer + *len, most, &got, err))
			return false;
		c->ended = got == 0;
		*len += got;
		struct str all = { chunk->buffer, *len };
		if (got == most)
			csv_count_on(k, str_slice(all, 0, c->size - 1), c->level);
	}
	return true;
}

/* Lines of a chunk; more than that may be counted, up to somewhere behind it. It does not end in
 * the middle of a CRLF. */
static size_t lines_of(const struct csv_chunks *c, struct str text, const struct csv_counting *k)
{
	if (k->at <= text.len)
		return csv_count_rest(k, text, c->level).lines;
	return k->sum.lines
	       - csv_count((struct str){ text.p + text.len, k->at - text.len }, c->level).lines;
}

/* Where the next chunk begins: at column 1, but for a row that was cut. Behind the last one it only
 * counts whether lines are still numbered. */
static void go_on(struct csv_chunks *c, struct str text, const struct csv_counting *k)
{
	size_t from = text.len;
	bool over = c->ended && c->rest_len == 0;

	if (text.len == 0 || (over && c->line + text.len < INT_MAX))
		return;
	c->line += lines_of(c, text, k);
	while (from && text.p[from - 1] != '\n' && text.p[from - 1] != '\r')
		from--;
	struct pos pos = { NULL, 1, from ? 1 : c->col };
	c->col = csv_pos_after(pos, str_slice(text, from, text.len), text.len).col;
}

static void describe(struct csv_chunks *c, struct csv_chunk *chunk, size_t len,
		     const struct csv_counting *k)
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
	go_on(c, text, k);
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
	struct csv_counting counting = { .at = 0 };

	chunk->buffer = arena_grow(chunk->arena, chunk->buffer, &chunk->cap, want, 1);
	if (len)
		memcpy(chunk->buffer, c->rest, len);
	for (;; want += want) {
		if (!fill(c, chunk, &len, want, &counting, err))
			return false;
		end = csv_split_counted((struct str){ chunk->buffer, len }, c->size - 1,
					c->number == 0, c->ended, &counting, c->level);
		if (end || c->ended)
			break;
	}
	keep_rest(c, (struct str){ chunk->buffer + end, len - end });
	describe(c, chunk, end, &counting);
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
