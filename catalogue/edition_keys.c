#include "edition_keys.h"

#include "price.h"
#include "../base/num.h"

#include <limits.h>
#include <stddef.h>

/* One pair with the class that its section or key names (CLASS_COUNT: none). */
struct setting {
	const struct keyfile_pair *pair;
	enum class_id class;
	size_t offset;
};

enum { GPUS_MAX = 16 };

static const struct {
	struct str name;
	enum precision_policy policy;
} policies[] = {
	{ STR_INIT("guide"), POLICY_GUIDE },
	{ STR_INIT("best"), POLICY_BEST },
	{ STR_INIT("each"), POLICY_EACH },
};

static bool wrong(struct edition_reading *r, const struct setting *s, enum error_code code,
		  const char *why)
{
	return error_at(r->err, code, s->pair->pos, STR_FMT ": '" STR_FMT "' %s",
			STR_ARG(s->pair->key), STR_ARG(s->pair->value), why);
}

static void *member(struct edition_reading *r, const struct setting *s)
{
	return (char *)r->out + s->offset;
}

static bool set_text(struct edition_reading *r, const struct setting *s)
{
	struct str *to = member(r, s);

	if (s->pair->value.len == 0)
		return wrong(r, s, ERR_SYNTAX, "is empty");
	*to = s->pair->value;
	return true;
}

/* Prices are kept in US dollars (prices.csv price_usd), so an edition in another currency cannot be
 * made. */
static bool set_currency(struct edition_reading *r, const struct setting *s)
{
	if (!str_eq(s->pair->value, STR("USD")))
		return wrong(r, s, ERR_UNKNOWN, "is not USD");
	r->out->currency = s->pair->value;
	return true;
}

static bool set_paper(struct edition_reading *r, const struct setting *s)
{
	if (!str_eq(s->pair->value, STR("a4")) && !str_eq(s->pair->value, STR("letter")))
		return wrong(r, s, ERR_UNKNOWN, "is neither a4 nor letter");
	r->out->paper = s->pair->value;
	return true;
}

static bool set_trust(struct edition_reading *r, const struct setting *s)
{
	enum trust *to = member(r, s);

	if (!trust_parse(s->pair->value, to))
		return wrong(r, s, ERR_UNKNOWN, "is none of signed, known, anonymous");
	return true;
}

static bool set_date(struct edition_reading *r, const struct setting *s)
{
	struct date *to = member(r, s);

	if (!date_parse(s->pair->value, to))
		return wrong(r, s, ERR_SYNTAX, "is not a day as YYYY-MM-DD");
	return true;
}

static bool set_edition_date(struct edition_reading *r, const struct setting *s)
{
	r->out->date_from_prices = str_eq(s->pair->value, STR("newest-price"));
	if (r->out->date_from_prices || date_parse(s->pair->value, &r->out->date))
		return true;
	return wrong(r, s, ERR_SYNTAX, "is neither a day as YYYY-MM-DD nor newest-price");
}

static bool set_days(struct edition_reading *r, const struct setting *s)
{
	int *to = member(r, s);

	if (!num_parse_int(s->pair->value, to) || *to < 1)
		return wrong(r, s, ERR_RANGE, "is not a whole number of days from 1");
	return true;
}

static bool set_factor(struct edition_reading *r, const struct setting *s)
{
	double *to = member(r, s);

	if (!num_parse(s->pair->value, false, to))
		return wrong(r, s, ERR_SYNTAX, "is not a number");
	if (!(*to > 1 && *to <= 1000))
		return wrong(r, s, ERR_RANGE, "is not above 1 and at most 1000");
	return true;
}

static bool set_gpus(struct edition_reading *r, const struct setting *s)
{
	int *to = member(r, s);

	if (!num_parse_int(s->pair->value, to) || *to < 1 || *to > GPUS_MAX)
		return wrong(r, s, ERR_RANGE, "is not a whole number of cards from 1 to 16");
	return true;
}

static bool parse_hours(struct edition_reading *r, const struct setting *s, struct str text,
			double most, double *to)
{
	if (!num_parse(text, false, to))
		return wrong(r, s, ERR_SYNTAX, "is not a number");
	if (!(*to > 0 && *to <= most))
		return error_at(r->err, ERR_RANGE, s->pair->pos,
				STR_FMT ": '" STR_FMT "' is not above 0 and at most %g",
				STR_ARG(s->pair->key), STR_ARG(text), most);
	return true;
}

static bool set_hours_per_year(struct edition_reading *r, const struct setting *s)
{
	return parse_hours(r, s, s->pair->value, 8784, member(r, s));
}

static bool set_years(struct edition_reading *r, const struct setting *s)
{
	return parse_hours(r, s, s->pair->value, 20, member(r, s));
}

/* "a, b, c": items trimmed, none empty, none twice. */
static bool split_list(struct edition_reading *r, const struct setting *s, size_t max,
		       struct str_list *out)
{
	struct str rest = s->pair->value, item;

	if (rest.len == 0)
		return wrong(r, s, ERR_SYNTAX, "is empty");
	out->v = arena_array(r->arena, max, sizeof *out->v);
	out->n = 0;
	while (str_cut(&rest, ',', &item)) {
		item = str_trim(item);
		if (item.len == 0)
			return wrong(r, s, ERR_SYNTAX, "has an empty item");
		for (size_t i = 0; i < out->n; i++)
			if (str_eq(out->v[i], item))
				return error_at(r->err, ERR_SYNTAX, s->pair->pos,
						STR_FMT ": '" STR_FMT "' stands there twice",
						STR_ARG(s->pair->key), STR_ARG(item));
		if (out->n == max)
			return error_at(r->err, ERR_RANGE, s->pair->pos,
					STR_FMT ": more than %zu items", STR_ARG(s->pair->key),
					max);
		out->v[out->n++] = item;
	}
	return true;
}

static bool set_list(struct edition_reading *r, const struct setting *s)
{
	return split_list(r, s, EDITION_LIST_MAX, member(r, s));
}

/* Puts the canonical name in the place of an alias. */
static bool resolve_device(struct edition_reading *r, const struct setting *s, struct str *name)
{
	size_t near[8], n;
	enum device_match match = device_find(r->devices, *name, r->arena, near, &n);

	if (match == DEVICE_FOUND) {
		*name = r->devices->v[near[0]].name;
		return true;
	}
	return error_at(
	    r->err, ERR_UNKNOWN, s->pair->pos, STR_FMT ": device '" STR_FMT "' %s " STR_FMT,
	    STR_ARG(s->pair->key), STR_ARG(*name),
	    match == DEVICE_AMBIGUOUS ? "could be any of" : "is not in the catalogue; nearest:",
	    STR_ARG(device_names(r->devices, near, n, r->arena)));
}

static bool set_device(struct edition_reading *r, const struct setting *s)
{
	struct str *to = member(r, s);

	return set_text(r, s) && resolve_device(r, s, to);
}

static bool set_devices(struct edition_reading *r, const struct setting *s)
{
	struct str_list *to = member(r, s);

	if (!split_list(r, s, EDITION_LIST_MAX, to))
		return false;
	for (size_t i = 0; i < to->n; i++) {
		if (!resolve_device(r, s, &to->v[i]))
			return false;
		for (size_t j = 0; j < i; j++)
			if (str_eq(to->v[i], to->v[j]))
				return error_at(r->err, ERR_SYNTAX, s->pair->pos,
						STR_FMT ": '" STR_FMT
							"' stands there under two names",
						STR_ARG(s->pair->key), STR_ARG(to->v[i]));
	}
	return true;
}

/* "priced", or names. */
static bool set_device_list(struct edition_reading *r, const struct setting *s)
{
	return str_eq(s->pair->value, STR("priced")) || set_devices(r, s);
}

static bool set_conditions(struct edition_reading *r, const struct setting *s)
{
	struct str_list *to = member(r, s);

	if (!split_list(r, s, EDITION_LIST_MAX, to))
		return false;
	for (size_t i = 0; i < to->n; i++) {
		enum price_condition c;

		if (!price_condition_parse(to->v[i], &c) || (c != PRICE_NEW && c != PRICE_USED))
			return wrong(r, s, ERR_UNKNOWN,
				     "names a condition that is neither new nor used");
	}
	return true;
}

static bool set_classes(struct edition_reading *r, const struct setting *s)
{
	struct str_list names;

	if (!split_list(r, s, CLASS_COUNT, &names))
		return false;
	for (size_t i = 0; i < names.n; i++) {
		if (!class_parse(names.v[i], &r->out->classes[i].id))
			return error_at(r->err, ERR_UNKNOWN, s->pair->pos,
					STR_FMT ": '" STR_FMT "' is not a class",
					STR_ARG(s->pair->key), STR_ARG(names.v[i]));
	}
	r->out->nclasses = names.n;
	return true;
}

static bool set_precision(struct edition_reading *r, const struct setting *s)
{
	struct edition_class *c = s->class == CLASS_COUNT ? &r->general : &r->by_class[s->class];
	enum precision_kind kind;

	if (s->class != CLASS_COUNT)
		r->own_policy[s->class] = true;
	for (size_t i = 0; i < LEN(policies); i++) {
		if (str_eq(policies[i].name, s->pair->value)) {
			c->policy = policies[i].policy;
			return true;
		}
	}
	if (s->pair->value.len == 0 || !precision_parse(s->pair->value, &kind))
		return wrong(r, s, ERR_UNKNOWN, "is neither guide, best or each nor a precision");
	c->policy = POLICY_NAMED;
	c->precision = s->pair->value;
	return true;
}

static bool set_method(struct edition_reading *r, const struct setting *s)
{
	struct edition_class *c = s->class == CLASS_COUNT ? &r->general : &r->by_class[s->class];

	if (s->pair->value.len == 0)
		return wrong(r, s, ERR_SYNTAX, "is empty");
	c->method = s->pair->value;
	c->method_pos = s->pair->pos;
	return true;
}

static bool set_hours_per_month(struct edition_reading *r, const struct setting *s)
{
	struct str_list items;

	if (!split_list(r, s, EDITION_HOURS_MAX, &items))
		return false;
	for (size_t i = 0; i < items.n; i++) {
		double *hours = r->out->hours_per_month;

		if (!parse_hours(r, s, items.v[i], 744, &hours[i]))
			return false;
		for (size_t j = 0; j < i; j++) /* "1" and "1.0" are one number */
			if (hours[j] == hours[i])
				return error_at(r->err, ERR_SYNTAX, s->pair->pos,
						STR_FMT ": %g stands there twice",
						STR_ARG(s->pair->key), hours[i]);
	}
	r->out->nhours = items.n;
	return true;
}

static bool set_specs(struct edition_reading *r, const struct setting *s)
{
	struct edition_class *c = &r->by_class[s->class];

	if (!split_list(r, s, EDITION_SPECS_MAX, &c->spec_names))
		return false;
	for (size_t i = 0; i < c->spec_names.n; i++)
		if (!device_spec_parse(c->spec_names.v[i], &c->spec_offsets[i]))
			return error_at(r->err, ERR_UNKNOWN, s->pair->pos,
					STR_FMT ": '" STR_FMT
						"' is not a number column of devices.csv",
					STR_ARG(s->pair->key), STR_ARG(c->spec_names.v[i]));
	return true;
}

/* Notes are numbered 1, 2, 3 … so that none is lost or out of order. */
static bool set_note(struct edition_reading *r, const struct setting *s)
{
	struct str_list *to =
	    s->class == CLASS_COUNT ? &r->out->notes : &r->by_class[s->class].notes;
	int number;

	if (!num_parse_int(s->pair->key, &number) || (size_t)number != to->n + 1)
		return error_at(r->err, ERR_SYNTAX, s->pair->pos,
				"note '" STR_FMT "': the next number is %zu", STR_ARG(s->pair->key),
				to->n + 1);
	if (s->pair->value.len == 0)
		return wrong(r, s, ERR_SYNTAX, "is empty");
	if (to->n == EDITION_LIST_MAX)
		return wrong(r, s, ERR_RANGE, "is one note too many");
	if (!to->v)
		to->v = arena_array(r->arena, EDITION_LIST_MAX, sizeof *to->v);
	to->v[to->n++] = s->pair->value;
	return true;
}

/* A tag becomes part of file names. */
static bool is_tag(struct str s)
{
	for (size_t i = 0; i < s.len; i++) {
		char c = s.p[i];
		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
		      || (c == '-' && i > 0)))
			return false;
	}
	return s.len > 0;
}

static bool set_languages(struct edition_reading *r, const struct setting *s)
{
	const struct str_list *l = &r->out->languages;

	if (!set_list(r, s))
		return false;
	for (size_t i = 0; i < l->n; i++)
		if (!is_tag(l->v[i]))
			return error_at(r->err, ERR_SYNTAX, s->pair->pos,
					"languages: '" STR_FMT
					"' is not a language tag such as en or zh-Hans",
					STR_ARG(l->v[i]));
	return true;
}

/* Where a key stands: as it is, with its class behind a dot of the section, or behind a dot of the
 * key. */
enum place { PLAIN, SECTION_CLASS, KEY_CLASS };

/* Every key of an edition file. ANY_KEY: all keys of the section. */
#define ANY_KEY                                                                                    \
	{                                                                                          \
		NULL, 0                                                                            \
	}
#define AT(member) offsetof(struct edition, member)
static const struct key {
	struct str section, key;
	enum place place;
	bool required;
	bool (*set)(struct edition_reading *r, const struct setting *s);
	size_t offset;
} keys[] = {
	{ STR_INIT("edition"), STR_INIT("title"), PLAIN, true, set_text, AT(title) },
	{ STR_INIT("edition"), STR_INIT("summary"), PLAIN, false, set_text, AT(summary) },
	{ STR_INIT("edition"), STR_INIT("date"), PLAIN, true, set_edition_date, 0 },
	{ STR_INIT("edition"), STR_INIT("currency"), PLAIN, false, set_currency, 0 },
	{ STR_INIT("edition"), STR_INIT("paper"), PLAIN, false, set_paper, 0 },
	{ STR_INIT("edition"), STR_INIT("languages"), PLAIN, false, set_languages, AT(languages) },
	{ STR_INIT("benchmarks"), STR_INIT("classes"), PLAIN, true, set_classes, 0 },
	{ STR_INIT("benchmarks"), STR_INIT("precision"), PLAIN, false, set_precision, 0 },
	{ STR_INIT("benchmarks"), STR_INIT("precision"), KEY_CLASS, false, set_precision, 0 },
	{ STR_INIT("benchmarks"), STR_INIT("reference"), PLAIN, true, set_device, AT(reference) },
	{ STR_INIT("benchmarks"), STR_INIT("cutoff"), PLAIN, false, set_date,
	  AT(benchmark_cutoff) },
	{ STR_INIT("benchmarks"), STR_INIT("series_excluded"), PLAIN, false, set_list,
	  AT(series_excluded) },
	{ STR_INIT("benchmarks"), STR_INIT("trust_least"), PLAIN, false, set_trust,
	  AT(trust_least) },
	{ STR_INIT("devices"), STR_INIT("list"), PLAIN, false, set_device_list, AT(devices) },
	{ STR_INIT("scaling"), STR_INIT("anchors"), PLAIN, false, set_devices, AT(anchors) },
	{ STR_INIT("scaling"), STR_INIT("max_error"), PLAIN, false, set_factor, AT(max_error) },
	{ STR_INIT("scaling"), STR_INIT("method"), PLAIN, false, set_method, 0 },
	{ STR_INIT("scaling"), STR_INIT("method"), KEY_CLASS, false, set_method, 0 },
	{ STR_INIT("scaling"), STR_INIT("specs"), SECTION_CLASS, false, set_specs, 0 },
	{ STR_INIT("prices"), STR_INIT("markets"), PLAIN, true, set_list, AT(markets) },
	{ STR_INIT("prices"), STR_INIT("fallback"), PLAIN, false, set_list, AT(fallback) },
	{ STR_INIT("prices"), STR_INIT("conditions"), PLAIN, false, set_conditions,
	  AT(conditions) },
	{ STR_INIT("prices"), STR_INIT("stale_days"), PLAIN, false, set_days, AT(stale_days) },
	{ STR_INIT("prices"), STR_INIT("drop_days"), PLAIN, false, set_days, AT(drop_days) },
	{ STR_INIT("cost"), STR_INIT("gpus"), PLAIN, false, set_gpus, AT(gpus) },
	{ STR_INIT("cost"), STR_INIT("country"), PLAIN, false, set_text, AT(country) },
	{ STR_INIT("cost"), STR_INIT("tariff"), PLAIN, false, set_text, AT(tariff) },
	{ STR_INIT("cost"), STR_INIT("hours_per_year"), PLAIN, false, set_hours_per_year,
	  AT(hours_per_year) },
	{ STR_INIT("cost"), STR_INIT("years"), PLAIN, false, set_years, AT(years) },
	{ STR_INIT("cost"), STR_INIT("hours_per_month"), PLAIN, false, set_hours_per_month, 0 },
	{ STR_INIT("memory"), STR_INIT("networks"), PLAIN, false, set_list, AT(networks) },
	{ STR_INIT("advice"), STR_INIT("personas"), PLAIN, false, set_list, AT(personas) },
	{ STR_INIT("notes"), ANY_KEY, PLAIN, false, set_note, 0 },
	{ STR_INIT("notes"), ANY_KEY, SECTION_CLASS, false, set_note, 0 },
};

/* Cuts ".CLASS" off a name; false when what stands behind the dot is no class. */
static bool cut_class(struct str *name, enum class_id *class)
{
	struct str rest = *name, head;

	*class = CLASS_COUNT;
	str_cut(&rest, '.', &head);
	if (head.len == name->len)
		return true;
	*name = head;
	return class_parse(rest, class);
}

static bool unknown(struct edition_reading *r, const struct keyfile_pair *p, bool section_known)
{
	if (!section_known)
		return error_at(r->err, ERR_UNKNOWN, p->pos, "section [" STR_FMT "] is not known",
				STR_ARG(p->section));
	return error_at(r->err, ERR_UNKNOWN, p->pos,
			"key '" STR_FMT "' is not known in [" STR_FMT "]", STR_ARG(p->key),
			STR_ARG(p->section));
}

bool edition_key_apply(struct edition_reading *r, const struct keyfile_pair *p)
{
	struct str section = p->section, key = p->key;
	enum class_id section_class, key_class;
	bool section_known = false;

	if (!cut_class(&section, &section_class))
		return error_at(r->err, ERR_UNKNOWN, p->pos,
				"section [" STR_FMT "]: no class of that name",
				STR_ARG(p->section));
	if (!cut_class(&key, &key_class))
		return error_at(r->err, ERR_UNKNOWN, p->pos,
				"key '" STR_FMT "': no class of that name", STR_ARG(p->key));
	for (size_t i = 0; i < LEN(keys); i++) {
		const struct key *k = &keys[i];
		bool in_section = str_eq(k->section, section)
				  && (k->place == SECTION_CLASS) == (section_class != CLASS_COUNT);

		section_known |= in_section;
		if (in_section && (k->place == KEY_CLASS) == (key_class != CLASS_COUNT)
		    && (!k->key.p || str_eq(k->key, key)))
			return k->set(r, &(struct setting){ .pair = p,
							    .offset = k->offset,
							    .class = key_class != CLASS_COUNT
									 ? key_class
									 : section_class });
	}
	return unknown(r, p, section_known);
}

static struct str class_names(const struct edition *e, struct arena *a)
{
	struct strbuf b = { .arena = a };

	for (size_t i = 0; i < e->nclasses; i++)
		strbuf_printf(&b, "%s" STR_FMT, i ? ", " : "",
			      STR_ARG(class_name(e->classes[i].id)));
	return strbuf_str(&b);
}

/* A setting of a class that is not listed would be read and silently count for nothing. Classes may
 * be listed behind their settings, so this comes last. */
bool edition_key_check_classes(struct edition_reading *r, const struct keyfile *file)
{
	for (size_t i = 0; i < file->n; i++) {
		const struct keyfile_pair *p = &file->v[i];
		struct str section = p->section, key = p->key;
		enum class_id of_section, of_key;

		cut_class(&section, &of_section);
		cut_class(&key, &of_key);
		enum class_id class = of_key != CLASS_COUNT ? of_key : of_section;
		if (class != CLASS_COUNT && !edition_class_find(r->out, class))
			return error_at(r->err, ERR_UNKNOWN, p->pos,
					"'" STR_FMT "' of [" STR_FMT
					"]: the edition has no class " STR_FMT ", only " STR_FMT,
					STR_ARG(p->key), STR_ARG(p->section),
					STR_ARG(class_name(class)),
					STR_ARG(class_names(r->out, r->arena)));
	}
	return true;
}

bool edition_key_check_required(const struct keyfile *file, struct error *err)
{
	for (size_t i = 0; i < LEN(keys); i++) {
		size_t j = 0;

		while (j < file->n
		       && !(str_eq(file->v[j].section, keys[i].section)
			    && str_eq(file->v[j].key, keys[i].key)))
			j++;
		if (keys[i].required && j == file->n)
			return error_at(err, ERR_SYNTAX, (struct pos){ file->file, 0, 0 },
					"key '" STR_FMT "' of [" STR_FMT "] is missing",
					STR_ARG(keys[i].key), STR_ARG(keys[i].section));
	}
	return true;
}

struct str edition_policy_name(const struct edition_class *c)
{
	for (size_t i = 0; i < LEN(policies); i++)
		if (policies[i].policy == c->policy)
			return policies[i].name;
	return c->precision;
}
