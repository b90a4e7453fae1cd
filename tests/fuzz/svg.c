/* render/svg.h, drawing.h, html_svg.h: any text is a drawing or refused; what was cleaned is
 * well-formed, holds nothing that runs, and stays so on its way into a page. */
#include "fuzz.h"

#include "../../render/drawing.h"
#include "../../render/html_svg.h"
#include "../../render/svg.h"
#include "../../render/svg_tree.h"
#include "../../render/svg_value.h"

#include <math.h>

static void want_harmless(const struct svg_node *n)
{
	static const struct str forbidden[] = { STR_INIT("script"), STR_INIT("foreignObject"),
						STR_INIT("image"),  STR_INIT("a"),
						STR_INIT("style"),  STR_INIT("animate") };

	for (size_t i = 0; i < LEN(forbidden); i++)
		fuzz_want(!str_eq(n->name, forbidden[i]), "no element that runs or fetches");
	for (size_t i = 0; i < n->nattrs; i++) {
		fuzz_want(!str_starts(n->attrs[i].name, STR("on")), "no attribute that runs");
		fuzz_want(!str_eq(n->attrs[i].name, STR("href"))
			      || str_starts(n->attrs[i].value, STR("#")),
			  "no reference to elsewhere");
	}
	for (const struct svg_node *c = n->first; c; c = c->next)
		want_harmless(c);
}

static void try_drawing(struct str svg, struct arena *a)
{
	struct drawing d = { 0 };
	struct error err = { 0 };
	bool good = drawing_parse(svg, "x.svg", a, &d, &err);

	fuzz_want_fault(good, &err);
	for (size_t i = 0; good && i < d.n; i++) {
		const struct shape *s = &d.shapes[i];
		for (size_t k = 0; k < s->nsteps; k++)
			fuzz_want(isfinite(s->steps[k].x) && isfinite(s->steps[k].y),
				  "coordinates are finite");
		fuzz_want(s->kind != SHAPE_TEXT
			      || (isfinite(s->x) && isfinite(s->y) && isfinite(s->size)),
			  "a text stands somewhere");
	}
}

static void try_page(struct str clean, struct arena *a)
{
	struct svg_node *root;
	struct error err = { 0 };
	struct str small;

	fuzz_want(svg_tree_parse(clean, "clean.svg", a, &root, &err),
		  "a cleaned drawing is well-formed");
	want_harmless(root);
	struct str themed = svg_theme(clean, STR("f"), a);
	fuzz_want(svg_tree_parse(themed, "themed.svg", a, &root, &err), "so it is with its theme");
	fuzz_want(html_svg(themed, "f", STR("p1"), a, &small, &err), "and made smaller");
	fuzz_want(svg_tree_parse(small, "small.svg", a, &root, &err), "and it is still");
	want_harmless(root);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str raw = fuzz_text(data, size), clean;
	struct arena a = { 0 };
	struct error err = { 0 };

	try_drawing(raw, &a);
	bool good = svg_clean(raw, STR("f"), STR("T <&> \"q\""), STR("D"), &a, &clean, &err);
	fuzz_want_fault(good, &err);
	if (good) {
		try_drawing(clean, &a);
		try_page(clean, &a);
	}
	arena_free(&a);
	return 0;
}
