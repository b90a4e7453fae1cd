#include "offer.h"

#include "../base/file.h"
#include "../base/num.h"
#include "../base/process.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The repository is fetched bare, without history and without a working tree: no hook, no
 * attribute, no link and no submodule of it ever does anything. Files are read out of the
 * objects. */

enum { LISTING_MAX = 1 << 26, PACKS_MAX = 50 };

struct job {
	const struct fetch_source *source;
	struct arena *arena;
	const char *dir;  /* spool/git */
	const char *repo; /* its name in dir */
	const char *path; /* of the repository */
	const char *ssh;  /* "ssh -F …" */
};

static bool git(const struct job *j, const char *const *words, struct str input, size_t output_max,
		struct process_result *r, struct error *err)
{
	static const char *const always[] = {
		"-c", "protocol.allow=never",
		"-c", "core.hooksPath=/dev/null",
		"-c", "core.symlinks=false",
		"-c", "core.askPass=",
		"-c", "credential.helper=",
		"-c", "gc.auto=0",
		"-c", "maintenance.auto=false",
		"-c", "fetch.fsckObjects=true",
		"-c", "fetch.unpackLimit=1",
		"-c", "core.bigFileThreshold=16m",
		"-c", "core.packedGitWindowSize=16m",
		"-c", "core.packedGitLimit=256m",
		"-c", "pack.threads=1",
		"-c", "http.followRedirects=false",
	};
	const struct fetch_source *s = j->source;
	const char *protocol = s->url.p[0] == '/'                    ? "file"
			       : str_starts(s->url, STR("https://")) ? "https"
								     : "ssh";
	struct arena *a = j->arena;
	const char *argv[LEN(always) + 24], *env[8];
	size_t n = 0, m = 0;

	argv[n++] = "git";
	for (size_t i = 0; i < LEN(always); i++)
		argv[n++] = always[i];
	argv[n++] = "-c";
	argv[n++] = str_c(a, str_printf(a, "protocol.%s.allow=always", protocol));
	if (s->cafile.len) {
		argv[n++] = "-c";
		argv[n++] = str_c(a, str_printf(a, "http.sslCAInfo=" STR_FMT, STR_ARG(s->cafile)));
	}
	argv[n++] = str_c(a, str_printf(a, "--git-dir=%s", j->repo));
	for (size_t i = 0; words[i]; i++)
		argv[n++] = words[i];
	argv[n] = NULL;
	env[m++] = "GIT_TERMINAL_PROMPT=0";
	env[m++] = "GIT_CONFIG_NOSYSTEM=1";
	env[m++] = "GIT_CONFIG_GLOBAL=/dev/null";
	env[m++] = str_c(a, str_printf(a, "HOME=%s", j->dir));
	env[m++] = str_c(a, str_printf(a, "GIT_SSH_COMMAND=%s", j->ssh));
	env[m++] = "GIT_SSH_VARIANT=ssh";
	env[m] = NULL;
	struct fetch_tool tool = { argv,
				   env,
				   j->dir,
				   "git",
				   input,
				   output_max,
				   s->max_total + (1 << 20),
				   FETCH_TOOL_MEMORY + s->max_total,
				   s->seconds };
	return fetch_run_tool(&tool, a, r, err);
}

/* A run that was killed may have left these; the lock of fetch says that nobody else is at work. */
static void remove_locks(const struct job *j)
{
	static const char *const locks[] = { "shallow.lock", "HEAD.lock", "config.lock",
					     "packed-refs.lock", "refs/gpuguide.lock" };

	for (size_t i = 0; i < LEN(locks); i++)
		unlink(str_c(j->arena, file_join(j->arena, str_of(j->path), str_of(locks[i]))));
}

/* Every night that brings something leaves one more pack, and nobody tidies up. */
static bool has_many_packs(const struct job *j)
{
	const char *dir =
	    str_c(j->arena, file_join(j->arena, str_of(j->path), STR("objects/pack")));
	struct file_list packs = { 0 };
	struct error ignored = { 0 };

	return !file_list(dir, ".pack", false, j->arena, &packs, NULL, &ignored)
	       || packs.n > PACKS_MAX;
}

static bool make_repository(const struct job *j, struct error *err)
{
	static const char *const init[] = { "init", "-q", "--bare", "--template=", NULL };
	struct process_result r;

	if (file_exists(j->path) && has_many_packs(j) && !file_remove_tree(j->path, err))
		return false;
	if (!file_exists(j->path))
		return git(j, init, STR(""), 0, &r, err);
	remove_locks(j);
	return true;
}

static bool fetch_newest(const struct job *j, struct error *err)
{
	const struct fetch_source *s = j->source;
	struct arena *a = j->arena;
	struct str from = s->branch.len ? str_printf(a, "refs/heads/" STR_FMT, STR_ARG(s->branch))
					: STR("HEAD");
	const char *words[] = {
		"fetch",
		"-q",
		"--depth=1",
		"--no-tags",
		"--no-recurse-submodules",
		"--force",
		"--",
		str_c(a, s->url),
		str_c(a, str_printf(a, "+" STR_FMT ":refs/gpuguide", STR_ARG(from))),
		NULL,
	};
	struct process_result r;

	return git(j, words, STR(""), 0, &r, err);
}

/* "100644 blob OBJECT  SIZE\tPATH" */
struct entry {
	struct str mode, kind, object, size, path;
};

static bool cut_word(struct str *rest, struct str *word)
{
	*rest = str_trim(*rest);
	*word = str_slice(*rest, 0, str_find(*rest, STR(" "), 0));
	*rest = str_slice(*rest, word->len, rest->len);
	return word->len > 0;
}

static bool parse_entry(struct str line, struct entry *e)
{
	size_t tab = str_find(line, STR("\t"), 0);
	struct str head = str_slice(line, 0, tab);

	e->path = str_slice(line, tab + 1, line.len);
	return tab < line.len && cut_word(&head, &e->mode) && cut_word(&head, &e->kind)
	    && cut_word(&head, &e->object) && cut_word(&head, &e->size);
}

/* What the newest commit holds; `objects` gets the name of every file to be read, a line each, in
 * the order of the offers without a problem. */
static bool list_files(const struct job *j, struct strbuf *objects, struct fetch_offers *out,
		       double *bytes, struct error *err)
{
	static const char *const words[] = { "ls-tree", "-rlz", "--full-tree", "refs/gpuguide",
					     NULL };
	struct process_result r;
	struct str line, origin;

	if (!git(j, words, STR(""), LISTING_MAX, &r, err))
		return false;
	while (str_cut(&r.output, '\0', &line)) {
		struct entry e;
		double size;

		if (!parse_entry(line, &e) || !fetch_is_wanted(j->source, e.path, &origin)
		    || str_eq(e.kind, STR("commit")))
			continue;
		struct fetch_offer *o = fetch_offer_add(out, origin, j->arena);
		if (str_eq(e.mode, STR("120000")))
			o->problem = STR("a symbolic link");
		else if (!num_parse(e.size, false, &size))
			o->problem = STR("not a regular file");
		else if (o->bytes = size, size > (double)j->source->max_file)
			o->problem = fetch_too_large(j->source, size, j->arena);
		if (o->problem.len)
			continue;
		*bytes += size;
		strbuf_printf(objects, STR_FMT "\n", STR_ARG(e.object));
	}
	return fetch_check_limits(j->source, out->n, *bytes, err);
}

/* "OBJECT blob SIZE\n" and that many bytes and "\n", for each offer without a problem. */
static bool read_files(const struct job *j, struct str objects, double bytes,
		       struct fetch_offers *out, struct error *err)
{
	static const char *const words[] = { "cat-file", "--batch", NULL };
	struct process_result r;
	struct str head, word;

	if (objects.len == 0)
		return true;
	if (!git(j, words, objects, (size_t)bytes + 200 * out->n + 1000, &r, err))
		return false;
	for (size_t i = 0; i < out->n; i++) {
		struct fetch_offer *o = &out->v[i];
		double size = -1;

		if (o->problem.len)
			continue;
		if (!str_cut(&r.output, '\n', &head) || !cut_word(&head, &word)
		    || !cut_word(&head, &word) || !cut_word(&head, &word)
		    || !num_parse(word, false, &size) || size != o->bytes
		    || (double)r.output.len < size)
			return error_set(err, ERR_ENVIRONMENT,
					 "git: cat-file said something unexpected");
		o->text = str_slice(r.output, 0, (size_t)size);
		if (str_starts(o->text, STR("version https://git-lfs.github.com/spec/"))) {
			o->text = (struct str){ 0 };
			o->problem = STR("a pointer to a file of Git LFS, not the file itself");
		}
		r.output = str_slice(r.output, (size_t)size + 1, r.output.len);
	}
	return true;
}

bool fetch_git(const struct fetch_source *s, const struct fetch_place *place,
	       struct fetch_offers *out, struct error *err)
{
	struct arena *a = place->arena;
	struct job j = { .source = s, .arena = a };
	struct strbuf objects = { .arena = a };
	struct error ignored = { 0 };
	double bytes = 0;

	j.dir = str_c(a, file_join(a, str_of(place->spool), STR("git")));
	j.repo = str_c(a, str_printf(a, STR_FMT ".git", STR_ARG(s->name)));
	j.path = str_c(a, file_join(a, str_of(j.dir), str_of(j.repo)));
	if (!file_make_dirs(j.dir, err) || !fetch_ssh_command(s, j.dir, a, &j.ssh, err))
		return false;
	if (make_repository(&j, err) && fetch_newest(&j, err)
	    && list_files(&j, &objects, out, &bytes, err)
	    && read_files(&j, strbuf_str(&objects), bytes, out, err))
		return true;
	/* whatever is wrong with it, the next night begins anew */
	if (file_exists(j.path))
		file_remove_tree(j.path, &ignored);
	return false;
}
