#include "lens.h"

static const struct str names[LENS_COUNT] = {
	[LENS_CARD] = STR_INIT("card"),
	[LENS_SYSTEM] = STR_INIT("system"),
	[LENS_SYSTEM_POWER] = STR_INIT("system+power"),
	[LENS_CLOUD] = STR_INIT("cloud"),
};

struct str lens_name(enum lens l)
{
	return names[l];
}

bool lens_parse(struct str name, enum lens *out)
{
	for (size_t i = 0; i < LENS_COUNT; i++)
		if (str_eq(names[i], name)) {
			*out = (enum lens)i;
			return true;
		}
	return false;
}
