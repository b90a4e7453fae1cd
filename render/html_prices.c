#include "html_prices.h"
#include "../base/json_string.h"
#include "../base/num.h"

#include <math.h>

/* A JSON document without line breaks but one a row. */
struct out {
	struct strbuf b;
	struct arena *arena;
	const struct report_data *data;
	const struct devices *devices;
	const struct text_catalogue *text;
	struct error *err;
};

static void put(struct out *o, const char *json)
{
	strbuf_add(&o->b, str_of(json));
}

/* Seven digits tell apart what the tables tell apart, and keep the page small. */
static void put_num(struct out *o, double v)
{
	double read;

	if (!isfinite(v)) {
		put(o, "null");
		return;
	}
	struct str digits = str_printf(o->arena, "%.7g", v);
	/* %g under any locale that writes a comma would not read back */
	strbuf_add(&o->b, num_parse(digits, false, &read) ? num_shortest(o->arena, read)
							 : num_shortest(o->arena, v));
}

/* SECTION.WORD of the catalogue, or `otherwise`. */
static struct str word_of(struct out *o, const char *section, struct str word, struct str otherwise)
{
	const char *key =
	    str_c(o->arena, str_printf(o->arena, "%s." STR_FMT, section, STR_ARG(word)));
	struct str said;

	return text_has(o->text, key) && text_plain(o->text, key, NULL, o->arena, &said, o->err)
		       ? said : otherwise;
}

static void put_names(struct out *o)
{
	put(o, "\"classes\":[");
	for (size_t c = 0; c < o->data->nclasses; c++) {
		put(o, c > 0 ? ",[" : "[");
		enum class_id class = o->data->classes[c];
		json_string(&o->b, class_name(class));
		put(o, ",");
		json_string(&o->b, word_of(o, "class", class_name(class), class_title(class)));
		put(o, "]");
	}
	put(o, "],\n");
}

/* The peer end where the analysis gave one. */
static double end_of(double peer, double own)
{
	return isnan(peer) ? own : peer;
}

static void put_score(struct out *o, const struct data_score *s)
{
	if (!s || s->origin == ORIGIN_EXCLUDED || !isfinite(s->score)) {
		put(o, "null");
		return;
	}
	put(o, "[");
	put_num(o, s->score);
	put(o, ",");
	put_num(o, end_of(s->peer_low, s->low));
	put(o, ",");
	put_num(o, end_of(s->peer_high, s->high));
	strbuf_printf(&o->b, ",%d]",
		      s->origin == ORIGIN_MEASURED ? 0 : s->origin == ORIGIN_SCALED ? 1 : 2);
}

static const struct data_price *card_price(const struct report_data *d, struct str device)
{
	for (size_t i = 0; i < d->nprices; i++)
		if (str_eq(d->prices[i].lens, lens_name(LENS_CARD))
		    && str_eq(d->prices[i].device, device))
			return &d->prices[i];
	return NULL;
}

static void put_spec(struct out *o, struct str name)
{
	size_t at = o->devices ? device_index(o->devices, name) : 0;
	bool known = o->devices && at < o->devices->n;

	put(o, ",");
	json_string(&o->b, known ? o->devices->v[at].vendor : STR(""));
	put(o, ",");
	put_num(o, known ? o->devices->v[at].memory_gb : (double)NAN);
}

static void put_price(struct out *o, const struct data_price *p)
{
	const double money[] = { p ? p->price_usd : (double)NAN, p ? p->low : (double)NAN,
				 p ? p->high : (double)NAN };

	for (size_t i = 0; i < LEN(money); i++) {
		put(o, ",");
		put_num(o, money[i]);
	}
	put(o, p && data_has_word(p->status, STR("stale")) ? ",1,[" : ",0,[");
}

static void put_device(struct out *o, size_t device)
{
	struct str name = o->data->devices[device];

	put(o, device > 0 ? ",\n[" : "\n[");
	json_string(&o->b, name);
	put_spec(o, name);
	put_price(o, card_price(o->data, name));
	for (size_t c = 0; c < o->data->nclasses; c++) {
		put(o, c > 0 ? "," : "");
		put_score(o, data_score(o->data, device, c));
	}
	put(o, "]]");
}

/* "0.5" of "cnn:1 rnn-word:0.5"; 0 for a class that is not in it. */
static double weight_of(struct str weights, struct str class)
{
	struct str word, name;
	double v;

	while (str_cut(&weights, ' ', &word))
		if (str_cut(&word, ':', &name) && str_eq(name, class) && num_parse(word, false, &v))
			return v;
	return 0;
}

/* Gates that another price opens or shuts; analyze/pick_rules.h has the words. */
static bool only_price_gates(struct str gates)
{
	static const struct str words[] = { STR_INIT("price"), STR_INIT("condition"),
					    STR_INIT("stale"), STR_INIT("budget") };
	struct str word;

	if (gates.len == 0) /* an edition from before the column: no saying */
		return false;
	while (str_cut(&gates, ' ', &word)) {
		bool price = false;
		for (size_t i = 0; i < LEN(words); i++)
			price |= str_eq(word, words[i]);
		if (!price)
			return false;
	}
	return true;
}

static void put_passing(struct out *o, struct str persona)
{
	const struct report_data *d = o->data;
	char *passes = arena_alloc(o->arena, d->ndevices);

	for (size_t i = 0; i < d->ndevices; i++)
		passes[i] = '1';
	for (size_t i = 0; i < d->npick_removed; i++) {
		const struct data_pick_removed *p = &d->pick_removed[i];
		const size_t *at = map_get(&d->device_index, p->device);
		if (at && str_eq(p->persona, persona) && !only_price_gates(p->gates))
			passes[*at] = '0';
	}
	put(o, "\"");
	strbuf_add(&o->b, (struct str){ passes, d->ndevices });
	put(o, "\"");
}

static const struct data_pick *first_pick(const struct report_data *d, struct str persona)
{
	for (size_t i = 0; i < d->npicks; i++)
		if (str_eq(d->picks[i].persona, persona) && d->picks[i].rank <= 1)
			return &d->picks[i];
	return NULL;
}

static void put_texts(struct out *o, const struct str *texts, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		json_string(&o->b, texts[i]);
		put(o, ",");
	}
}

static struct str persona_title(struct out *o, const struct data_pick *pick, struct str name)
{
	struct str title;

	if (pick->title.len == 0)
		return name;
	return text_data(o->text, pick->title, o->arena, &title) ? title : pick->title;
}

static void put_persona(struct out *o, const struct data_pick_rule *rule,
			const struct data_pick *pick)
{
	const size_t *device = map_get(&o->data->device_index, pick->device);
	const struct str texts[] = {
		persona_title(o, pick, rule->persona),
		rule->objective,
		rule->lens,
		word_of(o, "lens", rule->lens, rule->lens),
		rule->condition,
	};

	put(o, "\n[");
	put_texts(o, texts, LEN(texts));
	strbuf_printf(&o->b, "%d,", rule->gpus);
	put_num(o, rule->budget_usd);
	put(o, ",[");
	for (size_t c = 0; c < o->data->nclasses; c++) {
		put(o, c > 0 ? "," : "");
		put_num(o, weight_of(rule->weights, class_name(o->data->classes[c])));
	}
	put(o, "],");
	put_passing(o, rule->persona);
	strbuf_printf(&o->b, ",%ld,", device ? (long)*device : -1L);
	json_string(&o->b, pick->status);
	put(o, "]");
}

static void put_personas(struct out *o)
{
	bool first = true;

	put(o, "],\n\"personas\":[");
	for (size_t i = 0; i < o->data->npick_rules; i++) {
		const struct data_pick *pick = first_pick(o->data, o->data->pick_rules[i].persona);
		if (!pick)
			continue;
		put(o, first ? "" : ",");
		put_persona(o, &o->data->pick_rules[i], pick);
		first = false;
	}
	put(o, "],\n");
}

/* What the script says, with the arguments that it puts in; it knows them without their section. */
static const struct {
	const char *key, *args[3];
} words[] = {
	{ "column.device", { 0 } }, /* the head above devices in every table */
	{ "list.comma", { 0 } },
	{ "list.semicolon", { 0 } },
	{ "yours.keep", { 0 } },
	{ "yours.none", { 0 } },
	{ "yours.no_score", { 0 } },
	{ "yours.no_price", { 0 } },
	{ "yours.old_price", { 0 } },
	{ "yours.typed", { 0 } },
	{ "yours.tied", { 0 } },
	{ "yours.per_thousand", { "v", "currency" } },
	{ "yours.score", { "v" } },
	{ "yours.against", { "first", "second", "device" } },
	{ "yours.price_of", { "device", "currency" } },
	{ "yours.shown", { "n", "of" } },
	{ "yours.more", { "n" } },
	{ "yours.not_followed", { "lens" } },
	{ "yours.changed", { "n" } },
	{ "yours.unchanged", { 0 } },
};

static bool put_words(struct out *o)
{
	put(o, "\"text\":{");
	for (size_t i = 0; i < LEN(words); i++) {
		struct text_arg args[LEN(words[i].args) + 1] = { { 0 } };
		struct str said;
		size_t n = 0;
		/* "{v}" stays for the script */
		for (; n < LEN(words[i].args) && words[i].args[n]; n++)
			args[n] = text_arg(words[i].args[n],
					   str_printf(o->arena, "{%s}", words[i].args[n]));
		args[n] = text_arg_end();
		const char *key = words[i].key;
		if (!text_plain(o->text, key, args, o->arena, &said, o->err))
			return false;
		strbuf_printf(&o->b, "%s\n\"%s\":", i > 0 ? "," : "",
			      key + str_find(str_of(key), STR("."), 0) + 1);
		json_string(&o->b, said);
	}
	put(o, "}}");
	return true;
}

bool html_prices_json(const struct report *r, const struct report_data *data,
		      const struct devices *devices, const struct text_catalogue *text,
		      struct arena *a, struct str *out, struct error *err)
{
	struct out o = { .b.arena = a,
			 .arena = a,
			 .data = data,
			 .devices = devices,
			 .text = text,
			 .err = err };

	put(&o, "{\"edition\":");
	json_string(&o.b, r->edition_id);
	put(&o, ",\n");
	put_names(&o);
	put(&o, "\"devices\":[");
	for (size_t i = 0; i < data->ndevices; i++)
		put_device(&o, i);
	put_personas(&o);
	if (!put_words(&o))
		return false;
	*out = strbuf_str(&o.b);
	return true;
}
