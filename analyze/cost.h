/* What every cost of an edition is worked out from. */
#ifndef ANALYZE_COST_H
#define ANALYZE_COST_H

#include "electricity.h"
#include "host.h"
#include "../catalogue/device.h"
#include "../catalogue/edition.h"
#include "../catalogue/price.h"

#include <stddef.h>

struct cost_input {
	const struct edition *edition; /* date resolved */
	const struct devices *devices;
	const struct prices *prices;
	const struct hosts *hosts;          /* maybe none in it */
	const struct tariff_choice *tariff; /* maybe none in it */
	const size_t *indices;              /* the edition's devices, in the order of devices.csv */
	size_t nindices;
};

/* To a millionth, so that 449.99 + 581.14 reads 1031.13 in a file; NAN stays NAN. */
double cost_round(double v);

#endif
