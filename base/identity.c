#include "identity.h"

struct file_identity identity_of(const struct stat *st)
{
	return (struct file_identity){ st->st_dev, st->st_ino, st->st_size, st->st_mtim,
				       st->st_ctim };
}

struct file_identity identity_at(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? identity_of(&st) : (struct file_identity){ 0 };
}

bool identity_same_time(struct timespec x, struct timespec y)
{
	return x.tv_sec == y.tv_sec && x.tv_nsec == y.tv_nsec;
}

bool identity_same(const struct file_identity *x, const struct file_identity *y)
{
	return x->device == y->device && x->inode == y->inode && x->bytes == y->bytes
	       && identity_same_time(x->modified, y->modified)
	       && identity_same_time(x->changed, y->changed);
}
