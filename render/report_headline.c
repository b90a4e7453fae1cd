/* Chapter 1: how old the prices are, what to buy, what is best in each class, how much was read. */
#include "build.h"
#include "format.h"
#include "../base/num.h"
#include "../base/stat.h"

#include <limits.h>
#include <math.h>

enum { NAMES_SHOWN = 6 };

struct price_ages {
	struct date newest;
	double median_days;
	size_t priced, stale;
	struct name_set stale_names;
};

static struct price_ages price_ages(struct build *b)
{
	const struct report_data *d = b->data;
	struct price_ages ages = { .newest = { INT_MIN }, .median_days = NAN };
	double *days = arena_array(b->arena, d->nprices, sizeof *days);
	size_t n = 0;

	for (size_t i = 0; i < d->nprices; i++) {
		const struct data_price *p = &d->prices[i];
		if (!str_eq(p->lens, lens_name(LENS_CARD)) || isnan(p->price_usd))
			continue;
		ages.priced++;
		if (p->newest_date.day > ages.newest.day)
			ages.newest = p->newest_date;
		if (p->age_days >= 0)
			days[n++] = p->age_days;
		if (data_has_word(p->status, STR("stale"))) {
			ages.stale++;
			name_add(b, &ages.stale_names, p->device);
		}
	}
	if (n > 0)
		ages.median_days = stat_median(days, n, b->arena);
	return ages;
}

static void price_notes(struct build *b, const struct price_ages *ages)
{
	double limit;
	struct str days = num_parse(data_setting(b->data, STR("stale_days")), false, &limit)
			      ? format_count(b->arena, lround(limit))
			      : STR("");

	if (ages->priced == 0) {
		build_note(b, NOTE_WARN, "headline.no_prices", NULL);
		return;
	}
	const struct text_arg args[] = {
		text_arg("newest", build_date(b, ages->newest)),
		text_arg("age", format_count(b->arena, lround(ages->median_days))),
		text_arg_int("priced", (long)ages->priced, b->arena),
		text_arg_int("stale", (long)ages->stale, b->arena),
		text_arg("days", days),
		text_arg("names", name_list(b, &ages->stale_names, NAMES_SHOWN)),
		text_arg_end(),
	};
	build_text(b, "headline.price_age", args);
	if (ages->stale > NAMES_SHOWN + 1 && days.len > 0)
		build_note(b, NOTE_WARN, "headline.stale_many", args);
	else if (ages->stale > 0)
		build_note(b, NOTE_WARN, days.len ? "headline.stale" : "headline.stale_no_limit",
			   args);
}

/* Notes of the edition file: keys note.1, note.2, … */
static void edition_notes(struct build *b)
{
	for (size_t i = 0; i < b->data->nsettings; i++) {
		const struct data_setting *s = &b->data->settings[i];
		struct spans text = { .n = 0 };

		if (!str_starts(s->key, STR("note.")) || s->key.len == 5 || s->key.p[5] < '0'
		    || s->key.p[5] > '9')
			continue;
		struct report_cell note = build_said(b, s->value, s->value_msg, s->pos);
		spans_add(b->arena, &text, (struct span){ .text = note.text, .lang = note.lang });
		report_note(b->report, NOTE_INFO, text);
	}
}

/* The devices right below the best, as long as their intervals reach into the best one's. */
static struct str tied_with(struct build *b, const struct ranked *r, size_t n)
{
	struct name_set names = { .n = 0 };

	if (n == 1)
		return build_str(b, "headline.only", NULL);
	if (isnan(r[0].low))
		return build_str(b, "headline.no_interval", NULL);
	for (size_t i = 1; i < n && r[i].high >= r[0].low; i++)
		name_add(b, &names, b->data->devices[r[i].device]);
	return names.n > 0 ? name_list(b, &names, NAMES_SHOWN)
			   : build_str(b, "headline.alone", NULL);
}

static void best_row(struct build *b, struct report_table *t, size_t class_no, enum ranking by)
{
	bool by_value = by != BY_SCORE;
	struct ranked *r = arena_array(b->arena, b->data->ndevices, sizeof *r);
	size_t n = build_rank_class(b, class_no, by, LENS_CARD, r);
	struct report_cell *cells = report_table_row(t, b->arena);

	(cells++)->text = build_class(b, b->data->classes[class_no]);
	if (n == 0) {
		bool old = by == BY_FRESH_VALUE
			   && build_rank_class(b, class_no, BY_VALUE, LENS_CARD, r) > 0;
		cells[0].text = build_str(b, old ? "headline.none_fresh" : "headline.none", NULL);
		cells[0].tone = TONE_MUTED;
		return;
	}
	const struct data_score *s = data_score(b->data, r[0].device, class_no);
	*cells++ = (struct report_cell){ .text = s->device, .tone = TONE_STRONG };
	if (by_value) {
		const struct data_value *v = data_value(b->data, LENS_CARD, r[0].device, class_no);
		const struct data_price *p = build_card_price(b, s->device);
		(cells++)->text = format_usd(b->arena, v->cost_usd);
		(cells++)->text = p ? format_date(b->arena, p->newest_date) : STR("");
	}
	(cells++)->text = build_figure(b, s->origin, s->score, s->low, s->high);
	cells->text = tied_with(b, r, n);
}

static const struct build_column value_columns[] = {
	{ "column.class", false, true, 1.1 }, { "column.best_value", false, false, 1.4 },
	{ "column.price", true, false, 0.8 }, { "column.price_date", true, false, 0.9 },
	{ "column.score", true, false, 1.3 }, { "column.tied", false, false, 2.4 },
};

static const struct build_column speed_columns[] = {
	{ "column.class", false, true, 1.1 },
	{ "column.fastest", false, false, 1.4 },
	{ "column.score", true, false, 1.3 },
	{ "column.tied", false, false, 2.4 },
};

/* A card whose old price would make it the best buy, and the classes where it would. */
struct stale_leader {
	size_t device;
	struct name_set classes;
};

static size_t stale_leaders(struct build *b, struct stale_leader *out)
{
	struct ranked *r = arena_array(b->arena, b->data->ndevices, sizeof *r);
	size_t n = 0;

	for (size_t c = 0; c < b->data->nclasses; c++) {
		size_t k = 0;
		if (build_rank_class(b, c, BY_VALUE, LENS_CARD, r) == 0
		    || build_price_is_fresh(b, b->data->devices[r[0].device]))
			continue;
		while (k < n && out[k].device != r[0].device)
			k++;
		if (k == n)
			out[n++] = (struct stale_leader){ .device = r[0].device };
		name_add(b, &out[k].classes, build_class(b, b->data->classes[c]));
	}
	return n;
}

/* What the table would say if old prices counted. */
static void stale_ahead(struct build *b)
{
	struct stale_leader leaders[CLASS_COUNT];
	size_t n = stale_leaders(b, leaders);
	struct name_set cards = { .n = 0 };

	for (size_t i = 0; i < n; i++) {
		const struct data_price *p =
		    build_card_price(b, b->data->devices[leaders[i].device]);
		const struct text_arg args[] = {
			text_arg("device", p->device),
			text_arg("price", format_usd(b->arena, p->price_usd)),
			text_arg("date", build_date(b, p->newest_date)),
			text_arg("classes", name_list(b, &leaders[i].classes, CLASS_COUNT)),
			text_arg_end(),
		};
		name_add(b, &cards, build_str(b, "headline.stale_card", args));
	}
	if (n > 0)
		build_text(b, "headline.stale_ahead",
			   (struct text_arg[]){ text_arg("cards", name_list_long(b, &cards, n)),
						text_arg_end() });
}

static void best_tables(struct build *b, const struct price_ages *ages)
{
	const struct text_arg args[] = {
		text_arg("reference", data_setting(b->data, STR("reference"))),
		text_arg("days", data_setting(b->data, STR("stale_days"))), text_arg_end()
	};
	/* cards with old prices are left out where any has a fresh one */
	bool fresh = ages->priced > ages->stale;
	bool limit = data_setting(b->data, STR("stale_days")).len > 0;
	struct report_table *value =
	    build_table(b, "best-value",
			fresh && limit ? "headline.fresh_value_caption" : "headline.value_caption",
			args, value_columns, LEN(value_columns));
	struct report_table *speed = build_table(b, "best-performance", "headline.speed_caption",
						 args, speed_columns, LEN(speed_columns));

	for (size_t c = 0; c < b->data->nclasses; c++) {
		best_row(b, value, c, fresh ? BY_FRESH_VALUE : BY_VALUE);
		best_row(b, speed, c, BY_SCORE);
	}
	value->csv_href = STR("data/values.csv");
	speed->csv_href = STR("data/scores.csv");
	report_add_table(b->report, value);
	if (fresh)
		stale_ahead(b);
	else if (ages->priced > 0)
		build_text(b, "headline.all_stale", NULL);
	report_add_table(b->report, speed);
	build_text(b, "headline.signs", args);
}

/* "12 refused" as a link to the chapter of refused rows. */
static struct text_arg counted_link(struct build *b, const char *name, const char *key, long n)
{
	struct text_arg args[] = { text_arg_int("n", n, b->arena), text_arg_end() };

	return text_arg_link(name, build_str(b, key, args), STR("#rejects"));
}

static void counts(struct build *b)
{
	const struct report_data *d = b->data;
	long files = 0, rows = 0, accepted = 0, rejected = 0, set_aside = 0, machines = 0;

	for (size_t i = 0; i < d->nsources; i++) {
		const struct data_source *s = &d->sources[i];
		files += s->files > 0 ? s->files : 0;
		rows += s->rows > 0 ? s->rows : 0;
		accepted += s->accepted > 0 ? s->accepted : 0;
		rejected += s->rejected > 0 ? s->rejected : 0;
		set_aside += s->set_aside > 0 ? s->set_aside : 0;
		machines += s->machines > 0 ? s->machines : 0;
	}
	build_text(b, "headline.counts",
		   (struct text_arg[]){
		       text_arg_int("files", files, b->arena), text_arg_int("rows", rows, b->arena),
		       text_arg_int("accepted", accepted, b->arena),
		       text_arg_int("machines", machines, b->arena),
		       text_arg_int("series", (long)d->nsources, b->arena),
		       text_arg_int("devices", (long)d->ndevices, b->arena),
		       text_arg_int("measured", (long)d->measured_devices, b->arena),
		       counted_link(b, "rejected", "headline.rejected", rejected),
		       counted_link(b, "set_aside", "headline.set_aside", set_aside),
		       text_arg_end() });
}

void chapter_headline(struct build *b)
{
	struct str summary = data_setting(b->data, STR("summary"));
	struct price_ages ages = price_ages(b);
	struct spans text = { .n = 0 };

	build_heading(b, 2, "headline", "headline.title", NULL);
	if (summary.len > 0) {
		struct report_cell said = build_data(b, summary);
		spans_add(b->arena, &text, (struct span){ .text = said.text, .lang = said.lang });
		report_text(b->report, text);
	}
	price_notes(b, &ages);
	edition_notes(b);
	advice_tables(b);
	best_tables(b, &ages);
	counts(b);
}
