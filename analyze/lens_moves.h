/* How much two costs disagree about which card to buy: the rankings of values.csv compared, class
 * by class. The guide's third bias (small cheap cards look good until the machine around them is
 * paid for) is the comparison of card and system.
 *
 * Only the devices that are ranked in both lenses take part, n of them; a rank here is the place
 * among those, 1 the best.
 *   kendall_tau  tau-b over their values: (concordant - discordant pairs) / sqrt of (pairs not
 *                tied in the one x pairs not tied in the other); 1 the same order, -1 the
 *                opposite one (Kendall, Biometrika 33, 1945); NAN where every pair is tied or
 *                n < 2
 *   pair         the two cards that the lenses order most strongly opposite: `up` is the better
 *                of them by the second lens, `down` by the first. Strength is the weaker of the
 *                two leads, min(value_a(down) / value_a(up), value_b(up) / value_b(down)). A
 *                pair whose intervals are apart in both lenses goes before any that is not.
 *                Equal ones: the first in the order of devices.csv, up before down */
#ifndef ANALYZE_LENS_MOVES_H
#define ANALYZE_LENS_MOVES_H

#include "value.h"
#include "../base/arena.h"
#include "../base/error.h"
#include "../catalogue/class.h"
#include "../catalogue/device.h"

#include <stdbool.h>
#include <stddef.h>

struct lens_move {
	enum class_id class;
	enum lens lens_a, lens_b;
	int n;
	double kendall_tau;
	bool opposite;   /* there is a pair; the members below are set */
	bool apart;      /* its intervals are apart in both lenses */
	size_t up, down; /* indices into devices */
	int rank_up_a, rank_up_b, rank_down_a, rank_down_b;
};

/* By class in the order of the values, then card and system, system and system+power, card and
 * cloud. */
struct lens_moves {
	struct lens_move *v;
	size_t n;
};

/* values  of every lens, each in the order of one list of scores (values_compute_all) */
void lens_moves_compute(const struct values *values, struct arena *a, struct lens_moves *out);

/* tau-b of two lists of n numbers. */
double kendall_tau(const double *x, const double *y, size_t n);

/* Writes lens_moves.csv:
 * class,lens_a,lens_b,n,kendall_tau,device_up,rank_up_a,rank_up_b,device_down,
 * rank_down_a,rank_down_b,apart. Without an opposite pair the last seven are empty.
 * Errors: ERR_ENVIRONMENT. */
bool lens_moves_write(const struct lens_moves *m, const struct devices *devices, const char *path,
		      struct arena *a, struct error *err);

#endif
