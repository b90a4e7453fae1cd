/* What the chapters of the report are built with. Inside render/ only. */
#ifndef RENDER_BUILD_H
#define RENDER_BUILD_H

#include "data.h"
#include "report.h"
#include "../catalogue/text.h"

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
/* One more column at the right of a table that has no rows yet. */
void build_add_column(struct build *b, struct report_table *t, struct report_column column);
/* Adds the table with a link to data/FILE; one without rows is left out. */
void build_add_table(struct build *b, struct report_table *t, const char *csv_href);
/* Rows shown of `rows`: all of them where only a few more than `most` are left. */
size_t build_rows_shown(size_t rows, size_t most);

/* The message SECTION.WORD, or the word itself where the catalogue has none: for words that come
 * from data. */
struct str build_word(struct build *b, const char *section, struct str word);

/* A sentence of the analysis in the report's language. `message` is the column *_msg beside it
 * (catalogue/say.h); where that is empty, as in older editions, or says what the catalogue does not
 * know, the translation of the English stands in; where there is none the English itself, marked as
 * English.
 * pos  of the row, for a message that is faulty */
struct report_cell build_said(struct build *b, struct str english, struct str message,
			      struct pos pos);
/* The same without the mark, for a piece of a longer text. */
struct str build_said_str(struct build *b, struct str english, struct str message, struct pos pos);
/* English of a data file, such as a persona's name, in the report's language if translated. */
struct report_cell build_data(struct build *b, struct str english);
struct str build_data_str(struct build *b, struct str english);
/* A class in the words of the report: "CNN". */
struct str build_class(struct build *b, enum class_id class);
/* A day as a sentence has it; in tables days stand as 2025-06-30. */
struct str build_date(struct build *b, struct date d);

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
struct str build_class_title(struct build *b, struct str name);
/* What the device costs as a card, or NULL where no price is known. */
const struct data_price *build_card_price(const struct build *b, struct str device);
bool build_price_is_stale(const struct data_price *p);
/* Devices with the measure that ranks them, the best first. */
struct ranked {
	size_t device;
	double v, low, high;
};

/* Which cards are ranked, and by what. Fresh: only cards whose price says something of the market
 * at the edition's date. */
enum ranking { BY_SCORE, BY_VALUE, BY_FRESH_VALUE };

/* Ranks one class. An author's estimate is left out: it is no measurement and never the best.
 * lens  of the value, where values rank
 * out   room for every device; returns how many there are */
size_t build_rank_class(struct build *b, size_t class_no, enum ranking by, enum lens lens,
			struct ranked *out);
/* The same over all classes: by the geometric mean of the values of the classes that each has. */
size_t build_rank_mean(struct build *b, enum ranking by, enum lens lens, struct ranked *out);
/* That mean, or NAN without any value. */
double build_mean_value(const struct build *b, enum lens lens, size_t device);
/* BY_FRESH_VALUE where any card has a fresh price, else BY_VALUE. */
enum ranking build_value_ranking(const struct build *b);
/* Whether the device has a card price that is not stale. */
bool build_price_is_fresh(const struct build *b, struct str device);

/* The source of a series, or NULL. */
const struct data_source *build_source(struct build *b, struct str series);

/* Which precision the edition takes in a class, in words; empty when it does not say. */
struct str build_policy(struct build *b, enum class_id class);
/* "2017-12-09 to 2024-07-24": the dates of the rows of the series, empty when none is dated. */
struct str build_row_dates(struct build *b, const struct name_set *series);

/* What a pick costs: "$499", "$1,450 with its computer", "$0.52 an hour"; of several cards
 * "$1,996, 4 cards". */
struct str build_pick_cost(struct build *b, const struct data_pick *p);

/* What to buy, persona by persona, and the rules that led there; parts of the first chapter. */
void advice_tables(struct build *b);
void advice_rules(struct build *b);

/* The guide's example of 2016; part of the chapter on memory. */
void memory_trace(struct build *b);

/* The devices without a score, by reason; part of the chapter on performance. */
void table_excluded(struct build *b);
/* What not to buy, and whether to change; parts of the chapter on price against performance. */
void section_avoid(struct build *b);
void section_upgrade(struct build *b);
/* What was measured on CPUs; part of the chapter on sources. */
void section_processors(struct build *b);

/* Tables of the appendix: what a chapter shows the head of, in full. */
void numbers_memory(struct build *b);
void numbers_claims(struct build *b);

/* The chapters, in the report's order. One whose files an edition lacks says nothing. */
void chapter_headline(struct build *b);
void chapter_performance(struct build *b);
void chapter_value(struct build *b);
void chapter_frontier(struct build *b);
void chapter_systems(struct build *b);
void chapter_prices(struct build *b);
void chapter_memory(struct build *b);
void chapter_multi(struct build *b);
void chapter_rent(struct build *b);
void chapter_trust(struct build *b);
void chapter_claims(struct build *b);
void chapter_vendors(struct build *b);
void chapter_changes(struct build *b);
void chapter_method(struct build *b);
void chapter_sources(struct build *b);
void chapter_rejects(struct build *b);
void chapter_cite(struct build *b);
void chapter_numbers(struct build *b);

/* The caveats of both figures: recurrent nets, software, precision. One sentence each. */
struct str caveat_text(struct build *b);

/* data      what the report says
 * r         in: language, generator, edition_id, timestamp, arena; out: the rest
 * Errors    ERR_DATA: a message is missing or lacks an argument */
bool report_build(const struct report_data *data, const struct text_catalogue *text,
		  struct report *r, struct error *err);

#endif
