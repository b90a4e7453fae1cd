/* Architecture classes, precisions and origins: the closed lists that every stage shares. */
#ifndef CATALOGUE_CLASS_H
#define CATALOGUE_CLASS_H

#include "../base/str.h"

#include <stdbool.h>

enum class_id {
	CLASS_CNN, CLASS_RNN_WORD, CLASS_RNN_CHAR, CLASS_TRANSFORMER, CLASS_LLM, CLASS_RECOMMENDER,
	CLASS_SPEECH, CLASS_GEMM, CLASS_CONV, CLASS_BANDWIDTH, CLASS_OTHER,
	CLASS_COUNT
};

/* "rnn-word"; in files and options. */
struct str class_name(enum class_id c);
/* "Word RNN"; in the report. */
struct str class_title(enum class_id c);
bool class_parse(struct str s, enum class_id *out);

/* How a precision counts for the policies of an edition. */
enum precision_kind { PRECISION_UNSTATED, PRECISION_WIDE, PRECISION_32, PRECISION_16, PRECISION_8,
	PRECISION_WEIGHTS };

/* Known precisions: fp64 fp32 tf32 fp16 bf16 amp fp8 int8, the weight formats of llama.cpp, …;
 * empty text is PRECISION_UNSTATED. False for a name that is not in the list. */
bool precision_parse(struct str s, enum precision_kind *out);

/* Where a score comes from. The four are never confused: each is drawn and written differently. */
enum origin { ORIGIN_MEASURED, ORIGIN_SCALED, ORIGIN_ESTIMATED, ORIGIN_EXCLUDED };
struct str origin_name(enum origin o); /* "measured" … */
bool origin_parse(struct str s, enum origin *out);

#endif
