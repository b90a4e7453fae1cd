/* Where contributions come from: data/sources.ini, a section a source.
 *
 *   [lab]                        the source's own name: letters, digits, '-', '_'
 *   type = git                   git | rsync | ssh | https | folder
 *   url = https://…              of git (https://, ssh://, host:path, or an absolute path), rsync
 *                                (rsync://host/module/path), ssh (host:path or
 *                                ssh://host:port/path) and https (https://… : NAME.csv, or what
 *                                else collect reads, is the file itself, anything else a list of
 *                                relative names, one a line)
 *   path = DIR                   of folder
 *   series = NAME                folder below data/contributions that its files go to
 *   branch = NAME                git: instead of the one that the repository names
 *   subfolder = DIR              only what lies below it (git, rsync, ssh, folder)
 *   files = .csv .tar.gz         how the names must end, one or more endings, each that of a kind
 *                                that collect reads (collect/unpack.h); not given: all of these
 *   max_files = 1000             more, signatures counted: the source fails, nothing of it is taken
 *   max_file_mb = 5              a larger file is held
 *   max_total_mb = 100           more: the source fails
 *   timeout_s = 120              for all of the source
 *   cafile, known_hosts, ssh_key = FILE
 *
 * A path that is not absolute lies below ROOT. A megabyte is 1e6 bytes. */
#ifndef FETCH_SOURCE_H
#define FETCH_SOURCE_H

#include "../base/arena.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

enum { FETCH_ENDINGS_MAX = 8 };

enum fetch_type { FETCH_GIT, FETCH_RSYNC, FETCH_SSH, FETCH_HTTPS, FETCH_FOLDER, FETCH_TYPE_COUNT };

struct fetch_source {
	struct str name, series;
	struct pos pos;
	enum fetch_type type;
	bool has_type;
	struct str url, path, branch, subfolder; /* subfolder without '/' at its ends */
	struct str files; /* at most FETCH_ENDINGS_MAX endings with blanks between them */
	struct str cafile, known_hosts, ssh_key;        /* absolute; empty: none */
	size_t max_files, max_file, max_total;          /* the latter two in bytes */
	int seconds;
};

struct fetch_sources {
	struct fetch_source *v; /* in the order of the file */
	size_t n, cap;
};

/* root  holds data/; an absolute path of it stands in the results
 * Errors: those of keyfile_read; ERR_SYNTAX and ERR_RANGE with the line: an unknown key or type, a
 * key that is missing or that the type does not take, a number out of its bounds, a name that is
 * not safe, an address of another kind, or one that a program could take for an option. */
bool fetch_sources_read(const char *root, struct arena *a, struct fetch_sources *out,
			struct error *err);
bool fetch_sources_parse(struct str text, const char *name, const char *root, struct arena *a,
			 struct fetch_sources *out, struct error *err);
const struct fetch_source *fetch_source_find(const struct fetch_sources *s, struct str name);
struct str fetch_type_name(enum fetch_type type);
/* Whether it is names of letters, digits and . _ - + with '/' between them, each beginning with a
 * letter or digit: no option, no hidden name, nothing that leads upwards. */
bool fetch_is_plain_path(struct str path);

/* "user@host:path" or "ssh://user@host:port/path" in its parts; port is empty where none stands. */
struct fetch_ssh_address {
	struct str user, host, port, path;
};
bool fetch_ssh_address_parse(struct str url, struct fetch_ssh_address *out);

#endif
