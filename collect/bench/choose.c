#include "choose.h"

#include "registry.h"

/* NULL with a line in `notes`. */
static const struct backend *try_backend(const char *name, struct str folder, struct arena *a,
					 struct strbuf *notes)
{
	struct bench_error why = { 0 };
	const struct backend *b = registry_open(name, folder, a, &why);
	int n = b ? b->devices(&why) : 0;

	if (n > 0)
		return b;
	strbuf_printf(notes, "%s%s%s\n", b ? name : "", b ? ": " : "",
		      why.msg[0] ? why.msg : "no device");
	return NULL;
}

static const struct backend *find_backend(const struct bench_options *opt, struct str folder,
					  struct arena *a, struct strbuf *notes)
{
	if (opt->backend)
		return try_backend(opt->backend, folder, a, notes);
	for (size_t i = 0; i < registry_count(); i++) {
		if (!registry_automatic(i))
			continue;
		const struct backend *b = try_backend(registry_name(i), folder, a, notes);
		if (b)
			return b;
	}
	return NULL;
}

/* Where --backend was a name that nobody has it is a slip of the command line. */
static bool none(const struct bench_options *opt, struct str notes, struct arena *a,
		 struct error *err)
{
	struct strbuf reasons = { .arena = a };
	struct str line;

	while (str_cut(&notes, '\n', &line))
		if (line.len)
			strbuf_printf(&reasons, "%s" STR_FMT, reasons.len ? "; " : "",
				      STR_ARG(line));
	notes = strbuf_str(&reasons);
	for (size_t i = 0; opt->backend && i < registry_count(); i++)
		if (str_eq(str_of(registry_name(i)), str_of(opt->backend)))
			return error_set(err, ERR_ENVIRONMENT, STR_FMT, STR_ARG(notes));
	if (opt->backend)
		return error_set(err, ERR_USAGE, "--backend: " STR_FMT, STR_ARG(notes));
	return error_set(err, ERR_ENVIRONMENT,
			 "no device to measure: " STR_FMT
			 "; --backend reference runs everywhere, slowly",
			 STR_ARG(notes));
}

/* What a driver or /proc says goes to terminals and files: no control characters. */
static void clean(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			*text = '?';
}

static void clean_info(struct device_info *info)
{
	clean(info->name);
	clean(info->framework);
	clean(info->driver);
	for (int i = 0; i < info->nfacts; i++) {
		clean(info->facts[i].key);
		clean(info->facts[i].value);
	}
}

bool choose_device(const struct bench_options *opt, struct str folder, struct arena *a,
		   struct strbuf *notes, struct bench *out, struct error *err)
{
	const struct backend *b = find_backend(opt, folder, a, notes);
	struct bench_error why = { 0 };
	struct device_info info;

	if (!b)
		return none(opt, strbuf_str(notes), a, err);
	int n = b->devices(&why);
	if (opt->device >= n)
		return error_set(err, ERR_USAGE, "--device: %d, but %s has %d (0 is the first)",
				 opt->device, b->name, n);
	struct device *d = b->open(opt->device, &why);
	if (!d)
		return error_set(err, ERR_ENVIRONMENT, "%s: %s", b->name, why.msg);
	if (!b->describe(d, &info, &why)) {
		b->close(d);
		return error_set(err, ERR_ENVIRONMENT, "%s: %s", b->name, why.msg);
	}
	clean_info(&info);
	*out = bench_make(b, d, &info, opt->quick, a);
	out->verify_only = opt->verify_only;
	if (opt->seconds > 0) { /* false of NAN */
		out->rules.least_s = opt->seconds;
		out->rules.most_s = opt->seconds * 4;
	}
	return true;
}

void choose_close(struct bench *b)
{
	if (b->device)
		b->backend->close(b->device);
	b->device = NULL;
}
