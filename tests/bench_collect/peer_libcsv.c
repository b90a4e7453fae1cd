/* What libcsv alone takes for the figures that collect needs, as one would write it by hand: one parser a piece,
 * strtod, a hash table by (device, workload, metric). The columns stand where gen puts them.
 *   peer_libcsv [--threads N] [--parse | --cells] FILE...
 *     device,workload,metric,count,sum,max,median   of all rows, in byte order; without options
 *   --parse    only "rows=N cells=N": the parser and nothing else
 *   --cells    device,workload,metric,precision,device_count,runs,value with value the median of the machines'
 *              medians, as collect defines it: to hold observations.csv against
 *   --threads  pieces of one file end at a line end outside quotes (an even number of quotes before it: right
 *              where every quote stands as RFC 4180 has it); several files are handed out one by one */
#include "../../base/arena.h"
#include "../../base/map.h"
#include "../../base/stat.h"
#include "../../base/str.h"

#include <csv.h>
#include <fcntl.h>
#include <getopt.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { THREADS_MAX = 16, CELLS = 15, CELL_MAX = 128, KEY_MAX = CELLS * CELL_MAX, FEED = 1 << 16 };
enum { MACHINE = 0, DEVICE = 2, COUNT = 3, WORKLOAD = 5, PRECISION = 6, METRIC = 8, VALUE = 9 };
enum mode { MODE_GROUPS, MODE_CELLS, MODE_PARSE };

/* Columns of the key in its order; what is printed stands first. */
static const int group_key[] = { DEVICE, WORKLOAD, METRIC };
static const int cell_key[] = { DEVICE, WORKLOAD, METRIC, PRECISION, COUNT, MACHINE };

struct piece {
	const char *p;
	size_t len;
	bool has_header;
};

struct group {
	struct str key;
	double *values, sum, max;
	size_t n, cap;
};

struct worker {
	const struct job *job;
	struct arena arena;
	struct map map;
	struct group *groups;
	size_t ngroups, cap;
	uint64_t rows, cells;
	/* the row being read */
	bool skip; /* it is the header */
	size_t at;
	char text[CELLS][CELL_MAX];
	size_t len[CELLS];
	pthread_t thread;
};

struct job {
	enum mode mode;
	const struct piece *pieces;
	size_t npieces;
	atomic_size_t *next;
};

static void take_cell(void *p, size_t n, void *ctx)
{
	struct worker *w = ctx;

	if (w->at < CELLS) {
		w->len[w->at] = n < CELL_MAX - 1 ? n : CELL_MAX - 1;
		memcpy(w->text[w->at], p, w->len[w->at]);
	}
	w->at++;
}

static void count_cell(void *p, size_t n, void *ctx)
{
	struct worker *w = ctx;

	(void)p;
	(void)n;
	w->cells++;
}

static struct group *group_of(struct worker *w, struct str key)
{
	const size_t *found = map_get(&w->map, key);

	if (found)
		return &w->groups[*found];
	key = str_dup(&w->arena, key);
	map_put(&w->map, key, w->ngroups, NULL);
	w->groups = arena_grow(&w->arena, w->groups, &w->cap, w->ngroups + 1, sizeof *w->groups);
	w->groups[w->ngroups] = (struct group){ .key = key };
	return &w->groups[w->ngroups++];
}

static void add_value(struct worker *w, struct group *g, double value)
{
	g->values = arena_grow(&w->arena, g->values, &g->cap, g->n + 1, sizeof *g->values);
	g->max = g->n == 0 || value > g->max ? value : g->max;
	g->sum += value;
	g->values[g->n++] = value;
}

static void take_row(int end, void *ctx)
{
	struct worker *w = ctx;
	const int *columns = w->job->mode == MODE_CELLS ? cell_key : group_key;
	size_t ncolumns = w->job->mode == MODE_CELLS ? LEN(cell_key) : LEN(group_key);
	char key[KEY_MAX];
	size_t n = 0;
	bool whole = w->at == CELLS;

	(void)end;
	w->at = 0;
	if (w->skip || !whole) {
		w->skip = false;
		return;
	}
	for (size_t i = 0; i < ncolumns; i++) {
		memcpy(key + n, w->text[columns[i]], w->len[columns[i]]);
		n += w->len[columns[i]];
		key[n++] = ',';
	}
	w->text[VALUE][w->len[VALUE]] = '\0';
	w->rows++;
	add_value(w, group_of(w, (struct str){ key, n - 1 }), strtod(w->text[VALUE], NULL));
}

static void count_row(int end, void *ctx)
{
	struct worker *w = ctx;

	(void)end;
	w->rows += !w->skip;
	w->skip = false;
}

static void read_piece(struct worker *w, const struct piece *piece)
{
	bool parse = w->job->mode == MODE_PARSE;
	void (*cell)(void *, size_t, void *) = parse ? count_cell : take_cell;
	void (*row)(int, void *) = parse ? count_row : take_row;
	struct csv_parser parser;

	if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI) != 0)
		exit(2);
	w->skip = piece->has_header;
	for (size_t at = 0; at < piece->len;) {
		size_t n = piece->len - at < FEED ? piece->len - at : FEED;
		if (csv_parse(&parser, piece->p + at, n, cell, row, w) != n) {
			fprintf(stderr, "peer_libcsv: %s\n", csv_strerror(csv_error(&parser)));
			exit(1);
		}
		at += n;
	}
	if (csv_fini(&parser, cell, row, w) != 0)
		exit(1);
	csv_free(&parser);
}

static void *work(void *arg)
{
	struct worker *w = arg;

	for (size_t i; (i = atomic_fetch_add(w->job->next, 1)) < w->job->npieces;)
		read_piece(w, &w->job->pieces[i]);
	return NULL;
}

/* The first byte of a line at or after `from`: quotes before it are counted, so that a line end inside quotes
 * is none. */
static size_t line_after(const char *p, size_t start, size_t from, size_t len)
{
	bool quoted = false;

	for (const char *q = p + start; q < p + from && (q = memchr(q, '"', (size_t)(p + from - q))); q++)
		quoted = !quoted;
	for (size_t i = from; i < len; i++) {
		quoted ^= p[i] == '"';
		if (p[i] == '\n' && !quoted)
			return i + 1;
	}
	return len;
}

/* One file gives as many pieces as there are threads, of several files each is one. */
static size_t cut(const char *path, size_t parts, struct piece *pieces)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	size_t n = 0, len = 0;

	if (fd < 0 || fstat(fd, &st) != 0) {
		perror(path);
		exit(2);
	}
	if (st.st_size == 0)
		return 0;
	len = (size_t)st.st_size;
	const char *p = mmap(NULL, len, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED) {
		perror(path);
		exit(2);
	}
	close(fd);
	for (size_t from = 0, i = 0; i < parts && from < len; i++) {
		size_t share = len / parts * (i + 1);
		size_t to = i + 1 == parts ? len : line_after(p, from, share > from ? share : from, len);
		pieces[n++] = (struct piece){ p + from, to - from, i == 0 };
		from = to;
	}
	return n;
}

static void merge(struct worker *to, const struct worker *from)
{
	for (size_t i = 0; i < from->ngroups; i++)
		for (size_t k = 0; k < from->groups[i].n; k++)
			add_value(to, group_of(to, from->groups[i].key), from->groups[i].values[k]);
	to->rows += from->rows;
	to->cells += from->cells;
}

static int compare(const void *pa, const void *pb)
{
	return str_cmp(((const struct group *)pa)->key, ((const struct group *)pb)->key);
}

static struct str cell_of(struct str key)
{
	size_t len = key.len;

	while (len > 0 && key.p[len - 1] != ',')
		len--;
	return str_slice(key, 0, len ? len - 1 : 0);
}

/* Machines of one cell stand together. */
static void print_cells(struct worker *w)
{
	double *medians = arena_array(&w->arena, w->ngroups, sizeof *medians);

	for (size_t i = 0; i < w->ngroups;) {
		struct str cell = cell_of(w->groups[i].key);
		size_t n = 0, runs = 0;
		for (; i < w->ngroups && str_eq(cell_of(w->groups[i].key), cell); i++) {
			medians[n++] = stat_median(w->groups[i].values, w->groups[i].n, &w->arena);
			runs += w->groups[i].n;
		}
		printf(STR_FMT ",%zu,%.17g\n", STR_ARG(cell), runs, stat_median(medians, n, &w->arena));
	}
}

static void print_groups(struct worker *w)
{
	for (size_t i = 0; i < w->ngroups; i++) {
		const struct group *g = &w->groups[i];
		printf(STR_FMT ",%zu,%.17g,%.17g,%.17g\n", STR_ARG(g->key), g->n, g->sum, g->max,
		       stat_median(g->values, g->n, &w->arena));
	}
}

static void run(const struct job *job, size_t threads)
{
	struct worker *w = calloc(threads, sizeof *w);

	if (!w)
		exit(2);
	for (size_t i = 0; i < threads; i++) {
		w[i].job = job;
		w[i].map.arena = &w[i].arena;
		if (i > 0 && pthread_create(&w[i].thread, NULL, work, &w[i]) != 0)
			exit(2);
	}
	work(&w[0]);
	for (size_t i = 1; i < threads; i++) {
		pthread_join(w[i].thread, NULL);
		merge(&w[0], &w[i]);
	}
	if (w->ngroups)
		qsort(w->groups, w->ngroups, sizeof *w->groups, compare);
	if (job->mode == MODE_PARSE)
		printf("rows=%llu cells=%llu\n", (unsigned long long)w->rows, (unsigned long long)w->cells);
	else if (job->mode == MODE_CELLS)
		print_cells(&w[0]);
	else
		print_groups(&w[0]);
	for (size_t i = 0; i < threads; i++)
		arena_free(&w[i].arena);
	free(w);
}

int main(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "threads", 1, NULL, 't' }, { "parse", 0, NULL, 'p' }, { "cells", 0, NULL, 'c' }, { NULL, 0, NULL, 0 },
	};
	struct job job = { .mode = MODE_GROUPS };
	size_t threads = 1;
	atomic_size_t next = 0;
	int c;

	while ((c = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		if (c == 't')
			threads = (size_t)strtoul(optarg, NULL, 10);
		else if (c == 'p')
			job.mode = MODE_PARSE;
		else if (c == 'c')
			job.mode = MODE_CELLS;
		else
			return 2;
	}
	size_t nfiles = (size_t)(argc - optind), parts = nfiles == 1 ? threads : 1;
	if (nfiles == 0 || threads < 1 || threads > THREADS_MAX)
		return 2;
	struct piece *pieces = calloc(nfiles * parts, sizeof *pieces);
	if (!pieces)
		return 2;
	for (size_t i = 0; i < nfiles; i++)
		job.npieces += cut(argv[optind + (int)i], parts, pieces + job.npieces);
	job.pieces = pieces;
	job.next = &next;
	run(&job, threads);
	free(pieces);
	return fflush(stdout) == 0 ? 0 : 2;
}
