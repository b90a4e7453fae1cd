/* A small catalogue with cards of one name and two sizes, and an import from two texts. */
#ifndef TESTS_PRICE_IMPORT_FIXTURE_H
#define TESTS_PRICE_IMPORT_FIXTURE_H

#include "catalogue_fixture.h"

#include "../prices/import_rows.h"
#include "../prices/listing.h"

#define IMPORT_DEVICES                                                                             \
	"device,vendor,architecture,memory_gb\n"                                                   \
	"GTX 1080,NVIDIA,Pascal,8\n"                                                               \
	"RX 580,AMD,GCN,8\n"                                                                       \
	"RTX 3080 10GB,NVIDIA,Ampere,10\n"                                                         \
	"RTX 3080 12GB,NVIDIA,Ampere,12\n"                                                         \
	"Tesla V100 PCIe 16GB,NVIDIA,Volta,16\n"                                                   \
	"Tesla V100 SXM2 16GB,NVIDIA,Volta,16\n"                                                   \
	"Tesla V100 SXM2 32GB,NVIDIA,Volta,32\n"                                                   \
	"Mystery,None,Unknown,\n"

#define IMPORT_ALIASES                                                                             \
	"name,device,scope,used_by\n"                                                              \
	"GeForce RTX 3080,RTX 3080 10GB,retail,a shop\n"                                           \
	"GeForce RTX 3080 @12GB,RTX 3080 12GB,retail,a shop with memory\n"                         \
	"RTX 3080,RTX 3080 10GB,benchmark,ambiguous\n"                                             \
	"RTX 3080,RTX 3080 12GB,benchmark,ambiguous\n"                                             \
	"Radeon RX 580,RX 580,retail,a shop\n"                                                     \
	"V100,Tesla V100 SXM2 16GB,cloud,a cloud\n"                                                \
	"V100,Tesla V100 SXM2 32GB,cloud,a cloud\n"                                                \
	"Volta,Tesla V100 PCIe 16GB,benchmark,trusted in benchmarks only\n"                        \
	"1080 gaming,GTX 1080,any,everywhere\n"

#define IMPORT_FX "date,currency,usd_per_unit,source\n2020-01-01,EUR,1.1,x\n"

/* The least that a map needs; more sections and keys follow it. */
#define IMPORT_MAP                                                                                 \
	"[columns]\nname = card\n[prices]\nnew = price\n[values]\ncurrency = USD\nscope = "        \
	"retail\n"

struct importing_fixture {
	struct fixture files;
	struct devices devices;
	struct fx fx;
	struct price_map map;
	struct import_input in;
	struct import im;
	struct error err;
};

static inline bool importing_open(struct importing_fixture *f)
{
	memset(f, 0, sizeof *f);
	if (!fixture_open(&f->files))
		return false;
	fixture_put(&f->files, "devices.csv", IMPORT_DEVICES);
	fixture_put(&f->files, "aliases.csv", IMPORT_ALIASES);
	fixture_put(&f->files, "system/fx_to_usd.csv", IMPORT_FX);
	return devices_read(f->files.dir, &f->files.arena, &f->devices, &f->err)
	       && fx_read(f->files.dir, &f->files.arena, &f->fx, &f->err);
}

/* Reads `listing` by `map`, dated 2020-06-01 and of market "shop", from "somebody". */
static inline bool importing_run(struct importing_fixture *f, const char *map, const char *listing)
{
	struct arena *a = &f->files.arena;
	struct csv_table table;

	f->err = (struct error){ 0 };
	f->in = (struct import_input){ &f->map,     &f->devices,    &f->fx, date_of_day(18414),
				       STR("shop"), STR("somebody") };
	if (!price_map_parse(str_of(map), "map.ini", &f->devices, a, &f->map, &f->err)
	    || !listing_parse(str_of(listing), "list", f->map.format, f->map.rows, a, &table,
			      &f->err))
		return false;
	import_open(&f->im, &f->in, a);
	return import_listing(&f->im, &table, &f->err) && import_finish(&f->im, &f->err);
}

/* "reason n, reason n": what was refused. */
static inline struct str importing_refused(const struct importing_fixture *f)
{
	struct strbuf b = { .arena = f->im.arena };

	for (size_t i = 0; i < f->im.tally.n; i++)
		if (f->im.tally.v[i].n)
			strbuf_printf(&b, "%s" STR_FMT " %zu", b.len ? ", " : "",
				      STR_ARG(f->im.tally.v[i].name), f->im.tally.v[i].n);
	return strbuf_str(&b);
}

/* The first case of the reason that refused anything: "line:col: text". */
static inline struct str importing_case(const struct importing_fixture *f)
{
	for (size_t i = 0; i < f->im.tally.n; i++)
		if (f->im.tally.v[i].n)
			return str_printf(f->im.arena, "%d:%d: " STR_FMT,
					  f->im.tally.v[i].cases[0].pos.line,
					  f->im.tally.v[i].cases[0].pos.col,
					  STR_ARG(f->im.tally.v[i].cases[0].text));
	return STR("");
}

#endif
