#include "edition_keys.h"

#include <limits.h>
#include <stddef.h>

static struct str_list languages_of_all(struct arena *a)
{
	static const struct str all[] = { STR_INIT("en"), STR_INIT("zh-Hans"),
					  STR_INIT("zh-Hant") };
	struct str_list l = { arena_array(a, LEN(all), sizeof *l.v), LEN(all) };

	for (size_t i = 0; i < LEN(all); i++)
		l.v[i] = all[i];
	return l;
}

/* The classes in the edition's order, each with its own settings or the general ones. */
static void assemble(struct edition_reading *r)
{
	for (size_t i = 0; i < r->out->nclasses; i++) {
		enum class_id id = r->out->classes[i].id;
		struct edition_class *c = &r->out->classes[i];

		*c = r->by_class[id];
		c->id = id;
		if (!r->own_policy[id]) {
			c->policy = r->general.policy;
			c->precision = r->general.precision;
		}
		if (c->method.len == 0) {
			c->method = r->general.method;
			c->method_pos = r->general.method_pos;
		}
	}
}

static struct str name_of(const char *path, struct arena *a)
{
	struct str rest = str_of(path), piece = STR("");

	while (str_cut(&rest, '/', &piece))
		;
	if (str_ends(piece, STR(".ini")))
		piece.len -= 4;
	return str_dup(a, piece);
}

static struct str_list default_conditions(struct arena *a)
{
	struct str_list l = { arena_array(a, 2, sizeof *l.v), 2 };

	l.v[0] = STR("new");
	l.v[1] = STR("used");
	return l;
}

/* What holds where the file says nothing. */
static struct edition defaults(const char *path, struct arena *a)
{
	return (struct edition){
		.name = name_of(path, a),
		.languages = languages_of_all(a),
		.conditions = default_conditions(a),
		.currency = STR("USD"),
		.date.day = INT_MIN,
		.benchmark_cutoff.day = INT_MIN,
		.max_error = 3,
		.stale_days = 60,
		.drop_days = 720,
		.gpus = 1,
		.country = STR("United States"),
		.tariff = STR("household"),
		.hours_per_year = 2000,
		.years = 3,
		.hours_per_month = { 20, 40, 80, 160, 320, 730 },
		.nhours = 6,
	};
}

static bool apply(struct edition_reading *r, const struct keyfile *file)
{
	for (size_t i = 0; i < file->n; i++)
		if (!edition_key_apply(r, &file->v[i]))
			return false;
	return edition_key_check_required(file, r->err) && edition_key_check_classes(r, file);
}

static bool check_days(const struct edition *e, struct error *err)
{
	if (e->drop_days >= e->stale_days)
		return true;
	return error_at(err, ERR_RANGE, (struct pos){ e->file, 0, 0 },
			"drop_days: %d is less than stale_days, %d", e->drop_days, e->stale_days);
}

bool edition_read(const char *path, const struct devices *devices, struct arena *a,
		  struct edition *out, struct error *err)
{
	struct edition_reading r = { .devices = devices, .out = out, .arena = a, .err = err };
	struct keyfile file;

	*out = defaults(path, a);
	r.general.method = STR("best");
	if (!keyfile_read(path, a, &file, err) || !apply(&r, &file))
		return false;
	out->file = file.file;
	out->pairs = file.v;
	out->npairs = file.n;
	if (!check_days(out, err))
		return false;
	assemble(&r);
	return true;
}

struct pos edition_pos(const struct edition *e, const char *section, struct str key)
{
	for (size_t i = 0; i < e->npairs; i++)
		if (str_eq(e->pairs[i].section, str_of(section)) && str_eq(e->pairs[i].key, key))
			return e->pairs[i].pos;
	return (struct pos){ e->file, 0, 0 };
}

const struct edition_class *edition_class_find(const struct edition *e, enum class_id id)
{
	for (size_t i = 0; i < e->nclasses; i++)
		if (e->classes[i].id == id)
			return &e->classes[i];
	return NULL;
}
