/* Stores made by hand, as store_read() would give them. */
#ifndef TESTS_ARCHIVE_FIXTURE_H
#define TESTS_ARCHIVE_FIXTURE_H

#include "test.h"
#include "../base/json_string.h"
#include "../publish/archive.h"
#include "../publish/store.h"

#include <limits.h>

/* One edition as its summary.json says it. device and sentence go in as they are, escaped for
 * JSON. */
struct edition_row {
	const char *folder, *title, *device, *sentence; /* sentence NULL: not compared */
	const char *previous_id;                        /* NULL: none */
	int number;                                     /* makes the id */
};

static inline struct str edition_id(const struct edition_row *row, struct arena *a)
{
	return str_printf(a, "%.10s-%012d", row->folder, row->number);
}

static inline struct str edition_json(const struct edition_row *row, struct arena *a)
{
	struct strbuf b = { .arena = a };

	strbuf_printf(&b, "{\"id\": \"" STR_FMT "\", \"edition\": \"current\", \"title\": ",
		      STR_ARG(edition_id(row, a)));
	json_string(&b, str_of(row->title));
	strbuf_printf(&b,
		      ", \"subtitle\": \"Current edition, as of %.10s\", \"program\": \"gpuguide "
		      "0\", \"date\": "
		      "\"%.10s\", \"devices\": 3, \"previous\": ",
		      row->folder, row->folder);
	if (row->previous_id)
		strbuf_printf(&b, "{\"id\": \"%s\", \"date\": \"%.10s\"}", row->previous_id,
			      row->previous_id);
	else
		strbuf_add(&b, STR("null"));
	strbuf_add(
	    &b,
	    STR(", \"languages\": [{\"tag\": \"en\", \"name\": \"English\", \"html\": "
		"\"index.html\", \"pdf\": \"report.pdf\"}, {\"tag\": \"zh-Hans\", \"name\": "
		"\"简体中文\", \"html\": \"index.zh-Hans.html\", \"pdf\": "
		"\"report.zh-Hans.pdf\"}], \"picks\": [{\"persona\": \"best\", \"title\": \"Best "
		"overall\", \"device\": "));
	json_string(&b, str_of(row->device));
	strbuf_add(&b, STR(", \"cost_usd\": 499, \"cost\": \"$499\"}], \"changes\": "));
	if (row->sentence) {
		strbuf_add(
		    &b, STR("{\"changed\": 2, \"new\": 1, \"gone\": 0, \"same\": 4, \"by_price\": "
			    "2, \"by_data\": 0, \"by_method\": 0, \"sentences\": ["));
		json_string(&b, str_of(row->sentence));
		strbuf_add(&b, STR("]}"));
	} else {
		strbuf_add(&b, STR("null"));
	}
	strbuf_addc(&b, '}');
	return strbuf_str(&b);
}

/* rows: oldest first. */
static inline struct store store_of(const struct edition_row *rows, size_t n, struct arena *a)
{
	struct store s = { .dir = "out", .v = arena_array(a, n, sizeof *s.v), .n = n, .cap = n };

	for (size_t i = 0; i < n; i++) {
		struct store_edition *e = &s.v[i];
		struct error err = { .code = ERR_NONE };

		e->folder = str_of(rows[i].folder);
		if (!store_parse_folder(e->folder, &e->date, &e->revision)
		    || !summary_parse(edition_json(&rows[i], a), "summary.json", a, &e->summary,
				      &err))
			printf("# %s: %s\n", rows[i].folder, err.msg);
	}
	return s;
}

/* n nights from 2023-01-01 on; every tenth has a long list of news. */
static inline struct store store_of_nights(size_t n, struct arena *a)
{
	struct edition_row *rows = arena_array(a, n, sizeof *rows);
	struct date first;

	date_parse(STR("2023-01-01"), &first);
	for (size_t i = 0; i < n; i++) {
		rows[i] = (struct edition_row){
			.folder = str_c(a, date_iso(a, date_of_day(first.day + (int)i))),
			.title = "Which GPU for deep learning",
			.device = i % 10 ? "RTX 2070" : "RTX 2060",
			.sentence = i ? "No card moved by 5 % or more in performance per USD; the "
					"largest move "
					"is +2.0 %, of RTX 2070."
				      : NULL,
			.previous_id = i ? str_c(a, edition_id(&rows[i - 1], a)) : NULL,
			.number = (int)i,
		};
	}
	return store_of(rows, n, a);
}

/* Three nights, the last of them made twice. */
static const struct edition_row few_rows[] = {
	{ "2023-01-01", "Guide", "RTX 2060", NULL, NULL, 0 },
	{ "2023-01-02", "Guide", "RTX 2070",
	  "Most performance per USD in CNN: RTX 2070; before it was RTX 2060.",
	  "2023-01-01-000000000000", 1 },
	{ "2023-02-01", "Guide", "RTX 2070", "All moves come from prices.",
	  "2023-01-02-000000000001", 2 },
	{ "2023-02-01-r2", "Guide, again", "RTX 2070", "All moves come from prices.",
	  "2023-01-02-000000000001", 2 },
};

#define EVIL                                                                                       \
	"<script>alert(1)</script>]]>&\"'\x01\x1f\xe2\x80\xae\xd7\x90\xd7\x91\xef\xbf\xbe --> "    \
	"{{x}} @@CSS@@"

static const struct edition_row evil_rows[] = {
	{ "2023-01-01", EVIL, EVIL, NULL, NULL, 0 },
	{ "2023-01-02", EVIL, EVIL " 2", EVIL, "2023-01-01-000000000000", 1 },
};

static inline bool contains(struct str s, const char *needle)
{
	return str_find(s, str_of(needle), 0) < s.len;
}

static inline size_t count(struct str s, const char *needle)
{
	size_t n = 0;

	for (size_t at = 0; (at = str_find(s, str_of(needle), at)) < s.len; at++)
		n++;
	return n;
}

#endif
