#include "json_string.h"

void json_string(struct strbuf *out, struct str text)
{
	strbuf_addc(out, '"');
	for (size_t at = 0; at < text.len;) {
		size_t from = at;
		unsigned c = str_next_utf8(text, &at);
		if (c == '"' || c == '\\')
			strbuf_printf(out, "\\%c", (char)c);
		else if (!str_is_plain(c))
			strbuf_printf(out, "\\u%04x", c);
		else if (c == 0xfffd)
			strbuf_add(out, STR("\xef\xbf\xbd"));
		else
			strbuf_add(out, str_slice(text, from, at));
	}
	strbuf_addc(out, '"');
}
