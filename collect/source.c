#include "source.h"

#include "input.h"
#include "quick_sum.h"
#include "../base/file.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static bool read_memory(void *ctx, char *to, size_t max, size_t *got, struct error *err)
{
	struct source *s = ctx;
	struct str rest = str_slice(s->in_memory, s->at, s->at + max);

	(void)err;
	if (rest.len)
		memcpy(to, rest.p, rest.len);
	s->at += rest.len;
	*got = rest.len;
	return true;
}

/* From its first byte. */
static struct csv_source bytes_of(struct source *s)
{
	s->at = s->on_disk.at = 0;
	return s->on_disk.fd >= 0 ? csv_file_source(&s->on_disk)
				  : (struct csv_source){ read_memory, s };
}

/* What is wrong with the data of a packed file is a fault of a contribution; ERR_DATA is said of
 * signatures here. */
static bool refuse_packed(const struct error *why, struct error *err)
{
	return error_set(err, why->code == ERR_DATA ? ERR_SYNTAX : why->code, "%s", why->msg);
}

/* Into memory: from the middle of it there is no way back to its beginning. */
static bool open_packed(struct source *s, const struct input *input, struct error *err)
{
	struct error why = { .code = ERR_NONE };

	if (!packed_text(&s->archives->reader, input->packed, input->member, &s->arena,
			 &s->in_memory, &why))
		return refuse_packed(&why, err);
	return str_eq(file_sha256(&s->arena, s->in_memory), input_sum(input))
	       || error_set(err, ERR_SYNTAX, "the file was changed while it was read");
}

static bool open_on_disk(struct source *s, const char *path, struct error *err)
{
	if (!csv_file_open(&s->on_disk, path, err))
		return false;
	s->identity = s->on_disk.identity;
	if (s->on_disk.size > CONTRIBUTION_MAX)
		return error_at(err, ERR_RANGE, (struct pos){ 0 },
				"the file is larger than %zu bytes", CONTRIBUTION_MAX);
	return true;
}

static bool open_file(struct source *s, const struct input *input, struct error *err)
{
	const char *path = input_path(input, &s->arena);

	if (input->fault.len)
		return error_set(err, input->over_limit ? ERR_RANGE : ERR_SYNTAX, STR_FMT,
				 STR_ARG(input->fault));
	if (input->packed)
		return open_packed(s, input, err);
	if (input->path.len == 0)
		return file_read(path, LIMIT_MEMORY_BYTES, &s->arena, &s->in_memory, err);
	return open_on_disk(s, path, err);
}

static struct signature_check *begin_check(const struct source *s, const struct input *input,
					   struct error *err)
{
	return signature_begin(s->c->signers, input->path, input->signature,
			       s->c->series.v[input->series], err);
}

/* Signed is what was sent, all of it: each member stands or falls with the archive, which is looked
 * at once. */
static bool check_packed(struct source *s, const struct input *input, struct error *err)
{
	struct source_archives *a = s->archives;

	if (a->checked != input->packed) {
		signature_free(a->signature);
		a->err = (struct error){ .code = ERR_NONE };
		a->signature = begin_check(s, input, &a->err);
		a->checked = input->packed;
		if (a->signature)
			signature_end_sent(a->signature, &input->packed->sent);
	}
	if (!a->signature) {
		*err = a->err;
		return false;
	}
	s->signature = signature_again(a->signature);
	return true;
}

/* A signature is checked against the bytes that are handed out, or those that were expanded to
 * them, not against what lies there later. */
static bool begin_signature(struct source *s, const struct input *input, struct error *err)
{
	if (!input->has_signature)
		return true;
	if (input->packed)
		return check_packed(s, input, err);
	s->signature = begin_check(s, input, err);
	return s->signature != NULL;
}

void source_archives_close(struct source_archives *a)
{
	packed_close(&a->reader);
	signature_free(a->signature);
	*a = (struct source_archives){ .checked = NULL };
}

bool source_open(struct source *s, const struct collection *c, size_t file,
		 enum source_sum sum_wanted, struct source_archives *archives, struct error *err)
{
	const struct input *input = &c->inputs[file];

	*s = (struct source){ .c = c, .file = file, .open = true, .sum_wanted = sum_wanted,
			      .archives = archives, .arena = { .block_size = 1 << 12 },
			      .on_disk = { .fd = -1 } };
	if (!open_file(s, input, err) || !begin_signature(s, input, err)) {
		signature_free(s->signature);
		source_close(s);
		return false;
	}
	csv_chunks_begin(&s->chunks, bytes_of(s), input->name_c, CHUNK_BYTES, CSV_LEVEL_BEST);
	crypto_hash_sha256_init(&s->sum);
	return true;
}

void source_close(struct source *s)
{
	if (s->on_disk.fd >= 0)
		csv_file_close(&s->on_disk);
	csv_chunks_end(&s->chunks);
	arena_free(&s->arena);
	s->open = false;
}

/* Goes through what is left of the file for a value with a comma, and back to where it was. */
static bool find_comma(struct source *s, struct plan *plan, struct error *err)
{
	struct arena arena = { .block_size = 1 << 16 };
	struct csv_chunk chunk = { .arena = &arena };
	struct csv_chunks ahead;
	size_t at = s->at, file_at = s->on_disk.at;
	bool good = true;

	csv_chunks_ahead(&s->chunks, &ahead);
	while (good && !plan->decimal_comma && (good = csv_chunks_next(&ahead, &chunk, err))
	       && !chunk.over) {
		struct arena scratch = { .block_size = 1 << 16 };
		struct csv_scan scan;
		csv_chunk_scan(&chunk, CSV_LEVEL_BEST, &scratch, &scan);
		plan->decimal_comma = plan_sees_comma(plan, &scan);
		arena_free(&scratch);
	}
	csv_chunks_end(&ahead);
	arena_free(&arena);
	s->at = at;
	s->on_disk.at = file_at;
	return good;
}

/* The header of a file of several parts, before the second is taken. */
static bool read_header(struct source *s, const struct csv_chunk *chunk, struct error *err)
{
	struct arena scratch = { .block_size = 1 << 16 };
	struct csv_scan scan;
	struct csv_scan_row header;
	bool good = true;

	csv_chunk_scan(chunk, CSV_LEVEL_BEST, &scratch, &scan);
	if (csv_scan_next(&scan, &header)) {
		s->plan = plan_make(&scan, &header, s->chunks.name);
		if (!s->plan->bad && s->plan->table.separator == ';') {
			s->plan->decimal_comma = plan_sees_comma(s->plan, &scan);
			good = find_comma(s, s->plan, err);
		}
	}
	arena_free(&scratch);
	return good;
}

static void add_to_sum(struct source *s, struct str text)
{
	if (s->sum_wanted == SUM_QUICK)
		s->quick = quick_sum(s->quick, text);
	else if (s->sum_wanted == SUM_SHA256)
		crypto_hash_sha256_update(&s->sum, (const unsigned char *)str_chars(text),
					  text.len);
}

static void put_sum(struct source *s, char out[SHA256_TEXT + 1])
{
	if (s->sum_wanted == SUM_QUICK)
		snprintf(out, SHA256_TEXT + 1, "%016" PRIx64, s->quick);
	else if (s->sum_wanted == SUM_SHA256)
		sha256_end_in(&s->sum, out);
}

void source_sum_whole(struct source_part *part)
{
	struct source s = { .sum_wanted = part->sum_wanted };

	crypto_hash_sha256_init(&s.sum);
	add_to_sum(&s, part->chunk->text);
	put_sum(&s, part->sum);
}

static void end(struct source *s, struct source_part *part)
{
	part->last = true;
	part->too_many_lines = s->chunks.line >= INT_MAX;
	if (!part->whole)
		put_sum(s, part->sum);
	source_close(s);
}

/* Somebody writes to it: one more fault of a contribution, which the others do not suffer from. */
static bool has_shrunk(const struct source *s)
{
	struct stat st;

	return s->on_disk.fd >= 0 && fstat(s->on_disk.fd, &st) == 0
	       && (size_t)st.st_size < s->on_disk.size;
}

/* What went wrong in reading a file that shrinks is its shrinking. */
static void settle_error(const struct source *s, struct error *err)
{
	if (!has_shrunk(s))
		return;
	*err = (struct error){ .code = ERR_NONE };
	error_set(err, ERR_SYNTAX, "it became shorter while it was read");
}

static void add_bytes(struct source *s, struct str text)
{
	add_to_sum(s, text);
	if (s->signature && !s->signature->ended)
		signature_feed(s->signature, text);
}

void source_next(struct source *s, struct csv_chunk *chunk, struct source_part *part)
{
	*part = (struct source_part){ .file = s->file, .first = s->part++ == 0,
				      .signature = s->signature, .identity = s->identity };
	if (!csv_chunks_next(&s->chunks, chunk, &part->err)) {
		settle_error(s, &part->err);
		part->plan = s->plan;
		source_close(s);
		return;
	}
	bool last = s->chunks.ended && s->chunks.rest_len == 0;
	part->chunk = chunk->over ? NULL : chunk;
	part->whole = part->first && last;
	if (part->whole)
		part->sum_wanted = s->sum_wanted;
	else
		add_bytes(s, chunk->text);
	if (part->first && !last && !read_header(s, chunk, &part->err)) {
		settle_error(s, &part->err);
		last = true;
	}
	part->plan = s->plan;
	if (last || chunk->over)
		end(s, part);
}
