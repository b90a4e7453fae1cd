#include "score_read.h"

#include "../base/csv_read.h"
#include "../base/file.h"

#include <stdint.h>

struct override_record {
	struct str file, decision;
};

static const char *path_in(const char *dir, struct str name, struct arena *a)
{
	return str_c(a, file_join(a, str_of(dir), name));
}

/* A line of overrides.csv that accepts a whole series, not a file of it, vouches for the links of
 * that series. */
static bool read_accepted_links(const char *path, struct arena *a, struct str_list *out,
				struct error *err)
{
	static const struct csv_field fields[] = {
		{ "file", CSV_TEXT, true, offsetof(struct override_record, file) },
		{ "decision", CSV_TEXT, true, offsetof(struct override_record, decision) },
	};
	void *records;
	size_t n;

	*out = (struct str_list){ NULL, 0 };
	if (!file_exists(path))
		return true;
	if (!csv_read_records(path, fields, LEN(fields), sizeof(struct override_record), SIZE_MAX,
			      a, &records, &n, err))
		return false;
	const struct override_record *r = records;
	out->v = arena_array(a, n, sizeof *out->v);
	for (size_t i = 0; i < n; i++)
		if (str_eq(r[i].decision, STR("accept"))
		    && str_find(r[i].file, STR("/"), 0) == r[i].file.len)
			out->v[out->n++] = r[i].file;
	return true;
}

static void drop_newer_devices(const struct devices *devices, struct date date,
			       struct observations *obs)
{
	size_t kept = 0;

	for (size_t i = 0; i < obs->n; i++)
		if (devices->v[obs->v[i].device].release_date.day <= date.day)
			obs->v[kept++] = obs->v[i];
	obs->n = kept;
}

bool score_data_read(const char *data_dir, const char *observations, const struct devices *devices,
		     const struct edition *edition, struct arena *a, struct score_data *out,
		     struct error *err)
{
	if (!observations_read(observations, devices, a, &out->obs, err)
	    || !estimates_read(path_in(data_dir, STR("estimates.csv"), a), devices, a,
			       &out->estimates, err)
	    || !read_accepted_links(path_in(data_dir, STR("overrides.csv"), a), a,
				    &out->link_accepted, err))
		return false;
	drop_newer_devices(devices, edition->date, &out->obs);
	return true;
}
