/* What `gpuguide verify` says, in its three formats. */
#ifndef CLI_VERIFY_OUT_H
#define CLI_VERIFY_OUT_H

#include "options.h"
#include "../publish/verify.h"

enum verify_verdict {
	VERDICT_NOT_ASKED,  /* --quick */
	VERDICT_IMPOSSIBLE, /* the edition does not keep what it takes */
	VERDICT_FAILED,     /* it could not be made here */
	VERDICT_IDENTICAL,
	VERDICT_PAGES_DIFFER, /* every number is the same, pages or drawings are not */
	VERDICT_DIFFERENT,
	VERDICTS
};

struct verify_report {
	const char *dir;
	const struct verify *v;
	struct sign_check signatures[2]; /* of ssh, of minisign */
	bool signers_given;
	enum verify_verdict verdict;
	struct str reason; /* of IMPOSSIBLE and FAILED */
	struct verify_rebuild rebuild;
	double seconds; /* that the rebuild took, for the terminal only; 0: there was none */
};

/* Whether all that was asked holds: the exit status. */
bool verify_report_good(const struct verify_report *r);

/* text  a few lines for a terminal, at most 20 findings
 * csv   check,file,status,detail: one row for the files, each signature, the rebuild, each tool
 * that is another here, each finding json  folder, id, verified, made_by {key: value}, files,
 * inputs, signatures [{file, status, signer, reason}], rebuild {status, files, reason}, tools
 * [{key, was, is}], findings [{file, status, detail}] */
struct str verify_report_format(const struct verify_report *r, enum output_format format,
				struct arena *a);

#endif
