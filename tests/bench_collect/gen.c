/* Makes contributions to measure collect with, the same ones for the same options.
 *   gen [OPTION...] DIR     writes DIR/0000000.csv, DIR/0000001.csv …, and says to standard output
 *                           files=N rows=N quoted=N bad=N machines=N bytes=N
 *   --bytes N[K|M|G]  of each file (the last row ends before it; K is 1000); or
 *   --rows N          of each file
 *   --files N         how many; each begins with a new machine
 *   --machine-rows N  rows until the next machine; 0: one machine a file
 *   --quoted PCT, --bad PCT   share of the rows that have quoted cells, and that collect must refuse
 *   --bare            the rows of --quoted without their quotes, and without what wants them:
 *                     as many kinds of rows
 *   --lean            short names of machines, frameworks and sources: about 115 bytes a row instead of 210
 *   --crlf, --bom     line ends of two characters; the mark of UTF-8 before the header
 *   --seed N, --data DIR      another draw; the catalogue (data) */
#include "gen_rows.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER = 1 << 20 };

struct options {
	const char *dir, *data;
	uint64_t bytes, rows, files;
	struct gen_style style;
	bool bom;
};

struct sink {
	int fd;
	char *p;
	size_t n;
	uint64_t bytes; /* given to this file, those in the buffer too */
};

static bool flush(struct sink *s)
{
	for (size_t at = 0; at < s->n;) {
		ssize_t n = write(s->fd, s->p + at, s->n - at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		at += (size_t)n;
	}
	s->n = 0;
	return true;
}

static void add(struct sink *s, const char *p, size_t n)
{
	memcpy(s->p + s->n, p, n);
	s->n += n;
	s->bytes += n;
}

/* Rows until the file has its size; the row that would pass it is the first of the next file. */
static bool fill(struct gen *g, const struct options *o, struct sink *s)
{
	const char *end = o->style.crlf ? "\r\n" : "\n";

	if (o->bom)
		add(s, "\xEF\xBB\xBF", 3);
	add(s, gen_header, strlen(gen_header));
	add(s, end, strlen(end));
	for (uint64_t row = 0; o->rows ? row < o->rows : s->bytes + ROW_TEXT_MAX / 4 < o->bytes; row++) {
		if (s->n + ROW_TEXT_MAX > BUFFER && !flush(s))
			return false;
		size_t len = gen_row(g, s->p + s->n);
		s->n += len;
		s->bytes += len;
	}
	return flush(s);
}

static bool make_file(struct gen *g, const struct options *o, uint64_t i, char *buffer, uint64_t *bytes,
                      struct error *err)
{
	char path[PATH_MAX];

	snprintf(path, sizeof path, "%s/%07llu.csv", o->dir, (unsigned long long)i);
	struct sink s = { open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), buffer, 0, 0 };
	if (s.fd < 0)
		return error_errno(err, path);
	bool good = fill(g, o, &s) || error_errno(err, path);
	if (close(s.fd) != 0 && good)
		good = error_errno(err, path);
	*bytes += s.bytes;
	return good;
}

static bool run(const struct options *o, struct arena *a, struct error *err)
{
	struct gen_pool pool;
	uint64_t bytes = 0;

	if (!gen_pool_read(o->data, a, &pool, err))
		return false;
	if (mkdir(o->dir, 0777) != 0 && errno != EEXIST)
		return error_errno(err, o->dir);
	struct gen g = gen_begin(&pool, o->style);
	char *buffer = arena_alloc(a, BUFFER);
	for (uint64_t i = 0; i < o->files; i++) {
		if (i > 0)
			gen_next_machine(&g);
		if (!make_file(&g, o, i, buffer, &bytes, err))
			return false;
	}
	printf("files=%llu rows=%llu quoted=%llu bad=%llu machines=%llu bytes=%llu\n", (unsigned long long)o->files,
	       (unsigned long long)g.rows, (unsigned long long)g.quoted, (unsigned long long)g.bad,
	       (unsigned long long)g.machines, (unsigned long long)bytes);
	return true;
}

static bool number(const char *name, const char *text, uint64_t most, uint64_t *out, struct error *err)
{
	char *end;

	errno = 0;
	unsigned long long v = strtoull(text, &end, 10);
	for (const char *unit = "KMG"; *unit && *end; unit++) {
		v *= 1000;
		if (*end == *unit) {
			end++;
			break;
		}
	}
	if (text[0] < '0' || text[0] > '9' || *end || errno || v > most)
		return error_set(err, ERR_USAGE, "--%s: '%s' is not a number up to %llu", name, text,
		                 (unsigned long long)most);
	*out = v;
	return true;
}

static bool parse(int argc, char **argv, struct options *o, struct error *err)
{
	static const struct option longs[] = {
		{ "bytes", 1, NULL, 'b' }, { "rows", 1, NULL, 'r' },   { "files", 1, NULL, 'f' },
		{ "machine-rows", 1, NULL, 'm' }, { "quoted", 1, NULL, 'q' }, { "bad", 1, NULL, 'x' },
		{ "lean", 0, NULL, 'l' },  { "bare", 0, NULL, 'a' },
		{ "crlf", 0, NULL, 'c' },  { "bom", 0, NULL, 'B' },    { "seed", 1, NULL, 's' },
		{ "data", 1, NULL, 'd' },  { NULL, 0, NULL, 0 },
	};
	uint64_t v = 0;
	int c, at;

	while ((c = getopt_long(argc, argv, "", longs, &at)) != -1) {
		if (c == '?')
			return error_set(err, ERR_USAGE, "see the head of gen.c");
		if (c != 'd' && optarg
		    && !number(longs[at].name, optarg, c == 'q' || c == 'x' ? 100 : UINT64_MAX / 2, &v, err))
			return false;
		switch (c) {
		case 'b': o->bytes = v; break;
		case 'r': o->rows = v; break;
		case 'f': o->files = v; break;
		case 'm': o->style.rows_per_machine = v ? v : UINT64_MAX; break;
		case 'q': o->style.quoted_pct = (unsigned)v; break;
		case 'x': o->style.bad_pct = (unsigned)v; break;
		case 's': o->style.seed = v; break;
		case 'l': o->style.lean = true; break;
		case 'a': o->style.bare = true; break;
		case 'c': o->style.crlf = true; break;
		case 'B': o->bom = true; break;
		default: o->data = optarg;
		}
	}
	if (optind + 1 != argc || (o->bytes == 0) == (o->rows == 0))
		return error_set(err, ERR_USAGE, "usage: gen --bytes N | --rows N [OPTION...] DIR");
	o->dir = argv[optind];
	return true;
}

int main(int argc, char **argv)
{
	struct options o = { .data = "data", .files = 1, .style = { .seed = 1, .rows_per_machine = 4000 } };
	struct arena a = { 0 };
	struct error err = { 0 };

	if (parse(argc, argv, &o, &err) && !run(&o, &a, &err) && err.code == ERR_NONE)
		error_set(&err, ERR_ENVIRONMENT, "failed");
	if (err.code != ERR_NONE)
		error_print(stderr, &err);
	arena_free(&a);
	return error_exit_status(&err);
}
