/* Packed files that are written and looked at, and what is found wrong with them. */
#ifndef TESTS_PACKED_FIXTURE_H
#define TESTS_PACKED_FIXTURE_H

#include "unpack_fixture.h"

#define NOTHING "; nothing of the archive is used"
#define NO_TAR "it is no tar archive, or a damaged one: "

static const struct str first = STR_INIT("a,b\n1,2\n"), second = STR_INIT("c\n3\n4\n");

/* In place and with no sync: some ten thousand files are written. */
static inline void put(struct fixture *f, const char *name, struct str bytes)
{
	const char *path = fixture_path(f, name);

	if (!file_exists(path))
		fixture_put(f, name, "");
	FILE *file = fopen(path, "wb");
	if (!file || fwrite(str_chars(bytes), 1, bytes.len, file) != bytes.len || fclose(file) != 0)
		printf("# %s cannot be written\n", path);
}

/* Writes a file and looks at it. */
static inline void look(struct fixture *f, const char *name, struct str bytes,
			const struct unpack_limits *limits, struct packed *p)
{
	struct error err = { 0 };

	put(f, name, bytes);
	if (!packed_look(fixture_path(f, name), unpack_kind_of(str_of(name)), limits, &f->arena, p,
			 &err))
		error_print(stdout, &err);
}

static inline struct str plain_tar(struct arena *a)
{
	struct made m = { a, { .arena = a } };

	made_file(&m, STR("a.csv"), first);
	made_file(&m, STR("b.csv"), second);
	return made_end(&m);
}

/* Each limit says so. */
static inline bool is_limit(struct str fault)
{
	return str_find(fault, STR("more than"), 0) < fault.len;
}

static inline void check_fault(struct test *t, struct fixture *f, const char *name,
			       struct str bytes, const char *want, const char *what)
{
	struct packed p;

	look(f, name, bytes, NULL, &p);
	test_ok(t, p.n == 0 && p.over_limit == is_limit(p.fault), what);
	test_str(t, p.fault, str_of(want), "  what is said");
}

#endif
