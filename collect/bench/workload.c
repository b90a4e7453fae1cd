#include "workload.h"

struct workload_list workload_all(struct arena *a)
{
	static void (*const add[])(struct workload_table *) = {
		workload_add_micro, workload_add_cnn, workload_add_rnn,
		workload_add_bert,  workload_add_xl,  workload_add_llm,
	};
	struct workload_table t = { .arena = a };

	for (size_t i = 0; i < LEN(add); i++)
		add[i](&t);
	return (struct workload_list){ t.v, t.n };
}

void workload_table_add(struct workload_table *t, struct workload w)
{
	t->v = arena_grow(t->arena, t->v, &t->cap, t->n + 1, sizeof *t->v);
	t->v[t->n++] = w;
}

struct plan workload_plan(const struct workload *w, enum precision p, long batch, struct arena *a)
{
	struct plan plan = { .workload = w->name, .precision = p, .arena = a };

	plan.batch_size = batch ? batch : w->batch;
	plan.samples = plan.batch_size * w->sample;
	w->build(w, &plan);
	return plan;
}
