/* Networks read from their files: parameter counts of published networks, shapes, and every
 * refusal. */
#include "catalogue_fixture.h"

#include "../catalogue/network.h"

/* Counts of the published checkpoints: PyTorch's torchvision for ResNet-50 and VGG-16, the papers
 * and released configurations for the rest; Transformer-XL and the LSTMs from the sums of their
 * matrices by hand. */
static const struct {
	const char *name;
	double parameters;
} presets[] = {
	{ "resnet-50", 25557032 },
	{ "bert-base", 109482240 },
	{ "bert-large", 335141888 },
	{ "gpt-2", 124439808 },
	{ "gpt-2-xl", 1557611200 },
	{ "llama-7b", 6738415616 },
	{ "llama-13b", 13015864320 },
	{ "llama-70b", 68976648192 },
	/* 137349594 embeddings + 16 x (512 x 1536 + 2 x 512 x 512 + 2 x 512 x 2048 + 2560 + 2048) +
	   1024 */
	{ "transformer-xl-base", 191950298 },
	/* 39632762 + 18 x (1024 x 3072 + 2 x 1024 x 1024 + 2 x 1024 x 4096 + 5120 + 4096) + 2048 */
	{ "transformer-xl-large", 285167482 },
	/* 10000 x 512 + 2 x 2048 x (512 + 512 + 2) + 2 x 2048 x (1024 + 512 + 2) + 1024 x 10000 +
	   10000 */
	{ "word-bilstm", 25872144 },
	/* 100 x 128 + 2 x 2048 x (128 + 512 + 2) + 2 x 2048 x (1024 + 512 + 2) + 1024 x 100 + 100
	 */
	{ "char-bilstm", 9044580 },
	/* 9 x (3 x 32 + 32 x 64 + 64 x 96) */
	{ "guide-2016", 74592 },
	{ "guide-2016-valid", 74592 },
};

static void test_presets(struct test *t, struct arena *a)
{
	struct networks n;
	struct error err = { 0 };

	if (!networks_read("data", a, &n, &err))
		error_print(stdout, &err);
	test_ok(t, n.n == LEN(presets), "every preset is tested");
	for (size_t i = 0; i < LEN(presets); i++) {
		const struct network *p = network_find(&n, str_of(presets[i].name));
		test_near(t, p ? p->parameters : 0, presets[i].parameters, 0, presets[i].name);
	}
	test_ok(t, !network_find(&n, STR("resnet")), "no name by half");
	for (size_t i = 1; i < n.n; i++)
		if (str_cmp(n.v[i - 1].name, n.v[i].name) >= 0)
			test_ok(t, false, "in the order of names");
}

/* Line by line against a table of ResNet-50's layers: outputs of all convolutions of a stage, each
 * followed by a norm of the same size; their weights and two parameters a map of every norm. */
static void test_resnet(struct test *t, struct arena *a)
{
	static const struct {
		double kept, parameters, maps, side;
	} want[] = {
		{ 802816, 9408, 64, 112 },
		{ 802816, 128, 64, 112 },
		{ 0, 0, 64, 112 },
		{ 200704, 0, 64, 56 },
		{ 2 * 4415488.0, 212992 + 2816, 256, 56 },
		{ 2 * 3110912.0, 1212416 + 7168, 512, 28 },
		{ 2 * 2157568.0, 7077888 + 20480, 1024, 14 },
		{ 2 * 627200.0, 14942208 + 22528, 2048, 7 },
		{ 2048, 0, 2048, 1 },
		{ 1000, 2048000 + 1000, 1000, 1 },
	};
	struct network n;
	struct error err = { 0 };
	bool good =
	    network_read("data/networks/resnet-50.ini", a, &n, &err) && n.cnn.nlayers == LEN(want);

	test_ok(t, good, "ResNet-50 is read");
	for (size_t i = 0; good && i < LEN(want); i++) {
		const struct cnn_layer *l = &n.cnn.layers[i];
		test_near(t, l->kept, want[i].kept, 0, "values kept");
		test_near(t, l->parameters, want[i].parameters, 0, "parameters");
		test_ok(t,
			l->out.maps == want[i].maps && l->out.height == want[i].side
			    && l->out.width == want[i].side,
			"shape");
	}
	test_near(
	    t, good ? n.cnn.layers[4].largest_step : 0, 802816 * 3.0, 0,
	    "the widest step: norm of the first expansion, its input and the shortcut beside");
}

#define CNN                                                                                        \
	"[network]\ntitle = T\nkind = cnn\nclass = cnn\ndate = 2016-01-01\nsource = "              \
	"S\n[cnn]\ninput = 3x224x224\n"
#define LAYERS CNN "[layers]\n"
#define TRANSFORMER                                                                                \
	"[network]\ntitle = T\nkind = transformer\nclass = llm\ndate = 2016-01-01\nsource = S\n"   \
	"[transformer]\nlayers = 2\nhidden = 12\nheads = 4\nffn = 48\nvocabulary = "               \
	"100\nsequence_length = 8\n"
#define RNN                                                                                        \
	"[network]\ntitle = T\nkind = rnn\nclass = rnn-word\ndate = 2016-01-01\nsource = S\n"      \
	"[rnn]\ncell = gru\nlayers = 1\nhidden = 4\nbidirectional = no\nvocabulary = 10\n"         \
	"embedding = 3\nsequence_length = 5\n"
#define COUNTS                                                                                     \
	"[network]\ntitle = T\nkind = counts\nclass = cnn\ndate = 2016-01-01\nsource = "           \
	"S\n[counts]\n"

/* What one line makes of 3 x 224 x 224 unless it says otherwise: claim 29 and the formula of the
 * output side. */
static const struct {
	const char *name, *text;
	double maps, height, width, kept, parameters;
} layers[] = {
	{ "no padding: side - 2 for 3x3", LAYERS "1 = conv 8 kernel 3\n", 8, 222, 222,
	  8 * 222 * 222.0, 216 },
	{ "stride 2 halves the side", LAYERS "1 = conv 8 kernel 3 stride 2 pad 1\n", 8, 112, 112,
	  8 * 112 * 112.0, 216 },
	{ "stride 4 quarters it", LAYERS "1 = conv 8 kernel 3 stride 4 pad 1\n", 8, 56, 56,
	  8 * 56 * 56.0, 216 },
	{ "2x2 pooling leaves a quarter", LAYERS "1 = pool kernel 2\n", 3, 112, 112,
	  3 * 112 * 112.0, 0 },
	{ "bias", LAYERS "1 = conv 8 kernel 3 pad 1 bias\n", 8, 224, 224, 8 * 224 * 224.0, 224 },
	{ "groups", LAYERS "1 = conv 6 groups 3\n", 6, 224, 224, 6 * 224 * 224.0, 6 },
	{ "two numbers", LAYERS "1 = conv 2 kernel 1x7 pad 0x3 stride 1x2\n", 2, 224, 112,
	  2 * 224 * 112.0, 42 },
	{ "repeat", LAYERS "1 = conv 3 kernel 3 repeat 2\n", 3, 220, 220,
	  3 * (222 * 222 + 220 * 220.0), 162 },
	{ "shrink", LAYERS "1 = conv 4 kernel 3 shrink 3\n", 4, 221, 221, 4 * 221 * 221.0, 108 },
	/* conv 2 x (4 maps x 224^2), each with its norm, and the projection with its own: 6 outputs
	 */
	{ "basic block", LAYERS "1 = basic 4\n", 4, 224, 224, 6 * 4 * 224 * 224.0,
	  108 + 144 + 12 + 24 },
	{ "a block of the same shape has no projection", LAYERS "1 = basic 3\n", 3, 224, 224,
	  4 * 3 * 224 * 224.0, 81 * 2 + 12 },
};

static void test_layers(struct test *t, struct fixture *f)
{
	for (size_t i = 0; i < LEN(layers); i++) {
		struct network n;
		struct error err = { 0 };

		fixture_put(f, "n.ini", layers[i].text);
		bool good = network_read(fixture_path(f, "n.ini"), &f->arena, &n, &err);
		const struct cnn_layer *l = good ? &n.cnn.layers[0] : NULL;
		test_ok(t,
			l && l->out.maps == layers[i].maps && l->out.height == layers[i].height
			    && l->out.width == layers[i].width,
			layers[i].name);
		test_near(t, l ? l->kept : 0, layers[i].kept, 0, layers[i].name);
		test_near(t, l ? l->parameters : 0, layers[i].parameters, 0, layers[i].name);
	}
}

/* Claim 29: 96 kernels of 1x1 take 64x64x256 to 64x64x96. */
static void test_one_by_one(struct test *t, struct fixture *f)
{
	struct network n = { 0 };
	struct error err = { 0 };

	fixture_put(f, "n.ini",
		    "[network]\ntitle = T\nkind = cnn\nclass = cnn\ndate = 2016-01-01\nsource = S\n"
		    "[cnn]\ninput = 256x64x64\n[layers]\n1 = conv 96\n");
	test_ok(t, network_read(fixture_path(f, "n.ini"), &f->arena, &n, &err),
		"a 1x1 convolution");
	test_near(t, n.cnn.input.maps * n.cnn.input.height * n.cnn.input.width, 1048576, 0,
		  "values before it");
	test_near(t, n.cnn.nlayers ? n.cnn.layers[0].kept : 0, 393216, 0, "values behind it");
}

/* VGG-16 of torchvision: 138,357,544 parameters. */
static void test_vgg(struct test *t, struct fixture *f)
{
	struct network n = { 0 };
	struct error err = { 0 };

	fixture_put(f, "n.ini",
		    LAYERS "1 = conv 64 kernel 3 pad 1 bias repeat 2\n2 = pool kernel 2\n"
			   "3 = conv 128 kernel 3 pad 1 bias repeat 2\n4 = pool kernel 2\n"
			   "5 = conv 256 kernel 3 pad 1 bias repeat 3\n6 = pool kernel 2\n"
			   "7 = conv 512 kernel 3 pad 1 bias repeat 3\n8 = pool kernel 2\n"
			   "9 = conv 512 kernel 3 pad 1 bias repeat 3\n10 = pool kernel 2\n"
			   "11 = fc 4096 repeat 2\n12 = fc 1000\n");
	test_ok(t, network_read(fixture_path(f, "n.ini"), &f->arena, &n, &err), "VGG-16");
	test_near(t, n.parameters, 138357544, 0, "its parameters");
}

/* h 12, q = kv = 12, layers 2, by hand. The defaults: 100 x 12 tied; a layer 4 x 144 + 2 x 12 x 48
 * + 2 x 24 norms
 * + biases 48 + 60 = 1884. */
static const struct {
	const char *name, *text;
	double parameters;
} transformers[] = {
	{ "defaults", TRANSFORMER, 1200 + 2 * 1884 },
	{ "untied", TRANSFORMER "tied = no\n", 2400 + 2 * 1884 },
	{ "grouped queries: keys and values of 2 of 4 heads",
	  TRANSFORMER "kv_heads = 2\nattention_bias = no\n", 1200 + 2 * (1884 - 48 - 2 * 12 * 6) },
	{ "gated", TRANSFORMER "gated = yes\nffn_bias = no\n", 1200 + 2 * (1884 - 60 + 12 * 48) },
	{ "wide heads", TRANSFORMER "head_dim = 6\nattention_bias = no\n",
	  1200 + 2 * (1884 - 48 + 4 * 144) },
	{ "rmsnorm and a last norm", TRANSFORMER "norm = rmsnorm\nfinal_norm = yes\n",
	  1200 + 2 * (1884 - 24) + 12 },
	{ "places, sentences, their norm, pooler",
	  TRANSFORMER "positions = 8\nsegments = 2\nembedding_norm = yes\npooler = yes\n",
	  1200 + 2 * 1884 + 120 + 24 + 156 },
	{ "relative", TRANSFORMER "relative = yes\n", 1200 + 2 * (1884 + 144) + 24 },
	{ "embeddings of another make", TRANSFORMER "embedding_parameters = 77\n", 77 + 2 * 1884 },
	/* 30 + 3 x 4 x (3 + 4 + 2) + 4 x 10 + 10 */
	{ "gru", RNN, 188 },
	{ "counts", COUNTS "parameters = 6738415616\nactivations = 5\nlargest_activation = 2\n",
	  6738415616 },
};

static void test_transformers(struct test *t, struct fixture *f)
{
	for (size_t i = 0; i < LEN(transformers); i++) {
		struct network n = { 0 };
		struct error err = { 0 };

		fixture_put(f, "n.ini", transformers[i].text);
		if (!network_read(fixture_path(f, "n.ini"), &f->arena, &n, &err))
			error_print(stdout, &err);
		test_near(t, n.parameters, transformers[i].parameters, 0, transformers[i].name);
	}
}

static const struct {
	const char *name, *text;
	enum error_code code;
	int line;
	const char *msg;
} errors[] = {
	{ "shrink and stride", LAYERS "1 = conv 4 kernel 3 stride 2 shrink 3\n", ERR_SYNTAX, 10,
	  "layer 1: 'conv 4 kernel 3 stride 2 shrink 3': shrink says the output's side, so stride "
	  "and pad cannot stand there too" },
	{ "shrink and pad", LAYERS "1 = conv 4 shrink 3 pad 1\n", ERR_SYNTAX, 10,
	  "layer 1: 'conv 4 shrink 3 pad 1': shrink says the output's side, so stride and pad "
	  "cannot stand there too" },
	{ "a layer of more than everything",
	  "[network]\ntitle = T\nkind = counts\nclass = other\ndate = 2016-01-01\nsource = S\n"
	  "[counts]\nparameters = 1\nactivations = 10\nlargest_activation = 11\n",
	  ERR_RANGE, 10, "largest_activation: 11 is more than all activations, 10" },
	/* 1e8 x 1e8 of the embedding alone */
	{ "too many parameters",
	  "[network]\ntitle = T\nkind = rnn\nclass = other\ndate = 2016-01-01\nsource = S\n"
	  "[rnn]\ncell = lstm\nlayers = 1\nhidden = 1\nbidirectional = no\n"
	  "vocabulary = 100000000\nembedding = 100000000\nsequence_length = 1\n",
	  ERR_RANGE, 0, "the shapes give 1e+16 parameters, more than 1e+15" },
	{ "section", "[net]\na = b\n", ERR_UNKNOWN, 2, "section [net] is not known" },
	{ "key", "[network]\nname = b\n", ERR_UNKNOWN, 2, "key 'name' is not known in [network]" },
	{ "kind", "[network]\nkind = mlp\n", ERR_UNKNOWN, 2,
	  "kind: 'mlp' is not cnn, rnn, transformer or counts" },
	{ "class", "[network]\nclass = gan\n", ERR_UNKNOWN, 2, "class: 'gan' is not a class" },
	{ "date", "[network]\ndate = 2016\n", ERR_SYNTAX, 2,
	  "date: '2016' is not a day as YYYY-MM-DD" },
	{ "empty", "[network]\ntitle =\n", ERR_SYNTAX, 2, "title: '' is empty" },
	{ "optimizer", "[network]\noptimizer = lion\n", ERR_UNKNOWN, 2,
	  "optimizer: 'lion' is not sgd, momentum or adam" },
	{ "batch", "[network]\nbatch_size = 0\n", ERR_RANGE, 2,
	  "batch_size: '0' is not from 1 to 100000000" },
	{ "fraction", "[network]\nbatch_size = 1.5\n", ERR_SYNTAX, 2,
	  "batch_size: '1.5' is not a whole number" },
	{ "not a number", "[network]\nbatch_size = nan\n", ERR_SYNTAX, 2,
	  "batch_size: 'nan' is not a whole number" },
	{ "errors", "[network]\nerrors = yes\n", ERR_UNKNOWN, 2,
	  "errors: 'yes' is not freed or kept" },
	{ "missing", "[network]\ntitle = T\nkind = cnn\nclass = cnn\ndate = 2016-01-01\n",
	  ERR_SYNTAX, 0, "key 'source' of [network] is missing" },
	{ "missing in the kind's section", RNN "[cnn]\ninput = 1x1x1\n", ERR_UNKNOWN, 16,
	  "section [cnn]: a network of kind rnn has none" },
	{ "no shape",
	  "[network]\ntitle = T\nkind = rnn\nclass = cnn\ndate = 2016-01-01\nsource = S\n",
	  ERR_SYNTAX, 0, "key 'cell' of [rnn] is missing" },
	{ "layers of another kind", RNN "[layers]\n1 = relu\n", ERR_UNKNOWN, 16,
	  "section [layers]: a network of kind rnn has none" },
	{ "input", "[cnn]\ninput = 3x224\n", ERR_SYNTAX, 2,
	  "input: '3x224' is not MAPSxHEIGHTxWIDTH" },
	{ "input of four", "[cnn]\ninput = 3x2x2x2\n", ERR_SYNTAX, 2,
	  "input: '3x2x2x2' is not MAPSxHEIGHTxWIDTH" },
	{ "input of none", "[cnn]\ninput = 3x0x2\n", ERR_SYNTAX, 2,
	  "input: '3x0x2' is not MAPSxHEIGHTxWIDTH" },
	{ "no layers", CNN, ERR_SYNTAX, 0, "section [layers] is missing" },
	{ "numbering", LAYERS "2 = relu\n", ERR_SYNTAX, 10, "layer '2': the next number is 1" },
	{ "operation", LAYERS "1 = conv2d 3\n", ERR_UNKNOWN, 10,
	  "layer 1: 'conv2d' is not conv, pool, global-pool, norm, relu, fc, bottleneck or basic" },
	{ "no maps", LAYERS "1 = conv\n", ERR_SYNTAX, 10,
	  "layer 1: 'conv': expected a whole number from 1 behind the operation" },
	{ "option", LAYERS "1 = relu stride 2\n", ERR_UNKNOWN, 10,
	  "layer 1: 'stride' is no option of relu" },
	{ "value", LAYERS "1 = conv 3 kernel\n", ERR_SYNTAX, 10,
	  "layer 1: kernel needs a whole number from 1 to 1e+06" },
	{ "half a pair", LAYERS "1 = conv 3 kernel 3x\n", ERR_SYNTAX, 10,
	  "layer 1: kernel needs a whole number from 1 to 1e+06" },
	{ "stride 0", LAYERS "1 = conv 3 stride 0\n", ERR_SYNTAX, 10,
	  "layer 1: stride needs a whole number from 1 to 1e+06" },
	{ "a pair of groups", LAYERS "1 = conv 3 groups 3x3\n", ERR_SYNTAX, 10,
	  "layer 1: groups needs a whole number from 1 to 1e+06" },
	{ "groups", LAYERS "1 = conv 4 groups 2\n", ERR_RANGE, 10,
	  "layer 1: 'conv 4 groups 2': the maps are not divisible by the groups" },
	{ "too small", LAYERS "1 = conv 4 kernel 225\n", ERR_RANGE, 10,
	  "layer 1: 'conv 4 kernel 225': the output would have no side left" },
	{ "pool too small", LAYERS "1 = pool kernel 225\n", ERR_RANGE, 10,
	  "layer 1: 'pool kernel 225': the output would have no side left" },
	{ "pool", LAYERS "1 = pool stride 2\n", ERR_SYNTAX, 10,
	  "layer 1: 'pool stride 2': a pool needs a kernel" },
	{ "heads", TRANSFORMER "kv_heads = 3\n", ERR_RANGE, 0,
	  "kv_heads: 4 heads are not divisible by 3" },
	{ "counts", COUNTS "parameters = 0\n", ERR_RANGE, 8,
	  "parameters: '0' is not from 1 to 1e15" },
	{ "counts as words", COUNTS "parameters = 7B\n", ERR_SYNTAX, 8,
	  "parameters: '7B' is not a whole number" },
};

static void test_errors(struct test *t, struct fixture *f)
{
	for (size_t i = 0; i < LEN(errors); i++) {
		struct network n;
		struct error err = { 0 };

		fixture_put(f, "n.ini", errors[i].text);
		test_ok(t, !network_read(fixture_path(f, "n.ini"), &f->arena, &n, &err),
			errors[i].name);
		test_error(t, &err, errors[i].code, "n.ini", errors[i].line, 0, errors[i].msg,
			   errors[i].name);
	}
	struct network n;
	struct error err = { 0 };
	fixture_put(f, "n.ini",
		    "[network]\ntitle = T\nkind = transformer\nclass = llm\ndate = "
		    "2016-01-01\nsource = S\n[transformer]\n"
		    "layers = 2\nhidden = 10\nheads = 4\nffn = 48\nvocabulary = "
		    "100\nsequence_length = 8\n");
	test_ok(t, !network_read(fixture_path(f, "n.ini"), &f->arena, &n, &err),
		"hidden and heads");
	test_error(t, &err, ERR_RANGE, "n.ini", 0, 0,
		   "hidden: 10 is not divisible by 4 heads, and head_dim is not given",
		   "hidden and heads");
}

static void test_no_folder(struct test *t, struct fixture *f)
{
	struct networks n = { .n = 9 };
	struct error err = { 0 };

	test_ok(t, networks_read(f->dir, &f->arena, &n, &err) && n.n == 0,
		"without the folder there are none");
}

int main(void)
{
	struct test t = { 0 };
	struct fixture f;

	if (!fixture_open(&f))
		return 1;
	test_presets(&t, &f.arena);
	test_resnet(&t, &f.arena);
	test_layers(&t, &f);
	test_one_by_one(&t, &f);
	test_vgg(&t, &f);
	test_transformers(&t, &f);
	test_errors(&t, &f);
	test_no_folder(&t, &f);
	fixture_close(&f);
	return test_done(&t);
}
