#include "quota.h"

#include "limits.h"

bool quota_is_over(const struct collection *c, size_t rows)
{
	const struct file_names *names = &c->file_names;

	return rows > LIMIT_ROWS || c->ngroups - c->file_group0 > LIMIT_GROUPS
	       || names->machines.n > LIMIT_MACHINES || names->frameworks.n > LIMIT_NAMES
	       || names->sources.n > LIMIT_NAMES;
}

/* What the file would make of all that was accepted before it. Only a file that was merged whole
 * comes here, so that what is told does not hang on whether it was read or remembered. */
static bool check_stage(const struct collection *c, size_t file, struct pos pos, struct error *err)
{
	const struct file_names_more more = file_names_more(c, file);
	const struct stage_limits *limits = c->limits;
	const struct {
		const char *what;
		size_t found, limit;
	} kinds[] = {
		{ "rows", c->nrows, limits->rows },
		{ "kinds of rows", c->ngroups, limits->groups },
		{ "machines", c->machine_keys.n + more.machines, limits->machines },
		{ "frameworks", c->frameworks.n + more.frameworks, limits->names },
		{ "sources", c->sources.n + more.sources, limits->names },
		{ "bytes of names", c->names_bytes + more.bytes, limits->names_bytes },
	};

	for (size_t i = 0; i < LEN(kinds); i++)
		if (!limit_check_stage(kinds[i].found, kinds[i].limit, kinds[i].what, pos, err))
			return false;
	return true;
}

bool quota_check(const struct collection *c, size_t file, size_t rows, struct pos pos,
		 struct error *err)
{
	const struct file_names *names = &c->file_names;

	return limit_check(rows, LIMIT_ROWS, "rows", pos, err)
	       && limit_check(c->ngroups - c->file_group0, LIMIT_GROUPS, "kinds of rows", pos, err)
	       && limit_check(names->machines.n, LIMIT_MACHINES, "machines", pos, err)
	       && limit_check(names->frameworks.n, LIMIT_NAMES, "frameworks", pos, err)
	       && limit_check(names->sources.n, LIMIT_NAMES, "sources", pos, err)
	       && check_stage(c, file, pos, err);
}
