/* Makes an edition again from the inputs kept in it. The inputs may be a stranger's: they are read
 * by a process of its own that ends with its memory and its time, and nothing that they say is run.
 */
#ifndef CLI_REBUILD_H
#define CLI_REBUILD_H

#include "../base/arena.h"
#include "../base/error.h"
#include "../base/str.h"
#include "../publish/buildinfo.h"

#include <stdbool.h>

struct rebuild {
	const char *inputs;  /* folder: data/, templates/, editions/, perhaps previous/ */
	const char *dir;     /* made here; must not be there yet */
	const char *gnuplot; /* NULL: "gnuplot" */
	bool no_sandbox;     /* of its first stage: collect_stage.h */
	const struct buildinfo_options
	    *made;   /* edition, date, source_date_epoch: as they were given */
	int seconds; /* stopped after; > 0 */
};

/* Call it with SIGINT, SIGTERM, SIGHUP and SIGCHLD blocked: one of the first three ends the rebuild
 * and stays pending, so that the caller can clean up before it takes effect. Errors  those of the
 * stages, with paths below `inputs` as in the edition; ERR_ENVIRONMENT stopped, crashed */
bool rebuild_run(const struct rebuild *r, struct arena *a, struct error *err);

#endif
