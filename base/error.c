#include "error.h"

#include <errno.h>
#include <string.h>

/* vsnprintf, but a text that does not fit is cut at a character and marked. */
static void format(char *out, size_t size, const char *fmt, va_list ap)
{
	int n = vsnprintf(out, size, fmt, ap);
	size_t len = size - sizeof "...";

	if (n < 0 || (size_t)n < size)
		return;
	while (len > 0 && ((unsigned char)out[len] & 0xC0) == 0x80)
		len--;
	memcpy(out + len, "...", sizeof "...");
}

static bool fill(struct error *err, enum error_code code, struct pos pos, const char *fmt,
		 va_list ap)
{
	if (err->code != ERR_NONE)
		return false;
	err->code = code;
	err->pos = pos;
	format(err->msg, sizeof err->msg, fmt, ap);
	return false;
}

bool error_at(struct error *err, enum error_code code, struct pos pos, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fill(err, code, pos, fmt, ap);
	va_end(ap);
	return false;
}

bool error_set(struct error *err, enum error_code code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fill(err, code, (struct pos){ 0 }, fmt, ap);
	va_end(ap);
	return false;
}

bool error_errno(struct error *err, const char *what)
{
	return error_set(err, ERR_ENVIRONMENT, "%s: %s", what, strerror(errno));
}

/* A terminal must not obey what a contributed name holds. */
static struct str text_of(struct pos pos, struct str text, struct arena *a)
{
	struct strbuf b = { .arena = a };

	if (pos.file) {
		strbuf_add(&b, str_plain(a, str_of(pos.file)));
		strbuf_addc(&b, ':');
	}
	if (pos.line > 0)
		strbuf_printf(&b, "%d:", pos.line);
	if (pos.line > 0 && pos.col > 0)
		strbuf_printf(&b, "%d:", pos.col);
	if (pos.file || pos.line > 0)
		strbuf_addc(&b, ' ');
	strbuf_add(&b, str_plain(a, text));
	return strbuf_str(&b);
}

struct str error_text(const struct error *err, struct arena *a)
{
	return text_of(err->pos, str_of(err->msg), a);
}

/* One write a line: standard error has no buffer. */
static void print(FILE *to, struct pos pos, struct str text)
{
	struct arena scratch = { .block_size = 1 << 12 };
	struct strbuf line = { .arena = &scratch };

	strbuf_add(&line, text_of(pos, text, &scratch));
	strbuf_addc(&line, '\n');
	fwrite(line.p, 1, line.len, to);
	arena_free(&scratch);
}

void error_print(FILE *to, const struct error *err)
{
	print(to, err->pos, str_of(err->msg));
}

void message_print(FILE *to, const struct message *m)
{
	print(to, m->pos, m->text);
}

int error_exit_status(const struct error *err)
{
	switch (err->code) {
	case ERR_NONE:
		return 0;
	case ERR_SYNTAX:
	case ERR_RANGE:
	case ERR_UNKNOWN:
	case ERR_DATA:
		return 1;
	case ERR_USAGE:
	case ERR_ENVIRONMENT:
		return 2;
	}
	return 2;
}

void messages_add(struct messages *m, struct pos pos, const char *fmt, ...)
{
	char text[MESSAGE_MAX + sizeof "..."];
	va_list ap;

	va_start(ap, fmt);
	format(text, sizeof text, fmt, ap);
	va_end(ap);
	m->v = arena_grow(m->arena, m->v, &m->cap, m->n + 1, sizeof *m->v);
	m->v[m->n++] = (struct message){ pos, str_plain(m->arena, str_of(text)) };
}
