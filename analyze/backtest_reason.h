/* Why a prediction of the back-test is off, as far as the rows and the catalogue can tell: what is
 * unusual about the card among the measured ones. None of it proves a cause. */
#ifndef ANALYZE_BACKTEST_REASON_H
#define ANALYZE_BACKTEST_REASON_H

#include "class_fit.h"
#include "../base/arena.h"
#include "../catalogue/device.h"

/* Reasons of one source (index into f->sources), joined by "; ", in this order:
 *   its architecture is measured on no other card;
 *   a specification, or its power a TFLOP/s, is beyond that of every other card of its vendor here;
 *   it is a laptop part, whose power limit is the laptop maker's;
 *   it rests on fewer than REASON_WORKLOADS_MIN workloads, or on one machine;
 *   one series alone links it with the others;
 *   its own rows disagree: their residuals spread more than twice as far as the median card's.
 * "nothing unusual among the measured cards" where there is none. */
struct str backtest_reason(const struct class_fit *f, const struct devices *devices, size_t source,
			   struct arena *a);

enum { REASON_WORKLOADS_MIN = 4 };

#endif
