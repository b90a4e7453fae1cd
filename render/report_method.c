/* How the figures come about, in short, and what this edition's classes rest on. */
#include "build.h"
#include "format.h"

static const struct build_column class_columns[] = {
	{ "column.class", false, true, 1 },       { "column.precision", false, false, 3 },
	{ "column.measured", true, false, 0.8 },  { "column.scaled", true, false, 0.8 },
	{ "column.estimated", true, false, 0.8 }, { "column.excluded", true, false, 0.8 },
};

/* Precision policies of an edition and what they mean; any other is the name of one precision. */
static const struct {
	const char *policy, *key;
} policies[] = {
	{ "guide", "policy.guide" },
	{ "best", "policy.best" },
	{ "each", "policy.each" },
};

struct str build_policy(struct build *b, enum class_id class)
{
	struct str key = str_printf(b->arena, "policy." STR_FMT, STR_ARG(class_name(class)));
	struct str policy = data_setting(b->data, key);

	for (size_t i = 0; i < LEN(policies); i++)
		if (str_eq(policy, str_of(policies[i].policy)))
			return build_str(b, policies[i].key, NULL);
	return policy;
}

static void class_row(struct build *b, struct report_table *t, size_t c)
{
	long count[ORIGIN_EXCLUDED + 1] = { 0 };
	struct report_cell *cells = report_table_row(t, b->arena);

	for (size_t i = 0; i < b->data->ndevices; i++) {
		const struct data_score *s = data_score(b->data, i, c);
		if (s)
			count[s->origin]++;
	}
	cells[0].text = build_class(b, b->data->classes[c]);
	cells[1].text = build_policy(b, b->data->classes[c]);
	for (int o = ORIGIN_MEASURED; o <= ORIGIN_EXCLUDED; o++)
		cells[2 + o].text = format_count(b->arena, count[o]);
}

static void class_table(struct build *b)
{
	struct report_table *t = build_table(b, "table-classes", "method.classes", NULL,
					     class_columns, LEN(class_columns));

	for (size_t c = 0; c < b->data->nclasses; c++)
		class_row(b, t, c);
	t->csv_href = STR("data/scores.csv");
	report_add_table(b->report, t);
}

/* Notes on a class, keys note.CLASS.1, note.CLASS.2, …: sentences in one paragraph. */
static struct str class_notes(struct build *b, size_t c)
{
	struct str name = class_name(b->data->classes[c]);
	struct str prefix = str_printf(b->arena, "note." STR_FMT ".", STR_ARG(name));
	struct strbuf notes = { .arena = b->arena };

	for (size_t i = 0; i < b->data->nsettings; i++) {
		const struct data_setting *s = &b->data->settings[i];
		if (!str_starts(s->key, prefix))
			continue;
		if (notes.len > 0)
			strbuf_add(&notes, build_str(b, "list.sentence", NULL));
		strbuf_add(&notes, build_said_str(b, s->value, s->value_msg, s->pos));
	}
	return strbuf_str(&notes);
}

/* "Series: deepbench. Precisions: fp16, fp32. Rows of 2017-12-09 to 2019-10-07." */
static struct str class_rows(struct build *b, size_t c)
{
	struct name_set series = { .n = 0 }, words = { .n = 0 }, precisions = { .n = 0 };

	for (size_t i = 0; i < b->data->ndevices; i++) {
		const struct data_score *s = data_score(b->data, i, c);
		if (!s)
			continue;
		name_add_words(b, &series, s->series);
		name_add_words(b, &words, s->precisions);
	}
	for (size_t i = 0; i < words.n; i++)
		name_add(b, &precisions, build_word(b, "precision", words.v[i]));
	if (series.n == 0)
		return STR("");
	struct str dates = build_row_dates(b, &series);
	const struct text_arg dated[] = { text_arg("dates", dates), text_arg_end() };
	const struct text_arg args[] = {
		text_arg("series", name_list(b, &series, series.n)),
		text_arg("precisions", name_list(b, &precisions, precisions.n)),
		text_arg("dates",
			 dates.len > 0 ? build_str(b, "method.class_dates", dated) : dates),
		text_arg_end(),
	};
	return build_str(b, "method.class_rows", args);
}

static void class_list(struct build *b)
{
	struct spans *items = arena_array(b->arena, b->data->nclasses, sizeof *items);
	size_t n = 0;

	for (size_t c = 0; c < b->data->nclasses; c++) {
		const struct text_arg args[] = {
			text_arg("class", build_class(b, b->data->classes[c])),
			text_arg("notes", class_notes(b, c)),
			text_arg("rows", class_rows(b, c)),
			text_arg_end(),
		};
		if (args[1].text.len > 0 || args[2].text.len > 0)
			items[n++] = build_spans(b, "method.class", args);
	}
	if (n > 0) {
		build_text(b, "method.notes", NULL);
		report_list(b->report, items, n);
	}
}

void chapter_method(struct build *b)
{
	const struct text_arg args[] = {
		text_arg("reference", data_setting(b->data, STR("reference"))),
		text_arg_link("trust", build_str(b, "method.trust", NULL),
			      b->data->nbacktest > 0 ? STR("#trust") : STR("")),
		text_arg_end()
	};
	struct str cutoff = data_setting(b->data, STR("benchmark_cutoff"));

	build_heading(b, 2, "method", "method.title", NULL);
	build_text(b, "method.rows", args);
	build_text(b, "method.scores", args);
	build_text(b, "method.scaling", args);
	build_text(b, "method.value", args);
	if (cutoff.len > 0)
		build_text(b, "method.cutoff",
			   (struct text_arg[]){ text_arg("date", cutoff), text_arg_end() });
	class_table(b);
	class_list(b);
}
