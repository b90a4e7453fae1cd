/* The folder of published editions: OUT/2026-11-30, OUT/2026-11-30-r2, …, OUT/latest. */
#ifndef PUBLISH_STORE_H
#define PUBLISH_STORE_H

#include "summary.h"
#include "../base/arena.h"
#include "../base/date.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

struct store_edition {
	struct str folder;      /* name below OUT */
	struct date date;
	int revision;           /* 1 for the plain date */
	struct summary summary;
};

struct store {
	const char *dir;        /* OUT */
	struct store_edition *v; /* oldest first: by date, then revision */
	size_t n, cap;
};

/* Folders that are named like an edition. One that has no summary.json that can be read (made by an
 * older program, damaged), or one of another date than the folder's, is left out and named in `odd`.
 * Errors: ERR_ENVIRONMENT. An OUT that is not there yet is empty. */
bool store_read(const char *out_dir, struct arena *a, struct store *out, struct messages *odd,
                struct error *err);

/* By its folder; NULL: none. */
const struct store_edition *store_find(const struct store *s, struct str folder);
/* The newest of one edition name; NULL: none. */
const struct store_edition *store_newest(const struct store *s, struct str edition);
/* What an edition of `date` is compared with: the newest of that name with an earlier date. */
const struct store_edition *store_previous(const struct store *s, struct str edition, struct date date);
/* "2026-11-30" or "2026-11-30-r2" */
bool store_parse_folder(struct str folder, struct date *date, int *revision);

/* Gives the finished folder its name: everything in it is on disk first (fsync of files and folders) and
 * its files can no longer be written to, then rename, then fsync of OUT. An edition that is there already is
 * never touched: where the newest of that date and edition name is the same (but for BUILDINFO: other tools
 * that made the same bytes make no other edition) it is kept, *fresh is false and BUILDING is removed;
 * else it becomes DATE, DATE-r2, DATE-r3, …: the next number that neither a folder has nor one that
 * retention removed had.
 * edition  its name, as in MANIFEST: "input:editions/NAME.ini"
 * folder   out: name below OUT
 * Errors   ERR_ENVIRONMENT; ERR_DATA the numbers of that date are used up; those of removed_read() */
bool store_place(const char *out_dir, const char *building, struct str edition, struct date date,
                 struct arena *a, struct str *folder, bool *fresh, struct error *err);
/* OUT/latest -> folder, swapped by rename; nothing is written when it points there already.
 * Errors: ERR_ENVIRONMENT, also where something that is no link has the name. */
bool store_point_latest(const char *out_dir, struct str folder, struct arena *a, struct error *err);
/* What killed runs left in OUT: .building*, .removing*, *.part. For whoever holds the lock. */
bool store_clean(const char *out_dir, struct arena *a, struct error *err);

#endif
