/* The personas of data/personas.ini: for whom advice is given, and the rule it follows.
 *
 *   [NAME]                     one section a persona; the order of the file is the report's
 *   title, asks                a name and one plain sentence
 *   objective                  value: most performance per cost; speed: most performance
 *   budget_usd                 what all cards may cost together, in the persona's lens
 *   memory_gb                  the least memory of a card
 *   tdp_w                      the most power of a card
 *   gpus                       cards side by side (1); several run independent jobs
 *   weight.CLASS               weight of the class in the score; one at least
 *   lens                       card (default), system, system+power or cloud
 *   condition                  any (default), new or used
 *   data_center                yes: only cards whose licence allows data centers
 *   cooling                    adjacent: more than two cards touch, an open cooler will not do
 *   host                       desktop (default but for cloud: any), server or any
 *   vendors                    a list; others are left out
 *   except.DEVICE, only.DEVICE left out, or the only ones, each with its reason
 *   owns, gain                 a card in use, and how many times as fast a new one must be
 *   since, until               years of the editions that have this persona
 *   guide.YEAR                 cards (or words) that the guide of that year gave this persona
 *   guide.YEAR.why             what it said, in our own words
 * budget_usd, memory_gb and tdp_w may end in .YEAR: good from that year on, in place of the one
 * before.
 *
 *   [cooling]                  blower.DEVICE = where boards with a blower are sold, if the usual
 *                              one is open
 *   [avoid], [avoid.YEAR]      only_if.DEVICE = the exception; {memory} stands for the card's
 *                              memory in GB
 *   [upgrade]                  owned = a list; keep_below, upgrade_from = factors of gain;
 *                              dear_below = share of the best performance per USD of the class */
#ifndef CATALOGUE_PERSONA_H
#define CATALOGUE_PERSONA_H

#include "class.h"
#include "device.h"
#include "edition.h"
#include "../base/arena.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

enum persona_objective { OBJECTIVE_VALUE, OBJECTIVE_SPEED };
enum persona_condition { CONDITION_ANY, CONDITION_NEW, CONDITION_USED };
/* Where the card must work. A desktop takes cards with a slot bracket and a fan of their own, a
 * server those without a fan too; any: modules and cloud devices too. */
enum persona_host { HOST_DESKTOP, HOST_SERVER, HOST_ANY };

/* A card with words about it. */
struct device_note {
	size_t device; /* index into devices */
	struct str text;
};

struct device_notes {
	struct device_note *v; /* in the order of the file */
	size_t n;
};

/* What somebody wants; what was not asked for is NAN, empty, or the enum's first. */
struct pick_wish {
	struct str name, title, asks; /* empty for a wish from the command line */
	enum persona_objective objective;
	double budget_usd; /* all cards together; in the lens cloud USD an hour */
	double memory_gb, tdp_w;
	int gpus;                    /* from 1 */
	double weights[CLASS_COUNT]; /* >= 0 */
	struct str lens;             /* card, system, system+power, cloud */
	enum persona_condition condition;
	bool data_center, adjacent;
	enum persona_host host;
	struct str_list vendors; /* empty: all */
	struct device_notes except, only;
	size_t owns;     /* index into devices; SIZE_MAX: none */
	double gain_min; /* of a new card over `owns` */
	struct pos pos;  /* of its section */
};

struct persona {
	struct pick_wish wish;
	struct str guide;         /* of the edition's year, as it stands in the file; may be
	                           * empty */
	struct str_list cards;    /* the canonical names in it */
	struct str guide_why;
};

struct personas {
	struct persona *v; /* those of the edition: as it lists them, else as the file does */
	size_t n;
	struct device_notes blower;  /* cards also sold with a blower */
	struct device_notes only_if; /* exceptions to the avoid list, of the edition's year */
	size_t *owned, nowned;       /* indices into devices */
	double keep_below, upgrade_from, dear_below;
};

/* A wish without conditions: value, one card, lens card, any condition, no classes. */
struct pick_wish pick_wish_default(void);
bool persona_condition_parse(struct str s, enum persona_condition *out);
struct str persona_condition_name(enum persona_condition c);

/* Reads DATA/personas.ini for an edition: its date picks years, its list picks personas. An absent
 * file has none, but that the edition names some makes it ERR_ENVIRONMENT.
 * Errors: as keyfile_read; with the line of the key, ERR_UNKNOWN a key, class, device, lens or word
 *         that is none, a persona of the edition that the file does not have; ERR_SYNTAX a value
 *         that is no number, an empty one, a persona without title, asks, objective or weight, or
 *         [upgrade] without its keys; ERR_RANGE a number out of its bounds */
bool personas_read(const char *data_dir, const struct devices *devices,
		   const struct edition *edition, struct arena *a, struct personas *out,
		   struct error *err);
/* The same from text; `name` is kept in every position. */
bool personas_parse(struct str text, const char *name, const struct devices *devices,
		    const struct edition *edition, struct arena *a, struct personas *out,
		    struct error *err);

/* By name, or NULL. */
const struct persona *persona_find(const struct personas *p, struct str name);

#endif
