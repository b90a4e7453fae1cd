/* A sentence before it has a language: the key of a message of the catalogue (catalogue/text.h) and
 * its named arguments. The analysis says what there is to say; whoever writes a file or a page puts
 * it into words. It is kept as compact JSON, which is also how it stands in the columns *_msg of
 * the CSV files:
 *
 *   "RTX 2070"                          a name, in every language as it is
 *   ["gate.power",{"w":{"n":"250"}}]    a message; without arguments ["gate.licence"]
 *   {"n":"1,049"}                       a number, rounded and grouped where it was made
 *   {"d":"2025-06-30"}                  a day
 *   {"t":"board partners"}              English of a data file, which a catalogue may translate;
 *                                       with arguments
 *                                       {"t":"more than {gb} GB","with":{"gb":{"n":"11"}}}
 *   {"l":[…],"by":"semicolon"}          a list, joined by the message list.semicolon (before
 *                                       its last part by list.semicolon-last, where there is one)
 *
 * An argument is any of these. Rounding and units are settled here, so that all languages show the
 * same numbers. */
#ifndef CATALOGUE_SAY_H
#define CATALOGUE_SAY_H

#include "class.h"
#include "../base/arena.h"
#include "../base/date.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

struct say {
	struct str json; /* empty: nothing to say */
};

bool say_empty(struct say s);
bool say_same(struct say x, struct say y);

/* Several messages. */
struct say_notes {
	struct say *v;
	size_t n;
};

/* One named argument. Numbers are written when the message is made. */
struct say_arg {
	const char *name; /* NULL ends a list */
	enum { SAY_NAME, SAY_NUMBER, SAY_FIXED, SAY_SHORTEST, SAY_SAID } kind;
	struct str text;
	double number;
	int decimals;
	struct say said;
};

struct say_arg say_name(const char *name, struct str text);
/* A number that is text already, "0.048": '.' for decimals, ',' for thousands. */
struct say_arg say_figure(const char *name, struct str text);
/* "0.67" with two decimals; not grouped. */
struct say_arg say_fixed(const char *name, double v, int decimals);
/* As num_shortest: "1.5". */
struct say_arg say_shortest(const char *name, double v);
struct say_arg say_count(const char *name, size_t n);
struct say_arg say_int(const char *name, int n);
/* A message, list, day, … as an argument; an empty one leaves its place empty. */
struct say_arg say_put(const char *name, struct say said);
struct say_arg say_class(const char *name, enum class_id c, struct arena *a);
struct say_arg say_end(void);

/* The message `key`; args may be NULL or ends in say_end(). */
struct say say(struct arena *a, const char *key, const struct say_arg *args);
/* The message SECTION.WORD. */
struct say say_word(struct arena *a, const char *section, struct str word);
struct say say_date(struct arena *a, struct date d);
/* A sentence of a data file, in English; empty text is nothing to say. args: for the {name} in it;
 * NULL for none: then braces are braces. */
struct say say_data(struct arena *a, struct str english, const struct say_arg *args);
/* A name alone. */
struct say say_plain(struct arena *a, struct str text);
struct say say_number(struct arena *a, struct str figure);

/* A list in the making; empty parts are left out. */
struct say_list {
	struct arena *arena;
	struct strbuf json; /* the parts with commas */
	size_t n;
};

void say_add(struct say_list *l, struct say part);
/* The parts joined by the message list.BY; one part alone is itself, none is nothing. */
struct say say_join(const struct say_list *l, const char *by);

#endif
