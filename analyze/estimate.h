/* An author's figures for devices that nobody measured: data/estimates.csv, columns
 * device,class,ratio,relative_to,date,source,text. Score = ratio x score of relative_to. Without a ratio the line says
 * why the device has no score in the class, such as a run that is known to fail: it is excluded, not scaled. */
#ifndef ANALYZE_ESTIMATE_H
#define ANALYZE_ESTIMATE_H

#include "../base/arena.h"
#include "../base/date.h"
#include "../base/error.h"
#include "../base/str.h"
#include "../catalogue/class.h"
#include "../catalogue/device.h"

#include <stdbool.h>
#include <stddef.h>

struct estimate {
	size_t device, relative_to; /* indices into devices */
	enum class_id class;
	double ratio; /* > 0, or NAN: excluded because of text */
	struct date date;
	struct str source, text;
};

struct estimates {
	struct estimate *v; /* in the order of the file */
	size_t n;
};

/* An absent file is an empty list.
 * Errors: as csv_read_records; ERR_UNKNOWN a device or class that the catalogue lacks; ERR_RANGE a
 * ratio not from 1e-6 to 1e6; each with file and line. */
bool estimates_read(const char *path, const struct devices *devices, struct arena *a,
		    struct estimates *out, struct error *err);

/* The newest one of a device and class not after `date` (the later in the file of equals), or NULL.
 */
const struct estimate *estimate_find(const struct estimates *e, size_t device, enum class_id class,
				     struct date date);

#endif
