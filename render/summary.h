/* summary.json of an edition: what an archive, a feed and the next edition want to know about it.
 * publish/summary.h reads it. */
#ifndef RENDER_SUMMARY_H
#define RENDER_SUMMARY_H

#include "data.h"
#include "report.h"
#include "../base/arena.h"
#include "../base/error.h"
#include "../base/str.h"
#include "../catalogue/text.h"

#include <stdbool.h>

/* r        the report in the main language
 * text     the main language; sentences and personas are English in any case, read from
 *          templates_dir where it is another
 * *out     the file: id, edition, title, subtitle, program, date, previous {id, date} or null,
 *          devices, languages, picks (the first of each persona), changes {changed, new, gone,
 *          same, by_price, by_data, by_method, sentences} or null
 * Errors   those of text_read(), and of a message of English that lacks an argument */
bool summary_json(const struct report *r, const struct report_data *d,
                  const struct text_catalogue *text, const char *templates_dir, struct arena *a,
                  struct str *out, struct error *err);

#endif
