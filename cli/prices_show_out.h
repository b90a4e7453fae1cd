/* What `gpuguide prices show` says, in its three formats. */
#ifndef CLI_PRICES_SHOW_OUT_H
#define CLI_PRICES_SHOW_OUT_H

#include "options.h"
#include "../prices/show.h"

struct prices_show_said {
	const struct price_show *show;
	const struct price_view *view;
	size_t width; /* of the terminal, in characters */
	bool unicode; /* blocks, not ASCII marks */
};

/* text  the edition's price and where it comes from; a curve and its figures for every kind of
 *       price of the card; a line for every rent
 * csv   device,market,condition,stat,currency,date,price_usd,quantity,rows,n,source,file,line: a
 *       line a day and kind; source and place are of its cheapest row
 * json  { device, date, edition, card, rent, markets, series }, with the same days */
struct str prices_show_format(const struct prices_show_said *s, enum output_format format,
			      struct arena *a);

#endif
