#include "buildinfo.h"

#include "../base/file.h"
#include "../base/process.h"
#include "../render/font.h"

#include <cjson/cJSON.h>
#include <cairo/cairo.h>
#include <csv.h>
#include <expat.h>
#include <gnu/libc-version.h>
#include <hb.h>
#include <hpdf.h>
#include <limits.h>
#include <linebreak.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <zlib.h>

enum { GNUPLOT_SECONDS_MAX = 20, LINE_MAX_BYTES = 300 };

/* Of one making; `quick` names files by size and time instead of what is in them. */
struct making {
	const struct buildinfo_options *opt;
	bool quick;
	struct arena *arena;
	struct error *err; /* filled where gnuplot is there but was ended before it answered */
};

static struct str none(void)
{
	return STR("none");
}

/* "/usr/bin/gnuplot 2049456 bytes, changed 1673949392.000000000", links followed: an alternative
 * that is switched is another file. */
static struct str file_stamp(struct str path, struct arena *a)
{
	struct stat st;

	if (path.len == 0 || stat(str_c(a, path), &st) != 0)
		return none();
	return str_printf(a, STR_FMT " %lld bytes, changed %lld.%09ld", STR_ARG(path),
			  (long long)st.st_size, (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
}

/* Where execvp() would find it. */
static struct str find_program(const char *program, struct arena *a)
{
	const char *path = getenv("PATH");
	struct str folders = str_of(path ? path : "/bin:/usr/bin"), folder;

	if (strchr(program, '/'))
		return str_of(program);
	while (str_cut(&folders, ':', &folder)) {
		struct str full = file_join(a, folder.len ? folder : STR("."), str_of(program));

		if (access(str_c(a, full), X_OK) == 0 && !file_is_dir(str_c(a, full)))
			return full;
	}
	return (struct str){ 0 };
}

static struct str value_gnuplot(const struct making *m)
{
	const char *program = m->opt->gnuplot ? m->opt->gnuplot : "gnuplot";
	const char *const argv[] = { program, "--version", NULL };
	struct process_options opt = { .argv = argv,
				       .seconds = GNUPLOT_SECONDS_MAX,
				       .output_max = 4096 };
	struct process_result r;
	struct error why = { 0 };
	struct str text, line;

	if (m->quick)
		return file_stamp(find_program(program, m->arena), m->arena);
	if (!process_run(&opt, m->arena, &r, &why))
		return none();
	if (!process_good(&opt, &r, &why)) {
		if (r.signal || r.timed_out) /* the next one it draws with may live */
			*m->err = why;
		return none();
	}
	text = r.output;
	if (!str_cut(&text, '\n', &line) || str_trim(line).len == 0)
		return none();
	return str_plain(m->arena, str_slice(str_trim(line), 0, LINE_MAX_BYTES));
}

static struct str font_line(const struct making *m, enum font_id font)
{
	struct arena *a = m->arena;
	struct error ignored = { 0 };
	struct str path = font_path(font, a);
	struct file_sum sum;

	if (m->quick)
		return file_stamp(path, a);
	if (path.len == 0 || !file_hash(str_c(a, path), a, &sum, &ignored))
		return none();
	return str_printf(a, "%s %zu bytes, SHA-256 " STR_FMT, strrchr(str_c(a, path), '/') + 1,
			  sum.bytes, STR_ARG(sum.sha256));
}

/* The functions of the values, in the order of the file. */
static struct str value_program(const struct making *m)
{
	(void)m;
	return STR("gpuguide " GPUGUIDE_VERSION);
}

static struct str value_edition(const struct making *m)
{
	return str_plain(m->arena, m->opt->edition);
}

static struct str value_date(const struct making *m)
{
	return m->opt->date.day == INT_MIN ? STR("not given") : date_iso(m->arena, m->opt->date);
}

static struct str value_epoch(const struct making *m)
{
	if (m->opt->source_date_epoch < 0)
		return STR("not set");
	return str_printf(m->arena, "%lld", m->opt->source_date_epoch);
}

/* Fused multiply-add is one rounding less: processors and compilers can differ in the last bits. */
static struct str value_architecture(const struct making *m)
{
	struct utsname u;

	return uname(&u) == 0 ? str_dup(m->arena, str_of(u.machine)) : none();
}

static struct str value_compiler(const struct making *m)
{
	(void)m;
#ifdef __clang__
	return STR("clang " __clang_version__);
#else
	return STR("gcc " __VERSION__);
#endif
}

static struct str value_libc(const struct making *m)
{
	return str_printf(m->arena, "glibc %s", gnu_get_libc_version());
}

static struct str value_cairo(const struct making *m)
{
	(void)m;
	return str_of(cairo_version_string());
}

static struct str value_cjson(const struct making *m)
{
	(void)m;
	return str_of(cJSON_Version());
}

static struct str value_expat(const struct making *m)
{
	return str_printf(m->arena, "%s", XML_ExpatVersion());
}

static struct str value_harfbuzz(const struct making *m)
{
	(void)m;
	return str_of(hb_version_string());
}

/* The one library that tells its version only to the compiler; inih tells none at all. */
static struct str value_libcsv(const struct making *m)
{
	return str_printf(m->arena, "%d.%d", CSV_MAJOR, CSV_MINOR);
}

static struct str value_libharu(const struct making *m)
{
	(void)m;
	return str_of(HPDF_GetVersion());
}

static struct str value_sodium(const struct making *m)
{
	(void)m;
	return str_of(sodium_version_string());
}

static struct str value_unibreak(const struct making *m)
{
	return str_printf(m->arena, "%d.%d", linebreak_version >> 8, linebreak_version & 0xff);
}

static struct str value_zlib(const struct making *m)
{
	(void)m;
	return str_of(zlibVersion());
}

static struct str value_regular(const struct making *m)
{
	return font_line(m, FONT_REGULAR);
}

static struct str value_bold(const struct making *m)
{
	return font_line(m, FONT_BOLD);
}

static struct str value_mono(const struct making *m)
{
	return font_line(m, FONT_MONO);
}

static struct str value_cjk(const struct making *m)
{
	return font_line(m, FONT_CJK);
}

/* A line of the file each, in its order: first what the edition is, then what made it, that which
 * is likeliest to change a drawing first. */
static const struct buildinfo_key {
	const char *key;
	struct str (*value)(const struct making *m);
} keys[] = {
	{ "program", value_program },
	{ "edition", value_edition },
	{ "date", value_date },
	{ "source_date_epoch", value_epoch },
	{ "gnuplot", value_gnuplot },
	{ "font.regular", value_regular },
	{ "font.bold", value_bold },
	{ "font.mono", value_mono },
	{ "font.chinese", value_cjk },
	{ "libharu", value_libharu },
	{ "harfbuzz", value_harfbuzz },
	{ "libunibreak", value_unibreak },
	{ "cairo", value_cairo },
	{ "zlib", value_zlib },
	{ "expat", value_expat },
	{ "cjson", value_cjson },
	{ "libcsv", value_libcsv },
	{ "libsodium", value_sodium },
	{ "libc", value_libc },
	{ "compiler", value_compiler },
	{ "architecture", value_architecture },
};

static struct str make(const struct making *m)
{
	struct strbuf b = { .arena = m->arena };

	for (size_t i = 0; i < LEN(keys); i++) {
		struct str value = keys[i].value(m); /* STR_ARG would compute it three times */

		strbuf_printf(&b, "%s = " STR_FMT "\n", keys[i].key, STR_ARG(value));
	}
	return strbuf_str(&b);
}

struct str buildinfo_text(const struct buildinfo_options *opt, struct arena *a)
{
	struct error ignored = { 0 };

	return make(&(struct making){ opt, false, a, &ignored });
}

struct str buildinfo_quick(const struct buildinfo_options *opt, struct arena *a)
{
	return make(&(struct making){ opt, true, a, NULL });
}

bool buildinfo_write(const struct buildinfo_options *opt, const char *dir, struct arena *a,
		     struct error *err)
{
	struct error why = { 0 };
	struct str text = make(&(struct making){ opt, false, a, &why });

	if (why.code != ERR_NONE)
		return error_set(err, why.code, "%s", why.msg);
	return file_write(str_c(a, file_join(a, str_of(dir), STR("BUILDINFO"))), text, err);
}

static const struct buildinfo_line *find(const struct buildinfo *b, struct str key)
{
	for (size_t i = 0; i < b->n; i++)
		if (str_eq(b->v[i].key, key))
			return &b->v[i];
	return NULL;
}

static bool take_line(struct buildinfo *b, struct str line, struct pos pos, struct arena *a,
		      struct error *err)
{
	size_t at = str_find(line, STR(" = "), 0);
	struct str key = str_slice(line, 0, at);

	if (at == 0 || at == line.len)
		return error_at(err, ERR_SYNTAX, pos,
				"'" STR_FMT "' is not a line of \"key = value\"",
				STR_ARG(str_plain(a, str_slice(line, 0, 100))));
	if (find(b, key))
		return error_at(err, ERR_SYNTAX, pos, "the key '" STR_FMT "' stands there twice",
				STR_ARG(str_plain(a, str_slice(key, 0, 100))));
	b->v = arena_grow(a, b->v, &b->cap, b->n + 1, sizeof *b->v);
	b->v[b->n++] = (struct buildinfo_line){ key, str_slice(line, at + 3, line.len) };
	return true;
}

enum { KEYS_MAX = 200 };

bool buildinfo_parse(struct str text, const char *name, struct arena *a, struct buildinfo *out,
		     struct error *err)
{
	struct pos pos = { name, 1, 1 };
	struct str line;

	*out = (struct buildinfo){ .n = 0 };
	if (text.len == 0 || text.p[text.len - 1] != '\n')
		return error_at(err, ERR_SYNTAX, (struct pos){ name, 0, 0 },
				"the file does not end with a line end: half of it is missing");
	text.len--; /* so that the last line end opens no further line */
	for (; str_cut(&text, '\n', &line); pos.line++) {
		if (out->n == KEYS_MAX)
			return error_at(err, ERR_RANGE, pos, "more than %d lines", KEYS_MAX);
		if (!take_line(out, line, pos, a, err))
			return false;
	}
	return true;
}

struct str buildinfo_get(const struct buildinfo *b, const char *key)
{
	const struct buildinfo_line *line = find(b, str_of(key));

	return line ? line->value : (struct str){ 0 };
}

static int line_of(const struct buildinfo *b, const char *key)
{
	const struct buildinfo_line *line = find(b, str_of(key));

	return line ? (int)(line - b->v) + 1 : 0;
}

static bool read_date(const struct buildinfo *b, const char *name, struct date *out,
		      struct error *err)
{
	struct str text = buildinfo_get(b, "date");

	*out = (struct date){ INT_MIN };
	if (str_eq(text, STR("not given")) || date_parse(text, out))
		return true;
	return error_at(err, ERR_SYNTAX, (struct pos){ name, line_of(b, "date"), 1 },
			"date: expected YYYY-MM-DD or \"not given\"");
}

enum { EPOCH_DIGITS = 12 }; /* the year 9999 has 12 */

static bool read_epoch(const struct buildinfo *b, const char *name, long long *out,
		       struct error *err)
{
	struct str text = buildinfo_get(b, "source_date_epoch");
	long long v = 0;

	*out = -1;
	if (str_eq(text, STR("not set")))
		return true;
	for (size_t i = 0; i < text.len && i <= EPOCH_DIGITS; i++) {
		if (text.p[i] < '0' || text.p[i] > '9')
			text.len = 0;
		else
			v = 10 * v + (text.p[i] - '0');
	}
	if (text.len == 0 || text.len > EPOCH_DIGITS || v > 253402300799) /* 9999-12-31 */
		return error_at(err, ERR_SYNTAX,
				(struct pos){ name, line_of(b, "source_date_epoch"), 1 },
				"source_date_epoch: expected a count of seconds or \"not set\"");
	*out = v;
	return true;
}

/* It becomes a part of a path. */
static bool is_file_name(struct str s)
{
	if (s.len == 0 || s.len > 200 || s.p[0] == '.')
		return false;
	for (size_t i = 0; i < s.len; i++)
		if (s.p[i] == '/' || (unsigned char)s.p[i] < 0x20 || s.p[i] == 0x7f)
			return false;
	return true;
}

bool buildinfo_read_options(const struct buildinfo *b, const char *name,
			    struct buildinfo_options *out, struct error *err)
{
	*out = (struct buildinfo_options){ .edition = buildinfo_get(b, "edition") };
	if (!is_file_name(out->edition))
		return error_at(err, ERR_DATA, (struct pos){ name, line_of(b, "edition"), 0 },
				"edition: expected the name of a file of editions/");
	return read_date(b, name, &out->date, err)
	       && read_epoch(b, name, &out->source_date_epoch, err);
}

size_t buildinfo_compare(const struct buildinfo *was, const struct buildinfo *is, struct arena *a,
			 struct buildinfo_difference **out)
{
	struct buildinfo_difference *v = arena_array(a, was->n + is->n, sizeof *v);
	size_t n = 0;

	for (size_t i = 0; i < was->n; i++) {
		const struct buildinfo_line *now = find(is, was->v[i].key);
		struct str value = now ? now->value : (struct str){ 0 };

		if (!now || !str_eq(value, was->v[i].value))
			v[n++] =
			    (struct buildinfo_difference){ was->v[i].key, was->v[i].value, value };
	}
	for (size_t i = 0; i < is->n; i++)
		if (!find(was, is->v[i].key))
			v[n++] =
			    (struct buildinfo_difference){ is->v[i].key, { 0 }, is->v[i].value };
	*out = v;
	return n;
}
