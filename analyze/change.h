/* What moved between two editions, and what moved it (method: METHOD.md, "Change").
 *
 * The value of a card is its performance per USD, on a scale that no other card has a say in:
 *
 *     L = log score - log cost                      move = L(new) - L(old)
 *
 * A rank also moves when another card does: ranks and moves are told apart. With the other
 * edition's figures put in one at a time,
 *
 *     cost part  = L(old score, new cost) - L(old) = -log(new cost / old cost)
 *     score part = L(new score, old cost) - L(old) =  log(new score / old score)
 *
 * and since L is a sum the two make the whole move. Each part has one cause:
 *
 *   method  the score part, where one of these differs between the editions:
 *           - the precision policy of the class, benchmark_cutoff or series_excluded;
 *           - the card's origin, anchor or predictor (a card that was scaled and is measured now
 *             moved because another rule made its figure, even if new rows were the reason);
 *           - for a scaled card the edition's anchors or the scaling method of the class, chosen
 *             or found best;
 *           and where both editions are of one date and made from the same rows and catalogue:
 *           only the program or a setting can have moved it
 *
 *   method  the cost part, where markets, fallback, conditions, stale_days, drop_days or currency
 *           differ (in lenses of whole systems also gpus, country, tariff, hours_per_year, years);
 *           and where both are of one date and made from the same prices, rates and catalogue
 *
 *   data    any other score part, also where the program's version differs (program_differs)
 *
 *   price   any other cost part, also where it comes from another market now: reason names it
 *
 * Scores are relative to the edition's reference. Where both editions have the same one, measured
 * in the class in both, they are on one scale. Otherwise all scores of the class are divided by
 * that of one card that both editions list as measured: the one with the most machines (the smaller
 * count of the two editions; ties: first by name). The move of that card is then 0 by definition.
 * Without such a card the parts of the class are not known: NAN, and the class says why.
 *
 * A move is not known either where a score or a cost is missing on one side. Missing is never 0.
 * Numbers in the files have 12 digits: a part below CHANGE_NOISE is no move. */
#ifndef ANALYZE_CHANGE_H
#define ANALYZE_CHANGE_H

#include "../base/arena.h"
#include "../base/date.h"
#include "../base/error.h"
#include "../base/map.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

#define CHANGE_NOISE 1e-9

/* One card in one class of an edition, as its files have it. Names stay text: an old edition may
 * hold cards that the catalogue of today lacks. */
struct change_card {
	struct str device, class;
	struct str origin, anchor, predictor, why_none; /* why_none: why it has no score */
	double score;                                   /* > 0; NAN when excluded */
	double cost_usd;                                /* > 0, of the lens; NAN without a price */
	int machines;                                   /* -1 not stated */
	int rank;                                       /* 0: not ranked */
	struct str markets; /* behind the price of lens card; empty when there is none */
	struct str price_status; /* of the lens: "stale fallback", "ok"; empty: no row */
	struct str value_status; /* "ok", or why it has no value */
	struct pos pos;     /* its line in scores.csv */
};

/* A line of edition.csv. */
struct change_setting {
	struct str key, value;
	struct pos pos;
};

/* A file the edition was made from. */
struct change_input {
	struct str path, sha256;
};

struct change_edition {
	struct str name;    /* of the folder */
	struct str program; /* "gpuguide 0.1.0"; empty: not known */
	struct str lens;
	struct date date;
	struct change_setting *settings; /* in the order of the file */
	size_t nsettings;
	struct change_card *cards; /* in the order of scores.csv */
	size_t ncards;
	struct map by_key;   /* "device\nclass" to index into cards */
	struct str *classes; /* in the order of the edition */
	size_t nclasses;
	bool has_inputs;             /* false: neither MANIFEST nor data/inputs.csv stands there */
	struct change_input *inputs; /* by path */
	size_t ninputs;
};

/* dir     an edition folder. Needed: data/scores.csv, values.csv, prices.csv, edition.csv. The
 *         inputs come from MANIFEST or, while that is not yet written, from data/inputs.csv; the
 *         program's version from summary.json or, where there is none, report.json
 * lens    which cost counts, "card" unless somebody asks for another; it must occur in values.csv
 * Errors  ERR_ENVIRONMENT no folder, a file that cannot be read; ERR_SYNTAX as csv_read_records,
 *         and a line of MANIFEST that is not "sha256  size  path"; ERR_UNKNOWN a class or an origin
 *         that is none; ERR_RANGE a score or cost not above 0; ERR_DATA a card twice, a score that its
 *         origin contradicts, a card of values.csv that scores.csv lacks, a rank without a value, a
 *         setting or an input twice, no date, reference or classes in edition.csv, no row of the
 *         lens, a file that is not as MANIFEST lists it (seal.h). All with file and line, and the column where a cell is at fault. */
bool change_read_edition(const char *dir, struct str lens, struct arena *a,
			 struct change_edition *out, struct error *err);
/* Text of a setting; empty when the edition does not have it. */
struct str change_setting(const struct change_edition *e, struct str key);

enum change_status { CHANGE_SAME, CHANGE_CHANGED, CHANGE_NEW, CHANGE_GONE, CHANGE_STATUS_COUNT };
struct str change_status_name(enum change_status s); /* "same" "changed" "new" "gone" */

/* new      only in the new edition, or with a value (score and cost) only there
 * gone     only in the old one, or with a value only there
 * changed  in both, and a rank, score, cost, origin, or where one of them comes from differs: markets
 *          or status of the price, anchor, predictor, why there is no value. The sum may be the same
 *          all the same: a list price of long ago and a market's of today
 * same     none of these differs; all that differs is noise
 * reason   what is missing and where, what the causes were; clauses joined by "; "; may be empty */
struct change {
	struct str device, class;
	const struct change_card *old, *now; /* NULL: not in that edition */
	/* Logarithms, price + data + method = total; NAN: not known. */
	double price, data, method, total;
	enum change_status status;
	struct str reason;
};

/* One class of either edition. */
struct change_class {
	struct str class;
	struct str unit; /* the card whose score is 1 on both sides; empty: no common scale */
	bool rescaled;   /* unit is not simply the reference of both */
	double old_unit, now_unit; /* its score in each edition; 1 unless rescaled */
	struct str note; /* a sentence about the scale; empty where it is simply the reference */
	size_t count[CHANGE_STATUS_COUNT];
	double price, data, method; /* sums of |part| over its cards: what caused how much */
};

enum change_input_kind { CHANGE_INPUT_CHANGED, CHANGE_INPUT_ADDED, CHANGE_INPUT_REMOVED };
struct str change_input_kind_name(enum change_input_kind k); /* "changed" "added" "removed" */

struct change_input_move {
	enum change_input_kind kind;
	struct str path;
	struct str group; /* "prices", "benchmark rows", "catalogue", … */
};

struct change_setting_move {
	struct str key, old, now; /* empty: not set */
	bool result;              /* found out, not chosen: method.CLASS where scaling.CLASS is best */
};

struct changes {
	const struct change_edition *old, *now;
	/* By class (the new edition's order, then classes that only the old one has), in it by
	 * device in the order of the new edition, then those that only the old one has. */
	struct change *v;
	size_t n;
	struct change_class *classes;
	size_t nclasses;
	bool inputs_known;                /* of both */
	struct change_input_move *inputs; /* by group in report order, then path */
	size_t ninputs;
	/* What someone chose, and the methods of scaling, which the back-test finds where the choice
	 * is left to it (`result`); in the order of the new edition.csv. */
	struct change_setting_move *settings;
	size_t nsettings;
	bool program_differs; /* both known, and different: what the program's own changes did is in
			       * the data part unless the inputs are the same */
	bool nothing;         /* no card, class, input, setting, date or program differs */
};

/* Both editions of one lens. The result points into them. */
void change_compute(const struct change_edition *old, const struct change_edition *now,
		    struct arena *a, struct changes *out);

/* Keeps one class. Errors: ERR_USAGE when neither edition has it. */
bool change_select(struct changes *c, struct str class, struct error *err);

/* 100 (exp(x) - 1), rounded to 12 digits; NAN stays. Percentages compound, they do not add. */
double change_percent(double x);

/* changes.csv: device,class,old_rank,new_rank,from_price_pct,from_data_pct,from_method_pct,status,
 * reason,total_pct,old_score,new_score,old_cost_usd,new_cost_usd. Scores as in their
 * editions, not rescaled. One row for every card and class of either, the unchanged too. */
struct str change_csv(const struct changes *c, struct arena *a);
/* Errors: ERR_ENVIRONMENT. */
bool change_write(const struct changes *c, const char *path, struct arena *a, struct error *err);

#endif
