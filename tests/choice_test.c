/* On the shipped data: how firm the choice of the scaling method is. One machine is taken away, the
 * class fitted again, and counted: fits in which the method of a case is another one, and scaled
 * scores that leave the interval they had. Every STEP_MACHINES-th machine of a class (all where
 * they are few) and every STEP_DEVICES-th device keep it short. By the lowest 90th percentile alone
 * one fit in five changes its method. */
#include "shipped_fixture.h"
#include "test.h"

#include "../analyze/class_fit.h"
#include "../base/stat.h"

enum { STEP_MACHINES = 8, STEP_DEVICES = 10, FEW_MACHINES = 25 };
static const double changes_allowed = 0.1, leaving_allowed = 0.1;

struct count {
	size_t fits, changed, scores, outside;
	double worst; /* largest move outside, as a factor */
};

/* The cell without the machine; false where nothing is left of it. */
static bool observation_without(struct observation *o, struct str machine, struct arena *a)
{
	double *v = arena_array(a, o->nvalues, sizeof *v);
	struct machine_value *rest = arena_array(a, o->nvalues, sizeof *rest);
	size_t n = 0;

	for (size_t i = 0; i < o->nvalues; i++)
		if (!str_eq(o->values[i].machine, machine)) {
			v[n] = o->values[i].value;
			rest[n++] = o->values[i];
		}
	if (n == 0)
		return false;
	if (n < o->nvalues)
		o->value = stat_median(v, n, a);
	o->values = rest;
	o->nvalues = n;
	return true;
}

static struct observations without(const struct observations *all, enum class_id class,
				   struct str machine, struct arena *a)
{
	struct observations out = { arena_array(a, all->n, sizeof *out.v), 0 };

	for (size_t i = 0; i < all->n; i++) {
		out.v[out.n] = all->v[i];
		if (all->v[i].class == class && observation_without(&out.v[out.n], machine, a))
			out.n++;
	}
	return out;
}

/* Scaled scores of both fits; where the reference is measured in one of them only all scores move
 * together and say nothing. */
static void compare(const struct class_fit *f, const struct class_fit_input *in,
		    const struct class_fit *again, const struct class_fit_input *in_again,
		    struct arena *a, struct count *c)
{
	const struct scale_method *method;
	struct scale_prediction was, is;
	double own, total, total_again;
	struct say why;

	c->fits++;
	c->changed += f->chosen[0] != again->chosen[0] || f->chosen[1] != again->chosen[1] ? 1 : 0;
	for (size_t d = 0; d < in->devices->n; d += STEP_DEVICES) {
		if (f->reference != again->reference || d == in->reference
		    || class_fit_measured(f, d)
		    || !class_fit_scale(f, in, d, a, &method, &was, &own, &total, &why)
		    || !class_fit_scale(again, in_again, d, a, &method, &is, &own, &total_again,
					&why))
			continue;
		double move = exp(fabs(log(is.score / was.score)));
		c->scores++;
		c->outside += move > total;
		if (move > total)
			c->worst = fmax(c->worst, move);
	}
}

static void count_class(const struct class_fit_input *in, const struct edition_class *class,
			struct arena *a, struct count *c)
{
	struct class_fit f;

	class_fit_run(in, class, a, &f);
	size_t step = f.matrix.nmachines > FEW_MACHINES ? STEP_MACHINES : 1;
	for (size_t i = 0; i < f.matrix.nmachines; i += step) {
		struct arena scratch = { 0 };
		struct class_fit again;
		struct class_fit_input in_again = *in;
		struct observations rest =
		    without(in->obs, class->id, f.matrix.machines[i].name, &scratch);

		in_again.obs = &rest;
		class_fit_run(&in_again, class, &scratch, &again);
		compare(&f, in, &again, &in_again, &scratch, c);
		arena_free(&scratch);
	}
}

int main(void)
{
	struct test t = { 0 };
	struct shipped s;
	struct error err = { 0 };
	struct str_list accepted = { NULL, 0 };
	struct count total = { 0, 0, 0, 0, 1 };
	bool good = shipped_open(&s, &err);

	test_ok(&t, good, good ? "the shipped data is read" : err.msg);
	struct class_fit_input in = { &s.obs, &s.devices, &s.edition,
				      good ? device_index(&s.devices, s.edition.reference) : 0,
				      &accepted };
	for (size_t i = 0; good && i < s.edition.nclasses; i++) {
		struct count c = { 0, 0, 0, 0, 1 };
		count_class(&in, &s.edition.classes[i], &s.arena, &c);
		printf("# " STR_FMT
		       " without one machine: %zu fits, %zu with another method; of %zu scaled "
		       "scores %zu outside their interval (worst a factor %.2f)\n",
		       STR_ARG(class_name(s.edition.classes[i].id)), c.fits, c.changed, c.scores,
		       c.outside, c.worst);
		total.fits += c.fits;
		total.changed += c.changed;
		total.scores += c.scores;
		total.outside += c.outside;
	}
	test_ok(&t, total.fits > 50 && total.scores > 500, "enough of them");
	test_ok(&t, (double)total.changed <= changes_allowed * (double)total.fits,
		"one machine less changes the method in at most one fit of ten");
	test_ok(&t, (double)total.outside <= leaving_allowed * (double)total.scores,
		"and moves at most one scaled score of ten out of its interval");
	shipped_close(&s);
	return test_done(&t);
}
