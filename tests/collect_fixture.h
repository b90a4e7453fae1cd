/* The stage on a folder that the test fills: catalogue, contributions in one series, results. */
#ifndef TESTS_COLLECT_FIXTURE_H
#define TESTS_COLLECT_FIXTURE_H

#include "catalogue_fixture.h"

#include "../catalogue/edition.h"
#include "../collect/collect.h"

#include <limits.h>
#include <sys/stat.h>

#define FIXTURE_WORKLOADS                                                                          \
	"workload,metric,class,unit,better,lo,hi,flop_per_sample,bytes_per_sample,use,title,"      \
	"source\n"                                                                                 \
	"resnet50,throughput,cnn,images/s,higher,1,1e6,24.6e9,,score,ResNet-50,t\n"                \
	"resnet50,time,cnn,ms,lower,0.1,1e5,24.6e9,,info,ResNet-50 step,t\n"                       \
	"bert-base,throughput,transformer,sequences/s,higher,0.1,1e6,,,score,BERT base,t\n"        \
	"bert-large,throughput,transformer,sequences/s,higher,0.1,1e6,,,score,BERT large,t\n"      \
	"gemm-4096,tflops,gemm,tflops,higher,0.01,1e4,1e12,,score,Matrix product,t\n"

#define FIXTURE_SERIES                                                                             \
	"series,title,rules,software,date,licence,comparable,url\n"                                \
	"lab,Laboratory,median of 3,PyTorch 2,2024,MIT,yes,https://example.org/lab\n"              \
	"claims,Claims,none,various,2024,none stated,no,\n"

struct stage {
	struct fixture f;
	struct devices devices;
	struct messages messages;
	struct collect_summary summary;
	struct error err;
	const char *made[32]; /* folders, newest last */
	size_t nmade;
};

static inline void stage_dir(struct stage *s, const char *name)
{
	s->made[s->nmade] = fixture_path(&s->f, name);
	if (mkdir(s->made[s->nmade], 0777) == 0)
		s->nmade++;
}

static inline void stage_open(struct stage *s)
{
	memset(s, 0, sizeof *s);
	if (!fixture_open(&s->f) || !fixture_devices(&s->f, &s->devices, &s->err))
		error_print(stderr, &s->err);
	fixture_put(&s->f, "workloads.csv", FIXTURE_WORKLOADS);
	fixture_put(&s->f, "series.csv", FIXTURE_SERIES);
	stage_dir(s, "in");
	stage_dir(s, "in/lab");
	s->messages.arena = &s->f.arena;
}

/* Opens it; a text in its memory that begins with the header line. */
static inline struct strbuf stage_text(struct stage *s, const char *head)
{
	stage_open(s);
	struct strbuf b = { .arena = &s->f.arena };
	strbuf_add(&b, str_of(head));
	return b;
}

/* The paths are below the fixture's folder; "-" stays. */
static inline bool stage_run_paths(struct stage *s, const char *const *names, size_t n,
				   const struct edition *edition)
{
	const char *paths[8];
	struct collect_options opt = { .data_dir = s->f.dir,
				       .out_dir = fixture_path(&s->f, "out"),
				       .paths = paths,
				       .npaths = n,
				       .edition = edition };

	for (size_t i = 0; i < n; i++)
		paths[i] = strcmp(names[i], "-") ? fixture_path(&s->f, names[i]) : "-";
	s->messages.n = 0;
	s->err = (struct error){ 0 };
	return collect_run(&opt, &s->devices, &s->f.arena, &s->messages, &s->summary, &s->err);
}

static inline bool stage_run(struct stage *s)
{
	const char *in = "in";

	return stage_run_paths(s, &in, 1, NULL);
}

/* A written table without its header line. */
static inline struct str stage_rows(struct stage *s, const char *name)
{
	const char *path = fixture_path(&s->f, name);
	struct error err = { 0 };
	struct str text = { 0 };

	if (!file_read(path, 0, &s->f.arena, &text, &err))
		error_print(stdout, &err);
	return str_slice(text, str_find(text, STR("\n"), 0) + 1, text.len);
}

/* "file:line:col: text" lines, without what the stage says of every run in a fixture. */
static inline struct str stage_messages(struct stage *s)
{
	struct strbuf b = { .arena = &s->f.arena };

	for (size_t i = 0; i < s->messages.n; i++) {
		const struct message *m = &s->messages.v[i];
		struct str file = m->pos.file ? str_of(m->pos.file) : STR("");
		if (str_starts(file, str_of(s->f.dir)))
			file = str_slice(file, strlen(s->f.dir) + 1, file.len);
		strbuf_printf(&b, STR_FMT ":%d:%d: " STR_FMT "\n", STR_ARG(file), m->pos.line,
			      m->pos.col, STR_ARG(m->text));
	}
	return strbuf_str(&b);
}

static inline void stage_close(struct stage *s)
{
	static const char *const results[] = { "out/data/observations.csv", "out/data/machines.csv",
					       "out/data/sources.csv", "out/data/rejects.csv" };

	for (size_t i = 0; i < LEN(results); i++)
		unlink(fixture_path(&s->f, results[i]));
	while (s->f.n)
		unlink(s->f.files[--s->f.n].p);
	while (s->nmade)
		rmdir(s->made[--s->nmade]);
	rmdir(fixture_path(&s->f, "out/data"));
	rmdir(fixture_path(&s->f, "out"));
	fixture_close(&s->f);
}

/* What one run of the stage gave. */
struct outcome {
	struct str tables[4], messages; /* observations, machines, sources, rejects */
	struct collect_summary summary;
};

/* All that lies in "in"; of the options the folders and paths are filled in. The messages are
 * "failed" and told where the stage fails. */
static inline void outcome_run(struct stage *s, struct collect_options opt, struct outcome *out)
{
	static const char *const names[] = { "out/data/observations.csv", "out/data/machines.csv",
					     "out/data/sources.csv", "out/data/rejects.csv" };
	const char *paths[] = { fixture_path(&s->f, "in") };

	opt.data_dir = s->f.dir;
	opt.out_dir = fixture_path(&s->f, "out");
	opt.paths = paths;
	opt.npaths = 1;
	s->messages.n = 0;
	s->err = (struct error){ 0 };
	*out = (struct outcome){ .messages = STR("failed") };
	if (!collect_run(&opt, &s->devices, &s->f.arena, &s->messages, &out->summary, &s->err)) {
		error_print(stdout, &s->err);
		return;
	}
	for (size_t i = 0; i < LEN(names); i++)
		out->tables[i] = stage_rows(s, names[i]);
	out->messages = stage_messages(s);
}

static inline bool outcome_same(const struct outcome *x, const struct outcome *y)
{
	for (size_t i = 0; i < LEN(x->tables); i++)
		if (!str_eq(x->tables[i], y->tables[i]))
			return false;
	return str_eq(x->messages, y->messages)
	       && memcmp(&x->summary, &y->summary, sizeof x->summary) == 0;
}

#endif
