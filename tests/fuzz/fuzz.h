/* What the fuzz harnesses share. A harness is one function, LLVMFuzzerTestOneInput(): it takes any
 * bytes, must not crash, and calls fuzz_want() for what has to hold beyond that. It is linked with
 * libFuzzer (make fuzz), or with replay.c, which goes over files (make check): the same object
 * either way.
 *
 * Some harnesses take several files at once: a line "@@ NAME" begins each. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include "../../base/arena.h"
#include "../../base/error.h"
#include "../../base/file.h"
#include "../../base/str.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A folder, in memory where the system has such a place, that lasts as long as one input. */
struct fuzz {
	struct arena arena;
	struct error err;
	char dir[40];
};

/* What does not hold ends the program, as a crash does: the fuzzer then keeps the input. */
static inline void fuzz_want(bool good, const char *property)
{
	if (good)
		return;
	fprintf(stderr, "does not hold: %s\n", property);
	abort();
}

static inline struct str fuzz_text(const uint8_t *data, size_t size)
{
	return (struct str){ (const char *)data, size };
}

/* The text before the first line "%%", which is cut off *rest with that line; all of it without
 * one. */
static inline struct str fuzz_cut(struct str *rest)
{
	size_t at = str_find(*rest, STR("\n%%\n"), 0);
	struct str part = str_slice(*rest, 0, at);

	*rest = str_slice(*rest, at + 4, rest->len);
	return part;
}

static inline void fuzz_open(struct fuzz *f)
{
	struct stat st;

	memset(f, 0, sizeof *f);
	strcpy(f->dir, stat("/dev/shm", &st) == 0 && S_ISDIR(st.st_mode) ? "/dev/shm" : "/tmp");
	strcat(f->dir, "/gpuguide-fuzz-XXXXXX");
	fuzz_want(mkdtemp(f->dir) != NULL, "a folder for the files of an input can be made");
}

static inline const char *fuzz_path(struct fuzz *f, const char *name)
{
	return str_c(&f->arena, str_printf(&f->arena, "%s/%s", f->dir, name));
}

static inline void fuzz_make_dir(struct fuzz *f, const char *name)
{
	fuzz_want(mkdir(fuzz_path(f, name), 0700) == 0, "a folder can be made");
}

static inline void fuzz_put(struct fuzz *f, const char *name, struct str text)
{
	int fd = open(fuzz_path(f, name), O_WRONLY | O_CREAT | O_TRUNC, 0600);

	fuzz_want(fd >= 0, "a file can be made");
	fuzz_want(text.len == 0 || write(fd, text.p, text.len) == (ssize_t)text.len,
		  "a file can be written");
	close(fd);
}

/* Writes the files of an input: "@@ NAME", a line's end, its text. Names that are not among the n
 * ones, and text in front of the first name, are passed over. */
static inline void fuzz_put_files(struct fuzz *f, struct str text, const char *const *names,
				  size_t n)
{
	size_t at = str_starts(text, STR("@@ ")) ? 0 : str_find(text, STR("\n@@ "), 0) + 1;

	while (at < text.len) {
		size_t end = str_find(text, STR("\n@@ "), at);
		struct str part = str_slice(text, at + 3, end), name = { 0 };
		str_cut(&part, '\n', &name);
		for (size_t i = 0; i < n; i++)
			if (str_eq(name, str_of(names[i])))
				fuzz_put(f, names[i], part);
		at = end + 1;
	}
}

static inline void fuzz_close(struct fuzz *f)
{
	struct error err = { 0 };

	fuzz_want(file_remove_tree(f->dir, &err), "the folder can be removed");
	arena_free(&f->arena);
}

/* A function that fails says why, in words that a terminal may show. */
static inline void fuzz_want_fault(bool good, const struct error *err)
{
	struct arena a = { 0 };

	fuzz_want(good || (err->code != ERR_NONE && err->msg[0]), "what fails says why");
	fuzz_want(!good || err->code == ERR_NONE, "what succeeds says nothing");
	struct str text = good ? STR("") : error_text(err, &a);
	fuzz_want(str_eq(text, str_plain(&a, text)), "an error is plain text");
	arena_free(&a);
}

#endif
