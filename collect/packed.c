#include "packed.h"

#include "names.h"
#include "../base/map.h"
#include "../base/open.h"
#include "../base/sha256.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_SHOWN = 80 }; /* bytes of a refused name */

/* --- names --- */

static bool is_plain(struct str s)
{
	for (size_t at = 0; at < s.len;)
		if (!str_is_plain(str_next_utf8(s, &at)))
			return false;
	return true;
}

/* Takes out "." and empty parts; whether one is "..", and whether one is hidden. */
static struct str tidy(struct str raw, struct arena *a, bool *upwards, bool *hidden)
{
	struct strbuf b = { .arena = a };
	struct str part;

	*upwards = *hidden = false;
	while (str_cut(&raw, '/', &part)) {
		if (part.len == 0 || str_eq(part, STR(".")))
			continue;
		*upwards = *upwards || str_eq(part, STR(".."));
		*hidden = *hidden || part.p[0] == '.';
		if (b.len)
			strbuf_addc(&b, '/');
		strbuf_add(&b, part);
	}
	return strbuf_str(&b);
}

/* Why no file may be called so, or empty; m->name is the name to go by then. */
static struct str judge_name(struct str raw, const struct unpack_limits *limits, struct arena *a,
			     struct packed_member *m, bool *hidden)
{
	bool upwards;

	m->name = names_clean(a, str_plain(a, str_slice(raw, 0, 2 * NAME_SHOWN)), NAME_SHOWN);
	m->over_limit = raw.len > limits->name;
	*hidden = false;
	if (m->over_limit)
		return str_printf(a, "its name has %zu bytes, more than %zu", raw.len,
				  limits->name);
	if (!str_is_utf8(raw))
		return STR("its name is not UTF-8");
	if (!is_plain(raw))
		return STR("its name has control characters, or marks that turn the direction of "
			   "text");
	if (raw.len && raw.p[0] == '/')
		return STR("its name is absolute: an archive holds names below its own folder");
	struct str tidied = tidy(raw, a, &upwards, hidden);
	if (upwards)
		return STR("its name leads upwards with '..'");
	if (tidied.len == 0)
		return STR("it has no name");
	m->name = tidied;
	return (struct str){ 0 };
}

/* What is no regular file that holds rows. */
static struct str judge_type(const struct unpack_entry *e, const struct unpack_limits *limits,
			     struct arena *a, bool *over_limit)
{
	enum unpack_kind kind = unpack_kind_of(e->name);

	switch (e->type) {
	case UNPACK_LINK:
		return STR("a link: only regular files are read");
	case UNPACK_DEVICE:
		return STR("a device or a pipe: only regular files are read");
	case UNPACK_SPARSE:
		return STR("a sparse file: its holes are no rows");
	case UNPACK_FOLDER:
		return (struct str){ 0 };
	case UNPACK_FILE:
		break;
	}
	if (kind != UNPACK_CSV && kind != UNPACK_OTHER)
		return STR("an archive or a compressed file within an archive is not opened");
	*over_limit = kind == UNPACK_CSV && e->has_size && e->bytes > limits->member;
	if (*over_limit)
		return str_printf(a, "it has %llu bytes, more than %zu", e->bytes, limits->member);
	return (struct str){ 0 };
}

/* --- the first pass --- */

struct look {
	struct packed *out;
	struct arena *arena;
	struct unpacker *unpacker;
	struct map by_name;
};

static bool hash_member(struct look *l, struct packed_member *m, struct error *err)
{
	crypto_hash_sha256_state state;
	struct str block = { "", 1 };

	crypto_hash_sha256_init(&state);
	while (block.len) {
		if (!unpack_block(l->unpacker, &block, err))
			return false;
		crypto_hash_sha256_update(&state, (const unsigned char *)str_chars(block),
					  block.len);
		m->bytes += block.len;
	}
	m->sha256 = sha256_end(&state, l->arena);
	return true;
}

static struct packed_member *add_member(struct look *l, const struct packed_member *m)
{
	struct packed *p = l->out;

	p->v = arena_grow(l->arena, p->v, &p->cap, p->n + 1, sizeof *p->v);
	p->v[p->n] = *m;
	return &p->v[p->n++];
}

/* Two files of one name: neither is read. */
static void note_name(struct look *l, size_t member)
{
	struct packed_member *v = l->out->v;
	bool fresh;
	size_t first = *map_put(&l->by_name, v[member].name, member, &fresh);

	if (!fresh)
		v[first].duplicate = v[member].duplicate = true;
}

static bool look_at_file(struct look *l, struct packed_member *m, struct error *err)
{
	if (!hash_member(l, m, err))
		return false;
	add_member(l, m);
	note_name(l, l->out->n - 1);
	return true;
}

static bool look_at(struct look *l, const struct unpack_entry *e, size_t entry, struct error *err)
{
	struct packed_member m = { .entry = entry };
	struct packed *p = l->out;
	bool hidden;

	if (!unpack_is_archive(p->kind))
		return hash_member(l, add_member(l, &m), err);
	if (e->type == UNPACK_FOLDER) /* also "./", which has no name to judge */
		return true;
	m.fault = judge_name(e->name, p->limits, l->arena, &m, &hidden);
	if (m.fault.len == 0 && hidden && e->type == UNPACK_FILE) {
		p->hidden++;
		return true;
	}
	if (m.fault.len == 0)
		m.fault = judge_type(e, p->limits, l->arena, &m.over_limit);
	if (m.fault.len) {
		add_member(l, &m);
		return true;
	}
	if (unpack_kind_of(m.name) == UNPACK_CSV)
		return look_at_file(l, &m, err);
	p->others++;
	return true;
}

static void mark_duplicates(struct packed *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->v[i].duplicate)
			p->v[i].fault =
			    STR("its name stands twice in the archive: neither is read");
}

static bool look_through(struct look *l, struct error *err)
{
	struct unpack_entry e;
	bool there = true;

	for (size_t i = 0; there; i++) {
		if (!unpack_next(l->unpacker, &e, &there, err)
		    || (there && !look_at(l, &e, i, err)))
			return false;
	}
	mark_duplicates(l->out);
	return true;
}

static int open_file(const char *path, struct file_identity *identity, struct error *err)
{
	struct stat st;
	int fd = open_regular(path, &st, err);

	if (fd >= 0)
		*identity = identity_of(&st);
	return fd;
}

/* What cannot be used makes no other contribution unusable. */
static bool take_fault(struct packed *p, const struct error *why, struct arena *a,
		       struct error *err)
{
	if (why->code == ERR_ENVIRONMENT) {
		*err = *why;
		return false;
	}
	p->n = p->hidden = p->others = 0;
	p->over_limit = why->code == ERR_RANGE;
	p->fault = str_printf(a, "%s%s", why->msg,
			      unpack_is_archive(p->kind) ? "; nothing of the archive is used" : "");
	return true;
}

/* Of a file that was gone through to its end; hash: NULL: nobody asks. */
static void end_sent(struct expand_sent *hash, struct sshsig_sums *out)
{
	if (!hash)
		return;
	crypto_hash_sha256_final(&hash->sha256, out->sha256);
	crypto_hash_sha512_final(&hash->sha512, out->sha512);
}

/* hash  begun, of a file that is signed; else NULL */
static bool look(const char *path, struct expand_sent *hash, struct arena *a, struct packed *out,
		 struct error *err)
{
	struct look l = { .out = out, .arena = a, .by_name.arena = a };
	struct error why = { 0 };
	int fd = open_file(path, &out->identity, err);

	if (fd < 0)
		return false;
	const struct expand_source from = { .name = path, .fd = fd, .sent = hash };
	bool good = unpack_open(&from, out->kind, out->limits, &l.unpacker, &why)
		    && look_through(&l, &why);
	unpack_close(l.unpacker);
	close(fd);
	if (!good)
		return take_fault(out, &why, a, err);
	end_sent(hash, &out->sent);
	if (out->n == 0)
		out->fault = STR("the archive has no file that ends in .csv");
	return true;
}

static struct packed begin_look(const char *path, enum unpack_kind kind,
				const struct unpack_limits *limits)
{
	return (struct packed){ .path = path, .kind = kind,
				.limits = limits ? limits : &unpack_limits };
}

bool packed_look(const char *path, enum unpack_kind kind, const struct unpack_limits *limits,
		 struct arena *a, struct packed *out, struct error *err)
{
	*out = begin_look(path, kind, limits);
	return look(path, NULL, a, out, err);
}

bool packed_look_signed(const char *path, enum unpack_kind kind, const struct unpack_limits *limits,
			struct arena *a, struct packed *out, struct error *err)
{
	struct expand_sent hash;

	crypto_hash_sha256_init(&hash.sha256);
	crypto_hash_sha512_init(&hash.sha512);
	*out = begin_look(path, kind, limits);
	return look(path, &hash, a, out, err);
}

/* --- further passes --- */

static bool has_changed(const struct packed *p, struct error *err)
{
	return error_at(err, ERR_DATA, (struct pos){ p->path, 0, 0 },
			"the file was changed while it was read");
}

/* To the beginning of the file. */
static bool reopen(struct packed_reader *r, const struct packed *p, struct error *err)
{
	struct file_identity now;

	packed_close(r);
	int fd = open_file(p->path, &now, err);
	if (fd < 0)
		return false;
	const struct expand_source from = { .name = p->path, .fd = fd };
	*r = (struct packed_reader){ .of = p, .fd = fd };
	if (identity_same(&now, &p->identity)
		? unpack_open(&from, p->kind, p->limits, &r->unpacker, err)
		: has_changed(p, err))
		return true;
	close(fd);
	*r = (struct packed_reader){ 0 };
	return false;
}

bool packed_seek(struct packed_reader *r, const struct packed *p, size_t i, struct error *err)
{
	size_t want = p->v[i].entry;
	struct unpack_entry e;
	bool there = true;

	if ((r->of != p || r->next > want) && !reopen(r, p, err))
		return false;
	for (; there && r->next <= want; r->next++)
		if (!unpack_next(r->unpacker, &e, &there, err))
			return false;
	return there || has_changed(p, err);
}

bool packed_block(struct packed_reader *r, struct str *block, struct error *err)
{
	return unpack_block(r->unpacker, block, err);
}

bool packed_text(struct packed_reader *r, const struct packed *p, size_t i, struct arena *a,
		 struct str *text, struct error *err)
{
	size_t want = p->v[i].bytes;
	struct str block = { "", 1 };
	struct strbuf b = { .arena = a };

	if (!packed_seek(r, p, i, err))
		return false;
	b.p = arena_grow(a, NULL, &b.cap, want + 2, 1); /* one block of the right size */
	while (block.len) {
		if (!packed_block(r, &block, err))
			return false;
		if (block.len > want - b.len)
			return has_changed(p, err);
		strbuf_add(&b, block);
	}
	if (b.len != want)
		return has_changed(p, err);
	strbuf_addc(&b, '\0');
	*text = (struct str){ b.p, b.len - 1 };
	return true;
}

void packed_close(struct packed_reader *r)
{
	if (!r->of)
		return;
	unpack_close(r->unpacker);
	close(r->fd);
	*r = (struct packed_reader){ 0 };
}
