/* Just enough of a PDF reader to check what render/ writes: one cross-reference stream, object
 * streams, Flate. Fails closed: what is not of that form is not read. */
#ifndef TESTS_PDF_READ_H
#define TESTS_PDF_READ_H

#include "../base/arena.h"
#include "../base/str.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

struct pdf_object {
	bool used, packed; /* packed: from an object stream */
	struct str text;   /* of a stream: its dictionary */
	struct str data;   /* of a stream: unpacked */
};

struct pdf_file {
	struct pdf_object *v; /* by number */
	size_t n;
	struct str trailer;
};

static inline bool pdf_is_delimiter(char c)
{
	return strchr(" \n\r\t/<>[]()", c) != NULL;
}

/* Behind the object that starts at `at`, nested ones counted. */
static inline size_t pdf_skip(struct str s, size_t at)
{
	int depth = 0;

	while (at < s.len && strchr(" \n\r\t", s.p[at]))
		at++;
	do {
		if (at >= s.len)
			return s.len;
		if (s.p[at] == '(') {
			for (at++; at < s.len && s.p[at] != ')'; at++)
				at += s.p[at] == '\\';
			at++;
		} else if (str_starts(str_slice(s, at, s.len), STR("<<")) || s.p[at] == '[') {
			depth++;
			at += s.p[at] == '[' ? 1 : 2;
		} else if (str_starts(str_slice(s, at, s.len), STR(">>")) || s.p[at] == ']') {
			depth--;
			at += s.p[at] == ']' ? 1 : 2;
		} else if (s.p[at] == '<') {
			at = str_find(s, STR(">"), at) + 1;
		} else if (strchr(" \n\r\t", s.p[at])) {
			at++;
		} else {
			for (at++; at < s.len && !pdf_is_delimiter(s.p[at]);)
				at++;
		}
	} while (depth > 0);
	return at;
}

static inline size_t pdf_number(struct str s, size_t at)
{
	while (at < s.len && strchr(" \n\r\t", s.p[at]))
		at++;
	return at < s.len ? (size_t)strtoul(str_slice(s, at, s.len).p, NULL, 10) : 0;
}

/* "12 0 R" at this place: 12, else 0. */
static inline size_t pdf_reference(struct str s)
{
	size_t number = 0, generation = 1;
	char letter = 0;
	char head[32] = { 0 };

	if (s.len > 0)
		memcpy(head, s.p, s.len < 31 ? s.len : 31);
	return sscanf(head, " %zu %zu %c", &number, &generation, &letter) == 3 && letter == 'R'
		       && generation == 0
		   ? number
		   : 0;
}

/* The value of a key of this dictionary itself, not of one inside it; empty when it has none. */
static inline struct str pdf_key(struct str dict, const char *key)
{
	size_t at = str_find(dict, STR("<<"), 0) + 2;

	while (at < dict.len) {
		while (at < dict.len && strchr(" \n\r\t", dict.p[at]))
			at++;
		if (at >= dict.len || dict.p[at] != '/')
			break;
		size_t end = pdf_skip(dict, at);
		struct str name = str_slice(dict, at + 1, end);
		size_t value = end;
		end = pdf_skip(dict, end);
		/* a reference is three tokens */
		if (pdf_reference(str_slice(dict, value, dict.len)))
			end = pdf_skip(dict, pdf_skip(dict, end));
		if (str_eq(name, str_of(key)))
			return str_trim(str_slice(dict, value, end));
		at = end;
	}
	return STR("");
}

static inline struct str pdf_inflate(struct str in, struct arena *a)
{
	struct strbuf out = { .arena = a };
	unsigned char piece[65536];
	z_stream z = { .next_in = (Bytef *)(uintptr_t)in.p, .avail_in = (uInt)in.len };
	int status = inflateInit(&z);

	while (status == Z_OK) {
		z.next_out = piece;
		z.avail_out = sizeof piece;
		status = inflate(&z, Z_NO_FLUSH);
		strbuf_add(&out, (struct str){ (char *)piece, sizeof piece - z.avail_out });
	}
	inflateEnd(&z);
	return status == Z_STREAM_END ? strbuf_str(&out) : STR("");
}

/* The object at a byte of the file: "12 0 obj … endobj". */
static inline struct pdf_object pdf_object_at(struct str pdf, size_t at, struct arena *a)
{
	struct pdf_object o = { .used = true };
	size_t from = str_find(pdf, STR("obj"), at) + 3, to = pdf_skip(pdf, from);

	o.text = str_trim(str_slice(pdf, from, to));
	while (to < pdf.len && strchr(" \n\r", pdf.p[to]))
		to++;
	if (!str_starts(str_slice(pdf, to, pdf.len), STR("stream")))
		return o;
	size_t length = pdf_number(pdf_key(o.text, "Length"), 0);
	to += 6;
	to += pdf.p[to] == '\r';
	to += pdf.p[to] == '\n';
	o.data = str_slice(pdf, to, to + length);
	if (str_find(pdf_key(o.text, "Filter"), STR("FlateDecode"), 0)
	    < pdf_key(o.text, "Filter").len)
		o.data = pdf_inflate(o.data, a);
	return o;
}

static inline struct pdf_object pdf_packed(const struct pdf_object *stream, size_t index,
					   struct arena *a)
{
	size_t first = pdf_number(pdf_key(stream->text, "First"), 0), at = 0, offset = 0;
	char *head = arena_alloc(a, first + 1), *p = head;

	memcpy(head, stream->data.p, first);
	for (size_t i = 0; i <= index; i++) {
		strtoul(p, &p, 10); /* the object's number */
		offset = strtoul(p, &p, 10);
	}
	at = first + offset;
	return (struct pdf_object){ .used = true,
				    .packed = true,
				    .text =
					str_slice(stream->data, at, pdf_skip(stream->data, at)) };
}

/* Rows of /W [1 4 2], each the difference from the one above. */
static inline bool pdf_file_read(struct str pdf, struct arena *a, struct pdf_file *out)
{
	enum { COLUMNS = 7 };
	size_t start = pdf.len;

	while (start > 0 && !str_starts(str_slice(pdf, start, pdf.len), STR("startxref")))
		start--;
	struct pdf_object xref = pdf_object_at(pdf, pdf_number(pdf, start + 9), a);
	*out = (struct pdf_file){ .trailer = xref.text };
	out->n = pdf_number(pdf_key(xref.text, "Size"), 0);
	if (xref.data.len != out->n * (COLUMNS + 1))
		return false;
	out->v = arena_array(a, out->n, sizeof *out->v);
	unsigned char *rows = arena_array(a, out->n + 1, COLUMNS);
	for (size_t i = 0; i < out->n; i++)
		for (size_t k = 0; k < COLUMNS; k++)
			rows[(i + 1) * COLUMNS + k] =
			    (unsigned char)(rows[i * COLUMNS + k]
					    + (unsigned char)
						  xref.data.p[i * (COLUMNS + 1) + k + 1]);
	for (int pass = 1; pass <= 2; pass++) /* object streams before what they hold */
		for (size_t i = 0; i < out->n; i++) {
			const unsigned char *row = rows + (i + 1) * COLUMNS;
			size_t place = (size_t)row[1] << 24 | (size_t)row[2] << 16
				       | (size_t)row[3] << 8 | row[4];
			if (row[0] == 1 && pass == 1)
				out->v[i] = pdf_object_at(pdf, place, a);
			else if (row[0] == 2 && pass == 2)
				out->v[i] =
				    pdf_packed(&out->v[place], (size_t)(row[5] << 8 | row[6]), a);
		}
	return true;
}

/* What a value leads to: the object of a reference, or an object of the value itself. */
static inline struct pdf_object pdf_follow(const struct pdf_file *f, struct str value)
{
	size_t number = value.len > 0 ? pdf_reference(value) : 0;

	if (number > 0)
		return number < f->n ? f->v[number] : (struct pdf_object){ 0 };
	return (struct pdf_object){ .used = value.len > 0, .text = value };
}

/* Everything that the file says, unpacked. */
static inline struct str pdf_file_plain(struct str pdf, struct arena *a)
{
	struct pdf_file f;
	struct strbuf b = { .arena = a };

	if (!pdf_file_read(pdf, a, &f))
		return STR("");
	strbuf_add(&b, str_slice(pdf, 0, 8));
	strbuf_add(&b, f.trailer);
	for (size_t i = 0; i < f.n; i++) {
		strbuf_addc(&b, '\n');
		strbuf_add(&b, f.v[i].text);
		if (!str_eq(pdf_key(f.v[i].text, "Type"), STR("/ObjStm")))
			strbuf_add(&b, f.v[i].data);
	}
	strbuf_addc(&b, '\n');
	return strbuf_str(&b);
}

#endif
