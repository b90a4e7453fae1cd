#include "offer.h"

#include "../base/file.h"
#include "../base/map.h"
#include "../base/num.h"
#include "../base/process.h"

#include <string.h>

/* Both an rsync daemon and a host reached by ssh: first a listing, which tells the number and the
 * sizes, then a mirror in the spool that brings only what changed. The mirror forgets what the
 * source forgets; what was accepted does not lie there. */

enum { LISTING_MAX = 1 << 25, STATUS_PARTIAL = 23, STATUS_VANISHED = 24 };

struct job {
	const struct fetch_source *source;
	struct arena *arena;
	const char *dir;    /* spool/rsync */
	const char *mirror; /* its folder in dir, ending in '/' */
	const char *from;   /* ends in '/' */
	const char *ssh;    /* "ssh -F …" */
};

static bool rsync(const struct job *j, const char *const *words, const char *to, size_t output_max,
		  struct process_result *r, struct error *err)
{
	static const char *const always[] = {
		"--recursive",    "--no-links",         "--no-devices",     "--no-specials",
		"--no-perms",     "--no-owner",         "--no-group",       "--no-human-readable",
		"--8-bit-output", "--prune-empty-dirs", "--max-alloc=256M", "--timeout=30",
	};
	const struct fetch_source *s = j->source;
	struct arena *a = j->arena;
	const char *argv[LEN(always) + 24 + 2 * FETCH_ENDINGS_MAX];
	struct str rest = s->files, ending;
	size_t n = 0;

	argv[n++] = "rsync";
	for (size_t i = 0; i < LEN(always); i++)
		argv[n++] = always[i];
	if (s->type == FETCH_RSYNC) {
		argv[n++] = "--contimeout=20";
	} else {
		argv[n++] = "-e";
		argv[n++] = j->ssh;
	}
	for (size_t i = 0; words[i]; i++)
		argv[n++] = words[i];
	argv[n++] = "--include=*/";
	while (str_cut(&rest, ' ', &ending))
		if (ending.len) {
			argv[n++] = str_c(a, str_printf(a, "--include=*" STR_FMT, STR_ARG(ending)));
			argv[n++] =
			    str_c(a, str_printf(a, "--include=*" STR_FMT ".sig", STR_ARG(ending)));
		}
	argv[n++] = "--exclude=*";
	argv[n++] = "--";
	argv[n++] = j->from;
	if (to)
		argv[n++] = to;
	argv[n] = NULL;
	struct fetch_tool tool = { argv,
				   NULL,
				   j->dir,
				   "rsync",
				   STR(""),
				   output_max,
				   s->max_file + 4096,
				   FETCH_TOOL_MEMORY,
				   s->seconds };
	return fetch_run_tool(&tool, a, r, err);
}

/* "-rw-r--r--  1234 2024/01/01 00:00:00 NAME"; of a link "NAME -> TARGET" */
struct listed {
	char kind;
	double bytes;
	struct str name;
};

static bool parse_line(struct str line, struct listed *l)
{
	struct str words[4];

	for (size_t i = 0; i < LEN(words); i++) {
		size_t from = 0, to;

		while (from < line.len && line.p[from] == ' ')
			from++;
		line = str_slice(line, from, line.len);
		to = str_find(line, STR(" "), 0);
		words[i] = str_slice(line, 0, to);
		line = str_slice(line, to, line.len);
	}
	l->name = str_slice(line, 1, line.len); /* one blank; the name may begin with more */
	l->kind = words[0].len ? words[0].p[0] : '\0';
	if (l->kind == 'l')
		l->name = str_slice(l->name, 0, str_find(l->name, STR(" -> "), 0));
	return l->name.len && words[0].len >= 10 && num_parse(words[1], false, &l->bytes);
}

/* Offers for what is listed and will not come; `coming` gets the names of the rest. */
static bool list_files(const struct job *j, struct file_list *coming, struct fetch_offers *out,
		       struct error *err)
{
	static const char *const words[] = { "--list-only", NULL };
	struct process_result r;
	struct str line, origin;
	double bytes = 0;

	if (!rsync(j, words, NULL, LISTING_MAX, &r, err))
		return false;
	while (str_cut(&r.output, '\n', &line)) {
		struct listed l;

		if (!parse_line(line, &l) || l.kind == 'd'
		    || !fetch_is_wanted(j->source, l.name, &origin))
			continue;
		if (l.kind == '-' && l.bytes <= (double)j->source->max_file) {
			coming->v = arena_grow(j->arena, coming->v, &coming->cap, coming->n + 1,
					       sizeof *coming->v);
			coming->v[coming->n++] = origin;
			bytes += l.bytes;
			continue;
		}
		struct fetch_offer *o = fetch_offer_add(out, origin, j->arena);
		o->bytes = l.bytes;
		o->problem = l.kind == 'l'   ? STR("a symbolic link")
			     : l.kind == '-' ? fetch_too_large(j->source, l.bytes, j->arena)
					     : STR("not a regular file");
	}
	return fetch_check_limits(j->source, coming->n + out->n, bytes, err);
}

/* --checksum: a file that was changed within a second keeps its time and maybe its size. */
static bool mirror_files(const struct job *j, struct error *err)
{
	struct arena *a = j->arena;
	const char *max_size = str_c(a, str_printf(a, "--max-size=%zu", j->source->max_file));
	const char *words[] = { "--checksum", "--delete", "--delete-excluded", max_size, NULL };
	struct process_result r = { 0 };
	struct error why = { 0 };

	if (rsync(j, words, j->mirror, 0, &r, &why))
		return true;
	if (r.status == STATUS_PARTIAL || r.status == STATUS_VANISHED)
		return true; /* what did not come is found out by name */
	*err = why;
	return false;
}

static void add_missing(const struct job *j, const struct file_list *coming,
			struct fetch_offers *out)
{
	struct map came = { .arena = j->arena };

	for (size_t i = 0; i < out->n; i++)
		map_put(&came, out->v[i].origin, i, NULL);
	for (size_t i = 0; i < coming->n; i++) {
		/* rsync writes the odd characters of a name as \#ooo: not to be found under that
		 * name */
		if (map_get(&came, coming->v[i])
		    || str_find(coming->v[i], STR("\\#"), 0) < coming->v[i].len)
			continue;
		struct fetch_offer *o = fetch_offer_add(out, coming->v[i], j->arena);
		o->problem = STR("rsync lists it but did not bring it");
		o->failed = true;
	}
}

static const char *make_from(const struct fetch_source *s, struct arena *a)
{
	struct fetch_ssh_address ssh;
	struct str from = s->url;

	if (s->type == FETCH_SSH && str_starts(from, STR("ssh://"))
	    && fetch_ssh_address_parse(s->url, &ssh))
		from = str_printf(a, STR_FMT "%s" STR_FMT ":" STR_FMT, STR_ARG(ssh.user),
				  ssh.user.len ? "@" : "", STR_ARG(ssh.host), STR_ARG(ssh.path));
	from = file_join(a, from, s->subfolder.len ? s->subfolder : STR(""));
	return str_c(a, from.p[from.len - 1] == '/' ? from
						    : str_printf(a, STR_FMT "/", STR_ARG(from)));
}

bool fetch_rsync(const struct fetch_source *asked, const struct fetch_place *place,
		 struct fetch_offers *out, struct error *err)
{
	struct arena *a = place->arena;
	struct fetch_source s = *asked; /* the subfolder is part of the address then */
	struct job j = { .source = &s, .arena = a };
	struct file_list coming = { 0 };
	const char *path;

	s.subfolder = (struct str){ 0 };
	j.dir = str_c(a, file_join(a, str_of(place->spool), STR("rsync")));
	j.mirror = str_c(a, str_printf(a, STR_FMT "/", STR_ARG(s.name)));
	j.from = make_from(asked, a);
	path = str_c(a, file_join(a, str_of(j.dir), str_of(j.mirror)));
	if (file_is_link(str_c(a, file_join(a, str_of(j.dir),
					    s.name)))) /* --delete would empty what it leads to */
		return error_set(err, ERR_ENVIRONMENT,
				 "%s: a symbolic link: the mirror has to be a folder", path);
	if (!file_make_dirs(path, err) || !fetch_ssh_command(&s, j.dir, a, &j.ssh, err))
		return false;
	if (!list_files(&j, &coming, out, err) || !mirror_files(&j, err)
	    || !fetch_read_folder(&s, path, false, place, out, err))
		return false;
	add_missing(&j, &coming, out);
	return true;
}
