/* What `gpuguide prices check` says, in its three formats. */
#ifndef CLI_PRICES_CHECK_OUT_H
#define CLI_PRICES_CHECK_OUT_H

#include "options.h"
#include "../prices/check.h"

struct prices_check_said {
	const struct price_check *check;
	const struct price_view *view;
	size_t rows; /* prices looked at */
	bool cards;  /* not only files */
	bool decisions_only;
	size_t added; /* jumps accepted by this run */
	size_t width; /* of the terminal, in characters */
};

/* text  counts, then the findings, worst first: those of one date and market share a line, and a
 *       kind has at most 12 lines
 * csv   severity,kind,device,market,condition,stat,date,price_usd,before_date,before_usd,
 *       change_pct,age_days,file,line,text: every finding
 * json  { date, edition, rows, decisions, accepted, findings } */
struct str prices_check_format(const struct prices_check_said *s, enum output_format format,
			       struct arena *a);

#endif
