#include "steady.h"

#include <math.h>
#include <string.h>

/* Spoiled windows are measured again. */
static const unsigned spoiled = MARK_DISTURBED | MARK_THROTTLED | MARK_SHARED;

/* RETRY_WINDOWS: of the longest window's time; then it is not measured again, for slow steps take
 * minutes each time. */
enum { CHUNK_MAX = 64, STEPS_LEAST = 3, RETRY_WINDOWS = 2 };
/* A chunk is asked for at once; between chunks the device is asked how it is, some times a
 * second. */
static const double chunk_s = 0.2;
static const double clocks_apart = 0.02;
/* HW slowdown, SW thermal, HW thermal, power brake. The software power cap (0x4) is how cards of
 * today run. */
static const unsigned long long throttle_bits = 0x8 | 0x20 | 0x40 | 0x80;

/* Sums of what the device said. */
struct gauges { double power_w, sm_mhz, temperature_c; int n; double energy_first, energy_last; };

static const struct { unsigned mark; struct str name; } mark_names[] = {
	{ MARK_QUICK, STR_INIT("quick") },           { MARK_UNSTEADY, STR_INIT("unsteady") },
	{ MARK_FEW, STR_INIT("few steps") },         { MARK_CLOCKS, STR_INIT("clocks apart") },
	{ MARK_DISTURBED, STR_INIT("disturbed") },   { MARK_THROTTLED, STR_INIT("throttled") },
	{ MARK_SHARED, STR_INIT("device shared") },
};

struct str steady_marks(unsigned marks, struct arena *a)
{
	struct strbuf b = { .arena = a };

	for (size_t i = 0; i < LEN(mark_names); i++)
		if (marks & mark_names[i].mark)
			strbuf_printf(&b, "%s" STR_FMT, b.len ? ", " : "",
				      STR_ARG(mark_names[i].name));
	return strbuf_str(&b);
}

static void look(const struct steady_source *s, struct steady *out, struct gauges *g)
{
	struct telemetry t;

	if (!s->backend->sample(s->device, &t))
		return;
	out->sampled = true;
	out->throttle |= t.throttle;
	if (t.throttle & throttle_bits)
		out->marks |= MARK_THROTTLED;
	if (t.other_processes > 0)
		out->marks |= MARK_SHARED;
	g->power_w += t.power_w;
	g->sm_mhz += t.sm_mhz;
	g->temperature_c += t.temperature_c;
	if (g->n++ == 0)
		g->energy_first = t.energy_j;
	g->energy_last = t.energy_j;
}

static void keep_gauges(const struct gauges *g, struct steady *out)
{
	double n = g->n ? (double)g->n : (double)NAN; /* never asked: nothing is known */

	out->power_w = g->power_w / n;
	out->sm_mhz = g->sm_mhz / n;
	out->temperature_c = g->temperature_c / n;
	out->energy_j = (g->energy_last - g->energy_first) * (n / n);
}

static int chunk_of(double step_s, double left_s)
{
	double n = fmin(chunk_s, left_s) / step_s;

	return n >= CHUNK_MAX ? CHUNK_MAX : n > 1 ? (int)n : 1;
}

/* Runs it, and refuses times that no clock can have told: a clock that stands would be waited for
 * without end. */
static bool run(const struct steady_source *s, int n, double *seconds, double *wall_s,
		struct bench_error *err)
{
	if (!s->run(s->ctx, n, seconds, wall_s, err))
		return false;
	for (int i = 0; i < n; i++)
		if (!(seconds[i] > 0 && seconds[i] < INFINITY))
			return bench_fail(err, BENCH_FAILED,
					  "the device's clock says %g s for a step", seconds[i]);
	return (*wall_s > 0 && *wall_s < INFINITY)
	       || bench_fail(err, BENCH_FAILED, "the host's clock says %g s for %d steps", *wall_s,
			     n);
}

/* Returns the last step's time, or 0 with an error. */
static double warm_up(const struct steady_source *s, const struct steady_rules *rules,
		      struct steady *out, struct bench_error *err)
{
	double last[CHUNK_MAX + 8], chunk[CHUNK_MAX], total = 0, wall;
	size_t n = 0;
	int count = 1;

	do {
		if (!run(s, count, chunk, &wall, err))
			return 0;
		for (int i = 0; i < count; i++) {
			if (n == 8)
				memmove(last, last + 1, --n * sizeof *last);
			last[n++] = chunk[i];
			total += chunk[i];
		}
		out->warm_steps += count;
		count =
		    chunk_of(last[n - 1], rules->warm_s > total ? rules->warm_s - total : chunk_s);
		out->warm_s = total;
		if (total >= rules->warm_max_s) {
			out->marks |= stats_steady(last, n) ? 0 : MARK_UNSTEADY;
			break;
		}
	} while (total < rules->warm_s || !stats_steady(last, n));
	return last[n - 1];
}

static bool enough(const struct steady *m, const struct steady_rules *r)
{
	if (m->device_s >= r->most_s && m->n >= STEPS_LEAST)
		return true;
	return m->n >= (size_t)r->steps && m->device_s >= r->least_s;
}

static bool window(const struct steady_source *s, const struct steady_rules *rules, double step_s,
		   struct arena *a, struct steady *out, struct bench_error *err)
{
	struct gauges g = { 0 };
	struct interference load;
	size_t cap = 0;
	double wall;

	out->seconds = NULL;
	out->n = 0;
	out->wall_s = out->device_s = 0;
	look(s, out, &g);
	interference_begin(&load);
	while (!enough(out, rules)) {
		int count = chunk_of(step_s, INFINITY);
		out->seconds =
		    arena_grow(a, out->seconds, &cap, out->n + (size_t)count, sizeof *out->seconds);
		if (!run(s, count, out->seconds + out->n, &wall, err))
			return false;
		for (int i = 0; i < count; i++)
			out->device_s += out->seconds[out->n++];
		out->wall_s += wall;
		look(s, out, &g);
	}
	interference_end(&load);
	keep_gauges(&g, out);
	out->cpu_share = interference_share(&load, s->threads);
	out->switches_per_s = (double)load.switches / load.wall_s;
	if (interference_disturbed(&load, s->threads))
		out->marks |= MARK_DISTURBED;
	return true;
}

bool steady_measure(const struct steady_source *s, const struct steady_rules *rules,
		    struct arena *a, struct steady *out, struct bench_error *err)
{
	struct steady first = { 0 }, best = { 0 };
	double step_s = warm_up(s, rules, &first, err), spent_s = 0;

	if (step_s == 0)
		return false;
	for (int i = 0; i <= rules->retries && spent_s <= RETRY_WINDOWS * rules->most_s; i++) {
		struct steady m = first;
		m.retries = i;
		if (!window(s, rules, step_s, a, &m, err))
			return false;
		if (i == 0 || m.cpu_share > best.cpu_share || !(m.marks & spoiled))
			best = m;
		best.retries = i;
		spent_s += m.wall_s;
		if (!(m.marks & spoiled))
			break;
	}
	if (best.n < (size_t)rules->steps)
		best.marks |= MARK_FEW;
	if (!(fabs(best.wall_s - best.device_s) <= clocks_apart * best.wall_s))
		best.marks |= MARK_CLOCKS;
	best.stats = stats_of(best.seconds, best.n, a);
	best.operations = 1;
	*out = best;
	return true;
}
