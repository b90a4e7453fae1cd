#include "network_cnn.h"

#include "../base/num.h"

#include <math.h>
#include <stddef.h>

/* The options of one line, defaults in place. */
struct layer_options {
	double number; /* maps or units; 0: none given */
	double kernel_h, kernel_w, stride_h, stride_w, pad_h, pad_w, groups, out, repeat, shrink;
	bool bias, has_kernel, has_stride, has_pad, has_shrink;
};

/* One line on its way. `shape` is what the last operation gave. */
struct building {
	const struct keyfile_pair *line;
	struct layer_options opt;
	struct cnn_shape shape;
	struct cnn_layer *out;
	struct error *err;
};

enum { REPEAT_MAX = 10000 };

static bool wrong(const struct building *b, enum error_code code, const char *what)
{
	return error_at(b->err, code, b->line->pos, "layer " STR_FMT ": '" STR_FMT "': %s",
			STR_ARG(b->line->key), STR_ARG(b->line->value), what);
}

static bool parse_side(struct str s, double *out)
{
	int v;

	if (!num_parse_int(s, &v) || v > 1000000)
		return false;
	*out = v;
	return true;
}

/* "3" or "1x7". */
static bool parse_pair(struct str s, double *height, double *width)
{
	size_t x = str_find(s, STR("x"), 0);

	if (!parse_side(str_slice(s, 0, x), height))
		return false;
	*width = *height;
	return x == s.len || parse_side(str_slice(s, x + 1, s.len), width);
}

bool cnn_shape_parse(struct str text, struct cnn_shape *out)
{
	double *const to[] = { &out->maps, &out->height, &out->width };
	struct str piece;

	for (size_t i = 0; i < LEN(to); i++)
		if (!str_cut(&text, 'x', &piece) || !parse_side(str_trim(piece), to[i])
		    || *to[i] < 1)
			return false;
	return text.len == 0;
}

static double values(struct cnn_shape s)
{
	return s.maps * s.height * s.width;
}

/* An operation is over: `held` values must live beside its input and output (a shortcut). */
static void step(struct building *b, struct cnn_shape to, double parameters, bool kept, double held)
{
	double in = values(b->shape), out = values(to);

	b->out->parameters += parameters;
	b->out->kept += kept ? out : 0;
	b->out->largest_output = fmax(b->out->largest_output, out);
	b->out->largest_step = fmax(b->out->largest_step, in + out + held);
	b->shape = to;
}

static double side_after(double side, double kernel, double stride, double pad)
{
	return floor((side + 2 * pad - kernel) / stride) + 1;
}

struct conv {
	double maps, kernel_h, kernel_w, stride_h, stride_w, pad_h, pad_w, groups;
	bool bias, norm;
};

/* A convolution and, where it has one, its norm: both outputs are kept, for the norm needs what
 * went in. */
static bool convolve(struct building *b, const struct conv *c, double held)
{
	struct cnn_shape to = { c->maps,
				side_after(b->shape.height, c->kernel_h, c->stride_h, c->pad_h),
				side_after(b->shape.width, c->kernel_w, c->stride_w, c->pad_w) };
	double weights = b->shape.maps / c->groups * c->maps * c->kernel_h * c->kernel_w;

	if (b->opt.has_shrink) {
		to.height = b->shape.height - b->opt.shrink;
		to.width = b->shape.width - b->opt.shrink;
	}
	if (fmod(b->shape.maps, c->groups) != 0 || fmod(c->maps, c->groups) != 0)
		return wrong(b, ERR_RANGE, "the maps are not divisible by the groups");
	if (!(to.height >= 1 && to.width >= 1))
		return wrong(b, ERR_RANGE, "the output would have no side left");
	step(b, to, weights + (c->bias ? c->maps : 0), true, held);
	if (c->norm)
		step(b, to, 2 * c->maps, true, held);
	return true;
}

static bool build_conv(struct building *b)
{
	const struct layer_options *o = &b->opt;

	if (o->has_shrink && (o->has_stride || o->has_pad))
		return wrong(
		    b, ERR_SYNTAX,
		    "shrink says the output's side, so stride and pad cannot stand there too");
	return convolve(b,
			&(struct conv){ o->number, o->kernel_h, o->kernel_w, o->stride_h,
					o->stride_w, o->pad_h, o->pad_w, o->groups, o->bias,
					false },
			0);
}

static bool build_pool(struct building *b)
{
	struct layer_options o = b->opt;

	if (!o.has_kernel)
		return wrong(b, ERR_SYNTAX, "a pool needs a kernel");
	if (!o.has_stride) {
		o.stride_h = o.kernel_h;
		o.stride_w = o.kernel_w;
	}
	struct cnn_shape to = { b->shape.maps,
				side_after(b->shape.height, o.kernel_h, o.stride_h, o.pad_h),
				side_after(b->shape.width, o.kernel_w, o.stride_w, o.pad_w) };
	if (!(to.height >= 1 && to.width >= 1))
		return wrong(b, ERR_RANGE, "the output would have no side left");
	step(b, to, 0, true, 0);
	return true;
}

static bool build_global_pool(struct building *b)
{
	step(b, (struct cnn_shape){ b->shape.maps, 1, 1 }, 0, true, 0);
	return true;
}

static bool build_norm(struct building *b)
{
	step(b, b->shape, 2 * b->shape.maps, true, 0);
	return true;
}

/* In place: it overwrites its input. */
static bool build_relu(struct building *b)
{
	(void)b;
	return true;
}

static bool build_fc(struct building *b)
{
	double units = b->opt.number;

	step(b, (struct cnn_shape){ units, 1, 1 }, values(b->shape) * units + units, true, 0);
	return true;
}

/* The shortcut of a block that changes shape goes through a projection (1x1 convolution and norm);
 * it lives beside the block until the sum, which is made in place. The stride of a bottleneck is in
 * the 3x3 convolution. */
static bool build_block(struct building *b, const struct conv *convs, size_t n)
{
	struct cnn_shape in = b->shape;
	double stride = b->opt.stride_h, out = convs[n - 1].maps;

	for (size_t i = 0; i < n; i++)
		if (!convolve(b, &convs[i], values(in)))
			return false;
	struct cnn_shape end = b->shape;
	if (in.maps == out && stride == 1)
		return true;
	b->shape = in;
	struct conv projection = { out, 1, 1, stride, stride, 0, 0, 1, false, true };
	if (!convolve(b, &projection, values(end)))
		return false;
	b->shape = end;
	return true;
}

static bool build_bottleneck(struct building *b)
{
	double m = b->opt.number, s = b->opt.stride_h;
	double out = b->opt.out > 0 ? b->opt.out : 4 * m;
	const struct conv convs[] = {
		{ m, 1, 1, 1, 1, 0, 0, 1, false, true },
		{ m, 3, 3, s, s, 1, 1, b->opt.groups, false, true },
		{ out, 1, 1, 1, 1, 0, 0, 1, false, true },
	};

	return build_block(b, convs, LEN(convs));
}

static bool build_basic(struct building *b)
{
	double m = b->opt.number, s = b->opt.stride_h;
	const struct conv convs[] = {
		{ m, 3, 3, s, s, 1, 1, 1, false, true },
		{ m, 3, 3, 1, 1, 1, 1, 1, false, true },
	};

	return build_block(b, convs, LEN(convs));
}

/* Letters of the options that an operation takes. */
static const struct operation {
	struct str name;
	const char *options;
	bool has_number, block;
	bool (*build)(struct building *b);
} operations[] = {
	{ STR_INIT("conv"), "kspgbr-", true, false, build_conv },
	{ STR_INIT("pool"), "kspr", false, false, build_pool },
	{ STR_INIT("global-pool"), "", false, false, build_global_pool },
	{ STR_INIT("norm"), "", false, false, build_norm },
	{ STR_INIT("relu"), "", false, false, build_relu },
	{ STR_INIT("fc"), "r", true, false, build_fc },
	{ STR_INIT("bottleneck"), "sgor", true, true, build_bottleneck },
	{ STR_INIT("basic"), "sr", true, true, build_basic },
};

/* height and width are the same member where an option is one number. */
static const struct option {
	struct str name;
	char letter;
	size_t height, width;
	double least, most;
} options[] = {
#define PAIR(member)                                                                               \
	offsetof(struct layer_options, member##_h), offsetof(struct layer_options, member##_w)
#define SINGLE(member)                                                                             \
	offsetof(struct layer_options, member), offsetof(struct layer_options, member)
	{ STR_INIT("kernel"), 'k', PAIR(kernel), 1, 1e6 },
	{ STR_INIT("stride"), 's', PAIR(stride), 1, 1e6 },
	{ STR_INIT("pad"), 'p', PAIR(pad), 0, 1e6 },
	{ STR_INIT("groups"), 'g', SINGLE(groups), 1, 1e6 },
	{ STR_INIT("out"), 'o', SINGLE(out), 1, 1e6 },
	{ STR_INIT("repeat"), 'r', SINGLE(repeat), 1, REPEAT_MAX },
	{ STR_INIT("shrink"), '-', SINGLE(shrink), 0, 1e6 },
};

static bool next_word(struct str *rest, struct str *word)
{
	while (str_cut(rest, ' ', word))
		if (str_trim(*word).len) {
			*word = str_trim(*word);
			return true;
		}
	return false;
}

static bool takes(const struct operation *op, char letter)
{
	for (const char *p = op->options; *p; p++)
		if (*p == letter)
			return true;
	return false;
}

static bool bad_option(const struct building *b, const struct operation *op, struct str word)
{
	return error_at(b->err, ERR_UNKNOWN, b->line->pos,
			"layer " STR_FMT ": '" STR_FMT "' is no option of " STR_FMT,
			STR_ARG(b->line->key), STR_ARG(word), STR_ARG(op->name));
}

static bool take_option(struct building *b, const struct operation *op, struct str word,
			struct str *rest)
{
	char *base = (char *)&b->opt;
	struct str value;

	if (str_eq(word, STR("bias")) && takes(op, 'b')) {
		b->opt.bias = true;
		return true;
	}
	for (size_t i = 0; i < LEN(options); i++) {
		const struct option *o = &options[i];
		double *height = (double *)(void *)(base + o->height),
		       *width = (double *)(void *)(base + o->width);

		if (!str_eq(o->name, word) || !takes(op, o->letter))
			continue;
		if (!next_word(rest, &value) || !parse_pair(value, height, width)
		    || (o->height == o->width && str_find(value, STR("x"), 0) < value.len)
		    || *height < o->least || *width < o->least || *height > o->most
		    || *width > o->most)
			return error_at(b->err, ERR_SYNTAX, b->line->pos,
					"layer " STR_FMT ": " STR_FMT
					" needs a whole number from %g to %g",
					STR_ARG(b->line->key), STR_ARG(word), o->least, o->most);
		b->opt.has_kernel |= o->letter == 'k';
		b->opt.has_stride |= o->letter == 's';
		b->opt.has_pad |= o->letter == 'p';
		b->opt.has_shrink |= o->letter == '-';
		return true;
	}
	return bad_option(b, op, word);
}

static const struct operation *find_operation(struct str name)
{
	for (size_t i = 0; i < LEN(operations); i++)
		if (str_eq(operations[i].name, name))
			return &operations[i];
	return NULL;
}

static bool parse(struct building *b, const struct operation **op)
{
	struct str rest = b->line->value, word = STR("");

	next_word(&rest, &word);
	*op = find_operation(word);
	if (!*op)
		return error_at(
		    b->err, ERR_UNKNOWN, b->line->pos,
		    "layer " STR_FMT ": '" STR_FMT
		    "' is not conv, pool, global-pool, norm, relu, fc, bottleneck or basic",
		    STR_ARG(b->line->key), STR_ARG(word));
	if ((*op)->has_number
	    && (!next_word(&rest, &word) || !parse_side(word, &b->opt.number) || b->opt.number < 1))
		return wrong(b, ERR_SYNTAX, "expected a whole number from 1 behind the operation");
	while (next_word(&rest, &word))
		if (!take_option(b, *op, word, &rest))
			return false;
	return true;
}

bool cnn_layer_parse(const struct keyfile_pair *line, struct cnn_shape in, struct arena *a,
		     struct cnn_layer *out, struct error *err)
{
	struct building b = { .line = line,
			      .opt = { .kernel_h = 1,
				       .kernel_w = 1,
				       .stride_h = 1,
				       .stride_w = 1,
				       .groups = 1,
				       .repeat = 1 },
			      .shape = in,
			      .out = out,
			      .err = err };
	const struct operation *op;

	*out = (struct cnn_layer){ .text = str_dup(a, line->value), .in = in };
	if (!parse(&b, &op))
		return false;
	for (double i = 0; i < b.opt.repeat; i++) {
		if (i > 0 && op->block)
			b.opt.stride_h = b.opt.stride_w = 1;
		if (!op->build(&b))
			return false;
	}
	out->out = b.shape;
	return true;
}
