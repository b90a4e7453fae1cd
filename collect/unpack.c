#include "unpack.h"

#include "limits.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>

/* POSIX ends a tar with two blocks of zeros. */
enum { TAR_END = 1024 };

const struct str unpack_endings[UNPACK_ENDINGS] = {
	[UNPACK_CSV] = STR_INIT(".csv"),
	[UNPACK_CSV_GZ] = STR_INIT(".csv.gz"),
	[UNPACK_CSV_ZST] = STR_INIT(".csv.zst"),
	[UNPACK_TAR] = STR_INIT(".tar"),
	[UNPACK_TAR_GZ] = STR_INIT(".tar.gz"),
	[UNPACK_TAR_ZST] = STR_INIT(".tar.zst"),
	[UNPACK_UNREAD] = STR_INIT(".zip"),
	STR_INIT(".zipx"), STR_INIT(".7z"),  STR_INIT(".rar"), STR_INIT(".tgz"),  STR_INIT(".tzst"),
	STR_INIT(".gz"),   STR_INIT(".zst"), STR_INIT(".bz2"), STR_INIT(".tbz2"), STR_INIT(".xz"),
	STR_INIT(".txz"),  STR_INIT(".lz4"), STR_INIT(".lz"),  STR_INIT(".lzma"), STR_INIT(".br"),
	STR_INIT(".Z"),    STR_INIT(".cpio"),
};

const char unpack_read_kinds[] =
    "only .csv, .csv.gz, .csv.zst, .tar, .tar.gz and .tar.zst are read";

static const struct {
	enum expand_how how;
	bool archive;
} kinds[UNPACK_KINDS] = {
	[UNPACK_CSV] = { EXPAND_NONE, false },     [UNPACK_CSV_GZ] = { EXPAND_GZIP, false },
	[UNPACK_CSV_ZST] = { EXPAND_ZSTD, false }, [UNPACK_TAR] = { EXPAND_NONE, true },
	[UNPACK_TAR_GZ] = { EXPAND_GZIP, true },   [UNPACK_TAR_ZST] = { EXPAND_ZSTD, true },
};

const struct unpack_limits unpack_limits = {
	.expand = { .packed = LIMIT_PACKED_BYTES,
		    .expanded = LIMIT_EXPANDED_BYTES,
		    .ratio = LIMIT_RATIO,
		    .ratio_free = LIMIT_RATIO_FREE,
		    .window_log = LIMIT_WINDOW_LOG },
	.member = LIMIT_MEMORY_BYTES,
	.members = LIMIT_MEMBERS,
	.name = LIMIT_MEMBER_NAME,
};

enum unpack_kind unpack_kind_of(struct str name)
{
	for (size_t i = 0; i < UNPACK_ENDINGS; i++)
		if (str_ends(name, unpack_endings[i]))
			return i < UNPACK_KINDS ? (enum unpack_kind)i : UNPACK_UNREAD;
	return UNPACK_OTHER;
}

struct str unpack_ending(struct str name)
{
	enum unpack_kind kind = unpack_kind_of(name);

	return kind < UNPACK_KINDS ? unpack_endings[kind] : (struct str){ 0 };
}

bool unpack_is_archive(enum unpack_kind kind)
{
	return kind < UNPACK_KINDS && kinds[kind].archive;
}

struct unpacker {
	struct arena arena;           /* this lies in it */
	const char *file;
	const struct unpack_limits *limits;
	struct expand_limits expand;  /* those of the file, or of its only member */
	struct expander *expander;
	struct error why;             /* of the expander, while libarchive calls it */
	struct archive *tar;          /* NULL: the file is its own only member */
	size_t members;
	bool open;                    /* a member is being read */
	long long at;                 /* in the member */
	unsigned long long made;      /* bytes of the tar so far */
	unsigned long long last_mark; /* bytes of it up to and with the last one that is not 0 */
	long long data_end;           /* where the last member with its padding ends */
};

static bool fault(const struct unpacker *u, enum error_code code, struct error *err,
		  const char *what)
{
	return error_at(err, code, (struct pos){ u->file, 0, 0 }, "%s", what);
}

/* One block of the tar, and what is noted of it. */
static bool tar_block(struct unpacker *u, struct str *block, struct error *err)
{
	size_t n;

	if (!expand_block(u->expander, block, err))
		return false;
	for (n = block->len; n > 0 && block->p[n - 1] == '\0'; n--)
		;
	if (n)
		u->last_mark = u->made + n;
	u->made += block->len;
	return true;
}

static la_ssize_t give_tar(struct archive *tar, void *ctx, const void **bytes)
{
	struct unpacker *u = ctx;
	struct str block;

	if (!tar_block(u, &block, &u->why)) {
		archive_set_error(tar, EIO, "%s", u->why.msg);
		return -1;
	}
	*bytes = block.p;
	return (la_ssize_t)block.len;
}

/* What libarchive has against it, or what the expander told it. */
static bool tar_failed(struct unpacker *u, struct error *err)
{
	const char *why = archive_error_string(u->tar);

	if (u->why.code != ERR_NONE) {
		*err = u->why;
		return false;
	}
	return error_at(err, ERR_DATA, (struct pos){ u->file, 0, 0 }, "it is no tar archive, or a "
			"damaged one: %s", why ? why : "it cannot be read");
}

static bool open_tar(struct unpacker *u, struct error *err)
{
	u->tar = archive_read_new();
	if (!u->tar || archive_read_support_format_tar(u->tar) != ARCHIVE_OK)
		return error_set(err, ERR_ENVIRONMENT, "libarchive cannot be set up");
	/* no filter is allowed to it: what it gets is the tar itself, or no tar */
	return archive_read_open(u->tar, u, NULL, give_tar, NULL) == ARCHIVE_OK
	       || tar_failed(u, err);
}

bool unpack_open(const struct expand_source *from, enum unpack_kind kind,
		 const struct unpack_limits *limits, struct unpacker **out, struct error *err)
{
	struct arena own = { 0 };
	struct unpacker *u = arena_alloc(&own, sizeof *u);
	bool archive = unpack_is_archive(kind);

	*u = (struct unpacker){ .arena = own, .file = from->name, .limits = limits,
				.expand = limits->expand };
	if (!archive && limits->member < u->expand.expanded)
		u->expand.expanded = limits->member;
	*out = u;
	if (expand_open(from, kinds[kind].how, &u->expand, &u->arena, &u->expander, err)
	    && (!archive || open_tar(u, err)))
		return true;
	unpack_close(u);
	*out = NULL;
	return false;
}

static enum unpack_type type_of(struct archive_entry *e)
{
	if (archive_entry_hardlink(e))
		return UNPACK_LINK;
	switch (archive_entry_filetype(e)) {
	case AE_IFREG:
		return archive_entry_sparse_count(e) ? UNPACK_SPARSE : UNPACK_FILE;
	case AE_IFDIR:
		return UNPACK_FOLDER;
	case AE_IFLNK:
		return UNPACK_LINK;
	default:
		return UNPACK_DEVICE;
	}
}

/* libarchive takes the end of the file for the end of the archive: one that was cut between two
 * members would look whole. And it stops at the end mark: what is behind it must be padding, and
 * the sums at the end of a compressed file are still to be read. */
static bool end_tar(struct unpacker *u, struct error *err)
{
	long long mark = archive_filter_bytes(u->tar, 0) - u->data_end;
	struct str block = { "", 1 };

	while (block.len)
		if (!tar_block(u, &block, err))
			return false;
	if (mark < TAR_END)
		return fault(u, ERR_DATA, err, "the tar archive ends too early: no end mark");
	if (u->last_mark > (unsigned long long)u->data_end)
		return fault(u, ERR_DATA, err, "there are bytes behind the end of the tar archive");
	return true;
}

static bool next_of_tar(struct unpacker *u, struct unpack_entry *entry, bool *there,
			struct error *err)
{
	struct archive_entry *e;

	if (u->members && archive_read_data_skip(u->tar) < ARCHIVE_WARN)
		return tar_failed(u, err);
	if (u->members)
		u->data_end = archive_filter_bytes(u->tar, 0);
	int status = archive_read_next_header(u->tar, &e);
	*there = false;
	if (status == ARCHIVE_EOF)
		return end_tar(u, err);
	/* a warning is about names outside ASCII: libarchive would have them in the locale, and
	 * leaves the bytes as they are where it cannot */
	if (status != ARCHIVE_OK && status != ARCHIVE_WARN)
		return tar_failed(u, err);
	if (++u->members > u->limits->members)
		return error_at(err, ERR_RANGE, (struct pos){ u->file, 0, 0 },
				"the archive has more than %zu members", u->limits->members);
	const char *name = archive_entry_pathname(e);
	*entry = (struct unpack_entry){ .name = str_of(name ? name : ""),
					.type = type_of(e),
					.has_size = archive_entry_size_is_set(e) != 0,
					.bytes = (unsigned long long)archive_entry_size(e) };
	*there = u->open = true;
	u->at = 0;
	return true;
}

bool unpack_next(struct unpacker *u, struct unpack_entry *entry, bool *there, struct error *err)
{
	struct str block = { "", 1 };

	*entry = (struct unpack_entry){ 0 };
	if (u->tar)
		return next_of_tar(u, entry, there, err);
	*there = u->members == 0;
	if (*there) {
		u->members++;
		u->open = true;
		return true;
	}
	while (block.len) /* to the sums at its end */
		if (!unpack_block(u, &block, err))
			return false;
	return true;
}

static bool block_of_tar(struct unpacker *u, struct str *block, struct error *err)
{
	const void *p;
	size_t n = 0;
	la_int64_t at;
	int status;

	do
		status = archive_read_data_block(u->tar, &p, &n, &at);
	while (status == ARCHIVE_OK && n == 0);
	if (status == ARCHIVE_EOF) {
		u->open = false;
		return true;
	}
	if (status != ARCHIVE_OK)
		return tar_failed(u, err);
	if (at != u->at) /* a hole would come out as zeros out of nothing */
		return fault(u, ERR_DATA, err, "a member of the archive is a sparse file");
	u->at += (long long)n;
	*block = (struct str){ p, n };
	return true;
}

bool unpack_block(struct unpacker *u, struct str *block, struct error *err)
{
	*block = (struct str){ 0 };
	if (!u->open)
		return true;
	if (u->tar)
		return block_of_tar(u, block, err);
	if (!expand_block(u->expander, block, err))
		return false;
	u->open = block->len > 0;
	return true;
}

void unpack_close(struct unpacker *u)
{
	struct arena own;

	if (!u)
		return;
	if (u->tar)
		archive_read_free(u->tar);
	expand_close(u->expander);
	own = u->arena;
	arena_free(&own);
}
