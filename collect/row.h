/* The rows of all contributions, their cells read and checked one by one, and kept in groups
 * (collect/group.h). Rejected rows are not kept: they live on in the rejects only. */
#ifndef COLLECT_ROW_H
#define COLLECT_ROW_H

#include "file_names.h"
#include "items.h"
#include "names.h"
#include "reject.h"
#include "../base/arena.h"
#include "../base/date.h"
#include "../base/error.h"
#include "../base/identity.h"
#include "../base/signers.h"
#include "../catalogue/device.h"
#include "../catalogue/trust.h"
#include "../catalogue/workload.h"

#include <stdbool.h>
#include <stddef.h>

enum { NO_OVERRIDE = -1 };

enum row_state { ROW_ACCEPTED, ROW_SET_ASIDE };

struct row {
	unsigned file, machine, device, workload; /* inputs, machines, devices, workloads */
	unsigned precision, framework, source;    /* names below; empty text when not given */
	int line, device_count;
	int override;                             /* index into overrides or NO_OVERRIDE */
	struct date date;                         /* day INT_MIN: not given */
	enum row_state state;                     /* set aside: a run that did not fit; no group has
	                                           * it */
	double value;                             /* in the workload's unit */
};

struct packed;
struct group;
struct group_slot;
struct stage_limits;

struct machine {
	struct str name;
	size_t series;
	enum trust trust;
	const struct signer *signer; /* NULL: not signed; rows of two signers are two machines */
};

/* A contribution to read. */
struct input {
	struct str path;  /* where it lies; empty: standard input */
	struct str name;  /* in messages and rejects */
	struct str key;   /* "series/file.csv", "series/runs.tar:folder/file.csv": how
	                   * data/overrides.csv names it */
	size_t series;
	const char *name_c;
	struct str fault; /* why none of it can be read; empty: it can */
	bool over_limit;  /* the fault: it is refused as `limit`, else as `syntax` */
	const struct packed *packed; /* NULL: it lies there as it is read */
	size_t member;    /* of packed */
	size_t rejects, messages;  /* refused cells, listed or not, and messages told of them:
	                            * parsed.c */
	size_t set_aside;          /* rows that checks have set aside: collect/override.h */
	struct unlisted unlisted_cells, unlisted_rows; /* of these, and of those set aside */
	bool refused;                /* whole */
	bool has_signature;          /* one lies beside it: refused where it does not hold */
	struct str signature;        /* by what the run knows it: signature_sum(); empty: none */
	struct file_identity identity; /* of what lies there as it is read, since it was opened */
	enum trust trust;            /* signed where it has_signature */
	const struct signer *signer; /* who says to have signed it, while its rows are merged: they
	                              * go where the signature does not hold in the end. NULL:
	                              * nobody */
};

struct series_count {
	size_t files, rows, rejected, set_aside;
	struct date newest_row; /* of all rows read, also those after the cut-off; day INT_MIN:
	                         * none */
};

/* All that the checks share. */
struct collection {
	struct arena *arena;
	const struct devices *devices;
	const struct workloads *workloads;
	const struct signers *signers;
	struct messages *messages;
	struct date cutoff;          /* later rows are left out; day INT_MIN: none */
	struct input *inputs;
	size_t ninputs, inputs_cap;
	struct names series, precisions, frameworks, sources;
	struct series_count *counts; /* by series */
	struct names machine_keys;   /* series and machine name */
	struct names contents;       /* series and hash of every file, in step with content_file */
	size_t *content_file, content_cap;
	struct machine *machines;    /* as numbered by machine_keys */
	size_t machines_cap;
	size_t nrows;                /* of all groups, when they were read */
	size_t taken_out;            /* of them by checks: group_take_out() */
	size_t names_bytes;          /* as in file_names_more, of all files that were accepted */
	struct group **groups;       /* in the order of the inputs, then of their first rows */
	size_t ngroups, groups_made, groups_cap; /* those from ngroups on are free for the next
	                                          * rows */
	struct arena group_arena;    /* of them: group_free() */
	struct item_store items;     /* their values */
	const struct stage_limits *limits;
	struct arena file_arena;     /* of the file being read, as what follows */
	struct file_names file_names; /* what its groups name, until it is accepted */
	size_t file_group0;          /* its groups begin there */
	struct date file_newest;     /* its newest row, as in series_count */
	struct arena slots_arena;
	struct group_slot *file_slots; /* and are found there: collect/group.c */
	size_t file_slots_cap;
	struct rejects rejects;
	size_t rejects_told, aside_told, messages_told; /* of all files, also of those that were refused after
	                                     * all */
	size_t files_refused, left_out;
	size_t threads;
};

/* What tells machines apart, as bytes to look it up by: the series and the signer of the input, and
 * the name. */
struct str row_machine_key(const struct input *input, struct str name, struct arena *a);
/* The number of a machine in the series and of the signer of an input, which is new when it has
 * none. */
size_t row_machine(struct collection *c, const struct input *input, struct str name,
                   struct arena *scratch);

#endif
