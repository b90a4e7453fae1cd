#include "check_row.h"

#include "../base/name.h"
#include "../base/num.h"
#include "../catalogue/class.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A rate may pass the data sheet by this much: cards clock above their nominal boost (a GTX 1080 Ti
 * has been seen at 1.07 of its sheet). What this check is for is off by 2 and more. */
static const double roofline_slack = 1.10;

enum { WORDS_MAX = 1000 };
enum { DEVICE_COUNT_MAX = 1000000 };

/* The columns in the order of the documentation. max is in bytes: a name longer than that is an
 * accident or an attack, and would burst the pages it is printed on. What may have WORDS_MAX is no
 * name but words, and may stand in several lines. */
static const struct {
	struct str name;
	bool required;
	size_t max;
} columns[COL_COUNT] = {
	[COL_MACHINE] = { STR_INIT("machine"), true, 200 },
	[COL_DATE] = { STR_INIT("date"), false, 200 },
	[COL_DEVICE] = { STR_INIT("device"), true, 200 },
	[COL_DEVICE_COUNT] = { STR_INIT("device_count"), false, 200 },
	[COL_CLASS] = { STR_INIT("class"), false, 200 },
	[COL_WORKLOAD] = { STR_INIT("workload"), true, 200 },
	[COL_PRECISION] = { STR_INIT("precision"), false, 200 },
	[COL_BATCH_SIZE] = { STR_INIT("batch_size"), false, 200 },
	[COL_METRIC] = { STR_INIT("metric"), true, 200 },
	[COL_VALUE] = { STR_INIT("value"), true, 200 },
	[COL_UNIT] = { STR_INIT("unit"), true, 200 },
	[COL_FRAMEWORK] = { STR_INIT("framework"), false, WORDS_MAX },
	[COL_DRIVER] = { STR_INIT("driver"), false, WORDS_MAX },
	[COL_REPEAT] = { STR_INIT("repeat"), false, 200 },
	[COL_SOURCE] = { STR_INIT("source"), false, WORDS_MAX },
};

/* Units of time that a workload may be listed in. */
static const struct {
	struct str name;
	double seconds;
} time_units[] = {
	{ STR_INIT("us"), 1e-6 }, { STR_INIT("ms"), 1e-3 }, { STR_INIT("s"), 1 },
	{ STR_INIT("min"), 60 },  { STR_INIT("h"), 3600 },
};

struct str column_name(enum contribution_column column)
{
	return columns[column].name;
}

bool column_required(enum contribution_column column)
{
	return columns[column].required;
}

static bool holds_hidden(enum contribution_column column, struct str text, unsigned *c)
{
	return columns[column].max == WORDS_MAX ? name_hidden_in_lines(text, c)
						: name_hidden(text, c);
}

bool column_takes(enum contribution_column column, struct str text)
{
	unsigned c;

	return text.len <= columns[column].max && !holds_hidden(column, text, &c);
}

/* One row on its way; what a cell gave stands in `out`, whether it gave something in the flags. */
struct row_check {
	struct row_checker *k;
	const struct csv_row *row;
	struct row *out;
	int faults, batch_size; /* batch_size -1: not given */
	bool has_device, has_workload, has_value, has_count, has_precision;
};

static struct str quote(struct row_checker *k, struct str text)
{
	return name_shown(k->scratch, text, LOOKUP_QUOTE_MAX);
}

void check_reject(struct row_checker *k, const struct cell *cell, struct str column,
		  enum reject_code code, const char *fmt, ...)
{
	struct pos pos = cell->pos;
	char reason[1024];
	va_list args;

	if (!reject_listed(&k->c->rejects, pos.line, code))
		return;
	va_start(args, fmt);
	vsnprintf(reason, sizeof reason, fmt, args);
	va_end(args);
	pos.file = k->c->inputs[k->file].name_c;
	const struct reject *r =
	    reject_add(&k->c->rejects, k->file, pos.line, column, code, cell->text, "%s", reason);
	messages_add(k->c->messages, pos, STR_FMT "%s" STR_FMT, STR_ARG(column),
		     column.len ? ": " : "", STR_ARG(r->reason));
}

static struct cell cell_of(const struct row_check *r, enum contribution_column column)
{
	struct cell cell = csv_cell(r->k->table, r->row, r->k->at[column]);

	cell.text = str_trim(cell.text);
	return cell;
}

/* The text alone, which is asked for more often. */
static struct str cell_text(const struct row_check *r, enum contribution_column column)
{
	int at = r->k->at[column];
	bool there = at >= 0 && (size_t)at < r->row->n;

	return there ? str_trim(r->row->cells[at].text) : STR("");
}

/* Reports a fault of one cell of the row. */
static void fault(struct row_check *r, enum contribution_column column, enum reject_code code,
		  const char *fmt, ...) __attribute__((format(printf, 4, 5)));

static void fault(struct row_check *r, enum contribution_column column, enum reject_code code,
		  const char *fmt, ...)
{
	struct cell cell = cell_of(r, column);
	char reason[1024];
	va_list args;

	va_start(args, fmt);
	vsnprintf(reason, sizeof reason, fmt, args);
	va_end(args);
	r->faults++;
	check_reject(r->k, &cell, columns[column].name, code, "%s", reason);
}

/* What a text gave in the row that had it last. */
static bool is_known(const struct row_check *r, enum contribution_column column, struct str text,
		     unsigned *number)
{
	const struct known_cell *k = &r->k->known[column];

	if (!k->there || !str_eq(text, (struct str){ k->text, k->len }))
		return false;
	*number = k->number;
	return true;
}

/* Of a cell without a fault. */
static void remember(struct row_check *r, enum contribution_column column, struct str text,
		     unsigned number)
{
	struct known_cell *k = &r->k->known[column];

	if (text.len > sizeof k->text)
		return;
	k->there = true;
	k->number = number;
	k->len = text.len;
	memcpy(k->text, str_chars(text), text.len);
}

/* Text of a cell that stays text; a fault and empty when it is over-long or cannot be seen as it
 * is. */
static struct str text_of(struct row_check *r, enum contribution_column column)
{
	struct str text = cell_text(r, column);
	unsigned c;

	if (text.len > columns[column].max)
		fault(r, column, REJECT_LIMIT, "%zu bytes where at most %zu are allowed", text.len,
		      columns[column].max);
	else if (holds_hidden(column, text, &c))
		fault(r, column, REJECT_CHARACTER,
		      "'" STR_FMT "' holds U+%04X, a character that is not seen as it is",
		      STR_ARG(quote(r->k, text)), c);
	else
		return text;
	return STR("");
}

struct str row_machine_key(const struct input *input, struct str name, struct arena *a)
{
	const size_t numbers[] = { input->series, input->signer ? input->signer->number : 0 };
	const struct str parts[] = { { (const char *)numbers, sizeof numbers }, name };

	return str_join(a, parts, LEN(parts));
}

size_t row_machine(struct collection *c, const struct input *input, struct str name,
		   struct arena *scratch)
{
	bool fresh;
	size_t machine =
	    names_put(&c->machine_keys, row_machine_key(input, name, scratch), &fresh);

	if (fresh) {
		c->machines = arena_grow(c->arena, c->machines, &c->machines_cap, machine + 1,
					 sizeof *c->machines);
		c->machines[machine] = (struct machine){ str_dup(c->arena, name), input->series,
							 input->trust, input->signer };
	}
	return machine;
}

static void check_machine(struct row_check *r)
{
	struct collection *c = r->k->c;

	if (is_known(r, COL_MACHINE, cell_text(r, COL_MACHINE), &r->out->machine))
		return;
	struct str text = text_of(r, COL_MACHINE);
	struct str name = names_clean(r->k->scratch, text, columns[COL_MACHINE].max);

	if (name.len == 0) {
		if (text.len || cell_text(r, COL_MACHINE).len == 0) /* else said already */
			fault(r, COL_MACHINE, REJECT_SYNTAX, "no machine given");
		return;
	}
	r->out->machine = (unsigned)row_machine(c, &c->inputs[r->k->file], name, r->k->scratch);
	remember(r, COL_MACHINE, text, r->out->machine);
}

static void check_date(struct row_check *r)
{
	struct str text = cell_text(r, COL_DATE);

	r->out->date.day = INT_MIN;
	if (text.len && !date_parse(text, &r->out->date))
		fault(r, COL_DATE, REJECT_DATE, "'" STR_FMT "' is not a day as in 2019-05-28",
		      STR_ARG(quote(r->k, text)));
}

static void check_device(struct row_check *r)
{
	r->has_device = is_known(r, COL_DEVICE, cell_text(r, COL_DEVICE), &r->out->device);
	if (r->has_device)
		return;
	struct str name = text_of(r, COL_DEVICE);
	if (name.len == 0) {
		if (cell_text(r, COL_DEVICE).len == 0)
			fault(r, COL_DEVICE, REJECT_DEVICE_UNKNOWN, "no device given");
		return;
	}
	const struct answer *answer = lookup_device(r->k->lookup, name);
	if (!answer->found) {
		fault(r, COL_DEVICE, answer->code, STR_FMT, STR_ARG(answer->reason));
		return;
	}
	r->out->device = (unsigned)answer->index;
	r->has_device = true;
	remember(r, COL_DEVICE, name, r->out->device);
}

/* A whole number of at least `least`; an empty cell gives `missing`. */
static bool check_count(struct row_check *r, enum contribution_column column, int least,
			int missing, int *out)
{
	struct str text = cell_text(r, column);
	int n = missing;

	if (text.len && (!num_parse_int(text, &n) || n < least)) {
		fault(r, column, REJECT_COUNT, "'" STR_FMT "' is not a whole number from %d on",
		      STR_ARG(quote(r->k, text)), least);
		return false;
	}
	*out = n;
	return true;
}

/* More devices than any machine has: ten times the largest that are known. */
static bool believable_count(struct row_check *r)
{
	if (r->out->device_count <= DEVICE_COUNT_MAX)
		return true;
	fault(r, COL_DEVICE_COUNT, REJECT_COUNT, "'%d' is more than %d", r->out->device_count,
	      DEVICE_COUNT_MAX);
	return false;
}

static void check_counts(struct row_check *r)
{
	int repeat;

	r->has_count = check_count(r, COL_DEVICE_COUNT, 1, 1, &r->out->device_count)
		       && believable_count(r);
	check_count(r, COL_BATCH_SIZE, 0, -1, &r->batch_size);
	check_count(r, COL_REPEAT, 0, 0, &repeat);
}

static void check_precision(struct row_check *r)
{
	struct str text = text_of(r, COL_PRECISION);
	enum precision_kind kind;

	r->has_precision = precision_parse(text, &kind);
	if (r->has_precision)
		r->out->precision = (unsigned)names_put(&r->k->c->precisions, text, NULL);
	else
		fault(r, COL_PRECISION, REJECT_PRECISION, "'" STR_FMT "' is not a known precision",
		      STR_ARG(quote(r->k, text)));
}

static void check_workload(struct row_check *r)
{
	struct str name = text_of(r, COL_WORKLOAD), metric = text_of(r, COL_METRIC);

	if (cell_text(r, COL_WORKLOAD).len == 0)
		fault(r, COL_WORKLOAD, REJECT_WORKLOAD_UNKNOWN, "no workload given");
	if (cell_text(r, COL_METRIC).len == 0)
		fault(r, COL_METRIC, REJECT_METRIC, "no metric given");
	if (name.len == 0 || metric.len == 0)
		return;
	const struct answer *answer = lookup_workload(r->k->lookup, name, metric);
	r->has_workload = answer->found;
	r->out->workload = (unsigned)answer->index;
	if (!answer->found)
		fault(r, answer->code == REJECT_METRIC ? COL_METRIC : COL_WORKLOAD, answer->code,
		      STR_FMT, STR_ARG(answer->reason));
}

static const struct workload *workload_of(const struct row_check *r)
{
	return &r->k->c->workloads->v[r->out->workload];
}

static void check_class(struct row_check *r)
{
	struct str text = text_of(r, COL_CLASS);
	enum class_id class;

	if (text.len == 0)
		return;
	if (!class_parse(text, &class)) {
		fault(r, COL_CLASS, REJECT_CLASS, "'" STR_FMT "' is not a class of workloads",
		      STR_ARG(quote(r->k, text)));
	} else if (r->has_workload && class != workload_of(r)->class) {
		struct str own = class_name(workload_of(r)->class);
		fault(r, COL_CLASS, REJECT_CLASS,
		      "'" STR_FMT "', but " STR_FMT " is of class " STR_FMT, STR_ARG(text),
		      STR_ARG(workload_of(r)->name), STR_ARG(own));
	}
}

static void check_unit(struct row_check *r)
{
	struct str text = text_of(r, COL_UNIT);

	if (cell_text(r, COL_UNIT).len == 0) {
		fault(r, COL_UNIT, REJECT_UNIT, "no unit given");
	} else if (r->has_workload && !str_eq(text, workload_of(r)->unit)) {
		const struct workload *w = workload_of(r);
		fault(r, COL_UNIT, REJECT_UNIT,
		      "'" STR_FMT "' where " STR_FMT " " STR_FMT " is in " STR_FMT,
		      STR_ARG(quote(r->k, text)), STR_ARG(w->name), STR_ARG(w->metric),
		      STR_ARG(w->unit));
		r->has_workload = false; /* the bounds are in the other unit */
	}
}

static void check_value(struct row_check *r)
{
	struct str text = cell_text(r, COL_VALUE);

	r->has_value = num_parse(text, r->k->decimal_comma, &r->out->value);
	if (text.len == 0)
		fault(r, COL_VALUE, REJECT_NUMBER, "no value given");
	else if (!r->has_value)
		fault(r, COL_VALUE, REJECT_NUMBER, "'" STR_FMT "' is not a number%s",
		      STR_ARG(quote(r->k, text)),
		      r->k->decimal_comma ? " (this file writes decimals with a comma)" : "");
}

/* A run that did not fit is told by value 0 and batch_size 0 together. */
static bool did_not_fit(const struct row_check *r)
{
	return r->has_value && r->out->value == 0 && r->batch_size == 0;
}

static void check_range(struct row_check *r)
{
	const struct workload *w = workload_of(r);
	double value = r->out->value;

	if (r->batch_size == 0 && r->has_value && value != 0)
		fault(r, COL_BATCH_SIZE, REJECT_COUNT,
		      "0 beside a value: it stands for a run that did not fit");
	if (!r->has_workload || !r->has_value || did_not_fit(r))
		return;
	if (!(value >= w->lo && value <= w->hi)) {
		fault(r, COL_VALUE, REJECT_RANGE,
		      "%.6g " STR_FMT " is outside what is believable of " STR_FMT ", %.6g to %.6g",
		      value, STR_ARG(w->unit), STR_ARG(w->name), w->lo, w->hi);
		r->has_value = false;
	}
}

/* Seconds of a unit of time, NAN of another unit. */
static double seconds_of(struct str unit)
{
	for (size_t i = 0; i < LEN(time_units); i++)
		if (str_eq(time_units[i].name, unit))
			return time_units[i].seconds;
	return NAN;
}

/* Arithmetic of the row in TFLOP/s of all its devices, or NAN. A rate counts samples of all
 * devices. Of a time the catalogue gives the work of one step; that every device does such a step
 * in that time is the most that it can mean. */
static double tflops_of(const struct value_check *v, double value)
{
	if (!v->is_time)
		return value * v->flop * 1e-12;
	return v->device_count * v->flop / (value * v->seconds) * 1e-12;
}

static struct value_check value_check_of(const struct workload *w, int device_count)
{
	return (struct value_check){ w->lo, w->hi, w->flop_per_sample, seconds_of(w->unit),
				     device_count, w->lower_is_better, INFINITY };
}

/* Peak of one device, NAN when not known: a sheet without an 8-bit rate says nothing of 8-bit work.
 */
static double peak_of(const struct device *device, struct str precision)
{
	enum precision_kind kind = PRECISION_UNSTATED;

	precision_parse(precision, &kind);
	if (kind == PRECISION_8 && isnan(device->tensor_fp8_tflops)
	    && isnan(device->tensor_int8_tops))
		return NAN;
	return device_peak_tflops(device, precision);
}

static void check_roofline(struct row_check *r)
{
	const struct workload *w = workload_of(r);

	if (!r->has_workload || !r->has_value || !r->has_device || !r->has_count
	    || !r->has_precision || did_not_fit(r) || isnan(w->flop_per_sample))
		return;
	const struct device *device = &r->k->c->devices->v[r->out->device];
	struct str precision = r->k->c->precisions.v[r->out->precision];
	double peak = peak_of(device, precision) * r->out->device_count;
	struct value_check v = value_check_of(w, r->out->device_count);
	double rate = tflops_of(&v, r->out->value);
	if (rate > roofline_slack * peak) /* never true of NAN: not known */
		fault(r, COL_VALUE, REJECT_ABOVE_ROOFLINE,
		      "%.6g " STR_FMT " of " STR_FMT
		      " is %.4g TFLOP/s of arithmetic, above the peak of %d x " STR_FMT
		      ", %.4g TFLOP/s"
		      "%s" STR_FMT,
		      r->out->value, STR_ARG(w->unit), STR_ARG(w->name), rate, r->out->device_count,
		      STR_ARG(device->name), peak, precision.len ? " in " : "", STR_ARG(precision));
}

struct value_check check_row_again(const struct row_checker *k, const struct row *row)
{
	const struct workload *w = &k->c->workloads->v[row->workload];
	struct value_check v = value_check_of(w, row->device_count);
	double peak = peak_of(&k->c->devices->v[row->device], k->c->precisions.v[row->precision])
		      * row->device_count;

	if (!isnan(w->flop_per_sample) && !isnan(peak))
		v.tflops_max = roofline_slack * peak;
	return v;
}

bool check_row_value(const struct value_check *v, double value)
{
	return value >= v->lo && value <= v->hi
	       && (isinf(v->tflops_max) || !(tflops_of(v, value) > v->tflops_max));
}

/* What a source is called: a file of a repository by "github:owner/name@commit". */
static struct str short_source(struct arena *a, struct str source)
{
	struct str scheme = STR("github:");
	size_t at = str_find(source, STR("@"), 0), owner = str_find(source, STR("/"), 0);
	size_t name = str_find(source, STR("/"), owner + 1);

	if (!str_starts(source, scheme) || at == source.len || name > at)
		return source;
	const struct str parts[] = { str_slice(source, 0, name),
				     str_slice(source, at, source.len) };
	return str_join(a, parts, LEN(parts));
}

/* The number of the words in a cell. */
static unsigned number_of(struct row_check *r, enum contribution_column column,
			  struct names *names)
{
	struct arena *a = r->k->scratch;
	struct str text = cell_text(r, column);
	int faults = r->faults;
	unsigned number;

	if (is_known(r, column, text, &number))
		return number;
	struct str words = names_clean(a, text_of(r, column), columns[column].max);
	if (column == COL_SOURCE)
		words = short_source(a, words);
	number = (unsigned)names_put(names, words, NULL);
	if (r->faults == faults)
		remember(r, column, text, number);
	return number;
}

static void check_texts(struct row_check *r)
{
	struct collection *c = r->k->c;

	r->out->framework = number_of(r, COL_FRAMEWORK, &c->frameworks);
	r->out->source = number_of(r, COL_SOURCE, &c->sources);
	text_of(r, COL_DRIVER);
}

bool check_row(struct row_checker *k, const struct csv_row *row, struct row *out)
{
	/* In this order: later checks use what earlier ones found. */
	static void (*const checks[])(struct row_check *) = {
		check_machine,   check_date,     check_device,   check_counts,
		check_precision, check_workload, check_class,    check_value,
		check_unit,      check_range,    check_roofline, check_texts,
	};
	struct row_check r = { .k = k, .row = row, .out = out, .batch_size = -1 };

	*out =
	    (struct row){ .file = (unsigned)k->file, .line = row->line, .override = NO_OVERRIDE };
	for (size_t i = 0; i < LEN(checks); i++)
		checks[i](&r);
	if (r.faults == 0 && did_not_fit(&r)) {
		out->state = ROW_SET_ASIDE;
		if (!reject_listed(&k->c->rejects, row->line, REJECT_DID_NOT_FIT))
			return true;
		reject_add(&k->c->rejects, k->file, row->line, columns[COL_VALUE].name,
			   REJECT_DID_NOT_FIT, cell_of(&r, COL_VALUE).text,
			   "value 0 with batch_size 0: the run did not fit, a fact about memory "
			   "and no speed");
	}
	return r.faults == 0;
}
