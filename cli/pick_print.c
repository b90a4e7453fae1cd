#include "pick_print.h"
#include "json_out.h"

#include "../analyze/pick_text.h"
#include "../base/num.h"

#include <math.h>
#include <stdint.h>

enum { COLUMNS = 80, LABEL_WIDTH = 14, NAMES_SHOWN = 3 };

struct printer {
	const struct readback *edition;
	const struct pick_input *in;
	const struct pick *pick;
	const struct text_english *english;
	struct arena *arena;
	struct strbuf out;
};

static struct str english(const struct printer *p, struct say s)
{
	return text_english(p->english, s);
}

/* Characters, not bytes. */
static size_t width_of(struct str s)
{
	size_t n = 0;

	for (size_t i = 0; i < s.len; i++)
		n += ((unsigned char)s.p[i] & 0xC0) != 0x80;
	return n;
}

static void indent(struct strbuf *b, size_t n)
{
	while (n--)
		strbuf_addc(b, ' ');
}

/* Adds the words of text from column `at` on, with line breaks; later lines begin at column `left`.
 */
static void wrap(struct printer *p, size_t at, size_t left, struct str text)
{
	struct str rest = str_plain(p->arena, text), word;
	bool first = true;

	while (str_cut(&rest, ' ', &word)) {
		size_t width = width_of(word);
		if (word.len == 0)
			continue;
		if (!first && at + 1 + width > COLUMNS) {
			strbuf_addc(&p->out, '\n');
			indent(&p->out, left);
			at = left;
		} else if (!first) {
			strbuf_addc(&p->out, ' ');
			at++;
		}
		strbuf_add(&p->out, word);
		at += width;
		first = false;
	}
	strbuf_addc(&p->out, '\n');
}

static void line(struct printer *p, struct str text)
{
	wrap(p, 0, 0, text);
}

/* "  why         most performance …"; nothing for empty text. */
static void labelled(struct printer *p, const char *label, struct str text)
{
	if (text.len == 0)
		return;
	indent(&p->out, 2);
	strbuf_add(&p->out, str_of(label));
	indent(&p->out, LABEL_WIDTH - 2 - str_of(label).len);
	wrap(p, LABEL_WIDTH, LABEL_WIDTH, text);
}

static const struct candidate *candidate_of(const struct pick *p, size_t device)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->v[i].device == device)
			return &p->v[i];
	return NULL;
}

static struct str device_name(const struct printer *p, size_t device)
{
	return p->in->devices->v[device].name;
}

static bool is_cloud(const struct pick *p)
{
	return str_eq(p->wish.lens, STR("cloud"));
}

static struct str money(const struct printer *p, double usd)
{
	return str_printf(p->arena, STR_FMT "%s", STR_ARG(pick_usd(p->arena, usd)),
			  is_cloud(p->pick) ? " an hour" : "");
}

/* "measured", or for a score of several classes and origins each by name: "cnn measured, llm scaled
 * from RTX 3090". */
static struct str origin_text(const struct printer *p, size_t device)
{
	const struct edition *e = p->in->edition;
	struct strbuf b = { .arena = p->arena };

	for (size_t i = 0; i < e->nclasses; i++) {
		const struct score *s = p->pick->wish.weights[e->classes[i].id] > 0
					    ? gates_class_score(p->in, device, e->classes[i].id)
					    : NULL;
		if (!s)
			continue;
		strbuf_printf(&b, "%s" STR_FMT " " STR_FMT, b.len ? ", " : "",
			      STR_ARG(class_title(s->class)), STR_ARG(origin_name(s->origin)));
		if (s->origin == ORIGIN_MEASURED)
			strbuf_printf(&b, " on %d machine%s", s->machines,
				      s->machines == 1 ? "" : "s");
		if (s->origin == ORIGIN_SCALED)
			strbuf_printf(&b, " from " STR_FMT " (" STR_FMT ")", STR_ARG(s->anchor),
				      STR_ARG(s->predictor));
	}
	return strbuf_str(&b);
}

static struct str score_text(const struct printer *p, const struct pick_row *r)
{
	struct arena *a = p->arena;
	struct str interval =
	    isnan(r->low) || isnan(r->high)
		? STR("")
		: str_printf(a, " (" STR_FMT " to " STR_FMT ")", STR_ARG(pick_figure(a, r->low)),
			     STR_ARG(pick_figure(a, r->high)));

	return str_printf(a, STR_FMT STR_FMT " times " STR_FMT "; " STR_FMT,
			  STR_ARG(pick_figure(a, r->score)), STR_ARG(interval),
			  STR_ARG(p->edition->edition.reference),
			  STR_ARG(origin_text(p, r->device)));
}

static struct str price_text(const struct printer *p, const struct pick_row *r)
{
	const struct candidate *c = candidate_of(p->pick, r->device);
	struct arena *a = p->arena;
	int gpus = p->pick->wish.gpus;

	if (!c || isnan(c->cost_usd))
		return STR("");
	return str_printf(
	    a,
	    STR_FMT "%s, lens " STR_FMT "; of " STR_FMT " (%d day%s before the edition)%s" STR_FMT,
	    STR_ARG(money(p, c->cost_usd)), gpus > 1 ? " each" : "", STR_ARG(p->pick->wish.lens),
	    STR_ARG(date_iso(a, c->price.newest_date)), c->price.age_days,
	    c->price.age_days == 1 ? "" : "s", c->price.flags ? "; " : "",
	    STR_ARG(price_flags_words(a, c->price.flags)));
}

static struct str runner_text(const struct printer *p, const struct pick_row *r)
{
	struct arena *a = p->arena;
	struct strbuf b = { .arena = a };

	if (r->runner_up == SIZE_MAX)
		return STR("none: no other card meets the wish");
	strbuf_add(&b, device_name(p, r->runner_up));
	if (!isnan(r->flips_below_usd))
		strbuf_printf(&b, "; it wins below " STR_FMT,
			      STR_ARG(money(p, r->flips_below_usd)));
	if (!isnan(r->flips_above_usd) && p->pick->wish.objective == OBJECTIVE_VALUE)
		strbuf_printf(&b, ", or when " STR_FMT " costs more than " STR_FMT,
			      STR_ARG(device_name(p, r->device)),
			      STR_ARG(money(p, r->flips_above_usd)));
	return strbuf_str(&b);
}

static void print_first(struct printer *p, const struct pick_row *r)
{
	bool found = p->pick->status == PICK_FOUND;

	labelled(p, "why", english(p, r->deciding));
	labelled(p, "score", score_text(p, r));
	labelled(p, "price", price_text(p, r));
	if (found)
		labelled(p, "runner-up", runner_text(p, r));
	if (found && p->pick->wish.objective == OBJECTIVE_SPEED && !isnan(r->flips_above_usd))
		labelled(p, "budget",
			 str_printf(p->arena, "a card leaves it above " STR_FMT,
				    STR_ARG(money(p, r->flips_above_usd))));
	labelled(p, found ? "note" : "must give", english(p, r->reason));
}

static struct str heading(const struct printer *p, const struct pick_row *r)
{
	int gpus = p->pick->wish.gpus;
	struct str count = gpus > 1 ? str_printf(p->arena, "%d x ", gpus) : STR("");

	return str_printf(p->arena, "%d. " STR_FMT STR_FMT " for " STR_FMT "%s", r->rank,
			  STR_ARG(count), STR_ARG(device_name(p, r->device)),
			  STR_ARG(money(p, r->cost_usd)),
			  r->tie ? " (tied with the one above)" : "");
}

static void print_rows(struct printer *p)
{
	for (size_t i = 0; i < p->pick->nrows; i++) {
		const struct pick_row *r = &p->pick->rows[i];

		if (r->device == SIZE_MAX || p->pick->status == PICK_KEEP) {
			line(p, english(p, r->reason));
			continue;
		}
		line(p, heading(p, r));
		if (i == 0 || p->pick->status == PICK_NEAREST)
			print_first(p, r);
		else
			labelled(p, "why", english(p, r->deciding));
	}
}

/* "too little memory: 12 (GTX 680, GTX 760, GTX 770, …)" */
static struct str removed_text(const struct printer *p, enum gate g, size_t count)
{
	struct strbuf b = { .arena = p->arena };
	size_t shown = 0;

	strbuf_printf(&b, "%zu (", count);
	for (size_t i = p->pick->nranked; i < p->pick->n && shown < NAMES_SHOWN; i++)
		if (candidate_first_gate(&p->pick->v[i]) == g)
			strbuf_printf(&b, "%s" STR_FMT, shown++ ? ", " : "",
				      STR_ARG(device_name(p, p->pick->v[i].device)));
	strbuf_add(&b, count > shown ? STR(", …)") : STR(")"));
	return strbuf_str(&b);
}

static void print_removed(struct printer *p)
{
	struct strbuf b = { .arena = p->arena };

	for (size_t g = 0; g < GATE_COUNT; g++) {
		size_t count = pick_removed_count(p->pick, (enum gate)g);
		if (count)
			strbuf_printf(&b, "%s" STR_FMT " " STR_FMT, b.len ? "; " : "",
				      STR_ARG(gate_name((enum gate)g)),
				      STR_ARG(removed_text(p, (enum gate)g, count)));
	}
	if (b.len)
		line(p, str_printf(
			    p->arena,
			    "Removed %zu of %zu cards, each by its first reason: " STR_FMT ".",
			    p->pick->n - p->pick->nranked, p->pick->n, STR_ARG(strbuf_str(&b))));
}

static const char *const openings[] = {
	[PICK_FOUND] = "",
	[PICK_KEEP] = "",
	[PICK_NEAREST] = "No card meets the wish. The nearest possible:",
	[PICK_NONE] = "There is no card to advise:",
};

struct str pick_print_text(const struct readback *edition, const struct pick_input *in,
			   const struct pick *pick, const struct text_english *e)
{
	struct arena *a = e->arena;
	struct printer p = { edition, in, pick, e, a, { .arena = a } };
	const struct persona *persona = pick->persona;

	line(&p, str_printf(a, "Edition " STR_FMT " (" STR_FMT "), prices up to " STR_FMT ".",
			    STR_ARG(edition->folder), STR_ARG(edition->edition.name),
			    STR_ARG(date_iso(a, edition->edition.date))));
	if (persona)
		line(&p, str_printf(a, STR_FMT ": " STR_FMT, STR_ARG(pick->wish.title),
				    STR_ARG(pick->wish.asks)));
	line(&p, str_printf(a, "Wanted: " STR_FMT ".", STR_ARG(english(&p, pick->rows[0].rule))));
	strbuf_addc(&p.out, '\n');
	if (*openings[pick->status])
		line(&p, str_of(openings[pick->status]));
	print_rows(&p);
	strbuf_addc(&p.out, '\n');
	print_removed(&p);
	return strbuf_str(&p.out);
}

static void json_device(struct printer *p, const char *name, size_t device)
{
	if (device != SIZE_MAX)
		json_out_text(&p->out, name, device_name(p, device));
	else
		json_out_null(&p->out, name);
}

static void json_wish(struct printer *p)
{
	const struct pick_wish *w = &p->pick->wish;
	struct strbuf *b = &p->out;

	json_out_begin(b, "wish", '{');
	json_out_known(b, "persona", p->pick->persona ? w->name : STR(""));
	json_out_text(b, "objective",
		      w->objective == OBJECTIVE_VALUE ? STR("value") : STR("speed"));
	json_out_begin(b, "classes", '{');
	for (size_t i = 0; i < CLASS_COUNT; i++)
		if (w->weights[i] > 0)
			json_out_number(b, str_c(p->arena, class_name((enum class_id)i)),
					w->weights[i]);
	json_out_end(b, '{');
	json_out_number(b, "budget_usd", w->budget_usd);
	json_out_number(b, "memory_gb", w->memory_gb);
	json_out_number(b, "gpus", w->gpus);
	json_out_text(b, "lens", w->lens);
	json_out_text(b, "condition", persona_condition_name(w->condition));
	json_out_bool(b, "data_center", w->data_center);
	json_out_end(b, '{');
}

static void json_row(struct printer *p, const struct pick_row *r)
{
	const struct candidate *c = candidate_of(p->pick, r->device);
	bool dated = c && c->price.price_usd > 0;
	struct strbuf *b = &p->out;

	json_out_begin(b, NULL, '{');
	json_out_number(b, "rank", r->rank);
	json_device(p, "device", r->device);
	json_out_number(b, "memory_gb", gates_memory_gb(p->in, r->device));
	json_out_number(b, "cost_usd", r->cost_usd);
	json_out_number(b, "score", r->score);
	json_out_number(b, "low", r->low);
	json_out_number(b, "high", r->high);
	json_out_text(b, "origin", origin_text(p, r->device));
	json_out_number(b, "price_usd", c ? c->cost_usd : NAN);
	json_out_known(b, "price_date",
		       dated ? date_iso(p->arena, c->price.newest_date) : STR(""));
	json_out_number(b, "price_age_days", dated ? (double)c->price.age_days : NAN);
	json_out_known(b, "price_status",
		       dated ? price_flags_text(p->arena, c->price.flags) : STR(""));
	json_out_text(b, "deciding", english(p, r->deciding));
	json_device(p, "runner_up", r->runner_up);
	json_out_number(b, "flips_below_usd", r->flips_below_usd);
	json_out_number(b, "flips_above_usd", r->flips_above_usd);
	json_out_bool(b, "tie", r->tie);
	json_out_text(b, "reason", english(p, r->reason));
	json_out_end(b, '{');
}

static void json_names(struct printer *p, const char *name, const size_t *devices, size_t n)
{
	json_out_begin(&p->out, name, '[');
	for (size_t i = 0; i < n; i++)
		json_device(p, NULL, devices[i]);
	json_out_end(&p->out, '[');
}

static void json_removed(struct printer *p)
{
	size_t *devices = arena_array(p->arena, p->pick->n, sizeof *devices);

	json_out_begin(&p->out, "removed", '[');
	for (size_t g = 0; g < GATE_COUNT; g++) {
		size_t n = 0;
		for (size_t i = p->pick->nranked; i < p->pick->n; i++)
			if (candidate_first_gate(&p->pick->v[i]) == g)
				devices[n++] = p->pick->v[i].device;
		if (n == 0)
			continue;
		json_out_begin(&p->out, NULL, '{');
		json_out_text(&p->out, "gate", gate_name((enum gate)g));
		json_names(p, "devices", devices, n);
		json_out_end(&p->out, '{');
	}
	json_out_end(&p->out, '[');
}

static void json_edition(struct printer *p)
{
	json_out_begin(&p->out, "edition", '{');
	json_out_text(&p->out, "folder", p->edition->folder);
	json_out_text(&p->out, "name", p->edition->edition.name);
	json_out_text(&p->out, "date", date_iso(p->arena, p->edition->edition.date));
	json_out_end(&p->out, '{');
}

struct str pick_print_json(const struct readback *edition, const struct pick_input *in,
			   const struct pick *pick, const struct text_english *e)
{
	struct arena *a = e->arena;
	struct printer p = { edition, in, pick, e, a, { .arena = a } };
	size_t ntied, *tied = pick_tied(pick, a, &ntied);
	bool none = pick->rows[0].device == SIZE_MAX;

	json_out_begin(&p.out, NULL, '{');
	json_edition(&p);
	json_wish(&p);
	json_out_text(&p.out, "status", pick_status_name(pick->status));
	json_out_text(&p.out, "rule", english(&p, pick->rows[0].rule));
	json_out_known(&p.out, "reason", none ? english(&p, pick->rows[0].reason) : STR(""));
	json_out_begin(&p.out, "picks", '[');
	for (size_t i = 0; i < pick->nrows; i++)
		if (pick->rows[i].device != SIZE_MAX)
			json_row(&p, &pick->rows[i]);
	json_out_end(&p.out, '[');
	json_names(&p, "tied", tied, ntied);
	json_removed(&p);
	json_out_end(&p.out, '{');
	strbuf_addc(&p.out, '\n');
	return strbuf_str(&p.out);
}
