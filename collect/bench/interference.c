/* getrusage() counts involuntary switches; it stands in no POSIX option that the rest needs. */
#define _DEFAULT_SOURCE
#include "interference.h"

#include <math.h>
#include <sys/resource.h>
#include <time.h>

/* Daemons of a quiet machine switch a hundred times a second and take a thousandth of its time:
 * that moves no median. */
static const double least_share = 0.97, least_share_switching = 0.99, most_switches_per_s = 20;

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

void interference_begin(struct interference *at)
{
	struct rusage u;
	struct timespec t;

	getrusage(RUSAGE_SELF, &u);
	clock_gettime(CLOCK_MONOTONIC, &t);
	at->cpu_s = seconds(u.ru_utime) + seconds(u.ru_stime);
	at->wall_s = (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
	at->switches = u.ru_nivcsw;
}

void interference_end(struct interference *at)
{
	struct interference now;

	interference_begin(&now);
	at->cpu_s = now.cpu_s - at->cpu_s;
	at->wall_s = now.wall_s - at->wall_s;
	at->switches = now.switches - at->switches;
}

double interference_share(const struct interference *i, int threads)
{
	return threads > 0 ? i->cpu_s / (i->wall_s * threads) : NAN;
}

bool interference_disturbed(const struct interference *i, int threads)
{
	if (threads <= 0)
		return false;
	bool switching = (double)i->switches > most_switches_per_s * i->wall_s;

	return interference_share(i, threads) < (switching ? least_share_switching : least_share);
}
