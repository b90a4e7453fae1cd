/* Bidirectional LSTM language models: words of a large vocabulary, characters of a small one. */
#include "workload.h"
#include "workload_net.h"

struct rnn { long vocabulary, embedding, hidden, layers, steps; };

/* Sequences shorter than 100: the class of the guide. */
static const struct rnn word = { 10000, 512, 512, 2, 50 }, character = { 100, 128, 512, 2, 96 };

static int lstm_weight(struct net *n, struct str name, const struct op_lstm *l)
{
	long count = 2 * (4 * l->hidden * (l->input + l->hidden) + 8 * l->hidden);

	return net_weight(n, name, (long[]){ count, 0 }, l->hidden);
}

static void build_rnn(const struct workload *w, struct plan *p)
{
	const struct rnn *s = w->shape;
	struct net n = net_make(p, true);
	long rows = s->steps * p->batch_size, input = s->embedding;
	int ids = net_ids(&n, STR("tokens"), rows, FILL_ZIPF, s->vocabulary);
	int labels = net_ids(&n, STR("labels"), rows, FILL_ZIPF, s->vocabulary);
	int table = net_weight(&n, STR("embedding"), (long[]){ s->vocabulary, s->embedding, 0 }, 1);
	int x = net_embed(&n, STR("embed"), table, ids, rows, s->embedding, s->vocabulary);

	for (int i = 0; i < (int)s->layers; i++) {
		struct op_lstm l = { s->steps, p->batch_size, input, s->hidden };
		int weight = lstm_weight(&n, net_name(&n, "lstm%d.weight", i), &l);
		x = net_lstm(&n, net_name(&n, "lstm%d", i), x, weight, &l);
		input = 2 * s->hidden;
	}
	int weight = net_weight(&n, STR("proj.weight"), (long[]){ s->vocabulary, input, 0 }, input);
	int bias = net_bias(&n, STR("proj.bias"), s->vocabulary);
	x = net_linear(&n, STR("proj"), x, weight, bias, rows, input, s->vocabulary,
		       ACTIVATION_NONE);
	net_loss(&n, STR("loss"), x, labels, rows, s->vocabulary);
	net_backward(&n);
	net_adam(&n);
}

/* A recurrence is a chain of small products: bound by latency at 64 sequences, less at 256. */
static const struct {
	struct str name, class, title;
	const struct rnn *shape;
	long batch;
	bool quick;
} rnns[] = {
	{ STR_INIT("bilstm-word"), STR_INIT("rnn-word"),
	  STR_INIT("Word biLSTM training, 64 sequences"), &word, 64, true },
	{ STR_INIT("bilstm-word-b256"), STR_INIT("rnn-word"),
	  STR_INIT("Word biLSTM training, 256 sequences"), &word, 256, false },
	{ STR_INIT("bilstm-char"), STR_INIT("rnn-char"),
	  STR_INIT("Character biLSTM training, 64 sequences"), &character, 64, true },
	{ STR_INIT("bilstm-char-b256"), STR_INIT("rnn-char"),
	  STR_INIT("Character biLSTM training, 256 sequences"), &character, 256, false },
};

void workload_add_rnn(struct workload_table *t)
{
	for (size_t i = 0; i < LEN(rnns); i++)
		workload_table_add(t, (struct workload){ .name = rnns[i].name,
							 .group = STR("rnn"),
							 .class = rnns[i].class,
							 .title = rnns[i].title,
							 .kind = WORKLOAD_STEP,
							 .metric = STR("throughput"),
							 .unit = STR("tokens/s"),
							 .per_unit = 1,
							 .precisions = PRECISIONS_TRAIN,
							 .batch = rnns[i].batch,
							 .sample = rnns[i].shape->steps,
							 .quick = rnns[i].quick,
							 .sustained = rnns[i].quick,
							 .devices = 1,
							 .build = build_rnn,
							 .shape = rnns[i].shape });
}
