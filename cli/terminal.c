/* TIOCGWINSZ is no part of POSIX. */
#define _DEFAULT_SOURCE
#include "terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { WIDTH_MIN = 40, WIDTH_MAX = 400 };

size_t terminal_width(void)
{
	struct winsize size;

	if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || !size.ws_col)
		return TERMINAL_WIDTH;
	if (size.ws_col < WIDTH_MIN)
		return WIDTH_MIN;
	return size.ws_col > WIDTH_MAX ? WIDTH_MAX : size.ws_col;
}

bool terminal_is_unicode(void)
{
	const char *term = getenv("TERM");

	return !term || strcmp(term, "dumb") != 0;
}

size_t terminal_length(struct str s)
{
	size_t n = 0;

	for (size_t at = 0; at < s.len; n++)
		str_next_utf8(s, &at);
	return n;
}

static void blanks(struct strbuf *b, size_t n)
{
	strbuf_printf(b, "%*s", (int)n, "");
}

void terminal_put(struct strbuf *b, struct str s, size_t columns, bool right)
{
	struct str plain = str_plain(b->arena, s);
	size_t length = terminal_length(plain), pad = length < columns ? columns - length : 0;

	if (right)
		blanks(b, pad);
	strbuf_add(b, plain);
	if (!right)
		blanks(b, pad);
}

static void put_word(struct strbuf *b, struct str word)
{
	struct str hard = STR("\u00a0");

	for (size_t at = 0, next; at < word.len; at = next) {
		next = str_find(word, hard, at);
		strbuf_add(b, str_slice(word, at, next));
		if (next == word.len)
			break;
		strbuf_addc(b, ' ');
		next += hard.len;
	}
}

void terminal_wrap(struct strbuf *b, struct str words, size_t at, size_t indent, size_t width)
{
	struct str rest = str_plain(b->arena, words), word;

	for (bool first = true; str_cut(&rest, ' ', &word); first = false) {
		size_t length = terminal_length(word);

		if (!first && at + 1 + length <= width) {
			strbuf_addc(b, ' ');
			at++;
		} else if (!first) {
			strbuf_addc(b, '\n');
			blanks(b, indent);
			at = indent;
		}
		put_word(b, word);
		at += length;
	}
	strbuf_addc(b, '\n');
}

bool terminal_print(struct str text, struct error *err)
{
	if (text.len && fwrite(text.p, 1, text.len, stdout) != text.len)
		return error_errno(err, "standard output");
	return true;
}
