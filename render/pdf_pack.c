#include "pdf_pack.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* More objects in one stream pack better and take longer to reach. */
enum { OBJECTS_A_STREAM = 400, XREF_LINE = 20, COMPRESSION = 9 };

enum object_kind { OBJECT_FREE, OBJECT_STREAM, OBJECT_PLAIN };

struct object {
	enum object_kind kind;
	struct str text; /* between "obj" and "endobj" */
	size_t offset;   /* STREAM: in the new file */
	size_t pack, at; /* PLAIN: number of its object stream, and its place there */
};

struct pack {
	struct str in;
	struct arena *a;
	struct object *v; /* by number; 0 is never used */
	size_t n;         /* first number that is free */
	struct str trailer;
	struct strbuf out;
	struct error *err;
};

static bool broken(struct pack *p, const char *what, size_t at)
{
	return error_set(p->err, ERR_ENVIRONMENT, "PDF library: %s at byte %zu of its file", what,
			 at);
}

/* ---- reading ---- */

static size_t number_at(struct str s, size_t at)
{
	size_t v = 0;

	while (at < s.len && (s.p[at] == ' ' || s.p[at] == '\n' || s.p[at] == '\r'))
		at++;
	for (; at < s.len && s.p[at] >= '0' && s.p[at] <= '9' && v < SIZE_MAX / 16; at++)
		v = v * 10 + (size_t)(s.p[at] - '0');
	return v;
}

/* Last place of the needle, or len. */
static size_t find_last(struct str s, struct str needle)
{
	for (size_t at = s.len; at-- > 0;)
		if (str_starts(str_slice(s, at, s.len), needle))
			return at;
	return s.len;
}

static int by_offset(const void *x, const void *y)
{
	const struct object *a = *(const struct object *const *)x,
			    *b = *(const struct object *const *)y;

	return (a->offset > b->offset) - (a->offset < b->offset);
}

/* An object ends where the next one starts, the last one at the table. */
static bool cut_objects(struct pack *p, size_t table)
{
	struct object **sorted = arena_array(p->a, p->n, sizeof(struct object *));
	size_t n = 0;

	for (size_t i = 1; i < p->n; i++)
		if (p->v[i].kind != OBJECT_FREE)
			sorted[n++] = &p->v[i];
	qsort(sorted, n, sizeof(struct object *), by_offset);
	for (size_t i = 0; i < n; i++) {
		size_t end = i + 1 < n ? sorted[i + 1]->offset : table;
		struct str all = str_trim(str_slice(p->in, sorted[i]->offset, end));
		size_t from = str_find(all, STR("obj"), 0) + 3;

		if (!str_ends(all, STR("endobj")) || from + 6 > all.len)
			return broken(p, "no object", sorted[i]->offset);
		sorted[i]->text = str_trim(str_slice(all, from, all.len - 6));
		if (str_ends(sorted[i]->text, STR("endstream")))
			sorted[i]->kind = OBJECT_STREAM;
	}
	return true;
}

/* "xref\n0 N\n", N lines of 20 bytes, "trailer\n<<…>>\nstartxref\nPLACE\n%%EOF". */
static bool read_table(struct pack *p)
{
	size_t start = find_last(p->in, STR("startxref"));
	size_t table = start < p->in.len ? number_at(p->in, start + 9) : p->in.len;
	struct str rest = str_slice(p->in, table, p->in.len);

	if (!str_starts(rest, STR("xref\n0 ")))
		return broken(p, "no cross-reference table", table);
	p->n = number_at(rest, 7);
	size_t lines = table + str_find(rest, STR("\n"), 7) + 1;
	if (p->n == 0 || p->n > p->in.len / XREF_LINE || lines + p->n * XREF_LINE > start)
		return broken(p, "a cross-reference table of impossible size", table);
	p->v = arena_array(p->a, p->n, sizeof *p->v);
	for (size_t i = 1; i < p->n; i++) {
		struct str line =
		    str_slice(p->in, lines + i * XREF_LINE, lines + (i + 1) * XREF_LINE);
		if (line.p[17] != 'n')
			continue;
		p->v[i].kind = OBJECT_PLAIN;
		p->v[i].offset = number_at(line, 0);
		if (p->v[i].offset >= table)
			return broken(p, "an object beyond the table", lines + i * XREF_LINE);
	}
	p->trailer = str_slice(p->in, lines + p->n * XREF_LINE, start);
	return cut_objects(p, table);
}

/* ---- writing ---- */

static struct str deflated(struct pack *p, struct str text)
{
	uLongf len = compressBound((uLong)text.len);
	Bytef *data = arena_alloc(p->a, len);

	/* Fails only for want of room or memory; neither can be. */
	if (compress2(data, &len, (const Bytef *)text.p, (uLong)text.len, COMPRESSION) != Z_OK)
		len = 0;
	return (struct str){ (const char *)data, len };
}

/* "/Length 12 0 R" becomes the number itself, and object 12 is needed no more. */
static bool inline_length(struct pack *p, struct object *o, struct str *head, size_t *length)
{
	size_t end = str_find(o->text, STR("stream"), 0);
	size_t at = str_find(o->text, STR("/Length "), 0);
	size_t reference = number_at(o->text, at + 8);

	if (at >= end || reference == 0 || reference >= p->n
	    || p->v[reference].kind == OBJECT_STREAM)
		return broken(p, "a stream without a length", o->offset);
	*length = number_at(p->v[reference].text, 0);
	p->v[reference].kind = OBJECT_FREE;
	size_t behind = str_find(o->text, STR("R"), at) + 1;
	*head = str_printf(p->a, STR_FMT "%zu" STR_FMT, STR_ARG(str_slice(o->text, 0, at + 8)),
			   *length, STR_ARG(str_slice(o->text, behind, end)));
	o->text = str_slice(o->text, end, o->text.len);
	return true;
}

static bool write_streams(struct pack *p)
{
	for (size_t i = 1; i < p->n; i++) {
		struct object *o = &p->v[i];
		struct str head;
		size_t length;

		if (o->kind != OBJECT_STREAM)
			continue;
		if (!inline_length(p, o, &head, &length))
			return false;
		o->offset = p->out.len;
		strbuf_printf(&p->out, "%zu 0 obj\n", i);
		strbuf_add(&p->out, head);
		strbuf_add(&p->out, o->text);
		strbuf_add(&p->out, STR("\nendobj\n"));
	}
	return true;
}

static void write_stream(struct pack *p, size_t number, struct str keys, struct str data)
{
	struct str packed = deflated(p, data);

	strbuf_printf(&p->out, "%zu 0 obj\n<<" STR_FMT "/Length %zu/Filter/FlateDecode>>stream\n",
		      number, STR_ARG(keys), packed.len);
	strbuf_add(&p->out, packed);
	strbuf_add(&p->out, STR("\nendstream\nendobj\n"));
}

/* One object stream: "number offset" of each object, then their texts. Returns where it stopped. */
static size_t write_pack(struct pack *p, size_t from, size_t number)
{
	struct strbuf head = { .arena = p->a }, body = { .arena = p->a };
	size_t i = from, n = 0;

	for (; i < p->n && n < OBJECTS_A_STREAM; i++) {
		struct object *o = &p->v[i];

		if (o->kind != OBJECT_PLAIN)
			continue;
		o->pack = number;
		o->at = n++;
		strbuf_printf(&head, "%zu %zu ", i, body.len);
		strbuf_add(&body, o->text);
		strbuf_addc(&body, '\n');
	}
	if (n == 0)
		return i;
	size_t first = head.len;
	strbuf_add(&head, strbuf_str(&body));
	write_stream(p, number, str_printf(p->a, "/Type/ObjStm/N %zu/First %zu", n, first),
		     strbuf_str(&head));
	return i;
}

static void put_be(unsigned char *to, size_t v, int bytes)
{
	for (int i = bytes - 1; i >= 0; i--, v >>= 8)
		to[i] = (unsigned char)(v & 0xFF);
}

enum { ROW_TYPE = 0, ROW_PLACE = 1, ROW_INDEX = 5, ROW_BYTES = 7 }; /* /W [1 4 2] */

/* Each row as its difference from the one above (PNG's predictor Up), which packs far better. */
static struct str xref_rows(struct pack *p, const size_t *packs, size_t npacks, size_t xref)
{
	struct strbuf b = { .arena = p->a };
	unsigned char above[ROW_BYTES] = { 0 }, row[ROW_BYTES];

	for (size_t i = 0; i < p->n + npacks + 1; i++) {
		memset(row, 0, sizeof row);
		if (i >= p->n) {
			row[ROW_TYPE] = 1;
			put_be(row + ROW_PLACE, i - p->n < npacks ? packs[i - p->n] : xref, 4);
		} else if (p->v[i].kind == OBJECT_STREAM) {
			row[ROW_TYPE] = 1;
			put_be(row + ROW_PLACE, p->v[i].offset, 4);
		} else if (p->v[i].kind == OBJECT_PLAIN) {
			row[ROW_TYPE] = 2;
			put_be(row + ROW_PLACE, p->v[i].pack, 4);
			put_be(row + ROW_INDEX, p->v[i].at, 2);
		} else if (i == 0) {
			put_be(row + ROW_INDEX, 65535, 2);
		}
		strbuf_addc(&b, 2);
		for (int k = 0; k < ROW_BYTES; k++)
			strbuf_addc(&b, (char)(unsigned char)(row[k] - above[k]));
		memcpy(above, row, sizeof row);
	}
	return strbuf_str(&b);
}

/* The trailer's keys without its size: from "<<" to ">>". */
static bool trailer_keys(struct pack *p, struct str *keys)
{
	size_t open = str_find(p->trailer, STR("<<"), 0), close = find_last(p->trailer, STR(">>"));
	size_t size = str_find(p->trailer, STR("/Size "), 0);

	if (close >= p->trailer.len || size >= close)
		return broken(p, "no trailer", 0);
	size_t behind = str_find(p->trailer, STR("\n"), size);
	*keys = str_printf(p->a, STR_FMT STR_FMT,
			   STR_ARG(str_trim(str_slice(p->trailer, open + 2, size))),
			   STR_ARG(str_trim(str_slice(p->trailer, behind, close))));
	return true;
}

bool pdf_pack(struct str in, struct arena *a, struct str *out, struct error *err)
{
	struct pack p = { .in = in, .a = a, .out = { .arena = a }, .err = err };
	struct str keys;

	if (!read_table(&p) || !trailer_keys(&p, &keys))
		return false;
	strbuf_add(&p.out, STR("%PDF-1.7\n%\xE2\xE3\xCF\xD3\n"));
	if (!write_streams(&p))
		return false;
	size_t *packs = arena_array(a, p.n / OBJECTS_A_STREAM + 2, sizeof *packs), npacks = 0;
	for (size_t at = 1; at < p.n;) {
		packs[npacks] = p.out.len;
		at = write_pack(&p, at, p.n + npacks);
		npacks += p.out.len > packs[npacks];
	}
	size_t xref = p.out.len;
	keys = str_printf(
	    a, "/Type/XRef/Size %zu/W[1 4 2]/DecodeParms<</Predictor 12/Columns 7>>" STR_FMT,
	    p.n + npacks + 1, STR_ARG(keys));
	write_stream(&p, p.n + npacks, keys, xref_rows(&p, packs, npacks, xref));
	strbuf_printf(&p.out, "startxref\n%zu\n%%%%EOF\n", xref);
	*out = strbuf_str(&p.out);
	return true;
}
