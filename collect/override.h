/* A maintainer's decisions about single rows: data/overrides.csv, columns
 * file,line,decision,who,why. file is "series/file.csv", line the row's line in it.
 *   accept         brings back a row that a check sets aside (never one that is rejected)
 *   out-of-memory, did-not-fit   sets the row aside under that code: a fact about memory
 *   reject         refuses the row */
#ifndef COLLECT_OVERRIDE_H
#define COLLECT_OVERRIDE_H

#include "group.h"
#include "row.h"
#include "../base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum decision { DECISION_ACCEPT, DECISION_OUT_OF_MEMORY, DECISION_DID_NOT_FIT, DECISION_REJECT };

struct override {
	struct str file, decision_name, who, why;
	int line;
	struct pos pos;
	enum decision decision;
	size_t next;  /* the next override of the same file, or SIZE_MAX */
	bool found;   /* a row stands there */
	bool refused; /* and was rejected by a check */
	bool used;    /* the decision changed what becomes of the row */
};

struct overrides {
	struct override *v;
	size_t n;
	struct names files; /* numbers the files, in step with first */
	size_t *first;      /* the first override of a file */
	size_t first_cap;
};

/* An absent file is an empty list.
 * Errors: as csv_read_records; ERR_UNKNOWN for another decision, ERR_DATA for a row named twice. */
bool override_read(const char *data_dir, struct arena *a, struct overrides *out, struct error *err);
/* The first override of a file by its key, or SIZE_MAX. */
size_t override_first(const struct overrides *o, struct str file_key);
/* Index of the override of a line among those of a file (first: override_first), or NO_OVERRIDE. */
int override_at(const struct overrides *o, size_t first, int line);

/* Sets an accepted row of a group aside under `code`, or records it as overridden where the row has
 * an `accept`. Of each file the first LIMIT_REJECTS rows that are set aside are listed in
 * rejects.csv, further ones are counted in one line (override_report). */
void override_set_aside(struct collection *c, struct overrides *o, struct group *g, int line,
                        double value, enum reject_code code, const char *fmt, ...)
	__attribute__((format(printf, 7, 8)));
/* Carries out the decisions that need no check: out-of-memory, did-not-fit, reject. */
void override_apply(struct collection *c, struct overrides *o);
/* How many rows of each file were set aside beyond those listed, and one message for every override
 * that named no row of the inputs' series or changed nothing. */
void override_report(struct collection *c, const struct overrides *o);

#endif
