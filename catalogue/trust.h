/* How far a contribution is vouched for, least first. METHOD.md, "Who vouches".
 *
 *   anonymous  anybody's: neither of the below
 *   known      unsigned, in a series whose line in series.csv gives the address it was taken from:
 *              whoever doubts a row looks there
 *   signed     by a key of contributors/allowed_signers, for this series */
#ifndef CATALOGUE_TRUST_H
#define CATALOGUE_TRUST_H

#include "workload.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

enum trust { TRUST_ANONYMOUS, TRUST_KNOWN, TRUST_SIGNED, TRUST_COUNT };

/* "anonymous", "known", "signed" */
struct str trust_name(enum trust t);
bool trust_parse(struct str name, enum trust *out);
/* Of what is not signed in a series; s is NULL where series.csv does not describe it. */
enum trust trust_of_series(const struct series *s);
/* The tier of a median over sources of which counts[t] have tier t: the highest that more than half
 * of them reach. Whatever the others say, such a median lies between values of that tier or above:
 * a median breaks down at one half (Rousseeuw & Croux, JASA 88, 1993). No sources: anonymous. */
enum trust trust_of_median(const size_t counts[TRUST_COUNT]);

#endif
