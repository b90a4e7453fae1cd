/* The folder of editions: names, order, placing, latest, what killed runs left; the lock; what
 * file.h promises of bytes on disk. */
#include "store_fixture.h"

#include "../base/lock.h"
#include "../publish/removed.h"
#include "../publish/store.h"

#include <fcntl.h>
#include <stdint.h>
#include <sys/wait.h>

static const struct { const char *folder; bool good; const char *date; int revision; } names[] = {
	{ "2026-11-30", true, "2026-11-30", 1 },
	{ "2026-11-30-r2", true, "2026-11-30", 2 },
	{ "2026-11-30-r365", true, "2026-11-30", 365 },
	{ "2026-11-30-r1", false, NULL, 0 },  /* the first has no number */
	{ "2026-11-30-r02", false, NULL, 0 }, /* two names for one */
	{ "2026-11-30-r", false, NULL, 0 },
	{ "2026-11-30-x2", false, NULL, 0 },
	{ "2026-11-30-r999999999999", false, NULL, 0 },
	{ "2026-02-30", false, NULL, 0 },
	{ "2026-11-3", false, NULL, 0 },
	{ "latest", false, NULL, 0 },
	{ "", false, NULL, 0 },
};

static void test_names(struct shelf *s)
{
	for (size_t i = 0; i < LEN(names); i++) {
		struct date date = { 0 };
		int revision = 0;
		bool good = store_parse_folder(str_of(names[i].folder), &date, &revision);

		test_ok(s->t, good == names[i].good
		              && (!good || (date.day == day_of(names[i].date).day
		                            && revision == names[i].revision)),
		        str_c(s->a, str_printf(s->a, "folder '%s'", names[i].folder)));
	}
}

static void test_read(struct shelf *s)
{
	struct error err = { 0 };
	struct messages odd = { .arena = s->a };
	struct store store;

	test_ok(s->t,
		store_read(shelf_path(s, "nowhere"), s->a, &store, &odd, &err) && store.n == 0,
		"an OUT that is not there is empty");
	shelf_edition(s, "2019-05-31-r10", "2019-05-31", "2019-05-31-c", "hand", NULL, "");
	shelf_edition(s, "2019-05-31-r9", "2019-05-31", "2019-05-31-b", "hand", NULL, "");
	shelf_edition(s, "2019-05-31", "2019-05-31", "2019-05-31-a", "hand", NULL, "");
	shelf_edition(s, "2019-04-30", "2019-04-30", "2019-04-30-a", "hand", NULL, "");
	shelf_edition(s, "2019-06-30", "2019-06-30", "2019-06-30-a", "other", NULL, "");
	shelf_put(s, "2019-03-31/index.html", "of an older program");
	shelf_put(s, "2019-02-28", "a file");
	shelf_put(s, "notes/index.html", "somebody's");
	test_ok(s->t, symlink("2019-05-31", shelf_path(s, "2019-07-31")) == 0, "a link among them");
	test_ok(s->t, store_read(s->out, s->a, &store, &odd, &err) && store.n == 5,
	        "editions are folders with a summary; links, files and other names are none");
	test_ok(s->t, store.n == 5 && str_eq(store.v[0].folder, STR("2019-04-30"))
	              && str_eq(store.v[2].folder, STR("2019-05-31-r9"))
	              && str_eq(store.v[3].folder, STR("2019-05-31-r10")),
	        "oldest first, revisions by number");
	test_ok(s->t, odd.n == 1 && strstr(odd.v[0].pos.file, "2019-03-31")
	              && strstr(str_c(s->a, odd.v[0].text), "left out of the archive: "),
	        "one without summary.json is named");
	shelf_edition(s, "2018-12-31", "2019-05-31", "2019-05-31-a", "hand", NULL, "");
	odd.n = 0;
	test_ok(s->t, store_read(s->out, s->a, &store, &odd, &err) && store.n == 5 && odd.n == 2
	              && strstr(odd.v[0].pos.file, "2018-12-31")
	              && strstr(str_c(s->a, odd.v[0].text),
	                        "left out of the archive: its summary.json is of 2019-05-31"),
	        "one whose summary is of another date too");
	const struct store_edition *e = store_newest(&store, STR("hand"));
	test_ok(s->t, e && str_eq(e->folder, STR("2019-05-31-r10")), "the newest of a name");
	test_ok(s->t, !store_newest(&store, STR("nobody")), "no edition of a name");
	e = store_previous(&store, STR("hand"), day_of("2019-05-31"));
	test_ok(s->t, e && str_eq(e->folder, STR("2019-04-30")),
	        "compared with an earlier date, not with another revision");
	e = store_previous(&store, STR("hand"), day_of("2019-06-30"));
	test_ok(s->t, e && str_eq(e->folder, STR("2019-05-31-r10")),
		"… of that the newest revision");
	test_ok(s->t, !store_previous(&store, STR("other"), day_of("2019-06-30")),
	        "never with an edition of another name");
	test_ok(s->t,
		store_find(&store, STR("2019-04-30")) && !store_find(&store, STR("2019-03-31")),
		"by folder");
}

/* Builds .building and places it; the folder's name, with "+" in front where it is new. */
static struct str place(struct shelf *s, const char *edition, const char *marks)
{
	struct error err = { 0 };
	struct str folder = STR("");
	bool fresh = false;

	shelf_edition(s, ".building", "2020-01-01", "2020-01-01-a", edition, NULL, marks);
	if (!store_place(s->out, shelf_path(s, ".building"), str_of(edition), day_of("2020-01-01"),
			 s->a, &folder, &fresh, &err))
		return str_printf(s->a, "failed: %s", err.msg);
	return str_printf(s->a, "%s" STR_FMT, fresh ? "+" : "", STR_ARG(folder));
}

static void test_place(struct shelf *s)
{
	static const struct { const char *name, *edition, *marks, *want;
	} cases[] = {
		{ "the first of a date", "hand", SHA_A "  1  data/x\n", "+2020-01-01" },
		{ "the same again", "hand", SHA_A "  1  data/x\n", "2020-01-01" },
		{ "only BUILDINFO differs", "hand", SHA_B "  7  BUILDINFO\n" SHA_A "  1  data/x\n",
		  "2020-01-01" },
		{ "other bytes", "hand", SHA_B "  1  data/x\n", "+2020-01-01-r2" },
		{ "a file more", "hand", SHA_B "  1  data/x\n" SHA_B "  1  data/y\n",
		  "+2020-01-01-r3" },
		{ "as the first, but not as the newest", "hand", SHA_A "  1  data/x\n",
		  "+2020-01-01-r4" },
		{ "another edition of the date", "other", SHA_A "  1  data/x\n", "+2020-01-01-r5" },
		{ "the one again, the other is newer", "hand", SHA_A "  1  data/x\n",
		  "2020-01-01-r4" },
	};
	struct removed gone = { STR("2020-01-01-r8"), STR("2020-01-01-z"), STR("T"), { 0 } };
	struct removed_list more = { &gone, 1 };
	struct error err = { 0 };
	struct stat st;

	for (size_t i = 0; i < LEN(cases); i++)
		test_str(s->t, place(s, cases[i].edition, cases[i].marks), str_of(cases[i].want),
		         cases[i].name);
	test_ok(s->t, !file_exists(shelf_path(s, ".building")), "what was built is gone or placed");
	test_ok(s->t,
		stat(shelf_path(s, "2020-01-01/MANIFEST"), &st) == 0 && (st.st_mode & 0222) == 0
		    && (st.st_mode & 0400),
		"nobody may write to its files");
	test_ok(s->t, stat(shelf_path(s, "2020-01-01"), &st) == 0 && (st.st_mode & 0200),
	        "its folder can be removed");
	test_ok(s->t, removed_add(s->out, &more, s->a, &err), "r8 was removed once");
	test_str(s->t, place(s, "hand", SHA_B "  2  data/z\n"), STR("+2020-01-01-r9"),
	         "no name is given twice");
	shelf_put(s, "2020-01-01-r100000/notes", "a folder that took the last number");
	test_ok(s->t, strstr(str_c(s->a, place(s, "hand", SHA_B "  4  data/z\n")),
	                     "no revision of 2020-01-01 is left after -r100000"),
	        "no edition gets a name that none has");
	file_remove_tree(shelf_path(s, "2020-01-01-r100000"), &err);
	shelf_put(s, ".building/a", "");
	test_ok(s->t, mkfifo(shelf_path(s, ".building/pipe"), 0600) == 0, "a pipe among the files");
	test_ok(s->t, strstr(str_c(s->a, place(s, "hand", SHA_B "  3  data/z\n")),
	                     "'pipe' is neither a file nor a folder"), "is no edition");
	file_remove_tree(shelf_path(s, ".building"), &err);
}

static void test_latest(struct shelf *s)
{
	const char *path = shelf_path(s, "latest");
	struct stat before, after;
	struct error err = { 0 };
	char to[64] = "";

	test_ok(s->t, store_point_latest(s->out, STR("2019-05-31"), s->a, &err)
	              && readlink(path, to, sizeof to - 1) == 10 && strcmp(to, "2019-05-31") == 0,
	        "latest is made");
	test_ok(s->t, lstat(path, &before) == 0
	              && store_point_latest(s->out, STR("2019-05-31"), s->a, &err)
	              && lstat(path, &after) == 0 && before.st_ino == after.st_ino,
	        "and left alone where it is right");
	memset(to, 0, sizeof to);
	test_ok(s->t,
		store_point_latest(s->out, STR("2019-05-31-r2"), s->a, &err)
		    && readlink(path, to, sizeof to - 1) == 13 && strcmp(to, "2019-05-31-r2") == 0,
		"and swapped, also to what is not there");
	unlink(path);
	shelf_put(s, "latest/index.html", "kept");
	test_ok(s->t, !store_point_latest(s->out, STR("2019-05-31"), s->a, &err)
	              && err.code == ERR_ENVIRONMENT && strstr(err.msg, "is no symbolic link"),
	        "a folder of that name is not touched");
	test_str(s->t, shelf_get(s, "latest/index.html"), STR("kept"), "… its files neither");
}

static void test_clean(struct shelf *s)
{
	struct error err = { 0 };

	shelf_put(s, ".building/a/b", "x");
	shelf_put(s, ".building-7/a", "x");
	shelf_put(s, ".removing-2019-01-01/a", "x");
	shelf_put(s, "index.html.part", "x");
	shelf_put(s, "index.html", "kept");
	shelf_put(s, "folder.part/a", "kept");
	test_ok(s->t, symlink(s->out, shelf_path(s, ".building-link")) == 0, "a link too");
	test_ok(s->t, store_clean(s->out, s->a, &err) && !file_exists(shelf_path(s, ".building"))
	              && !file_exists(shelf_path(s, ".building-7"))
	              && !file_exists(shelf_path(s, ".removing-2019-01-01"))
	              && !file_exists(shelf_path(s, ".building-link"))
	              && !file_exists(shelf_path(s, "index.html.part")),
	        "what killed runs left is removed");
	test_ok(s->t, str_eq(shelf_get(s, "index.html"), STR("kept"))
	              && str_eq(shelf_get(s, "folder.part/a"), STR("kept"))
	              && file_exists(shelf_path(s, "2020-01-01/MANIFEST")), "and nothing else");
}

/* The checksum of "abc" is that of FIPS 180-4. */
static void test_bytes(struct shelf *s)
{
	static const struct str abc =
		STR_INIT("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	struct error err = { 0 }, twice = { 0 }, pipe_err = { 0 };
	struct file_sum sum;
	char *large = arena_alloc(s->a, 200001);

	shelf_put(s, "abc", "abc");
	test_ok(s->t, file_hash(shelf_path(s, "abc"), s->a, &sum, &err) && str_eq(sum.sha256, abc)
	              && sum.bytes == 3, "a checksum");
	test_ok(s->t,
		file_copy(shelf_path(s, "abc"), shelf_path(s, "copy"), s->a, &sum, &err)
		    && str_eq(sum.sha256, abc)
		    && file_same(shelf_path(s, "abc"), shelf_path(s, "copy")),
		"a copy");
	test_ok(s->t, !file_copy(shelf_path(s, "abc"), shelf_path(s, "copy"), s->a, &sum, &twice)
	              && strstr(twice.msg, "File exists"), "never over another file");
	test_ok(s->t, mkfifo(shelf_path(s, "pipe"), 0600) == 0
	              && !file_hash(shelf_path(s, "pipe"), s->a, &sum, &pipe_err)
	              && strstr(pipe_err.msg, "pipe: not a regular file"), "a pipe does not hang");
	memset(large, 'x', 200000);
	shelf_put(s, "large", large);
	large[199999] = 'y';
	shelf_put(s, "other", large);
	test_ok(s->t, !file_same(shelf_path(s, "large"), shelf_path(s, "other")),
		"the last byte counts");
	test_ok(s->t, file_same(shelf_path(s, "large"), shelf_path(s, "large")),
		"a file is the same as itself");
	test_ok(s->t, !file_same(shelf_path(s, "large"), shelf_path(s, "nowhere")),
		"no file is the same as none");
	test_ok(s->t,
		file_append(shelf_path(s, "log"), STR("one\n"), &err)
		    && file_append(shelf_path(s, "log"), STR("two\n"), &err),
		"two lines are added");
	test_str(s->t, shelf_get(s, "log"), STR("one\ntwo\n"), "and both stand there");
	test_ok(s->t,
		!file_append(shelf_path(s, "pipe"), STR("three\n"), &pipe_err)
		    && pipe_err.code == ERR_ENVIRONMENT,
		"a pipe that nobody reads is no log, and no wait");
	test_ok(s->t, file_append("/dev/null", STR("three\n"), &err), "a device may be one");
	test_ok(s->t,
		symlink("abc", shelf_path(s, "page.part")) == 0
		    && !file_write(shelf_path(s, "page"), STR("over abc"), &err),
		"a link where a file is written aside");
	test_str(s->t, shelf_get(s, "abc"), STR("abc"), "is not followed");
}

/* 0 taken, 1 not, 2 an error. */
static int lock_in_child(const char *path)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		struct error err = { 0 };
		bool taken, good = lock_take(path, &taken, &err);
		_exit(!good ? 2 : !taken);
	}
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_lock(struct shelf *s)
{
	const char *path = shelf_path(s, ".lock");
	struct error err = { 0 };
	bool taken;

	test_ok(s->t, lock_in_child(path) == 0, "a lock is taken");
	test_ok(s->t, lock_take(path, &taken, &err) && taken,
		"and free again when its process is gone");
	test_ok(s->t, lock_in_child(path) == 1, "another process does not get it");
	test_ok(s->t, lock_in_child(shelf_path(s, "no/where/.lock")) == 2,
		"a lock that cannot be made");
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };
	struct shelf s;

	if (!shelf_open(&s, &t, &a))
		return test_done(&t);
	test_names(&s);
	test_read(&s);
	test_place(&s);
	test_latest(&s);
	test_clean(&s);
	test_bytes(&s);
	test_lock(&s);
	shelf_close(&s);
	arena_free(&a);
	return test_done(&t);
}
