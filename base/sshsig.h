/* Signatures of OpenSSH (ssh-keygen -Y sign), checked in this process: a program run for each of
 * ten thousand files would take minutes, and what reads strangers' files may not run programs at
 * all.
 *
 * Keys: ssh-ed25519, and sk-ssh-ed25519@openssh.com (the same on a hardware key, where a person had
 * to touch it). Hashes: sha512 (what ssh-keygen takes) and sha256.
 * What holds here holds for ssh-keygen -Y check-novalidate; the reverse is not wholly so: text
 * behind the last line, a reserved field that is not empty, base64 with stray bits, and keys of low
 * order are refused here.
 *
 * Sources: OpenSSH PROTOCOL.sshsig and PROTOCOL.u2f; RFC 8709 (ssh-ed25519); RFC 4251, 5
 * (strings). */
#ifndef BASE_SSHSIG_H
#define BASE_SSHSIG_H

#include "arena.h"
#include "error.h"
#include "str.h"

#include <sodium.h>
#include <stdbool.h>
#include <stddef.h>

enum sshsig_hash { SSHSIG_SHA256, SSHSIG_SHA512 };

/* A signature as it says of itself: nothing of it is proven before sshsig_holds(). */
struct sshsig {
	struct str name_space;
	struct str key_type;  /* "ssh-ed25519" */
	struct str key;       /* the public key as allowed signers have it, before base64 */
	struct str reason;    /* why it cannot be checked: a key type or a hash of another kind;
	                       * empty: it can */
	enum sshsig_hash hash;
	struct str public_key, signature; /* 32 and 64 bytes */
	struct str application; /* of a hardware key; empty: none */
	unsigned char flags;
	unsigned long counter;
};

/* text  of a .sig file; not kept
 * Errors  ERR_SYNTAX what is wrong with it; without a position */
bool sshsig_parse(struct str text, struct arena *a, struct sshsig *out, struct error *err);

/* The bytes that were signed, piece by piece. */
struct sshsig_bytes {
	enum sshsig_hash hash;
	union {
		crypto_hash_sha256_state sha256;
		crypto_hash_sha512_state sha512;
	} state;
};
void sshsig_begin(const struct sshsig *s, struct sshsig_bytes *b);
void sshsig_feed(struct sshsig_bytes *b, struct str piece);
/* Whether s is a signature by s->key, in s->name_space, of the bytes that were fed; b is used up.
 * Whose the key is and what it may sign is another question (signers.h). */
bool sshsig_holds(const struct sshsig *s, struct sshsig_bytes *b);

/* Both hashes of bytes that were read before it was known which of them is signed. */
struct sshsig_sums {
	unsigned char sha256[crypto_hash_sha256_BYTES], sha512[crypto_hash_sha512_BYTES];
};
/* As sshsig_holds, of the bytes that have these hashes. */
bool sshsig_holds_of(const struct sshsig *s, const struct sshsig_sums *sums);

/* "SHA256:" and 43 characters, as ssh-keygen -l shows it. */
struct str sshsig_fingerprint(struct str key, struct arena *a);

/* Base64 with padding, blanks and line ends between; false: it is none. Shared with signers.h. */
bool sshsig_base64(struct str text, struct arena *a, struct str *out);
/* The next string of a key or signature, cut off *rest; false where it is not whole. */
bool sshsig_string(struct str *rest, struct str *out);

#endif
