#include "cost.h"

#include <math.h>

#define MILLION 1e6

double cost_round(double v)
{
	return round(v * MILLION) / MILLION;
}
