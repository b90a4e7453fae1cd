#include "base64.h"

static unsigned hex_digit(char c)
{
	return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

struct str base64_of_hex(struct arena *a, struct str hex)
{
	static const char digits[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	struct strbuf b = { .arena = a };

	/* six hex digits are three bytes are four digits of base 64 */
	for (size_t i = 0; i < hex.len; i += 6) {
		unsigned bits = 0;
		size_t have = hex.len - i < 6 ? hex.len - i : 6;
		for (size_t k = 0; k < 6; k++)
			bits = bits << 4 | (k < have ? hex_digit(hex.p[i + k]) : 0);
		for (size_t k = 0; k < 4; k++)
			strbuf_addc(&b, k <= have / 2 ? digits[bits >> (18 - 6 * k) & 63] : '=');
	}
	return strbuf_str(&b);
}
