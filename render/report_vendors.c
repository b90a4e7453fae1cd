/* Vendors and software: what was said of each, dated and with its source, and what the data of the
 * edition show. */
#include "build.h"
#include "format.h"
#include "href.h"
#include "../base/stat.h"

#include <math.h>

enum { PROVIDERS_SHOWN = 6 };

/* A vendor as the language calls it, else as the data do. */
static struct str vendor_title(struct build *b, const struct data_vendor *v)
{
	const char *key =
	    str_c(b->arena, str_printf(b->arena, "vendor." STR_FMT, STR_ARG(v->vendor)));

	return text_has(b->text, key) ? build_str(b, key, NULL) : v->title;
}

static const struct data_vendor *find_vendor(const struct build *b, struct str id)
{
	for (size_t i = 0; i < b->data->nvendors; i++)
		if (str_eq(b->data->vendors[i].vendor, id))
			return &b->data->vendors[i];
	return NULL;
}

static bool is_cloud(const struct data_vendor *v)
{
	return str_eq(v->cloud, STR("yes"));
}

/* ---- the dated texts ---- */

/* The message that shows a kind of text; any other stands as `since`. */
static const struct {
	const char *kind, *key;
} kinds[] = {
	{ "guide", "vendors.guide" },
	{ "licence", "vendors.licence" },
	{ "since", "vendors.since" },
};

static bool same_text(const struct data_vendor_text *a, const struct data_vendor_text *b)
{
	return str_eq(a->vendor, b->vendor) && str_eq(a->id, b->id);
}

/* Whether a row is to be shown: in the report's language, or in English where that is missing; and
 * not of a day after the edition's, for which it does not exist. */
static bool is_shown(const struct build *b, const struct data_vendor_text *t)
{
	if (t->date.day > b->data->date.day)
		return false;
	if (str_eq(t->language, b->report->language))
		return true;
	if (!str_eq(t->language, STR("en")))
		return false;
	for (size_t i = 0; i < b->data->nvendor_texts; i++)
		if (same_text(&b->data->vendor_texts[i], t)
		    && str_eq(b->data->vendor_texts[i].language, b->report->language))
			return false;
	return true;
}

static struct spans text_item(struct build *b, const struct data_vendor_text *t)
{
	struct str href = href_safe(t->url) ? t->url : STR("");
	const char *key = kinds[LEN(kinds) - 1].key;

	for (size_t i = 0; i < LEN(kinds); i++)
		if (str_eq(t->kind, str_of(kinds[i].kind)))
			key = kinds[i].key;
	struct str guide = build_str(b, "vendors.the_guide", NULL);
	return build_spans(b, key,
			   (struct text_arg[]){ text_arg("date", build_date(b, t->date)),
						text_arg("text", t->text),
						text_arg_link("source", t->source, href),
						text_arg_link("guide", guide, href),
						text_arg_end() });
}

static void texts(struct build *b, const struct data_vendor *v)
{
	struct spans *items = arena_array(b->arena, b->data->nvendor_texts, sizeof *items);
	size_t n = 0;

	for (size_t i = 0; i < b->data->nvendor_texts; i++) {
		const struct data_vendor_text *t = &b->data->vendor_texts[i];
		if (str_eq(t->vendor, v->vendor) && is_shown(b, t))
			items[n++] = text_item(b, t);
	}
	if (n > 0)
		report_list(b->report, items, n);
}

/* ---- what the data show ---- */

/* The classes of the edition in which no device of the vendor is measured. */
static struct str unmeasured(struct build *b, const struct data_vendor *v)
{
	struct name_set names = { .n = 0 };

	for (size_t i = 0; i < b->data->nvendor_classes; i++) {
		const struct data_vendor_class *c = &b->data->vendor_classes[i];
		if (str_eq(c->vendor, v->vendor) && c->measured == 0)
			name_add(b, &names, build_class_title(b, c->class_text));
	}
	return name_list(b, &names, CLASS_COUNT);
}

/* One paragraph of several sentences. */
static struct spans paragraph(struct build *b, const struct name_set *sentences)
{
	struct spans text = { .n = 0 };

	for (size_t i = 0; i < sentences->n; i++) {
		if (i > 0) /* between two sentences; nothing in Chinese */
			spans_add(b->arena, &text,
				  (struct span){ .text = build_str(b, "list.sentence", NULL) });
		spans_add(b->arena, &text, (struct span){ .text = sentences->v[i] });
	}
	return text;
}

static void device_facts(struct build *b, const struct data_vendor *v)
{
	const struct text_arg args[] = {
		text_arg("vendor", vendor_title(b, v)),
		text_arg_int("devices", v->devices, b->arena),
		text_arg_int("with_rows", v->with_rows, b->arena),
		text_arg_int("rows", v->rows, b->arena),
		text_arg("share", format_percent(b->arena, v->row_share_pct)),
		text_arg_int("listed", v->listed, b->arena),
		text_arg_int("measured", v->measured, b->arena),
		text_arg_int("scored", v->scored, b->arena),
		text_arg_int("priced", v->priced, b->arena),
		text_arg_int("fresh", v->fresh, b->arena),
		text_arg_int("barred", v->barred, b->arena),
		text_arg("peak", format_percent(b->arena, v->peak_share_pct)),
		text_arg_int("peak_devices", v->peak_devices, b->arena),
		text_arg("classes", unmeasured(b, v)),
		text_arg_end(),
	};
	struct name_set parts = { .n = 0 };

	if (v->devices <= 0) {
		build_text(b, "vendors.no_device", args);
		return;
	}
	name_add(b, &parts, build_str(b, "vendors.now_rows", args));
	name_add(b, &parts,
		 build_str(b, v->listed > 0 ? "vendors.now_listed" : "vendors.now_unlisted", args));
	if (v->peak_devices > 0)
		name_add(b, &parts, build_str(b, "vendors.now_peak", args));
	if (v->listed > 0 && v->measured == 0)
		name_add(b, &parts, build_str(b, "vendors.now_missing_all", NULL));
	else if (v->listed > 0 && unmeasured(b, v).len > 0)
		name_add(b, &parts, build_str(b, "vendors.now_missing", args));
	if (v->barred > 0)
		name_add(b, &parts, build_str(b, "vendors.now_barred", args));
	report_text(b->report, paragraph(b, &parts));
}

/* ---- those who rent out ---- */

/* By how much the dearest provider of a device passes the cheapest, in the middle of the devices
 * that several rent out. */
static double rent_spread(struct build *b, long *n)
{
	double *spread = arena_array(b->arena, b->data->nprices, sizeof *spread);
	size_t found = 0;

	for (size_t i = 0; i < b->data->nprices; i++) {
		const struct data_price *p = &b->data->prices[i];
		if (str_eq(p->lens, lens_name(LENS_CLOUD)) && p->low > 0 && p->high > p->low)
			spread[found++] = p->high / p->low;
	}
	*n = (long)found;
	return found > 0 ? stat_median(spread, found, b->arena) : (double)NAN;
}

static const struct build_column provider_columns[] = {
	{ "column.provider", false, true, 1.6 },      { "column.rented_devices", true, false, 1 },
	{ "column.cheapest_for", true, false, 1 },    { "column.price_date", true, false, 1.1 },
	{ "column.beside_middle", true, false, 1.2 }, { "column.compared", true, false, 1 },
};

static void provider_row(struct build *b, struct report_table *t,
			 const struct data_cloud_provider *p)
{
	struct report_cell *cells = report_table_row(t, b->arena);

	cells[0].text = build_word(b, "provider", p->provider);
	cells[1].text = format_count(b->arena, p->devices);
	cells[2].text = format_count(b->arena, p->cheapest);
	cells[3].text = format_date(b->arena, p->newest_date);
	cells[4].text = format_ratio(b->arena, p->price_ratio);
	cells[5].text = format_count(b->arena, p->compared);
}

static void cloud_facts(struct build *b)
{
	size_t n = b->data->ncloud_providers, shown = build_rows_shown(n, PROVIDERS_SHOWN);
	long compared, cheaper = 0;
	double spread = rent_spread(b, &compared);

	if (n == 0) {
		build_text(b, "vendors.no_offer", NULL);
		return;
	}
	for (size_t i = 0; i < n; i++)
		cheaper += b->data->cloud_providers[i].price_ratio < 1;
	const struct text_arg args[] = {
		text_arg_int("n", (long)n, b->arena),
		text_arg_int("shown", (long)shown, b->arena),
		text_arg_int("cheaper", cheaper, b->arena),
		text_arg_int("compared", compared, b->arena),
		text_arg("spread", format_ratio(b->arena, spread)),
		text_arg_end(),
	};
	struct report_table *t = build_table(b, "table-providers", "vendors.providers", args,
					     provider_columns, LEN(provider_columns));

	build_text(b, compared > 0 ? "vendors.now_cloud" : "vendors.now_cloud_single", args);
	for (size_t i = 0; i < shown; i++)
		provider_row(b, t, &b->data->cloud_providers[i]);
	build_add_table(b, t, "data/cloud_providers.csv");
}

/* ---- the tables over all vendors ---- */

static const struct build_column vendor_columns[] = {
	{ "column.vendor", false, true, 1.5 },   { "column.catalogue", true, false, 0.9 },
	{ "column.with_rows", true, false, 0.8 }, { "column.accepted", true, false, 0.9 },
	{ "column.row_share", true, false, 0.8 }, { "column.in_edition", true, false, 0.9 },
	{ "column.measured", true, false, 0.9 },  { "column.with_score", true, false, 0.9 },
	{ "column.priced", true, false, 0.8 },    { "column.fresh", true, false, 0.8 },
	{ "column.peak_share", true, false, 0.9 },
};

static void vendor_row(struct build *b, struct report_table *t, const struct data_vendor *v)
{
	struct report_cell *cells = report_table_row(t, b->arena);
	const int counts[] = { v->listed, v->measured, v->scored, v->priced, v->fresh };

	cells[0].text = vendor_title(b, v);
	cells[1].text = format_count(b->arena, v->devices);
	cells[2].text = format_count(b->arena, v->with_rows);
	cells[3].text = format_count(b->arena, v->rows);
	cells[4].text = format_percent(b->arena, v->row_share_pct);
	for (size_t i = 0; i < LEN(counts); i++)
		cells[5 + i].text = format_count(b->arena, counts[i]);
	cells[10].text = format_percent(b->arena, v->peak_share_pct);
}

static void vendor_table(struct build *b)
{
	struct report_table *t = build_table(b, "table-vendors", "vendors.table", NULL,
					     vendor_columns, LEN(vendor_columns));

	for (size_t i = 0; i < b->data->nvendors; i++)
		if (!is_cloud(&b->data->vendors[i]))
			vendor_row(b, t, &b->data->vendors[i]);
	build_add_table(b, t, "data/vendors.csv");
}

static const struct build_column class_columns[] = {
	{ "column.vendor", false, true, 1.2 },    { "column.class", false, true, 1.1 },
	{ "column.measured", true, false, 0.8 },  { "column.scaled", true, false, 0.7 },
	{ "column.fastest", false, false, 1.4 },  { "column.score", true, false, 1.5 },
	{ "column.best_value", false, false, 1.5 }, { "column.price", true, false, 0.7 },
	{ "column.value", true, false, 1.5 },
};

static struct str class_figure(struct build *b, struct str origin_text, double v, double low,
			       double high)
{
	enum origin origin;

	return origin_parse(origin_text, &origin) ? build_figure(b, origin, v, low, high)
						  : STR("");
}

static void class_row(struct build *b, struct report_table *t, const struct data_vendor_class *c)
{
	struct report_cell *cells = report_table_row(t, b->arena);
	const struct data_vendor *v = find_vendor(b, c->vendor);

	cells[0].text = v ? vendor_title(b, v) : c->vendor;
	cells[1].text = build_class_title(b, c->class_text);
	cells[2].text = format_count(b->arena, c->measured);
	cells[3].text = format_count(b->arena, c->scaled);
	cells[4].text = c->fastest;
	cells[5].text = class_figure(b, c->origin_text, c->score, c->low, c->high);
	cells[6].text = c->best_value;
	cells[7].text = format_usd(b->arena, c->cost_usd);
	if (data_has_word(c->price_status, STR("stale")))
		cells[7].tone = TONE_WARN;
	cells[8].text =
	    class_figure(b, c->value_origin_text, c->value, c->value_low, c->value_high);
}

/* Only classes in which a device of the vendor has a score. */
static void class_table(struct build *b)
{
	const struct text_arg args[] = { text_arg("reference",
						  data_setting(b->data, STR("reference"))),
					 text_arg_end() };
	struct report_table *t = build_table(b, "table-vendor-classes", "vendors.classes", args,
					     class_columns, LEN(class_columns));

	for (size_t i = 0; i < b->data->nvendor_classes; i++)
		if (b->data->vendor_classes[i].fastest.len > 0)
			class_row(b, t, &b->data->vendor_classes[i]);
	build_add_table(b, t, "data/vendor_classes.csv");
}

/* Who has most of the rows, and how many of the measured devices are its own. */
static void finding(struct build *b)
{
	enum { MOST_PCT = 80 }; /* from here on the others rest on little */
	const struct data_vendor *first = NULL;
	struct spans text = { .n = 0 };
	long measured = 0;

	for (size_t i = 0; i < b->data->nvendors; i++) {
		const struct data_vendor *v = &b->data->vendors[i];
		measured += v->measured > 0 ? v->measured : 0;
		if (!isnan(v->row_share_pct) && (!first || v->rows > first->rows))
			first = v;
	}
	if (!first || measured == 0)
		return;
	text = build_spans(
	    b, "vendors.finding",
	    (struct text_arg[]){ text_arg("vendor", vendor_title(b, first)),
				 text_arg("share", format_percent(b->arena, first->row_share_pct)),
				 text_arg_int("own", first->measured, b->arena),
				 text_arg_int("measured", measured, b->arena), text_arg_end() });
	if (first->row_share_pct >= MOST_PCT) {
		spans_add(b->arena, &text,
			  (struct span){ .text = build_str(b, "list.sentence", NULL) });
		spans_add(b->arena, &text,
			  (struct span){ .text = build_str(b, "vendors.finding_rest", NULL) });
	}
	report_text(b->report, text);
}

void chapter_vendors(struct build *b)
{
	if (b->data->nvendors == 0)
		return;
	build_heading(b, 2, "vendors", "vendors.title", NULL);
	finding(b);
	build_text(b, "vendors.about", NULL);
	vendor_table(b);
	class_table(b);
	for (size_t i = 0; i < b->data->nvendors; i++) {
		const struct data_vendor *v = &b->data->vendors[i];
		struct spans title = { .n = 0 };

		spans_add(b->arena, &title, (struct span){ .text = vendor_title(b, v) });
		report_heading(b->report, 3,
			       str_printf(b->arena, "vendor-" STR_FMT, STR_ARG(v->vendor)), title);
		texts(b, v);
		if (is_cloud(v))
			cloud_facts(b);
		else
			device_facts(b, v);
	}
}
