#include "prices_check_out.h"

#include "json_out.h"
#include "terminal.h"

#include "../base/csv_write.h"
#include "../base/num.h"

#include <limits.h>
#include <math.h>

enum { LINES_MAX = 12 };

/* How the findings of a kind stand in the text: one a line, or those with the same date and markets
 * on one. */
enum layout { EACH, BY_DATE, BY_MARKET, NAMES };

static const struct {
	const char *one, *many; /* behind the count */
	enum layout layout;
} words[CHECK_KIND_COUNT] = {
	[CHECK_FAULT] = { "row was refused: mend it", "rows were refused: mend them", EACH },
	[CHECK_JUMP] = { "jump of more than 30 %: look it up, then mend the row or --accept it",
			 "jumps of more than 30 %: look them up, then mend the rows or --accept "
			 "them",
			 EACH },
	[CHECK_UNUSUAL] = { "card costs more than 1.5 x the median of its year before",
			    "cards cost more than 1.5 x the median of their year before", EACH },
	[CHECK_STALE] = { "price in use is stale", "prices in use are stale", BY_DATE },
	[CHECK_MISSING] = { "card without any price", "cards without any price", NAMES },
	[CHECK_LAPSED] = { "card whose prices are all too old to be used",
			   "cards whose prices are all too old to be used", BY_DATE },
	[CHECK_OLD_JUMP] = { "jump too old to be looked up", "jumps too old to be looked up",
			     BY_DATE },
	[CHECK_SINGLE_SOURCE] = { "card priced by one market only",
				  "cards priced by one market only", BY_MARKET },
	[CHECK_FEW_LISTINGS] = { "card priced by fewer than 3 listings",
				 "cards priced by fewer than 3 listings", BY_MARKET },
};

static struct str name_of(const struct prices_check_said *s, const struct price_finding *f)
{
	return f->device < s->view->devices->n ? s->view->devices->v[f->device].name : STR("");
}

static struct str money(struct arena *a, double usd)
{
	return num_grouped(a, usd, usd < 10 ? 4 : 2);
}

static void text_head(struct strbuf *b, const struct prices_check_said *s)
{
	const struct edition *e = s->view->edition;
	struct arena *a = b->arena;
	struct strbuf line = { .arena = a };

	if (!s->cards) {
		strbuf_printf(b, "%zu prices in the files named.\n", s->rows);
		return;
	}
	strbuf_printf(&line, "%zu prices on " STR_FMT ", edition " STR_FMT ": markets", s->rows,
		      STR_ARG(date_iso(a, e->date)), STR_ARG(e->name));
	for (size_t i = 0; i < e->markets.n; i++)
		strbuf_printf(&line, "%s " STR_FMT, i ? "," : "", STR_ARG(e->markets.v[i]));
	strbuf_printf(&line, "; stale after %d days, not used after %d.", e->stale_days,
		      e->drop_days);
	terminal_wrap(b, strbuf_str(&line), 0, 0, s->width);
}

static void text_counts(struct strbuf *b, const struct prices_check_said *s)
{
	for (size_t k = 0; k < CHECK_KIND_COUNT; k++) {
		size_t n = s->check->of_kind[k];

		if (n)
			strbuf_printf(b, "%5zu  " STR_FMT "\n", n,
				      STR_ARG(price_check_kind_name((enum price_check_kind)k)));
	}
	if (s->check->accepted)
		strbuf_printf(b, "%5zu  jump%s accepted (data/price_accepted.csv)\n",
			      s->check->accepted, s->check->accepted == 1 ? "" : "s");
	if (s->added)
		strbuf_printf(b, "%5zu  decision%s written now\n", s->added,
			      s->added == 1 ? "" : "s");
	if (s->check->decisions)
		strbuf_printf(b, "%zu %s a decision.\n", s->check->decisions,
			      s->check->decisions == 1 ? "finding needs" : "findings need");
	else
		strbuf_add(b, STR("Nothing needs a decision.\n"));
}

/* "RTX 2080  amazon new  775.00 2025-04-25 -> 442.78 2025-05-08  -42.9 %", then its place. */
static void text_each(struct strbuf *b, const struct prices_check_said *s,
		      const struct price_finding *f)
{
	struct arena *a = b->arena;
	struct strbuf line = { .arena = a };

	if (f->pos.file)
		strbuf_printf(&line, "%s:%d: ", f->pos.file, f->pos.line);
	if (f->kind == CHECK_FAULT) {
		strbuf_add(&line, f->text);
	} else {
		strbuf_printf(&line, STR_FMT ", " STR_FMT, STR_ARG(name_of(s, f)),
			      STR_ARG(f->market));
		if (f->condition.len)
			strbuf_printf(&line, " " STR_FMT, STR_ARG(f->condition));
		if (f->stat.len)
			strbuf_printf(&line, " " STR_FMT, STR_ARG(f->stat));
		strbuf_printf(&line, ": " STR_FMT "\u00a0USD", STR_ARG(money(a, f->before_usd)));
		if (f->before.day != INT_MIN)
			strbuf_printf(&line, " on " STR_FMT, STR_ARG(date_iso(a, f->before)));
		else
			strbuf_add(&line, STR(" usually"));
		strbuf_printf(&line, ", " STR_FMT "\u00a0USD on " STR_FMT " (%+.0f\u00a0%%)",
			      STR_ARG(money(a, f->price_usd)), STR_ARG(date_iso(a, f->date)),
			      f->change_pct);
	}
	strbuf_add(b, STR("  "));
	terminal_wrap(b, strbuf_str(&line), 2, 6, s->width);
}

static bool same_line(const struct price_finding *x, const struct price_finding *y,
		      enum layout layout)
{
	if (layout == EACH)
		return false;
	return layout == NAMES
	       || (str_eq(x->market, y->market) && str_eq(x->condition, y->condition)
		   && (layout == BY_MARKET || x->date.day == y->date.day));
}

/* A name that is kept on one line, and how far it jumped. */
static void add_name(struct strbuf *line, const struct prices_check_said *s,
		     const struct price_finding *f, bool first)
{
	struct str name = name_of(s, f);

	if (!first)
		strbuf_add(line, STR(", "));
	for (size_t i = 0; i < name.len; i++) {
		if (name.p[i] == ' ')
			strbuf_add(line, STR("\u00a0"));
		else
			strbuf_addc(line, name.p[i]);
	}
	if (f->kind == CHECK_OLD_JUMP)
		strbuf_printf(line, "\u00a0(%+.0f\u00a0%%)", f->change_pct);
}

static void text_group(struct strbuf *b, const struct prices_check_said *s, size_t from, size_t to,
		       bool *done)
{
	const struct price_finding *v = s->check->v, *f = &v[from];
	enum layout layout = words[f->kind].layout;
	struct strbuf line = { .arena = b->arena };

	if (layout == BY_DATE && f->date.day != INT_MIN)
		strbuf_printf(&line, STR_FMT " (%d days) ", STR_ARG(date_iso(b->arena, f->date)),
			      f->age_days);
	if (layout != NAMES)
		strbuf_printf(&line, STR_FMT "%s: ", STR_ARG(f->market),
			      f->condition.len && f->kind == CHECK_STALE ? " (rent)" : "");
	for (size_t i = from, n = 0; i < to; i++) {
		if (done[i] || !(i == from || same_line(f, &v[i], layout)))
			continue;
		add_name(&line, s, &v[i], n++ == 0);
		done[i] = true;
	}
	strbuf_add(b, STR("  "));
	terminal_wrap(b, strbuf_str(&line), 2, 6, s->width);
}

/* Findings [from, to) are of one kind. */
static void text_kind(struct strbuf *b, const struct prices_check_said *s, size_t from, size_t to)
{
	const struct price_finding *f = &s->check->v[from];
	bool *done = arena_array(b->arena, to, sizeof *done);
	size_t lines = 0, left = 0;

	strbuf_printf(b, "\n%zu %s\n", to - from,
		      to - from == 1 ? words[f->kind].one : words[f->kind].many);
	for (size_t i = from; i < to; i++) {
		if (done[i])
			continue;
		if (lines++ >= LINES_MAX)
			left++;
		else if (words[f->kind].layout == EACH)
			text_each(b, s, &s->check->v[i]);
		else
			text_group(b, s, i, to, done);
	}
	if (left)
		strbuf_printf(b, "  … and %zu more; --format csv lists all\n", left);
}

static struct str as_text(const struct prices_check_said *s, struct arena *a)
{
	const struct price_check *c = s->check;
	struct strbuf b = { .arena = a };

	if (!s->decisions_only) {
		text_head(&b, s);
		text_counts(&b, s);
	}
	for (size_t from = 0, to; from < c->n; from = to) {
		for (to = from; to < c->n && c->v[to].kind == c->v[from].kind
				&& c->v[to].severity == c->v[from].severity;)
			to++;
		if (!s->decisions_only || c->v[from].severity == CHECK_DECISION)
			text_kind(&b, s, from, to);
	}
	return strbuf_str(&b);
}

static const char *const columns[] = {
	"severity",   "kind",     "device",    "market",      "condition",
	"stat",       "date",     "price_usd", "before_date", "before_usd",
	"change_pct", "age_days", "file",      "line",        "text",
};

/* Percents come from a division; a millionth is finer than any price. */
static double rounded_pct(double v)
{
	return isnan(v) ? v : round(v * 1e6) / 1e6;
}

static void csv_finding(struct csv_out *w, const struct prices_check_said *s,
			const struct price_finding *f)
{
	struct arena *a = w->buf.arena;

	csv_put(w, price_check_severity_name(f->severity));
	csv_put(w, price_check_kind_name(f->kind));
	csv_put(w, str_plain(a, name_of(s, f)));
	csv_put(w, str_plain(a, f->market));
	csv_put(w, f->condition);
	csv_put(w, f->stat);
	csv_put_date(w, f->date);
	csv_put_num(w, f->price_usd);
	csv_put_date(w, f->before);
	csv_put_num(w, f->before_usd);
	csv_put_num(w, rounded_pct(f->change_pct));
	csv_put_num(w, f->age_days < 0 ? (double)NAN : f->age_days);
	csv_put(w, str_plain(a, str_of(f->pos.file ? f->pos.file : "")));
	csv_put_num(w, f->pos.line > 0 ? f->pos.line : (double)NAN);
	csv_put(w, str_plain(a, f->text));
	csv_end_row(w);
}

static struct str as_csv(const struct prices_check_said *s, struct arena *a)
{
	struct csv_out w = { .buf.arena = a };

	for (size_t i = 0; i < LEN(columns); i++)
		csv_put(&w, str_of(columns[i]));
	csv_end_row(&w);
	for (size_t i = 0; i < s->check->n; i++)
		csv_finding(&w, s, &s->check->v[i]);
	return strbuf_str(&w.buf);
}

static void json_date(struct strbuf *b, const char *key, struct date d)
{
	json_out_known(b, key, d.day == INT_MIN ? STR("") : date_iso(b->arena, d));
}

static void json_finding(struct strbuf *b, const struct prices_check_said *s,
			 const struct price_finding *f)
{
	json_out_begin(b, NULL, '{');
	json_out_text(b, "severity", price_check_severity_name(f->severity));
	json_out_text(b, "kind", price_check_kind_name(f->kind));
	json_out_known(b, "device", name_of(s, f));
	json_out_known(b, "market", f->market);
	json_out_known(b, "condition", f->condition);
	json_out_known(b, "stat", f->stat);
	json_date(b, "date", f->date);
	json_out_number(b, "price_usd", f->price_usd);
	json_date(b, "before_date", f->before);
	json_out_number(b, "before_usd", f->before_usd);
	json_out_number(b, "change_pct", rounded_pct(f->change_pct));
	json_out_number(b, "age_days", f->age_days < 0 ? (double)NAN : f->age_days);
	json_out_known(b, "file", str_of(f->pos.file ? f->pos.file : ""));
	json_out_number(b, "line", f->pos.line > 0 ? f->pos.line : (double)NAN);
	json_out_known(b, "text", f->text);
	json_out_end(b, '{');
}

static struct str as_json(const struct prices_check_said *s, struct arena *a)
{
	struct strbuf b = { .arena = a };

	json_out_begin(&b, NULL, '{');
	json_date(&b, "date", s->view->edition->date);
	json_out_text(&b, "edition", s->view->edition->name);
	json_out_number(&b, "rows", (double)s->rows);
	json_out_number(&b, "decisions", (double)s->check->decisions);
	json_out_number(&b, "accepted", (double)s->check->accepted);
	json_out_begin(&b, "findings", '[');
	for (size_t i = 0; i < s->check->n; i++)
		json_finding(&b, s, &s->check->v[i]);
	json_out_end(&b, '[');
	json_out_end(&b, '{');
	strbuf_addc(&b, '\n');
	return strbuf_str(&b);
}

struct str prices_check_format(const struct prices_check_said *s, enum output_format format,
			      struct arena *a)
{
	static struct str (*const formats[])(const struct prices_check_said *, struct arena *) = {
		[FORMAT_TEXT] = as_text, [FORMAT_CSV] = as_csv, [FORMAT_JSON] = as_json,
	};

	return formats[format](s, a);
}
