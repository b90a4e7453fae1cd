#include "drawing.h"

#include "drawing_state.h"
#include "../base/map.h"

#include <math.h>

enum {
	USE_DEPTH_MAX = 8, /* a symbol made of a symbol, as gnuplot's filled ones are, needs 2 */
	SHAPES_MAX = 100000,
	VISITS_MAX = 1000000, /* against symbols that use symbols many times over */
	CIRCLE_CORNERS = 32,
};

struct hatch {
	double step, width;
	int slope;
	struct colour colour;
};

struct walker {
	struct arena *arena;
	struct drawing *out;
	struct error *err;
	struct map ids; /* id -> index into nodes */
	const struct svg_node **nodes;
	size_t nnodes, node_cap;
	size_t visits;        /* elements walked, symbols each time they are used */
	struct map hatch_ids; /* id -> index into hatches */
	struct hatch *hatches;
	size_t nhatches, hatch_cap;
};

/* --- shapes --- */

static struct colour solid(const struct state *s, struct paint p)
{
	return p.kind == PAINT_CURRENT ? s->colour : p.colour;
}

static bool shape_new(struct walker *w, const struct svg_node *n, struct shape **out)
{
	struct drawing *d = w->out;

	if (d->n == SHAPES_MAX)
		return error_at(w->err, ERR_DATA, n->pos, "svg: more than %d shapes", SHAPES_MAX);
	d->shapes = arena_grow(w->arena, d->shapes, &d->cap, d->n + 1, sizeof *d->shapes);
	*out = &d->shapes[d->n++];
	**out = (struct shape){ 0 };
	return true;
}

static bool transform_point(struct walker *w, const struct svg_node *n, const struct state *s,
			    double *x, double *y)
{
	double tx = s->m.a * *x + s->m.c * *y + s->m.e;
	double ty = s->m.b * *x + s->m.d * *y + s->m.f;

	if (!isfinite(tx) || !isfinite(ty))
		return error_at(w->err, ERR_RANGE, n->pos, "svg: a coordinate is not finite");
	*x = tx;
	*y = ty;
	return true;
}

static bool fill_set(struct walker *w, const struct svg_node *n, const struct state *s,
		     struct shape *sh)
{
	sh->fill_opacity = s->fill_opacity;
	if (s->fill.kind == PAINT_NONE)
		return true;
	if (s->fill.kind != PAINT_REF) {
		sh->fill = FILL_SOLID;
		sh->fill_colour = solid(s, s->fill);
		return true;
	}

	const size_t *at = map_get(&w->hatch_ids, s->fill.ref);

	if (!at)
		return state_refuse(n, STR("pattern"), s->fill.ref, w->err);
	sh->fill = FILL_HATCH;
	sh->fill_colour = w->hatches[*at].colour;
	sh->hatch_step = w->hatches[*at].step * matrix_scale(s->m);
	sh->hatch_width = w->hatches[*at].width * matrix_scale(s->m);
	sh->hatch_slope = w->hatches[*at].slope;
	return true;
}

static void stroke_set(const struct state *s, struct shape *sh)
{
	double scale = matrix_scale(s->m);

	sh->stroke = s->stroke.kind != PAINT_NONE && s->stroke_width > 0;
	if (!sh->stroke)
		return;
	sh->stroke_colour = solid(s, s->stroke);
	sh->stroke_width = s->stroke_width * scale;
	sh->ndash = s->ndash;
	for (size_t i = 0; i < s->ndash; i++)
		sh->dash[i] = s->dash[i] * scale;
}

/* Adds the path unless nothing of it would be seen. The steps are moved to their place here. */
static bool path_emit(struct walker *w, const struct svg_node *n, const struct state *s,
		      struct path *p)
{
	struct shape *sh;

	if (p->n == 0 || (s->fill.kind == PAINT_NONE && s->stroke.kind == PAINT_NONE))
		return true;
	for (size_t i = 0; i < p->n; i++)
		if (p->steps[i].op != PATH_CLOSE
		    && !transform_point(w, n, s, &p->steps[i].x, &p->steps[i].y))
			return false;
	if (!shape_new(w, n, &sh))
		return false;
	sh->kind = SHAPE_PATH;
	sh->steps = p->steps;
	sh->nsteps = p->n;
	stroke_set(s, sh);
	return fill_set(w, n, s, sh);
}

/* A number attribute; absent: `otherwise`. */
static bool length(struct walker *w, const struct svg_node *n, struct str name, double otherwise,
		   double *out)
{
	const struct str *v = svg_attr(n, name);

	*out = otherwise;
	return !v || number_parse(*v, n->pos, out, w->err);
}

static bool walk_path(struct walker *w, const struct svg_node *n, const struct state *s, int depth)
{
	const struct str *d = svg_attr(n, STR("d"));
	struct path p = { 0 };

	(void)depth;
	return !d || (path_parse(*d, n->pos, w->arena, &p, w->err) && path_emit(w, n, s, &p));
}

static bool walk_polygon(struct walker *w, const struct svg_node *n, const struct state *s,
			 int depth)
{
	const struct str *v = svg_attr(n, STR("points"));
	struct path p = { 0 };

	(void)depth;
	return !v || (points_parse(*v, n->pos, w->arena, &p, w->err) && path_emit(w, n, s, &p));
}

static bool walk_rect(struct walker *w, const struct svg_node *n, const struct state *s, int depth)
{
	struct path p = { 0 };
	double x, y, width, height;

	(void)depth;
	if (!length(w, n, STR("x"), 0, &x) || !length(w, n, STR("y"), 0, &y)
	    || !length(w, n, STR("width"), 0, &width) || !length(w, n, STR("height"), 0, &height))
		return false;
	path_add(&p, w->arena, PATH_MOVE, x, y);
	path_add(&p, w->arena, PATH_LINE, x + width, y);
	path_add(&p, w->arena, PATH_LINE, x + width, y + height);
	path_add(&p, w->arena, PATH_LINE, x, y + height);
	path_add(&p, w->arena, PATH_CLOSE, 0, 0);
	return path_emit(w, n, s, &p);
}

static bool walk_circle(struct walker *w, const struct svg_node *n, const struct state *s,
			int depth)
{
	struct path p = { 0 };
	double cx, cy, r;

	(void)depth;
	if (!length(w, n, STR("cx"), 0, &cx) || !length(w, n, STR("cy"), 0, &cy)
	    || !length(w, n, STR("r"), 0, &r))
		return false;
	for (int i = 0; i < CIRCLE_CORNERS; i++) {
		double t = 2 * 3.14159265358979323846 * i / CIRCLE_CORNERS;

		path_add(&p, w->arena, i == 0 ? PATH_MOVE : PATH_LINE, cx + r * cos(t),
			 cy + r * sin(t));
	}
	path_add(&p, w->arena, PATH_CLOSE, 0, 0);
	return path_emit(w, n, s, &p);
}

/* Blanks as SVG reads them (xml:space="default"): line ends vanish, runs shrink, ends are cut. */
static struct str collapse(struct arena *a, struct str s)
{
	struct strbuf b = { .arena = a };

	for (size_t i = 0; i < s.len; i++) {
		char c = s.p[i] == '\t' ? ' ' : s.p[i];

		if (c == '\n' || c == '\r' || (c == ' ' && b.len > 0 && b.p[b.len - 1] == ' '))
			continue;
		strbuf_addc(&b, c);
	}
	return str_trim(strbuf_str(&b));
}

/* Everything inside a text is joined: tspans only change its look, and charts do not use them. */
static bool text_check(struct walker *w, const struct svg_node *n, struct state s)
{
	for (const struct svg_node *k = n->first; k; k = k->next) {
		if (k->name.len == 0)
			continue;
		if (!str_eq(k->name, STR("tspan")))
			return state_refuse(k, STR("element"), k->name, w->err);
		for (size_t i = 0; i < k->nattrs; i++)
			if (!str_eq(k->attrs[i].name, STR("dx"))
			    && !str_eq(k->attrs[i].name, STR("dy"))
			    && !str_eq(k->attrs[i].name, STR("font-style"))
			    && !state_apply_one(k, k->attrs[i].name, k->attrs[i].value, &s, w->err))
				return false;
		if (!text_check(w, k, s))
			return false;
	}
	return true;
}

static bool walk_text(struct walker *w, const struct svg_node *n, const struct state *s, int depth)
{
	struct strbuf joined = { .arena = w->arena };
	struct shape *sh;
	double x, y;

	(void)depth;
	svg_text_add(n, &joined);
	struct str text = collapse(w->arena, strbuf_str(&joined));

	if (!text_check(w, n, *s) || !length(w, n, STR("x"), 0, &x)
	    || !length(w, n, STR("y"), 0, &y) || !transform_point(w, n, s, &x, &y))
		return false;
	if (text.len == 0 || s->fill.kind == PAINT_NONE)
		return true;
	if (s->fill.kind == PAINT_REF)
		return state_refuse(n, STR("fill"), s->fill.ref, w->err);
	if (!shape_new(w, n, &sh))
		return false;
	sh->kind = SHAPE_TEXT;
	sh->text = text;
	sh->x = x;
	sh->y = y;
	sh->size = s->font_size * matrix_scale(s->m);
	sh->angle_deg = 0 - atan2(s->m.b, s->m.a) * (180 / 3.14159265358979323846);
	sh->bold = s->bold;
	sh->anchor = s->anchor;
	sh->text_colour = solid(s, s->fill);
	return true;
}

/* --- definitions --- */

/* Adds one stretch of a hatch: 45 degrees, the same line again in every tile. */
static bool hatch_line(struct walker *w, const struct svg_node *n, double tile,
		       const struct path_step *from, const struct path_step *to, struct hatch *h,
		       double *intercept)
{
	double dx = to->x - from->x, dy = to->y - from->y;
	int slope = dx == dy ? 1 : dx == -dy ? -1 : 0;
	double c = fmod(from->y - slope * from->x, tile);

	c = c < 0 ? c + tile : c;
	if (slope == 0 || dx == 0 || (h->slope != 0 && (slope != h->slope || c != *intercept)))
		return error_at(w->err, ERR_DATA, n->pos,
				"svg: <pattern>: only one 45 degree line a tile is known");
	h->slope = slope;
	*intercept = c;
	return true;
}

static bool hatch_path(struct walker *w, const struct svg_node *n, double tile, struct state s,
		       struct hatch *h)
{
	const struct str *d = svg_attr(n, STR("d"));
	struct path p = { 0 };
	double intercept = 0;

	if (!str_eq(n->name, STR("path")) || !d)
		return state_refuse(n, STR("pattern of"), n->name, w->err);
	if (!state_apply(n, &s, w->err) || !path_parse(*d, n->pos, w->arena, &p, w->err))
		return false;
	for (size_t i = 0; i + 1 < p.n; i++)
		if (p.steps[i + 1].op == PATH_LINE
		    && !hatch_line(w, n, tile, &p.steps[i], &p.steps[i + 1], h, &intercept))
			return false;
	h->step = tile / sqrt(2);
	h->width = s.stroke_width;
	h->colour = solid(&s, s.stroke);
	return h->slope != 0 || state_refuse(n, STR("pattern"), *d, w->err);
}

/* The lines of a pattern inherit from where it stands, not from where it is used. */
static bool walk_pattern(struct walker *w, const struct svg_node *n, const struct state *s,
			 int depth)
{
	const struct str *id = svg_attr(n, STR("id"));
	const struct str *units = svg_attr(n, STR("patternUnits"));
	struct hatch h = { 0 };
	size_t paths = 0;
	double width, height;

	(void)depth;
	if (!id || !units || !str_eq(*units, STR("userSpaceOnUse")))
		return state_refuse(n, STR("patternUnits"), units ? *units : STR(""), w->err);
	if (!length(w, n, STR("width"), 0, &width) || !length(w, n, STR("height"), 0, &height))
		return false;
	if (!(width > 0) || width != height)
		return state_refuse(n, STR("tile"), STR("not square"), w->err);
	for (const struct svg_node *k = n->first; k; k = k->next)
		if (k->name.len > 0 && (paths++ > 0 || !hatch_path(w, k, width, *s, &h)))
			return state_refuse(k, STR("pattern of"), k->name, w->err);
	if (paths == 0)
		return state_refuse(n, STR("pattern"), *id, w->err);
	w->hatches =
	    arena_grow(w->arena, w->hatches, &w->hatch_cap, w->nhatches + 1, sizeof *w->hatches);
	w->hatches[w->nhatches] = h;
	map_put(&w->hatch_ids, *id, w->nhatches++, NULL);
	return true;
}

static bool walk_node(struct walker *w, const struct svg_node *n, struct state s, int depth);

static bool walk_group(struct walker *w, const struct svg_node *n, const struct state *s, int depth)
{
	for (const struct svg_node *k = n->first; k; k = k->next) {
		if (k->name.len == 0) {
			if (str_trim(k->text).len > 0)
				return error_at(w->err, ERR_DATA, k->pos,
						"svg: text outside <text>");
			continue;
		}
		if (!walk_node(w, k, *s, depth))
			return false;
	}
	return true;
}

/* Symbols wait for their use; patterns are read at once. */
static bool walk_defs(struct walker *w, const struct svg_node *n, const struct state *s, int depth)
{
	for (const struct svg_node *k = n->first; k; k = k->next)
		if (str_eq(k->name, STR("pattern")) && !walk_node(w, k, *s, depth))
			return false;
	return true;
}

static bool walk_use(struct walker *w, const struct svg_node *n, const struct state *s, int depth)
{
	const struct str *href = svg_attr(n, STR("href"));
	struct state inner = *s;
	double x, y;

	if (!href)
		href = svg_attr(n, STR("xlink:href"));
	if (!href || !str_starts(*href, STR("#")))
		return state_refuse(n, STR("href"), href ? *href : STR(""), w->err);

	const size_t *at = map_get(&w->ids, str_slice(*href, 1, href->len));

	if (!at)
		return state_refuse(n, STR("href"), *href, w->err);
	if (depth >= USE_DEPTH_MAX)
		return error_at(w->err, ERR_DATA, n->pos, "svg: symbols nested too deeply");
	if (!length(w, n, STR("x"), 0, &x) || !length(w, n, STR("y"), 0, &y))
		return false;
	inner.m = matrix_times(inner.m, (struct matrix){ 1, 0, 0, 1, x, y });
	return walk_node(w, w->nodes[*at], inner, depth + 1);
}

static bool walk_nothing(struct walker *w, const struct svg_node *n, const struct state *s,
			 int depth)
{
	(void)w, (void)n, (void)s, (void)depth;
	return true;
}

static const struct {
	struct str name;
	bool (*walk)(struct walker *w, const struct svg_node *n, const struct state *s, int depth);
} elements[] = {
	{ STR_INIT("g"), walk_group },         { STR_INIT("path"), walk_path },
	{ STR_INIT("polygon"), walk_polygon }, { STR_INIT("text"), walk_text },
	{ STR_INIT("use"), walk_use },         { STR_INIT("rect"), walk_rect },
	{ STR_INIT("circle"), walk_circle },   { STR_INIT("defs"), walk_defs },
	{ STR_INIT("pattern"), walk_pattern }, { STR_INIT("title"), walk_nothing },
	{ STR_INIT("desc"), walk_nothing },
};

static bool walk_node(struct walker *w, const struct svg_node *n, struct state s, int depth)
{
	if (++w->visits > VISITS_MAX)
		return error_at(w->err, ERR_DATA, n->pos, "svg: too many elements and symbols");
	for (size_t i = 0; i < LEN(elements); i++)
		if (str_eq(elements[i].name, n->name))
			return state_apply(n, &s, w->err) && elements[i].walk(w, n, &s, depth);
	return error_at(w->err, ERR_DATA, n->pos, "svg: <" STR_FMT "> is not known",
			STR_ARG(str_slice(n->name, 0, 60)));
}

static void ids_collect(struct walker *w, const struct svg_node *n)
{
	const struct str *id = svg_attr(n, STR("id"));

	if (id) {
		w->nodes =
		    arena_grow(w->arena, w->nodes, &w->node_cap, w->nnodes + 1, sizeof *w->nodes);
		w->nodes[w->nnodes] = n;
		map_put(&w->ids, *id, w->nnodes++, NULL);
	}
	for (const struct svg_node *k = n->first; k; k = k->next)
		ids_collect(w, k);
}

/* What svg_clean writes at the root and what gnuplot does; nothing there changes the picture. */
static bool root_check(struct walker *w, const struct svg_node *root)
{
	static const struct str known[] = {
		STR_INIT("xmlns"), STR_INIT("xmlns:xlink"), STR_INIT("viewBox"),
		STR_INIT("id"),    STR_INIT("font-family"),
	};

	for (size_t i = 0; i < root->nattrs; i++) {
		size_t k = 0;

		while (k < LEN(known) && !str_eq(known[k], root->attrs[i].name))
			k++;
		if (k == LEN(known))
			return state_refuse(root, STR("attribute"), root->attrs[i].name, w->err);
	}
	return true;
}

/* The viewBox may start elsewhere than at 0,0: the drawing always starts there. */
static bool root_read(struct walker *w, const struct svg_node *root, struct state *s)
{
	const struct str *box = svg_attr(root, STR("viewBox"));
	double v[4];
	size_t n = 0;

	if (box && !number_list_parse(*box, root->pos, v, LEN(v), &n, w->err))
		return false;
	if (n != LEN(v) || !(v[2] > 0) || !(v[3] > 0))
		return error_at(w->err, ERR_DATA, root->pos, "svg: no viewBox of four numbers");
	w->out->width = v[2];
	w->out->height = v[3];
	s->m.e = -v[0];
	s->m.f = -v[1];
	return true;
}

bool drawing_parse(struct str svg, const char *name, struct arena *a, struct drawing *out,
		   struct error *err)
{
	struct walker w = { .arena = a,
			    .out = out,
			    .err = err,
			    .ids = { .arena = a },
			    .hatch_ids = { .arena = a } };
	/* SVG's initial values */
	struct state s = { .m = MATRIX_ONE,
			   .fill = { .kind = PAINT_COLOUR },
			   .fill_opacity = 1,
			   .stroke_width = 1,
			   .font_size = 16 };
	struct svg_node *root;

	*out = (struct drawing){ 0 };
	if (!svg_tree_parse(svg, name, a, &root, err))
		return false;
	ids_collect(&w, root);
	return root_check(&w, root) && root_read(&w, root, &s) && walk_group(&w, root, &s, 0);
}
