#include "say.h"

#include "../base/json_string.h"
#include "../base/num.h"

#include <math.h>

bool say_empty(struct say s)
{
	return s.json.len == 0;
}

bool say_same(struct say x, struct say y)
{
	return str_eq(x.json, y.json);
}

struct say_arg say_name(const char *name, struct str text)
{
	return (struct say_arg){ .name = name, .kind = SAY_NAME, .text = text };
}

struct say_arg say_figure(const char *name, struct str text)
{
	return (struct say_arg){ .name = name, .kind = SAY_NUMBER, .text = text };
}

struct say_arg say_fixed(const char *name, double v, int decimals)
{
	return (
	    struct say_arg){ .name = name, .kind = SAY_FIXED, .number = v, .decimals = decimals };
}

struct say_arg say_shortest(const char *name, double v)
{
	return (struct say_arg){ .name = name, .kind = SAY_SHORTEST, .number = v };
}

struct say_arg say_count(const char *name, size_t n)
{
	return say_fixed(name, (double)n, 0);
}

struct say_arg say_int(const char *name, int n)
{
	return say_fixed(name, n, 0);
}

struct say_arg say_put(const char *name, struct say said)
{
	return (struct say_arg){ .name = name, .kind = SAY_SAID, .said = said };
}

struct say_arg say_class(const char *name, enum class_id c, struct arena *a)
{
	return say_put(name, say_word(a, "class", class_name(c)));
}

struct say_arg say_end(void)
{
	return (struct say_arg){ .name = NULL };
}

static void put_tagged(struct strbuf *b, const char *tag, struct str text)
{
	strbuf_printf(b, "{\"%s\":", tag);
	json_string(b, text);
	strbuf_addc(b, '}');
}

/* What is not known leaves its place empty. */
static void put_arg(struct strbuf *b, const struct say_arg *arg)
{
	if ((arg->kind == SAY_FIXED || arg->kind == SAY_SHORTEST) && !isfinite(arg->number)) {
		strbuf_add(b, STR("\"\""));
		return;
	}
	switch (arg->kind) {
	case SAY_NAME:
		json_string(b, arg->text);
		break;
	case SAY_NUMBER:
		put_tagged(b, "n", arg->text);
		break;
	case SAY_FIXED:
		put_tagged(b, "n", num_fixed(b->arena, arg->number, arg->decimals));
		break;
	case SAY_SHORTEST:
		put_tagged(b, "n", num_shortest(b->arena, arg->number));
		break;
	case SAY_SAID:
		strbuf_add(b, say_empty(arg->said) ? STR("\"\"") : arg->said.json);
		break;
	}
}

static void put_args(struct strbuf *b, const struct say_arg *args)
{
	for (size_t i = 0; args[i].name; i++) {
		strbuf_addc(b, i ? ',' : '{');
		json_string(b, str_of(args[i].name));
		strbuf_addc(b, ':');
		put_arg(b, &args[i]);
	}
	strbuf_addc(b, '}');
}

struct say say(struct arena *a, const char *key, const struct say_arg *args)
{
	struct strbuf b = { .arena = a };

	strbuf_addc(&b, '[');
	json_string(&b, str_of(key));
	if (args && args[0].name) {
		strbuf_addc(&b, ',');
		put_args(&b, args);
	}
	strbuf_addc(&b, ']');
	return (struct say){ strbuf_str(&b) };
}

struct say say_word(struct arena *a, const char *section, struct str word)
{
	return say(a, str_c(a, str_printf(a, "%s." STR_FMT, section, STR_ARG(word))), NULL);
}

static struct say tagged(struct arena *a, const char *tag, struct str text)
{
	struct strbuf b = { .arena = a };

	put_tagged(&b, tag, text);
	return (struct say){ strbuf_str(&b) };
}

struct say say_date(struct arena *a, struct date d)
{
	return tagged(a, "d", date_iso(a, d));
}

struct say say_data(struct arena *a, struct str english, const struct say_arg *args)
{
	struct strbuf b = { .arena = a };

	if (english.len == 0)
		return (struct say){ STR("") };
	strbuf_add(&b, STR("{\"t\":"));
	json_string(&b, english);
	if (args && args[0].name) {
		strbuf_add(&b, STR(",\"with\":"));
		put_args(&b, args);
	}
	strbuf_addc(&b, '}');
	return (struct say){ strbuf_str(&b) };
}

struct say say_number(struct arena *a, struct str figure)
{
	return tagged(a, "n", figure);
}

struct say say_plain(struct arena *a, struct str text)
{
	struct strbuf b = { .arena = a };

	json_string(&b, text);
	return (struct say){ strbuf_str(&b) };
}

void say_add(struct say_list *l, struct say part)
{
	if (say_empty(part))
		return;
	l->json.arena = l->arena;
	if (l->n++)
		strbuf_addc(&l->json, ',');
	strbuf_add(&l->json, part.json);
}

struct say say_join(const struct say_list *l, const char *by)
{
	struct strbuf b = { .arena = l->arena };

	if (l->n < 2)
		return (struct say){ strbuf_str(&l->json) };
	strbuf_printf(&b, "{\"l\":[" STR_FMT "],\"by\":\"%s\"}", STR_ARG(strbuf_str(&l->json)), by);
	return (struct say){ strbuf_str(&b) };
}
