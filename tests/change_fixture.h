/* Two editions by hand, and a folder to write them into: shared by the tests of analyze/change. */
#ifndef TESTS_CHANGE_FIXTURE_H
#define TESTS_CHANGE_FIXTURE_H

#include "test.h"

#include "../analyze/change.h"
#include "../base/arena.h"
#include "../base/file.h"

#include <stdlib.h>
#include <string.h>

/* The files of an edition; NULL: not written. A manifest names the inputs only: make() adds the
 * lines of the files that it writes. */
struct folder {
	const char *scores, *values, *prices, *edition, *manifest, *report;
};

#define SCORES                                                                                     \
	"device,class,score,low,high,origin,anchor,predictor,error_pct,machines,runs,workloads,"   \
	"series,reason\n"
#define VALUES "device,class,lens,cost_usd,value,low,high,rank,tie,status\n"
#define PRICES "device,lens,price_usd,low,high,markets,observations,newest_date,age_days,status\n"
#define SETTINGS(date, reference, policy, markets)                                                 \
	"key,value\nname,hand\ndate," date "\nreference," reference                                \
	"\nclasses,cnn\nmarkets,\"" markets "\"\npolicy.cnn," policy                               \
	"\nreference.cnn,measured\nmethod.cnn,linear\n"
#define HASH "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde"
/* Reference R; A measured, B scaled, C without a price, D gone in summer, F never scored, G scaled
 * twice. */
static const struct folder spring = {
	SCORES "R,cnn,1,,,measured,,,,3,9,4,lab,\n"
	       "A,cnn,0.5,,,measured,,,,2,2,4,lab,\n"
	       "B,cnn,0.8,,,scaled,R,linear fp32_tflops,20,,,,,\n"
	       "C,cnn,0.7,,,measured,,,,1,1,4,lab,\n"
	       "D,cnn,0.2,,,measured,,,,1,1,4,lab,\n"
	       "F,cnn,,,,excluded,,,,,,,,too uncertain\n"
	       "G,cnn,0.4,,,scaled,R,linear bandwidth_gbs,20,,,,,\n",
	VALUES "R,cnn,card,1000,0.4,,,5,no,ok\n"
	       "A,cnn,card,200,1,,,1,no,ok\n"
	       "B,cnn,card,400,0.8,,,2,no,ok\n"
	       "C,cnn,card,,,,,,,no-price\n"
	       "D,cnn,card,125,0.64,,,3,no,ok\n"
	       "F,cnn,card,100,,,,,,no-score\n"
	       "G,cnn,card,320,0.5,,,4,no,ok\n",
	PRICES "R,card,1000,,,amazon,1,2019-05-01,0,ok\nA,card,200,,,amazon,1,2019-05-01,0,ok\n"
	       "B,card,400,,,ebay,1,2019-05-01,0,ok\nC,card,,,,,,,,missing\n",
	SETTINGS("2019-05-01", "R", "guide", "amazon, ebay"),
	HASH "0  -  input:data/contributions/lab/a.csv\n" HASH
	     "1  -  input:data/prices/may.csv\n" HASH "2  -  input:editions/hand.ini\n",
	"{\n \"generator\": \"gpuguide 0.1.0\",\n}\n",
};
struct bench {
	struct test *t;
	struct arena *arena;
	const char *root;
	int made; /* folders so far: each has a name of its own */
};

static inline void put(const struct bench *b, const char *dir, const char *name, const char *text)
{
	struct error err = { 0 };
	const char *path = str_c(b->arena, str_printf(b->arena, "%s/%s", dir, name));

	if (text && !file_write(path, str_of(text), &err))
		error_print(stderr, &err);
}

/* One of a manifest that does not end with a line end stays torn. */
static inline const char *sealed(const struct bench *b, const struct folder *f)
{
	const struct {
		const char *name, *text;
	} files[] = { { "data/scores.csv", f->scores },
		      { "data/values.csv", f->values },
		      { "data/prices.csv", f->prices },
		      { "data/edition.csv", f->edition },
		      { "report.json", f->report } };
	struct strbuf s = { .arena = b->arena };

	if (!f->manifest || !str_ends(str_of(f->manifest), STR("\n")))
		return f->manifest;
	strbuf_add(&s, str_of(f->manifest));
	for (size_t i = 0; i < LEN(files); i++)
		if (files[i].text)
			strbuf_printf(&s, STR_FMT "  %zu  %s\n",
				      STR_ARG(file_sha256(b->arena, str_of(files[i].text))),
				      strlen(files[i].text), files[i].name);
	return str_c(b->arena, strbuf_str(&s));
}

static inline const char *make(struct bench *b, const struct folder *f)
{
	struct error err = { 0 };
	const char *dir =
	    str_c(b->arena, str_printf(b->arena, "%s/edition-%d", b->root, ++b->made));

	if (!file_make_dirs(str_c(b->arena, str_printf(b->arena, "%s/data", dir)), &err))
		error_print(stderr, &err);
	put(b, dir, "data/scores.csv", f->scores);
	put(b, dir, "data/values.csv", f->values);
	put(b, dir, "data/prices.csv", f->prices);
	put(b, dir, "data/edition.csv", f->edition);
	put(b, dir, "MANIFEST", sealed(b, f));
	put(b, dir, "report.json", f->report);
	return dir;
}

/* Makes the root folder; false with a failed test. `root` is a template of mkdtemp(). */
static inline bool bench_open(struct bench *b, struct test *t, struct arena *a, char *root)
{
	*b = (struct bench){ t, a, mkdtemp(root), 0 };
	if (!b->root)
		test_ok(t, false, "a folder for the fixtures");
	return b->root != NULL;
}

static inline void bench_close(struct bench *b)
{
	struct error err = { 0 };

	if (!file_remove_tree(b->root, &err))
		error_print(stderr, &err);
}

#endif
