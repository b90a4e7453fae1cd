#include "collect_stage.h"

#include "../collect/boxed.h"

#include <stdio.h>

static void say_words(struct str words)
{
	struct str line;

	while (words.len && str_cut(&words, '\n', &line))
		fprintf(stderr, "collect said: " STR_FMT "\n", STR_ARG(line));
}

bool collect_stage(const struct options *opt, const struct collect_options *stage, bool silent,
		   const struct devices *devices, struct arena *a, struct messages *messages,
		   struct collect_summary *sum, struct error *err)
{
	bool said = !silent && !opt->quiet;
	struct collect_box box;

	if (opt->no_sandbox) {
		if (said)
			fputs("collect: without its sandbox (--no-sandbox)\n", stderr);
		return collect_run(stage, devices, a, messages, sum, err);
	}
	bool good = collect_boxed(stage, devices, a, messages, sum, &box, err);
	say_words(box.words);
	if (said && opt->verbose)
		fprintf(stderr, "collect: sandbox: " STR_FMT "\n",
			STR_ARG(sandbox_text(&box.state, a)));
	return good;
}
