/* Packed files made in memory: tars by hand (so that they can be as wrong as wanted) and by
 * libarchive's writer, gzip and Zstandard by their libraries. */
#ifndef TESTS_UNPACK_FIXTURE_H
#define TESTS_UNPACK_FIXTURE_H

#include "catalogue_fixture.h"

#include "../collect/limits.h"
#include "../collect/packed.h"

#include <archive.h>
#include <archive_entry.h>
#include <zlib.h>
#include <zstd.h>

struct made {
	struct arena *arena;
	struct strbuf tar;
};

/* A ustar header with its sum (POSIX.1-1988), whatever the name: at most 100 bytes of it. */
static inline void made_header(struct made *m, struct str name, unsigned long long size, char type,
			       const char *link)
{
	char h[512] = { 0 };
	unsigned sum = 0;

	memcpy(h, name.p, name.len < 100 ? name.len : 100);
	memcpy(h + 100, "0000644", 8);
	memcpy(h + 108, "0000000", 8);
	memcpy(h + 116, "0000000", 8);
	snprintf(h + 124, 12, "%011llo", size);
	snprintf(h + 136, 12, "%011o", 1556668800U);
	memset(h + 148, ' ', 8);
	h[156] = type;
	memcpy(h + 157, link, strlen(link));
	memcpy(h + 257, "ustar\0" "00", 8);
	for (size_t i = 0; i < sizeof h; i++)
		sum += (unsigned char)h[i];
	snprintf(h + 148, 8, "%06o", sum);
	strbuf_add(&m->tar, (struct str){ h, sizeof h });
}

static inline void made_data(struct made *m, struct str text)
{
	strbuf_add(&m->tar, text);
	while (m->tar.len % 512)
		strbuf_addc(&m->tar, '\0');
}

static inline void made_file(struct made *m, struct str name, struct str text)
{
	made_header(m, name, text.len, '0', "");
	made_data(m, text);
}

static inline struct str made_end(struct made *m)
{
	for (int i = 0; i < 1024; i++)
		strbuf_addc(&m->tar, '\0');
	return strbuf_str(&m->tar);
}

static inline struct str made_gzip(struct str in, struct arena *a)
{
	z_stream z = { 0 };

	deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY);
	size_t size = deflateBound(&z, in.len);
	char *p = arena_alloc(a, size);
	z.next_in = (Bytef *)str_chars(in);
	z.avail_in = (uInt)in.len;
	z.next_out = (Bytef *)p;
	z.avail_out = (uInt)size;
	deflate(&z, Z_FINISH);
	size = z.total_out;
	deflateEnd(&z);
	return (struct str){ p, size };
}

/* With a sum at its end, as zstd(1) writes it; window_log 0: the library's choice. */
static inline struct str made_zstd(struct str in, int window_log, struct arena *a)
{
	ZSTD_CCtx *c = ZSTD_createCCtx();
	size_t size = ZSTD_compressBound(in.len);
	char *p = arena_alloc(a, size);
	ZSTD_inBuffer from = { str_chars(in), in.len, 0 };
	ZSTD_outBuffer to = { p, size, 0 };

	ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 1);
	ZSTD_CCtx_setParameter(c, ZSTD_c_contentSizeFlag, 0);
	if (window_log)
		ZSTD_CCtx_setParameter(c, ZSTD_c_windowLog, window_log);
	ZSTD_compressStream2(c, &to, &from, window_log ? ZSTD_e_flush : ZSTD_e_end);
	if (window_log) /* an end in a second call: the frame says its window instead of its size */
		ZSTD_compressStream2(c, &to, &from, ZSTD_e_end);
	ZSTD_freeCCtx(c);
	return (struct str){ p, to.pos };
}

/* In `format` ("ustar", "pax", "gnutar"), n names with their texts; sparse: the first is said to
 * have a hole. */
static inline struct str made_tar(const char *format, const struct str *names,
				  const struct str *texts, size_t n, bool sparse, struct arena *a)
{
	struct archive *w = archive_write_new();
	size_t size = 1 << 20, used = 0;
	char *p = arena_alloc(a, size);

	archive_write_set_format_by_name(w, format);
	archive_write_open_memory(w, p, size, &used);
	for (size_t i = 0; i < n; i++) {
		struct archive_entry *e = archive_entry_new();
		archive_entry_set_pathname(e, str_c(a, names[i]));
		archive_entry_set_size(e, (la_int64_t)texts[i].len);
		archive_entry_set_filetype(e, AE_IFREG);
		archive_entry_set_perm(e, 0644);
		archive_entry_set_mtime(e, 1556668800 + (time_t)i, 0);
		if (sparse && i == 0)
			archive_entry_sparse_add_entry(e, 0, 4);
		archive_write_header(w, e);
		archive_write_data(w, texts[i].p, texts[i].len);
		archive_entry_free(e);
	}
	archive_write_close(w);
	archive_write_free(w);
	return (struct str){ p, used };
}

#endif
