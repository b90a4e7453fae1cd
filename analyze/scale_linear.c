/* The guide's rule: the anchor is, of the sources of the vendor, the one of the same architecture
 * before others, then the one with which the earliest spec of the class's list is shared, then the
 * one nearest in it (smallest absolute log ratio), then the first in devices.csv. The score is the
 * anchor's times the ratio of that spec. */
#include "scale.h"

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
	return scale_known(device_spec(&in->devices->v[device], in->class->spec_offsets[spec]));
}

/* Index of the first spec of the list that both have, or the list's length. */
static size_t first_common(const struct scale_input *in, size_t a, size_t b)
{
	size_t i = 0;

	while (i < in->class->spec_names.n
	       && (isnan(spec_of(in, a, i)) || isnan(spec_of(in, b, i))))
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

static bool has_any_spec(const struct scale_input *in, size_t device)
{
	for (size_t i = 0; i < in->class->spec_names.n; i++)
		if (!isnan(spec_of(in, device, i)))
			return true;
	return false;
}

bool scale_predict_linear(const struct scale_input *in, size_t device, struct arena *a,
			  struct scale_prediction *out, struct say *why)
{
	struct candidate best = { NULL, true, SIZE_MAX, INFINITY };
	struct str specs = spec_list(in->class, a);
	size_t *kept = arena_array(a, in->nsources, sizeof *kept);

	*out = (struct scale_prediction){ .log_sd = NAN };
	if (specs.len == 0) {
		*why = say(a, "scale.no_specs", NULL);
		return false;
	}
	size_t n =
	    scale_candidates(in, device, has_any_spec(in, device) ? STR("") : specs, a, kept, why);
	for (size_t i = 0; i < n; i++) {
		struct candidate c = { .source = &in->sources[kept[i]] };
		size_t anchor = c.source->device;
		c.other_architecture = !scale_same_architecture(in->devices, device, anchor);
		c.spec = first_common(in, device, anchor);
		if (c.spec == in->class->spec_names.n)
			continue;
		out->represented = out->represented || !c.other_architecture;
		c.distance = fabs(log(spec_of(in, device, c.spec) / spec_of(in, anchor, c.spec)));
		if (!best.source || nearer(&c, &best))
			best = c;
	}
	if (n && !best.source)
		*why = say(a, "scale.no_anchor",
			   (const struct say_arg[]){ say_name("specs", specs), say_end() });
	if (!best.source)
		return false;
	out->anchor = best.source->device;
	out->spec = in->class->spec_names.v[best.spec];
	out->score = best.source->score * spec_of(in, device, best.spec)
		     / spec_of(in, best.source->device, best.spec);
	return true;
}
