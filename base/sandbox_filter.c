/* The filter of system calls, as BPF. */
#define _GNU_SOURCE /* syscall, O_PATH */

#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The words of the arguments are read as those of a little-endian machine lie. */
#if defined(__x86_64__)
enum { MACHINE_KNOWN = 1 };
static const uint32_t machine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__) && defined(__AARCH64EL__)
enum { MACHINE_KNOWN = 1 };
static const uint32_t machine = AUDIT_ARCH_AARCH64;
#else
enum { MACHINE_KNOWN = 0 };
static const uint32_t machine = 0;
#endif

#if defined(__SANITIZE_ADDRESS__)
enum { SANITIZED = 1 };
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif
#else
enum { SANITIZED = 0 };
#endif

enum { CONDITIONS_MAX = 3 };
#define WHOLE 0xffffffffU /* the mask of all bits */
#define SELF 0xffffffffU

/* (word of an argument & mask) == value. Word 2 i is the lower half of argument i from 0, 2 i + 1
 * the upper. value SELF stands for the number of this process. */
struct condition {
	int word;
	uint32_t mask, value;
};

/* Allowed where all conditions hold. The rules of one call are tried in their order. */
struct allowed {
	long nr;
	int n;
	struct condition conditions[CONDITIONS_MAX];
};

#define WRITING (O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND)

static const struct allowed allowed[] = {
	/* most often first: the filter goes through them one by one */
	{ SYS_read, 0, { { 0 } } },
	{ SYS_write, 0, { { 0 } } },
	{ SYS_close, 0, { { 0 } } },
	{ SYS_openat, 1, { { 4, WRITING, 0 } } },
	{ SYS_fstat, 0, { { 0 } } },
	{ SYS_newfstatat, 0, { { 0 } } },
	{ SYS_mmap, 1, { { 4, PROT_EXEC, 0 } } },
	{ SYS_munmap, 0, { { 0 } } },
	{ SYS_madvise, 0, { { 0 } } },
	{ SYS_futex, 0, { { 0 } } },
	{ SYS_brk, 0, { { 0 } } },
	{ SYS_mremap, 0, { { 0 } } },
	{ SYS_mprotect, 1, { { 4, PROT_EXEC, 0 } } },
	{ SYS_readlinkat, 0, { { 0 } } },
	{ SYS_pread64, 0, { { 0 } } },
	{ SYS_readv, 0, { { 0 } } },
	{ SYS_preadv, 0, { { 0 } } },
	{ SYS_writev, 0, { { 0 } } },
	{ SYS_pwrite64, 0, { { 0 } } },
	{ SYS_ftruncate, 0, { { 0 } } },
	{ SYS_lseek, 0, { { 0 } } },
	{ SYS_statx, 0, { { 0 } } },
	{ SYS_fstatfs, 0, { { 0 } } },
	{ SYS_faccessat, 0, { { 0 } } },
	{ SYS_faccessat2, 0, { { 0 } } },
	{ SYS_getdents64, 0, { { 0 } } },
	{ SYS_getcwd, 0, { { 0 } } },
	{ SYS_fadvise64, 0, { { 0 } } },
	{ SYS_readahead, 0, { { 0 } } },
	{ SYS_dup, 0, { { 0 } } },
	{ SYS_dup3, 0, { { 0 } } },
	{ SYS_ppoll, 0, { { 0 } } },
	/* not F_SETOWN, which makes the kernel send signals to others */
	{ SYS_fcntl, 1, { { 2, WHOLE, F_GETFD } } },
	{ SYS_fcntl, 1, { { 2, WHOLE, F_SETFD } } },
	{ SYS_fcntl, 1, { { 2, WHOLE, F_GETFL } } },
	{ SYS_fcntl, 1, { { 2, WHOLE, F_SETFL } } },
	{ SYS_fcntl, 1, { { 2, WHOLE, F_DUPFD } } },
	{ SYS_fcntl, 1, { { 2, WHOLE, F_DUPFD_CLOEXEC } } },
	/* threads; glibc falls back to clone where clone3 is not there, whose flags lie out of
	 * reach */
	{ SYS_clone, 1, { { 0, CLONE_THREAD, CLONE_THREAD } } },
	{ SYS_set_robust_list, 0, { { 0 } } },
	{ SYS_get_robust_list, 0, { { 0 } } },
	{ SYS_rseq, 0, { { 0 } } },
	{ SYS_membarrier, 0, { { 0 } } },
	{ SYS_sched_yield, 0, { { 0 } } },
	{ SYS_sched_getaffinity, 0, { { 0 } } },
	{ SYS_getcpu, 0, { { 0 } } },
	{ SYS_gettid, 0, { { 0 } } },
	{ SYS_getpid, 0, { { 0 } } },
	{ SYS_getppid, 0, { { 0 } } },
	{ SYS_getuid, 0, { { 0 } } },
	{ SYS_geteuid, 0, { { 0 } } },
	{ SYS_getgid, 0, { { 0 } } },
	{ SYS_getegid, 0, { { 0 } } },
	{ SYS_prctl, 1, { { 0, WHOLE, PR_SET_NAME } } },
	{ SYS_prctl, 1, { { 0, WHOLE, PR_GET_NAME } } },
	{ SYS_exit, 0, { { 0 } } },
	{ SYS_exit_group, 0, { { 0 } } },
	/* signals, to itself only: abort(), and a handler for a file that shrinks while it is
	 * mapped */
	{ SYS_rt_sigaction, 0, { { 0 } } },
	{ SYS_rt_sigprocmask, 0, { { 0 } } },
	{ SYS_rt_sigreturn, 0, { { 0 } } },
	{ SYS_sigaltstack, 0, { { 0 } } },
	{ SYS_restart_syscall, 0, { { 0 } } },
	{ SYS_tgkill, 1, { { 0, WHOLE, SELF } } },
	/* time, chance, what the machine has */
	{ SYS_clock_gettime, 0, { { 0 } } },
	{ SYS_clock_getres, 0, { { 0 } } },
	{ SYS_clock_nanosleep, 0, { { 0 } } },
	{ SYS_nanosleep, 0, { { 0 } } },
	{ SYS_gettimeofday, 0, { { 0 } } },
	{ SYS_getrandom, 0, { { 0 } } },
	{ SYS_getrusage, 0, { { 0 } } },
	{ SYS_sysinfo, 0, { { 0 } } },
	{ SYS_uname, 0, { { 0 } } },
	/* limits: asked for, of itself, not set */
	{ SYS_prlimit64, 3, { { 0, WHOLE, 0 }, { 4, WHOLE, 0 }, { 5, WHOLE, 0 } } },
#ifdef __x86_64__ /* calls that newer machines have in one form only */
	{ SYS_open, 1, { { 2, WRITING, 0 } } },
	{ SYS_stat, 0, { { 0 } } },
	{ SYS_lstat, 0, { { 0 } } },
	{ SYS_access, 0, { { 0 } } },
	{ SYS_readlink, 0, { { 0 } } },
	{ SYS_dup2, 0, { { 0 } } },
	{ SYS_poll, 0, { { 0 } } },
	{ SYS_getrlimit, 0, { { 0 } } },
	{ SYS_time, 0, { { 0 } } },
#endif
};

/* Nothing of this stage does these: whoever does is no longer this program. */
static const long deadly[] = {
	SYS_execve,           SYS_execveat,         SYS_clone,
	SYS_ptrace,           SYS_process_vm_readv, SYS_process_vm_writev,
	SYS_kcmp,             SYS_pidfd_open,       SYS_pidfd_getfd,
	SYS_pidfd_send_signal, SYS_kill,            SYS_tkill,
	SYS_tgkill,           SYS_rt_sigqueueinfo,  SYS_rt_tgsigqueueinfo,
	SYS_socket,           SYS_socketpair,       SYS_connect,
	SYS_bind,             SYS_listen,           SYS_sendto,
	SYS_sendmsg,          SYS_sendmmsg,         SYS_mount,
	SYS_umount2,          SYS_pivot_root,       SYS_chroot,
	SYS_move_mount,       SYS_open_tree,        SYS_fsopen,
	SYS_fsmount,          SYS_fsconfig,         SYS_unshare,
	SYS_setns,            SYS_bpf,              SYS_perf_event_open,
	SYS_userfaultfd,      SYS_io_uring_setup,   SYS_io_uring_enter,
	SYS_io_uring_register, SYS_io_setup,        SYS_io_submit,
	SYS_keyctl,           SYS_add_key,          SYS_request_key,
	SYS_init_module,      SYS_finit_module,     SYS_delete_module,
	SYS_kexec_load,       SYS_reboot,           SYS_swapon,
	SYS_setuid,           SYS_setgid,           SYS_setreuid,
	SYS_setresuid,        SYS_setgroups,        SYS_capset,
	SYS_personality,      SYS_open_by_handle_at, SYS_memfd_create,
	SYS_fanotify_init,    SYS_quotactl,         SYS_acct,
	SYS_mknodat,          SYS_fchmodat,         SYS_fchownat,
#ifdef __x86_64__
	SYS_fork,             SYS_vfork,            SYS_creat,
	SYS_mknod,            SYS_chmod,            SYS_chown,
	SYS_iopl,             SYS_ioperm,           SYS_modify_ldt,
#endif
};

enum {
	HEAD = 4, /* instructions before the rules */
	PER_RULE = 3,
	PER_CONDITION = 3,
	PROGRAM_MAX = HEAD + (int)LEN(allowed) * (PER_RULE + PER_CONDITION * CONDITIONS_MAX)
		+ 2 * (int)LEN(deadly) + 1
};

struct program {
	struct sock_filter v[PROGRAM_MAX];
	unsigned short n;
};

static void put(struct program *p, struct sock_filter instruction)
{
	p->v[p->n++] = instruction;
}

static void put_load(struct program *p, size_t offset)
{
	put(p, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset));
}

/* Goes on when the loaded word is v, else skips so many instructions. */
static void put_unless_skip(struct program *p, uint32_t v, int skip)
{
	put(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, v, 0, (uint8_t)skip));
}

static void put_return(struct program *p, uint32_t action)
{
	put(p, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

/* The same number means another call on another kind of machine, and with bit 30 (x32) too. */
static void put_head(struct program *p)
{
	put_load(p, offsetof(struct seccomp_data, arch));
	put(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, machine, 1, 0));
	put_return(p, SECCOMP_RET_KILL_PROCESS);
	put_load(p, offsetof(struct seccomp_data, nr));
}

/* Conditions load another word, so the number of the call is loaded again behind them. */
static void put_rule(struct program *p, const struct allowed *rule, uint32_t pid)
{
	int left = PER_CONDITION * rule->n + 1 + (rule->n > 0);

	put_unless_skip(p, (uint32_t)rule->nr, left);
	for (int i = 0; i < rule->n; i++) {
		const struct condition *c = &rule->conditions[i];
		bool own = c->mask == WHOLE && c->value == SELF;

		left -= PER_CONDITION;
		put_load(p, offsetof(struct seccomp_data, args) + 4 * (size_t)c->word);
		put(p, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, c->mask));
		put_unless_skip(p, own ? pid : c->value, left - 1);
	}
	put_return(p, SECCOMP_RET_ALLOW);
	if (rule->n)
		put_load(p, offsetof(struct seccomp_data, nr));
}

static void put_all(struct program *p, uint32_t pid)
{
	uint32_t death = SANITIZED ? SECCOMP_RET_ERRNO | EPERM : SECCOMP_RET_KILL_PROCESS;

	put_head(p);
	for (size_t i = 0; i < LEN(allowed); i++)
		put_rule(p, &allowed[i], pid);
	for (size_t i = 0; i < LEN(deadly); i++) {
		put_unless_skip(p, (uint32_t)deadly[i], 1);
		put_return(p, death);
	}
	put_return(p, SECCOMP_RET_ERRNO | ENOSYS);
}

int sandbox_filter(void)
{
	struct program p = { .n = 0 };

	if (!MACHINE_KNOWN)
		return ENOSYS;
	put_all(&p, (uint32_t)getpid());
	struct sock_fprog program = { p.n, p.v };
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0 ? 0 : errno;
}
