/* What `gpuguide prices import` says, in its three formats. */
#ifndef CLI_PRICES_IMPORT_OUT_H
#define CLI_PRICES_IMPORT_OUT_H

#include "options.h"
#include "../prices/held.h"
#include "../prices/import.h"
#include "../prices/jump.h"

struct prices_import_said {
	const struct import *im;
	const struct held *held;
	const struct price_jumps *jumps; /* those that nobody has accepted */
	bool leaves_out;                 /* rows that data/prices knows are not written */
	size_t written;                  /* rows of the file */
	const char *path;                /* of the file; NULL: none */
	const char *done;                /* what became of it: "written", "unchanged" … */
	bool verbose;                    /* every case */
	struct arena *arena;
};

/* text  what came in, what was used, the reasons and their largest cases, the comparison, the file
 * csv   result,prices,file,line,col,text: a line for `used`, for each case of each reason, and for
 *       each row that differs from data/prices or is only here or there
 * json  { map, rows_in, prices_in, used, refused, reasons, rows_out, held, jumps, file } */
struct str prices_import_format(const struct prices_import_said *s, enum output_format format);

#endif
