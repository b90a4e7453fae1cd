#include "limits.h"

const struct stage_limits limits_of_stage = {
	.rows = LIMIT_STAGE_ROWS,
	.groups = LIMIT_STAGE_GROUPS,
	.machines = LIMIT_STAGE_MACHINES,
	.names = LIMIT_STAGE_NAMES,
	.names_bytes = LIMIT_STAGE_NAMES_BYTES,
};

bool limit_check(unsigned long long found, unsigned long long limit, const char *what,
		 struct pos pos, struct error *err)
{
	if (found <= limit)
		return true;
	return error_at(err, ERR_RANGE, pos, "%s: %llu found, at most %llu in one contribution",
			what, found, limit);
}

bool limit_check_stage(unsigned long long found, unsigned long long limit, const char *what,
		       struct pos pos, struct error *err)
{
	if (found <= limit)
		return true;
	return error_at(err, ERR_RANGE, pos,
			"%s: %llu with this file, at most %llu in all contributions together",
			what, found, limit);
}
