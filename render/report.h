/* The report model: what is said, in which order, with wording, units and rounding settled. Page
 * formats walk it (render/doc.h) and only lay it out, so HTML and PDF say the same. */
#ifndef RENDER_REPORT_H
#define RENDER_REPORT_H

#include "drawing.h"
#include "../base/arena.h"
#include "../base/date.h"
#include "../base/str.h"
#include "../catalogue/span.h"

#include <stdbool.h>
#include <stddef.h>

enum cell_tone { TONE_PLAIN, TONE_STRONG, TONE_MUTED, TONE_WARN };

struct report_cell {
	struct str text; /* empty text is shown as an en dash by the formats: missing, never 0 */
	struct str href;
	struct str lang; /* of the text where it is not the report's, "en"; else empty */
	enum cell_tone tone;
};

struct report_column {
	struct str title;
	bool numeric;    /* right-aligned, tabular figures */
	bool row_header; /* the column that names the row */
	double weight;   /* share of the PDF's room to spare (pdf_columns.h); 0 stands for 1 */
};

struct report_table {
	struct str id, caption, csv_href;
	struct report_column *columns;
	size_t ncolumns;
	struct report_cell *cells; /* row-major, nrows x ncolumns */
	size_t nrows, cap;
	bool folded; /* HTML may fold it away (a data table beside a figure); print shows it */
};

struct chart;

struct report_figure {
	struct str id, title, caption, alt, svg_href, csv_href;
	const struct chart
	    *chart;             /* what is to be drawn; NULL: svg and drawing come from elsewhere */
	struct str svg;         /* themed, for inlining */
	struct drawing drawing; /* the same drawing for the PDF */
};

enum note_tone { NOTE_INFO, NOTE_WARN };
enum block_kind {
	BLOCK_HEADING,
	BLOCK_TEXT,
	BLOCK_NOTE,
	BLOCK_LIST,
	BLOCK_TABLE,
	BLOCK_FIGURE,
	BLOCK_CODE
};

struct report_block {
	enum block_kind kind;
	int level;         /* HEADING: 2 is a chapter, 3 a section */
	struct str id;     /* HEADING: anchor */
	struct spans text; /* HEADING, TEXT, NOTE, CODE */
	enum note_tone tone;
	struct spans *items; /* LIST */
	size_t nitems;
	struct report_table *table;
	struct report_figure *figure;
};

/* The same edition in one language: addresses of its pages, relative to the edition's folder. */
struct report_alternate {
	struct str language, name; /* "zh-Hans", "简体中文": what the language calls itself */
	struct str html_href, pdf_href;
};

struct report {
	struct str title, subtitle, edition, language; /* language "en" */
	struct date date;
	long long timestamp;   /* seconds since 1970 for file metadata: SOURCE_DATE_EPOCH or the
				  edition's date */
	struct str edition_id; /* date + first 12 hex digits of the inputs' hash */
	struct str generator;  /* "gpuguide 0.1.0" */
	const struct report_alternate *alternates; /* in the edition's order, this one among them */
	size_t nalternates;
	struct report_block *blocks;
	size_t n, cap;
	struct arena *arena;
};

/* Each appends one block; text, items and what pointers lead to must live as long as the report. */
void report_heading(struct report *r, int level, struct str id, struct spans text);
void report_text(struct report *r, struct spans text);
void report_note(struct report *r, enum note_tone tone, struct spans text);
void report_list(struct report *r, struct spans *items, size_t n);
void report_code(struct report *r, struct spans text);
void report_add_table(struct report *r, struct report_table *t);
void report_add_figure(struct report *r, struct report_figure *f);

/* Appends a row of empty cells and returns its first one; valid until the next row. */
struct report_cell *report_table_row(struct report_table *t, struct arena *a);

#endif
