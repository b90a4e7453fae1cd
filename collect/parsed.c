#include "parsed.h"

#include "../base/pack.h"

#include <limits.h>
#include <stdint.h>

/* Of a row; names by the numbers of the file. */
enum { ROW_STATES = ROW_REJECTED + 1 };

void parsed_begin(const struct collection *c, size_t file, struct arena *a, struct collection *one,
		  struct messages *messages)
{
	struct input *input = arena_alloc(a, sizeof *input);

	*input = c->inputs[file];
	input->series = 0;
	input->signer = NULL; /* which comes with parsed_merge, too */
	*messages = (struct messages){ .arena = a };
	*one = (struct collection){
		.arena = a,
		.devices = c->devices,
		.workloads = c->workloads,
		.messages = messages,
		.cutoff = c->cutoff,
		.inputs = input,
		.ninputs = 1,
		.counts = arena_alloc(a, sizeof *one->counts),
		.precisions = names_make(a),
		.frameworks = names_make(a),
		.sources = names_make(a),
		.machine_keys = names_make(a),
		.rejects = { .arena = a },
	};
	one->counts->newest_row.day = INT_MIN;
	one->counts->oldest_row.day = INT_MAX;
}

/* --- into all --- */

/* The numbers in `into` of the names of `from`. */
static size_t *merge_names(struct names *into, const struct names *from, struct arena *a)
{
	size_t *number = arena_array(a, from->n, sizeof *number);

	for (size_t i = 0; i < from->n; i++)
		number[i] = names_put(into, from->v[i], NULL);
	return number;
}

static size_t *merge_machines(struct collection *c, size_t file, const struct collection *one)
{
	size_t *number = arena_array(one->arena, one->machine_keys.n, sizeof *number);

	for (size_t i = 0; i < one->machine_keys.n; i++)
		number[i] = row_machine(c, &c->inputs[file], one->machines[i].name, one->arena);
	return number;
}

static void merge_rows(struct collection *c, size_t file, const struct collection *one)
{
	struct arena *a = one->arena;
	const size_t *machines = merge_machines(c, file, one);
	const size_t *precisions = merge_names(&c->precisions, &one->precisions, a);
	const size_t *frameworks = merge_names(&c->frameworks, &one->frameworks, a);
	const size_t *sources = merge_names(&c->sources, &one->sources, a);

	c->rows = arena_grow(c->arena, c->rows, &c->cap, c->n + one->n, sizeof *c->rows);
	for (size_t i = 0; i < one->n; i++) {
		struct row *r = &c->rows[c->n++];
		*r = one->rows[i];
		r->file = (unsigned)file;
		r->machine = (unsigned)machines[r->machine];
		r->precision = (unsigned)precisions[r->precision];
		r->framework = (unsigned)frameworks[r->framework];
		r->source = (unsigned)sources[r->source];
	}
}

static void merge_words(struct collection *c, size_t file, const struct collection *one)
{
	struct rejects *to = &c->rejects;
	struct messages *m = c->messages;

	for (size_t i = 0; i < one->rejects.n; i++) {
		struct reject r = one->rejects.v[i];
		r.file = file;
		r.column = str_dup(c->arena, r.column);
		r.value = str_dup(c->arena, r.value);
		r.reason = str_dup(c->arena, r.reason);
		r.seq = to->n;
		to->v = arena_grow(to->arena, to->v, &to->cap, to->n + 1, sizeof *to->v);
		to->v[to->n++] = r;
	}
	for (size_t i = 0; i < one->messages->n; i++) {
		const struct message *said = &one->messages->v[i];
		struct pos pos = { c->inputs[file].name_c, said->pos.line, said->pos.col };
		messages_add(m, pos, STR_FMT, STR_ARG(said->text));
	}
}

void parsed_merge(struct collection *c, size_t file, const struct collection *one)
{
	struct series_count *count = &c->counts[c->inputs[file].series];

	merge_rows(c, file, one);
	merge_words(c, file, one);
	count->rows += one->counts->rows;
	count->rejected += one->counts->rejected;
	if (one->counts->newest_row.day > count->newest_row.day)
		count->newest_row = one->counts->newest_row;
	c->files_refused += one->files_refused;
	c->left_out += one->left_out;
}

/* --- to bytes --- */

static void pack_names(struct strbuf *b, const struct names *names)
{
	pack_put_int(b, (long long)names->n);
	for (size_t i = 0; i < names->n; i++)
		pack_put_str(b, names->v[i]);
}

static void pack_row(struct strbuf *b, const struct row *r)
{
	const int numbers[] = { (int)r->machine,   (int)r->device,    (int)r->workload,
				(int)r->precision, (int)r->framework, (int)r->source,
				r->line,           r->device_count,   r->date.day,
				(int)r->state };

	for (size_t i = 0; i < LEN(numbers); i++)
		pack_put_int(b, numbers[i]);
	pack_put_num(b, r->value);
}

static void pack_words(struct strbuf *b, const struct collection *one)
{
	pack_put_int(b, (long long)one->rejects.n);
	for (size_t i = 0; i < one->rejects.n; i++) {
		const struct reject *r = &one->rejects.v[i];
		pack_put_int(b, r->line);
		pack_put_int(b, r->code);
		pack_put_str(b, r->column);
		pack_put_str(b, r->value);
		pack_put_str(b, r->reason);
	}
	pack_put_int(b, (long long)one->messages->n);
	for (size_t i = 0; i < one->messages->n; i++) {
		const struct message *m = &one->messages->v[i];
		pack_put_int(b, m->pos.line);
		pack_put_int(b, m->pos.col);
		pack_put_str(b, m->text);
	}
}

static void pack_unknown(struct strbuf *b, const struct lookup *l)
{
	pack_put_int(b, (long long)l->nunknown);
	for (size_t i = 0; i < l->nunknown; i++) {
		const struct unknown_name *u = &l->unknown[i];
		const struct answer *answer = &u->answers->v[u->at];
		pack_put_int(b, u->answers == &l->by_workload);
		pack_put_str(b, u->answers->names.v[u->at]);
		pack_put_int(b, answer->how == ANSWER_SEARCHED);
		pack_put_int(b, answer->code);
		pack_put_str(b, answer->reason);
	}
}

/* A name that was answered in short because of what other files had asked for is no property of
 * this file. */
static bool is_cut(const struct lookup *l)
{
	for (size_t i = 0; i < l->nunknown; i++)
		if (l->unknown[i].answers->v[l->unknown[i].at].how == ANSWER_CUT)
			return true;
	return false;
}

struct str parsed_pack(const struct collection *one, const struct lookup *l, struct arena *a)
{
	struct strbuf b = { .arena = a };

	if (is_cut(l))
		return (struct str){ 0 };
	pack_put_int(&b, (long long)one->machine_keys.n);
	for (size_t i = 0; i < one->machine_keys.n; i++)
		pack_put_str(&b, one->machines[i].name);
	pack_names(&b, &one->precisions);
	pack_names(&b, &one->frameworks);
	pack_names(&b, &one->sources);
	pack_put_int(&b, (long long)one->n);
	for (size_t i = 0; i < one->n; i++)
		pack_row(&b, &one->rows[i]);
	pack_words(&b, one);
	pack_put_int(&b, (long long)one->counts->rows);
	pack_put_int(&b, (long long)one->counts->rejected);
	pack_put_int(&b, one->counts->newest_row.day);
	pack_put_int(&b, one->counts->oldest_row.day);
	pack_put_int(&b, (long long)one->counts->undated);
	pack_put_int(&b, (long long)one->files_refused);
	pack_put_int(&b, (long long)one->left_out);
	pack_unknown(&b, l);
	return strbuf_str(&b);
}

/* --- from bytes --- */

static void unpack_machines(struct unpack *u, struct collection *one)
{
	size_t n = unpack_count(u);

	for (size_t i = 0; i < n && !u->bad; i++)
		row_machine(one, one->inputs, unpack_str(u), one->arena);
	u->bad = u->bad || one->machine_keys.n != n;
}

static void unpack_names(struct unpack *u, struct names *names)
{
	size_t n = unpack_count(u);

	for (size_t i = 0; i < n && !u->bad; i++)
		names_put(names, unpack_str(u), NULL);
	u->bad = u->bad || names->n != n;
}

static struct row unpack_row(struct unpack *u, const struct collection *one)
{
	struct row r = { .override = NO_OVERRIDE };

	r.machine = (unsigned)unpack_index(u, one->machine_keys.n);
	r.device = (unsigned)unpack_index(u, one->devices->n);
	r.workload = (unsigned)unpack_index(u, one->workloads->n);
	r.precision = (unsigned)unpack_index(u, one->precisions.n);
	r.framework = (unsigned)unpack_index(u, one->frameworks.n);
	r.source = (unsigned)unpack_index(u, one->sources.n);
	r.line = (int)unpack_int(u);
	r.device_count = (int)unpack_int(u);
	r.date.day = (int)unpack_int(u);
	r.state = (enum row_state)unpack_index(u, ROW_STATES);
	r.value = unpack_num(u);
	return r;
}

static void unpack_rows(struct unpack *u, struct collection *one)
{
	size_t n = unpack_count(u);

	one->rows = arena_array(one->arena, n, sizeof *one->rows);
	for (size_t i = 0; i < n && !u->bad; i++)
		one->rows[one->n++] = unpack_row(u, one);
	one->cap = n;
}

static void unpack_words(struct unpack *u, struct collection *one)
{
	struct rejects *r = &one->rejects;

	r->cap = unpack_count(u);
	r->v = arena_array(one->arena, r->cap, sizeof *r->v);
	for (; r->n < r->cap && !u->bad; r->n++) {
		struct reject *v = &r->v[r->n];
		v->line = (int)unpack_int(u);
		v->code = (enum reject_code)unpack_index(u, REJECT_CODE_COUNT);
		v->column = unpack_str(u);
		v->value = unpack_str(u);
		v->reason = unpack_str(u);
		v->action = reject_action(v->code);
	}
	size_t n = unpack_count(u);
	for (size_t i = 0; i < n && !u->bad; i++) {
		struct pos pos = { NULL, (int)unpack_int(u), 0 };
		pos.col = (int)unpack_int(u);
		struct str text = unpack_str(u);
		messages_add(one->messages, pos, STR_FMT, STR_ARG(text));
	}
}

static void unpack_unknown(struct unpack *u, struct lookup *l)
{
	size_t n = unpack_count(u);

	for (size_t i = 0; i < n && !u->bad; i++) {
		struct answers *kept = unpack_bool(u) ? &l->by_workload : &l->by_device;
		struct str name = unpack_str(u);
		struct answer answer = { .how = unpack_bool(u) ? ANSWER_SEARCHED : ANSWER_DIRECT };
		answer.code = (enum reject_code)unpack_index(u, REJECT_CODE_COUNT);
		answer.reason = unpack_str(u);
		u->bad = u->bad || !lookup_recall(l, kept, name, &answer);
	}
}

bool parsed_unpack(struct str packed, struct lookup *l, struct collection *one)
{
	struct unpack u = { .rest = packed };

	unpack_machines(&u, one);
	unpack_names(&u, &one->precisions);
	unpack_names(&u, &one->frameworks);
	unpack_names(&u, &one->sources);
	unpack_rows(&u, one);
	unpack_words(&u, one);
	one->counts->rows = unpack_index(&u, SIZE_MAX);
	one->counts->rejected = unpack_index(&u, SIZE_MAX);
	one->counts->newest_row.day = (int)unpack_int(&u);
	one->counts->oldest_row.day = (int)unpack_int(&u);
	one->counts->undated = unpack_index(&u, SIZE_MAX);
	one->files_refused = unpack_index(&u, 2);
	one->left_out = unpack_index(&u, SIZE_MAX);
	unpack_unknown(&u, l);
	return unpack_end(&u);
}
