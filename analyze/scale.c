#include "scale.h"

#include <math.h>

const struct scale_method scale_methods[SCALE_METHODS] = {
	{ STR_INIT("linear"), scale_predict_linear },
	{ STR_INIT("roofline"), scale_predict_roofline },
	{ STR_INIT("regression"), scale_predict_regression },
	{ STR_INIT("kriging"), scale_predict_kriging },
};

const struct scale_method *scale_method_find(struct str name)
{
	for (size_t i = 0; i < SCALE_METHODS; i++)
		if (str_eq(scale_methods[i].name, name))
			return &scale_methods[i];
	return NULL;
}

struct str scale_method_names(struct arena *a)
{
	struct strbuf b = { .arena = a };

	for (size_t i = 0; i < SCALE_METHODS; i++) {
		if (i)
			strbuf_add(&b, STR(", "));
		strbuf_add(&b, scale_methods[i].name);
	}
	return strbuf_str(&b);
}

struct str scale_anchor_text(const struct scale_prediction *p, const struct devices *devices)
{
	return p->all ? STR("all measured cards") : devices->v[p->anchor].name;
}

struct say scale_anchor_said(const struct scale_prediction *p, const struct devices *devices,
			     struct arena *a)
{
	return p->all ? say(a, "scale.all_cards", NULL)
		      : say_plain(a, devices->v[p->anchor].name);
}

bool scale_same_vendor(const struct devices *devices, size_t a, size_t b)
{
	return str_eq(devices->v[a].vendor, devices->v[b].vendor);
}

bool scale_same_architecture(const struct devices *devices, size_t a, size_t b)
{
	return devices->v[a].architecture.len
	       && str_eq(devices->v[a].architecture, devices->v[b].architecture);
}

double scale_known(double spec)
{
	return spec > 0 && isfinite(spec) ? spec : NAN;
}

double scale_rate_16bit(const struct device *d)
{
	double acc32 = scale_known(d->tensor_fp16_acc32_tflops),
	       tensor = scale_known(d->tensor_fp16_tflops), fp16 = scale_known(d->fp16_tflops),
	       fp32 = scale_known(d->fp32_tflops), bf16 = scale_known(d->bf16_tflops);

	if (!isnan(acc32))
		return acc32;
	if (!isnan(tensor))
		return tensor;
	if (!isnan(fp32))
		return fp32;
	return isnan(fp16) ? bf16 : fp16;
}

size_t scale_candidates(const struct scale_input *in, size_t device, struct str missing,
			struct arena *a, size_t *kept, struct say *why)
{
	size_t others = 0, n = 0;

	for (size_t i = 0; i < in->nsources; i++) {
		const struct scale_source *s = &in->sources[i];
		if (!s->anchor || s->device == device)
			continue;
		others++;
		if (scale_same_vendor(in->devices, device, s->device))
			kept[n++] = i;
	}
	if (others == 0)
		*why = say(a, "scale.no_other", NULL);
	else if (missing.len)
		*why = say(a, "scale.specs_missing",
			   (const struct say_arg[]){ say_name("specs", missing), say_end() });
	else if (n == 0)
		*why = say(a, "scale.no_vendor",
			   (const struct say_arg[]){
			       say_name("vendor", in->devices->v[device].vendor), say_end() });
	return missing.len ? 0 : n;
}
