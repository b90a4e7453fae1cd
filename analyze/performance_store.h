/* Scores and back-tests that an earlier run has worked out. They hang on the observations, the
 * devices, the estimates and settings of the edition, and on which cards are listed; on no price. Of a
 * date they hang on what is out by then, not on the day itself: an edition that takes its date from
 * the newest price keeps its scores from night to night.
 *
 * What is kept is what later steps read: all of struct scores and struct score_class, and of
 * score_class.fit the sources, the back-tests and which of them are chosen. The rest of a fit that
 * was recalled (matrix, model, intervals) is empty. Who reads more of it later must keep more of it
 * here: the test that compares an analysis with and without the cache byte by byte fails until then. */
#ifndef ANALYZE_PERFORMANCE_STORE_H
#define ANALYZE_PERFORMANCE_STORE_H

#include "score.h"
#include "../base/arena.h"
#include "../base/cache.h"
#include "../base/str.h"

#include <stdbool.h>

/* observations  path of observations.csv, data_dir that of the catalogue: what `in` was read from
 * Returns empty text where there is no cache or a file cannot be read: then nothing is kept. */
struct str performance_key(struct cache *cache, const struct score_input *in,
                           const char *observations, const char *data_dir, struct arena *a);

/* As score_compute() fills them. */
bool performance_get(struct cache *cache, struct str key, const struct score_input *in,
                     struct arena *a, struct scores *scores, struct score_class **classes);
void performance_put(struct cache *cache, struct str key, const struct score_input *in,
                     const struct scores *scores, const struct score_class *classes);

#endif
