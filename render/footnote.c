#include "footnote.h"

/* "a" to "z", then "aa". */
static struct str letters(struct arena *a, size_t no)
{
	enum { ALPHABET = 26 };
	struct str tail = str_printf(a, "%c", 'a' + (int)(no % ALPHABET));

	if (no < ALPHABET)
		return tail;
	return str_printf(a, STR_FMT STR_FMT, STR_ARG(letters(a, no / ALPHABET - 1)),
			  STR_ARG(tail));
}

struct str footnote_mark(struct build *b, struct footnotes *f, struct str text)
{
	if (text.len == 0)
		return text;
	name_add(b, &f->texts, text);
	return letters(b->arena, *map_get(&f->texts.seen, text));
}

/* Cuts the next part up to `separator` off *rest; false when *rest is used up. */
static bool cut_part(struct str *rest, struct str separator, struct str *part)
{
	size_t at = str_find(*rest, separator, 0);

	if (rest->len == 0)
		return false;
	*part = str_slice(*rest, 0, at);
	*rest = str_slice(*rest, at + separator.len, rest->len);
	return true;
}

static bool has_part(struct str text, struct str separator, struct str wanted)
{
	struct str part;

	while (cut_part(&text, separator, &part))
		if (str_eq(part, wanted))
			return true;
	return false;
}

struct str footnote_fold(struct build *b, struct footnotes *f, const struct str *texts, size_t n,
			 size_t i)
{
	enum { OFTEN = 3 };
	struct str separator = build_str(b, "list.semicolon", NULL), rest = texts[i], part;
	struct name_set own = { .n = 0 }, marks = { .n = 0 };

	while (cut_part(&rest, separator, &part)) {
		size_t found = 0;
		for (size_t k = 0; k < n; k++)
			found += has_part(texts[k], separator, part);
		if (found >= OFTEN)
			name_add(b, &marks, footnote_mark(b, f, part));
		else
			name_add(b, &own, part);
	}
	struct str words = name_list_long(b, &own, own.n);
	if (marks.n == 0)
		return words;
	return str_printf(b->arena, STR_FMT "%s(" STR_FMT ")", STR_ARG(words), words.len ? " " : "",
			  STR_ARG(name_list(b, &marks, marks.n)));
}

void footnote_list(struct build *b, const struct footnotes *f)
{
	struct spans *items = arena_array(b->arena, f->texts.n, sizeof *items);

	for (size_t i = 0; i < f->texts.n; i++) {
		spans_add(b->arena, &items[i],
			  (struct span){ .text = letters(b->arena, i), .strong = true });
		spans_add(b->arena, &items[i], (struct span){ .text = STR(" ") });
		spans_add(b->arena, &items[i], (struct span){ .text = f->texts.v[i] });
	}
	if (f->texts.n > 0)
		report_list(b->report, items, f->texts.n);
}
