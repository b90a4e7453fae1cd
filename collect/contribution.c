#include "contribution.h"

#include "copies.h"
#include "in_order.h"
#include "input.h"
#include "observation.h"
#include "parsed.h"
#include "part.h"
#include "plan.h"
#include "quota.h"
#include "source.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

/* More than the index of usual rows takes (csv_index.c). */
enum { SCRATCH_BLOCK = 1 << 18 };

/* A thread's own. */
struct reader_thread {
	struct memo *memo;
	struct arena chunk_arena, scratch; /* the latter of one part */
	struct csv_chunk chunk;
};

/* The file that is being merged. */
struct merging {
	struct parsed_mark mark;
	struct csv_fault fault;
	size_t rows;
	struct date oldest; /* day INT_MAX: no row has a date */
	bool undated;       /* a row has an empty date */
	struct parsed_decided *decided;
	size_t ndecided, decided_cap;
};

struct reader {
	struct collection *c;
	struct overrides *o;
	struct collect_store *store;
	struct reader_thread *threads;
	enum source_sum *sum_wanted; /* by input */
	struct str *packed;   /* by input: what the store has of it; empty: nothing */
	/* Of taking. */
	size_t next;          /* input */
	struct source source;
	struct source_archives archives;
	struct arena *rooms;  /* of the parts that may be on their way at once, by turns */
	size_t taken;         /* parts */
	/* Of finishing. */
	struct merging at;
};

/* A part of a file on its way, or a whole file that the store had. */
struct job {
	struct source_part part;
	bool recalled;
	struct memo *memo; /* that its rows' keys are of */
	struct arena *room; /* memory for `parsed`, from part to part */
	struct parsed parsed;
};

/* --- what is read --- */

/* Only a file of the same series and size can have the same bytes. Standard input has no size that
 * is known, and neither it nor what was packed can be read again to be compared. */
static void want_sums(struct reader *r)
{
	struct collection *c = r->c;
	struct arena scratch = { .block_size = 1 << 14 };
	struct names sizes = names_make(&scratch);
	size_t *first = arena_array(&scratch, c->ninputs, sizeof *first);
	bool *unread = arena_array(&scratch, c->series.n, sizeof *unread);

	for (size_t i = 0; i < c->ninputs; i++) {
		struct stat st;
		const struct input *input = &c->inputs[i];
		bool known = input->packed
			     || (input->path.len && stat(input_path(input, &scratch), &st) == 0);
		unsigned long long key[] = { input->series,
					     input->packed ? input->packed->v[input->member].bytes
					     : known	   ? (unsigned long long)st.st_size
							   : 0 };
		bool fresh;
		if (!known || input->packed)
			unread[input->series] = true;
		size_t at = names_put_numbers(&sizes, key, LEN(key), &fresh);
		if (fresh)
			first[at] = i;
		else
			r->sum_wanted[i] = r->sum_wanted[first[at]] = SUM_QUICK;
	}
	for (size_t i = 0; i < c->ninputs; i++)
		if (r->store->cache || unread[c->inputs[i].series])
			r->sum_wanted[i] = SUM_SHA256;
	arena_free(&scratch);
}

/* A file that a maintainer has decided about is read each time: few are, and what becomes of its
 * refused rows must be told. */
static bool is_decided(const struct reader *r, size_t file)
{
	return override_first(r->o, r->c->inputs[file].key) != SIZE_MAX;
}

/* So is a signed file: its bytes must be seen to check the signature, and taking them apart costs
 * less than that. */
static bool is_read_always(const struct reader *r, size_t file)
{
	return r->c->inputs[file].has_signature || is_decided(r, file);
}

static void ask_store(struct reader *r)
{
	for (size_t i = 0; i < r->c->ninputs; i++) {
		struct str sum = store_sum(r->store, i);
		if (sum.len && !is_read_always(r, i)
		    && !store_get_file(r->store, sum, &r->packed[i]))
			r->packed[i] = (struct str){ 0 };
	}
}

/* --- taking: one thread at a time --- */

static bool recall(struct reader *r, size_t file, struct job *job)
{
	struct str sum = store_sum(r->store, file);

	if (r->packed[file].len == 0)
		return false;
	parsed_begin_in(r->c, file, job->room, &job->parsed);
	if (!parsed_unpack(r->packed[file], &job->parsed)) {
		parsed_end(&job->parsed, job->room);
		return false;
	}
	job->recalled = true;
	job->part = (struct source_part){ .file = file, .first = true, .last = true };
	memcpy(job->part.sum, sum.p, SHA256_TEXT);
	return true;
}

/* As many parts are on their way as there are rooms: that which had the room before is done with
 * (in_order.h). */
static struct arena *next_room(struct reader *r)
{
	return &r->rooms[r->taken++ % (r->c->threads * IN_ORDER_AHEAD)];
}

static bool take(void *ctx, size_t worker, void *of)
{
	struct reader *r = ctx;
	struct job *job = of;

	if (!r->source.open && r->next == r->c->ninputs)
		return false;
	job->room = next_room(r);
	if (!r->source.open) {
		size_t file = r->next++;
		if (recall(r, file, job))
			return true;
		job->part = (struct source_part){ .file = file, .first = true };
		if (!source_open(&r->source, r->c, file, r->sum_wanted[file], &r->archives,
				 &job->part.err))
			return true;
	}
	source_next(&r->source, &r->threads[worker].chunk, &job->part);
	return true;
}

/* --- working: any number at once --- */

static struct memo *memo_of(struct reader *r, size_t worker)
{
	struct reader_thread *t = &r->threads[worker];

	if (t->memo && memo_is_full(t->memo)) {
		memo_release(t->memo);
		t->memo = NULL;
	}
	if (!t->memo)
		t->memo = memo_make(r->c);
	return t->memo;
}

/* Plan and sum of a file of one part. */
static void make_plan(struct job *job, const struct csv_scan *scan,
		      const struct csv_scan_row *header)
{
	struct plan *plan = plan_make(scan, header, job->part.chunk->at.file);

	if (!plan->bad && plan->table.separator == ';') {
		struct arena scratch = { .block_size = 1 << 16 };
		struct csv_scan again;
		struct csv_scan_row row;
		csv_chunk_scan(job->part.chunk, CSV_LEVEL_BEST, &scratch, &again);
		if (csv_scan_next(&again, &row))
			plan->decimal_comma = plan_sees_comma(plan, &again);
		arena_free(&scratch);
	}
	job->part.plan = plan;
}

static void read_part(struct reader *r, size_t worker, struct job *job, struct csv_scan *scan)
{
	struct source_part *part = &job->part;
	struct csv_scan_row header;
	size_t first = override_first(r->o, r->c->inputs[part->file].key);

	if (part->first && csv_scan_next(scan, &header) && !part->plan)
		make_plan(job, scan, &header);
	if (part->plan) {
		job->memo = memo_use(memo_of(r, worker));
		part_read(job->memo, part->plan, r->o, first, scan, &job->parsed);
		return;
	}
	/* no header: what is wrong with the text counts alone */
	while (csv_scan_next(scan, &header))
		;
	job->parsed.fault = scan->fault;
}

/* The parts before the last were fed when the file was cut. */
static void check_signature(const struct source_part *part)
{
	if (!part->signature || part->signature->ended || !part->last)
		return;
	if (part->whole)
		signature_feed(part->signature, part->chunk->text);
	signature_end(part->signature);
}

static void work(void *ctx, size_t worker, void *of)
{
	struct reader *r = ctx;
	struct job *job = of;
	struct source_part *part = &job->part;
	struct arena *scratch = &r->threads[worker].scratch;
	struct csv_scan scan;

	if (job->recalled || part->err.code != ERR_NONE)
		return;
	parsed_begin_in(r->c, part->file, job->room, &job->parsed);
	check_signature(part);
	if (!part->chunk)
		return;
	csv_chunk_scan(part->chunk, CSV_LEVEL_BEST, scratch, &scan);
	read_part(r, worker, job, &scan);
	if (part->sum_wanted != SUM_NONE)
		source_sum_whole(part);
	arena_clear(scratch);
}

/* By the thread that has read the part: its memo is its own. */
static size_t held(void *ctx, const void *of)
{
	const struct job *job = of;

	(void)ctx;
	return arena_bytes(&job->parsed.arena) + (job->memo ? memo_passing(job->memo) : 0);
}

/* --- finishing: in the order of the files --- */

/* Refuses the whole file, in one reject whose column is the place in the line. */
static void refuse_file(struct collection *c, size_t file, const struct error *cause,
			enum reject_code code)
{
	struct pos pos = { c->inputs[file].name_c, cause->pos.line ? cause->pos.line : 1,
			   cause->pos.col ? cause->pos.col : 1 };

	reject_add(&c->rejects, file, pos.line, str_printf(c->arena, "%d", pos.col), code,
		   (struct str){ 0 }, "the file is refused: %s", cause->msg);
	messages_add(c->messages, pos, "the file is refused: %s", cause->msg);
	c->inputs[file].refused = true;
	c->files_refused++;
}

static void begin_file(struct reader *r, const struct source_part *part)
{
	struct input *input = &r->c->inputs[part->file];

	r->c->counts[input->series].files++;
	input->signer = part->signature ? part->signature->signer : NULL;
	input->identity = part->identity;
	r->at = (struct merging){ .mark = parsed_begin_file(r->c, part->file),
				  .oldest = { INT_MAX },
				  .decided = r->at.decided,
				  .decided_cap = r->at.decided_cap };
}

static void say_unknown(struct collection *c, const struct plan *plan)
{
	if (plan->unknown.len)
		messages_add(c->messages,
			     (struct pos){ plan->table.file, plan->table.header.line, 0 },
			     "unknown columns ignored: " STR_FMT, STR_ARG(plan->unknown));
}

static void add_part(struct reader *r, const struct job *job)
{
	struct merging *at = &r->at;
	const struct parsed *p = &job->parsed;

	csv_fault_add(&at->fault, &p->fault);
	at->rows += p->rows;
	at->undated = at->undated || p->undated;
	if (p->oldest.day < at->oldest.day)
		at->oldest = p->oldest;
	if (job->part.first && job->part.plan)
		say_unknown(r->c, job->part.plan);
	if (at->fault.kind == CSV_FAULT_NONE && !(job->part.plan && job->part.plan->bad)
	    && !quota_is_over(r->c, at->rows))
		parsed_merge(r->c, job->part.file, p);
	at->decided = arena_grow(r->c->arena, at->decided, &at->decided_cap,
				 at->ndecided + p->ndecided, sizeof *at->decided);
	for (size_t i = 0; i < p->ndecided; i++)
		at->decided[at->ndecided++] = p->decided[i];
}

static void apply_decided(struct reader *r)
{
	for (size_t i = 0; i < r->at.ndecided; i++) {
		struct override *d = &r->o->v[r->at.decided[i].override];
		d->found = true;
		d->refused = !r->at.decided[i].good;
	}
}

/* A file that was read to its end without a fault. */
static void accept_file(struct reader *r, const struct job *job)
{
	struct collection *c = r->c;
	size_t file = job->part.file;
	const struct plan *plan = job->part.plan;
	struct arena scratch = { .block_size = 1 << 14 };

	if (plan && r->at.rows == 0)
		messages_add(c->messages,
			     (struct pos){ plan->table.file, plan->table.header.line, 0 },
			     "no row below the header");
	apply_decided(r);
	if (r->store->cache && !job->recalled && !is_read_always(r, file))
		store_put_file(r->store, str_of(job->part.sum),
			       parsed_pack(c, &r->at.mark, &scratch));
	parsed_end_file(c, file);
	observation_end_file(c);
	arena_free(&scratch);
}

static bool is_within_limits(const struct reader *r, const struct job *job, struct error *err)
{
	struct pos pos = { r->c->inputs[job->part.file].name_c, 0, 0 };

	if (job->part.too_many_lines)
		return error_at(err, ERR_RANGE, pos, "the file has more than %d lines",
				INT_MAX - 1);
	return quota_check(r->c, job->part.file, r->at.rows, pos, err);
}

/* Whether the key of a signed file was good on the days of its rows. */
static bool is_signed_in_time(const struct reader *r, size_t file, struct error *err)
{
	const struct collection *c = r->c;
	const struct input *input = &c->inputs[file];
	struct arena scratch = { .block_size = 1 << 12 };
	bool good = !input->signer
		    || signature_dates(c->signers, input->signer, c->series.v[input->series],
				       r->at.oldest, c->file_newest, r->at.undated, &scratch, err);

	arena_free(&scratch);
	return good;
}

/* Asked before all else: what is wrong with bytes that nobody signed is not the signer's fault, and
 * a file whose signature does not hold takes nothing away from a copy that has none. */
static bool is_sound(const struct job *job, struct error *why)
{
	const struct signature_check *signature = job->part.signature;

	if (!signature || signature->sound)
		return true;
	*why = signature->err;
	return false;
}

/* What the file gave goes; it is refused with the reason. */
static void drop_file(struct reader *r, size_t file, const struct error *why,
		      enum reject_code code)
{
	parsed_drop_file(r->c, &r->at.mark);
	refuse_file(r->c, file, why, code);
}

static void drop_copy(struct reader *r, size_t file, size_t first)
{
	struct collection *c = r->c;

	parsed_drop_file(c, &r->at.mark);
	reject_add(&c->rejects, file, 1, STR("1"), REJECT_DUPLICATE, (struct str){ 0 },
		   "the whole file has the same bytes as " STR_FMT ": counted once",
		   STR_ARG(c->inputs[first].name));
}

/* What was read is not what the store has hashed: somebody wrote to the file in between. The tables
 * then are not those of the hashed bytes, and must not be found under their key. */
static void keep_no_stage(struct reader *r)
{
	r->store->stage = (struct str){ 0 };
}

static bool has_changed(const struct reader *r, size_t file, struct str sum)
{
	struct str known = store_sum(r->store, file);

	return known.len && !str_eq(known, sum);
}

static enum reject_code code_of(const struct csv_fault *fault)
{
	return fault->err.code == ERR_RANGE ? REJECT_LIMIT : REJECT_SYNTAX;
}

static void end_file(struct reader *r, const struct job *job)
{
	size_t file = job->part.file, first = file;
	struct str sum = str_of(job->part.sum);
	bool again = false;
	struct error why = { .code = ERR_NONE }, over = { .code = ERR_NONE };
	const struct plan *plan = job->part.plan;
	bool read = r->at.fault.kind == CSV_FAULT_NONE && !(plan && plan->bad);
	bool within = read && is_within_limits(r, job, &over);

	if (has_changed(r, file, sum))
		keep_no_stage(r);
	/* What was not read whole has no dates that could be held against a key. */
	if (!is_sound(job, &why) || (within && !is_signed_in_time(r, file, &why)))
		drop_file(r, file, &why, REJECT_SIGNATURE);
	else if (sum.len && !copies_find(r->c, file, sum, &again, &first, &why))
		drop_file(r, file, &why, REJECT_SYNTAX);
	else if (again)
		drop_copy(r, file, first);
	else if (r->at.fault.kind != CSV_FAULT_NONE)
		drop_file(r, file, &r->at.fault.err, code_of(&r->at.fault));
	else if (plan && plan->bad)
		drop_file(r, file, &plan->err, plan->code);
	else if (!within)
		drop_file(r, file, &over, REJECT_LIMIT);
	else
		accept_file(r, job);
}

static void drop(void *ctx, void *of)
{
	struct job *job = of;

	(void)ctx;
	parsed_end(&job->parsed, job->room);
	memo_release(job->memo);
	if (!job->part.last && job->part.err.code == ERR_NONE)
		return;
	signature_free(job->part.signature);
	if (job->part.plan)
		plan_free(job->part.plan);
}

/* Whether a file that could not be read to its end is refused for it: faults of a contribution,
 * that the others do not suffer from. */
static bool is_refusal(const struct error *err, enum reject_code *code)
{
	static const struct {
		enum error_code error;
		enum reject_code code;
	} refusals[] = {
		{ ERR_RANGE, REJECT_LIMIT },
		{ ERR_SYNTAX, REJECT_SYNTAX },
		{ ERR_DATA, REJECT_SIGNATURE },
	};

	for (size_t i = 0; i < LEN(refusals); i++)
		if (refusals[i].error == err->code) {
			*code = refusals[i].code;
			return true;
		}
	return false;
}

/* Whether the reason hangs on nothing but what the stage's key has: the fault that the file was
 * found with, its signature, or why that could not be taken (signature_sum). All else is that the
 * file, or its signature, is not what was hashed: it grew, shrank or was replaced. */
static bool is_of_key(const struct input *input, const struct error *why)
{
	return input->fault.len || why->code == ERR_DATA
	       || (input->signature.len && str_eq(input->signature, str_of(why->msg)));
}

static bool finish(void *ctx, void *of, struct error *err)
{
	struct reader *r = ctx;
	struct job *job = of;
	const struct source_part *part = &job->part;
	enum reject_code code;
	bool good = true;

	if (part->first)
		begin_file(r, part);
	if (part->err.code == ERR_NONE) {
		add_part(r, job);
		if (part->last)
			end_file(r, job);
	} else if (is_refusal(&part->err, &code)) {
		if (!is_of_key(&r->c->inputs[part->file], &part->err))
			keep_no_stage(r);
		drop_file(r, part->file, &part->err, code);
	} else {
		*err = part->err;
		good = false;
	}
	/* no room for values: what is read further is lost */
	if (good && r->c->items.err.code != ERR_NONE) {
		*err = r->c->items.err;
		good = false;
	}
	drop(ctx, job);
	return good;
}

/* What taking has left when everything stopped in the middle of a file, and what threads hold. */
static void close_reader(struct reader *r, bool good)
{
	if (r->source.open) {
		if (r->source.plan && !good)
			plan_free(r->source.plan);
		if (!good)
			signature_free(r->source.signature);
		source_close(&r->source);
	}
	source_archives_close(&r->archives);
	for (size_t i = 0; i < r->c->threads; i++) {
		memo_release(r->threads[i].memo);
		arena_free(&r->threads[i].chunk_arena);
		arena_free(&r->threads[i].scratch);
	}
	for (size_t i = 0; i < r->c->threads * IN_ORDER_AHEAD; i++)
		arena_free(&r->rooms[i]);
}

bool contribution_read_all(struct collection *c, struct overrides *o, struct collect_store *store,
			   struct error *err)
{
	struct arena arena = { .block_size = 1 << 14 };
	struct reader r = { .c = c, .o = o, .store = store,
			    .threads = arena_array(&arena, c->threads, sizeof *r.threads),
			    .sum_wanted = arena_array(&arena, c->ninputs, sizeof *r.sum_wanted),
			    .packed = arena_array(&arena, c->ninputs, sizeof *r.packed),
			    .rooms = arena_array(&arena, c->threads * IN_ORDER_AHEAD,
						 sizeof *r.rooms) };
	const struct in_order jobs = { .threads = c->threads, .job_size = sizeof(struct job),
				       .budget = PARSED_AHEAD, .ctx = &r, .take = take,
				       .work = work, .held = held, .finish = finish, .drop = drop };

	for (size_t i = 0; i < c->threads; i++) {
		r.threads[i].chunk.arena = &r.threads[i].chunk_arena;
		r.threads[i].scratch.block_size = SCRATCH_BLOCK;
	}
	want_sums(&r);
	ask_store(&r);
	bool good = in_order_run(&jobs, err);
	close_reader(&r, good);
	arena_free(&arena);
	return good;
}
