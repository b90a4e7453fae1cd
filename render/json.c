#include "json.h"
#include "../base/num.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* Where the writer stands: a comma and a new line go before every member but the first. */
struct json {
	struct strbuf out;
	struct arena *arena;
	int depth;
	bool first;
};

static void next(struct json *j)
{
	if (!j->first)
		strbuf_addc(&j->out, ',');
	strbuf_addc(&j->out, '\n');
	for (int i = 0; i < j->depth; i++)
		strbuf_addc(&j->out, ' ');
	j->first = false;
}

static void key(struct json *j, struct str name)
{
	next(j);
	json_string(&j->out, name);
	strbuf_add(&j->out, STR(": "));
}

static void open(struct json *j, char bracket)
{
	strbuf_addc(&j->out, bracket);
	j->depth++;
	j->first = true;
}

static void close(struct json *j, char bracket)
{
	bool empty = j->first;

	j->depth--;
	j->first = true; /* no comma before a closing bracket */
	if (!empty)
		next(j);
	strbuf_addc(&j->out, bracket);
	j->first = false;
}

static void text_member(struct json *j, const char *name, struct str text)
{
	key(j, str_of(name));
	json_string(&j->out, text);
}

static void put_number(struct json *j, double v)
{
	strbuf_add(&j->out, isfinite(v) ? num_shortest(j->arena, v) : STR("null"));
}

/* One field of a record; missing is null, an empty text stays a text. */
static void put_field(struct json *j, const struct csv_field *f, const char *record)
{
	const void *at = record + f->offset;
	const struct date *date = at;

	switch (f->type) {
	case CSV_TEXT:
	case CSV_NAME:
		json_string(&j->out, *(const struct str *)at);
		break;
	case CSV_NUMBER:
	case CSV_POSITIVE:
	case CSV_AMOUNT:
	case CSV_SIGNED:
		put_number(j, *(const double *)at);
		break;
	case CSV_COUNT:
		put_number(j, *(const int *)at < 0 ? (double)NAN : *(const int *)at);
		break;
	case CSV_DATE:
		if (date->day == INT_MIN)
			strbuf_add(&j->out, STR("null"));
		else
			json_string(&j->out, date_iso(j->arena, *date));
		break;
	}
}

/* One record a line: long arrays stay readable and small. */
static void put_records(struct json *j, const struct data_format *f, const struct report_data *d)
{
	const char *records;
	size_t n;

	memcpy(&records, (const char *)d + f->records_offset, sizeof records);
	memcpy(&n, (const char *)d + f->n_offset, sizeof n);
	key(j, str_of(f->name));
	open(j, '[');
	for (size_t i = 0; i < n; i++) {
		next(j);
		strbuf_addc(&j->out, '{');
		for (size_t k = 0; k < f->nfields; k++) {
			strbuf_add(&j->out, k ? STR(", ") : STR(""));
			json_string(&j->out, str_of(f->fields[k].name));
			strbuf_add(&j->out, STR(": "));
			put_field(j, &f->fields[k], records + i * f->size);
		}
		strbuf_addc(&j->out, '}');
	}
	close(j, ']');
}

static void put_edition(struct json *j, const struct report *r, const struct report_data *d)
{
	key(j, STR("edition"));
	open(j, '{');
	text_member(j, "id", r->edition_id);
	for (size_t i = 0; i < d->nsettings; i++) {
		/* a key given twice would make two members of one name */
		if (*map_get(&d->setting_index, d->settings[i].key) != i
		    || str_eq(d->settings[i].key, STR("id")))
			continue;
		key(j, d->settings[i].key);
		json_string(&j->out, d->settings[i].value);
	}
	close(j, '}');
}

/* Text and numbers of the catalogue that a reader of the file needs to tell the cards apart. */
static void put_device(struct json *j, struct str name, const struct devices *devices)
{
	next(j);
	strbuf_add(&j->out, STR("{\"name\": "));
	json_string(&j->out, name);
	size_t at = devices ? device_index(devices, name) : 0;
	if (devices && at < devices->n) {
		const struct device *d = &devices->v[at];
		strbuf_add(&j->out, STR(", \"vendor\": "));
		json_string(&j->out, d->vendor);
		strbuf_add(&j->out, STR(", \"architecture\": "));
		json_string(&j->out, d->architecture);
		strbuf_add(&j->out, STR(", \"memory_gb\": "));
		put_number(j, d->memory_gb);
		strbuf_add(&j->out, STR(", \"bandwidth_gbs\": "));
		put_number(j, d->bandwidth_gbs);
		strbuf_add(&j->out, STR(", \"tdp_w\": "));
		put_number(j, d->tdp_w);
	}
	strbuf_addc(&j->out, '}');
}

static void put_devices(struct json *j, const struct report_data *d, const struct devices *devices)
{
	key(j, STR("devices"));
	open(j, '[');
	for (size_t i = 0; i < d->ndevices; i++)
		put_device(j, d->devices[i], devices);
	close(j, ']');
}

static void put_figures(struct json *j, const struct report *r)
{
	key(j, STR("figures"));
	open(j, '[');
	for (size_t i = 0; i < r->n; i++) {
		const struct report_figure *f = r->blocks[i].figure;
		if (r->blocks[i].kind != BLOCK_FIGURE)
			continue;
		next(j);
		open(j, '{');
		text_member(j, "id", f->id);
		text_member(j, "title", f->title);
		text_member(j, "caption", f->caption);
		text_member(j, "alt", f->alt);
		text_member(j, "svg", f->svg_href);
		text_member(j, "csv", f->csv_href);
		close(j, '}');
	}
	close(j, ']');
}

static void put_texts(struct json *j, const struct report_table *t, size_t row)
{
	strbuf_addc(&j->out, '[');
	for (size_t c = 0; c < t->ncolumns; c++) {
		strbuf_add(&j->out, c ? STR(", ") : STR(""));
		json_string(&j->out, t->cells[row * t->ncolumns + c].text);
	}
	strbuf_addc(&j->out, ']');
}

static void put_table(struct json *j, const struct report_table *t)
{
	next(j);
	open(j, '{');
	text_member(j, "id", t->id);
	text_member(j, "caption", t->caption);
	text_member(j, "csv", t->csv_href);
	key(j, STR("columns"));
	strbuf_addc(&j->out, '[');
	for (size_t c = 0; c < t->ncolumns; c++) {
		strbuf_add(&j->out, c ? STR(", ") : STR(""));
		json_string(&j->out, t->columns[c].title);
	}
	strbuf_addc(&j->out, ']');
	key(j, STR("rows"));
	open(j, '[');
	for (size_t i = 0; i < t->nrows; i++) {
		next(j);
		put_texts(j, t, i);
	}
	close(j, ']');
	close(j, '}');
}

/* The tables as the report shows them, rounded and worded; the refused rows are there by group
 * only. */
static void put_tables(struct json *j, const struct report *r)
{
	key(j, STR("tables"));
	open(j, '[');
	for (size_t i = 0; i < r->n; i++)
		if (r->blocks[i].kind == BLOCK_TABLE)
			put_table(j, r->blocks[i].table);
	close(j, ']');
}

struct str json_write(const struct report *r, const struct report_data *d,
		      const struct devices *devices, struct arena *a)
{
	struct json j = { .out = { .arena = a }, .arena = a };

	open(&j, '{');
	text_member(&j, "generator", r->generator);
	text_member(&j, "title", r->title);
	text_member(&j, "language", r->language);
	put_edition(&j, r, d);
	put_devices(&j, d, devices);
	for (const struct data_format *f = data_formats; f->name; f++)
		if (f->in_json)
			put_records(&j, f, d);
	put_figures(&j, r);
	put_tables(&j, r);
	close(&j, '}');
	strbuf_addc(&j.out, '\n');
	return strbuf_str(&j.out);
}
