/* What `gpuguide memory` says, in its three formats. */
#ifndef CLI_MEMORY_OUT_H
#define CLI_MEMORY_OUT_H

#include "options.h"
#include "../analyze/memory.h"
#include "../catalogue/device.h"

/* What one network was asked, and the answer. */
struct memory_answer {
	const struct network *network;
	enum memory_mode mode;
	const struct memory_precision *precision;
	double batch;
	struct memory_need need;
	double card_gb;       /* that a card must state */
	double wide_bytes;    /* the same in fp32; NAN where the precision is not of training */
	double asked_gb;      /* of --memory or --device; NAN: neither */
	struct str asked;     /* the device's name; empty for --memory */
	double largest_batch; /* on asked_gb */
	struct str *notes;
	size_t nnotes;
};

/* What the cards are looked up in. */
struct memory_catalogue {
	const struct devices *devices;
	const struct memory_settings *settings;
};

/* Cards of one size, as memory_device_gb() says it. */
struct memory_group {
	double memory_gb;
	size_t *devices; /* in the order of devices.csv */
	size_t n;
};

/* The cards that state card_gb or more, smallest first. */
void memory_groups(const struct memory_catalogue *c, double card_gb, struct arena *a,
		   struct memory_group **groups, size_t *n);

struct str memory_answers_format(const struct memory_answer *v, size_t n,
				 const struct memory_catalogue *c, enum output_format format,
				 struct arena *a);
/* The list of networks. */
struct str memory_list_format(const struct networks *n, enum output_format format, struct arena *a);

#endif
