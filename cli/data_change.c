#include "data_change.h"

#include "../base/file.h"
#include "../base/lock.h"

#include <pwd.h>
#include <time.h>
#include <unistd.h>

enum { SECONDS_PER_DAY = 86400 };

bool data_lock(const char *root, struct arena *a, int *status, struct error *err)
{
	const char *path = str_c(a, file_join(a, str_of(root), STR("data/.lock")));
	bool taken;

	if (!lock_take(path, &taken, err))
		return false;
	if (taken)
		return true;
	*status = 3;
	return error_set(err, ERR_ENVIRONMENT, "%s: another run holds the lock", path);
}

struct str data_user(struct arena *a)
{
	struct passwd *p = getpwuid(geteuid());

	return p && p->pw_name[0] ? str_dup(a, str_of(p->pw_name))
				  : str_printf(a, "user %ld", (long)geteuid());
}

struct date data_today(const struct options *opt)
{
	long long now =
	    opt->source_date_epoch >= 0 ? opt->source_date_epoch : (long long)time(NULL);

	return date_of_day((int)(now / SECONDS_PER_DAY));
}
