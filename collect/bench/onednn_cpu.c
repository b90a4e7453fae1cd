#include "onednn_cpu.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE = 512 };

/* The rest of the first line that begins with `key`, without blanks and colons at its start and the
 * end of the line. */
static bool line_of(const char *path, const char *key, char out[LINE])
{
	FILE *f = fopen(path, "r");
	char line[LINE];
	bool found = false;

	while (f && !found && fgets(line, sizeof line, f)) {
		if (strncmp(line, key, strlen(key)) != 0)
			continue;
		const char *rest = line + strlen(key);
		rest += strspn(rest, " \t:");
		snprintf(out, LINE, "%.*s", (int)strcspn(rest, "\n"), rest);
		found = true;
	}
	if (f)
		fclose(f);
	return found;
}

/* The lowest CPU of a list such as "0-3,8"; -1: none. */
static long first_of(const char *list)
{
	char *end;
	long v = strtol(list, &end, 10);

	return end == list ? -1 : v;
}

/* A CPU stands for its core when it is the first of its siblings. */
static bool leads_core(long cpu)
{
	char path[128], line[LINE];

	snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%ld/topology/thread_siblings_list",
		 cpu);
	return !line_of(path, "", line) || first_of(line) == cpu;
}

/* CPUs that lead their cores, of a list such as "0-3,8"; all counts every CPU. */
static int count_cores(const char *list, bool all)
{
	int n = 0;

	while (*list) {
		char *end;
		long from = strtol(list, &end, 10), to = from;
		if (end == list)
			break;
		if (*end == '-')
			to = strtol(end + 1, &end, 10);
		for (long c = from; c <= to; c++)
			n += all || leads_core(c);
		list = *end == ',' ? end + 1 : end;
		if (*end != ',')
			break;
	}
	return n;
}

/* "200000 100000": so much CPU time in so much time; INFINITY: no quota. */
static double quota(void)
{
	char line[LINE], *end;

	if (!line_of("/sys/fs/cgroup/cpu.max", "", line))
		return INFINITY;
	double time = strtod(line, &end);
	double period = end == line ? 0 : strtod(end, NULL);
	return end != line && time > 0 && period > 0 ? time / period : INFINITY;
}

int cpu_threads(void)
{
	char line[LINE];
	const char *given = getenv("OMP_NUM_THREADS");
	long want = given ? strtol(given, NULL, 10) : 0;
	int cores = 0;

	if (want > 0 && want <= 4096)
		return (int)want;
	if (line_of("/proc/self/status", "Cpus_allowed_list", line)) {
		cores = count_cores(line, false);
		cores = cores ? cores : count_cores(line, true); /* the leaders may be forbidden */
	}
	if (cores <= 0)
		cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
	if ((double)cores > quota())
		cores = (int)quota();
	return cores > 0 ? cores : 1;
}

void cpu_fact(struct device_info *out, const char *key, const char *fmt, ...)
{
	va_list args;

	if (out->nfacts >= DEVICE_FACTS)
		return;
	struct device_fact *f = &out->facts[out->nfacts++];
	snprintf(f->key, sizeof f->key, "%s", key);
	va_start(args, fmt);
	vsnprintf(f->value, sizeof f->value, fmt, args);
	va_end(args);
}

/* A fact that is a line of a file. */
struct source { const char *key, *path, *line; };

static const struct source sources[] = {
	{ "cpu_vendor", "/proc/cpuinfo", "vendor_id" },
	{ "cpu_family", "/proc/cpuinfo", "cpu family" },
	{ "cpu_model", "/proc/cpuinfo", "model\t" },
	{ "cpu_stepping", "/proc/cpuinfo", "stepping" },
	{ "cpu_microcode", "/proc/cpuinfo", "microcode" },
	{ "cpu_mhz", "/proc/cpuinfo", "cpu MHz" },
	{ "cpu_allowed", "/proc/self/status", "Cpus_allowed_list" },
	{ "cpu_quota", "/sys/fs/cgroup/cpu.max", "" },
	{ "cache_l1d", "/sys/devices/system/cpu/cpu0/cache/index0/size", "" },
	{ "cache_l2", "/sys/devices/system/cpu/cpu0/cache/index2/size", "" },
	{ "cache_l3", "/sys/devices/system/cpu/cpu0/cache/index3/size", "" },
	{ "governor", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "" },
	{ "boost", "/sys/devices/system/cpu/cpufreq/boost", "" },
	{ "numa_nodes", "/sys/devices/system/node/online", "" },
	{ "huge_pages", "/sys/kernel/mm/transparent_hugepage/enabled", "" },
};

/* "32768K" in bytes; NAN: another form. */
static double cache_bytes(const char *text)
{
	char *end;
	double v = strtod(text, &end);

	return end == text ? NAN : *end == 'K' ? v * 1024 : *end == 'M' ? v * 1048576 : v;
}

static bool under_hypervisor(void)
{
	char line[4096];
	FILE *f = fopen("/proc/cpuinfo", "r");
	bool found = false;

	while (f && !found && fgets(line, sizeof line, f))
		found = strncmp(line, "flags", 5) == 0 && strstr(line, " hypervisor");
	if (f)
		fclose(f);
	return found;
}

/* "AMD EPYC (2 threads, family 26 model 2)": what is sold under one name, or hidden by a virtual
 * machine, may be of any generation, and how many threads work is half of what a CPU does. */
static void name_of(struct device_info *out, int threads)
{
	char name[LINE], family[LINE], model[LINE];
	bool x86 = line_of("/proc/cpuinfo", "cpu family", family)
		   && line_of("/proc/cpuinfo", "model\t", model);

	if (!line_of("/proc/cpuinfo", "model name", name))
		snprintf(name, sizeof name, "CPU");
	if (x86)
		snprintf(out->name, sizeof out->name, "%.60s (%d threads, family %.8s model %.8s)",
			 name, threads, family, model);
	else
		snprintf(out->name, sizeof out->name, "%.80s (%d threads)", name, threads);
}

void cpu_describe(struct device_info *out, int threads)
{
	char line[LINE];

	name_of(out, threads);
	out->l2_bytes = NAN;
	for (int i = 3; i > 0 && isnan(out->l2_bytes); i--) {
		char path[64];
		snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", i);
		if (line_of(path, "", line))
			out->l2_bytes = cache_bytes(line);
	}
	out->memory_bytes =
	    line_of("/proc/meminfo", "MemTotal", line) ? strtod(line, NULL) * 1024 : NAN;
	for (size_t i = 0; i < LEN(sources); i++)
		if (line_of(sources[i].path, sources[i].line, line))
			cpu_fact(out, sources[i].key, "%s", line);
	cpu_fact(out, "virtual_machine", "%s", under_hypervisor() ? "yes" : "no");
}
