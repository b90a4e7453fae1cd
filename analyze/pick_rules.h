/* The rules of advice in a form for programs: whoever has other prices can follow them with pick_rules.csv,
 * pick_removed.csv and scores.csv alone.
 *
 * pick_rules.csv: persona,objective,lens,condition,gpus,budget_usd,memory_gb,weights
 *   objective  value or speed (analyze/pick.h has both orders)
 *   budget_usd of all cards together, in the lens; empty: none
 *   weights    "cnn:1 rnn-word:0.5": of the classes in the score, a weighted geometric mean
 * One row a persona, in the report's order. */
#ifndef ANALYZE_PICK_RULES_H
#define ANALYZE_PICK_RULES_H

#include "pick.h"
#include "../base/arena.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>

/* The failed gates of a card as words, in the order of enum gate: "memory stale". Of them price,
 * condition, stale and budget depend on the price, the others hold at any. */
struct str pick_gate_words(const struct candidate *c, struct arena *a);

/* Errors: ERR_ENVIRONMENT. */
bool pick_rules_write(const struct picks *p, const char *path, struct arena *a, struct error *err);
struct str pick_rules_csv(const struct picks *p, struct arena *a);

#endif
