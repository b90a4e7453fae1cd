#include "replaced.h"

#include "../base/csv_read.h"
#include "../base/csv_write.h"
#include "../base/file.h"

/* "SERIES/FILE" as one name; a file may lie deeper than that. */
static struct str flat_name(struct str path, struct arena *a)
{
	struct strbuf b = { .arena = a };

	for (size_t i = 0; i < path.len; i++)
		strbuf_addc(&b, path.p[i] == '/' ? '-' : path.p[i]);
	return strbuf_str(&b);
}

bool replaced_write(const char *spool, const char *contributions, struct str old, struct str newer,
		    struct arena *a, struct str *path, struct error *err)
{
	struct str folder = file_join(a, str_of(spool), STR("replaced"));
	struct csv_out w = { .buf.arena = a };
	struct csv_table t = { 0 };
	struct error ignored = { 0 };

	*path = file_join(a, folder, flat_name(old, a));
	if (!csv_read(str_c(a, file_join(a, str_of(contributions), old)), a, &t, &ignored))
		t.n = 0;
	for (size_t i = 0; i < t.n; i++) {
		csv_put(&w, old);
		csv_put_int(&w, t.rows[i].line);
		csv_put(&w, STR("reject"));
		csv_put(&w, STR("fetch"));
		csv_put(&w, str_printf(a, "replaced by " STR_FMT, STR_ARG(newer)));
		csv_end_row(&w);
	}
	return file_make_dirs(str_c(a, folder), err)
	    && file_write(str_c(a, *path), strbuf_str(&w.buf), err);
}
