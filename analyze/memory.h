/* The memory that a network needs, part by part, and the cards that hold it.
 *
 * A part is a count of values times their bytes: e bytes an activation (fp32 4, 16 bit 2), b the
 * batch, s the sequence, h hidden, a heads of d, kv key-value heads, v logits a token.
 *
 * Training, bytes a parameter (Rajbhandari et al., ZeRO, SC 2020, section 3.1, arXiv:1910.02054)
 *   fp32         weights 4, gradients 4, states 0 (sgd), 4 (momentum), 8 (adam)
 *   fp16, bf16   weights 2, gradients 2, fp32 master weights 4, states as above: 16 with adam
 *
 * Training, activations
 *   cnn          the input once, and of each layer the values that the backward pass needs: twice
 *                where the network keeps errors (the guide of 2016: 2 x bytes x batch x maps x
 *                side^2); else the errors of the largest operation, in and out, besides
 *   transformer  a layer: e b (s (2 h + h + a d + a d + h + 2 ffn) + 2 kv d (s + memory)), that is two
 *                norms, attention in, queries, attention out, mlp in, mlp (4 ffn where gated), keys and
 *                values; with dropout 2 b s h for its masks.
 *                Scores a layer: b a s (s + memory) x (e, with dropout 2 e + 1); flash attention keeps
 *                one fp32 number a head and token instead (Dao et al. 2022, arXiv:2205.14135).
 *                In 16 bit with ffn = 4 h and dropout that is s b h (34 + 5 a s / h) of Korthikanti et
 *                al., Reducing Activation Recomputation, 2022, arXiv:2205.05198, equation 2.
 *                Recomputed: e s b h a layer, and one layer whole.
 *                Besides: embedded input, output layer 2 e s b h, logits in fp32 4 s b v.
 *   rnn          a layer and direction: gates, cell and output, 6 h (lstm) or 5 h (gru) values a token;
 *                embedded input, errors of one layer, logits in fp32
 *   counts       as stated, and the errors of the largest layer
 *
 * Inference
 *   weights      4, 2, 1 or 1/2 bytes; int8 and int4 with one 16-bit scale for 32 weights (blocks Q8_0
 *                and Q4_0 of llama.cpp), activations and cache then in 16 bit
 *   cache        of decoders: 2 x layers x kv x d x (s + memory) x b x e
 *   activations  of one layer at work; logits of the last token (rnn: of all)
 *
 * Always: CUDA context and library workspaces, overhead_mib of data/memory.ini.
 *
 * Units: a GB of a card is 2^30 bytes (an 11 GB card has 11 x 1024 MiB of chips), of which usable_share
 * is left to programs; a MiB is 2^20 bytes. */
#ifndef ANALYZE_MEMORY_H
#define ANALYZE_MEMORY_H

#include "../base/arena.h"
#include "../base/error.h"
#include "../base/str.h"
#include "../catalogue/device.h"
#include "../catalogue/network.h"

#include <stdbool.h>
#include <stddef.h>

#define MEMORY_GIB 1073741824.0
#define MEMORY_MIB 1048576.0

/* How far 16 bit carries: the guide's rule of thumb (2019: 8 GB do as 12 GB), and all of the data
 * halved (8 GB do as 16 GB). The guide states both. */
#define MEMORY_16_BIT_GUIDE 1.5
#define MEMORY_16_BIT_IDEAL 2.0

/* Convolutions are tuned for batches of 64 and more: below, a smaller batch saves memory at the
 * cost of speed (the guide, 2016). */
enum { MEMORY_SLOW_BATCH = 64 };

enum memory_mode { MEMORY_TRAINING, MEMORY_RECOMPUTE, MEMORY_INFERENCE, MEMORY_MODES };
struct str memory_mode_name(enum memory_mode m); /* "training", "training-recompute", "inference" */
bool memory_mode_parse(struct str s, enum memory_mode *out);

struct memory_precision {
	struct str name;
	double weight_bytes, activation_bytes;
	double scale_bytes; /* of quantised weights, a weight */
	bool trains;        /* else for inference only */
	bool master;        /* training keeps fp32 weights beside */
	bool quantised;
};

/* fp32, fp16, bf16, int8, int4; NULL for any other. */
const struct memory_precision *memory_precision_find(struct str name);
/* "fp32, fp16, bf16, int8, int4" */
struct str memory_precision_names(struct arena *a);

/* A board of several GPUs: memory_gb of devices.csv is shared by `gpus` of them. */
struct memory_board {
	struct str device; /* name as in devices.csv */
	int gpus;
	struct pos pos;
};

/* data/memory.ini: [memory] overhead_mib, overhead_source, usable_share, usable_source; [boards]
 * NAME = GPUS. */
struct memory_settings {
	double overhead_mib; /* of the CUDA context and library workspaces */
	double usable_share; /* of a card's memory, in (0, 1] */
	struct str overhead_source, usable_source;
	struct memory_board *boards;
	size_t nboards;
};

/* Errors: those of keyfile_read(); ERR_UNKNOWN, ERR_SYNTAX, ERR_RANGE with file and line. */
bool memory_settings_read(const char *data_dir, struct arena *a, struct memory_settings *out,
			  struct error *err);

/* ERR_UNKNOWN for a board that is no device of the catalogue. */
bool memory_boards_check(const struct memory_settings *s, const struct devices *devices,
			 struct error *err);

/* What a program finds on a device: memory_gb, or its share of a board; NAN when not known. */
double memory_device_gb(const struct memory_settings *s, const struct device *d);

struct memory_part {
	struct str name;
	double bytes;
};

/* total is the sum of the parts. */
struct memory_need {
	struct memory_part *parts;
	size_t n;
	double total_bytes;
};

/* Whether a network can be asked that: training needs a precision that trains; recomputation is
 * that of Transformers; quantised weights those of Transformers and, int8, of all. */
bool memory_possible(const struct network *net, enum memory_mode mode,
		     const struct memory_precision *p);

/* batch  > 0; memory_possible() holds */
void memory_need(const struct network *net, enum memory_mode mode, const struct memory_precision *p,
		 double batch, const struct memory_settings *s, struct arena *a,
		 struct memory_need *out);

/* The batch a mode has by default. */
double memory_batch(const struct network *net, enum memory_mode mode);

/* The memory_gb that a card must state to hold so many bytes. */
double memory_card_gb(double bytes, const struct memory_settings *s);

/* The largest batch that fits a card of `gb`; 0 when not even one sample does. */
double memory_largest_batch(const struct network *net, enum memory_mode mode,
			    const struct memory_precision *p, double gb,
			    const struct memory_settings *s, struct arena *a);

/* Notes on one need: slow small batches, the guide's factors, what the figure leaves out. */
struct memory_note_input {
	const struct network *net;
	enum memory_mode mode;
	const struct memory_precision *precision;
	double batch;
	const struct memory_settings *settings;
};
/* notes  out: *n sentences */
void memory_notes(const struct memory_note_input *in, struct arena *a, struct str **notes,
		  size_t *n);

#endif
