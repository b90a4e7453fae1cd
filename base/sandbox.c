#define _GNU_SOURCE /* O_PATH, syscall */

#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* linux/landlock.h of the newest ABI; that of an older system lacks half of it, and the kernel
 * takes a longer struct than it knows where the rest is 0. */
struct ruleset_attr {
	uint64_t handled_fs, handled_net, scoped;
};
struct path_beneath_attr {
	uint64_t allowed;
	int32_t parent_fd;
} __attribute__((packed));

enum { CREATE_RULESET_VERSION = 1, RULE_PATH_BENEATH = 1 };
enum { FS_READ_FILE = 1 << 2, FS_READ_DIR = 1 << 3 };

/* What each ABI added, in bits from 0 on: all of it is handled, that is forbidden but for the
 * rules. */
static const struct {
	int abi;
	struct ruleset_attr bits;
} added[] = {
	{ 1, { 0x1fff, 0, 0 } }, /* execute, write, read, list, remove, make … */
	{ 2, { 1 << 13, 0, 0 } }, /* link and rename between folders */
	{ 3, { 1 << 14, 0, 0 } }, /* truncate */
	{ 4, { 0, 3, 0 } },       /* TCP bind, connect */
	{ 5, { 1 << 15, 0, 0 } }, /* ioctl of devices */
	{ 6, { 0, 0, 3 } },       /* abstract sockets, signals */
};

/* A file cannot be listed, and a rule that says so is an error. */
static void allow_read(int ruleset, const char *path)
{
	struct path_beneath_attr rule = { .allowed = FS_READ_FILE };
	struct stat st;

	rule.parent_fd = open(path, O_PATH | O_CLOEXEC);
	if (rule.parent_fd < 0)
		return;
	if (fstat(rule.parent_fd, &st) == 0) {
		if (S_ISDIR(st.st_mode))
			rule.allowed |= FS_READ_DIR;
		syscall(SYS_landlock_add_rule, ruleset, RULE_PATH_BENEATH, &rule, 0);
	}
	close(rule.parent_fd);
}

int sandbox_landlock(const struct sandbox_rules *rules, int *abi)
{
	struct ruleset_attr all = { 0 };
	long version = syscall(SYS_landlock_create_ruleset, NULL, 0, CREATE_RULESET_VERSION);
	int why = 0;

	*abi = 0;
	if (version < 1)
		return version < 0 ? errno : ENOSYS;
	for (size_t i = 0; i < LEN(added) && added[i].abi <= version; i++) {
		all.handled_fs |= added[i].bits.handled_fs;
		all.handled_net |= added[i].bits.handled_net;
		all.scoped |= added[i].bits.scoped;
	}
	int ruleset = (int)syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0);
	if (ruleset < 0)
		return errno;
	for (size_t i = 0; i < rules->nread; i++)
		allow_read(ruleset, rules->read[i]);
	if (syscall(SYS_landlock_restrict_self, ruleset, 0) != 0)
		why = errno;
	else
		*abi = (int)version;
	close(ruleset);
	return why;
}

void sandbox_enter(const struct sandbox_rules *rules, struct sandbox_state *out)
{
	const struct rlimit none = { 0, 0 };

	*out = (struct sandbox_state){ 0 };
	setrlimit(RLIMIT_CORE, &none);
	/* without it, seccomp asks for privileges and Landlock refuses */
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	out->landlock_errno = sandbox_landlock(rules, &out->landlock_abi);
	out->filter_errno = sandbox_filter();
	out->filter = out->filter_errno == 0;
}

struct str sandbox_text(const struct sandbox_state *s, struct arena *a)
{
	struct strbuf b = { .arena = a };

	if (s->landlock_abi)
		strbuf_printf(&b, "Landlock ABI %d", s->landlock_abi);
	else
		strbuf_printf(&b, "no Landlock (%s)", strerror(s->landlock_errno));
	if (s->filter)
		strbuf_add(&b, STR(", seccomp"));
	else
		strbuf_printf(&b, ", no seccomp (%s)", strerror(s->filter_errno));
	return strbuf_str(&b);
}
