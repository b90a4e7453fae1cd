/* What both figures must say about themselves: which recurrent nets stand behind the RNN columns,
 * which software generations, which precision. All of it is read off the rows that were used. */
#include "build.h"
#include "format.h"

#include <limits.h>

enum { SERIES_SHOWN = 4, SOFTWARE_SHOWN = 5, PRECISIONS_SHOWN = 4 };

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
	struct name_set series = used_series(b, true), titles = { .n = 0 };

	for (size_t i = 0; i < series.n; i++) {
		const struct data_source *s = build_source(b, series.v[i]);
		name_add(b, &titles, s && s->title.len ? s->title : series.v[i]);
	}
	if (titles.n == 0)
		return STR("");
	return build_str(
	    b, "caveat.rnn",
	    (struct text_arg[]){ text_arg("series", name_list_long(b, &titles, SERIES_SHOWN)),
				 text_arg_end() });
}

static struct str software_sentence(struct build *b)
{
	struct name_set series = used_series(b, false), software = { .n = 0 };
	struct date first = { INT_MAX }, last = { INT_MIN };

	for (size_t i = 0; i < series.n; i++) {
		const struct data_source *s = build_source(b, series.v[i]);
		if (!s)
			continue;
		name_add(b, &software, s->software);
		if (s->first_date.day != INT_MIN && s->first_date.day < first.day)
			first = s->first_date;
		if (s->last_date.day > last.day)
			last = s->last_date;
	}
	if (software.n == 0 || last.day == INT_MIN || first.day == INT_MAX)
		return STR("");
	return build_str(
	    b, "caveat.software",
	    (struct text_arg[]){ text_arg("software", name_list_long(b, &software, SOFTWARE_SHOWN)),
				 text_arg("dates", format_dates(b->arena, first, last,
								build_str(b, "list.to", NULL))),
				 text_arg_end() });
}

static struct str precision_sentence(struct build *b)
{
	struct strbuf classes = { .arena = b->arena };

	for (size_t c = 0; c < b->data->nclasses; c++) {
		struct name_set used = { .n = 0 };
		for (size_t i = 0; i < b->data->ndevices; i++) {
			const struct data_score *s = data_score(b->data, i, c);
			if (s)
				name_add_words(b, &used, s->precisions);
		}
		if (used.n == 0)
			continue;
		if (classes.len > 0)
			strbuf_add(&classes, build_str(b, "list.semicolon", NULL));
		strbuf_add(&classes, class_title(b->data->classes[c]));
		strbuf_addc(&classes, ' ');
		strbuf_add(&classes, name_list(b, &used, PRECISIONS_SHOWN));
	}
	if (classes.len == 0)
		return STR("");
	return build_str(
	    b, "caveat.precision",
	    (struct text_arg[]){ text_arg("classes", strbuf_str(&classes)), text_arg_end() });
}

struct str caveat_text(struct build *b)
{
	const struct str sentences[] = { rnn_sentence(b), software_sentence(b),
					 precision_sentence(b) };
	struct strbuf all = { .arena = b->arena };

	for (size_t i = 0; i < LEN(sentences); i++) {
		if (sentences[i].len > 0 && all.len > 0)
			strbuf_addc(&all, ' ');
		strbuf_add(&all, sentences[i]);
	}
	return strbuf_str(&all);
}
