#include "retention.h"

#include "../base/file.h"

#include <limits.h>
#include <stdio.h>
#include <unistd.h>

static bool same_month(struct date x, struct date y)
{
	int year, month, day, other_year, other_month;

	date_ymd(x, &year, &month, &day);
	date_ymd(y, &other_year, &other_month, &day);
	return year == other_year && month == other_month;
}

/* Editions come oldest first: nothing of its name and month follows. */
static bool is_last_of_month(const struct store *s, size_t i)
{
	for (size_t j = i + 1; j < s->n; j++)
		if (str_eq(s->v[j].summary.edition, s->v[i].summary.edition)
		    && same_month(s->v[j].date, s->v[i].date))
			return false;
	return true;
}

/* The newest of its name, or what that was compared with. */
static bool is_in_use(const struct store *s, const struct store_edition *e)
{
	const struct store_edition *newest = store_newest(s, e->summary.edition);

	return e == newest || e == store_previous(s, e->summary.edition, newest->date)
	       || str_eq(e->summary.id, newest->summary.previous_id);
}

static bool is_kept(const struct publish_config *c, struct str folder)
{
	for (size_t i = 0; i < c->nkeep; i++)
		if (str_eq(c->keep[i], folder))
			return true;
	return false;
}

static bool is_latest(const struct store *s, struct str folder, struct arena *a)
{
	const char *path = str_c(a, file_join(a, str_of(s->dir), STR("latest")));
	char to[PATH_MAX];
	ssize_t n = readlink(path, to, sizeof to);

	return n >= 0 && str_eq((struct str){ to, (size_t)n }, folder);
}

void retention_choose(const struct store *s, const struct publish_config *config, struct arena *a,
		      struct removed_list *out)
{
	*out = (struct removed_list){ arena_array(a, s->n, sizeof *out->v), 0 };
	for (size_t i = 0; config->keep_days > 0 && i < s->n; i++) {
		const struct store_edition *e = &s->v[i];

		if (s->v[s->n - 1].date.day - e->date.day <= config->keep_days
		    || is_last_of_month(s, i) || is_in_use(s, e) || is_kept(config, e->folder)
		    || is_latest(s, e->folder, a))
			continue;
		out->v[out->n++] =
		    (struct removed){ e->folder, e->summary.id, e->summary.title, e->date };
	}
}

bool retention_remove(const char *out_dir, const struct removed_list *old, struct arena *a,
		      struct error *err)
{
	struct str dir = str_of(out_dir);

	if (old->n == 0)
		return true;
	if (!removed_add(out_dir, old, a, err) || !file_sync_dir(out_dir, err))
		return false;
	for (size_t i = 0; i < old->n; i++) {
		struct str folder = old->v[i].folder;
		const char *from = str_c(a, file_join(a, dir, folder));
		const char *aside = str_c(
		    a, file_join(a, dir, str_printf(a, ".removing-" STR_FMT, STR_ARG(folder))));

		if (rename(from, aside) != 0)
			return error_errno(err, from);
		if (!file_sync_dir(out_dir, err) || !file_remove_tree(aside, err))
			return false;
	}
	return true;
}
