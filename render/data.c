#include "data.h"
#include "../base/file.h"

#include <math.h>
#include <string.h>

static bool read_files(struct str dir, struct arena *a, struct report_data *d, struct error *err)
{
	for (const struct data_format *f = data_formats; f->name; f++) {
		struct str file = file_join(a, dir, str_printf(a, "%s.csv", f->name));
		void *records;
		size_t n;

		if (f->optional && !file_exists(str_c(a, file)))
			continue;
		if (!csv_read_records(str_c(a, file), f->fields, f->nfields, f->size, f->pos_offset,
				      a, &records, &n, err))
			return false;
		/* copied as bytes: the members are pointers to different structs */
		memcpy((char *)d + f->records_offset, &records, sizeof records);
		memcpy((char *)d + f->n_offset, &n, sizeof n);
	}
	return true;
}

static bool parse_class(struct str text, struct pos pos, enum class_id *out, struct error *err)
{
	if (!class_parse(text, out))
		return error_at(err, ERR_UNKNOWN, pos, "class: '" STR_FMT "' is not a class",
				STR_ARG(text));
	return true;
}

static bool check_score(struct data_score *s, struct error *err)
{
	if (!parse_class(s->class_text, s->pos, &s->class, err))
		return false;
	if (!origin_parse(s->origin_text, &s->origin))
		return error_at(err, ERR_UNKNOWN, s->pos, "origin: '" STR_FMT "' is not an origin",
				STR_ARG(s->origin_text));
	if (s->origin != ORIGIN_EXCLUDED && isnan(s->score))
		return error_at(err, ERR_RANGE, s->pos, "score: expected a number above 0");
	return true;
}

/* Classes and devices in the order in which scores.csv first names them. */
static void list_axes(struct report_data *d, struct arena *a)
{
	bool seen[CLASS_COUNT] = { false };
	bool fresh;

	d->device_index = (struct map){ .arena = a };
	d->devices = arena_array(a, d->nscores, sizeof *d->devices);
	for (size_t i = 0; i < d->nscores; i++) {
		const struct data_score *s = &d->scores[i];
		if (!seen[s->class])
			d->classes[d->nclasses++] = s->class;
		seen[s->class] = true;
		map_put(&d->device_index, s->device, d->ndevices, &fresh);
		if (fresh)
			d->devices[d->ndevices++] = s->device;
	}
}

/* The cell of (device, class) in score_at or value_at; NULL when the device or class is not in
 * scores.csv. */
static size_t *grid_cell(const struct report_data *d, size_t *grid, struct str device,
			 enum class_id class)
{
	const size_t *at = map_get(&d->device_index, device);

	for (size_t c = 0; at && c < d->nclasses; c++)
		if (d->classes[c] == class)
			return &grid[*at * d->nclasses + c];
	return NULL;
}

static bool fill_grid(size_t *cell, size_t index, size_t none, struct pos pos, struct error *err)
{
	if (*cell != none)
		return error_at(err, ERR_DATA, pos, "device and class are given twice");
	*cell = index;
	return true;
}

static bool index_scores(struct report_data *d, struct arena *a, struct error *err)
{
	for (size_t i = 0; i < d->nscores; i++)
		if (!check_score(&d->scores[i], err))
			return false;
	list_axes(d, a);
	size_t cells = d->ndevices * d->nclasses;
	bool *measured = arena_array(a, d->ndevices, sizeof *measured);
	d->score_at = arena_array(a, cells, sizeof *d->score_at);
	for (size_t i = 0; i < cells; i++)
		d->score_at[i] = d->nscores;
	for (size_t i = 0; i < d->nscores; i++) {
		const struct data_score *s = &d->scores[i];
		size_t *cell = grid_cell(d, d->score_at, s->device, s->class);
		if (!fill_grid(cell, i, d->nscores, s->pos, err))
			return false;
		if (s->origin == ORIGIN_MEASURED)
			measured[*map_get(&d->device_index, s->device)] = true;
	}
	for (size_t i = 0; i < d->ndevices; i++)
		d->measured_devices += measured[i];
	return true;
}

/* The report states the price and its date beside every value, so there must be one. */
static bool check_priced(const struct report_data *d, const struct map *priced,
			 const struct data_value *v, struct error *err)
{
	const size_t *at = map_get(priced, v->device);

	if (isnan(v->value) || (at && !isnan(d->prices[*at].price_usd)))
		return true;
	return error_at(err, ERR_DATA, v->pos,
			"'" STR_FMT "' has a value but no price in prices.csv", STR_ARG(v->device));
}

static bool index_value(struct report_data *d, size_t at, struct error *err)
{
	struct data_value *v = &d->values[at];
	enum lens lens;

	if (!parse_class(v->class_text, v->pos, &v->class, err))
		return false;
	if (!lens_parse(v->lens, &lens)) /* of a later version */
		return true;
	size_t *cell = grid_cell(d, d->value_at[lens], v->device, v->class);
	if (!cell)
		return error_at(err, ERR_UNKNOWN, v->pos, "'" STR_FMT "' has no row in scores.csv",
				STR_ARG(v->device));
	return fill_grid(cell, at, d->nvalues, v->pos, err);
}

static bool index_values(struct report_data *d, struct arena *a, struct error *err)
{
	struct map priced = { .arena = a };
	size_t cells = d->ndevices * d->nclasses;

	for (size_t lens = 0; lens < LENS_COUNT; lens++) {
		d->value_at[lens] = arena_array(a, cells, sizeof *d->value_at[lens]);
		for (size_t i = 0; i < cells; i++)
			d->value_at[lens][i] = d->nvalues;
	}
	for (size_t i = 0; i < d->nprices; i++)
		if (str_eq(d->prices[i].lens, lens_name(LENS_CARD)))
			map_put(&priced, d->prices[i].device, i, NULL);
	for (size_t i = 0; i < d->nvalues; i++)
		if (!index_value(d, i, err))
			return false;
	for (size_t i = 0; i < d->nvalues; i++)
		if (str_eq(d->values[i].lens, lens_name(LENS_CARD))
		    && !check_priced(d, &priced, &d->values[i], err))
			return false;
	return true;
}

static bool index_settings(struct report_data *d, struct arena *a, struct str dir,
			   struct error *err)
{
	d->setting_index = (struct map){ .arena = a };
	for (size_t i = 0; i < d->nsettings; i++)
		map_put(&d->setting_index, d->settings[i].key, i, NULL);
	if (!date_parse(data_setting(d, STR("date")), &d->date)) {
		const char *file = str_c(a, file_join(a, dir, STR("edition.csv")));
		return error_at(err, ERR_DATA, (struct pos){ .file = file },
				"date: expected a row with a date such as 2026-11-30");
	}
	return true;
}

bool data_read(struct str dir, struct arena *a, struct report_data *out, struct error *err)
{
	*out = (struct report_data){ .nclasses = 0 };
	if (!read_files(dir, a, out, err))
		return false;
	if (out->nscores == 0) {
		const char *file = str_c(a, file_join(a, dir, STR("scores.csv")));
		return error_at(err, ERR_DATA, (struct pos){ .file = file }, "no rows");
	}
	return index_settings(out, a, dir, err) && index_scores(out, a, err)
	       && index_values(out, a, err);
}

struct str data_setting(const struct report_data *d, struct str key)
{
	const size_t *at = map_get(&d->setting_index, key);

	return at ? d->settings[*at].value : STR("");
}

const struct data_score *data_score(const struct report_data *d, size_t device, size_t class_no)
{
	size_t at = d->score_at[device * d->nclasses + class_no];

	return at < d->nscores ? &d->scores[at] : NULL;
}

const struct data_value *data_value(const struct report_data *d, enum lens lens, size_t device,
				    size_t class_no)
{
	size_t at = d->value_at[lens][device * d->nclasses + class_no];

	return at < d->nvalues ? &d->values[at] : NULL;
}

size_t data_class_no(const struct report_data *d, struct str class_name)
{
	enum class_id class;
	size_t c = 0;

	if (!class_parse(class_name, &class))
		return d->nclasses;
	while (c < d->nclasses && d->classes[c] != class)
		c++;
	return c;
}

bool data_has_word(struct str list, struct str word)
{
	struct str piece;

	while (str_cut(&list, ' ', &piece))
		if (str_eq(piece, word))
			return true;
	return false;
}
