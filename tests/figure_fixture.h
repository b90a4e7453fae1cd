/* What every drawn figure must keep: texts inside the page and clear of each other. */
#ifndef TESTS_FIGURE_FIXTURE_H
#define TESTS_FIGURE_FIXTURE_H

#include "test.h"

#include "../render/drawing.h"
#include "../render/font.h"

struct text_box {
	double x0, y0, x1, y1;
};

/* Of a level text: its advance width, and the height of its capitals around the middle. */
static inline struct text_box text_box_of(const struct font_set *fonts, const struct shape *s)
{
	static const double shares[] = {
		[ANCHOR_START] = 0, [ANCHOR_MIDDLE] = 0.5, [ANCHOR_END] = 1
	};
	double w = s->size * font_text_width(fonts, s->bold ? FONT_BOLD : FONT_REGULAR, s->text);
	double x = s->x - shares[s->anchor] * w;

	return (struct text_box){ x, s->y - 0.7 * s->size, x + w, s->y };
}

/* The first text that leaves the page, or NULL. */
static inline const struct shape *text_outside(const struct drawing *d,
					       const struct font_set *fonts)
{
	for (size_t i = 0; i < d->n; i++) {
		const struct shape *s = &d->shapes[i];

		if (s->kind != SHAPE_TEXT)
			continue;
		struct text_box b = text_box_of(fonts, s);

		if (b.x0 < 0 || b.y0 < 0 || b.x1 > d->width || b.y1 > d->height)
			return s;
	}
	return NULL;
}

/* Two texts that touch: *other and the result, or NULL. */
static inline const struct shape *text_overlap(const struct drawing *d,
					       const struct font_set *fonts,
					       const struct shape **other)
{
	for (size_t i = 0; i < d->n; i++) {
		for (size_t k = 0; k < i; k++) {
			const struct shape *s = &d->shapes[i], *o = &d->shapes[k];

			if (s->kind != SHAPE_TEXT || o->kind != SHAPE_TEXT)
				continue;
			struct text_box a = text_box_of(fonts, s), b = text_box_of(fonts, o);

			if (a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1) {
				*other = o;
				return s;
			}
		}
	}
	return NULL;
}

static inline void test_texts(struct test *t, const struct drawing *d, const struct font_set *fonts,
			      const char *name)
{
	const struct shape *other, *s = text_outside(d, fonts);

	test_ok(t, !s, name);
	if (s)
		printf("# outside: '" STR_FMT "' at %g %g\n", STR_ARG(s->text), s->x, s->y);
	s = text_overlap(d, fonts, &other);
	test_ok(t, !s, name);
	if (s)
		printf("# '" STR_FMT "' at %g %g touches '" STR_FMT "' at %g %g\n",
		       STR_ARG(s->text), s->x, s->y, STR_ARG(other->text), other->x, other->y);
}

/* The nth text that reads so, or NULL. */
static inline const struct shape *text_find(const struct drawing *d, const char *text, size_t nth)
{
	for (size_t i = 0; i < d->n; i++)
		if (d->shapes[i].kind == SHAPE_TEXT && str_eq(d->shapes[i].text, str_of(text))
		    && nth-- == 0)
			return &d->shapes[i];
	return NULL;
}

#endif
