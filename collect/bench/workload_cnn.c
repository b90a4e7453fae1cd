#include "workload_cnn.h"

#include "workload.h"
#include "workload_net.h"

#include <string.h>

/* One stage of the network: so many blocks of (1x1 width, 3x3 width, 1x1 4 width); the first block
 * halves the image in its 3x3 (v1.5; v1 had it in the first 1x1) where stride is 2.
 * Source: He et al., CVPR 2016, table 1; v1.5: the stride as in the reference code of
 * torchvision. */
static const struct stage { int blocks; long width, stride, side; } stages[] = {
	{ 3, 64, 1, 56 }, { 4, 128, 2, 56 }, { 6, 256, 2, 28 }, { 3, 512, 2, 14 },
};

enum { CLASSES = 1000, EXPANSION = 4 };

static struct op_conv conv_of(long n, long ci, long side, long co, long k, long stride)
{
	struct op_conv c;

	memset(&c, 0, sizeof c);
	c.n = n;
	c.ci = ci;
	c.h = c.w = side;
	c.co = co;
	c.kh = c.kw = k;
	c.stride = stride;
	c.pad = k / 2;
	c.ho = c.wo = (side + 2 * c.pad - k) / stride + 1;
	return c;
}

/* A convolution and the norm behind it. */
static int conv_norm(struct net *n, struct str name, struct str norm, int x, struct op_conv c,
		     int residual, bool relu)
{
	int y = net_conv(n, name, x, &c);

	return net_batchnorm(n, norm, y, residual, relu, (long[]){ c.n, c.co, c.ho, c.wo });
}

static int block(struct net *n, int stage, int i, int x, long batch, long ci, long side,
		 long stride)
{
	long width = stages[stage].width, out = EXPANSION * width, half = (side - 1) / stride + 1;
	int at = stage + 1;
	int residual = x;

	int y = conv_norm(n, net_name(n, "layer%d.%d.conv1", at, i),
			  net_name(n, "layer%d.%d.bn1", at, i), x,
			  conv_of(batch, ci, side, width, 1, 1), -1, true);
	y = conv_norm(n, net_name(n, "layer%d.%d.conv2", at, i),
		      net_name(n, "layer%d.%d.bn2", at, i), y,
		      conv_of(batch, width, side, width, 3, stride), -1, true);
	if (ci != out)
		residual = conv_norm(n, net_name(n, "layer%d.%d.downsample", at, i),
				     net_name(n, "layer%d.%d.downsample.bn", at, i), x,
				     conv_of(batch, ci, side, out, 1, stride), -1, false);
	return conv_norm(n, net_name(n, "layer%d.%d.conv3", at, i),
			 net_name(n, "layer%d.%d.bn3", at, i), y,
			 conv_of(batch, width, half, out, 1, 1), residual, true);
}

/* The images come from memory of the device: loading them is no work of its. */
static void build_resnet50(const struct workload *w, struct plan *p)
{
	struct net n = net_make(p, true);
	long b = p->batch_size, ci = 64;
	int x = net_input(&n, STR("images"), (long[]){ b, 3, 224, 224, 0 });
	int labels = net_ids(&n, STR("labels"), b, FILL_UNIFORM_INT, CLASSES);

	(void)w;
	x = conv_norm(&n, STR("conv1"), STR("bn1"), x, conv_of(b, 3, 224, 64, 7, 2), -1, true);
	x = net_maxpool(&n, STR("maxpool"), x,
			&(struct op_window){ b, 64, 112, 112, 3, 2, 1, 56, 56 });
	for (int s = 0; s < (int)LEN(stages); s++) {
		long side = stages[s].side;
		for (int i = 0; i < stages[s].blocks; i++) {
			long stride = i == 0 ? stages[s].stride : 1;
			x = block(&n, s, i, x, b, ci, side, stride);
			side = (side - 1) / stride + 1;
			ci = EXPANSION * stages[s].width;
		}
	}
	x = net_avgpool(&n, STR("avgpool"), x, &(struct op_window){ b, ci, 7, 7, 7, 1, 0, 1, 1 });
	int weight = net_weight(&n, STR("fc.weight"), (long[]){ CLASSES, ci, 0 }, ci);
	int bias = net_bias(&n, STR("fc.bias"), CLASSES);
	x = net_linear(&n, STR("fc"), x, weight, bias, b, ci, CLASSES, ACTIVATION_NONE);
	net_loss(&n, STR("loss"), x, labels, b, CLASSES);
	net_backward(&n);
	net_sgd(&n);
}

static const struct workload resnet50 = {
	.name = STR_INIT("resnet50"),
	.group = STR_INIT("cnn"),
	.class = STR_INIT("cnn"),
	.title = STR_INIT("ResNet-50 training"),
	.kind = WORKLOAD_STEP,
	.metric = STR_INIT("throughput"),
	.unit = STR_INIT("images/s"),
	.per_unit = 1,
	.precisions = PRECISIONS_TRAIN,
	.batch = CNN_BATCH,
	.sample = 1,
	.grows = true,
	.quick = true,
	.sustained = true,
	.devices = 1,
	.build = build_resnet50,
};

void workload_add_cnn(struct workload_table *t)
{
	workload_table_add(t, resnet50);
}

int cnn_resnet50_shapes(struct op_conv out[CNN_SHAPES_MAX])
{
	struct arena a = { 0 };
	struct plan p = workload_plan(&resnet50, PRECISION_FP32, 1, &a);
	int n = 0;

	for (int i = 0; i < p.nops; i++) {
		bool known = p.ops[i].kind != OP_CONV;
		for (int k = 0; k < n && !known; k++)
			known = memcmp(&out[k], &p.ops[i].p.conv, sizeof out[k]) == 0;
		if (!known)
			out[n++] = p.ops[i].p.conv;
	}
	arena_free(&a);
	return n;
}
