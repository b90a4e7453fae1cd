#include "class.h"

struct class_text {
	struct str name, title;
};

/* In the order of enum class_id. */
static const struct class_text classes[] = {
	[CLASS_CNN] = { STR_INIT("cnn"), STR_INIT("CNN") },
	[CLASS_RNN_WORD] = { STR_INIT("rnn-word"), STR_INIT("Word RNN") },
	[CLASS_RNN_CHAR] = { STR_INIT("rnn-char"), STR_INIT("Char RNN") },
	[CLASS_TRANSFORMER] = { STR_INIT("transformer"), STR_INIT("Transformer") },
	[CLASS_LLM] = { STR_INIT("llm"), STR_INIT("LLM inference") },
	[CLASS_RECOMMENDER] = { STR_INIT("recommender"), STR_INIT("Recommender") },
	[CLASS_SPEECH] = { STR_INIT("speech"), STR_INIT("Speech") },
	[CLASS_GEMM] = { STR_INIT("gemm"), STR_INIT("Matrix product") },
	[CLASS_CONV] = { STR_INIT("conv"), STR_INIT("Convolution") },
	[CLASS_BANDWIDTH] = { STR_INIT("bandwidth"), STR_INIT("Bandwidth") },
	[CLASS_OTHER] = { STR_INIT("other"), STR_INIT("Other") },
};

struct precision_text {
	struct str name;
	enum precision_kind kind;
};

/* A precision as contributions spell it. pseudo-fp16 is DeepBench's: stored in 16 bit, computed
 * in 32. The weight formats are those of llama.cpp, and what the mxfp4, gptq and awq files of other
 * runners are called. */
static const struct precision_text precisions[] = {
	{ STR_INIT(""), PRECISION_UNSTATED },      { STR_INIT("fp64"), PRECISION_WIDE },
	{ STR_INIT("fp32"), PRECISION_32 },        { STR_INIT("tf32"), PRECISION_32 },
	{ STR_INIT("fp16"), PRECISION_16 },        { STR_INIT("bf16"), PRECISION_16 },
	{ STR_INIT("amp"), PRECISION_16 },         { STR_INIT("pseudo-fp16"), PRECISION_16 },
	{ STR_INIT("fp8"), PRECISION_8 },          { STR_INIT("int8"), PRECISION_8 },
	{ STR_INIT("fp4"), PRECISION_WEIGHTS },    { STR_INIT("int4"), PRECISION_WEIGHTS },
	{ STR_INIT("mxfp"), PRECISION_WEIGHTS },   { STR_INIT("mxfp4"), PRECISION_WEIGHTS },
	{ STR_INIT("nvfp4"), PRECISION_WEIGHTS },  { STR_INIT("awq"), PRECISION_WEIGHTS },
	{ STR_INIT("gptq"), PRECISION_WEIGHTS },   { STR_INIT("q2_k"), PRECISION_WEIGHTS },
	{ STR_INIT("q3_k_s"), PRECISION_WEIGHTS }, { STR_INIT("q3_k_m"), PRECISION_WEIGHTS },
	{ STR_INIT("q3_k_l"), PRECISION_WEIGHTS }, { STR_INIT("q4_0"), PRECISION_WEIGHTS },
	{ STR_INIT("q4_1"), PRECISION_WEIGHTS },   { STR_INIT("q4_k_s"), PRECISION_WEIGHTS },
	{ STR_INIT("q4_k_m"), PRECISION_WEIGHTS }, { STR_INIT("q5_0"), PRECISION_WEIGHTS },
	{ STR_INIT("q5_1"), PRECISION_WEIGHTS },   { STR_INIT("q5_k_s"), PRECISION_WEIGHTS },
	{ STR_INIT("q5_k_m"), PRECISION_WEIGHTS }, { STR_INIT("q6_k"), PRECISION_WEIGHTS },
	{ STR_INIT("q8_0"), PRECISION_WEIGHTS },   { STR_INIT("iq2_xxs"), PRECISION_WEIGHTS },
	{ STR_INIT("iq2_xs"), PRECISION_WEIGHTS }, { STR_INIT("iq3_xxs"), PRECISION_WEIGHTS },
	{ STR_INIT("iq3_s"), PRECISION_WEIGHTS },  { STR_INIT("iq4_nl"), PRECISION_WEIGHTS },
	{ STR_INIT("iq4_xs"), PRECISION_WEIGHTS },
};

static const struct str origins[] = {
	[ORIGIN_MEASURED] = STR_INIT("measured"),
	[ORIGIN_SCALED] = STR_INIT("scaled"),
	[ORIGIN_ESTIMATED] = STR_INIT("estimated"),
	[ORIGIN_EXCLUDED] = STR_INIT("excluded"),
};

struct str class_name(enum class_id c)
{
	return classes[c].name;
}

struct str class_title(enum class_id c)
{
	return classes[c].title;
}

bool class_parse(struct str s, enum class_id *out)
{
	for (size_t i = 0; i < LEN(classes); i++) {
		if (str_eq(classes[i].name, s)) {
			*out = (enum class_id)i;
			return true;
		}
	}
	return false;
}

bool precision_parse(struct str s, enum precision_kind *out)
{
	for (size_t i = 0; i < LEN(precisions); i++) {
		if (str_eq(precisions[i].name, s)) {
			*out = precisions[i].kind;
			return true;
		}
	}
	return false;
}

struct str origin_name(enum origin o)
{
	return origins[o];
}

bool origin_parse(struct str s, enum origin *out)
{
	for (size_t i = 0; i < LEN(origins); i++) {
		if (str_eq(origins[i], s)) {
			*out = (enum origin)i;
			return true;
		}
	}
	return false;
}
