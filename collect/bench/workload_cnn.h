/* ResNet-50 v1.5 and the shapes of its convolutions. */
#ifndef BENCH_WORKLOAD_CNN_H
#define BENCH_WORKLOAD_CNN_H

#include "plan.h"

enum { CNN_SHAPES_MAX = 64, CNN_BATCH = 64 };

struct conv_pass { enum op_kind kind; struct op_conv conv; };

/* The distinct convolutions in the order of the network, n = 1; returns how many (23). */
int cnn_resnet50_shapes(struct op_conv out[CNN_SHAPES_MAX]);

#endif
