#include "csv_write.h"

#include "csv_guard.h"
#include "num.h"

#include <limits.h>
#include <math.h>

static void separate(struct csv_out *w)
{
	if (w->mid_row)
		strbuf_addc(&w->buf, ',');
	w->mid_row = true;
}

static bool wants_quotes(struct str text)
{
	bool quote = text.len && (text.p[0] == ' ' || text.p[text.len - 1] == ' ');

	for (size_t i = 0; !quote && i < text.len; i++)
		quote = text.p[i] == '"' || text.p[i] == ',' || text.p[i] == '\n'
			|| text.p[i] == '\r' || text.p[i] == ';' || text.p[i] == '\t';
	return quote;
}

void csv_put(struct csv_out *w, struct str text)
{
	bool guard = csv_guard_needed(text), quote = wants_quotes(text);

	separate(w);
	if (quote)
		strbuf_addc(&w->buf, '"');
	if (guard)
		strbuf_addc(&w->buf, '\'');
	for (size_t from = 0, at; from < text.len; from = at) {
		for (at = from; at < text.len && text.p[at] != '"' && text.p[at] != '\0'; at++)
			;
		strbuf_add(&w->buf, str_slice(text, from, at));
		if (at == text.len)
			break;
		/* no CSV can hold a NUL; left out, a formula behind it would begin the cell */
		strbuf_add(&w->buf, text.p[at++] ? STR("\"\"") : STR("\xEF\xBF\xBD"));
	}
	if (quote)
		strbuf_addc(&w->buf, '"');
}

void csv_put_num(struct csv_out *w, double v)
{
	separate(w);
	if (isfinite(v))
		strbuf_add(&w->buf, num_shortest(w->buf.arena, v));
}

void csv_put_int(struct csv_out *w, long v)
{
	char digits[24];
	size_t at = sizeof digits;
	unsigned long left = v < 0 ? 0 - (unsigned long)v : (unsigned long)v;

	do
		digits[--at] = (char)('0' + left % 10);
	while (left /= 10);
	if (v < 0)
		digits[--at] = '-';
	separate(w);
	strbuf_add(&w->buf, (struct str){ digits + at, sizeof digits - at });
}

void csv_put_date(struct csv_out *w, struct date d)
{
	separate(w);
	if (d.day != INT_MIN)
		strbuf_add(&w->buf, date_iso(w->buf.arena, d));
}

void csv_put_missing(struct csv_out *w)
{
	separate(w);
}

void csv_end_row(struct csv_out *w)
{
	strbuf_addc(&w->buf, '\n');
	w->mid_row = false;
}
