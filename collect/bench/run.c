#include "run.h"

#include "choose.h"
#include "contribution.h"
#include "interrupt.h"

#include "../../base/date.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct run {
	const struct bench_options *opt;
	struct bench bench;
	struct contribution files;
	struct arena *arena;
	const char *path;
	struct interrupt interrupt;
	bool terminal;  /* progress goes to one */
	bool lost;      /* the device must not be used again */
	int done, bad;
};

static void progress(const struct run *r, struct str name, enum precision p)
{
	struct str type = precision_name(p);

	if (r->terminal && !r->opt->quiet)
		fprintf(stderr, "\r\033[K%d  " STR_FMT " " STR_FMT " …", r->done + 1, STR_ARG(name),
			STR_ARG(type));
}

static void say_done(const struct measurement *m, const struct workload *w, struct arena *a)
{
	const struct steady *s =
	    m->has_graph && m->graph.stats.median < m->plain.stats.median ? &m->graph : &m->plain;
	struct str marks = steady_marks(s->marks & ~(unsigned)MARK_QUICK, a);

	fprintf(stderr, "%10.4g " STR_FMT, m->rate, STR_ARG(w->unit));
	fprintf(stderr, "  ±%.1f %%", 50 * (s->stats.high - s->stats.low) / s->stats.median);
	if (isfinite(m->share))
		fprintf(stderr, "  %.0f %% of the roofline", 100 * m->share);
	if (m->verify.nkinds)
		fprintf(stderr, "  error %.2g of the tolerance", m->verify.error);
	if (marks.len)
		fprintf(stderr, "  [" STR_FMT "]", STR_ARG(marks));
	fputc('\n', stderr);
}

/* One line a workload; what went wrong is said in --quiet too. */
static void say(const struct run *r, const struct workload *w, struct str name, enum precision p,
		const struct measurement *m)
{
	bool wrong = m->status == MEASURE_WRONG || m->status == MEASURE_REFUSED
		     || m->status == MEASURE_FAILED || m->status == MEASURE_LOST;
	struct str type = precision_name(p), status = measure_status_name(m->status);

	if (r->terminal && !r->opt->quiet)
		fputs("\r\033[K", stderr);
	if (r->opt->quiet && !wrong)
		return;
	fprintf(stderr, "%-38.*s %-5.*s ", STR_ARG(name), STR_ARG(type));
	if (m->status == MEASURE_DONE)
		say_done(m, w, r->arena);
	else if (m->status == MEASURE_VERIFIED)
		fprintf(stderr, "verified  error %.2g of the tolerance (" STR_FMT ")\n",
			m->verify.error, STR_ARG(m->verify.worst));
	else
		fprintf(stderr, STR_FMT ": %s\n", STR_ARG(status), m->message);
	if (r->opt->verify_only && !r->opt->quiet)
		for (int i = 0; i < m->verify.nkinds; i++) {
			const struct verify_kind *k = &m->verify.kinds[i];
			struct str kind = op_kind_name(k->kind);
			fprintf(stderr,
				"    %-18.*s %3d checked  largest error %.2g (at most %.2g)\n",
				STR_ARG(kind), k->checked, k->error, k->tolerance);
		}
}

static bool record(struct run *r, const struct workload *w, struct str name, enum precision p,
		   const struct measurement *m, bool contributes, struct error *err)
{
	contribution_add(&r->files, &r->bench, w, name, p, m, contributes && !r->opt->verify_only);
	say(r, w, name, p, m);
	r->done++;
	r->bad += m->status == MEASURE_WRONG || m->status == MEASURE_REFUSED
		  || m->status == MEASURE_FAILED || m->status == MEASURE_LOST;
	r->lost = m->status == MEASURE_LOST;
	return contribution_write(&r->files, err);
}

static bool measure_one(struct run *r, const struct workload *w, enum precision p,
			struct error *err)
{
	struct arena a = { 0 };

	progress(r, w->name, p);
	struct measurement m = measure_workload(&r->bench, w, p, r->opt->batch, &a);
	bool good = record(r, w, w->name, p, &m, r->opt->batch == 0, err);
	arena_free(&a);
	return good;
}

/* The largest batch that fits, as a workload of its own: it differs from device to device. Where
 * the tensors fit but not what the backend needs beside them, half of it; nothing is told of a
 * batch that was only tried. On a CPU it is the memory of the machine and says nothing. */
static bool measure_largest(struct run *r, const struct workload *w, enum precision p,
			    struct error *err)
{
	struct str name = str_printf(r->arena, STR_FMT "-max", STR_ARG(w->name));
	bool good = true, done = r->opt->resume && contribution_has(&r->files, name, p);

	for (long batch = measure_largest_batch(&r->bench, w, p); !done && batch > w->batch;
	     batch /= 2) {
		struct arena a = { 0 };
		progress(r, name, p);
		struct measurement m = measure_workload(&r->bench, w, p, batch, &a);
		done = m.status != MEASURE_DID_NOT_FIT;
		good = !done || record(r, w, name, p, &m, true, err);
		arena_free(&a);
	}
	return good;
}

static bool measure_both(struct run *r, const struct workload *w, enum precision p,
			 struct error *err)
{
	bool largest = w->grows && !r->opt->quick && !r->opt->batch && !r->opt->verify_only
		       && r->bench.info.threads == 0;

	if (!r->opt->resume || !contribution_has(&r->files, w->name, p))
		if (!measure_one(r, w, p, err))
			return false;
	return !largest || r->lost || measure_largest(r, w, p, err);
}

static bool measure_all(struct run *r, struct error *err)
{
	for (size_t i = 0; i < r->bench.workloads.n; i++) {
		const struct workload *w = &r->bench.workloads.v[i];
		for (int p = 0; p < PRECISIONS; p++) {
			struct bench_error why = { 0 };
			if (!options_wants(r->opt, w)
			    || !options_wants_precision(r->opt, w, (enum precision)p))
				continue;
			/* the same words for every workload: said once, by supports_said() */
			if (!r->bench.backend->supports(r->bench.device, (enum precision)p, &why))
				continue;
			if (!measure_both(r, w, (enum precision)p, err))
				return false;
			if (r->lost)
				return true;
		}
	}
	return true;
}

static void supports_said(struct run *r)
{
	for (int p = 0; p < PRECISIONS; p++) {
		struct bench_error why = { 0 };
		struct str name = precision_name((enum precision)p);
		if (r->opt->precisions && !(r->opt->precisions & 1u << p))
			continue;
		if (!r->bench.backend->supports(r->bench.device, (enum precision)p, &why)
		    && !r->opt->quiet)
			fprintf(stderr, "no " STR_FMT ": %s\n", STR_ARG(name), why.msg);
	}
}

/* A contribution is signed for its series (collect/signature.h): that of this program and version,
 * whatever folder FILE lies in now. */
#define SIGN_FOR "gpuguide-contribution/gpuguide-bench-" GPUGUIDE_VERSION

/* Of the keys that ssh-keygen signs with only ed25519 is checked later; better said now. The key's
 * type stands at byte 18 of a signature (PROTOCOL.sshsig), so it begins a group of base64, the 24th
 * character of the second line. */
static bool is_checked_later(const char *sig, struct error *err)
{
	static const struct str types[] = {
		STR_INIT("c3NoLWVkMjU1MTkA"), /* ssh-ed25519 */
		STR_INIT("c2stc3NoLWVkMjU1MTlAb3BlbnNzaC5jb20A")
	}; /* sk-ssh-ed25519@… */
	char text[128] = { 0 };
	FILE *f = fopen(sig, "r");

	if (!f)
		return error_errno(err, sig);
	size_t n = fread(text, 1, sizeof text, f);
	fclose(f);
	struct str rest = { text, n }, line;
	str_cut(&rest, '\n', &line);
	for (size_t i = 0; i < LEN(types); i++)
		if (str_starts(str_slice(rest, 24, rest.len), types[i]))
			return true;
	unlink(sig);
	return error_set(
	    err, ERR_USAGE,
	    "--sign: the key is not of type ed25519, no other is checked; ssh-keygen -t ed25519 "
	    "makes one, --resume signs with it");
}

/* ssh-keygen may ask for the key's passphrase on the terminal, so it has ours. */
static bool sign(const char *key, const char *path, const char *sig, struct error *err)
{
	int status;

	if (unlink(sig) != 0 && errno != ENOENT) /* ssh-keygen would ask whether to write over it */
		return error_errno(err, sig);
	pid_t child = fork();

	if (child < 0)
		return error_errno(err, "ssh-keygen");
	if (child == 0) {
		execlp("ssh-keygen", "ssh-keygen", "-Y", "sign", "-f", key, "-n", SIGN_FOR, "--",
		       path, (char *)NULL);
		_exit(127);
	}
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return error_errno(err, "ssh-keygen");
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return error_set(err, ERR_ENVIRONMENT, "ssh-keygen: not found; %s is not signed",
				 path);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		return error_set(err, ERR_ENVIRONMENT, "ssh-keygen: %s could not be signed with %s",
				 path, key);
	return is_checked_later(sig, err);
}

static struct str today(struct arena *a)
{
	return date_iso(a, date_of_day((int)(time(NULL) / 86400)));
}

/* "full", "quick, batch 8": rows of two kinds do not go into one file. */
static struct str kind_of_run(const struct bench_options *opt, struct arena *a)
{
	struct strbuf b = { .arena = a };

	strbuf_printf(&b, "%s", opt->verify_only ? "verify" : opt->quick ? "quick" : "full");
	if (opt->verify_only && opt->quick)
		strbuf_printf(&b, ", quick");
	if (opt->batch)
		strbuf_printf(&b, ", batch %ld", opt->batch);
	if (opt->seconds > 0)
		strbuf_printf(&b, ", %g s each", opt->seconds);
	return strbuf_str(&b);
}

static bool open_files(struct run *r, struct error *err)
{
	struct system system = system_describe(&r->bench.info, r->arena);
	struct str machine = r->opt->machine ? str_of(r->opt->machine)
					     : system_machine(&system, &r->bench.info, r->arena);

	system_add(&system, "program", STR("gpuguide-bench " GPUGUIDE_VERSION));
	system_add(&system, "machine", machine);
	system_add(&system, "run", kind_of_run(r->opt, r->arena));
	r->path = r->opt->out
		      ? r->opt->out
		      : str_printf(r->arena, "gpuguide-bench-" GPUGUIDE_VERSION "/" STR_FMT ".csv",
				   STR_ARG(machine))
			    .p;
	if (!contribution_open(r->path, r->opt->resume, &system, r->arena, &r->files, err))
		return false;
	r->files.machine = machine;
	r->files.date = today(r->arena);
	r->files.source = STR("gpuguide-bench " GPUGUIDE_VERSION);
	atomic_store(&r->interrupt.path, r->path);
	return true;
}

static void say_end(const struct run *r)
{
	if (r->lost)
		fprintf(stderr,
			"gpuguide-bench: the device is lost; what was measured before stands in "
			"%s, --resume goes on\n",
			r->path);
	if (r->opt->quiet)
		return;
	if (r->opt->verify_only)
		fprintf(stderr, "%d verified, %d wrong or failed\n", r->done - r->bad, r->bad);
	else
		fprintf(
		    stderr,
		    "%d measured, %d of them without a result by a fault; the contribution is %s\n",
		    r->done, r->bad, r->path);
}

static bool measure(struct run *r, int *status, struct error *err)
{
	if (!options_check(r->opt, &r->bench.workloads, err) || !open_files(r, err))
		return false;
	if (r->files.held) {
		fprintf(stderr, "gpuguide-bench: %s: another run is writing it\n", r->path);
		*status = 3;
		return true;
	}
	supports_said(r);
	if (!measure_all(r, err))
		return false;
	say_end(r);
	*status = r->bad > 0;
	interrupt_end(&r->interrupt); /* ssh-keygen takes signals as it likes */
	const char *sig = str_printf(r->arena, "%s.sig", r->path).p;
	return !r->opt->sign || sign(r->opt->sign, r->path, sig, err);
}

bool run_measure(const struct bench_options *opt, struct str folder, struct arena *a, int *status,
		 struct error *err)
{
	struct strbuf notes = { .arena = a };
	struct run r = { .opt = opt,
			 .arena = a,
			 .terminal = isatty(STDERR_FILENO) && !getenv("NO_COLOR") };

	interrupt_begin(&r.interrupt);
	if (!choose_device(opt, folder, a, &notes, &r.bench, err)) {
		interrupt_end(&r.interrupt);
		return false;
	}
	if (!opt->quiet)
		fprintf(stderr, STR_FMT "%s: %s (%s)\n", STR_ARG(strbuf_str(&notes)),
			r.bench.backend->name, r.bench.info.name, r.bench.info.framework);
	bool good = measure(&r, status, err);
	contribution_close(&r.files);
	interrupt_end(&r.interrupt);
	choose_close(&r.bench);
	return good;
}
