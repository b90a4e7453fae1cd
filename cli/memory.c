/* gpuguide memory: what a network needs and which cards hold it. */
#include "commands.h"
#include "context.h"
#include "memory_out.h"

#include "../base/file.h"
#include "../base/num.h"

#include <math.h>
#include <stdio.h>

struct asking {
	const struct options *opt;
	const char *data_dir;
	struct devices devices;
	struct networks networks;
	struct memory_settings settings;
	enum memory_mode mode;
	const struct memory_precision *precision;
	double batch;    /* NAN: the network's own */
	double asked_gb; /* NAN: no card was named */
	struct str asked;
	struct arena *arena;
};

enum { BATCH_MAX = 10000000 };

static bool take_mode(struct asking *k, struct error *err)
{
	const char *mode = k->opt->mode ? k->opt->mode : "training";
	const char *precision = k->opt->precision ? k->opt->precision : "fp32";

	if (!memory_mode_parse(str_of(mode), &k->mode))
		return error_set(err, ERR_USAGE,
				 "--mode: '%s' is not training, training-recompute or inference",
				 mode);
	k->precision = memory_precision_find(str_of(precision));
	if (!k->precision)
		return error_set(err, ERR_USAGE, "--precision: '%s' is not one of " STR_FMT,
				 precision, STR_ARG(memory_precision_names(k->arena)));
	return true;
}

static bool take_batch(struct asking *k, struct error *err)
{
	int batch;

	k->batch = NAN;
	if (!k->opt->batch)
		return true;
	if (!num_parse_int(str_of(k->opt->batch), &batch) || batch < 1 || batch > BATCH_MAX)
		return error_set(err, ERR_USAGE, "--batch: '%s' is not a whole number from 1 to %d",
				 k->opt->batch, BATCH_MAX);
	k->batch = batch;
	return true;
}

static bool take_card(struct asking *k, struct error *err)
{
	size_t near[8], n;

	k->asked_gb = k->opt->memory_gb;
	if (!k->opt->device)
		return true;
	if (!isnan(k->asked_gb))
		return error_set(err, ERR_USAGE, "--memory and --device cannot both be given");
	enum device_match match =
	    device_find(&k->devices, str_of(k->opt->device), k->arena, near, &n);
	if (match != DEVICE_FOUND)
		return error_set(err, ERR_USAGE, "--device: '%s' %s " STR_FMT, k->opt->device,
				 match == DEVICE_AMBIGUOUS ? "could be any of"
							   : "is not in the catalogue; nearest:",
				 STR_ARG(device_names(&k->devices, near, n, k->arena)));
	k->asked = k->devices.v[near[0]].name;
	k->asked_gb = memory_device_gb(&k->settings, &k->devices.v[near[0]]);
	if (isnan(k->asked_gb))
		return error_set(err, ERR_DATA,
				 "--device: the catalogue does not know the memory of " STR_FMT,
				 STR_ARG(k->asked));
	return true;
}

static bool open_catalogue(struct asking *k, struct error *err)
{
	k->data_dir = str_c(k->arena, file_join(k->arena, str_of(k->opt->root), STR("data")));
	return devices_read(k->data_dir, k->arena, &k->devices, err)
	       && networks_read(k->data_dir, k->arena, &k->networks, err)
	       && memory_settings_read(k->data_dir, k->arena, &k->settings, err)
	       && memory_boards_check(&k->settings, &k->devices, err);
}

static struct str network_names(const struct asking *k)
{
	struct strbuf b = { .arena = k->arena };

	for (size_t i = 0; i < k->networks.n; i++)
		strbuf_printf(&b, "%s" STR_FMT, i ? ", " : "", STR_ARG(k->networks.v[i].name));
	return strbuf_str(&b);
}

/* A name of the folder goes before a file of that name; a file ends in .ini. */
static bool find_network(struct asking *k, const char *name, const struct network **out,
			 struct error *err)
{
	struct network *own;

	*out = network_find(&k->networks, str_of(name));
	if (*out)
		return true;
	if (!str_ends(str_of(name), STR(".ini")))
		return error_set(err, ERR_USAGE,
				 "network '%s' is none of " STR_FMT
				 "; a file of your own ends in .ini",
				 name, STR_ARG(network_names(k)));
	own = arena_alloc(k->arena, sizeof *own);
	*out = own;
	return network_read(name, k->arena, own, err);
}

static bool answer(struct asking *k, const char *name, struct memory_answer *m, struct error *err)
{
	const struct network *net;

	if (!find_network(k, name, &net, err))
		return false;
	if (!memory_possible(net, k->mode, k->precision))
		return error_set(
		    err, ERR_USAGE,
		    STR_FMT
		    ": " STR_FMT " in " STR_FMT
		    " is not modelled (int8 and int4 serve inference, int4 and recomputation "
		    "Transformers)",
		    STR_ARG(net->name), STR_ARG(memory_mode_name(k->mode)),
		    STR_ARG(k->precision->name));
	*m = (struct memory_answer){ .network = net,
				     .mode = k->mode,
				     .precision = k->precision,
				     .batch =
					 isnan(k->batch) ? memory_batch(net, k->mode) : k->batch,
				     .wide_bytes = NAN,
				     .asked_gb = k->asked_gb,
				     .asked = k->asked };
	memory_need(net, m->mode, m->precision, m->batch, &k->settings, k->arena, &m->need);
	m->card_gb = memory_card_gb(m->need.total_bytes, &k->settings);
	if (m->precision->trains) {
		struct memory_need wide;
		memory_need(net, m->mode, memory_precision_find(STR("fp32")), m->batch,
			    &k->settings, k->arena, &wide);
		m->wide_bytes = wide.total_bytes;
	}
	if (!isnan(m->asked_gb))
		m->largest_batch = memory_largest_batch(net, m->mode, m->precision, m->asked_gb,
							&k->settings, k->arena);
	struct memory_note_input in = { net, m->mode, m->precision, m->batch, &k->settings };
	memory_notes(&in, k->arena, &m->notes, &m->nnotes);
	return true;
}

static bool print(struct str text, struct error *err)
{
	if (text.len && fwrite(text.p, 1, text.len, stdout) != text.len)
		return error_errno(err, "standard output");
	return true;
}

bool command_memory(const struct options *opt, struct arena *a, int *status, struct error *err)
{
	struct asking k = { .opt = opt, .arena = a };

	(void)status;
	if (!take_mode(&k, err) || !take_batch(&k, err) || !open_catalogue(&k, err)
	    || !take_card(&k, err))
		return false;
	context_print(&k.networks.skipped, 0);
	if (opt->npaths == 0)
		return print(memory_list_format(&k.networks, opt->format, a), err);
	struct memory_answer *v = arena_array(a, opt->npaths, sizeof *v);
	for (size_t i = 0; i < opt->npaths; i++)
		if (!answer(&k, opt->paths[i], &v[i], err))
			return false;
	struct memory_catalogue catalogue = { &k.devices, &k.settings };
	return print(memory_answers_format(v, opt->npaths, &catalogue, opt->format, a), err);
}
