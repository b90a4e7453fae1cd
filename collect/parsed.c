#include "parsed.h"

#include <limits.h>
#include <stdint.h>

/* Room for the rows of a part of CHUNK_BYTES. */
enum { PART_BLOCK = 1 << 20 };

void parsed_begin(const struct collection *c, size_t file, struct parsed *p)
{
	parsed_begin_in(c, file, &(struct arena){ .last = NULL }, p);
}

void parsed_begin_in(const struct collection *c, size_t file, struct arena *room,
		     struct parsed *p)
{
	struct arena *a = &p->arena;

	*p = (struct parsed){ .arena = { room->last, PART_BLOCK } };
	room->last = NULL;
	struct input *input = arena_alloc(a, sizeof *input);
	input->name = c->inputs[file].name; /* what the merging does not change meanwhile */
	input->name_c = c->inputs[file].name_c;
	p->messages.arena = a;
	p->one = (struct collection){
		.arena = a,
		.devices = c->devices,
		.workloads = c->workloads,
		.messages = &p->messages,
		.cutoff = c->cutoff,
		.inputs = input,
		.ninputs = 1,
		.counts = arena_alloc(a, sizeof *p->one.counts),
		.precisions = names_make(a),
		.frameworks = names_make(a),
		.sources = names_make(a),
		.machine_keys = names_make(a),
		.rejects = { .arena = a },
	};
	p->one.counts->newest_row.day = INT_MIN;
	p->oldest.day = INT_MAX;
}

void parsed_free(struct parsed *p)
{
	arena_free(&p->arena);
}

void parsed_end(struct parsed *p, struct arena *room)
{
	if (!p->arena.last) /* it was never begun: the memory is in the room still */
		return;
	arena_clear(&p->arena);
	*room = p->arena;
	p->arena.last = NULL;
}

void parsed_reserve(struct parsed *p, size_t rows)
{
	p->items = arena_grow(&p->arena, p->items, &p->cap, rows, sizeof *p->items);
}

static void add_run(struct parsed *p, struct memo_key *key)
{
	p->runs = arena_grow(&p->arena, p->runs, &p->runs_cap, p->nruns + 1, sizeof *p->runs);
	p->runs[p->nruns++] = (struct parsed_run){ key, 0 };
}

void parsed_add(struct parsed *p, struct memo_key *key, const struct item *item)
{
	if (p->n == p->cap)
		parsed_reserve(p, p->n + 1);
	p->items[p->n++] = *item;
	if (p->nruns == 0 || p->runs[p->nruns - 1].key != key)
		add_run(p, key);
	p->runs[p->nruns - 1].n++;
}

/* --- into all --- */

/* The group of rows of a key, which remembers it until another file is merged. */
static struct group *group_for(struct collection *c, size_t file, struct memo_key *key,
			       const struct item *first)
{
	struct file_names *names = &c->file_names;
	struct row row = key->row;

	if (key->file == file)
		return key->group;
	row.file = (unsigned)file;
	row.line = first->line;
	row.value = first->value;
	row.date.day = first->day;
	row.machine = (unsigned)names_put(&names->machines, key->machine, NULL);
	row.precision = (unsigned)names_put(&names->precisions, key->precision, NULL);
	row.framework = (unsigned)names_put(&names->frameworks, key->framework, NULL);
	row.source = (unsigned)names_put(&names->sources, key->source, NULL);
	key->file = file;
	key->group = group_of(c, &row);
	return key->group;
}

static void merge_rows(struct collection *c, size_t file, const struct parsed *p)
{
	const struct item *item = p->items;

	for (size_t i = 0; i < p->nruns; i++) {
		const struct parsed_run *run = &p->runs[i];
		group_add(c, group_for(c, file, run->key, item), item, run->n);
		item += run->n;
	}
}

static void merge_reject(struct collection *c, size_t file, const struct reject *from)
{
	struct rejects *to = &c->rejects;
	struct reject r = *from;

	r.file = file;
	r.column = str_dup(c->arena, r.column);
	r.value = str_dup(c->arena, r.value);
	r.reason = str_dup(c->arena, r.reason);
	r.seq = to->n;
	to->v = arena_grow(to->arena, to->v, &to->cap, to->n + 1, sizeof *to->v);
	to->v[to->n++] = r;
}

static void merge_rejects(struct collection *c, size_t file, const struct rejects *from)
{
	struct input *input = &c->inputs[file];

	for (size_t i = 0; i < from->n; i++)
		if (reject_told(input->rejects++, &c->rejects_told))
			merge_reject(c, file, &from->v[i]);
		else
			unlisted_add(&input->unlisted_cells, 1, from->v[i].line, from->v[i].code);
	unlisted_add(&input->unlisted_cells, from->unlisted.n, from->unlisted.line,
		     from->unlisted.code);
}

/* A message belongs to each reject but those of runs that did not fit. */
static void merge_messages(struct collection *c, size_t file, const struct parsed *p)
{
	const struct messages *from = &p->messages;
	struct input *input = &c->inputs[file];

	for (size_t i = 0; i < from->n; i++) {
		const struct message *said = &from->v[i];
		struct pos pos = { input->name_c, said->pos.line, said->pos.col };
		bool of_cell = i >= p->said;
		if (of_cell && !reject_told(input->messages, &c->messages_told))
			break; /* nor the others */
		input->messages += of_cell;
		messages_add(c->messages, pos, STR_FMT, STR_ARG(said->text));
	}
}

void parsed_merge(struct collection *c, size_t file, const struct parsed *p)
{
	struct series_count *count = &c->counts[c->inputs[file].series];
	const struct series_count *own = p->one.counts;

	merge_rows(c, file, p);
	merge_rejects(c, file, &p->one.rejects);
	merge_messages(c, file, p);
	count->rows += own->rows;
	count->rejected += own->rejected;
	count->set_aside += own->set_aside;
	if (own->newest_row.day > c->file_newest.day)
		c->file_newest = own->newest_row;
	if (own->newest_row.day > count->newest_row.day)
		count->newest_row = own->newest_row;
	c->left_out += p->one.left_out;
	c->nrows += p->n;
}

struct parsed_mark parsed_begin_file(struct collection *c, size_t file)
{
	group_begin_file(c);
	c->file_newest.day = INT_MIN;
	return (struct parsed_mark){ file, c->nrows, c->rejects.n, c->messages->n, c->left_out,
				     c->counts[c->inputs[file].series] };
}

void parsed_drop_file(struct collection *c, const struct parsed_mark *m)
{
	struct input *input = &c->inputs[m->file];

	group_drop_file(c);
	c->nrows = m->nrows;
	c->rejects.n = m->rejects;
	c->messages->n = m->messages;
	c->left_out = m->left_out;
	c->counts[input->series] = m->count;
	input->rejects = input->messages = 0;
	input->unlisted_cells = (struct unlisted){ 0 };
}

void parsed_end_file(struct collection *c, size_t file)
{
	const struct unlisted *more = &c->inputs[file].unlisted_cells;
	struct pos pos = { c->inputs[file].name_c, more->line, 0 };

	file_names_settle(c, file);
	if (more->n == 0)
		return;
	messages_add(c->messages, pos, "%zu further refused cells are not listed", more->n);
	reject_add(&c->rejects, file, more->line, (struct str){ 0 }, more->code, (struct str){ 0 },
		   "%zu further refused cells of the file are not listed", more->n);
}
