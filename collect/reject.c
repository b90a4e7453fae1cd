#include "reject.h"

#include "limits.h"
#include "names.h"
#include "../base/name.h"

#include <stdio.h>
#include <stdlib.h>

static const struct {
	struct str name;
	enum reject_action action;
} codes[REJECT_CODE_COUNT] = {
	[REJECT_SYNTAX] = { STR_INIT("syntax"), ACTION_REJECTED },
	[REJECT_COLUMN] = { STR_INIT("column"), ACTION_REJECTED },
	[REJECT_NUMBER] = { STR_INIT("number"), ACTION_REJECTED },
	[REJECT_DATE] = { STR_INIT("date"), ACTION_REJECTED },
	[REJECT_COUNT] = { STR_INIT("count"), ACTION_REJECTED },
	[REJECT_UNIT] = { STR_INIT("unit"), ACTION_REJECTED },
	[REJECT_METRIC] = { STR_INIT("metric"), ACTION_REJECTED },
	[REJECT_DEVICE_UNKNOWN] = { STR_INIT("device-unknown"), ACTION_REJECTED },
	[REJECT_DEVICE_AMBIGUOUS] = { STR_INIT("device-ambiguous"), ACTION_REJECTED },
	[REJECT_WORKLOAD_UNKNOWN] = { STR_INIT("workload-unknown"), ACTION_REJECTED },
	[REJECT_CLASS] = { STR_INIT("class"), ACTION_REJECTED },
	[REJECT_PRECISION] = { STR_INIT("precision"), ACTION_REJECTED },
	[REJECT_CHARACTER] = { STR_INIT("character"), ACTION_REJECTED },
	[REJECT_RANGE] = { STR_INIT("range"), ACTION_REJECTED },
	[REJECT_ABOVE_ROOFLINE] = { STR_INIT("above-roofline"), ACTION_REJECTED },
	[REJECT_LIMIT] = { STR_INIT("limit"), ACTION_REJECTED },
	[REJECT_SIGNATURE] = { STR_INIT("signature"), ACTION_REJECTED },
	[REJECT_OVERRIDE] = { STR_INIT("override"), ACTION_REJECTED },
	[REJECT_SUPER_LINEAR] = { STR_INIT("super-linear"), ACTION_SET_ASIDE },
	[REJECT_COLLAPSED] = { STR_INIT("collapsed"), ACTION_SET_ASIDE },
	[REJECT_OUT_OF_MEMORY] = { STR_INIT("out-of-memory"), ACTION_SET_ASIDE },
	[REJECT_DID_NOT_FIT] = { STR_INIT("did-not-fit"), ACTION_SET_ASIDE },
	[REJECT_OUTLIER] = { STR_INIT("outlier"), ACTION_SET_ASIDE },
	[REJECT_DUPLICATE] = { STR_INIT("duplicate"), ACTION_SET_ASIDE },
};

static const struct str actions[] = {
	[ACTION_REJECTED] = STR_INIT("rejected"),
	[ACTION_SET_ASIDE] = STR_INIT("set-aside"),
	[ACTION_OVERRIDDEN] = STR_INIT("overridden"),
};

enum reject_action reject_action(enum reject_code code)
{
	return codes[code].action;
}

struct reject *reject_add(struct rejects *r, size_t file, int line, struct str column,
			  enum reject_code code, struct str value, const char *fmt, ...)
{
	char reason[1024]; /* longer than what is kept, so that a cut falls between characters */
	va_list args;

	va_start(args, fmt);
	vsnprintf(reason, sizeof reason, fmt, args);
	va_end(args);
	r->v = arena_grow(r->arena, r->v, &r->cap, r->n + 1, sizeof *r->v);
	struct reject *new = &r->v[r->n];
	*new = (struct reject){
		.file = file,
		.line = line,
		.column = column,
		.code = code,
		.value = name_shown(r->arena, value, REJECT_VALUE_MAX),
		.reason = names_clean(r->arena, str_of(reason), REJECT_REASON_MAX),
		.action = codes[code].action,
		.seq = r->n++,
	};
	return new;
}

void unlisted_add(struct unlisted *u, size_t n, int line, enum reject_code code)
{
	if (u->n == 0 && n) {
		u->line = line;
		u->code = code;
	}
	u->n += n;
}

bool reject_told(size_t n, size_t *of_all)
{
	bool told = n < LIMIT_FILE_REJECTS || (n < LIMIT_REJECTS && *of_all < LIMIT_STAGE_REJECTS);

	*of_all += told;
	return told;
}

bool reject_listed(struct rejects *r, int line, enum reject_code code)
{
	if (r->n < LIMIT_REJECTS)
		return true;
	unlisted_add(&r->unlisted, 1, line, code);
	return false;
}

static int compare_rejects(const void *pa, const void *pb)
{
	const struct reject *a = pa, *b = pb;

	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return a->seq < b->seq ? -1 : a->seq > b->seq;
}

void reject_write(struct rejects *r, const struct str *files, struct csv_out *w)
{
	static const struct str header[] = { STR_INIT("file"),   STR_INIT("line"),
					     STR_INIT("column"), STR_INIT("code"),
					     STR_INIT("value"),  STR_INIT("reason"),
					     STR_INIT("action") };

	if (r->n > 1)
		qsort(r->v, r->n, sizeof *r->v, compare_rejects);
	for (size_t i = 0; i < LEN(header); i++)
		csv_put(w, header[i]);
	csv_end_row(w);
	for (size_t i = 0; i < r->n; i++) {
		const struct reject *v = &r->v[i];
		csv_put(w, files[v->file]);
		csv_put_int(w, v->line);
		csv_put(w, v->column);
		csv_put(w, codes[v->code].name);
		csv_put(w, v->value);
		csv_put(w, v->reason);
		csv_put(w, actions[v->action]);
		csv_end_row(w);
	}
}
