/* data/contributions as fetch sees it: what lies there by content, and how a file is put there so
 * that it never replaces one and never lies there half. */
#ifndef FETCH_SHELF_H
#define FETCH_SHELF_H

#include "../base/error.h"
#include "../base/map.h"

#include <stdbool.h>

struct shelf {
	const char *dir;   /* data/contributions */
	struct arena *arena;
	struct map content; /* sha256 to the first of files */
	struct shelf_file { struct str sha256, name; } *files; /* name: "SERIES/FILE.csv" */
	size_t n, cap;
};

/* Hashes every contribution, and removes what a run that died wrote aside. A folder that is not
 * there is empty. */
bool shelf_open(const char *dir, struct arena *a, struct shelf *out, struct error *err);
/* "SERIES/FILE.csv" of that content, or empty. */
struct str shelf_content(const struct shelf *s, struct str sha256);

/* How a signature stands to the files of its series with the bytes that it is of: it binds no more
 * than these two. The later ones go before. */
enum shelf_signed {
	SHELF_NO_FILE, /* there is none */
	SHELF_OTHER,   /* beside each lies another one, or what is none */
	SHELF_UNSIGNED,
	SHELF_SIGNED,  /* it lies there */
};
/* stored  out: "SERIES/FILE.csv" of the first that is so */
enum shelf_signed shelf_find_signed(const struct shelf *s, struct str series, struct str sha256,
				    struct str signature, struct arena *a, struct str *stored);
/* Puts a signature beside a file that has none, as shelf_put() puts files. Errors: as there */
bool shelf_sign(const struct shelf *s, struct str stored, struct str signature, struct error *err);

enum { SHELF_NAME_MAX = 100 };
/* The last part of a path as a name that is safe everywhere: letters, digits, '.', '_', '-' (others
 * become '-'), none of the marks in front, at most SHELF_NAME_MAX bytes with the ending of its kind
 * (unpack.h), else ".csv", at its end. */
struct str shelf_safe_name(struct str origin, struct arena *a);
/* Whether the series has a file of that name, or something beside that would be the signature of
 * one, upper and lower case taken as the same. Errors: ERR_ENVIRONMENT its folder cannot be read,
 * or is a link: collect follows none. */
bool shelf_has_name(const struct shelf *s, struct str series, struct str file, struct arena *a,
		    bool *has, struct error *err);

/* Writes aside, syncs and links: the name is there with all of its bytes, and with its signature,
 * or not at all. A run that dies may leave a signature without a file, which nobody reads.
 * signature  goes to FILE.sig; empty: there is none
 * sha256     of the text
 * Errors  ERR_DATA the name is taken; ERR_ENVIRONMENT */
bool shelf_put(struct shelf *s, struct str series, struct str file, struct str text,
	       struct str signature, struct str sha256, struct error *err);

#endif
