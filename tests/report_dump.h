/* A report as plain text, through the same walk as the page formats. */
#ifndef TESTS_REPORT_DUMP_H
#define TESTS_REPORT_DUMP_H

#include "../render/doc.h"

struct dump {
	struct strbuf out;
	struct arena *arena;
};

static inline bool dump_begin(void *ctx, const struct report *r, struct error *err)
{
	struct dump *d = ctx;

	(void)err;
	strbuf_printf(&d->out, "= " STR_FMT "\n" STR_FMT "\n", STR_ARG(r->title),
		      STR_ARG(r->subtitle));
	return true;
}

static inline void dump_spans(struct dump *d, const struct spans *s)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct span *span = &s->v[i];
		const char *mark = span->strong ? "*" : "";
		strbuf_printf(&d->out, "%s" STR_FMT "%s", mark, STR_ARG(span->text), mark);
		if (span->href.len > 0)
			strbuf_printf(&d->out, "<" STR_FMT ">", STR_ARG(span->href));
	}
	strbuf_addc(&d->out, '\n');
}

static inline bool dump_heading(void *ctx, int level, struct str id, const struct spans *text,
				struct error *err)
{
	struct dump *d = ctx;

	(void)err;
	strbuf_printf(&d->out, "\n%s #" STR_FMT " ", level == 2 ? "==" : "===", STR_ARG(id));
	dump_spans(d, text);
	return true;
}

static inline bool dump_text(void *ctx, const struct spans *text, struct error *err)
{
	(void)err;
	dump_spans(ctx, text);
	return true;
}

static inline bool dump_note(void *ctx, enum note_tone tone, const struct spans *text,
			     struct error *err)
{
	struct dump *d = ctx;

	(void)err;
	strbuf_add(&d->out, tone == NOTE_WARN ? STR("WARN ") : STR("NOTE "));
	dump_spans(d, text);
	return true;
}

static inline bool dump_list(void *ctx, const struct spans *items, size_t n, struct error *err)
{
	struct dump *d = ctx;

	(void)err;
	for (size_t i = 0; i < n; i++) {
		strbuf_add(&d->out, STR("- "));
		dump_spans(d, &items[i]);
	}
	return true;
}

static inline bool dump_table(void *ctx, const struct report_table *t, struct error *err)
{
	static const char *const tones[] = { "", "!", "~", "?" };
	struct dump *d = ctx;

	(void)err;
	strbuf_printf(&d->out, "table #" STR_FMT ": " STR_FMT "%s <" STR_FMT ">\n", STR_ARG(t->id),
		      STR_ARG(t->caption), t->folded ? " (folded)" : "", STR_ARG(t->csv_href));
	for (size_t c = 0; c < t->ncolumns; c++)
		strbuf_printf(&d->out, "%s" STR_FMT "%s", c ? " | " : "",
			      STR_ARG(t->columns[c].title), t->columns[c].numeric ? ">" : "");
	strbuf_addc(&d->out, '\n');
	for (size_t i = 0; i < t->nrows * t->ncolumns; i++) {
		const struct report_cell *cell = &t->cells[i];
		strbuf_printf(&d->out, "%s%s" STR_FMT, i % t->ncolumns ? " | " : "",
			      tones[cell->tone], STR_ARG(cell->text));
		if (cell->href.len > 0)
			strbuf_printf(&d->out, "<" STR_FMT ">", STR_ARG(cell->href));
		if (i % t->ncolumns == t->ncolumns - 1)
			strbuf_addc(&d->out, '\n');
	}
	return true;
}

static inline bool dump_figure(void *ctx, const struct report_figure *f, struct error *err)
{
	struct dump *d = ctx;

	(void)err;
	strbuf_printf(&d->out,
		      "figure #" STR_FMT ": " STR_FMT " <" STR_FMT "> <" STR_FMT ">\n" STR_FMT
		      "\nalt: " STR_FMT "\n",
		      STR_ARG(f->id), STR_ARG(f->title), STR_ARG(f->svg_href), STR_ARG(f->csv_href),
		      STR_ARG(f->caption), STR_ARG(f->alt));
	return true;
}

static inline bool dump_code(void *ctx, const struct spans *text, struct error *err)
{
	struct dump *d = ctx;

	(void)err;
	strbuf_add(&d->out, STR("code:\n"));
	dump_spans(d, text);
	return true;
}

static inline bool dump_end(void *ctx, struct error *err)
{
	(void)ctx;
	(void)err;
	return true;
}

static inline struct str report_dump(const struct report *r, struct arena *a)
{
	static const struct doc_ops ops = {
		.begin = dump_begin,
		.heading = dump_heading,
		.text = dump_text,
		.note = dump_note,
		.list = dump_list,
		.table = dump_table,
		.figure = dump_figure,
		.code = dump_code,
		.end = dump_end,
	};
	struct dump d = { .out = { .arena = a }, .arena = a };
	struct error err = { .code = ERR_NONE };

	doc_walk(r, &ops, &d, &err);
	return strbuf_str(&d.out);
}

#endif
