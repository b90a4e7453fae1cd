#include "memory_out.h"
#include "json_out.h"

#include "../base/csv_write.h"
#include "../base/num.h"

#include <math.h>
#include <stdlib.h>

static int by_gb(const void *x, const void *y)
{
	const struct memory_group *a = x, *b = y;

	return (a->memory_gb > b->memory_gb) - (a->memory_gb < b->memory_gb);
}

void memory_groups(const struct memory_catalogue *c, double card_gb, struct arena *a,
		   struct memory_group **groups, size_t *n)
{
	struct memory_group *v = arena_array(a, c->devices->n, sizeof *v);

	*n = 0;
	for (size_t i = 0; i < c->devices->n; i++) {
		double gb = memory_device_gb(c->settings, &c->devices->v[i]);
		size_t g = 0;

		if (!(gb >= card_gb))
			continue;
		while (g < *n && v[g].memory_gb != gb)
			g++;
		if (g == *n)
			v[(*n)++] = (struct memory_group){
				gb, arena_array(a, c->devices->n, sizeof(size_t)), 0
			};
		v[g].devices[v[g].n++] = i;
	}
	if (*n)
		qsort(v, *n, sizeof *v, by_gb);
	*groups = v;
}

static double mib(double bytes)
{
	return bytes / MEMORY_MIB;
}

/* The words of `text` in lines of at most WIDTH bytes, each from column `indent` on. */
enum { WIDTH = 96 };

static void wrapped(struct strbuf *b, struct str text, size_t indent)
{
	size_t at = indent;
	struct str word;

	for (bool first = true; str_cut(&text, ' ', &word); first = false) {
		bool fits = at + 1 + word.len <= WIDTH;

		if (!first && fits)
			strbuf_addc(b, ' ');
		else if (!first)
			strbuf_printf(b, "\n%*s", (int)indent, "");
		at = first || fits ? at + !first + word.len : indent + word.len;
		strbuf_add(b, word);
	}
	strbuf_addc(b, '\n');
}

static void text_parts(struct strbuf *b, const struct memory_answer *m)
{
	struct arena *a = b->arena;

	for (size_t i = 0; i < m->need.n; i++) {
		struct str name = str_plain(a, m->need.parts[i].name);
		strbuf_printf(b, "  %-48.*s %12.1f MiB  %5.1f %%\n", STR_ARG(name),
			      mib(m->need.parts[i].bytes),
			      100 * m->need.parts[i].bytes / m->need.total_bytes);
	}
	strbuf_printf(b, "  %-48s %12.1f MiB  = %.2f GiB\n", "total", mib(m->need.total_bytes),
		      m->need.total_bytes / MEMORY_GIB);
}

static void text_asked(struct strbuf *b, const struct memory_answer *m)
{
	struct str gb = num_shortest(b->arena, m->asked_gb);

	if (isnan(m->asked_gb))
		return;
	if (m->asked.len)
		strbuf_printf(b, STR_FMT " (" STR_FMT " GB)", STR_ARG(m->asked), STR_ARG(gb));
	else
		strbuf_printf(b, "A card of " STR_FMT " GB", STR_ARG(gb));
	strbuf_printf(b, " %s it; ", m->asked_gb >= m->card_gb ? "holds" : "does not hold");
	if (m->largest_batch >= 1)
		strbuf_printf(b, "the largest batch that fits is %.0f.\n", m->largest_batch);
	else
		strbuf_printf(b, "not even a batch of 1 fits.\n");
}

static void text_cards(struct strbuf *b, const struct memory_answer *m,
		       const struct memory_catalogue *c)
{
	struct memory_group *groups;
	size_t n;

	memory_groups(c, m->card_gb, b->arena, &groups, &n);
	if (n == 0) {
		strbuf_add(b, STR("No card of the catalogue holds it.\n"));
		return;
	}
	strbuf_add(b, STR("Cards that hold it, smallest first:\n"));
	for (size_t i = 0; i < n; i++) {
		const struct memory_group *g = &groups[i];
		struct str gb = num_shortest(b->arena, g->memory_gb);

		strbuf_printf(b, "%8s GB  ", str_c(b->arena, gb));
		wrapped(b, device_names(c->devices, g->devices, g->n, b->arena), 13);
	}
}

static void text_answer(struct strbuf *b, const struct memory_answer *m,
			const struct memory_catalogue *c)
{
	struct arena *a = b->arena;
	struct str title = str_plain(a, m->network->title);

	strbuf_printf(b, STR_FMT ": " STR_FMT " parameters\n", STR_ARG(title),
		      STR_ARG(num_grouped(a, m->network->parameters, 0)));
	strbuf_printf(b, "%s in " STR_FMT ", batch %.0f", str_c(a, memory_mode_name(m->mode)),
		      STR_ARG(m->precision->name), m->batch);
	if (m->mode != MEMORY_INFERENCE)
		strbuf_printf(b, ", optimizer " STR_FMT,
			      STR_ARG(optimizer_name(m->network->optimizer)));
	strbuf_add(b, STR("\n\n"));
	text_parts(b, m);
	strbuf_printf(b, "\nIt needs a card of %.2f GB.\n", m->card_gb);
	text_asked(b, m);
	if (m->asked.len == 0)
		text_cards(b, m, c);
	strbuf_add(b, STR("\n"));
	for (size_t i = 0; i < m->nnotes; i++) {
		strbuf_add(b, STR("- "));
		wrapped(b, str_plain(a, m->notes[i]), 2);
	}
}

static void put_row(struct csv_out *w, const struct memory_answer *m, struct str part, double bytes,
		    bool total)
{
	csv_put(w, m->network->name);
	csv_put(w, memory_mode_name(m->mode));
	csv_put(w, m->precision->name);
	csv_put_num(w, m->batch);
	csv_put(w, part);
	csv_put_num(w, mib(bytes));
	csv_put_num(w, total ? m->asked_gb : NAN);
	csv_put(w, !total || isnan(m->asked_gb) ? STR("")
		   : m->asked_gb >= m->card_gb  ? STR("yes")
						: STR("no"));
	csv_put_num(w, total && !isnan(m->asked_gb) ? m->largest_batch : NAN);
	csv_end_row(w);
}

static struct str csv_answers(const struct memory_answer *v, size_t n, struct arena *a)
{
	struct csv_out w = { .buf.arena = a };

	strbuf_add(
	    &w.buf,
	    STR("network,mode,precision,batch_size,part,mib,memory_gb,fits,largest_batch\n"));
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < v[i].need.n; k++)
			put_row(&w, &v[i], v[i].need.parts[k].name, v[i].need.parts[k].bytes,
				false);
		put_row(&w, &v[i], STR("total"), v[i].need.total_bytes, true);
	}
	return strbuf_str(&w.buf);
}

static void json_parts(struct strbuf *b, const struct memory_answer *m)
{
	json_out_begin(b, "parts", '[');
	for (size_t i = 0; i < m->need.n; i++) {
		json_out_begin(b, NULL, '{');
		json_out_text(b, "part", m->need.parts[i].name);
		json_out_number(b, "mib", mib(m->need.parts[i].bytes));
		json_out_end(b, '{');
	}
	json_out_end(b, '[');
}

static void json_asked(struct strbuf *b, const struct memory_answer *m)
{
	if (isnan(m->asked_gb)) {
		json_out_null(b, "asked");
		return;
	}
	json_out_begin(b, "asked", '{');
	json_out_known(b, "device", m->asked);
	json_out_number(b, "memory_gb", m->asked_gb);
	json_out_bool(b, "fits", m->asked_gb >= m->card_gb);
	json_out_number(b, "largest_batch", m->largest_batch);
	json_out_end(b, '{');
}

static void json_cards(struct strbuf *b, const struct memory_answer *m,
		       const struct memory_catalogue *c)
{
	struct memory_group *groups;
	size_t n;

	memory_groups(c, m->card_gb, b->arena, &groups, &n);
	json_out_begin(b, "cards", '[');
	for (size_t i = 0; i < n; i++) {
		json_out_begin(b, NULL, '{');
		json_out_number(b, "memory_gb", groups[i].memory_gb);
		json_out_begin(b, "devices", '[');
		for (size_t k = 0; k < groups[i].n; k++)
			json_out_text(b, NULL, c->devices->v[groups[i].devices[k]].name);
		json_out_end(b, '[');
		json_out_end(b, '{');
	}
	json_out_end(b, '[');
}

static void json_answer(struct strbuf *b, const struct memory_answer *m,
			const struct memory_catalogue *c)
{
	double wide_gib = m->wide_bytes / MEMORY_GIB;

	json_out_begin(b, NULL, '{');
	json_out_text(b, "network", m->network->name);
	json_out_text(b, "title", m->network->title);
	json_out_text(b, "source", m->network->source);
	json_out_number(b, "parameters", m->network->parameters);
	json_out_text(b, "mode", memory_mode_name(m->mode));
	json_out_text(b, "precision", m->precision->name);
	json_out_number(b, "batch_size", m->batch);
	json_parts(b, m);
	json_out_number(b, "total_gib", m->need.total_bytes / MEMORY_GIB);
	json_out_number(b, "card_gb", m->card_gb);
	json_out_number(b, "fp32_gib", wide_gib);
	json_out_number(b, "fp16_gib_by_guide_factor", wide_gib / MEMORY_16_BIT_GUIDE);
	json_out_number(b, "fp16_gib_by_ideal_factor", wide_gib / MEMORY_16_BIT_IDEAL);
	json_asked(b, m);
	json_cards(b, m, c);
	json_out_begin(b, "notes", '[');
	for (size_t i = 0; i < m->nnotes; i++)
		json_out_text(b, NULL, m->notes[i]);
	json_out_end(b, '[');
	json_out_end(b, '{');
}

struct str memory_answers_format(const struct memory_answer *v, size_t n,
				 const struct memory_catalogue *c, enum output_format format,
				 struct arena *a)
{
	struct strbuf b = { .arena = a };

	switch (format) {
	case FORMAT_CSV:
		return csv_answers(v, n, a);
	case FORMAT_JSON:
		json_out_begin(&b, NULL, '[');
		for (size_t i = 0; i < n; i++)
			json_answer(&b, &v[i], c);
		json_out_end(&b, '[');
		strbuf_addc(&b, '\n');
		break;
	case FORMAT_TEXT:
		for (size_t i = 0; i < n; i++) {
			strbuf_add(&b, i ? STR("\n") : STR(""));
			text_answer(&b, &v[i], c);
		}
		break;
	}
	return strbuf_str(&b);
}

static void text_list(struct strbuf *b, const struct networks *n)
{
	struct arena *a = b->arena;

	for (size_t i = 0; i < n->n; i++) {
		const struct network *w = &n->v[i];

		strbuf_printf(b, "%-22.*s %16s  %-12.*s " STR_FMT "\n",
			      STR_ARG(str_plain(a, w->name)),
			      str_c(a, num_grouped(a, w->parameters, 0)),
			      STR_ARG(class_name(w->class)), STR_ARG(str_plain(a, w->title)));
	}
}

static struct str csv_list(const struct networks *n, struct arena *a)
{
	struct csv_out w = { .buf.arena = a };

	strbuf_add(&w.buf, STR("network,title,kind,class,parameters,batch_size,date,source\n"));
	for (size_t i = 0; i < n->n; i++) {
		csv_put(&w, n->v[i].name);
		csv_put(&w, n->v[i].title);
		csv_put(&w, network_kind_name(n->v[i].kind));
		csv_put(&w, class_name(n->v[i].class));
		csv_put_num(&w, n->v[i].parameters);
		csv_put_num(&w, n->v[i].batch_size);
		csv_put_date(&w, n->v[i].date);
		csv_put(&w, n->v[i].source);
		csv_end_row(&w);
	}
	return strbuf_str(&w.buf);
}

static void json_list(struct strbuf *b, const struct networks *n)
{
	json_out_begin(b, NULL, '[');
	for (size_t i = 0; i < n->n; i++) {
		json_out_begin(b, NULL, '{');
		json_out_text(b, "network", n->v[i].name);
		json_out_text(b, "title", n->v[i].title);
		json_out_text(b, "kind", network_kind_name(n->v[i].kind));
		json_out_text(b, "class", class_name(n->v[i].class));
		json_out_number(b, "parameters", n->v[i].parameters);
		json_out_number(b, "batch_size", n->v[i].batch_size);
		json_out_text(b, "date", date_iso(b->arena, n->v[i].date));
		json_out_text(b, "source", n->v[i].source);
		json_out_end(b, '{');
	}
	json_out_end(b, '[');
	strbuf_addc(b, '\n');
}

struct str memory_list_format(const struct networks *n, enum output_format format, struct arena *a)
{
	struct strbuf b = { .arena = a };

	switch (format) {
	case FORMAT_CSV:
		return csv_list(n, a);
	case FORMAT_JSON:
		json_list(&b, n);
		break;
	case FORMAT_TEXT:
		text_list(&b, n);
		break;
	}
	return strbuf_str(&b);
}
