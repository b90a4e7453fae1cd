/* Signatures of contributions: X.csv.sig beside X.csv, made by
 *
 *     ssh-keygen -Y sign -n gpuguide-contribution/SERIES -f KEY X.csv  (gpuguide-bench --sign KEY)
 *
 * and checked against DATA/contributors/allowed_signers (base/signers.h).
 *
 * What it binds. The bytes, and with them the machine, the dates and the values; the series by the
 * namespace, which is part of what is signed: in the folder of another series the same file is not
 * signed for. The file's name is bound by nothing: under another name in its series it is the same
 * evidence, and counted once. Rows of a signed file make machines of their own, by signer: nobody
 * adds runs to a machine that somebody else signed for.
 *
 * A signature that does not hold refuses its file whole, with the reason: somebody meant it to be
 * checked, and what it says now is not what was signed. A file without one is unsigned, no fault.
 * Where a line of allowed_signers has a limit of time, every row's own date must be within it, as
 * git holds a commit to its date; no clock is asked. Against somebody who has a key and dates rows
 * back only taking its line out helps.
 *
 * Only ed25519 (base/sshsig.h): for other keys a program would have to be run for each file, by the
 * very process that reads strangers' files and may run none. */
#ifndef COLLECT_SIGNATURE_H
#define COLLECT_SIGNATURE_H

#include "row.h"
#include "../base/arena.h"
#include "../base/error.h"
#include "../base/signers.h"
#include "../base/sshsig.h"
#include "../base/str.h"

#include <stdbool.h>

#define SIGNATURE_NAMESPACE "gpuguide-contribution"

/* DATA/contributors/allowed_signers; an absent file is nobody.
 * Errors: as signers_read */
bool signature_signers(const char *data_dir, struct arena *a, struct signers *out,
                       struct error *err);

/* What lies beside a contribution under the name of its signature. What is no regular file (a link,
 * a FIFO) is passed over, as such contributions are: an edition keeps none in its inputs. */
enum signature_place { SIGNATURE_NONE, SIGNATURE_FILE, SIGNATURE_ODD };
enum signature_place signature_place(struct str path, struct arena *scratch);

/* By what a run knows the signature that it found: the SHA-256 of its text, or why it cannot be
 * read, also that it is over LIMIT_SIGNATURE. Never empty. */
struct str signature_sum(struct str path, struct arena *a);

/* Checks one file while it is read, in memory of its own: begin, feed every byte of the file as it
 * lies there in order, end; or, of a packed file, end it by the hashes of its first pass. Threads
 * may check files side by side. */
struct signature_check {
	struct arena arena;          /* holds the check itself */
	struct sshsig sig;
	struct sshsig_bytes bytes;
	const struct signer *signer; /* a line of allowed_signers that lets this key sign for the
	                              * series: who it is of if signature_end() finds it sound */
	bool ended;                  /* by signature_end() */
	bool sound;                  /* since then; otherwise err tells why not */
	struct error err;
};

/* All but the bytes; NULL where it fails.
 * sum     signature_sum() of before: what the run has found is what it goes by
 * Errors  (ERR_DATA also of end) in words that follow "the file is refused: ": ERR_DATA it does not
 *         hold; ERR_RANGE it is over LIMIT_SIGNATURE; ERR_SYNTAX it is another one than before */
struct signature_check *signature_begin(const struct signers *signers, struct str path,
                                        struct str sum, struct str series, struct error *err);
void signature_feed(struct signature_check *c, struct str piece);
void signature_end(struct signature_check *c);
void signature_end_sent(struct signature_check *c, const struct sshsig_sums *sent);
/* A check that has ended once more, in memory of its own: members of an archive share the
 * outcome. */
struct signature_check *signature_again(const struct signature_check *c);
void signature_free(struct signature_check *c); /* may be NULL */

/* Whether a line of the same key is good on all days of the rows.
 * of      the line that was found
 * oldest, newest  day INT_MAX and INT_MIN: no row has a date;  undated: a row has none
 * Errors  ERR_DATA as above */
bool signature_dates(const struct signers *signers, const struct signer *of, struct str series,
                     struct date oldest, struct date newest, bool undated, struct arena *a,
                     struct error *err);

#endif
