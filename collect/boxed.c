#define _GNU_SOURCE /* dl_iterate_phdr */

#include "boxed.h"

#include "limits.h"
#include "output.h"
#include "stage.h"
#include "../base/box.h"
#include "../base/file.h"
#include "../base/io.h"
#include "../base/pack.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

/* The stage on its way. What the child writes: the list of the cache, then the head (error or not,
 * summary, messages, lengths of the tables), the tables, and at the end where the head begins. */
struct job {
	const struct collect_options *opt;
	const struct devices *devices;
	struct arena *arena;
	struct messages *messages;
};

/* --- what may be read --- */

struct paths {
	struct arena *arena;
	const char **v;
	size_t n, cap;
};

static void add_path(struct paths *p, const char *path)
{
	p->v = arena_grow(p->arena, p->v, &p->cap, p->n + 1, sizeof *p->v);
	p->v[p->n++] = path;
}

/* A file of the catalogue may be a link, as an installation of links makes them. */
static void add_links(struct paths *p, const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *e;

	while (dir && (e = readdir(dir))) {
		const char *path =
			str_c(p->arena, file_join(p->arena, str_of(folder), str_of(e->d_name)));
		if (file_is_link(path))
			add_path(p, path);
	}
	if (dir)
		closedir(dir);
}

/* One that is a link is none (signature.h), and where it leads nothing is to be read. */
static void add_signature(struct paths *p, const char *path)
{
	const char *signature = str_c(p->arena, str_printf(p->arena, "%s.sig", path));

	if (!file_is_link(signature))
		add_path(p, signature);
}

/* The keys of the cache hold the identity of the program and its libraries: of one without a build
 * id the bytes are hashed. */
static int add_object(struct dl_phdr_info *object, size_t size, void *ctx)
{
	struct paths *p = ctx;

	(void)size;
	if (object->dlpi_name[0] == '/')
		add_path(p, str_c(p->arena, str_of(object->dlpi_name)));
	return 0;
}

/* A file may have a signature beside it; what is not there is passed over. */
static struct paths readable(const struct job *j)
{
	struct paths p = { .arena = j->arena };

	for (size_t i = 0; i < j->opt->npaths; i++)
		if (strcmp(j->opt->paths[i], "-") != 0) {
			add_path(&p, j->opt->paths[i]);
			add_signature(&p, j->opt->paths[i]);
		}
	add_path(&p, j->opt->data_dir);
	add_links(&p, j->opt->data_dir);
	add_links(&p, str_c(j->arena, file_join(j->arena, str_of(j->opt->data_dir),
						STR("contributors"))));
	if (j->opt->cache)
		add_path(&p, cache_dir(j->opt->cache));
	add_path(&p, "/proc/self/exe");
	dl_iterate_phdr(add_object, &p);
	add_path(&p, "/sys/devices/system/cpu"); /* how many processors there are */
	return p;
}

/* Bytes that the child may hand back beside what is for the cache. */
static size_t result_most(const struct collect_options *opt)
{
	return opt->result ? opt->result : LIMIT_RESULT_BYTES;
}

static size_t listed_most(const struct collect_options *opt)
{
	return opt->cache ? LIMIT_LISTED_BYTES : 0;
}

static bool reads_input(const struct collect_options *opt)
{
	for (size_t i = 0; i < opt->npaths; i++)
		if (strcmp(opt->paths[i], "-") == 0)
			return true;
	return false;
}

/* The child can make no file. 0 where there can be none. */
static int open_scratch(const char *dir)
{
	struct error ignored = { 0 };
	int fd = file_make_unnamed(dir, &ignored);

	return fd < 0 ? 0 : fd;
}

/* --- in the child --- */

/* A child that cannot hand back its result has none. */
static void write_or_die(int fd, const void *p, size_t n)
{
	if (!io_write_all(fd, p, n))
		_exit(BOX_EXIT_ERRNO + errno);
}

static void pack_error(struct strbuf *b, const struct error *err)
{
	pack_put_int(b, err->code);
	pack_put_str(b, str_of(err->pos.file ? err->pos.file : ""));
	pack_put_int(b, err->pos.line);
	pack_put_int(b, err->pos.col);
	pack_put_str(b, str_of(err->msg));
}

static void work(void *ctx, int out)
{
	const struct job *j = ctx;
	struct collect_options opt = *j->opt;
	struct collect_tables tables = { 0 };
	struct collect_summary summary = { 0 };
	struct error err = { 0 };
	struct strbuf b = { .arena = j->arena }, said = { .arena = j->arena };
	size_t first = j->messages->n;

	if (fcntl(BOX_SCRATCH_FD, F_GETFD) >= 0)
		opt.scratch_fd = BOX_SCRATCH_FD;
	cache_list(opt.cache, out, listed_most(j->opt));
	stage_make(&opt, j->devices, j->arena, j->messages, &tables, &summary, &err);
	uint64_t at = (uint64_t)lseek(out, 0, SEEK_CUR);
	stage_pack(&said, j->messages, first, &summary, &err);
	pack_error(&b, &err);
	strbuf_add(&b, strbuf_str(&said));
	for (size_t i = 0; i < COLLECT_TABLES; i++)
		pack_put_int(&b, (long long)tables.text[i].len);
	write_or_die(out, b.p, b.len);
	for (size_t i = 0; i < COLLECT_TABLES; i++)
		write_or_die(out, tables.text[i].p, tables.text[i].len);
	write_or_die(out, &at, sizeof at);
}

/* --- back --- */

static void unpack_error(struct unpack *u, struct arena *a, struct error *err)
{
	enum error_code code = (enum error_code)unpack_index(u, ERR_ENVIRONMENT + 1);
	struct str file = unpack_str(u);
	struct pos pos = { file.len ? str_c(a, file) : NULL, (int)unpack_int(u), 0 };

	pos.col = (int)unpack_int(u);
	struct str msg = unpack_str(u);
	if (!u->bad && code != ERR_NONE)
		error_at(err, code, pos, STR_FMT, STR_ARG(msg));
}

static void unpack_tables(struct unpack *u, struct collect_tables *tables)
{
	for (size_t i = 0; i < COLLECT_TABLES; i++)
		tables->text[i].len = unpack_index(u, u->rest.len + 1);
	for (size_t i = 0; i < COLLECT_TABLES && !u->bad; i++) {
		u->bad = tables->text[i].len > u->rest.len;
		tables->text[i] = str_slice(u->rest, 0, tables->text[i].len);
		u->rest = str_slice(u->rest, tables->text[i].len, u->rest.len);
	}
}

/* Cuts off what the cache is to do, and leaves head and tables. */
static bool split(struct str all, struct str *listed, struct str *rest)
{
	uint64_t at;

	if (all.len < sizeof at)
		return false;
	memcpy(&at, all.p + all.len - sizeof at, sizeof at);
	if (at > all.len - sizeof at)
		return false;
	*listed = str_slice(all, 0, (size_t)at);
	*rest = str_slice(all, (size_t)at, all.len - sizeof at);
	return true;
}

/* What is left free for the cache is not for the rest. */
static bool is_within(const struct job *j, struct str output, struct str listed, struct error *err)
{
	size_t most = result_most(j->opt);

	if (output.len - listed.len <= most)
		return true;
	return error_set(err, ERR_ENVIRONMENT,
			 "collect: its process handed back more than %zu bytes of results", most);
}

static bool take(const struct job *j, struct str output, struct collect_summary *summary,
		 struct error *err)
{
	struct collect_tables tables = { 0 };
	struct unpack u = { 0 };
	struct str listed = { 0 };
	size_t before = j->messages->n;

	u.bad = !split(output, &listed, &u.rest);
	if (!u.bad && !is_within(j, output, listed, err))
		return false;
	unpack_error(&u, j->arena, err);
	stage_unpack(&u, j->messages, summary);
	unpack_tables(&u, &tables);
	if (!unpack_end(&u)) {
		j->messages->n = before;
		*err = (struct error){ 0 };
		return error_set(err, ERR_ENVIRONMENT,
				 "collect: its process handed back what cannot be read");
	}
	if (err->code != ERR_NONE)
		return false;
	if (j->opt->cache)
		cache_carry_out(j->opt->cache, listed);
	return output_write(&tables, j->opt->out_dir, j->arena, err);
}

bool collect_boxed(const struct collect_options *opt, const struct devices *devices,
		   struct arena *a, struct messages *messages, struct collect_summary *summary,
		   struct collect_box *box, struct error *err)
{
	struct job j = { opt, devices, a, messages };
	struct paths paths = readable(&j);
	const struct box b = { .what = "collect", .rules = { paths.v, paths.n },
	                       .work = work, .ctx = &j,
	                       .most = listed_most(opt) + result_most(opt),
	                       .input = reads_input(opt),
	                       .input_most = (size_t)LIMIT_MEMORY_BYTES + 1, /* refused then */
	                       .scratch = open_scratch(opt->out_dir) };
	struct box_result result;

	bool good = box_run(&b, a, &result, err);
	if (b.scratch)
		close(b.scratch);
	*box = (struct collect_box){ result.state, result.words };
	good = good && take(&j, result.output, summary, err);
	box_close(&result);
	return good;
}
