/* Stage 3: DIR/data/ to pages, figures, report.json and MANIFEST in DIR. */
#ifndef RENDER_RENDER_H
#define RENDER_RENDER_H

#include "../base/arena.h"
#include "../base/cache.h"
#include "../base/error.h"
#include "../catalogue/device.h"
#include "../catalogue/edition.h"

#include <stdbool.h>

struct render_options {
	/* DIR: reads DIR/data, writes its pages in every language of the edition: index.html,
	 * report.pdf and figures/ for the main one, index.TAG.html, report.TAG.pdf and figures/TAG/
	 * for the others; report.json, citations, MANIFEST */
	const char *out_dir;
	const char *templates_dir;
	const char *gnuplot;         /* NULL: "gnuplot" */
	long long source_date_epoch; /* -1: not set */
	struct str version;
	struct cache *cache;        /* NULL: none */
};

bool render_run(const struct render_options *opt, const struct devices *devices, struct arena *a,
                struct messages *messages, struct error *err);

#endif
