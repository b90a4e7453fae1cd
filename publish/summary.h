/* summary.json of an edition: what the archive page, the feed and the next night want to know about
 * it, small enough that a thousand of them are read in a moment. Written by render/summary.c. */
#ifndef PUBLISH_SUMMARY_H
#define PUBLISH_SUMMARY_H

#include "../base/arena.h"
#include "../base/date.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

struct summary_language {
	struct str tag, name, html, pdf; /* "zh-Hans", "简体中文", files of the edition */
};

/* The first pick of one persona. */
struct summary_pick {
	struct str persona, title, device; /* device empty: none */
	double cost_usd;                   /* NAN: not known */
	struct str cost;                   /* the same in words: "$499", "$0.88 an hour" */
};

struct summary {
	struct str id;           /* 2026-11-30-0123456789ab */
	struct str edition;      /* name of its .ini: "current" */
	struct str title, subtitle, program;
	struct date date;
	struct str previous_id;  /* the edition it was compared with; empty: none */
	struct date previous_date;
	int devices;             /* listed */
	struct summary_language *languages; /* the main one first */
	size_t nlanguages;
	struct summary_pick *picks; /* in the order of the report's advice */
	size_t npicks;
	bool has_changes;        /* false: no predecessor */
	int changed, fresh, gone, same; /* cards x classes */
	int by_price, by_data, by_method; /* of them, those that the cause moved; one may count for several */
	struct str *changes;     /* what moved, one sentence each, the weightiest first */
	size_t nchanges;
};

enum { SUMMARY_BYTES_MAX = 256 * 1024, SUMMARY_LIST_MAX = 200 };

/* dir     an edition folder; its summary.json is read with limits and trusted in nothing: links in it
 *         must be plain file names, the id is of letters, digits and hyphens, lists have at most
 *         SUMMARY_LIST_MAX entries. Members that it does not know are passed over.
 * Errors  ERR_ENVIRONMENT; ERR_SYNTAX, ERR_RANGE, with the file's name and the member */
bool summary_read(const char *dir, struct arena *a, struct summary *out, struct error *err);
/* The same from memory; `file` stands in positions. */
bool summary_parse(struct str text, const char *file, struct arena *a, struct summary *out,
                   struct error *err);

#endif
