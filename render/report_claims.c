/* The guide's claims, each with what this edition's data says of it. */
#include "build.h"
#include "format.h"

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

	name_add(b, &parts, c->computed_value);
	name_add(b, &parts, c->why);
	return name_list_long(b, &parts, parts.n);
}

static void claim_row(struct build *b, struct report_table *t, const struct data_claim *c)
{
	struct report_cell *cells = report_table_row(t, b->arena);

	cells[0].text = c->id;
	cells[1].text = c->claim;
	cells[2].text = c->guide_value;
	cells[3].text = finding(b, c);
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

void chapter_claims(struct build *b)
{
	struct report_table *t =
	    build_table(b, "table-claims", "claims.table", NULL, columns, LEN(columns));

	if (b->data->nclaims == 0)
		return;
	for (size_t i = 0; i < b->data->nclaims; i++)
		claim_row(b, t, &b->data->claims[i]);
	build_heading(b, 2, "claims", "claims.title", NULL);
	build_text(b, "claims.about", NULL);
	counts(b);
	build_add_table(b, t, "data/claims.csv");
}
