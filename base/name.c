#include "name.h"

#include <stdio.h>
#include <string.h>

/* In ascending order. str_is_plain() has the controls and direction marks. */
static const struct {
	unsigned first, last;
} hidden[] = {
	{ 0x00AD, 0x00AD },     { 0x034F, 0x034F },     { 0x061C, 0x061C },   { 0x115F, 0x1160 },
	{ 0x17B4, 0x17B5 },     { 0x180B, 0x180F },     { 0x200B, 0x200F },   { 0x2028, 0x202E },
	{ 0x2060, 0x206F },     { 0x3164, 0x3164 },     { 0xE000, 0xF8FF },   { 0xFDD0, 0xFDEF },
	{ 0xFE00, 0xFE0F },     { 0xFEFF, 0xFEFF },     { 0xFFA0, 0xFFA0 },   { 0xFFF0, 0xFFFB },
	{ 0x1BCA0, 0x1BCA3 },   { 0x1D173, 0x1D17A },   { 0xE0000, 0xE0FFF }, { 0xF0000, 0x10FFFF },
};

bool name_is_hidden(unsigned c)
{
	if (!str_is_plain(c))
		return true;
	for (size_t i = 0; i < LEN(hidden) && c >= hidden[i].first; i++)
		if (c <= hidden[i].last)
			return true;
	return (c & 0xFFFE) == 0xFFFE; /* the last two of every plane */
}

/* Nearly all names are ASCII: a byte at a time, without decoding. */
static bool find_hidden(struct str s, bool lines, unsigned *out)
{
	for (size_t at = 0; at < s.len;) {
		unsigned c = (unsigned char)s.p[at];

		if (c >= 0x80)
			c = str_next_utf8(s, &at);
		else
			at++;
		if ((c >= 0x20 && c < 0x7F) || (lines && (c == '\n' || c == '\r')))
			continue;
		if (name_is_hidden(c)) {
			*out = c;
			return true;
		}
	}
	return false;
}

bool name_hidden(struct str s, unsigned *out)
{
	return find_hidden(s, false, out);
}

bool name_hidden_in_lines(struct str s, unsigned *out)
{
	return find_hidden(s, true, out);
}

/* The text that stands for the character at *at, which is moved behind it. */
static struct str piece_at(struct str s, size_t *at, char escape[16])
{
	size_t from = *at;
	unsigned c = str_next_utf8(s, at);

	if (c == 0xFFFD && *at - from == 1)
		snprintf(escape, 16, "<byte %02X>", (unsigned)(unsigned char)s.p[from]);
	else if (name_is_hidden(c))
		snprintf(escape, 16, "<U+%04X>", c);
	else
		return str_slice(s, from, *at);
	return str_of(escape);
}

struct str name_shown(struct arena *a, struct str s, size_t max)
{
	struct strbuf b = { .arena = a };

	s = str_trim(s);
	for (size_t at = 0; at < s.len;) {
		char escape[16];
		struct str piece = piece_at(s, &at, escape);

		if (str_eq(piece, STR(" ")) && b.len && b.p[b.len - 1] == ' ')
			continue;
		if (b.len + piece.len > max) {
			strbuf_add(&b, STR("..."));
			break;
		}
		strbuf_add(&b, piece);
	}
	return strbuf_str(&b);
}
