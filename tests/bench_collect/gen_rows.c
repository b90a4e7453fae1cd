#include "gen_rows.h"

#include "../../base/date.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char gen_header[] = "machine,date,device,device_count,class,workload,precision,batch_size,metric,value,"
                          "unit,framework,driver,repeat,source";

enum { DEVICES_MAX = 64, WORKLOADS_MAX = 64, WORKS_A_MACHINE = 24, REPEATS_LEAST = 5, REPEATS_MOST = 10 };

static const double machine_spread = 0.03, repeat_spread = 0.005, roofline_share = 0.5;
static const double range_least = 500;
static const char *const precisions[] = { "fp32", "fp16" };

/* A machine has one of these, and every number of it the digits that such a program prints: `significant`
 * digits in all. */
static const struct {
	const char *framework;
	int significant;
} frameworks[] = {
	{ "pytorch 2.3.0a0+40ec155e58.nv24.03", 6 }, { "pytorch 2.5.0a0+e000cf0ad9.nv24.10", 7 },
	{ "pytorch 1.13.0a0+d0d6b1f", 6 },           { "tensorflow 2.15.0", 6 },
	{ "pytorch 1.4.0a0+a5b4d78", 15 },           { "jax 0.4.26", 8 },
	{ "tensorflow 1.15.3", 6 },                  { "mxnet 1.9.1", 7 },
};
static const char *const drivers[] = { "470.141.03", "515.65.01", "535.129.03", "550.90.07", "560.35.03" };

/* splitmix64: Steele, Lea & Flood, OOPSLA 2014. */
static uint64_t mix(uint64_t x)
{
	x += 0x9E3779B97F4A7C15u;
	x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
	x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
	return x ^ (x >> 31);
}

static uint64_t draw(struct gen *g)
{
	g->random += 0x9E3779B97F4A7C15u;
	return mix(g->random);
}

/* From 0 to 1. */
static double share_of(uint64_t x)
{
	return (double)(x >> 11) * 0x1p-53;
}

/* About normal, within +-2 of a standard deviation of 0.58: the sum of four uniform numbers. */
static double noise_of(uint64_t x)
{
	double sum = 0;

	for (int i = 0; i < 4; i++)
		sum += (double)((x >> (16 * i)) & 0xFFFF) * 0x1p-16;
	return sum - 2;
}

/* --- the pool --- */

static bool usable_device(const struct device *d)
{
	struct date last;

	date_parse(STR("2024-01-01"), &last);
	return d->release_date.day != INT_MIN && d->release_date.day <= last.day
	       && !isnan(device_peak_tflops(d, STR("fp32"))) && !isnan(device_peak_tflops(d, STR("fp16")));
}

/* A time of known work would have to be held against the sheet too; there are enough others. */
static bool usable_workload(const struct workload *w)
{
	return w->hi / w->lo >= range_least && !(w->lower_is_better && !isnan(w->flop_per_sample));
}

/* i-th of `most` of the n kept. */
static size_t spread(size_t i, size_t n, size_t most)
{
	return n > most ? i * n / most : i;
}

bool gen_pool_read(const char *data_dir, struct arena *a, struct gen_pool *pool, struct error *err)
{
	struct devices *devices = arena_alloc(a, sizeof *devices);
	struct workloads *workloads = arena_alloc(a, sizeof *workloads);
	size_t nd = 0, nw = 0;

	if (!devices_read(data_dir, a, devices, err) || !workloads_read(data_dir, a, workloads, err))
		return false;
	*pool = (struct gen_pool){ .devices = arena_array(a, devices->n, sizeof *pool->devices),
		                   .workloads = arena_array(a, workloads->n, sizeof *pool->workloads) };
	for (size_t i = 0; i < devices->n; i++)
		if (usable_device(&devices->v[i]))
			pool->devices[nd++] = &devices->v[i];
	for (size_t i = 0; i < workloads->n; i++)
		if (usable_workload(&workloads->v[i]))
			pool->workloads[nw++] = &workloads->v[i];
	if (nd == 0 || nw == 0)
		return error_set(err, ERR_DATA, "%s: no device or no workload to make rows of", data_dir);
	pool->ndevices = nd < DEVICES_MAX ? nd : DEVICES_MAX;
	pool->nworkloads = nw < WORKLOADS_MAX ? nw : WORKLOADS_MAX;
	for (size_t i = 0; i < pool->ndevices; i++)
		pool->devices[i] = pool->devices[spread(i, nd, DEVICES_MAX)];
	for (size_t i = 0; i < pool->nworkloads; i++)
		pool->workloads[i] = pool->workloads[spread(i, nw, WORKLOADS_MAX)];
	return true;
}

/* --- a machine --- */

struct gen gen_begin(const struct gen_pool *pool, struct gen_style style)
{
	struct gen g = { .pool = pool, .style = style, .random = mix(style.seed) };

	gen_next_machine(&g);
	return g;
}

static void name_machine(struct gen_machine *m, uint64_t number, bool lean)
{
	unsigned lab = (unsigned)((m->hash >> 28) % 40);
	struct str device = str_slice(m->device->name, 0, 60);

	if (lean) {
		snprintf(m->name, sizeof m->name, "m%06llu", (unsigned long long)number);
		snprintf(m->source, sizeof m->source, "lab%02u", lab);
		return;
	}
	snprintf(m->name, sizeof m->name, "lab%02u_%ux" STR_FMT "_host%06llx", lab, m->count, STR_ARG(device),
	         (unsigned long long)number);
	for (char *p = m->name; *p; p++)
		*p = *p == ' ' ? '_' : *p;
	snprintf(m->source, sizeof m->source, "github:lab%02u/deeplearning-benchmark/results@%012llx", lab,
	         (unsigned long long)(mix(m->hash + 2) >> 16));
}

void gen_next_machine(struct gen *g)
{
	uint64_t h = mix(mix(g->style.seed) ^ g->machines);
	const struct device *d = g->pool->devices[h % g->pool->ndevices];
	struct gen_machine *m = &g->machine;

	*m = (struct gen_machine){ .hash = h, .device = d, .count = 1u << (h >> 20) % 4 };
	if ((h >> 24) % 2) /* half of the machines have one device */
		m->count = 1;
	m->factor = 1 + machine_spread * (2 * share_of(mix(h + 1)) - 1);
	name_machine(m, g->machines, g->style.lean);
	g->block.repeat = g->block.repeats = 0;
	g->machines++;
}

/* What the device reaches in the workload: the middle of the believable range, the faster the later the hash
 * says, and never more arithmetic than half of the data sheet's. */
static double reach(const struct gen_machine *m, const struct workload *w, const char *precision)
{
	uint64_t h = mix(w->name.len);

	for (size_t i = 0; i < m->device->name.len; i++)
		h = mix(h ^ (unsigned char)m->device->name.p[i]);
	double speed = 0.5 + 1.5 * share_of(h);
	double many = pow(0.9 * 2, log2(m->count)); /* every doubling keeps 90 % */
	double half = strcmp(precision, "fp16") == 0 ? 1.6 : 1;
	double peak = device_peak_tflops(m->device, str_of(precision)) * 1e12 * roofline_share;
	double middle = sqrt(w->lo * w->hi), value;

	if (w->lower_is_better) {
		value = middle / (speed * half);
		return value > w->lo * 2 ? value : w->lo * 2;
	}
	value = middle * speed * half;
	if (!isnan(w->flop_per_sample) && value * w->flop_per_sample > peak)
		value = peak / w->flop_per_sample;
	return value * many;
}

/* Whether collect would believe it; a device too slow or too fast for a workload does not run it. */
static bool believable(const struct workload *w, double value)
{
	return value > w->lo * 1.2 && value < w->hi / 1.2;
}

/* As many decimals as give the program's significant digits. */
static void set_digits(struct gen_block *b, int significant)
{
	int whole = b->base >= 1 ? (int)floor(log10(b->base)) + 1 : 0;

	b->decimals = significant - whole;
	b->decimals = b->decimals < 0 ? 0 : b->decimals > 9 ? 9 : b->decimals;
	b->scale = pow(10, b->decimals);
	while (b->base * b->scale > 0x1p52) { /* the printed number is a whole one of a double */
		b->scale /= 10;
		b->decimals--;
	}
}

static void write_texts(struct gen *g, const char *precision)
{
	const struct gen_machine *m = &g->machine;
	struct gen_block *b = &g->block;
	const struct workload *w = b->workload;
	struct str class = class_name(w->class);
	uint64_t h = mix(m->hash + m->session);
	int y, month, day, n;

	/* a session every 1 to 5 days from 2022 to 2025 on, then from the start again */
	date_ymd(date_of_day(18993 + (int)((m->hash >> 8) % 400 + m->session * (1 + m->hash % 5)) % 1400), &y, &month,
	         &day);
	n = snprintf(b->text, ROW_TEXT_MAX / 2, "%s,%04d-%02d-%02d,%.*s,%u,%.*s,%.*s,%s,%u,%.*s,", m->name, y, month,
	             day, STR_ARG(b->device->name), m->count, STR_ARG(class), STR_ARG(w->name), precision,
	             32u << m->hash % 4, STR_ARG(w->metric));
	b->head = (struct str){ b->text, (size_t)n };
	n = snprintf(b->text + ROW_TEXT_MAX, ROW_TEXT_MAX / 2, ",%.*s,%s,%s,", STR_ARG(w->unit),
	             g->style.lean ? "torch" : frameworks[m->hash % LEN(frameworks)].framework, drivers[h % LEN(drivers)]);
	b->tail = (struct str){ b->text + ROW_TEXT_MAX, (size_t)n };
}

/* The machine's next (workload, precision); a session ends after the last. */
static const struct workload *next_work(struct gen *g, const char **precision)
{
	struct gen_machine *m = &g->machine;
	const struct gen_pool *p = g->pool;

	*precision = precisions[m->precision];
	size_t first = (size_t)(m->hash >> 32) % p->nworkloads;
	const struct workload *w = p->workloads[(first + m->work * 5) % p->nworkloads];
	if (++m->precision == LEN(precisions)) {
		m->precision = 0;
		if (++m->work == WORKS_A_MACHINE) {
			m->work = 0;
			m->session++;
		}
	}
	return w;
}

static void next_block(struct gen *g)
{
	struct gen_block *b = &g->block;
	const char *precision;

	if (g->machine.rows >= g->style.rows_per_machine)
		gen_next_machine(g);
	for (unsigned tries = 0;; tries++) {
		if (tries > 4 * WORKS_A_MACHINE) { /* nothing suits this device */
			gen_next_machine(g);
			tries = 0;
		}
		b->workload = next_work(g, &precision);
		b->base = reach(&g->machine, b->workload, precision) * g->machine.factor;
		if (believable(b->workload, b->base))
			break;
	}
	b->device = g->machine.device;
	b->repeat = 0;
	b->repeats = REPEATS_LEAST + (unsigned)(draw(g) % (REPEATS_MOST - REPEATS_LEAST + 1));
	set_digits(b, frameworks[g->machine.hash % LEN(frameworks)].significant);
	write_texts(g, precision);
}

/* --- a row --- */

static char *put(char *to, struct str s)
{
	memcpy(to, s.p, s.len);
	return to + s.len;
}

static char *put_whole(char *to, uint64_t v)
{
	char digits[20];
	size_t n = 0;

	do {
		digits[n++] = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	while (n)
		*to++ = digits[--n];
	return to;
}

static char *put_value(char *to, const struct gen_block *b, uint64_t random)
{
	uint64_t v = (uint64_t)(b->base * (1 + repeat_spread * noise_of(random)) * b->scale + 0.5);
	uint64_t scale = (uint64_t)b->scale;

	to = put_whole(to, v / scale);
	if (b->decimals == 0)
		return to;
	*to++ = '.';
	v %= scale;
	for (int i = b->decimals; i-- > 0; v /= 10)
		to[i] = (char)('0' + v % 10);
	return to + b->decimals;
}

static size_t end_row(const struct gen *g, char *out, char *to)
{
	if (g->style.crlf)
		*to++ = '\r';
	*to++ = '\n';
	return (size_t)(to - out);
}

/* Splits the plain row at its commas: no cell of it has one inside. */
static size_t split(struct str row, struct str *cells, size_t most)
{
	size_t n = 0;

	while (n < most && str_cut(&row, ',', &cells[n]))
		n++;
	return n;
}

enum { CELLS = 15, DATE_CELL = 1, FRAMEWORK_CELL = 11, SOURCE_CELL = 14 };

/* One faulty cell; NULL for the text takes the cell away, so that the row is too short. */
static const struct {
	size_t cell;
	const char *text;
} faults[] = {
	{ 9, "n/a" },      { 9, "nan" },       { 9, "1e999" },  { 9, "0x1p3" },   { 2, "RTX 9999 Ultra" },
	{ 1, "2024-02-30" }, { 10, "image/s" }, { 6, "fp17" },  { 3, "0" },       { 5, "resnet51" },
	{ 14, NULL },      { 7, "-1" },        { 9, "" },       { 0, "" },
};

/* How a row is quoted: the cells that are, as a spreadsheet, a careful program or a person would. */
enum quoting { QUOTE_COMMA, QUOTE_TEXTS, QUOTE_QUOTE, QUOTINGS };

/* bare: without quotes, and without what wants them. */
static char *put_quoted(char *to, struct str s, const char *more, bool bare)
{
	if (!bare)
		*to++ = '"';
	to = put(to, s);
	for (; *more; more++)
		if (!bare || (*more != ',' && *more != '"'))
			*to++ = *more;
	if (!bare)
		*to++ = '"';
	return to;
}

static char *put_cell(char *to, size_t at, struct str cell, enum quoting how, bool bare)
{
	bool text = at != 3 && at != 7 && at != 9 && at != 13 && at != DATE_CELL;

	if (how == QUOTE_COMMA && at == FRAMEWORK_CELL)
		return put_quoted(to, cell, ", cuda 12.4", bare);
	if (how == QUOTE_TEXTS && text)
		return put_quoted(to, cell, "", bare);
	if (how == QUOTE_QUOTE && at == SOURCE_CELL)
		return put_quoted(to, cell, " of \"\"night\"\" runs", bare);
	return put(to, cell);
}

static size_t quoted_row(struct gen *g, char *out, size_t len)
{
	char plain[ROW_TEXT_MAX], *to = out;
	struct str cells[CELLS];
	enum quoting how = (enum quoting)(draw(g) % QUOTINGS);

	memcpy(plain, out, len);
	size_t n = split((struct str){ plain, len }, cells, CELLS);
	for (size_t i = 0; i < n; i++) {
		if (i)
			*to++ = ',';
		to = put_cell(to, i, cells[i], how, g->style.bare);
	}
	g->quoted++;
	return (size_t)(to - out);
}

static size_t bad_row(struct gen *g, char *out, size_t len)
{
	char plain[ROW_TEXT_MAX], *to = out;
	struct str cells[CELLS];
	size_t which = draw(g) % LEN(faults);

	memcpy(plain, out, len);
	size_t n = split((struct str){ plain, len }, cells, CELLS);
	for (size_t i = 0; i < n; i++) {
		bool faulty = i == faults[which].cell;
		if (faulty && !faults[which].text)
			continue;
		if (i)
			*to++ = ',';
		to = put(to, faulty ? str_of(faults[which].text) : cells[i]);
	}
	g->bad++;
	return (size_t)(to - out);
}

size_t gen_row(struct gen *g, char *out)
{
	struct gen_block *b = &g->block;
	char *to = out;

	if (b->repeat == b->repeats)
		next_block(g);
	to = put(to, b->head);
	to = put_value(to, b, draw(g));
	to = put(to, b->tail);
	to = put_whole(to, ++b->repeat);
	*to++ = ',';
	to = put(to, str_of(g->machine.source));
	size_t len = (size_t)(to - out);
	unsigned lot = g->style.bad_pct || g->style.quoted_pct ? (unsigned)(draw(g) % 100) : 100;
	if (lot < g->style.bad_pct)
		len = bad_row(g, out, len);
	else if (lot < g->style.bad_pct + g->style.quoted_pct)
		len = quoted_row(g, out, len);
	g->rows++;
	g->machine.rows++;
	return end_row(g, out, out + len);
}
