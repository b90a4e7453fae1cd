/* Inside onednn_lib.c and onednn_layout.c only: what is to be destroyed, and how statuses become
 * messages. */
#ifndef BENCH_ONEDNN_LIB_OWN_H
#define BENCH_ONEDNN_LIB_OWN_H

#include "onednn_lib.h"

/* A descriptor as the library's functions take it. */
#if DNNL_VERSION_MAJOR >= 3
#define LIB_MD(layout) ((layout)->md)
#else
#define LIB_MD(layout) (&(layout)->md)
#endif

/* What is to be destroyed, the last first. */
enum owned_kind { OWN_PRIMITIVE, OWN_DESC, OWN_MEMORY, OWN_STREAM, OWN_LAYOUT };
struct lib_owned {
	struct lib_owned *next;
	enum owned_kind kind;
	void *handle;
};
void lib_own(struct lib *l, enum owned_kind kind, void *handle);
/* False with "what: 3 not implemented" unless s says that it went well. */
bool lib_ok(dnnl_status_t s, const char *what, struct bench_error *err);

struct layout *layout_fresh(struct lib *l, dnnl_data_type_t type, int rank, const long *dims);
/* The parts of a descriptor that say how a tensor lies; false where it lies in no such way. */
struct blocking {
	int rank, inner;
	dnnl_dims_t dims, padded, strides, inner_sizes, inner_dims;
};
bool layout_blocking(const struct layout *a, struct blocking *b);

#endif
