/* What one file gave, as bytes for the cache. */
#include "parsed.h"

#include "../base/pack.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>

/* --- to bytes --- */

/* What the rows of a group share, with the names written out: their numbers are those of this
 * reading. */
static void pack_key(struct strbuf *b, const struct file_names *names, const struct row *r)
{
	const int numbers[] = { (int)r->device, (int)r->workload, r->device_count };

	for (size_t i = 0; i < LEN(numbers); i++)
		pack_put_int(b, numbers[i]);
	pack_put_str(b, names->machines.v[r->machine]);
	pack_put_str(b, names->precisions.v[r->precision]);
	pack_put_str(b, names->frameworks.v[r->framework]);
	pack_put_str(b, names->sources.v[r->source]);
}

/* Lines and days by what they differ from those before. */
static bool pack_items(struct strbuf *b, const struct collection *c, struct group *g)
{
	struct error ignored = { 0 };
	struct item before = { 0, 0, 0 };
	struct group_cursor cur = group_first(c, g);

	pack_put_int(b, (long long)g->n);
	while (group_next(&cur, &ignored))
		for (size_t i = 0; i < cur.n; i++) {
			pack_put_int(b, (long long)cur.v[i].line - before.line);
			pack_put_int(b, (long long)cur.v[i].day - before.day);
			pack_put_num(b, cur.v[i].value);
			before = cur.v[i];
		}
	return !cur.failed;
}

/* Messages of cells follow those of the file: "no row below the header", its last, has none
 * before. */
static void pack_words(struct strbuf *b, const struct collection *c, const struct parsed_mark *m)
{
	pack_put_int(b, (long long)(c->rejects.n - m->rejects));
	for (size_t i = m->rejects; i < c->rejects.n; i++) {
		const struct reject *r = &c->rejects.v[i];
		pack_put_int(b, r->line);
		pack_put_int(b, r->code);
		pack_put_str(b, r->column);
		pack_put_str(b, r->value);
		pack_put_str(b, r->reason);
	}
	size_t n = c->messages->n - m->messages, of_cells = c->inputs[m->file].messages;
	pack_put_int(b, (long long)n);
	pack_put_int(b, (long long)(n - of_cells));
	for (size_t i = m->messages; i < c->messages->n; i++) {
		const struct message *v = &c->messages->v[i];
		pack_put_int(b, v->pos.line);
		pack_put_int(b, v->pos.col);
		pack_put_str(b, v->text);
	}
}

struct str parsed_pack(const struct collection *c, const struct parsed_mark *m, struct arena *a)
{
	struct strbuf b = { .arena = a };
	const struct series_count *now = &c->counts[c->inputs[m->file].series];
	bool good = c->inputs[m->file].unlisted_cells.n == 0
		    && now->rows - m->count.rows <= PACK_ROWS_MAX;

	if (!good)
		return (struct str){ 0 };
	pack_put_int(&b, (long long)(c->ngroups - c->file_group0));
	for (size_t i = c->file_group0; i < c->ngroups && good; i++) {
		pack_key(&b, &c->file_names, &c->groups[i]->row);
		good = pack_items(&b, c, c->groups[i]);
	}
	pack_words(&b, c, m);
	pack_put_int(&b, (long long)(now->rows - m->count.rows));
	pack_put_int(&b, (long long)(now->rejected - m->count.rejected));
	pack_put_int(&b, (long long)(now->set_aside - m->count.set_aside));
	pack_put_int(&b, c->file_newest.day);
	pack_put_int(&b, (long long)(c->left_out - m->left_out));
	return good ? strbuf_str(&b) : (struct str){ 0 };
}

/* --- from bytes --- */

static struct memo_key *unpack_key(struct unpack *u, struct parsed *p)
{
	struct memo_key *key = arena_alloc(&p->arena, sizeof *key);

	key->file = SIZE_MAX;
	key->row.override = NO_OVERRIDE;
	key->row.device = (unsigned)unpack_index(u, p->one.devices->n);
	key->row.workload = (unsigned)unpack_index(u, p->one.workloads->n);
	key->row.device_count = (int)unpack_int(u);
	key->machine = unpack_str(u);
	key->precision = unpack_str(u);
	key->framework = unpack_str(u);
	key->source = unpack_str(u);
	return key;
}

/* A number by what it differs from the one before. */
static int unpack_step(struct unpack *u, int before)
{
	long long step = unpack_int(u);
	bool small = step >= -2LL * UINT_MAX && step <= 2LL * UINT_MAX;
	long long now = small ? before + step : LLONG_MAX;

	u->bad = u->bad || now < INT_MIN || now > INT_MAX;
	return u->bad ? 0 : (int)now;
}

/* Lines rise, and values are above 0: what is set aside is found by it. */
static void unpack_items(struct unpack *u, struct parsed *p, struct memo_key *key)
{
	struct item item = { 0, 0, 0 };
	size_t n = unpack_count(u);

	for (size_t i = 0; i < n && !u->bad; i++) {
		int line = unpack_step(u, item.line);
		u->bad = u->bad || line <= item.line;
		item.line = line;
		item.day = unpack_step(u, item.day);
		item.value = unpack_num(u);
		u->bad = u->bad || !(item.value > 0 && isfinite(item.value));
		if (!u->bad)
			parsed_add(p, key, &item);
	}
}

static void unpack_words(struct unpack *u, struct parsed *p)
{
	struct rejects *r = &p->one.rejects;

	r->cap = unpack_count(u);
	r->v = arena_array(r->arena, r->cap, sizeof *r->v);
	for (; r->n < r->cap && !u->bad; r->n++) {
		struct reject *v = &r->v[r->n];
		v->line = (int)unpack_int(u);
		v->code = (enum reject_code)unpack_index(u, REJECT_CODE_COUNT);
		v->column = unpack_str(u);
		v->value = unpack_str(u);
		v->reason = unpack_str(u);
		v->action = reject_action(v->code);
	}
	size_t n = unpack_count(u);
	p->said = unpack_index(u, n + 1);
	for (size_t i = 0; i < n && !u->bad; i++) {
		struct pos pos = { NULL, (int)unpack_int(u), 0 };
		pos.col = (int)unpack_int(u);
		struct str text = unpack_str(u);
		messages_add(&p->messages, pos, STR_FMT, STR_ARG(text));
	}
}

bool parsed_unpack(struct str packed, struct parsed *p)
{
	struct unpack u = { .rest = packed };
	struct series_count *count = p->one.counts;
	size_t groups = unpack_count(&u);

	for (size_t i = 0; i < groups && !u.bad; i++) {
		struct memo_key *key = unpack_key(&u, p);
		unpack_items(&u, p, key);
	}
	unpack_words(&u, p);
	count->rows = unpack_index(&u, SIZE_MAX);
	count->rejected = unpack_index(&u, SIZE_MAX);
	count->set_aside = unpack_index(&u, SIZE_MAX);
	count->newest_row.day = (int)unpack_int(&u);
	p->one.left_out = unpack_index(&u, SIZE_MAX);
	return unpack_end(&u);
}
