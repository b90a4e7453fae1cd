#include "template.h"
#include "../base/file.h"

/* One character at a time, so that the place of the first bad byte is known. */
bool template_check(struct str text, const char *file, struct error *err)
{
	struct pos pos = { .file = file, .line = 1, .col = 1 };

	for (size_t at = 0; at < text.len;) {
		size_t from = at;
		str_next_utf8(text, &at);
		if (!str_is_utf8(str_slice(text, from, at)))
			return error_at(err, ERR_SYNTAX, pos, "expected UTF-8, read byte 0x%02x",
					(unsigned char)text.p[from]);
		bool newline = text.p[from] == '\n';
		pos.line += newline;
		pos.col = newline ? 1 : pos.col + 1;
	}
	return true;
}

bool template_read(const char *path, struct arena *a, struct str *out, struct error *err)
{
	return file_read(path, 0, a, out, err) && template_check(*out, path, err);
}
