#include "error.h"

#include <errno.h>
#include <string.h>

static bool fill(struct error *err, enum error_code code, struct pos pos, const char *fmt, va_list ap)
{
	if (err->code != ERR_NONE)
		return false;
	err->code = code;
	err->pos = pos;
	vsnprintf(err->msg, sizeof err->msg, fmt, ap);
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
static void print_safe(FILE *to, const char *s)
{
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;
		fputc(c < 0x20 || c == 0x7F ? '?' : c, to);
	}
}

void error_print(FILE *to, const struct error *err)
{
	if (err->pos.file) {
		print_safe(to, err->pos.file);
		fputc(':', to);
	}
	if (err->pos.line > 0)
		fprintf(to, "%d:", err->pos.line);
	if (err->pos.line > 0 && err->pos.col > 0)
		fprintf(to, "%d:", err->pos.col);
	if (err->pos.file || err->pos.line > 0)
		fputc(' ', to);
	print_safe(to, err->msg);
	fputc('\n', to);
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
	struct strbuf b = { .arena = m->arena };
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	strbuf_add(&b, str_of(text));
	m->v = arena_grow(m->arena, m->v, &m->cap, m->n + 1, sizeof *m->v);
	m->v[m->n++] = (struct message){ pos, strbuf_str(&b) };
}
