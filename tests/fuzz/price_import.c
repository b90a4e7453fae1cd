/* prices/: a listing (CSV or JSON) by a price map: the map, a line "%%", the listing. Every price
 * is used or refused for one reason, and what is used can be read back. */
#include "fuzz.h"

#include "../price_import_fixture.h"

#include "../../base/csv_read.h"

static void want_rows(const struct import *im, struct arena *a)
{
	struct str text = import_csv(im, NULL, a);
	struct csv_table t;
	struct error err = { 0 };

	fuzz_want(csv_parse_text(text, "rows.csv", a, &t, &err) && t.n == im->n,
		  "the rows are CSV");
	for (size_t i = 0; i < im->n; i++) {
		const struct import_row *r = &im->rows[i];
		fuzz_want(r->device < im->in->devices->n && r->price >= PRICE_MIN_USD
			      && r->price <= PRICE_MAX,
			  "a price of a device, in its bounds");
		fuzz_want(r->market.len > 0 && r->market.len <= IMPORT_MARKET_MAX
			      && r->source.len <= IMPORT_SOURCE_MAX,
			  "texts within their bounds");
		fuzz_want(str_eq(r->market, str_plain(a, r->market)), "a market is plain text");
	}
}

static void try_listing(struct fuzz *f, struct price_map *map, const struct devices *d,
			const struct fx *fx, struct str listing)
{
	struct import_input in = { map, d, fx, date_of_day(18414), STR("shop"), STR("somebody") };
	struct csv_table table;
	struct import im;

	f->err = (struct error){ 0 };
	bool good = listing_parse(listing, "list", listing_format(listing), map->rows, &f->arena,
				  &table, &f->err);
	fuzz_want_fault(good, &f->err);
	if (!good)
		return;
	import_open(&im, &in, &f->arena);
	good = import_listing(&im, &table, &f->err);
	fuzz_want_fault(good, &f->err);
	if (!good)
		return;
	fuzz_want(import_finish(&im, &f->err), "used and refused prices are all prices");
	want_rows(&im, &f->arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str listing = fuzz_text(data, size), text = fuzz_cut(&listing);
	struct price_map map, plain;
	struct devices d;
	struct fx fx;
	struct fuzz f;

	fuzz_open(&f);
	fuzz_make_dir(&f, "system");
	fuzz_put(&f, "devices.csv", STR(IMPORT_DEVICES));
	fuzz_put(&f, "aliases.csv", STR(IMPORT_ALIASES));
	fuzz_put(&f, "system/fx_to_usd.csv", STR(IMPORT_FX));
	fuzz_want(devices_read(f.dir, &f.arena, &d, &f.err)
		      && fx_read(f.dir, &f.arena, &fx, &f.err),
		  "the small catalogue can be read");
	fuzz_want(price_map_parse(STR(IMPORT_MAP), "plain.ini", &d, &f.arena, &plain, &f.err),
		  "the plain map");
	bool good = price_map_parse(text, "map.ini", &d, &f.arena, &map, &f.err);
	fuzz_want_fault(good, &f.err);
	if (good)
		try_listing(&f, &map, &d, &fx, listing);
	try_listing(&f, &plain, &d, &fx, listing.len ? listing : text);
	fuzz_close(&f);
	return 0;
}
