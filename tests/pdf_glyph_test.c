/* What is drawn, not what can be copied out: every character on the pages leads to a glyph with
 * outlines in the font that lies in the file, composites included, and to the same ones as in the
 * font it was cut from. Latin, Greek, Simplified and Traditional Chinese. With files as arguments
 * the first is checked on them. */
#include "pdf_fixture.h"
#include "../base/file.h"

#include <hb.h>
#include <stdlib.h>
#include <unistd.h>

enum { BMP = 0x10000 };

static const char *const samples[] = {
	"The quick brown fox jumps over the lazy dog; 0123456789 $%&@#{}[]<>~^|\\ \xC3\xA9\xC3\xBC"
	"\xC3\xB1\xC5\x82\xC5\x91\xC3\x85 \xE2\x80\x93 \xE2\x80\x9Cquoted\xE2\x80\x9D "
	"\xE2\x82\xAC\xC2\xA3\xC2\xB5\xC3\x97\xC3\xB7\xC2\xB1\xE2\x89\xA4\xE2\x89\xA5\xE2\x89\x88",
	"\xCE\xB1\xCE\xB2\xCE\xB3\xCE\xB4\xCE\xB5\xCE\xAD\xCE\xAE\xCE\xAF\xCF\x8C\xCF\x8D\xCF\x8E"
	"\xCE\xA9\xCE\xA3\xCE\x94\xCE\xA0\xCE\x86\xCE\x88\xCE\x90",
	/* "deep-learning graphics cards: score, memory, price, performance per cost; the cards of
	 * this report are measured or scaled, missing data are never zero" */
	"深度学习显卡选购指南：得分、显存、价格与每美元性能；本报告中的显卡经过实测或推算，"
	"“缺失”的数据绝不当作零。卷积网络、循环网络、变换器（Transformer）、多卡加速比、云端租用…",
	"深度學習顯示卡選購指南：得分、記憶體、價格與每美元效能；本報告中的顯示卡經過實測或推算，"
	"「缺失」的資料絕不當作零。卷積網路、循環網路、變換器（Transformer）、多卡加速比、雲端租用"
	"…",
};

/* ---- counting what a glyph draws ---- */

struct outline {
	unsigned moves, segments;
};

static void on_move(hb_draw_funcs_t *d, void *data, hb_draw_state_t *s, float x, float y,
		    void *user)
{
	(void)d, (void)s, (void)x, (void)y, (void)user;
	((struct outline *)data)->moves++;
}

static void on_line(hb_draw_funcs_t *d, void *data, hb_draw_state_t *s, float x, float y,
		    void *user)
{
	(void)d, (void)s, (void)x, (void)y, (void)user;
	((struct outline *)data)->segments++;
}

static void on_curve(hb_draw_funcs_t *d, void *data, hb_draw_state_t *s, float cx, float cy,
		     float x, float y, void *user)
{
	(void)d, (void)s, (void)cx, (void)cy, (void)x, (void)y, (void)user;
	((struct outline *)data)->segments++;
}

struct glyphs {
	hb_draw_funcs_t *funcs;
	hb_blob_t *blob;
	hb_face_t *face;
	hb_font_t *font;
};

static struct glyphs glyphs_open(struct str data)
{
	struct glyphs g = { .funcs = hb_draw_funcs_create() };

	hb_draw_funcs_set_move_to_func(g.funcs, on_move, NULL, NULL);
	hb_draw_funcs_set_line_to_func(g.funcs, on_line, NULL, NULL);
	hb_draw_funcs_set_quadratic_to_func(g.funcs, on_curve, NULL, NULL);
	g.blob = hb_blob_create(data.p, (unsigned)data.len, HB_MEMORY_MODE_READONLY, NULL, NULL);
	g.face = hb_face_create(g.blob, 0);
	g.font = hb_font_create(g.face);
	return g;
}

static void glyphs_close(struct glyphs *g)
{
	hb_font_destroy(g->font);
	hb_face_destroy(g->face);
	hb_blob_destroy(g->blob);
	hb_draw_funcs_destroy(g->funcs);
}

static struct outline outline_of(const struct glyphs *g, unsigned glyph)
{
	struct outline o = { 0 };

	hb_font_get_glyph_shape(g->font, glyph, g->funcs, &o);
	return o;
}

/* ---- characters by font ---- */

/* Of each font object: which characters pages show with it. */
struct use {
	size_t font; /* object */
	unsigned char has[BMP];
};

struct uses {
	struct use *v;
	size_t n, cap;
};

static struct use *use_of(struct uses *u, size_t font, struct arena *a)
{
	for (size_t i = 0; i < u->n; i++)
		if (u->v[i].font == font)
			return &u->v[i];
	u->v = arena_grow(a, u->v, &u->cap, u->n + 1, sizeof *u->v);
	u->v[u->n].font = font;
	return &u->v[u->n++];
}

static void read_page(const struct pdf_file *f, struct str page, struct uses *u, struct arena *a)
{
	struct str content = pdf_follow(f, pdf_key(page, "Contents")).data, line;
	struct str resources = pdf_follow(f, pdf_key(page, "Resources")).text;
	struct str fonts = pdf_follow(f, pdf_key(resources, "Font")).text;
	struct use *now = NULL;

	while (str_cut(&content, '\n', &line)) {
		if (str_ends(line, STR(" Tf"))) {
			struct str name = str_slice(line, 1, str_find(line, STR(" "), 0));
			now = use_of(u, pdf_reference(pdf_key(fonts, str_c(a, name))), a);
		} else if (str_ends(line, STR(" Tj"))) {
			for (size_t i = 1; now && i + 4 < line.len && line.p[i] != '>'; i += 4) {
				char hex[5] = { line.p[i], line.p[i + 1], line.p[i + 2],
						line.p[i + 3], 0 };
				now->has[strtoul(hex, NULL, 16)] = 1;
			}
		}
	}
}

static bool is_blank(unsigned c)
{
	return c == ' ' || c == 0xA0 || c == 0x3000 || (c >= 0x2000 && c <= 0x200A);
}

/* Which of our fonts a font object is, by its name. */
static enum font_id id_of(struct str base)
{
	if (str_find(base, STR("Mono"), 0) < base.len)
		return FONT_MONO;
	if (str_find(base, STR("WenQuanYi"), 0) < base.len)
		return FONT_CJK;
	return str_find(base, STR("Bold"), 0) < base.len ? FONT_BOLD : FONT_REGULAR;
}

/* Characters without a glyph or outline, and those whose outline is another than in the source. */
static void check_font(struct fixture *f, const struct pdf_file *file, const struct use *use,
		       size_t counts[3])
{
	struct str type0 = file->v[use->font].text, kids = pdf_key(type0, "DescendantFonts");
	if (pdf_reference(kids))
		kids = pdf_follow(file, kids).text;
	struct str cid = pdf_follow(file, str_trim(str_slice(kids, 1, kids.len))).text;
	struct str map = pdf_follow(file, pdf_key(cid, "CIDToGIDMap")).data;
	struct str about = pdf_follow(file, pdf_key(cid, "FontDescriptor")).text;
	struct str data = pdf_follow(file, pdf_key(about, "FontFile2")).data, cut = STR("");
	struct error err = { 0 };
	unsigned *all = arena_array(&f->a, BMP, sizeof *all);
	size_t n = 0;

	for (unsigned c = 0; c < BMP; c++)
		if (use->has[c])
			all[n++] = c;
	font_subset(f->fonts, id_of(pdf_key(type0, "BaseFont")), all, n, &f->a, &cut, &err);
	struct glyphs in_file = glyphs_open(data), source = glyphs_open(cut);
	for (size_t i = 0; i < n; i++) {
		unsigned c = all[i], glyph = 0, wanted = 0;
		if (map.len >= 2 * (size_t)c + 2)
			glyph = (unsigned)(unsigned char)map.p[2 * c] << 8
				| (unsigned char)map.p[2 * c + 1];
		struct outline o = outline_of(&in_file, glyph);
		hb_font_get_nominal_glyph(source.font, c, &wanted);
		struct outline w = outline_of(&source, wanted);
		bool lost = glyph == 0 || (!is_blank(c) && o.segments == 0);
		bool other = o.moves != w.moves || o.segments != w.segments;
		counts[0]++;
		counts[1] += lost;
		counts[2] += other;
		if (lost || other)
			printf("# U+%04X: %u of %u segments\n", c, o.segments, w.segments);
	}
	glyphs_close(&in_file);
	glyphs_close(&source);
}

static void check_file(struct fixture *f, struct str pdf)
{
	struct pdf_file file;
	struct uses uses = { 0 };
	size_t counts[3] = { 0 };

	if (!pdf_file_read(pdf, &f->a, &file)) {
		test_ok(&f->t, false, "the file is read back");
		return;
	}
	for (size_t i = 0; i < file.n; i++)
		if (str_eq(pdf_key(file.v[i].text, "Type"), STR("/Page")))
			read_page(&file, file.v[i].text, &uses, &f->a);
	for (size_t i = 0; i < uses.n; i++)
		check_font(f, &file, &uses.v[i], counts);
	printf("# %zu fonts, %zu characters\n", uses.n, counts[0]);
	test_ok(&f->t, counts[0] > 0 && counts[1] == 0, "every character has an outline");
	test_ok(&f->t, counts[2] == 0, "the same as in the font it comes from");
}

/* The Greek letters and the rarer signs are composites in Liberation, and so tested as parts. */
static void test_samples(struct fixture *f)
{
	struct report r = empty_report(f);
	struct error err = { 0 };
	struct str pdf;

	for (size_t i = 0; i < LEN(samples); i++) {
		struct spans s = { 0 };
		heading(f, &r, 2, "", samples[i]);
		text(f, &r, samples[i]);
		add(f, &s, samples[i], "", false, true);
		block(&r, BLOCK_TEXT)->text = s;
	}
	test_ok(&f->t, write_pdf(f, &r, &pdf, &err), "samples of four scripts");
	test_str(&f->t, font_missing(f->fonts, &f->a), STR(""), "no font lacks any of it");
	check_file(f, pdf);
}

int main(int argc, char **argv)
{
	struct fixture f = { 0 };
	struct error err = { 0 };
	char tmp[] = "/tmp/pdf-test-XXXXXX";

	f.tmp = mkdtemp(tmp);
	if (!f.tmp || !font_set_open(&f.a, &f.fonts, &err)) {
		test_ok(&f.t, false, err.msg);
		return test_done(&f.t);
	}
	for (int i = 1; i < argc; i++) {
		struct str pdf;
		test_ok(&f.t, file_read(argv[i], 0, &f.a, &pdf, &err), argv[i]);
		check_file(&f, pdf);
	}
	if (argc == 1)
		test_samples(&f);
	rmdir(tmp);
	font_set_free(f.fonts);
	arena_free(&f.a);
	return test_done(&f.t);
}
