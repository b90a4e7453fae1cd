#include "system.h"

#include "../base/csv_write.h"
#include "../base/file.h"

#include <limits.h>
#include <math.h>

#define PSU_MARGIN 1.1
#define HIGH_POWER_W 225.0
enum { CASE_SLOTS = 8, PSU_STEP_W = 50, PSU_LARGEST_W = 1600 };

static const int gpu_counts[] = { 1, 2, 4 };

static const struct str status_names[] = {
	[SYSTEM_NOT_FOR_HOST] = STR_INIT("not-for-host"),
	[SYSTEM_NO_PRICE] = STR_INIT("no-price"),
	[SYSTEM_SLOTS_UNKNOWN] = STR_INIT("slots-unknown"),
	[SYSTEM_NO_HOST] = STR_INIT("no-host"),
	[SYSTEM_NO_TDP] = STR_INIT("no-tdp"),
	[SYSTEM_NO_TARIFF] = STR_INIT("no-tariff"),
	[SYSTEM_OK] = STR_INIT("ok"),
};

/* In the order in which they are written. */
static const struct {
	unsigned warning;
	struct str name;
} warning_names[] = {
	{ SYSTEM_WARN_COOLING, STR_INIT("cooling") },
	{ SYSTEM_WARN_PASSIVE, STR_INIT("passive") },
	{ SYSTEM_WARN_SLOTS, STR_INIT("slots") },
	{ SYSTEM_WARN_PSU, STR_INIT("psu") },
	{ SYSTEM_WARN_PSU_SIZE, STR_INIT("psu-over-1600w") },
};

/* Form factors of devices.csv that are cards for a slot; every other stated one is not. */
static const struct {
	struct str form_factor;
	int slots;
} form_factors[] = {
	{ STR_INIT("single-slot"), 1 },
	{ STR_INIT("dual-slot"), 2 },
	{ STR_INIT("triple-slot"), 3 },
};

/* Power of the processor in hosts of up to so many cards; see power_w in system.h. */
static const struct {
	int gpus;
	double watts;
} host_allowance[] = { { 1, 65 }, { 2, 105 }, { INT_MAX, 280 } };

struct str system_status_name(enum system_status s)
{
	return status_names[s];
}

int system_card_slots(const struct device *d)
{
	for (size_t i = 0; i < LEN(form_factors); i++)
		if (str_eq(form_factors[i].form_factor, d->form_factor))
			return form_factors[i].slots;
	return d->form_factor.len ? 0 : -1;
}

bool cooling_warning(const struct device *d, int gpus)
{
	if (gpus < 2 || str_eq(d->cooling, STR("blower")) || str_eq(d->cooling, STR("liquid")))
		return false;
	return gpus > 2 || d->tdp_w > HIGH_POWER_W; /* false where it is NAN */
}

static double allowance_w(int gpus)
{
	size_t i = 0;

	while (host_allowance[i].gpus < gpus)
		i++;
	return host_allowance[i].watts;
}

static void set_power(struct system *s, const struct cost_input *in, const struct device *d)
{
	const struct edition *e = in->edition;

	s->power_usd = cost_round(s->gpus * electricity_usd_per_hour(in->tariff, d->tdp_w)
				  * e->hours_per_year * e->years);
	s->power_w = s->gpus * d->tdp_w + allowance_w(s->gpus);
	s->psu_w = ceil(s->power_w * PSU_MARGIN / PSU_STEP_W) * PSU_STEP_W;
}

static unsigned find_warnings(const struct system *s, const struct device *d)
{
	unsigned w = cooling_warning(d, s->gpus) ? SYSTEM_WARN_COOLING : 0u;

	w |= str_eq(d->cooling, STR("passive")) ? SYSTEM_WARN_PASSIVE : 0u;
	w |= s->slots > CASE_SLOTS ? SYSTEM_WARN_SLOTS : 0u;
	w |= s->host.host && s->psu_w > s->host.host->psu_w ? SYSTEM_WARN_PSU : 0u;
	w |= s->psu_w > PSU_LARGEST_W ? SYSTEM_WARN_PSU_SIZE : 0u;
	return w;
}

static enum system_status find_status(const struct system *s, const struct cost_input *in,
				      const struct device *d)
{
	int slots = system_card_slots(d);

	if (slots == 0)
		return SYSTEM_NOT_FOR_HOST;
	if (isnan(s->cards_usd))
		return SYSTEM_NO_PRICE;
	if (slots < 0)
		return SYSTEM_SLOTS_UNKNOWN;
	if (!s->host.host)
		return SYSTEM_NO_HOST;
	if (isnan(d->tdp_w))
		return SYSTEM_NO_TDP;
	return in->tariff->tariff ? SYSTEM_OK : SYSTEM_NO_TARIFF;
}

struct system system_of(const struct cost_input *in, const struct card_price *card, size_t device,
			int gpus)
{
	const struct device *d = &in->devices->v[device];
	int slots = system_card_slots(d);
	struct system s = { .device = device,
			    .gpus = gpus,
			    .cards_usd = card ? gpus * card->price_usd : NAN,
			    .cards_low_usd = card ? gpus * card->low : NAN,
			    .cards_high_usd = card ? gpus * card->high : NAN,
			    .host_usd = NAN,
			    .power_usd = NAN,
			    .power_w = NAN,
			    .psu_w = NAN };

	s.flags = card ? card->flags : PRICE_FLAG_MISSING;
	if (slots > 0) {
		s.slots = gpus * slots;
		s.host = host_find(in->hosts, gpus, in->edition);
		s.host_usd = s.host.host ? s.host.host->host_usd : NAN;
		s.flags |= s.host.flags | in->tariff->flags;
		set_power(&s, in, d);
		s.warnings = find_warnings(&s, d);
	}
	s.purchase_usd = cost_round(s.cards_usd + s.host_usd);
	s.total_usd = cost_round(s.purchase_usd + s.power_usd);
	s.per_gpu_usd = cost_round(s.total_usd / gpus);
	s.status = find_status(&s, in, d);
	return s;
}

void systems_compute(const struct cost_input *in, const struct card_prices *cards, struct arena *a,
		     struct systems *out)
{
	*out =
	    (struct systems){ .v = arena_array(a, in->nindices, LEN(gpu_counts) * sizeof *out->v) };
	for (size_t i = 0; i < in->nindices; i++) {
		const struct card_price *card = price_lens_find(cards, in->indices[i], LENS_CARD);

		for (size_t j = 0; card && !isnan(card->price_usd) && j < LEN(gpu_counts); j++)
			out->v[out->n++] = system_of(in, card, in->indices[i], gpu_counts[j]);
	}
}

double system_cost(const struct cost_input *in, const struct card_prices *cards, size_t device,
		   int hosts, int gpus)
{
	const struct card_price *card = price_lens_find(cards, device, LENS_CARD);

	return hosts * system_of(in, card, device, gpus).purchase_usd;
}

static struct str warnings_text(struct arena *a, unsigned warnings)
{
	struct strbuf b = { .arena = a };

	for (size_t i = 0; i < LEN(warning_names); i++) {
		if (!(warnings & warning_names[i].warning))
			continue;
		if (b.len)
			strbuf_addc(&b, ' ');
		strbuf_add(&b, warning_names[i].name);
	}
	return strbuf_str(&b);
}

static void write_row(struct csv_out *w, const struct system *s, struct str device, struct arena *a)
{
	const struct host *host = s->host.host;

	csv_put(w, device);
	csv_put_int(w, s->gpus);
	csv_put_num(w, s->cards_usd);
	csv_put_num(w, s->host_usd);
	csv_put_date(w, host ? host->date : (struct date){ INT_MIN });
	csv_put_num(w, s->power_usd);
	csv_put_num(w, s->total_usd);
	csv_put_num(w, s->per_gpu_usd);
	csv_put_num(w, s->power_w);
	if (s->slots)
		csv_put_int(w, s->slots);
	else
		csv_put_missing(w);
	csv_put(w, system_status_name(s->status));
	csv_put(w, warnings_text(a, s->warnings));
	csv_put_num(w, s->purchase_usd);
	csv_put_num(w, s->psu_w);
	csv_put_num(w, host ? host->psu_w : NAN);
	csv_put(w, price_flags_text(a, s->flags));
	csv_end_row(w);
}

bool systems_write(const struct systems *s, const struct devices *devices, const char *path,
		   struct arena *a, struct error *err)
{
	struct csv_out w = { .buf.arena = a };

	strbuf_add(&w.buf, STR("device,gpus,cards_usd,host_usd,host_date,power_usd,total_usd,"
			       "per_gpu_usd,power_w,slots,status,warnings,purchase_usd,psu_w,"
			       "host_psu_w,flags\n"));
	for (size_t i = 0; i < s->n; i++)
		write_row(&w, &s->v[i], devices->v[s->v[i].device].name, a);
	return file_write(path, strbuf_str(&w.buf), err);
}
