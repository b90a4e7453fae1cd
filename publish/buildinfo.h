/* BUILDINFO: what made an edition, as far as it can change a byte of it: the program, the options,
 * gnuplot, the libraries and the fonts. In the spirit of deb-buildinfo(5): whoever makes the
 * edition again and gets other bytes sees here which tool is another.
 *
 *   key = value
 *
 * one a line, always in the same order and all of them: what is not there has the value "none". */
#ifndef PUBLISH_BUILDINFO_H
#define PUBLISH_BUILDINFO_H

#include "../base/arena.h"
#include "../base/date.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

struct buildinfo_options {
	const char *gnuplot;         /* the program; NULL: "gnuplot" */
	struct str edition;          /* name of its .ini: "current" */
	struct date date;            /* as --date gave it; day INT_MIN: not given */
	long long source_date_epoch; /* -1: not set */
};

/* The text of BUILDINFO. gnuplot is asked for its version (some 40 ms), the fonts are hashed (17 MB,
 * some 100 ms). What cannot be read is "none": the stages say better why they cannot do without it.
 */
struct str buildinfo_text(const struct buildinfo_options *opt, struct arena *a);
/* The same for a cache key, in a fraction of a millisecond: instead of gnuplot's words and the
 * fonts' hashes the path, size and time of change of each file. It is of this machine and never
 * part of an edition. */
struct str buildinfo_quick(const struct buildinfo_options *opt, struct arena *a);
/* DIR/BUILDINFO.
 * Errors  ERR_ENVIRONMENT, also where gnuplot was killed or gave no answer in time when it was asked for
 *         its version: an edition that it draws must not say that there was none */
bool buildinfo_write(const struct buildinfo_options *opt, const char *dir, struct arena *a,
		     struct error *err);

/* A BUILDINFO that was read. */
struct buildinfo {
	struct buildinfo_line {
		struct str key, value;
	} * v;
	size_t n, cap;
};

/* name    of the file, for the error
 * Errors  ERR_SYNTAX a line that is not "key = value", a key twice; with its line */
bool buildinfo_parse(struct str text, const char *name, struct arena *a, struct buildinfo *out,
		     struct error *err);
/* The value; empty where the key is not there. */
struct str buildinfo_get(const struct buildinfo *b, const char *key);
/* The options that it was made with; gnuplot is not among them: no program is run because a file
 * says so. Errors  ERR_SYNTAX, ERR_RANGE a date or an epoch that is none; ERR_DATA no edition, or a
 * name that is no plain file name */
bool buildinfo_read_options(const struct buildinfo *b, const char *name,
			    struct buildinfo_options *out, struct error *err);

/* What stands otherwise in two of them: "gnuplot 5.4 patchlevel 4" before, "… 6.0 …" now. */
struct buildinfo_difference {
	struct str key, was, is; /* empty: not there */
};
/* In the order of `was`, then what only `is` has. Returns their number. */
size_t buildinfo_compare(const struct buildinfo *was, const struct buildinfo *is, struct arena *a,
			 struct buildinfo_difference **out);

#endif
