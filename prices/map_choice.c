#include "map_choice.h"

#include "listing.h"
#include "../base/file.h"

#include <string.h>

struct choice {
	struct str dir; /* DATA/price_maps */
	struct file_list files;
	const struct listing_text *listing;
	enum price_map_format format;
	const struct devices *devices;
	struct arena *arena;
};

static struct str map_names(const struct choice *c)
{
	struct strbuf b = { .arena = c->arena };

	for (size_t i = 0; i < c->files.n; i++) {
		strbuf_add(&b, i ? STR(", ") : STR(""));
		strbuf_add(&b, str_slice(c->files.v[i], 0, c->files.v[i].len - 4));
	}
	return b.len ? strbuf_str(&b) : STR("none");
}

static bool read_as(const struct choice *c, const struct price_map *m, struct csv_table *table,
		    struct error *err)
{
	return listing_parse(c->listing->text, c->listing->name, m->format, m->rows, c->arena,
			     table, err);
}

static bool fits(const struct choice *c, const struct price_map *m, struct csv_table *table)
{
	struct error none = { 0 };
	struct str *columns;

	if (m->format != c->format || (m->exact.n == 0 && m->has.n == 0)
	    || !read_as(c, m, table, &none))
		return false;
	columns = arena_array(c->arena, table->header.n, sizeof *columns);
	for (size_t i = 0; i < table->header.n; i++)
		columns[i] = table->header.cells[i].text;
	return price_map_fits(m, c->format, columns, table->header.n);
}

static bool read_named(const struct choice *c, const char *asked, struct price_map *map,
		       struct error *err)
{
	struct str name = str_of(asked);
	bool is_path = strchr(asked, '/') || str_ends(name, STR(".ini"));
	struct str path = is_path ? name
				  : file_join(c->arena, c->dir,
					      str_printf(c->arena, STR_FMT ".ini", STR_ARG(name)));

	if (!is_path && !file_exists(str_c(c->arena, path)))
		return error_set(err, ERR_UNKNOWN,
				 "--map: there is no map '%s'; there are " STR_FMT, asked,
				 STR_ARG(map_names(c)));
	return price_map_read(str_c(c->arena, path), c->devices, c->arena, map, err);
}

/* Reads all maps; a faulty one is an error even where another fits: nobody would ever see it. */
static bool find_fitting(const struct choice *c, struct price_map *map, struct csv_table *table,
			 struct error *err)
{
	struct price_map m;
	struct csv_table t;
	bool found = false;

	for (size_t i = 0; i < c->files.n; i++) {
		const char *path = str_c(c->arena, file_join(c->arena, c->dir, c->files.v[i]));

		if (!price_map_read(path, c->devices, c->arena, &m, err))
			return false;
		if (!fits(c, &m, &t))
			continue;
		if (found)
			return error_at(err, ERR_DATA, (struct pos){ c->listing->name, 0, 0 },
					"the maps " STR_FMT " and " STR_FMT
					" both fit; name one with --map",
					STR_ARG(map->name), STR_ARG(m.name));
		*map = m;
		*table = t;
		found = true;
	}
	return found
	       || error_at(err, ERR_DATA, (struct pos){ c->listing->name, 0, 0 },
			   "no map fits its columns; name one with --map (there are " STR_FMT
			   ") or write one",
			   STR_ARG(map_names(c)));
}

bool map_choose(const char *data_dir, const char *asked, const struct listing_text *listing,
		const struct devices *devices, struct arena *a, struct price_map *map,
		struct csv_table *table, struct error *err)
{
	struct choice c = { .dir = file_join(a, str_of(data_dir), STR("price_maps")),
			    .listing = listing,
			    .format = listing_format(listing->text),
			    .devices = devices,
			    .arena = a };

	if (file_is_dir(str_c(a, c.dir))
	    && !file_list(str_c(a, c.dir), ".ini", false, a, &c.files, NULL, err))
		return false;
	if (!asked)
		return find_fitting(&c, map, table, err);
	return read_named(&c, asked, map, err) && read_as(&c, map, table, err);
}
