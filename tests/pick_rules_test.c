/* The rules of advice for programs: gates as words, wishes as rows. */
#include "../analyze/pick_rules.h"
#include "test.h"

#include <math.h>

static const struct {
	const char *name;
	unsigned failed;
	struct str want;
} gates[] = {
	{ "none", 0, STR_INIT("") },
	{ "one", 1u << GATE_STALE, STR_INIT("stale") },
	{ "in the order of the gates", 1u << GATE_BUDGET | 1u << GATE_MEMORY | 1u << GATE_LISTED,
	  STR_INIT("listed memory budget") },
	{ "all", (1u << GATE_COUNT) - 1,
	  STR_INIT("listed vendor memory power host licence cooling score gain price condition "
		   "stale budget") },
};

static struct pick pick_of(const char *name, enum persona_objective objective, double budget_usd)
{
	struct pick p = { .wish = pick_wish_default() };

	p.wish.name = str_of(name);
	p.wish.objective = objective;
	p.wish.budget_usd = budget_usd;
	p.wish.weights[CLASS_CNN] = 1;
	return p;
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };
	struct pick v[2] = { pick_of("=cheap", OBJECTIVE_VALUE, 499.5),
			     pick_of("lab", OBJECTIVE_SPEED, (double)NAN) };
	const struct picks picks = { v, LEN(v) };

	for (size_t i = 0; i < LEN(gates); i++) {
		const struct candidate c = { .failed = gates[i].failed };
		test_str(&t, pick_gate_words(&c, &a), gates[i].want, gates[i].name);
	}
	v[1].wish.weights[CLASS_CNN] = 0.25;
	v[1].wish.weights[CLASS_TRANSFORMER] = 2;
	v[1].wish.lens = STR("system");
	v[1].wish.condition = CONDITION_USED;
	v[1].wish.gpus = 4;
	v[1].wish.memory_gb = 11;
	test_str(&t, pick_rules_csv(&picks, &a),
		 STR("persona,objective,lens,condition,gpus,budget_usd,memory_gb,weights\n"
		     "'=cheap,value,card,any,1,499.5,,cnn:1\n"
		     "lab,speed,system,used,4,,11,cnn:0.25 transformer:2\n"),
		 "a row a wish; what is not asked for is empty");
	arena_free(&a);
	return test_done(&t);
}
