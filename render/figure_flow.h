/* A list of questions with an answer each: the first that is yes decides. */
#ifndef RENDER_FIGURE_FLOW_H
#define RENDER_FIGURE_FLOW_H

#include "chart_plan.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

/* answer: in bold, empty for none; detail, rule: lines below it. */
struct flow_step {
	struct str title, question;
	struct str answer, detail, rule;
	bool none; /* nothing was found: dashed */
};

struct figure_flow {
	struct str yes, no;
	const struct flow_step *steps;
	size_t n;
};

/* draw of a chart_picture; data: struct figure_flow. */
double figure_flow_draw(struct chart_plan *p, const void *data, double y);

#endif
