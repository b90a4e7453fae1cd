#include "cache.h"

#include "build_id.h"
#include "file.h"
#include "io.h"
#include "num.h"
#include "open.h"
#include "pack.h"
#include "sha256.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SUM_BYTES = crypto_hash_sha256_BYTES, KEY_LEN = SHA256_TEXT };

struct cache {
	const char *dir;
	int run;              /* number of this run */
	pthread_mutex_t lock; /* of puts */
	size_t puts;          /* names files aside, and tells whether there is something to sweep */
	int list;             /* file that puts and keeps are listed in instead; -1: none */
	size_t list_left;     /* bytes that it may still take */
};

struct cache_key {
	struct arena *arena;
	crypto_hash_sha256_state state;
};

/* --- keys --- */

static void add_bytes(struct cache_key *k, const void *p, size_t n)
{
	crypto_hash_sha256_update(&k->state, p, n);
}

void cache_key_add(struct cache_key *k, struct str part)
{
	unsigned char len[8];

	for (size_t i = 0; i < sizeof len; i++)
		len[i] = (unsigned char)((unsigned long long)part.len >> 8 * i);
	add_bytes(k, len, sizeof len);
	if (part.len)
		add_bytes(k, part.p, part.len);
}

void cache_key_add_number(struct cache_key *k, double v)
{
	cache_key_add(k, (struct str){ (const char *)&v, sizeof v });
}

struct cache_key *cache_key_begin(const char *kind, struct arena *a)
{
	struct cache_key *k = arena_alloc(a, sizeof *k);

	k->arena = a;
	crypto_hash_sha256_init(&k->state);
	cache_key_add(k, str_of(kind));
	cache_key_add(k, build_id_loaded(a));
	return k;
}

struct cache_key *cache_key_copy(const struct cache_key *k, struct arena *a)
{
	struct cache_key *copy = arena_alloc(a, sizeof *copy);

	*copy = *k;
	copy->arena = a;
	return copy;
}

struct str cache_key_end(struct cache_key *k)
{
	return sha256_end(&k->state, k->arena);
}

/* --- places --- */

static bool is_hex(const char *s, size_t n)
{
	return strspn(s, "0123456789abcdef") >= n;
}

static bool is_key(struct str key)
{
	return key.len == KEY_LEN && is_hex(key.p, KEY_LEN);
}

/* DIR/XX/KEY; false when it does not fit. */
static bool path_of(const struct cache *c, struct str key, char path[PATH_MAX])
{
	int n = snprintf(path, PATH_MAX, "%s/%.2s/" STR_FMT, c->dir, key.p, STR_ARG(key));

	return n > 0 && n < PATH_MAX;
}

static bool run_path(const struct cache *c, char path[PATH_MAX])
{
	int n = snprintf(path, PATH_MAX, "%s/run", c->dir);

	return n > 0 && n < PATH_MAX;
}

/* 0 where the number is gone or damaged: then all entries look used by a later run, and are kept.
 */
static int read_run(const struct cache *c)
{
	char path[PATH_MAX];
	struct arena scratch = { .block_size = 1 << 12 };
	struct error ignored = { 0 };
	struct str text;
	int run = 0;

	if (run_path(c, path) && file_read(path, 32, &scratch, &text, &ignored))
		num_parse_int(str_trim(text), &run);
	arena_free(&scratch);
	return run < INT_MAX ? run : 0;
}

struct cache *cache_open(const char *dir, struct arena *a)
{
	struct cache *c = arena_alloc(a, sizeof *c);

	c->dir = str_c(a, str_of(dir));
	c->run = read_run(c);
	c->list = -1;
	pthread_mutex_init(&c->lock, NULL);
	return c;
}

/* --- entries --- */

/* An entry that is moved to another key's place is as wrong as one that is changed. */
static void checksum(struct str key, struct str data, unsigned char sum[SUM_BYTES])
{
	crypto_hash_sha256_state state;

	crypto_hash_sha256_init(&state);
	crypto_hash_sha256_update(&state, (const unsigned char *)key.p, key.len);
	crypto_hash_sha256_update(&state, (const unsigned char *)(data.p ? data.p : ""), data.len);
	crypto_hash_sha256_final(&state, sum);
}

static bool is_sound(struct str key, struct str file)
{
	unsigned char sum[SUM_BYTES];

	if (file.len < SUM_BYTES)
		return false;
	checksum(key, str_slice(file, SUM_BYTES, file.len), sum);
	return memcmp(sum, file.p, SUM_BYTES) == 0;
}

static void mark(int dir, const char *path, int run)
{
	struct timespec times[2] = { { run, 0 }, { run, 0 } };

	utimensat(dir, path, times, AT_SYMLINK_NOFOLLOW);
}

enum list_kind { LIST_PUT, LIST_KEEP, LIST_KINDS };

/* One line of the list, whole or not at all. What could not be written ends it: the rest is lost,
 * as a put that fails is, and what came behind half a line would be taken for its other half. */
static void list(struct cache *c, enum list_kind kind, struct str key, struct str data)
{
	struct arena scratch = { .block_size = 1 << 12 };
	struct strbuf b = { .arena = &scratch };

	pack_put_int(&b, kind);
	pack_put_str(&b, key);
	pack_put_int(&b, (long long)data.len); /* as pack_put_str, without a copy of it */
	pthread_mutex_lock(&c->lock);
	if (b.len <= c->list_left && data.len <= c->list_left - b.len) {
		bool good = io_write_all(c->list, b.p, b.len)
			    && (data.len == 0 || io_write_all(c->list, data.p, data.len));
		c->list_left = good ? c->list_left - b.len - data.len : 0;
	}
	pthread_mutex_unlock(&c->lock);
	arena_free(&scratch);
}

bool cache_get(struct cache *c, struct str key, struct arena *a, struct str *out)
{
	char path[PATH_MAX];
	struct error ignored = { 0 };
	struct str file;

	if (!c || !is_key(key) || !path_of(c, key, path)
	    || !file_read(path, CACHE_ENTRY_MAX + SUM_BYTES, a, &file, &ignored)
	    || !is_sound(key, file))
		return false;
	*out = (struct str){ file.p + SUM_BYTES,
			     file.len - SUM_BYTES }; /* of no length too it ends in a NUL */
	cache_keep(c, key);
	return true;
}

void cache_keep(struct cache *c, struct str key)
{
	char path[PATH_MAX];

	if (!c || !is_key(key))
		return;
	if (c->list >= 0)
		list(c, LIST_KEEP, key, (struct str){ 0 });
	else if (path_of(c, key, path))
		mark(AT_FDCWD, path, c->run);
}

/* Where a file of this cache is written aside: no other run and no other thread has the name. */
static bool aside_path(struct cache *c, const char *path, char aside[PATH_MAX])
{
	pthread_mutex_lock(&c->lock);
	size_t no = c->puts++;
	pthread_mutex_unlock(&c->lock);
	int n = snprintf(aside, PATH_MAX, "%s.%ld-%zu.part", path, (long)getpid(), no);

	return n > 0 && n < PATH_MAX;
}

/* Without fsync: the checksum tells. */
static void put_file(struct cache *c, const char *path, struct str head, struct str data)
{
	char aside[PATH_MAX];

	if (!aside_path(c, path, aside))
		return;
	int fd = open(aside, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (fd < 0)
		return;
	bool good = io_write_all(fd, head.p, head.len) && io_write_all(fd, data.p, data.len);
	good = close(fd) == 0 && good;
	if (good)
		mark(AT_FDCWD, aside, c->run);
	if (!good || rename(aside, path) != 0)
		unlink(aside);
}

void cache_put(struct cache *c, struct str key, struct str data)
{
	char path[PATH_MAX];
	unsigned char sum[SUM_BYTES];
	struct error ignored = { 0 };

	if (!c || !is_key(key) || data.len > CACHE_ENTRY_MAX || !path_of(c, key, path))
		return;
	if (c->list >= 0) {
		list(c, LIST_PUT, key, data);
		return;
	}
	char *folder_end = strrchr(path, '/');
	*folder_end = '\0';
	bool there = file_is_dir(path) || file_make_dirs(path, &ignored);
	*folder_end = '/';
	if (!there)
		return;
	checksum(key, data, sum);
	put_file(c, path, (struct str){ (const char *)sum, SUM_BYTES }, data);
}

void cache_list(struct cache *c, int fd, size_t most)
{
	if (!c)
		return;
	c->list = fd;
	c->list_left = most;
}

void cache_carry_out(struct cache *c, struct str listed)
{
	struct unpack u = { .rest = listed };

	while (u.rest.len && !u.bad) {
		enum list_kind kind = (enum list_kind)unpack_index(&u, LIST_KINDS);
		struct str key = unpack_str(&u), data = unpack_str(&u);
		if (u.bad)
			return;
		if (kind == LIST_PUT)
			cache_put(c, key, data);
		else
			cache_keep(c, key);
	}
}

const char *cache_dir(const struct cache *c)
{
	return c->dir;
}

/* --- sweep --- */

/* "KEY.PID-NO.part" of a run that was killed; one that still writes loses an entry, no more. */
static bool is_aside(const char *name)
{
	return is_hex(name, KEY_LEN) && name[KEY_LEN] == '.'
	       && str_ends(str_of(name), STR(".part"));
}

/* A mark beyond the present run is not ours (the entry was copied, the number lost): as if used
 * now. */
static void sweep_entry(const struct cache *c, int dir, const char *name)
{
	struct stat st;

	if (!is_hex(name, KEY_LEN) || fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0
	    || !S_ISREG(st.st_mode))
		return;
	if (is_aside(name))
		unlinkat(dir, name, 0);
	else if (name[KEY_LEN] != '\0')
		return;
	else if (st.st_mtime > c->run || st.st_mtime < 0)
		mark(dir, name, c->run);
	else if (c->run - st.st_mtime >= CACHE_RUNS)
		unlinkat(dir, name, 0);
}

static void sweep_folder(const struct cache *c, const char *path)
{
	DIR *dir = open_folder(AT_FDCWD, path);
	struct dirent *e;

	if (!dir)
		return;
	while ((e = readdir(dir)))
		sweep_entry(c, dirfd(dir), e->d_name);
	closedir(dir);
	rmdir(path); /* only when it is empty */
}

void cache_sweep(struct cache *c)
{
	char path[PATH_MAX], number[16];

	if (!c || c->puts == 0)
		return;
	for (unsigned i = 0; i < 256; i++) {
		int n = snprintf(path, sizeof path, "%s/%02x", c->dir, i);
		if (n > 0 && n < PATH_MAX)
			sweep_folder(c, path);
	}
	snprintf(number, sizeof number, "%d\n", c->run + 1);
	if (run_path(c, path))
		put_file(c, path, (struct str){ 0 }, str_of(number));
}
