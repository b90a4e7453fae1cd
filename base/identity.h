/* Whether a file is still the one that was read: its place on the disk, its length and its times.
 * What is written to it within one grain of its time of change, some milliseconds, does not
 * show. */
#ifndef BASE_IDENTITY_H
#define BASE_IDENTITY_H

#include <stdbool.h>
#include <sys/stat.h>
#include <time.h>

struct file_identity {
	unsigned long long device, inode;
	long long bytes;
	struct timespec modified, changed;
};

struct file_identity identity_of(const struct stat *st);
/* Of what lies there now; zero where nothing does. */
struct file_identity identity_at(const char *path);
bool identity_same(const struct file_identity *x, const struct file_identity *y);
bool identity_same_time(struct timespec x, struct timespec y);

#endif
