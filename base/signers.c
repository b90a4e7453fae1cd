#include "signers.h"

#include "file.h"
#include "sshsig.h"

#include <limits.h>
#include <stdint.h>

static const long long day_s = 86400;

/* --- one line --- */

struct line {
	struct str rest;
	struct pos pos;
	struct arena *arena;
	struct error *err;
};

static bool wrong(const struct line *l, const char *what)
{
	return error_at(l->err, ERR_SYNTAX, l->pos, "%s", what);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* The next word; blanks inside quotes are part of it. */
static struct str cut_word(struct line *l)
{
	struct str s = str_trim(l->rest);
	bool quoted = false;
	size_t n = 0;

	while (n < s.len && (quoted || !is_blank(s.p[n]))) {
		if (s.p[n] == '"')
			quoted = !quoted;
		n++;
	}
	l->rest = str_slice(s, n, s.len);
	return str_slice(s, 0, n);
}

static bool two_digits(struct str *s, int *out)
{
	if (s->len < 2 || s->p[0] < '0' || s->p[0] > '9' || s->p[1] < '0' || s->p[1] > '9')
		return false;
	*out = (s->p[0] - '0') * 10 + s->p[1] - '0';
	*s = str_slice(*s, 2, s->len);
	return true;
}

static bool parse_time(struct line *l, struct str text, long long *out)
{
	int clock[3] = { 0 };
	struct date day;

	if (str_ends(text, STR("Z")))
		text.len--;
	if (text.len != 8 && text.len != 12 && text.len != 14)
		return false;
	struct str iso = str_printf(l->arena, "%.4s-%.2s-%.2s", text.p, text.p + 4, text.p + 6);
	struct str rest = str_slice(text, 8, text.len);
	for (size_t i = 0; i < LEN(clock) && rest.len; i++)
		if (!two_digits(&rest, &clock[i]))
			return false;
	if (!date_parse(iso, &day) || clock[0] > 23 || clock[1] > 59 || clock[2] > 59)
		return false;
	*out = day.day * day_s + clock[0] * 3600 + clock[1] * 60 + clock[2];
	return true;
}

/* The next option, up to a comma outside quotes. */
static struct str cut_option(struct str *options)
{
	bool quoted = false;
	size_t n = 0;

	while (n < options->len && (quoted || options->p[n] != ',')) {
		if (options->p[n] == '"')
			quoted = !quoted;
		n++;
	}
	struct str option = str_slice(*options, 0, n);
	*options = str_slice(*options, n + 1, options->len);
	return option;
}

/* NAME="VALUE" gives VALUE. */
static bool is_option(struct str option, struct str name, struct str *value)
{
	if (!str_starts(option, name) || option.len < name.len + 3 || option.p[name.len] != '='
	    || option.p[name.len + 1] != '"' || option.p[option.len - 1] != '"')
		return false;
	*value = str_slice(option, name.len + 2, option.len - 1);
	return str_find(*value, STR("\""), 0) == value->len && value->len > 0;
}

static bool read_option(struct line *l, struct str option, struct signer *out)
{
	struct str value;

	if (is_option(option, STR("namespaces"), &value)) {
		if (out->namespaces.len)
			return wrong(l, "namespaces stands twice");
		out->namespaces = value;
		return true;
	}
	if (is_option(option, STR("valid-after"), &value)) {
		if (parse_time(l, value, &out->after_s))
			return true;
		return wrong(l, "valid-after: not a time as in 20260131 or 20260131235959");
	}
	if (is_option(option, STR("valid-before"), &value)) {
		if (parse_time(l, value, &out->before_s))
			return true;
		return wrong(l, "valid-before: not a time as in 20260131 or 20260131235959");
	}
	struct str shown = str_plain(l->arena, str_slice(option, 0, 60));
	return error_at(l->err, ERR_SYNTAX, l->pos,
			"'" STR_FMT "' is neither a key type nor one of namespaces=\"…\", "
			"valid-after=\"…\", valid-before=\"…\"",
			STR_ARG(shown));
}

static bool is_key_type(struct str word)
{
	static const struct str starts[] = { STR_INIT("ssh-"), STR_INIT("sk-"),
					     STR_INIT("ecdsa-") };

	for (size_t i = 0; i < LEN(starts); i++)
		if (str_starts(word, starts[i]))
			return true;
	return false;
}

static bool read_key(struct line *l, struct str type, struct signer *out)
{
	struct str key, name, shown = str_plain(l->arena, str_slice(type, 0, 60));

	if (!sshsig_base64(cut_word(l), l->arena, &out->key))
		return wrong(l, "the key is not base64");
	key = out->key;
	if (!sshsig_string(&key, &name) || !str_eq(name, type))
		return error_at(l->err, ERR_SYNTAX, l->pos, "the key is not one of '" STR_FMT "'",
				STR_ARG(shown));
	return true;
}

static bool read_line(struct line *l, struct signer *out)
{
	struct str word, option;

	*out = (struct signer){ .after_s = LLONG_MIN, .before_s = LLONG_MAX, .pos = l->pos };
	out->name = cut_word(l);
	if (!str_is_word(out->name, "._-+@"))
		return wrong(l,
			     "the name is not of letters, digits and . _ - + @: one line is of one "
			     "contributor, without patterns");
	word = cut_word(l);
	if (!is_key_type(word)) {
		while (word.len) {
			option = cut_option(&word);
			if (!read_option(l, option, out))
				return false;
		}
		if (out->after_s >= out->before_s)
			return wrong(l, "valid-after is not before valid-before");
		word = cut_word(l);
	}
	if (!is_key_type(word))
		return wrong(l, "no key: NAME [OPTIONS] KEY-TYPE BASE64 was wanted");
	return read_key(l, word, out);
}

/* --- all lines --- */

static bool add(struct signers *s, const struct signer *new, struct arena *a, struct error *err)
{
	bool fresh;
	size_t at = s->n;
	size_t *first = map_put(&s->by_key, new->key, at, &fresh);

	s->v = arena_grow(a, s->v, &s->cap, at + 1, sizeof *s->v);
	s->v[at] = *new;
	s->n++;
	if (!fresh) {
		struct signer *old = &s->v[*first];

		if (!str_eq(old->name, new->name))
			return error_at(err, ERR_DATA, new->pos,
					"the key stands in line %d under the name '" STR_FMT "'",
					old->pos.line, STR_ARG(old->name));
		while (old->next)
			old = &s->v[old->next];
		old->next = at;
	}
	size_t named = *map_put(&s->by_name, new->name, at, &fresh);
	s->v[at].number = fresh ? ++s->names : s->v[named].number;
	return true;
}

bool signers_parse(struct str text, const char *file, struct arena *a, struct signers *out,
		   struct error *err)
{
	struct line l = { .pos = { file, 0, 0 }, .arena = a, .err = err };

	*out = (struct signers){ .by_key.arena = a, .by_name.arena = a, .n = 1 };
	out->v = arena_grow(a, NULL, &out->cap, 1, sizeof *out->v);
	out->v[0] = (struct signer){ .next = 0 };
	while (str_cut(&text, '\n', &l.rest)) {
		struct signer new;

		l.pos.line++;
		l.rest = str_trim(l.rest);
		if (l.rest.len == 0 || l.rest.p[0] == '#')
			continue;
		if (!read_line(&l, &new) || !add(out, &new, a, err))
			return false;
	}
	return true;
}

bool signers_read(const char *path, size_t limit, struct arena *a, struct signers *out,
		  struct error *err)
{
	struct str text = { 0 };

	if (file_exists(path) && !file_read(path, limit, a, &text, err))
		return false;
	return signers_parse(text, path, a, out, err);
}

const struct signer *signers_find(const struct signers *s, struct str key)
{
	const size_t *at = map_get(&s->by_key, key);

	return at ? &s->v[*at] : NULL;
}

const struct signer *signers_next(const struct signers *s, const struct signer *of)
{
	return of->next ? &s->v[of->next] : NULL;
}

/* --- what a line allows --- */

/* '*' any text, '?' any byte. Goes back to the last '*' only, so that the time is at most the
 * product of the lengths. */
static bool matches(struct str text, struct str pattern)
{
	size_t t = 0, p = 0, star = SIZE_MAX, from = 0;

	while (t < text.len) {
		if (p < pattern.len && pattern.p[p] == '*') {
			star = p++;
			from = t;
		} else if (p < pattern.len && (pattern.p[p] == '?' || pattern.p[p] == text.p[t])) {
			p++;
			t++;
		} else if (star != SIZE_MAX) {
			p = star + 1;
			t = ++from;
		} else {
			return false;
		}
	}
	while (p < pattern.len && pattern.p[p] == '*')
		p++;
	return p == pattern.len;
}

bool signer_may(const struct signer *s, struct str name_space)
{
	struct str rest = s->namespaces, pattern;
	bool good = rest.len == 0;

	while (rest.len && str_cut(&rest, ',', &pattern)) {
		bool not_meant = str_starts(pattern, STR("!"));

		if (!matches(name_space, str_slice(pattern, not_meant, pattern.len)))
			continue;
		if (not_meant)
			return false;
		good = true;
	}
	return good;
}

bool signer_is_valid(const struct signer *s, struct date day)
{
	long long t = day.day * day_s;

	return t >= s->after_s && t <= s->before_s;
}

static struct date day_of(long long s)
{
	return date_of_day((int)(s >= 0 ? s / day_s : -((-s + day_s - 1) / day_s)));
}

struct str signer_days(const struct signer *s, struct arena *a)
{
	bool from = s->after_s != LLONG_MIN, until = s->before_s != LLONG_MAX;
	/* a time within the first day leaves that day out: its first second is before it */
	struct date first = from ? day_of(s->after_s + day_s - 1) : (struct date){ 0 };
	struct date last = until ? day_of(s->before_s) : (struct date){ 0 };
	struct str first_day = date_iso(a, first), last_day = date_iso(a, last);

	if (!from && !until)
		return STR("always");
	if (!until)
		return str_printf(a, "from " STR_FMT, STR_ARG(first_day));
	if (!from)
		return str_printf(a, "until " STR_FMT, STR_ARG(last_day));
	return str_printf(a, "from " STR_FMT " until " STR_FMT, STR_ARG(first_day),
			  STR_ARG(last_day));
}
