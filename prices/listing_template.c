#include "listing_template.h"

static const struct str slug_word = STR_INIT("slug ");

/* A piece of a template: the text before a field, and the field's own (empty at the end). */
struct piece {
	struct str before, field;
	bool slug;
};

static bool next_piece(struct str *rest, struct piece *out)
{
	if (rest->len == 0)
		return false;
	size_t open = str_find(*rest, STR("{"), 0), close = str_find(*rest, STR("}"), open);

	*out = (struct piece){ .before = str_slice(*rest, 0, open) };
	if (open < rest->len) {
		out->field = str_trim(str_slice(*rest, open + 1, close));
		out->slug = str_starts(out->field, slug_word);
		if (out->slug)
			out->field = str_trim(str_slice(out->field, slug_word.len, out->field.len));
	}
	*rest = str_slice(*rest, close + 1, rest->len);
	return true;
}

struct cell listing_cell(const struct csv_table *t, const struct csv_row *row,
			 const struct str *columns, size_t n)
{
	struct cell empty = csv_cell(t, row, -1);
	bool found = false;

	for (size_t i = 0; i < n; i++) {
		int col = csv_column(t, columns[i]);
		struct cell c = csv_cell(t, row, col);

		if (col < 0)
			continue;
		if (c.text.len)
			return c;
		if (!found)
			empty = c;
		found = true;
	}
	return empty;
}

static const struct {
	struct str name;
	size_t offset; /* in struct template_row */
} specials[] = {
	{ STR_INIT("@name"), offsetof(struct template_row, name) },
	{ STR_INIT("@market"), offsetof(struct template_row, market) },
	{ STR_INIT("@source"), offsetof(struct template_row, source) },
};

static bool find_special(struct str item, size_t *offset)
{
	for (size_t i = 0; i < LEN(specials); i++)
		if (str_eq(specials[i].name, item)) {
			*offset = specials[i].offset;
			return true;
		}
	return false;
}

bool listing_template_check(struct str text, struct pos pos, const struct csv_table *t,
			    struct error *err)
{
	struct str rest = text;
	struct piece p;

	while (next_piece(&rest, &p)) {
		struct str items = p.field, item;
		bool known = p.field.len == 0;
		size_t offset;

		while (!known && str_cut(&items, '|', &item))
			known = find_special(str_trim(item), &offset)
				|| csv_column(t, str_trim(item)) >= 0;
		if (!known)
			return error_at(err, ERR_DATA, pos, "'{" STR_FMT "}' is no column of %s",
					STR_ARG(p.field), t->file);
	}
	return true;
}

static struct str fill_field(struct str field, const struct template_row *r)
{
	struct str items = field, item;

	while (str_cut(&items, '|', &item)) {
		size_t offset;
		struct str text;

		item = str_trim(item);
		text = find_special(item, &offset)
			   ? *(const struct str *)(const void *)((const char *)r + offset)
			   : csv_cell(r->table, r->row, csv_column(r->table, item)).text;
		if (text.len)
			return text;
	}
	return STR("");
}

struct str listing_slug(struct str s, struct arena *a)
{
	struct strbuf b = { .arena = a };

	for (size_t i = 0; i < s.len; i++) {
		char c = s.p[i];
		bool upper = c >= 'A' && c <= 'Z';

		if (upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
			strbuf_addc(&b, upper ? (char)(c - 'A' + 'a') : c);
		else if (b.len && b.p[b.len - 1] != '-')
			strbuf_addc(&b, '-');
	}
	while (b.len && b.p[b.len - 1] == '-')
		b.len--;
	return strbuf_str(&b);
}

struct str listing_template_fill(struct str text, const struct template_row *r, struct arena *a)
{
	struct strbuf b = { .arena = a };
	struct str rest = text;
	struct piece p;

	while (next_piece(&rest, &p)) {
		struct str value = p.field.len ? fill_field(p.field, r) : STR("");

		strbuf_add(&b, p.before);
		strbuf_add(&b, p.slug ? listing_slug(value, a) : value);
	}
	return str_trim(strbuf_str(&b));
}

bool listing_template_has(struct str text, struct str field)
{
	struct str rest = text;
	struct piece p;

	while (next_piece(&rest, &p)) {
		struct str items = p.field, item;

		while (p.field.len && str_cut(&items, '|', &item))
			if (str_eq(str_trim(item), field))
				return true;
	}
	return false;
}
