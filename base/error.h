/* One error type for the whole program, and the list of messages that a stage gathers.
 * The function that fails fills it, main() prints it. Below main() nothing prints or exits. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include "arena.h"
#include "str.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

enum error_code {
	ERR_NONE,
	ERR_SYNTAX,      /* text that is not of the wanted form */
	ERR_RANGE,       /* a value outside its bounds */
	ERR_UNKNOWN,     /* a name that the catalogue lacks */
	ERR_DATA,        /* data refused or a check failed; exit 1 like the three above */
	ERR_USAGE,       /* a wrong option or argument; exit 2 from here on */
	ERR_ENVIRONMENT, /* missing file, tool or permission, full disk */
};

/* line and col count from 1; 0 is no position. file may be NULL. */
struct pos {
	const char *file;
	int line, col;
};

struct error {
	enum error_code code;
	struct pos pos;
	char msg[400];
};

/* Fills err (kept when it already holds an error) and returns false. */
bool error_at(struct error *err, enum error_code code, struct pos pos, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
bool error_set(struct error *err, enum error_code code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* "<what>: <strerror(errno)>" as ERR_ENVIRONMENT. */
bool error_errno(struct error *err, const char *what);
/* "file:line:col: msg", leaving out what is missing; each as str_plain() gives it. */
struct str error_text(const struct error *err, struct arena *a);
/* Writes error_text() and a line's end. */
void error_print(FILE *to, const struct error *err);
/* 0 for ERR_NONE, 1 for refused data, 2 for usage and environment. */
int error_exit_status(const struct error *err);

/* Messages that do not stop a stage (refused rows, warnings), in the order they were added. */
struct messages {
	struct arena *arena;
	struct message { struct pos pos; struct str text; } *v;
	size_t n, cap;
};

/* The text is kept as str_plain(); one of more than MESSAGE_MAX bytes is cut and ends in "...". */
enum { MESSAGE_MAX = 1000 };
void messages_add(struct messages *m, struct pos pos, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* As error_print. */
void message_print(FILE *to, const struct message *m);

#endif
