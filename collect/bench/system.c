#include "system.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <sys/utsname.h>
#include <unistd.h>

void system_add(struct system *s, const char *key, struct str value)
{
	if (value.len == 0)
		return;
	s->facts = arena_grow(s->arena, s->facts, &s->cap, s->n + 1, sizeof *s->facts);
	s->facts[s->n++] = (struct system_fact){ str_of(key), value };
}

/* At most so much of a file of /proc or /sys; empty when it cannot be read. */
static struct str peek(const char *path, struct arena *a)
{
	enum { MOST = 65536 };
	char *buf = arena_alloc(a, MOST);
	FILE *f = fopen(path, "r");
	size_t n = f ? fread(buf, 1, MOST, f) : 0;

	if (f)
		fclose(f);
	return (struct str){ buf, n };
}

struct str system_line(struct str text, struct str key)
{
	struct str rest = text, line;

	while (str_cut(&rest, '\n', &line)) {
		size_t colon = str_find(line, STR(":"), 0);
		if (colon < line.len && str_eq(str_trim(str_slice(line, 0, colon)), key))
			return str_trim(str_slice(line, colon + 1, line.len));
	}
	return STR("");
}

static void put_processor(struct system *s)
{
	struct str cpu = peek("/proc/cpuinfo", s->arena), memory = peek("/proc/meminfo", s->arena);
	struct utsname u;

	system_add(s, "processor", system_line(cpu, STR("model name")));
	system_add(s, "processor family and model",
		   str_printf(s->arena, STR_FMT "/" STR_FMT "/" STR_FMT,
			      STR_ARG(system_line(cpu, STR("cpu family"))),
			      STR_ARG(system_line(cpu, STR("model"))),
			      STR_ARG(system_line(cpu, STR("stepping")))));
	system_add(s, "processors online",
		   str_printf(s->arena, "%ld", sysconf(_SC_NPROCESSORS_ONLN)));
	system_add(s, "memory", system_line(memory, STR("MemTotal")));
	system_add(
	    s, "governor",
	    str_trim(peek("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", s->arena)));
	system_add(s, "instruction sets", system_line(cpu, STR("flags")));
	if (uname(&u) == 0)
		system_add(s, "kernel",
			   str_printf(s->arena, "%s %s %s", u.sysname, u.release, u.machine));
}

static void put_rate(struct system *s, const char *key, double v, double unit, const char *name)
{
	if (isfinite(v))
		system_add(s, key, str_printf(s->arena, "%.4g %s", v / unit, name));
}

struct system system_describe(const struct device_info *info, struct arena *a)
{
	struct system s = { .arena = a };

	system_add(&s, "device", str_of(info->name));
	system_add(&s, "devices", str_printf(a, "%d", info->device_count));
	system_add(&s, "framework", str_of(info->framework));
	system_add(&s, "driver", str_of(info->driver));
	put_rate(&s, "device memory", info->memory_bytes, 1e9, "GB");
	put_rate(&s, "device cache", info->l2_bytes, 1e6, "MB");
	put_rate(&s, "device bandwidth", info->bandwidth, 1e9, "GB/s");
	for (int i = 0; i < info->nfacts; i++)
		system_add(&s, info->facts[i].key, str_of(info->facts[i].value));
	put_processor(&s);
	return s;
}

struct str system_machine(const struct system *s, const struct device_info *info, struct arena *a)
{
	static const struct str keys[] = { STR_INIT("processor"),
					   STR_INIT("processor family and model"),
					   STR_INIT("processors online"), STR_INIT("memory") };
	struct strbuf b = { .arena = a };
	uint64_t hash = 14695981039346656037u;

	strbuf_printf(&b, "%s\n%d\n", info->name, info->device_count);
	for (size_t i = 0; i < s->n; i++)
		for (size_t k = 0; k < LEN(keys); k++)
			if (str_eq(s->facts[i].key, keys[k]))
				strbuf_printf(&b, STR_FMT "\n", STR_ARG(s->facts[i].value));
	struct str text = strbuf_str(&b);
	for (size_t i = 0; i < text.len; i++)
		hash = (hash ^ (unsigned char)text.p[i]) * 1099511628211u;
	return str_printf(a, "m-%016" PRIx64, hash);
}
