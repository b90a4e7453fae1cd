/* The guide's claims, each with what this edition's data says of it. */
#include "build.h"
#include "figure_chapter.h"
#include "format.h"

#include <stdint.h>

static const struct build_column columns[] = {
	{ "column.number", true, true, 0.3 },        { "column.claim", false, false, 1.5 },
	{ "column.guide_value", false, false, 0.9 }, { "column.our_value", false, false, 5 },
	{ "column.verdict", false, false, 0.6 },
};

static const struct {
	const char *verdict, *key;
	enum cell_tone tone;
} verdicts[] = {
	{ "reproduced", "verdict.reproduced", TONE_STRONG },
	{ "not-reproduced", "verdict.not_reproduced", TONE_WARN },
	{ "not-testable", "verdict.not_testable", TONE_MUTED },
};

/* What was computed, and the sentence about it. */
static struct str finding(struct build *b, const struct data_claim *c)
{
	struct name_set parts = { .n = 0 };

	name_add(b, &parts,
		 build_said_str(b, c->computed_value, c->computed_value_msg, c->pos));
	name_add(b, &parts, build_said_str(b, c->why, c->why_msg, c->pos));
	return name_list_long(b, &parts, parts.n);
}

/* max: characters of the finding; SIZE_MAX for all. */
static void claim_row(struct build *b, struct report_table *t, const struct data_claim *c,
		      size_t max)
{
	struct report_cell *cells = report_table_row(t, b->arena);

	cells[0].text = c->id;
	cells[1] = build_data(b, c->claim);
	cells[2] = build_data(b, c->guide_value);
	cells[3].text = format_short(b->arena, finding(b, c), max);
	cells[4].text = c->verdict;
	for (size_t i = 0; i < LEN(verdicts); i++)
		if (str_eq(c->verdict, str_of(verdicts[i].verdict)))
			cells[4] =
			    (struct report_cell){ .text = build_str(b, verdicts[i].key, NULL),
						  .tone = verdicts[i].tone };
}

static void counts(struct build *b)
{
	long n[LEN(verdicts)] = { 0 };

	for (size_t i = 0; i < b->data->nclaims; i++)
		for (size_t k = 0; k < LEN(verdicts); k++)
			n[k] += str_eq(b->data->claims[i].verdict, str_of(verdicts[k].verdict));
	build_text(b, "claims.counts",
		   (struct text_arg[]){ text_arg_int("n", (long)b->data->nclaims, b->arena),
					text_arg_int("reproduced", n[0], b->arena),
					text_arg_int("not_reproduced", n[1], b->arena),
					text_arg_int("not_testable", n[2], b->arena),
					text_arg_end() });
}

/* Of a finding: what a reader wants to know of a claim that fails, and of one that holds. */
enum { CONTRADICTED_CHARS = 260, OTHERS_CHARS = 150 };

/* A long list shows those that this edition contradicts; the appendix has the others. */
static bool shows_contradicted_only(const struct build *b)
{
	enum { CLAIMS_SHOWN = 12 };
	bool any = false;

	for (size_t i = 0; i < b->data->nclaims; i++)
		any |= str_eq(b->data->claims[i].verdict, STR("not-reproduced"));
	return any && build_rows_shown(b->data->nclaims, CLAIMS_SHOWN) < b->data->nclaims;
}

static void claim_table(struct build *b, const char *id, const char *caption_key, bool contradicted,
			bool others, size_t max)
{
	struct report_table *t = build_table(b, id, caption_key, NULL, columns, LEN(columns));

	for (size_t i = 0; i < b->data->nclaims; i++)
		if (str_eq(b->data->claims[i].verdict, STR("not-reproduced")) ? contradicted
									      : others)
			claim_row(b, t, &b->data->claims[i], max);
	build_add_table(b, t, "data/claims.csv");
	if (max < SIZE_MAX)
		build_text(b, "claims.cut",
			   (struct text_arg[]){ text_arg_link("file", STR("data/claims.csv"),
							      STR("data/claims.csv")),
						text_arg_end() });
}

void numbers_claims(struct build *b)
{
	if (shows_contradicted_only(b))
		claim_table(b, "numbers-claims", "claims.table_others", false, true, OTHERS_CHARS);
}

void chapter_claims(struct build *b)
{
	bool part = shows_contradicted_only(b);

	if (b->data->nclaims == 0)
		return;
	build_heading(b, 2, "claims", "claims.title", NULL);
	build_text(b, "claims.about", NULL);
	counts(b);
	figure_claims(b);
	claim_table(b, "table-claims", part ? "claims.table_contradicted" : "claims.table", true,
		    !part, part ? CONTRADICTED_CHARS : SIZE_MAX);
}
