#include "price_flag.h"

#include <stdbool.h>
#include <stddef.h>

/* In the order in which they are written. */
static const struct {
	unsigned flag;
	struct str name, words;
} names[] = {
	{ PRICE_FLAG_STALE, STR_INIT("stale"), STR_INIT("old") },
	{ PRICE_FLAG_SINGLE_SOURCE, STR_INIT("single-source"), STR_INIT("from one market only") },
	{ PRICE_FLAG_FALLBACK, STR_INIT("fallback"), STR_INIT("a shop's or list price") },
	{ PRICE_FLAG_USED, STR_INIT("used"), STR_INIT("used") },
	{ PRICE_FLAG_UNUSUAL, STR_INIT("unusual"), STR_INIT("unusually high") },
	{ PRICE_FLAG_FEW_LISTINGS, STR_INIT("few-listings"), STR_INIT("from few offers") },
	{ PRICE_FLAG_MISSING, STR_INIT("missing"), STR_INIT("missing") },
	{ PRICE_FLAG_HOST_STALE, STR_INIT("host-stale"), STR_INIT("the host priced long before") },
	{ PRICE_FLAG_HOST_OLD, STR_INIT("host-old"), STR_INIT("no recent price of a whole host") },
	{ PRICE_FLAG_HOST_PARTIAL, STR_INIT("host-partial"), STR_INIT("the host priced in part") },
	{ PRICE_FLAG_HOST_LARGER, STR_INIT("host-larger"), STR_INIT("a host for more cards") },
	{ PRICE_FLAG_TARIFF_OLD, STR_INIT("tariff-old"), STR_INIT("an old price of electricity") },
	{ PRICE_FLAG_TARIFF_LATER, STR_INIT("tariff-later"), STR_INIT("a later price of electricity") },
	{ PRICE_FLAG_NOT_FOR_HOST, STR_INIT("not-for-host"), STR_INIT("not a card for a host") },
	{ PRICE_FLAG_SLOTS_UNKNOWN, STR_INIT("slots-unknown"), STR_INIT("its slots not known") },
	{ PRICE_FLAG_NO_HOST, STR_INIT("no-host"), STR_INIT("no host priced") },
	{ PRICE_FLAG_NO_TDP, STR_INIT("no-tdp"), STR_INIT("its power not stated") },
	{ PRICE_FLAG_NO_TARIFF, STR_INIT("no-tariff"), STR_INIT("no price of electricity") },
	{ PRICE_FLAG_PER_CHIP, STR_INIT("per-chip"), STR_INIT("rented by the chip") },
};

/* The names, or the words, of the flags that are set. */
static struct str join(struct arena *a, unsigned flags, bool words, struct str between)
{
	struct strbuf b = { .arena = a };

	for (size_t i = 0; i < LEN(names); i++) {
		if (!(flags & names[i].flag))
			continue;
		if (b.len)
			strbuf_add(&b, between);
		strbuf_add(&b, words ? names[i].words : names[i].name);
	}
	return strbuf_str(&b);
}

struct str price_flags_text(struct arena *a, unsigned flags)
{
	struct str text = join(a, flags, false, STR(" "));

	return text.len ? text : STR("ok");
}

struct str price_flags_words(struct arena *a, unsigned flags)
{
	return join(a, flags, true, STR(", "));
}

static struct say said(struct arena *a, unsigned flags, const char *section, const char *by)
{
	struct say_list l = { .arena = a };

	for (size_t i = 0; i < LEN(names); i++)
		if (flags & names[i].flag)
			say_add(&l, say_word(a, section, names[i].name));
	return say_join(&l, by);
}

struct say price_flags_said(struct arena *a, unsigned flags)
{
	return said(a, flags, "flag", "comma");
}

struct say price_flags_names(struct arena *a, unsigned flags)
{
	return said(a, flags, "flag-name", "names");
}
