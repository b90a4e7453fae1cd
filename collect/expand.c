#include "expand.h"

#include <errno.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

enum { BLOCK = 1 << 17 };

/* 15: the largest window; 16 more: a gzip header and trailer, which zlib then checks. */
enum { GZIP_WINDOW_BITS = 15 + 16 };

struct expander {
	struct expand_source from;
	enum expand_how how;
	const struct expand_limits *limits;
	char *in, *out;       /* BLOCK bytes each */
	struct str input;     /* read and not taken yet */
	size_t read, made;    /* bytes so far */
	bool ended;           /* nothing more to read */
	bool inside;          /* of a gzip member or a frame that is not complete */
	z_stream gzip;
	ZSTD_DStream *zstd;
};

static const char *const names[] = {
	[EXPAND_NONE] = "file", [EXPAND_GZIP] = "gzip data", [EXPAND_ZSTD] = "Zstandard data",
};

static bool fail(const struct expander *e, enum error_code code, struct error *err,
		 const char *what)
{
	return error_at(err, code, (struct pos){ e->from.name, 0, 0 }, "the %s %s", names[e->how],
			what);
}

static bool open_gzip(struct expander *e, struct error *err)
{
	e->gzip = (z_stream){ 0 };
	return inflateInit2(&e->gzip, GZIP_WINDOW_BITS) == Z_OK
	       || error_set(err, ERR_ENVIRONMENT, "zlib cannot be set up");
}

static bool open_zstd(struct expander *e, struct error *err)
{
	e->zstd = ZSTD_createDStream();
	return (e->zstd
		&& !ZSTD_isError(ZSTD_DCtx_setParameter(e->zstd, ZSTD_d_windowLogMax,
							e->limits->window_log)))
	       || error_set(err, ERR_ENVIRONMENT, "libzstd cannot be set up");
}

bool expand_open(const struct expand_source *from, enum expand_how how,
		 const struct expand_limits *limits, struct arena *a, struct expander **out,
		 struct error *err)
{
	struct expander *e = arena_alloc(a, sizeof *e);
	bool good = true;

	*e = (struct expander){ .from = *from, .how = how, .limits = limits, .inside = true };
	e->in = arena_alloc(a, BLOCK);
	e->out = arena_alloc(a, BLOCK);
	if (how == EXPAND_GZIP)
		good = open_gzip(e, err);
	else if (how == EXPAND_ZSTD)
		good = open_zstd(e, err);
	*out = e;
	if (!good) {
		expand_close(e);
		*out = NULL;
	}
	return good;
}

static bool take_bytes(struct expander *e)
{
	e->input = str_slice(e->from.bytes, 0, BLOCK);
	e->from.bytes = str_slice(e->from.bytes, e->input.len, e->from.bytes.len);
	return true;
}

static bool read_bytes(struct expander *e, struct error *err)
{
	ssize_t n;

	do
		n = read(e->from.fd, e->in, BLOCK);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return error_errno(err, e->from.name);
	e->input = (struct str){ e->in, (size_t)n };
	return true;
}

static void add_sent(struct expand_sent *sent, struct str bytes)
{
	const unsigned char *p = (const unsigned char *)str_chars(bytes);

	crypto_hash_sha256_update(&sent->sha256, p, bytes.len);
	crypto_hash_sha512_update(&sent->sha512, p, bytes.len);
}

/* Sees to it that there is input as long as there is any. */
static bool refill(struct expander *e, struct error *err)
{
	if (e->input.len || e->ended)
		return true;
	if (!(e->from.fd < 0 ? take_bytes(e) : read_bytes(e, err)))
		return false;
	e->ended = e->input.len == 0;
	e->read += e->input.len;
	if (e->from.sent)
		add_sent(e->from.sent, e->input);
	if (e->read > e->limits->packed)
		return error_at(err, ERR_RANGE, (struct pos){ e->from.name, 0, 0 },
				"the file has more than %zu bytes as it was sent",
				e->limits->packed);
	return true;
}

/* As much as fits from the input; *n bytes are in e->out then. */
static bool inflate_some(struct expander *e, size_t *n, struct error *err)
{
	z_stream *z = &e->gzip;

	if (!e->inside && e->input.len) {
		inflateReset(z);
		e->inside = true;
	}
	z->next_in = (Bytef *)(e->input.len ? e->input.p : e->in); /* zlib only reads it */
	z->avail_in = (uInt)e->input.len;
	z->next_out = (Bytef *)e->out;
	z->avail_out = BLOCK;
	int status = inflate(z, Z_NO_FLUSH);
	e->input = str_slice(e->input, e->input.len - z->avail_in, e->input.len);
	*n = BLOCK - z->avail_out;
	if (status == Z_STREAM_END) {
		e->inside = false;
		return true;
	}
	/* the latter: no input, told by expand_block */
	if (status == Z_OK || status == Z_BUF_ERROR)
		return true;
	return error_at(err, ERR_DATA, (struct pos){ e->from.name, 0, 0 },
			"the gzip data is damaged: %s", z->msg ? z->msg : "it cannot be expanded");
}

static bool zstd_failed(const struct expander *e, size_t status, struct error *err)
{
	struct pos pos = { e->from.name, 0, 0 };

	if (ZSTD_getErrorCode(status) == ZSTD_error_frameParameter_windowTooLarge)
		return error_at(err, ERR_RANGE, pos,
				"the Zstandard data is made with a window of more than %d MiB",
				1 << (e->limits->window_log - 20));
	return error_at(err, ERR_DATA, pos, "the Zstandard data is damaged: %s",
			ZSTD_getErrorName(status));
}

static bool unzstd_some(struct expander *e, size_t *n, struct error *err)
{
	ZSTD_inBuffer in = { e->input.p, e->input.len, 0 };
	ZSTD_outBuffer out = { e->out, BLOCK, 0 };
	size_t status = ZSTD_decompressStream(e->zstd, &out, &in);

	if (ZSTD_isError(status))
		return zstd_failed(e, status, err);
	e->inside = status != 0;
	e->input = str_slice(e->input, in.pos, e->input.len);
	*n = out.pos;
	return true;
}

static bool check_size(const struct expander *e, struct error *err)
{
	const struct expand_limits *l = e->limits;
	struct pos pos = { e->from.name, 0, 0 };

	if (e->made > l->expanded)
		return error_at(err, ERR_RANGE, pos, "the %s %s to more than %zu bytes",
				names[e->how], e->how == EXPAND_NONE ? "comes" : "expands",
				l->expanded);
	if (e->made > l->ratio_free && e->made / l->ratio > e->read - e->input.len)
		return error_at(err, ERR_RANGE, pos,
				"the %s expands to more than %zu times its size, as a bomb does",
				names[e->how], l->ratio);
	return true;
}

static bool expand_some(struct expander *e, struct str *block, struct error *err)
{
	size_t n = 0;

	if (!(e->how == EXPAND_GZIP ? inflate_some(e, &n, err) : unzstd_some(e, &n, err)))
		return false;
	*block = (struct str){ e->out, n };
	return true;
}

bool expand_block(struct expander *e, struct str *block, struct error *err)
{
	*block = (struct str){ 0 };
	while (block->len == 0) {
		if (!refill(e, err))
			return false;
		bool none = e->input.len == 0;
		if (none && (!e->inside || e->how == EXPAND_NONE))
			return true;
		if (e->how == EXPAND_NONE) {
			*block = e->input;
			e->input.len = 0;
		} else if (!expand_some(e, block, err)) {
			return false;
		}
		if (none && block->len == 0)
			return fail(e, ERR_DATA, err,
				    e->read ? "ends too early" : "is not there: the file is empty");
	}
	e->made += block->len;
	return check_size(e, err);
}

void expand_close(struct expander *e)
{
	if (!e)
		return;
	if (e->how == EXPAND_GZIP)
		inflateEnd(&e->gzip);
	ZSTD_freeDStream(e->zstd); /* NULL is nothing */
	e->zstd = NULL;
}
