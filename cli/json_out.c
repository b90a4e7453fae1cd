#include "json_out.h"

#include "../base/num.h"
#include "../base/json_string.h"

#include <math.h>

static void start(struct strbuf *b, const char *key)
{
	char last = b->len ? b->p[b->len - 1] : '[';

	if (last != '{' && last != '[')
		strbuf_add(b, STR(", "));
	if (!key)
		return;
	json_string(b, str_of(key));
	strbuf_add(b, STR(": "));
}

void json_out_begin(struct strbuf *b, const char *key, char open)
{
	bool element = !key && b->len;

	if (element && b->p[b->len - 1] != '[')
		strbuf_addc(b, ',');
	if (element)
		strbuf_addc(b, '\n');
	else
		start(b, key);
	strbuf_addc(b, open);
}

void json_out_end(struct strbuf *b, char open)
{
	strbuf_addc(b, open == '{' ? '}' : ']');
}

void json_out_text(struct strbuf *b, const char *key, struct str text)
{
	start(b, key);
	json_string(b, str_plain(b->arena, text));
}

void json_out_known(struct strbuf *b, const char *key, struct str text)
{
	if (text.len)
		json_out_text(b, key, text);
	else
		json_out_null(b, key);
}

void json_out_number(struct strbuf *b, const char *key, double v)
{
	start(b, key);
	strbuf_add(b, isfinite(v) ? num_shortest(b->arena, v) : STR("null"));
}

void json_out_bool(struct strbuf *b, const char *key, bool v)
{
	start(b, key);
	strbuf_add(b, v ? STR("true") : STR("false"));
}

void json_out_null(struct strbuf *b, const char *key)
{
	start(b, key);
	strbuf_add(b, STR("null"));
}
