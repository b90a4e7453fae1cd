#include "pack.h"

#include <string.h>

/* Seven bits a byte, the lowest first, the top bit set but in the last; the sign goes to bit 0, so
 * that small negative numbers are short too. */
void pack_put_int(struct strbuf *b, long long v)
{
	unsigned long long u = (unsigned long long)v << 1 ^ (v < 0 ? ~0ULL : 0);

	for (; u >= 0x80; u >>= 7)
		strbuf_addc(b, (char)(u | 0x80));
	strbuf_addc(b, (char)u);
}

void pack_put_num(struct strbuf *b, double v)
{
	strbuf_add(b, (struct str){ (const char *)&v, sizeof v });
}

void pack_put_str(struct strbuf *b, struct str s)
{
	pack_put_int(b, (long long)s.len);
	strbuf_add(b, s);
}

static void take_bytes(struct unpack *u, void *p, size_t n)
{
	if (u->bad || u->rest.len < n) {
		u->bad = true;
		memset(p, 0, n);
		return;
	}
	memcpy(p, u->rest.p, n);
	u->rest = str_slice(u->rest, n, u->rest.len);
}

long long unpack_int(struct unpack *u)
{
	unsigned long long v = 0;
	unsigned char byte = 0x80;

	for (int shift = 0; shift < 64 && (byte & 0x80); shift += 7) {
		take_bytes(u, &byte, 1);
		v |= (unsigned long long)(byte & 0x7f) << shift;
	}
	u->bad = u->bad || (byte & 0x80); /* more than 64 bits */
	return u->bad ? 0 : (long long)(v >> 1 ^ (v & 1 ? ~0ULL : 0));
}

size_t unpack_index(struct unpack *u, size_t end)
{
	long long v = unpack_int(u);

	if (v >= 0 && (unsigned long long)v < end)
		return (size_t)v;
	u->bad = true;
	return 0;
}

size_t unpack_count(struct unpack *u)
{
	return unpack_index(u, u->rest.len + 1);
}

bool unpack_bool(struct unpack *u)
{
	return unpack_index(u, 2) == 1;
}

double unpack_num(struct unpack *u)
{
	double v;

	take_bytes(u, &v, sizeof v);
	return v;
}

struct str unpack_str(struct unpack *u)
{
	size_t len = unpack_count(u);

	if (u->bad || len > u->rest.len) {
		u->bad = true;
		return (struct str){ 0 };
	}
	struct str s = str_slice(u->rest, 0, len);
	u->rest = str_slice(u->rest, len, u->rest.len);
	return s;
}

bool unpack_end(const struct unpack *u)
{
	return !u->bad && u->rest.len == 0;
}
