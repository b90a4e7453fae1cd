#include "random.h"

#include "../../base/stat.h"

#include <math.h>
#include <string.h>

/* A prime, so that no dimension of a tensor falls in step with it. */
enum { PERIOD = 1048573, PIECES = 12 };

static double normal(struct rng *r)
{
	uint64_t sum = 0;

	for (int i = 0; i < PIECES / 4; i++) {
		uint64_t draw = rng_next(r);
		sum +=
		    (draw & 0xffff) + (draw >> 16 & 0xffff) + (draw >> 32 & 0xffff) + (draw >> 48);
	}
	/* the mean of a piece is 65535 / 2, the variance of twelve 65536^2 */
	return ((double)sum - PIECES * 65535.0 / 2) / 65536;
}

/* Inverse of the distribution: the sum of 1/(i+1) up to n is about ln(n+1). */
static double zipf(struct rng *r, long range)
{
	double u = (double)(rng_next(r) >> 11) / 9007199254740992.0; /* 2^53 */
	double v = floor(exp(u * log((double)range + 1)) - 1);

	return v < (double)range ? v : (double)range - 1;
}

static double draw(const struct tensor *t, struct rng *r, long i, long count)
{
	switch (t->fill) {
	case FILL_NONE:
		break;
	case FILL_NORMAL:
		return t->scale * normal(r);
	case FILL_NEAR_ONE:
		return 1 + t->scale * normal(r);
	case FILL_CONSTANT:
		return t->scale;
	case FILL_ZIPF:
		return zipf(r, t->range);
	case FILL_UNIFORM_INT:
		return (double)rng_below(r, (size_t)t->range);
	case FILL_SPREAD:
		return floor((double)i * (double)t->range / (double)count);
	}
	return 0;
}

void random_fill(const struct tensor *t, unsigned seed, double *values)
{
	struct rng r = { 0x9e3779b97f4a7c15u ^ ((uint64_t)seed << 20) };
	long count = tensor_count(t), own = count;

	if (t->fill == FILL_NORMAL && own > PERIOD)
		own = PERIOD;
	for (long i = 0; i < own; i++)
		values[i] = draw(t, &r, i, count);
	for (long i = own; i < count; i += own)
		memcpy(values + i, values,
		       sizeof *values * (size_t)(own < count - i ? own : count - i));
}
