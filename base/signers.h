/* Who may sign what: a file of allowed signers as ssh-keygen(1), ALLOWED SIGNERS, has it.
 *
 *   NAME [namespaces="PATTERNS",valid-after="TIME",valid-before="TIME"] KEY-TYPE BASE64 [COMMENT]
 *
 * NAME is one name: letters, digits and . _ - + @, no list and no pattern, so that a key is one
 * person's. PATTERNS has commas between, `*`, `?`, and `!` for what is not meant. TIME is YYYYMMDD,
 * YYYYMMDDHHMM or YYYYMMDDHHMMSS, with or without Z: always UTC. A key may stand in several lines
 * of one name. Certificates (cert-authority) are not read. */
#ifndef BASE_SIGNERS_H
#define BASE_SIGNERS_H

#include "arena.h"
#include "date.h"
#include "error.h"
#include "map.h"
#include "str.h"

#include <stdbool.h>
#include <stddef.h>

struct signer {
	struct str name, key;          /* key before base64 */
	struct str namespaces;         /* patterns; empty: any */
	long long after_s, before_s;   /* seconds since 1970, both of them good; LLONG_MIN,
	                                * LLONG_MAX: no limit */
	size_t number;                 /* of the name, from 1: all lines of a person have one */
	size_t next;                   /* index of the key's next line; 0: none */
	struct pos pos;
};

struct signers {
	struct signer *v; /* from 1: v[0] stands for nobody */
	size_t n, cap;
	struct map by_key, by_name; /* to the first line */
	size_t names;               /* of persons */
};

/* Errors  ERR_SYNTAX a line that is not as above; ERR_DATA a key under two names; with file and
 *         line */
bool signers_parse(struct str text, const char *file, struct arena *a, struct signers *out,
		   struct error *err);
/* limit  bytes; an absent file is nobody. Errors: also ERR_ENVIRONMENT, ERR_RANGE */
bool signers_read(const char *path, size_t limit, struct arena *a, struct signers *out,
		  struct error *err);

/* The first line of a key, or NULL; the next one of the same key, or NULL. */
const struct signer *signers_find(const struct signers *s, struct str key);
const struct signer *signers_next(const struct signers *s, const struct signer *of);

bool signer_may(const struct signer *s, struct str name_space);
/* Whether the line is good on a whole day, taken at its first second, as ssh-keygen takes a
 * date. */
bool signer_is_valid(const struct signer *s, struct date day);
/* "from 2026-01-01", "until 2026-12-31", "from … until …", or "always". */
struct str signer_days(const struct signer *s, struct arena *a);

#endif
