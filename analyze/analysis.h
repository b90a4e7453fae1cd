/* Everything that the analysis of one edition has worked out, in the order it is: what later steps (advice, claims)
 * read, and what analyze_run() writes. Filled by analyze.c; a step reads only what stands above its own. */
#ifndef ANALYZE_ANALYSIS_H
#define ANALYZE_ANALYSIS_H

#include "avoid.h"
#include "claim.h"
#include "cost.h"
#include "estimate.h"
#include "lens_moves.h"
#include "memory_fit.h"
#include "multi.h"
#include "observation.h"
#include "pick.h"
#include "price_condition.h"
#include "price_lens.h"
#include "processor.h"
#include "rent.h"
#include "score.h"
#include "system.h"
#include "upgrade.h"
#include "value.h"
#include "vendor.h"
#include "../base/arena.h"
#include "../base/error.h"
#include "../catalogue/device.h"
#include "../catalogue/edition.h"
#include "../catalogue/price.h"
#include "../catalogue/text.h"

struct analysis {
	const char *data_dir, *out_dir;
	struct cache *cache; /* NULL: none */
	const struct edition *edition;
	const struct devices *devices;
	const struct prices *prices;
	const struct messages *refused_prices; /* NULL: none */
	struct date previous_date; /* as in analyze_options */
	struct str previous_id;
	struct text_catalogue english; /* of the sentences in the files */
	struct arena *arena;
	struct observations obs;
	struct estimates estimates;
	struct str_list link_accepted;
	struct date newest_benchmark;
	size_t *indices, nindices; /* the edition's devices, in the order of devices.csv */
	struct card_prices card_prices; /* every lens */
	struct scores scores;
	struct score_class *classes; /* edition->nclasses */
	struct values values;        /* of every lens, lens by lens, each in the order of scores */
	struct hosts hosts;
	struct tariffs tariffs;
	struct tariff_choice tariff;
	struct cost_input cost; /* points into the members above */
	struct systems systems;
	struct breakevens breakevens;
	struct lens_moves lens_moves;
	struct price_conditions price_conditions;
	struct multi multi;
	struct processor_groups processors;
	struct memory_cases memory;
	struct personas personas;
	struct picks picks;
	struct avoids avoids;
	struct upgrades upgrades;
	struct claims claims;
	struct vendors vendors;
	struct vendor_facts vendor_facts;
};

/* What the advice is made from; points into s. */
struct pick_input analysis_pick_input(const struct analysis *s);

#endif
