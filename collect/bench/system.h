/* What a machine is, as a reader of its figures wants to know it; never its name, its user or its
 * addresses. */
#ifndef BENCH_SYSTEM_H
#define BENCH_SYSTEM_H

#include "backend.h"

#include "../../base/arena.h"
#include "../../base/str.h"

struct system_fact { struct str key, value; };
struct system {
	struct system_fact *facts;
	size_t n, cap;
	struct arena *arena;
};

/* An empty value is left out. */
void system_add(struct system *s, const char *key, struct str value);
/* Processor, memory, kernel from /proc and uname; device, driver and its facts from the backend. */
struct system system_describe(const struct device_info *info, struct arena *a);
/* "m-" and 16 hex digits (FNV-1a, 64 bits) of processor, memory, devices: the same machine has the
 * same name. */
struct str system_machine(const struct system *s, const struct device_info *info, struct arena *a);
/* One line of a text like /proc/cpuinfo: the value behind the first "key :"; empty when it is not
 * there. */
struct str system_line(struct str text, struct str key);

#endif
