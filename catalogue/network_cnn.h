/* The lines of [layers] (catalogue/network.h) to shapes and counts. */
#ifndef CATALOGUE_NETWORK_CNN_H
#define CATALOGUE_NETWORK_CNN_H

#include "keyfile.h"
#include "network.h"

/* in   what comes out of the layer below
 * out  counts of one sample; out->out goes into the layer above
 * Errors: ERR_UNKNOWN an operation or option that is not known; ERR_SYNTAX a number missing or
 * malformed, shrink beside stride or pad; ERR_RANGE a side that would fall below 1, maps that the
 * groups do not divide. */
bool cnn_layer_parse(const struct keyfile_pair *line, struct cnn_shape in, struct arena *a,
		     struct cnn_layer *out, struct error *err);

/* "3x224x224"; false when it is none, or a number is not in 1 .. 1e6. */
bool cnn_shape_parse(struct str text, struct cnn_shape *out);

#endif
