/* Base 64 (RFC 4648) of a checksum, as a Content-Security-Policy wants it. */
#ifndef RENDER_BASE64_H
#define RENDER_BASE64_H

#include "../base/arena.h"
#include "../base/str.h"

/* hex: lower-case hex digits, two a byte. */
struct str base64_of_hex(struct arena *a, struct str hex);

#endif
