#include "prices_user.h"

#include "../base/file.h"
#include "../base/lock.h"

#include <pwd.h>
#include <unistd.h>

struct str prices_user(struct arena *a)
{
	struct passwd *p = getpwuid(geteuid());

	return p && p->pw_name[0] ? str_dup(a, str_of(p->pw_name))
				  : str_printf(a, "user %ld", (long)geteuid());
}

bool prices_lock(const char *data_dir, struct arena *a, int *status, struct error *err)
{
	const char *path = str_c(a, file_join(a, str_of(data_dir), STR(".lock")));
	bool taken;

	if (!lock_take(path, &taken, err))
		return false;
	if (taken)
		return true;
	*status = 3;
	return error_set(err, ERR_ENVIRONMENT, "%s: another run holds it", path);
}
