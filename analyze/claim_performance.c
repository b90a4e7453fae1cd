/* Devices against each other by measured rows: claims 6, 9, 30 and 35. */
#include "claim_check.h"

#include "../base/num.h"

#include <math.h>

static bool is_gpu(const struct claim_input *in, const struct observation *o)
{
	const struct device *d = claim_device(in, o->device);

	return !device_is_processor(d) && !str_eq(d->vendor, STR("Google"));
}

/* A whole one, of which there is a data sheet: that a card is a hundred times a few threads of a virtual machine says
 * nothing about cards. */
static bool is_cpu_host(const struct claim_input *in, const struct observation *o)
{
	const struct device *d = claim_device(in, o->device);

	return str_eq(d->form_factor, STR("socket")) && isfinite(d->bandwidth_gbs);
}

/* Whole training steps, no forward passes alone, of one GPU over those of a CPU host. Reproduced
 * when the median lies within a factor 2 of the guide's 5 and the largest ratio within a factor 2
 * of its 10. */
void claim_cpu(const struct claim_input *in, struct claim *c)
{
	const struct observations *o = &in->x->obs;
	double *ratio = NULL, found;
	size_t n = 0, cap = 0;
	const struct observation *cpu = NULL;

	for (size_t i = 0; i < o->n; i++) {
		const struct observation *x = &o->v[i];
		if (!is_cpu_host(in, x) || x->class != CLASS_CNN || !x->scores
		    || multi_is_forward(x->workload))
			continue;
		for (size_t j = 0; j < o->n; j++)
			if (o->v[j].device_count == 1 && is_gpu(in, &o->v[j])
			    && claim_speed_ratio(x, &o->v[j], &found)) {
				cpu = x;
				ratio = arena_grow(in->arena, ratio, &cap, n + 1, sizeof *ratio);
				ratio[n++] = found;
			}
	}
	if (n == 0) {
		claim_settle(in, c, CLAIM_NOT_TESTABLE, "claim.need_cpu", NULL);
		return;
	}
	struct claim_spread s = claim_spread(ratio, n, in->arena);
	claim_compute(in, c, "claim.gpu_over_cpu",
		      (const struct say_arg[]){
			  say_int("cpus", cpu->device_count),
			  say_name("cpu", claim_device(in, cpu->device)->name),
			  say_fixed("median", s.median, 0), say_count("n", n),
			  say_name("series", cpu->series), say_fixed("low", s.lowest, 0),
			  say_fixed("high", s.highest, 0), say_end() });
	claim_decide(in, c, s.median >= 2.5 && s.median <= 10 && s.highest >= 5 && s.highest <= 20,
		     "claim.cpu_same", NULL);
}

/* "gemm-1024x16x500000-NN": FLOP over bytes of reading A and B and writing C once, at `bytes` a
 * number. */
static bool gemm_intensity(struct str workload, double bytes, double *flop_per_byte)
{
	struct str rest = workload, piece, side;
	double v[3];
	size_t n = 0;

	if (!str_cut(&rest, '-', &piece) || !str_eq(piece, STR("gemm"))
	    || !str_cut(&rest, '-', &piece))
		return false;
	while (str_cut(&piece, 'x', &side))
		if (n == 3 || !num_parse(side, false, &v[n++]))
			return false;
	if (n != 3)
		return false;
	*flop_per_byte =
	    2 * v[0] * v[1] * v[2] / (bytes * (v[0] * v[2] + v[2] * v[1] + v[0] * v[1]));
	return true;
}

/* Shares of the peak rate that one device reaches in 32-bit work. */
struct reach {
	double *small, *large, *conv, *small_bandwidth;
	size_t nsmall, nlarge, nconv;
};

static void gather_reach(const struct claim_input *in, size_t device, struct reach *r)
{
	const struct observations o = claim_rows(in, device);
	const struct device *d = claim_device(in, device);
	double ridge = d->fp32_tflops * 1000 / d->bandwidth_gbs, intensity;

	r->small = arena_array(in->arena, o.n, sizeof(double));
	r->large = arena_array(in->arena, o.n, sizeof(double));
	r->conv = arena_array(in->arena, o.n, sizeof(double));
	r->small_bandwidth = arena_array(in->arena, o.n, sizeof(double));
	for (size_t i = 0; i < o.n; i++) {
		const struct observation *x = &o.v[i];
		if (x->device_count != 1 || x->kind != PRECISION_32
		    || !str_eq(x->metric, STR("tflops")))
			continue;
		double share = x->value / d->fp32_tflops;
		if (x->class == CLASS_CONV)
			r->conv[r->nconv++] = share;
		else if (!gemm_intensity(x->workload, 4, &intensity))
			continue;
		else if (intensity >= ridge)
			r->large[r->nlarge++] = share;
		else {
			r->small_bandwidth[r->nsmall] =
			    x->value * 1000 / intensity / d->bandwidth_gbs;
			r->small[r->nsmall++] = share;
		}
	}
}

/* Matrix products below the ridge point (peak rate over bandwidth) are bound by bandwidth at best.
 * Reproduced when on every card with rows of all three kinds their median share of the peak rate is
 * below that of the products above the ridge point and below that of the convolutions. */
void claim_roofline(const struct claim_input *in, struct claim *c)
{
	const struct devices *all = in->x->devices;
	double *small = arena_array(in->arena, all->n, sizeof(double));
	double *large = arena_array(in->arena, all->n, sizeof(double));
	double *conv = arena_array(in->arena, all->n, sizeof(double));
	double *bandwidth = arena_array(in->arena, all->n, sizeof(double));
	size_t n = 0, products = 0, holds = 0;

	for (size_t d = 0; d < all->n; d++) {
		struct reach r = { 0 };
		if (isnan(all->v[d].fp32_tflops) || isnan(all->v[d].bandwidth_gbs))
			continue;
		gather_reach(in, d, &r);
		if (r.nsmall == 0 || r.nlarge == 0 || r.nconv == 0)
			continue;
		small[n] = claim_spread(r.small, r.nsmall, in->arena).median;
		large[n] = claim_spread(r.large, r.nlarge, in->arena).median;
		conv[n] = claim_spread(r.conv, r.nconv, in->arena).median;
		bandwidth[n] = claim_spread(r.small_bandwidth, r.nsmall, in->arena).median;
		holds += small[n] < large[n] && small[n] < conv[n];
		products += r.nsmall;
		n++;
	}
	if (n == 0) {
		claim_settle(in, c, CLAIM_NOT_TESTABLE, "claim.need_rates", NULL);
		return;
	}
	claim_compute(
	    in, c, "claim.reach",
	    (const struct say_arg[]){
		say_count("devices", n),
		say_fixed("small", 100 * claim_spread(small, n, in->arena).median, 0),
		say_fixed("bandwidth", 100 * claim_spread(bandwidth, n, in->arena).median, 0),
		say_count("products", products),
		say_fixed("large", 100 * claim_spread(large, n, in->arena).median, 0),
		say_fixed("conv", 100 * claim_spread(conv, n, in->arena).median, 0), say_end() });
	claim_decide(
	    in, c, holds == n, "claim.reach_small",
	    (const struct say_arg[]){ say_count("holds", holds), say_count("n", n), say_end() });
}

/* Work done in 16 bit over the same in 32 bit, of one device and class, one figure a workload.
 * pseudo-fp16 stores 16 bit and computes in 32. */
static size_t gains_16_bit(const struct observations *o, enum class_id class, bool stored_only,
			   double *gain)
{
	size_t n = 0;

	for (size_t i = 0; i < o->n; i++) {
		const struct observation *x = &o->v[i];
		if (x->class != class || x->kind != PRECISION_16 || !x->scores
		    || x->device_count != 1
		    || str_eq(x->precision, STR("pseudo-fp16")) != stored_only)
			continue;
		for (size_t j = 0; j < o->n; j++) {
			const struct observation *y = &o->v[j];
			if (y->kind == PRECISION_32 && y->device_count == 1
			    && str_eq(y->workload, x->workload) && str_eq(y->metric, x->metric)
			    && str_eq(y->series, x->series))
				gain[n++] =
				    x->lower_is_better ? y->value / x->value : x->value / y->value;
		}
	}
	return n;
}

/* Adds "Matrix product: 1.03x (n = 160)" for every class of the device that has both; returns how
 * many figures there are and their geometric mean. */
static size_t list_gains(const struct observations *o, const struct claim_input *in,
			 bool stored_only, struct say_list *b, double *mean)
{
	double *gain = arena_array(in->arena, o->n * 2 + 1, sizeof *gain);
	size_t total = 0;

	for (int class = 0; class < CLASS_COUNT; class ++) {
		size_t n = gains_16_bit(o, (enum class_id) class, stored_only, gain + total);
		if (n)
			claim_add(b, "claim.class_gain",
				  (const struct say_arg[]){
				      say_class("class", (enum class_id) class, in->arena),
				      say_fixed("gain", claim_geomean(gain + total, n), 2),
				      say_count("n", n), say_end() });
		total += n;
	}
	*mean = claim_geomean(gain, total);
	return total;
}

/* "Much": over all figures 16-bit arithmetic is at least 1.3 times as fast. Rows that only store 16
 * bit are shown, but do not test a card that computes in it. */
void claim_p100_16_bit(const struct claim_input *in, struct claim *c)
{
	static const struct str names[] = { STR_INIT("Tesla P100 PCIe 16GB"),
					    STR_INIT("Tesla P100 SXM2"),
					    STR_INIT("Tesla P100 PCIe 12GB") };
	struct say_list computed = { .arena = in->arena }, stored = { .arena = in->arena };
	size_t n = 0, nstored = 0;
	double mean = NAN, unused;

	for (size_t i = 0; i < LEN(names) && n == 0; i++) {
		const struct observations o =
		    claim_rows(in, device_index(in->x->devices, names[i]));
		n += list_gains(&o, in, false, &computed, &mean);
		nstored += list_gains(&o, in, true, &stored, &unused);
	}
	if (n) {
		c->computed_value = claim_pieces(&computed);
		claim_decide(in, c, mean >= 1.3, "claim.gain_16",
			     (const struct say_arg[]){ say_count("n", n),
						       say_fixed("gain", mean, 2), say_end() });
		return;
	}
	if (nstored)
		claim_compute(
		    in, c, "claim.stored_16",
		    (const struct say_arg[]){ say_put("gains", claim_pieces(&stored)), say_end() });
	claim_settle(in, c, CLAIM_NOT_TESTABLE, nstored ? "claim.p100_stored" : "claim.need_p100",
		     NULL);
}

/* Geometric mean of the share of its 32-bit peak rate that a device reaches in matrix products and
 * convolutions; NAN without rows. */
static double peak_share(const struct claim_input *in, size_t device)
{
	const struct observations o = claim_rows(in, device);
	double *share = arena_array(in->arena, o.n, sizeof *share),
	       peak = claim_device(in, device)->fp32_tflops;
	size_t n = 0;

	for (size_t i = 0; i < o.n; i++) {
		const struct observation *x = &o.v[i];
		if ((x->class == CLASS_GEMM || x->class == CLASS_CONV) && x->kind == PRECISION_32
		    && x->device_count == 1 && str_eq(x->metric, STR("tflops")) && !isnan(peak)
		    && str_eq(x->series, STR("deepbench")))
			share[n++] = x->value / peak;
	}
	return claim_geomean(share, n);
}

static struct claim_spread vendor_share(const struct claim_input *in, struct str vendor)
{
	double *share = arena_array(in->arena, in->x->devices->n, sizeof *share);
	size_t n = 0;

	for (size_t d = 0; d < in->x->devices->n; d++)
		if (str_eq(claim_device(in, d)->vendor, vendor)) {
			share[n] = peak_share(in, d);
			n += isnan(share[n]) ? 0 : 1;
		}
	return claim_spread(share, n, in->arena);
}

/* Speed of the Xeon Phi in the DeepBench products and convolutions over that of each NVIDIA device,
 * the middle one. */
static struct claim_spread phi_speed(const struct claim_input *in)
{
	const struct observations phi =
	    claim_rows(in, device_index(in->x->devices, STR("Xeon Phi 7250")));
	double *mean = arena_array(in->arena, in->x->devices->n, sizeof *mean);
	double *ratio = arena_array(in->arena, phi.n, sizeof *ratio);
	size_t n = 0;

	for (size_t d = 0; d < in->x->devices->n; d++) {
		const struct observations gpu = claim_rows(in, d);
		size_t found = 0;
		if (!str_eq(claim_device(in, d)->vendor, STR("NVIDIA")))
			continue;
		for (size_t i = 0; i < phi.n && gpu.n; i++)
			for (size_t j = 0; j < gpu.n; j++)
				if (str_eq(phi.v[i].metric, STR("tflops"))
				    && gpu.v[j].device_count == 1
				    && claim_speed_ratio(&gpu.v[j], &phi.v[i], &ratio[found])) {
					found++;
					break;
				}
		if (found)
			mean[n++] = claim_geomean(ratio, found);
	}
	return claim_spread(mean, n, in->arena);
}

/* Two parts can be tested. "90 % of the software": AMD cards reach 0.8 to 1 times the share of
 * their peak rate that NVIDIA cards reach of theirs. Xeon Phi: slower than the middle one of the
 * NVIDIA cards. The rest is dated text. */
void claim_vendors(const struct claim_input *in, struct claim *c)
{
	struct claim_spread amd = vendor_share(in, STR("AMD")),
			    nvidia = vendor_share(in, STR("NVIDIA"));
	struct claim_spread phi = phi_speed(in);
	double part = amd.median / nvidia.median;

	if (amd.n == 0 || nvidia.n == 0 || phi.n == 0) {
		claim_settle(in, c, CLAIM_NOT_TESTABLE, "claim.need_vendors", NULL);
		return;
	}
	claim_compute(in, c, "claim.vendors",
		      (const struct say_arg[]){
			  say_fixed("amd", 100 * amd.median, 0), say_count("amd_n", amd.n),
			  say_fixed("nvidia", 100 * nvidia.median, 0),
			  say_count("nvidia_n", nvidia.n), say_fixed("part", part, 2),
			  say_fixed("phi", phi.median, 2), say_fixed("phi_low", phi.lowest, 2),
			  say_fixed("phi_high", phi.highest, 2), say_end() });
	claim_decide(in, c, part >= 0.8 && part <= 1 && phi.median < 1, "claim.vendors_same", NULL);
}
