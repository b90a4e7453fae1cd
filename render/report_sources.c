/* Who measured, with what, and how much of it counted. */
#include "build.h"
#include "format.h"
#include "href.h"
#include "../catalogue/trust.h"

#include <limits.h>

static const struct build_column columns[] = {
	{ "column.source", false, true, 2.8 },  { "column.software", false, false, 2.2 },
	{ "column.licence", false, false, 1.1 }, { "column.dates", false, false, 1.2 },
	{ "column.series", true, false, 0.6 },  { "column.rows", true, false, 0.7 },
	{ "column.accepted", true, false, 0.8 }, { "column.machines", true, false, 0.9 },
	{ "column.scores", false, false, 0.7 }, { "column.tier", false, false, 1.0 },
};

/* The series of one address: one row. */
struct source {
	const struct data_source *first;
	struct str title; /* what the titles have in common, up to a comma */
	struct name_set software, licences;
	struct date from, to;
	long rows, accepted, machines, series;
	long by_trust[TRUST_COUNT]; /* of machines */
	bool scores;
};

/* The common start of two titles, cut behind its last comma; empty where there is none. */
static struct str common_title(struct str a, struct str b)
{
	size_t n = 0, end = 0;

	if (str_eq(a, b))
		return a;
	for (; n < a.len && n < b.len && a.p[n] == b.p[n]; n++)
		if (a.p[n] == ',')
			end = n;
	return str_slice(a, 0, end);
}

/* 0 also where the file does not tell. */
static long machines_of(const struct data_source *s, enum trust t)
{
	const int counts[TRUST_COUNT] = { [TRUST_ANONYMOUS] = s->machines_anonymous,
					  [TRUST_KNOWN] = s->machines_known,
					  [TRUST_SIGNED] = s->machines_signed };

	return counts[t] > 0 ? counts[t] : 0;
}

static struct str tier_word(struct build *b, enum trust t)
{
	return build_word(b, "tier", trust_name(t));
}

/* "known", or "signed 2, known 5". */
static struct str tiers(struct build *b, const long by_trust[TRUST_COUNT])
{
	struct name_set parts = { .n = 0 };
	size_t kinds = 0;

	for (int t = 0; t < TRUST_COUNT; t++)
		kinds += by_trust[t] > 0;
	for (int t = TRUST_COUNT; t-- > 0;) {
		struct str tier = tier_word(b, (enum trust)t);
		const struct text_arg args[] = { text_arg("tier", tier),
						 text_arg_int("n", by_trust[t], b->arena),
						 text_arg_end() };
		if (by_trust[t] > 0)
			name_add(b, &parts,
				 kinds == 1 ? tier : build_str(b, "sources.tier", args));
	}
	return name_list_long(b, &parts, TRUST_COUNT);
}

static void source_add(struct build *b, struct source *x, const struct data_source *s)
{
	struct str title = s->title.len ? s->title : s->series, common;

	if (!x->first)
		*x = (struct source){ .first = s,	   .title = title, .from = s->first_date,
				      .to = s->last_date };
	common = common_title(x->title, title);
	if (common.len > 0)
		x->title = common;
	name_add(b, &x->software, build_data_str(b, s->software));
	name_add(b, &x->licences, build_data_str(b, s->licence));
	if (s->first_date.day != INT_MIN
	    && (x->from.day == INT_MIN || s->first_date.day < x->from.day))
		x->from = s->first_date;
	if (s->last_date.day > x->to.day)
		x->to = s->last_date;
	x->rows += s->rows > 0 ? s->rows : 0;
	x->accepted += s->accepted > 0 ? s->accepted : 0;
	x->machines += s->machines > 0 ? s->machines : 0;
	for (int t = 0; t < TRUST_COUNT; t++)
		x->by_trust[t] += machines_of(s, (enum trust)t);
	x->series++;
	x->scores |= str_eq(s->comparable, STR("yes"));
}

/* By address, in the order they come; one without an address stands alone. */
static size_t gather(struct build *b, struct source *out)
{
	struct map index = { .arena = b->arena };
	size_t n = 0;
	bool fresh;

	for (size_t i = 0; i < b->data->nsources; i++) {
		const struct data_source *s = &b->data->sources[i];
		struct str key = href_safe(s->url) ? s->url : s->series;
		size_t at = *map_put(&index, key, n, &fresh);
		if (fresh)
			out[n++] = (struct source){ .first = NULL };
		source_add(b, &out[at], s);
	}
	return n;
}

static void row(struct build *b, struct report_table *t, const struct source *x)
{
	enum { SOFTWARE_SHOWN = 1 };
	struct report_cell *cells = report_table_row(t, b->arena);
	const long counts[] = { x->series, x->rows, x->accepted, x->machines };
	bool scores = x->scores;

	cells[0] = build_data(b, x->title);
	if (href_safe(x->first->url))
		cells[0].href = x->first->url;
	cells[1].text = name_list_long(b, &x->software, SOFTWARE_SHOWN);
	cells[2].text = name_list_long(b, &x->licences, SOFTWARE_SHOWN);
	cells[3].text = format_dates(b->arena, x->from, x->to, build_str(b, "list.to", NULL));
	for (size_t i = 0; i < LEN(counts); i++)
		cells[4 + i].text = format_count(b->arena, counts[i]);
	cells[8] =
	    (struct report_cell){ .text = build_str(b, scores ? "word.yes" : "word.no", NULL),
				  .tone = scores ? TONE_PLAIN : TONE_MUTED };
	cells[9].text = tiers(b, x->by_trust);
}

/* How much of it all makes the scores, and who gave most. */
static void finding(struct build *b)
{
	const struct data_source *most = NULL;
	long comparable = 0, accepted = 0;

	for (size_t i = 0; i < b->data->nsources; i++) {
		const struct data_source *s = &b->data->sources[i];
		comparable += str_eq(s->comparable, STR("yes"));
		accepted += s->accepted > 0 ? s->accepted : 0;
		if (!most || s->accepted > most->accepted)
			most = s;
	}
	if (!most || accepted == 0)
		return;
	double share_pct = 100.0 * most->accepted / (double)accepted;
	build_text(b, "sources.finding",
		   (struct text_arg[]){
		       text_arg_int("n", (long)b->data->nsources, b->arena),
		       text_arg_int("comparable", comparable, b->arena),
		       text_arg("most", most->title.len ? most->title : most->series),
		       text_arg("share", format_percent(b->arena, share_pct)), text_arg_end() });
}

/* Who vouches for the machines, and what is left out for want of it. */
static void vouched(struct build *b, const struct source *sources, size_t n)
{
	long sum[TRUST_COUNT] = { 0 }, machines = 0;
	enum trust least;

	for (size_t i = 0; i < n; i++)
		for (int t = 0; t < TRUST_COUNT; t++) {
			sum[t] += sources[i].by_trust[t];
			machines += sources[i].by_trust[t];
		}
	if (machines > 0)
		build_text(b, "sources.vouched",
			   (struct text_arg[]){
			       text_arg_int("machines", machines, b->arena),
			       text_arg_int("signed", sum[TRUST_SIGNED], b->arena),
			       text_arg_int("known", sum[TRUST_KNOWN], b->arena),
			       text_arg_int("anonymous", sum[TRUST_ANONYMOUS], b->arena),
			       text_arg_end() });
	if (trust_parse(data_setting(b->data, STR("trust_least")), &least))
		build_text(b, "sources.least",
			   (struct text_arg[]){ text_arg("tier", tier_word(b, least)),
						text_arg_end() });
}

void chapter_sources(struct build *b)
{
	struct report_table *t =
	    build_table(b, "table-sources", "sources.about", NULL, columns, LEN(columns));

	struct source *sources = arena_array(b->arena, b->data->nsources, sizeof *sources);
	size_t n = gather(b, sources);

	for (size_t i = 0; i < n; i++)
		row(b, t, &sources[i]);
	t->csv_href = STR("data/sources.csv");
	build_heading(b, 2, "sources", "sources.title", NULL);
	finding(b);
	vouched(b, sources, n);
	build_text(b, "sources.thanks",
		   (struct text_arg[]){ text_arg_link("machines", STR("data/machines.csv"),
						      STR("data/machines.csv")),
					text_arg_end() });
	report_add_table(b->report, t);
	if (n < b->data->nsources)
		build_text(b, "sources.grouped",
			   (struct text_arg[]){ text_arg_link("file", STR("data/sources.csv"),
							      STR("data/sources.csv")),
						text_arg_end() });
	section_processors(b);
}
