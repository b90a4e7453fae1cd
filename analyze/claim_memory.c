/* Memory: claims 22 to 29. */
#include "claim_check.h"

#include "../base/num.h"
#include "../catalogue/network_cnn.h"

#include <math.h>

/* What the guide's own network is called in data/networks, and its corrected reading. */
static const struct str guide_trace = STR_INIT("guide-2016"),
			valid_trace = STR_INIT("guide-2016-valid");

bool claim_network_counts(const struct network *net)
{
	return !str_eq(net->name, valid_trace);
}

/* Fewer are no middle. */
enum { NETWORKS_MIN = 3 };

static const struct memory_case *case_of(const struct claim_input *in, const struct network *net,
					 struct str precision)
{
	const struct memory_cases *m = &in->x->memory;

	for (size_t i = 0; i < m->n; i++)
		if (m->v[i].network == net && m->v[i].mode == MEMORY_TRAINING && m->v[i].precision
		    && str_eq(m->v[i].precision->name, precision))
			return &m->v[i];
	return NULL;
}

/* Memory of a training step in fp32 over that in fp16, one figure a network, everything counted. */
static struct claim_spread saving(const struct claim_input *in)
{
	const struct networks *all = &in->x->memory.networks;
	double *factor = arena_array(in->arena, all->n, sizeof *factor);
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct memory_case *wide = case_of(in, &all->v[i], STR("fp32"));
		const struct memory_case *half = case_of(in, &all->v[i], STR("fp16"));
		if (wide && half && claim_network_counts(&all->v[i]))
			factor[n++] = wide->need.total_bytes / half->need.total_bytes;
	}
	return claim_spread(factor, n, in->arena);
}

static bool add_saving(const struct claim_input *in, double factor, struct claim_spread *s,
		       struct claim *c)
{
	*s = saving(in);
	if (s->n < NETWORKS_MIN) {
		claim_settle(
		    in, c, CLAIM_NOT_TESTABLE, "claim.need_networks",
		    (const struct say_arg[]){ say_int("n", (int)NETWORKS_MIN), say_end() });
		return false;
	}
	claim_compute(in, c, "claim.factor_makes",
		      (const struct say_arg[]){
			  say_fixed("factor", factor, 1), say_fixed("gb", 8 * factor, 0),
			  say_count("n", s->n), say_fixed("median", s->median, 2),
			  say_fixed("low", s->lowest, 2), say_fixed("high", s->highest, 2),
			  say_end() });
	return true;
}

/* "Almost": at least nine tenths of the factor 2, 8 GB as 14.4 GB, in the middle network. */
void claim_half_memory(const struct claim_input *in, struct claim *c)
{
	struct claim_spread s;

	if (add_saving(in, MEMORY_16_BIT_IDEAL, &s, c))
		claim_decide(in, c, s.median >= 0.9 * MEMORY_16_BIT_IDEAL, "claim.almost_half",
			     NULL);
}

/* Within a tenth of the factor 1.5 in the middle network. A saving of half alone would be the
 * factor 2. */
void claim_rule_of_thumb(const struct claim_input *in, struct claim *c)
{
	struct claim_spread s;

	if (add_saving(in, MEMORY_16_BIT_GUIDE, &s, c))
		claim_decide(in, c, fabs(s.median / MEMORY_16_BIT_GUIDE - 1) <= 0.1,
			     "claim.rule_of_thumb", NULL);
}

/* No data of the project know the settings of frameworks. */
void claim_default_32_bit(const struct claim_input *in, struct claim *c)
{
	claim_settle(in, c, CLAIM_NOT_TESTABLE, "claim.need_frameworks", NULL);
}

enum { TRACE_MAX = 16 };

/* MiB of a network's input, out[0], and of its k-th layer, out[k]; returns how many. */
static size_t trace_of(const struct claim_input *in, struct str name, struct str precision,
		       double *out)
{
	const struct network *net = network_find(&in->x->memory.networks, name);
	const struct memory_case *found = net ? case_of(in, net, precision) : NULL;
	size_t n = 0;

	for (size_t i = 0; found && i < found->need.n && n < TRACE_MAX; i++) {
		const struct memory_part *p = &found->need.parts[i];
		if (!str_eq(p->name, STR("input")) && !str_starts(p->name, STR("layer ")))
			continue;
		out[n++] = p->bytes / MEMORY_MIB;
	}
	return n;
}

/* "92.2 > 1906.4 > …" */
static struct say trace_said(const struct claim_input *in, const double *v, size_t n)
{
	struct say_list l = { .arena = in->arena };

	for (size_t i = 0; i < n; i++)
		say_add(&l, say_number(in->arena, num_fixed(in->arena, v[i], 1)));
	return say_join(&l, "greater");
}

/* Reproduced when each figure is within 1.2 MiB of the guide's, which are rounded to whole MB. */
void claim_memory_trace(const struct claim_input *in, struct claim *c)
{
	static const double guide[] = { 92, 1906, 3720, 5444 };
	double v[TRACE_MAX], valid[TRACE_MAX], worst = 0;
	size_t n = trace_of(in, guide_trace, STR("fp32"), v);
	size_t nvalid = trace_of(in, valid_trace, STR("fp32"), valid);

	if (n != LEN(guide)) {
		claim_settle(in, c, CLAIM_NOT_TESTABLE, "claim.need_network_three",
			     (const struct say_arg[]){ say_name("name", guide_trace), say_end() });
		return;
	}
	for (size_t i = 0; i < n; i++)
		worst = fmax(worst, fabs(v[i] - guide[i]));
	claim_compute(in, c, "claim.trace",
		      (const struct say_arg[]){ say_put("mib", trace_said(in, v, n)),
						say_put("corrected", trace_said(in, valid, nvalid)),
						say_end() });
	claim_decide(in, c, worst <= 1.2, "claim.trace_same",
		     (const struct say_arg[]){ say_fixed("worst", worst, 1), say_end() });
}

/* Reproduced when each figure is half of that in 32 bit to 1e-9. */
void claim_trace_16_bit(const struct claim_input *in, struct claim *c)
{
	double wide[TRACE_MAX], half[TRACE_MAX], worst = 0;
	size_t n = trace_of(in, guide_trace, STR("fp32"), wide);
	size_t nhalf = trace_of(in, guide_trace, STR("fp16"), half);

	if (n == 0 || n != nhalf) {
		claim_settle(in, c, CLAIM_NOT_TESTABLE, "claim.need_network_16",
			     (const struct say_arg[]){ say_name("name", guide_trace), say_end() });
		return;
	}
	for (size_t i = 0; i < n; i++)
		worst = fmax(worst, fabs(2 * half[i] / wide[i] - 1));
	claim_compute(
	    in, c, "claim.mib",
	    (const struct say_arg[]){ say_put("mib", trace_said(in, half, n)), say_end() });
	claim_decide(in, c, worst <= 1e-9, "claim.half_bytes", NULL);
}

/* Bytes of activations and errors, of all that depends on the network, and of the first and the
 * last half of the layers (a middle one is in neither). */
struct layer_share {
	double activations, all, first, last;
};

static struct layer_share share_of(const struct memory_case *m)
{
	struct layer_share s = { 0, 0, 0, 0 };
	size_t nlayers = m->network->cnn.nlayers, half = nlayers / 2, k = 0;

	for (size_t i = 0; i < m->need.n; i++) {
		const struct memory_part *p = &m->need.parts[i];
		bool layer = str_starts(p->name, STR("layer "));
		if (str_starts(p->name, STR("CUDA")))
			continue;
		s.all += p->bytes;
		if (layer || str_eq(p->name, STR("input")) || str_starts(p->name, STR("errors")))
			s.activations += p->bytes;
		if (layer && k < half)
			s.first += p->bytes;
		if (layer && k >= nlayers - half)
			s.last += p->bytes;
		k += layer;
	}
	return s;
}

/* Reproduced when in every convolutional network of the edition activations and errors take more
 * than half of the memory that depends on the network, and the first half of the layers more than
 * the last. */
void claim_trace_parts(const struct claim_input *in, struct claim *c)
{
	const struct networks *all = &in->x->memory.networks;
	struct say_list b = { .arena = in->arena };
	size_t n = 0, dominate = 0, first = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct memory_case *m =
		    all->v[i].kind == NETWORK_CNN ? case_of(in, &all->v[i], STR("fp32")) : NULL;
		if (!m || !claim_network_counts(&all->v[i]))
			continue;
		struct layer_share s = share_of(m);
		n++;
		dominate += s.activations > 0.5 * s.all;
		first += s.first > s.last;
		claim_add(&b, "claim.parts",
			  (const struct say_arg[]){
			      say_name("name", all->v[i].name),
			      say_fixed("share", 100 * s.activations / s.all, 0),
			      say_fixed("first", s.first / MEMORY_MIB, 0),
			      say_fixed("last", s.last / MEMORY_MIB, 0), say_end() });
	}
	c->computed_value = claim_pieces(&b);
	if (n == 0)
		claim_settle(in, c, CLAIM_NOT_TESTABLE, "claim.need_cnn", NULL);
	else
		claim_decide(in, c, dominate == n && first == n, "claim.parts_same",
			     (const struct say_arg[]){ say_count("dominate", dominate),
						       say_count("n", n), say_count("first", first),
						       say_end() });
}

static const struct memory_stated *stated_of(const struct claim_input *in, struct str workload)
{
	const struct memory_cases *m = &in->x->memory;

	for (size_t i = 0; i < m->nstated; i++)
		if (str_eq(m->stated[i].workload, workload))
			return &m->stated[i];
	return NULL;
}

/* "State of the art needs 12 GB": ResNet-50, the network of the year before, trained in 32 bit with
 * a batch of 64 (below it convolutions are slow) fits a card of the stated size and not one of 8
 * GB. The other needs are the guide's word. */
void claim_stated_needs(const struct claim_input *in, struct claim *c)
{
	const struct memory_cases *m = &in->x->memory;
	const struct network *net = network_find(&m->networks, STR("resnet-50"));
	const struct memory_precision *wide = memory_precision_find(STR("fp32"));
	const struct memory_stated *need = stated_of(in, STR("imagenet-224"));

	if (!net || !need) {
		claim_settle(in, c, CLAIM_NOT_TESTABLE, "claim.need_resnet", NULL);
		return;
	}
	double small = memory_largest_batch(net, MEMORY_TRAINING, wide, 8, &m->settings, in->arena);
	double stated =
	    memory_largest_batch(net, MEMORY_TRAINING, wide, need->low_gb, &m->settings, in->arena);
	claim_compute(in, c, "claim.largest_batch",
		      (const struct say_arg[]){ say_fixed("small", small, 0),
						say_fixed("large", stated, 0),
						say_fixed("gb", need->low_gb, 0), say_end() });
	claim_decide(in, c, small < MEMORY_SLOW_BATCH && stated >= MEMORY_SLOW_BATCH,
		     "claim.needed",
		     (const struct say_arg[]){ say_int("batch", (int)MEMORY_SLOW_BATCH),
					       say_count("n", m->nstated - 1), say_end() });
}

/* Values that one layer makes of an input, by the same parser as the network files; NAN on an
 * error. */
static double layer_values(const struct claim_input *in, const char *text, struct cnn_shape shape)
{
	struct keyfile_pair line = { .value = str_of(text) };
	struct cnn_layer layer;
	struct error err = { 0 };

	if (!cnn_layer_parse(&line, shape, in->arena, &layer, &err))
		return NAN;
	return layer.out.maps * layer.out.height * layer.out.width;
}

/* Bytes that depend on the batch in the guide's network: its memory at two batches less the part
 * that does not grow. */
static double batch_bytes(const struct claim_input *in, double batch)
{
	const struct memory_cases *m = &in->x->memory;
	const struct network *net = network_find(&m->networks, guide_trace);
	struct memory_need need;
	double sum = 0;

	if (!net)
		return NAN;
	memory_need(net, MEMORY_TRAINING, memory_precision_find(STR("fp32")), batch, &m->settings,
		    in->arena, &need);
	for (size_t i = 0; i < need.n; i++)
		if (str_eq(need.parts[i].name, STR("input"))
		    || str_starts(need.parts[i].name, STR("layer ")))
			sum += need.parts[i].bytes;
	return sum;
}

static struct say_arg share_arg(const struct claim_input *in, const char *name, double share)
{
	return say_figure(name, str_printf(in->arena, "%.4g", share));
}

/* Reproduced when each technique gives the guide's ratio exactly. */
void claim_memory_savings(const struct claim_input *in, struct claim *c)
{
	const struct cnn_shape shape = { 256, 64, 64 };
	double values = shape.maps * shape.height * shape.width;
	double narrow = layer_values(in, "conv 96 kernel 1", shape);
	double pooled = layer_values(in, "pool kernel 2", shape);
	double stride_2 = layer_values(in, "conv 256 kernel 1 stride 2", shape);
	double stride_4 = layer_values(in, "conv 256 kernel 1 stride 4", shape);
	double half = batch_bytes(in, 64) / batch_bytes(in, 128);

	if (isnan(half)) {
		claim_settle(in, c, CLAIM_NOT_TESTABLE, "claim.need_network",
			     (const struct say_arg[]){ say_name("name", guide_trace), say_end() });
		return;
	}
	claim_compute(in, c, "claim.savings",
		      (const struct say_arg[]){ say_fixed("from", values, 0),
						say_fixed("to", narrow, 0),
						share_arg(in, "pooled", pooled / values),
						share_arg(in, "stride_a", stride_2 / values),
						share_arg(in, "stride_b", stride_4 / values),
						share_arg(in, "half", half), say_end() });
	claim_decide(
	    in, c,
	    narrow == 96.0 * 64 * 64 && pooled * 4 == values && stride_2 < values
		&& stride_4 < stride_2 && fabs(half - 0.5) < 1e-12,
	    "claim.savings_same",
	    (const struct say_arg[]){ say_int("batch", (int)MEMORY_SLOW_BATCH), say_end() });
}
