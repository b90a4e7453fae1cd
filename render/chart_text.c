#include "chart_text.h"

#define ELLIPSIS "\xE2\x80\xA6"
#define REPLACEMENT "\xEF\xBF\xBD"

/* Code points that would break a line, turn the reading direction of what follows, or are no text.
 */
static const struct {
	unsigned first, last;
} refused[] = {
	{ 0x0000, 0x001F }, { 0x007F, 0x009F },   { 0x200E, 0x200F }, { 0x2028, 0x202E },
	{ 0x2066, 0x2069 }, { 0xFDD0, 0xFDEF },   { 0xFEFF, 0xFEFF }, { 0xFFF9, 0xFFFB },
	{ 0xFFFD, 0xFFFF }, { 0xE0000, 0xE007F },
};

static bool is_refused(unsigned c)
{
	for (size_t i = 0; i < LEN(refused); i++)
		if (c >= refused[i].first && c <= refused[i].last)
			return true;
	return (c & 0xFFFE) == 0xFFFE; /* the last two of every plane are noncharacters */
}

struct str chart_text_clean(struct arena *a, struct str s)
{
	struct strbuf b = { .arena = a };

	for (size_t at = 0; at < s.len;) {
		size_t from = at;
		unsigned c = str_next_utf8(s, &at);

		if (c == ' ' && (b.len == 0 || b.p[b.len - 1] == ' '))
			continue;
		if (is_refused(c))
			strbuf_add(&b, STR(REPLACEMENT));
		else
			strbuf_add(&b, str_slice(s, from, at));
	}
	return str_trim(strbuf_str(&b));
}

double chart_text_width(const struct font_set *fonts, enum text_style style, struct str s)
{
	const struct text_look *look = &chart_texts[style];

	return look->size * font_text_width(fonts, look->bold ? FONT_BOLD : FONT_REGULAR, s);
}

/* Starts of characters: offset of character i, with s.len behind the last one. */
static size_t *char_starts(struct arena *a, struct str s, size_t *n)
{
	size_t *starts = arena_array(a, s.len + 1, sizeof *starts), at = 0;

	for (*n = 0; at < s.len; (*n)++) {
		starts[*n] = at;
		str_next_utf8(s, &at);
	}
	starts[*n] = s.len;
	return starts;
}

struct str chart_text_fit(struct arena *a, const struct font_set *fonts, enum text_style style,
			  struct str s, double width)
{
	size_t n;

	if (chart_text_width(fonts, style, s) <= width)
		return s;

	size_t *starts = char_starts(a, s, &n);

	/* drops characters one by one around the middle; labels are short */
	for (size_t keep = n > 0 ? n - 1 : 0; keep > 0; keep--) {
		size_t head = (keep + 1) / 2, tail = keep - head;
		struct str front = str_trim(str_slice(s, 0, starts[head]));
		struct str back = str_trim(str_slice(s, starts[n - tail], s.len));
		struct str t =
		    str_printf(a, STR_FMT ELLIPSIS STR_FMT, STR_ARG(front), STR_ARG(back));

		if (chart_text_width(fonts, style, t) <= width)
			return t;
	}
	return STR(ELLIPSIS);
}

/* How many bytes of s make one line. */
static size_t line_length(struct arena *a, const struct font_set *fonts, enum text_style style,
			  struct str s, double width)
{
	size_t n, blank = 0, *starts = char_starts(a, s, &n);

	for (size_t i = 1; i <= n; i++) {
		if (chart_text_width(fonts, style, str_slice(s, 0, starts[i])) > width)
			return blank > 0 ? blank : starts[i > 1 ? i - 1 : 1];
		if (starts[i] < s.len && s.p[starts[i]] == ' ')
			blank = starts[i];
	}
	return s.len;
}

size_t chart_text_wrap(struct arena *a, const struct font_set *fonts, enum text_style style,
		       struct str s, double width, struct str *lines, size_t max)
{
	size_t n = 0;

	for (s = str_trim(s); s.len > 0 && n < max; n++) {
		size_t len = n + 1 < max ? line_length(a, fonts, style, s, width) : s.len;

		lines[n] = chart_text_fit(a, fonts, style, str_trim(str_slice(s, 0, len)), width);
		s = str_trim(str_slice(s, len, s.len));
	}
	return n;
}
