/* Chooses backend and device. */
#ifndef BENCH_CHOOSE_H
#define BENCH_CHOOSE_H

#include "measure.h"
#include "options.h"

/* Opens what --backend and --device name, else the first backend that has a device; with every
 * backend's reason where none has (ERR_ENVIRONMENT). notes: why a backend that was tried has no
 * part, one line each. */
bool choose_device(const struct bench_options *opt, struct str folder, struct arena *a,
		   struct strbuf *notes, struct bench *out, struct error *err);
void choose_close(struct bench *b);

#endif
