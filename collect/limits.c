#include "limits.h"

bool limit_check(unsigned long long found, unsigned long long limit, const char *what,
		 struct pos pos, struct error *err)
{
	if (found <= limit)
		return true;
	return error_at(err, ERR_RANGE, pos, "%s: %llu found, at most %llu in one contribution",
			what, found, limit);
}
