#include "test.h"

#include "../base/file.h"
#include "../collect/limits.h"
#include "../fetch/hold.h"
#include "../fetch/ledger.h"
#include "../fetch/offer.h"
#include "../fetch/replaced.h"
#include "../fetch/source.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define GIT "[s]\ntype = git\nseries = x\nurl = "
#define RSYNC "[s]\ntype = rsync\nseries = x\nurl = "
#define SSH "[s]\ntype = ssh\nseries = x\nurl = "
#define HTTPS "[s]\ntype = https\nseries = x\nurl = "
#define FOLDER "[s]\ntype = folder\nseries = x\npath = /d\n"
#define GIT_WANTED "https://HOST/PATH, ssh://HOST/PATH, HOST:PATH or an absolute path"

/* want: the whole message; empty: it is taken */
static const struct { const char *name, *text; int line; const char *want; } source_cases[] = {
	{ "nothing", "; a comment\n", 0, "" },
	{ "git by https", GIT "https://git.example.org/a/b.git\n", 0, "" },
	{ "git by https, port", GIT "https://git.example.org:8443/a/b.git\n", 0, "" },
	{ "git by ssh", GIT "ssh://git@example.org:22/a.git\n", 0, "" },
	{ "git by ssh, short", GIT "git@example.org:a/b.git\n", 0, "" },
	{ "git, a path", GIT "/srv/git/a.git\n", 0, "" },
	{ "git, IPv6", GIT "https://[::1]:8443/a.git\n", 0, "" },
	{ "git, every key", GIT "/a\nbranch = feature/x-1\nsubfolder = a/b/\nfiles = -gpu.csv\nmax_files = 3\n"
	  "max_file_mb = 0.5\nmax_total_mb = 2\ntimeout_s = 9\ncafile = ca.pem\nknown_hosts = k\nssh_key = /k\n",
	  0, "" },
	{ "rsync", RSYNC "rsync://example.org/module/path\n", 0, "" },
	{ "ssh", SSH "example.org:results\n", 0, "" },
	{ "https", HTTPS "https://example.org/list.txt?x=1&y=2\n", 0, "" },
	{ "folder", FOLDER, 0, "" },
	{ "unknown key", FOLDER "pth = x\n", 5,
	  "unknown key 'pth' of [s]; there are type, url, path, series, branch, subfolder, files, max_files, "
	  "max_file_mb, max_total_mb, timeout_s, cafile, known_hosts, ssh_key" },
	{ "unknown type", "[s]\ntype = ftp\n", 2, "type: 'ftp' is not git, rsync, ssh, https or folder" },
	{ "no type", "[s]\nseries = x\n", 2, "[s]: key 'type' is missing" },
	{ "no url", "[s]\ntype = git\nseries = x\n", 2, "[s]: key 'url' is missing" },
	{ "no path", "[s]\ntype = folder\nseries = x\n", 2, "[s]: key 'path' is missing" },
	{ "no series", "[s]\ntype = folder\npath = x\n", 2, "[s]: key 'series' is missing" },
	{ "no section", "type = git\n", 1, "[]: a source's name is letters, digits, '-' and '_', at most 40" },
	{ "a name that leads upwards", "[../x]\ntype = git\n", 2,
	  "[../x]: a source's name is letters, digits, '-' and '_', at most 40" },
	{ "a name that is an option", "[-x]\ntype = git\n", 2,
	  "[-x]: a source's name is letters, digits, '-' and '_', at most 40" },
	{ "a key twice", FOLDER "series = y\n", 5, "key 'series' of [s] is given twice, first in line 3" },
	{ "a key of another type", FOLDER "branch = main\n", 5, "[s]: a source of type folder has no key 'branch'" },
	{ "an address for a folder", FOLDER "url = /x\n", 5, "[s]: a source of type folder has no key 'url'" },
	{ "a series that leads upwards", "[s]\ntype = folder\nseries = ..\n", 3,
	  "series: '..' is not letters, digits, '.', '_', '-', at most 60, the first a letter or digit" },
	{ "a series with a folder", "[s]\ntype = folder\nseries = a/b\n", 3,
	  "series: 'a/b' is not letters, digits, '.', '_', '-', at most 60, the first a letter or digit" },
	{ "an empty address", GIT "\n", 4, "url: it is empty" },
	{ "an option for an address", GIT "--upload-pack=touch\n", 4,
	  "url: '--upload-pack=touch' begins with '-', as an option does" },
	{ "an option for a host", GIT "ssh://-oProxyCommand=x/y\n", 4,
	  "url: 'ssh://-oProxyCommand=x/y' is not " GIT_WANTED },
	{ "an option for a user", GIT "ssh://-l@host/y\n", 4, "url: 'ssh://-l@host/y' is not " GIT_WANTED },
	{ "an option for a path", GIT "host:-x\n", 4, "url: 'host:-x' is not " GIT_WANTED },
	{ "ext::", GIT "ext::touch\n", 4, "url: 'ext::touch' is not " GIT_WANTED },
	{ "a blank in an address", GIT "ext::sh -c x\n", 4,
	  "url: 'ext::sh -c x' has a blank, a quote, a '\\' or a character that is not ASCII" },
	{ "file://", GIT "file:///etc\n", 4, "url: 'file:///etc' is not " GIT_WANTED },
	{ "http://", GIT "http://host/x\n", 4, "url: 'http://host/x' is not " GIT_WANTED },
	{ "a relative path", GIT "some/repo\n", 4, "url: 'some/repo' is not " GIT_WANTED },
	{ "a password in an address", HTTPS "https://u:p@host/x\n", 4,
	  "url: 'https://u:p@host/x' is not https://HOST/PATH" },
	{ "no path in an address", HTTPS "https://host/\n", 4, "url: 'https://host/' is not https://HOST/PATH" },
	{ "a port that is none", HTTPS "https://host:70000/x\n", 4,
	  "url: 'https://host:70000/x' is not https://HOST/PATH" },
	{ "plain http", HTTPS "http://host/x\n", 4, "url: 'http://host/x' is not https://HOST/PATH" },
	{ "rsync by ssh as rsync", RSYNC "host:path\n", 4, "url: 'host:path' is not rsync://HOST/MODULE/PATH" },
	{ "a command in an ssh path", SSH "host:$(touch)\n", 4,
	  "url: 'host:$(touch)' is not HOST:PATH or ssh://HOST:PORT/PATH, the path of letters, digits and . _ / ~ + -" },
	{ "a branch that is an option", GIT "/a\nbranch = --upload-pack=x\n", 5,
	  "branch: '--upload-pack=x' is not the plain name of a branch" },
	{ "a range for a branch", GIT "/a\nbranch = a..b\n", 5, "branch: 'a..b' is not the plain name of a branch" },
	{ "a pattern for a branch", GIT "/a\nbranch = x:y\n", 5, "branch: 'x:y' is not the plain name of a branch" },
	{ "a subfolder that leads upwards", FOLDER "subfolder = a/../b\n", 5,
	  "subfolder: 'a/../b' is not a relative path of plain names" },
	{ "an absolute subfolder", FOLDER "subfolder = /b\n", 5, "subfolder: '/b' is not a relative path of plain names" },
	{ "files that are no CSV", FOLDER "files = .txt\n", 5,
	  "files: '.txt' is not an ending such as .csv or -gpu.csv; only .csv, .csv.gz, .csv.zst, .tar, .tar.gz and "
	  ".tar.zst are read" },
	{ "a pattern for files", FOLDER "files = *.csv\n", 5,
	  "files: '*.csv' is not an ending such as .csv or -gpu.csv; only .csv, .csv.gz, .csv.zst, .tar, .tar.gz and "
	  ".tar.zst are read" },
	{ "several endings", FOLDER "files = .csv  -gpu.tar.gz .csv.zst\n", 0, "" },
	{ "too many endings", FOLDER "files = 1.csv 2.csv 3.csv 4.csv 5.csv 6.csv 7.csv 8.csv 9.csv\n", 5,
	  "files: more than 8 endings" },
	{ "a packing that is not read", FOLDER "files = .csv .zip\n", 5,
	  "files: '.zip' is not an ending such as .csv or -gpu.csv; only .csv, .csv.gz, .csv.zst, .tar, .tar.gz and "
	  ".tar.zst are read" },
	{ "no ending at all", FOLDER "files =\n", 5, "files: no ending such as .csv or -gpu.csv" },
	{ "no number", FOLDER "max_files = many\n", 5, "max_files: 'many' is not a number" },
	{ "no files at all", FOLDER "max_files = 0\n", 5, "max_files: 0 is not from 1 to 100000" },
	{ "a file too large", FOLDER "max_file_mb = 1000\n", 5, "max_file_mb: 1000 is not from 0.001 to 200" },
	{ "a total too large", FOLDER "max_total_mb = 1e9\n", 5, "max_total_mb: 1e9 is not from 0.001 to 2000" },
	{ "no time", FOLDER "timeout_s = 0\n", 5, "timeout_s: 0 is not from 1 to 86400" },
	{ "an option for a file", SSH "h:p\nssh_key = -x\n", 5,
	  "ssh_key: '-x' is not a path without '\"' and a '-' in front" },
	{ "a quote in a file", SSH "h:p\nknown_hosts = a\"b\n", 5,
	  "known_hosts: 'a\"b' is not a path without '\"' and a '-' in front" },
	{ "cafile for rsync", RSYNC "rsync://h/m\ncafile = x\n", 5, "[s]: a source of type rsync has no key 'cafile'" },
};

static void test_sources(struct test *t, struct arena *a)
{
	for (size_t i = 0; i < LEN(source_cases); i++) {
		struct fetch_sources s;
		struct error err = { 0 };
		bool good = fetch_sources_parse(str_of(source_cases[i].text), "sources.ini", "/", a, &s, &err);

		test_ok(t, good == (source_cases[i].want[0] == '\0') && err.pos.line == source_cases[i].line,
			source_cases[i].name);
		test_str(t, str_of(err.msg), str_of(source_cases[i].want), "  what is said");
	}
}

static void test_source_values(struct test *t, struct arena *a)
{
	static const char text[] = "[s-1]\ntype = git\nseries = x\nurl = /r\nsubfolder = a/b/\ncafile = k/ca.pem\n"
				   "max_file_mb = 0.5\n[t]\ntype = folder\nseries = y\npath = /d\n";
	struct fetch_sources s;
	struct error err = { 0 };

	test_ok(t, fetch_sources_parse(str_of(text), "s", "/usr", a, &s, &err) && s.n == 2, "two sources");
	test_str(t, s.v[0].cafile, STR("/usr/k/ca.pem"), "a path below the root");
	test_str(t, s.v[0].subfolder, STR("a/b"), "the subfolder without its '/'");
	test_ok(t, s.v[0].max_file == 500000 && s.v[1].max_file == 5000000 && s.v[1].max_files == 1000
		&& s.v[1].max_total == 100000000 && s.v[1].seconds == 120, "limits and defaults");
	test_ok(t, fetch_source_find(&s, STR("t")) == &s.v[1] && !fetch_source_find(&s, STR("u")), "found by name");
	err = (struct error){ 0 };
	test_ok(t, !fetch_sources_parse(STR(""), "s", "/nowhere/at/all", a, &s, &err)
		&& err.code == ERR_ENVIRONMENT, "a root that is not there");
	struct str below;
	test_ok(t, fetch_sources_parse(str_of(text), "s", "/", a, &s, &err) && fetch_is_wanted(&s.v[0], STR("a/b/c/x.csv"), &below)
		&& str_eq(below, STR("c/x.csv")), "what lies below the subfolder");
	test_ok(t, !fetch_is_wanted(&s.v[0], STR("a/bc/x.csv"), &below)
		&& !fetch_is_wanted(&s.v[0], STR("a/b"), &below) && !fetch_is_wanted(&s.v[0], STR("x.csv"), &below)
		&& !fetch_is_wanted(&s.v[0], STR("a/b/x.txt"), &below), "and what does not");
	test_ok(t, fetch_is_wanted(&s.v[0], STR("a/b/x.tar.gz"), &below) && fetch_is_wanted(&s.v[0], STR("a/b/x.csv.zst"), &below)
		&& !fetch_is_wanted(&s.v[0], STR("a/b/x.zip"), &below), "packed ones too");
	test_ok(t, fetch_is_wanted(&s.v[0], STR("a/b/x.tar.gz.sig"), &below) && !fetch_is_wanted(&s.v[0], STR("a/b/x.zip.sig"), &below)
		&& !fetch_is_wanted(&s.v[0], STR("a/b/.sig"), &below) && !fetch_is_wanted(&s.v[0], STR("a/b/x.csv.sig.sig"), &below),
		"and their signatures");
	s.v[0].files = STR("-gpu.csv .tar");
	test_ok(t, fetch_is_wanted(&s.v[0], STR("a/b/1-gpu.csv"), &below) && fetch_is_wanted(&s.v[0], STR("a/b/x.tar"), &below)
		&& !fetch_is_wanted(&s.v[0], STR("a/b/x.csv"), &below), "only the endings that are named");
}

static const struct { const char *path; bool plain; } paths[] = {
	{ "a.csv", true }, { "a/b-1/c_d.csv", true }, { "a+b", true },
	{ "", false }, { "/a", false }, { "a/", false }, { "a//b", false }, { "..", false }, { "a/../b", false },
	{ ".a", false }, { "-a", false }, { "a/-b", false }, { "a b", false }, { "a%2e", false }, { "https://x", false },
	{ "a?b", false }, { "a\\b", false }, { "C:x", false },
};

static void test_paths(struct test *t)
{
	for (size_t i = 0; i < LEN(paths); i++)
		test_ok(t, fetch_is_plain_path(str_of(paths[i].path)) == paths[i].plain, paths[i].path);
}

static const struct { const char *url; bool good; const char *user, *host, *port, *path; } addresses[] = {
	{ "host:path/x", true, "", "host", "", "path/x" },
	{ "me@host.example:/abs", true, "me", "host.example", "", "/abs" },
	{ "ssh://me@host:2222/p", true, "me", "host", "2222", "/p" },
	{ "[::1]:p", true, "", "[::1]", "", "p" },
	{ "ssh://[::1]:22/p", true, "", "[::1]", "22", "/p" },
	{ "host", false, "", "", "", "" },
	{ "host:", false, "", "", "", "" },
	{ ":path", false, "", "", "", "" },
	{ "a/b:path", false, "", "", "", "" },
	{ "ssh://host:0/p", false, "", "", "", "" },
	{ "ssh://host:x/p", false, "", "", "", "" },
	{ "rsync://host/p", false, "", "", "", "" },
};

static void test_addresses(struct test *t)
{
	for (size_t i = 0; i < LEN(addresses); i++) {
		struct fetch_ssh_address s;
		bool good = fetch_ssh_address_parse(str_of(addresses[i].url), &s);

		test_ok(t, good == addresses[i].good
			&& (!good || (str_eq(s.user, str_of(addresses[i].user)) && str_eq(s.host, str_of(addresses[i].host))
				      && str_eq(s.port, str_of(addresses[i].port))
				      && str_eq(s.path, str_of(addresses[i].path)))), addresses[i].url);
	}
}

static struct str in(struct arena *a, const char *dir, const char *name)
{
	return file_join(a, str_of(dir), str_of(name));
}

static const char sum_1[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
static const char sum_2[] = "1123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

static void test_ledger(struct test *t, const char *dir, struct arena *a)
{
	const char *path = str_c(a, in(a, dir, "accepted.csv"));
	struct ledger l;
	struct error err = { 0 };
	struct str text = { 0 };
	struct ledger_row row = { .sha256 = str_of(sum_1), .series = STR("s"), .file = STR("f.csv"),
				  .source = STR("lab"), .origin = STR(" =a,\"b\"\n.csv"), .date = { 18000 }, .bytes = 7 };

	test_ok(t, ledger_read(path, a, &l, &err) && l.n == 0, "no ledger is an empty one");
	test_ok(t, ledger_write(&l, &err) && !file_exists(path), "and nothing is written");
	ledger_add(&l, &row);
	row.sha256 = str_of(sum_2);
	row.file = STR("f-2.csv");
	ledger_add(&l, &row);
	test_ok(t, ledger_write(&l, &err) && file_read(path, 0, a, &text, &err), "written");
	test_str(t, text, str_printf(a, "sha256,series,file,source,origin,date,bytes\n"
		 "%s,s,f.csv,lab,\"'=a,\"\"b\"\"?.csv\",2019-04-14,7\n%s,s,f-2.csv,lab,\"'=a,\"\"b\"\"?.csv\",2019-04-14,7\n",
		 sum_1, sum_2), "a formula in a name is none");
	test_ok(t, ledger_read(path, a, &l, &err) && l.n == 2, "read back");
	const struct ledger_row *found = ledger_find(&l, STR("lab"), row.origin, str_of(sum_1));
	test_ok(t, found == &l.v[0], "found by source, name and bytes");
	test_ok(t, !ledger_find(&l, STR("other"), row.origin, str_of(sum_1)), "not of another source");
	test_ok(t, ledger_newest(&l, STR("lab"), row.origin) == &l.v[1]
		&& ledger_oldest(&l, STR("lab"), row.origin) == &l.v[0], "the newest and the oldest of a name");
	test_ok(t, ledger_content(&l, str_of(sum_2)) == &l.v[1] && !ledger_content(&l, STR("x")), "found by bytes");
}

/* A ledger that somebody changed: rows, and what is said of them ("" where they are good). */
static const struct { const char *name, *sum, *series, *file, *want; } ledger_rows[] = {
	{ "ledger: a row", NULL, "s", "f.csv", "" },
	{ "ledger: beside the series", NULL, "", "f.csv", "" },
	{ "ledger: a file of any name, in a folder", NULL, "s t", "\303\244 b/..c.csv", "" },
	{ "ledger: a sum that is none", "abc", "s", "f.csv", "sha256: 'abc' is not 64 small hex digits" },
	{ "ledger: a sum in capitals", "ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789", "s", "f.csv",
	  "sha256: 'ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789' is not 64 small hex digits" },
	{ "ledger: a series above", NULL, "..", "f.csv", "series: '..' is not the name of a folder" },
	{ "ledger: a series of two folders", NULL, "a/b", "f.csv", "series: 'a/b' is not the name of a folder" },
	{ "ledger: a file above", NULL, "s", "a/../../f.csv", "file: 'a/../../f.csv' is not a path below data/contributions" },
	{ "ledger: an absolute file", NULL, "", "/etc/f.csv", "file: '/etc/f.csv' is not a path below data/contributions" },
	{ "ledger: a part is empty", NULL, "s", "a//f.csv", "file: 'a//f.csv' is not a path below data/contributions" },
};

static void test_ledger_rows(struct test *t, const char *dir, struct arena *a)
{
	const char *path = str_c(a, in(a, dir, "changed.csv"));

	for (size_t i = 0; i < LEN(ledger_rows); i++) {
		struct ledger l;
		struct error err = { 0 };
		struct str text = str_printf(a, "sha256,series,file,source,origin,date,bytes\n%s,%s,%s,l,o,2019-04-14,7\n",
					     ledger_rows[i].sum ? ledger_rows[i].sum : sum_1, ledger_rows[i].series,
					     ledger_rows[i].file);
		bool good = file_write(path, text, &err) && ledger_read(path, a, &l, &err);

		test_ok(t, good == !ledger_rows[i].want[0] && (good || err.pos.line == 2), ledger_rows[i].name);
		test_str(t, str_of(err.msg), str_of(ledger_rows[i].want), "  what is said");
	}
}

static void test_hold(struct test *t, const char *dir, struct arena *a)
{
	struct hold h = { .spool = dir, .source = STR("lab"), .key = str_of(sum_1), .name = STR("a.csv"),
			  .origin = STR("x/\033a.csv"), .text = STR("bytes"), .reason = STR("line 1: bad"),
			  .advice = STR("mend it") };
	struct error err = { 0 };
	struct str text = { 0 };
	const char *reason = str_c(a, in(a, dir, "held/lab/0123456789abcdef-a.csv.reason.txt"));

	test_ok(t, !hold_stands(&h, a) && hold_keep(&h, 1, a, &err) && hold_stands(&h, a), "a file is held");
	test_ok(t, file_read(reason, 0, a, &text, &err), "with its reason");
	test_str(t, text, str_printf(a, "source: lab\nfile: x/?a.csv\nkey: %s\nreason: line 1: bad\nwhat to do: mend it\n", sum_1),
		 "  what stands there");
	h.key = str_of(sum_2);
	test_ok(t, !hold_stands(&h, a) && !hold_keep(&h, 1, a, &err) && err.code == ERR_RANGE, "not more than so many");
	test_str(t, str_of(err.msg), str_printf(a, "1 files are held in %s/held/lab: look at them and delete them", dir),
		 "  what is said");
	h.key = str_of(sum_1);
	hold_release(&h, a);
	test_ok(t, !hold_stands(&h, a) && !file_exists(str_c(a, in(a, dir, "held/lab/0123456789abcdef-a.csv"))), "let go");
}

static void test_replaced(struct test *t, const char *dir, struct arena *a)
{
	const char *shelf = str_c(a, in(a, dir, "old"));
	struct error err = { 0 };
	struct str path = { 0 }, text = { 0 };

	test_ok(t, file_make_dirs(str_c(a, in(a, shelf, "lab")), &err)
		&& file_write(str_c(a, in(a, shelf, "lab/a.csv")), STR("h,i\n1,\"two\nlines\"\n3,4\n\n5,6\n"), &err)
		&& replaced_write(dir, shelf, STR("lab/a.csv"), STR("lab/a-2.csv"), a, &path, &err)
		&& file_read(str_c(a, path), 0, a, &text, &err), "lines for overrides.csv");
	test_str(t, text, STR("lab/a.csv,2,reject,fetch,replaced by lab/a-2.csv\n"
			      "lab/a.csv,4,reject,fetch,replaced by lab/a-2.csv\n"
			      "lab/a.csv,6,reject,fetch,replaced by lab/a-2.csv\n"), "  one a row, by the line it begins in");
	test_ok(t, str_ends(path, STR("/replaced/lab-a.csv")), "  in a file of its name");
	test_ok(t, replaced_write(dir, shelf, STR("lab/gone.csv"), STR("lab/b.csv"), a, &path, &err)
		&& file_read(str_c(a, path), 0, a, &text, &err) && text.len == 0, "none of a file that is gone");
}

/* A folder with what does not belong there. */
static void test_folder(struct test *t, const char *dir, struct arena *a)
{
	const char *drop = str_c(a, in(a, dir, "drop"));
	struct fetch_source s = { .name = STR("x"), .type = FETCH_FOLDER, .path = str_of(drop), .files = STR(".csv"),
				  .max_files = 5, .max_file = 10, .max_total = 15, .seconds = 5 };
	struct fetch_place place = { dir, a };
	struct fetch_offers o;
	struct error err = { 0 };
	bool made = file_make_dirs(str_c(a, in(a, drop, "in")), &err)
		 && file_write(str_c(a, in(a, drop, "b.csv")), STR("bbb"), &err)
		 && file_write(str_c(a, in(a, drop, "in/a.csv")), STR("aaaa"), &err)
		 && file_write(str_c(a, in(a, drop, "large.csv")), STR("01234567890"), &err)
		 && file_write(str_c(a, in(a, drop, ".hidden.csv")), STR("x"), &err)
		 && file_write(str_c(a, in(a, drop, "x.csv.part")), STR("x"), &err)
		 && symlink("b.csv", str_c(a, in(a, drop, "link.csv"))) == 0
		 && symlink("/etc", str_c(a, in(a, drop, "etc"))) == 0
		 && mkfifo(str_c(a, in(a, drop, "pipe.csv")), 0600) == 0;

	test_ok(t, made && fetch_offers(&s, &place, &o, &err) && o.n == 5, "a folder's files");
	test_ok(t, o.n == 5 && str_eq(o.v[0].origin, STR("b.csv")) && str_eq(o.v[0].text, STR("bbb"))
		&& str_eq(o.v[1].origin, STR("in/a.csv")) && str_eq(o.v[1].text, STR("aaaa")), "in byte order, with their text");
	test_str(t, o.v[2].problem, STR("11 bytes, more than 0.00001 MB (max_file_mb)"), "one too large");
	test_str(t, o.v[3].problem, STR("a symbolic link"), "a link");
	test_str(t, o.v[4].problem, STR("not a regular file"), "a pipe");
	s.max_files = 4;
	test_ok(t, !fetch_offers(&s, &place, &o, &err) && err.code == ERR_RANGE, "too many");
	test_str(t, str_of(err.msg), STR("5 files, more than 4 (max_files): nothing is taken"), "  what is said");
	s.max_files = 5;
	s.max_total = 6;
	err = (struct error){ 0 };
	test_ok(t, !fetch_offers(&s, &place, &o, &err), "too much together");
	test_str(t, str_of(err.msg), STR("7 bytes, more than 6e-06 MB (max_total_mb): nothing is taken"), "  what is said");
	s.subfolder = STR("in");
	err = (struct error){ 0 };
	test_ok(t, fetch_offers(&s, &place, &o, &err) && o.n == 1 && str_eq(o.v[0].origin, STR("a.csv")), "a subfolder");
	s.subfolder = STR("absent");
	test_ok(t, !fetch_offers(&s, &place, &o, &err) && str_ends(str_of(err.msg), STR("/drop/absent: No such file or directory")),
		"a subfolder that is not there");
	s.subfolder = STR("etc");
	err = (struct error){ 0 };
	test_ok(t, !fetch_offers(&s, &place, &o, &err)
		&& str_ends(str_of(err.msg), STR("/drop/etc: not a folder, or behind a link")), "a subfolder that is a link");
	test_str(t, str_of(err.msg), str_printf(a, "%s/etc: not a folder, or behind a link", drop), "  what is said");
	s.subfolder = STR("etc/ssl");
	test_ok(t, !fetch_offers(&s, &place, &o, &err), "one behind a link");
}

static const struct { const char *name, *text, *signature, *problem; bool is_signed; } signed_cases[] = {
	{ "a.csv", "one", "sig", "", true },
	{ "b.csv", "two", NULL, "", false },
	{ "c.csv", "three", "", "its signature: it is empty", false },
	{ "d.csv", "four", "0123456789x", "its signature: 11 bytes, more than 0.00001 MB (max_file_mb)", false },
	{ "e.csv", "five", "->a.csv.sig", "its signature: a symbolic link", false },
	{ "f.csv", "0123456789x", "sig", "11 bytes, more than 0.00001 MB (max_file_mb)", false },
};

/* Signatures come with their files; one that is not as it should be holds its file. */
static void test_signatures(struct test *t, const char *dir, struct arena *a)
{
	const char *drop = str_c(a, in(a, dir, "sent"));
	struct fetch_source s = { .name = STR("x"), .type = FETCH_FOLDER, .path = str_of(drop), .files = STR(".csv"),
				  .max_files = 20, .max_file = 10, .max_total = 100, .seconds = 5 };
	struct fetch_place place = { dir, a };
	struct fetch_offers o = { 0 };
	struct error err = { 0 };
	bool good = file_make_dirs(drop, &err) && file_write(str_c(a, in(a, drop, "alone.csv.sig")), STR("x"), &err)
		    && file_write(str_c(a, in(a, drop, "a.txt.sig")), STR("x"), &err);

	for (size_t i = 0; good && i < LEN(signed_cases); i++) {
		const char *path = str_c(a, in(a, drop, signed_cases[i].name)), *text = signed_cases[i].signature;
		const char *beside = str_c(a, str_printf(a, "%s.sig", path));
		good = file_write(path, str_of(signed_cases[i].text), &err);
		if (good && text)
			good = text[0] == '-' ? symlink(text + 2, beside) == 0 : file_write(beside, str_of(text), &err);
	}
	test_ok(t, good && fetch_offers(&s, &place, &o, &err) && o.n == LEN(signed_cases), "signatures are no files of their own");
	for (size_t i = 0; i < o.n && i < LEN(signed_cases); i++) {
		bool is_signed = signed_cases[i].is_signed;

		test_ok(t, str_eq(o.v[i].origin, str_of(signed_cases[i].name))
			&& str_eq(o.v[i].signature, is_signed ? str_of(signed_cases[i].signature) : STR("")),
			signed_cases[i].name);
		test_str(t, o.v[i].problem, str_of(signed_cases[i].problem), "  what is said");
	}
	s.max_file = LIMIT_SIGNATURE * 2;
	s.max_total = LIMIT_SIGNATURE * 4;
	good = file_write(str_c(a, in(a, drop, "b.csv.sig")),
			  (struct str){ arena_alloc(a, LIMIT_SIGNATURE + 1), LIMIT_SIGNATURE + 1 }, &err);
	test_ok(t, good && fetch_offers(&s, &place, &o, &err) && o.n == LEN(signed_cases), "within other limits");
	test_str(t, o.n > 1 ? o.v[1].problem : STR(""), STR("its signature: it has more than 16384 bytes"), "an endless one");
}

/* One folder that is too deep is no reason to leave the other files. */
static void test_deep_folder(struct test *t, const char *dir, struct arena *a)
{
	const char *drop = str_c(a, in(a, dir, "deep"));
	struct fetch_source s = { .name = STR("x"), .type = FETCH_FOLDER, .path = str_of(drop), .files = STR(".csv"),
				  .max_files = 5, .max_file = 10, .max_total = 15, .seconds = 5 };
	struct fetch_place place = { dir, a };
	struct fetch_offers o = { 0 };
	struct error err = { 0 };
	bool made = file_make_dirs(str_c(a, in(a, drop, "1/2/3/4/5/6/7/8/9/10")), &err)
		 && file_write(str_c(a, in(a, drop, "1/2/3/4/5/6/7/8/a.csv")), STR("a"), &err)
		 && file_write(str_c(a, in(a, drop, "b.csv")), STR("b"), &err);

	test_ok(t, made && fetch_offers(&s, &place, &o, &err) && o.n == 3, "a deep folder");
	test_ok(t, o.n == 3 && str_eq(o.v[0].origin, STR("1/2/3/4/5/6/7/8/9")) && o.v[0].failed, "  is told as failed");
	test_str(t, o.n ? o.v[0].problem : STR(""), STR("a folder deeper than 8: not looked into"), "  what is said");
	test_ok(t, o.n == 3 && str_eq(o.v[1].text, STR("a")) && str_eq(o.v[2].text, STR("b")), "  and the others are read");
}

/* A program that is not installed names its package. */
static void test_missing_tool(struct test *t, const char *dir, struct arena *a)
{
	static const struct { enum fetch_type type; const char *url, *want; } cases[] = {
		{ FETCH_GIT, "/repo.git", "git: not found: install git" },
		{ FETCH_RSYNC, "rsync://127.0.0.1:9/m", "rsync: not found: install rsync" },
		{ FETCH_SSH, "127.0.0.1:m", "rsync: not found: install rsync" },
		{ FETCH_HTTPS, "https://127.0.0.1:9/x.csv", "curl: not found: install curl" },
	};
	const char *path = getenv("PATH");
	char *kept = path ? strcpy(arena_alloc(a, strlen(path) + 1), path) : NULL;

	setenv("PATH", "/nowhere", 1);
	for (size_t i = 0; i < LEN(cases); i++) {
		struct fetch_source s = { .name = STR("x"), .type = cases[i].type, .url = str_of(cases[i].url),
					  .files = STR(".csv"), .max_files = 5, .max_file = 10, .max_total = 15, .seconds = 5 };
		struct fetch_place place = { dir, a };
		struct fetch_offers o;
		struct error err = { 0 };

		test_ok(t, !fetch_offers(&s, &place, &o, &err) && err.code == ERR_ENVIRONMENT, cases[i].want);
		test_str(t, str_of(err.msg), str_of(cases[i].want), "  what is said");
	}
	if (kept)
		setenv("PATH", kept, 1);
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };
	struct error err = { 0 };
	char dir[] = "/tmp/fetch_test.XXXXXX";

	if (!mkdtemp(dir))
		return 1;
	test_sources(&t, &a);
	test_source_values(&t, &a);
	test_paths(&t);
	test_addresses(&t);
	test_ledger(&t, dir, &a);
	test_ledger_rows(&t, dir, &a);
	test_hold(&t, dir, &a);
	test_replaced(&t, dir, &a);
	test_folder(&t, dir, &a);
	test_signatures(&t, dir, &a);
	test_deep_folder(&t, dir, &a);
	test_missing_tool(&t, dir, &a);
	file_remove_tree(dir, &err);
	arena_free(&a);
	return test_done(&t);
}
