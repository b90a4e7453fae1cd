/* The ways of untrusted text into JSON, HTML, SVG, CSV, messages and file names: each gives the
 * text back, or what stands for it, and nothing more. */
#include "fuzz.h"

#include "../../base/csv_guard.h"
#include "../../base/num.h"
#include "../../base/csv_read.h"
#include "../../base/csv_write.h"
#include "../../base/json_string.h"
#include "../../collect/names.h"
#include "../../collect/unpack.h"
#include "../../fetch/shelf.h"
#include "../../fetch/source.h"
#include "../../prices/listing_template.h"
#include "../../render/href.h"
#include "../../render/html_escape.h"
#include "../../render/svg_tree.h"

#include <cjson/cJSON.h>

static bool all_plain(struct str text)
{
	for (size_t at = 0; at < text.len;) {
		size_t from = at;
		unsigned c = str_next_utf8(text, &at);
		if (!str_is_plain(c) || (c == 0xFFFD && at - from == 1))
			return false;
	}
	return true;
}

/* U+FFFE and U+FFFF, which neither HTML nor XML can hold, or U+FFFD itself. */
static bool has_replaced(struct str text)
{
	return str_find(text, STR("\xEF\xBF"), 0) < text.len;
}

static void try_json(struct str text, struct arena *a)
{
	struct strbuf b = { .arena = a };

	json_string(&b, text);
	cJSON *json = cJSON_ParseWithLength(b.p, b.len);
	fuzz_want(json && cJSON_IsString(json), "a JSON string");
	if (str_is_utf8(text) && !memchr(str_chars(text), '\0', text.len))
		fuzz_want(str_eq(str_of(json->valuestring), text), "JSON gives the text back");
	cJSON_Delete(json);
}

static void try_html(struct str text, struct arena *a)
{
	static const struct { struct str ref; char c;
	} refs[] = {
		{ STR_INIT("&amp;"), '&' },  { STR_INIT("&lt;"), '<' },
		{ STR_INIT("&gt;"), '>' },   { STR_INIT("&quot;"), '"' },
		{ STR_INIT("&#39;"), '\'' }, { STR_INIT("&#96;"), '`' },
	};
	struct strbuf b = { .arena = a }, back = { .arena = a };

	html_escape(&b, text);
	struct str s = strbuf_str(&b);
	for (size_t i = 0; i < s.len;) {
		size_t k = 0;
		fuzz_want(!memchr("<>\"'`", s.p[i], 5), "nothing that HTML acts on");
		while (k < LEN(refs) && !str_starts(str_slice(s, i, s.len), refs[k].ref))
			k++;
		fuzz_want(s.p[i] != '&' || k < LEN(refs), "a reference is one of these");
		strbuf_addc(&back, k < LEN(refs) ? refs[k].c : s.p[i]);
		i += k < LEN(refs) ? refs[k].ref.len : 1;
	}
	fuzz_want(str_is_utf8(s), "UTF-8");
	if (all_plain(text) && !has_replaced(text))
		fuzz_want(str_eq(strbuf_str(&back), text), "HTML gives the text back");
}

static void try_svg(struct str text, struct arena *a)
{
	struct strbuf b = { .arena = a }, back = { .arena = a };
	struct svg_node *root;
	struct error err = { 0 };

	strbuf_add(&b, STR("<svg><text>"));
	svg_escape(&b, text);
	strbuf_add(&b, STR("</text></svg>"));
	fuzz_want(svg_tree_parse(strbuf_str(&b), NULL, a, &root, &err) || b.len > SVG_BYTES_MAX,
		  "escaped text is XML");
	svg_text_add(root, &back);
	if (all_plain(text) && !has_replaced(text))
		fuzz_want(str_eq(strbuf_str(&back), text), "XML gives the text back");
}

static void try_csv(struct str text, struct arena *a)
{
	struct csv_out w = { .buf = { .arena = a } };
	struct csv_table t;
	struct error err = { 0 };

	csv_put(&w, STR("x"));
	csv_put(&w, STR("y"));
	csv_end_row(&w);
	csv_put(&w, text);
	csv_put(&w, STR("end"));
	csv_end_row(&w);
	if (!str_is_utf8(text))
		return;
	fuzz_want(csv_parse_text(strbuf_str(&w.buf), "x.csv", a, &t, &err),
		  "a written row can be read");
	fuzz_want(t.n == 1 && t.rows[0].n == 2 && str_eq(t.rows[0].cells[1].text, STR("end")),
		  "one row, two cells");
	struct str cell = t.rows[0].cells[0].text;
	double number;
	fuzz_want(cell.len == 0 || !strchr("=+-@\t\r", cell.p[0])
		      || (cell.p[0] == '-' && num_parse(cell, false, &number)),
		  "no spreadsheet runs it");
	if (!memchr(str_chars(text), '\0', text.len))
		fuzz_want(str_eq(csv_unguard(cell), text), "CSV gives the text back");
}

static void try_names(struct str text, struct arena *a)
{
	struct str plain = str_plain(a, text), clean = names_clean(a, text, 40),
		   safe = shelf_safe_name(text, a), slug = listing_slug(text, a);
	struct fetch_ssh_address address;

	fuzz_want(all_plain(plain) && str_eq(str_plain(a, plain), plain),
		  "plain text is plain, and stays so");
	fuzz_want(clean.len <= 43 && !memchr(str_chars(clean), '\n', clean.len),
		  "a clean name is short, on one line");
	fuzz_want(safe.len > 4 && safe.len <= SHELF_NAME_MAX && unpack_ending(safe).len > 0
		      && str_is_alnum(safe.p[0]) && !memchr(safe.p, '/', safe.len),
		  "a safe name");
	for (size_t i = 0; i < safe.len; i++)
		fuzz_want(str_is_alnum(safe.p[i]) || strchr("._-", safe.p[i]),
			  "of safe characters");
	for (size_t i = 0; i < slug.len; i++)
		fuzz_want((str_is_alnum(slug.p[i]) && (slug.p[i] < 'A' || slug.p[i] > 'Z'))
			      || slug.p[i] == '-',
			  "a slug is of small letters, digits and dashes");
	if (fetch_is_plain_path(text))
		fuzz_want(text.len && text.p[0] != '/' && text.p[0] != '-'
			      && str_find(text, STR(".."), 0) != 0,
			  "a plain path leads below");
	if (fetch_ssh_address_parse(text, &address))
		fuzz_want(address.host.len && address.host.p[0] != '-'
			      && (address.user.len == 0 || address.user.p[0] != '-'),
			  "an address is no option");
	if (href_safe(text))
		fuzz_want(str_find(text, STR("\""), 0) == text.len
			      && str_find(text, STR("<"), 0) == text.len
			      && !str_starts(text, STR("javascript:"))
			      && !str_starts(text, STR("//")),
			  "a link leads to a page");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = fuzz_text(data, size);
	struct arena a = { 0 };

	try_json(text, &a);
	try_html(text, &a);
	try_svg(text, &a);
	try_csv(text, &a);
	try_names(text, &a);
	arena_free(&a);
	return 0;
}
