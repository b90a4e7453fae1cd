/* data/personas.ini: keys, years, errors; and the shipped file. */
#include "pick_fixture.h"

#include <stdint.h>

#define TAIL "[upgrade]\nowned = Eta\nkeep_below = 1.3\nupgrade_from = 2\ndear_below = 0.3\n"
#define HEAD "[p]\ntitle = T\nasks = A?\nobjective = value\nweight.cnn = 1\n"

static void test_values(struct test *t, struct market *m)
{
	const struct personas *p = &m->personas;
	const struct persona *thrifty = persona_find(p, STR("thrifty")),
			     *rack = persona_find(p, STR("rack"));

	test_ok(t, p->n == 8, "personas of the edition's year, [later] is not yet one");
	test_ok(t, thrifty && !persona_find(p, STR("later")), "by name");
	if (!thrifty || !rack)
		return;
	test_str(t, thrifty->wish.title, STR("Thrifty"), "title");
	test_near(t, thrifty->wish.memory_gb, 8, 0, "a floor of a later year does not hold yet");
	test_near(t, thrifty->wish.budget_usd, 1200, 0, "budget");
	test_ok(t, isnan(rack->wish.budget_usd) && isnan(rack->wish.memory_gb),
		"what is not asked is NAN");
	test_ok(t, rack->wish.gpus == 3 && rack->wish.adjacent && rack->wish.host == HOST_DESKTOP,
		"words");
	test_ok(t, rack->wish.except.n == 1 && rack->wish.except.v[0].device == ETA, "except");
	test_ok(t, persona_find(p, STR("renter"))->wish.host == HOST_ANY,
		"a rented card stands in any host");
	test_ok(t, persona_find(p, STR("owner"))->wish.owns == THETA, "owns");
	test_str(t, thrifty->guide, STR("Alpha"), "the guide of the year");
	test_str(t, thrifty->guide_why, STR("Alpha, said the guide."), "and what it said");
	test_ok(t, persona_find(p, STR("quick"))->cards.n == 1, "Colab is no card");
	test_ok(t, p->only_if.n == 1 && p->only_if.v[0].device == GAMMA,
		"exceptions of the year only");
	test_ok(t, p->blower.n == 1 && p->nowned == 2 && p->upgrade_from == 2,
		"the other sections");
}

/* The same text for an edition of 2023, and one that lists its personas. */
static void test_editions(struct test *t, struct market *m)
{
	struct edition e = m->edition;
	struct personas p;
	struct error err = { 0 };
	struct str names[] = { STR_INIT("rack"), STR_INIT("thrifty") }, nobody = STR("nobody");

	e.date = date_of_day(19500); /* 2023-05-23 */
	bool good = personas_parse(STR(MARKET_PERSONAS), "p.ini", &m->devices, &e, &m->files.arena,
				   &p, &err);
	test_ok(t, good && p.v[0].wish.memory_gb == 12, "the floor from 2022 on");
	test_ok(t, good && p.v[0].guide.len == 0 && p.v[0].cards.n == 0,
		"the guide of 2019 is not of 2023");
	e.personas = (struct str_list){ names, 2 };
	test_ok(t,
		personas_parse(STR(MARKET_PERSONAS), "p.ini", &m->devices, &e, &m->files.arena, &p,
			       &err)
		    && p.n == 2 && str_eq(p.v[0].wish.name, STR("rack")),
		"the edition's list and its order");
	e.personas = (struct str_list){ &nobody, 1 };
	test_ok(t,
		!personas_parse(STR(MARKET_PERSONAS), "p.ini", &m->devices, &e, &m->files.arena, &p,
				&err)
		    && err.code == ERR_UNKNOWN
		    && str_starts(str_of(err.msg),
				  STR("personas: 'nobody' is not in personas.ini; there are ")),
		"a persona that the file lacks");
}

static const struct {
	const char *name, *text;
	enum error_code code;
	int line;
	const char *msg;
} faults[] = {
	{ "unknown key", HEAD "colour = red\n" TAIL, ERR_UNKNOWN, 6,
	  "key 'colour' is not known in [p]" },
	{ "a tail where none may be", HEAD "gpus.2019 = 2\n" TAIL, ERR_UNKNOWN, 6,
	  "key 'gpus.2019' is not known in [p]" },
	{ "no tail where one must be", HEAD "weight = 2\n" TAIL, ERR_UNKNOWN, 6,
	  "key 'weight' is not known in [p]" },
	{ "unknown class", HEAD "weight.gan = 1\n" TAIL, ERR_UNKNOWN, 6,
	  "weight.gan: 'gan' is not a class" },
	{ "unknown lens", HEAD "lens = rent\n" TAIL, ERR_UNKNOWN, 6,
	  "lens: 'rent' is not card, system, system+power or cloud" },
	{ "unknown condition", HEAD "condition = old\n" TAIL, ERR_UNKNOWN, 6,
	  "condition: 'old' is not any, new or used" },
	{ "unknown objective", "[p]\nobjective = best\n" TAIL, ERR_UNKNOWN, 2,
	  "objective: 'best' is not value or speed" },
	{ "yes or no", HEAD "data_center = maybe\n" TAIL, ERR_UNKNOWN, 6,
	  "data_center: 'maybe' is not no or yes" },
	{ "unknown host", HEAD "host = boat\n" TAIL, ERR_UNKNOWN, 6,
	  "host: 'boat' is not desktop, server or any" },
	{ "unknown cooling", HEAD "cooling = wet\n" TAIL, ERR_UNKNOWN, 6,
	  "cooling: 'wet' is not single or adjacent" },
	{ "unknown vendor", HEAD "vendors = NVIDIA, Nvidia\n" TAIL, ERR_UNKNOWN, 6,
	  "vendors: no device of vendor 'Nvidia'" },
	{ "unknown device", HEAD "except.Omega = x\n" TAIL, ERR_UNKNOWN, 6,
	  "except.Omega: device 'Omega' is not in the catalogue; nearest: Beta, Eta, Theta" },
	{ "no number", HEAD "budget_usd = much\n" TAIL, ERR_SYNTAX, 6,
	  "budget_usd: 'much' is not a number" },
	{ "a budget of nothing", HEAD "budget_usd = 0\n" TAIL, ERR_RANGE, 6,
	  "budget_usd: '0' is not above 0 and at most 1e+09" },
	{ "no year", HEAD "memory_gb.soon = 8\n" TAIL, ERR_SYNTAX, 6,
	  "memory_gb.soon: 'soon' is not a year" },
	{ "no cards", HEAD "gpus = 0\n" TAIL, ERR_RANGE, 6,
	  "gpus: '0' is not a whole number of cards from 1 to 16" },
	{ "empty", "[p]\ntitle =\n" TAIL, ERR_SYNTAX, 2, "title: '' is empty" },
	{ "an empty item", HEAD "guide.2019 = Alpha,,Beta\n" TAIL, ERR_SYNTAX, 6,
	  "guide.2019: 'Alpha,,Beta' has an empty item" },
	{ "guide with a strange tail", HEAD "guide.2019.how = x\n" TAIL, ERR_UNKNOWN, 6,
	  "key 'guide.2019.how' is not known in [p]" },
	{ "no title", "[p]\nasks = A?\nobjective = value\nweight.cnn = 1\n" TAIL, ERR_SYNTAX, 2,
	  "[p]: key 'title' is missing" },
	{ "no asks", "[p]\ntitle = T\nobjective = value\nweight.cnn = 1\n" TAIL, ERR_SYNTAX, 2,
	  "[p]: key 'asks' is missing" },
	{ "no objective", "[p]\ntitle = T\nasks = A?\nweight.cnn = 1\n" TAIL, ERR_SYNTAX, 2,
	  "[p]: key 'objective' is missing" },
	{ "no weight", "[p]\ntitle = T\nasks = A?\nobjective = speed\n" TAIL, ERR_SYNTAX, 2,
	  "[p]: key 'weight.CLASS' is missing" },
	{ "owns without gain", HEAD "owns = Eta\n" TAIL, ERR_SYNTAX, 2,
	  "[p]: key 'gain' is missing" },
	{ "gain without owns", HEAD "gain = 2\n" TAIL, ERR_SYNTAX, 2,
	  "[p]: key 'owns' is missing" },
	{ "before any section", "title = T\n" TAIL, ERR_SYNTAX, 1,
	  "key 'title' stands before any [section]" },
	{ "a key of [upgrade]", HEAD TAIL "sold = Eta\n", ERR_UNKNOWN, 11,
	  "key 'sold' is not known in [upgrade]" },
	{ "a key of [avoid]", HEAD "[avoid]\nnever.Eta = x\n" TAIL, ERR_UNKNOWN, 7,
	  "key 'never.Eta' is not known in [avoid]" },
	{ "a year of [avoid]", HEAD "[avoid.x]\nonly_if.Eta = x\n" TAIL, ERR_SYNTAX, 7,
	  "only_if.Eta: 'x' is not a year" },
	{ "a key of [cooling]", HEAD "[cooling]\nfan.Eta = x\n" TAIL, ERR_UNKNOWN, 7,
	  "key 'fan.Eta' is not known in [cooling]" },
	{ "no [upgrade]", HEAD, ERR_SYNTAX, 0,
	  "[upgrade] needs owned, keep_below, upgrade_from and dear_below" },
	{ "thresholds the wrong way round",
	  HEAD "[upgrade]\nowned = Eta\nkeep_below = 3\nupgrade_from = 2\ndear_below = 0.3\n",
	  ERR_RANGE, 0, "[upgrade]: keep_below is above upgrade_from" },
};

static void test_faults(struct test *t, struct market *m)
{
	for (size_t i = 0; i < LEN(faults); i++) {
		struct personas p;
		struct error err = { 0 };

		bool good = personas_parse(str_of(faults[i].text), "personas.ini", &m->devices,
					   &m->edition, &m->files.arena, &p, &err);
		test_ok(t, !good, faults[i].name);
		test_error(t, &err, faults[i].code, "personas.ini", faults[i].line, 0,
			   faults[i].msg, faults[i].name);
	}
}

static void test_names(struct test *t)
{
	enum persona_condition c = CONDITION_ANY;

	test_ok(t, persona_condition_parse(STR("used"), &c) && c == CONDITION_USED, "a condition");
	test_ok(t, !persona_condition_parse(STR("Used"), &c), "case counts");
}

/* The shipped file holds for both shipped dates; what the guide said is compared in its own year
 * only. */
static void test_shipped(struct test *t)
{
	struct arena a = { 0 };
	struct devices d;
	struct personas p;
	struct error err = { 0 };
	struct edition e = { .date = date_of_day(18047) }; /* 2019-05-31 */
	size_t with_cards = 0;

	test_ok(t,
		devices_read("data", &a, &d, &err) && personas_read("data", &d, &e, &a, &p, &err),
		"data/personas.ini");
	if (err.code != ERR_NONE)
		error_print(stdout, &err);
	for (size_t i = 0; err.code == ERR_NONE && i < p.n; i++)
		with_cards += p.v[i].cards.n > 0;
	test_ok(t, with_cards >= 15, "what the guide of 2019 told its personas");
	test_ok(t, persona_find(&p, STR("kaggle")) && !persona_find(&p, STR("llm-home")), "2019");
	e.date = date_of_day(20269); /* 2025-06-30 */
	test_ok(t,
		personas_read("data", &d, &e, &a, &p, &err) && persona_find(&p, STR("llm-home"))
		    && !persona_find(&p, STR("owner-1070")),
		"2025");
	test_ok(t, personas_read("data/none", &d, &e, &a, &p, &err) && p.n == 0,
		"no file: no personas");
	struct str kaggle = STR("kaggle");
	e.personas = (struct str_list){ &kaggle, 1 };
	test_ok(t, !personas_read("data/none", &d, &e, &a, &p, &err) && err.code == ERR_ENVIRONMENT,
		"no file, but the edition names personas");
	arena_free(&a);
}

int main(void)
{
	struct test t = { 0 };
	struct market m;
	struct error err = { 0 };

	test_ok(&t, market_open(&m, MARKET_PERSONAS, &err), "the small market");
	if (err.code != ERR_NONE)
		error_print(stdout, &err);
	test_values(&t, &m);
	test_editions(&t, &m);
	test_faults(&t, &m);
	test_names(&t);
	test_shipped(&t);
	market_close(&m);
	return test_done(&t);
}
