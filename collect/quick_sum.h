/* A quick sum of a file's bytes: files of two sums differ. Anybody can make two files of one sum:
 * it proves nothing else (copies.h). */
#ifndef COLLECT_QUICK_SUM_H
#define COLLECT_QUICK_SUM_H

#include "../base/str.h"

#include <stdint.h>

/* Goes on from the sum of the text before, 0 for the first. It hangs also on where the text was
 * cut: two files are to be cut at the same places. */
uint64_t quick_sum(uint64_t before, struct str text);

#endif
