/* What the analysis wrote comes back as it was; faults are told with their place. */
#include "english.h"
#include "pick_fixture.h"

#include "../analyze/readback.h"

#include <stdint.h>

#define EDITION                                                                                    \
	"key,value\nname,small\ntitle,Small\ndate,2019-05-29\nreference,Beta\n"                    \
	"classes,\"cnn, transformer\"\nstale_days,60\n"

static const char *in_edition(struct market *m, const char *folder, const char *file)
{
	struct arena *a = &m->files.arena;

	return str_c(a, str_printf(a, "%s/out/%s/data/%s", m->files.dir, folder, file));
}

static bool put(struct market *m, const char *folder, const char *file, const char *text)
{
	struct arena *a = &m->files.arena;
	struct error err = { 0 };

	return file_make_dirs(str_c(a, str_printf(a, "%s/out/%s/data", m->files.dir, folder)), &err)
	       && file_write(in_edition(m, folder, file), str_of(text), &err);
}

/* A whole edition of the small market, by the writers that the analysis uses. */
static bool put_edition(struct market *m, const char *folder)
{
	struct arena *a = &m->files.arena;
	struct error err = { 0 };
	const struct text_catalogue words = english_catalogue(a);

	return put(m, folder, "edition.csv", EDITION)
	       && score_write(&m->scores, &m->devices, &words, in_edition(m, folder, "scores.csv"),
			      a, &err)
	       && price_lens_write(&m->prices, &m->devices, in_edition(m, folder, "prices.csv"), a,
				   &err);
}

static bool open_edition(struct market *m, const char *folder, struct readback *r,
			 struct error *err)
{
	struct arena *a = &m->files.arena;

	*err = (struct error){ 0 };
	return readback_open(str_c(a, str_printf(a, "%s/out/%s", m->files.dir, folder)),
			     &m->devices, a, r, err);
}

static bool same(double x, double y)
{
	return x == y || (isnan(x) && isnan(y));
}

static void test_round_trip(struct test *t, struct market *m)
{
	struct readback r;
	struct error err;
	bool scores = true, prices = true;

	test_ok(t, put_edition(m, "2019-05-29") && open_edition(m, "2019-05-29", &r, &err),
		"an edition");
	if (err.code != ERR_NONE)
		error_print(stdout, &err);
	test_str(t, r.folder, STR("2019-05-29"), "its folder");
	test_ok(t,
		r.edition.date.day == 18045 && r.edition.nclasses == 2
		    && r.edition.classes[1].id == CLASS_TRANSFORMER && r.edition.stale_days == 60,
		"its settings");
	test_ok(t,
		r.scores.n == m->scores.n && r.prices.n == m->prices.n
		    && r.nindices == MARKET_DEVICES,
		"as many rows");
	for (size_t i = 0; i < r.scores.n; i++) {
		const struct score *x = &r.scores.v[i], *y = &m->scores.v[i];
		scores = scores && x->device == y->device
			 && x->class == y->class && x->origin == y->origin
			 && same(x->score, y->score) && same(x->peer_low, y->peer_low)
			 && same(x->peer_high, y->peer_high) && x->machines == y->machines
			 && say_empty(x->reason) == say_empty(y->reason);
	}
	test_ok(t, scores, "the scores are those written");
	for (size_t i = 0; i < r.prices.n; i++) {
		const struct card_price *x = &r.prices.v[i], *y = &m->prices.v[i];
		prices = prices && x->device == y->device && x->lens == y->lens
			 && same(x->price_usd, y->price_usd) && same(x->low, y->low)
			 && same(x->high, y->high) && x->flags == y->flags
			 && x->newest_date.day == y->newest_date.day && x->age_days == y->age_days;
	}
	test_ok(t, prices, "the prices are those written");
	test_ok(t, r.conditions.n == 0 && r.systems.n == 0, "files that are not there are no rows");
}

/* Every flag that a price may bear. */
static void test_words(struct test *t, struct market *m)
{
	struct arena *a = &m->files.arena;
	struct readback r;
	struct error err;
	bool same_flags = true;
	unsigned bits = 0;

	put_edition(m, "2018-02-01");
	for (; bits < 31 && !str_eq(price_flags_text(a, 1u << bits), STR("ok")); bits++) {
		put(m, "2018-02-01", "prices.csv",
		    str_c(a, str_printf(a,
					"device,lens,price_usd,low,high,status\n"
					"Alpha,system,,,," STR_FMT "\n",
					STR_ARG(price_flags_text(a, 1u << bits)))));
		same_flags = open_edition(m, "2018-02-01", &r, &err) && r.prices.n == 1
			     && r.prices.v[0].flags == 1u << bits && same_flags;
	}
	test_ok(t, bits >= 7, "all words");
	test_ok(t, same_flags, "every flag of a price");
}

/* The same advice from the files as from the analysis itself. */
static void test_same_advice(struct test *t, struct market *m)
{
	struct arena *a = &m->files.arena;
	struct readback r;
	struct error err;
	struct picks from_memory, from_files;
	const struct text_catalogue words = english_catalogue(a);

	open_edition(m, "2019-05-29", &r, &err);
	struct pick_input in = { .devices = &m->devices,
				 .edition = &r.edition,
				 .indices = r.indices,
				 .nindices = r.nindices,
				 .scores = &r.scores,
				 .prices = &r.prices,
				 .personas = &m->personas };
	picks_compute(&m->in, &m->personas, a, &from_memory);
	picks_compute(&in, &m->personas, a, &from_files);
	struct str read = STR(""), made = STR("-");
	test_ok(t,
		picks_csv(&from_files, &m->devices, &words, a, &read, &err)
		    && picks_csv(&from_memory, &m->devices, &words, a, &made, &err),
		"the advice in words");
	test_str(t, read, made, "is the same");
}

static void test_more_files(struct test *t, struct market *m)
{
	struct readback r;
	struct error err;
	const struct card_price *p;

	put(m, "2019-05-29", "price_conditions.csv",
	    "device,condition,price_usd,low,high,markets,newest_date,age_days,status\n"
	    "Beta,used,250,200,300,ebay,2019-05-20,9,used single-source\n");
	put(m, "2019-05-29", "systems.csv",
	    "device,gpus,cards_usd,host_usd,total_usd,purchase_usd,flags\n"
	    "Alpha,2,1000,800,,1800,host-stale\n");
	test_ok(t, open_edition(m, "2019-05-29", &r, &err), "conditions and systems");
	p = price_condition_find(&r.conditions, BETA, PRICE_USED);
	test_ok(t,
		p && p->price_usd == 250 && p->lens == LENS_CARD
		    && p->flags == (PRICE_FLAG_USED | PRICE_FLAG_SINGLE_SOURCE),
		"a used price");
	test_ok(t,
		r.systems.n == 1 && r.systems.v[0].purchase_usd == 1800
		    && isnan(r.systems.v[0].total_usd)
		    && r.systems.v[0].flags == PRICE_FLAG_HOST_STALE,
		"a machine");
	test_near(t, r.systems.v[0].cards_low_usd, 900, 0, "twice Alpha's lowest price");
	put(m, "2019-05-29", "price_conditions.csv",
	    "device,condition,price_usd,low,high,markets,newest_date,age_days,status\n"
	    "Beta,broken,250,200,300,ebay,2019-05-20,9,ok\n");
	open_edition(m, "2019-05-29", &r, &err);
	test_error(t, &err, ERR_UNKNOWN, "price_conditions.csv", 2, 0,
		   "condition: 'broken' is not a condition", "a condition that is none");
	put(m, "2019-05-29", "price_conditions.csv",
	    "device,condition,price_usd,low,high,status\n");
	put(m, "2019-05-29", "systems.csv", "device,gpus,purchase_usd,flags\nAlpha,0,5,ok\n");
	open_edition(m, "2019-05-29", &r, &err);
	test_error(t, &err, ERR_RANGE, "systems.csv", 2, 0, "gpus: 0 is not at least 1",
		   "no cards");
	put(m, "2019-05-29", "systems.csv", "device,gpus,purchase_usd,flags\n");
}

#define SCORES "device,class,score,low,high,origin,peer_low,peer_high\n"
#define PRICES "device,lens,price_usd,low,high,status,newest_date,age_days\n"

static const struct {
	const char *file, *text;
	enum error_code code;
	int line;
	const char *msg;
} faults[] = {
	{ "edition.csv", "key,value\nname,x\n", ERR_SYNTAX, 0,
	  "the keys date and classes are needed" },
	{ "edition.csv", "key,value\ndate,soon\n", ERR_SYNTAX, 2,
	  "date: 'soon' is not a date YYYY-MM-DD" },
	{ "edition.csv", "key,value\nclasses,gan\n", ERR_UNKNOWN, 2,
	  "class: 'gan' is not a class" },
	{ "edition.csv", "key,value\nstale_days,many\n", ERR_SYNTAX, 2,
	  "stale_days: 'many' is not a whole number" },
	{ "scores.csv", SCORES "Omega,cnn,1,1,1,measured,1,1\n", ERR_UNKNOWN, 2,
	  "device: 'Omega' is not in the catalogue" },
	{ "scores.csv", SCORES "Alpha,gan,1,1,1,measured,1,1\n", ERR_UNKNOWN, 2,
	  "class: 'gan' is not a class" },
	{ "scores.csv", SCORES "Alpha,cnn,1,1,1,guessed,1,1\n", ERR_UNKNOWN, 2,
	  "origin: 'guessed' is not an origin" },
	{ "scores.csv", SCORES "Alpha,cnn,0,,,measured,,\n", ERR_RANGE, 2,
	  "score: 0 is not above 0" },
	{ "scores.csv", SCORES "Alpha,cnn,,,,measured,,\n", ERR_RANGE, 2,
	  "score: the cell of a measured score is empty" },
	{ "scores.csv", SCORES "Alpha,cnn,1,1.5,2,measured,1,1\n", ERR_RANGE, 2,
	  "score: 1 is not between low 1.5 and high 2" },
	{ "scores.csv", SCORES "Alpha,cnn,1,1,2,measured,0.5,0.9\n", ERR_RANGE, 2,
	  "score: 1 is not between low 0.5 and high 0.9" },
	{ "prices.csv", PRICES "Alpha,rent,1,1,1,ok,2018-01-01,0\n", ERR_UNKNOWN, 2,
	  "lens: 'rent' is not a lens" },
	{ "prices.csv", PRICES "Alpha,card,-1,,,ok\n", ERR_RANGE, 2,
	  "price_usd: -1 is not above 0" },
	{ "prices.csv", PRICES "Alpha,card,1,1,1,ok,,\n", ERR_RANGE, 2,
	  "newest_date, age_days: a price without its date" },
	{ "prices.csv",
	  PRICES "Alpha,card,1,1,1,ok,2018-01-01,0\nAlpha,card,2,2,2,ok,2018-01-01,0\n", ERR_DATA,
	  3, "the device stands here once more for the same" },
	{ "scores.csv", SCORES "Alpha,cnn,1e308,,,measured,,\n", ERR_RANGE, 2,
	  "score: a number is not from 1e-12 to 1e+12" },
	{ "prices.csv", PRICES "Alpha,card,1,1,1,ok cheap\n", ERR_UNKNOWN, 2,
	  "status: 'cheap' is not known" },
};

static void test_faults(struct test *t, struct market *m)
{
	for (size_t i = 0; i < LEN(faults); i++) {
		struct readback r;
		struct error err;

		bool good = put_edition(m, "2018-01-01")
			    && put(m, "2018-01-01", faults[i].file, faults[i].text)
			    && open_edition(m, "2018-01-01", &r, &err);
		test_ok(t, !good, faults[i].msg);
		test_error(t, &err, faults[i].code, faults[i].file, faults[i].line, 0,
			   faults[i].msg, faults[i].msg);
	}
}

/* Text of the files that a terminal would obey comes back harmless. */
static void test_hostile(struct test *t, struct market *m)
{
	struct readback r;
	struct error err;

	test_ok(t,
		put_edition(m, "2018-01-01")
		    && put(m, "2018-01-01", "edition.csv",
			   "key,value\nname,\"a\x1b[31mb\"\ndate,2018-01-01\nclasses,cnn\n")
		    && put(m, "2018-01-01", "scores.csv",
			   "device,class,score,origin,reason,series\n"
			   "Zeta,cnn,,excluded,\"bad\x1b]0;x\a\xe2\x80\xae\",\"s\x07\"\n")
		    && open_edition(m, "2018-01-01", &r, &err),
		"an edition with escape sequences in it");
	test_str(t, r.edition.name, STR("a?[31mb"), "its name");
	test_said(t, &m->files.arena, r.scores.v[0].reason, STR("bad?]0;x??"), "a reason");
	test_str(t, r.scores.v[0].series, STR("s?"), "a series");
}

/* The sums are those of sha256sum. */
static void test_seal(struct test *t, struct market *m)
{
	static const char *const empty[] = { "edition.csv", "scores.csv", "prices.csv" };
	const char *edition = "2017-01-01";
	struct readback r;
	struct error err;
	char wrong[1000] = "";

	for (size_t i = 0; i < LEN(empty); i++) {
		put(m, edition, empty[i], "");
		snprintf(wrong + strlen(wrong), sizeof wrong - strlen(wrong), "%s  0  data/%s\n",
			 /* of the empty file, but for the last: of "a" */
			 i < 2 ? "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
			       : "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb",
			 empty[i]);
	}
	put(m, edition, "../MANIFEST", wrong);
	test_ok(t,
		!open_edition(m, edition, &r, &err) && err.code == ERR_DATA
		    && strstr(err.msg, "data/prices.csv: not the file that MANIFEST lists"),
		"two files are as MANIFEST lists them, the third is not");
	put(m, edition, "prices.csv", "a");
	test_ok(t, !open_edition(m, edition, &r, &err) && err.code == ERR_SYNTAX,
		"with all three as listed it is read");
	put(m, edition, "systems.csv", "");
	test_ok(t,
		!open_edition(m, edition, &r, &err)
		    && strstr(err.msg, "data/systems.csv: not listed in MANIFEST"),
		"a file that MANIFEST does not list");
	remove(in_edition(m, edition, "systems.csv"));
	remove(in_edition(m, edition, "prices.csv"));
	test_ok(t,
		!open_edition(m, edition, &r, &err)
		    && strstr(err.msg, "data/prices.csv: missing, but MANIFEST lists it"),
		"a listed file that is gone");
}

static void test_find(struct test *t, struct market *m)
{
	struct arena *a = &m->files.arena;
	const char *out = str_c(a, str_printf(a, "%s/out", m->files.dir));
	struct str dir = STR("");
	struct error err = { 0 };

	test_ok(t, readback_find(out, a, &dir, &err) && str_ends(dir, STR("/out/2019-05-29")),
		"the newest date");
	put_edition(m, "2019-05-29-r2");
	put_edition(m, "2019-05-29-r10");
	put(m, "2019-05-29-r11x", "edition.csv", EDITION);
	put(m, "latest", "edition.csv", EDITION);
	test_ok(t, readback_find(out, a, &dir, &err) && str_ends(dir, STR("/out/2019-05-29-r10")),
		"then the highest revision, as a number");
	put(m, "2019-06-01", "other.csv", "");
	test_ok(t, readback_find(out, a, &dir, &err) && str_ends(dir, STR("/out/2019-05-29-r10")),
		"a folder without data is no edition");
	const char *one = str_c(a, str_printf(a, "%s/2019-05-29", out));
	test_ok(t, readback_find(one, a, &dir, &err) && str_eq(dir, str_of(one)),
		"an edition's own folder");
	test_ok(t,
		!readback_find("/none", a, &dir, &err) && err.code == ERR_ENVIRONMENT
		    && strcmp(err.msg,
			      "/none: no edition is there; `gpuguide report -o /none` makes one")
			   == 0,
		"none: how one is made");
}

int main(void)
{
	struct test t = { 0 };
	struct market m;
	struct error err = { 0 };

	test_ok(&t, market_open(&m, MARKET_PERSONAS, &err), "the small market");
	if (err.code != ERR_NONE) {
		error_print(stdout, &err);
		return test_done(&t);
	}
	test_round_trip(&t, &m);
	test_same_advice(&t, &m);
	test_more_files(&t, &m);
	test_words(&t, &m);
	test_faults(&t, &m);
	test_hostile(&t, &m);
	test_seal(&t, &m);
	test_find(&t, &m);
	file_remove_tree(fixture_path(&m.files, "out"), &err);
	market_close(&m);
	return test_done(&t);
}
