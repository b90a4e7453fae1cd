#include "str.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct str str_of(const char *nul_terminated)
{
	return (struct str){ nul_terminated, strlen(nul_terminated) };
}

bool str_eq(struct str a, struct str b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.p, b.p, a.len) == 0);
}

int str_cmp(struct str a, struct str b)
{
	size_t n = a.len < b.len ? a.len : b.len;
	int c = n ? memcmp(a.p, b.p, n) : 0;

	return c ? c : (a.len > b.len) - (a.len < b.len);
}

bool str_starts(struct str s, struct str prefix)
{
	return s.len >= prefix.len && str_eq(str_slice(s, 0, prefix.len), prefix);
}

bool str_ends(struct str s, struct str suffix)
{
	return s.len >= suffix.len && str_eq(str_slice(s, s.len - suffix.len, s.len), suffix);
}

bool str_is_alnum(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

bool str_is_word(struct str s, const char *marks)
{
	for (size_t i = 0; i < s.len; i++)
		if (!str_is_alnum(s.p[i]) && !(i && s.p[i] && strchr(marks, s.p[i])))
			return false;
	return s.len > 0;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

struct str str_trim(struct str s)
{
	while (s.len && is_blank(s.p[0])) {
		s.p++;
		s.len--;
	}
	while (s.len && is_blank(s.p[s.len - 1]))
		s.len--;
	return s;
}

struct str str_slice(struct str s, size_t from, size_t to)
{
	if (to > s.len)
		to = s.len;
	if (from >= to)
		return (struct str){ 0 };
	return (struct str){ s.p + from, to - from };
}

size_t str_find(struct str s, struct str needle, size_t from)
{
	if (needle.len == 0 || needle.len > s.len)
		return needle.len == 0 && from <= s.len ? from : s.len;
	for (size_t i = from, last = s.len - needle.len; i <= last; i++) {
		const char *hit = memchr(s.p + i, needle.p[0], last - i + 1);
		if (!hit)
			break;
		i = (size_t)(hit - s.p);
		if (memcmp(hit, needle.p, needle.len) == 0)
			return i;
	}
	return s.len;
}

bool str_cut(struct str *rest, char sep, struct str *piece)
{
	if (!rest->p)
		return false;
	const char *hit = rest->len ? memchr(rest->p, sep, rest->len) : NULL;
	size_t n = hit ? (size_t)(hit - rest->p) : rest->len;

	*piece = (struct str){ rest->p, n };
	if (hit)
		*rest = (struct str){ hit + 1, rest->len - n - 1 };
	else
		*rest = (struct str){ 0 };
	return true;
}

struct str str_dup(struct arena *a, struct str s)
{
	char *p = arena_alloc(a, s.len + 1);

	if (s.len)
		memcpy(p, s.p, s.len);
	return (struct str){ p, s.len };
}

const char *str_c(struct arena *a, struct str s)
{
	return str_dup(a, s).p;
}

struct str str_join(struct arena *a, const struct str *parts, size_t n)
{
	size_t len = 0, at = 0;

	for (size_t i = 0; i < n; i++)
		len += parts[i].len;
	char *p = arena_alloc(a, len + 1);
	for (size_t i = 0; i < n; i++) {
		if (parts[i].len)
			memcpy(p + at, parts[i].p, parts[i].len);
		at += parts[i].len;
	}
	return (struct str){ p, len };
}

enum { SHORT = 256 }; /* bytes of a text that need be printed only once */

static struct str vprintf_str(struct arena *a, const char *fmt, va_list ap)
{
	char text[SHORT];
	va_list again;

	va_copy(again, ap);
	int n = vsnprintf(text, sizeof text, fmt, ap);
	size_t len = n < 0 ? 0 : (size_t)n;
	char *p = arena_alloc(a, len + 1);
	if (len < sizeof text)
		memcpy(p, text, len);
	else
		vsnprintf(p, len + 1, fmt, again);
	va_end(again);
	return (struct str){ p, len };
}

struct str str_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	struct str s = vprintf_str(a, fmt, ap);
	va_end(ap);
	return s;
}

/* Length of the well-formed character at s[at], 0 when malformed; its value in *out. */
static size_t utf8_length(struct str s, size_t at, unsigned *out)
{
	static const struct { unsigned char lead_mask, lead, first_lo, first_hi, n; } forms[] = {
		{ 0x80, 0x00, 0, 0, 1 },          { 0xE0, 0xC0, 0x80, 0xBF, 2 },
		{ 0xF0, 0xE0, 0x80, 0xBF, 3 },    { 0xF8, 0xF0, 0x80, 0xBF, 4 },
	};
	static const unsigned lowest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char lead = (unsigned char)s.p[at];

	for (size_t f = 0; f < LEN(forms); f++) {
		if ((lead & forms[f].lead_mask) != forms[f].lead)
			continue;
		size_t n = forms[f].n;
		if (at + n > s.len)
			return 0;
		unsigned c = lead & (unsigned char)~forms[f].lead_mask;
		for (size_t i = 1; i < n; i++) {
			unsigned char b = (unsigned char)s.p[at + i];
			if ((b & 0xC0) != 0x80)
				return 0;
			c = c << 6 | (b & 0x3F);
		}
		if (c < lowest[n] || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF))
			return 0;
		*out = c;
		return n;
	}
	return 0;
}

bool str_is_utf8(struct str s)
{
	unsigned c;

	for (size_t at = 0; at < s.len;) {
		size_t n = utf8_length(s, at, &c);
		if (n == 0)
			return false;
		at += n;
	}
	return true;
}

unsigned str_next_utf8(struct str s, size_t *at)
{
	unsigned c;
	size_t n = utf8_length(s, *at, &c);

	*at += n ? n : 1;
	return n ? c : 0xFFFD;
}

/* https://trojansource.codes/ has the list of direction marks and what they were used for. */
bool str_is_plain(unsigned c)
{
	static const struct { unsigned first, last; } hidden[] = {
		{ 0x00, 0x1F },     { 0x7F, 0x9F },     { 0x61C, 0x61C },   { 0x200E, 0x200F },
		{ 0x2028, 0x202E }, { 0x2066, 0x2069 },
	};

	for (size_t i = 0; i < LEN(hidden); i++)
		if (c >= hidden[i].first && c <= hidden[i].last)
			return false;
	return true;
}

struct str str_plain(struct arena *a, struct str s)
{
	struct strbuf b = { .arena = a };

	for (size_t at = 0, from = 0; at < s.len; from = at) {
		unsigned c = str_next_utf8(s, &at);
		bool malformed = c == 0xFFFD && at - from == 1;
		strbuf_add(&b, malformed || !str_is_plain(c) ? STR("?") : str_slice(s, from, at));
	}
	return strbuf_str(&b);
}

static void reserve(struct strbuf *b, size_t more)
{
	b->p = arena_grow(b->arena, b->p, &b->cap, b->len + more + 1, 1);
}

void strbuf_add(struct strbuf *b, struct str s)
{
	reserve(b, s.len);
	if (s.len)
		memcpy(b->p + b->len, s.p, s.len);
	b->len += s.len;
}

void strbuf_addc(struct strbuf *b, char c)
{
	strbuf_add(b, (struct str){ &c, 1 });
}

void strbuf_printf(struct strbuf *b, const char *fmt, ...)
{
	char text[SHORT];
	va_list ap, again;

	va_start(ap, fmt);
	va_copy(again, ap);
	int n = vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (n >= (int)sizeof text) {
		reserve(b, (size_t)n);
		vsnprintf(b->p + b->len, (size_t)n + 1, fmt, again);
		b->len += (size_t)n;
	} else if (n > 0) {
		strbuf_add(b, (struct str){ text, (size_t)n });
	}
	va_end(again);
}

struct str strbuf_str(const struct strbuf *b)
{
	return (struct str){ b->p, b->len };
}
