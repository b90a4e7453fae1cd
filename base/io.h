/* Writing to a descriptor without losing a part. */
#ifndef BASE_IO_H
#define BASE_IO_H

#include <stdbool.h>
#include <stddef.h>

/* Writes all n bytes, going on after signals and short writes. False with errno; then some may have
 * been written. A file that takes nothing is ENOSPC. */
bool io_write_all(int fd, const void *p, size_t n);

#endif
