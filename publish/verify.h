/* Holds an edition's folder to its MANIFEST and to itself, and what was made anew to it. The folder
 * may come from anywhere: nothing in it is believed, followed or written (folder.h).
 *
 *   DIR/MANIFEST      the list; not in itself, no more than MANIFEST.sig and MANIFEST.minisig
 *   DIR/inputs/PATH   the line "input:PATH"
 *   DIR/PATH          every other line
 */
#ifndef PUBLISH_VERIFY_H
#define PUBLISH_VERIFY_H

#include "buildinfo.h"
#include "folder.h"
#include "sign.h"
#include "../base/arena.h"
#include "../base/date.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

enum verify_problem {
	VERIFY_MISSING,         /* listed, not there */
	VERIFY_CHANGED,         /* listed with another size or SHA-256 */
	VERIFY_NOT_A_FILE,      /* a link, a device, a FIFO in its place */
	VERIFY_UNLISTED,        /* there, not listed */
	VERIFY_CONTRADICTS,     /* says something else than the rest of the edition */
	VERIFY_DIFFERS,         /* made anew it has other bytes */
	VERIFY_ONLY_IN_EDITION, /* not made anew */
	VERIFY_ONLY_IN_REBUILD, /* made anew, but not of the edition */
	VERIFY_PROBLEMS
};

/* "missing", "changed", "not-a-file", "unlisted", "contradicts", "differs", "only-in-edition",
 * "only-in-rebuild" */
const char *verify_problem_name(enum verify_problem p);

struct verify_finding {
	struct str file; /* path in the edition's folder, plain */
	enum verify_problem problem;
	struct str detail; /* plain; may be empty */
};

struct verify_findings {
	struct verify_finding *v;
	size_t n, cap;
};

/* A line of MANIFEST. */
struct verify_file {
	struct str path; /* in the edition's folder: "inputs/data/devices.csv" */
	struct str name; /* the same in the bytes of the file system; empty: not there */
	struct str sha256;
	struct str size; /* digits, of old editions' inputs "-" */
	bool input;
	bool good; /* there, and as listed */
};

struct verify {
	struct folder folder;
	struct folder_list entries; /* what lies in it */
	struct str manifest;        /* the text of MANIFEST */
	struct verify_file *files;  /* in its order */
	size_t n, ninputs;
	struct str id;     /* computed from MANIFEST; empty: the edition has no date */
	bool keeps_inputs; /* there is an inputs/ */
	bool has_buildinfo;
	struct buildinfo made;           /* its BUILDINFO */
	struct verify_findings findings; /* in the order of the checks, in each by path */
	struct arena *arena;
};

enum { VERIFY_MANIFEST_MAX = 64 << 20, VERIFY_FILE_MAX = 1 << 30 /* as INPUT_BYTES_MAX */ };

/* Opens DIR and reads MANIFEST.
 * Errors  ERR_ENVIRONMENT; ERR_DATA no MANIFEST; of MANIFEST, with its line: ERR_SYNTAX no line of
 *         "sha256  size  path", a size that is none, a path that leads out of the folder, is not
 * plain text or is of MANIFEST itself; ERR_DATA not in byte order, twice; ERR_RANGE too large
 * verify_close() is needed in any case. */
bool verify_open(const char *dir, struct arena *a, struct verify *out, struct error *err);
void verify_close(struct verify *v);

/* Checks every file against MANIFEST, MANIFEST against the folder, and the ids and data/inputs.csv
 * against MANIFEST; what is wrong is added to v->findings.
 * Errors  ERR_ENVIRONMENT a file that cannot be read */
bool verify_files(struct verify *v, struct error *err);

/* Checks one signature file of the edition, if it is there.
 * signers, work, errors: as sign_verify() */
bool verify_signature(const struct verify *v, enum sign_tool tool, const char *signers,
		      const char *work, struct sign_check *out, struct error *err);

/* Copies the inputs as listed into the folder `to`, which is made; everything is checked as it is
 * copied. Whatever else lies in DIR/inputs is left.
 * Errors  ERR_ENVIRONMENT; ERR_DATA one that is not as MANIFEST lists it */
bool verify_copy_inputs(const struct verify *v, const char *to, struct error *err);

struct verify_rebuild {
	struct verify_findings findings; /* differs, only-in-edition, only-in-rebuild; by path */
	size_t compared;                 /* files */
	size_t pages, data; /* findings among pages, PDFs and drawings; among all others */
	struct buildinfo_difference *tools; /* what is another here, in the order of BUILDINFO */
	size_t ntools;
};

/* Compares the edition with what was made anew in the folder `rebuilt`, byte by byte. BUILDINFO is
 * not part of it: it tells who made the edition, and is compared value by value as `tools`.
 * MANIFEST says nothing that its files do not say. Errors  ERR_ENVIRONMENT */
bool verify_compare(const struct verify *v, const char *rebuilt, struct verify_rebuild *out,
		    struct error *err);

/* Whether it is a page, a PDF or a drawing: what gnuplot, fonts and libraries may change while
 * every number stays. */
bool verify_is_page(struct str path);

#endif
