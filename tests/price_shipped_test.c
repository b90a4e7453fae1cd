/* The shipped prices, row by row: a market that names a card has the price of that card, and the
 * rows that were once wrong have the values of their listings. */
#include "../base/csv_read.h"
#include "../base/file.h"
#include "../catalogue/price.h"
#include "../prices/resolve.h"
#include "test.h"

enum { DATE, DEVICE, MARKET, CONDITION, CURRENCY, PRICE, QUANTITY, STAT, N, SOURCE, NCOLUMNS };

static const struct str columns[NCOLUMNS] = {
	STR_INIT("date"),     STR_INIT("device"), STR_INIT("market"),   STR_INIT("condition"),
	STR_INIT("currency"), STR_INIT("price"),  STR_INIT("quantity"), STR_INIT("stat"),
	STR_INIT("n"),        STR_INIT("source"),
};

struct shipped_row {
	struct str cells[NCOLUMNS];
	struct str file; /* below data/prices */
};

struct shipped_prices {
	struct shipped_row *v;
	size_t n;
};

/* What the instance of a cloud market is called, and the card that this is; `whole`: the text is
 * all of the name. The names of one machine with other cards (g5.xlarge) are not here. */
static const struct sku_rule {
	const char *text;
	bool whole;
	const char *device;
} sku_rules[] = {
	{ "A4000", false, "RTX A4000" },
	{ "A5000", false, "RTX A5000" },
	{ "A6000", false, "RTX A6000" },
	{ "A40 (48 GB)", false, "A40" },
	{ "gc2.a40-48", false, "A40" },
	{ "gc2.a10-24", false, "A10" },
	{ "VM.GPU.A10.", false, "A10" },
	{ "A10G (24 GB)", false, "A10G" },
	{ "A100 (40 GB)", false, "A100 SXM4 40GB" },
	{ "A100 (80 GB)", false, "A100 SXM4 80GB" },
	{ "A100_PCIE_80GB", false, "A100 PCIe 80GB" },
	{ "H100_PCIE_80GB", false, "H100 PCIe 80GB" },
	{ "H100 PCIe (80GB)", false, "H100 PCIe 80GB" },
	{ "H100 HGX (80GB)", false, "H100 SXM5 80GB" },
	{ "V100 (16 GB)", false, "Tesla V100 SXM2 16GB" },
	{ "V100 (32 GB)", false, "Tesla V100 SXM2 32GB" },
	{ "L40S", false, "L40S" },
	{ "L40_x", false, "L40" },
	{ "RTX6000ADA", false, "RTX 6000 Ada" },
	{ "Quadro RTX 6000", false, "Quadro RTX 6000" },
	{ "RTX5000 (16", false, "Quadro RTX 5000" },
	{ "RTX4000 (8 GB)", false, "Quadro RTX 4000" },
	{ "3080ti ", false, "RTX 3080 Ti" },
	{ "GPU3080Ti ", false, "RTX 3080 Ti" },
	{ " T4 v3", false, "Tesla T4" },
	{ "g4dn.", false, "Tesla T4" },
	{ "g5.", false, "A10G" },
	{ "a40", true, "A40" },
	{ "a10", true, "A10" },
	{ "a5000", true, "RTX A5000" },
	{ "a6000", true, "RTX A6000" },
	{ "l40", true, "L40" },
	{ "l40s", true, "L40S" },
	{ "t4", true, "Tesla T4" },
	{ "p4", true, "Tesla P4" },
	{ "a100_40", true, "A100 SXM4 40GB" },
	{ "a100_80", true, "A100 SXM4 80GB" },
	{ "rtx6000", true, "Quadro RTX 6000" },
	{ "rtx6000ada", true, "RTX 6000 Ada" },
	{ "rtx5000", true, "Quadro RTX 5000" },
	{ "mi300x", true, "Instinct MI300X" },
	{ "mi325x", true, "Instinct MI325X" },
};

/* Retail statistics whose listing holds cards of another memory size too: lowest price, median and
 * number of the right ones, counted from the listings by a program that shares nothing with this
 * one. n 0: none of the right size had a price, so there is no row. */
static const struct statistic {
	const char *date, *device, *currency, *min, *median;
	int n;
} statistics[] = {
	{ "2017-12-07", "GTX 750 Ti", "USD", "104.99", "119.99", 13 },
	{ "2017-12-07", "GTX 760", "USD", "258.61", "258.61", 1 },
	{ "2017-12-07", "GTX 770", "USD", "", "", 0 },
	{ "2017-12-07", "GTX 960", "USD", "189.99", "223.63", 6 },
	{ "2017-12-07", "RX 480", "USD", "229.99", "251.49", 14 },
	{ "2019-05-30", "GTX 1050", "USD", "114.99", "140.51", 17 },
	{ "2019-05-30", "GTX 960", "USD", "294.99", "305.00", 2 },
	{ "2019-05-30", "RX 580", "USD", "164.99", "208.57", 22 },
	{ "2019-06-06", "GTX 1050", "USD", "129.99", "152.49", 16 },
	{ "2019-06-06", "GTX 1050", "EUR", "99.90", "136.50", 18 },
	{ "2019-06-06", "GTX 1050", "GBP", "95.44", "132.63", 18 },
	{ "2019-06-06", "GTX 750 Ti", "GBP", "", "", 0 },
	{ "2019-06-06", "GTX 960", "USD", "294.99", "305.00", 2 },
	{ "2019-06-06", "GTX 960", "EUR", "223.53", "224.85", 3 },
	{ "2019-06-06", "GTX 960", "GBP", "187.17", "196.65", 3 },
	{ "2019-06-06", "RX 580", "USD", "168.00", "204.89", 21 },
	{ "2019-06-06", "RX 580", "EUR", "180.90", "205.62", 16 },
	{ "2019-06-06", "RX 580", "GBP", "159.00", "201.98", 22 },
	{ "2019-10-30", "GTX 1050", "USD", "134.37", "232.50", 14 },
	{ "2019-10-30", "GTX 960", "USD", "299.00", "312.50", 4 },
	{ "2019-10-30", "RX 480", "USD", "429.00", "476.98", 2 },
	{ "2019-10-30", "RX 580", "USD", "159.99", "244.99", 22 },
	{ "2020-05-12", "GTX 1050", "USD", "183.99", "219.98", 5 },
	{ "2020-05-12", "GTX 580", "USD", "881.51", "952.05", 2 },
	{ "2020-05-12", "GTX 680", "USD", "738.00", "1047.08", 14 },
	{ "2020-05-12", "RX 580", "USD", "154.99", "262.36", 22 },
	{ "2021-07-11", "RX 580", "USD", "649.99", "649.99", 1 },
	{ "2023-07-05", "Arc A770 16GB", "USD", "379.99", "379.99", 2 },
	{ "2023-07-05", "GTX 760", "USD", "", "", 0 },
	{ "2023-07-05", "RX 480", "USD", "", "", 0 },
	{ "2023-07-05", "Radeon Pro VII", "USD", "1826.59", "1826.59", 1 },
	{ "2024-05-14", "GTX 960", "USD", "199.99", "259.50", 2 },
	{ "2024-05-14", "RX 580", "USD", "129.99", "272.97", 11 },
	{ "2024-05-14", "Radeon Pro VII", "USD", "1011.04", "1011.04", 1 },
};

/* How many rows a card has on a day in the markets of a kind, by the listing of that day. */
static const struct cloud_count {
	const char *date, *device, *market; /* how the market begins */
	size_t n;
} cloud_counts[] = {
	{ "2023-10-30", "RTX A4000", "cloud:", 11 },
	{ "2025-05-16", "RTX A4000", "cloud:", 11 },
	{ "2025-05-16", "RTX A4000", "cloud:cudo-compute:", 9 },
	{ "2025-05-16", "A40", "cloud:cudo-compute:", 0 },
	{ "2024-05-21", "A100 PCIe 80GB", "cloud:oblivus-cloud:", 4 },
	{ "2024-05-21", "H100 PCIe 80GB", "cloud:oblivus-cloud:", 4 },
	{ "2025-03-12", "RTX 3080 Ti", "cloud:exoscale:", 3 },
	{ "2025-09-17", "Instinct MI300X", "cloud:", 10 },
	{ "2025-09-17", "Instinct MI325X", "cloud:", 3 },
	{ "2025-09-17", "RTX 5090", "cloud:", 5 },
	{ "2025-09-17", "RTX 6000 Ada", "cloud:", 6 },
	{ "2025-09-17", "A30", "cloud:", 2 },
	{ "2025-09-17", "Quadro RTX 4000", "cloud:", 2 },
	{ "2025-09-17", "Quadro RTX 4000", "cloud:digitalocean:", 0 },
	{ "2021-05-24", "Quadro P6000", "cloud:paperspace:", 1 },
	{ "2025-06-30", "TPUv6e chip", "cloud:gcp:v6e-8/", 6 },
	{ "2025-06-30", "Tesla V100 SXM2 16GB", "cloud:lambda:", 1 },
};

static bool rows_read(struct arena *a, struct shipped_prices *out, struct error *err)
{
	struct file_list files = { 0 };
	size_t cap = 0;

	*out = (struct shipped_prices){ 0 };
	if (!file_list("data/prices", ".csv", false, a, &files, NULL, err))
		return false;
	for (size_t i = 0; i < files.n; i++) {
		struct csv_table t;
		int at[NCOLUMNS];

		if (!csv_read(str_c(a, file_join(a, STR("data/prices"), files.v[i])), a, &t, err))
			return false;
		for (size_t c = 0; c < NCOLUMNS; c++)
			at[c] = csv_column(&t, columns[c]);
		for (size_t r = 0; r < t.n; r++) {
			struct shipped_row row = { .file = files.v[i] };

			for (size_t c = 0; c < NCOLUMNS; c++)
				row.cells[c] = csv_cell(&t, &t.rows[r], at[c]).text;
			out->v = arena_grow(a, out->v, &cap, out->n + 1, sizeof *out->v);
			out->v[out->n++] = row;
		}
	}
	return true;
}

static bool is(const struct shipped_row *r, int column, const char *want)
{
	return str_eq(r->cells[column], str_of(want));
}

/* "A4000 (16 GB)" of "cloud:runpod:A4000 (16 GB)"; empty for what is no cloud market. */
static struct str sku(const struct shipped_row *r)
{
	struct str m = r->cells[MARKET];
	size_t i = 6;

	if (!str_starts(m, STR("cloud:")))
		return STR("");
	while (i < m.len && m.p[i] != ':')
		i++;
	return i < m.len ? (struct str){ m.p + i + 1, m.len - i - 1 } : STR("");
}

static void test_skus(struct test *t, const struct shipped_prices *p)
{
	for (size_t k = 0; k < LEN(sku_rules); k++) {
		const struct sku_rule *rule = &sku_rules[k];
		size_t n = 0, wrong = 0;

		for (size_t i = 0; i < p->n; i++) {
			struct str name = sku(&p->v[i]), text = str_of(rule->text);

			if (rule->whole ? !str_eq(name, text) : str_find(name, text, 0) == name.len)
				continue;
			n++;
			if (is(&p->v[i], DEVICE, rule->device))
				continue;
			if (wrong++ == 0)
				printf("# " STR_FMT ": '" STR_FMT "' is no " STR_FMT "\n",
				       STR_ARG(p->v[i].file), STR_ARG(p->v[i].cells[MARKET]),
				       STR_ARG(p->v[i].cells[DEVICE]));
		}
		test_ok(t, n > 0 && wrong == 0, rule->text);
	}
}

static void test_statistics(struct test *t, const struct shipped_prices *p, struct arena *a)
{
	for (size_t k = 0; k < LEN(statistics); k++) {
		const struct statistic *s = &statistics[k];
		struct str n = str_printf(a, "%d", s->n);
		size_t rows = 0, right = 0;

		for (size_t i = 0; i < p->n; i++) {
			const struct shipped_row *r = &p->v[i];
			const char *price = is(r, STAT, "min") ? s->min : s->median;

			if (!is(r, DATE, s->date) || !is(r, DEVICE, s->device)
			    || !is(r, MARKET, "pcpartpicker") || !is(r, CURRENCY, s->currency))
				continue;
			rows++;
			right += is(r, PRICE, price) && str_eq(r->cells[N], n);
		}
		test_ok(t, rows == (s->n > 0 ? 2 : 0) && right == rows,
			str_c(a, str_printf(a, "%s %s in %s", s->date, s->device, s->currency)));
	}
}

static void test_counts(struct test *t, const struct shipped_prices *p, struct arena *a)
{
	for (size_t k = 0; k < LEN(cloud_counts); k++) {
		const struct cloud_count *c = &cloud_counts[k];
		size_t n = 0;

		for (size_t i = 0; i < p->n; i++)
			n += is(&p->v[i], DATE, c->date) && is(&p->v[i], DEVICE, c->device)
			     && str_starts(p->v[i].cells[MARKET], str_of(c->market));
		test_ok(t, n == c->n,
			str_c(a, str_printf(a, "%s %s, %s", c->date, c->device, c->market)));
		if (n != c->n)
			printf("# got %zu want %zu\n", n, c->n);
	}
}

/* Names that listings use for cards of one name and several sizes. */
static const struct {
	const char *name;
	double memory_gb;
	enum resolved want;
	const char *device;
} retail_names[] = {
	{ "Arc A770", 16, RESOLVED, "Arc A770 16GB" },
	{ "Arc A770", 8, RESOLVED_OTHER_MEMORY, NULL },
	{ "Radeon RX 580", 8, RESOLVED, "RX 580" },
	{ "Radeon RX 580", 4, RESOLVED_OTHER_MEMORY, NULL },
	{ "GeForce GTX 1050", 3, RESOLVED_OTHER_MEMORY, NULL },
	{ "GeForce RTX 2060", 12, RESOLVED, "RTX 2060 12GB" },
	{ "GeForce RTX 3080", 10, RESOLVED, "RTX 3080 10GB" },
};

static void test_names(struct test *t, const struct devices *devices, struct arena *a)
{
	struct price_map map;
	struct resolver r;
	struct error err = { 0 };

	if (!price_map_read("data/price_maps/pcpartpicker.ini", devices, a, &map, &err)) {
		test_ok(t, false, err.msg);
		return;
	}
	resolver_open(&r, devices, &map, a);
	for (size_t i = 0; i < LEN(retail_names); i++) {
		const struct resolution *got =
		    resolver_find(&r, str_of(retail_names[i].name), retail_names[i].memory_gb);
		const char *want = retail_names[i].device;

		test_ok(t,
			got->how == retail_names[i].want
			    && (!want || str_eq(devices->v[got->device].name, str_of(want))),
			str_c(a, str_printf(a, "%s with %g GB", retail_names[i].name,
					    retail_names[i].memory_gb)));
	}
}

/* "NAME @8GB" is the spelling of a card with 8 GB, whatever the alias says. */
static void test_aliases(struct test *t, const struct devices *devices, struct arena *a)
{
	size_t n = 0, wrong = 0;

	for (size_t i = 0; i < devices->naliases; i++) {
		struct str name = devices->aliases[i].name;
		const struct device *d = &devices->v[devices->aliases[i].index];
		double gb = 0;
		size_t k = 0;

		while (k < name.len && name.p[k] != '@')
			k++;
		for (k++; k < name.len && name.p[k] >= '0' && name.p[k] <= '9'; k++)
			gb = 10 * gb + (name.p[k] - '0');
		if (gb == 0)
			continue;
		n++;
		if (fabs(gb - d->memory_gb) <= 0.05 * d->memory_gb)
			continue;
		wrong++;
		printf("# '" STR_FMT "' is no " STR_FMT "\n", STR_ARG(name), STR_ARG(d->name));
	}
	test_ok(t, n >= 10 && wrong == 0,
		str_c(a, str_printf(a, "%zu aliases with a memory size", n)));
}

/* The reader takes every row but one: a mean over no sales. */
static void test_reader(struct test *t, const struct devices *devices, struct arena *a)
{
	struct prices prices;
	struct messages refused = { .arena = a };
	struct error err = { 0 };

	test_ok(t, prices_read("data", devices, a, &prices, &refused, &err) && refused.n == 1,
		"one row is refused");
	if (refused.n == 1)
		test_str(t, refused.v[0].text, STR("n: '0' is not a whole number above 0"),
			 "a mean over no sales");
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };
	struct error err = { 0 };
	struct devices devices;
	struct shipped_prices p;

	if (!devices_read("data", &a, &devices, &err) || !rows_read(&a, &p, &err)) {
		test_ok(&t, false, err.msg);
		return test_done(&t);
	}
	test_ok(&t, p.n > 20000, "the shipped prices");
	test_skus(&t, &p);
	test_statistics(&t, &p, &a);
	test_counts(&t, &p, &a);
	test_names(&t, &devices, &a);
	test_aliases(&t, &devices, &a);
	test_reader(&t, &devices, &a);
	arena_free(&a);
	return test_done(&t);
}
