/* What the analysis says, in the report's language. */
#include "build.h"

#include <limits.h>

/* Whether the message could be put into words; a faulty one is a fault of the report. */
static bool put_message(struct build *b, struct str message, struct pos pos, struct str *out)
{
	struct error err = { .code = ERR_NONE };

	if (message.len == 0)
		return false;
	if (text_say(b->text, (struct say){ message }, pos, b->arena, out, &err))
		return true;
	if (err.code != ERR_UNKNOWN && b->err->code == ERR_NONE)
		*b->err = err;
	return false;
}

struct report_cell build_data(struct build *b, struct str english)
{
	struct str text;
	bool translated = text_data(b->text, english, b->arena, &text);

	return (struct report_cell){ .text = text, .lang = translated ? STR("") : STR("en") };
}

struct report_cell build_said(struct build *b, struct str english, struct str message,
			      struct pos pos)
{
	struct str text;

	if (put_message(b, message, pos, &text))
		return (struct report_cell){ .text = text };
	return build_data(b, english);
}

struct str build_said_str(struct build *b, struct str english, struct str message, struct pos pos)
{
	return build_said(b, english, message, pos).text;
}

struct str build_data_str(struct build *b, struct str english)
{
	return build_data(b, english).text;
}

struct str build_class(struct build *b, enum class_id class)
{
	return build_word(b, "class", class_name(class));
}

struct str build_date(struct build *b, struct date d)
{
	return d.day == INT_MIN ? STR("") : text_date(b->text, d, b->arena);
}
