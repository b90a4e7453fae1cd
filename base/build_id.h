/* Which build of this program runs, so that what one build kept is never taken for another's work.
 * An object of the process is known by the linker's build-id note, which lies in memory; one that
 * has none by the SHA-256 of its file.
 * Source  ELF notes: System V ABI, gABI 4.1 ch. 5; NT_GNU_BUILD_ID: ld(1), --build-id */
#ifndef BASE_BUILD_ID_H
#define BASE_BUILD_ID_H

#include "arena.h"
#include "str.h"

/* "build-id:HEX" or "sha256:HEX" of the program; "unknown" where neither can be had. */
struct str build_id_program(struct arena *a);
/* The program and every shared library that it runs with, one a line in the order of loading:
 * another mathematical library can change the last digit of a logarithm. */
struct str build_id_loaded(struct arena *a);

#endif
