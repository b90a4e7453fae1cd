/* What the checks of the claims share; for analyze/claim*.c only. A check reads the analysis, fills
 * verdict, computed_value and why of one claim, and is listed in the table of claim.c. */
#ifndef ANALYZE_CLAIM_CHECK_H
#define ANALYZE_CLAIM_CHECK_H

#include "analysis.h"
#include "claim.h"

/* The prices that one check went by, as claim_use_price() noted them: the days of their newest
 * rows, and how many of them a used price is in. */
struct claim_prices {
	size_t n, used;
	struct date oldest, newest; /* of no meaning while n is 0 */
};

struct claim_input {
	const struct analysis *x;
	const struct series_list *series;
	struct arena *arena;
	struct claim_prices *prices;
};

/* The classes that the guide of 2019 speaks of, in its order. */
enum { CLAIM_CLASSES = 4 };
extern const enum class_id claim_classes[CLAIM_CLASSES];

/* Sets verdict and why: the message `key` with args (catalogue/say.h). */
void claim_settle(const struct claim_input *in, struct claim *c, enum claim_verdict verdict,
		  const char *key, const struct say_arg *args);
/* reproduced or not-reproduced by what the data say. */
void claim_decide(const struct claim_input *in, struct claim *c, bool same, const char *key,
		  const struct say_arg *args);

/* A claim that says how the program itself works: that it does so proves nothing about the guide,
 * so it is not-testable while it holds, and not-reproduced when it does not. */
void claim_own_rule(const struct claim_input *in, struct claim *c, bool holds, const char *key,
		    const struct say_arg *args);

/* One more piece of computed_value; pieces are joined by claim_pieces(). */
void claim_add(struct say_list *l, const char *key, const struct say_arg *args);
struct say claim_pieces(const struct say_list *l);
/* computed_value of one piece. */
void claim_compute(const struct claim_input *in, struct claim *c, const char *key,
		   const struct say_arg *args);

/* The device's entry in a class, or NULL: not in the edition, or excluded. */
const struct score *claim_score(const struct claim_input *in, struct str device,
				enum class_id class);
/* Its value in a lens, or NULL: no score or no price. */
const struct value *claim_value(const struct claim_input *in, struct str device,
				enum class_id class, enum lens lens);
/* Its price of lens card, or NULL where that is missing. */
const struct card_price *claim_price(const struct claim_input *in, struct str device);
/* The claim rests on this price (again); NULL and one that is missing are passed over. What was
 * noted stands behind the verdict in `why`. */
void claim_use_price(const struct claim_input *in, const struct card_price *p);
/* The same of a device, by index: its price of lens card. */
void claim_use_device(const struct claim_input *in, size_t device);
/* What a program finds on a device, by index: NAN when not known (memory.h). */
double claim_memory_gb(const struct claim_input *in, size_t device);
/* Whether the edition lists it. */
bool claim_listed(const struct claim_input *in, struct str device);

const struct device *claim_device(const struct claim_input *in, size_t index);
/* The observations of one device, named by its index: a piece of the whole, which is in the order
 * of the devices. */
struct observations claim_rows(const struct claim_input *in, size_t device);

/* Speed of y over that of x in one and the same work: equal class, workload, metric, precision and
 * series; false for any other pair. */
bool claim_speed_ratio(const struct observation *x, const struct observation *y, double *ratio);

/* Quantiles of n numbers; all NAN when n is 0. */
struct claim_spread {
	size_t n;
	double p10, median, p90, lowest, highest;
};
struct claim_spread claim_spread(const double *v, size_t n, struct arena *scratch);
/* exp(mean(log v)) of n numbers above 0. */
double claim_geomean(const double *v, size_t n);

/* What one card keeps of its speed while the other cards of its machine are busy with runs of their
 * own (claim_multi.c). */
struct claim_spread claim_busy_share(const struct claim_input *in);

/* Whether a network counts among the others: the guide's trace has a second, corrected reading,
 * which does not (claim_memory.c). */
bool claim_network_counts(const struct network *net);

/* claim_multi.c */
void claim_data_parallel(const struct claim_input *in, struct claim *c);
void claim_recurrent_parallel(const struct claim_input *in, struct claim *c);
void claim_transformer_parallel(const struct claim_input *in, struct claim *c);
void claim_four_gpus_2016(const struct claim_input *in, struct claim *c);
void claim_independent_runs(const struct claim_input *in, struct claim *c);
void claim_interconnect(const struct claim_input *in, struct claim *c);
void claim_one_gpu(const struct claim_input *in, struct claim *c);

/* claim_performance.c */
void claim_cpu(const struct claim_input *in, struct claim *c);
void claim_roofline(const struct claim_input *in, struct claim *c);
void claim_p100_16_bit(const struct claim_input *in, struct claim *c);
void claim_vendors(const struct claim_input *in, struct claim *c);

/* claim_tpu.c */
void claim_tpu_resnet(const struct claim_input *in, struct claim *c);
void claim_tpu_transformer(const struct claim_input *in, struct claim *c);
void claim_tpu_lstm(const struct claim_input *in, struct claim *c);

/* claim_scale.c */
void claim_specs_cnn(const struct claim_input *in, struct claim *c);
void claim_specs_rnn(const struct claim_input *in, struct claim *c);
void claim_linear_scaling(const struct claim_input *in, struct claim *c);
void claim_workloads(const struct claim_input *in, struct claim *c);
void claim_rnn_limits(const struct claim_input *in, struct claim *c);
void claim_performance_chart(const struct claim_input *in, struct claim *c);

/* claim_cost.c */
void claim_value_chart(const struct claim_input *in, struct claim *c);
void claim_rtx_2060_v100(const struct claim_input *in, struct claim *c);
void claim_rtx_2060_first(const struct claim_input *in, struct claim *c);
void claim_one_machine(const struct claim_input *in, struct claim *c);
void claim_tesla_price(const struct claim_input *in, struct claim *c);
void claim_rent(const struct claim_input *in, struct claim *c);

/* claim_price.c */
void claim_two_markets(const struct claim_input *in, struct claim *c);
void claim_small_cards(const struct claim_input *in, struct claim *c);
void claim_dear_pascal(const struct claim_input *in, struct claim *c);

/* claim_memory.c */
void claim_half_memory(const struct claim_input *in, struct claim *c);
void claim_rule_of_thumb(const struct claim_input *in, struct claim *c);
void claim_default_32_bit(const struct claim_input *in, struct claim *c);
void claim_memory_trace(const struct claim_input *in, struct claim *c);
void claim_trace_16_bit(const struct claim_input *in, struct claim *c);
void claim_trace_parts(const struct claim_input *in, struct claim *c);
void claim_stated_needs(const struct claim_input *in, struct claim *c);
void claim_memory_savings(const struct claim_input *in, struct claim *c);

/* claim_advice.c */
void claim_cooling(const struct claim_input *in, struct claim *c);
void claim_main_advice(const struct claim_input *in, struct claim *c);
void claim_personas(const struct claim_input *in, struct claim *c);
void claim_best_and_worst(const struct claim_input *in, struct claim *c);
void claim_spellings(const struct claim_input *in, struct claim *c);
void claim_upgrade(const struct claim_input *in, struct claim *c);
void claim_editions(const struct claim_input *in, struct claim *c);

#endif
