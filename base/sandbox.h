/* Takes from this process what reading strangers' files does not need, so that a fault in the
 * reading could do nothing with it. Irrevocable, and inherited by the threads made afterwards: call
 * it in a child process of its own (base/box.h), while it has one thread.
 *
 *   Landlock  (Linux 5.13 on) of the file system only what the rules name can be read, nothing can
 *             be written, made, removed or executed; no TCP (ABI 4), no control of devices (5), no
 *             signal and no abstract socket to processes outside (6). What is open already stays
 *             usable.
 *   seccomp   (x86-64 and AArch64) an allow list of system calls: reading, memory, threads, time.
 *             Opening for writing and executable memory are refused. Calls that only somebody who
 *             has taken over the process would make (exec, fork, ptrace, kill, sockets, mount, bpf,
 *             io_uring, keys …) kill it by SIGSYS; every other call fails with ENOSYS, so that a
 *             newer C library falls back to what it did before. Under a sanitizer nothing kills:
 *             its report tries some of these calls.
 *   limits    no core dump. None on memory and time: how much is right hangs on the data, and what
 *             runs away is this process alone.
 *
 * The filter is written here as BPF, without libseccomp: it is two tables and a loop, and the
 * process that is to be protected gets no further library.
 *
 * Source   https://docs.kernel.org/userspace-api/landlock.html and seccomp_filter.html */
#ifndef BASE_SANDBOX_H
#define BASE_SANDBOX_H

#include "arena.h"
#include "str.h"

#include <stdbool.h>
#include <stddef.h>

/* Files and folders (with all below) that may be read; what is not there is passed over. Links are
 * followed as the rule is made, those that are met later by where they lead to. */
struct sandbox_rules {
	const char *const *read;
	size_t nread;
};

/* What the kernel granted. */
struct sandbox_state {
	int landlock_abi;  /* 0: none */
	int landlock_errno; /* then: why */
	bool filter;       /* seccomp */
	int filter_errno;  /* when not: why */
};

/* Does as much as the kernel can; no failure stops it, for the stage is worth more than its
 * sandbox: the caller looks at `out`. */
void sandbox_enter(const struct sandbox_rules *rules, struct sandbox_state *out);
/* "Landlock ABI 6, seccomp" or "no Landlock (Function not implemented), seccomp" */
struct str sandbox_text(const struct sandbox_state *s, struct arena *a);

/* The parts, for sandbox_enter: each gives 0 or an errno. no_new_privs must be set. */
int sandbox_landlock(const struct sandbox_rules *rules, int *abi);
int sandbox_filter(void);

#endif
