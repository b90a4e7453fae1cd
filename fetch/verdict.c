#include "verdict.h"

#include "../base/csv_guard.h"
#include "../base/csv_read.h"
#include "../base/file.h"
#include "../base/num.h"
#include "../base/process.h"
#include "../collect/boxed.h"
#include "../collect/unpack.h"

#include <stdio.h>

/* A file of the largest size allowed is read in a few seconds. */
enum { READ_SECONDS = 60, READ_FILE_MAX = 1 << 29 };

static const char edition[] =
	"[edition]\ntitle = Reading one file\ndate = 2000-01-01\n[benchmarks]\nclasses = cnn\n"
	"reference = " STR_FMT "\n[prices]\nmarkets = none\n";

static struct str below(const struct verdict_reader *v, const char *name, struct arena *a)
{
	return file_join(a, str_of(v->scratch), str_of(name));
}

/* No sync: nobody looks at these again after a crash. */
static bool write_scratch(const char *path, struct str text, struct error *err)
{
	FILE *f = fopen(path, "wb");
	bool good = f && (text.len == 0 || fwrite(text.p, 1, text.len, f) == text.len);

	if (f && fclose(f) != 0)
		good = false;
	return good || error_errno(err, path);
}

/* The folder as it must be: only the file and an edition that leaves nothing out. */
static bool prepare(const struct verdict_reader *v, struct str folder, struct str path,
		    struct str text, struct str signature, struct arena *a, struct error *err)
{
	struct str ini = str_printf(a, edition, STR_ARG(v->reference));
	struct str beside = str_printf(a, STR_FMT ".sig", STR_ARG(path));

	return (!file_exists(v->scratch) || file_remove_tree(v->scratch, err))
	    && file_make_dirs(str_c(a, folder), err)
	    && write_scratch(str_c(a, path), text, err)
	    && (signature.len == 0 || write_scratch(str_c(a, beside), signature, err))
	    && write_scratch(str_c(a, below(v, "read.ini", a)), ini, err);
}

static int count_in(const struct csv_table *t, const char *column)
{
	int n = 0;

	if (t->n)
		num_parse_int(csv_cell(t, &t->rows[0], csv_column(t, str_of(column))).text, &n);
	return n;
}

static const struct str whole_file = STR_INIT("the file is refused: ");

/* ":folder/x.csv" of "lab/runs.tar:folder/x.csv", as "folder/x.csv: "; empty where the file is no
 * archive. */
static struct str member_of(struct str file, struct arena *a)
{
	struct str rest = file, piece;
	size_t at = 0;

	while (str_cut(&rest, ':', &piece)) {
		at += piece.len + 1;
		if (unpack_is_archive(unpack_kind_of(piece)) && at < file.len)
			return str_printf(a, STR_FMT ": ", STR_ARG(str_slice(file, at, file.len)));
	}
	return (struct str){ 0 };
}

/* "line 7: value: …" of the first row of rejects.csv, "line 1:1: …" where the whole file is
 * refused; in front the member of an archive; empty where there is none. */
static struct str first_refusal(const struct verdict_reader *v, struct arena *a)
{
	struct csv_table t;
	struct error ignored = { 0 };

	if (!csv_read(str_c(a, below(v, "out/data/rejects.csv", a)), a, &t, &ignored) || t.n == 0)
		return (struct str){ 0 };
	struct str member =
	    member_of(csv_cell(&t, &t.rows[0], csv_column(&t, STR("file"))).text, a);
	struct str line = csv_cell(&t, &t.rows[0], csv_column(&t, STR("line"))).text;
	struct str column = csv_cell(&t, &t.rows[0], csv_column(&t, STR("column"))).text;
	struct str reason =
	    csv_unguard(csv_cell(&t, &t.rows[0], csv_column(&t, STR("reason"))).text);
	bool whole = str_starts(reason, whole_file);
	if (whole)
		reason = str_slice(reason, whole_file.len, reason.len);
	return str_printf(a, STR_FMT "line " STR_FMT "%s" STR_FMT ": " STR_FMT, STR_ARG(member),
			  STR_ARG(line), whole ? ":" : ": ", STR_ARG(column),
			  STR_ARG(str_slice(reason, 0, 300)));
}

/* What ended it: collect warns before it fails. */
static struct str last_line(struct str message)
{
	struct str line = { 0 };

	while (str_cut(&message, '\n', &line))
		;
	return str_slice(line, 0, 200);
}

static void judge(const struct verdict_reader *v, const struct csv_table *sources, struct arena *a,
		  struct verdict *out)
{
	out->accepted = count_in(sources, "accepted");
	out->refused = count_in(sources, "rejected");
	out->set_aside = count_in(sources, "set_aside");
	out->usable = out->accepted + out->set_aside > 0;
	out->reason = first_refusal(v, a);
	if (out->usable)
		return;
	if (out->reason.len == 0)
		out->reason = STR("no row below the header");
	else if (out->refused)
		out->reason = str_printf(a, "none of its %d rows is acceptable; " STR_FMT,
					 out->refused, STR_ARG(out->reason));
}

bool verdict_of(const struct verdict_reader *v, struct str series, struct str file, struct str text,
		struct str signature, struct arena *a, struct verdict *out, struct error *err)
{
	/* '+' is in no accepted name: a line of overrides.csv is about what lies there, not about
	 * this */
	struct str folder = file_join(a, str_of(v->scratch), series);
	struct str ending = unpack_ending(file);
	struct str path =
	    str_printf(a, STR_FMT "/" STR_FMT "+" STR_FMT, STR_ARG(folder),
		       STR_ARG(str_slice(file, 0, file.len - ending.len)), STR_ARG(ending));
	const char *argv[] = {
		v->program, "collect", str_c(a, below(v, "read.ini", a)), "--quiet",      "--root",
		v->root,    "-o",      str_c(a, below(v, "out", a)),      str_c(a, path), NULL
	};
	struct process_options opt = { .argv = argv,
				       .seconds = READ_SECONDS,
				       .file_max = READ_FILE_MAX };
	struct process_result r;
	struct csv_table sources;
	struct error why = { 0 };
	struct str last;

	*out = (struct verdict){ 0 };
	if (!prepare(v, folder, path, text, signature, a, err) || !process_run(&opt, a, &r, err))
		return false;
	last = last_line(r.message);
	if (r.status >= 2 && str_find(last, STR(COLLECT_BOX_CRASHED), 0) < last.len) {
		out->reason = str_printf(a, "reading it failed: " STR_FMT, STR_ARG(last));
		return true;
	}
	if (r.status >= 2) /* no disk, no memory: not the file's fault */
		return error_set(err, ERR_ENVIRONMENT,
				 "collect could not run on " STR_FMT "/" STR_FMT ": " STR_FMT,
				 STR_ARG(series), STR_ARG(file), STR_ARG(last));
	if (r.status >= 0
	    && csv_read(str_c(a, below(v, "out/data/sources.csv", a)), a, &sources, &why))
		judge(v, &sources, a, out);
	else if (r.timed_out)
		out->reason = str_printf(a, "reading it took more than %d s", READ_SECONDS);
	else if (r.status < 0)
		out->reason = str_printf(a, "reading it ended by signal %d", r.signal);
	else
		out->reason = str_printf(a, "collect could not read it: " STR_FMT, STR_ARG(last));
	return true;
}
