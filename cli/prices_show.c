/* gpuguide prices show: the history of one device's prices. */
#include "prices_parts.h"

#include "context.h"
#include "prices_show_out.h"
#include "terminal.h"

#include <string.h>

/* The words behind "show" are one name: no quotes are needed around "RTX 2080 Ti". */
static struct str wanted_name(const struct options *opt, struct arena *a)
{
	struct strbuf b = { .arena = a };

	for (size_t i = 1; i < opt->npaths; i++)
		strbuf_printf(&b, "%s%s", i > 1 ? " " : "", opt->paths[i]);
	return strbuf_str(&b);
}

static bool find_device(const struct devices *devices, struct str name, struct arena *a,
			size_t *out, struct error *err)
{
	size_t near[8], n;
	enum device_match match;

	if (name.len == 0)
		return error_set(err, ERR_USAGE, "prices show: no device was named");
	match = device_find(devices, name, a, near, &n);
	if (match != DEVICE_FOUND)
		return error_set(err, ERR_USAGE, "prices show: '" STR_FMT "' %s " STR_FMT,
				 STR_ARG(name),
				 match == DEVICE_AMBIGUOUS ? "could be any of"
							   : "is not in the catalogue; nearest:",
				 STR_ARG(device_names(devices, near, n, a)));
	*out = near[0];
	return true;
}

static bool take_condition(const struct options *opt, enum price_condition *out, bool *given,
			   struct error *err)
{
	*given = opt->condition && strcmp(opt->condition, "any") != 0;
	if (*given && !price_condition_parse(str_of(opt->condition), out))
		return error_set(err, ERR_USAGE,
				 "--condition: '%s' is not new, used, on-demand, spot or any",
				 opt->condition);
	return true;
}

bool prices_show_command(const struct options *opt, struct arena *a, int *status, struct error *err)
{
	struct context c;
	struct price_show show;
	enum price_condition condition;
	bool given;
	size_t device = 0;

	if (!take_condition(opt, &condition, &given, err) || !context_open(&c, opt, true, a, err)
	    || !find_device(&c.devices, wanted_name(opt, a), a, &device, err))
		return false;
	struct price_view view = { &c.edition, &c.devices, &c.prices, &c.edition.conditions, a };
	struct price_show_wish wish = { str_of(opt->market ? opt->market : ""),
					given ? &condition : NULL };
	price_show(&view, device, &wish, a, &show);
	struct prices_show_said said = { &show, &view, terminal_width(), terminal_is_unicode() };
	*status = show.n == 0;
	return terminal_print(prices_show_format(&said, opt->format, a), err);
}
