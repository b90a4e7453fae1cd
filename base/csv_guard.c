#include "csv_guard.h"

#include "num.h"

static bool is_formula(struct str s)
{
	static const struct str signs[] = {
		STR_INIT("="),            STR_INIT("+"),            STR_INIT("-"),
		STR_INIT("@"),            STR_INIT("\t"),           STR_INIT("\r"),
		STR_INIT("\n"),           STR_INIT("\xEF\xBC\x9D"), STR_INIT("\xEF\xBC\x8B"),
		STR_INIT("\xEF\xBC\x8D"), STR_INIT("\xEF\xBC\xA0"),
	};
	double ignored;

	while (s.len && s.p[0] == ' ')
		s = str_slice(s, 1, s.len);
	if (s.len && s.p[0] == '-' && num_parse(s, false, &ignored))
		return false;
	for (size_t i = 0; i < LEN(signs); i++)
		if (str_starts(s, signs[i]))
			return true;
	return false;
}

bool csv_guard_needed(struct str s)
{
	while (s.len && s.p[0] == '\'')
		s = str_slice(s, 1, s.len);
	return is_formula(s);
}

struct str csv_unguard(struct str s)
{
	return s.len && s.p[0] == '\'' && csv_guard_needed(s) ? str_slice(s, 1, s.len) : s;
}
