/* Messages of the analysis in the words of a catalogue; their form: catalogue/say.h. */
#include "text.h"

#include "../base/num.h"

#include <cjson/cJSON.h>
#include <string.h>

/* One message on its way into words. */
struct voice {
	const struct text_catalogue *t;
	struct pos pos;
	struct arena *a;
	struct error *err;
};

static bool put_value(struct voice *v, const cJSON *node, struct str *out);

static bool refuse(struct voice *v, const char *what)
{
	return error_at(v->err, ERR_SYNTAX, v->pos, "message: %s", what);
}

static struct str text_of(struct voice *v, const cJSON *node)
{
	return str_dup(v->a, str_of(node->valuestring));
}

bool text_is_english(const struct text_catalogue *t)
{
	return str_eq(t->language, STR("en"));
}

/* The members of an object as arguments; none for NULL. */
static bool take_args(struct voice *v, const cJSON *object, struct text_arg **out)
{
	size_t n = 0;

	if (object && !cJSON_IsObject(object))
		return refuse(v, "the arguments are no object");
	struct text_arg *args =
	    arena_array(v->a, object ? (size_t)cJSON_GetArraySize(object) + 1 : 1, sizeof *args);
	for (const cJSON *x = object ? object->child : NULL; x; x = x->next) {
		struct str text;
		if (!put_value(v, x, &text))
			return false;
		args[n++] = text_arg(str_c(v->a, str_of(x->string)), text);
	}
	args[n] = text_arg_end();
	*out = args;
	return true;
}

static bool put_message(struct voice *v, const cJSON *node, struct str *out)
{
	const cJSON *key = node->child;
	struct text_arg *args;

	if (!cJSON_IsString(key) || (key->next && key->next->next))
		return refuse(v, "expected [\"key\"] or [\"key\",{…}]");
	const char *name = str_c(v->a, text_of(v, key));
	if (!text_has(v->t, name))
		return error_at(v->err, ERR_UNKNOWN, v->pos, "message: %s has no '%s'", v->t->file,
				name);
	return take_args(v, key->next, &args) && text_plain(v->t, name, args, v->a, out, v->err);
}

static bool put_list(struct voice *v, const cJSON *list, const cJSON *by, struct str *out)
{
	struct strbuf b = { .arena = v->a };
	struct str between, part;

	if (!cJSON_IsArray(list) || !cJSON_IsString(by))
		return refuse(v, "expected {\"l\":[…],\"by\":\"…\"}");
	const char *key = str_c(v->a, str_printf(v->a, "list.%s", by->valuestring));
	if (!text_plain(v->t, key, NULL, v->a, &between, v->err))
		return false;
	const char *last_key = str_c(v->a, str_printf(v->a, "list.%s-last", by->valuestring));
	struct str last = between;
	if (text_has(v->t, last_key) && !text_plain(v->t, last_key, NULL, v->a, &last, v->err))
		return false;
	for (const cJSON *x = list->child; x; x = x->next) {
		if (!put_value(v, x, &part))
			return false;
		if (x != list->child)
			strbuf_add(&b, x->next ? between : last);
		strbuf_add(&b, part);
	}
	*out = strbuf_str(&b);
	return true;
}

/* Canonical figures have '.' and ','; a language may write others. */
static struct str put_number(struct voice *v, struct str figure)
{
	struct strbuf b = { .arena = v->a };
	struct str decimal = STR("."), group = STR(",");
	struct error none = { .code = ERR_NONE };

	text_plain(v->t, "number.decimal", NULL, v->a, &decimal, &none);
	text_plain(v->t, "number.group", NULL, v->a, &group, &none);
	for (size_t i = 0; i < figure.len; i++) {
		if (figure.p[i] == '.')
			strbuf_add(&b, decimal);
		else if (figure.p[i] == ',')
			strbuf_add(&b, group);
		else
			strbuf_addc(&b, figure.p[i]);
	}
	return strbuf_str(&b);
}

struct str text_date(const struct text_catalogue *t, struct date d, struct arena *a)
{
	struct error none = { .code = ERR_NONE };
	struct str out;
	int year, month, day;

	date_ymd(d, &year, &month, &day);
	const struct text_arg args[] = { text_arg("year", str_printf(a, "%d", year)),
					 text_arg("month", str_printf(a, "%d", month)),
					 text_arg("day", str_printf(a, "%d", day)),
					 text_arg("iso", date_iso(a, d)), text_arg_end() };
	return text_plain(t, "date.day", args, a, &out, &none) ? out : date_iso(a, d);
}

static bool put_date(struct voice *v, struct str iso, struct str *out)
{
	struct date d;

	if (!date_parse(iso, &d))
		return refuse(v, "a date is not YYYY-MM-DD");
	*out = text_date(v->t, d, v->a);
	return true;
}

bool text_data(const struct text_catalogue *t, struct str english, struct arena *a, struct str *out)
{
	const char *key = str_c(a, str_printf(a, "data." STR_FMT, STR_ARG(english)));
	struct error none = { .code = ERR_NONE };

	*out = english;
	return text_is_english(t) || (text_has(t, key) && text_plain(t, key, NULL, a, out, &none));
}

/* English of a data file with its arguments put in; the rest of it is no markup. */
static struct str fill_english(struct voice *v, struct str s, const struct text_arg *args)
{
	struct strbuf b = { .arena = v->a };

	for (size_t i = 0; i < s.len; i++) {
		const struct text_arg *found = NULL;
		/* looked for only where it is needed: a long text must not be gone over for each of
		 * its bytes */
		size_t end = s.p[i] == '{' && args->name ? str_find(s, STR("}"), i) : i;
		for (const struct text_arg *x = args; end > i && x->name; x++)
			if (str_eq(str_of(x->name), str_slice(s, i + 1, end)))
				found = x;
		if (!found) {
			strbuf_addc(&b, s.p[i]);
			continue;
		}
		strbuf_add(&b, found->text);
		i = end;
	}
	return strbuf_str(&b);
}

/* Untranslated English stays English: better than nothing. */
static bool put_data(struct voice *v, struct str english, const cJSON *with, struct str *out)
{
	const char *key = str_c(v->a, str_printf(v->a, "data." STR_FMT, STR_ARG(english)));
	struct text_arg *args;

	if (!take_args(v, with, &args))
		return false;
	if (text_has(v->t, key))
		return text_plain(v->t, key, args, v->a, out, v->err);
	*out = fill_english(v, english, args);
	return true;
}

static bool put_object(struct voice *v, const cJSON *node, struct str *out)
{
	const cJSON *first = node->child, *second = first ? first->next : NULL;

	if (!first || (second && second->next))
		return refuse(v, "expected one member, or two");
	if (strcmp(first->string, "l") == 0 && second && strcmp(second->string, "by") == 0)
		return put_list(v, first, second, out);
	if (!cJSON_IsString(first))
		return refuse(v, "expected a text in a member");
	if (strcmp(first->string, "t") == 0 && (!second || strcmp(second->string, "with") == 0))
		return put_data(v, text_of(v, first), second, out);
	if (second)
		return refuse(v, "expected one member");
	if (strcmp(first->string, "d") == 0)
		return put_date(v, text_of(v, first), out);
	if (strcmp(first->string, "n") != 0)
		return refuse(v, "a member is none of n, d, t, l");
	*out = put_number(v, text_of(v, first));
	return true;
}

static bool put_value(struct voice *v, const cJSON *node, struct str *out)
{
	*out = STR("");
	if (cJSON_IsArray(node))
		return put_message(v, node, out);
	if (cJSON_IsObject(node))
		return put_object(v, node, out);
	if (!cJSON_IsString(node))
		return refuse(v, "expected a text, a message, an object");
	*out = text_of(v, node);
	return true;
}

bool text_say(const struct text_catalogue *t, struct say s, struct pos pos, struct arena *a,
	      struct str *out, struct error *err)
{
	struct voice v = { t, pos, a, err };
	const char *text = str_c(a, s.json), *end = NULL;

	*out = STR("");
	if (say_empty(s))
		return true;
	/* beside the tree it keeps the place of a fault in a global, which nobody here reads */
	cJSON *root = cJSON_ParseWithLengthOpts(text, s.json.len + 1, &end, true);
	bool good = root ? put_value(&v, root, out) : refuse(&v, "it is no JSON");

	cJSON_Delete(root);
	return good;
}

struct str text_english(const struct text_english *e, struct say s)
{
	struct str out;

	return text_say(e->english, s, (struct pos){ 0 }, e->arena, &out, e->err) ? out : STR("");
}
