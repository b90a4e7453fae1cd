#include "trust.h"

static const struct str names[TRUST_COUNT] = {
	[TRUST_ANONYMOUS] = STR_INIT("anonymous"),
	[TRUST_KNOWN] = STR_INIT("known"),
	[TRUST_SIGNED] = STR_INIT("signed"),
};

struct str trust_name(enum trust t)
{
	return names[t];
}

bool trust_parse(struct str name, enum trust *out)
{
	for (size_t i = 0; i < TRUST_COUNT; i++)
		if (str_eq(names[i], name)) {
			*out = (enum trust)i;
			return true;
		}
	return false;
}

enum trust trust_of_series(const struct series *s)
{
	bool address =
	    s && (str_starts(s->url, STR("https://")) || str_starts(s->url, STR("http://")));

	return address ? TRUST_KNOWN : TRUST_ANONYMOUS;
}

enum trust trust_of_median(const size_t counts[TRUST_COUNT])
{
	size_t all = 0, reach = 0;

	for (size_t t = 0; t < TRUST_COUNT; t++)
		all += counts[t];
	for (size_t t = TRUST_COUNT; t-- > 0;) {
		reach += counts[t];
		if (2 * reach > all)
			return (enum trust)t;
	}
	return TRUST_ANONYMOUS;
}
