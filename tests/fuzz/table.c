/* The CSV files of the catalogue and of the programs around it: any text is read or refused with a
 * reason, and twice the same. "@@ NAME" begins a file; devices.csv and fx_to_usd.csv are there
 * anyway. */
#include "fuzz.h"

#include "../catalogue_fixture.h"

#include "../../analyze/electricity.h"
#include "../../analyze/estimate.h"
#include "../../analyze/host.h"
#include "../../analyze/multi.h"
#include "../../catalogue/claim_list.h"
#include "../../catalogue/fx.h"
#include "../../catalogue/price.h"
#include "../../catalogue/vendor.h"
#include "../../catalogue/workload.h"
#include "../../collect/override.h"
#include "../../fetch/ledger.h"
#include "../../prices/accepted.h"
#include "../../publish/removed.h"
#include "../../render/manifest.h"

#include <limits.h>

static const char *const names[] = {
	"devices.csv",           "aliases.csv",
	"workloads.csv",         "series.csv",
	"overrides.csv",         "claims.csv",
	"vendors.csv",           "vendor_texts.csv",
	"system/fx_to_usd.csv",  "system/electricity.csv",
	"system/host_parts.csv", "system/host_systems.csv",
	"prices/shop.csv",       "price_accepted.csv",
	"accepted.csv",          "removed.csv",
	"estimates.csv",         "multi_gpu.csv",
	"data/inputs.csv",
};

/* How many records each reader made; text of the error where it made none. */
static void told(struct strbuf *b, const char *what, bool good, size_t n, struct error *err)
{
	fuzz_want_fault(good, err);
	if (good)
		strbuf_printf(b, "%s %zu\n", what, n);
	else
		strbuf_printf(b, "%s %d:%d: %s\n", what, err->pos.line, err->pos.col, err->msg);
	*err = (struct error){ 0 };
}

static void want_prices(struct fuzz *f, const struct devices *d, struct strbuf *b)
{
	struct messages refused = { .arena = &f->arena };
	struct prices prices;
	bool good = prices_read(f->dir, d, &f->arena, &prices, &refused, &f->err);

	for (size_t i = 0; good && i < prices.n; i++) {
		const struct price *p = &prices.v[i];
		fuzz_want(p->device < d->n && p->price_usd >= PRICE_MIN_USD
			      && p->price_usd <= PRICE_MAX && p->date.day <= prices.newest.day,
			  "a price of a device, in its bounds, not newer than the newest");
	}
	told(b, "prices", good, good ? prices.n : 0, &f->err);
}

static struct str read_all(struct fuzz *f)
{
	struct arena *a = &f->arena;
	struct strbuf b = { .arena = a };
	struct error *e = &f->err;
	struct devices d;
	struct workloads w;
	struct series_list s;
	struct overrides o;
	struct claim_list c;
	struct vendors v;
	struct fx fx;
	struct tariffs tariffs;
	struct hosts hosts;
	struct price_accepted accepted;
	struct ledger ledger;
	struct removed_list removed;
	struct manifest m = { 0 };
	struct estimates estimates;
	struct multi multi;

	bool known = devices_read(f->dir, a, &d, e);
	told(&b, "devices", known, known ? d.n + d.naliases : 0, e);
	bool good = workloads_read(f->dir, a, &w, e);
	told(&b, "workloads", good, good ? w.n : 0, e);
	good = series_read(f->dir, a, &s, e);
	told(&b, "series", good, good ? s.n : 0, e);
	good = override_read(f->dir, a, &o, e);
	told(&b, "overrides", good, good ? o.n : 0, e);
	good = claim_list_read(f->dir, a, &c, e);
	told(&b, "claims", good, good ? c.n : 0, e);
	good = vendors_read(f->dir, date_of_day(20000), a, &v, e);
	told(&b, "vendors", good, good ? v.n + v.ntexts : 0, e);
	good = fx_read(f->dir, a, &fx, e);
	told(&b, "fx", good, good ? fx.n : 0, e);
	good = tariffs_read(f->dir, a, &tariffs, e);
	told(&b, "tariffs", good, 0, e);
	good = hosts_read(f->dir, a, &hosts, e);
	told(&b, "hosts", good, 0, e);
	good = removed_read(f->dir, a, &removed, e);
	told(&b, "removed", good, good ? removed.n : 0, e);
	good = ledger_read(fuzz_path(f, "accepted.csv"), a, &ledger, e);
	told(&b, "ledger", good, good ? ledger.n : 0, e);
	good = manifest_inputs(f->dir, a, &m, e);
	told(&b, "inputs", good, m.n, e);
	good = multi_guide_read(f->dir, date_of_day(20000), a, &multi, e);
	told(&b, "multi", good, 0, e);
	if (known) {
		good = estimates_read(fuzz_path(f, "estimates.csv"), &d, a, &estimates, e);
		told(&b, "estimates", good, good ? estimates.n : 0, e);
		good = price_accepted_read(f->dir, &d, a, &accepted, e);
		told(&b, "accepted", good, good ? accepted.n : 0, e);
		want_prices(f, &d, &b);
	}
	return strbuf_str(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz f;

	fuzz_open(&f);
	fuzz_make_dir(&f, "system");
	fuzz_make_dir(&f, "prices");
	fuzz_make_dir(&f, "data");
	fuzz_put(&f, "devices.csv", STR(FIXTURE_DEVICES));
	fuzz_put(&f, "aliases.csv", STR(FIXTURE_ALIASES));
	fuzz_put(&f, "system/fx_to_usd.csv",
		 STR("date,currency,usd_per_unit,source\n2020-01-01,EUR,1.1,x\n"));
	fuzz_put_files(&f, fuzz_text(data, size), names, LEN(names));
	fuzz_want(str_eq(read_all(&f), read_all(&f)), "what is read twice is the same");
	fuzz_close(&f);
	return 0;
}
