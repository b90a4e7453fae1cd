/* The scan of CSV alone, as collect has it beneath: chunks of a file to the threads, every cell's bounds looked at.
 *   scan [--threads N] FILE...    prints "rows=N cells=N bytes=N", the bytes those of the cells, blanks and
 *                                 quotes around them left out */
#include "../../base/csv_split.h"

#include <getopt.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS_MAX = 16, CHUNK = 8 << 20 };

struct job {
	char **paths;
	int npaths, next;
	pthread_mutex_t lock;
	bool open;
	struct csv_file file;
	struct csv_chunks chunks;
};

struct worker {
	struct job *job;
	struct csv_chunk chunk;
	struct arena buffer;
	size_t rows, cells, bytes;
	bool failed;
	struct error err;
	pthread_t thread;
};

/* The next chunk of the file that is being read, or of the next file; false when there is none. */
static bool take_chunk(struct worker *w)
{
	struct job *j = w->job;
	bool there = false;

	pthread_mutex_lock(&j->lock);
	while (!there && !w->failed && (j->open || j->next < j->npaths)) {
		if (!j->open) {
			const char *path = j->paths[j->next++];
			j->open = csv_file_open(&j->file, path, &w->err);
			w->failed = !j->open;
			if (j->open)
				csv_chunks_begin(&j->chunks, csv_file_source(&j->file), path, CHUNK, CSV_LEVEL_BEST);
			continue;
		}
		w->failed = !csv_chunks_next(&j->chunks, &w->chunk, &w->err);
		there = !w->failed && !w->chunk.over;
		if (!there) {
			csv_chunks_end(&j->chunks);
			csv_file_close(&j->file);
			j->open = false;
		}
	}
	pthread_mutex_unlock(&j->lock);
	return there;
}

static void *work(void *arg)
{
	struct worker *w = arg;
	struct csv_scan scan;
	struct csv_scan_row row;

	while (take_chunk(w)) {
		struct arena scratch = { 0 };
		csv_chunk_scan(&w->chunk, CSV_LEVEL_BEST, &scratch, &scan);
		for (; csv_scan_next(&scan, &row); w->rows++) {
			w->cells += row.n;
			for (size_t i = 0; i < row.n; i++)
				w->bytes += csv_scan_cell(&row, i).len;
		}
		if (scan.fault.kind) {
			w->failed = true;
			w->err = scan.fault.err;
		}
		arena_free(&scratch);
	}
	return NULL;
}

static int run(struct job *job, size_t threads)
{
	struct worker *w = calloc(threads, sizeof *w);
	size_t rows = 0, cells = 0, bytes = 0;
	bool failed = false;

	for (size_t i = 0; w && i < threads; i++) {
		w[i].job = job;
		w[i].chunk.arena = &w[i].buffer;
		if (i > 0 && pthread_create(&w[i].thread, NULL, work, &w[i]) != 0)
			exit(2);
	}
	if (!w)
		return 2;
	work(&w[0]);
	for (size_t i = 0; i < threads; i++) {
		if (i > 0)
			pthread_join(w[i].thread, NULL);
		rows += w[i].rows;
		cells += w[i].cells;
		bytes += w[i].bytes;
		failed = failed || w[i].failed;
		if (w[i].failed)
			error_print(stderr, &w[i].err);
		arena_free(&w[i].buffer);
	}
	free(w);
	printf("rows=%zu cells=%zu bytes=%zu\n", rows, cells, bytes);
	return failed;
}

int main(int argc, char **argv)
{
	static const struct option longs[] = { { "threads", 1, NULL, 't' }, { NULL, 0, NULL, 0 } };
	size_t threads = 1;
	int c;

	while ((c = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		if (c != 't')
			return 2;
		threads = (size_t)strtoul(optarg, NULL, 10);
	}
	if (threads < 1 || threads > THREADS_MAX || optind == argc)
		return 2;
	struct job job = { .paths = argv + optind, .npaths = argc - optind };
	pthread_mutex_init(&job.lock, NULL);
	int status = run(&job, threads);
	pthread_mutex_destroy(&job.lock);
	return fflush(stdout) == 0 ? status : 2;
}
