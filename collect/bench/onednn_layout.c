/* Layouts: what a memory descriptor says, and descriptors made to order; see onednn_lib.h. */
#include "onednn_lib_own.h"

#include <string.h>

struct layout *layout_fresh(struct lib *l, dnnl_data_type_t type, int rank, const long *dims)
{
	struct layout *out = arena_alloc(l->arena, sizeof *out);

	out->type = type;
	out->rank = rank;
	for (int i = 0; i < rank && i < LAYOUT_DIMS; i++)
		out->dims[i] = dims[i];
	return out;
}

static void to_dims(dnnl_dims_t out, int rank, const long *v)
{
	for (int i = 0; i < rank; i++)
		out[i] = v[i];
}

const struct layout *layout_make(struct lib *l, dnnl_data_type_t type, int rank, const long *dims,
				 const long *strides, struct bench_error *err)
{
	struct layout *out = layout_fresh(l, type, rank, dims);
	dnnl_dims_t d, s;

	to_dims(d, rank, dims);
	for (int i = rank; i-- > 0;)
		s[i] = strides ? strides[i] : i == rank - 1 ? 1 : s[i + 1] * d[i + 1];
#if DNNL_VERSION_MAJOR >= 3
	if (!lib_ok(dnnl_memory_desc_create_with_strides(&out->md, rank, d, type, s),
		    "memory descriptor", err))
		return NULL;
	lib_own(l, OWN_LAYOUT, out->md);
#else
	if (!lib_ok(dnnl_memory_desc_init_by_strides(&out->md, rank, d, type, s),
		    "memory descriptor", err))
		return NULL;
#endif
	out->bytes = dnnl_memory_desc_get_size(LIB_MD(out));
	return out;
}

#if DNNL_VERSION_MAJOR >= 3
/* 3.x cannot change the type of a descriptor: the format that gives the same one is looked for by
 * its name. */
static const struct layout *like_by_name(struct lib *l, const struct layout *a, struct layout *out)
{
	dnnl_dims_t d;

	to_dims(d, a->rank, a->dims);
	for (int tag = dnnl_format_tag_any + 1; tag < dnnl_format_tag_last; tag++) {
		dnnl_memory_desc_t same;
		if (dnnl_memory_desc_create_with_tag(&same, a->rank, d, a->type,
						     (dnnl_format_tag_t)tag)
		    != dnnl_success)
			continue;
		bool found = dnnl_memory_desc_equal(same, a->md);
		dnnl_memory_desc_destroy(same);
		if (found
		    && dnnl_memory_desc_create_with_tag(&out->md, a->rank, d, out->type,
							(dnnl_format_tag_t)tag)
			   == dnnl_success) {
			lib_own(l, OWN_LAYOUT, out->md);
			return out;
		}
	}
	return NULL;
}
#endif

const struct layout *layout_like(struct lib *l, const struct layout *a, dnnl_data_type_t type,
				 struct bench_error *err)
{
	struct layout *out = layout_fresh(l, type, a->rank, a->dims);

	if (a->type == type)
		return a;
#if DNNL_VERSION_MAJOR >= 3
	if (!like_by_name(l, a, out)) {
		bench_fail(err, BENCH_UNSUPPORTED, "onednn: a layout that has no name");
		return NULL;
	}
#else
	(void)err;
	out->md = a->md;
	out->md.data_type = type;
#endif
	out->bytes = dnnl_memory_desc_get_size(LIB_MD(out));
	return out;
}

bool layout_same(const struct layout *a, const struct layout *b)
{
	return a == b || dnnl_memory_desc_equal(LIB_MD(a), LIB_MD(b));
}

const struct layout *layout_swapped(struct lib *l, const struct layout *a, struct bench_error *err)
{
	static const int order[LAYOUT_DIMS] = { 1, 0, 2, 3, 4 };
	struct layout *out = layout_fresh(l, a->type, a->rank, a->dims);

	out->dims[0] = a->dims[1];
	out->dims[1] = a->dims[0];
	if (!lib_ok(dnnl_memory_desc_permute_axes(&out->md, LIB_MD(a), order), "memory descriptor", err))
		return NULL;
#if DNNL_VERSION_MAJOR >= 3
	lib_own(l, OWN_LAYOUT, out->md);
#endif
	out->bytes = dnnl_memory_desc_get_size(LIB_MD(out));
	return out;
}

bool layout_blocking(const struct layout *a, struct blocking *b)
{
#if DNNL_VERSION_MAJOR >= 3
	dnnl_format_kind_t kind;
	static const dnnl_query_t queries[] = { dnnl_query_dims, dnnl_query_padded_dims,
						dnnl_query_strides, dnnl_query_inner_blks,
						dnnl_query_inner_idxs };
	dnnl_dims_t *const out[] = { &b->dims, &b->padded, &b->strides, &b->inner_sizes,
				     &b->inner_dims };

	if (dnnl_memory_desc_query(a->md, dnnl_query_format_kind, &kind) != dnnl_success
	    || kind != dnnl_blocked)
		return false;
	if (dnnl_memory_desc_query(a->md, dnnl_query_ndims_s32, &b->rank) != dnnl_success
	    || dnnl_memory_desc_query(a->md, dnnl_query_inner_nblks_s32, &b->inner) != dnnl_success)
		return false;
	for (size_t i = 0; i < LEN(queries); i++) {
		const dnnl_dims_t *v;
		if (dnnl_memory_desc_query(a->md, queries[i], (void *)&v) != dnnl_success)
			return false;
		memcpy(*out[i], *v, sizeof *out[i]);
	}
	return true;
#else
	const dnnl_blocking_desc_t *f = &a->md.format_desc.blocking;

	if (a->md.format_kind != dnnl_blocked)
		return false;
	b->rank = a->md.ndims;
	b->inner = f->inner_nblks;
	memcpy(b->dims, a->md.dims, sizeof b->dims);
	memcpy(b->padded, a->md.padded_dims, sizeof b->padded);
	memcpy(b->strides, f->strides, sizeof b->strides);
	memcpy(b->inner_sizes, f->inner_blks, sizeof b->inner_sizes);
	memcpy(b->inner_dims, f->inner_idxs, sizeof b->inner_dims);
	return true;
#endif
}

/* Each channel's index must lie inside a run or outside of all places of a filter. */
static bool around_runs(const struct blocking *b, long run, long places)
{
	long blocks[2] = { b->padded[0], b->padded[1] };

	for (int i = 0; i < b->inner; i++) {
		if (b->inner_dims[i] > 1)
			return false;
		blocks[b->inner_dims[i]] /= b->inner_sizes[i];
	}
	for (int i = 0; i < 2; i++)
		if (blocks[i] > 1 && b->strides[i] >= run && b->strides[i] % (run * places) != 0)
			return false;
	return true;
}

bool layout_filters(const struct layout *a, struct filter_runs *out)
{
	struct blocking b;

	if (!layout_blocking(a, &b) || b.rank != 4)
		return false;
	long y = b.strides[2], x = b.strides[3], run = x < y ? x : y, places = b.dims[2] * b.dims[3];
	if (x < y ? y != x * b.dims[3] : x != y * b.dims[2])
		return false;
	*out = (struct filter_runs){ .places = places,
				     .bytes = (a->type == dnnl_bf16 ? 2 : 4) * (size_t)run };
	out->outer = (long)(a->bytes / out->bytes) / places;
	return around_runs(&b, run, places) && out->bytes * (size_t)(out->outer * places) == a->bytes;
}

bool layout_image(const struct layout *a, struct image *out)
{
	struct blocking b;

	if (!layout_blocking(a, &b) || b.rank != 4 || b.inner > 1 || b.padded[1] != b.dims[1])
		return false;
	if (b.inner == 1 && b.inner_dims[0] != 1)
		return false;
	out->n = b.dims[0];
	out->c = b.dims[1];
	out->h = b.dims[2];
	out->w = b.dims[3];
	out->pixels = out->h * out->w;
	out->block = b.inner == 1 ? b.inner_sizes[0] : b.strides[3] == out->c ? out->c : 1;
	/* pixels side by side, runs of blocks side by side, images side by side */
	return b.strides[3] == out->block && b.strides[2] == out->w * out->block
	       && (out->block == out->c || b.strides[1] == out->pixels * out->block)
	       && b.strides[0] == out->pixels * out->c;
}

static dnnl_format_tag_t image_tag(const struct image *m)
{
	static const struct { long block; dnnl_format_tag_t tag; } tags[] = {
		{ 1, dnnl_nchw }, { 4, dnnl_nChw4c }, { 8, dnnl_nChw8c }, { 16, dnnl_nChw16c },
	};

	for (size_t i = 0; i < LEN(tags); i++)
		if (tags[i].block == m->block && (m->block > 1 || m->c > 1))
			return tags[i].tag;
	return dnnl_nhwc;
}

static const struct layout *layout_tagged(struct lib *l, dnnl_data_type_t type, int rank,
					  const long *dims, dnnl_format_tag_t tag,
					  struct bench_error *err)
{
	struct layout *out = layout_fresh(l, type, rank, dims);
	dnnl_dims_t d;

	to_dims(d, rank, dims);
#if DNNL_VERSION_MAJOR >= 3
	if (!lib_ok(dnnl_memory_desc_create_with_tag(&out->md, rank, d, type, tag),
		    "memory descriptor", err))
		return NULL;
	lib_own(l, OWN_LAYOUT, out->md);
#else
	if (!lib_ok(dnnl_memory_desc_init_by_tag(&out->md, rank, d, type, tag), "memory descriptor",
		    err))
		return NULL;
#endif
	out->any = tag == dnnl_format_tag_any;
	out->bytes = out->any ? 0 : dnnl_memory_desc_get_size(LIB_MD(out));
	return out;
}

const struct layout *layout_blocked(struct lib *l, dnnl_data_type_t type, const struct image *m,
				    struct bench_error *err)
{
	return layout_tagged(l, type, 4, (long[]){ m->n, m->c, m->h, m->w }, image_tag(m), err);
}

const struct layout *layout_any(struct lib *l, dnnl_data_type_t type, int rank, const long *dims,
				struct bench_error *err)
{
	return layout_tagged(l, type, rank, dims, dnnl_format_tag_any, err);
}
