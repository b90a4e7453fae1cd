#include "prices_import_out.h"

#include "json_out.h"
#include "terminal.h"

#include "../base/csv_write.h"
#include "../base/num.h"

#include <math.h>

enum { CASES_SHOWN = 3, DETAILS_SHOWN = 8 };

static size_t refused(const struct prices_import_said *s)
{
	return tally_sum(&s->im->tally);
}

static size_t devices_out(const struct prices_import_said *s)
{
	const struct import *im = s->im;
	bool *seen = arena_array(s->arena, im->in->devices->n, sizeof *seen);
	size_t n = 0;

	for (size_t i = 0; i < im->n; i++) {
		n += !seen[im->rows[i].device];
		seen[im->rows[i].device] = true;
	}
	return n;
}

static void put_place(struct strbuf *b, struct pos pos)
{
	if (pos.file)
		strbuf_add(b, str_plain(b->arena, str_of(pos.file)));
	if (pos.line)
		strbuf_printf(b, ":%d", pos.line);
	if (pos.col)
		strbuf_printf(b, ":%d", pos.col);
	strbuf_add(b, STR(": "));
}

static void put_reason(const struct prices_import_said *s, const struct tally_reason *r,
		       struct strbuf *b)
{
	size_t limit = s->verbose ? r->ncases : CASES_SHOWN;
	const struct tally_case **cases = arena_array(s->arena, limit, sizeof *cases);
	size_t n = tally_largest(r, limit, s->arena, cases);

	strbuf_printf(b, "  %-17s %7zu", str_c(s->arena, r->name), r->n);
	if (r->ncases > n)
		strbuf_printf(b, "   (%zu different)", r->ncases);
	strbuf_addc(b, '\n');
	for (size_t i = 0; i < n; i++) {
		strbuf_add(b, STR("      "));
		put_place(b, cases[i]->pos);
		strbuf_add(b, cases[i]->text);
		if (cases[i]->n > 1)
			strbuf_printf(b, " (%zu times)", cases[i]->n);
		strbuf_addc(b, '\n');
	}
}

static void put_held(const struct prices_import_said *s, struct strbuf *b)
{
	const struct held *h = s->held;
	size_t shown = s->verbose || h->details.n <= DETAILS_SHOWN ? h->details.n : DETAILS_SHOWN;

	if (h->nequal + h->ndiffer + h->only_there == 0)
		return;
	strbuf_printf(b,
		      "against data/prices: %zu equal, %zu differ, %zu only here, %zu only there\n",
		      h->nequal, h->ndiffer, h->only_here, h->only_there);
	for (size_t i = 0; i < shown; i++) {
		strbuf_add(b, STR("  "));
		put_place(b, h->details.v[i].pos);
		strbuf_add(b, h->details.v[i].text);
		strbuf_addc(b, '\n');
	}
	if (shown < h->details.n)
		strbuf_printf(b, "  and %zu more; --verbose names them\n", h->details.n - shown);
	if (s->leaves_out && h->nequal)
		strbuf_printf(
		    b, "%zu rows stand there already (%s:%d …) and are not written again\n",
		    h->nequal, str_c(b->arena, str_plain(b->arena, str_of(h->first.file))),
		    h->first.line);
	if (s->leaves_out && h->nknown > h->nequal)
		strbuf_printf(b,
			      "%zu statistics contradict those that stand there and are not "
			      "written; mend or remove "
			      "those first\n",
			      h->nknown - h->nequal);
}

static void put_jumps(const struct prices_import_said *s, struct strbuf *b)
{
	const struct price_jumps *j = s->jumps;
	size_t shown = s->verbose || j->n <= DETAILS_SHOWN ? j->n : DETAILS_SHOWN;

	if (j->n == 0)
		return;
	strbuf_printf(b, "%zu prices jumped by more than %d %% since the snapshot before:\n", j->n,
		      JUMP_PCT);
	for (size_t i = 0; i < shown; i++)
		strbuf_printf(b,
			      "  " STR_FMT ", " STR_FMT "%s" STR_FMT ": " STR_FMT " USD on " STR_FMT
			      ", " STR_FMT " on " STR_FMT "\n",
			      STR_ARG(s->im->in->devices->v[j->v[i].device].name),
			      STR_ARG(j->v[i].market), j->v[i].stat.len ? ", " : "",
			      STR_ARG(j->v[i].stat),
			      STR_ARG(num_fixed(s->arena, j->v[i].before_usd, 2)),
			      STR_ARG(date_iso(s->arena, j->v[i].before)),
			      STR_ARG(num_fixed(s->arena, j->v[i].price_usd, 2)),
			      STR_ARG(date_iso(s->arena, j->v[i].date)));
	if (shown < j->n)
		strbuf_printf(b, "  and %zu more; --verbose names them\n", j->n - shown);
}

static struct str as_text(const struct prices_import_said *s)
{
	const struct import *im = s->im;
	struct strbuf b = { .arena = s->arena };

	strbuf_printf(&b, "map " STR_FMT ": %zu rows with %zu prices\n", STR_ARG(im->in->map->name),
		      im->rows_in, im->prices_in);
	strbuf_printf(&b, "  %-17s %7zu\n", "used", im->used);
	for (size_t i = 0; i < im->tally.n; i++)
		if (im->tally.v[i].n)
			put_reason(s, &im->tally.v[i], &b);
	strbuf_printf(&b, "%zu used + %zu refused = %zu\n", im->used, refused(s), im->prices_in);
	if (im->n_unread)
		strbuf_printf(
		    &b, "%zu prices state no readable number of sales; their rows have no n\n",
		    im->n_unread);
	strbuf_printf(&b, "%zu price rows of %zu devices\n", im->n, devices_out(s));
	put_held(s, &b);
	put_jumps(s, &b);
	if (s->path)
		strbuf_printf(&b, "%s: %s, %zu rows\n", s->path, s->done, s->written);
	else
		strbuf_printf(&b, "%s\n", s->done);
	return strbuf_str(&b);
}

static void csv_case(struct csv_out *w, struct str result, size_t prices, struct pos pos,
		     struct str text)
{
	csv_put(w, result);
	csv_put_int(w, (long)prices);
	csv_put(w, str_of(pos.file ? pos.file : ""));
	if (pos.line)
		csv_put_int(w, pos.line);
	else
		csv_put_missing(w);
	if (pos.col)
		csv_put_int(w, pos.col);
	else
		csv_put_missing(w);
	csv_put(w, text);
	csv_end_row(w);
}

static struct str as_csv(const struct prices_import_said *s)
{
	static const char *const columns[] = { "result", "prices", "file", "line", "col", "text" };
	const struct tally *t = &s->im->tally;
	struct csv_out w = { .buf.arena = s->arena };

	for (size_t i = 0; i < LEN(columns); i++)
		csv_put(&w, str_of(columns[i]));
	csv_end_row(&w);
	csv_case(&w, STR("used"), s->im->used, (struct pos){ NULL, 0, 0 }, STR(""));
	for (size_t i = 0; i < t->n; i++)
		for (size_t k = 0; k < t->v[i].ncases; k++)
			csv_case(&w, t->v[i].name, t->v[i].cases[k].n, t->v[i].cases[k].pos,
				 t->v[i].cases[k].text);
	for (size_t i = 0; i < s->held->details.n; i++)
		csv_case(&w, STR("held"), 1, s->held->details.v[i].pos, s->held->details.v[i].text);
	return strbuf_str(&w.buf);
}

static void json_place(struct strbuf *b, struct pos pos)
{
	json_out_known(b, "file", str_of(pos.file ? pos.file : ""));
	json_out_number(b, "line", pos.line ? (double)pos.line : (double)NAN);
	json_out_number(b, "col", pos.col ? (double)pos.col : (double)NAN);
}

static void json_reasons(const struct tally *t, struct strbuf *b)
{
	json_out_begin(b, "reasons", '[');
	for (size_t i = 0; i < t->n; i++) {
		if (t->v[i].n == 0)
			continue;
		json_out_begin(b, NULL, '{');
		json_out_text(b, "reason", t->v[i].name);
		json_out_number(b, "prices", (double)t->v[i].n);
		json_out_begin(b, "cases", '[');
		for (size_t k = 0; k < t->v[i].ncases; k++) {
			json_out_begin(b, NULL, '{');
			json_out_number(b, "prices", (double)t->v[i].cases[k].n);
			json_place(b, t->v[i].cases[k].pos);
			json_out_text(b, "text", t->v[i].cases[k].text);
			json_out_end(b, '{');
		}
		json_out_end(b, '[');
		json_out_end(b, '{');
	}
	json_out_end(b, '[');
}

static void json_held(const struct held *h, struct strbuf *b)
{
	json_out_begin(b, "held", '{');
	json_out_number(b, "equal", (double)h->nequal);
	json_out_number(b, "differ", (double)h->ndiffer);
	json_out_number(b, "only_here", (double)h->only_here);
	json_out_number(b, "only_there", (double)h->only_there);
	json_out_begin(b, "details", '[');
	for (size_t i = 0; i < h->details.n; i++) {
		json_out_begin(b, NULL, '{');
		json_place(b, h->details.v[i].pos);
		json_out_text(b, "text", h->details.v[i].text);
		json_out_end(b, '{');
	}
	json_out_end(b, '[');
	json_out_end(b, '{');
}

static void json_jumps(const struct prices_import_said *s, struct strbuf *b)
{
	json_out_begin(b, "jumps", '[');
	for (size_t i = 0; i < s->jumps->n; i++) {
		const struct price_jump *j = &s->jumps->v[i];

		json_out_begin(b, NULL, '{');
		json_out_text(b, "device", s->im->in->devices->v[j->device].name);
		json_out_text(b, "market", j->market);
		json_out_known(b, "stat", j->stat);
		json_out_text(b, "before", date_iso(s->arena, j->before));
		json_out_number(b, "before_usd", j->before_usd);
		json_out_text(b, "date", date_iso(s->arena, j->date));
		json_out_number(b, "price_usd", j->price_usd);
		json_out_end(b, '{');
	}
	json_out_end(b, '[');
}

static struct str as_json(const struct prices_import_said *s)
{
	const struct import *im = s->im;
	struct strbuf b = { .arena = s->arena };

	json_out_begin(&b, NULL, '{');
	json_out_text(&b, "map", im->in->map->name);
	json_out_number(&b, "rows_in", (double)im->rows_in);
	json_out_number(&b, "prices_in", (double)im->prices_in);
	json_out_number(&b, "used", (double)im->used);
	json_out_number(&b, "refused", (double)refused(s));
	json_reasons(&im->tally, &b);
	json_out_number(&b, "n_unread", (double)im->n_unread);
	json_out_number(&b, "rows_out", (double)im->n);
	json_out_number(&b, "devices", (double)devices_out(s));
	json_held(s->held, &b);
	json_jumps(s, &b);
	json_out_known(&b, "file", str_of(s->path ? s->path : ""));
	json_out_text(&b, "done", str_of(s->done));
	json_out_number(&b, "rows_written", (double)s->written);
	json_out_end(&b, '{');
	strbuf_addc(&b, '\n');
	return strbuf_str(&b);
}

struct str prices_import_format(const struct prices_import_said *s, enum output_format format)
{
	switch (format) {
	case FORMAT_TEXT:
		return as_text(s);
	case FORMAT_CSV:
		return as_csv(s);
	case FORMAT_JSON:
		return as_json(s);
	}
	return STR("");
}
