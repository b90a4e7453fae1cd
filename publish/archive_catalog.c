/* What machines read of the archive page: https://schema.org/DataCatalog. */
#include "archive_parts.h"
#include "feed.h"

#include "../base/json_string.h"
#include "../render/html_meta.h"

static void put_member(struct strbuf *b, const char *name, struct str text)
{
	strbuf_printf(b, ", \"%s\": ", name);
	json_string(b, text);
}

/* The vocabulary asks for a description of 50 characters at least. */
static struct str description(const struct summary *s, struct arena *a)
{
	return str_printf(a,
			  STR_FMT ". " STR_FMT ". Deep-learning performance and prices of %d devices.",
			  STR_ARG(s->title), STR_ARG(s->subtitle), s->devices);
}

/* The page of the edition; below base_url where that is known. */
static struct str page_of(const struct archive_parts *p, const struct store_edition *e)
{
	return str_printf(p->arena, STR_FMT STR_FMT "/" STR_FMT, STR_ARG(p->opt->base_url),
			  STR_ARG(e->folder), STR_ARG(e->summary.languages[0].html));
}

static void put_dataset(struct strbuf *b, const struct archive_parts *p,
                        const struct store_edition *e)
{
	const struct summary *s = &e->summary;

	strbuf_add(b, STR("{\"@type\": \"Dataset\""));
	put_member(b, "@id", feed_edition_id(e, p->arena));
	put_member(b, "name", str_printf(p->arena, STR_FMT ", " STR_FMT, STR_ARG(s->title),
					 STR_ARG(e->folder)));
	put_member(b, "description", description(s, p->arena));
	put_member(b, "identifier", s->id);
	put_member(b, "version", s->id);
	put_member(b, "datePublished", date_iso(p->arena, e->date));
	put_member(b, "url", page_of(p, e));
	strbuf_addc(b, '}');
}

struct str archive_catalog(const struct archive_parts *p)
{
	struct strbuf json = { .arena = p->arena }, out = { .arena = p->arena };
	const struct store *s = p->store;

	strbuf_add(&json, STR("{\n\"@context\": \"https://schema.org\", \"@type\": \"DataCatalog\""));
	put_member(&json, "name", p->title);
	put_member(&json, "description", archive_description(p));
	if (p->opt->base_url.len > 0)
		put_member(&json, "url", p->opt->base_url);
	strbuf_add(&json, STR(", \"isAccessibleForFree\": true, \"creator\": {\"@type\": "
			      "\"Organization\", \"name\": \"gpuguide contributors\"}"));
	strbuf_add(&json, STR(",\n\"dataset\": ["));
	for (size_t n = 0; n < ARCHIVE_DATASETS && n < s->n; n++) {
		strbuf_add(&json, n > 0 ? STR(",\n") : STR("\n"));
		put_dataset(&json, p, &s->v[s->n - 1 - n]);
	}
	strbuf_add(&json, STR("\n]\n}"));
	html_put_json(&out, strbuf_str(&json));
	return strbuf_str(&out);
}
