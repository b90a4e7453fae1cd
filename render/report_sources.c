/* Who measured, with what, and how much of it counted. */
#include "build.h"
#include "format.h"
#include "href.h"

static const struct build_column about_columns[] = {
	{ "column.series", false, true, 2.2 }, { "column.software", false, false, 1.8 },
	{ "column.licence", false, false, 1 }, { "column.scores", false, false, 0.8 },
	{ "column.dates", true, false, 1.4 },
};

static const struct build_column count_columns[] = {
	{ "column.series", false, true, 2.4 },   { "column.files", true, false, 0.7 },
	{ "column.rows", true, false, 0.8 },     { "column.accepted", true, false, 0.8 },
	{ "column.rejected", true, false, 0.8 }, { "column.set_aside", true, false, 0.8 },
	{ "column.machines", true, false, 0.9 }, { "column.devices", true, false, 0.8 },
};

static void about_row(struct build *b, struct report_table *t, const struct data_source *s)
{
	struct report_cell *cells = report_table_row(t, b->arena);
	bool counts = str_eq(s->comparable, STR("yes"));

	cells[0].text = s->title.len ? s->title : s->series;
	if (href_safe(s->url))
		cells[0].href = s->url;
	cells[1].text = s->software;
	cells[2].text = s->licence;
	cells[3] =
	    (struct report_cell){ .text = build_str(b, counts ? "word.yes" : "word.no", NULL),
				  .tone = counts ? TONE_PLAIN : TONE_MUTED };
	cells[4].text =
	    format_dates(b->arena, s->first_date, s->last_date, build_str(b, "list.to", NULL));
}

static void count_row(struct build *b, struct report_table *t, const struct data_source *s)
{
	struct report_cell *cells = report_table_row(t, b->arena);
	const int counts[] = { s->files,     s->rows,     s->accepted, s->rejected,
			       s->set_aside, s->machines, s->devices };

	cells[0].text = s->series;
	for (size_t i = 0; i < LEN(counts); i++)
		cells[i + 1].text = format_count(b->arena, counts[i]);
}

void chapter_sources(struct build *b)
{
	struct report_table *about = build_table(b, "table-sources", "sources.about", NULL,
						 about_columns, LEN(about_columns));
	struct report_table *counts = build_table(b, "table-contributions", "sources.counts", NULL,
						  count_columns, LEN(count_columns));

	for (size_t i = 0; i < b->data->nsources; i++) {
		about_row(b, about, &b->data->sources[i]);
		count_row(b, counts, &b->data->sources[i]);
	}
	about->csv_href = STR("data/sources.csv");
	counts->csv_href = STR("data/sources.csv");
	build_heading(b, 2, "sources", "sources.title", NULL);
	build_text(b, "sources.thanks",
		   (struct text_arg[]){ text_arg_link("machines", STR("data/machines.csv"),
						      STR("data/machines.csv")),
					text_arg_end() });
	report_add_table(b->report, about);
	report_add_table(b->report, counts);
}
