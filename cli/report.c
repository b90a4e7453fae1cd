/* gpuguide report: all three stages into a hidden folder, which gets its final name only when
 * everything in it is complete. */
#include "commands.h"
#include "context.h"

#include "../analyze/analyze.h"
#include "../base/csv_write.h"
#include "../base/file.h"
#include "../collect/collect.h"
#include "../render/render.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

enum { MESSAGES_SHOWN = 12, REVISIONS_MAX = 1000 };

/* One run at a time: *status is 3 when another holds OUT/.lock. The lock dies with the process. */
static bool take_lock(const struct options *opt, struct arena *a, int *status, struct error *err)
{
	const char *path = str_c(a, file_join(a, str_of(opt->out), STR(".lock")));
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	if (fd < 0)
		return error_errno(err, path);
	if (fcntl(fd, F_SETLK, &lock) == 0)
		return true;
	if (errno != EACCES && errno != EAGAIN)
		return error_errno(err, path);
	*status = 3;
	return error_set(err, ERR_ENVIRONMENT, "%s: another run holds the lock", path);
}

/* The files of DIR that end in suffix, recorded under label/. */
struct input_set {
	struct str dir, label;
	const char *suffix;
	bool recursive;
	bool by_name; /* its files are opened by name, and so read where a link leads */
};

static bool hash_file(struct str path, struct str label, struct arena *a, struct csv_out *w,
                      struct error *err)
{
	struct arena scratch = { 0 };
	struct str text;
	bool good = file_read(str_c(a, path), 0, &scratch, &text, err);

	if (good) {
		csv_put(w, str_plain(a, label)); /* names of files are bytes, the table is UTF-8 */
		csv_put(w, file_sha256(a, text));
		csv_put_int(w, (long)text.len);
		csv_end_row(w);
	}
	arena_free(&scratch);
	return good;
}

static bool hash_set(const struct input_set *set, struct arena *a, struct csv_out *w,
                     struct error *err)
{
	struct messages skipped = { .arena = a };
	struct file_list files;

	if (!file_is_dir(str_c(a, set->dir))) /* data/system and data/networks may be absent */
		return true;
	if (!file_list(str_c(a, set->dir), set->suffix, set->recursive, a, &files, &skipped, err))
		return false;
	for (size_t i = 0; i < files.n; i++)
		if (!hash_file(file_join(a, set->dir, files.v[i]), file_join(a, set->label, files.v[i]), a,
		               w, err))
			return false;
	for (size_t i = 0; set->by_name && i < skipped.n; i++) {
		struct str name = str_of(skipped.v[i].pos.file), path = file_join(a, set->dir, name);

		if (name.p[0] != '.' && file_exists(str_c(a, path))
		    && !hash_file(path, file_join(a, set->label, name), a, w, err))
			return false;
	}
	return true;
}

/* DIR/data/inputs.csv: what the edition is made from; its hash becomes part of the edition's id. */
static bool write_inputs(const struct context *c, const char *dir, struct error *err)
{
	const struct options *opt = c->opt;
	struct arena *a = c->arena;
	struct csv_out w = { .buf = { .arena = a } };
	struct str root = str_of(opt->root), data = str_of(c->data_dir);
	const struct input_set sets[] = {
		{ data, STR("data"), ".csv", false, true },
		{ data, STR("data"), ".ini", false, true },
		{ opt->contributions ? str_of(opt->contributions) : file_join(a, data, STR("contributions")),
		  STR("data/contributions"), ".csv", true, false },
		{ file_join(a, data, STR("networks")), STR("data/networks"), ".ini", false, false },
		{ file_join(a, data, STR("prices")), STR("data/prices"), ".csv", true, false },
		{ file_join(a, data, STR("system")), STR("data/system"), ".csv", false, true },
		{ file_join(a, root, STR("templates")), STR("templates"), "", false, true },
	};

	strbuf_add(&w.buf, STR("path,sha256,bytes\n"));
	for (size_t i = 0; i < LEN(sets); i++)
		if (!hash_set(&sets[i], a, &w, err))
			return false;
	if (!hash_file(str_of(context_edition_path(opt, a)),
	               str_printf(a, "editions/" STR_FMT ".ini", STR_ARG(c->edition.name)), a, &w, err))
		return false;
	return file_write(str_c(a, file_join(a, str_of(dir), STR("data/inputs.csv"))), strbuf_str(&w.buf),
	                  err);
}

static bool run_collect(struct context *c, const char *dir, struct error *err)
{
	const struct options *opt = c->opt;
	const char *shipped = str_c(c->arena, file_join(c->arena, str_of(c->data_dir), STR("contributions")));
	const char *const paths[] = { opt->contributions ? opt->contributions : shipped };
	struct collect_options stage = { c->data_dir, dir, paths, 1, &c->edition };
	struct collect_summary sum = { 0 };
	struct stopwatch w = stopwatch_start();

	if (!collect_run(&stage, &c->devices, c->arena, &c->messages, &sum, err))
		return false;
	if (!opt->quiet)
		fprintf(stderr, "%zu files, %zu rows: %zu accepted, %zu rejected, %zu set aside; "
		        "%zu machines, %zu devices (data/rejects.csv names each)\n",
		        sum.files, sum.rows, sum.accepted, sum.rejected, sum.set_aside, sum.machines,
		        sum.devices);
	context_print(&c->messages, MESSAGES_SHOWN);
	c->messages.n = 0;
	stopwatch_print(w, opt, "collect");
	return true;
}

static bool run_analyze(struct context *c, const char *dir, struct error *err)
{
	struct analyze_options stage = { c->data_dir, dir, &c->edition, &c->refused_prices,
					 c->templates_dir };
	struct stopwatch w = stopwatch_start();
	bool good = analyze_run(&stage, &c->devices, &c->prices, c->arena, &c->messages, err);

	context_print(&c->messages, MESSAGES_SHOWN);
	c->messages.n = 0;
	if (good)
		stopwatch_print(w, c->opt, "analyze");
	return good;
}

static bool run_render(struct context *c, const char *dir, struct error *err)
{
	struct render_options stage = { dir, c->templates_dir, c->opt->gnuplot,
	                                c->opt->source_date_epoch, STR(GPUGUIDE_VERSION) };
	struct stopwatch w = stopwatch_start();
	bool good = render_run(&stage, &c->devices, c->arena, &c->messages, err);

	context_print(&c->messages, MESSAGES_SHOWN);
	c->messages.n = 0;
	if (good)
		stopwatch_print(w, c->opt, "render");
	return good;
}

static bool same_manifest(const char *one, const char *other, struct arena *a)
{
	struct error ignored = { 0 };
	struct str x, y;

	return file_read(str_c(a, file_join(a, str_of(one), STR("MANIFEST"))), 0, a, &x, &ignored)
		&& file_read(str_c(a, file_join(a, str_of(other), STR("MANIFEST"))), 0, a, &y, &ignored)
		&& str_eq(x, y);
}

/* An edition never changes: the same bytes are left alone, other bytes become DATE-r2, DATE-r3, … */
static bool publish(struct context *c, const char *building, const char **final, struct error *err)
{
	struct arena *a = c->arena;
	struct str date = date_iso(a, c->edition.date);

	for (int r = 1; r <= REVISIONS_MAX; r++) {
		struct str name = r == 1 ? date : str_printf(a, STR_FMT "-r%d", STR_ARG(date), r);
		const char *path = str_c(a, file_join(a, str_of(c->opt->out), name));
		*final = path;
		if (!file_exists(path)) {
			if (rename(building, path) != 0)
				return error_errno(err, path);
			return true;
		}
		if (same_manifest(building, path, a)) {
			if (!c->opt->quiet)
				fprintf(stderr, "nothing changed: the edition is there already\n");
			return file_remove_tree(building, err);
		}
	}
	return error_set(err, ERR_ENVIRONMENT, "%s: more than %d revisions of one date", c->opt->out,
	                 REVISIONS_MAX);
}

static bool build(struct context *c, const char *dir, struct error *err)
{
	return file_make_dirs(str_c(c->arena, file_join(c->arena, str_of(dir), STR("data"))), err)
		&& write_inputs(c, dir, err) && run_collect(c, dir, err) && run_analyze(c, dir, err)
		&& run_render(c, dir, err);
}

bool command_report(const struct options *given, struct arena *a, int *status, struct error *err)
{
	struct options opt = *given;
	struct context c;
	const char *final = NULL;

	if (!opt.out)
		opt.out = "out";
	if (!context_open(&c, &opt, true, a, err) || !file_make_dirs(opt.out, err)
	    || !take_lock(&opt, a, status, err))
		return false;
	context_print(&c.refused_prices, MESSAGES_SHOWN);
	const char *building = str_c(a, file_join(a, str_of(opt.out), STR(".building")));
	if (file_exists(building) && !file_remove_tree(building, err)) /* a run that was killed */
		return false;
	bool good = build(&c, building, err) && publish(&c, building, &final, err);
	if (!good) {
		struct error ignored = { 0 };
		if (file_exists(building))
			file_remove_tree(building, &ignored);
		return false;
	}
	if (!opt.quiet)
		printf("%s/index.html\n%s/report.pdf\n", final, final);
	*status = 0;
	return true;
}
