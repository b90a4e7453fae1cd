/* NVML, opened by name: the driver brings it. A thread asks ten times a second, so that what is
 * told of a run is what was while it ran, not when somebody asked. */
#include "cuda_device.h"

#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* NVML by its own declarations (nvml.h is not part of the toolkit); 0 is success. Names that the
 * library has. */
struct nvml {
	int (*init)(void);
	int (*shutdown)(void);
	int (*by_pci)(const char *bus, void **device);
	int (*power)(void *device, unsigned *milliwatt);
	int (*energy)(void *device, unsigned long long *millijoule);
	int (*clock)(void *device, int what, unsigned *mhz);
	int (*max_clock)(void *device, int what, unsigned *mhz);
	int (*temperature)(void *device, int sensor, unsigned *celsius);
	int (*throttle)(void *device, unsigned long long *bits);
	int (*processes)(void *device, unsigned *n, void *list);
	int (*ecc)(void *device, unsigned *current, unsigned *pending);
	int (*persistence)(void *device, unsigned *on);
	int (*limit)(void *device, unsigned *milliwatt);
	int (*default_limit)(void *device, unsigned *milliwatt);
	int (*link_generation)(void *device, unsigned *n);
	int (*link_width)(void *device, unsigned *n);
	int (*max_link_generation)(void *device, unsigned *n);
	int (*max_link_width)(void *device, unsigned *n);
	int (*driver)(char *out, unsigned size);
};
enum { CLOCK_SM = 1, CLOCK_MEMORY = 2, PERIOD_US = 100000, PROCESSES_MAX = 64 };

/* Sums since the last sample that was handed out. */
struct gathered {
	double power, sm, memory, temperature; /* temperature: the highest */
	int n_power, n_sm, n_memory;
	unsigned long long throttle;
	int processes;
};

struct monitor {
	struct nvml nvml;
	void *device;
	pthread_t thread;
	pthread_mutex_t lock;
	bool stop;
	struct gathered now;
};

/* Of two names the library has the newer or the older. A function that is missing stays NULL: its
 * number is not known. */
static void find(void *lib, const char *name, const char *older, void **out)
{
	struct cuda_symbol s = { name, out };
	char why[64];

	if (!cuda_find_symbols(lib, &s, 1, why, sizeof why) && older) {
		s.name = older;
		cuda_find_symbols(lib, &s, 1, why, sizeof why);
	}
}

static bool nvml_open(struct nvml *n)
{
	static const char *const libraries[] = { "libnvidia-ml.so.1", NULL };
	char why[200];
	void *lib = cuda_open_library(libraries, why, sizeof why);

	memset(n, 0, sizeof *n);
	if (!lib)
		return false;
	find(lib, "nvmlInit_v2", NULL, (void **)&n->init);
	find(lib, "nvmlShutdown", NULL, (void **)&n->shutdown);
	find(lib, "nvmlDeviceGetHandleByPciBusId_v2", NULL, (void **)&n->by_pci);
	find(lib, "nvmlDeviceGetPowerUsage", NULL, (void **)&n->power);
	find(lib, "nvmlDeviceGetTotalEnergyConsumption", NULL, (void **)&n->energy);
	find(lib, "nvmlDeviceGetClockInfo", NULL, (void **)&n->clock);
	find(lib, "nvmlDeviceGetMaxClockInfo", NULL, (void **)&n->max_clock);
	find(lib, "nvmlDeviceGetTemperature", NULL, (void **)&n->temperature);
	find(lib, "nvmlDeviceGetCurrentClocksEventReasons",
	     "nvmlDeviceGetCurrentClocksThrottleReasons", (void **)&n->throttle);
	find(lib, "nvmlDeviceGetComputeRunningProcesses_v3",
	     "nvmlDeviceGetComputeRunningProcesses_v2", (void **)&n->processes);
	find(lib, "nvmlDeviceGetEccMode", NULL, (void **)&n->ecc);
	find(lib, "nvmlDeviceGetPersistenceMode", NULL, (void **)&n->persistence);
	find(lib, "nvmlDeviceGetEnforcedPowerLimit", NULL, (void **)&n->limit);
	find(lib, "nvmlDeviceGetPowerManagementDefaultLimit", NULL, (void **)&n->default_limit);
	find(lib, "nvmlDeviceGetCurrPcieLinkGeneration", NULL, (void **)&n->link_generation);
	find(lib, "nvmlDeviceGetCurrPcieLinkWidth", NULL, (void **)&n->link_width);
	find(lib, "nvmlDeviceGetMaxPcieLinkGeneration", NULL, (void **)&n->max_link_generation);
	find(lib, "nvmlDeviceGetMaxPcieLinkWidth", NULL, (void **)&n->max_link_width);
	find(lib, "nvmlSystemGetDriverVersion", NULL, (void **)&n->driver);
	return n->init && n->shutdown && n->by_pci && n->init() == 0;
}

/* As in nvml.h since version 2 of the call; older drivers fill the same fields. */
struct process {
	unsigned pid;
	unsigned long long memory;
	unsigned gpu_instance, compute_instance;
};

/* In a container the list may have numbers of another name space: who of them we are is not known
 * then. */
static int other_processes(const struct monitor *m)
{
	struct process list[PROCESSES_MAX];
	unsigned n = PROCESSES_MAX;
	int others = 0;
	bool found = false;

	if (!m->nvml.processes || m->nvml.processes(m->device, &n, list) != 0)
		return -1;
	for (unsigned i = 0; i < n && i < PROCESSES_MAX; i++) {
		bool own = list[i].pid == (unsigned)getpid();
		found = found || own;
		others += !own;
	}
	return found || n == 0 ? others : -1;
}

static void gather(struct monitor *m)
{
	unsigned v;
	unsigned long long bits;
	struct gathered *g = &m->now;

	if (m->nvml.power && m->nvml.power(m->device, &v) == 0) {
		g->power += v * 1e-3;
		g->n_power++;
	}
	if (m->nvml.clock && m->nvml.clock(m->device, CLOCK_SM, &v) == 0) {
		g->sm += v;
		g->n_sm++;
	}
	if (m->nvml.clock && m->nvml.clock(m->device, CLOCK_MEMORY, &v) == 0) {
		g->memory += v;
		g->n_memory++;
	}
	if (m->nvml.temperature && m->nvml.temperature(m->device, 0, &v) == 0)
		g->temperature = fmax(g->temperature, v);
	if (m->nvml.throttle && m->nvml.throttle(m->device, &bits) == 0)
		g->throttle |= bits;
	int others = other_processes(m);
	g->processes = others > g->processes ? others : g->processes;
}

static void reset(struct gathered *g)
{
	*g = (struct gathered){ .temperature = NAN, .processes = -1 };
}

static void *watch(void *p)
{
	struct monitor *m = p;
	struct timespec period = { 0, PERIOD_US * 1000L };
	bool stop = false;

	while (!stop) {
		nanosleep(&period, NULL);
		pthread_mutex_lock(&m->lock);
		stop = m->stop;
		if (!stop)
			gather(m);
		pthread_mutex_unlock(&m->lock);
	}
	return NULL;
}

/* The card is found by its place on the bus: NVML counts in another order than CUDA. */
struct monitor *monitor_open(int index)
{
	char bus[32] = "";
	struct monitor *m = calloc(1, sizeof *m);

	if (!m || cudaDeviceGetPCIBusId(bus, sizeof bus, index) != cudaSuccess
	    || !nvml_open(&m->nvml)) {
		cudaGetLastError();
		free(m);
		return NULL;
	}
	reset(&m->now);
	pthread_mutex_init(&m->lock, NULL);
	if (m->nvml.by_pci(bus, &m->device) == 0 && pthread_create(&m->thread, NULL, watch, m) == 0)
		return m;
	m->nvml.shutdown();
	free(m);
	return NULL;
}

void monitor_close(struct monitor *m)
{
	if (!m)
		return;
	pthread_mutex_lock(&m->lock);
	m->stop = true;
	pthread_mutex_unlock(&m->lock);
	pthread_join(m->thread, NULL);
	pthread_mutex_destroy(&m->lock);
	m->nvml.shutdown();
	free(m);
}

bool monitor_sample(struct monitor *m, struct telemetry *out)
{
	unsigned long long mj;

	*out = (struct telemetry){ NAN, NAN, NAN, NAN, NAN, 0, -1 };
	if (!m)
		return false;
	pthread_mutex_lock(&m->lock);
	gather(m); /* at least one of each */
	struct gathered g = m->now;
	reset(&m->now);
	pthread_mutex_unlock(&m->lock);
	out->power_w = g.n_power ? g.power / g.n_power : NAN;
	out->sm_mhz = g.n_sm ? g.sm / g.n_sm : NAN;
	out->memory_mhz = g.n_memory ? g.memory / g.n_memory : NAN;
	out->temperature_c = g.temperature;
	out->throttle = g.throttle;
	out->other_processes = g.processes;
	if (m->nvml.energy && m->nvml.energy(m->device, &mj) == 0)
		out->energy_j = (double)mj * 1e-3;
	return true;
}

double monitor_max_sm_hz(struct monitor *m)
{
	unsigned mhz;

	return m && m->nvml.max_clock && m->nvml.max_clock(m->device, CLOCK_SM, &mhz) == 0
		   ? mhz * 1e6
		   : NAN;
}

void device_fact_add(struct device_info *out, const char *key, const char *fmt, ...)
{
	va_list args;

	if (out->nfacts == DEVICE_FACTS)
		return;
	struct device_fact *f = &out->facts[out->nfacts++];
	snprintf(f->key, sizeof f->key, "%s", key);
	va_start(args, fmt);
	vsnprintf(f->value, sizeof f->value, fmt, args);
	va_end(args);
}

void monitor_facts(struct monitor *m, struct device_info *out)
{
	const struct nvml *n = m ? &m->nvml : NULL;
	unsigned a, b;

	if (!m) {
		device_fact_add(out, "nvml", "not available: no power, clocks, temperature");
		return;
	}
	const struct {
		const char *key;
		int (*get)(void *, unsigned *);
		const char *fmt;
		double factor;
	} numbers[] = {
		{ "power_limit_w", n->limit, "%.0f", 1e-3 },
		{ "power_limit_default_w", n->default_limit, "%.0f", 1e-3 },
		{ "pcie_generation", n->link_generation, "%.0f", 1 },
		{ "pcie_width", n->link_width, "%.0f", 1 },
		{ "pcie_generation_max", n->max_link_generation, "%.0f", 1 },
		{ "pcie_width_max", n->max_link_width, "%.0f", 1 },
	};
	if (n->driver)
		n->driver(out->driver, sizeof out->driver);
	for (size_t i = 0; i < LEN(numbers); i++)
		if (numbers[i].get && numbers[i].get(m->device, &a) == 0)
			device_fact_add(out, numbers[i].key, numbers[i].fmt, a * numbers[i].factor);
	if (n->ecc && n->ecc(m->device, &a, &b) == 0)
		device_fact_add(out, "ecc", "%s", a ? "on" : "off");
	if (n->persistence && n->persistence(m->device, &a) == 0)
		device_fact_add(out, "persistence_mode", "%s", a ? "on" : "off");
	if (n->max_clock && n->max_clock(m->device, CLOCK_SM, &a) == 0)
		device_fact_add(out, "sm_clock_max_mhz", "%u", a);
}
