#include "stage.h"

#include "limits.h"

#include <stdint.h>

/* Every number of a summary, in the order in which it is kept. */
static size_t *summary_number(struct collect_summary *s, size_t i)
{
	size_t *const numbers[] = { &s->files,    &s->files_refused, &s->rows,
				    &s->accepted, &s->rejected,      &s->set_aside,
				    &s->cells,    &s->machines,      &s->devices };

	return i < LEN(numbers) ? numbers[i] : NULL;
}

static void unpack_messages(struct unpack *u, struct messages *m)
{
	size_t n = unpack_count(u);

	/* four bytes may say that there is one, and one takes a hundred here */
	u->bad = u->bad || n > LIMIT_MESSAGES;
	for (size_t i = 0; i < n && !u->bad; i++) {
		struct str file = unpack_str(u);
		struct pos pos = { file.len ? str_c(m->arena, file) : NULL, 0, 0 };
		pos.line = (int)unpack_int(u);
		pos.col = (int)unpack_int(u);
		struct str text = unpack_str(u);
		messages_add(m, pos, STR_FMT, STR_ARG(text));
	}
}

bool stage_pack(struct strbuf *b, const struct messages *m, size_t first,
		const struct collect_summary *summary, struct error *err)
{
	struct collect_summary copy = *summary;
	bool good = m->n - first <= LIMIT_MESSAGES;
	size_t end = good ? m->n : first;

	for (size_t i = 0; summary_number(&copy, i); i++)
		pack_put_int(b, (long long)*summary_number(&copy, i));
	pack_put_int(b, (long long)(end - first));
	for (size_t i = first; i < end; i++) {
		pack_put_str(b, str_of(m->v[i].pos.file ? m->v[i].pos.file : ""));
		pack_put_int(b, m->v[i].pos.line);
		pack_put_int(b, m->v[i].pos.col);
		pack_put_str(b, m->v[i].text);
	}
	return good
	       || error_set(err, ERR_RANGE,
			    "collect: %zu messages, at most %d in one run: leave out the "
			    "contributions at fault",
			    m->n - first, LIMIT_MESSAGES);
}

void stage_unpack(struct unpack *u, struct messages *m, struct collect_summary *summary)
{
	for (size_t i = 0; summary_number(summary, i); i++)
		*summary_number(summary, i) = unpack_index(u, SIZE_MAX);
	unpack_messages(u, m);
}
