/* Whole machines: n cards of one kind in a host, what they cost and whether they can live in it.
 *
 *   cards_usd     n x the price of lens card
 *   host_usd      the host for n cards (host.h); its figure has no range
 *   purchase_usd  cards_usd + host_usd
 *   power_usd     n x tdp_w / 1000 x hours_per_year x years x price of a kilowatt-hour: the
 *                 cards at full load; what the host draws is not in it
 *   total_usd     purchase_usd + power_usd
 *   per_gpu_usd   total_usd / n; with n = gpus of the edition that is the lens system+power,
 *                 and purchase_usd / n the lens system
 *   power_w       n x tdp_w + host allowance: the highest tdp of the processors that
 *                 host_parts.csv names for 1, 2 and more cards, 65, 105 and 280 W (AMD's
 *                 figures for Ryzen 5 2600 and 7600, Ryzen 7 2700X, Threadripper 3960X)
 *   psu_w         power supply to buy: power_w and 10 % for the other parts and for peaks,
 *                 rounded up to 50 W. Source of the rule: T. Dettmers, A Full Hardware Guide
 *                 to Deep Learning, 2018 (processor and cards, plus 10 %)
 *   slots         n x 1, 2 or 3 for single-, dual- and triple-slot cards
 *
 * Where one term is not known the sums that need it are not known either: never a term of 0. */
#ifndef ANALYZE_SYSTEM_H
#define ANALYZE_SYSTEM_H

#include "card_price.h"
#include "cost.h"
#include "price_lens.h"
#include "../base/arena.h"
#include "../base/error.h"
#include "../catalogue/device.h"

#include <stdbool.h>
#include <stddef.h>

/* The first that holds, in this order, is the status of a system. */
enum system_status {
	SYSTEM_NOT_FOR_HOST,  /* no card for a slot: SXM, OAM, laptop, cloud only */
	SYSTEM_NO_PRICE,      /* no card price */
	SYSTEM_SLOTS_UNKNOWN, /* the catalogue does not state the form factor */
	SYSTEM_NO_HOST,
	SYSTEM_NO_TDP,    /* power_usd and total_usd are not known; purchase_usd is */
	SYSTEM_NO_TARIFF, /* likewise */
	SYSTEM_OK,
};
struct str system_status_name(enum system_status s); /* "not-for-host" … "ok" */

enum system_warning {
	SYSTEM_WARN_COOLING = 1,   /* cooling_warning() */
	SYSTEM_WARN_PASSIVE = 2,   /* passive cards need the air of a server's fans */
	SYSTEM_WARN_SLOTS = 4,     /* more slots than the 8 of a large case */
	SYSTEM_WARN_PSU = 8,       /* psu_w is more than the host's own power supply gives */
	SYSTEM_WARN_PSU_SIZE = 16, /* psu_w is more than the largest supply on record, 1600 W */
};

struct system {
	size_t device;
	int gpus;
	struct host_choice host;
	double cards_usd, host_usd, power_usd, purchase_usd, total_usd, per_gpu_usd;
	double cards_low_usd, cards_high_usd;
	double power_w, psu_w;
	int slots;         /* 0: not known, or no card for a slot */
	unsigned warnings; /* of enum system_warning */
	unsigned flags;    /* of enum price_flag: of card price, host, tariff */
	enum system_status status;
};

/* By device as asked for, then by gpus. */
struct systems {
	struct system *v;
	size_t n;
};

/* One machine; card is its price of lens card, or NULL. */
struct system system_of(const struct cost_input *in, const struct card_price *card, size_t device,
			int gpus);

/* 1, 2 and 4 cards of every device of the edition that has a card price. */
void systems_compute(const struct cost_input *in, const struct card_prices *cards, struct arena *a,
		     struct systems *out);

/* `hosts` machines of `gpus` cards each, USD to buy: hosts x (gpus x card + host). NAN where the
 * card has no price or no host is known. */
double system_cost(const struct cost_input *in, const struct card_prices *cards, size_t device,
		   int hosts, int gpus);

/* Slots that one card covers: 1, 2 or 3; 0 for what goes in no slot, -1 where the catalogue does
 * not say. */
int system_card_slots(const struct device *d);

/* Whether n cards in neighbouring slots overheat by the guide's rule of 2019: any cooler does for
 * two RTX 2070; more than two need blowers; two open ones of high power (RTX 2080 Ti) already do.
 * High power is more than 225 W, what a slot and one 8-pin plug deliver (75 + 150 W): RTX 2070 175
 * W, RTX 2080 Ti 250 W. A blower sends its heat out of the case and never warns, nor does liquid,
 * which carries it to a radiator; `cooling` that is not stated is taken as open. The catalogue has
 * the maker's own cooler: partners sell others (blowers of the RTX 2080 Ti came from ASUS and PNY).
 */
bool cooling_warning(const struct device *d, int gpus);

/* Writes systems.csv: device,gpus,cards_usd,host_usd,host_date,power_usd,total_usd,per_gpu_usd,
 * power_w,slots,status,warnings,purchase_usd,psu_w,host_psu_w,flags. Errors: ERR_ENVIRONMENT. */
bool systems_write(const struct systems *s, const struct devices *devices, const char *path,
		   struct arena *a, struct error *err);

#endif
