#include "html_meta.h"
#include "href.h"
#include "html_card.h"
#include "html_escape.h"
#include "../base/json_string.h"
#include "../base/map.h"

#include <limits.h>

void html_put_json(struct strbuf *out, struct str json)
{
	for (size_t i = 0; i < json.len; i++) {
		char c = json.p[i];
		/* outside its strings JSON has none of these */
		if (c == '<' || c == '>' || c == '&')
			strbuf_printf(out, "\\u%04x", (unsigned)c);
		else
			strbuf_addc(out, c);
	}
}

/* <meta ATTRIBUTE="name" content="text">; nothing without text. */
static void put_meta(struct strbuf *b, const char *attribute, const char *name, struct str text)
{
	if (text.len == 0)
		return;
	strbuf_printf(b, "<meta %s=\"%s\" content=\"", attribute, name);
	html_escape(b, text);
	strbuf_add(b, STR("\">\n"));
}

struct str html_meta_picture(const struct report *r, struct arena *a)
{
	const struct report_figure *f = html_card_figure(r);
	size_t end = 0;

	if (!f)
		return STR("");
	for (size_t i = 0; i < f->svg_href.len; i++) /* beside the drawing it shows */
		if (f->svg_href.p[i] == '/')
			end = i + 1;
	return str_printf(a, STR_FMT "og.png", STR_ARG(str_slice(f->svg_href, 0, end)));
}

/* Open Graph names a country beside the language. */
static const struct {
	struct str language, locale;
} locales[] = {
	{ STR_INIT("en"), STR_INIT("en_US") },
	{ STR_INIT("zh-Hans"), STR_INIT("zh_CN") },
	{ STR_INIT("zh-Hant"), STR_INIT("zh_TW") },
};

static struct str locale_of(struct str language)
{
	for (size_t i = 0; i < LEN(locales); i++)
		if (str_eq(language, locales[i].language))
			return locales[i].locale;
	return STR("");
}

static void put_open_graph(struct strbuf *b, const struct report *r, struct arena *a)
{
	const struct report_figure *f = html_card_figure(r);

	put_meta(b, "property", "og:type", STR("article"));
	put_meta(b, "property", "og:title", r->title);
	put_meta(b, "property", "og:description", r->subtitle);
	put_meta(b, "property", "og:locale", locale_of(r->language));
	put_meta(b, "property", "article:published_time", date_iso(a, r->date));
	if (!f)
		return;
	put_meta(b, "property", "og:image", html_meta_picture(r, a));
	put_meta(b, "property", "og:image:type", STR("image/png"));
	put_meta(b, "property", "og:image:width", STR("1200"));
	put_meta(b, "property", "og:image:height", STR("630"));
	put_meta(b, "property", "og:image:alt", f->title);
	put_meta(b, "name", "twitter:card", STR("summary_large_image"));
}

struct str html_meta_head(const struct report *r, struct arena *a)
{
	struct strbuf b = { .arena = a };

	for (size_t i = 0; r->nalternates > 1 && i < r->nalternates; i++) {
		const struct report_alternate *alt = &r->alternates[i];
		if (!href_safe(alt->html_href))
			continue;
		strbuf_add(&b, STR("<link rel=\"alternate\" hreflang=\""));
		html_escape(&b, alt->language);
		strbuf_add(&b, STR("\" href=\""));
		html_escape(&b, alt->html_href);
		strbuf_add(&b, STR("\">\n"));
	}
	put_open_graph(&b, r, a);
	return strbuf_str(&b);
}

static void put_language(struct strbuf *b, const struct report_alternate *alt, bool here)
{
	strbuf_add(b, STR("<li><a href=\""));
	html_escape(b, alt->html_href);
	strbuf_add(b, STR("\" lang=\""));
	html_escape(b, alt->language);
	strbuf_add(b, STR("\" hreflang=\""));
	html_escape(b, alt->language);
	strbuf_add(b, here ? STR("\" aria-current=\"page\">") : STR("\">"));
	html_escape(b, alt->name);
	strbuf_add(b, STR("</a></li>\n"));
}

struct str html_meta_languages(const struct report *r, struct str label, struct arena *a)
{
	struct strbuf b = { .arena = a };

	if (r->nalternates < 2)
		return STR("");
	strbuf_add(&b, STR("<nav class=\"languages\" aria-label=\""));
	html_escape(&b, label);
	strbuf_add(&b, STR("\"><ul>\n"));
	for (size_t i = 0; i < r->nalternates; i++)
		if (href_safe(r->alternates[i].html_href))
			put_language(&b, &r->alternates[i],
				     str_eq(r->alternates[i].language, r->language));
	strbuf_add(&b, STR("</ul></nav>\n"));
	return strbuf_str(&b);
}

/* ---- schema.org ---- */

static void put_member(struct strbuf *b, const char *name, struct str text)
{
	if (text.len == 0)
		return;
	strbuf_printf(b, ",\n\"%s\": ", name);
	json_string(b, text);
}

static void put_download(struct strbuf *b, struct str href, const char *format, bool *first)
{
	strbuf_add(b, *first ? STR("\n") : STR(",\n"));
	strbuf_printf(b,
		      "{\"@type\": \"DataDownload\", \"encodingFormat\": \"%s\", "
		      "\"contentUrl\": ",
		      format);
	json_string(b, href);
	strbuf_addc(b, '}');
	*first = false;
}

static struct str csv_of(const struct report_block *block)
{
	if (block->kind == BLOCK_TABLE)
		return block->table->csv_href;
	return block->kind == BLOCK_FIGURE ? block->figure->csv_href : STR("");
}

/* Each file once, in the order in which the report links to them. */
static void put_distribution(struct strbuf *b, const struct report *r, struct arena *a)
{
	struct map seen = { .arena = a };
	bool first = true, fresh;

	strbuf_add(b, STR(",\n\"distribution\": ["));
	put_download(b, STR("report.json"), "application/json", &first);
	for (size_t i = 0; i < r->n; i++) {
		struct str href = csv_of(&r->blocks[i]);
		if (!href_safe(href))
			continue;
		map_put(&seen, href, i, &fresh);
		if (fresh)
			put_download(b, href, "text/csv", &first);
	}
	strbuf_add(b, STR("\n]"));
}

static void put_variable(struct strbuf *b, struct str name, const char *unit,
			 const char *description)
{
	strbuf_add(b, STR("\n{\"@type\": \"PropertyValue\", \"name\": "));
	json_string(b, name);
	strbuf_printf(b, ", \"unitText\": \"%s\", \"description\": \"%s\"}", unit, description);
}

static void put_variables(struct strbuf *b, const struct report_data *data, struct arena *a)
{
	strbuf_add(b, STR(",\n\"variableMeasured\": ["));
	for (size_t i = 0; i < data->nclasses; i++) {
		struct str class = class_title(data->classes[i]);
		put_variable(b, str_printf(a, "Performance, " STR_FMT, STR_ARG(class)), "ratio",
			     "Speed over that of the reference device, with its interval");
		strbuf_addc(b, ',');
	}
	put_variable(b, STR("Price"), "USD", "Dated price of the device, by market");
	strbuf_addc(b, ',');
	put_variable(b, STR("Performance per cost"), "ratio",
		     "Performance over cost; the best device of the class is 1");
	strbuf_add(b, STR("\n]"));
}

/* Licences that have an address; another one is left out here and stands in the report. */
static const struct {
	struct str name, url;
} licences[] = {
	{ STR_INIT("MIT"), STR_INIT("https://spdx.org/licenses/MIT.html") },
	{ STR_INIT("Apache-2.0"), STR_INIT("https://spdx.org/licenses/Apache-2.0.html") },
	{ STR_INIT("CC BY 4.0"), STR_INIT("https://creativecommons.org/licenses/by/4.0/") },
	{ STR_INIT("CC BY-SA 4.0"), STR_INIT("https://creativecommons.org/licenses/by-sa/4.0/") },
};

static void put_source(struct strbuf *b, const struct data_source *s)
{
	strbuf_add(b, STR("{\"@type\": \"CreativeWork\", \"name\": "));
	json_string(b, s->title.len ? s->title : s->series);
	strbuf_add(b, STR(", \"url\": "));
	json_string(b, s->url);
	for (size_t i = 0; i < LEN(licences); i++)
		if (str_eq(licences[i].name, s->licence)) {
			strbuf_add(b, STR(", \"license\": "));
			json_string(b, licences[i].url);
		}
	strbuf_addc(b, '}');
}

/* The benchmark series, one of each address. */
static void put_sources(struct strbuf *b, const struct report_data *data, struct arena *a)
{
	struct map seen = { .arena = a };
	bool any = false, fresh;

	strbuf_add(b, STR(",\n\"isBasedOn\": ["));
	for (size_t i = 0; i < data->nsources; i++) {
		const struct data_source *s = &data->sources[i];
		if (!href_safe(s->url))
			continue;
		map_put(&seen, s->url, i, &fresh);
		if (!fresh)
			continue;
		strbuf_add(b, any ? STR(",\n") : STR("\n"));
		put_source(b, s);
		any = true;
	}
	strbuf_add(b, STR("\n]"));
}

/* "2017-12-09/2025-12-10": the dates of the benchmark rows. */
static struct str coverage(const struct report_data *data, struct arena *a)
{
	struct date first = { .day = INT_MAX }, last = { .day = INT_MIN };

	for (size_t i = 0; i < data->nsources; i++) {
		const struct data_source *s = &data->sources[i];
		if (s->first_date.day != INT_MIN && s->first_date.day < first.day)
			first = s->first_date;
		if (s->last_date.day > last.day)
			last = s->last_date;
	}
	if (first.day == INT_MAX || last.day == INT_MIN)
		return STR("");
	return str_printf(a, STR_FMT "/" STR_FMT, STR_ARG(date_iso(a, first)),
			  STR_ARG(date_iso(a, last)));
}

struct str html_meta_dataset(const struct report *r, const struct report_data *data,
			     struct arena *a)
{
	struct strbuf b = { .arena = a };

	strbuf_add(&b, STR("{\n\"@context\": \"https://schema.org\",\n\"@type\": \"Dataset\""));
	put_member(&b, "name", r->title);
	/* the vocabulary asks for 50 characters at least: title and subtitle together have them */
	put_member(
	    &b, "description",
	    str_printf(a, STR_FMT ". " STR_FMT ".", STR_ARG(r->title), STR_ARG(r->subtitle)));
	put_member(&b, "identifier", r->edition_id);
	put_member(&b, "version", r->edition_id);
	put_member(&b, "datePublished", date_iso(a, r->date));
	put_member(&b, "inLanguage", r->language);
	strbuf_add(&b, STR(",\n\"isAccessibleForFree\": true,\n\"creator\": {\"@type\": "
			   "\"Organization\", \"name\": \"gpuguide contributors\"},\n\"keywords\": "
			   "[\"GPU\", \"deep learning\", \"benchmark\", \"price\"]"));
	put_member(&b, "measurementTechnique",
		   STR("Medians of repeated benchmark runs, joined over machines and workloads by "
		       "a robust fit; devices that nobody measured are scaled and marked as such"));
	/* no `license`: the data have no single one, each source has its own and some state none */
	put_member(&b, "creditText",
		   STR("Figures are quoted as facts from the works in isBasedOn, each under its "
		       "own licence"));
	if (data) {
		put_member(&b, "temporalCoverage", coverage(data, a));
		put_variables(&b, data, a);
		put_sources(&b, data, a);
	}
	put_distribution(&b, r, a);
	strbuf_add(&b, STR("\n}"));
	return strbuf_str(&b);
}
