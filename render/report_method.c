/* Chapter 5: how the figures come about, in short, and what this edition's classes rest on. */
#include "build.h"
#include "format.h"

static const struct build_column class_columns[] = {
	{ "column.class", false, true, 1 },       { "column.precision", false, false, 2 },
	{ "column.measured", true, false, 0.8 },  { "column.scaled", true, false, 0.8 },
	{ "column.estimated", true, false, 0.8 }, { "column.excluded", true, false, 0.8 },
	{ "column.series", false, false, 2.4 },
};

/* Precision policies of an edition and what they mean; any other is the name of one precision. */
static const struct {
	const char *policy, *key;
} policies[] = {
	{ "guide", "policy.guide" },
	{ "best", "policy.best" },
	{ "each", "policy.each" },
};

static struct str policy_text(struct build *b, enum class_id class)
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
	struct name_set series = { .n = 0 };
	struct report_cell *cells = report_table_row(t, b->arena);

	for (size_t i = 0; i < b->data->ndevices; i++) {
		const struct data_score *s = data_score(b->data, i, c);
		if (!s)
			continue;
		count[s->origin]++;
		name_add_words(b, &series, s->series);
	}
	cells[0].text = class_title(b->data->classes[c]);
	cells[1].text = policy_text(b, b->data->classes[c]);
	for (int o = ORIGIN_MEASURED; o <= ORIGIN_EXCLUDED; o++)
		cells[2 + o].text = format_count(b->arena, count[o]);
	cells[6].text = name_list(b, &series, series.n);
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

/* Notes on a class: keys note.CLASS.1, note.CLASS.2, … */
static void class_notes(struct build *b)
{
	struct spans *items = arena_array(b->arena, b->data->nsettings, sizeof *items);
	size_t n = 0;

	for (size_t c = 0; c < b->data->nclasses; c++) {
		struct str name = class_name(b->data->classes[c]);
		struct str prefix = str_printf(b->arena, "note." STR_FMT ".", STR_ARG(name));
		for (size_t i = 0; i < b->data->nsettings; i++) {
			const struct data_setting *s = &b->data->settings[i];
			if (!str_starts(s->key, prefix))
				continue;
			items[n++] =
			    build_spans(b, "method.class_note",
					(struct text_arg[]){
					    text_arg("class", class_title(b->data->classes[c])),
					    text_arg("note", s->value), text_arg_end() });
		}
	}
	if (n > 0) {
		build_text(b, "method.notes", NULL);
		report_list(b->report, items, n);
	}
}

static const struct build_column backtest_columns[] = {
	{ "column.class", false, true, 1.2 },        { "column.case", false, false, 1.8 },
	{ "column.method", false, false, 1 },        { "column.predictions", true, false, 0.9 },
	{ "column.median_error", true, false, 0.9 }, { "column.p90_error", true, false, 0.9 },
};

static const struct {
	const char *which, *key;
} cases[] = {
	{ "represented", "case.represented" },
	{ "not-represented", "case.not_represented" },
	{ "all", "case.all" },
};

static void backtest_table(struct build *b)
{
	struct report_table *t = build_table(b, "table-backtest", "method.backtest", NULL,
					     backtest_columns, LEN(backtest_columns));

	for (size_t i = 0; i < b->data->nbacktest; i++) {
		const struct data_backtest *r = &b->data->backtest[i];
		struct report_cell *cells = report_table_row(t, b->arena);
		cells[0].text = build_class_title(r->class_text);
		cells[1].text = r->which;
		for (size_t k = 0; k < LEN(cases); k++)
			if (str_eq(r->which, str_of(cases[k].which)))
				cells[1].text = build_str(b, cases[k].key, NULL);
		cells[2].text = r->method;
		cells[3].text = format_count(b->arena, r->n);
		cells[4].text = format_percent(b->arena, r->median_error_pct);
		cells[5].text = format_percent(b->arena, r->p90_error_pct);
	}
	t->csv_href = STR("data/backtest.csv");
	build_text(b, "method.backtest_about", NULL);
	report_add_table(b->report, t);
}

void chapter_method(struct build *b)
{
	const struct text_arg args[] = {
		text_arg("reference", data_setting(b->data, STR("reference"))), text_arg_end()
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
	class_notes(b);
	if (b->data->nbacktest > 0)
		backtest_table(b);
}
