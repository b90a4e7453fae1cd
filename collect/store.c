#include "store.h"

#include "input.h"
#include "limits.h"
#include "parallel.h"
#include "stage.h"
#include "../base/file.h"
#include "../base/pack.h"
#include "../base/sha256.h"

#include <stdint.h>
#include <string.h>

/* The formats of the two kinds of entries. */
static const char file_kind[] = "contribution 4", stage_kind[] = "collect 3";

/* The catalogue as it lies there; an absent file is another part than an empty one. */
static struct str hash_files(const struct collect_options *opt, const char *const *names, size_t n,
			     struct arena *a)
{
	struct arena scratch = { 0 };
	struct strbuf b = { .arena = &scratch };

	for (size_t i = 0; i < n; i++) {
		const char *path =
		    str_c(&scratch, file_join(&scratch, str_of(opt->data_dir), str_of(names[i])));
		struct error ignored = { 0 };
		struct str text;
		bool there = file_read(path, 0, &scratch, &text, &ignored);

		pack_put_int(&b, there);
		pack_put_str(&b, there ? text : STR(""));
	}
	struct str sum = file_sha256(a, strbuf_str(&b));
	arena_free(&scratch);
	return sum;
}

struct store_catalogue store_catalogue(const struct collect_options *opt, struct arena *a)
{
	static const char *const rows[] = { "devices.csv", "aliases.csv", "workloads.csv" };
	static const char *const stage[] = { "series.csv", "overrides.csv",
					     "contributors/allowed_signers" };

	if (!opt->cache)
		return (struct store_catalogue){ .rows = { 0 } };
	return (struct store_catalogue){ hash_files(opt, rows, LEN(rows), a),
					 hash_files(opt, stage, LEN(stage), a) };
}

/* Devices are read before the stage begins: what was hashed is what was read if nobody wrote to it
 * since. */
static bool are_devices_same(const struct collect_store *s, struct arena *scratch)
{
	static const char *const names[LEN(s->devices->files)] = { "devices.csv", "aliases.csv" };
	struct str dir = str_of(s->opt->data_dir);

	for (size_t i = 0; i < LEN(names); i++) {
		const char *path = str_c(scratch, file_join(scratch, dir, str_of(names[i])));
		struct file_identity now = identity_at(path);
		if (!identity_same(&now, &s->devices->files[i]))
			return false;
	}
	return true;
}

/* Whether it still is what it was before the run read it. */
static bool is_catalogue_same(const struct collect_store *s)
{
	struct arena scratch = { .block_size = 1 << 12 };
	struct store_catalogue now = store_catalogue(s->opt, &scratch);
	bool same = str_eq(now.rows, s->catalogue.rows) && str_eq(now.stage, s->catalogue.stage)
		    && are_devices_same(s, &scratch);

	arena_free(&scratch);
	return same;
}

static struct cache_key *begin_key(const char *kind, const struct collect_store *s,
				   const struct collection *c)
{
	struct cache_key *k = cache_key_begin(kind, c->arena);

	cache_key_add(k, s->catalogue.rows);
	cache_key_add_number(k, c->cutoff.day);
	return k;
}

struct summing {
	const struct collection *c;
	struct str *sums;
	char (*text)[SHA256_TEXT]; /* that they point to */
};

/* Files are hashed by all threads: nothing else of a night without news takes longer. */
static bool sum_input(void *ctx, size_t i, struct error *err)
{
	const struct summing *s = ctx;
	const struct input *input = &s->c->inputs[i];
	struct arena scratch = { .block_size = 1 << 12 };
	struct error ignored = { 0 };
	struct str found = input_sum(input);
	struct file_sum sum;

	(void)err;
	if (input->fault.len) /* the NUL: no CSV has such bytes */
		found = file_sha256(
		    &scratch, str_printf(&scratch, "%c" STR_FMT, '\0', STR_ARG(input->fault)));
	if (found.len) {
		memcpy(s->text[i], found.p, SHA256_TEXT);
		s->sums[i] = (struct str){ s->text[i], SHA256_TEXT };
	} else if (input->path.len
		   && file_hash(input_path(input, &scratch), &scratch, &sum, &ignored)
		   && sum.bytes <= CONTRIBUTION_MAX) {
		memcpy(s->text[i], sum.sha256.p, SHA256_TEXT);
		s->sums[i] = (struct str){ s->text[i], SHA256_TEXT };
	}
	arena_free(&scratch);
	return true;
}

static struct str *sum_inputs(const struct collection *c)
{
	struct summing s = { c, arena_array(c->arena, c->ninputs, sizeof *s.sums),
			     arena_array(c->arena, c->ninputs, sizeof *s.text) };
	struct error none = { 0 };

	parallel_for(c->threads, c->ninputs, 4, sum_input, &s, &none);
	return s.sums;
}

/* The signature, and what it is of where the input's own bytes do not tell it: those of a packed
 * file as it was sent. What came out of another file, packed anew, was signed by nobody. */
static void add_signature(struct cache_key *k, const struct input *input)
{
	struct str sent = { 0 };

	if (input->has_signature && input->packed)
		sent = (struct str){ (const char *)input->packed->sent.sha256,
				     sizeof input->packed->sent.sha256 };
	cache_key_add(k, input->signature);
	cache_key_add(k, sent);
}

/* Empty where an input is not known. Names stand in messages and rejects, and the folder of the
 * catalogue in messages too. */
static struct str stage_key(const struct collect_store *s, const struct collect_options *opt,
			    const struct collection *c)
{
	struct cache_key *k = begin_key(stage_kind, s, c);

	cache_key_add(k, s->catalogue.stage);
	cache_key_add(k, str_of(opt->data_dir));
	cache_key_add_number(k, opt->edition ? opt->edition->trust_least : TRUST_ANONYMOUS);
	for (size_t i = 0; i < c->ninputs; i++) {
		if (s->sums[i].len == 0)
			return (struct str){ 0 };
		cache_key_add(k, c->inputs[i].name);
		cache_key_add(k, c->inputs[i].key);
		cache_key_add(k, c->series.v[c->inputs[i].series]);
		cache_key_add(k, s->sums[i]);
		add_signature(k, &c->inputs[i]);
	}
	return cache_key_end(k);
}

/* --- files --- */

static void make_shelves(struct collect_store *s, const struct collection *c)
{
	const struct cache_key *common = begin_key(file_kind, s, c);

	s->shelves = arena_array(s->arena, STORE_SHELVES, sizeof *s->shelves);
	for (size_t i = 0; i < STORE_SHELVES; i++) {
		struct cache_key *k = cache_key_copy(common, s->arena);
		cache_key_add_number(k, (double)i);
		s->shelves[i].key = cache_key_end(k);
		s->shelves[i].at.arena = s->arena;
	}
}

static bool has_room(const struct store_shelf *f, struct str packed)
{
	return packed.len <= LIMIT_SHELF_BYTES - f->bytes;
}

static void put_item(struct store_shelf *f, struct str sum, struct str packed, struct arena *a)
{
	bool fresh;

	f->bytes += packed.len;
	size_t at = *map_put(&f->at, sum, f->n, &fresh);

	if (fresh) {
		f->items = arena_grow(a, f->items, &f->cap, f->n + 1, sizeof *f->items);
		f->n++;
	}
	f->items[at] = (struct store_item){ sum, packed, f->loaded };
}

static void load_shelf(struct collect_store *s, struct store_shelf *f)
{
	struct unpack u = { 0 };
	size_t n = cache_get(s->cache, f->key, s->arena, &u.rest) ? unpack_count(&u) : 0;

	for (size_t i = 0; i < n && !u.bad; i++) {
		struct str sum = unpack_str(&u), packed = unpack_str(&u);
		if (!u.bad && has_room(f, packed))
			put_item(f, sum, packed, s->arena);
	}
	f->loaded = true;
}

/* By the first hex digit. */
static struct store_shelf *shelf_of(struct collect_store *s, struct str sum)
{
	char c = sum.p[0];
	struct store_shelf *f = &s->shelves[c <= '9' ? c - '0' : c - 'a' + 10];

	if (!f->loaded)
		load_shelf(s, f);
	return f;
}

bool store_get_file(struct collect_store *s, struct str sum, struct str *packed)
{
	struct store_shelf *f = shelf_of(s, sum);
	const size_t *at = map_get(&f->at, sum);

	if (!at)
		return false;
	f->items[*at].asked = true;
	*packed = f->items[*at].packed;
	return true;
}

void store_put_file(struct collect_store *s, struct str sum, struct str packed)
{
	if (!s->cache || packed.len == 0)
		return;
	struct store_shelf *f = shelf_of(s, sum);
	if (!has_room(f, packed))
		return;
	put_item(f, str_dup(s->arena, sum), str_dup(s->arena, packed), s->arena);
	f->changed = true;
}

static void put_shelf(const struct collect_store *s, const struct store_shelf *f)
{
	struct arena scratch = { 0 };
	struct strbuf b = { .arena = &scratch };
	size_t asked = 0, others = 0, bytes[2] = { 0 };

	for (size_t i = 0; i < f->n; i++) {
		bytes[f->items[i].asked] += f->items[i].packed.len;
		*(f->items[i].asked ? &asked : &others) += 1;
	}
	bool all = bytes[false] <= bytes[true];
	pack_put_int(&b, (long long)(all ? asked + others : asked));
	for (size_t i = 0; i < f->n; i++)
		if (all || f->items[i].asked) {
			pack_put_str(&b, f->items[i].sum);
			pack_put_str(&b, f->items[i].packed);
		}
	cache_put(s->cache, f->key, strbuf_str(&b));
	arena_free(&scratch);
}

void store_put_shelves(struct collect_store *s)
{
	if (!s->shelves || !is_catalogue_same(s))
		return;
	for (size_t i = 0; i < STORE_SHELVES; i++)
		if (s->shelves[i].changed)
			put_shelf(s, &s->shelves[i]);
}

/* Tomorrow may need the files again, though today the tables were there. */
static void keep_shelves(const struct collect_store *s)
{
	for (size_t i = 0; i < STORE_SHELVES; i++)
		cache_keep(s->cache, s->shelves[i].key);
}

/* --- both --- */

void store_open(struct collect_store *s, const struct collect_options *opt,
		const struct store_catalogue *catalogue, const struct collection *c)
{
	*s = (struct collect_store){ .cache = opt->cache,
				     .opt = opt,
				     .devices = c->devices,
				     .catalogue = *catalogue,
				     .arena = c->arena,
				     .n = c->ninputs,
				     .first_message = c->messages->n };
	/* What is recalled tells of devices by their numbers in the catalogue that it was made with. */
	if (s->cache && !is_catalogue_same(s))
		s->cache = NULL;
	if (!s->cache)
		return;
	make_shelves(s, c);
	s->sums = sum_inputs(c);
	s->stage = stage_key(s, opt, c);
}

struct str store_sum(const struct collect_store *s, size_t file)
{
	return s->sums ? s->sums[file] : (struct str){ 0 };
}

/* --- the stage --- */

bool store_get_stage(const struct collect_store *s, struct messages *m,
		     struct collect_tables *tables, struct collect_summary *summary)
{
	struct unpack u = { 0 };
	size_t before = m->n;

	if (s->stage.len == 0 || !cache_get(s->cache, s->stage, s->arena, &u.rest))
		return false;
	for (size_t i = 0; i < COLLECT_TABLES; i++)
		tables->text[i] = unpack_str(&u);
	stage_unpack(&u, m, summary);
	if (!unpack_end(&u)) {
		m->n = before;
		return false;
	}
	keep_shelves(s);
	return true;
}

void store_put_stage(const struct collect_store *s, const struct messages *m,
		     const struct collect_tables *tables, const struct collect_summary *summary)
{
	struct arena scratch = { 0 };
	struct strbuf b = { .arena = &scratch };
	struct error ignored = { 0 };

	if (s->stage.len == 0 || !is_catalogue_same(s))
		return;
	for (size_t i = 0; i < COLLECT_TABLES; i++)
		pack_put_str(&b, tables->text[i]);
	if (stage_pack(&b, m, s->first_message, summary, &ignored))
		cache_put(s->cache, s->stage, strbuf_str(&b));
	arena_free(&scratch);
}
