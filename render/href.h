/* Which addresses may become links. The report model drops the others, so no page format sees them.
 */
#ifndef RENDER_HREF_H
#define RENDER_HREF_H

#include "../base/str.h"

#include <stdbool.h>

/* Whether an address may stand in href: http://, https://, mailto:, "#id", or a relative path of
 * letters, digits and - _ . / without an empty, "." or ".." part. Everything else is refused: other
 * schemes, "//host", blanks, quotes, angle brackets, backslashes, controls, text beyond ASCII. */
bool href_safe(struct str href);

#endif
