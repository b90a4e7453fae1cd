#include "copies.h"

#include "input.h"
#include "source.h"
#include "../base/file.h"
#include "../base/sha256.h"

/* The first file of the series that was entered under a sum, which may be this one. One that was
 * refused gives up its place: it counts for nothing, so its copy must speak for itself. */
static size_t enter(struct collection *c, size_t file, struct str sum)
{
	struct arena scratch = { .block_size = 1 << 12 };
	struct str key =
	    str_printf(&scratch, "%zu\n" STR_FMT, c->inputs[file].series, STR_ARG(sum));
	bool fresh;
	size_t at = names_put(&c->contents, key, &fresh);

	arena_free(&scratch);
	c->content_file =
	    arena_grow(c->arena, c->content_file, &c->content_cap, at + 1, sizeof *c->content_file);
	if (fresh || c->inputs[c->content_file[at]].refused)
		c->content_file[at] = file;
	return c->content_file[at];
}

static bool is_as_read(const struct input *input, const char *path)
{
	struct file_identity now = identity_at(path);

	return identity_same(&now, &input->identity);
}

/* Asked when it was hashed: if it still is as it was read, so it was in between. */
static bool sum_again(const struct input *input, struct arena *a, struct str *sum)
{
	const char *path = input_path(input, a);
	struct error ignored = { 0 };
	struct file_sum whole;

	if (!file_hash(path, a, &whole, &ignored) || !is_as_read(input, path))
		return false;
	*sum = whole.sha256;
	return true;
}

/* Two of one quick sum, each read at most once more for every later file of that sum. */
static bool tell_apart(struct collection *c, size_t file, size_t like, size_t *first,
		       struct error *err)
{
	struct arena scratch = { .block_size = 1 << 12 };
	struct str one = { 0 }, other = { 0 };
	bool good = sum_again(&c->inputs[like], &scratch, &one)
		    && sum_again(&c->inputs[file], &scratch, &other);

	if (good) {
		enter(c, like, one);
		*first = enter(c, file, other);
	} else {
		error_set(err, ERR_SYNTAX, "it may be a copy of " STR_FMT
			  ", but one of them was changed while they were read",
			  STR_ARG(c->inputs[like].name));
	}
	arena_free(&scratch);
	return good;
}

bool copies_find(struct collection *c, size_t file, struct str sum, bool *again, size_t *first,
		 struct error *err)
{
	bool good = true;

	*first = enter(c, file, sum);
	if (*first != file && sum.len < SHA256_TEXT)
		good = tell_apart(c, file, *first, first, err);
	*again = good && *first != file;
	return good;
}
