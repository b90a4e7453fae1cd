/* Signatures of contributions: X.csv.sig beside X.csv, made by
 *
 *     ssh-keygen -Y sign -n gpuguide-contribution/SERIES -f KEY X.csv      (gpuguide-bench --sign KEY)
 *
 * and checked against DATA/contributors/allowed_signers (base/signers.h).
 *
 * What it binds. The bytes, and with them the machine, the dates and the values; the series by the
 * namespace, which is part of what is signed: in the folder of another series the same file is not
 * signed for. The file's name is bound by nothing: under another name in its series it is the same
 * evidence, and counted once. Rows of a signed file make machines of their own, by signer: nobody adds
 * runs to a machine that somebody else signed for.
 *
 * A signature that does not hold refuses its file whole, with the reason: somebody meant it to be
 * checked, and what it says now is not what was signed. A file without one is unsigned, no fault.
 * Where a line of allowed_signers has a limit of time, every row's own date must be within it, as git
 * holds a commit to its date; no clock is asked. Against somebody who has a key and dates rows back
 * only taking its line out helps.
 *
 * Only ed25519 (base/sshsig.h): for other keys a program would have to be run for each file, by the very
 * process that reads strangers' files and may run none. */
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

/* What lies beside a contribution under the name of its signature. What is no regular file (a link, a FIFO)
 * is passed over, as such contributions are: an edition keeps none in its inputs. */
enum signature_place { SIGNATURE_NONE, SIGNATURE_FILE, SIGNATURE_ODD };
enum signature_place signature_place(struct str path, struct arena *scratch);

/* The bytes of the signature; false: it cannot be read, or is over LIMIT_SIGNATURE. */
bool signature_read(struct str path, struct arena *a, struct str *text);

/* Checks one file while it is read: begin, feed every byte of the file as it lies there in order, end.
 * Threads may check files side by side, each with a check and memory of its own. */
struct signature_check {
	struct sshsig sig;
	struct sshsig_bytes bytes;
	const struct signer *signer; /* a line of allowed_signers that lets this key sign for the series: who
	                              * it is of if signature_end() finds it sound */
};

/* All but the bytes.
 * Errors (also of end): ERR_DATA, in words that follow "the file is refused: " */
bool signature_begin(const struct signers *signers, struct str path, struct str series,
                     struct arena *a, struct signature_check *out, struct error *err);
void signature_feed(struct signature_check *c, struct str piece);
bool signature_end(struct signature_check *c, struct error *err);
/* All at once. */
bool signature_verify(const struct signers *signers, struct str path, struct str series,
                      struct str text, struct arena *a, const struct signer **signer,
                      struct error *err);

/* Whether a line of the same key is good on all days of the rows.
 * of      the line that was found
 * oldest, newest  day INT_MAX and INT_MIN: no row has a date;  undated: a row has none
 * Errors  ERR_DATA as above */
bool signature_dates(const struct signers *signers, const struct signer *of, struct str series,
                     struct date oldest, struct date newest, bool undated, struct arena *a,
                     struct error *err);

#endif
