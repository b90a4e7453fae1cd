#include "backend.h"

#include <stdarg.h>
#include <stdio.h>

bool bench_fail(struct bench_error *err, enum bench_code code, const char *fmt, ...)
{
	va_list args;

	err->code = code;
	va_start(args, fmt);
	vsnprintf(err->msg, sizeof err->msg, fmt, args);
	va_end(args);
	return false;
}
