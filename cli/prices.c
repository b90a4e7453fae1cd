/* gpuguide prices: its four parts. */
#include "commands.h"
#include "prices_import.h"
#include "prices_parts.h"

#include <limits.h>
#include <string.h>

static const struct part {
	const char *name;
	const char
	    *letters; /* of the options that mean something to it, beside --root, -q and -v */
	bool (*run)(const struct options *opt, struct arena *a, int *status, struct error *err);
} parts[] = {
	{ "import", "dMxsuANof", prices_import_command },
	{ "check", "dMsANf", prices_check_command },
	{ "show", "dMuf", prices_show_command },
	{ "fetch", "dsANf", prices_fetch_command },
};

/* An option that a part does not know would be passed over in silence. */
static bool check_options(const struct part *p, const struct options *o, struct error *err)
{
	const struct {
		char letter;
		const char *name;
		bool given;
	} given[] = {
		{ 'd', "date", o->date.day != INT_MIN },
		{ 'M', "market", o->market },
		{ 'x', "map", o->map },
		{ 's', "source", o->source },
		{ 'u', "condition", o->condition },
		{ 'A', "accept", o->accept },
		{ 'N', "dry-run", o->dry_run },
		{ 'o', "out", o->out },
		{ 'f', "format", o->format != FORMAT_TEXT },
	};

	for (size_t i = 0; i < LEN(given); i++)
		if (given[i].given && !strchr(p->letters, given[i].letter))
			return error_set(err, ERR_USAGE, "prices %s: it has no option --%s",
					 p->name, given[i].name);
	return true;
}

bool command_prices(const struct options *opt, struct arena *a, int *status, struct error *err)
{
	for (size_t i = 0; i < LEN(parts); i++)
		if (strcmp(opt->paths[0], parts[i].name) == 0)
			return check_options(&parts[i], opt, err)
			       && parts[i].run(opt, a, status, err);
	return error_set(err, ERR_USAGE, "prices: '%s' is not import, check, show or fetch",
			 opt->paths[0]);
}
