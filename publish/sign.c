#include "sign.h"

#include "../base/file.h"
#include "../base/process.h"

#include <string.h>
#include <unistd.h>

/* Also minisign's trusted comment, which its signature covers. */
#define NAMESPACE "gpuguide-edition"

enum { TOOL_SECONDS = 60, OUTPUT_MAX = 64 << 10, SIGNERS_MAX = 4 << 20, PRINCIPALS_MAX = 100 };

/* By enum sign_tool. */
static const struct tool {
	const char *name, *program, *package, *suffix;
} tools[] = {
	[SIGN_NONE] = { "", "", "", "" },
	[SIGN_SSH] = { "ssh", "ssh-keygen", "openssh-client", "sig" },
	[SIGN_MINISIGN] = { "minisign", "minisign", "minisign", "minisig" },
};

bool sign_tool_parse(struct str name, enum sign_tool *out)
{
	for (size_t i = SIGN_SSH; i < LEN(tools); i++)
		if (str_eq(name, str_of(tools[i].name))) {
			*out = (enum sign_tool)i;
			return true;
		}
	return false;
}

/* A password is asked of a program that always refuses, not of a terminal where nobody sits. */
static const char *const nobody_types[] = { "SSH_ASKPASS=/bin/false", "SSH_ASKPASS_REQUIRE=force",
					    NULL };

/* false: it could not be run at all, or not to its end. */
static bool run(enum sign_tool tool, const char *const *argv, struct str input, struct arena *a,
		struct process_result *r, struct error *err)
{
	struct process_options opt = { .argv = argv,
				       .env = nobody_types,
				       .input = input,
				       .seconds = TOOL_SECONDS,
				       .output_max = OUTPUT_MAX };
	struct error why = { 0 };

	if (!process_run(&opt, a, r, &why))
		return error_set(err, ERR_ENVIRONMENT, "%s (package %s)", why.msg,
				 tools[tool].package);
	if (r->timed_out || r->too_much_output || r->signal)
		return process_good(&opt, r, err);
	return true;
}

/* A path that no tool takes for an option. */
static const char *operand(const char *path, struct arena *a)
{
	return path[0] == '-' ? str_c(a, str_printf(a, "./%s", path)) : path;
}

bool sign_manifest(const char *dir, enum sign_tool tool, const char *key, struct arena *a,
		   struct error *err)
{
	const char *manifest = operand(str_c(a, file_join(a, str_of(dir), STR("MANIFEST"))), a);
	const char *out = str_c(a, str_printf(a, "%s.%s", manifest, tools[tool].suffix));
	const char *const ssh[] = { "ssh-keygen", "-Y", "sign",   "-n", NAMESPACE,
				    "-f",         key,  manifest, NULL };
	const char *const minisign[] = { "minisign", "-S", "-s", key,       "-m", manifest,
					 "-x",       out,  "-t", NAMESPACE, NULL };
	struct process_result r;

	if (!file_exists(key))
		return error_set(err, ERR_ENVIRONMENT, "%s: the key to sign with is not there",
				 key);
	unlink(out); /* ssh-keygen would ask whether to write over it */
	if (!run(tool, tool == SIGN_SSH ? ssh : minisign, (struct str){ 0 }, a, &r, err))
		return false;
	if (r.status != 0 || !file_exists(out))
		return error_set(err, ERR_ENVIRONMENT, "%s: could not sign with %s: " STR_FMT,
				 tools[tool].program, key, STR_ARG(str_trim(r.message)));
	return true;
}

/* What ssh-keygen and minisign are given lies in files of our own. */
struct checking {
	enum sign_tool tool;
	struct str manifest;
	const char *signers;
	const char *manifest_file, *signature_file;
	struct arena *arena;
	struct sign_check *out;
	struct error *err;
};

static bool conclude(struct checking *c, enum sign_state state, struct str reason)
{
	c->out->state = state;
	c->out->reason = str_plain(c->arena, str_trim(reason));
	return true;
}

/* 'Good "gpuguide-edition" signature with ED25519 key SHA256:…' gives what stands behind `mark`. */
static struct str behind(struct str text, struct str mark)
{
	size_t at = str_find(text, mark, 0);
	struct str line = { 0 };

	if (at == text.len)
		return line;
	text = str_slice(text, at + mark.len, text.len);
	str_cut(&text, '\n', &line);
	return str_trim(line);
}

/* Whether that principal's key made it; a list of principals has names with commas between. */
static bool ssh_is_of(struct checking *c, struct str principal, bool *good)
{
	const char *name = str_c(c->arena, principal);
	const char *const argv[] = { "ssh-keygen", "-Y", "verify",  "-f", c->signers,        "-I",
				     name,         "-n", NAMESPACE, "-s", c->signature_file, NULL };
	struct process_result r;

	if (!run(SIGN_SSH, argv, c->manifest, c->arena, &r, c->err))
		return false;
	*good = r.status == 0;
	if (*good)
		c->out->signer = str_plain(
		    c->arena, str_printf(c->arena, STR_FMT " (" STR_FMT ")", STR_ARG(principal),
					 STR_ARG(behind(r.output, STR(" with ")))));
	return true;
}

static bool ssh_signers(struct checking *c)
{
	const char *const argv[] = { "ssh-keygen",      "-Y", "find-principals", "-s",
				     c->signature_file, "-f", c->signers,        NULL };
	struct process_result r;
	struct str lines, line, principal;
	int tried = 0;

	if (!run(SIGN_SSH, argv, (struct str){ 0 }, c->arena, &r, c->err))
		return false;
	for (lines = r.output; r.status == 0 && str_cut(&lines, '\n', &line);)
		while (str_cut(&line, ',', &principal)) {
			bool good = false;

			if (str_trim(principal).len == 0 || tried++ == PRINCIPALS_MAX)
				continue;
			if (!ssh_is_of(c, str_trim(principal), &good))
				return false;
			if (good)
				return conclude(c, SIGN_GOOD, (struct str){ 0 });
		}
	return conclude(c, SIGN_BAD,
			str_printf(c->arena,
				   "signed with %s, which is not among the signers of %s%s",
				   str_c(c->arena, c->out->signer), c->signers,
				   tried ? " for an edition" : ""));
}

static bool ssh_check(struct checking *c)
{
	const char *const argv[] = { "ssh-keygen", "-Y", "check-novalidate", "-n",
				     NAMESPACE,    "-s", c->signature_file,  NULL };
	struct process_result r;

	if (!run(SIGN_SSH, argv, c->manifest, c->arena, &r, c->err))
		return false;
	if (r.status != 0)
		return conclude(c, SIGN_BAD,
				str_printf(c->arena, "not a signature of this MANIFEST: " STR_FMT,
					   STR_ARG(str_trim(r.message))));
	c->out->signer = str_plain(c->arena, behind(r.output, STR(" with ")));
	return c->signers ? ssh_signers(c) : conclude(c, SIGN_UNKNOWN, (struct str){ 0 });
}

/* The line below "untrusted comment: …" of a public key: what people call the key. */
static bool read_public_key(struct checking *c, struct str *key)
{
	struct str text, line;

	if (!file_read(c->signers, SIGNERS_MAX, c->arena, &text, c->err))
		return false;
	while (str_cut(&text, '\n', &line))
		if (!str_starts(line, STR("untrusted comment:")) && str_trim(line).len > 0) {
			*key = str_trim(line);
			return true;
		}
	return error_set(c->err, ERR_ENVIRONMENT, "%s: holds no public key", c->signers);
}

static bool minisign_check(struct checking *c)
{
	struct process_result r;
	struct str key;

	if (!c->signers)
		return conclude(c, SIGN_UNCHECKED,
				STR("minisign checks only against a key: give it with --signers"));
	if (!read_public_key(c, &key))
		return false;
	const char *const argv[] = {
		"minisign",        "-V", "-Q", "-p", c->signers, "-m", c->manifest_file, "-x",
		c->signature_file, NULL
	};
	if (!run(SIGN_MINISIGN, argv, (struct str){ 0 }, c->arena, &r, c->err))
		return false;
	if (r.status != 0)
		return conclude(
		    c, SIGN_BAD,
		    str_printf(c->arena,
			       "not a signature of this MANIFEST by the key of %s: " STR_FMT,
			       c->signers, STR_ARG(str_trim(r.message))));
	if (!str_eq(str_trim(r.output), STR(NAMESPACE)))
		return conclude(
		    c, SIGN_BAD,
		    str_printf(c->arena,
			       "made for something else: its trusted comment is not " NAMESPACE));
	c->out->signer =
	    str_plain(c->arena, str_printf(c->arena, "minisign key " STR_FMT, STR_ARG(key)));
	return conclude(c, SIGN_GOOD, (struct str){ 0 });
}

/* Whether FILE is a public key of minisign; anything else is taken for ssh's allowed signers. */
static bool signers_are_of(const char *signers, enum sign_tool tool, struct arena *a, bool *yes,
			   struct error *err)
{
	struct str text;

	if (!file_read(signers, SIGNERS_MAX, a, &text, err))
		return false;
	*yes = (tool == SIGN_MINISIGN) == str_starts(text, STR("untrusted comment:"));
	return true;
}

bool sign_verify(enum sign_tool tool, struct str manifest, struct str signature,
		 const char *signers, const char *work, struct arena *a, struct sign_check *out,
		 struct error *err)
{
	struct str folder = str_of(operand(work, a));
	struct error why = { 0 };
	struct checking c = {
		.tool = tool, .manifest = manifest, .arena = a, .out = out, .err = &why
	};
	bool ours = false, good;

	*out = (struct sign_check){ .state = SIGN_UNCHECKED, .tool = tool };
	if (signers && !signers_are_of(signers, tool, a, &ours, err))
		return false;
	c.signers = ours ? operand(signers, a) : NULL;
	c.manifest_file = str_c(a, file_join(a, folder, STR("signed")));
	c.signature_file = str_c(a, file_join(a, folder, STR("signature")));
	good = file_write(c.manifest_file, manifest, &why)
	       && file_write(c.signature_file, signature, &why)
	       && (tool == SIGN_SSH ? ssh_check(&c) : minisign_check(&c));
	unlink(c.manifest_file);
	unlink(c.signature_file);
	if (good)
		return true;
	if (signers)
		return error_set(err, why.code, "%s", why.msg);
	return conclude(&c, SIGN_UNCHECKED, str_of(why.msg)); /* nobody asked who signed it */
}
