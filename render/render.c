#include "render.h"
#include "build.h"
#include "chart.h"
#include "citation.h"
#include "data.h"
#include "drawing.h"
#include "font.h"
#include "html.h"
#include "json.h"
#include "manifest.h"
#include "pdf.h"
#include "report.h"
#include "svg.h"
#include "text.h"
#include "../base/file.h"

#include <stdio.h>
#include <unistd.h>

/* What the steps of the stage hand on. */
struct render {
	const struct render_options *opt;
	const struct devices *devices;
	struct report_data data;
	struct text_catalogue text;
	struct report report;
	struct font_set *fonts;
	struct str scratch; /* DIR/.render: fonts for libharu, gone at the end */
	struct arena *arena;
};

static const char *in_dir(struct render *w, const char *name)
{
	return str_c(w->arena, file_join(w->arena, str_of(w->opt->out_dir), str_of(name)));
}

/* A page format, or another file that is made of the report. */
struct format {
	const char *name, *file;
	bool (*write)(struct render *w, struct str *out, struct error *err);
};

static bool write_html(struct render *w, struct str *out, struct error *err)
{
	return html_write(&w->report, w->opt->templates_dir, w->arena, out, err);
}

static bool write_pdf(struct render *w, struct str *out, struct error *err)
{
	return pdf_write(&w->report, w->fonts, str_c(w->arena, w->scratch), w->arena, out, err);
}

static bool write_json(struct render *w, struct str *out, struct error *err)
{
	(void)err;
	*out = json_write(&w->report, &w->data, w->devices, w->arena);
	return true;
}

static bool write_bibtex(struct render *w, struct str *out, struct error *err)
{
	(void)err;
	*out = citation_bibtex(&w->report, w->arena);
	return true;
}

static bool write_cff(struct render *w, struct str *out, struct error *err)
{
	(void)err;
	*out = citation_cff(&w->report, w->arena);
	return true;
}

static const struct format formats[] = {
	{ "html", "index.html", write_html },  { "pdf", "report.pdf", write_pdf },
	{ "json", "report.json", write_json }, { "bibtex", "citation.bib", write_bibtex },
	{ "cff", "CITATION.cff", write_cff },
};

/* Drawings of an earlier run may have other names; left lying they would stand in the manifest. */
static bool clear_figures(struct render *w, struct error *err)
{
	const char *dir = in_dir(w, "figures");
	struct file_list old = { .n = 0 };

	if (!file_make_dirs(in_dir(w, "figures/src"), err)
	    || !file_list(dir, "", true, w->arena, &old, NULL, err))
		return false;
	for (size_t i = 0; i < old.n; i++) {
		const char *path = str_c(w->arena, file_join(w->arena, str_of(dir), old.v[i]));
		if (unlink(path) != 0)
			return error_errno(err, path);
	}
	return true;
}

static bool draw_figure(struct render *w, struct report_figure *f, struct error *err)
{
	struct str svg, file;

	if (!chart_draw(f->chart, w->fonts, w->opt->gnuplot ? w->opt->gnuplot : "gnuplot",
			in_dir(w, "figures/src"), w->arena, &svg, err)
	    || !drawing_parse(svg, str_c(w->arena, f->svg_href), w->arena, &f->drawing, err))
		return false;
	f->svg = svg_theme(svg, f->id, w->arena);
	file = str_printf(w->arena, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" STR_FMT "\n",
			  STR_ARG(str_trim(svg)));
	return file_write(in_dir(w, str_c(w->arena, f->svg_href)), file, err);
}

static bool draw_figures(struct render *w, struct error *err)
{
	if (!clear_figures(w, err))
		return false;
	for (size_t i = 0; i < w->report.n; i++)
		if (w->report.blocks[i].kind == BLOCK_FIGURE
		    && !draw_figure(w, w->report.blocks[i].figure, err))
			return false;
	return true;
}

/* Every file is made before the first is written: a fault in one leaves the others as they were. */
static bool write_formats(struct render *w, struct error *err)
{
	struct str out[LEN(formats)];

	for (size_t i = 0; i < LEN(formats); i++)
		if (!formats[i].write(w, &out[i], err))
			return false;
	for (size_t i = 0; i < LEN(formats); i++)
		if (!file_write(in_dir(w, formats[i].file), out[i], err))
			return false;
	return true;
}

static bool write_manifest(struct render *w, struct error *err)
{
	struct manifest all;

	return manifest_all(w->opt->out_dir, w->arena, &all, err)
	       && file_write(in_dir(w, "MANIFEST"), manifest_text(&all, w->arena), err);
}

static bool build(struct render *w, struct error *err)
{
	const struct render_options *opt = w->opt;
	const char *text =
	    str_c(w->arena, file_join(w->arena, str_of(opt->templates_dir), STR("text.en.ini")));
	struct manifest inputs;

	if (!data_read(str_of(in_dir(w, "data")), w->arena, &w->data, err)
	    || !manifest_inputs(opt->out_dir, w->arena, &inputs, err)
	    || !text_read(text, w->arena, &w->text, err))
		return false;
	w->report = (struct report){
		.language = STR("en"),
		.generator = str_printf(w->arena, "gpuguide " STR_FMT, STR_ARG(opt->version)),
		.edition_id = manifest_edition_id(&inputs, w->data.date, w->arena),
		.timestamp = opt->source_date_epoch >= 0 ? opt->source_date_epoch
							 : (long long)w->data.date.day * 86400,
		.arena = w->arena,
	};
	return report_build(&w->data, &w->text, &w->report, err);
}

bool render_run(const struct render_options *opt, const struct devices *devices, struct arena *a,
		struct messages *messages, struct error *err)
{
	struct render w = { .opt = opt, .devices = devices, .arena = a };
	bool done;

	w.scratch = file_join(a, str_of(opt->out_dir), STR(".render"));
	done = build(&w, err) && file_make_dirs(str_c(a, w.scratch), err)
	       && font_set_open(a, &w.fonts, err) && draw_figures(&w, err) && write_formats(&w, err)
	       && write_manifest(&w, err);
	if (w.fonts) {
		struct str missing = font_missing(w.fonts, a);
		if (done && missing.len)
			messages_add(messages, (struct pos){ "report.pdf", 0, 0 },
				     "no font has these characters, boxes stand for them: " STR_FMT,
				     STR_ARG(missing));
		font_set_free(w.fonts);
	}
	rmdir(str_c(a, w.scratch)); /* only when empty; a failed run may leave it */
	return done;
}
