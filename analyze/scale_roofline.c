/* A device's time for a unit of the class's work is t = a / F + b / B: arithmetic at its 16-bit
 * rate F (TFLOP/s), traffic at its bandwidth B (GB/s). a, b >= 0 make the sum of (score t - 1)^2
 * over the sources least: relative squares, so that fast cards count as much as slow ones. The
 * estimate is the weighted geometric mean over the sources i of score(i) t(i) / t(device), where
 * one of the device's own architecture weighs 4 and any other 1. Source  Williams, Waterman &
 * Patterson, CACM 52(4), 2009 */
#include "scale.h"

#include <math.h>

static const double own_architecture = 4;

struct roofline {
	double a, b;
};

/* What one source or target has: 1 / F and 1 / B. */
struct speeds {
	double per_rate, per_bandwidth;
};

static struct speeds speeds_of(const struct device *d)
{
	return (struct speeds){ 1 / scale_rate_16bit(d), 1 / scale_known(d->bandwidth_gbs) };
}

static bool known(struct speeds s)
{
	return !isnan(s.per_rate) && !isnan(s.per_bandwidth);
}

static double time_of(struct roofline r, struct speeds s)
{
	return r.a * s.per_rate + r.b * s.per_bandwidth;
}

/* Non-negative least squares of two unknowns: the free optimum where both are positive, else the
 * better of the two edges. */
static struct roofline fit(const struct scale_input *in, const size_t *kept, size_t n)
{
	double xx = 0, xz = 0, zz = 0, x1 = 0, z1 = 0;

	for (size_t i = 0; i < n; i++) {
		const struct scale_source *s = &in->sources[kept[i]];
		struct speeds v = speeds_of(&in->devices->v[s->device]);
		double x = s->score * v.per_rate, z = s->score * v.per_bandwidth;
		xx += x * x, xz += x * z, zz += z * z, x1 += x, z1 += z;
	}
	double det = xx * zz - xz * xz;
	struct roofline free = { (x1 * zz - z1 * xz) / det, (z1 * xx - x1 * xz) / det };
	if (det > 1e-12 * xx * zz && free.a >= 0 && free.b >= 0)
		return free;
	/* On an edge the sum of squares is n - x1^2 / xx, or n - z1^2 / zz. */
	return x1 * x1 / xx > z1 * z1 / zz ? (struct roofline){ x1 / xx, 0 }
					   : (struct roofline){ 0, z1 / zz };
}

/* How far apart two devices are in log rate and log bandwidth, a stranger's architecture beyond. */
static double distance(const struct scale_input *in, size_t device, size_t source)
{
	struct speeds x = speeds_of(&in->devices->v[device]),
		      y = speeds_of(&in->devices->v[source]);

	return hypot(log(x.per_rate / y.per_rate), log(x.per_bandwidth / y.per_bandwidth))
	       + (scale_same_architecture(in->devices, device, source) ? 0 : 1e3);
}

bool scale_predict_roofline(const struct scale_input *in, size_t device, struct arena *a,
			    struct scale_prediction *out, struct say *why)
{
	const struct device *d = &in->devices->v[device];
	struct speeds target = speeds_of(d);
	size_t *kept = arena_array(a, in->nsources, sizeof *kept), n = 0;
	struct str missing = known(target) ? STR("") : STR("bandwidth_gbs, 16-bit or fp32 rate");
	size_t candidates = scale_candidates(in, device, missing, a, kept, why);
	double sum = 0, weights = 0, nearest = INFINITY;

	*out = (struct scale_prediction){ .all = true,
					  .log_sd = NAN,
					  .spec = STR("bandwidth_gbs rate_16bit") };
	for (size_t i = 0; i < candidates; i++)
		if (known(speeds_of(&in->devices->v[in->sources[kept[i]].device])))
			kept[n++] = kept[i];
	if (candidates && n == 0)
		*why = say(a, "scale.no_rates", NULL);
	if (n == 0)
		return false;
	struct roofline r = fit(in, kept, n);
	for (size_t i = 0; i < n; i++) {
		const struct scale_source *s = &in->sources[kept[i]];
		bool own = scale_same_architecture(in->devices, device, s->device);
		double w = own ? own_architecture : 1, away = distance(in, device, s->device);
		sum += w * log(s->score * time_of(r, speeds_of(&in->devices->v[s->device])));
		weights += w;
		out->represented = out->represented || own;
		if (away < nearest) {
			nearest = away;
			out->anchor = s->device;
		}
	}
	out->score = exp(sum / weights) / time_of(r, target);
	return true;
}
