/* collect/packed.h: any bytes are a packed file, or refused whole; what is read keeps what packed.h
 * promises. The first byte is the kind, and 8 more that the sums of tar headers are made right, so
 * that a change in one is not always found at once. */
#include "fuzz.h"

#include "../../base/map.h"
#include "../../collect/packed.h"

enum { KIND = 7, MEND = 8 };

/* The sum of a header counts its own place as blanks. */
static void mend(uint8_t *p, size_t size)
{
	for (; size >= 512; p += 512, size -= 512) {
		unsigned sum = 0;
		char text[8];

		if (memcmp(p + 257, "ustar", 5) != 0)
			continue;
		memset(p + 148, ' ', 8);
		for (size_t i = 0; i < 512; i++)
			sum += p[i];
		snprintf(text, sizeof text, "%06o", sum);
		memcpy(p + 148, text, 7);
	}
}

static bool has_part(struct str name, struct str part)
{
	struct str rest = name, piece;

	while (str_cut(&rest, '/', &piece))
		if (str_eq(piece, part))
			return true;
	return false;
}

static void want_name(const struct packed *p, const struct packed_member *m, struct map *seen)
{
	bool fresh;

	if (!unpack_is_archive(p->kind)) {
		fuzz_want(m->name.len == 0, "the file is its own member");
		return;
	}
	fuzz_want(m->name.len > 4 && m->name.len <= p->limits->name
		      && str_ends(m->name, STR(".csv")),
		  "a CSV");
	fuzz_want(m->name.p[0] != '/' && !has_part(m->name, STR(".."))
		      && !has_part(m->name, STR("")) && !has_part(m->name, STR(".")),
		  "a name below its own folder");
	map_put(seen, m->name, 0, &fresh);
	fuzz_want(fresh, "a name that stands once");
}

static void want_sound(struct fuzz *f, const struct packed *p)
{
	struct packed_reader r = { 0 };
	struct map seen = { .arena = &f->arena };
	size_t bytes = 0;

	for (size_t i = 0; i < p->n; i++) {
		const struct packed_member *m = &p->v[i];
		struct str text, plain = str_plain(&f->arena, m->name);

		fuzz_want(str_eq(plain, m->name) && str_is_utf8(m->name),
			  "a name that may be shown");
		if (m->fault.len)
			continue;
		want_name(p, m, &seen);
		fuzz_want(packed_text(&r, p, i, &f->arena, &text, &f->err),
			  "what was found can be read");
		fuzz_want(text.len == m->bytes && text.len <= p->limits->member, "of its length");
		fuzz_want(str_eq(file_sha256(&f->arena, text), m->sha256), "with its sum");
		bytes += text.len;
	}
	fuzz_want(bytes <= p->limits->expand.expanded, "no more than is allowed");
	packed_close(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct unpack_limits small = unpack_limits;
	struct packed p;
	struct fuzz f;

	if (size == 0)
		return 0;
	fuzz_open(&f);
	small.expand.expanded = 1 << 20; /* else the largest inputs take most of the time */
	small.expand.ratio_free = 1 << 16;
	small.member = 1 << 19;
	small.members = 50;
	uint8_t *bytes = arena_alloc(&f.arena, size);
	memcpy(bytes, data + 1, size - 1);
	if (data[0] & MEND)
		mend(bytes, size - 1);
	fuzz_put(&f, "x", fuzz_text(bytes, size - 1));
	fuzz_want(packed_look(fuzz_path(&f, "x"),
			      (enum unpack_kind)((data[0] & KIND) % UNPACK_KINDS), &small, &f.arena,
			      &p, &f.err),
		  "a file that is there can be looked at");
	fuzz_want(p.fault.len == 0 || p.n == 0, "all or nothing");
	fuzz_want(str_eq(p.fault, str_plain(&f.arena, p.fault)), "a fault is plain text");
	want_sound(&f, &p);
	fuzz_close(&f);
	return 0;
}
