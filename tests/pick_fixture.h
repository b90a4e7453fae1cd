/* Eight cards, two classes and their prices: a market small enough to be worked out by hand.
 *
 *          memory cooler  power  host  centers  cnn (interval)   transformer     price (range),
 *                         what
 * Alpha      8    open    175 W  slot  no       0.64 (0.6-0.7)   0.36 (0.3-0.4)   500 (450-500)
 * Beta      11    open    250 W  slot  no       1                1               1200, ebay alone
 * Gamma     24    blower  280 W  slot  yes      1.44 (1.2-1.6)   1.69 (1.6-1.8)  2500
 * Delta     16    passive 250 W  slot  yes      1.21             1               8000, cloud 2
 * Epsilon   16    passive 300 W  SXM2  yes      2.25             1.44            none, cloud 3
 * Zeta       8    open     75 W  slot  yes      excluded         0.25             150 (AMD)
 * Eta        6    blower  120 W  slot  no       0.25 (0.2-0.3)   0.16             100, used
 * Theta      8    blower  150 W  slot  no       0.81 (0.7-0.9)   0.49             300, stale
 * No interval given: both ends are the score. */
#ifndef TESTS_PICK_FIXTURE_H
#define TESTS_PICK_FIXTURE_H

#include "catalogue_fixture.h"

#include "../analyze/pick.h"

#include <limits.h>
#include <math.h>

enum { ALPHA, BETA, GAMMA, DELTA, EPSILON, ZETA, ETA, THETA, MARKET_DEVICES };

#define MARKET_CATALOGUE                                                                           \
	"device,vendor,architecture,release_date,memory_gb,cooling,tdp_w,form_factor,datacenter_"  \
	"ok\n"                                                                                     \
	"Alpha,NVIDIA,One,2018-01-01,8,open,175,dual-slot,no\n"                                    \
	"Beta,NVIDIA,One,2018-01-01,11,open,250,dual-slot,no\n"                                    \
	"Gamma,NVIDIA,One,2018-01-01,24,blower,280,dual-slot,yes\n"                                \
	"Delta,NVIDIA,One,2018-01-01,16,passive,250,dual-slot,yes\n"                               \
	"Epsilon,NVIDIA,One,2018-01-01,16,passive,300,SXM2,yes\n"                                  \
	"Zeta,AMD,One,2018-01-01,8,open,75,dual-slot,yes\n"                                        \
	"Eta,NVIDIA,One,2018-01-01,6,blower,120,dual-slot,no\n"                                    \
	"Theta,NVIDIA,One,2018-01-01,8,blower,150,dual-slot,no\n"

#define MARKET_PERSONAS                                                                            \
	"[thrifty]\ntitle = Thrifty\nasks = What is worth its money?\nobjective = value\n"         \
	"memory_gb = 8\nmemory_gb.2022 = 12\nbudget_usd = 1200\nweight.cnn = 1\n"                  \
	"guide.2019 = Alpha\nguide.2019.why = Alpha, said the guide.\n"                            \
	"[quick]\ntitle = Quick\nasks = What is fast?\nobjective = speed\nbudget_usd = 5000\n"     \
	"gpus = 2\nweight.cnn = 1\nweight.transformer = 1\nguide.2019 = Alpha, Colab\n"            \
	"[rack]\ntitle = Rack\nasks = Which three?\nobjective = value\ngpus = 3\n"                 \
	"cooling = adjacent\nweight.transformer = 1\nexcept.Eta = too small a card\n"              \
	"[owner]\ntitle = Owner\nasks = A new one?\nobjective = value\nowns = Theta\ngain = 1.5\n" \
	"budget_usd = 1200\nweight.cnn = 1\nguide.2019 = Theta\n"                                  \
	"[center]\ntitle = Center\nasks = What may stand there?\nobjective = value\n"              \
	"data_center = yes\nhost = server\nweight.cnn = 2\nweight.transformer = 1\nvendors = "     \
	"NVIDIA\n"                                                                                 \
	"[renter]\ntitle = Renter\nasks = What to rent?\nobjective = value\nlens = cloud\n"        \
	"weight.cnn = 1\nweight.llm = 3\n"                                                         \
	"[poor]\ntitle = Poor\nasks = What for ten?\nobjective = value\nbudget_usd = 10\n"         \
	"memory_gb = 8\nweight.transformer = 1\n"                                                  \
	"[reader]\ntitle = Reader\nasks = What reads?\nobjective = value\nweight.llm = 1\n"        \
	"[later]\ntitle = Later\nasks = What then?\nobjective = value\nsince = 2030\nweight.cnn "  \
	"= 1\n"                                                                                    \
	"[cooling]\nblower.Beta = a maker\n"                                                       \
	"[avoid.2019]\nonly_if.Gamma = only if {memory} GB are needed\n"                           \
	"[avoid.2020]\nonly_if.Beta = not this year\n"                                             \
	"[upgrade]\nowned = Eta, Theta\nkeep_below = 1.3\nupgrade_from = 2\ndear_below = 0.33\n"

struct market {
	struct fixture files;
	struct devices devices;
	struct edition edition;
	struct personas personas;
	size_t indices[MARKET_DEVICES];
	struct score score[2 * MARKET_DEVICES];
	struct scores scores;
	struct card_price price[MARKET_DEVICES + 2];
	struct card_prices prices;
	struct pick_input in;
};

static inline struct score market_score(size_t device, enum class_id class, double v, double low,
					double high)
{
	return (struct score){ .device = device,
			       .class = class,
			       .origin = ORIGIN_MEASURED,
			       .score = v,
			       .low = low,
			       .high = high,
			       .peer_low = low,
			       .peer_high = high,
			       .error_pct = NAN,
			       .machines = 2,
			       .runs = 4,
			       .workloads = 3 };
}

static inline struct card_price market_price(size_t device, enum lens lens, double usd, double low,
					     double high, unsigned flags)
{
	struct card_price p = card_price_none(device, lens);

	p.price_usd = usd;
	p.low = low;
	p.high = high;
	p.flags = flags;
	p.markets = isnan(usd) ? STR("") : STR("amazon ebay");
	p.observations = 5;
	p.age_days = isnan(usd) ? -1 : flags & PRICE_FLAG_STALE ? 400 : 2;
	if (!isnan(usd))
		p.newest_date.day = 18045 - p.age_days; /* 18045 is 2019-05-29 */
	return p;
}

static inline void market_scores(struct market *m)
{
	const struct score all[] = {
		market_score(ALPHA, CLASS_CNN, 0.64, 0.6, 0.7),
		market_score(BETA, CLASS_CNN, 1, 1, 1),
		market_score(GAMMA, CLASS_CNN, 1.44, 1.2, 1.6),
		market_score(DELTA, CLASS_CNN, 1.21, 1.21, 1.21),
		market_score(EPSILON, CLASS_CNN, 2.25, 2.25, 2.25),
		market_score(ZETA, CLASS_CNN, NAN, NAN, NAN),
		market_score(ETA, CLASS_CNN, 0.25, 0.2, 0.3),
		market_score(THETA, CLASS_CNN, 0.81, 0.7, 0.9),
		market_score(ALPHA, CLASS_TRANSFORMER, 0.36, 0.3, 0.4),
		market_score(BETA, CLASS_TRANSFORMER, 1, 1, 1),
		market_score(GAMMA, CLASS_TRANSFORMER, 1.69, 1.6, 1.8),
		market_score(DELTA, CLASS_TRANSFORMER, 1, 1, 1),
		market_score(EPSILON, CLASS_TRANSFORMER, 1.44, 1.44, 1.44),
		market_score(ZETA, CLASS_TRANSFORMER, 0.25, 0.25, 0.25),
		market_score(ETA, CLASS_TRANSFORMER, 0.16, 0.16, 0.16),
		market_score(THETA, CLASS_TRANSFORMER, 0.49, 0.49, 0.49),
	};

	memcpy(m->score, all, sizeof all);
	m->score[ZETA].origin = ORIGIN_EXCLUDED;
	m->score[ZETA].reason = say_plain(&m->files.arena, STR("nobody ran it"));
	m->score[ZETA].machines = m->score[ZETA].runs = m->score[ZETA].workloads = 0;
	m->scores = (struct scores){ m->score, LEN(m->score) };
}

static inline void market_prices(struct market *m)
{
	const struct card_price all[] = {
		market_price(ALPHA, LENS_CARD, 500, 450, 500, 0),
		market_price(BETA, LENS_CARD, 1200, 1200, 1200, PRICE_FLAG_SINGLE_SOURCE),
		market_price(GAMMA, LENS_CARD, 2500, 2500, 2500, 0),
		market_price(DELTA, LENS_CARD, 8000, 8000, 8000, 0),
		market_price(DELTA, LENS_CLOUD, 2, 2, 2, 0),
		market_price(EPSILON, LENS_CARD, NAN, NAN, NAN, PRICE_FLAG_MISSING),
		market_price(EPSILON, LENS_CLOUD, 3, 3, 3, 0),
		market_price(ZETA, LENS_CARD, 150, 150, 150, 0),
		market_price(ETA, LENS_CARD, 100, 100, 100, PRICE_FLAG_USED),
		market_price(THETA, LENS_CARD, 300, 300, 300, PRICE_FLAG_STALE),
	};

	memcpy(m->price, all, sizeof all);
	m->prices = (struct card_prices){ m->price, LEN(m->price) };
}

/* Everything but the personas' text is fixed; the edition is of 2019-05-29. */
static inline bool market_open(struct market *m, const char *personas, struct error *err)
{
	memset(m, 0, sizeof *m);
	if (!fixture_open(&m->files))
		return false;
	fixture_put(&m->files, "devices.csv", MARKET_CATALOGUE);
	fixture_put(&m->files, "aliases.csv", "name,device,scope,used_by\nAlpha Ti,Alpha,any,x\n");
	m->edition =
	    (struct edition){ .name = STR("small"), .date = date_of_day(18045), .nclasses = 2 };
	m->edition.reference = STR("Beta");
	m->edition.classes[0].id = CLASS_CNN;
	m->edition.classes[1].id = CLASS_TRANSFORMER;
	for (size_t i = 0; i < MARKET_DEVICES; i++)
		m->indices[i] = i;
	market_scores(m);
	market_prices(m);
	m->in = (struct pick_input){ .devices = &m->devices, .edition = &m->edition,
				     .indices = m->indices, .nindices = MARKET_DEVICES,
				     .scores = &m->scores, .prices = &m->prices,
				     .personas = &m->personas };
	return devices_read(m->files.dir, &m->files.arena, &m->devices, err)
	       && personas_parse(str_of(personas), "personas.ini", &m->devices, &m->edition,
				 &m->files.arena, &m->personas, err);
}

static inline void market_close(struct market *m)
{
	fixture_close(&m->files);
}

/* A wish for one class, of one card, without limits. */
static inline struct pick_wish market_wish(enum class_id class)
{
	struct pick_wish w = pick_wish_default();

	w.weights[class] = 1;
	return w;
}

static inline struct pick picked(struct market *m, const struct pick_wish *w)
{
	struct pick p;

	pick_compute(&m->in, w, &m->files.arena, &p);
	return p;
}

static inline const struct candidate *candidate(const struct pick *p, size_t device)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->v[i].device == device)
			return &p->v[i];
	return NULL;
}

#endif
