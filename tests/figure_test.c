/* The figures of large editions: which devices are drawn, order, logarithmic axes; and editions
 * with little. */
#include "../base/csv_write.h"
#include "../base/file.h"
#include "../render/build.h"
#include "../render/chart.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* An edition of n cards in two classes. Card i scores i + 1 in cnn, half of that in transformer,
 * and costs 100; the last one `peak` times as much. Every tenth card has no transformer score. */
struct made {
	struct report report;
	struct report_data data;
	struct report_figure *performance[8], *value[8];
	size_t nperformance, nvalue, notes;
	const struct report_table *table;
	struct arena *a;
};

static struct csv_out head(struct arena *a, const char *columns)
{
	struct csv_out w = { .buf.arena = a };

	strbuf_printf(&w.buf, "%s\n", columns);
	return w;
}

static void score_rows(struct csv_out *w, struct csv_out *v, const char *class, size_t n,
		       double factor, double peak, bool priced)
{
	double top = factor * (double)n * fmax(peak, 1);

	for (size_t i = 0; i < n; i++) {
		const char *device = str_c(w->buf.arena, str_printf(w->buf.arena, "Card %03zu", i));
		bool missing = factor < 1 && i % 10 == 9;
		/* peak below 1: cards that hardly differ */
		double score = factor * (peak < 1 ? 1 + peak * (double)i : (double)(i + 1))
			       * (i + 1 == n ? fmax(peak, 1) : 1);
		csv_put(w, str_of(device));
		csv_put(w, str_of(class));
		csv_put_num(w, missing ? NAN : score);
		csv_put_num(w, missing ? NAN : score * 0.9);
		csv_put_num(w, missing ? NAN : score * 1.2);
		csv_put(w, missing ? STR("excluded") : STR("measured"));
		csv_put(w, missing ? STR("not comparable") : STR(""));
		csv_end_row(w);
		csv_put(v, str_of(device));
		csv_put(v, str_of(class));
		csv_put(v, STR("card"));
		csv_put_num(v, missing || !priced ? NAN : score / top);
		csv_end_row(v);
	}
}

/* The last `stale` cards, which are the fastest, have an old price. */
static struct str price_rows(size_t n, bool priced, size_t stale, struct arena *a)
{
	struct csv_out w =
	    head(a, "device,lens,price_usd,low,high,markets,observations,newest_date,"
		    "age_days,status");

	for (size_t i = 0; priced && i < n; i++)
		strbuf_printf(&w.buf, "Card %03zu,card,100,100,100,amazon,1,2019-05-30,1,%s\n", i,
			      i + stale >= n ? "stale" : "ok");
	return strbuf_str(&w.buf);
}

static bool write_data(const char *dir, size_t n, double peak, bool priced, size_t stale,
		       struct arena *a)
{
	struct csv_out s =
	    head(a, "device,class,score,low,high,origin,reason,anchor,predictor,error_pct,"
		    "machines,runs,workloads,series,precisions");
	struct csv_out v = head(a, "device,class,lens,value,cost_usd,low,high,rank,tie,status");
	const struct {
		const char *name;
		struct str text;
	} rest[] = {
		{ "edition.csv",
		  STR("key,value\ndate,2019-05-31\nreference,Card 000\nstale_days,60\n") },
		{ "prices.csv", price_rows(n, priced, stale, a) },
		{ "backtest.csv", STR("class,method,n,median_error_pct,p90_error_pct,case\n") },
		{ "sources.csv",
		  STR("series,title,files,rows,accepted,rejected,set_aside,machines,devices,"
		      "first_date,last_date,comparable,software,licence,url\n") },
		{ "rejects.csv", STR("file,line,column,code,value,reason,action\n") },
	};
	struct error err = { .code = ERR_NONE };
	bool good = true;

	score_rows(&s, &v, "cnn", n, 1, peak, priced);
	score_rows(&s, &v, "transformer", n, 0.5, peak, priced);
	for (size_t i = 0; i < LEN(rest); i++)
		good &= file_write(str_c(a, file_join(a, str_of(dir), str_of(rest[i].name))),
				   rest[i].text, &err);
	return good
	       && file_write(str_c(a, file_join(a, str_of(dir), STR("scores.csv"))),
			     strbuf_str(&s.buf), &err)
	       && file_write(str_c(a, file_join(a, str_of(dir), STR("values.csv"))),
			     strbuf_str(&v.buf), &err);
}

static void sort_blocks(struct made *m)
{
	for (size_t i = 0; i < m->report.n; i++) {
		const struct report_block *b = &m->report.blocks[i];
		m->notes += b->kind == BLOCK_NOTE;
		if (b->kind == BLOCK_TABLE && str_eq(b->table->id, STR("table-performance")))
			m->table = b->table;
		if (b->kind != BLOCK_FIGURE)
			continue;
		if (str_starts(b->figure->id, STR("figure-performance")))
			m->performance[m->nperformance++] = b->figure;
		else if (str_starts(b->figure->id, STR("figure-value")))
			m->value[m->nvalue++] = b->figure;
	}
}

static bool make_stale(struct made *m, size_t n, double peak, bool priced, size_t stale,
		       struct arena *a)
{
	char dir[] = "/tmp/figure_test_XXXXXX";
	struct text_catalogue text;
	struct error err = { .code = ERR_NONE };
	struct file_list files = { .n = 0 };

	*m = (struct made){ .report = {
				.language = STR("en"), .edition_id = STR("id"), .arena = a } };
	if (!mkdtemp(dir) || !write_data(dir, n, peak, priced, stale, a)
	    || !data_read(str_of(dir), a, &m->data, &err)
	    || !text_read("templates/text.en.ini", a, &text, &err)
	    || !report_build(&m->data, &text, &m->report, &err)
	    || !file_list(dir, "", false, a, &files, NULL, &err)) {
		printf("# %s\n", err.msg);
		return false;
	}
	for (size_t i = 0; i < files.n; i++)
		remove(str_c(a, file_join(a, str_of(dir), files.v[i])));
	remove(dir);
	sort_blocks(m);
	return true;
}

static bool make(struct made *m, size_t n, double peak, bool priced, struct arena *a)
{
	return make_stale(m, n, peak, priced, 0, a);
}

static void test_bars(struct test *t, struct arena *a)
{
	struct made m;

	test_ok(t, make(&m, 20, 1, true, a), "twenty cards");
	test_ok(t, m.nperformance == 1 && m.nvalue == 1, "one chart each");
	const struct chart *c = m.performance[0]->chart;
	test_str(t, c->id, STR("figure-performance"), "id without a part");
	test_ok(t, c->nrows == 20 && c->nclasses == 2, "every card, both classes");
	/* it lacks a transformer score, so its mean is its cnn score alone */
	test_str(t, c->rows[0].label, STR("Card 019"), "sorted by the mean");
	test_near(t, c->rows[0].mean, 20, 1e-12, "mean of the classes it has");
	test_near(t, c->rows[1].mean, sqrt(19 * 9.5), 1e-12, "geometric mean of two");
	test_ok(t, !c->rows[0].points[1].has && c->rows[0].points[0].has, "missing is not 0");
	test_ok(t, !c->log_axis && c->axis_max == 0 && c->reference == 1,
		"linear bars, reference at one");
	test_ok(t, m.table->nrows == 20 && m.table->folded, "the table has every card, folded");
}

static bool says(const struct report_figure *f, const char *words)
{
	return str_find(f->caption, str_of(words), 0) < f->caption.len;
}

static void test_drawn(struct test *t, struct arena *a)
{
	struct made m;

	test_ok(t, make(&m, 120, 1, true, a), "a hundred and twenty cards");
	test_ok(t, m.nperformance == 1 && m.nvalue == 1, "one chart each");
	const struct chart *c = m.performance[0]->chart;
	test_ok(t, c->nrows == 60, "sixty of them");
	test_str(t, c->rows[0].label, STR("Card 119"), "the best comes first");
	/* by the mean: 52 of the cards 62 to 118 with two scores, sqrt(1/2) (i + 1), and the eight
	 * from 49 on that have the higher mean of one score */
	test_str(t, c->rows[59].label, STR("Card 062"), "the sixtieth last");
	test_ok(t, says(m.performance[0], "Of 120 devices 60 are drawn"), "the caption says so");
	test_ok(t, !says(m.performance[0], "{"), "without a placeholder left");
	test_ok(t, make(&m, 60, 1, true, a), "sixty cards");
	test_ok(t, m.performance[0]->chart->nrows == 60 && !says(m.performance[0], "are drawn"),
		"nothing is left out and nothing said");
}

static void test_stale(struct test *t, struct arena *a)
{
	struct made m;

	test_ok(t, make_stale(&m, 120, 1, true, 80, a), "eighty old prices");
	const struct chart *c = m.performance[0]->chart;
	test_ok(t, c->nrows == 60, "performance of sixty");
	/* fifteen from 103 on with two scores, and five with one */
	test_str(t, c->rows[19].label, STR("Card 103"), "the twenty best with an old price");
	test_str(t, c->rows[20].label, STR("Card 039"), "and the forty with a new one");
	c = m.value[0]->chart;
	test_ok(t, c->nrows == 40, "value of the forty alone");
	test_str(t, c->rows[0].label, STR("Card 039"), "the best of them first");
	test_ok(t, says(m.value[0], "Drawn are the 40 of 120 devices"), "the caption says so");
	test_ok(t, make_stale(&m, 30, 1, true, 30, a) && m.value[0]->chart->nrows == 30,
		"all prices old: all cards");
}

static void test_log(struct test *t, struct arena *a)
{
	struct made m;

	test_ok(t, make(&m, 30, 100, true, a), "thirty cards, one far ahead");
	const struct chart *c = m.value[0]->chart;
	test_ok(t, m.nvalue == 1 && c->log_axis, "a log axis");
	test_near(t, c->axis_min, 2e-4, 1e-15, "from a round number below the least, 1/3000");
	test_near(t, c->axis_max, 1.09, 1e-12, "to a margin over the best");
	test_ok(t, make(&m, 20, 100, true, a) && !m.value[0]->chart->log_axis, "never for bars");
	test_ok(t, make(&m, 30, 0.1, true, a) && !m.performance[0]->chart->log_axis,
		"nor where all stand close together");
}

static void test_unpriced(struct test *t, struct arena *a)
{
	struct made m;

	test_ok(t, make(&m, 3, 1, false, a), "three cards without a price");
	test_ok(t, m.nperformance == 1 && m.nvalue == 0, "no chart of values");
	test_ok(t, m.notes == 2, "a note at the head and one in the chapter");
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };

	test_bars(&t, &a);
	test_drawn(&t, &a);
	test_stale(&t, &a);
	test_log(&t, &a);
	test_unpriced(&t, &a);
	arena_free(&a);
	return test_done(&t);
}
