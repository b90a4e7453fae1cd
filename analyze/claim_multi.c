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
	struct strbuf b = { .arena = in->arena }, off = { .arena = in->arena };
	size_t compared = 0;

	for (size_t i = 0; i < LEN(counts); i++) {
		struct claim_spread s = training(in, CLASS_CNN, counts[i]);
		const struct multi_guide *g =
		    multi_guide_find(&in->x->multi, CLASS_CNN, counts[i], MULTI_TABLE);
		if (s.n == 0)
			continue;
		claim_add(&b, "%d GPUs: %.2fx (%.2f to %.2f, n = %zu)", counts[i], s.median, s.p10,
			  s.p90, s.n);
		if (!g)
			continue;
		compared++;
		if (g->low < s.p10 || g->high > s.p90)
			claim_add(&off, "%.1fx on %d lies %s", g->low, counts[i],
				  g->low < s.p10 ? "below" : "above");
	}
	c->computed_value = strbuf_str(&b);
	if (compared == 0)
		claim_settle(
		    in, c, CLAIM_NOT_TESTABLE,
		    b.len ? "The guide had not given its figures at the date of this edition."
			  : "Needs rows of convolutional nets on one card and on 2 to 4 of the "
			    "same.");
	else if (off.len)
		claim_decide(in, c, false,
			     "Outside the middle 80 %% of the measured speed-ups: " STR_FMT ".",
			     STR_ARG(strbuf_str(&off)));
	else
		claim_decide(
		    in, c, true,
		    "The guide's factors lie in the middle 80 %% of the measured speed-ups at "
		    "all %zu counts.",
		    compared);
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
	struct strbuf b = { .arena = in->arena };

	for (size_t i = 0; i < LEN(counts); i++) {
		struct claim_spread s = paired(in, class, counts[i]);
		if (s.n == 0)
			continue;
		claim_add(&b, "%d GPUs: %.2f of the CNN's speed-up (%.2f to %.2f, n = %zu%s)",
			  counts[i], s.median, s.lowest, s.highest, s.n,
			  s.n < CELLS_MIN ? ": too few to judge" : "");
		if (s.n < CELLS_MIN)
			continue;
		r.at_most = s.median;
		r.lowest = fmin(r.lowest, r.at_most);
		r.highest = fmax(r.highest, r.at_most);
		r.largest = counts[i];
		r.n++;
	}
	c->computed_value = strbuf_str(&b);
	return r;
}

#define PAIR_TEXT "one card in one series and precision"

/* "Similar or slightly worse": the RNN's speed-up is 0.85 to 1.05 of the CNN's, median over pairs,
 * at every count. */
void claim_recurrent_parallel(const struct claim_input *in, struct claim *c)
{
	struct scaling_ratio r = compare_scaling(in, CLASS_RNN_WORD, c);

	if (r.n == 0)
		claim_settle(in, c, CLAIM_NOT_TESTABLE,
			     "Needs rows of recurrent nets and of convolutional ones on the same "
			     "numbers of the same cards, three pairs (" PAIR_TEXT ") of a number.");
	else
		claim_decide(in, c, r.lowest >= 0.85 && r.highest <= 1.05,
			     "Medians over pairs (" PAIR_TEXT ") are %.2f to %.2f of the CNN's "
			     "(similar or slightly worse: 0.85 to 1.05); no row states the length "
			     "of its sequences, so that part is not tested.",
			     r.lowest, r.highest);
}

/* "Poor": at the largest count measured the Transformer's speed-up is below 0.85 of the CNN's,
 * median over pairs. */
void claim_transformer_parallel(const struct claim_input *in, struct claim *c)
{
	struct scaling_ratio r = compare_scaling(in, CLASS_TRANSFORMER, c);

	if (r.n == 0)
		claim_settle(in, c, CLAIM_NOT_TESTABLE,
			     "Needs rows of Transformers and of convolutional nets on the same "
			     "numbers of the same cards, three pairs (" PAIR_TEXT ") of a number.");
	else
		claim_decide(in, c, r.at_most < 0.85,
			     "On %d cards the median over pairs (" PAIR_TEXT ") is %.2f of the "
			     "CNN's (poor: below 0.85), with a batch that grows with the cards.",
			     r.largest, r.at_most);
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
		c->computed_value =
		    str_printf(in->arena, "all series: %.2fx (%.2f to %.2f, n = %zu)", s.median,
			       s.p10, s.p90, s.n);
	if (n < CELLS_MIN || !works || !tuned) {
		claim_settle(
		    in, c, CLAIM_NOT_TESTABLE,
		    "No series of 2016 or before ran one and four cards; needs rows of the "
		    "frameworks of that time.");
		return;
	}
	c->computed_value =
	    str_printf(in->arena, "series of 2016 and before: %.2fx (%.2f to %.2f, n = %zu)",
		       of.median, of.p10, of.p90, of.n);
	claim_decide(in, c,
		     (of.median >= works->low && of.median <= works->high)
			 || (of.median >= tuned->low && of.median <= tuned->high),
		     "The median is compared with %.1f to %.1f and %.1f to %.1f.", works->low,
		     works->high, tuned->low, tuned->high);
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
	struct strbuf b = { .arena = in->arena };

	if (share.n)
		claim_add(&b,
			  "with all cards of the machine busy a run keeps %.0f %% of its speed "
			  "(median of %zu; %.0f "
			  "to %.0f %%)",
			  100 * share.median, share.n, 100 * share.lowest, 100 * share.highest);
	for (size_t i = 0; i < LEN(counts); i++) {
		struct claim_spread s = training(in, CLASS_CNN, counts[i]);
		if (s.n)
			claim_add(&b, "one CNN run spread over %d: %.2fx", counts[i], s.median);
	}
	c->computed_value = strbuf_str(&b);
	if (share.n == 0)
		claim_settle(
		    in, c, CLAIM_NOT_TESTABLE,
		    "Needs rows of a card alone and with the other cards of its machine busy.");
	else
		claim_decide(in, c, share.median >= 0.9,
			     "N times means that a run keeps nine tenths of its speed or more "
			     "(median); of what use "
			     "the runs are is not tested.");
}

/* No data tell: the cards' rows do not say which lanes their hosts had. */
void claim_interconnect(const struct claim_input *in, struct claim *c)
{
	struct claim_spread share = claim_busy_share(in);

	if (share.n)
		c->computed_value =
		    str_printf(in->arena,
			       "a run keeps %.0f %% of its speed while the other cards share "
			       "the host (median of %zu)",
			       100 * share.median, share.n);
	claim_settle(in, c, CLAIM_NOT_TESTABLE,
		     "Needs independent runs on hosts that differ in nothing but lanes or links; "
		     "no row states "
		     "them. The mode for independent runs takes no account of the interconnect.");
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
	struct strbuf not = { .arena = in->arena };
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
			claim_add(&not, STR_FMT " (%.0f GB)", STR_ARG(m->networks.v[i].name), gb);
	}
	if (networks < NETWORKS_MIN) {
		claim_settle(
		    in, c, CLAIM_NOT_TESTABLE,
		    "Needs a card with a price and %d networks known at the date of the edition.",
		    (int)NETWORKS_MIN);
		return;
	}
	c->computed_value =
	    str_printf(in->arena, "%zu of %zu networks can be trained on one " STR_FMT " (%.0f GB)",
		       fit, networks, STR_ARG(card->name), card_gb);
	if (not .len)
		c->computed_value =
		    str_printf(in->arena, STR_FMT "; not: " STR_FMT, STR_ARG(c->computed_value),
			       STR_ARG(strbuf_str(&not )));
	claim_decide(in, c, (double)fit >= 0.9 * (double)networks,
		     "Nearly all means nine of ten networks known at the date, by memory for the "
		     "default batch; "
		     "how long one card takes is not judged.");
}
