/* gpuguide verify: checksums, signature, and the edition made anew from its own inputs. All that is
 * written lies in a private folder that is gone at the end, however that comes. */
#include "commands.h"
#include "context.h"
#include "rebuild.h"
#include "verify_out.h"

#include "../base/file.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REBUILD_SECONDS = 3600 };

struct verifying {
	const struct options *opt;
	const char *work; /* the private folder */
	struct verify v;
	struct verify_report report;
	struct arena *arena;
};

static const char *in_work(const struct verifying *y, const char *name)
{
	return str_c(y->arena, file_join(y->arena, str_of(y->work), str_of(name)));
}

static double seconds_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool check_signatures(struct verifying *y, struct error *err)
{
	static const enum sign_tool tools[] = { SIGN_SSH, SIGN_MINISIGN };

	for (size_t i = 0; i < LEN(tools); i++)
		if (!verify_signature(&y->v, tools[i], y->opt->signers, y->work,
				      &y->report.signatures[i], err))
			return false;
	return true;
}

/* Why the edition cannot be made anew, as far as the folder tells; empty: nothing is in the way. */
static struct str obstacle(const struct verify *v)
{
	if (!v->keeps_inputs)
		return STR("inputs/ is not there; an older program kept none, or this copy left "
			   "them out. Only "
			   "the checksums were checked");
	for (size_t i = 0; i < v->n; i++)
		if (v->files[i].input && !v->files[i].good)
			return STR("not all inputs are as MANIFEST lists them");
	if (!v->has_buildinfo)
		return STR("there is no BUILDINFO that says with which options it was made");
	return (struct str){ 0 };
}

/* What the rebuild says for itself; that of a bad environment is also the command's own error. */
static bool failed(struct verifying *y, const struct error *why, struct error *err)
{
	y->report.verdict = VERDICT_FAILED;
	y->report.reason = str_plain(y->arena, str_of(why->msg));
	if (why->code != ERR_ENVIRONMENT)
		return true;
	return error_set(err, why->code, "the edition cannot be made anew here: %s", why->msg);
}

static bool compare(struct verifying *y, const char *dir, struct error *err)
{
	struct verify_rebuild *b = &y->report.rebuild;

	if (!verify_compare(&y->v, dir, b, err))
		return false;
	y->report.verdict = b->findings.n == 0 ? VERDICT_IDENTICAL
			    : b->data == 0     ? VERDICT_PAGES_DIFFER
					       : VERDICT_DIFFERENT;
	return true;
}

static bool make_anew(struct verifying *y, struct error *err)
{
	struct buildinfo_options made;
	struct rebuild r = { .inputs = in_work(y, "inputs"),
			     .dir = in_work(y, "edition"),
			     .gnuplot = y->opt->gnuplot,
			     .no_sandbox = y->opt->no_sandbox,
			     .made = &made,
			     .seconds = REBUILD_SECONDS };
	struct error why = { 0 };
	double start = seconds_now();

	if (!buildinfo_read_options(&y->v.made, "BUILDINFO", &made, &why)
	    || !verify_copy_inputs(&y->v, r.inputs, &why) || !rebuild_run(&r, y->arena, &why))
		return failed(y, &why, err);
	y->report.seconds = seconds_now() - start;
	return compare(y, r.dir, err);
}

static bool check(struct verifying *y, struct error *err)
{
	struct stopwatch w = stopwatch_start();

	if (!verify_files(&y->v, err) || !check_signatures(y, err))
		return false;
	stopwatch_print(w, y->opt, "files");
	if (y->opt->quick)
		return true;
	y->report.reason = obstacle(&y->v);
	if (y->report.reason.len > 0) {
		y->report.verdict = VERDICT_IMPOSSIBLE;
		return true;
	}
	w = stopwatch_start();
	bool good = make_anew(y, err);
	stopwatch_print(w, y->opt, "rebuild");
	return good;
}

static bool make_work(struct verifying *y, struct error *err)
{
	const char *tmp = getenv("TMPDIR");
	char *path = (char *)str_c(y->arena, str_printf(y->arena, "%s/gpuguide-verify-XXXXXX",
							tmp && *tmp ? tmp : "/tmp"));

	if (!mkdtemp(path))
		return error_errno(err, path);
	y->work = path;
	return true;
}

static bool with_work(struct verifying *y, struct error *err)
{
	struct error removal = { 0 };
	bool good;

	if (!make_work(y, err))
		return false;
	good = check(y, err);
	if (!file_remove_tree(y->work, &removal) && good)
		good = error_set(err, removal.code, "%s", removal.msg);
	return good;
}

/* Signals that end the program wait until the private folder is gone. */
static bool guarded(struct verifying *y, struct error *err)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGCHLD };
	sigset_t set, before;

	sigemptyset(&set);
	for (size_t i = 0; i < LEN(ends); i++)
		sigaddset(&set, ends[i]);
	signal(SIGCHLD, SIG_DFL); /* ignored, children would leave no status */
	sigprocmask(SIG_BLOCK, &set, &before);

	bool good = with_work(y, err);

	sigprocmask(SIG_SETMASK, &before, NULL);
	return good;
}

static bool one_folder(const struct options *opt, struct error *err)
{
	if (opt->npaths > 1)
		return error_set(err, ERR_USAGE, "verify: '%s' is one argument too many",
				 opt->paths[1]);
	return true;
}

bool command_verify(const struct options *opt, struct arena *a, int *status, struct error *err)
{
	struct verifying y = { .opt = opt, .arena = a };
	bool good;

	if (!one_folder(opt, err))
		return false;
	good = verify_open(opt->paths[0], a, &y.v, err);
	y.report = (struct verify_report){ .dir = opt->paths[0],
					   .v = &y.v,
					   .signers_given = opt->signers };
	good = good && guarded(&y, err);
	verify_close(&y.v);
	if (!good)
		return false;
	*status = !verify_report_good(&y.report);
	struct str text = verify_report_format(&y.report, opt->format, a);
	if (!opt->quiet || *status != 0 || opt->format != FORMAT_TEXT)
		fwrite(text.p, 1, text.len, stdout);
	return true;
}
