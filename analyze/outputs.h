/* The files of a finished analysis: OUT/data/, one writer each (columns: analyze/analyze.h). */
#ifndef ANALYZE_OUTPUTS_H
#define ANALYZE_OUTPUTS_H

#include "analysis.h"
#include "../base/error.h"

#include <stdbool.h>

/* Makes OUT/data if need be. Errors: ERR_ENVIRONMENT; those of memory_write(). */
bool outputs_write(const struct analysis *s, struct error *err);

#endif
