#include "quota.h"

#include "group.h"
#include "limits.h"

struct quota quota_begin(const struct collection *c)
{
	return (struct quota){ c->machine_keys.n, c->frameworks.n, c->sources.n };
}

bool quota_is_over(const struct quota *q, const struct collection *c, size_t rows)
{
	return rows > LIMIT_ROWS || c->ngroups - c->file_group0 > LIMIT_GROUPS
	       || c->machine_keys.n - q->machines > LIMIT_MACHINES
	       || c->frameworks.n - q->frameworks > LIMIT_NAMES || c->sources.n - q->sources > LIMIT_NAMES;
}

/* How many different numbers of a kind the groups of the file have. No more than groups, which is asked first. */
static size_t count_numbers(const struct collection *c, unsigned (*number)(const struct row *row), size_t numbers)
{
	struct arena scratch = { .block_size = 1 << 12 };
	bool *seen = arena_array(&scratch, numbers, sizeof *seen);
	size_t n = 0;

	for (size_t i = c->file_group0; i < c->ngroups; i++) {
		bool *at = &seen[number(&c->groups[i]->row)];
		n += !*at;
		*at = true;
	}
	arena_free(&scratch);
	return n;
}

static unsigned machine_of(const struct row *row)
{
	return row->machine;
}

static unsigned framework_of(const struct row *row)
{
	return row->framework;
}

static unsigned source_of(const struct row *row)
{
	return row->source;
}

static bool has_few_names(const struct collection *c, struct pos pos, struct error *err)
{
	const struct {
		const char *what;
		size_t limit, numbers;
		unsigned (*number)(const struct row *row);
	} kinds[] = {
		{ "machines", LIMIT_MACHINES, c->machine_keys.n, machine_of },
		{ "frameworks", LIMIT_NAMES, c->frameworks.n, framework_of },
		{ "sources", LIMIT_NAMES, c->sources.n, source_of },
	};
	size_t groups = c->ngroups - c->file_group0;

	for (size_t i = 0; i < LEN(kinds); i++)
		if (groups > kinds[i].limit
		    && !limit_check(count_numbers(c, kinds[i].number, kinds[i].numbers), kinds[i].limit,
				    kinds[i].what, pos, err))
			return false;
	return true;
}

bool quota_check(const struct collection *c, size_t rows, struct pos pos, struct error *err)
{
	return limit_check(rows, LIMIT_ROWS, "rows", pos, err)
	       && limit_check(c->ngroups - c->file_group0, LIMIT_GROUPS, "kinds of rows", pos, err)
	       && has_few_names(c, pos, err);
}
