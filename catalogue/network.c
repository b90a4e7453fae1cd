#include "network.h"

#include "keyfile.h"
#include "network_cnn.h"
#include "../base/file.h"
#include "../base/num.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

enum { SHAPE_MAX = 100000000 }; /* of any one number: far beyond networks, far below 2^53 */
#define COUNT_MAX 1e15          /* of parameters: a thousand times the largest, exact below 2^53 */
enum { LAYERS_MAX = 2000 };     /* lines; each may be repeated 10,000 times */

static const struct str kind_names[] = {
	[NETWORK_CNN] = STR_INIT("cnn"),
	[NETWORK_RNN] = STR_INIT("rnn"),
	[NETWORK_TRANSFORMER] = STR_INIT("transformer"),
	[NETWORK_COUNTS] = STR_INIT("counts"),
};
static const struct str optimizer_names[] = {
	[OPTIMIZER_SGD] = STR_INIT("sgd"),
	[OPTIMIZER_MOMENTUM] = STR_INIT("momentum"),
	[OPTIMIZER_ADAM] = STR_INIT("adam"),
};

struct str network_kind_name(enum network_kind k)
{
	return kind_names[k];
}

struct str optimizer_name(enum optimizer o)
{
	return optimizer_names[o];
}

/* One file on its way. */
struct reading {
	const struct keyfile *file;
	struct network *out;
	bool *seen; /* by key of the table */
	struct arena *arena;
	struct error *err;
};

struct key;
typedef bool set_function(struct reading *r, const struct keyfile_pair *p, const struct key *k);

/* Every key that is not a layer. `least` bounds a number; `words` are those of an enum or a bool.
 */
struct key {
	struct str section, key;
	bool required;
	set_function *set;
	size_t offset;
	int least;
	const struct str *words;
	size_t nwords;
};

static bool wrong(struct reading *r, const struct keyfile_pair *p, enum error_code code,
		  const char *why)
{
	return error_at(r->err, code, p->pos, STR_FMT ": '" STR_FMT "' %s", STR_ARG(p->key),
			STR_ARG(p->value), why);
}

static void *member(struct reading *r, const struct key *k)
{
	return (char *)r->out + k->offset;
}

static bool set_text(struct reading *r, const struct keyfile_pair *p, const struct key *k)
{
	struct str *to = member(r, k);

	if (p->value.len == 0)
		return wrong(r, p, ERR_SYNTAX, "is empty");
	*to = str_plain(r->arena, p->value);
	return true;
}

static bool set_date(struct reading *r, const struct keyfile_pair *p, const struct key *k)
{
	struct date *to = member(r, k);

	if (!date_parse(p->value, to))
		return wrong(r, p, ERR_SYNTAX, "is not a day as YYYY-MM-DD");
	return true;
}

/* Parameters of large networks do not fit an int, so whole numbers are read as doubles. */
static bool set_number(struct reading *r, const struct keyfile_pair *p, const struct key *k)
{
	double *to = member(r, k);

	if (!num_parse(p->value, false, to) || *to != floor(*to))
		return wrong(r, p, ERR_SYNTAX, "is not a whole number");
	if (!(*to >= k->least && *to <= SHAPE_MAX))
		return error_at(r->err, ERR_RANGE, p->pos,
				STR_FMT ": '" STR_FMT "' is not from %d to %d", STR_ARG(p->key),
				STR_ARG(p->value), k->least, SHAPE_MAX);
	return true;
}

static bool set_count(struct reading *r, const struct keyfile_pair *p, const struct key *k)
{
	double *to = member(r, k);

	if (!num_parse(p->value, false, to) || *to != floor(*to))
		return wrong(r, p, ERR_SYNTAX, "is not a whole number");
	if (!(*to >= k->least && *to <= COUNT_MAX))
		return error_at(r->err, ERR_RANGE, p->pos,
				STR_FMT ": '" STR_FMT "' is not from %d to 1e15", STR_ARG(p->key),
				STR_ARG(p->value), k->least);
	return true;
}

static bool find_word(struct reading *r, const struct keyfile_pair *p, const struct key *k,
		      size_t *out)
{
	struct strbuf b = { .arena = r->arena };

	for (size_t i = 0; i < k->nwords; i++) {
		if (str_eq(k->words[i], p->value)) {
			*out = i;
			return true;
		}
		strbuf_printf(&b, "%s" STR_FMT,
			      i == 0              ? ""
			      : i + 1 < k->nwords ? ", "
						  : " or ",
			      STR_ARG(k->words[i]));
	}
	return error_at(r->err, ERR_UNKNOWN, p->pos, STR_FMT ": '" STR_FMT "' is not " STR_FMT,
			STR_ARG(p->key), STR_ARG(p->value), STR_ARG(strbuf_str(&b)));
}

/* The words of a bool are false first. */
static bool set_bool(struct reading *r, const struct keyfile_pair *p, const struct key *k)
{
	bool *to = member(r, k);
	size_t i;

	if (!find_word(r, p, k, &i))
		return false;
	*to = i == 1;
	return true;
}

static bool set_kind(struct reading *r, const struct keyfile_pair *p, const struct key *k)
{
	size_t i;

	if (!find_word(r, p, k, &i))
		return false;
	r->out->kind = (enum network_kind)i;
	return true;
}

static bool set_optimizer(struct reading *r, const struct keyfile_pair *p, const struct key *k)
{
	size_t i;

	if (!find_word(r, p, k, &i))
		return false;
	r->out->optimizer = (enum optimizer)i;
	return true;
}

static bool set_cell(struct reading *r, const struct keyfile_pair *p, const struct key *k)
{
	size_t i;

	if (!find_word(r, p, k, &i))
		return false;
	r->out->rnn.cell = (enum rnn_cell)i;
	return true;
}

static bool set_class(struct reading *r, const struct keyfile_pair *p, const struct key *k)
{
	(void)k;
	if (!class_parse(p->value, &r->out->class))
		return wrong(r, p, ERR_UNKNOWN, "is not a class");
	return true;
}

static bool set_input(struct reading *r, const struct keyfile_pair *p, const struct key *k)
{
	(void)k;
	if (!cnn_shape_parse(p->value, &r->out->cnn.input))
		return wrong(r, p, ERR_SYNTAX, "is not MAPSxHEIGHTxWIDTH");
	return true;
}

static const struct str yes_words[] = { STR_INIT("no"), STR_INIT("yes") };
static const struct str errors_words[] = { STR_INIT("freed"), STR_INIT("kept") };
static const struct str attention_words[] = { STR_INIT("full"), STR_INIT("flash") };
static const struct str norm_words[] = { STR_INIT("layernorm"), STR_INIT("rmsnorm") };
static const struct str cell_words[] = { STR_INIT("lstm"), STR_INIT("gru") };

#define AT(member) offsetof(struct network, member)
#define KEY(section, key, required, set, offset)                                                   \
	{                                                                                          \
		STR_INIT(section), STR_INIT(key), required, set, offset, 0, NULL, 0                \
	}
#define NUMBER(section, key, required, offset, least)                                              \
	{                                                                                          \
		STR_INIT(section), STR_INIT(key), required, set_number, offset, least, NULL, 0     \
	}
#define COUNT(section, key, required, offset, least)                                               \
	{                                                                                          \
		STR_INIT(section), STR_INIT(key), required, set_count, offset, least, NULL, 0      \
	}
#define WORDS(section, key, required, set, offset, words)                                          \
	{                                                                                          \
		STR_INIT(section), STR_INIT(key), required, set, offset, 0, words, LEN(words)      \
	}
#define YES(key, member)                                                                           \
	WORDS("transformer", key, false, set_bool, AT(transformer.member), yes_words)
#define SHAPE(key, required, member, least)                                                        \
	NUMBER("transformer", key, required, AT(transformer.member), least)

/* A required key of another section than [network] is required of that kind only. */
static const struct key keys[] = {
	KEY("network", "title", true, set_text, AT(title)),
	WORDS("network", "kind", true, set_kind, 0, kind_names),
	KEY("network", "class", true, set_class, 0),
	KEY("network", "date", true, set_date, AT(date)),
	KEY("network", "source", true, set_text, AT(source)),
	KEY("network", "caution", false, set_text, AT(caution)),
	WORDS("network", "optimizer", false, set_optimizer, 0, optimizer_names),
	WORDS("network", "errors", false, set_bool, AT(errors_kept), errors_words),
	NUMBER("network", "batch_size", false, AT(batch_size), 1),
	NUMBER("network", "inference_batch_size", false, AT(inference_batch_size), 1),
	KEY("cnn", "input", true, set_input, 0),
	WORDS("rnn", "cell", true, set_cell, 0, cell_words),
	NUMBER("rnn", "layers", true, AT(rnn.layers), 1),
	NUMBER("rnn", "hidden", true, AT(rnn.hidden), 1),
	WORDS("rnn", "bidirectional", true, set_bool, AT(rnn.bidirectional), yes_words),
	NUMBER("rnn", "vocabulary", true, AT(rnn.vocabulary), 1),
	NUMBER("rnn", "embedding", true, AT(rnn.embedding), 1),
	NUMBER("rnn", "sequence_length", true, AT(rnn.sequence_length), 1),
	SHAPE("layers", true, layers, 1),
	SHAPE("hidden", true, hidden, 1),
	SHAPE("heads", true, heads, 1),
	SHAPE("ffn", true, ffn, 1),
	SHAPE("vocabulary", true, vocabulary, 1),
	SHAPE("sequence_length", true, sequence_length, 1),
	SHAPE("kv_heads", false, kv_heads, 1),
	SHAPE("head_dim", false, head_dim, 1),
	SHAPE("positions", false, positions, 0),
	SHAPE("segments", false, segments, 0),
	SHAPE("memory_length", false, memory_length, 0),
	SHAPE("logits_per_token", false, logits_per_token, 1),
	COUNT("transformer", "embedding_parameters", false, AT(transformer.embedding_parameters),
	      1),
	YES("gated", gated),
	YES("decoder", decoder),
	YES("tied", tied),
	YES("dropout", dropout),
	YES("attention_bias", attention_bias),
	YES("ffn_bias", ffn_bias),
	YES("embedding_norm", embedding_norm),
	YES("final_norm", final_norm),
	YES("pooler", pooler),
	YES("relative", relative),
	WORDS("transformer", "attention", false, set_bool, AT(transformer.flash), attention_words),
	WORDS("transformer", "norm", false, set_bool, AT(transformer.rmsnorm), norm_words),
	COUNT("counts", "parameters", true, AT(counts.parameters), 1),
	COUNT("counts", "activations", true, AT(counts.activations), 1),
	COUNT("counts", "largest_activation", true, AT(counts.largest_activation), 1),
};

static bool section_known(struct str section)
{
	for (size_t i = 0; i < LEN(keys); i++)
		if (str_eq(keys[i].section, section))
			return true;
	return false;
}

static bool apply(struct reading *r, const struct keyfile_pair *p)
{
	if (str_eq(p->section, STR("layers")))
		return true; /* after the input is known */
	for (size_t i = 0; i < LEN(keys); i++)
		if (str_eq(keys[i].section, p->section) && str_eq(keys[i].key, p->key)) {
			r->seen[i] = true;
			return keys[i].set(r, p, &keys[i]);
		}
	if (!section_known(p->section))
		return error_at(r->err, ERR_UNKNOWN, p->pos, "section [" STR_FMT "] is not known",
				STR_ARG(p->section));
	return error_at(r->err, ERR_UNKNOWN, p->pos,
			"key '" STR_FMT "' is not known in [" STR_FMT "]", STR_ARG(p->key),
			STR_ARG(p->section));
}

/* A section of another kind would be read and silently count for nothing. */
static bool check_sections(struct reading *r)
{
	struct str kind = kind_names[r->out->kind];

	for (size_t i = 0; i < r->file->n; i++) {
		const struct keyfile_pair *p = &r->file->v[i];
		bool layers = str_eq(p->section, STR("layers")) && r->out->kind == NETWORK_CNN;

		if (!layers && !str_eq(p->section, STR("network")) && !str_eq(p->section, kind))
			return error_at(r->err, ERR_UNKNOWN, p->pos,
					"section [" STR_FMT "]: a network of kind " STR_FMT
					" has none",
					STR_ARG(p->section), STR_ARG(kind));
	}
	for (size_t i = 0; i < LEN(keys); i++)
		if (keys[i].required && !r->seen[i]
		    && (str_eq(keys[i].section, STR("network")) || str_eq(keys[i].section, kind)))
			return error_at(r->err, ERR_SYNTAX, (struct pos){ r->file->file, 0, 0 },
					"key '" STR_FMT "' of [" STR_FMT "] is missing",
					STR_ARG(keys[i].key), STR_ARG(keys[i].section));
	return true;
}

static bool read_layers(struct reading *r)
{
	struct cnn *c = &r->out->cnn;
	struct cnn_shape in = c->input;

	c->layers = arena_array(r->arena, r->file->n, sizeof *c->layers);
	for (size_t i = 0; i < r->file->n; i++) {
		const struct keyfile_pair *p = &r->file->v[i];
		int number;

		if (!str_eq(p->section, STR("layers")))
			continue;
		if (!num_parse_int(p->key, &number) || (size_t)number != c->nlayers + 1)
			return error_at(r->err, ERR_SYNTAX, p->pos,
					"layer '" STR_FMT "': the next number is %zu",
					STR_ARG(p->key), c->nlayers + 1);
		if (c->nlayers == LAYERS_MAX)
			return error_at(r->err, ERR_RANGE, p->pos, "more than %d layers",
					LAYERS_MAX);
		if (!cnn_layer_parse(p, in, r->arena, &c->layers[c->nlayers], r->err))
			return false;
		in = c->layers[c->nlayers++].out;
	}
	if (c->nlayers == 0)
		return error_at(r->err, ERR_SYNTAX, (struct pos){ r->file->file, 0, 0 },
				"section [layers] is missing");
	return true;
}

static double count_cnn(const struct cnn *c)
{
	double sum = 0;

	for (size_t i = 0; i < c->nlayers; i++)
		sum += c->layers[i].parameters;
	return sum;
}

/* Two bias vectors a gate, as cuDNN and PyTorch have them. */
static double count_rnn(const struct rnn *r)
{
	double gates = r->cell == RNN_LSTM ? 4 : 3, ways = r->bidirectional ? 2 : 1;
	double in = r->embedding, sum = r->vocabulary * r->embedding;

	for (double l = 0; l < r->layers; l++) {
		sum += ways * gates * r->hidden * (in + r->hidden + 2);
		in = ways * r->hidden;
	}
	return sum + in * r->vocabulary + r->vocabulary;
}

static double count_transformer(const struct transformer *t)
{
	double h = t->hidden, q = t->heads * t->head_dim, kv = t->kv_heads * t->head_dim;
	double norm = t->rmsnorm ? h : 2 * h;
	double embedding = t->embedding_parameters > 0 ? t->embedding_parameters
						       : t->vocabulary * h * (t->tied ? 1 : 2);
	double layer = 2 * h * q + 2 * h * kv + (t->gated ? 3 : 2) * h * t->ffn + 2 * norm;

	if (t->attention_bias)
		layer += q + 2 * kv + h;
	if (t->ffn_bias)
		layer += (t->gated ? 2 : 1) * t->ffn + h;
	if (t->relative)
		layer += h * q;
	return embedding + (t->positions + t->segments) * h + (t->embedding_norm ? norm : 0)
	       + t->layers * layer + (t->relative ? 2 * q : 0) + (t->final_norm ? norm : 0)
	       + (t->pooler ? h * h + h : 0);
}

static bool complete_transformer(struct reading *r)
{
	struct transformer *t = &r->out->transformer;
	struct pos pos = { r->file->file, 0, 0 };

	if (t->kv_heads == 0)
		t->kv_heads = t->heads;
	if (t->logits_per_token == 0)
		t->logits_per_token = t->vocabulary;
	if (t->head_dim == 0) {
		t->head_dim = t->hidden / t->heads;
		if (t->head_dim != floor(t->head_dim))
			return error_at(
			    r->err, ERR_RANGE, pos,
			    "hidden: %g is not divisible by %g heads, and head_dim is not given",
			    t->hidden, t->heads);
	}
	if (fmod(t->heads, t->kv_heads) != 0)
		return error_at(r->err, ERR_RANGE, pos,
				"kv_heads: %g heads are not divisible by %g", t->heads,
				t->kv_heads);
	return true;
}

/* The key's line; the file where it is not given. */
static struct pos pos_of(const struct reading *r, const char *key)
{
	for (size_t i = 0; i < r->file->n; i++)
		if (str_eq(r->file->v[i].key, str_of(key)))
			return r->file->v[i].pos;
	return (struct pos){ r->file->file, 0, 0 };
}

static bool complete_counts(struct reading *r)
{
	const struct counts *c = &r->out->counts;

	return c->largest_activation <= c->activations
	       || error_at(r->err, ERR_RANGE, pos_of(r, "largest_activation"),
			   "largest_activation: %.0f is more than all activations, %.0f",
			   c->largest_activation, c->activations);
}

static bool complete(struct reading *r)
{
	struct network *n = r->out;

	switch (n->kind) {
	case NETWORK_CNN:
		if (!read_layers(r))
			return false;
		n->parameters = count_cnn(&n->cnn);
		break;
	case NETWORK_RNN:
		n->parameters = count_rnn(&n->rnn);
		break;
	case NETWORK_TRANSFORMER:
		if (!complete_transformer(r))
			return false;
		n->parameters = count_transformer(&n->transformer);
		break;
	case NETWORK_COUNTS:
		if (!complete_counts(r))
			return false;
		n->parameters = n->counts.parameters;
		break;
	}
	if (!(n->parameters <= COUNT_MAX))
		return error_at(r->err, ERR_RANGE, (struct pos){ r->file->file, 0, 0 },
				"the shapes give %g parameters, more than %g", n->parameters,
				COUNT_MAX);
	return true;
}

static struct str name_of(const char *path, struct arena *a)
{
	struct str rest = str_of(path), piece = STR("");

	while (str_cut(&rest, '/', &piece))
		;
	if (str_ends(piece, STR(".ini")))
		piece.len -= 4;
	return str_plain(a, piece);
}

bool network_read(const char *path, struct arena *a, struct network *out, struct error *err)
{
	struct keyfile file;
	struct reading r = { .file = &file, .out = out, .arena = a, .err = err };

	*out = (struct network){
		.name = name_of(path, a),
		.date.day = INT_MIN,
		.optimizer = OPTIMIZER_ADAM,
		.batch_size = 32,
		.inference_batch_size = 1,
		.transformer = { .tied = true,
				 .dropout = true,
				 .attention_bias = true,
				 .ffn_bias = true },
	};
	r.seen = arena_array(a, LEN(keys), sizeof *r.seen);
	if (!keyfile_read(path, a, &file, err))
		return false;
	for (size_t i = 0; i < file.n; i++)
		if (!apply(&r, &file.v[i]))
			return false;
	return check_sections(&r) && complete(&r);
}

/* The order of files differs: "a-b.ini" comes before "a.ini". */
static int by_name(const void *x, const void *y)
{
	const struct network *a = x, *b = y;

	return str_cmp(a->name, b->name);
}

bool networks_read(const char *data_dir, struct arena *a, struct networks *out, struct error *err)
{
	struct str dir = file_join(a, str_of(data_dir), STR("networks"));
	struct file_list files;

	*out = (struct networks){ .skipped.arena = a };
	if (!file_exists(str_c(a, dir)))
		return true;
	if (!file_list(str_c(a, dir), ".ini", false, a, &files, &out->skipped, err))
		return false;
	file_skipped_in(str_c(a, dir), 0, &out->skipped);
	out->v = arena_array(a, files.n, sizeof *out->v);
	for (; out->n < files.n; out->n++)
		if (!network_read(str_c(a, file_join(a, dir, files.v[out->n])), a, &out->v[out->n],
				  err))
			return false;
	if (out->n)
		qsort(out->v, out->n, sizeof *out->v, by_name);
	return true;
}

const struct network *network_find(const struct networks *n, struct str name)
{
	for (size_t i = 0; i < n->n; i++)
		if (str_eq(n->v[i].name, name))
			return &n->v[i];
	return NULL;
}
