#define _XOPEN_SOURCE 700 /* lstat */

#include "signature.h"

#include "limits.h"
#include "../base/file.h"

#include <limits.h>
#include <sys/stat.h>

static const struct str name_space_start = STR_INIT(SIGNATURE_NAMESPACE "/");

bool signature_signers(const char *data_dir, struct arena *a, struct signers *out,
		       struct error *err)
{
	struct str path = file_join(a, str_of(data_dir), STR("contributors/allowed_signers"));

	return signers_read(str_c(a, path), LIMIT_SIGNERS, a, out, err);
}

static const char *path_of(struct str path, struct arena *a)
{
	return str_c(a, str_printf(a, STR_FMT ".sig", STR_ARG(path)));
}

enum signature_place signature_place(struct str path, struct arena *scratch)
{
	struct stat st;

	if (path.len == 0 || lstat(path_of(path, scratch), &st) != 0)
		return SIGNATURE_NONE;
	return S_ISREG(st.st_mode) ? SIGNATURE_FILE : SIGNATURE_ODD;
}

static struct str shown(struct str text, struct arena *a)
{
	return str_plain(a, str_slice(text, 0, 100));
}

static struct str name_space_of(struct str series, struct arena *a)
{
	return str_printf(a, STR_FMT STR_FMT, STR_ARG(name_space_start), STR_ARG(series));
}

static bool read_signature(struct str path, struct arena *a, struct str *text, struct error *err)
{
	struct error why = { 0 };

	if (signature_place(path, a) == SIGNATURE_FILE
	    && file_read(path_of(path, a), LIMIT_SIGNATURE, a, text, &why))
		return true;
	if (why.code == ERR_RANGE)
		return error_set(err, ERR_RANGE,
				 "its signature has more than %d bytes", LIMIT_SIGNATURE);
	return error_set(err, ERR_DATA, "its signature cannot be read");
}

/* A reason is no hash: one is never taken for the other. */
static struct str sum_of(bool good, struct str text, const struct error *why, struct arena *a)
{
	return good ? file_sha256(a, text) : str_dup(a, str_of(why->msg));
}

struct str signature_sum(struct str path, struct arena *a)
{
	struct arena scratch = { .block_size = 1 << 12 };
	struct error why = { 0 };
	struct str text = { 0 };
	bool good = read_signature(path, &scratch, &text, &why);
	struct str sum = sum_of(good, text, &why, a);

	arena_free(&scratch);
	return sum;
}

/* What is read is what the run has found: what is kept of it, and its other members, go by that. */
static bool read_again(struct str path, struct str sum, struct arena *a, struct str *text,
		       struct error *err)
{
	struct error why = { 0 };
	bool good = read_signature(path, a, text, &why);

	if (!str_eq(sum_of(good, *text, &why, a), sum))
		return error_set(err, ERR_SYNTAX, "its signature was changed while it was read");
	if (!good)
		*err = why;
	return good;
}

/* The signed namespace is the wanted one; else what it was made for. */
static bool check_namespace(struct str made, struct str wanted, struct arena *a, struct error *err)
{
	struct str other = shown(made, a), want = shown(wanted, a);
	struct str series = shown(str_slice(made, name_space_start.len, made.len), a);

	if (str_eq(made, wanted))
		return true;
	if (str_starts(made, name_space_start))
		return error_set(err, ERR_DATA,
				 "its signature was made for the series '" STR_FMT
				 "': signed rows count only there",
				 STR_ARG(series));
	if (str_eq(made, STR(SIGNATURE_NAMESPACE)))
		return error_set(err, ERR_DATA,
				 "its signature names no series; sign with "
				 "ssh-keygen -Y sign -n '" STR_FMT "'",
				 STR_ARG(want));
	return error_set(err, ERR_DATA,
			 "its signature was made for '" STR_FMT "', not for '" STR_FMT "'",
			 STR_ARG(other), STR_ARG(want));
}

static bool find_signer(const struct signers *signers, struct str key, struct str name_space,
			struct arena *a, const struct signer **signer, struct error *err)
{
	const struct signer *first = signers_find(signers, key);
	struct str print = sshsig_fingerprint(key, a);

	if (!first)
		return error_set(err, ERR_DATA,
				 "its signature is by the key " STR_FMT
				 ", which is not in contributors/allowed_signers",
				 STR_ARG(print));
	for (const struct signer *s = first; s; s = signers_next(signers, s))
		if (signer_may(s, name_space)) {
			*signer = s;
			return true;
		}
	return error_set(err, ERR_DATA,
			 "it is signed by '" STR_FMT "', whose key may not sign for this series: "
			 "namespaces in contributors/allowed_signers",
			 STR_ARG(first->name));
}

static bool begin(const struct signers *signers, struct str path, struct str sum, struct str series,
		  struct signature_check *c, struct error *err)
{
	struct arena *a = &c->arena;
	struct str text = { 0 }, name_space = name_space_of(series, a);
	struct error why = { 0 };

	if (!read_again(path, sum, a, &text, err))
		return false;
	if (!sshsig_parse(text, a, &c->sig, &why))
		return error_set(err, ERR_DATA, "its signature is %s", why.msg);
	if (c->sig.reason.len)
		return error_set(err, ERR_DATA, "its signature was " STR_FMT,
				 STR_ARG(c->sig.reason));
	if (!check_namespace(c->sig.name_space, name_space, a, err)
	    || !find_signer(signers, c->sig.key, name_space, a, &c->signer, err))
		return false;
	sshsig_begin(&c->sig, &c->bytes);
	return true;
}

struct signature_check *signature_begin(const struct signers *signers, struct str path,
					struct str sum, struct str series, struct error *err)
{
	struct arena arena = { .block_size = 1 << 12 };
	struct signature_check *c = arena_alloc(&arena, sizeof *c);

	*c = (struct signature_check){ .arena = arena };
	if (begin(signers, path, sum, series, c, err))
		return c;
	signature_free(c);
	return NULL;
}

void signature_feed(struct signature_check *c, struct str piece)
{
	sshsig_feed(&c->bytes, piece);
}

static void end(struct signature_check *c, bool sound)
{
	c->ended = true;
	c->sound = sound;
	if (!c->sound)
		error_set(&c->err, ERR_DATA,
			  "its signature is not of these bytes: the file was changed after it was "
			  "signed, or it is another file's signature");
}

void signature_end(struct signature_check *c)
{
	end(c, sshsig_holds(&c->sig, &c->bytes));
}

void signature_end_sent(struct signature_check *c, const struct sshsig_sums *sent)
{
	end(c, sshsig_holds_of(&c->sig, sent));
}

struct signature_check *signature_again(const struct signature_check *c)
{
	struct arena arena = { .block_size = 1 << 10 };
	struct signature_check *copy = arena_alloc(&arena, sizeof *copy);

	*copy = (struct signature_check){ .arena = arena, .signer = c->signer, .ended = c->ended,
					  .sound = c->sound, .err = c->err };
	return copy;
}

void signature_free(struct signature_check *c)
{
	if (!c)
		return;
	struct arena arena = c->arena;
	arena_free(&arena);
}

static bool is_limited(const struct signer *s)
{
	return s->after_s != LLONG_MIN || s->before_s != LLONG_MAX;
}

bool signature_dates(const struct signers *signers, const struct signer *of, struct str series,
		     struct date oldest, struct date newest, bool undated, struct arena *a,
		     struct error *err)
{
	struct str name_space = name_space_of(series, a);

	if (!undated && oldest.day == INT_MAX) /* no row: nothing to hold against the key */
		return true;

	/* a key that was renewed has a line for each time; the rows of one file are of one of
	 * them */
	for (const struct signer *s = of; s; s = signers_next(signers, s))
		if (signer_may(s, name_space)
		    && (!is_limited(s)
			|| (!undated && signer_is_valid(s, oldest) && signer_is_valid(s, newest))))
			return true;
	struct str days = signer_days(of, a);
	if (undated)
		return error_set(err, ERR_DATA,
				 "it is signed by '" STR_FMT "', whose key is good " STR_FMT
				 ", but rows have no date",
				 STR_ARG(of->name), STR_ARG(days));
	struct str first = date_iso(a, oldest), last = date_iso(a, newest);
	return error_set(err, ERR_DATA,
			 "it is signed by '" STR_FMT "', whose key is good " STR_FMT
			 ", with rows of " STR_FMT " to " STR_FMT,
			 STR_ARG(of->name), STR_ARG(days), STR_ARG(first), STR_ARG(last));
}
