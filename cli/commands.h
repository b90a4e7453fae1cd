/* The commands; each sets *status (0 done, 1 data refused, 3 locked) when it could run. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "options.h"

bool command_report(const struct options *opt, struct arena *a, int *status, struct error *err);
bool command_collect(const struct options *opt, struct arena *a, int *status, struct error *err);
bool command_analyze(const struct options *opt, struct arena *a, int *status, struct error *err);
bool command_render(const struct options *opt, struct arena *a, int *status, struct error *err);
bool command_pick(const struct options *opt, struct arena *a, int *status, struct error *err);
bool command_memory(const struct options *opt, struct arena *a, int *status, struct error *err);
bool command_diff(const struct options *opt, struct arena *a, int *status, struct error *err);
bool command_backtest(const struct options *opt, struct arena *a, int *status, struct error *err);
bool command_publish(const struct options *opt, struct arena *a, int *status, struct error *err);
bool command_verify(const struct options *opt, struct arena *a, int *status, struct error *err);
bool command_prices(const struct options *opt, struct arena *a, int *status, struct error *err);
bool command_fetch(const struct options *opt, struct arena *a, int *status, struct error *err);

#endif
