#define _XOPEN_SOURCE 700 /* realpath */

#include "fetch.h"

#include "hold.h"
#include "ledger.h"
#include "offer.h"
#include "replaced.h"
#include "shelf.h"
#include "verdict.h"

#include "../base/file.h"
#include "../base/num.h"
#include "../collect/unpack.h"

#include <math.h>
#include <stdlib.h>

enum { UPDATES_MAX = 1000, VANISHED_NAMED = 3 };

/* One run over all sources. */
struct run {
	const struct fetch_options *opt;
	struct arena *arena;   /* for what outlives a source */
	const char *spool;     /* absolute */
	struct ledger ledger;
	struct shelf shelf;
	struct verdict_reader reader;
};

/* One source, and one file of it. */
struct work {
	struct run *run;
	const struct fetch_source *source;
	struct fetch_result *result;
	struct arena *scratch;
};

static size_t *count_of(struct fetch_result *r, enum fetch_outcome outcome)
{
	switch (outcome) {
	case FETCH_ACCEPTED: return &r->accepted;
	case FETCH_HELD: return &r->held;
	case FETCH_CHANGED: return &r->changed;
	case FETCH_SAME: return &r->same;
	case FETCH_VANISHED: return &r->vanished;
	case FETCH_FAILED: return &r->failed;
	case FETCH_WAITS: break;
	}
	return NULL;
}

static void tell(struct work *w, enum fetch_outcome outcome, struct str origin, struct str stored,
		 struct str reason)
{
	struct fetch_result *r = w->result;
	struct arena *a = w->run->arena;

	r->events = arena_grow(a, r->events, &r->cap, r->n + 1, sizeof *r->events);
	r->events[r->n++] = (struct fetch_event){ outcome, str_plain(a, origin), str_dup(a, stored),
						  str_plain(a, reason) };
}

static void count(struct work *w, enum fetch_outcome outcome)
{
	size_t *n = count_of(w->result, outcome);

	if (n)
		++*n;
}

static struct hold make_hold(const struct work *w, const struct fetch_offer *o, struct str key,
			     struct str name)
{
	return (struct hold){
		.spool = w->run->spool, .source = w->source->name, .key = key, .name = name,
		.origin = o->origin, .text = o->text,
	};
}

static bool keep_held(struct work *w, struct hold *h, enum fetch_outcome outcome, struct str reason,
		      struct str advice, struct error *err)
{
	h->reason = reason;
	h->advice = advice;
	count(w, outcome);
	tell(w, outcome, h->origin, STR(""), reason);
	return w->run->opt->dry_run || hold_keep(h, w->source->max_files, w->scratch, err);
}

/* Enters what the source gave, wherever its bytes lie. */
static void enter(struct work *w, const struct fetch_offer *o, struct str sha256, struct str stored)
{
	struct arena *a = w->run->arena;
	size_t slash = str_find(stored, STR("/"), 0);
	bool in_series = slash < stored.len;
	struct ledger_row row = {
		.sha256 = str_dup(a, sha256),
		.series = in_series ? str_dup(a, str_slice(stored, 0, slash)) : STR(""),
		.file = str_dup(a, str_slice(stored, in_series ? slash + 1 : 0, stored.len)),
		.source = w->source->name,
		.origin = o->origin,
		.date = w->run->opt->today,
		.bytes = (int)o->text.len,
	};

	ledger_add(&w->run->ledger, &row);
}

/* "NAME<middle>.csv", or what else it ends in; shortened in front so that it stays within the
 * limit */
static struct str with_middle(struct str name, struct str middle, struct arena *a)
{
	struct str ending = unpack_ending(name), stem = str_slice(name, 0, name.len - ending.len);

	stem = str_slice(stem, 0, SHELF_NAME_MAX - ending.len - middle.len);
	return str_printf(a, STR_FMT STR_FMT STR_FMT, STR_ARG(stem), STR_ARG(middle),
			  STR_ARG(ending));
}

/* The first that is free: NAME; for an update NAME-2, NAME-3 …; else NAME-<8 digits>, then more of
 * them. */
static bool choose_name(struct work *w, struct str name, struct str sha256, bool update,
			struct str *out, struct error *err)
{
	bool taken = true;

	for (size_t i = update ? 2 : 0; taken && i < (update ? UPDATES_MAX : 9); i++) {
		struct str middle =
		    update ? str_printf(w->scratch, "-%zu", i)
		    : i ? str_printf(w->scratch, "-" STR_FMT, STR_ARG(str_slice(sha256, 0, 8 * i)))
			: STR("");
		*out = with_middle(name, middle, w->scratch);
		if (!shelf_has_name(&w->run->shelf, w->source->series, *out, w->scratch, &taken,
				    err))
			return false;
	}
	return !taken || error_set(err, ERR_DATA, STR_FMT ": no free name is left", STR_ARG(name));
}

static struct str describe(struct work *w, const struct verdict *v, bool is_signed,
			   const struct ledger_row *before, struct str overrides)
{
	struct strbuf b = { .arena = w->scratch };

	strbuf_printf(&b, "%d rows accepted, %d refused, %d set aside%s", v->accepted, v->refused,
		      v->set_aside, is_signed ? ", signed" : "");
	if (v->refused)
		strbuf_printf(&b, "; " STR_FMT, STR_ARG(v->reason));
	if (before) {
		struct str old = ledger_stored(before, w->scratch);

		strbuf_printf(&b, "; rows of it and of " STR_FMT " count both", STR_ARG(old));
	}
	if (overrides.len)
		strbuf_printf(&b,
			      ": " STR_FMT
			      " has the lines for data/overrides.csv that set the old ones "
			      "aside",
			      STR_ARG(overrides));
	return strbuf_str(&b);
}

static bool accept(struct work *w, const struct fetch_offer *o, struct str name, struct str sha256,
		   const struct ledger_row *before, const struct verdict *v, struct error *err)
{
	struct run *run = w->run;
	struct str file, overrides = { 0 };
	/* NAME.csv, NAME-2.csv, NAME-3.csv, not NAME-2-2.csv; the oldest may be of another series,
	 * in a folder of it */
	struct str first =
	    before ? shelf_safe_name(ledger_oldest(&run->ledger, w->source->name, o->origin)->file,
				     w->scratch)
		   : name;

	if (!choose_name(w, first, sha256, before != NULL, &file, err))
		return false;
	struct str stored = file_join(run->arena, w->source->series, file);
	if (before && !run->opt->dry_run
	    && !replaced_write(run->spool, run->shelf.dir, ledger_stored(before, w->scratch),
			       stored, w->scratch, &overrides, err))
		return false;
	if (!run->opt->dry_run
	    && !shelf_put(&run->shelf, w->source->series, file, o->text, o->signature, sha256, err))
		return false;
	count(w, FETCH_ACCEPTED);
	tell(w, FETCH_ACCEPTED, o->origin, stored,
	     describe(w, v, o->signature.len > 0, before, overrides));
	enter(w, o, sha256, stored);
	return true;
}

static struct str changed_reason(const struct work *w, const struct ledger_row *before)
{
	struct str stored = ledger_stored(before, w->scratch),
		   day = date_iso(w->scratch, before->date);

	return str_printf(w->scratch,
			  "changed at the source since it was accepted as " STR_FMT " on " STR_FMT
			  "; what was accepted stays",
			  STR_ARG(stored), STR_ARG(day));
}

/* A file that was held for its signature is another one with the next. */
static struct str hold_key(const struct work *w, const struct fetch_offer *o, struct str sha256)
{
	struct strbuf b = { .arena = w->scratch };

	if (o->signature.len == 0)
		return sha256;
	strbuf_add(&b, sha256);
	strbuf_add(&b, o->signature);
	return file_sha256(w->scratch, strbuf_str(&b));
}

static bool was_held(struct work *w, const struct hold *h)
{
	if (!hold_stands(h, w->scratch))
		return false;
	count(w, FETCH_SAME);
	w->result->held_before++;
	return true;
}

static const struct str mend_advice =
	STR_INIT("the contributor corrects it at the source; where the catalogue lacks something, "
		 "add that and run gpuguide fetch --accept");

/* A signature that comes later than its file. */
static bool take_signature(struct work *w, const struct fetch_offer *o, struct str sha256,
			   struct str stored, struct error *err)
{
	struct run *run = w->run;
	struct str name = shelf_safe_name(o->origin, w->scratch);
	struct hold h = make_hold(w, o, hold_key(w, o, sha256), name);
	struct verdict v;

	if (!run->opt->accept && was_held(w, &h))
		return true;
	if (!verdict_of(&run->reader, w->source->series, name, o->text, o->signature, w->scratch,
			&v, err))
		return false;
	if (!v.usable)
		return keep_held(w, &h, FETCH_HELD, v.reason, mend_advice, err);
	if (!run->opt->dry_run && !shelf_sign(&run->shelf, stored, o->signature, err))
		return false;
	struct str rows = describe(w, &v, true, NULL, STR(""));
	count(w, FETCH_ACCEPTED);
	tell(w, FETCH_ACCEPTED, o->origin, stored,
	     str_printf(w->scratch, "a signature that came later: " STR_FMT, STR_ARG(rows)));
	if (!run->opt->dry_run)
		hold_release(&h, w->scratch);
	return true;
}

/* A signature that is not put beside its file by itself. The same bytes are no further file, so
 * that --accept does not take it either: it is kept for a person.
 * reason, advice  in words, reason of the file as it is stored */
static bool hold_signature(struct work *w, const struct fetch_offer *o, struct str sha256,
			   struct str reason, struct str advice, struct error *err)
{
	struct arena *a = w->scratch;
	struct str file = shelf_safe_name(o->origin, a);
	struct str name = str_printf(a, STR_FMT ".sig", STR_ARG(file));
	struct hold h = make_hold(w, o, hold_key(w, o, sha256), name);

	h.text = o->signature;
	if (was_held(w, &h))
		return true;
	return keep_held(w, &h, FETCH_CHANGED, reason, advice, err);
}

/* Another signature than the one that lies beside the file. */
static bool hold_other(struct work *w, const struct fetch_offer *o, struct str sha256,
		       struct str stored, struct error *err)
{
	struct str reason = str_printf(w->scratch,
				       "its signature is another one than that of " STR_FMT
				       ", which stays", STR_ARG(stored));

	return hold_signature(
	    w, o, sha256, reason,
	    STR("where this one is right, a person puts it in the place of the other"), err);
}

/* Who signs the bytes that another source gave first is not asked by that one: its own signature
 * may still come. */
static bool hold_of_another(struct work *w, const struct fetch_offer *o, struct str sha256,
			    struct str stored, struct str giver, struct error *err)
{
	struct str reason = str_printf(w->scratch,
				       "its signature came later, and " STR_FMT
				       " came from the source '" STR_FMT "'",
				       STR_ARG(stored), STR_ARG(giver));

	return hold_signature(w, o, sha256, reason,
			      STR("where it is right, a person puts it beside the file"), err);
}

/* A file that was taken before, with what may be news: its signature. */
static bool take_again(struct work *w, const struct fetch_offer *o, struct str sha256,
		       struct error *err)
{
	struct str stored = { 0 };
	enum shelf_signed how = SHELF_SIGNED;

	if (o->signature.len)
		how = shelf_find_signed(&w->run->shelf, w->source->series, sha256, o->signature,
					w->scratch, &stored);
	const struct ledger_row *first = ledger_content(&w->run->ledger, sha256);
	switch (how) {
	case SHELF_UNSIGNED:
		if (first && !str_eq(first->source, w->source->name))
			return hold_of_another(w, o, sha256, stored, first->source, err);
		return take_signature(w, o, sha256, stored, err);
	case SHELF_OTHER:
		return hold_other(w, o, sha256, stored, err);
	case SHELF_NO_FILE: /* a maintainer deleted it, or it lies in another series */
	case SHELF_SIGNED:
		break;
	}
	count(w, FETCH_SAME);
	return true;
}

/* Bytes that are there already: by the ledger (they may have been deleted since) or by the
 * files. *known  out: then nothing more is to be done with them */
static bool take_known(struct work *w, const struct fetch_offer *o, struct str sha256, bool *known,
		       struct error *err)
{
	const struct ledger_row *row = ledger_content(&w->run->ledger, sha256);
	struct str stored = shelf_content(&w->run->shelf, sha256);
	enum shelf_signed how = SHELF_SIGNED;

	if (o->signature.len && stored.len)
		how = shelf_find_signed(&w->run->shelf, w->source->series, sha256, o->signature,
					w->scratch, &stored);
	else if (stored.len == 0 && row)
		stored = ledger_stored(row, w->scratch);
	/* An unsigned copy, or one of another series, takes nothing from a signed file. */
	*known = stored.len && how != SHELF_UNSIGNED && how != SHELF_NO_FILE;
	if (!*known)
		return true;
	enter(w, o, sha256, stored);
	if (how == SHELF_OTHER)
		return hold_other(w, o, sha256, stored, err);
	count(w, FETCH_SAME);
	tell(w, FETCH_SAME, o->origin, stored, STR("the same bytes are there already: taken once"));
	return true;
}

/* A file that the ledger does not know under this name with these bytes. */
static bool take_new(struct work *w, const struct fetch_offer *o, struct str sha256,
		     struct error *err)
{
	struct run *run = w->run;
	struct str name = shelf_safe_name(o->origin, w->scratch);
	struct hold h = make_hold(w, o, hold_key(w, o, sha256), name);
	const struct ledger_row *before = ledger_newest(&run->ledger, w->source->name, o->origin);
	struct verdict v;
	bool known;

	if (!take_known(w, o, sha256, &known, err))
		return false;
	if (known)
		return true;
	if (!run->opt->accept && was_held(w, &h))
		return true;
	if (before && !run->opt->accept)
		return keep_held(
		    w, &h, FETCH_CHANGED, changed_reason(w, before),
		    STR("gpuguide fetch --accept takes it as a further file beside the old one; "
			"see gpuguide(1), SOURCES FILE"),
		    err);
	if (!verdict_of(&run->reader, w->source->series, name, o->text, o->signature, w->scratch,
			&v, err))
		return false;
	if (!v.usable)
		return keep_held(w, &h, FETCH_HELD, v.reason, mend_advice, err);
	if (!accept(w, o, name, sha256, before, &v, err))
		return false;
	if (!run->opt->dry_run)
		hold_release(&h, w->scratch);
	return true;
}

/* A file without text: its fault, name and size are all there is to know it by. */
static bool take_problem(struct work *w, const struct fetch_offer *o, struct error *err)
{
	struct str facts = str_printf(w->scratch, STR_FMT "\n%.0f\n" STR_FMT, STR_ARG(o->origin),
				      isnan(o->bytes) ? -1 : o->bytes, STR_ARG(o->problem));
	struct hold h =
	    make_hold(w, o, file_sha256(w->scratch, facts), shelf_safe_name(o->origin, w->scratch));
	enum fetch_outcome outcome = o->waits ? FETCH_WAITS : FETCH_FAILED;

	if (o->waits || o->failed) {
		count(w, outcome);
		tell(w, outcome, o->origin, STR(""), o->problem);
		return true;
	}
	if (was_held(w, &h))
		return true;
	return keep_held(w, &h, FETCH_HELD, o->problem,
			 STR("only regular files within the limits of data/sources.ini are taken"),
			 err);
}

static bool take(struct work *w, const struct fetch_offer *o, struct error *err)
{
	if (o->problem.len)
		return take_problem(w, o, err);
	struct str sha256 = file_sha256(w->scratch, o->text);
	return ledger_find(&w->run->ledger, w->source->name, o->origin, sha256)
		       ? take_again(w, o, sha256, err)
		       : take_new(w, o, sha256, err);
}

/* What this source gave before and does not offer any more, told in one line. */
static void tell_vanished(struct work *w, const struct fetch_offers *offers)
{
	struct arena *a = w->scratch;
	struct map offered = { .arena = a }, seen = { .arena = a };
	struct strbuf b = { .arena = a };
	const struct ledger *l = &w->run->ledger;

	for (size_t i = 0; i < offers->n; i++)
		map_put(&offered, str_trim(str_plain(a, offers->v[i].origin)), i, NULL);
	for (size_t i = 0; i < l->n; i++) {
		bool fresh;

		if (!str_eq(l->v[i].source, w->source->name) || map_get(&offered, l->v[i].origin))
			continue;
		map_put(&seen, l->v[i].origin, i, &fresh);
		if (!fresh)
			continue;
		if (w->result->vanished++ < VANISHED_NAMED)
			strbuf_printf(&b, "%s" STR_FMT, b.len ? ", " : "", STR_ARG(l->v[i].origin));
	}
	if (w->result->vanished > VANISHED_NAMED)
		strbuf_printf(&b, " and %zu more", w->result->vanished - VANISHED_NAMED);
	if (w->result->vanished)
		tell(w, FETCH_VANISHED, STR(""), STR(""),
		     str_printf(a, "no longer at the source, kept here: " STR_FMT,
				STR_ARG(strbuf_str(&b))));
}

/* The source's own failure stands in its result; what was taken before it stays taken. */
static void run_source(struct work *w)
{
	struct fetch_place place = { w->run->spool, w->scratch };
	struct fetch_offers offers;
	struct error why = { 0 };

	if (fetch_offers(w->source, &place, &offers, &why)) {
		size_t i = 0;

		while (i < offers.n && take(w, &offers.v[i], &why))
			i++;
		tell_vanished(w, &offers);
	}
	if (why.code == ERR_NONE)
		return;
	w->result->failed++;
	tell(w, FETCH_FAILED, STR(""), STR(""), error_text(&why, w->scratch));
}

static bool open_run(struct run *r, struct error *err)
{
	struct arena *a = r->arena;
	struct str root = str_of(r->opt->root);
	char *real = realpath(r->opt->root, NULL);

	if (!real)
		return error_errno(err, r->opt->root);
	r->spool = str_c(a, file_join(a, str_of(real), STR("spool")));
	free(real);
	r->reader = (struct verdict_reader){ r->opt->program, r->opt->root,
					     str_c(a, file_join(a, str_of(r->spool), STR("read"))),
					     r->opt->reference };
	return file_make_dirs(r->spool, err)
	       && ledger_read(str_c(a, file_join(a, root, STR("data/accepted.csv"))), a, &r->ledger,
			      err)
	       && shelf_open(str_c(a, file_join(a, root, STR("data/contributions"))), a, &r->shelf,
			     err);
}

bool fetch_run(const struct fetch_options *opt, const struct fetch_source *const *sources, size_t n,
	       struct arena *a, struct fetch_result *results, struct error *err)
{
	struct run run = { .opt = opt, .arena = a };
	struct error ignored = { 0 };

	for (size_t i = 0; i < n; i++) /* until it was tried */
		results[i] = (struct fetch_result){ .source = sources[i], .failed = 1 };
	if (!open_run(&run, err))
		return false;
	for (size_t i = 0; i < n; i++) {
		struct arena scratch = { 0 };
		struct work w = { &run, sources[i], &results[i], &scratch };

		results[i].failed = 0;
		run_source(&w);
		arena_free(&scratch);
		/* after each source: what a run that dies has put there is found by its bytes the
		 * next time */
		if (!opt->dry_run && !ledger_write(&run.ledger, err))
			return false;
	}
	if (file_exists(run.reader.scratch))
		file_remove_tree(run.reader.scratch, &ignored);
	return true;
}

struct str fetch_outcome_name(enum fetch_outcome outcome)
{
	switch (outcome) {
	case FETCH_ACCEPTED: return STR("accepted");
	case FETCH_HELD: return STR("held");
	case FETCH_CHANGED: return STR("changed");
	case FETCH_SAME: return STR("same");
	case FETCH_VANISHED: return STR("vanished");
	case FETCH_FAILED: return STR("failed");
	case FETCH_WAITS: return STR("waits");
	}
	return STR("");
}
