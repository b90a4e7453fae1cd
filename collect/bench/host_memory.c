#include "host_memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number behind `key` in a file of lines "key value"; an empty key: the first number. NAN:
 * none. */
static double number_in(const char *path, const char *key)
{
	FILE *f = fopen(path, "r");
	char line[256];
	double v = NAN;

	while (f && isnan(v) && fgets(line, sizeof line, f)) {
		char *end;
		if (strncmp(line, key, strlen(key)) != 0)
			continue;
		double read = strtod(line + strlen(key), &end);
		if (end != line + strlen(key))
			v = read;
	}
	if (f)
		fclose(f);
	return v;
}

double host_memory_available(void)
{
	double free_kb = number_in("/proc/meminfo", "MemAvailable:");
	double limit = number_in("/sys/fs/cgroup/memory.max", "");
	double used = number_in("/sys/fs/cgroup/memory.current", "");
	double cache = number_in("/sys/fs/cgroup/memory.stat", "file ");
	double group = limit - used + (isnan(cache) ? 0 : cache);

	if (isnan(free_kb))
		return isnan(group) ? INFINITY : group;
	return isnan(group) ? free_kb * 1024 : fmin(free_kb * 1024, group);
}
