#include "csv_split.h"

#include "csv_index.h"
#include "csv_libcsv.h"

#include <limits.h>
#include <string.h>

static void count_blocks(struct csv_counting *k, const char *p, size_t blocks,
			 enum csv_level level)
{
	const struct csv_kernel *kernel =
	    csv_kernel(level) ? csv_kernel(level) : csv_kernel(CSV_LEVEL_BEST);

	kernel->count(p, blocks, &k->cr, &k->sum.quotes, &k->sum.lines);
	k->at += blocks * CSV_BLOCK;
}

void csv_count_on(struct csv_counting *k, struct str text, enum csv_level level)
{
	if (text.len >= k->at + CSV_BLOCK)
		count_blocks(k, text.p + k->at, (text.len - k->at) / CSV_BLOCK, level);
}

struct csv_count csv_count_rest(const struct csv_counting *k, struct str text,
				enum csv_level level)
{
	struct csv_counting all = *k;
	char rest[CSV_BLOCK];

	csv_count_on(&all, text, level);
	if (all.at < text.len) {
		memset(rest, 'x', sizeof rest);
		memcpy(rest, text.p + all.at, text.len - all.at);
		count_blocks(&all, rest, 1, level);
	}
	return all.sum;
}

struct csv_count csv_count(struct str text, enum csv_level level)
{
	return csv_count_rest(&(struct csv_counting){ .at = 0 }, text, level);
}

static bool is_end(char c)
{
	return c == '\n' || c == '\r';
}

/* The place behind the row end at or after `at`, or 0 when the text does not tell. inside: whether
 * `at` is in quotes. */
static size_t row_end(struct str text, size_t at, bool inside, bool final)
{
	for (; at < text.len; at++) {
		inside ^= text.p[at] == '"';
		if (inside || !is_end(text.p[at]))
			continue;
		if (text.p[at] == '\n' || (at + 1 == text.len && final))
			return at + 1;
		if (at + 1 == text.len)
			return 0;
		return at + 1 + (text.p[at + 1] == '\n');
	}
	return final ? text.len : 0;
}

/* Room to tell the end of a row that is just not too long. */
enum { ROW_ROOM = CSV_ROW_MAX + 8 };

/* Where a row that is too long is cut: in no character and no CRLF. */
static size_t cut(struct str text, size_t begin)
{
	size_t at = begin + CSV_ROW_MAX + 1;

	for (int i = 0; i < 4 && ((unsigned char)text.p[at] & 0xC0) == 0x80; i++)
		at++;
	return at + (text.p[at] == '\n' && text.p[at - 1] == '\r');
}

static bool is_blank_line(struct str line, char separator)
{
	for (size_t i = 0; i < line.len; i++)
		if (!is_end(line.p[i]) && line.p[i] != ' '
		    && (line.p[i] != '\t' || separator == '\t'))
			return false;
	return true;
}

/* The place behind the header row; 0 when the text does not tell. *begin is that of the row, or of
 * the line the text ends in. */
static size_t header_end(struct str text, bool final, size_t *begin)
{
	char separator = ',';
	bool known = false;

	*begin = str_starts(text, STR("\xEF\xBB\xBF")) ? 3 : 0;
	if (text.len < 3 && !final) /* half a BOM */
		return 0;
	for (size_t end; *begin < text.len; *begin = end) {
		end = row_end(text, *begin, false, final);
		if (end == 0)
			return 0;
		struct str line = str_slice(text, *begin, end);
		if (!known && !is_end(line.p[0])) { /* as csv_separator chooses the line */
			separator = csv_separator(line);
			known = true;
		}
		if (!is_blank_line(line, separator))
			return end;
	}
	return final ? text.len : 0;
}

/* The last row end from `least` up to `limit`, or 0; there is a byte behind limit. */
static size_t last_row_end(struct str text, size_t least, size_t limit, bool inside)
{
	for (size_t end = limit; end > least; end--) {
		char c = text.p[end - 1];

		if (!inside && is_end(c) && !(c == '\r' && text.p[end] == '\n'))
			return end;
		inside ^= c == '"';
	}
	return least;
}

size_t csv_split(struct str text, size_t want, bool first, bool final, enum csv_level level)
{
	return csv_split_counted(text, want, first, final, &(struct csv_counting){ .at = 0 },
				 level);
}

size_t csv_split_counted(struct str text, size_t want, bool first, bool final,
			 const struct csv_counting *k, enum csv_level level)
{
	size_t least = 0, begin = 0;

	if (first)
		least = header_end(text, final, &begin);
	if (first && least == 0) {
		if (begin > CSV_ROW_MAX) /* nothing but empty lines */
			return cut(text, 0);
		return text.len > begin + ROW_ROOM ? cut(text, begin) : 0;
	}
	size_t limit = want > least ? want : least;
	if (text.len <= limit)
		return final ? text.len : 0;
	bool inside = csv_count_rest(k, str_slice(text, 0, limit), level).quotes % 2;
	size_t end = last_row_end(text, least, limit, inside);
	if (end)
		return end;
	end = row_end(text, limit, inside, final);
	return end > ROW_ROOM || (end == 0 && text.len > ROW_ROOM) ? cut(text, 0) : end;
}
