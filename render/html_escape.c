#include "html_escape.h"

static const struct {
	unsigned c;
	struct str reference;
} references[] = {
	{ '&', STR_INIT("&amp;") },  { '<', STR_INIT("&lt;") },   { '>', STR_INIT("&gt;") },
	{ '"', STR_INIT("&quot;") }, { '\'', STR_INIT("&#39;") }, { '`', STR_INIT("&#96;") },
};

static void put_char(struct strbuf *out, unsigned c, struct str bytes)
{
	for (size_t i = 0; i < LEN(references); i++)
		if (references[i].c == c) {
			strbuf_add(out, references[i].reference);
			return;
		}
	/* controls, direction marks and the two noncharacters are no text in HTML either */
	bool control = (!str_is_plain(c) && c != '\n') || c == 0xfffe || c == 0xffff;
	strbuf_add(out, control || c == 0xfffd ? STR("\xef\xbf\xbd") : bytes);
}

void html_escape(struct strbuf *out, struct str text)
{
	for (size_t at = 0; at < text.len;) {
		size_t from = at;
		unsigned c = str_next_utf8(text, &at);
		put_char(out, c, str_slice(text, from, at));
	}
}
