/* Runs a piece of work in a child process that locks itself in (base/sandbox.h) before it begins,
 * and gives back what the work wrote. A fault in the work costs the work and nothing else: whatever
 * happens to the child, this process goes on with an error, and with no half result.
 *
 * The child is a copy of this process: the work sees all that is in memory here, and what it
 * changes there is gone with it. Of open files it has the standard input where it is to read that,
 * the scratch file if there is one, and its two ends: what it writes for us, and its standard
 * error, which comes back as plain text. Both are files in memory, so that nothing has to be read
 * while it runs and no pipe can fill; they are sealed at the length that they may have, so that a
 * child that was taken over fills no more of it. The kernel kills it when this process dies. Call
 * it while there is one thread. */
#ifndef BASE_BOX_H
#define BASE_BOX_H

#include "arena.h"
#include "error.h"
#include "sandbox.h"
#include "str.h"

#include <stdbool.h>

struct box {
	const char *what; /* "collect": begins every error */
	struct sandbox_rules rules;
	/* In the child; `out` is a file to write to, empty and seekable. It may be written from
	 * many threads, one at a time. What is in it counts only when the work returns. Work that
	 * could not write to it ends with _exit(BOX_EXIT_ERRNO + errno); EPERM: it has the bytes
	 * that it may have. */
	void (*work)(void *ctx, int out);
	void *ctx;
	size_t most; /* bytes of output */
	/* The work reads the standard input, and only reads it; else it is empty. A socket could be
	 * written to by whoever has it, and neither can it be opened anew to be read only, nor its
	 * other direction be shut: that would be a word to who waits there for an answer, and where
	 * it is our standard output too, the end of it. So what it gives is read before, into
	 * memory, and the work has that: input_most bytes at most, as if it ended there. */
	bool input;
	size_t input_most;
	/* An open file that the work may write to besides, for what does not fit into its memory:
	 * there it is BOX_SCRATCH_FD. 0: none. */
	int scratch;
};

struct box_result {
	struct str output; /* until box_close() */
	/* The first BOX_WORDS_MAX bytes of what it said on standard error: lines, as str_plain();
	 * in the arena. The reports of a sanitizer come there. Also set when box_run() fails. */
	struct str words;
	struct sandbox_state state;
	bool died; /* box_run() failed because the work came to no end of its own */
};

enum { BOX_WORDS_MAX = 1 << 14, BOX_SCRATCH_FD = 4, BOX_EXIT_ERRNO = 100 };

/* Errors: ERR_ENVIRONMENT where there can be no child, a socket cannot be read, or the child did
 * not come to its end: a signal (SIGSYS: its sandbox forbids what it did), or an exit, as when
 * memory is used up. */
bool box_run(const struct box *box, struct arena *a, struct box_result *out, struct error *err);
void box_close(struct box_result *r);

#endif
