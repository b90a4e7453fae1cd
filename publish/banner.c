#include "banner.h"

#include "../base/file.h"

#include <errno.h>
#include <unistd.h>

enum { BANNER_MAX = 4096 };

static const char *path_of(const char *out_dir, struct arena *a)
{
	return str_c(a, file_join(a, str_of(out_dir), STR("failed.txt")));
}

bool banner_write(const char *out_dir, const struct log_entry *e, struct str standing,
		  struct arena *a, struct error *err)
{
	struct strbuf b = { .arena = a };

	strbuf_printf(&b, "The run of " STR_FMT " failed.\nReason: " STR_FMT "\n", STR_ARG(e->time),
		      STR_ARG(str_plain(a, e->reason)));
	if (standing.len)
		strbuf_printf(&b,
			      "The last good edition is " STR_FMT "; nothing of it was touched.\n",
			      STR_ARG(standing));
	else
		strbuf_add(&b, STR("There is no edition yet.\n"));
	return file_write(path_of(out_dir, a), strbuf_str(&b), err);
}

struct str banner_read(const char *out_dir, struct arena *a)
{
	struct error ignored = { 0 };
	struct str text;

	if (!file_read(path_of(out_dir, a), BANNER_MAX, a, &text, &ignored))
		return STR("");
	return str_trim(text);
}

bool banner_remove(const char *out_dir, struct arena *a, struct error *err)
{
	const char *path = path_of(out_dir, a);

	return unlink(path) == 0 || errno == ENOENT || error_errno(err, path);
}
