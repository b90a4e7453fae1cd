/* The gates of a wish: which cards of the edition it leaves, and why it removes the others. */
#ifndef ANALYZE_GATES_H
#define ANALYZE_GATES_H

#include "memory.h"
#include "price_condition.h"
#include "price_lens.h"
#include "score.h"
#include "system.h"
#include "../base/arena.h"
#include "../catalogue/device.h"
#include "../catalogue/edition.h"
#include "../catalogue/persona.h"

#include <stdbool.h>
#include <stddef.h>

/* In the order in which the reason of a removed card is given. */
enum gate {
	GATE_LISTED,    /* named in the wish, or not named */
	GATE_VENDOR,
	GATE_MEMORY,    /* less than the floor, or not known */
	GATE_POWER,
	GATE_HOST,      /* a module, or a card without a fan in a desktop */
	GATE_LICENCE,   /* barred from data centers */
	GATE_COOLING,   /* would overheat side by side (cooling_warning()), and no blower is sold */
	GATE_SCORE,     /* none in a class of the wish, or an author's estimate only */
	GATE_GAIN,      /* too little over the owned card */
	GATE_PRICE,     /* none in the lens */
	GATE_CONDITION, /* the price is not of the wanted condition */
	GATE_STALE,     /* stale, while others of the kind are fresh */
	GATE_BUDGET,
	GATE_COUNT
};

/* What advice is made from. Of `edition` only date and classes are read. */
struct pick_input {
	const struct devices *devices;
	const struct edition *edition;
	const size_t *indices; /* the edition's devices */
	size_t nindices;
	const struct scores *scores;
	const struct card_prices *prices; /* every lens */
	/* NULL: a wish for new or used cards is answered from the edition's own prices of that condition. */
	const struct price_conditions *conditions;
	/* NULL: the lenses system and system+power are those of `prices`, whatever the wish's gpus. */
	const struct systems *systems;
	const struct personas *personas; /* for the cards also sold with a blower; NULL: none */
	const struct memory_settings *memory; /* for boards of several GPUs; NULL: none are */
};

/* A card under a wish. */
struct candidate {
	size_t device;
	unsigned failed;          /* bits 1 << gate */
	double score, low, high;  /* of one card; NAN when it has none */
	double peer_low, peer_high; /* without the error of a scaled reference: what ranking and ties go by */
	enum origin origin;       /* measured only if every class is */
	enum class_id missing;    /* the first class without a score; CLASS_COUNT: none */
	double gain;              /* over the owned card; NAN */
	struct card_price price;  /* of one card in the wish's lens and condition; price_usd NAN: none */
	double cost_usd;          /* its price_usd; NAN */
	double value, value_low, value_high; /* score a USD; NAN */
	bool tie;                 /* ranked: its interval reaches that of the rank above */
};

/* The weighted geometric mean over the classes that both the wish and the edition have:
 * exp(sum w log s / sum w); both pairs of ends likewise, that is as if all classes erred the same
 * way: a cautious interval. False when a class lacks or is an estimate (c->missing). */
bool gates_score(const struct pick_input *in, const struct pick_wish *w, struct candidate *c);
/* Whether any class of the wish is in the edition. */
bool gates_any_class(const struct pick_input *in, const struct pick_wish *w);
/* Of any origin; NULL: no row. */
const struct score *gates_class_score(const struct pick_input *in, size_t device, enum class_id class);
/* The same where it is measured or scaled, else NULL: an author's estimate ranks nothing. */
const struct score *gates_usable_score(const struct pick_input *in, size_t device,
				       enum class_id class);

/* Whether it can be put into such a host: a desktop takes cards with a slot bracket and a fan of their own. */
bool gates_fits_host(const struct device *d, enum persona_host host);

/* What a program finds on the card: its memory, or on a board of several GPUs the share of one; NAN when
 * not known. */
double gates_memory_gb(const struct pick_input *in, size_t device);

/* All the edition's devices with their failed gates, in the edition's order.
 * A stale price fails only while another card with a price in the lens and condition has a fresh one. */
struct candidate *gates_apply(const struct pick_input *in, const struct pick_wish *w, struct arena *a);

/* "too little memory": why the gate removes, in a few words. */
struct str gate_name(enum gate g);
/* "memory": its word in files and in the messages gate-name.WORD. */
struct str gate_key(enum gate g);
/* A failed gate with its numbers: "8 GB of memory, 11 GB wanted". */
struct say gate_reason(const struct pick_input *in, const struct pick_wish *w,
		       const struct candidate *c, enum gate g, struct arena *a);

#endif
