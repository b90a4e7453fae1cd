#include "svg_value.h"

#include "../base/num.h"

#include <math.h>
#include <stdlib.h>

/* Text under a moving finger. */
struct scan {
	struct str s;
	size_t at;
	struct pos pos;
	struct error *err;
};

static int peek(const struct scan *sc)
{
	return sc->at < sc->s.len ? (unsigned char)sc->s.p[sc->at] : -1;
}

static bool is_blank(int c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_digit(int c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static void skip_blanks(struct scan *sc)
{
	while (is_blank(peek(sc)))
		sc->at++;
}

static void skip_separators(struct scan *sc)
{
	skip_blanks(sc);
	if (peek(sc) == ',')
		sc->at++;
	skip_blanks(sc);
}

static void skip_digits(struct scan *sc)
{
	while (is_digit(peek(sc)))
		sc->at++;
}

static bool bad(const struct scan *sc, const char *what)
{
	struct str shown = str_slice(sc->s, 0, 60);

	return error_at(sc->err, ERR_DATA, sc->pos, "svg: '" STR_FMT "' is not %s", STR_ARG(shown),
			what);
}

/* Reads [+-]digits[.digits][e[+-]digits]; words such as nan and inf are named as what they are. */
static bool scan_number(struct scan *sc, double *out)
{
	size_t from = sc->at;

	if (peek(sc) == '+' || peek(sc) == '-')
		sc->at++;
	if (peek(sc) == 'n' || peek(sc) == 'N' || peek(sc) == 'i' || peek(sc) == 'I')
		return error_at(sc->err, ERR_RANGE, sc->pos, "svg: a number is not finite");
	skip_digits(sc);
	if (peek(sc) == '.') {
		sc->at++;
		skip_digits(sc);
	}

	size_t digits_end = sc->at;

	if (peek(sc) == 'e' || peek(sc) == 'E') {
		sc->at++;
		if (peek(sc) == '+' || peek(sc) == '-')
			sc->at++;
		if (is_digit(peek(sc)))
			skip_digits(sc);
		else
			sc->at = digits_end; /* the unit em, not an exponent */
	}

	struct str token = str_slice(sc->s, from, sc->at);

	if (num_parse(token, false, out))
		return true;
	if (token.len > 0 && is_digit((unsigned char)token.p[token.len - 1]))
		return error_at(sc->err, ERR_RANGE, sc->pos, "svg: " STR_FMT " is not finite",
				STR_ARG(token));
	return bad(sc, "a number");
}

bool number_parse(struct str s, struct pos pos, double *out, struct error *err)
{
	struct scan sc = { str_trim(s), 0, pos, err };

	if (!scan_number(&sc, out))
		return false;
	if (str_eq(str_slice(sc.s, sc.at, sc.s.len), STR("px")))
		return true;
	return sc.at == sc.s.len || bad(&sc, "a number");
}

bool number_list_parse(struct str s, struct pos pos, double *out, size_t max, size_t *n,
		       struct error *err)
{
	struct scan sc = { s, 0, pos, err };

	*n = 0;
	skip_blanks(&sc);
	while (peek(&sc) >= 0) {
		if (*n == max)
			return bad(&sc, "a list that short");
		if (!scan_number(&sc, &out[(*n)++]))
			return false;
		skip_separators(&sc);
	}
	return true;
}

static const struct {
	struct str name;
	struct colour colour;
} colour_names[] = {
	{ STR_INIT("black"), { 0, 0, 0 } },
	{ STR_INIT("white"), { 255, 255, 255 } },
	{ STR_INIT("gray"), { 128, 128, 128 } },
};

static bool hex_parse(struct scan *sc, struct colour *out)
{
	unsigned char v[3] = { 0 };

	if (sc->s.len != 7)
		return bad(sc, "a colour");
	for (size_t i = 0; i < 6; i++) {
		int c = (unsigned char)sc->s.p[i + 1];
		int digit = is_digit(c)            ? c - '0'
			    : c >= 'a' && c <= 'f' ? c - 'a' + 10
			    : c >= 'A' && c <= 'F' ? c - 'A' + 10
						   : -1;

		if (digit < 0)
			return bad(sc, "a colour");
		v[i / 2] = (unsigned char)(v[i / 2] * 16 + digit);
	}
	*out = (struct colour){ v[0], v[1], v[2] };
	return true;
}

static bool rgb_parse(struct scan *sc, struct colour *out)
{
	unsigned char v[3];

	sc->at = sizeof "rgb(" - 1;
	for (size_t i = 0; i < 3; i++) {
		double x;

		skip_separators(sc);
		if (!is_digit(peek(sc)) || !scan_number(sc, &x) || x > 255 || x != floor(x))
			return bad(sc, "a colour");
		v[i] = (unsigned char)x;
	}
	skip_blanks(sc);
	if (peek(sc) != ')' || sc->at + 1 != sc->s.len)
		return bad(sc, "a colour");
	*out = (struct colour){ v[0], v[1], v[2] };
	return true;
}

bool paint_parse(struct str s, struct pos pos, struct paint *out, struct error *err)
{
	struct scan sc = { str_trim(s), 0, pos, err };

	*out = (struct paint){ .kind = PAINT_COLOUR };
	for (size_t i = 0; i < LEN(colour_names); i++) {
		if (str_eq(sc.s, colour_names[i].name)) {
			out->colour = colour_names[i].colour;
			return true;
		}
	}
	if (str_starts(sc.s, STR("rgb(")))
		return rgb_parse(&sc, &out->colour);
	if (str_starts(sc.s, STR("#")))
		return hex_parse(&sc, &out->colour);
	if (str_eq(sc.s, STR("none"))) {
		out->kind = PAINT_NONE;
		return true;
	}
	if (str_eq(sc.s, STR("currentColor"))) {
		out->kind = PAINT_CURRENT;
		return true;
	}
	if (str_starts(sc.s, STR("url(#")) && str_ends(sc.s, STR(")"))) {
		out->kind = PAINT_REF;
		out->ref = str_slice(sc.s, sizeof "url(#" - 1, sc.s.len - 1);
		return true;
	}
	return bad(&sc, "a colour");
}

void path_add(struct path *p, struct arena *a, enum path_op op, double x, double y)
{
	p->steps = arena_grow(a, p->steps, &p->cap, p->n + 1, sizeof *p->steps);
	p->steps[p->n++] = (struct path_step){ op, x, y };
}

bool points_parse(struct str s, struct pos pos, struct arena *a, struct path *out,
		  struct error *err)
{
	struct scan sc = { s, 0, pos, err };
	double x, y;

	skip_blanks(&sc);
	while (peek(&sc) >= 0) {
		if (!scan_number(&sc, &x))
			return false;
		skip_separators(&sc);
		if (!scan_number(&sc, &y))
			return false;
		skip_separators(&sc);
		path_add(out, a, out->n == 0 ? PATH_MOVE : PATH_LINE, x, y);
	}
	if (out->n == 0)
		return bad(&sc, "a list of points");
	path_add(out, a, PATH_CLOSE, 0, 0);
	return true;
}

struct matrix matrix_times(struct matrix o, struct matrix i)
{
	return (struct matrix){
		o.a * i.a + o.c * i.b, o.b * i.a + o.d * i.b,       o.a * i.c + o.c * i.d,
		o.b * i.c + o.d * i.d, o.a * i.e + o.c * i.f + o.e, o.b * i.e + o.d * i.f + o.f,
	};
}

double matrix_scale(struct matrix m)
{
	return sqrt(fabs(m.a * m.d - m.b * m.c));
}

static struct matrix matrix_translate(const double *v, size_t n)
{
	return (struct matrix){ 1, 0, 0, 1, v[0], n > 1 ? v[1] : 0 };
}

static struct matrix matrix_scaling(const double *v, size_t n)
{
	return (struct matrix){ v[0], 0, 0, n > 1 ? v[1] : v[0], 0, 0 };
}

/* Quarter turns are exact: gnuplot turns its symbols by 180 degrees, axis titles by 270. */
static struct matrix matrix_rotate(const double *v, size_t n)
{
	double quarters = v[0] / 90, r = v[0] * (3.14159265358979323846 / 180);
	double c = cos(r), s = sin(r);

	(void)n;
	if (quarters == floor(quarters)) {
		c = round(c);
		s = round(s);
	}
	return (struct matrix){ c, s, -s, c, 0, 0 };
}

static const struct transform {
	struct str name;
	size_t max; /* arguments */
	struct matrix (*make)(const double *v, size_t n);
} transforms[] = {
	{ STR_INIT("translate"), 2, matrix_translate },
	{ STR_INIT("rotate"), 1, matrix_rotate },
	{ STR_INIT("scale"), 2, matrix_scaling },
};

static bool transform_one(struct scan *sc, struct str name, struct str args, struct matrix *m)
{
	for (size_t i = 0; i < LEN(transforms); i++) {
		const struct transform *t = &transforms[i];
		double v[2];
		size_t n;

		if (!str_eq(t->name, name))
			continue;
		if (!number_list_parse(args, sc->pos, v, t->max, &n, sc->err))
			return false;
		if (n == 0)
			return bad(sc, "a transform");
		*m = matrix_times(*m, t->make(v, n));
		return true;
	}
	return bad(sc, "a transform");
}

bool transform_parse(struct str s, struct pos pos, struct matrix *out, struct error *err)
{
	struct scan sc = { s, 0, pos, err };

	*out = MATRIX_ONE;
	for (skip_separators(&sc); peek(&sc) >= 0; skip_separators(&sc)) {
		size_t open = str_find(s, STR("("), sc.at), close = str_find(s, STR(")"), open);

		if (close == s.len)
			return bad(&sc, "a transform");
		struct str name = str_trim(str_slice(s, sc.at, open));

		if (!transform_one(&sc, name, str_slice(s, open + 1, close), out))
			return false;
		sc.at = close + 1;
	}
	return true;
}

/* Where the pen is, and where the subpath began (Z returns there). */
struct pen {
	double x, y, start_x, start_y;
};

static bool path_step_parse(struct scan *sc, int command, struct pen *pen, struct arena *a,
			    struct path *out)
{
	bool relative = command >= 'a';
	int upper = relative ? command - 'a' + 'A' : command;
	double x = pen->x, y = pen->y, dx = relative ? pen->x : 0, dy = relative ? pen->y : 0;

	if (upper != 'V') {
		if (!scan_number(sc, &x))
			return false;
		x += dx;
		skip_separators(sc);
	}
	if (upper != 'H') {
		if (!scan_number(sc, &y))
			return false;
		y += dy;
		skip_separators(sc);
	}
	pen->x = x;
	pen->y = y;
	if (upper == 'M') {
		pen->start_x = x;
		pen->start_y = y;
	}
	path_add(out, a, upper == 'M' ? PATH_MOVE : PATH_LINE, x, y);
	return true;
}

static bool is_command(int c)
{
	return c == 'M' || c == 'm' || c == 'L' || c == 'l' || c == 'H' || c == 'h' || c == 'V'
	       || c == 'v';
}

bool path_parse(struct str s, struct pos pos, struct arena *a, struct path *out, struct error *err)
{
	struct scan sc = { s, 0, pos, err };
	struct pen pen = { 0 };
	int command = 0;

	for (skip_blanks(&sc); peek(&sc) >= 0; skip_separators(&sc)) {
		if (is_letter(peek(&sc))) {
			command = peek(&sc);
			sc.at++;
			skip_blanks(&sc);
		}
		if (out->n == 0 && command != 'M' && command != 'm')
			return bad(&sc, "a path that starts with M");
		if (command == 'Z' || command == 'z') {
			path_add(out, a, PATH_CLOSE, 0, 0);
			pen.x = pen.start_x;
			pen.y = pen.start_y;
			command = 0; /* a number cannot follow */
			continue;
		}
		if (!is_command(command))
			return bad(&sc, "a path of M, L, H, V and Z");
		if (!path_step_parse(&sc, command, &pen, a, out))
			return false;
		/* further pairs after M are lines (SVG 1.1, 8.3.2) */
		command = command == 'M' ? 'L' : command == 'm' ? 'l' : command;
	}
	return true;
}
