#include "verify_out.h"

#include "json_out.h"
#include "../base/csv_write.h"

enum { FINDINGS_SHOWN = 20, TOOLS_SHOWN = 6 };

/* By enum verify_verdict. */
static const char *const verdict_names[VERDICTS] = {
	[VERDICT_NOT_ASKED] = "not-asked",
	[VERDICT_IMPOSSIBLE] = "impossible",
	[VERDICT_FAILED] = "failed",
	[VERDICT_IDENTICAL] = "identical",
	[VERDICT_PAGES_DIFFER] = "pages-differ",
	[VERDICT_DIFFERENT] = "different",
};

/* By enum sign_state. */
static const char *const state_names[] = {
	[SIGN_ABSENT] = "absent", [SIGN_UNKNOWN] = "unknown-signer", [SIGN_GOOD] = "good",
	[SIGN_BAD] = "bad",       [SIGN_UNCHECKED] = "unchecked",
};

/* By enum sign_tool. */
static const char *const signature_files[] = {
	[SIGN_NONE] = "", [SIGN_SSH] = "MANIFEST.sig", [SIGN_MINISIGN] = "MANIFEST.minisig"
};

static bool signature_good(const struct verify_report *r)
{
	bool vouched = false;

	for (size_t i = 0; i < LEN(r->signatures); i++) {
		if (r->signatures[i].state == SIGN_BAD)
			return false;
		vouched |= r->signatures[i].state == SIGN_GOOD;
	}
	return vouched || !r->signers_given;
}

bool verify_report_good(const struct verify_report *r)
{
	return r->v->findings.n == 0 && signature_good(r)
	       && (r->verdict == VERDICT_NOT_ASKED || r->verdict == VERDICT_IDENTICAL);
}

/* "gpuguide 0.1.0, gnuplot 5.4 patchlevel 4" */
static struct str made_by(const struct verify_report *r, struct arena *a)
{
	struct str program = buildinfo_get(&r->v->made, "program"),
		   gnuplot = buildinfo_get(&r->v->made, "gnuplot");

	if (program.len == 0)
		return STR("not known: there is no BUILDINFO");
	return str_plain(a,
			 str_printf(a, STR_FMT ", " STR_FMT, STR_ARG(program), STR_ARG(gnuplot)));
}

static size_t listed_good(const struct verify *v)
{
	size_t n = 0;

	for (size_t i = 0; i < v->n; i++)
		n += v->files[i].good;
	return n;
}

static struct str files_text(const struct verify_report *r, struct arena *a)
{
	const struct verify *v = r->v;
	size_t asked = v->keeps_inputs ? v->n : v->n - v->ninputs;

	if (v->findings.n == 0)
		return str_printf(a, "%zu as MANIFEST lists them%s", asked,
				  v->keeps_inputs ? ", its inputs too"
						  : "; its inputs are not here");
	return str_printf(a, "%zu of %zu as MANIFEST lists them; problems: %zu", listed_good(v),
			  asked, v->findings.n);
}

static struct str signature_text(const struct sign_check *s, struct arena *a)
{
	switch (s->state) {
	case SIGN_ABSENT:
		return STR("none");
	case SIGN_UNKNOWN:
		return str_printf(a, "signed with %s, which nobody vouched for (--signers FILE)",
				  str_c(a, s->signer));
	case SIGN_GOOD:
		return str_printf(a, "good: %s", str_c(a, s->signer));
	case SIGN_BAD:
		return str_printf(a, "BAD: %s", str_c(a, s->reason));
	case SIGN_UNCHECKED:
		return str_printf(a, "not checked: %s", str_c(a, s->reason));
	}
	return (struct str){ 0 };
}

/* "made with gnuplot 5.4 patchlevel 4, here gnuplot 6.0 patchlevel 0" of the first that is another.
 */
static struct str tools_text(const struct verify_report *r, struct arena *a)
{
	const struct verify_rebuild *b = &r->rebuild;
	struct strbuf out = { .arena = a };

	for (size_t i = 0; i < b->ntools && i < TOOLS_SHOWN; i++) {
		const struct buildinfo_difference *d = &b->tools[i];

		strbuf_printf(&out, "%s" STR_FMT ": " STR_FMT ", here " STR_FMT,
			      i ? "; " : "made with ", STR_ARG(d->key),
			      STR_ARG(d->was.len ? d->was : STR("not told")),
			      STR_ARG(d->is.len ? d->is : STR("not told")));
	}
	if (b->ntools > TOOLS_SHOWN)
		strbuf_printf(&out, "; and %zu more", b->ntools - TOOLS_SHOWN);
	return str_plain(a, strbuf_str(&out));
}

static struct str rebuild_text(const struct verify_report *r, struct arena *a)
{
	const struct verify_rebuild *b = &r->rebuild;
	struct str tools = tools_text(r, a);
	const char *open = tools.len ? " (" : "", *close = tools.len ? ")" : "";

	switch (r->verdict) {
	case VERDICT_NOT_ASKED:
		return STR("not asked (--quick)");
	case VERDICT_IMPOSSIBLE:
		return str_printf(a, "not possible: " STR_FMT, STR_ARG(r->reason));
	case VERDICT_FAILED:
		return str_printf(a, "failed: " STR_FMT, STR_ARG(r->reason));
	case VERDICT_IDENTICAL:
		return str_printf(
		    a, "identical: %zu files made anew, every byte is the same%s" STR_FMT "%s",
		    b->compared, open, STR_ARG(tools), close);
	case VERDICT_PAGES_DIFFER:
		return str_printf(a,
				  "data identical, %zu of %zu files differ, all of them pages and "
				  "drawings%s" STR_FMT "%s",
				  b->pages, b->compared, open, STR_ARG(tools), close);
	case VERDICT_DIFFERENT:
		return str_printf(a, "different: %zu of %zu files%s" STR_FMT "%s", b->findings.n,
				  b->compared, open, STR_ARG(tools), close);
	case VERDICTS:
		break;
	}
	return (struct str){ 0 };
}

static void put_findings(struct strbuf *b, const struct verify_findings *f)
{
	size_t n = f->n > FINDINGS_SHOWN ? FINDINGS_SHOWN : f->n;

	for (size_t i = 0; i < n; i++)
		strbuf_printf(b, "  %-15s " STR_FMT "%s" STR_FMT "\n",
			      verify_problem_name(f->v[i].problem), STR_ARG(f->v[i].file),
			      f->v[i].detail.len ? ": " : "", STR_ARG(f->v[i].detail));
	if (n < f->n)
		strbuf_printf(b, "  … and %zu more (--format csv lists all)\n", f->n - n);
}

static struct str format_text(const struct verify_report *r, struct arena *a)
{
	struct strbuf b = { .arena = a };
	bool any = false;

	strbuf_printf(&b,
		      "edition    " STR_FMT "\nmade by    " STR_FMT "\nfiles      " STR_FMT "\n",
		      STR_ARG(r->v->id.len ? r->v->id : STR("without an id")),
		      STR_ARG(made_by(r, a)), STR_ARG(files_text(r, a)));
	put_findings(&b, &r->v->findings);
	for (size_t i = 0; i < LEN(r->signatures); i++) {
		if (r->signatures[i].state == SIGN_ABSENT)
			continue;
		any = true;
		strbuf_printf(&b, "signature  " STR_FMT "\n",
			      STR_ARG(signature_text(&r->signatures[i], a)));
	}
	if (!any)
		strbuf_add(&b, STR("signature  none\n"));
	strbuf_printf(&b, "rebuild    " STR_FMT, STR_ARG(rebuild_text(r, a)));
	if (r->seconds > 0)
		strbuf_printf(&b, ", %.1f s", r->seconds);
	strbuf_addc(&b, '\n');
	put_findings(&b, &r->rebuild.findings);
	strbuf_add(&b, verify_report_good(r) ? STR("verified\n") : STR("NOT verified\n"));
	return strbuf_str(&b);
}

static void put_row(struct csv_out *w, const char *check, struct str file, const char *status,
		    struct str detail)
{
	csv_put(w, str_of(check));
	csv_put(w, file);
	csv_put(w, str_of(status));
	csv_put(w, detail);
	csv_end_row(w);
}

static void put_finding_rows(struct csv_out *w, const char *check, const struct verify_findings *f)
{
	for (size_t i = 0; i < f->n; i++)
		put_row(w, check, f->v[i].file, verify_problem_name(f->v[i].problem),
			f->v[i].detail);
}

static struct str format_csv(const struct verify_report *r, struct arena *a)
{
	struct csv_out w = { .buf = { .arena = a } };
	struct str nothing = { 0 };

	strbuf_add(&w.buf, STR("check,file,status,detail\n"));
	put_row(&w, "edition", nothing, verify_report_good(r) ? "verified" : "not-verified",
		r->v->id);
	put_row(&w, "files", nothing, r->v->findings.n ? "bad" : "good", files_text(r, a));
	put_finding_rows(&w, "files", &r->v->findings);
	for (size_t i = 0; i < LEN(r->signatures); i++) {
		const struct sign_check *s = &r->signatures[i];

		put_row(&w, "signature", str_of(signature_files[s->tool]), state_names[s->state],
			s->reason.len ? s->reason : s->signer);
	}
	put_row(&w, "rebuild", nothing, verdict_names[r->verdict], rebuild_text(r, a));
	for (size_t i = 0; i < r->rebuild.ntools; i++) {
		const struct buildinfo_difference *d = &r->rebuild.tools[i];

		put_row(&w, "tool", d->key, "other",
			str_plain(a, str_printf(a, STR_FMT ", here " STR_FMT, STR_ARG(d->was),
						STR_ARG(d->is))));
	}
	put_finding_rows(&w, "rebuild", &r->rebuild.findings);
	return strbuf_str(&w.buf);
}

static void json_findings(struct strbuf *b, const struct verify_findings *f)
{
	for (size_t i = 0; i < f->n; i++) {
		json_out_begin(b, NULL, '{');
		json_out_text(b, "file", f->v[i].file);
		json_out_text(b, "status", str_of(verify_problem_name(f->v[i].problem)));
		json_out_known(b, "detail", f->v[i].detail);
		json_out_end(b, '{');
	}
}

static void json_signatures(struct strbuf *b, const struct verify_report *r)
{
	json_out_begin(b, "signatures", '[');
	for (size_t i = 0; i < LEN(r->signatures); i++) {
		const struct sign_check *s = &r->signatures[i];

		json_out_begin(b, NULL, '{');
		json_out_text(b, "file", str_of(signature_files[s->tool]));
		json_out_text(b, "status", str_of(state_names[s->state]));
		json_out_known(b, "signer", s->signer);
		json_out_known(b, "reason", s->reason);
		json_out_end(b, '{');
	}
	json_out_end(b, '[');
}

static void json_rebuild(struct strbuf *b, const struct verify_report *r)
{
	json_out_begin(b, "rebuild", '{');
	json_out_text(b, "status", str_of(verdict_names[r->verdict]));
	json_out_number(b, "files", (double)r->rebuild.compared);
	json_out_known(b, "reason", r->reason);
	json_out_end(b, '{');
	json_out_begin(b, "tools", '[');
	for (size_t i = 0; i < r->rebuild.ntools; i++) {
		const struct buildinfo_difference *d = &r->rebuild.tools[i];

		json_out_begin(b, NULL, '{');
		json_out_text(b, "key", d->key);
		json_out_known(b, "was", d->was);
		json_out_known(b, "is", d->is);
		json_out_end(b, '{');
	}
	json_out_end(b, '[');
}

static struct str format_json(const struct verify_report *r, struct arena *a)
{
	struct strbuf b = { .arena = a };
	const struct buildinfo *made = &r->v->made;

	json_out_begin(&b, NULL, '{');
	json_out_text(&b, "folder", str_of(r->dir));
	json_out_known(&b, "id", r->v->id);
	json_out_bool(&b, "verified", verify_report_good(r));
	json_out_begin(&b, "made_by", '{');
	for (size_t i = 0; i < made->n; i++)
		json_out_text(&b, str_c(a, made->v[i].key), made->v[i].value);
	json_out_end(&b, '{');
	json_out_number(&b, "files", (double)r->v->n);
	json_out_number(&b, "inputs", (double)r->v->ninputs);
	json_signatures(&b, r);
	json_rebuild(&b, r);
	json_out_begin(&b, "findings", '[');
	json_findings(&b, &r->v->findings);
	json_findings(&b, &r->rebuild.findings);
	json_out_end(&b, '[');
	json_out_end(&b, '{');
	strbuf_addc(&b, '\n');
	return strbuf_str(&b);
}

struct str verify_report_format(const struct verify_report *r, enum output_format format,
				struct arena *a)
{
	switch (format) {
	case FORMAT_CSV:
		return format_csv(r, a);
	case FORMAT_JSON:
		return format_json(r, a);
	case FORMAT_TEXT:
		break;
	}
	return format_text(r, a);
}
