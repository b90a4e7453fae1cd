/* Several GPUs: claims 1 to 5, 43, 44. */
#include "claim_check.h"

#include <math.h>

/* A class and count with fewer cells, or pairs, says nothing of the others. */
enum { CELLS_MIN = 3 };

/* A speed-up of training. Forward passes alone share nothing and scale by themselves; they are no
 * data parallelism. */
static bool trains(const struct multi_row *r, enum class_id class, int count)
{
	return r->class == class && r->device_count == count && !isnan(r->speedup)
	       && !r->forward_only;
}

/* Speed-ups of training on so many cards, of a class: one figure a cell. n is 0 where there are too
 * few. */
static struct claim_spread training(const struct claim_input *in, enum class_id class, int count)
{
	const struct multi *m = &in->x->multi;
	double *v = arena_array(in->arena, m->nrows, sizeof *v);
	size_t n = 0;

	for (size_t i = 0; i < m->nrows; i++)
		if (trains(&m->rows[i], class, count))
			v[n++] = m->rows[i].speedup;
	return claim_spread(v, n < CELLS_MIN ? 0 : n, in->arena);
}

/* Reproduced when, at every count measured, the guide's factor lies between the 10th and the 90th
 * percentile of the measured ones; one count of 2, 3, 4 must be measured. */
void claim_data_parallel(const struct claim_input *in, struct claim *c)
{
	static const int counts[] = { 2, 3, 4 };
	struct say_list b = { .arena = in->arena }, off = { .arena = in->arena };
	size_t compared = 0;

	for (size_t i = 0; i < LEN(counts); i++) {
		struct claim_spread s = training(in, CLASS_CNN, counts[i]);
		const struct multi_guide *g =
		    multi_guide_find(&in->x->multi, CLASS_CNN, counts[i], MULTI_TABLE);
		if (s.n == 0)
			continue;
		claim_add(&b, "claim.gpus",
			  (const struct say_arg[]){
			      say_int("gpus", counts[i]), say_fixed("speedup", s.median, 2),
			      say_fixed("low", s.p10, 2), say_fixed("high", s.p90, 2),
			      say_count("n", s.n), say_end() });
		if (!g)
			continue;
		compared++;
		if (g->low < s.p10 || g->high > s.p90)
			claim_add(&off, g->low < s.p10 ? "claim.lies_below" : "claim.lies_above",
				  (const struct say_arg[]){ say_fixed("speedup", g->low, 1),
							    say_int("gpus", counts[i]),
							    say_end() });
	}
	c->computed_value = claim_pieces(&b);
	if (compared == 0)
		claim_settle(in, c, CLAIM_NOT_TESTABLE,
			     b.n ? "claim.figures_later" : "claim.need_cnn_2_to_4", NULL);
	else if (off.n)
		claim_decide(
		    in, c, false, "claim.outside_middle",
		    (const struct say_arg[]){ say_put("which", claim_pieces(&off)), say_end() });
	else
		claim_decide(in, c, true, "claim.inside_middle",
			     (const struct say_arg[]){ say_count("n", compared), say_end() });
}

/* The class and the convolutional nets on one card, series and precision: a pair. Other cards ran
 * the one than the other, and how well cards scale differs more between machines than between
 * networks, so that medians over all rows would compare machines. */
static bool same_pair(const struct multi_row *x, const struct multi_row *y)
{
	return x->device == y->device && str_eq(x->series, y->series)
	       && str_eq(x->precision, y->precision);
}

/* Median speed-up of the class in the training rows that pair with `like`; NAN without any. */
static double pair_median(const struct claim_input *in, enum class_id class,
			  const struct multi_row *like)
{
	const struct multi *m = &in->x->multi;
	double *v = arena_array(in->arena, m->nrows, sizeof *v);
	size_t n = 0;

	for (size_t i = 0; i < m->nrows; i++)
		if (trains(&m->rows[i], class, like->device_count) && same_pair(&m->rows[i], like))
			v[n++] = m->rows[i].speedup;
	return claim_spread(v, n, in->arena).median;
}

/* Whether row i is the first of its pair in the class. */
static bool opens_pair(const struct multi *m, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (trains(&m->rows[k], m->rows[i].class, m->rows[i].device_count)
		    && same_pair(&m->rows[k], &m->rows[i]))
			return false;
	return true;
}

/* Of each pair on so many cards: the class's median speed-up over that of the convolutional nets.
 */
static struct claim_spread paired(const struct claim_input *in, enum class_id class, int count)
{
	const struct multi *m = &in->x->multi;
	double *v = arena_array(in->arena, m->nrows, sizeof *v);
	size_t n = 0;

	for (size_t i = 0; i < m->nrows; i++) {
		const struct multi_row *r = &m->rows[i];
		if (!trains(r, class, count) || !opens_pair(m, i))
			continue;
		double cnn = pair_median(in, CLASS_CNN, r);
		if (!isnan(cnn))
			v[n++] = pair_median(in, class, r) / cnn;
	}
	return claim_spread(v, n, in->arena);
}

/* Medians over the pairs, at the counts that have enough of them. */
struct scaling_ratio {
	size_t n;
	double lowest, highest, at_most; /* at_most: at the largest count */
	int largest;
};

static struct scaling_ratio compare_scaling(const struct claim_input *in, enum class_id class,
					    struct claim *c)
{
	static const int counts[] = { 2, 3, 4, 8 };
	struct scaling_ratio r = { 0, INFINITY, -INFINITY, NAN, 0 };
	struct say_list b = { .arena = in->arena };

	for (size_t i = 0; i < LEN(counts); i++) {
		struct claim_spread s = paired(in, class, counts[i]);
		if (s.n == 0)
			continue;
		claim_add(&b, s.n < CELLS_MIN ? "claim.gpus_of_cnn_few" : "claim.gpus_of_cnn",
			  (const struct say_arg[]){
			      say_int("gpus", counts[i]), say_fixed("share", s.median, 2),
			      say_fixed("low", s.lowest, 2), say_fixed("high", s.highest, 2),
			      say_count("n", s.n), say_end() });
		if (s.n < CELLS_MIN)
			continue;
		r.at_most = s.median;
		r.lowest = fmin(r.lowest, r.at_most);
		r.highest = fmax(r.highest, r.at_most);
		r.largest = counts[i];
		r.n++;
	}
	c->computed_value = claim_pieces(&b);
	return r;
}

/* "Similar or slightly worse": the RNN's speed-up is 0.85 to 1.05 of the CNN's, median over pairs,
 * at every count. */
void claim_recurrent_parallel(const struct claim_input *in, struct claim *c)
{
	struct scaling_ratio r = compare_scaling(in, CLASS_RNN_WORD, c);

	if (r.n == 0)
		claim_settle(in, c, CLAIM_NOT_TESTABLE, "claim.need_rnn_and_cnn", NULL);
	else
		claim_decide(in, c, r.lowest >= 0.85 && r.highest <= 1.05, "claim.rnn_like_cnn",
			     (const struct say_arg[]){ say_fixed("low", r.lowest, 2),
						       say_fixed("high", r.highest, 2),
						       say_end() });
}

/* "Poor": at the largest count measured the Transformer's speed-up is below 0.85 of the CNN's,
 * median over pairs. */
void claim_transformer_parallel(const struct claim_input *in, struct claim *c)
{
	struct scaling_ratio r = compare_scaling(in, CLASS_TRANSFORMER, c);

	if (r.n == 0)
		claim_settle(in, c, CLAIM_NOT_TESTABLE, "claim.need_transformer_and_cnn", NULL);
	else
		claim_decide(in, c, r.at_most < 0.85, "claim.transformer_poor",
			     (const struct say_arg[]){ say_int("gpus", r.largest),
						       say_fixed("share", r.at_most, 2),
						       say_end() });
}

/* Whether a series is of 2016 or before: its date begins so ("2016 to 2017"). */
static bool of_2016(const struct claim_input *in, struct str name)
{
	const struct series *s = series_find(in->series, name);
	struct str year = s ? str_slice(s->date, 0, 4) : STR("");

	return year.len == 4 && str_cmp(year, STR("2000")) > 0 && str_cmp(year, STR("2016")) <= 0;
}

/* Training, of software of that time only: reproduced when the median on four cards lies in the
 * range of the frameworks or in that of the tuned code. Later rows are shown, but later software is
 * not what the claim is about. */
void claim_four_gpus_2016(const struct claim_input *in, struct claim *c)
{
	const struct multi *m = &in->x->multi;
	struct claim_spread s = training(in, CLASS_CNN, 4);
	const struct multi_guide *works = multi_guide_find(m, CLASS_CNN, 4, MULTI_FRAMEWORKS);
	const struct multi_guide *tuned = multi_guide_find(m, CLASS_CNN, 4, MULTI_TUNED);
	double *old = arena_array(in->arena, m->nrows, sizeof *old);
	size_t n = 0;

	for (size_t i = 0; i < m->nrows; i++)
		if (trains(&m->rows[i], CLASS_CNN, 4) && of_2016(in, m->rows[i].series))
			old[n++] = m->rows[i].speedup;
	struct claim_spread of = claim_spread(old, n, in->arena);
	if (s.n)
		claim_compute(in, c, "claim.all_series",
			      (const struct say_arg[]){
				  say_fixed("speedup", s.median, 2), say_fixed("low", s.p10, 2),
				  say_fixed("high", s.p90, 2), say_count("n", s.n), say_end() });
	if (n < CELLS_MIN || !works || !tuned) {
		claim_settle(in, c, CLAIM_NOT_TESTABLE, "claim.need_series_2016", NULL);
		return;
	}
	claim_compute(in, c, "claim.series_2016",
		      (const struct say_arg[]){
			  say_fixed("speedup", of.median, 2), say_fixed("low", of.p10, 2),
			  say_fixed("high", of.p90, 2), say_count("n", of.n), say_end() });
	claim_decide(in, c,
		     (of.median >= works->low && of.median <= works->high)
			 || (of.median >= tuned->low && of.median <= tuned->high),
		     "claim.compared_2016",
		     (const struct say_arg[]){
			 say_fixed("low", works->low, 1), say_fixed("high", works->high, 1),
			 say_fixed("tuned_low", tuned->low, 1),
			 say_fixed("tuned_high", tuned->high, 1), say_end() });
}

static bool same_run(const struct observation *x, const struct observation *y)
{
	return x->device == y->device && x->device_count == y->device_count
	       && str_eq(x->series, y->series) && str_eq(x->metric, y->metric)
	       && str_eq(x->precision, y->precision);
}

/* Rows "NAME-allgpus" over "NAME-warm" of the same device and series. */
struct claim_spread claim_busy_share(const struct claim_input *in)
{
	static const struct str busy = STR_INIT("-allgpus"), alone = STR_INIT("-warm");
	const struct observations *o = &in->x->obs;
	double *share = arena_array(in->arena, o->n, sizeof *share);
	size_t n = 0;

	for (size_t i = 0; i < o->n; i++) {
		const struct observation *x = &o->v[i];
		if (!str_ends(x->workload, busy))
			continue;
		struct str stem = str_slice(x->workload, 0, x->workload.len - busy.len);
		for (size_t j = 0; j < o->n; j++) {
			const struct observation *y = &o->v[j];
			if (same_run(x, y) && str_ends(y->workload, alone)
			    && y->workload.len == stem.len + alone.len
			    && str_starts(y->workload, stem))
				share[n++] =
				    x->lower_is_better ? y->value / x->value : x->value / y->value;
		}
	}
	return claim_spread(share, n, in->arena);
}

/* "N times": a busy neighbourhood costs a run a tenth of its speed at most (median). How one run
 * spread over the cards does is shown beside; which of the two is of more use is nobody's
 * measurement. */
void claim_independent_runs(const struct claim_input *in, struct claim *c)
{
	static const int counts[] = { 2, 4, 8 };
	struct claim_spread share = claim_busy_share(in);
	struct say_list b = { .arena = in->arena };

	if (share.n)
		claim_add(&b, "claim.busy_keeps",
			  (const struct say_arg[]){
			      say_fixed("share", 100 * share.median, 0), say_count("n", share.n),
			      say_fixed("low", 100 * share.lowest, 0),
			      say_fixed("high", 100 * share.highest, 0), say_end() });
	for (size_t i = 0; i < LEN(counts); i++) {
		struct claim_spread s = training(in, CLASS_CNN, counts[i]);
		if (s.n)
			claim_add(&b, "claim.one_run_over",
				  (const struct say_arg[]){ say_int("gpus", counts[i]),
							    say_fixed("speedup", s.median, 2),
							    say_end() });
	}
	c->computed_value = claim_pieces(&b);
	if (share.n == 0)
		claim_settle(in, c, CLAIM_NOT_TESTABLE, "claim.need_busy", NULL);
	else
		claim_decide(in, c, share.median >= 0.9, "claim.n_times", NULL);
}

/* No data tell: the cards' rows do not say which lanes their hosts had. */
void claim_interconnect(const struct claim_input *in, struct claim *c)
{
	struct claim_spread share = claim_busy_share(in);

	if (share.n)
		claim_compute(in, c, "claim.run_keeps",
			      (const struct say_arg[]){ say_fixed("share", 100 * share.median, 0),
							say_count("n", share.n), say_end() });
	claim_settle(in, c, CLAIM_NOT_TESTABLE, "claim.need_lanes", NULL);
}

/* Nine tenths of fewer networks would be all of them. */
enum { NETWORKS_MIN = 5 };

/* The least memory that a card must state for a training of the network, its usable share reckoned
 * in, over the precisions. */
static double least_training_gb(const struct memory_cases *m, const struct network *net)
{
	double least = INFINITY;

	for (size_t i = 0; i < m->n; i++)
		if (m->v[i].network == net && m->v[i].mode == MEMORY_TRAINING)
			least = fmin(least, m->v[i].needed_gb);
	return least;
}

/* The card of the edition that has a price and the most memory for one program, *gb of it: a board
 * of several GPUs shares its own among them. */
static const struct device *largest_card(const struct claim_input *in, double *gb)
{
	const struct device *best = NULL;

	for (size_t i = 0; i < in->x->nindices; i++) {
		const struct device *d = claim_device(in, in->x->indices[i]);
		double found = claim_memory_gb(in, in->x->indices[i]);
		if (!claim_price(in, d->name) || isnan(found) || (best && found <= *gb))
			continue;
		best = d;
		*gb = found;
	}
	return best;
}

/* "Nearly all": nine of ten networks of the edition can be trained on one card that can be bought.
 * Speed is another matter: no data say when a person would want more. */
void claim_one_gpu(const struct claim_input *in, struct claim *c)
{
	const struct memory_cases *m = &in->x->memory;
	struct say_list not = { .arena = in->arena };
	size_t networks = 0, fit = 0;
	double card_gb = NAN;
	const struct device *card = largest_card(in, &card_gb);

	for (size_t i = 0; card && i < m->networks.n; i++) {
		double gb = least_training_gb(m, &m->networks.v[i]);
		if (isinf(gb) || !claim_network_counts(&m->networks.v[i]))
			continue;
		networks++;
		if (gb <= card_gb)
			fit++;
		else
			claim_add(&not, "claim.name_gb",
				  (const struct say_arg[]){ say_name("name", m->networks.v[i].name),
							    say_fixed("gb", gb, 0), say_end() });
	}
	if (networks < NETWORKS_MIN) {
		claim_settle(
		    in, c, CLAIM_NOT_TESTABLE, "claim.need_card_and_networks",
		    (const struct say_arg[]){ say_int("n", (int)NETWORKS_MIN), say_end() });
		return;
	}
	struct say_list b = { .arena = in->arena };
	claim_add(&b, "claim.networks_fit",
		  (const struct say_arg[]){ say_count("fit", fit), say_count("n", networks),
					    say_name("card", card->name),
					    say_fixed("gb", card_gb, 0), say_end() });
	if (not .n)
		claim_add(
		    &b, "claim.not",
		    (const struct say_arg[]){ say_put("names", claim_pieces(&not )), say_end() });
	c->computed_value = claim_pieces(&b);
	claim_decide(in, c, (double)fit >= 0.9 * (double)networks, "claim.nearly_all", NULL);
}
