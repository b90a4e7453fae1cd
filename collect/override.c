#include "override.h"

#include "../base/csv_read.h"
#include "../base/file.h"
#include "../base/num.h"

#include <stdint.h>
#include <stdio.h>

/* What a decision does at once; `accept` waits for a check to set the row aside. */
static const struct {
	struct str name;
	bool at_once;
	enum reject_code code;
} decisions[] = {
	[DECISION_ACCEPT] = { STR_INIT("accept"), false, REJECT_CODE_COUNT },
	[DECISION_OUT_OF_MEMORY] = { STR_INIT("out-of-memory"), true, REJECT_OUT_OF_MEMORY },
	[DECISION_DID_NOT_FIT] = { STR_INIT("did-not-fit"), true, REJECT_DID_NOT_FIT },
	[DECISION_REJECT] = { STR_INIT("reject"), true, REJECT_OVERRIDE },
};

static bool decision_parse(struct override *o, struct error *err)
{
	for (size_t i = 0; i < LEN(decisions); i++)
		if (str_eq(decisions[i].name, o->decision_name)) {
			o->decision = (enum decision)i;
			return true;
		}
	return error_at(err, ERR_UNKNOWN, o->pos,
			"decision: '" STR_FMT
			"' is not accept, out-of-memory, did-not-fit or reject",
			STR_ARG(o->decision_name));
}

/* Hangs override i into the list of its file. */
static bool file_index(struct overrides *o, size_t i, struct arena *a, struct error *err)
{
	bool fresh;
	size_t file = names_put(&o->files, o->v[i].file, &fresh);

	if (fresh) {
		o->first = arena_grow(a, o->first, &o->first_cap, file + 1, sizeof *o->first);
		o->first[file] = SIZE_MAX;
	}
	int twin = override_at(o, o->first[file], o->v[i].line);
	if (twin != NO_OVERRIDE)
		return error_at(err, ERR_DATA, o->v[i].pos,
				"line: " STR_FMT ":%d is decided in line %d already",
				STR_ARG(o->v[i].file), o->v[i].line, o->v[twin].pos.line);
	o->v[i].next = o->first[file];
	o->first[file] = i;
	return true;
}

bool override_read(const char *data_dir, struct arena *a, struct overrides *out, struct error *err)
{
	static const struct csv_field fields[] = {
		{ "file", CSV_TEXT, true, offsetof(struct override, file) },
		{ "line", CSV_COUNT, true, offsetof(struct override, line) },
		{ "decision", CSV_TEXT, true, offsetof(struct override, decision_name) },
		{ "who", CSV_TEXT, true, offsetof(struct override, who) },
		{ "why", CSV_TEXT, true, offsetof(struct override, why) },
	};
	const char *path = str_c(a, file_join(a, str_of(data_dir), STR("overrides.csv")));
	void *records;

	*out = (struct overrides){ .files = names_make(a) };
	if (!file_exists(path))
		return true;
	if (!csv_read_records(path, fields, LEN(fields), sizeof(struct override),
			      offsetof(struct override, pos), a, &records, &out->n, err))
		return false;
	out->v = records;
	for (size_t i = 0; i < out->n; i++)
		if (!decision_parse(&out->v[i], err) || !file_index(out, i, a, err))
			return false;
	return true;
}

size_t override_first(const struct overrides *o, struct str file_key)
{
	const size_t *file = map_get(&o->files.map, file_key);

	return file ? o->first[*file] : SIZE_MAX;
}

int override_at(const struct overrides *o, size_t first, int line)
{
	for (size_t i = first; i != SIZE_MAX; i = o->v[i].next)
		if (o->v[i].line == line)
			return (int)i;
	return NO_OVERRIDE;
}

static void set_aside(struct collection *c, struct group *g, int line, double value,
		      enum reject_code code, const char *reason)
{
	struct input *input = &c->inputs[g->row.file];
	struct series_count *count = &c->counts[input->series];

	if (reject_told(input->set_aside++, &c->aside_told))
		reject_add(&c->rejects, g->row.file, line, STR("value"), code,
			   num_shortest(c->arena, value), "%s", reason);
	else
		unlisted_add(&input->unlisted_rows, 1, line, code);
	*(reject_action(code) == ACTION_REJECTED ? &count->rejected : &count->set_aside) += 1;
	group_take_out(c, g, line);
}

void override_set_aside(struct collection *c, struct overrides *o, struct group *g, int line,
			double value, enum reject_code code, const char *fmt, ...)
{
	const struct row *r = &g->row;
	char reason[1024];
	va_list args;

	va_start(args, fmt);
	vsnprintf(reason, sizeof reason, fmt, args);
	va_end(args);
	if (r->override == NO_OVERRIDE || o->v[r->override].decision != DECISION_ACCEPT) {
		set_aside(c, g, line, value, code, reason);
		return;
	}
	struct override *d = &o->v[r->override];
	d->used = true;
	reject_add(&c->rejects, r->file, line, STR("value"), code, num_shortest(c->arena, value),
		   "%s; accepted by " STR_FMT ": " STR_FMT, reason,
		   STR_ARG(names_clean(c->arena, d->who, 60)),
		   STR_ARG(names_clean(c->arena, d->why, 300)))
	    ->action = ACTION_OVERRIDDEN;
}

/* A row with a decision is alone in its group. */
void override_apply(struct collection *c, struct overrides *o)
{
	for (size_t i = 0; i < c->ngroups; i++) {
		struct group *g = c->groups[i];
		const struct row *r = &g->row;
		if (r->override == NO_OVERRIDE)
			continue;
		struct override *d = &o->v[r->override];
		if (!decisions[d->decision].at_once)
			continue;
		d->used = true;
		set_aside(c, g, r->line, r->value, decisions[d->decision].code,
			  str_c(c->arena, str_printf(c->arena, STR_FMT " (" STR_FMT ")",
						     STR_ARG(names_clean(c->arena, d->why, 300)),
						     STR_ARG(names_clean(c->arena, d->who, 60)))));
	}
}

static void report_unlisted(struct collection *c)
{
	for (size_t i = 0; i < c->ninputs; i++) {
		const struct unlisted *more = &c->inputs[i].unlisted_rows;
		if (more->n)
			reject_add(&c->rejects, i, more->line, STR("value"), more->code,
				   (struct str){ 0 },
				   "%zu further rows of the file are set aside and not listed",
				   more->n);
	}
}

/* Whether the series of an override's file is among those read: others are not this run's business.
 */
static bool series_read_here(const struct collection *c, struct str file_key)
{
	struct str series = str_slice(file_key, 0, str_find(file_key, STR("/"), 0));
	const size_t *at = map_get(&c->series.map, series);

	return at && c->counts[*at].files > 0;
}

void override_report(struct collection *c, const struct overrides *o)
{
	report_unlisted(c);
	for (size_t i = 0; i < o->n; i++) {
		const struct override *d = &o->v[i];
		if (d->refused)
			messages_add(c->messages, d->pos,
				     "override: " STR_FMT ":%d is rejected by a check, '" STR_FMT
				     "' does not change that",
				     STR_ARG(d->file), d->line, STR_ARG(d->decision_name));
		else if (!d->found && series_read_here(c, d->file))
			messages_add(c->messages, d->pos,
				     "override: there is no row at " STR_FMT ":%d",
				     STR_ARG(d->file), d->line);
		else if (d->found && !d->used)
			messages_add(c->messages, d->pos,
				     "override: '" STR_FMT "' changes nothing at " STR_FMT ":%d",
				     STR_ARG(d->decision_name), STR_ARG(d->file), d->line);
	}
}
