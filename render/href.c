#include "href.h"

static bool all_in(struct str s, struct str marks)
{
	for (size_t i = 0; i < s.len; i++)
		if (!str_is_alnum(s.p[i])
		    && str_find(marks, str_slice(s, i, i + 1), 0) == marks.len)
			return false;
	return true;
}

static bool is_relative_path(struct str s)
{
	struct str part;

	if (!all_in(s, STR("-_./")))
		return false;
	while (str_cut(&s, '/', &part))
		if (part.len == 0 || str_eq(part, STR(".")) || str_eq(part, STR("..")))
			return false;
	return true;
}

bool href_safe(struct str href)
{
	static const struct str schemes[] = { STR_INIT("https://"), STR_INIT("http://"),
					      STR_INIT("mailto:") };

	if (href.len == 0)
		return false;
	if (href.p[0] == '#')
		return href.len > 1 && all_in(str_slice(href, 1, href.len), STR("-_."));
	for (size_t i = 0; i < LEN(schemes); i++)
		if (str_starts(href, schemes[i]) && href.len > schemes[i].len)
			return all_in(href, STR("-._~:/?#[]@!$&()*+,;=%"));
	return is_relative_path(href);
}
