#include "scale.h"

#include "../base/str.h"

#include <math.h>
#include <stdint.h>

/* How an anchor stands to the device; the smallest is taken. */
struct candidate {
	const struct scale_source *source;
	bool other_architecture;
	size_t spec;     /* index into the class's list of the first spec that both have */
	double distance; /* |log ratio| of that spec */
};

static double spec_of(const struct scale_input *in, size_t device, size_t spec)
{
	return device_spec(&in->devices->v[device], in->class->spec_offsets[spec]);
}

static bool spec_usable(double v)
{
	return v > 0 && isfinite(v);
}

/* Index of the first spec of the list that both have, or the list's length. */
static size_t first_common(const struct scale_input *in, size_t a, size_t b)
{
	size_t i = 0;

	while (i < in->class->spec_names.n
	       && !(spec_usable(spec_of(in, a, i)) && spec_usable(spec_of(in, b, i))))
		i++;
	return i;
}

static bool nearer(const struct candidate *a, const struct candidate *b)
{
	if (a->other_architecture != b->other_architecture)
		return b->other_architecture;
	if (a->spec != b->spec)
		return a->spec < b->spec;
	if (a->distance != b->distance)
		return a->distance < b->distance;
	return a->source->device < b->source->device;
}

static struct str spec_list(const struct edition_class *class, struct arena *a)
{
	struct strbuf b = { .arena = a };

	for (size_t i = 0; i < class->spec_names.n; i++) {
		if (i)
			strbuf_add(&b, STR(", "));
		strbuf_add(&b, class->spec_names.v[i]);
	}
	return strbuf_str(&b);
}

/* Why nothing can be predicted.
 * others, anchors  how many other devices may serve in the class, and how many of them are of its vendor */
static struct str why_not(const struct scale_input *in, size_t device, size_t others, size_t anchors,
			  struct arena *a)
{
	bool any = false;

	if (in->class->spec_names.n == 0)
		return STR("the edition lists no specs to scale by in this class");
	if (others == 0)
		return STR("no other device is measured in this class");
	for (size_t i = 0; i < in->class->spec_names.n; i++)
		any = any || spec_usable(spec_of(in, device, i));
	if (any && anchors == 0)
		return str_printf(a,
				  "no other device of " STR_FMT " is measured in this class, and the error of "
				  "scaling across vendors is not known",
				  STR_ARG(in->devices->v[device].vendor));
	struct str specs = spec_list(in->class, a);
	return str_printf(a,
			  any ? "no anchor shares one of its specs (" STR_FMT ")"
			      : "specs missing (" STR_FMT ")",
			  STR_ARG(specs));
}

/* The back-test never predicts a card from another vendor's, so nothing is known of the error of doing so:
 * software differs as much as hardware. An unknown vendor is its own. */
static bool same_vendor(const struct devices *devices, size_t a, size_t b)
{
	return str_eq(devices->v[a].vendor, devices->v[b].vendor);
}

static bool same_architecture(const struct devices *devices, size_t a, size_t b)
{
	return devices->v[a].architecture.len
	       && str_eq(devices->v[a].architecture, devices->v[b].architecture);
}

static bool predict_linear(const struct scale_input *in, size_t device, struct arena *a,
			   struct scale_prediction *out, struct str *why)
{
	struct candidate best = { NULL, true, SIZE_MAX, INFINITY };
	size_t others = 0, anchors = 0;

	out->represented = false;
	for (size_t i = 0; i < in->nsources; i++) {
		struct candidate c = { .source = &in->sources[i] };
		if (!c.source->anchor || c.source->device == device)
			continue;
		others++;
		if (!same_vendor(in->devices, device, c.source->device))
			continue;
		anchors++;
		c.other_architecture = !same_architecture(in->devices, device, c.source->device);
		c.spec = first_common(in, device, c.source->device);
		if (c.spec == in->class->spec_names.n)
			continue;
		out->represented = out->represented || !c.other_architecture;
		c.distance =
		    fabs(log(spec_of(in, device, c.spec) / spec_of(in, c.source->device, c.spec)));
		if (!best.source || nearer(&c, &best))
			best = c;
	}
	if (!best.source) {
		*why = why_not(in, device, others, anchors, a);
		return false;
	}
	out->anchor = best.source->device;
	out->spec = in->class->spec_names.v[best.spec];
	out->score = best.source->score * spec_of(in, device, best.spec)
		     / spec_of(in, best.source->device, best.spec);
	return true;
}

static const struct scale_method methods[] = {
	{ STR_INIT("linear"), predict_linear },
};

const struct scale_method *scale_method_find(struct str name)
{
	for (size_t i = 0; i < LEN(methods); i++)
		if (str_eq(methods[i].name, name))
			return &methods[i];
	return NULL;
}
