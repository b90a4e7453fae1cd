/* The sentences of a pick; every word is computed from the wish and the cards. What stands here in
 * quotes is the English of templates/text.en.ini. */
#ifndef ANALYZE_PICK_TEXT_H
#define ANALYZE_PICK_TEXT_H

#include "pick.h"
#include "../catalogue/say.h"

/* "most performance (CNN, Transformer) per USD of the card among 23 cards with at least 8 GB and at most
 * 800 USD" */
struct say pick_rule_said(const struct pick_input *in, const struct pick *p, struct arena *a);
/* "1.48 per 1,000 USD (score 0.67 at 449.99 USD) against 1.44 of RTX 2060 (0.48 at 334.99 USD)"; next is
 * NULL where nothing follows. */
struct say pick_deciding_said(const struct pick_input *in, const struct pick *p,
			      const struct candidate *c, const struct candidate *next,
			      struct arena *a);
/* What must be said beside a card: ties, a card that only an old price would put first, scaled scores, its
 * price's flags, several cards, classes that the edition lacks; sentences parted by "; ". */
struct say pick_remarks_said(const struct pick_input *in, const struct pick *p,
			     const struct candidate *c, struct arena *a);
/* What must give for a card outside the wish: every failed gate with its numbers. */
struct say pick_give_said(const struct pick_input *in, const struct pick *p,
			  const struct candidate *c, struct arena *a);
/* The nearest that anything comes to the gain wanted. */
struct say pick_keep_said(const struct pick_input *in, const struct pick *p, struct arena *a);
/* Why there is no card at all. */
struct say pick_none_said(const struct pick_input *in, const struct pick *p, struct arena *a);

/* All failed gates of a candidate: "8 GB of memory, 11 GB wanted; its price …". */
struct say pick_failures_said(const struct pick_input *in, const struct pick_wish *w,
			      const struct candidate *c, struct arena *a);
/* The ranked cards that cannot be told from the best: each one's interval reaches into the best one's.
 * names  out: *n device indices, best first */
size_t *pick_tied(const struct pick *p, struct arena *a, size_t *n);
/* "CNN, Transformer": classes of the wish that the edition has (or has not); those it has with their weights
 * where these differ: "CNN 2, Transformer 1". */
struct say pick_classes_said(const struct pick_input *in, const struct pick_wish *w, bool in_edition,
			     struct arena *a);

#endif
