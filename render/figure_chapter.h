/* The figures of the chapters beside performance and value (render/report_figures.c): each is made
 * from the report's data and adds itself with title, subtitle, caption, description and a link to
 * its CSV file, or adds nothing where the data lacks what it shows. Words: of the catalogue,
 * section figure-NAME. Captions and descriptions are computed. */
#ifndef RENDER_FIGURE_CHAPTER_H
#define RENDER_FIGURE_CHAPTER_H

#include "build.h"
#include "chart.h"

/* Price against performance, one panel a class, with the frontier: the cards that no other one
 * beats in both. From values.csv, scores.csv and prices.csv. */
void figure_frontier(struct build *b);
/* What a computer with one card and its electricity cost, the best value first: systems.csv. */
void figure_systems(struct build *b);
/* Prices over time of the cards that the advice names: price_history.csv. */
void figure_history(struct build *b);
/* Memory against price, with the frontier: memory.csv and prices.csv. */
void figure_memory_price(struct build *b);
/* Networks against sizes of memory, by the widest numbers that fit: memory.csv. */
void figure_fit(struct build *b);
/* Speed of several cards over one, by class, beside the guide's: multi_summary.csv. */
void figure_multi(struct build *b);
/* Months until owning is cheaper than renting, by hours a month: breakeven.csv. */
void figure_rent(struct build *b);
/* Predicted against measured, by class: predictions.csv and backtest.csv. */
void figure_trust(struct build *b);
/* The guide's claims by verdict: claims.csv. */
void figure_claims(struct build *b);
/* Ranks of the edition before and of this one, by class: changes.csv. */
void figure_changes(struct build *b);
/* Which question leads to which card: picks.csv. */
void figure_advice(struct build *b);

/* --- what they are made with --- */

/* Adds a figure that draws `picture` (both live as long as the report). name: "frontier"; its id is
 * figure-NAME and the words are figure-NAME.title, .subtitle, .caption and .alt, all with
 * `args`. */
void figure_add(struct build *b, const char *name, const char *csv_href,
                const struct text_arg *args,
                double (*draw)(struct chart_plan *p, const void *data, double y), const void *data);
/* The message figure-NAME.KEY. */
struct str figure_word(struct build *b, const char *name, const char *key,
                       const struct text_arg *args);
/* Whether the score counts: measured or scaled. */
bool figure_score_is_drawn(const struct data_score *s);
/* Marks points that no other beats: none has more of `gain` for the same or less `cost`, and of
 * equals the first. on: out, one a point; NAN is never on it. */
void figure_frontier_of(const double *cost, const double *gain, size_t n, bool *on);
/* First picks that meet their rule, each card once, in the report's order: the advice's cards. */
void figure_picked(struct build *b, struct name_set *out);
/* "measured to 1.93×": one decimal or two, with the times sign. */
struct str figure_times(struct arena *a, double v);

#endif
