/* Small plans that have every kind of operation, for tests of a backend with the stand-in. */
#ifndef CUDA_TEST_PLANS_H
#define CUDA_TEST_PLANS_H

#include "../../../collect/bench/plan.h"

/* slow: its vocabularies are not small */
struct small_plan {
	const char *name;
	struct plan (*make)(enum precision p, struct arena *a);
	bool slow;
};
extern const struct small_plan small_plans[];
extern const int small_plan_count;

/* BERT: answers to questions; masked words, against the table of all words. */
struct plan plan_bert(enum precision p, struct arena *a);
struct plan plan_words(enum precision p, struct arena *a);
struct plan plan_xl(enum precision p, struct arena *a);
struct plan plan_rnn(enum precision p, struct arena *a);
struct plan plan_cnn(enum precision p, struct arena *a);
struct plan plan_llm(enum precision p, struct arena *a);
struct plan plan_odd(enum precision p, struct arena *a);

/* A product alone, a memory operation alone. */
struct plan plan_gemm(enum precision p, long m, long n, long k, struct arena *a);
struct plan plan_memory(enum op_kind kind, int which, long count, struct arena *a);

#endif
