#include "memory.h"

#include "../base/file.h"
#include "../base/num.h"
#include "../catalogue/keyfile.h"

#include <math.h>
#include <stddef.h>

static const struct str mode_names[] = {
	[MEMORY_TRAINING] = STR_INIT("training"),
	[MEMORY_RECOMPUTE] = STR_INIT("training-recompute"),
	[MEMORY_INFERENCE] = STR_INIT("inference"),
};

struct str memory_mode_name(enum memory_mode m)
{
	return mode_names[m];
}

bool memory_mode_parse(struct str s, enum memory_mode *out)
{
	for (size_t i = 0; i < LEN(mode_names); i++)
		if (str_eq(mode_names[i], s)) {
			*out = (enum memory_mode)i;
			return true;
		}
	return false;
}

/* Keys of [memory]; a number lies in [least, most] and above 0. */
static const struct setting {
	struct str key;
	bool number;
	size_t offset;
	double least, most;
} settings[] = {
	{ STR_INIT("overhead_mib"), true, offsetof(struct memory_settings, overhead_mib), 0, 1e6 },
	{ STR_INIT("overhead_source"), false, offsetof(struct memory_settings, overhead_source), 0,
	  0 },
	{ STR_INIT("usable_share"), true, offsetof(struct memory_settings, usable_share), 0.01, 1 },
	{ STR_INIT("usable_source"), false, offsetof(struct memory_settings, usable_source), 0, 0 },
};

static bool set(const struct keyfile_pair *p, const struct setting *s, struct memory_settings *out,
		struct error *err)
{
	char *base = (char *)out;
	double *number = (double *)(void *)(base + s->offset);
	struct str *text = (struct str *)(void *)(base + s->offset);

	if (p->value.len == 0)
		return error_at(err, ERR_SYNTAX, p->pos, STR_FMT ": '' is empty", STR_ARG(p->key));
	if (!s->number) {
		*text = p->value;
		return true;
	}
	if (!num_parse(p->value, false, number))
		return error_at(err, ERR_SYNTAX, p->pos, STR_FMT ": '" STR_FMT "' is not a number",
				STR_ARG(p->key), STR_ARG(p->value));
	if (!(*number >= s->least && *number <= s->most))
		return error_at(err, ERR_RANGE, p->pos,
				STR_FMT ": '" STR_FMT "' is not from %g to %g", STR_ARG(p->key),
				STR_ARG(p->value), s->least, s->most);
	return true;
}

enum { GPUS_MAX = 16 };

static bool add_board(const struct keyfile_pair *p, struct memory_settings *out, struct error *err)
{
	struct memory_board b = { .device = p->key, .pos = p->pos };

	if (!num_parse_int(p->value, &b.gpus) || b.gpus < 2 || b.gpus > GPUS_MAX)
		return error_at(err, ERR_RANGE, p->pos,
				STR_FMT ": '" STR_FMT "' is not a whole number from 2 to %d",
				STR_ARG(p->key), STR_ARG(p->value), GPUS_MAX);
	out->boards[out->nboards++] = b;
	return true;
}

static bool take_pair(const struct keyfile_pair *p, bool *seen, struct memory_settings *out,
		      struct error *err)
{
	if (str_eq(p->section, STR("boards")))
		return add_board(p, out, err);
	for (size_t k = 0; k < LEN(settings); k++)
		if (str_eq(p->section, STR("memory")) && str_eq(settings[k].key, p->key)) {
			seen[k] = true;
			return set(p, &settings[k], out, err);
		}
	return error_at(err, ERR_UNKNOWN, p->pos, "key '" STR_FMT "' is not known in [" STR_FMT "]",
			STR_ARG(p->key), STR_ARG(p->section));
}

bool memory_settings_read(const char *data_dir, struct arena *a, struct memory_settings *out,
			  struct error *err)
{
	const char *path = str_c(a, file_join(a, str_of(data_dir), STR("memory.ini")));
	struct keyfile file;
	bool seen[LEN(settings)] = { false };

	*out = (struct memory_settings){ 0 };
	if (!keyfile_read(path, a, &file, err))
		return false;
	out->boards = arena_array(a, file.n, sizeof *out->boards);
	for (size_t i = 0; i < file.n; i++)
		if (!take_pair(&file.v[i], seen, out, err))
			return false;
	for (size_t k = 0; k < LEN(settings); k++)
		if (!seen[k])
			return error_at(err, ERR_SYNTAX, (struct pos){ file.file, 0, 0 },
					"key '" STR_FMT "' of [memory] is missing",
					STR_ARG(settings[k].key));
	return true;
}

bool memory_boards_check(const struct memory_settings *s, const struct devices *devices,
			 struct error *err)
{
	for (size_t i = 0; i < s->nboards; i++)
		if (device_index(devices, s->boards[i].device) == devices->n)
			return error_at(err, ERR_UNKNOWN, s->boards[i].pos,
					"board '" STR_FMT "' is not in the catalogue",
					STR_ARG(s->boards[i].device));
	return true;
}

double memory_device_gb(const struct memory_settings *s, const struct device *d)
{
	for (size_t i = 0; i < s->nboards; i++)
		if (str_eq(s->boards[i].device, d->name))
			return d->memory_gb / s->boards[i].gpus;
	return d->memory_gb;
}

double memory_card_gb(double bytes, const struct memory_settings *s)
{
	return bytes / MEMORY_GIB / s->usable_share;
}

/* Every part is fixed or proportional to the batch, so two batches give the line. The rounding of
 * the division is put right by asking again. */
double memory_largest_batch(const struct network *net, enum memory_mode mode,
			    const struct memory_precision *p, double gb,
			    const struct memory_settings *s, struct arena *a)
{
	struct memory_need one, two, at;
	double room = gb * MEMORY_GIB * s->usable_share;

	memory_need(net, mode, p, 1, s, a, &one);
	memory_need(net, mode, p, 2, s, a, &two);
	double slope = two.total_bytes - one.total_bytes;
	double batch = floor((room - one.total_bytes) / slope) + 1;
	if (!(batch >= 1))
		return 0;
	memory_need(net, mode, p, batch, s, a, &at);
	if (at.total_bytes > room)
		return batch - 1;
	memory_need(net, mode, p, batch + 1, s, a, &at);
	return at.total_bytes <= room ? batch + 1 : batch;
}

static void note_16_bit(const struct memory_note_input *in, struct arena *a, struct str *notes,
			size_t *n)
{
	const struct memory_precision *wide = memory_precision_find(STR("fp32"));
	struct memory_need need;

	if (!in->precision->trains)
		return;
	memory_need(in->net, in->mode, wide, in->batch, in->settings, a, &need);
	double gib = need.total_bytes / MEMORY_GIB;
	notes[(*n)++] = str_printf(
	    a,
	    "In 32 bit it is %.2f GiB. 16 bit by the guide's rule of thumb (factor %.1f: 8 GB do "
	    "as "
	    "12 GB): %.2f GiB; by halving all data (factor %.0f: 8 GB do as 16 GB): %.2f GiB.",
	    gib, MEMORY_16_BIT_GUIDE, gib / MEMORY_16_BIT_GUIDE, MEMORY_16_BIT_IDEAL,
	    gib / MEMORY_16_BIT_IDEAL);
	notes[(*n)++] = STR("Frameworks do not use 16 bit unless they are told to.");
}

enum { NOTES_MAX = 8 };

void memory_notes(const struct memory_note_input *in, struct arena *a, struct str **notes,
		  size_t *n)
{
	struct str *v = arena_array(a, NOTES_MAX, sizeof *v);
	bool trains = in->mode != MEMORY_INFERENCE;

	*notes = v;
	*n = 0;
	if (in->net->caution.len)
		v[(*n)++] = in->net->caution;
	note_16_bit(in, a, v, n);
	if (trains && in->net->class == CLASS_CNN && in->batch < MEMORY_SLOW_BATCH)
		v[(*n)++] = str_printf(a,
				       "A batch of %.0f saves memory at the cost of speed: "
				       "convolutions are tuned for batches of %d "
				       "and more.",
				       in->batch, MEMORY_SLOW_BATCH);
	if (trains && in->precision->master)
		v[(*n)++] = STR("16 bit keeps fp32 weights and states beside the 16-bit weights "
				"and gradients, so the part "
				"that grows with the parameters is no smaller than in 32 bit; the "
				"activations are.");
	if (in->precision->quantised)
		v[(*n)++] = STR("Only the weights are quantised; activations and the key-value "
				"cache stay in 16 bit.");
	v[(*n)++] =
	    str_printf(a,
		       "%.0f MiB stand for the CUDA context and workspaces (" STR_FMT
		       "); of a card's memory %.1f %% "
		       "are usable (" STR_FMT ").",
		       in->settings->overhead_mib, STR_ARG(in->settings->overhead_source),
		       100 * in->settings->usable_share, STR_ARG(in->settings->usable_source));
	v[(*n)++] = STR("Computed from shapes, not measured: fragmentation and a framework's own "
			"copies come on top.");
}
