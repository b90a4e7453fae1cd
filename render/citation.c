#include "citation.h"

/* What LaTeX does not take as it is. */
static const struct {
	char c;
	struct str tex;
} tex_specials[] = {
	{ '\\', STR_INIT("\\textbackslash{}") },
	{ '{', STR_INIT("\\{") },
	{ '}', STR_INIT("\\}") },
	{ '~', STR_INIT("\\textasciitilde{}") },
	{ '^', STR_INIT("\\textasciicircum{}") },
	{ '&', STR_INIT("\\&") },
	{ '%', STR_INIT("\\%") },
	{ '$', STR_INIT("\\$") },
	{ '#', STR_INIT("\\#") },
	{ '_', STR_INIT("\\_") },
	{ '\n', STR_INIT(" ") },
};

static struct str tex_escape(struct arena *a, struct str s)
{
	struct strbuf b = { .arena = a };

	for (size_t i = 0; i < s.len; i++) {
		size_t k = 0;
		while (k < LEN(tex_specials) && tex_specials[k].c != s.p[i])
			k++;
		if (k < LEN(tex_specials))
			strbuf_add(&b, tex_specials[k].tex);
		else
			strbuf_addc(&b, s.p[i]);
	}
	return strbuf_str(&b);
}

/* The inside of a double-quoted YAML scalar: what YAML does not call printable is escaped, and so
 * is what turns the direction of the text around it. */
static struct str yaml_escape(struct arena *a, struct str s)
{
	struct strbuf b = { .arena = a };

	for (size_t at = 0; at < s.len;) {
		size_t from = at;
		unsigned c = str_next_utf8(s, &at);
		if (c == '"' || c == '\\')
			strbuf_printf(&b, "\\%c", (char)c);
		else if (!str_is_plain(c) || c == 0xfffe || c == 0xffff)
			strbuf_printf(&b, c < 0x100 ? "\\x%02x" : "\\u%04x", c);
		else if (c == 0xfffd)
			strbuf_add(&b, STR("\xef\xbf\xbd"));
		else
			strbuf_add(&b, str_slice(s, from, at));
	}
	return strbuf_str(&b);
}

struct str citation_bibtex(const struct report *r, struct arena *a)
{
	static const char *const months[] = { "jan", "feb", "mar", "apr", "may", "jun",
					      "jul", "aug", "sep", "oct", "nov", "dec" };
	int year, month, day;

	date_ymd(r->date, &year, &month, &day);
	return str_printf(a,
			  "@misc{gpuguide-" STR_FMT ",\n"
			  "  title  = {{" STR_FMT "}},\n"
			  "  author = {{gpuguide contributors}},\n"
			  "  year   = {%d},\n"
			  "  month  = %s,\n"
			  "  version = {" STR_FMT "},\n"
			  "  howpublished = {Report with its data; MANIFEST has the SHA-256 of "
			  "each file},\n"
			  "  note   = {Edition " STR_FMT " of " STR_FMT ", id " STR_FMT "},\n"
			  "}\n",
			  STR_ARG(r->edition_id), STR_ARG(tex_escape(a, r->title)), year,
			  months[month - 1], STR_ARG(r->edition_id),
			  STR_ARG(tex_escape(a, r->edition)), STR_ARG(date_iso(a, r->date)),
			  STR_ARG(r->edition_id));
}

struct str citation_cff(const struct report *r, struct arena *a)
{
	return str_printf(a,
			  "cff-version: 1.2.0\n"
			  "message: \"If you use these figures, please cite this edition.\"\n"
			  "type: dataset\n"
			  "title: \"" STR_FMT "\"\n"
			  "authors:\n"
			  "  - name: \"gpuguide contributors\"\n"
			  "version: \"" STR_FMT "\"\n"
			  "date-released: \"" STR_FMT "\"\n"
			  "abstract: \"" STR_FMT "\"\n"
			  "identifiers:\n"
			  "  - type: other\n"
			  "    value: \"" STR_FMT "\"\n"
			  "    description: \"Id of the edition: its date, and a hash of its data "
			  "and of what it was made from. MANIFEST beside this file has the SHA-256 "
			  "of each of its files.\"\n"
			  "keywords:\n"
			  "  - GPU\n"
			  "  - deep learning\n"
			  "  - benchmark\n"
			  "  - price\n",
			  STR_ARG(yaml_escape(a, r->title)), STR_ARG(yaml_escape(a, r->edition_id)),
			  STR_ARG(date_iso(a, r->date)), STR_ARG(yaml_escape(a, r->subtitle)),
			  STR_ARG(yaml_escape(a, r->edition_id)));
}
