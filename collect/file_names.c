#include "file_names.h"

#include "group.h"

struct file_names file_names_make(struct arena *a)
{
	return (struct file_names){ names_make(a), names_make(a), names_make(a), names_make(a) };
}

static size_t count_new(const struct names *stage, const struct names *file)
{
	size_t n = 0;

	for (size_t i = 0; i < file->n; i++)
		n += map_get(&stage->map, file->v[i]) == NULL;
	return n;
}

static size_t count_new_machines(const struct collection *c, size_t file)
{
	struct arena scratch = { .block_size = 1 << 12 };
	const struct names *names = &c->file_names.machines;
	size_t n = 0;

	for (size_t i = 0; i < names->n; i++) {
		struct str key = row_machine_key(&c->inputs[file], names->v[i], &scratch);
		n += map_get(&c->machine_keys.map, key) == NULL;
	}
	arena_free(&scratch);
	return n;
}

static size_t count_bytes(const struct collection *c)
{
	const struct file_names *names = &c->file_names;
	size_t bytes = 0;

	for (size_t i = c->file_group0; i < c->ngroups; i++) {
		const struct row *r = &c->groups[i]->row;
		bytes += names->frameworks.v[r->framework].len + names->sources.v[r->source].len;
	}
	return bytes;
}

struct file_names_more file_names_more(const struct collection *c, size_t file)
{
	const struct file_names *names = &c->file_names;

	return (struct file_names_more){ count_new_machines(c, file),
					 count_new(&c->frameworks, &names->frameworks),
					 count_new(&c->sources, &names->sources), count_bytes(c) };
}

/* The number in the stage of each name of the file. */
static unsigned *settle(struct names *stage, const struct names *file, struct arena *scratch)
{
	unsigned *numbers = arena_array(scratch, file->n, sizeof *numbers);

	for (size_t i = 0; i < file->n; i++)
		numbers[i] = (unsigned)names_put(stage, file->v[i], NULL);
	return numbers;
}

static unsigned *settle_machines(struct collection *c, size_t file, struct arena *scratch)
{
	const struct names *names = &c->file_names.machines;
	unsigned *numbers = arena_array(scratch, names->n, sizeof *numbers);

	for (size_t i = 0; i < names->n; i++)
		numbers[i] = (unsigned)row_machine(c, &c->inputs[file], names->v[i], scratch);
	return numbers;
}

void file_names_settle(struct collection *c, size_t file)
{
	struct arena scratch = { .block_size = 1 << 12 };
	const struct file_names *names = &c->file_names;

	c->names_bytes += count_bytes(c);
	const unsigned *machines = settle_machines(c, file, &scratch);
	const unsigned *precisions = settle(&c->precisions, &names->precisions, &scratch);
	const unsigned *frameworks = settle(&c->frameworks, &names->frameworks, &scratch);
	const unsigned *sources = settle(&c->sources, &names->sources, &scratch);
	for (size_t i = c->file_group0; i < c->ngroups; i++) {
		struct row *r = &c->groups[i]->row;
		r->machine = machines[r->machine];
		r->precision = precisions[r->precision];
		r->framework = frameworks[r->framework];
		r->source = sources[r->source];
	}
	arena_free(&scratch);
}
