#include "replaced.h"

#include "../base/csv_read.h"
#include "../base/csv_write.h"
#include "../base/file.h"
#include "../collect/packed.h"

/* "SERIES/FILE" as one name; a file may lie deeper than that. */
static struct str flat_name(struct str path, struct arena *a)
{
	struct strbuf b = { .arena = a };

	for (size_t i = 0; i < path.len; i++)
		strbuf_addc(&b, path.p[i] == '/' ? '-' : path.p[i]);
	return strbuf_str(&b);
}

/* A line for each row of one CSV, which overrides.csv names by `key`. */
static void put_lines(struct csv_out *w, struct str key, struct str newer, struct str text,
		      struct arena *a)
{
	struct csv_table t = { 0 };
	struct error ignored = { 0 };

	if (!csv_parse_text(text, "", a, &t, &ignored))
		t.n = 0;
	for (size_t i = 0; i < t.n; i++) {
		csv_put(w, key);
		csv_put_int(w, t.rows[i].line);
		csv_put(w, STR("reject"));
		csv_put(w, STR("fetch"));
		csv_put(w, str_printf(a, "replaced by " STR_FMT, STR_ARG(newer)));
		csv_end_row(w);
	}
}

/* Of the CSV itself, or of each in the packed file. */
static void put_file(struct csv_out *w, const char *path, struct str old, struct str newer,
		     struct arena *a)
{
	enum unpack_kind kind = unpack_kind_of(old);
	struct packed_reader reader = { 0 };
	struct error ignored = { 0 };
	struct packed p;
	struct str text;

	if (!packed_look(path, kind < UNPACK_KINDS ? kind : UNPACK_CSV, NULL, a, &p, &ignored))
		return;
	for (size_t i = 0; p.fault.len == 0 && i < p.n; i++) {
		struct str key = p.v[i].name.len ? str_printf(a, STR_FMT ":" STR_FMT, STR_ARG(old),
							      STR_ARG(p.v[i].name))
						 : old;
		if (p.v[i].fault.len == 0 && packed_text(&reader, &p, i, a, &text, &ignored))
			put_lines(w, key, newer, text, a);
	}
	packed_close(&reader);
}

bool replaced_write(const char *spool, const char *contributions, struct str old, struct str newer,
		    struct arena *a, struct str *path, struct error *err)
{
	struct str folder = file_join(a, str_of(spool), STR("replaced"));
	struct csv_out w = { .buf.arena = a };
	struct str name = flat_name(old, a);

	/* the lines are a CSV, whatever the file was sent as */
	if (unpack_kind_of(old) != UNPACK_CSV)
		name = str_printf(a, STR_FMT ".csv", STR_ARG(name));
	*path = file_join(a, folder, name);
	put_file(&w, str_c(a, file_join(a, str_of(contributions), old)), old, newer, a);
	return file_make_dirs(str_c(a, folder), err)
	    && file_write(str_c(a, *path), strbuf_str(&w.buf), err);
}
