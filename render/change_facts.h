/* What moved since the edition before, gathered from data/changes.csv: one move a card where its
 * classes moved alike, who is first in each class, what is new. The chapter of the report and the
 * sentences of summary.json are made from it (change_say.h). Inside render/ only.
 *
 * Moves are of performance per cost, as logarithms: price + data + method = total. */
#ifndef RENDER_CHANGE_FACTS_H
#define RENDER_CHANGE_FACTS_H

#include "build.h"

enum change_cause { CAUSE_PRICE, CAUSE_DATA, CAUSE_METHOD, CAUSES };

/* One card in the classes where the same moved it by the same. */
struct change_move {
	struct str device;
	const struct data_change **rows; /* a class each, in the order of the file */
	size_t nrows;
	double part[CAUSES], total;
};

/* A class whose best card per cost is another one. */
struct change_leader {
	struct str old, now;
	bool tied; /* the intervals of the two overlap now */
	struct name_set classes;
};

enum change_name_list {
	NAMES_LISTED,   /* only in the new edition */
	NAMES_VALUED,   /* a price and a score, which it had not */
	NAMES_UNLISTED, /* only in the old one */
	NAMES_UNVALUED, /* had a price and a score, and has not */
	NAME_LISTS
};

struct change_facts {
	long changed, fresh, gone, same; /* cards x classes, by status */
	long by_cause[CAUSES];           /* of them, those that the cause moved */
	double sum[CAUSES];              /* of |part| over cards x classes */
	long reranked;                   /* cards x classes whose rank is another */
	bool parts_known;                /* of any card */
	struct change_move *moves;       /* the largest |total| first; ties as in the file */
	size_t nmoves;
	struct change_leader *leaders;   /* in the order of the classes */
	size_t nleaders;
	bool leaders_known;              /* who was first is known for every class */
	struct name_set names[NAME_LISTS];
};

struct change_facts change_facts(struct build *b);
/* 100 (exp(x) - 1) */
double change_facts_percent(double x);

/* A clause of the column `reason`, "price status: stale before, ok now". */
struct change_clause {
	struct str label, old, now;
};
/* Cuts the next one off *rest; a clause of another form has only a label. False at the end. */
bool change_clause_next(struct str *rest, struct change_clause *out);

#endif
