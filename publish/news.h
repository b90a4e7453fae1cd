/* What an edition says of its changes: the archive page and the feed tell the same. */
#ifndef PUBLISH_NEWS_H
#define PUBLISH_NEWS_H

#include "store.h"

/* What kinds of change there are, in the order of news_kind_name(). */
enum news_kind {
	NEWS_PICKS,  /* another first pick of a persona */
	NEWS_CARDS,  /* cards new or gone */
	NEWS_PRICES, /* a move that prices made */
	NEWS_ROWS,   /* a move that benchmark rows made */
	NEWS_METHOD, /* a move that the method made */
	NEWS_NONE,   /* compared, and nothing differs */
	NEWS_FIRST,  /* not compared with any edition */
	NEWS_KINDS
};

struct news {
	struct str *v; /* sentences, the weightiest first */
	size_t n;
	struct str counts; /* "277 changed, 20 new, 0 gone, 453 the same"; empty without a predecessor */
	bool kind[NEWS_KINDS];
};

/* Picks are compared with the edition it names as its predecessor, as long as the store has it;
 * everything else stands in its own summary. */
struct news news_of(const struct store *s, size_t edition, struct arena *a);
const char *news_kind_name(enum news_kind k); /* one word: "picks" */

#endif
