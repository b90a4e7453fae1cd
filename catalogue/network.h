/* Networks described by their shapes, one small file each: data/networks/NAME.ini. Read with inih.
 * The memory formulas (analyze/memory.h) and `gpuguide memory` start from these.
 *
 * [network] of every kind
 *   title         required
 *   kind          required: cnn, rnn, transformer or counts
 *   class         required: an architecture class (cnn, rnn-word, transformer, llm …)
 *   date          required: of publication; an older edition does not know the network
 *   source        required: where the shapes come from
 *   caution       what is known against the computed figure; printed with it
 *   optimizer     sgd, momentum or adam (default adam)
 *   batch_size, inference_batch_size
 *                 samples a step by default (32 and 1); a sequence counts as one
 *   errors        kept: every activation has an error buffer of its own as long as the step lasts,
 *                 as in the guide of 2016; freed (default): an error lives only until the layer
 *                 below has used it
 *
 * [cnn]           input = MAPSxHEIGHTxWIDTH
 * [layers]        numbered 1, 2, 3 … from input to output: OP [NUMBER] [OPTION VALUE]…
 *   conv MAPS     kernel, stride, pad, groups, bias (without a value), repeat, and shrink N: output
 *                 side = input side - N whatever the kernel, the guide's own arithmetic; without
 *                 stride and pad
 *   pool          kernel, stride (default: the kernel), pad, repeat
 *   global-pool   to 1 x 1
 *   norm          batch norm, 2 parameters a map
 *   relu          in place: nothing is kept
 *   fc UNITS      with bias; repeat
 *   bottleneck M  residual block of He et al. 2016: 1x1 M, 3x3 M (stride, groups), 1x1 out (default
 *                 4 M), each with norm; a projection where the shape changes; repeat
 *   basic M       two 3x3 M with norm; stride, repeat
 *   kernel, stride and pad are N or HEIGHTxWIDTH, by default 1, 1 and 0. Of repeated blocks only
 *   the first has the stride. Output side = floor((side + 2 pad - kernel) / stride) + 1.
 *
 * [rnn]           all required: cell (lstm, gru), layers, hidden, bidirectional (yes, no),
 *                 vocabulary, embedding, sequence_length
 *
 * [transformer]   required: layers, hidden, heads, ffn, vocabulary, sequence_length; with defaults:
 *   kv_heads      heads that keep keys and values (heads; fewer: grouped queries)
 *   head_dim      (hidden / heads)
 *   gated         yes: three ffn matrices (SwiGLU) in place of two (no)
 *   decoder       yes: keeps keys and values while it writes (no)
 *   tied          yes: output and input embedding are one matrix (yes)
 *   attention     full: the sequence x sequence matrices are kept for the backward pass; flash:
 *                 they are not (full)
 *   dropout       (yes)
 *   norm          layernorm, 2 hidden parameters; rmsnorm, hidden (layernorm)
 *   attention_bias, ffn_bias
 *                 (yes)
 *   embedding_norm, final_norm, pooler
 *                 (no)
 *   positions, segments
 *                 rows of learned embeddings of place and of sentence (0)
 *   memory_length hidden states of earlier segments that every layer keeps: Transformer-XL (0)
 *   relative      yes: a projection of relative positions a layer, and two biases (no)
 *   embedding_parameters
 *                 replaces vocabulary x hidden (twice if not tied): adaptive embeddings
 *   logits_per_token
 *                 values that the output layer makes a token (vocabulary)
 *
 * [counts]        for what has no other kind, all required
 *   parameters
 *   activations   values a sample that training keeps
 *   largest_activation
 *                 values a sample of the largest layer, input and output; at most activations
 *
 * More than 1e15 parameters are refused of every kind. */
#ifndef CATALOGUE_NETWORK_H
#define CATALOGUE_NETWORK_H

#include "class.h"
#include "../base/arena.h"
#include "../base/date.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

enum network_kind { NETWORK_CNN, NETWORK_RNN, NETWORK_TRANSFORMER, NETWORK_COUNTS };
struct str network_kind_name(enum network_kind k);

enum optimizer { OPTIMIZER_SGD, OPTIMIZER_MOMENTUM, OPTIMIZER_ADAM };
struct str optimizer_name(enum optimizer o);

/* Values are numbers of one sample and carry no unit: whole, held in a double, exact below 2^53. */
struct cnn_shape {
	double maps, height, width;
};

/* One line of [layers], its repeats and the parts of its blocks together. */
struct cnn_layer {
	struct str text; /* as in the file: "conv 32 kernel 3" */
	struct cnn_shape in, out;
	double parameters;
	double kept;           /* values that the backward pass needs */
	double largest_output; /* of one operation */
	double
	    largest_step; /* input + output of one operation, and the shortcut it must not lose */
};

struct cnn {
	struct cnn_shape input;
	struct cnn_layer *layers;
	size_t nlayers;
};

enum rnn_cell { RNN_LSTM, RNN_GRU };

struct rnn {
	enum rnn_cell cell;
	double layers, hidden, vocabulary, embedding, sequence_length;
	bool bidirectional;
};

struct transformer {
	double layers, hidden, heads, kv_heads, head_dim, ffn, vocabulary, sequence_length,
	    positions, segments, memory_length, embedding_parameters, logits_per_token;
	bool gated, decoder, tied, flash, dropout, rmsnorm, attention_bias, ffn_bias,
	    embedding_norm, final_norm, pooler, relative;
};

struct counts {
	double parameters, activations, largest_activation;
};

struct network {
	struct str name;                   /* file name without .ini */
	struct str title, source, caution; /* caution may be empty */
	struct date date;
	enum network_kind kind;
	enum class_id class;
	enum optimizer optimizer;
	double batch_size, inference_batch_size;
	bool errors_kept;
	struct cnn cnn;
	struct rnn rnn;
	struct transformer transformer;
	struct counts counts;
	double parameters; /* computed from the shapes */
};

struct networks {
	struct network *v; /* by name, in byte order */
	size_t n;
	struct messages skipped; /* links and other special files that were passed over */
};

/* Errors: those of keyfile_read(); ERR_UNKNOWN a section, key, kind, class, layer or option that is
 * none of the above; ERR_SYNTAX a value that is not of its key's form, a required key missing,
 * layers not numbered 1, 2, 3 …; ERR_RANGE a number out of its bounds, a layer smaller than its
 * kernel, hidden not divisible by heads. Each with file and line. */
bool network_read(const char *path, struct arena *a, struct network *out, struct error *err);

/* Reads every DATA/networks/NAME.ini; without the folder there are none. */
bool networks_read(const char *data_dir, struct arena *a, struct networks *out, struct error *err);
/* NULL when there is none of that name. */
const struct network *network_find(const struct networks *n, struct str name);

#endif
