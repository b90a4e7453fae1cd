#include "summary.h"
#include "build.h"
#include "change_facts.h"
#include "change_say.h"
#include "../base/file.h"
#include "../base/json_string.h"
#include "../base/num.h"

#include <math.h>

/* ",\n NAME: " before a member; the first of an object has no comma. */
static void put_name(struct strbuf *out, const char *name, bool first)
{
	strbuf_printf(out, "%s\"%s\": ", first ? "" : ", ", name);
}

static void put_text(struct strbuf *out, const char *name, struct str text, bool first)
{
	put_name(out, name, first);
	json_string(out, text);
}

static void put_line(struct strbuf *out, const char *name, struct str text)
{
	strbuf_printf(out, ",\n\"%s\": ", name);
	json_string(out, text);
}

static void put_number(struct build *b, struct strbuf *out, const char *name, double v)
{
	put_name(out, name, false);
	strbuf_add(out, isfinite(v) ? num_shortest(b->arena, v) : STR("null"));
}

static void put_previous(struct build *b, struct strbuf *out)
{
	struct str id = data_setting(b->data, STR("previous_id")),
		   date = data_setting(b->data, STR("previous_date"));

	strbuf_add(out, STR(",\n\"previous\": "));
	if (id.len == 0 || date.len == 0) {
		strbuf_add(out, STR("null"));
		return;
	}
	strbuf_addc(out, '{');
	put_text(out, "id", id, true);
	put_text(out, "date", date, false);
	strbuf_addc(out, '}');
}

static void put_languages(const struct report *r, struct strbuf *out)
{
	strbuf_add(out, STR(",\n\"languages\": ["));
	for (size_t i = 0; i < r->nalternates; i++) {
		const struct report_alternate *alt = &r->alternates[i];

		strbuf_add(out, i > 0 ? STR(",\n {") : STR("\n {"));
		put_text(out, "tag", alt->language, true);
		put_text(out, "name", alt->name, false);
		put_text(out, "html", alt->html_href, false);
		put_text(out, "pdf", alt->pdf_href, false);
		strbuf_addc(out, '}');
	}
	strbuf_add(out, STR("\n]"));
}

/* "keep" and "nearest" name a card that is not simply the answer, so the pick has none. */
static bool is_answer(const struct data_pick *p)
{
	return p->device.len > 0 && !str_eq(p->status, STR("keep"))
	       && !str_eq(p->status, STR("nearest")) && !str_eq(p->status, STR("none"));
}

static void put_picks(struct build *b, struct strbuf *out)
{
	bool any = false;

	strbuf_add(out, STR(",\n\"picks\": ["));
	for (size_t i = 0; i < b->data->npicks; i++) {
		const struct data_pick *p = &b->data->picks[i];
		if (p->rank > 1)
			continue;
		strbuf_add(out, any ? STR(",\n {") : STR("\n {"));
		any = true;
		put_text(out, "persona", p->persona, true);
		put_text(out, "title", p->title.len ? p->title : p->persona, false);
		put_text(out, "device", is_answer(p) ? p->device : STR(""), false);
		put_number(b, out, "cost_usd",
			   is_answer(p) && p->cost_usd > 0 ? p->cost_usd : (double)NAN);
		put_text(out, "cost", is_answer(p) ? build_pick_cost(b, p) : STR(""), false);
		strbuf_addc(out, '}');
	}
	strbuf_add(out, STR("\n]"));
}

static void put_changes(struct build *b, struct strbuf *out)
{
	struct spans *items;
	size_t n;

	strbuf_add(out, STR(",\n\"changes\": "));
	if (b->data->nchanges == 0) {
		strbuf_add(out, STR("null"));
		return;
	}
	struct change_facts f = change_facts(b);
	strbuf_printf(out, "{\n \"changed\": %ld, \"new\": %ld, \"gone\": %ld, \"same\": %ld,\n",
		      f.changed, f.fresh, f.gone, f.same);
	strbuf_printf(out,
		      " \"by_price\": %ld, \"by_data\": %ld, \"by_method\": %ld,\n"
		      " \"sentences\": [",
		      f.by_cause[CAUSE_PRICE], f.by_cause[CAUSE_DATA], f.by_cause[CAUSE_METHOD]);
	change_say(b, &f, &items, &n);
	for (size_t i = 0; i < n; i++) {
		strbuf_add(out, i > 0 ? STR(",\n  ") : STR("\n  "));
		json_string(out, spans_text(b->arena, &items[i]));
	}
	strbuf_add(out, STR("\n ]\n}"));
}

bool summary_json(const struct report *r, const struct report_data *d,
                  const struct text_catalogue *text, const char *templates_dir, struct arena *a,
                  struct str *out, struct error *err)
{
	struct text_catalogue english;
	struct strbuf s = { .arena = a };
	struct build b = { .data = d, .text = text, .arena = a, .err = err };

	if (!text_is_english(text)) {
		if (!text_read(str_c(a, file_join(a, str_of(templates_dir), STR("text.en.ini"))), a,
			       &english, err))
			return false;
		b.text = &english;
	}
	strbuf_add(&s, STR("{\n\"format\": \"gpuguide summary 1\""));
	put_line(&s, "id", r->edition_id);
	put_line(&s, "edition", r->edition);
	put_line(&s, "title", r->title);
	put_line(&s, "subtitle", r->subtitle);
	put_line(&s, "program", r->generator);
	put_line(&s, "date", date_iso(a, r->date));
	put_previous(&b, &s);
	strbuf_printf(&s, ",\n\"devices\": %zu", d->ndevices);
	put_languages(r, &s);
	put_picks(&b, &s);
	put_changes(&b, &s);
	strbuf_add(&s, STR("\n}\n"));
	*out = strbuf_str(&s);
	return err->code == ERR_NONE;
}
