#define _GNU_SOURCE /* dl_iterate_phdr */

#include "build_id.h"

#include "file.h"

#include <elf.h>
#include <link.h>
#include <string.h>

/* Nhdr.n_type of the build id in notes of the name "GNU". */
enum { NOTE_BUILD_ID = 3 };

struct visit {
	struct arena *arena;
	struct strbuf out; /* one line an object */
	bool program_only;
};

static struct str hex(struct arena *a, const unsigned char *p, size_t n)
{
	struct strbuf b = { .arena = a };

	for (size_t i = 0; i < n; i++)
		strbuf_printf(&b, "%02x", (unsigned)p[i]);
	return strbuf_str(&b);
}

/* The build id among the notes of one segment; empty: none. Names and descriptions are padded to 4
 * bytes. */
static struct str find_in_notes(const unsigned char *p, size_t len, struct arena *a)
{
	ElfW(Nhdr) note;

	while (len >= sizeof note) {
		memcpy(&note, p, sizeof note);
		size_t name = ((size_t)note.n_namesz + 3) / 4 * 4;
		size_t desc = ((size_t)note.n_descsz + 3) / 4 * 4;
		if (name > len - sizeof note || desc > len - sizeof note - name)
			break;
		if (note.n_type == NOTE_BUILD_ID && note.n_namesz == sizeof "GNU"
		    && note.n_descsz > 0 && memcmp(p + sizeof note, "GNU", sizeof "GNU") == 0)
			return hex(a, p + sizeof note + name, note.n_descsz);
		p += sizeof note + name + desc;
		len -= sizeof note + name + desc;
	}
	return (struct str){ 0 };
}

static struct str build_id_of(const struct dl_phdr_info *object, struct arena *a)
{
	struct str id = { 0 };

	for (size_t i = 0; i < object->dlpi_phnum && id.len == 0; i++) {
		const ElfW(Phdr) *h = &object->dlpi_phdr[i];
		const void *at = (const void *)(object->dlpi_addr + h->p_vaddr);
		if (h->p_type == PT_NOTE)
			id = find_in_notes(at, (size_t)h->p_memsz, a);
	}
	return id;
}

static struct str identify(const struct dl_phdr_info *object, const char *path, struct arena *a)
{
	struct str id = build_id_of(object, a), text;
	struct error ignored = { 0 };
	struct arena scratch = { 0 };

	if (id.len)
		id = str_printf(a, "build-id:" STR_FMT, STR_ARG(id));
	else if (file_read(path, 0, &scratch, &text, &ignored))
		id = str_printf(a, "sha256:" STR_FMT, STR_ARG(file_sha256(&scratch, text)));
	else
		id = STR("unknown");
	arena_free(&scratch);
	return id;
}

/* The first object is the program, and has no name. One whose name is no path is the kernel's own
 * (linux-vdso): it tells the time and works nothing out. */
static int visit_object(struct dl_phdr_info *object, size_t size, void *ctx)
{
	struct visit *v = ctx;
	bool program = v->out.len == 0;

	(void)size;
	if (!program && object->dlpi_name[0] != '/')
		return 0;
	strbuf_add(&v->out,
		   identify(object, program ? "/proc/self/exe" : object->dlpi_name, v->arena));
	if (v->program_only)
		return 1;
	strbuf_addc(&v->out, '\n');
	return 0;
}

static struct str visit_all(struct arena *a, bool program_only)
{
	struct visit v = { a, { .arena = a }, program_only };

	dl_iterate_phdr(visit_object, &v);
	return strbuf_str(&v.out);
}

struct str build_id_program(struct arena *a)
{
	return visit_all(a, true);
}

struct str build_id_loaded(struct arena *a)
{
	return visit_all(a, false);
}
