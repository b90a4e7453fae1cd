#include "price_map.h"

#include "../base/num.h"

#include <string.h>

const struct str price_map_stat_names[MAP_STAT_COUNT] = { STR_INIT("min"), STR_INIT("median"),
							  STR_INIT("mean") };

enum { LIST_MAX = 256, TEXT_MAX = 300, DECIMALS_MAX = 8 };

/* What reading one map needs. */
struct reading {
	const struct devices *devices;
	struct arena *arena;
	struct price_map *out;
	struct error *err;
};

/* A key with one fixed name. `words` are those it takes, an empty one ends them. */
struct key {
	const char *section, *name;
	bool (*set)(struct reading *r, const struct key *k, const struct keyfile_pair *p);
	size_t offset; /* in struct price_map */
	const char *words[4];
};

static bool wrong(struct reading *r, const struct keyfile_pair *p, enum error_code code,
		  const char *why)
{
	return error_at(r->err, code, p->pos, STR_FMT ": '" STR_FMT "' %s", STR_ARG(p->key),
			STR_ARG(p->value), why);
}

static void *member(struct reading *r, const struct key *k)
{
	return (char *)r->out + k->offset;
}

/* Cuts `text` at the mark; items are trimmed, none may be empty. */
static bool cut_list(struct reading *r, const struct keyfile_pair *p, struct str text,
		     struct price_map_list *out)
{
	struct str rest = text, item;

	*out =
	    (struct price_map_list){ arena_array(r->arena, LIST_MAX, sizeof *out->v), 0, p->pos };
	while (str_cut(&rest, '|', &item)) {
		item = str_trim(item);
		if (item.len == 0)
			return wrong(r, p, ERR_SYNTAX, "has an empty item");
		if (out->n == LIST_MAX)
			return wrong(r, p, ERR_RANGE, "has too many items");
		out->v[out->n++] = item;
	}
	return out->n > 0 || wrong(r, p, ERR_SYNTAX, "is empty");
}

static bool set_list(struct reading *r, const struct key *k, const struct keyfile_pair *p)
{
	return cut_list(r, p, p->value, member(r, k));
}

static bool set_text(struct reading *r, const struct key *k, const struct keyfile_pair *p)
{
	*(struct str *)member(r, k) = p->value;
	if (p->value.len == 0)
		return wrong(r, p, ERR_SYNTAX, "is empty");
	return p->value.len <= TEXT_MAX || wrong(r, p, ERR_RANGE, "is too long");
}

static bool word_number(const char *const words[4], struct str s, int *out)
{
	for (int i = 0; i < 4 && words[i]; i++)
		if (str_eq(str_of(words[i]), s)) {
			*out = i;
			return true;
		}
	return false;
}

static bool refuse_word(struct reading *r, const char *const words[4], const struct keyfile_pair *p)
{
	struct strbuf b = { .arena = r->arena };

	for (int i = 0; i < 4 && words[i]; i++)
		strbuf_printf(&b, "%s%s",
			      i == 0                  ? ""
			      : i < 3 && words[i + 1] ? ", "
						      : " or ",
			      words[i]);
	return wrong(
	    r, p, ERR_UNKNOWN,
	    str_c(r->arena, str_printf(r->arena, "is not " STR_FMT, STR_ARG(strbuf_str(&b)))));
}

/* The members are enums whose values count the words; an enum is as wide as an int here. */
static bool set_word(struct reading *r, const struct key *k, const struct keyfile_pair *p)
{
	return word_number(k->words, p->value, member(r, k)) || refuse_word(r, k->words, p);
}

static bool set_flag(struct reading *r, const struct key *k, const struct keyfile_pair *p)
{
	int i;

	if (!word_number(k->words, p->value, &i))
		return refuse_word(r, k->words, p);
	*(bool *)member(r, k) = i > 0;
	return true;
}

static bool set_one_of(struct reading *r, const struct key *k, const struct keyfile_pair *p)
{
	int i;

	*(struct str *)member(r, k) = p->value;
	return word_number(k->words, p->value, &i) || refuse_word(r, k->words, p);
}

static bool set_mark(struct reading *r, const struct key *k, const struct keyfile_pair *p)
{
	int i;

	if (!word_number(k->words, p->value, &i))
		return refuse_word(r, k->words, p);
	*(char *)member(r, k) = k->words[i][0];
	return true;
}

static bool set_sentinel(struct reading *r, const struct key *k, const struct keyfile_pair *p)
{
	struct price_map *m = r->out;

	if (!set_list(r, k, p))
		return false;
	m->sentinels = arena_array(r->arena, m->sentinel.n, sizeof *m->sentinels);
	for (size_t i = 0; i < m->sentinel.n; i++)
		if (!num_parse(m->sentinel.v[i], false, &m->sentinels[i]))
			return wrong(r, p, ERR_SYNTAX, "is not a list of numbers");
	return true;
}

static bool set_decimals(struct reading *r, const struct key *k, const struct keyfile_pair *p)
{
	(void)k;
	return (num_parse_int(p->value, &r->out->decimals) && r->out->decimals <= DECIMALS_MAX)
	       || wrong(r, p, ERR_RANGE, "is not a whole number from 0 to 8");
}

static bool set_statistics(struct reading *r, const struct key *k, const struct keyfile_pair *p)
{
	struct price_map_list list;

	if (!cut_list(r, p, p->value, &list))
		return false;
	for (size_t i = 0; i < list.n; i++) {
		int stat;

		if (!word_number(k->words, list.v[i], &stat))
			return refuse_word(r, k->words, p);
		r->out->statistics[stat] = true;
	}
	return true;
}

static bool check_template(struct reading *r, const struct keyfile_pair *p)
{
	bool inside = false;

	for (size_t i = 0; i < p->value.len; i++) {
		char c = p->value.p[i];

		if ((c == '{' && inside) || (c == '}' && !inside))
			return wrong(r, p, ERR_SYNTAX, "has a brace without its other one");
		inside = c == '{' || (inside && c != '}');
	}
	return !inside || wrong(r, p, ERR_SYNTAX, "has a brace without its other one");
}

static bool set_market(struct reading *r, const struct key *k, const struct keyfile_pair *p)
{
	r->out->market_pos = p->pos;
	return set_text(r, k, p) && check_template(r, p);
}

static bool set_source(struct reading *r, const struct key *k, const struct keyfile_pair *p)
{
	r->out->source_pos = p->pos;
	return set_text(r, k, p) && check_template(r, p);
}

static bool set_currency(struct reading *r, const struct key *k, const struct keyfile_pair *p)
{
	*(struct str *)member(r, k) = p->value;
	for (size_t i = 0; i < p->value.len; i++)
		if (p->value.p[i] < 'A' || p->value.p[i] > 'Z')
			return wrong(r, p, ERR_SYNTAX, "is not a currency such as USD");
	return p->value.len == 3 || wrong(r, p, ERR_SYNTAX, "is not a currency such as USD");
}

#define AT(member) offsetof(struct price_map, member)
#define COLUMN(c) offsetof(struct price_map, columns[c])

/* Every key with a fixed name; a new one is one new line, and one in price_map.h. */
static const struct key keys[] = {
	{ "match", "format", set_word, AT(format), { "csv", "json" } },
	{ "match", "rows", set_text, AT(rows), { NULL } },
	{ "match", "columns", set_list, AT(exact), { NULL } },
	{ "match", "has", set_list, AT(has), { NULL } },
	{ "columns", "name", set_list, COLUMN(MAP_NAME), { NULL } },
	{ "columns", "wide", set_text, AT(wide), { NULL } },
	{ "columns", "memory_gb", set_list, COLUMN(MAP_MEMORY), { NULL } },
	{ "columns", "currency", set_list, COLUMN(MAP_CURRENCY), { NULL } },
	{ "columns", "condition", set_list, COLUMN(MAP_CONDITION), { NULL } },
	{ "columns", "date", set_list, COLUMN(MAP_DATE), { NULL } },
	{ "columns", "count", set_list, COLUMN(MAP_COUNT), { NULL } },
	{ "columns", "n", set_list, COLUMN(MAP_N), { NULL } },
	{ "values", "currency", set_currency, AT(currency), { NULL } },
	{ "values", "date", set_word, AT(date), { "iso", "iso-loose", "month" } },
	{ "values", "missing", set_list, AT(missing), { NULL } },
	{ "values", "sentinel", set_sentinel, AT(sentinel), { NULL } },
	{ "values", "symbols", set_list, AT(symbols), { NULL } },
	{ "values", "thousands", set_mark, AT(thousands), { ",", ".", "'" } },
	{ "values", "decimal", set_mark, AT(decimal), { ".", "," } },
	{ "values", "list", set_word, AT(list), { "none", "lowest", "each" } },
	{ "values", "strip_prefix", set_list, AT(strip_prefix), { NULL } },
	{ "values", "strip_suffix", set_list, AT(strip_suffix), { NULL } },
	{ "values", "scope", set_one_of, AT(scope), { "retail", "cloud" } },
	{ "rows", "market", set_market, AT(market), { NULL } },
	{ "rows", "source", set_source, AT(source), { NULL } },
	{ "rows", "statistics", set_statistics, 0, { "min", "median", "mean" } },
	{ "rows", "stat", set_one_of, AT(stat), { "min", "median", "mean" } },
	{ "rows", "decimals", set_decimals, 0, { NULL } },
	{ "rows", "duplicates", set_flag, AT(keep_duplicates), { "drop", "keep" } },
};

static bool parse_condition(struct reading *r, const struct keyfile_pair *p, struct str text,
			    enum price_condition *out)
{
	return price_condition_parse(text, out)
	       || error_at(r->err, ERR_UNKNOWN, p->pos,
			   "'" STR_FMT "' is not new, used, on-demand or spot", STR_ARG(text));
}

static bool add_price(struct reading *r, const struct keyfile_pair *p)
{
	struct price_map *m = r->out;
	struct price_map_price price = { .listed = str_eq(p->key, STR("listed")) };

	if (!price.listed && !parse_condition(r, p, p->key, &price.condition))
		return false;
	if (str_eq(p->value, STR("*")))
		price.columns.pos = p->pos;
	else if (!cut_list(r, p, p->value, &price.columns))
		return false;
	m->prices = arena_grow(r->arena, m->prices, &m->prices_cap, m->nprices + 1, sizeof price);
	m->prices[m->nprices++] = price;
	return true;
}

static struct price_map_entry *add_entry(struct reading *r, struct price_map_entries *to,
					 const struct keyfile_pair *p)
{
	to->v = arena_grow(r->arena, to->v, &to->cap, to->n + 1, sizeof *to->v);
	to->v[to->n] = (struct price_map_entry){ p->key, p->value, p->pos, 0, 1, PRICE_NEW };
	return &to->v[to->n++];
}

static bool find_device(struct reading *r, const struct keyfile_pair *p, struct str name,
			size_t *out)
{
	*out = device_index(r->devices, name);
	return *out < r->devices->n
	       || error_at(r->err, ERR_UNKNOWN, p->pos,
			   "'" STR_FMT "' is not a device of devices.csv", STR_ARG(name));
}

/* "DEVICE" or "DEVICE / N"; no device has a '/' in its name. */
static bool add_device(struct reading *r, const struct keyfile_pair *p)
{
	struct price_map_entry *e = add_entry(r, &r->out->devices, p);
	struct str rest = p->value, name;
	int count = 1;

	str_cut(&rest, '/', &name);
	if (name.len < p->value.len && (!num_parse_int(str_trim(rest), &count) || count < 1))
		return wrong(r, p, ERR_SYNTAX, "is not DEVICE or DEVICE / N");
	e->count = count;
	return find_device(r, p, str_trim(name), &e->device);
}

static bool add_market(struct reading *r, const struct keyfile_pair *p)
{
	add_entry(r, &r->out->markets, p);
	return p->value.len > 0 || wrong(r, p, ERR_SYNTAX, "is empty");
}

static bool add_note(struct reading *r, const struct keyfile_pair *p)
{
	return find_device(r, p, p->key, &add_entry(r, &r->out->notes, p)->device)
	       && (p->value.len > 0 || wrong(r, p, ERR_SYNTAX, "is empty"));
}

static bool add_condition(struct reading *r, const struct keyfile_pair *p)
{
	return parse_condition(r, p, p->value, &add_entry(r, &r->out->conditions, p)->condition);
}

static const struct test {
	struct str word;
	enum price_map_test test;
} tests[] = {
	{ STR_INIT(" is"), MAP_IS },       { STR_INIT(" starts"), MAP_STARTS },
	{ STR_INIT(" ends"), MAP_ENDS },   { STR_INIT(" contains"), MAP_CONTAINS },
	{ STR_INIT(" below"), MAP_BELOW }, { STR_INIT(" above"), MAP_ABOVE },
};

/* Where the earliest word of the table stands as a word of its own; the length of all: nowhere. */
static size_t find_test(struct str s, const struct test **which)
{
	size_t best = s.len;

	for (size_t i = 0; i < LEN(tests); i++)
		for (size_t at = 0; (at = str_find(s, tests[i].word, at)) < best; at++) {
			size_t end = at + tests[i].word.len;

			if (end == s.len || s.p[end] == ' ') {
				best = at;
				*which = &tests[i];
			}
		}
	return best;
}

static bool add_skip(struct reading *r, const struct keyfile_pair *p, struct str text)
{
	struct price_map *m = r->out;
	const struct test *test = NULL;
	size_t at = find_test(text, &test);
	struct price_map_skip s = { .reason = p->key, .pos = p->pos };

	if (at == 0 || at == text.len)
		return wrong(r, p, ERR_SYNTAX,
			     "is not COLUMN is, starts, ends, contains, below or above TEXT");
	s.column = str_trim(str_slice(text, 0, at));
	s.text = str_trim(str_slice(text, at + test->word.len, text.len));
	s.test = test->test;
	if (s.text.len == 0 && s.test != MAP_IS)
		return wrong(r, p, ERR_SYNTAX, "compares with nothing");
	if ((s.test == MAP_BELOW || s.test == MAP_ABOVE) && !num_parse(s.text, false, &s.number))
		return wrong(r, p, ERR_SYNTAX, "compares with what is not a number");
	m->skips = arena_grow(r->arena, m->skips, &m->skips_cap, m->nskips + 1, sizeof s);
	m->skips[m->nskips++] = s;
	return true;
}

static bool add_skips(struct reading *r, const struct keyfile_pair *p)
{
	const struct str either = STR(" || ");
	size_t from = 0, hit;

	for (; (hit = str_find(p->value, either, from)) < p->value.len; from = hit + either.len)
		if (!add_skip(r, p, str_trim(str_slice(p->value, from, hit))))
			return false;
	return add_skip(r, p, str_trim(str_slice(p->value, from, p->value.len)));
}

/* Sections whose keys are not fixed. */
static const struct {
	struct str name;
	bool (*add)(struct reading *r, const struct keyfile_pair *p);
} open_sections[] = {
	{ STR_INIT("prices"), add_price },         { STR_INIT("devices"), add_device },
	{ STR_INIT("markets"), add_market },       { STR_INIT("notes"), add_note },
	{ STR_INIT("conditions"), add_condition }, { STR_INIT("skip"), add_skips },
};

static bool take_pair(struct reading *r, const struct keyfile_pair *p)
{
	bool known = false;

	for (size_t i = 0; i < LEN(open_sections); i++)
		if (str_eq(open_sections[i].name, p->section))
			return open_sections[i].add(r, p);
	for (size_t i = 0; i < LEN(keys); i++) {
		if (!str_eq(str_of(keys[i].section), p->section))
			continue;
		known = true;
		if (str_eq(str_of(keys[i].name), p->key))
			return keys[i].set(r, &keys[i], p);
	}
	if (!known)
		return error_at(r->err, ERR_UNKNOWN, p->pos,
				"section [" STR_FMT "] is none of a price map",
				STR_ARG(p->section));
	return error_at(r->err, ERR_UNKNOWN, p->pos,
			"key '" STR_FMT "' is not known in [" STR_FMT "]", STR_ARG(p->key),
			STR_ARG(p->section));
}

bool price_map_has_statistics(const struct price_map *m)
{
	return m->statistics[MAP_STAT_MIN] || m->statistics[MAP_STAT_MEDIAN]
	       || m->statistics[MAP_STAT_MEAN];
}

static bool is_wide_right(const struct price_map *m)
{
	for (size_t i = 0; i < m->nprices; i++)
		if ((m->prices[i].columns.n == 0) != (m->wide.len > 0))
			return false;
	return m->wide.len == 0 || m->nprices == 1;
}

static bool lists_condition(const struct price_map *m)
{
	for (size_t i = 0; i < m->nprices; i++)
		if (m->prices[i].listed)
			return true;
	return false;
}

/* What no single key can tell. */
static bool check_whole(const struct price_map *m, struct error *err)
{
	const struct {
		bool good;
		const char *why;
	} rules[] = {
		{ !(m->exact.n && m->has.n),
		  "[match] has both 'columns' and 'has'; one is enough" },
		{ m->format == MAP_JSON || m->rows.len == 0, "[match] rows is for format = json" },
		{ (m->columns[MAP_NAME].n > 0) != (m->wide.len > 0),
		  "[columns] needs 'name' or 'wide', and not both" },
		{ m->nprices > 0, "[prices] names no column" },
		{ is_wide_right(m),
		  "[prices] of a wide table is one line 'CONDITION = *', and '*' is only for one" },
		{ (m->currency.len > 0) != (m->columns[MAP_CURRENCY].n > 0),
		  "a currency is needed, in [values] or in [columns]" },
		{ lists_condition(m) == (m->columns[MAP_CONDITION].n > 0),
		  "'listed' of [prices] and 'condition' of [columns] need each other" },
		{ !(price_map_has_statistics(m) && m->stat.len),
		  "[rows] has both 'statistics' and 'stat': a statistic of statistics" },
		{ m->thousands != m->decimal, "[values] thousands and decimal are the same mark" },
		{ m->columns[MAP_N].n == 0 || !price_map_has_statistics(m),
		  "[columns] n is for single prices; 'statistics' counts the listings itself" },
	};

	for (size_t i = 0; i < LEN(rules); i++)
		if (!rules[i].good)
			return error_at(err, ERR_DATA, (struct pos){ m->file, 0, 0 }, "%s",
					rules[i].why);
	return true;
}

/* "data/price_maps/dawnbench.ini" is "dawnbench". */
static struct str stem(const char *path)
{
	const char *slash = strrchr(path, '/');
	struct str s = str_of(slash ? slash + 1 : path);

	return str_ends(s, STR(".ini")) ? str_slice(s, 0, s.len - 4) : s;
}

static bool take_all(const struct keyfile *k, struct reading *r)
{
	*r->out = (struct price_map){
		.file = k->file, .name = stem(k->file), .decimal = '.', .decimals = -1
	};
	for (size_t i = 0; i < k->n; i++)
		if (!take_pair(r, &k->v[i]))
			return false;
	return check_whole(r->out, r->err);
}

bool price_map_read(const char *path, const struct devices *devices, struct arena *a,
		    struct price_map *out, struct error *err)
{
	struct reading r = { devices, a, out, err };
	struct keyfile k;

	return keyfile_read(path, a, &k, err) && take_all(&k, &r);
}

bool price_map_parse(struct str text, const char *name, const struct devices *devices,
		     struct arena *a, struct price_map *out, struct error *err)
{
	struct reading r = { devices, a, out, err };
	struct keyfile k;

	return keyfile_parse(text, name, a, &k, err) && take_all(&k, &r);
}

static bool is_among(struct str s, const struct str *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (str_eq(v[i], s))
			return true;
	return false;
}

bool price_map_fits(const struct price_map *m, enum price_map_format format,
		    const struct str *columns, size_t n)
{
	const struct price_map_list *wanted = m->exact.n ? &m->exact : &m->has;

	if (m->format != format || wanted->n == 0)
		return false;
	for (size_t i = 0; i < wanted->n; i++)
		if (!is_among(wanted->v[i], columns, n))
			return false;
	for (size_t i = 0; m->exact.n && i < n; i++)
		if (!is_among(columns[i], m->exact.v, m->exact.n))
			return false;
	return true;
}
