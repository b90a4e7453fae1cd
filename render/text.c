#include "text.h"
#include "template.h"
#include "../base/file.h"
#include "../base/num.h"

#include <string.h>

struct text_arg text_arg(const char *name, struct str text)
{
	return (struct text_arg){ .name = name, .text = text };
}

struct text_arg text_arg_int(const char *name, long v, struct arena *a)
{
	return text_arg(name, num_grouped(a, (double)v, 0));
}

struct text_arg text_arg_link(const char *name, struct str text, struct str href)
{
	return (struct text_arg){ .name = name, .text = text, .href = href };
}

struct text_arg text_arg_end(void)
{
	return (struct text_arg){ .name = NULL };
}

/* Where one message is being written out. */
struct fill {
	const struct text_message *message;
	const struct text_arg *args; /* NULL: only check the markup */
	struct arena *a;
	struct spans *out; /* NULL with args */
	struct strbuf run; /* text of the span that is being gathered */
	bool strong, code, check;
	struct error *err;
};

static void flush(struct fill *f)
{
	if (f->run.len > 0 && f->out)
		spans_add(f->a, f->out,
			  (struct span){
			      .text = strbuf_str(&f->run), .strong = f->strong, .code = f->code });
	f->run = (struct strbuf){ .arena = f->a };
}

static const struct text_arg *find_arg(const struct text_arg *args, struct str name)
{
	for (; args && args->name; args++)
		if (str_eq(str_of(args->name), name))
			return args;
	return NULL;
}

/* "{name}" or "{name?one:other}"; inside holds what stands between the braces. */
static bool put_placeholder(struct fill *f, struct str inside)
{
	struct str name, rest = inside, one;
	bool choice = str_find(inside, STR("?"), 0) < inside.len;

	str_cut(&rest, choice ? '?' : '}', &name);
	if (f->check)
		return true;
	const struct text_arg *arg = find_arg(f->args, name);
	if (!arg)
		return error_at(f->err, ERR_DATA, f->message->pos, "no value for {" STR_FMT "}",
				STR_ARG(name));
	if (choice) {
		str_cut(&rest, ':', &one);
		strbuf_add(&f->run, str_eq(arg->text, STR("1")) ? one : rest);
		return true;
	}
	if (arg->href.len == 0) {
		strbuf_add(&f->run, arg->text);
		return true;
	}
	flush(f);
	spans_add(f->a, f->out,
		  (struct span){
		      .text = arg->text, .href = arg->href, .strong = f->strong, .code = f->code });
	return true;
}

static bool fill_message(struct fill *f)
{
	struct str s = f->message->text;

	for (size_t i = 0; i < s.len; i++) {
		char c = s.p[i];
		if (c == '\\' && i + 1 < s.len) {
			i++;
			strbuf_addc(&f->run, s.p[i] == 's' ? ' ' : s.p[i]);
		} else if (c == '*' && !f->code) {
			flush(f);
			f->strong = !f->strong;
		} else if (c == '`') {
			flush(f);
			f->code = !f->code;
		} else if (c == '{') {
			size_t end = str_find(s, STR("}"), i);
			if (end == s.len)
				return error_at(f->err, ERR_SYNTAX, f->message->pos, "unclosed {");
			if (!put_placeholder(f, str_slice(s, i + 1, end)))
				return false;
			i = end;
		} else if (c != ' ' || f->run.len == 0 || f->run.p[f->run.len - 1] != ' ') {
			strbuf_addc(&f->run,
				    c); /* one blank where an empty argument stood between two */
		}
	}
	flush(f);
	if (f->strong || f->code)
		return error_at(f->err, ERR_SYNTAX, f->message->pos, "unclosed %c",
				f->code ? '`' : '*');
	return true;
}

static bool add_message(struct text_catalogue *t, struct str section, struct str line,
			struct pos pos, struct arena *a, struct error *err)
{
	size_t eq = str_find(line, STR("="), 0);
	bool fresh;

	if (eq == line.len)
		return error_at(err, ERR_SYNTAX, pos, "expected 'key = text'");
	struct str key = str_trim(str_slice(line, 0, eq));
	key = str_printf(a, STR_FMT "." STR_FMT, STR_ARG(section), STR_ARG(key));
	map_put(&t->by_key, key, t->n, &fresh);
	if (!fresh)
		return error_at(err, ERR_SYNTAX, pos, "'" STR_FMT "' is given twice", STR_ARG(key));
	t->v = arena_grow(a, t->v, &t->cap, t->n + 1, sizeof *t->v);
	t->v[t->n++] = (struct text_message){ .text = str_trim(str_slice(line, eq + 1, line.len)),
					      .pos = pos };
	return true;
}

static bool add_line(struct text_catalogue *t, struct str *section, struct str raw, struct pos pos,
		     struct arena *a, struct error *err)
{
	struct str line = str_trim(raw);

	if (line.len == 0 || line.p[0] == ';')
		return true;
	if (raw.p[0] == ' ' || raw.p[0] == '\t') {
		if (t->n == 0)
			return error_at(err, ERR_SYNTAX, pos, "nothing to go on with");
		struct text_message *m = &t->v[t->n - 1];
		m->text = str_printf(a, STR_FMT " " STR_FMT, STR_ARG(m->text), STR_ARG(line));
		return true;
	}
	if (line.p[0] == '[' && line.p[line.len - 1] == ']') {
		*section = str_slice(line, 1, line.len - 1);
		return true;
	}
	return add_message(t, *section, line, pos, a, err);
}

/* Bad markup is the file's fault, so it is found on reading and not in the one report that uses it.
 */
static bool check_markup(const struct text_catalogue *t, struct arena *a, struct error *err)
{
	for (size_t i = 0; i < t->n; i++) {
		struct fill f = { .message = &t->v[i],
				  .a = a,
				  .run = { .arena = a },
				  .check = true,
				  .err = err };
		if (!fill_message(&f))
			return false;
	}
	return true;
}

bool text_parse(struct str text, const char *name, struct arena *a, struct text_catalogue *out,
		struct error *err)
{
	struct str section = STR(""), rest = text, line;
	struct pos pos = { .file = name, .line = 0 };

	*out = (struct text_catalogue){ .file = name, .by_key = { .arena = a } };
	if (!template_check(text, name, err))
		return false;
	while (str_cut(&rest, '\n', &line)) {
		pos.line++;
		if (!add_line(out, &section, line, pos, a, err))
			return false;
	}
	return check_markup(out, a, err);
}

bool text_read(const char *path, struct arena *a, struct text_catalogue *out, struct error *err)
{
	struct str text;

	return file_read(path, 0, a, &text, err) && text_parse(text, path, a, out, err);
}

bool text_has(const struct text_catalogue *t, const char *key)
{
	return map_get(&t->by_key, str_of(key)) != NULL;
}

bool text_spans(const struct text_catalogue *t, const char *key, const struct text_arg *args,
		struct arena *a, struct spans *out, struct error *err)
{
	const size_t *at = map_get(&t->by_key, str_of(key));

	if (!at)
		return error_at(err, ERR_DATA, (struct pos){ .file = t->file },
				"text '%s' is missing", key);
	struct fill f = { .message = &t->v[*at],
			  .args = args,
			  .a = a,
			  .out = out,
			  .run = { .arena = a },
			  .err = err };
	return fill_message(&f);
}
