#include "persona_keys.h"
#include "lens.h"
#include "../base/num.h"

#include <math.h>
#include <stdint.h>

enum { LIST_MAX = 64, CARDS_MAX = 16 };

/* A pair with its key cut at the dot: "guide.2019.why" is guide, 2019.why. */
struct setting {
	const struct keyfile_pair *pair;
	struct persona_section *section;
	const struct key *key;
	struct str head, tail;
};

enum tail { NO_TAIL, ANY_TAIL, MAY_TAIL };

/* A key of a persona; offset is in struct persona, or of the word. */
struct key {
	struct str name;
	enum tail tail;
	bool (*set)(struct persona_reading *r, const struct setting *s);
	size_t offset;
	const struct str *words;
	size_t nwords;
};

static const struct str objective_names[] = { STR_INIT("value"), STR_INIT("speed") };
static const struct str condition_names[] = { STR_INIT("any"), STR_INIT("new"), STR_INIT("used") };
static const struct str host_names[] = { STR_INIT("desktop"), STR_INIT("server"), STR_INIT("any") };
static const struct str yes_no[] = { STR_INIT("no"), STR_INIT("yes") };
static const struct str cooling_names[] = { STR_INIT("single"), STR_INIT("adjacent") };

/* Index of a word, or n. */
static size_t word_index(const struct str *words, size_t n, struct str s)
{
	size_t i = 0;

	while (i < n && !str_eq(words[i], s))
		i++;
	return i;
}

struct pick_wish pick_wish_default(void)
{
	return (struct pick_wish){ .budget_usd = NAN,
				   .memory_gb = NAN,
				   .tdp_w = NAN,
				   .gpus = 1,
				   .lens = lens_name(LENS_CARD),
				   .owns = SIZE_MAX,
				   .gain_min = NAN };
}

bool persona_condition_parse(struct str s, enum persona_condition *out)
{
	size_t i = word_index(condition_names, LEN(condition_names), s);

	if (i < LEN(condition_names))
		*out = (enum persona_condition)i;
	return i < LEN(condition_names);
}

struct str persona_condition_name(enum persona_condition c)
{
	return condition_names[c];
}

static bool wrong(struct persona_reading *r, const struct setting *s, enum error_code code,
		  const char *why)
{
	return error_at(r->err, code, s->pair->pos, STR_FMT ": '" STR_FMT "' %s",
			STR_ARG(s->pair->key), STR_ARG(s->pair->value), why);
}

static bool unknown_key(struct persona_reading *r, const struct keyfile_pair *p)
{
	return error_at(r->err, ERR_UNKNOWN, p->pos,
			"key '" STR_FMT "' is not known in [" STR_FMT "]", STR_ARG(p->key),
			STR_ARG(p->section));
}

static bool has_value(struct persona_reading *r, const struct setting *s)
{
	return s->pair->value.len > 0 || wrong(r, s, ERR_SYNTAX, "is empty");
}

static bool set_text(struct persona_reading *r, const struct setting *s)
{
	struct str *to = (void *)((char *)&s->section->persona + s->key->offset);

	*to = s->pair->value;
	return has_value(r, s);
}

static bool parse_word(struct persona_reading *r, const struct setting *s, const struct str *words,
		       size_t n, size_t *index)
{
	struct strbuf b = { .arena = r->arena };

	*index = word_index(words, n, s->pair->value);
	if (*index < n)
		return true;
	for (size_t i = 0; i < n; i++)
		strbuf_printf(&b, "%s" STR_FMT,
			      i == 0       ? ""
			      : i + 1 == n ? " or "
					   : ", ",
			      STR_ARG(words[i]));
	return error_at(r->err, ERR_UNKNOWN, s->pair->pos,
			STR_FMT ": '" STR_FMT "' is not " STR_FMT, STR_ARG(s->pair->key),
			STR_ARG(s->pair->value), STR_ARG(strbuf_str(&b)));
}

static const double number_least = 0.01; /* a cent, of a dollar and of anything else */

static bool parse_number(struct persona_reading *r, const struct setting *s, double most,
			 double *out)
{
	if (!num_parse(s->pair->value, false, out))
		return wrong(r, s, ERR_SYNTAX, "is not a number");
	if (!(*out > 0 && *out <= most))
		return error_at(r->err, ERR_RANGE, s->pair->pos,
				STR_FMT ": '" STR_FMT "' is not above 0 and at most %g",
				STR_ARG(s->pair->key), STR_ARG(s->pair->value), most);
	if (*out < number_least) /* what is divided by it could overflow */
		return error_at(r->err, ERR_RANGE, s->pair->pos,
				STR_FMT ": '" STR_FMT "' is below %g", STR_ARG(s->pair->key),
				STR_ARG(s->pair->value), number_least);
	return true;
}

static bool parse_year(struct persona_reading *r, const struct setting *s, struct str text,
		       int *year)
{
	if (text.len == 4 && num_parse_int(text, year) && *year >= 1900 && *year <= 2199)
		return true;
	return error_at(r->err, ERR_SYNTAX, s->pair->pos, STR_FMT ": '" STR_FMT "' is not a year",
			STR_ARG(s->pair->key), STR_ARG(text));
}

/* Of values with a year the newest counts that is not after the edition's; one without is older
 * than all. */
static bool set_dated(struct persona_reading *r, const struct setting *s, int *kept_year,
		      double most, double *to)
{
	int year = 0;
	double v;

	if ((s->tail.len && !parse_year(r, s, s->tail, &year)) || !parse_number(r, s, most, &v))
		return false;
	if (year <= r->year && year >= *kept_year) {
		*kept_year = year;
		*to = v;
	}
	return true;
}

static bool set_budget(struct persona_reading *r, const struct setting *s)
{
	return set_dated(r, s, &s->section->budget_year, 1e9, &s->section->persona.wish.budget_usd);
}

static bool set_memory(struct persona_reading *r, const struct setting *s)
{
	return set_dated(r, s, &s->section->memory_year, 1e6, &s->section->persona.wish.memory_gb);
}

static bool set_tdp(struct persona_reading *r, const struct setting *s)
{
	return set_dated(r, s, &s->section->tdp_year, 1e5, &s->section->persona.wish.tdp_w);
}

/* The words of a key, kept by their place in its list. */
static bool set_word(struct persona_reading *r, const struct setting *s)
{
	size_t i;

	if (!parse_word(r, s, s->key->words, s->key->nwords, &i))
		return false;
	s->section->word[s->key->offset] = (int)i;
	return true;
}

static bool set_lens(struct persona_reading *r, const struct setting *s)
{
	struct str names[LENS_COUNT];
	size_t i;

	for (int l = 0; l < LENS_COUNT; l++)
		names[l] = lens_name((enum lens)l);
	s->section->persona.wish.lens = s->pair->value;
	return parse_word(r, s, names, LENS_COUNT, &i);
}

static bool set_gpus(struct persona_reading *r, const struct setting *s)
{
	int n;

	if (!num_parse_int(s->pair->value, &n) || n < 1 || n > 16)
		return wrong(r, s, ERR_RANGE, "is not a whole number of cards from 1 to 16");
	s->section->persona.wish.gpus = n;
	return true;
}

static bool set_weight(struct persona_reading *r, const struct setting *s)
{
	enum class_id c;

	if (!class_parse(s->tail, &c))
		return error_at(r->err, ERR_UNKNOWN, s->pair->pos,
				STR_FMT ": '" STR_FMT "' is not a class", STR_ARG(s->pair->key),
				STR_ARG(s->tail));
	return parse_number(r, s, 1000, &s->section->persona.wish.weights[c]);
}

static bool find_device(struct persona_reading *r, const struct setting *s, struct str name,
			size_t *out)
{
	size_t near[8], n;
	enum device_match match = device_find(r->devices, name, r->arena, near, &n);

	*out = near[0];
	if (match == DEVICE_FOUND)
		return true;
	return error_at(
	    r->err, ERR_UNKNOWN, s->pair->pos, STR_FMT ": device '" STR_FMT "' %s " STR_FMT,
	    STR_ARG(s->pair->key), STR_ARG(name),
	    match == DEVICE_AMBIGUOUS ? "could be any of" : "is not in the catalogue; nearest:",
	    STR_ARG(device_names(r->devices, near, n, r->arena)));
}

static bool add_note(struct persona_reading *r, const struct setting *s, struct device_notes *to)
{
	struct device_note note = { .text = s->pair->value };

	if (!has_value(r, s) || !find_device(r, s, s->tail, &note.device))
		return false;
	if (to->n == LIST_MAX)
		return wrong(r, s, ERR_RANGE, "is one card too many");
	if (!to->v)
		to->v = arena_array(r->arena, LIST_MAX, sizeof *to->v);
	to->v[to->n++] = note;
	return true;
}

static bool set_notes(struct persona_reading *r, const struct setting *s)
{
	return add_note(r, s, (void *)((char *)&s->section->persona + s->key->offset));
}

/* "a, b": items trimmed, none empty. */
static bool split(struct persona_reading *r, const struct setting *s, struct str_list *out)
{
	struct str rest = s->pair->value, item;

	if (!has_value(r, s))
		return false;
	*out = (struct str_list){ .v = arena_array(r->arena, LIST_MAX, sizeof *out->v) };
	while (str_cut(&rest, ',', &item)) {
		item = str_trim(item);
		if (item.len == 0)
			return wrong(r, s, ERR_SYNTAX, "has an empty item");
		if (out->n == LIST_MAX)
			return wrong(r, s, ERR_RANGE, "has too many items");
		out->v[out->n++] = item;
	}
	return true;
}

static bool set_vendors(struct persona_reading *r, const struct setting *s)
{
	struct str_list *to = &s->section->persona.wish.vendors;

	if (!split(r, s, to))
		return false;
	for (size_t i = 0; i < to->n; i++) {
		size_t j = 0;
		while (j < r->devices->n && !str_eq(r->devices->v[j].vendor, to->v[i]))
			j++;
		if (j == r->devices->n)
			return error_at(r->err, ERR_UNKNOWN, s->pair->pos,
					STR_FMT ": no device of vendor '" STR_FMT "'",
					STR_ARG(s->pair->key), STR_ARG(to->v[i]));
	}
	return true;
}

static bool set_owns(struct persona_reading *r, const struct setting *s)
{
	return has_value(r, s) && find_device(r, s, s->pair->value, &s->section->persona.wish.owns);
}

static bool set_gain(struct persona_reading *r, const struct setting *s)
{
	return parse_number(r, s, 100, &s->section->persona.wish.gain_min);
}

static bool set_span(struct persona_reading *r, const struct setting *s)
{
	return parse_year(r, s, s->pair->value, &s->section->span[s->key->offset]);
}

/* The items that are cards of the catalogue; the others are words ("Colab"). */
static void keep_cards(struct persona_reading *r, const struct str_list *items, struct persona *p)
{
	p->cards = (struct str_list){ .v = arena_array(r->arena, CARDS_MAX, sizeof *p->cards.v) };
	for (size_t i = 0; i < items->n && p->cards.n < CARDS_MAX; i++) {
		size_t near[8], n;
		if (device_known(r->devices, items->v[i], r->arena)
		    && device_find(r->devices, items->v[i], r->arena, near, &n) == DEVICE_FOUND)
			p->cards.v[p->cards.n++] = r->devices->v[near[0]].name;
	}
}

/* guide.YEAR and guide.YEAR.why; only those of the edition's own year are kept. */
static bool set_guide(struct persona_reading *r, const struct setting *s)
{
	struct str rest = s->tail, year_text = STR("");
	struct str_list items;
	int year;

	str_cut(&rest, '.', &year_text);
	bool why = str_eq(rest, STR("why"));
	if (!parse_year(r, s, year_text, &year) || !has_value(r, s))
		return false;
	if (!why && year_text.len != s->tail.len)
		return unknown_key(r, s->pair);
	if (!why && !split(r, s, &items))
		return false;
	if (year != r->year)
		return true;
	if (why) {
		s->section->persona.guide_why = s->pair->value;
		return true;
	}
	s->section->persona.guide = s->pair->value;
	keep_cards(r, &items, &s->section->persona);
	return true;
}

/* Every key of a persona; a tail stands behind the first dot. */
#define AT(member) offsetof(struct persona, member), NULL, 0
#define WORD(place, words) place, words, LEN(words)
#define NOWHERE 0, NULL, 0
static const struct key keys[] = {
	{ STR_INIT("title"), NO_TAIL, set_text, AT(wish.title) },
	{ STR_INIT("asks"), NO_TAIL, set_text, AT(wish.asks) },
	{ STR_INIT("objective"), NO_TAIL, set_word, WORD(WORD_OBJECTIVE, objective_names) },
	{ STR_INIT("budget_usd"), MAY_TAIL, set_budget, NOWHERE },
	{ STR_INIT("memory_gb"), MAY_TAIL, set_memory, NOWHERE },
	{ STR_INIT("tdp_w"), MAY_TAIL, set_tdp, NOWHERE },
	{ STR_INIT("gpus"), NO_TAIL, set_gpus, NOWHERE },
	{ STR_INIT("weight"), ANY_TAIL, set_weight, NOWHERE },
	{ STR_INIT("lens"), NO_TAIL, set_lens, NOWHERE },
	{ STR_INIT("condition"), NO_TAIL, set_word, WORD(WORD_CONDITION, condition_names) },
	{ STR_INIT("data_center"), NO_TAIL, set_word, WORD(WORD_DATA_CENTER, yes_no) },
	{ STR_INIT("cooling"), NO_TAIL, set_word, WORD(WORD_COOLING, cooling_names) },
	{ STR_INIT("host"), NO_TAIL, set_word, WORD(WORD_HOST, host_names) },
	{ STR_INIT("vendors"), NO_TAIL, set_vendors, NOWHERE },
	{ STR_INIT("except"), ANY_TAIL, set_notes, AT(wish.except) },
	{ STR_INIT("only"), ANY_TAIL, set_notes, AT(wish.only) },
	{ STR_INIT("owns"), NO_TAIL, set_owns, NOWHERE },
	{ STR_INIT("gain"), NO_TAIL, set_gain, NOWHERE },
	{ STR_INIT("since"), NO_TAIL, set_span, 0, NULL, 0 },
	{ STR_INIT("until"), NO_TAIL, set_span, 1, NULL, 0 },
	{ STR_INIT("guide"), ANY_TAIL, set_guide, NOWHERE },
};

static bool set_persona(struct persona_reading *r, struct setting *s)
{
	for (size_t i = 0; i < LEN(keys); i++) {
		bool tail = s->head.len < s->pair->key.len;

		if (!str_eq(keys[i].name, s->head) || (tail && keys[i].tail == NO_TAIL)
		    || (!tail && keys[i].tail == ANY_TAIL))
			continue;
		s->key = &keys[i];
		return keys[i].set(r, s);
	}
	return unknown_key(r, s->pair);
}

/* [avoid] and [avoid.YEAR]. */
static bool set_avoid_section(struct persona_reading *r, struct setting *s)
{
	struct str section = s->pair->section;
	struct device_notes other = { .n = 0 };
	int year = r->year;

	if (section.len > 5 && !parse_year(r, s, str_slice(section, 6, section.len), &year))
		return false;
	if (!str_eq(s->head, STR("only_if")))
		return unknown_key(r, s->pair);
	return add_note(r, s, year == r->year ? &r->out->only_if : &other);
}

static bool set_upgrade_section(struct persona_reading *r, struct setting *s)
{
	const struct {
		struct str key;
		double most, *to;
		bool *has;
	} numbers[] = {
		{ STR("keep_below"), 100, &r->out->keep_below, &r->has_keep },
		{ STR("upgrade_from"), 100, &r->out->upgrade_from, &r->has_upgrade },
		{ STR("dear_below"), 1, &r->out->dear_below, &r->has_dear },
	};
	struct str_list items;

	for (size_t i = 0; i < LEN(numbers); i++)
		if (str_eq(numbers[i].key, s->pair->key))
			return *numbers[i].has = parse_number(r, s, numbers[i].most, numbers[i].to);
	if (!str_eq(s->pair->key, STR("owned")))
		return unknown_key(r, s->pair);
	if (!split(r, s, &items))
		return false;
	r->has_owned = true;
	r->out->owned = arena_array(r->arena, items.n, sizeof *r->out->owned);
	for (size_t i = 0; i < items.n; i++)
		if (!find_device(r, s, items.v[i], &r->out->owned[r->out->nowned++]))
			return false;
	return true;
}

static struct persona_section *section_of(struct persona_reading *r, const struct keyfile_pair *p)
{
	for (size_t i = 0; i < r->n; i++)
		if (str_eq(r->sections[i].persona.wish.name, p->section))
			return &r->sections[i];
	if (r->n == PERSONA_SECTIONS_MAX)
		return NULL;
	struct persona_section *s = &r->sections[r->n++];
	*s = (struct persona_section){ .persona.wish = pick_wish_default(), .span = { 0, 9999 } };
	for (size_t i = 0; i < PERSONA_WORDS; i++)
		s->word[i] = -1;
	s->persona.wish.name = p->section;
	s->persona.wish.pos = p->pos;
	return s;
}

bool persona_key_apply(struct persona_reading *r, const struct keyfile_pair *p)
{
	struct setting s = { .pair = p };

	s.tail = p->key;
	str_cut(&s.tail, '.', &s.head);
	if (str_eq(p->section, STR("cooling")))
		return str_eq(s.head, STR("blower")) ? add_note(r, &s, &r->out->blower)
						     : unknown_key(r, p);
	if (str_eq(p->section, STR("avoid")) || str_starts(p->section, STR("avoid.")))
		return set_avoid_section(r, &s);
	if (str_eq(p->section, STR("upgrade")))
		return set_upgrade_section(r, &s);
	if (p->section.len == 0)
		return error_at(r->err, ERR_SYNTAX, p->pos,
				"key '" STR_FMT "' stands before any [section]", STR_ARG(p->key));
	s.section = section_of(r, p);
	if (!s.section)
		return error_at(r->err, ERR_RANGE, p->pos, "more than %d sections",
				PERSONA_SECTIONS_MAX);
	return set_persona(r, &s);
}
