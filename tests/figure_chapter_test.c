/* The figures of the chapters, built from files of data: what is drawn, and the computed
 * sentences. */
#include "figure_fixture.h"

#include "../base/file.h"
#include "../render/figure_chapter.h"

#include <stdio.h>
#include <stdlib.h>

/* Three cards in two classes; C has an old price, B is scaled. Frontiers: cnn A and B; llm A alone,
 * for B costs more and is no faster there, and C, though faster for less, is not for sale. */
static const struct {
	const char *name, *text;
} files[] = {
	{ "edition.csv", "key,value\ndate,2025-06-30\nreference,A\nstale_days,60\nyears,3\n"
			 "hours_per_year,2000\n" },
	{ "scores.csv",
	  "device,class,score,low,high,origin,reason,anchor,predictor,error_pct,machines,"
	  "runs,workloads,series,precisions\n"
	  "A,cnn,1,0.9,1.1,measured,,,,,1,1,1,s,fp32\n"
	  "B,cnn,3,2,4,scaled,,A,x,10,,,,s,\n"
	  "C,cnn,4,3,5,measured,,,,,1,1,1,s,fp32\n"
	  "A,llm,2,1,3,measured,,,,,1,1,1,s,fp32\n"
	  "B,llm,2,1,3,measured,,,,,1,1,1,s,fp32\n"
	  "C,llm,9,8,10,measured,,,,,1,1,1,s,fp32\n" },
	{ "prices.csv",
	  "device,lens,price_usd,low,high,markets,observations,newest_date,age_days,status\n"
	  "A,card,100,100,100,amazon,1,2025-06-29,1,ok\n"
	  "B,card,400,400,400,amazon,1,2025-06-29,1,ok\n"
	  "C,card,90,90,90,amazon,1,2024-06-29,366,stale\n" },
	{ "values.csv",
	  "device,class,lens,value,cost_usd,low,high,rank,tie,status\n"
	  "A,cnn,card,1,100,0.9,1.1,1,no,ok\nB,cnn,card,0.75,400,0.5,1,2,no,ok\n"
	  "A,cnn,system,0.5,900,,,2,no,ok\nB,cnn,system,1,1200,,,1,no,ok\n"
	  "A,cnn,system+power,0.5,1000,,,2,no,ok\nB,cnn,system+power,1,1500,,,1,no,ok\n"
	  "C,cnn,system+power,0.9,900,,,3,no,ok\n" },
	{ "systems.csv",
	  "device,gpus,cards_usd,host_usd,host_date,power_usd,total_usd,per_gpu_usd,power_w,"
	  "slots,status,warnings,purchase_usd,psu_w\n"
	  "A,1,100,800,,100,1000,1000,,,ok,,,\nB,1,400,800,,400,1600,1600,,,ok,,,\n"
	  "B,2,800,800,,800,2400,1200,,,ok,,,\nC,1,90,,,100,,,,,no host,,,\n" },
	{ "backtest.csv", "class,method,n,median_error_pct,p90_error_pct,case,chosen\n"
			  "cnn,linear,2,10,50,all,yes\ncnn,roofline,2,1,2,all,no\n" },
	{ "predictions.csv",
	  "class,method,device,predicted,measured,factor,represented,anchor,predictor,"
	  "chosen\n"
	  "cnn,linear,A,1.2,1,1.2,yes,,,yes\ncnn,linear,C,2,4,2,no,,,yes\n"
	  "cnn,roofline,A,9,1,9,yes,,,no\n" },
	{ "multi_summary.csv",
	  "class,device_count,n,median_speedup,p10,p90,guide_2019,guide_2016_low,"
	  "guide_2016_high,note,guide_2016_tuned_low,guide_2016_tuned_high,devices,"
	  "independent_speedup\n"
	  "cnn,2,5,1.5,1.4,1.9,1.9,,,,,,1,2\ncnn,4,5,3,2,3.5,3.5,2.5,3,,3.6,3.8,1,4\n"
	  "llm,2,1,1.1,1,1.2,,,,,,,1,2\nllm,4,0,,,,,,,not estimated,,,0,4\n" },
	{ "breakeven.csv",
	  "device,provider,hours_per_month,rent_usd_per_hour,own_usd,power_usd_per_hour,"
	  "months,status\n"
	  "A,median,20,0.5,1000,0.1,,never\nA,median,40,0.5,1000,0.1,62.5,ok\n"
	  "A,median,80,0.5,1000,0.1,31.25,ok\nA,other,80,9,1000,0.1,1,ok\n"
	  "B,median,40,0.1,1000,0.1,,never\n" },
	{ "claims.csv", "id,claim,guide_value,computed_value,verdict,source,kind,why\n"
			"1,a,b,c,reproduced,s,computed,w\n2,a,b,c,not-reproduced,s,computed,w\n"
			"3,a,b,c,not-testable,s,computed,w\n4,a,b,c,reproduced,s,computed,w\n" },
	{ "changes.csv",
	  "device,class,old_rank,new_rank,from_price_pct,from_data_pct,from_method_pct,status,"
	  "reason\n"
	  "A,cnn,3,1,,,,changed,\nB,cnn,1,2,,,,changed,\nC,cnn,,3,,,,new,\nA,llm,1,1,,,,same,\n"
	  "B,llm,2,,,,,gone,\n" },
	{ "picks.csv",
	  "persona,rank,device,rule,deciding,runner_up,flips_below_usd,title,status,cost_usd,"
	  "score,low,high,flips_above_usd,tie,lens,guide_pick,agrees,reason,asks\n"
	  "one,1,A,the rule,d,B,,First,found,100,1,,,,no,card,,,,What first?\n"
	  "one,2,B,the rule,d,,,First,found,400,1,,,,no,card,,,,What first?\n"
	  "two,1,B,another rule,d,,,Second,nearest,400,1,,,,no,card,,,,What next?\n"
	  "three,,,a third,d,,,Third,none,,,,,,no,card,,,,What else?\n" },
	{ "pick_rules.csv", "persona,objective,lens,condition,gpus,budget_usd,memory_gb,weights\n"
			    "one,value,card,any,1,500,8,cnn:1\n" },
	{ "memory.csv",
	  "workload,precision,batch_size,needed_gb,device,memory_gb,fits,mode,status\n"
	  "net,fp32,8,10,A,8,no,training,computed\nnet,fp16,8,6,A,8,yes,training,computed\n"
	  "net,fp32,8,10,B,16,yes,training,computed\nnet,fp16,8,6,B,16,yes,training,computed\n"
	  "big,fp32,1,40,A,8,no,inference,computed\nbig,fp32,1,40,B,16,no,inference,computed\n"
	  "big,fp32,1,40,C,16,no,inference,computed\n" },
	{ "price_history.csv", "device,market,condition,date,price_usd\n"
			       "A,amazon,new,2025-01-05,200\nA,amazon,new,2025-01-06,190\n"
			       "A,amazon,new,2025-03-05,150\nA,amazon,new,2025-06-29,100\n"
			       "A,ebay,used,2025-03-05,80\nB,amazon,new,2025-06-29,400\n" },
	{ "sources.csv",
	  "series,title,files,rows,accepted,rejected,set_aside,machines,devices,first_date,"
	  "last_date,comparable,software,licence,url\n" },
	{ "rejects.csv", "file,line,column,code,value,reason,action\n" },
};

/* What each figure says, worked out by hand. */
static const struct {
	const char *id, *words;
} wanted[] = {
	{ "figure-frontier", "2 of the 3 priced cards lie on the frontier" },
	{ "figure-frontier", "every class lies 1: A." },
	{ "figure-frontier", "2 cards have a price at most 60 days old" },
	/* B has the better value of everything; a tenth of 1000 and a quarter of 1600 is the
	 * card's */
	{ "figure-systems", "B gives most performance for all it costs: $1,600" },
	{ "figure-systems", "from 10 % of the sum (A) to 25 % (B)" },
	{ "figure-history", "A moved most: from $200 on 2025-01-05 to $100 on 2025-06-29" },
	{ "figure-memory-price", "2 of 3 priced cards lie on the frontier" },
	/* 100 / 8 = 12.50 against 400 / 16 = 25 */
	{ "figure-memory-price", "A has the cheapest memory, $12.50 per GB" },
	{ "figure-fit", "Of 2 networks and modes 1 fit a card of 8 GB, 1 one of 16 GB" },
	{ "figure-multi", "On 4 cards the median speed-up is 3.00 in the worst class (CNN)" },
	{ "figure-rent", "A is the first to pay off: after 31.2 months at 80 hours" },
	{ "figure-trust", "1 of 2 predictions in 1 class lie" },
	{ "figure-trust", "The worst is C in CNN, off by a factor of 2.00" },
	{ "figure-claims",
	  "2 of the 3 claims that could be tested are reproduced, 1 are not; 1 of 4" },
	{ "figure-changes",
	  "1 rose, 1 fell and 1 stayed; 1 had no rank before and 1 have none now" },
	{ "figure-changes", "A moved by the most places: from 3 to 1 in CNN" },
	{ "figure-advice",
	  "For 1 of the 3 questions a card meets the rule; they lead to 1 card: A." },
};

struct bench {
	struct test t;
	struct arena a;
	struct report_data data;
	struct report report;
	struct text_catalogue text;
	struct font_set *fonts;
	char dir[64];
};

static const char *in(struct bench *b, const char *name)
{
	return str_c(&b->a, file_join(&b->a, str_of(b->dir), str_of(name)));
}

/* every: all files; else only those that no edition lacks. */
static bool make(struct bench *b, bool every)
{
	static const char *const needed[] = { "edition.csv", "scores.csv",   "prices.csv",
					      "values.csv",  "backtest.csv", "sources.csv",
					      "rejects.csv" };
	struct error err = { .code = ERR_NONE };
	bool good = true;

	for (size_t i = 0; i < LEN(files) && good; i++) {
		bool wants = every;

		for (size_t k = 0; k < LEN(needed); k++)
			wants |= str_eq(str_of(needed[k]), str_of(files[i].name));
		if (wants)
			good = file_write(in(b, files[i].name), str_of(files[i].text), &err);
	}
	b->data = (struct report_data){ .nscores = 0 };
	b->report =
	    (struct report){ .language = STR("en"), .edition_id = STR("id"), .arena = &b->a };
	good = good && data_read(str_of(b->dir), &b->a, &b->data, &err)
	       && text_read("templates/text.en.ini", &b->a, &b->text, &err)
	       && report_build(&b->data, &b->text, &b->report, &err);
	if (!good)
		printf("# %s:%d: %s\n", err.pos.file ? err.pos.file : "", err.pos.line, err.msg);
	for (size_t i = 0; i < LEN(files); i++)
		remove(in(b, files[i].name));
	return good;
}

static const struct report_figure *figure(const struct bench *b, const char *id)
{
	for (size_t i = 0; i < b->report.n; i++)
		if (b->report.blocks[i].kind == BLOCK_FIGURE
		    && str_eq(b->report.blocks[i].figure->id, str_of(id)))
			return b->report.blocks[i].figure;
	return NULL;
}

static void test_words(struct bench *b)
{
	for (size_t i = 0; i < LEN(wanted); i++) {
		const struct report_figure *f = figure(b, wanted[i].id);
		struct str words = str_of(wanted[i].words);
		bool good = f && str_find(f->caption, words, 0) < f->caption.len;

		test_ok(&b->t, good, wanted[i].words);
		if (!good)
			printf("# %s: '" STR_FMT "'\n", wanted[i].id,
			       STR_ARG(f ? f->caption : STR("no such figure")));
	}
	for (size_t i = 0; i < b->report.n; i++) {
		const struct report_figure *f = b->report.blocks[i].figure;

		if (b->report.blocks[i].kind != BLOCK_FIGURE)
			continue;
		test_ok(&b->t, f->alt.len > 0 && f->csv_href.len > 0 && f->chart->subtitle.len > 0,
			"a description, a file and a subtitle");
	}
}

/* Every one goes through gnuplot and back, with its texts clear of each other. */
static void test_drawings(struct bench *b)
{
	struct error err = { .code = ERR_NONE };

	for (size_t i = 0; i < b->report.n; i++) {
		const struct report_figure *f = b->report.blocks[i].figure;
		struct drawing d = { 0 };
		struct str svg;

		if (b->report.blocks[i].kind != BLOCK_FIGURE)
			continue;
		bool good = chart_draw(f->chart, b->fonts, NULL, b->dir, &b->a, &svg, &err)
			    && drawing_parse(svg, "x.svg", &b->a, &d, &err);

		test_ok(&b->t, good, str_c(&b->a, f->id));
		if (good)
			test_texts(&b->t, &d, b->fonts, str_c(&b->a, f->id));
		else
			printf("# %s\n", err.msg);
		if (good && str_eq(f->id, STR("figure-advice")))
			test_ok(&b->t,
				text_find(&d,
					  "most performance per cost \xC2\xB7 at most $500 "
					  "\xC2\xB7 at least 8 GB",
					  0)
				    && text_find(&d, "nothing; nearest is B", 0)
				    && text_find(&d, "No card meets the rule", 0)
				    && text_find(&d, "another rule", 0),
				"rules in words, and what stands in place of a card");
	}
}

static void test_frontier(struct bench *b)
{
	const double cost[] = { 1, 2, 2, 3, NAN, 1, 5 }, gain[] = { 1, 3, 2, 3, 9, 1, NAN };
	const bool want[] = { true, true, false, false, false, false, false };
	bool on[LEN(cost)], same = true;

	figure_frontier_of(cost, gain, LEN(cost), on);
	for (size_t i = 0; i < LEN(cost); i++)
		same = same && on[i] == want[i];
	test_ok(&b->t, same,
		"beaten in one and equal in the other is off; of equals the first is on");
}

int main(void)
{
	struct bench b = { .dir = "/tmp/figure_chapter_test_XXXXXX" };
	struct error err = { .code = ERR_NONE };
	struct file_list left = { .n = 0 };

	if (!mkdtemp(b.dir) || !font_set_open(&b.a, &b.fonts, &err)) {
		error_print(stderr, &err);
		return 1;
	}
	test_frontier(&b);
	test_ok(&b.t, make(&b, true), "a report of every file");
	test_words(&b);
	test_drawings(&b);
	test_ok(&b.t, make(&b, false), "a report of the files that no edition lacks");
	test_ok(&b.t, figure(&b, "figure-performance") && figure(&b, "figure-frontier")
			  && !figure(&b, "figure-rent") && !figure(&b, "figure-history")
			  && !figure(&b, "figure-advice") && !figure(&b, "figure-fit")
			  && !figure(&b, "figure-changes") && !figure(&b, "figure-claims"),
		"has no figure without its data");
	file_list(b.dir, "", false, &b.a, &left, NULL, &err);
	for (size_t i = 0; i < left.n; i++)
		remove(in(&b, str_c(&b.a, left.v[i])));
	remove(b.dir);
	font_set_free(b.fonts);
	arena_free(&b.a);
	return test_done(&b.t);
}
