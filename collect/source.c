#include "source.h"

#include "input.h"
#include "../base/file.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Goes on from the sum of what was before; a file is cut at the same places each time. */
static uint64_t quick_sum(uint64_t before, struct str text)
{
	const struct memo_piece piece = { str_chars(text), text.len };

	return (before ^ memo_hash(&piece, 1)) * 0x9e3779b97f4a7c15u;
}

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
	return s->on_disk.fd >= 0 ? csv_file_source(&s->on_disk) : (struct csv_source){ read_memory, s };
}

static bool open_file(struct source *s, const struct input *input, struct error *err)
{
	const char *path = input_path(input, &s->arena);

	if (input->path.len == 0)
		return file_read(path, LIMIT_MEMORY_BYTES, &s->arena, &s->in_memory, err);
	if (!csv_file_open(&s->on_disk, path, err))
		return false;
	if (s->on_disk.size > CONTRIBUTION_MAX)
		return error_at(err, ERR_RANGE, (struct pos){ 0 }, "the file is larger than %zu bytes",
				CONTRIBUTION_MAX);
	return true;
}

bool source_open(struct source *s, const struct collection *c, size_t file, enum source_sum sum_wanted,
		 struct error *err)
{
	const struct input *input = &c->inputs[file];

	*s = (struct source){ .c = c, .file = file, .open = true, .sum_wanted = sum_wanted,
			      .arena = { .block_size = 1 << 12 }, .on_disk = { .fd = -1 } };
	if (!open_file(s, input, err)) {
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

/* Goes through the whole file for a value with a comma, and back to where it was. */
static bool find_comma(struct source *s, struct plan *plan, struct error *err)
{
	struct arena arena = { .block_size = 1 << 16 };
	struct csv_chunk chunk = { .arena = &arena };
	struct csv_chunks chunks;
	size_t at = s->at, file_at = s->on_disk.at;
	bool good = true;

	csv_chunks_begin(&chunks, bytes_of(s), s->chunks.name, CHUNK_BYTES, CSV_LEVEL_BEST);
	while (good && !plan->decimal_comma && (good = csv_chunks_next(&chunks, &chunk, err)) && !chunk.over) {
		struct arena scratch = { .block_size = 1 << 16 };
		struct csv_scan scan;
		struct csv_scan_row header;
		csv_chunk_scan(&chunk, CSV_LEVEL_BEST, &scratch, &scan);
		if (chunk.number > 0 || csv_scan_next(&scan, &header))
			plan->decimal_comma = plan_sees_comma(plan, &scan);
		arena_free(&scratch);
	}
	csv_chunks_end(&chunks);
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
		if (s->plan->table.separator == ';')
			good = find_comma(s, s->plan, err);
	}
	arena_free(&scratch);
	return good;
}

static void add_to_sum(struct source *s, struct str text)
{
	if (s->sum_wanted == SUM_QUICK)
		s->quick = quick_sum(s->quick, text);
	else if (s->sum_wanted == SUM_SHA256)
		crypto_hash_sha256_update(&s->sum, (const unsigned char *)str_chars(text), text.len);
}

static void put_sum(struct source *s, char out[SUM_TEXT + 1])
{
	unsigned char sum[crypto_hash_sha256_BYTES];

	if (s->sum_wanted == SUM_QUICK) {
		snprintf(out, SUM_TEXT + 1, "%016" PRIx64, s->quick);
	} else if (s->sum_wanted == SUM_SHA256) {
		crypto_hash_sha256_final(&s->sum, sum);
		sodium_bin2hex(out, SUM_TEXT + 1, sum, sizeof sum);
	}
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
	if (part->sum_wanted == SUM_NONE)
		put_sum(s, part->sum);
	source_close(s);
}

/* Somebody writes to it: one more fault of a contribution, which the others do not suffer from. */
static bool has_shrunk(const struct source *s)
{
	struct stat st;

	return s->on_disk.fd >= 0 && fstat(s->on_disk.fd, &st) == 0 && (size_t)st.st_size < s->on_disk.size;
}

void source_next(struct source *s, struct csv_chunk *chunk, struct source_part *part)
{
	*part = (struct source_part){ .file = s->file, .first = s->part++ == 0 };
	if (!csv_chunks_next(&s->chunks, chunk, &part->err)) {
		if (has_shrunk(s)) {
			part->err = (struct error){ .code = ERR_NONE };
			error_set(&part->err, ERR_RANGE, "it became shorter while it was read");
		}
		part->plan = s->plan;
		source_close(s);
		return;
	}
	bool last = s->chunks.ended && s->chunks.rest_len == 0;
	part->chunk = chunk->over ? NULL : chunk;
	if (part->first && last)
		part->sum_wanted = s->sum_wanted;
	else
		add_to_sum(s, chunk->text);
	if (part->first && !last && !read_header(s, chunk, &part->err))
		last = true;
	part->plan = s->plan;
	if (last || chunk->over)
		end(s, part);
}
