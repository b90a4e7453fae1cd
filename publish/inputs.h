/* Everything an edition is made from: hashed, listed in data/inputs.csv, kept in inputs/. Packed
 * contributions stay as they were sent. */
#ifndef PUBLISH_INPUTS_H
#define PUBLISH_INPUTS_H

#include "../base/arena.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

struct input {
	struct str path;   /* in the edition: "data/prices/2019-05-20.csv"; what is not UTF-8 as str_plain() */
	struct str name;   /* the same in the bytes of the file system */
	struct str from;   /* where it lies now */
	struct str sha256;
	size_t bytes;
	struct timespec changed; /* the file's, before it was hashed: tells a file that was changed and changed
	                          * back; not of a predecessor's, whose files get further names */
};

struct inputs {
	struct input *v; /* by set, in it in byte order */
	size_t n, cap;
};

/* Configuration and ledgers of the publisher (publish.ini, data/sources.ini, data/price_sources.ini,
 * data/price_maps/, data/accepted.csv, data/price_accepted.csv) are no inputs: they may hold secrets, and no
 * number of a report comes from them. No more are the templates of the archive page (archive.*). */
struct inputs_options {
	const char *root;          /* holds data/ and templates/ */
	const char *contributions; /* NULL: ROOT/data/contributions */
	const char *edition_path;  /* the .ini; it becomes editions/NAME.ini */
	struct str edition_name;
	const char *previous;      /* folder of the edition it is compared with; NULL: none */
	const char *out_dir;       /* where editions go: never where inputs come from; NULL: not checked */
};

/* verify reads no larger one. */
enum { INPUT_BYTES_MAX = 1 << 30 };

/* Hashes them all: some 3 ms a megabyte.
 * Errors: ERR_ENVIRONMENT, also for contributions that are no folder; ERR_RANGE a file over
 *         INPUT_BYTES_MAX; ERR_DATA two files with one `path`; ERR_USAGE out_dir is one of the folders
 *         that are read, so that an edition would be an input of the next one */
bool inputs_gather(const struct inputs_options *opt, struct arena *a, struct inputs *out,
                   struct error *err);
/* The part of it that opt->previous adds, at the end: of the predecessor summary.json and what
 * change_read_edition() reads of data/, as previous/…. Its MANIFEST is not among them: it lists pages and
 * drawings too, and the id of an edition must not hang on those of the one before. */
bool inputs_add_previous(const char *previous, struct arena *a, struct inputs *in, struct error *err);
/* Whether both are the same file with the same bytes, and nobody wrote to it in between. */
bool input_same(const struct input *x, const struct input *y);
/* path,sha256,bytes */
struct str inputs_csv(const struct inputs *in, struct arena *a);

/* What moved from an edition that stands in `dir` (its MANIFEST) to `now`, in a few words: "2 price files
 * new, 1 contribution changed". Empty: nothing, or dir has no MANIFEST that can be read. */
struct str inputs_moves(const char *dir, const struct inputs *now, struct arena *a);
/* Puts them all into DIR/inputs/. A file of the same path and bytes in FROM/inputs/ (an edition; NULL:
 * none) becomes a hard link, so that a night costs the disk only what is new; everything else is copied,
 * and where there can be no links (another file system, one without them) all of it. The predecessor's files
 * are linked too where nobody may write to them.
 * Errors: ERR_ENVIRONMENT; ERR_DATA an input that changed since it was gathered */
bool inputs_keep(const struct inputs *in, const char *dir, const char *from, struct arena *a,
                 struct error *err);

#endif
