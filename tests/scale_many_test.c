/* Kriging among many measured devices: only the nearest have part in a prediction, so that its cost
 * does not grow with the cube of all that were ever measured. */
#include "test.h"

#include "../analyze/scale.h"

#include <math.h>

enum { MANY = 300, TARGET = MANY };

/* 300 cards in a row, each with 1 % more of everything than the one before; the last of them is the
 * target's like. */
static void make_devices(struct device *v)
{
	for (size_t i = 0; i <= MANY; i++) {
		double x = pow(1.01, i < MANY ? (double)i : MANY - 1.5);

		v[i] = (struct device){ .vendor = STR("V"),
					.architecture = i % 2 ? STR("odd") : STR("even"),
					.bandwidth_gbs = 100 * x,
					.fp32_tflops = 2 * x,
					.tensor_fp16_tflops = 16 * x,
					.tensor_fp16_acc32_tflops = 16 * x,
					.fp16_tflops = NAN,
					.bf16_tflops = NAN,
					.memory_gb = 2 * x };
	}
}

static double predicted(const struct scale_input *in, struct arena *a)
{
	struct scale_prediction p;
	struct say why;

	return scale_method_find(STR("kriging"))->predict(in, TARGET, a, &p, &why) ? p.score : NAN;
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };
	struct device *v = arena_array(&a, MANY + 1, sizeof *v);
	struct scale_source *s = arena_array(&a, MANY, sizeof *s);

	make_devices(v);
	struct devices devices = { .v = v, .n = MANY + 1 };
	struct edition_class class = { .id = CLASS_CNN };
	struct scale_input in = { &devices, &class, s, MANY };
	for (size_t i = 0; i < MANY; i++)
		s[i] = (struct scale_source){ i, v[i].bandwidth_gbs / 100, true };
	double first = predicted(&in, &a);
	test_near(&t, first / pow(1.01, MANY - 1.5), 1, 0.02, "scores in proportion are met");
	s[0].score *= 3;
	test_ok(&t, predicted(&in, &a) == first, "the farthest has no say");
	s[0].score /= 3;
	s[MANY - 2].score *= 3;
	test_ok(&t, fabs(log(predicted(&in, &a) / first)) > 0.001, "a near one has");
	/* the target is even like every second: 64 of those go before any odd one, near or not */
	s[MANY - 2].score /= 3;
	s[MANY - 1].score *= 3;
	test_ok(&t, predicted(&in, &a) == first,
		"its own architecture goes before the nearest of another");
	arena_free(&a);
	return test_done(&t);
}
