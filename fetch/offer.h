/* What a source offers tonight: its files, read into memory within the source's limits. Everything
 * in it, names too, was chosen by strangers.
 *
 * NAME.sig beside NAME is its signature (collect/signature.h) and comes with it. It is read as
 * files are, within the limits of files, and of LIMIT_SIGNATURE; what is wrong with it is wrong
 * with its file. Without a file it is nobody's, and the address of one single file has none. */
#ifndef FETCH_OFFER_H
#define FETCH_OFFER_H

#include "source.h"

enum { FETCH_ORIGIN_MAX = 1000 }; /* bytes; a longer one is cut, and its file not read */

struct fetch_offer {
	struct str origin;  /* path at the source, below its subfolder; any bytes */
	struct str text;
	struct str signature; /* empty: none */
	struct str problem; /* why it was not read: too large, a link …; empty: it was */
	double bytes;       /* at the source; NAN: not known */
	bool waits;         /* still being written: not this time, and no fault */
	bool failed;        /* could not be had this time: not held, tried again */
};

struct fetch_offers {
	struct fetch_offer *v; /* by origin, in byte order */
	size_t n, cap;
};

/* Where a source's files are fetched to; made when needed, and may be deleted between runs. */
struct fetch_place {
	const char *spool; /* absolute */
	struct arena *arena;
};

/* Each brings the offers of a source of its type. Errors (the source failed, nothing of it is
 * taken): ERR_ENVIRONMENT a tool is missing (with the package that has it), the tool's own failure,
 * the time limit; ERR_RANGE more files or bytes than the source may have. */
bool fetch_git(const struct fetch_source *s, const struct fetch_place *place,
	       struct fetch_offers *out, struct error *err);
bool fetch_rsync(const struct fetch_source *s, const struct fetch_place *place,
		 struct fetch_offers *out, struct error *err); /* of type ssh too */
bool fetch_https(const struct fetch_source *s, const struct fetch_place *place,
		 struct fetch_offers *out, struct error *err);
bool fetch_folder(const struct fetch_source *s, const struct fetch_place *place,
		  struct fetch_offers *out, struct error *err);
/* The one of its type, then sorted and checked against the limits. */
bool fetch_offers(const struct fetch_source *s, const struct fetch_place *place,
		  struct fetch_offers *out, struct error *err);

/* What they share. */

/* Memory of a tool, beside what it needs for the files: a few megabytes of a git object can unfold
 * to gigabytes, and what a server says of itself need not be short. */
enum { FETCH_TOOL_MEMORY = 1 << 30 };
struct fetch_offer *fetch_offer_add(struct fetch_offers *o, struct str origin, struct arena *a);
/* "7,000,000 bytes, more than 5 MB (max_file_mb)" */
struct str fetch_too_large(const struct fetch_source *s, double bytes, struct arena *a);
bool fetch_check_limits(const struct fetch_source *s, size_t files, double bytes,
			struct error *err);
/* Whether a name ends in one of the source's endings, also as that of a signature. */
bool fetch_ends_well(const struct fetch_source *s, struct str name);
/* Whether `path` lies below the source's subfolder and ends as its files do; *origin: below it. */
bool fetch_is_wanted(const struct fetch_source *s, struct str path, struct str *origin);
/* Reads the regular files below `dir`, never through a link. look_twice: leaves one that changes
 * between two looks for the next time. */
bool fetch_read_folder(const struct fetch_source *s, const char *dir, bool look_twice,
		       const struct fetch_place *place, struct fetch_offers *out,
		       struct error *err);
/* Writes NAME's settings of ssh and gives the command that uses them in the folder `dir`. */
bool fetch_ssh_command(const struct fetch_source *s, const char *dir, struct arena *a,
		       const char **command, struct error *err);

/* A program of a source under its limits; err names the package where it is missing. */
struct fetch_tool {
	const char *const *argv, *const *env;
	const char *work_dir, *package;
	struct str input;
	size_t output_max, file_max, memory_max;
	int seconds;
};
struct process_result;
bool fetch_run_tool(const struct fetch_tool *t, struct arena *a, struct process_result *r,
		    struct error *err);

#endif
