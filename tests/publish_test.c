/* The parts of a publish: publish.ini, the log, the banner, retention, the inputs and what is kept
 * of them. */
#include "store_fixture.h"

#include "../publish/banner.h"
#include "../publish/config.h"
#include "../publish/inputs.h"
#include "../publish/log.h"
#include "../publish/removed.h"
#include "../publish/retention.h"
#include "../publish/store.h"

#include <stdint.h>
#include <time.h>

/* What a faulty publish.ini is told; line 0: none. */
static const struct { const char *name, *text; int line; const char *msg;
} config_faults[] = {
	{ "an unknown key", "[publish]\ntitle = x\ntitel = y\n", 3,
	  "[publish] has no key 'titel'" },
	{ "a key of the other section", "[publish]\nkey = y\n", 2, "[publish] has no key 'key'" },
	{ "an unknown section", "[feed]\ntitle = x\n", 2,
	  "section [feed]: there are only [publish] and [sign]" },
	{ "no section", "title = x\n", 1, "section []: there are only [publish] and [sign]" },
	{ "days that are no number", "[publish]\nkeep_days = many\n", 2,
	  "keep_days: 'many' is not a whole number of days" },
	{ "no days", "[publish]\nkeep_days = 0\n", 2, "keep_days: 0 is not from 1 to 100000" },
	{ "too many days", "[publish]\nkeep_days = 100001\n", 2,
	  "keep_days: 100001 is not from 1 to 100000" },
	{ "a folder to keep that is none", "[publish]\nkeep = 2019-05-31, ../x\n", 2,
	  "keep: '../x' is not a folder such as 2023-05-30 or 2023-05-30-r2" },
	{ "an address of another kind", "[publish]\nbase_url = javascript:x\n", 2,
	  "base_url: 'javascript:x' does not begin with https:// or http://" },
	{ "no value", "[publish]\nedition =\n", 2, "edition: no value" },
	{ "no path", "[publish]\nout =\n", 2, "out: no value" },
	{ "an unknown tool", "[sign]\ntool = gpg\nkey = x\n", 2,
	  "tool: 'gpg' is not ssh or minisign" },
	{ "a tool without a key", "[sign]\ntool = ssh\n", 2, "[sign] names a tool but no key" },
	{ "a key without a tool", "[sign]\nkey = x\n", 2, "[sign] names a key but no tool" },
};

static void test_config_faults(struct shelf *s)
{
	const char *path = shelf_path(s, "publish.ini");

	for (size_t i = 0; i < LEN(config_faults); i++) {
		struct publish_config c;
		struct error err = { 0 };

		shelf_put(s, "publish.ini", config_faults[i].text);
		bool good = !config_read(path, true, s->a, &c, &err)
		            && err.pos.line == config_faults[i].line && err.pos.file
		            && strcmp(err.pos.file, path) == 0
		            && strcmp(err.msg, config_faults[i].msg) == 0;
		test_ok(s->t, good, config_faults[i].name);
		if (!good)
			printf("# %d: %s\n", err.pos.line, err.msg);
	}
}

static void test_config(struct shelf *s)
{
	const char *path = shelf_path(s, "publish.ini");
	struct publish_config c;
	struct error err = { 0 };

	test_ok(s->t,
		config_read(shelf_path(s, "none.ini"), true, s->a, &c, &err) && !c.out && !c.edition
		    && c.keep_days == -1 && c.tool == SIGN_NONE,
		"no file: nothing is set");
	test_ok(s->t, !config_read(shelf_path(s, "none.ini"), false, s->a, &c, &err)
	              && err.code == ERR_ENVIRONMENT, "one that was asked for must be there");
	err = (struct error){ 0 };
	shelf_put(s, "publish.ini",
		  "; a comment\n[publish]\nedition = guide\nout = site\ntitle = The title\n"
		  "base_url = https://gpu.example.org/\nkeep_days = 90\nkeep = 2019-05-31, "
		  "2019-05-31-r2\n"
		  "[sign]\ntool = ssh\nkey = /etc/key\n");
	test_ok(s->t, config_read(path, true, s->a, &c, &err), "a whole file");
	test_ok(s->t,
		strcmp(c.edition, "guide") == 0 && c.keep_days == 90 && c.nkeep == 2
		    && str_eq(c.keep[1], STR("2019-05-31-r2")) && c.tool == SIGN_SSH,
		"its values");
	test_str(s->t, c.title, STR("The title"), "title");
	test_str(s->t, c.base_url, STR("https://gpu.example.org/"), "base_url");
	test_str(s->t, str_of(c.out), str_of(shelf_path(s, "site")), "paths start at the file");
	test_str(s->t, str_of(c.key), STR("/etc/key"), "absolute ones do not");
	shelf_put(s, "publish.ini", "[publish]\ntypo = 1\nout = /srv/gpu\n");
	test_ok(s->t,
		!config_read(path, true, s->a, &c, &err) && c.out && strcmp(c.out, "/srv/gpu") == 0,
		"where the log goes is known in spite of a fault");
}

static void test_log(struct shelf *s)
{
	struct log_entry e = { .result = PUBLISH_NEW,
		               .time = STR("2026-11-30T02:10:04Z"),
		               .seconds = 1.4234,
		               .folder = STR("2026-11-30"),
		               .id = STR("2026-11-30-0123456789ab"),
		               .moves = STR("1 price file new"),
		               .counted = true,
		               .files = 7,
		               .files_refused = 6,
		               .accepted = 10,
		               .rejected = 2,
		               .set_aside = 3,
		               .devices = 4,
		               .refused_prices = 1,
		               .removed = 5 };
	struct error err = { 0 };

	test_str(s->t, log_line(&e, s->a),
		 STR("2026-11-30T02:10:04Z published 2026-11-30 in 1.423 s: 1 price file new; id "
		     "2026-11-30-0123456789ab; 7 files, 6 refused; rows: 10 accepted, 2 rejected, "
		     "3 set aside; 4 devices; "
		     "prices refused: 1; old editions removed: 5\n"),
		 "a night in words");
	test_str(
	    s->t, log_json(&e, s->a),
	    STR("{\"time\":\"2026-11-30T02:10:04Z\",\"result\":\"published\",\"folder\":"
		"\"2026-11-30\",\"id\":\"2026-11-30-0123456789ab\",\"seconds\":1.423,\"changed\":"
		"\"1 price file "
		"new\",\"reason\":null,\"files\":7,\"files_refused\":6,\"rows_accepted\":10,\"rows_"
		"rejected\":2,"
		"\"rows_set_aside\":3,\"devices\":4,\"prices_refused\":1,\"editions_removed\":5}"
		"\n"),
	    "and as JSON");
	test_ok(s->t, log_write(s->out, &e, s->a, &err), "it is written");
	e = (struct log_entry){ .result = PUBLISH_FAILED,
		                .time = STR("2026-12-01T02:10:00Z"),
		                .seconds = 0.25,
		                .reason = STR("a\nb.csv:3:7: price: '\x1b[2J' \"x\"") };
	test_str(s->t, log_line(&e, s->a),
	         STR("2026-12-01T02:10:00Z failed in 0.250 s: a?b.csv:3:7: price: '?[2J' \"x\"\n"),
	         "a failure is one line, whatever it is about");
	test_str(s->t, log_json(&e, s->a),
		 STR("{\"time\":\"2026-12-01T02:10:00Z\",\"result\":\"failed\",\"folder\":null,"
		     "\"id\":null,"
		     "\"seconds\":0.250,\"changed\":null,\"reason\":\"a\\u000ab.csv:3:7: price: "
		     "'\\u001b[2J' "
		     "\\\"x\\\"\",\"files\":null,\"files_refused\":null,\"rows_accepted\":null,"
		     "\"rows_rejected\":null,"
		     "\"rows_set_aside\":null,\"devices\":null,\"prices_refused\":null,"
		     "\"editions_removed\":0}\n"),
		 "what is not known is null");
	test_ok(s->t, log_write(s->out, &e, s->a, &err), "it is added");
	struct str log = shelf_get(s, "publish.log"), line;
	size_t lines = 0;
	while (str_cut(&log, '\n', &line))
		lines += line.len > 0;
	test_ok(s->t, lines == 2, "a line a run");
	test_ok(s->t, !log_write(shelf_path(s, "nowhere"), &e, s->a, &err)
	              && err.code == ERR_ENVIRONMENT, "a log that cannot be written is told");
	struct str now = log_time(s->a);
	test_ok(s->t, now.len == 20 && now.p[10] == 'T' && now.p[19] == 'Z', "the time is UTC");
}

static void test_banner(struct shelf *s)
{
	struct log_entry e = { .time = STR("2026-12-01T02:10:00Z"),
			       .reason = STR("x.csv:3:7: a\nb") };
	struct error err = { 0 };

	test_str(s->t, banner_read(s->out, s->a), STR(""), "no banner");
	test_ok(s->t, banner_remove(s->out, s->a, &err), "none to take away");
	test_ok(s->t, banner_write(s->out, &e, STR("2026-11-30"), s->a, &err), "a banner");
	test_str(
	    s->t, banner_read(s->out, s->a),
	    STR("The run of 2026-12-01T02:10:00Z failed.\nReason: x.csv:3:7: a?b\nThe last good "
		"edition is 2026-11-30; nothing of it was touched."),
	    "says when, why and what stands");
	test_ok(s->t, banner_write(s->out, &e, STR(""), s->a, &err)
	              && strstr(str_c(s->a, banner_read(s->out, s->a)), "There is no edition yet."),
	        "or that nothing does");
	test_ok(s->t,
		banner_remove(s->out, s->a, &err) && !file_exists(shelf_path(s, "failed.txt")),
		"and goes away");
}

/* keep_days 60 before 2019-05-31 is 2019-04-01. */
static const struct {
	const char *folder, *date, *edition;
	bool goes;
	const char *why;
} shelf_rows[] = {
	{ "2019-01-10", "2019-01-10", "hand", true, "old" },
	{ "2019-01-20", "2019-01-20", "hand", false, "kept by name" },
	{ "2019-01-31", "2019-01-31", "hand", true, "the last day, but a revision follows" },
	{ "2019-01-31-r2", "2019-01-31", "hand", false, "the last of its month" },
	{ "2019-02-04", "2019-02-04", "other", true, "old, of another name" },
	{ "2019-02-05", "2019-02-05", "other", false,
	  "the newest of that name is compared with it" },
	{ "2019-02-06", "2019-02-06", "other", false, "the last of that name and month" },
	{ "2019-02-07", "2019-02-07", "hand", true, "old" },
	{ "2019-02-08", "2019-02-08", "hand", false, "latest points there" },
	{ "2019-02-09", "2019-02-09", "hand", false, "the newest was compared with it" },
	{ "2019-02-10", "2019-02-10", "hand", false, "the last of its month" },
	{ "2019-03-31", "2019-03-31", "hand", false, "the last of its month and 61 days old" },
	{ "2019-04-01", "2019-04-01", "hand", false, "60 days old" },
	{ "2019-04-30", "2019-04-30", "hand", false, "young" },
	{ "2019-05-31", "2019-05-31", "hand", false, "the newest" },
};

static void read_shelf(struct shelf *s, struct store *store)
{
	struct messages odd = { .arena = s->a };
	struct error err = { 0 };

	test_ok(s->t, store_read(s->out, s->a, store, &odd, &err) && odd.n == 0,
		"the editions are read");
}

static void test_retention(struct shelf *s)
{
	struct publish_config c = { .keep_days = -1, .keep = { STR("2019-01-20") }, .nkeep = 1 };
	struct removed_list old, listed;
	struct error err = { 0 };
	struct store store;

	for (size_t i = 0; i < LEN(shelf_rows); i++)
		shelf_edition(
		    s, shelf_rows[i].folder, shelf_rows[i].date,
		    str_c(s->a, str_printf(s->a, "%s-id", shelf_rows[i].folder)),
		    shelf_rows[i].edition,
		    strcmp(shelf_rows[i].folder, "2019-05-31") == 0 ? "2019-02-09-id" : NULL, "");
	store_point_latest(s->out, STR("2019-02-08"), s->a, &err);
	read_shelf(s, &store);
	retention_choose(&store, &c, s->a, &old);
	test_ok(s->t, old.n == 0, "without keep_days all stays");
	c.keep_days = 60;
	retention_choose(&store, &c, s->a, &old);
	for (size_t i = 0; i < LEN(shelf_rows); i++)
		test_ok(s->t, removed_has(&old, str_of(shelf_rows[i].folder)) == shelf_rows[i].goes,
			str_c(s->a, str_printf(s->a, "%s %s: %s", shelf_rows[i].folder,
					       shelf_rows[i].goes ? "goes" : "stays",
					       shelf_rows[i].why)));
	shelf_put(s, "notes/old", "somebody's");
	test_ok(s->t, retention_remove(s->out, &old, s->a, &err), "they are removed");
	read_shelf(s, &store);
	test_ok(s->t, store.n == LEN(shelf_rows) - old.n && !store_find(&store, STR("2019-01-10"))
	              && file_exists(shelf_path(s, "notes/old")), "they alone");
	test_str(s->t, shelf_get(s, "removed.csv"),
	         STR("folder,id,date,title\n2019-01-10,2019-01-10-id,2019-01-10,A title\n"
	             "2019-01-31,2019-01-31-id,2019-01-31,A title\n"
	             "2019-02-04,2019-02-04-id,2019-02-04,A title\n"
	             "2019-02-07,2019-02-07-id,2019-02-07,A title\n"), "and listed");
	test_ok(s->t,
		removed_add(s->out, &old, s->a, &err) && removed_read(s->out, s->a, &listed, &err)
		    && listed.n == 4 && listed.v[3].date.day == day_of("2019-02-07").day,
		"once each");
	shelf_put(s, "removed.csv", "folder,id\nx\n");
	test_ok(s->t, !removed_read(s->out, s->a, &listed, &err) && err.code == ERR_SYNTAX,
	        "a list that is none is told");
}

static struct inputs_options root_options(struct shelf *s, const char *previous)
{
	return (struct inputs_options){ .root = shelf_path(s, "root"),
		                        .edition_path = shelf_path(s, "root/editions/hand.ini"),
		                        .edition_name = STR("hand"),
		                        .previous = previous };
}

static void make_root(struct shelf *s)
{
	static const char *const files[] = {
		"data/devices.csv",
		"data/personas.ini",
		"data/prices/2019-05-01.csv",
		"data/contributions/lab/a.csv",
		"data/contributions/lab/b.csv",
		"data/networks/x.ini",
		"data/system/fx_to_usd.csv",
		"templates/text.en.ini",
		"editions/hand.ini",
		/* no inputs: configuration, ledgers, other files, the archive page's templates */
		"data/sources.ini",
		"data/price_sources.ini",
		"data/accepted.csv",
		"data/price_accepted.csv",
		"data/README.md",
		"data/price_maps/x.ini",
		"templates/archive.html",
		"editions/other.ini",
		"publish.ini",
		"data/contributions/lab/notes.txt",
		"data/contributions/.hidden/c.csv",
	};

	for (size_t i = 0; i < LEN(files); i++)
		shelf_put(s, str_c(s->a, str_printf(s->a, "root/%s", files[i])), files[i]);
}

static struct str paths_of(const struct inputs *in, struct arena *a)
{
	struct strbuf b = { .arena = a };

	for (size_t i = 0; i < in->n; i++)
		strbuf_printf(&b, STR_FMT "\n", STR_ARG(in->v[i].path));
	return strbuf_str(&b);
}

#define ROOT_PATHS "data/devices.csv\ndata/personas.ini\ndata/contributions/lab/a.csv\n" \
	"data/contributions/lab/b.csv\ndata/networks/x.ini\ndata/prices/2019-05-01.csv\n" \
	"data/system/fx_to_usd.csv\ntemplates/text.en.ini\neditions/hand.ini\n"
#define PREVIOUS_PATHS "previous/data/edition.csv\nprevious/data/inputs.csv\n" \
	"previous/data/prices.csv\nprevious/data/scores.csv\nprevious/data/values.csv\n" \
	"previous/summary.json\n"

/* Where editions may go, below the root. */
static const struct { const char *out; bool good; } places[] = {
	{ "root", true },
	{ "root/out", true },
	{ "root/editions", true },
	{ "root/data/prices-of-mine", true },
	{ "root/data", false }, /* removed.csv would be read */
	{ "root/templates", false },
	{ "root/data/prices", false },
	{ "root/data/contributions/lab", false },
	{ "linked-prices", false },
	{ "root/data/nowhere", true },
};

static void test_places(struct shelf *s, struct inputs_options opt)
{
	struct inputs in;

	shelf_put(s, "root/out/x", "");
	shelf_put(s, "root/data/prices-of-mine/x", "");
	symlink("root/data/prices", shelf_path(s, "linked-prices"));
	for (size_t i = 0; i < LEN(places); i++) {
		struct error err = { 0 };

		opt.out_dir = shelf_path(s, places[i].out);
		bool good = inputs_gather(&opt, s->a, &in, &err);
		test_ok(s->t,
			good == places[i].good
			    && (good
				|| (err.code == ERR_USAGE
				    && strstr(err.msg,
					      "editions cannot go where their inputs come from"))),
			str_c(s->a, str_printf(s->a, "editions in %s", places[i].out)));
	}
	struct error err = { 0 };
	opt.out_dir = NULL;
	opt.contributions = shelf_path(s, "root/data/contributions/lab/a.csv");
	test_ok(s->t,
		!inputs_gather(&opt, s->a, &in, &err) && err.code == ERR_ENVIRONMENT
		    && strstr(err.msg, "lab/a.csv: not a folder"),
		"contributions that are one file");
}

static void test_gather(struct shelf *s, struct inputs *in)
{
	struct inputs_options opt;
	struct error err = { 0 };

	make_root(s);
	opt = root_options(s, NULL);
	test_ok(s->t, inputs_gather(&opt, s->a, in, &err), "the inputs of a root");
	test_str(s->t, paths_of(in, s->a), STR(ROOT_PATHS),
	         "by set and name; neither configuration nor what no stage reads");
	struct str csv = inputs_csv(in, s->a);
	/* printf %s data/devices.csv | sha256sum */
	test_ok(
	    s->t,
	    str_starts(csv, STR("path,sha256,bytes\ndata/devices.csv,c845877fff988bcef4bf071aaaf7ab"
				"3f707034403dd47db82bd792acd743e76c,16\n")),
	    "inputs.csv");
	symlink("../../elsewhere.csv", shelf_path(s, "root/data/linked.csv"));
	shelf_put(s, "elsewhere.csv", "x");
	shelf_put(s, "root/data/contributions/\xff.csv", "x");
	test_ok(s->t, inputs_gather(&opt, s->a, in, &err)
	              && strstr(str_c(s->a, paths_of(in, s->a)), "data/linked.csv\n")
	              && strstr(str_c(s->a, paths_of(in, s->a)), "data/contributions/?.csv\n"),
	        "what is read through a link counts; names are made UTF-8");
	remove(shelf_path(s, "root/data/linked.csv"));
	shelf_put(s, "root/data/contributions/\xfe.csv", "y");
	test_ok(
	    s->t,
	    !inputs_gather(&opt, s->a, in, &err) && err.code == ERR_DATA
		&& strcmp(err.msg,
			  "data/contributions/?.csv: two files are listed by this name; give one "
			  "another")
		       == 0,
	    "but two of one name are refused");
	remove(shelf_path(s, "root/data/contributions/\xfe.csv"));
	remove(shelf_path(s, "root/data/contributions/\xff.csv"));
	err = (struct error){ 0 };
	rename(shelf_path(s, "root/data/devices.csv"), shelf_path(s, "elsewhere.csv"));
	symlink("../../elsewhere.csv", shelf_path(s, "root/data/devices.csv"));
	test_ok(s->t, inputs_gather(&opt, s->a, in, &err), "a catalogue behind a link");
	test_str(s->t, paths_of(in, s->a), STR(ROOT_PATHS), "stands where the file itself would");
	rename(shelf_path(s, "elsewhere.csv"), shelf_path(s, "root/data/devices.csv"));
	shelf_put(s, "root/data/contributions/large.csv", "");
	test_ok(s->t,
		truncate(shelf_path(s, "root/data/contributions/large.csv"), INPUT_BYTES_MAX + 1L)
			== 0
		    && !inputs_gather(&opt, s->a, in, &err) && err.code == ERR_RANGE
		    && strcmp(err.msg,
			      "the file has 1073741825 bytes; an edition keeps none of more than "
			      "1073741824")
			   == 0
		    && strstr(err.pos.file, "large.csv"),
		"a file that verify would not read");
	remove(shelf_path(s, "root/data/contributions/large.csv"));
	err = (struct error){ 0 };
	shelf_put(s, "root/data/contributions/a\nb.csv", "x");
	test_ok(s->t, inputs_gather(&opt, s->a, in, &err)
	              && strstr(str_c(s->a, paths_of(in, s->a)), "data/contributions/a?b.csv\n"),
	        "a line break in a name too");
	remove(shelf_path(s, "root/data/contributions/a\nb.csv"));
	test_places(s, opt);
	struct inputs before;
	shelf_put(s, "root/data/contributions/b.csv", "A");
	bool gathered = inputs_gather(&opt, s->a, &before, &err);
	for (int i = 0; i < 2;
	     i++) { /* the clock of a file system goes in steps of some milliseconds */
		nanosleep(&(struct timespec){ 0, 20000000 }, NULL);
		shelf_put(s, "root/data/contributions/b.csv", i ? "A" : "B");
	}
	size_t same = 0, i = 0;
	gathered = gathered && inputs_gather(&opt, s->a, in, &err) && in->n == before.n;
	for (; gathered && i < in->n; i++)
		same += input_same(&before.v[i], &in->v[i]);
	test_ok(s->t, gathered && same == in->n - 1,
		"what was changed and changed back is not the same");
	remove(shelf_path(s, "root/data/contributions/b.csv"));
	opt.root = shelf_path(s, "nowhere");
	err = (struct error){ 0 };
	test_ok(s->t, !inputs_gather(&opt, s->a, in, &err)
	              && strstr(err.msg, "nowhere/data/devices.csv: No such file"), "no root");
}

static void test_previous(struct shelf *s, struct inputs *in)
{
	static const char *const files[] = { "data/edition.csv", "data/inputs.csv",
					     "data/prices.csv",  "data/scores.csv",
					     "data/values.csv",  "summary.json",
					     "MANIFEST",         "report.json" };
	struct inputs_options opt;
	struct error err = { 0 };

	for (size_t i = 0; i < LEN(files); i++)
		shelf_put(s, str_c(s->a, str_printf(s->a, "old/%s", files[i])), files[i]);
	opt = root_options(s, shelf_path(s, "old"));
	test_ok(s->t, inputs_gather(&opt, s->a, in, &err), "with a predecessor");
	test_str(s->t, paths_of(in, s->a), STR(ROOT_PATHS PREVIOUS_PATHS),
		 "its small files at the end");
}

/* Two editions of the same inputs but one: the rest is kept once. */
static void test_keep(struct shelf *s)
{
	struct inputs_options opt = root_options(s, NULL);
	struct inputs in;
	struct error err = { 0 };
	struct stat st;
	struct strbuf manifest = { .arena = s->a };
	const char *one = shelf_path(s, "one"), *two = shelf_path(s, "two");

	test_ok(s->t,
		inputs_gather(&opt, s->a, &in, &err) && inputs_keep(&in, one, NULL, s->a, &err),
		"inputs are kept");
	for (size_t i = 0; i < in.n; i++)
		strbuf_printf(&manifest, STR_FMT "  %zu  input:" STR_FMT "\n",
			      STR_ARG(in.v[i].sha256), in.v[i].bytes, STR_ARG(in.v[i].path));
	shelf_put(s, "one/MANIFEST", str_c(s->a, strbuf_str(&manifest)));
	test_str(s->t, shelf_get(s, "one/inputs/data/contributions/lab/a.csv"),
	         STR("data/contributions/lab/a.csv"), "under their paths");
	test_str(s->t, inputs_moves(one, &in, s->a), STR(""), "nothing moved");
	shelf_put(s, "root/data/contributions/lab/a.csv",
		  "data/contributions/lab/A.csv"); /* as long */
	shelf_put(s, "root/data/prices/2019-05-02.csv", "new");
	remove(shelf_path(s, "root/data/networks/x.ini"));
	remove(shelf_path(s, "one/inputs/data/personas.ini"));
	shelf_put(s, "one/inputs/data/personas.ini", "rotten"); /* not what MANIFEST says */
	test_ok(s->t, inputs_gather(&opt, s->a, &in, &err), "other inputs");
	test_str(s->t, inputs_moves(one, &in, s->a),
		 STR("1 price file new, 1 contribution changed, 1 catalogue file gone"),
		 "in a few words");
	test_ok(s->t, inputs_keep(&in, two, one, s->a, &err), "kept beside the first");
	test_ok(s->t,
		stat(shelf_path(s, "two/inputs/data/devices.csv"), &st) == 0 && st.st_nlink == 2,
		"an equal file has two names");
	test_ok(s->t, stat(shelf_path(s, "two/inputs/data/contributions/lab/a.csv"), &st) == 0
	              && st.st_nlink == 1
	              && str_eq(shelf_get(s, "one/inputs/data/contributions/lab/a.csv"),
	                        STR("data/contributions/lab/a.csv")), "a changed one is its own");
	test_str(s->t, shelf_get(s, "two/inputs/data/personas.ini"), STR("data/personas.ini"),
	         "what has rotten there is not handed on");
	shelf_put(s, "root/data/devices.csv", "data/Devices.csv");
	test_ok(s->t,
		!inputs_keep(&in, shelf_path(s, "three"), NULL, s->a, &err) && err.code == ERR_DATA
		    && strstr(err.msg, "devices.csv: changed while the edition was made"),
		"an input that moves meanwhile is told");
	test_str(s->t, inputs_moves(shelf_path(s, "nowhere"), &in, s->a), STR(""),
		 "no edition to compare");
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };
	struct inputs in;
	struct shelf s;

	if (!shelf_open(&s, &t, &a))
		return test_done(&t);
	test_config_faults(&s);
	test_config(&s);
	test_log(&s);
	test_banner(&s);
	test_retention(&s);
	test_gather(&s, &in);
	test_previous(&s, &in);
	test_keep(&s);
	shelf_close(&s);
	arena_free(&a);
	return test_done(&t);
}
