#include "build.h"
#include "citation.h"
#include "format.h"

#include <math.h>

struct spans build_spans(struct build *b, const char *key, const struct text_arg *args)
{
	struct spans s = { .n = 0 };

	text_spans(b->text, key, args, b->arena, &s, b->err);
	return s;
}

struct str build_str(struct build *b, const char *key, const struct text_arg *args)
{
	struct spans s = build_spans(b, key, args);

	return spans_text(b->arena, &s);
}

void build_heading(struct build *b, int level, const char *id, const char *key,
		   const struct text_arg *args)
{
	report_heading(b->report, level, str_of(id), build_spans(b, key, args));
}

void build_text(struct build *b, const char *key, const struct text_arg *args)
{
	report_text(b->report, build_spans(b, key, args));
}

void build_note(struct build *b, enum note_tone tone, const char *key, const struct text_arg *args)
{
	report_note(b->report, tone, build_spans(b, key, args));
}

struct report_column build_column(struct build *b, const struct build_column *c)
{
	return (struct report_column){ .title = build_str(b, c->title_key, NULL),
				       .numeric = c->numeric,
				       .row_header = c->row_header,
				       .weight = c->weight };
}

struct report_table *build_table(struct build *b, const char *id, const char *caption_key,
				 const struct text_arg *args, const struct build_column *columns,
				 size_t ncolumns)
{
	struct report_table *t = arena_alloc(b->arena, sizeof *t);

	t->id = str_of(id);
	t->caption = build_str(b, caption_key, args);
	t->columns = arena_array(b->arena, ncolumns, sizeof *t->columns);
	t->ncolumns = ncolumns;
	for (size_t i = 0; i < ncolumns; i++)
		t->columns[i] = build_column(b, &columns[i]);
	return t;
}

void build_add_column(struct build *b, struct report_table *t, struct report_column column)
{
	size_t cap = t->ncolumns;

	t->columns = arena_grow(b->arena, t->columns, &cap, t->ncolumns + 1, sizeof *t->columns);
	t->columns[t->ncolumns++] = column;
}

void build_add_table(struct build *b, struct report_table *t, const char *csv_href)
{
	t->csv_href = str_of(csv_href);
	if (t->nrows > 0)
		report_add_table(b->report, t);
}

size_t build_rows_shown(size_t rows, size_t most)
{
	enum { A_FEW = 3 };

	return rows <= most + A_FEW ? rows : most;
}

struct str build_word(struct build *b, const char *section, struct str word)
{
	const char *key =
	    str_c(b->arena, str_printf(b->arena, "%s." STR_FMT, section, STR_ARG(word)));

	return text_has(b->text, key) ? build_str(b, key, NULL) : word;
}

void name_add(struct build *b, struct name_set *s, struct str name)
{
	bool fresh;

	if (name.len == 0)
		return;
	s->seen.arena = b->arena;
	map_put(&s->seen, name, s->n, &fresh);
	if (!fresh)
		return;
	s->v = arena_grow(b->arena, s->v, &s->cap, s->n + 1, sizeof *s->v);
	s->v[s->n++] = name;
}

void name_add_words(struct build *b, struct name_set *s, struct str list)
{
	struct str word;

	while (str_cut(&list, ' ', &word))
		name_add(b, s, word);
}

static struct str join_names(struct build *b, const struct name_set *s, size_t max,
			     const char *separator_key)
{
	struct strbuf names = { .arena = b->arena };
	/* "and 1 more" would take the room of the name it hides */
	size_t shown = s->n <= max + 1 ? s->n : max;

	for (size_t i = 0; i < shown; i++) {
		if (i > 0)
			strbuf_add(&names, build_str(b, separator_key, NULL));
		strbuf_add(&names, s->v[i]);
	}
	if (shown == s->n)
		return strbuf_str(&names);
	return build_str(b, "list.more",
			 (struct text_arg[]){ text_arg("names", strbuf_str(&names)),
					      text_arg_int("n", (long)(s->n - shown), b->arena),
					      text_arg_end() });
}

struct str name_list(struct build *b, const struct name_set *s, size_t max)
{
	return join_names(b, s, max, "list.comma");
}

struct str name_list_or(struct build *b, const struct name_set *s)
{
	return join_names(b, s, s->n, "list.or");
}

struct str name_list_long(struct build *b, const struct name_set *s, size_t max)
{
	return join_names(b, s, max, "list.semicolon");
}

/* The sign before a figure, by its origin; NULL: none. An excluded one has no figure. */
static const char *const sign_keys[] = {
	[ORIGIN_MEASURED] = "sign.measured",
	[ORIGIN_SCALED] = "sign.scaled",
	[ORIGIN_ESTIMATED] = "sign.estimated",
	[ORIGIN_EXCLUDED] = NULL,
};

struct str build_figure(struct build *b, enum origin origin, double v, double low, double high)
{
	if (!sign_keys[origin] || !isfinite(v))
		return STR("");
	return build_str(
	    b, sign_keys[origin],
	    (struct text_arg[]){ text_arg("figure", format_interval(b->arena, v, low, high)),
				 text_arg_end() });
}

struct str build_class_title(struct build *b, struct str name)
{
	enum class_id class;

	return class_parse(name, &class) ? build_class(b, class) : name;
}

const struct data_price *build_card_price(const struct build *b, struct str device)
{
	for (size_t i = 0; i < b->data->nprices; i++) {
		const struct data_price *p = &b->data->prices[i];
		if (str_eq(p->lens, lens_name(LENS_CARD)) && str_eq(p->device, device)
		    && !isnan(p->price_usd))
			return p;
	}
	return NULL;
}

bool build_price_is_stale(const struct data_price *p)
{
	return data_has_word(p->status, STR("stale"));
}

const struct data_source *build_source(struct build *b, struct str series)
{
	for (size_t i = 0; i < b->data->nsources; i++)
		if (str_eq(b->data->sources[i].series, series))
			return &b->data->sources[i];
	return NULL;
}

typedef void chapter(struct build *b);

static chapter *const chapters[] = {
	chapter_headline, chapter_performance, chapter_value,	chapter_frontier, chapter_systems,
	chapter_prices,	  chapter_memory,      chapter_multi,	chapter_rent,	  chapter_trust,
	chapter_claims,	  chapter_vendors,     chapter_changes, chapter_method,	  chapter_sources,
	chapter_rejects,  chapter_cite,	       chapter_numbers,
};

bool report_build(const struct report_data *data, const struct text_catalogue *text,
		  struct report *r, struct error *err)
{
	struct build b = { .report = r, .data = data, .text = text, .arena = r->arena, .err = err };

	r->title = build_data_str(&b, data_setting(data, STR("title")));
	if (r->title.len == 0)
		r->title = build_str(&b, "report.title", NULL);
	r->edition = data_setting(data, STR("name"));
	r->date = data->date;
	const bool newest = str_eq(r->edition, STR("current")); /* its name says nothing */
	r->subtitle = build_str(&b, newest ? "report.subtitle_current" : "report.subtitle",
				(struct text_arg[]){ text_arg("edition", r->edition),
						     text_arg("date", build_date(&b, r->date)),
						     text_arg_end() });
	for (size_t i = 0; i < LEN(chapters); i++)
		chapters[i](&b);
	return err->code == ERR_NONE;
}
