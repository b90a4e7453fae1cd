/* Signatures by ssh-keygen and minisign, with keys made here; what is not installed is passed over.
 */
#include "folder_fixture.h"

#include "../base/file.h"
#include "../base/process.h"
#include "../publish/sign.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* false: the tool is not there, or did not do it. */
static bool tool(const struct fixture *f, const char *const *argv, const char *input)
{
	struct process_options opt = {
		.argv = argv, .input = str_of(input), .seconds = 20, .output_max = 9999
	};
	struct process_result r;
	struct error err = { 0 };

	return process_run(&opt, f->a, &r, &err) && r.status == 0;
}

static bool ssh_key(const struct fixture *f, const char *name, const char *password)
{
	const char *const argv[] = { "ssh-keygen", "-q", "-t", "ed25519",   "-N", password,
				     "-C",         name, "-f", at(f, name), NULL };

	return tool(f, argv, "");
}

static bool minisign_key(const struct fixture *f, const char *name)
{
	const char *const argv[] = { "minisign",
				     "-G",
				     "-W",
				     "-p",
				     at(f, str_c(f->a, str_printf(f->a, "%s.mpub", name))),
				     "-s",
				     at(f, str_c(f->a, str_printf(f->a, "%s.mkey", name))),
				     NULL };

	return tool(f, argv, "");
}

/* A line of allowed signers. */
static void allow(const struct fixture *f, const char *file, const char *who, const char *key)
{
	struct str pub = get(f, str_c(f->a, str_printf(f->a, "%s.pub", key)));

	put(f, file, str_printf(f->a, "%s " STR_FMT, who, STR_ARG(pub)));
}

/* One check and what is to come of it. */
static void checks(const struct fixture *f, enum sign_tool tool_id, struct str manifest,
		   const char *signature, const char *signers, enum sign_state want,
		   const char *signer, const char *reason, const char *name)
{
	struct sign_check out;
	struct error err = { 0 };
	bool ran = sign_verify(tool_id, manifest, get(f, signature),
			       signers ? at(f, signers) : NULL, f->dir, f->a, &out, &err);
	bool good = ran && out.state == want && out.tool == tool_id
		    && str_find(out.signer, str_of(signer), 0) < out.signer.len + (*signer == '\0')
		    && str_find(out.reason, str_of(reason), 0) < out.reason.len + (*reason == '\0');

	test_ok(f->t, good, name);
	if (!good)
		printf("# %s state %d signer '" STR_FMT "' reason '" STR_FMT "' %s\n",
		       ran ? "" : "failed", ran ? (int)out.state : -1, STR_ARG(out.signer),
		       STR_ARG(out.reason), err.msg);
}

static void test_names(struct test *t)
{
	enum sign_tool out = SIGN_NONE;

	test_ok(t, sign_tool_parse(STR("ssh"), &out) && out == SIGN_SSH, "ssh");
	test_ok(t, sign_tool_parse(STR("minisign"), &out) && out == SIGN_MINISIGN, "minisign");
	test_ok(t, !sign_tool_parse(STR("gpg"), &out) && !sign_tool_parse(STR(""), &out),
		"no other tool");
}

static void sign_fails(const struct fixture *f, enum sign_tool tool_id, const char *key,
		       const char *words, const char *name)
{
	struct error err = { 0 };
	bool done = sign_manifest(f->dir, tool_id, at(f, key), f->a, &err);

	test_ok(f->t, !done && err.code == ERR_ENVIRONMENT && strstr(err.msg, words), name);
	if (done || !strstr(err.msg, words))
		printf("# '%s'\n", err.msg);
}

static void test_ssh(const struct fixture *f)
{
	static const struct str text = STR_INIT("the list\n"), other = STR_INIT("the list \n");
	struct error err = { 0 };

	if (!ssh_key(f, "one", "") || !ssh_key(f, "two", "") || !ssh_key(f, "locked", "secret")) {
		printf("# no ssh-keygen: passed over\n");
		return;
	}
	put(f, "MANIFEST", text);
	allow(f, "allowed", "a@x.org,b@x.org", "one");
	allow(f, "others", "c@x.org", "two");
	allow(f, "for-git", "a@x.org namespaces=\"git\"", "one");
	test_ok(f->t,
		sign_manifest(f->dir, SIGN_SSH, at(f, "one"), f->a, &err)
		    && str_starts(get(f, "MANIFEST.sig"), STR("-----BEGIN SSH SIGNATURE-----")),
		"ssh: signed");
	struct str first = get(f, "MANIFEST.sig");
	test_ok(f->t, sign_manifest(f->dir, SIGN_SSH, at(f, "one"), f->a, &err),
		"ssh: signed anew over it");
	test_str(f->t, get(f, "MANIFEST.sig"), first, "ssh: the same bytes");
	test_str(f->t, get(f, "MANIFEST"), text, "ssh: MANIFEST as it was");
	checks(f, SIGN_SSH, text, "MANIFEST.sig", "allowed", SIGN_GOOD,
	       "a@x.org (ED25519 key SHA256:", "", "ssh: by one of the signers");
	checks(f, SIGN_SSH, text, "MANIFEST.sig", NULL, SIGN_UNKNOWN, "ED25519 key SHA256:", "",
	       "ssh: no signers given");
	checks(f, SIGN_SSH, other, "MANIFEST.sig", "allowed", SIGN_BAD, "",
	       "not a signature of this MANIFEST", "ssh: of another list");
	checks(f, SIGN_SSH, other, "MANIFEST.sig", NULL, SIGN_BAD, "",
	       "not a signature of this MANIFEST", "ssh: of another list, no signers given");
	checks(f, SIGN_SSH, text, "MANIFEST.sig", "others", SIGN_BAD, "ED25519",
	       "not among the signers of", "ssh: by somebody else");
	checks(f, SIGN_SSH, text, "MANIFEST.sig", "for-git", SIGN_BAD, "", "for an edition",
	       "ssh: allowed for something else");
	checks(f, SIGN_SSH, text, "MANIFEST", "allowed", SIGN_BAD, "", "not a signature",
	       "ssh: no signature");
	put(f, "nobody", STR("# nobody\n"));
	checks(f, SIGN_SSH, text, "MANIFEST.sig", "nobody", SIGN_BAD, "",
	       "not among the signers of", "ssh: an empty list of signers");
	test_ok(f->t, !file_exists(at(f, "signed")) && !file_exists(at(f, "signature")),
		"the files for the tools are gone");
	sign_fails(f, SIGN_SSH, "absent", "absent: the key to sign with is not there",
		   "ssh: no such key");
	sign_fails(f, SIGN_SSH, "allowed", "could not sign with", "ssh: a file that is no key");
	sign_fails(f, SIGN_SSH, "locked", "could not sign with",
		   "ssh: a key with a password is not waited for");
}

static void test_minisign(const struct fixture *f)
{
	static const struct str text = STR_INIT("the list\n"), other = STR_INIT("the list \n");
	struct error err = { 0 };

	if (!minisign_key(f, "one") || !minisign_key(f, "two")) {
		printf("# no minisign: passed over\n");
		return;
	}
	put(f, "MANIFEST", text);
	test_ok(f->t,
		sign_manifest(f->dir, SIGN_MINISIGN, at(f, "one.mkey"), f->a, &err)
		    && file_exists(at(f, "MANIFEST.minisig")),
		"minisign: signed");
	checks(f, SIGN_MINISIGN, text, "MANIFEST.minisig", "one.mpub", SIGN_GOOD, "minisign key RW",
	       "", "minisign: by that key");
	checks(f, SIGN_MINISIGN, text, "MANIFEST.minisig", NULL, SIGN_UNCHECKED, "",
	       "only against a key", "minisign: no key given");
	checks(f, SIGN_MINISIGN, other, "MANIFEST.minisig", "one.mpub", SIGN_BAD, "",
	       "not a signature", "minisign: of another list");
	checks(f, SIGN_MINISIGN, text, "MANIFEST.minisig", "two.mpub", SIGN_BAD, "",
	       "not a signature", "minisign: another key");
	put(f, "ssh-signers", STR("a@x.org ssh-ed25519 AAAA\n"));
	checks(f, SIGN_MINISIGN, text, "MANIFEST.minisig", "ssh-signers", SIGN_UNCHECKED, "",
	       "only against a key", "minisign: signers of the other tool");
	sign_fails(f, SIGN_MINISIGN, "MANIFEST", "could not sign with",
		   "minisign: a file that is no key");
	const char *const forge[] = { "minisign", "-S",
				      "-s",       at(f, "one.mkey"),
				      "-m",       at(f, "MANIFEST"),
				      "-x",       at(f, "MANIFEST.minisig"),
				      "-t",       "of a release",
				      NULL };
	tool(f, forge, "");
	checks(f, SIGN_MINISIGN, text, "MANIFEST.minisig", "one.mpub", SIGN_BAD, "",
	       "made for something else", "minisign: made for something else");
}

static void test_no_tools(const struct fixture *f)
{
	struct sign_check out;
	struct error err = { 0 };

	put(f, "signers", STR("a@x.org ssh-ed25519 AAAA\n"));
	put(f, "key", STR("x"));
	setenv("PATH", "/nonexistent", 1);
	checks(f, SIGN_SSH, STR("x"), "signers", NULL, SIGN_UNCHECKED, "", "ssh-keygen: not found",
	       "no ssh-keygen, nobody asked");
	test_ok(
	    f->t,
	    !sign_verify(SIGN_SSH, STR("x"), STR("y"), at(f, "signers"), f->dir, f->a, &out, &err)
		&& err.code == ERR_ENVIRONMENT && strstr(err.msg, "openssh-client"),
	    "no ssh-keygen, and signers given");
	sign_fails(f, SIGN_SSH, "key", "ssh-keygen: not found", "no ssh-keygen to sign with");
	sign_fails(f, SIGN_MINISIGN, "key", "(package minisign)", "no minisign to sign with");
	err = (struct error){ 0 };
	test_ok(
	    f->t,
	    !sign_verify(SIGN_SSH, STR("x"), STR("y"), at(f, "absent"), f->dir, f->a, &out, &err)
		&& err.code == ERR_ENVIRONMENT,
	    "no such file of signers");
	put(f, "empty.mpub", STR("untrusted comment: nothing\n"));
	err = (struct error){ 0 };
	test_ok(f->t,
		!sign_verify(SIGN_MINISIGN, STR("x"), STR("y"), at(f, "empty.mpub"), f->dir, f->a,
			     &out, &err)
		    && strstr(err.msg, "holds no public key"),
		"a public key without a key");
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };
	struct fixture f = { .dir = "/tmp/sign_test_XXXXXX", .a = &a, .t = &t };
	struct error err = { 0 };

	if (!mkdtemp(f.dir))
		return 1;
	test_names(&t);
	test_ssh(&f);
	test_minisign(&f);
	test_no_tools(&f);
	file_remove_tree(f.dir, &err);
	arena_free(&a);
	return test_done(&t);
}
