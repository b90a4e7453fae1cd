/* summary.json back from an edition: cJSON for the syntax, tables for what each member must be. */
#include "summary.h"

#include "../base/file.h"

#include <cjson/cJSON.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>

/* What one member becomes. */
enum member_type {
	MEMBER_TEXT,   /* struct str; what str_is_plain() refuses becomes '?' */
	MEMBER_ID,     /* struct str of letters, digits, '-', '_' and '.': safe in links and file names */
	MEMBER_FILE,   /* the same, and no hidden name */
	MEMBER_DATE,   /* struct date */
	MEMBER_COUNT,  /* int >= 0 */
	MEMBER_AMOUNT, /* double > 0, or null: NAN */
};

struct member {
	const char *name;
	enum member_type type;
	bool empty; /* may be empty text */
	size_t offset;
};

static const struct member top_members[] = {
	{ "id", MEMBER_ID, false, offsetof(struct summary, id) },
	{ "edition", MEMBER_TEXT, false, offsetof(struct summary, edition) },
	{ "title", MEMBER_TEXT, false, offsetof(struct summary, title) },
	{ "subtitle", MEMBER_TEXT, true, offsetof(struct summary, subtitle) },
	{ "program", MEMBER_TEXT, true, offsetof(struct summary, program) },
	{ "date", MEMBER_DATE, false, offsetof(struct summary, date) },
	{ "devices", MEMBER_COUNT, false, offsetof(struct summary, devices) },
};

static const struct member previous_members[] = {
	{ "id", MEMBER_ID, false, offsetof(struct summary, previous_id) },
	{ "date", MEMBER_DATE, false, offsetof(struct summary, previous_date) },
};

static const struct member change_members[] = {
	{ "changed", MEMBER_COUNT, false, offsetof(struct summary, changed) },
	{ "new", MEMBER_COUNT, false, offsetof(struct summary, fresh) },
	{ "gone", MEMBER_COUNT, false, offsetof(struct summary, gone) },
	{ "same", MEMBER_COUNT, false, offsetof(struct summary, same) },
	{ "by_price", MEMBER_COUNT, false, offsetof(struct summary, by_price) },
	{ "by_data", MEMBER_COUNT, false, offsetof(struct summary, by_data) },
	{ "by_method", MEMBER_COUNT, false, offsetof(struct summary, by_method) },
};

static const struct member language_members[] = {
	{ "tag", MEMBER_ID, false, offsetof(struct summary_language, tag) },
	{ "name", MEMBER_TEXT, false, offsetof(struct summary_language, name) },
	{ "html", MEMBER_FILE, false, offsetof(struct summary_language, html) },
	{ "pdf", MEMBER_FILE, false, offsetof(struct summary_language, pdf) },
};

static const struct member pick_members[] = {
	{ "persona", MEMBER_TEXT, false, offsetof(struct summary_pick, persona) },
	{ "title", MEMBER_TEXT, false, offsetof(struct summary_pick, title) },
	{ "device", MEMBER_TEXT, true, offsetof(struct summary_pick, device) },
	{ "cost_usd", MEMBER_AMOUNT, false, offsetof(struct summary_pick, cost_usd) },
	{ "cost", MEMBER_TEXT, true, offsetof(struct summary_pick, cost) },
};

struct reading {
	const char *file;
	struct arena *arena;
	struct error *err;
};

static bool faulty(const struct reading *r, enum error_code code, const char *name,
                   const char *wanted)
{
	return error_at(r->err, code, (struct pos){ r->file, 0, 0 }, "%s: expected %s", name, wanted);
}

static bool is_file_name(struct str s)
{
	bool good = s.len > 0 && s.len <= 100 && s.p[0] != '.';

	for (size_t i = 0; good && i < s.len; i++) {
		char c = s.p[i];
		good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
		       || c == '-' || c == '_' || c == '.';
	}
	return good;
}

static bool take_text(const struct reading *r, const struct member *m, const cJSON *node, void *to)
{
	struct str text;

	if (!cJSON_IsString(node))
		return faulty(r, ERR_SYNTAX, m->name, "a text");
	text = str_dup(r->arena, str_of(node->valuestring));
	if (text.len == 0 && !m->empty)
		return faulty(r, ERR_SYNTAX, m->name, "a text that is not empty");
	if (m->type == MEMBER_DATE && !date_parse(text, to))
		return faulty(r, ERR_SYNTAX, m->name, "a date such as 2026-11-30");
	if (m->type == MEMBER_DATE)
		return true;
	if (m->type != MEMBER_TEXT && !is_file_name(text))
		return faulty(r, ERR_SYNTAX, m->name, "a plain name of letters, digits, - _ and .");
	*(struct str *)to = str_plain(r->arena, text);
	return true;
}

static bool take_number(const struct reading *r, const struct member *m, const cJSON *node, void *to)
{
	double v = cJSON_IsNumber(node) ? node->valuedouble : (double)NAN;

	if (m->type == MEMBER_AMOUNT) {
		if (!cJSON_IsNull(node) && !(v > 0 && v < 1e12))
			return faulty(r, ERR_RANGE, m->name, "a number above 0, or null");
		*(double *)to = v;
		return true;
	}
	if (!(v >= 0 && v <= INT_MAX && floor(v) == v))
		return faulty(r, ERR_RANGE, m->name, "a whole number");
	*(int *)to = (int)v;
	return true;
}

static bool take_member(const struct reading *r, const struct member *m, const cJSON *object,
                        void *record)
{
	const cJSON *node = cJSON_GetObjectItemCaseSensitive(object, m->name);
	void *to = (char *)record + m->offset;

	if (!node)
		return faulty(r, ERR_SYNTAX, m->name, "to be there");
	switch (m->type) {
	case MEMBER_TEXT:
	case MEMBER_ID:
	case MEMBER_FILE:
	case MEMBER_DATE:
		return take_text(r, m, node, to);
	case MEMBER_COUNT:
	case MEMBER_AMOUNT:
		break;
	}
	return take_number(r, m, node, to);
}

static bool take_members(const struct reading *r, const struct member *m, size_t n,
                         const cJSON *object, void *record)
{
	for (size_t i = 0; i < n; i++)
		if (!take_member(r, &m[i], object, record))
			return false;
	return true;
}

/* A list of objects, or of texts where there are no members. */
struct list {
	const char *name;
	const struct member *members;
	size_t nmembers, size;
};

static bool take_list(const struct reading *r, const struct list *l, const cJSON *object, void **out,
                      size_t *n)
{
	const cJSON *node = cJSON_GetObjectItemCaseSensitive(object, l->name);
	const struct member text = { l->name, MEMBER_TEXT, true, 0 };
	char *records;

	if (!cJSON_IsArray(node))
		return faulty(r, ERR_SYNTAX, l->name, "a list");
	if (cJSON_GetArraySize(node) > SUMMARY_LIST_MAX)
		return faulty(r, ERR_RANGE, l->name, "a shorter list");
	*out = records = arena_array(r->arena, (size_t)cJSON_GetArraySize(node), l->size);
	*n = 0;
	for (const cJSON *x = node->child; x; x = x->next) {
		void *record = records + (*n)++ * l->size;
		if (l->members && !cJSON_IsObject(x))
			return faulty(r, ERR_SYNTAX, l->name, "a list of objects");
		if (l->members ? !take_members(r, l->members, l->nmembers, x, record)
		               : !take_text(r, &text, x, record))
			return false;
	}
	return true;
}

/* A member that is an object or null: *out is NULL for null. */
static bool take_object(const struct reading *r, const char *name, const cJSON *top,
                        const cJSON **out)
{
	*out = cJSON_GetObjectItemCaseSensitive(top, name);
	if (!cJSON_IsObject(*out) && !cJSON_IsNull(*out))
		return faulty(r, ERR_SYNTAX, name, "an object or null");
	if (cJSON_IsNull(*out))
		*out = NULL;
	return true;
}

static bool take_changes(const struct reading *r, const cJSON *top, struct summary *out)
{
	static const struct list sentences = { "sentences", NULL, 0, sizeof(struct str) };
	const cJSON *changes;
	void *texts;

	if (!take_object(r, "changes", top, &changes))
		return false;
	out->has_changes = changes != NULL;
	if (!changes)
		return true;
	if (!take_members(r, change_members, LEN(change_members), changes, out)
	    || !take_list(r, &sentences, changes, &texts, &out->nchanges))
		return false;
	out->changes = texts;
	return true;
}

static bool take_summary(const struct reading *r, const cJSON *top, struct summary *out)
{
	static const struct list languages = { "languages", language_members, LEN(language_members),
					       sizeof(struct summary_language) };
	static const struct list picks = { "picks", pick_members, LEN(pick_members),
					   sizeof(struct summary_pick) };
	const cJSON *previous;
	void *records;

	if (!take_members(r, top_members, LEN(top_members), top, out)
	    || !take_object(r, "previous", top, &previous)
	    || (previous
		&& !take_members(r, previous_members, LEN(previous_members), previous, out))
	    || !take_list(r, &languages, top, &records, &out->nlanguages))
		return false;
	if (out->nlanguages == 0)
		return faulty(r, ERR_SYNTAX, "languages", "one at least");
	out->languages = records;
	if (!take_list(r, &picks, top, &records, &out->npicks))
		return false;
	out->picks = records;
	return take_changes(r, top, out);
}

bool summary_parse(struct str text, const char *file, struct arena *a, struct summary *out,
                   struct error *err)
{
	const struct reading r = { file, a, err };
	cJSON *top = cJSON_ParseWithLength(text.p ? text.p : "", text.len);
	bool good;

	*out = (struct summary){ .previous_date = { INT_MIN } };
	if (!str_is_utf8(text))
		good = faulty(&r, ERR_SYNTAX, "summary", "UTF-8");
	else if (!cJSON_IsObject(top))
		good = faulty(&r, ERR_SYNTAX, "summary", "a JSON object");
	else
		good = take_summary(&r, top, out);
	cJSON_Delete(top);
	return good;
}

bool summary_read(const char *dir, struct arena *a, struct summary *out, struct error *err)
{
	const char *file = str_c(a, file_join(a, str_of(dir), STR("summary.json")));
	struct str text;

	return file_read(file, SUMMARY_BYTES_MAX, a, &text, err)
	       && summary_parse(text, file, a, out, err);
}
