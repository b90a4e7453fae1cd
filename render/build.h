/* What the chapters of the report are built with. Inside render/ only. */
#ifndef RENDER_BUILD_H
#define RENDER_BUILD_H

#include "data.h"
#include "report.h"
#include "text.h"

/* The first fault goes to err; later steps then go on harmlessly and the report is thrown away. */
struct build {
	struct report *report;
	const struct report_data *data;
	const struct text_catalogue *text;
	struct arena *arena;
	struct error *err;
};

/* args: see text.h; NULL for none. key: of the message catalogue. */
struct spans build_spans(struct build *b, const char *key, const struct text_arg *args);
struct str build_str(struct build *b, const char *key, const struct text_arg *args);
void build_heading(struct build *b, int level, const char *id, const char *key,
		   const struct text_arg *args);
void build_text(struct build *b, const char *key, const struct text_arg *args);
void build_note(struct build *b, enum note_tone tone, const char *key, const struct text_arg *args);

struct build_column {
	const char *title_key;
	bool numeric, row_header;
	double weight;
};

/* A table without rows, not yet in the report. */
struct report_table *build_table(struct build *b, const char *id, const char *caption_key,
				 const struct text_arg *args, const struct build_column *columns,
				 size_t ncolumns);
struct report_column build_column(struct build *b, const struct build_column *c);

/* Names, each once, in the order they came. */
struct name_set {
	struct str *v;
	size_t n, cap;
	struct map seen;
};

void name_add(struct build *b, struct name_set *s, struct str name);
/* Adds every word of a blank-separated list. */
void name_add_words(struct build *b, struct name_set *s, struct str list);
/* "a, b and 4 more": at most `max` names. */
struct str name_list(struct build *b, const struct name_set *s, size_t max);
/* The same with semicolons, for names that hold commas. */
struct str name_list_long(struct build *b, const struct name_set *s, size_t max);
/* "a or b": all of them. */
struct str name_list_or(struct build *b, const struct name_set *s);

/* A score or value as the tables show it: "1.23 (1.10–1.37)", "~1.23", "est. 1.56". */
struct str build_figure(struct build *b, enum origin origin, double v, double low, double high);
/* "CNN" for a class name, or the name itself when it is none. */
struct str build_class_title(struct str name);
/* What the device costs as a card, or NULL where no price is known. */
const struct data_price *build_card_price(const struct build *b, struct str device);
bool build_price_is_stale(const struct data_price *p);
/* The source of a series, or NULL. */
const struct data_source *build_source(struct build *b, struct str series);

/* Which precision the edition takes in a class, in words; empty when it does not say. */
struct str build_policy(struct build *b, enum class_id class);
/* "2017-12-09 to 2024-07-24": the dates of the rows of the series, empty when none is dated. */
struct str build_row_dates(struct build *b, const struct name_set *series);

/* The chapters, in the report's order. */
void chapter_headline(struct build *b);
void chapter_performance(struct build *b);
void chapter_value(struct build *b);
void chapter_prices(struct build *b);
void chapter_method(struct build *b);
void chapter_sources(struct build *b);
void chapter_rejects(struct build *b);
void chapter_cite(struct build *b);

/* The caveats of both figures: recurrent nets, software, precision. One sentence each. */
struct str caveat_text(struct build *b);

/* data      what the report says
 * r         in: language, generator, edition_id, timestamp, arena; out: the rest
 * Errors    ERR_DATA: a message is missing or lacks an argument */
bool report_build(const struct report_data *data, const struct text_catalogue *text,
		  struct report *r, struct error *err);

#endif
