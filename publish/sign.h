/* The publisher's signature of an edition's MANIFEST, and who signed it: OpenSSH keys (ssh-keygen
 * -Y) or minisign. Both are run as programs; this one never reads a key. MANIFEST lists every file
 * by its SHA-256, so one signature vouches for the whole edition.
 *
 * Made for the namespace "gpuguide-edition": a signature that the same key made for something else,
 * of a git commit or a file, does not hold here. */
#ifndef PUBLISH_SIGN_H
#define PUBLISH_SIGN_H

#include "../base/arena.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>

enum sign_tool { SIGN_NONE, SIGN_SSH, SIGN_MINISIGN };

/* "ssh" or "minisign"; false: neither. */
bool sign_tool_parse(struct str name, enum sign_tool *out);

/* Writes DIR/MANIFEST.sig (ssh) or DIR/MANIFEST.minisig (minisign).
 * key     file of the private key, with ssh also of a public key whose private one the agent holds.
 * A key that wants a password cannot be used: nobody is there to type it Errors  ERR_ENVIRONMENT
 * with the tool's own words: no such tool, no such key, it did not sign */
bool sign_manifest(const char *dir, enum sign_tool tool, const char *key, struct arena *a,
		   struct error *err);

enum sign_state {
	SIGN_ABSENT,  /* the edition is not signed */
	SIGN_UNKNOWN, /* signed and unbroken, but nobody vouched for the key: no signers were given
		       */
	SIGN_GOOD,    /* signed by one of the signers */
	SIGN_BAD, /* of another MANIFEST, by another key, for another purpose, or no signature at
		     all */
	SIGN_UNCHECKED, /* the tool is not there, or minisign was given no key */
};

struct sign_check {
	enum sign_state state;
	enum sign_tool tool;
	struct str
	    signer; /* who: the principal in the file of signers, or the key's fingerprint; plain */
	struct str reason; /* of BAD and UNCHECKED, for people; plain */
};

/* Checks a signature. Both are read by the caller: the edition's folder may be somebody else's, and
 * what is checked must be what was read.
 * work     folder of the caller's own in which the tools' input is put, and removed again
 * signers  NULL: none given. With ssh a file of allowed signers (ssh-keygen(1)), each with its
 * name; with minisign the file of a public key Errors   ERR_ENVIRONMENT signers were given and the
 * tool or that file is not there */
bool sign_verify(enum sign_tool tool, struct str manifest, struct str signature,
		 const char *signers, const char *work, struct arena *a, struct sign_check *out,
		 struct error *err);

#endif
