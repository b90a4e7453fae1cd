/* How markup is written: what the parts of html_blocks.c share. */
#ifndef RENDER_HTML_OUT_H
#define RENDER_HTML_OUT_H

#include "report.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

/* Words of the page itself, of the section [page]. */
struct html_words {
	struct str link;             /* "Link to this part" */
	struct str signs;            /* what ~, est. and – stand for */
	struct str scaled, estimated; /* what stands before a figure of that origin: "~" */
};

/* State of one page. */
struct html {
	struct strbuf nav, body;
	struct arena *arena;
	struct html_words words;
	bool in_section;
	size_t chapters, figures; /* so far */
	size_t first_end;         /* length of body where the first chapter ends; 0: not yet */
};

void html_put(struct html *h, const char *markup);
void html_put_text(struct html *h, struct str text);
void html_put_attribute(struct html *h, const char *name, struct str value);
/* A link where the address is safe (render/href.h), else the text alone. */
void html_put_link(struct html *h, struct str text, struct str href);
void html_put_spans(struct html *h, const struct spans *s);
/* "#" beside a heading or caption, to be copied; nothing without an id. title: what it leads to. */
void html_put_anchor(struct html *h, struct str id, struct str title);
/* Pills that lead to the files beside the page: "CSV scores.csv". */
void html_put_files(struct html *h, struct str csv, struct str svg);

/* <details> when folded, region that scrolls, caption, head and rows. */
void html_put_table(struct html *h, const struct report_table *t);

#endif
