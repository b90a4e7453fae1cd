/* The shipped data as the analysis sees it: contributions collected into a folder of the test's
 * own. */
#ifndef TESTS_SHIPPED_FIXTURE_H
#define TESTS_SHIPPED_FIXTURE_H

#include "../analyze/estimate.h"
#include "../analyze/observation.h"
#include "../base/file.h"
#include "../catalogue/device.h"
#include "../catalogue/edition.h"
#include "../collect/collect.h"

#include <stdlib.h>
#include <string.h>

struct shipped {
	struct arena arena;
	char dir[64];
	struct devices devices;
	struct edition edition; /* editions/current.ini, its date far off: every device is out */
	struct observations obs;
	struct estimates estimates;
	size_t *indices; /* every device of the catalogue */
};

static inline bool shipped_open(struct shipped *s, struct error *err)
{
	static const char *const paths[] = { "data/contributions" };
	struct messages refused = { .arena = &s->arena };
	struct collect_options opt = { "data", s->dir, paths, 1, &s->edition, NULL, 0, 0 };
	struct collect_summary sum;
	struct arena *a = &s->arena;

	memset(s, 0, sizeof *s);
	refused.arena = a;
	strcpy(s->dir, "/tmp/gpuguide-test-XXXXXX");
	if (!mkdtemp(s->dir)
	    || !file_make_dirs(str_c(a, file_join(a, str_of(s->dir), STR("data"))), err)
	    || !devices_read("data", a, &s->devices, err)
	    || !edition_read("editions/current.ini", &s->devices, a, &s->edition, err))
		return false;
	s->edition.date.day = 40000;
	s->indices = arena_array(a, s->devices.n, sizeof *s->indices);
	for (size_t i = 0; i < s->devices.n; i++)
		s->indices[i] = i;
	return collect_run(&opt, &s->devices, a, &refused, &sum, err)
	       && estimates_read("data/estimates.csv", &s->devices, a, &s->estimates, err)
	       && observations_read(
		   str_c(a, file_join(a, str_of(s->dir), STR("data/observations.csv"))),
		   &s->devices, a, &s->obs, err);
}

static inline void shipped_close(struct shipped *s)
{
	struct error err = { 0 };

	file_remove_tree(s->dir, &err);
	arena_free(&s->arena);
}

#endif
