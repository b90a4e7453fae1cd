#include "outputs.h"

#include "pick_rules.h"
#include "price_history.h"
#include "summary.h"
#include "../base/csv_write.h"
#include "../base/file.h"

static bool write_scores(const struct analysis *s, const char *path, struct error *err)
{
	return score_write(&s->scores, s->devices, &s->english, path, s->arena, err);
}

static bool write_backtest(const struct analysis *s, const char *path, struct error *err)
{
	return score_write_backtest(s->classes, s->edition->nclasses, path, s->arena, err);
}

static bool write_predictions(const struct analysis *s, const char *path, struct error *err)
{
	return score_write_predictions(s->classes, s->edition->nclasses, s->devices, path,
				       s->arena, err);
}

static bool write_prices(const struct analysis *s, const char *path, struct error *err)
{
	return price_lens_write(&s->card_prices, s->devices, path, s->arena, err);
}

static bool write_price_conditions(const struct analysis *s, const char *path, struct error *err)
{
	return price_conditions_write(&s->price_conditions, s->devices, path, s->arena, err);
}

static bool write_price_history(const struct analysis *s, const char *path, struct error *err)
{
	const struct price_view v = { s->edition, s->devices, s->prices, &s->edition->conditions,
				      s->arena };

	return price_history_write(&v, s->indices, s->nindices, path, err);
}

static bool write_values(const struct analysis *s, const char *path, struct error *err)
{
	return value_write(&s->values, s->devices, path, s->arena, err);
}

static bool write_systems(const struct analysis *s, const char *path, struct error *err)
{
	return systems_write(&s->systems, s->devices, path, s->arena, err);
}

static bool write_breakeven(const struct analysis *s, const char *path, struct error *err)
{
	return breakeven_write(&s->breakevens, s->devices, path, s->arena, err);
}

static bool write_lens_moves(const struct analysis *s, const char *path, struct error *err)
{
	return lens_moves_write(&s->lens_moves, s->devices, path, s->arena, err);
}

static bool write_multi(const struct analysis *s, const char *path, struct error *err)
{
	return multi_write(&s->multi, s->devices, &s->english, path, s->arena, err);
}

static bool write_multi_summary(const struct analysis *s, const char *path, struct error *err)
{
	return multi_write_summary(&s->multi, &s->english, path, s->arena, err);
}

static bool write_processors(const struct analysis *s, const char *path, struct error *err)
{
	return processors_write(&s->processors, s->devices, path, s->arena, err);
}

static bool write_memory(const struct analysis *s, const char *path, struct error *err)
{
	return memory_write(&s->memory, s->devices, s->indices, s->nindices, path, s->arena, err);
}

static bool write_memory_parts(const struct analysis *s, const char *path, struct error *err)
{
	return memory_write_parts(&s->memory, path, s->arena, err);
}

static bool write_picks(const struct analysis *s, const char *path, struct error *err)
{
	return picks_write(&s->picks, s->devices, &s->english, path, s->arena, err);
}

static bool write_pick_rules(const struct analysis *s, const char *path, struct error *err)
{
	return pick_rules_write(&s->picks, path, s->arena, err);
}

static bool write_removed(const struct analysis *s, const char *path, struct error *err)
{
	struct pick_input in = analysis_pick_input(s);

	return picks_write_removed(&s->picks, &in, &s->english, path, s->arena, err);
}

static bool write_avoid(const struct analysis *s, const char *path, struct error *err)
{
	return avoid_write(&s->avoids, s->devices, &s->english, path, s->arena, err);
}

static bool write_upgrades(const struct analysis *s, const char *path, struct error *err)
{
	return upgrade_write(&s->upgrades, s->devices, path, s->arena, err);
}

static bool write_claims(const struct analysis *s, const char *path, struct error *err)
{
	return claims_write(&s->claims, &s->english, path, s->arena, err);
}

static bool write_vendors(const struct analysis *s, const char *path, struct error *err)
{
	return vendors_write(&s->vendors, &s->vendor_facts, path, s->arena, err);
}

static bool write_vendor_classes(const struct analysis *s, const char *path, struct error *err)
{
	return vendor_classes_write(&s->vendors, &s->vendor_facts, s->devices, path, s->arena, err);
}

static bool write_vendor_texts(const struct analysis *s, const char *path, struct error *err)
{
	return vendor_texts_write(&s->vendors, path, s->arena, err);
}

static bool write_cloud_providers(const struct analysis *s, const char *path, struct error *err)
{
	return cloud_providers_write(&s->vendor_facts, path, s->arena, err);
}

static bool write_summary(const struct analysis *s, const char *path, struct error *err)
{
	return summary_write(s, path, err);
}

/* Nothing that was refused gets lost: the report names these too. */
static bool write_refused_prices(const struct analysis *s, const char *path, struct error *err)
{
	const struct messages *m = s->refused_prices;
	struct csv_out w = { .buf.arena = s->arena };
	struct str root = str_printf(s->arena, "%s/", s->data_dir);

	strbuf_add(&w.buf, STR("file,line,column,reason\n"));
	for (size_t i = 0; m && i < m->n; i++) {
		struct str file = str_of(m->v[i].pos.file ? m->v[i].pos.file : "");
		csv_put(&w, str_starts(file, root) ? str_slice(file, root.len, file.len) : file);
		csv_put_int(&w, m->v[i].pos.line);
		csv_put_int(&w, m->v[i].pos.col);
		csv_put(&w, m->v[i].text);
		csv_end_row(&w);
	}
	return file_write(path, strbuf_str(&w.buf), err);
}

/* Every file, in the order it is written. */
static const struct output {
	const char *name;
	bool (*write)(const struct analysis *s, const char *path, struct error *err);
} outputs[] = {
	{ "scores.csv", write_scores },
	{ "backtest.csv", write_backtest },
	{ "predictions.csv", write_predictions },
	{ "prices.csv", write_prices },
	{ "price_conditions.csv", write_price_conditions },
	{ "price_history.csv", write_price_history },
	{ "values.csv", write_values },
	{ "systems.csv", write_systems },
	{ "breakeven.csv", write_breakeven },
	{ "lens_moves.csv", write_lens_moves },
	{ "multi.csv", write_multi },
	{ "multi_summary.csv", write_multi_summary },
	{ "processors.csv", write_processors },
	{ "memory.csv", write_memory },
	{ "memory_parts.csv", write_memory_parts },
	{ "picks.csv", write_picks },
	{ "pick_removed.csv", write_removed },
	{ "pick_rules.csv", write_pick_rules },
	{ "avoid.csv", write_avoid },
	{ "upgrades.csv", write_upgrades },
	{ "claims.csv", write_claims },
	{ "vendors.csv", write_vendors },
	{ "vendor_classes.csv", write_vendor_classes },
	{ "vendor_texts.csv", write_vendor_texts },
	{ "cloud_providers.csv", write_cloud_providers },
	{ "price-rejects.csv", write_refused_prices },
	{ "edition.csv", write_summary },
};

bool outputs_write(const struct analysis *s, struct error *err)
{
	struct str dir = file_join(s->arena, str_of(s->out_dir), STR("data"));

	if (!file_make_dirs(str_c(s->arena, dir), err))
		return false;
	for (size_t i = 0; i < LEN(outputs); i++) {
		struct str path = file_join(s->arena, dir, str_of(outputs[i].name));

		if (!outputs[i].write(s, str_c(s->arena, path), err))
			return false;
	}
	return true;
}
