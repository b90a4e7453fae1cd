/* data/sources.ini: what of a source is taken, and what is said of the rest. */
#include "test.h"

#include "../fetch/offer.h"
#include "../fetch/source.h"

#define GIT "[s]\ntype = git\nseries = x\nurl = "
#define RSYNC "[s]\ntype = rsync\nseries = x\nurl = "
#define SSH "[s]\ntype = ssh\nseries = x\nurl = "
#define HTTPS "[s]\ntype = https\nseries = x\nurl = "
#define FOLDER "[s]\ntype = folder\nseries = x\npath = /d\n"
#define GIT_WANTED "https://HOST/PATH, ssh://HOST/PATH, HOST:PATH or an absolute path"

/* want: the whole message; empty: it is taken */
static const struct { const char *name, *text; int line; const char *want;
} source_cases[] = {
	{ "nothing", "; a comment\n", 0, "" },
	{ "git by https", GIT "https://git.example.org/a/b.git\n", 0, "" },
	{ "git by https, port", GIT "https://git.example.org:8443/a/b.git\n", 0, "" },
	{ "git by ssh", GIT "ssh://git@example.org:22/a.git\n", 0, "" },
	{ "git by ssh, short", GIT "git@example.org:a/b.git\n", 0, "" },
	{ "git, a path", GIT "/srv/git/a.git\n", 0, "" },
	{ "git, IPv6", GIT "https://[::1]:8443/a.git\n", 0, "" },
	{ "git, every key",
	  GIT "/a\nbranch = feature/x-1\nsubfolder = a/b/\nfiles = -gpu.csv\nmax_files = 3\n"
	      "max_file_mb = 0.5\nmax_total_mb = 2\ntimeout_s = 9\ncafile = ca.pem\nknown_hosts = "
	      "k\nssh_key = /k\n",
	  0, "" },
	{ "rsync", RSYNC "rsync://example.org/module/path\n", 0, "" },
	{ "ssh", SSH "example.org:results\n", 0, "" },
	{ "https", HTTPS "https://example.org/list.txt?x=1&y=2\n", 0, "" },
	{ "folder", FOLDER, 0, "" },
	{ "unknown key", FOLDER "pth = x\n", 5,
	  "unknown key 'pth' of [s]; there are type, url, path, series, branch, subfolder, files, "
	  "max_files, "
	  "max_file_mb, max_total_mb, timeout_s, cafile, known_hosts, ssh_key" },
	{ "unknown type", "[s]\ntype = ftp\n", 2,
	  "type: 'ftp' is not git, rsync, ssh, https or folder" },
	{ "no type", "[s]\nseries = x\n", 2, "[s]: key 'type' is missing" },
	{ "no url", "[s]\ntype = git\nseries = x\n", 2, "[s]: key 'url' is missing" },
	{ "no path", "[s]\ntype = folder\nseries = x\n", 2, "[s]: key 'path' is missing" },
	{ "no series", "[s]\ntype = folder\npath = x\n", 2, "[s]: key 'series' is missing" },
	{ "no section", "type = git\n", 1,
	  "[]: a source's name is letters, digits, '-' and '_', at most 40" },
	{ "a name that leads upwards", "[../x]\ntype = git\n", 2,
	  "[../x]: a source's name is letters, digits, '-' and '_', at most 40" },
	{ "a name that is an option", "[-x]\ntype = git\n", 2,
	  "[-x]: a source's name is letters, digits, '-' and '_', at most 40" },
	{ "a key twice", FOLDER "series = y\n", 5,
	  "key 'series' of [s] is given twice, first in line 3" },
	{ "a key of another type", FOLDER "branch = main\n", 5,
	  "[s]: a source of type folder has no key 'branch'" },
	{ "an address for a folder", FOLDER "url = /x\n", 5,
	  "[s]: a source of type folder has no key 'url'" },
	{ "a series that leads upwards", "[s]\ntype = folder\nseries = ..\n", 3,
	  "series: '..' is not letters, digits, '.', '_', '-', at most 60, the first a letter or "
	  "digit" },
	{ "a series with a folder", "[s]\ntype = folder\nseries = a/b\n", 3,
	  "series: 'a/b' is not letters, digits, '.', '_', '-', at most 60, the first a letter or "
	  "digit" },
	{ "an empty address", GIT "\n", 4, "url: it is empty" },
	{ "an option for an address", GIT "--upload-pack=touch\n", 4,
	  "url: '--upload-pack=touch' begins with '-', as an option does" },
	{ "an option for a host", GIT "ssh://-oProxyCommand=x/y\n", 4,
	  "url: 'ssh://-oProxyCommand=x/y' is not " GIT_WANTED },
	{ "an option for a user", GIT "ssh://-l@host/y\n", 4,
	  "url: 'ssh://-l@host/y' is not " GIT_WANTED },
	{ "an option for a path", GIT "host:-x\n", 4, "url: 'host:-x' is not " GIT_WANTED },
	{ "ext::", GIT "ext::touch\n", 4, "url: 'ext::touch' is not " GIT_WANTED },
	{ "a blank in an address", GIT "ext::sh -c x\n", 4,
	  "url: 'ext::sh -c x' has a blank, a quote, a '\\' or a character that is not ASCII" },
	{ "file://", GIT "file:///etc\n", 4, "url: 'file:///etc' is not " GIT_WANTED },
	{ "http://", GIT "http://host/x\n", 4, "url: 'http://host/x' is not " GIT_WANTED },
	{ "a relative path", GIT "some/repo\n", 4, "url: 'some/repo' is not " GIT_WANTED },
	{ "a password in an address", HTTPS "https://u:p@host/x\n", 4,
	  "url: 'https://u:p@host/x' is not https://HOST/PATH" },
	{ "no path in an address", HTTPS "https://host/\n", 4,
	  "url: 'https://host/' is not https://HOST/PATH" },
	{ "a port that is none", HTTPS "https://host:70000/x\n", 4,
	  "url: 'https://host:70000/x' is not https://HOST/PATH" },
	{ "plain http", HTTPS "http://host/x\n", 4,
	  "url: 'http://host/x' is not https://HOST/PATH" },
	{ "rsync by ssh as rsync", RSYNC "host:path\n", 4,
	  "url: 'host:path' is not rsync://HOST/MODULE/PATH" },
	{ "a command in an ssh path", SSH "host:$(touch)\n", 4,
	  "url: 'host:$(touch)' is not HOST:PATH or ssh://HOST:PORT/PATH, the path of letters, "
	  "digits and . _ / ~ + -" },
	{ "a branch that is an option", GIT "/a\nbranch = --upload-pack=x\n", 5,
	  "branch: '--upload-pack=x' is not the plain name of a branch" },
	{ "a range for a branch", GIT "/a\nbranch = a..b\n", 5,
	  "branch: 'a..b' is not the plain name of a branch" },
	{ "a pattern for a branch", GIT "/a\nbranch = x:y\n", 5,
	  "branch: 'x:y' is not the plain name of a branch" },
	{ "a subfolder that leads upwards", FOLDER "subfolder = a/../b\n", 5,
	  "subfolder: 'a/../b' is not a relative path of plain names" },
	{ "an absolute subfolder", FOLDER "subfolder = /b\n", 5,
	  "subfolder: '/b' is not a relative path of plain names" },
	{ "files that are no CSV", FOLDER "files = .txt\n", 5,
	  "files: '.txt' is not an ending such as .csv or -gpu.csv; only .csv, .csv.gz, .csv.zst, "
	  ".tar, .tar.gz and "
	  ".tar.zst are read" },
	{ "a pattern for files", FOLDER "files = *.csv\n", 5,
	  "files: '*.csv' is not an ending such as .csv or -gpu.csv; only .csv, .csv.gz, .csv.zst, "
	  ".tar, .tar.gz and "
	  ".tar.zst are read" },
	{ "several endings", FOLDER "files = .csv  -gpu.tar.gz .csv.zst\n", 0, "" },
	{ "too many endings",
	  FOLDER "files = 1.csv 2.csv 3.csv 4.csv 5.csv 6.csv 7.csv 8.csv 9.csv\n", 5,
	  "files: more than 8 endings" },
	{ "a packing that is not read", FOLDER "files = .csv .zip\n", 5,
	  "files: '.zip' is not an ending such as .csv or -gpu.csv; only .csv, .csv.gz, .csv.zst, "
	  ".tar, .tar.gz and "
	  ".tar.zst are read" },
	{ "no ending at all", FOLDER "files =\n", 5, "files: no ending such as .csv or -gpu.csv" },
	{ "no number", FOLDER "max_files = many\n", 5, "max_files: 'many' is not a number" },
	{ "no files at all", FOLDER "max_files = 0\n", 5, "max_files: 0 is not from 1 to 100000" },
	{ "a file too large", FOLDER "max_file_mb = 1000\n", 5,
	  "max_file_mb: 1000 is not from 0.001 to 200" },
	{ "a total too large", FOLDER "max_total_mb = 1e9\n", 5,
	  "max_total_mb: 1e9 is not from 0.001 to 2000" },
	{ "no time", FOLDER "timeout_s = 0\n", 5, "timeout_s: 0 is not from 1 to 86400" },
	{ "an option for a file", SSH "h:p\nssh_key = -x\n", 5,
	  "ssh_key: '-x' is not a path without '\"' and a '-' in front" },
	{ "a quote in a file", SSH "h:p\nknown_hosts = a\"b\n", 5,
	  "known_hosts: 'a\"b' is not a path without '\"' and a '-' in front" },
	{ "cafile for rsync", RSYNC "rsync://h/m\ncafile = x\n", 5,
	  "[s]: a source of type rsync has no key 'cafile'" },
};

static void test_sources(struct test *t, struct arena *a)
{
	for (size_t i = 0; i < LEN(source_cases); i++) {
		struct fetch_sources s;
		struct error err = { 0 };
		bool good = fetch_sources_parse(str_of(source_cases[i].text), "sources.ini", "/", a,
						&s, &err);

		test_ok(t,
			good == (source_cases[i].want[0] == '\0')
			    && err.pos.line == source_cases[i].line,
			source_cases[i].name);
		test_str(t, str_of(err.msg), str_of(source_cases[i].want), "  what is said");
	}
}

static void test_source_values(struct test *t, struct arena *a)
{
	static const char text[] =
	    "[s-1]\ntype = git\nseries = x\nurl = /r\nsubfolder = a/b/\ncafile = k/ca.pem\n"
	    "max_file_mb = 0.5\n[t]\ntype = folder\nseries = y\npath = /d\n";
	struct fetch_sources s;
	struct error err = { 0 };

	test_ok(t, fetch_sources_parse(str_of(text), "s", "/usr", a, &s, &err) && s.n == 2,
		"two sources");
	test_str(t, s.v[0].cafile, STR("/usr/k/ca.pem"), "a path below the root");
	test_str(t, s.v[0].subfolder, STR("a/b"), "the subfolder without its '/'");
	test_ok(t,
		s.v[0].max_file == 500000 && s.v[1].max_file == 5000000 && s.v[1].max_files == 1000
		    && s.v[1].max_total == 100000000 && s.v[1].seconds == 120,
		"limits and defaults");
	test_ok(t, fetch_source_find(&s, STR("t")) == &s.v[1] && !fetch_source_find(&s, STR("u")),
		"found by name");
	err = (struct error){ 0 };
	test_ok(t, !fetch_sources_parse(STR(""), "s", "/nowhere/at/all", a, &s, &err)
		&& err.code == ERR_ENVIRONMENT, "a root that is not there");
	struct str below;
	test_ok(t,
		fetch_sources_parse(str_of(text), "s", "/", a, &s, &err)
		    && fetch_is_wanted(&s.v[0], STR("a/b/c/x.csv"), &below)
		    && str_eq(below, STR("c/x.csv")),
		"what lies below the subfolder");
	test_ok(t,
		!fetch_is_wanted(&s.v[0], STR("a/bc/x.csv"), &below)
		    && !fetch_is_wanted(&s.v[0], STR("a/b"), &below)
		    && !fetch_is_wanted(&s.v[0], STR("x.csv"), &below)
		    && !fetch_is_wanted(&s.v[0], STR("a/b/x.txt"), &below),
		"and what does not");
	test_ok(t,
		fetch_is_wanted(&s.v[0], STR("a/b/x.tar.gz"), &below)
		    && fetch_is_wanted(&s.v[0], STR("a/b/x.csv.zst"), &below)
		    && !fetch_is_wanted(&s.v[0], STR("a/b/x.zip"), &below),
		"packed ones too");
	test_ok(t,
		fetch_is_wanted(&s.v[0], STR("a/b/x.tar.gz.sig"), &below)
		    && !fetch_is_wanted(&s.v[0], STR("a/b/x.zip.sig"), &below)
		    && !fetch_is_wanted(&s.v[0], STR("a/b/.sig"), &below)
		    && !fetch_is_wanted(&s.v[0], STR("a/b/x.csv.sig.sig"), &below),
		"and their signatures");
	s.v[0].files = STR("-gpu.csv .tar");
	test_ok(t,
		fetch_is_wanted(&s.v[0], STR("a/b/1-gpu.csv"), &below)
		    && fetch_is_wanted(&s.v[0], STR("a/b/x.tar"), &below)
		    && !fetch_is_wanted(&s.v[0], STR("a/b/x.csv"), &below),
		"only the endings that are named");
}

static const struct { const char *path; bool plain;
} paths[] = {
	{ "a.csv", true },   { "a/b-1/c_d.csv", true }, { "a+b", true },        { "", false },
	{ "/a", false },     { "a/", false },           { "a//b", false },      { "..", false },
	{ "a/../b", false }, { ".a", false },           { "-a", false },        { "a/-b", false },
	{ "a b", false },    { "a%2e", false },         { "https://x", false }, { "a?b", false },
	{ "a\\b", false },   { "C:x", false },
};

static void test_paths(struct test *t)
{
	for (size_t i = 0; i < LEN(paths); i++)
		test_ok(t, fetch_is_plain_path(str_of(paths[i].path)) == paths[i].plain,
			paths[i].path);
}

static const struct {
	const char *url;
	bool good;
	const char *user, *host, *port, *path;
} addresses[] = {
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

		test_ok(t,
			good == addresses[i].good
			    && (!good
				|| (str_eq(s.user, str_of(addresses[i].user))
				    && str_eq(s.host, str_of(addresses[i].host))
				    && str_eq(s.port, str_of(addresses[i].port))
				    && str_eq(s.path, str_of(addresses[i].path)))),
			addresses[i].url);
	}
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };

	test_sources(&t, &a);
	test_source_values(&t, &a);
	test_paths(&t);
	test_addresses(&t);
	arena_free(&a);
	return test_done(&t);
}
