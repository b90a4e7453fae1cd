#include "render.h"
#include "build.h"
#include "chart.h"
#include "citation.h"
#include "data.h"
#include "drawing.h"
#include "font.h"
#include "gnuplot.h"
#include "html.h"
#include "html_card.h"
#include "html_meta.h"
#include "json.h"
#include "manifest.h"
#include "pdf.h"
#include "report.h"
#include "summary.h"
#include "svg.h"
#include "../catalogue/text.h"
#include "../base/file.h"

#include <pthread.h>
#include <unistd.h>

/* What all languages share; nothing of it changes while they are rendered. */
struct render {
	const struct render_options *opt;
	const struct devices *devices;
	struct report_data data;
	struct report_alternate *alternates; /* one a language, the main one first */
	size_t n;
	struct str edition_id, generator;
	struct str gnuplot; /* its identity, where there is a cache */
	long long timestamp;
	struct arena *arena;
};

/* A page format, or another file that is made of the report. */
enum format_id {
	FORMAT_HTML,
	FORMAT_PDF,
	FORMAT_JSON,
	FORMAT_BIBTEX,
	FORMAT_CFF,
	FORMAT_SUMMARY,
	FORMAT_CARD,
	FORMATS
};

/* One language on its way: a thread of its own, with its own memory, fonts and faults. */
struct edition_language {
	const struct render *all;
	size_t no; /* of its alternate */
	struct text_catalogue text;
	struct report report;
	struct font_set *fonts;
	struct str scratch; /* DIR/.render-TAG: fonts for libharu, gone at the end */
	struct str out[FORMATS];
	struct str missing; /* characters that no font has */
	struct arena arena;
	struct error err;
	pthread_t thread;
	bool started;
};

static const char *in_dir(const struct render *w, struct arena *a, const char *name)
{
	return str_c(a, file_join(a, str_of(w->opt->out_dir), str_of(name)));
}

static bool write_html(struct edition_language *l, struct str *out)
{
	const struct html_input in = { .templates_dir = l->all->opt->templates_dir,
				       .text = &l->text,
				       .data = &l->all->data,
				       .devices = l->all->devices };

	return html_write(&l->report, &in, &l->arena, out, &l->err);
}

static bool write_pdf(struct edition_language *l, struct str *out)
{
	const struct pdf_options opt = { .tmp_dir = str_c(&l->arena, l->scratch),
					 .dir = l->all->opt->out_dir,
					 .paper = data_setting(&l->all->data, STR("paper")) };

	return pdf_write(&l->report, &opt, l->fonts, &l->arena, out, &l->err);
}

static bool write_json(struct edition_language *l, struct str *out)
{
	*out = json_write(&l->report, &l->all->data, l->all->devices, &l->arena);
	return true;
}

static bool write_bibtex(struct edition_language *l, struct str *out)
{
	*out = citation_bibtex(&l->report, &l->arena);
	return true;
}

static bool write_cff(struct edition_language *l, struct str *out)
{
	*out = citation_cff(&l->report, &l->arena);
	return true;
}

static bool write_summary(struct edition_language *l, struct str *out)
{
	return summary_json(&l->report, &l->all->data, &l->text, l->all->opt->templates_dir,
			    &l->arena, out, &l->err);
}

/* Empty where nothing is drawn: then there is no such file. */
static bool write_card(struct edition_language *l, struct str *out)
{
	return html_card_png(&l->report, l->fonts, &l->arena, out, &l->err);
}

/* file: NULL: named by the alternate, one a language; the others are made of the main language
 * alone. */
static const struct format {
	const char *file;
	bool (*write)(struct edition_language *l, struct str *out);
} formats[FORMATS] = {
	[FORMAT_HTML] = { NULL, write_html },
	[FORMAT_PDF] = { NULL, write_pdf },
	[FORMAT_JSON] = { "report.json", write_json },
	[FORMAT_BIBTEX] = { "citation.bib", write_bibtex },
	[FORMAT_CFF] = { "CITATION.cff", write_cff },
	[FORMAT_SUMMARY] = { "summary.json", write_summary },
	[FORMAT_CARD] = { NULL, write_card }, /* beside the drawings of the language */
};

static struct str file_of(const struct edition_language *l, size_t format)
{
	const struct report_alternate *own = &l->all->alternates[l->no];

	if (format == FORMAT_CARD)
		return html_meta_picture(&l->report, l->all->arena);
	if (formats[format].file)
		return str_of(formats[format].file);
	return format == FORMAT_HTML ? own->html_href : own->pdf_href;
}

/* Drawings of an earlier run may have other names; left lying they would stand in the manifest. */
static bool clear_figures(const struct render *w, struct error *err)
{
	const char *dir = in_dir(w, w->arena, "figures");
	struct file_list old = { .n = 0 };

	if (!file_make_dirs(dir, err) || !file_list(dir, "", true, w->arena, &old, NULL, err))
		return false;
	for (size_t i = 0; i < old.n; i++) {
		const char *path = str_c(w->arena, file_join(w->arena, str_of(dir), old.v[i]));
		if (unlink(path) != 0)
			return error_errno(err, path);
	}
	return true;
}

/* "figures", of another language than the main one "figures/zh-Hans". */
static struct str figures_dir(struct edition_language *l)
{
	if (l->no == 0)
		return STR("figures");
	return str_printf(&l->arena, "figures/" STR_FMT, STR_ARG(l->text.language));
}

static bool keep_drawing(struct edition_language *l, struct report_figure *f, struct str svg)
{
	struct arena *a = &l->arena;
	struct str file;

	f->svg_href =
	    str_printf(a, STR_FMT "/" STR_FMT ".svg", STR_ARG(figures_dir(l)), STR_ARG(f->id));
	if (!drawing_parse(svg, str_c(a, f->svg_href), a, &f->drawing, &l->err))
		return false;
	f->svg = svg_theme(svg, f->id, a);
	file = str_printf(a, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" STR_FMT "\n",
			  STR_ARG(str_trim(svg)));
	return file_write(in_dir(l->all, a, str_c(a, f->svg_href)), file, &l->err);
}

/* All in one run of gnuplot. */
static bool draw_figures(struct edition_language *l)
{
	struct arena *a = &l->arena;
	const struct render_options *opt = l->all->opt;
	const char *work =
	    in_dir(l->all, a, str_c(a, str_printf(a, STR_FMT "/src", STR_ARG(figures_dir(l)))));
	struct report_figure **figures = arena_array(a, l->report.n, sizeof *figures);
	const struct chart **charts = arena_array(a, l->report.n, sizeof *charts);
	struct str *svgs = arena_array(a, l->report.n, sizeof *svgs);
	const struct chart_drawer by = { .fonts = l->fonts,
					 .gnuplot = opt->gnuplot,
					 .cache = opt->cache,
					 .identity = l->all->gnuplot };
	size_t n = 0;

	for (size_t i = 0; i < l->report.n; i++)
		if (l->report.blocks[i].kind == BLOCK_FIGURE) {
			figures[n] = l->report.blocks[i].figure;
			charts[n] = figures[n]->chart;
			n++;
		}
	if (!file_make_dirs(work, &l->err)
	    || !chart_draw_all(charts, n, &by, work, a, svgs, &l->err))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!keep_drawing(l, figures[i], svgs[i]))
			return false;
	return true;
}

static bool make_files(struct edition_language *l)
{
	for (size_t i = 0; i < FORMATS; i++)
		if ((l->no == 0 || !formats[i].file) && !formats[i].write(l, &l->out[i]))
			return false;
	return true;
}

static bool build(struct edition_language *l)
{
	const struct render *w = l->all;

	l->report = (struct report){
		.language = l->text.language,
		.alternates = w->alternates,
		.nalternates = w->n,
		.generator = w->generator,
		.edition_id = w->edition_id,
		.timestamp = w->timestamp,
		.arena = &l->arena,
	};
	return report_build(&w->data, &l->text, &l->report, &l->err);
}

static void *render_language(void *ctx)
{
	struct edition_language *l = ctx;
	struct arena *a = &l->arena;
	struct str scratch = str_printf(a, ".render-" STR_FMT, STR_ARG(l->text.language));

	l->scratch = str_of(in_dir(l->all, a, str_c(a, scratch)));
	if (build(l) && file_make_dirs(str_c(a, l->scratch), &l->err)
	    && font_set_open(a, &l->fonts, &l->err) && draw_figures(l))
		make_files(l);
	if (l->fonts) {
		l->missing = font_missing(l->fonts, a);
		font_set_free(l->fonts);
	}
	rmdir(str_c(a, l->scratch)); /* only when empty; a failed run may leave it */
	return NULL;
}

/* All languages side by side. What one makes depends on nothing that another does, so the bytes are
 * the same in any order; the first fault in the edition's order counts. */
static bool render_languages(const struct render *w, struct edition_language *v, struct error *err)
{
	pdf_prepare();
	for (size_t i = 1; i < w->n; i++)
		v[i].started = pthread_create(&v[i].thread, NULL, render_language, &v[i]) == 0;
	render_language(&v[0]);
	for (size_t i = 1; i < w->n; i++) {
		if (v[i].started)
			pthread_join(v[i].thread, NULL);
		else
			render_language(&v[i]);
	}
	for (size_t i = 0; i < w->n; i++) {
		arena_adopt(w->arena, &v[i].arena);
		if (err->code == ERR_NONE)
			*err = v[i].err;
	}
	return err->code == ERR_NONE;
}

/* Every file is made before the first is written: a fault in one leaves the others as they were. */
static bool write_files(const struct render *w, const struct edition_language *v, struct error *err)
{
	for (size_t i = 0; i < w->n; i++)
		for (size_t k = 0; k < FORMATS; k++) {
			struct str file = file_of(&v[i], k);
			if (v[i].out[k].len > 0
			    && !file_write(in_dir(w, w->arena, str_c(w->arena, file)), v[i].out[k],
					   err))
				return false;
		}
	return true;
}

static bool write_manifest(const struct render *w, struct error *err)
{
	struct manifest all;

	return manifest_all(w->opt->out_dir, w->arena, &all, err)
	       && file_write(in_dir(w, w->arena, "MANIFEST"), manifest_text(&all, w->arena), err);
}

/* "index.html" for the main language, "index.zh-Hans.html" for another. */
static struct str page_name(struct arena *a, const char *stem, struct str tag, bool main,
			    const char *ending)
{
	return main ? str_printf(a, "%s.%s", stem, ending)
		    : str_printf(a, "%s." STR_FMT ".%s", stem, STR_ARG(tag), ending);
}

/* The languages of the edition with their catalogues; English alone where it names none. */
static bool open_languages(struct render *w, struct edition_language **out, struct error *err)
{
	struct arena *a = w->arena;
	struct str list = data_setting(&w->data, STR("languages")), tag;
	struct edition_language *v = arena_array(a, list.len + 1, sizeof *v);

	if (list.len == 0)
		list = STR("en");
	w->alternates = arena_array(a, list.len + 1, sizeof *w->alternates);
	while (str_cut(&list, ',', &tag)) {
		struct edition_language *l = &v[w->n];
		struct report_alternate *x = &w->alternates[w->n];
		tag = str_trim(tag);
		*l = (struct edition_language){ .all = w, .no = w->n };
		if (!text_read_language(w->opt->templates_dir, tag, a, &l->text, err)
		    || !text_plain(&l->text, "language.name", NULL, a, &x->name, err))
			return false;
		x->language = tag;
		x->html_href = page_name(a, "index", tag, w->n == 0, "html");
		x->pdf_href = page_name(a, "report", tag, w->n == 0, "pdf");
		w->n++;
	}
	*out = v;
	return true;
}

static bool open_edition(struct render *w, struct error *err)
{
	const struct render_options *opt = w->opt;
	struct manifest inputs;

	if (!data_read(str_of(in_dir(w, w->arena, "data")), w->arena, &w->data, err)
	    || !manifest_inputs(opt->out_dir, w->arena, &inputs, err))
		return false;
	if (opt->cache)
		w->gnuplot = gnuplot_identity(opt->gnuplot, w->arena);
	w->generator = str_printf(w->arena, "gpuguide " STR_FMT, STR_ARG(opt->version));
	w->edition_id = manifest_edition_id(&inputs, w->data.date, w->arena);
	w->timestamp = opt->source_date_epoch >= 0 ? opt->source_date_epoch
						   : (long long)w->data.date.day * 86400;
	return true;
}

bool render_run(const struct render_options *opt, const struct devices *devices, struct arena *a,
		struct messages *messages, struct error *err)
{
	struct render w = { .opt = opt, .devices = devices, .arena = a };
	struct edition_language *v;

	if (!open_edition(&w, err) || !open_languages(&w, &v, err) || !clear_figures(&w, err)
	    || !render_languages(&w, v, err) || !write_files(&w, v, err)
	    || !write_manifest(&w, err))
		return false;
	for (size_t i = 0; i < w.n; i++)
		if (v[i].missing.len)
			messages_add(messages,
				     (struct pos){ str_c(a, w.alternates[i].pdf_href), 0, 0 },
				     "no font has these characters, boxes stand for them: " STR_FMT,
				     STR_ARG(v[i].missing));
	return true;
}
