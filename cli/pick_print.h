/* A pick in words for a terminal, or as JSON. */
#ifndef CLI_PICK_PRINT_H
#define CLI_PICK_PRINT_H

#include "../analyze/pick.h"
#include "../analyze/readback.h"
#include "../base/arena.h"
#include "../base/str.h"

/* Lines of at most 80 columns; nothing but plain characters.
 * e  the words; a fault goes to e->err, and the text is then of no use */
struct str pick_print_text(const struct readback *edition, const struct pick_input *in,
			   const struct pick *p, const struct text_english *e);
/* One object:
 *   edition  folder, name, date
 *   wish     persona, objective, classes {name: weight}, budget_usd, memory_gb, gpus, lens,
 *            condition, data_center
 *   status   found, keep, nearest or none; rule; reason: why there is no card
 *   picks    rank, device, memory_gb, cost_usd, score, low, high, origin, price_usd (a card in the
 *            lens), price_date, price_age_days, price_status, deciding, runner_up, flips_below_usd,
 *            flips_above_usd, tie, reason
 *   tied     devices that cannot be told from the first
 *   removed  gate, devices
 * What is not known is null. */
struct str pick_print_json(const struct readback *edition, const struct pick_input *in,
			   const struct pick *p, const struct text_english *e);

#endif
