/* doc_walk: every block kind calls its function, in order, and the first failure stops the walk. */
#include "../render/doc.h"
#include "test.h"

struct log {
	struct strbuf text;
	int left; /* calls that succeed before one fails */
};

static bool note_call(struct log *l, const char *what, struct error *err)
{
	strbuf_printf(&l->text, "%s ", what);
	return l->left-- > 0 ? true : error_set(err, ERR_DATA, "stopped in %s", what);
}

static bool on_begin(void *ctx, const struct report *r, struct error *err)
{
	(void)r;
	return note_call(ctx, "begin", err);
}

static bool on_heading(void *ctx, int level, struct str id, const struct spans *text,
		       struct error *err)
{
	(void)level;
	(void)id;
	(void)text;
	return note_call(ctx, "heading", err);
}

static bool on_text(void *ctx, const struct spans *text, struct error *err)
{
	(void)text;
	return note_call(ctx, "text", err);
}

static bool on_note(void *ctx, enum note_tone tone, const struct spans *text, struct error *err)
{
	(void)text;
	return note_call(ctx, tone == NOTE_WARN ? "warn" : "info", err);
}

static bool on_list(void *ctx, const struct spans *items, size_t n, struct error *err)
{
	(void)items;
	return note_call(ctx, n == 2 ? "list2" : "list", err);
}

static bool on_table(void *ctx, const struct report_table *t, struct error *err)
{
	(void)t;
	return note_call(ctx, "table", err);
}

static bool on_figure(void *ctx, const struct report_figure *f, struct error *err)
{
	(void)f;
	return note_call(ctx, "figure", err);
}

static bool on_code(void *ctx, const struct spans *text, struct error *err)
{
	(void)text;
	return note_call(ctx, "code", err);
}

static bool on_end(void *ctx, struct error *err)
{
	return note_call(ctx, "end", err);
}

static const struct doc_ops ops = {
	.begin = on_begin,
	.heading = on_heading,
	.text = on_text,
	.note = on_note,
	.list = on_list,
	.table = on_table,
	.figure = on_figure,
	.code = on_code,
	.end = on_end,
};

static void fill(struct report *r)
{
	static struct spans items[2];
	static struct report_table table;
	static struct report_figure figure;
	struct spans none = { .n = 0 };

	report_heading(r, 2, STR("a"), none);
	report_text(r, none);
	report_note(r, NOTE_WARN, none);
	report_note(r, NOTE_INFO, none);
	report_list(r, items, 2);
	report_add_table(r, &table);
	report_add_figure(r, &figure);
	report_code(r, none);
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };
	struct error err = { .code = ERR_NONE };
	struct report r = { .arena = &a };
	struct log l = { .text = { .arena = &a }, .left = 100 };

	fill(&r);
	test_ok(&t, doc_walk(&r, &ops, &l, &err), "the walk succeeds");
	test_str(&t, strbuf_str(&l.text),
		 STR("begin heading text warn info list2 table figure code end "),
		 "order of calls");

	l = (struct log){ .text = { .arena = &a }, .left = 3 };
	test_ok(&t, !doc_walk(&r, &ops, &l, &err), "a failure is handed up");
	test_str(&t, strbuf_str(&l.text), STR("begin heading text warn "), "and stops the walk");
	test_str(&t, str_of(err.msg), STR("stopped in warn"), "with its message");

	struct error unknown = { .code = ERR_NONE };
	l = (struct log){ .text = { .arena = &a }, .left = 100 };
	r.blocks[0].kind = (enum block_kind)99;
	test_ok(&t, !doc_walk(&r, &ops, &l, &unknown), "a block of no kind fails");
	test_str(&t, str_of(unknown.msg), STR("report: block of unknown kind 99"), "and says so");

	l = (struct log){ .text = { .arena = &a }, .left = 100 };
	struct report empty = { .arena = &a };
	test_ok(&t, doc_walk(&empty, &ops, &l, &unknown), "an empty report walks");
	test_str(&t, strbuf_str(&l.text), STR("begin end "), "from begin to end");
	arena_free(&a);
	return test_done(&t);
}
