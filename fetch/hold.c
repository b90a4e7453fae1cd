#include "hold.h"

#include "../base/file.h"

#include <unistd.h>

enum { KEY_SHOWN = 16 };

static struct str folder_of(const struct hold *h, struct arena *a)
{
	return str_printf(a, "%s/held/" STR_FMT, h->spool, STR_ARG(h->source));
}

static const char *path_of(const struct hold *h, const char *ending, struct arena *a)
{
	struct str folder = folder_of(h, a), key = str_slice(h->key, 0, KEY_SHOWN);

	return str_c(a, str_printf(a, STR_FMT "/" STR_FMT "-" STR_FMT "%s", STR_ARG(folder),
				   STR_ARG(key), STR_ARG(h->name), ending));
}

bool hold_stands(const struct hold *h, struct arena *a)
{
	return file_exists(path_of(h, ".reason.txt", a));
}

bool hold_keep(const struct hold *h, size_t most, struct arena *a, struct error *err)
{
	const char *folder = str_c(a, folder_of(h, a));
	struct file_list held;
	struct str reason = str_printf(a,
				       "source: " STR_FMT "\nfile: " STR_FMT "\nkey: " STR_FMT
				       "\nreason: " STR_FMT "\nwhat to do: " STR_FMT "\n",
				       STR_ARG(h->source), STR_ARG(str_plain(a, h->origin)),
				       STR_ARG(h->key), STR_ARG(str_plain(a, h->reason)),
				       STR_ARG(h->advice));

	if (!file_make_dirs(folder, err)
	    || !file_list(folder, ".reason.txt", false, a, &held, NULL, err))
		return false;
	if (held.n >= most)
		return error_set(err, ERR_RANGE,
				 "%zu files are held in %s: look at them and delete them", held.n,
				 folder);
	/* the reason last: it is what says that all of it is there */
	return (h->text.len == 0 || file_write(path_of(h, "", a), h->text, err))
	    && file_write(path_of(h, ".reason.txt", a), reason, err);
}

void hold_release(const struct hold *h, struct arena *a)
{
	unlink(path_of(h, ".reason.txt", a));
	unlink(path_of(h, "", a));
}
