/* What both figures must say about themselves: that other recurrent nets may rank otherwise, how
 * many software generations are joined, which precision, which scores nobody vouches for. All of it
 * is read off the rows that were used; the names of the series stand in the chapter of the
 * method. */
#include "build.h"
#include "format.h"
#include "../catalogue/trust.h"

#include <limits.h>

enum { ANONYMOUS_SHOWN = 8 };

static bool is_rnn(enum class_id c)
{
	return c == CLASS_RNN_WORD || c == CLASS_RNN_CHAR;
}

/* Series behind the measured scores; of the recurrent classes only, or of all. */
static struct name_set used_series(struct build *b, bool rnn_only)
{
	struct name_set names = { .n = 0 };

	for (size_t i = 0; i < b->data->nscores; i++)
		if (!rnn_only || is_rnn(b->data->scores[i].class))
			name_add_words(b, &names, b->data->scores[i].series);
	return names;
}

static struct str rnn_sentence(struct build *b)
{
	struct name_set series = used_series(b, true);

	if (series.n == 0)
		return STR("");
	return build_str(
	    b, "caveat.rnn",
	    (struct text_arg[]){ text_arg_int("n", (long)series.n, b->arena), text_arg_end() });
}

struct str build_row_dates(struct build *b, const struct name_set *series)
{
	struct date first = { INT_MAX }, last = { INT_MIN };

	for (size_t i = 0; i < series->n; i++) {
		const struct data_source *s = build_source(b, series->v[i]);
		if (!s)
			continue;
		if (s->first_date.day != INT_MIN && s->first_date.day < first.day)
			first = s->first_date;
		if (s->last_date.day > last.day)
			last = s->last_date;
	}
	if (first.day == INT_MAX)
		first.day = INT_MIN;
	return format_dates(b->arena, first, last, build_str(b, "list.to", NULL));
}

static struct str software_sentence(struct build *b)
{
	struct name_set series = used_series(b, false);
	struct str dates = build_row_dates(b, &series);

	if (series.n == 0 || dates.len == 0)
		return STR("");
	return build_str(b, "caveat.software",
			 (struct text_arg[]){ text_arg_int("n", (long)series.n, b->arena),
					      text_arg("dates", dates), text_arg_end() });
}

/* The classes that follow one policy. */
struct followers {
	struct str policy;
	struct name_set classes;
};

static size_t group_policies(struct build *b, struct followers *out)
{
	size_t n = 0;

	for (size_t c = 0; c < b->data->nclasses; c++) {
		struct str policy = build_policy(b, b->data->classes[c]);
		size_t k = 0;
		if (policy.len == 0)
			continue;
		while (k < n && !str_eq(out[k].policy, policy))
			k++;
		if (k == n)
			out[n++] = (struct followers){ .policy = policy };
		name_add(b, &out[k].classes, build_class(b, b->data->classes[c]));
	}
	return n;
}

static struct str precision_sentence(struct build *b)
{
	struct followers groups[CLASS_COUNT];
	size_t n = group_policies(b, groups);
	struct name_set policies = { .n = 0 };

	for (size_t i = 0; i < n; i++) {
		const struct text_arg args[] = {
			text_arg("policy", groups[i].policy),
			text_arg("classes", name_list(b, &groups[i].classes, CLASS_COUNT)),
			text_arg_end(),
		};
		name_add(b, &policies,
			 n == 1 ? groups[i].policy : build_str(b, "caveat.policy", args));
	}
	if (n == 0)
		return STR("");
	return build_str(
	    b, "caveat.precision",
	    (struct text_arg[]){ text_arg("policies", name_list_long(b, &policies, CLASS_COUNT)),
				 text_arg_end() });
}

/* The scores that nothing better than anonymous contributions supports: "Card (CNN)". */
static struct str anonymous_sentence(struct build *b)
{
	struct name_set names = { .n = 0 };

	for (size_t i = 0; i < b->data->nscores; i++) {
		const struct data_score *s = &b->data->scores[i];

		if (!str_eq(s->trust, trust_name(TRUST_ANONYMOUS)))
			continue;
		name_add(b, &names,
			 build_str(b, "caveat.score",
				   (struct text_arg[]){ text_arg("device", s->device),
							text_arg("class", build_class(b, s->class)),
							text_arg_end() }));
	}
	if (names.n == 0)
		return STR("");
	return build_str(b, "caveat.anonymous",
			 (struct text_arg[]){
			     text_arg("names", name_list_long(b, &names, ANONYMOUS_SHOWN)),
			     text_arg_end() });
}

struct str caveat_text(struct build *b)
{
	const struct str sentences[] = { rnn_sentence(b), software_sentence(b),
					 precision_sentence(b), anonymous_sentence(b) };
	struct strbuf all = { .arena = b->arena };

	for (size_t i = 0; i < LEN(sentences); i++) {
		if (sentences[i].len > 0 && all.len > 0)
			strbuf_add(&all, build_str(b, "list.sentence", NULL));
		strbuf_add(&all, sentences[i]);
	}
	return strbuf_str(&all);
}
