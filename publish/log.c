#include "log.h"

#include "../base/file.h"
#include "../base/json_string.h"

#include <time.h>

static const struct str result_names[] = {
	[PUBLISH_NEW] = STR_INIT("published"),
	[PUBLISH_UNCHANGED] = STR_INIT("unchanged"),
	[PUBLISH_FAILED] = STR_INIT("failed"),
	[PUBLISH_LOCKED] = STR_INIT("locked"),
};

struct str publish_result_name(enum publish_result r)
{
	return result_names[r];
}

struct str log_time(struct arena *a)
{
	time_t now = time(NULL);
	char text[32] = "";
	struct tm utc;

	if (gmtime_r(&now, &utc))
		strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
	return str_dup(a, str_of(text));
}

/* One line, whatever a file name or a message may hold. */
static struct str plain(struct arena *a, struct str s)
{
	return str_plain(a, s);
}

struct str log_line(const struct log_entry *e, struct arena *a)
{
	struct strbuf b = { .arena = a };

	strbuf_printf(&b, STR_FMT " " STR_FMT, STR_ARG(e->time), STR_ARG(result_names[e->result]));
	if (e->folder.len)
		strbuf_printf(&b, " " STR_FMT, STR_ARG(plain(a, e->folder)));
	strbuf_printf(&b, " in %.3f s", e->seconds);
	if (e->reason.len)
		strbuf_printf(&b, ": " STR_FMT, STR_ARG(plain(a, e->reason)));
	if (e->moves.len)
		strbuf_printf(&b, ": " STR_FMT, STR_ARG(plain(a, e->moves)));
	if (e->id.len)
		strbuf_printf(&b, "; id " STR_FMT, STR_ARG(plain(a, e->id)));
	if (e->counted)
		strbuf_printf(&b,
			      "; %zu files, %zu refused; rows: %zu accepted, %zu rejected, %zu "
			      "set aside; %zu devices; prices refused: %zu",
			      e->files, e->files_refused, e->accepted, e->rejected, e->set_aside, e->devices,
			      e->refused_prices);
	if (e->removed)
		strbuf_printf(&b, "; old editions removed: %zu", e->removed);
	strbuf_addc(&b, '\n');
	return strbuf_str(&b);
}

static void put_text(struct strbuf *b, const char *key, struct str text)
{
	strbuf_printf(b, ",\"%s\":", key);
	if (text.len)
		json_string(b, text);
	else
		strbuf_add(b, STR("null"));
}

struct str log_json(const struct log_entry *e, struct arena *a)
{
	const struct {
		const char *key;
		size_t n;
	} counts[] = {
		{ "files", e->files },
		{ "files_refused", e->files_refused },
		{ "rows_accepted", e->accepted },
		{ "rows_rejected", e->rejected },
		{ "rows_set_aside", e->set_aside },
		{ "devices", e->devices },
		{ "prices_refused", e->refused_prices },
	};
	struct strbuf b = { .arena = a };

	strbuf_add(&b, STR("{\"time\":"));
	json_string(&b, e->time);
	put_text(&b, "result", result_names[e->result]);
	put_text(&b, "folder", e->folder);
	put_text(&b, "id", e->id);
	strbuf_printf(&b, ",\"seconds\":%.3f", e->seconds);
	put_text(&b, "changed", e->moves);
	put_text(&b, "reason", e->reason);
	for (size_t i = 0; i < LEN(counts); i++) {
		strbuf_printf(&b, ",\"%s\":", counts[i].key);
		if (e->counted)
			strbuf_printf(&b, "%zu", counts[i].n);
		else
			strbuf_add(&b, STR("null"));
	}
	strbuf_printf(&b, ",\"editions_removed\":%zu}\n", e->removed);
	return strbuf_str(&b);
}

bool log_write(const char *out_dir, const struct log_entry *e, struct arena *a, struct error *err)
{
	struct str dir = str_of(out_dir);
	bool text =
	    file_append(str_c(a, file_join(a, dir, STR("publish.log"))), log_line(e, a), err);
	bool json =
	    file_append(str_c(a, file_join(a, dir, STR("publish.jsonl"))), log_json(e, a), err);

	return text && json;
}
