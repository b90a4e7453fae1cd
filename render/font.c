#include "font.h"

#include <hb-ot.h>
#include <hb-subset.h>
#include <hb.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MISSING_SHOWN = 12 };

struct font_face {
	hb_blob_t *blob;
	hb_face_t *face;
	hb_font_t *font; /* NULL: the optional face is not installed */
	double units_per_em;
};

struct font_set {
	struct font_face faces[FONT_COUNT];
	hb_set_t *missing;
};

/* One file a font_id, in that order. WenQuanYi is a collection; face 0 is the proportional one. */
static const struct font_file {
	const char *file, *name, *package;
	unsigned index;
	bool optional;
} font_files[FONT_COUNT] = {
	{ "LiberationSans-Regular.ttf", "Liberation Sans", "fonts-liberation", 0, false },
	{ "LiberationSans-Bold.ttf", "Liberation Sans Bold", "fonts-liberation", 0, false },
	{ "LiberationMono-Regular.ttf", "Liberation Mono", "fonts-liberation", 0, false },
	{ "wqy-zenhei.ttc", "WenQuanYi Zen Hei", "fonts-wqy-zenhei", 0, true },
};

/* Debian, Fedora, Arch and local installations. */
static const char font_folders[] = "/usr/share/fonts/truetype/liberation"
				   ":/usr/share/fonts/truetype/liberation2"
				   ":/usr/share/fonts/truetype/wqy"
				   ":/usr/share/fonts/liberation-sans"
				   ":/usr/share/fonts/liberation-mono"
				   ":/usr/share/fonts/liberation"
				   ":/usr/share/fonts/wqy-zenhei"
				   ":/usr/share/fonts/wenquanyi/wqy-zenhei"
				   ":/usr/local/share/fonts";

/* Where a face looks for a character: its own font first, then the regular one, then the Chinese.
 */
static const enum font_id fallbacks[FONT_COUNT][3] = {
	[FONT_REGULAR] = { FONT_REGULAR, FONT_CJK, FONT_CJK },
	[FONT_BOLD] = { FONT_BOLD, FONT_REGULAR, FONT_CJK },
	[FONT_MONO] = { FONT_MONO, FONT_REGULAR, FONT_CJK },
	[FONT_CJK] = { FONT_CJK, FONT_REGULAR, FONT_REGULAR },
};

struct char_range {
	unsigned first, last;
};

/* Characters that only steer shaping or direction; unshaped text draws nothing for them. */
static const struct char_range undrawn[] = {
	{ 0x00AD, 0x00AD }, { 0x034F, 0x034F },   { 0x061C, 0x061C }, { 0x180B, 0x180E },
	{ 0x200B, 0x200F }, { 0x202A, 0x202E },   { 0x2060, 0x206F }, { 0xFE00, 0xFE0F },
	{ 0xFEFF, 0xFEFF }, { 0xE0000, 0xE0FFF },
};

/* Blanks of every kind: drawn as they are where a font has them, else as U+0020. */
static const struct char_range blanks[] = {
	{ 0x0009, 0x000D }, { 0x0020, 0x0020 }, { 0x0085, 0x0085 }, { 0x00A0, 0x00A0 },
	{ 0x1680, 0x1680 }, { 0x2000, 0x200A }, { 0x2028, 0x2029 }, { 0x202F, 0x202F },
	{ 0x205F, 0x205F }, { 0x3000, 0x3000 },
};

/* Scripts that run from right to left or whose letters join: set one by one from the left they
 * would be another word, so they are drawn as boxes even where a font has them. */
static const struct char_range unset[] = {
	{ 0x0590, 0x08FF }, { 0x0900, 0x0DFF }, { 0x0E00, 0x0EFF },
	{ 0x1780, 0x18AF }, { 0xFB1D, 0xFDFF }, { 0xFE70, 0xFEFE },
};

/* What stands for a character that no font has; the last one is in every font. */
static const unsigned boxes[] = { 0x25A1, 0xFFFD, '?' };

static bool in_ranges(const struct char_range *ranges, size_t n, unsigned c)
{
	for (size_t i = 0; i < n; i++)
		if (c >= ranges[i].first && c <= ranges[i].last)
			return true;
	return false;
}

static bool is_control(unsigned c)
{
	return c < 0x20 || (c >= 0x7F && c < 0xA0);
}

static bool face_has(const struct font_set *fonts, enum font_id id, unsigned c)
{
	hb_codepoint_t glyph;

	return fonts->faces[id].font && hb_font_get_nominal_glyph(fonts->faces[id].font, c, &glyph);
}

static bool face_load(struct font_face *face, const char *path, unsigned index)
{
	face->blob = hb_blob_create_from_file_or_fail(path);
	if (!face->blob)
		return false;
	if (index >= hb_face_count(face->blob))
		return false;
	face->face = hb_face_create(face->blob, index);
	if (hb_face_get_glyph_count(face->face) == 0)
		return false;
	face->font = hb_font_create(face->face);
	face->units_per_em = hb_face_get_upem(face->face);
	return face->units_per_em > 0;
}

static void face_free(struct font_face *face)
{
	/* HarfBuzz accepts NULL in each of these. */
	hb_font_destroy(face->font);
	hb_face_destroy(face->face);
	hb_blob_destroy(face->blob);
	*face = (struct font_face){ 0 };
}

static bool face_find(struct str folders, const struct font_file *file, struct arena *a,
		      struct font_face *face)
{
	struct str folder;

	while (str_cut(&folders, ':', &folder)) {
		if (folder.len == 0)
			continue;
		struct str path = str_printf(a, STR_FMT "/%s", STR_ARG(folder), file->file);
		if (face_load(face, str_c(a, path), file->index))
			return true;
		face_free(face);
	}
	return false;
}

static struct str folders_searched(void)
{
	const char *path = getenv("GPUGUIDE_FONT_PATH");

	return path && *path ? str_of(path) : STR(font_folders);
}

struct str font_path(enum font_id font, struct arena *a)
{
	struct str folders = folders_searched(), folder;

	while (str_cut(&folders, ':', &folder)) {
		struct str path =
		    str_printf(a, STR_FMT "/%s", STR_ARG(folder), font_files[font].file);

		if (folder.len > 0 && access(str_c(a, path), R_OK) == 0)
			return path;
	}
	return (struct str){ 0 };
}

bool font_set_open(struct arena *a, struct font_set **out, struct error *err)
{
	struct str folders = folders_searched();
	struct font_set *fonts = arena_alloc(a, sizeof *fonts);

	fonts->missing = hb_set_create();
	for (size_t i = 0; i < FONT_COUNT; i++) {
		if (face_find(folders, &font_files[i], a, &fonts->faces[i])
		    || font_files[i].optional)
			continue;
		font_set_free(fonts);
		return error_set(err, ERR_ENVIRONMENT,
				 "font %s (%s) not found in %.200s: install the package %s",
				 font_files[i].name, font_files[i].file, str_c(a, folders),
				 font_files[i].package);
	}
	*out = fonts;
	return true;
}

void font_set_free(struct font_set *fonts)
{
	if (!fonts)
		return;
	for (size_t i = 0; i < FONT_COUNT; i++)
		face_free(&fonts->faces[i]);
	hb_set_destroy(fonts->missing);
	fonts->missing = NULL;
}

bool font_for_char(const struct font_set *fonts, enum font_id wanted, unsigned codepoint,
		   enum font_id *out)
{
	/* A PDF string of libharu holds two bytes a character, so nothing above the BMP. */
	if (codepoint > 0xFFFF || is_control(codepoint) || in_ranges(unset, LEN(unset), codepoint))
		return false;
	for (size_t i = 0; i < LEN(fallbacks[wanted]); i++) {
		if (face_has(fonts, fallbacks[wanted][i], codepoint)) {
			*out = fallbacks[wanted][i];
			return true;
		}
	}
	return false;
}

static unsigned resolve(const struct font_set *fonts, enum font_id wanted, unsigned c,
			enum font_id *out, bool *missing)
{
	*missing = false;
	*out = wanted;
	if (in_ranges(undrawn, LEN(undrawn), c))
		return 0;
	if (font_for_char(fonts, wanted, c, out))
		return c;
	if (in_ranges(blanks, LEN(blanks), c))
		return ' ';
	*missing = true;
	for (size_t i = 0; i < LEN(boxes); i++)
		if (font_for_char(fonts, wanted, boxes[i], out))
			return boxes[i];
	return '?';
}

unsigned font_resolve(struct font_set *fonts, enum font_id wanted, unsigned codepoint,
		      enum font_id *out)
{
	bool missing;
	unsigned drawn = resolve(fonts, wanted, codepoint, out, &missing);

	if (missing)
		hb_set_add(fonts->missing, codepoint);
	return drawn;
}

double font_char_width(const struct font_set *fonts, enum font_id font, unsigned codepoint)
{
	const struct font_face *face = &fonts->faces[font];
	hb_codepoint_t glyph = 0;

	if (!face->font)
		return 0;
	if (!hb_font_get_nominal_glyph(face->font, codepoint, &glyph))
		glyph = 0;
	return hb_font_get_glyph_h_advance(face->font, glyph) / face->units_per_em;
}

/* HarfBuzz's calls, in font units, to the pen's. */
struct outline {
	const struct font_pen *pen;
	double units_per_em;
};

static void outline_move(hb_draw_funcs_t *f, void *data, hb_draw_state_t *state, float x, float y,
			 void *user)
{
	const struct outline *o = data;

	(void)f, (void)state, (void)user;
	o->pen->move(o->pen->ctx, (double)x / o->units_per_em, (double)y / o->units_per_em);
}

static void outline_line(hb_draw_funcs_t *f, void *data, hb_draw_state_t *state, float x, float y,
			 void *user)
{
	const struct outline *o = data;

	(void)f, (void)state, (void)user;
	o->pen->line(o->pen->ctx, (double)x / o->units_per_em, (double)y / o->units_per_em);
}

static void outline_curve(hb_draw_funcs_t *f, void *data, hb_draw_state_t *state, float x1,
			  float y1, float x2, float y2, float x, float y, void *user)
{
	const struct outline *o = data;
	double em = o->units_per_em;

	(void)f, (void)state, (void)user;
	o->pen->curve(o->pen->ctx, (double)x1 / em, (double)y1 / em, (double)x2 / em,
		      (double)y2 / em, (double)x / em, (double)y / em);
}

static void outline_close(hb_draw_funcs_t *f, void *data, hb_draw_state_t *state, void *user)
{
	const struct outline *o = data;

	(void)f, (void)state, (void)user;
	o->pen->close(o->pen->ctx);
}

void font_outline(const struct font_set *fonts, enum font_id font, unsigned codepoint,
		  const struct font_pen *pen)
{
	const struct font_face *face = &fonts->faces[font];
	struct outline o = { pen, face->units_per_em };
	hb_codepoint_t glyph = 0;

	if (!face->font)
		return;
	if (!hb_font_get_nominal_glyph(face->font, codepoint, &glyph))
		glyph = 0;
	hb_draw_funcs_t *funcs = hb_draw_funcs_create();
	hb_draw_funcs_set_move_to_func(funcs, outline_move, NULL, NULL);
	hb_draw_funcs_set_line_to_func(funcs, outline_line, NULL, NULL);
	/* without a function of its own a quadratic curve comes as the cubic one that it is */
	hb_draw_funcs_set_cubic_to_func(funcs, outline_curve, NULL, NULL);
	hb_draw_funcs_set_close_path_func(funcs, outline_close, NULL, NULL);
	hb_font_get_glyph_shape(face->font, glyph, funcs, &o);
	hb_draw_funcs_destroy(funcs);
}

double font_text_width(const struct font_set *fonts, enum font_id wanted, struct str text)
{
	double width = 0;
	bool missing;
	enum font_id font;

	for (size_t at = 0; at < text.len;) {
		unsigned drawn = resolve(fonts, wanted, str_next_utf8(text, &at), &font, &missing);
		if (drawn)
			width += font_char_width(fonts, font, drawn);
	}
	return width;
}

struct str font_missing(const struct font_set *fonts, struct arena *a)
{
	struct strbuf buf = { .arena = a };
	hb_codepoint_t c = HB_SET_VALUE_INVALID;
	unsigned n = hb_set_get_population(fonts->missing);

	for (int i = 0; i < MISSING_SHOWN && hb_set_next(fonts->missing, &c); i++)
		strbuf_printf(&buf, "%sU+%04X", i ? " " : "", (unsigned)c);
	if (n > MISSING_SHOWN)
		strbuf_printf(&buf, " and %u more", n - MISSING_SHOWN);
	return strbuf_str(&buf);
}

/* Layout tables go: the report is not shaped, and their closure would pull ligatures in. */
static hb_subset_input_t *subset_input(const unsigned *codepoints, size_t n)
{
	static const hb_tag_t dropped[] = {
		HB_TAG('G', 'S', 'U', 'B'),
		HB_TAG('G', 'P', 'O', 'S'),
		HB_TAG('G', 'D', 'E', 'F'),
		HB_TAG('k', 'e', 'r', 'n'),
	};
	hb_subset_input_t *input = hb_subset_input_create_or_fail();

	if (!input)
		return NULL;
	for (size_t i = 0; i < n; i++)
		hb_set_add(hb_subset_input_unicode_set(input), codepoints[i]);
	for (size_t i = 0; i < LEN(dropped); i++)
		hb_set_add(hb_subset_input_set(input, HB_SUBSET_SETS_DROP_TABLE_TAG), dropped[i]);
	hb_subset_input_set_flags(input, HB_SUBSET_FLAGS_NO_HINTING);
	return input;
}

bool font_subset(const struct font_set *fonts, enum font_id font, const unsigned *codepoints,
		 size_t n, struct arena *a, struct str *out, struct error *err)
{
	hb_subset_input_t *input = subset_input(codepoints, n);
	hb_face_t *cut = NULL;
	hb_blob_t *blob = NULL;
	unsigned len = 0;
	bool ok = false;

	if (input && fonts->faces[font].face)
		cut = hb_subset_or_fail(fonts->faces[font].face, input);
	if (cut) {
		blob = hb_face_reference_blob(cut);
		const char *data = hb_blob_get_data(blob, &len);
		*out = str_dup(a, (struct str){ data, len });
		ok = len > 0;
	}
	hb_blob_destroy(blob);
	hb_face_destroy(cut);
	hb_subset_input_destroy(input);
	return ok
	       || error_set(err, ERR_ENVIRONMENT, "font %s: cannot be cut to %zu characters",
			    font_files[font].name, n);
}
